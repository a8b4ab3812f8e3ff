//! The check of a table on sorted heaps: by whole rows for the games that have such a check, otherwise entry
//! by entry.

use std::sync::Arc;

use super::heap_check::HeapCheck;
use super::{Checker, Failure, HeapEntries, Share, minnie_values, one_by_one, outcome_rows};
use crate::base::Control;
use crate::game::{Family, HeapGame};
use crate::rules::{HeapRules, Play};
use crate::space::SortedHeaps;
use crate::table::{Finished, Width};

/// A table on sorted heaps.
pub(super) struct Heaps<'a> {
    pub entries: HeapEntries<'a>,
    pub rules: Arc<HeapRules>,
    pub play: Play,
    pub family: Option<Family>,
    pub space: SortedHeaps,
    /// Says which entries are positions.
    pub game: HeapGame,
    /// Says which entries are finished, where not all are.
    pub finished: Option<&'a Finished>,
}

impl Heaps<'_> {
    fn check<'b>(&'b self, control: &'b Control<'b>, share: Share) -> HeapCheck<'b> {
        HeapCheck::new(&self.entries, &*self.rules, self.play, &self.space, control, share)
    }
}

impl Checker for Heaps<'_> {
    fn full(&self, control: &Control<'_>, share: Share) -> (&'static str, Option<Failure>) {
        let check = self.check(control, share);
        // Whole rows at a time are those of a whole table.
        let by_rows = self.family.filter(|_| self.space.heaps() > 1 && self.finished.is_none());
        let method = match (by_rows, self.entries.width) {
            (Some(family @ (Family::Minnie | Family::Wynnie(_))), Width::Bit) => {
                let together = if let Family::Wynnie(together) = family { Some(together) } else { None };
                outcome_rows::check(&check, together);
                "checksums; every entry against all its options, whole rows at a time"
            }
            (Some(Family::Minnie), Width::U8 | Width::U16) => {
                minnie_values::check(&check);
                "checksums; every value is the mex of its options' values, whole rows at a time"
            }
            _ => {
                one_by_one::all(&check, self.finished);
                "checksums; every entry against the rules, one by one"
            }
        };
        (method, check.failure())
    }

    fn sample(&self, count: u64, control: &Control<'_>, share: Share) -> (&'static str, Option<Failure>) {
        let check = self.check(control, share);
        one_by_one::sample(&check, count, &self.game, self.finished);
        ("checksums; entries at random against the rules", check.failure())
    }
}
