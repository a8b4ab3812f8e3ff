//! Grundy values of the games whose moves run along lines: nim, wythoff, wynnie and their kin.
//!
//! **Idea.** A move takes the same number of counters from each heap of a set: it goes back along a *line* of
//! the space. A position need not look at its options one by one if each line remembers which values were
//! seen on it: the value is the least that is missing on all lines through the position, and it is then
//! entered on each of them. Where a move takes at most the smallest heap, only the last places of a line
//! count: its *window*. The line remembers for each value the place where it was seen last; when a place
//! leaves the window, its value leaves too unless it was seen again.
//!
//! **Why it is right.** Let P be a position and S a set of its heaps, O the other heaps. On the line of (S, O) the
//! place of P is t, the smallest heap of S, and the options of P by S are the places t-1, ..., t-w, where w
//! is t, or the smallest of t and of the non-empty heaps of O. Along the line O stays, so that w grows with t
//! until it is the smallest heap M of O, and stays there: at each place at most one place leaves, t-1-M. All
//! places of a line lie in different waves or in one row (a lower place has a smaller key sum, or the same key
//! and a smaller last heap), so that they are entered in order and no two threads meet on a line.
//!
//! Heaps of equal size give the same line, which is then visited once. A set with an empty heap cannot be
//! lowered, but the position is place 0 of that line, and is entered.
//!
//! **Cost.** Per position and line a few words, and one value that enters and one that leaves, whatever the
//! size of the heaps. Bytes beside the table: a bit (and for windows one or two bytes) for every value that a
//! line may need.

mod row;
#[cfg(test)]
mod tests;
mod used;

use std::sync::atomic::Ordering::Relaxed;

use self::row::{Row, Scratch};
use self::used::{Places, Used};
use super::{Kernel, TooWide};
use crate::game::Lines;
use crate::rules::{HeapRules, Play};
use crate::space::SortedHeaps;
use crate::table::{Cells, ValueCell};
use crate::waves::{KeySum, RowBlock};

/// Grundy values by lines.
pub struct LineValues<'a> {
    waves: &'a KeySum<'a>,
    space: &'a SortedHeaps,
    rules: &'a HeapRules,
    play: Play,
    lines: Lines,
    /// Positions with equal heaps are not reached.
    distinct: bool,
    used: Used,
}

/// What is known of the values of a row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Task {
    /// They are to be found.
    Fill,
    /// An earlier run has found them.
    Recall,
}

impl<'a> LineValues<'a> {
    /// The kernel of the game with these `rules`, which `lines` describes; where heaps must be `distinct`, no
    /// move leaves two equal ones.
    pub fn new(
        waves: &'a KeySum<'a>,
        rules: &'a HeapRules,
        play: Play,
        lines: Lines,
        distinct: bool,
    ) -> Self {
        let space = waves.space();
        Self { waves, space, rules, play, lines, distinct, used: Used::new(lines, space) }
    }

    /// The bytes of the used values of all lines.
    pub fn memory(lines: Lines, heaps: usize, max: u32) -> u64 {
        used::memory(lines, heaps, max)
    }

    fn work<C: ValueCell>(&self, cells: &[C], block: &RowBlock, task: Task) -> Result<u64, TooWide> {
        match &self.used.places {
            Places::None => self.rows::<C, std::sync::atomic::AtomicU8>(cells, block, task, None),
            Places::U8(places) => self.rows(cells, block, task, Some(places)),
            Places::U16(places) => self.rows(cells, block, task, Some(places)),
        }
    }

    fn rows<C: ValueCell, P: ValueCell>(
        &self,
        cells: &[C],
        block: &RowBlock,
        task: Task,
        places: Option<&[P]>,
    ) -> Result<u64, TooWide> {
        let mut scratch = Scratch::default();
        let mut positions = 0;
        self.waves.try_for_each_key(block, |key| {
            let row = Row::new(self, cells, places, key);
            positions += row.len() as u64;
            row.work(task, &mut scratch)
        })?;
        Ok(positions)
    }

    /// Whether the position `key`, `last` has an option.
    fn can_move(&self, key: &[u32], last: u32) -> bool {
        let mut any = false;
        self.rules.options(&[key, &[last]].concat(), &mut |_| any = true);
        any
    }

    /// The words of the bits from `at` on.
    #[inline(always)]
    fn word(&self, at: usize) -> u64 {
        self.used.bits[at].load(Relaxed)
    }
}

impl Kernel<RowBlock> for LineValues<'_> {
    fn fill(&self, cells: &Cells<'_>, block: &RowBlock) -> Result<u64, TooWide> {
        match cells {
            Cells::U8(cells) => self.work(cells, block, Task::Fill),
            Cells::U16(cells) => self.work(cells, block, Task::Fill),
            Cells::Bits(_) => panic!("the line kernel fills tables of values"),
        }
    }

    fn forget(&self) {
        self.used.clear();
    }

    fn recall(&self, cells: &Cells<'_>, block: &RowBlock) {
        let known = match cells {
            Cells::U8(cells) => self.work(cells, block, Task::Recall),
            Cells::U16(cells) => self.work(cells, block, Task::Recall),
            Cells::Bits(_) => Ok(0),
        };
        known.expect("values of a table fit into it");
    }
}
