//! What every check of a heap table has: the entries, the rules, the share of the work, and the first
//! failure.

use std::sync::OnceLock;

use super::{Failure, HeapEntries, Share, one_by_one};
use crate::base::Control;
use crate::rules::notation::show_heaps;
use crate::rules::{HeapRules, Play};
use crate::space::{SortedHeaps, Space};

/// A table of a heap game that is being checked.
pub struct HeapCheck<'a> {
    pub entries: &'a HeapEntries<'a>,
    pub rules: &'a HeapRules,
    pub play: Play,
    pub space: &'a SortedHeaps,
    pub control: &'a Control<'a>,
    pub share: Share,
    failure: OnceLock<Failure>,
}

impl<'a> HeapCheck<'a> {
    pub fn new(
        entries: &'a HeapEntries<'a>,
        rules: &'a HeapRules,
        play: Play,
        space: &'a SortedHeaps,
        control: &'a Control<'a>,
        share: Share,
    ) -> Self {
        Self { entries, rules, play, space, control, share, failure: OnceLock::new() }
    }

    /// Whether nothing more needs to be checked.
    pub fn over(&self) -> bool {
        self.control.stopped() || self.failure.get().is_some()
    }

    /// The first failure that was found.
    pub fn failure(self) -> Option<Failure> {
        self.failure.into_inner()
    }

    /// Checks the entry of `position` by the definition.
    pub fn position(&self, position: &[u32]) {
        if let Some(found) = one_by_one::check(self.entries, self.rules, self.play, position) {
            let _ = self.failure.set(found);
        }
    }

    /// Checks the row that begins at `position` by the definition, entry by entry.
    pub fn row_by_definition(&self, position: &[u32], length: usize) {
        let mut position = position.to_vec();
        let last = position.len() - 1;
        for _ in 0..length {
            if self.over() {
                return;
            }
            self.position(&position);
            position[last] += 1;
        }
    }

    /// Fails at a position where a check of a whole row found something wrong; the definition says what.
    pub fn fail_at(&self, position: &[u32]) {
        let found = one_by_one::check(self.entries, self.rules, self.play, position);
        let text = found
            .unwrap_or_else(|| format!("{}: the row check and the rules disagree", show_heaps(position)));
        let _ = self.failure.set(text);
    }

    /// The first position and the length of the row of the key (`first`, `rest`): it begins at the largest
    /// heap of the rest, or with two heaps at `first`.
    pub fn row_of(&self, first: u32, rest: &[u32]) -> (Vec<u32>, usize) {
        let begin = rest.last().copied().unwrap_or(first);
        let position = [&[first], rest, &[begin]].concat();
        (position, (self.space.max() - begin) as usize + 1)
    }
}

/// The keys without their first heap, numbered. With two heaps there is one, which is empty.
pub struct Rests {
    pub space: Option<SortedHeaps>,
}

impl Rests {
    /// Those of the keys of a space of at least two heaps.
    pub fn new(space: &SortedHeaps) -> Self {
        let length = space.heaps() - 2;
        Self { space: (length > 0).then(|| SortedHeaps::new(length, space.max()).expect("a smaller space")) }
    }

    pub fn len(&self) -> u64 {
        self.space.as_ref().map_or(1, Space::len)
    }

    pub fn heaps(&self, rest: u64) -> Vec<u32> {
        let mut heaps = Vec::new();
        if let Some(space) = &self.space {
            space.unrank_into(rest, &mut heaps);
        }
        heaps
    }
}
