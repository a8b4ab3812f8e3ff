//! The options of wynnie that lower several heaps alike, for a whole row at once.
//!
//! Heaps of the key that are lowered without the last one lead to another row at the same place. With the last
//! one they lead to another row s places before, as long as the last heap stays the largest. Where it does
//! not, at the first places of a row, the option lies in no row at hand: such options are looked at one by one,
//! and only for the places that are not yet known to have a P option.

use super::heap_check::HeapCheck;
use super::outcome_rows::{low_bits, or_outcomes};
use crate::rules::Together;
use crate::space::MAX_HEAPS;

/// The row of `length` places that begins at `position`, from which up to `m` counters are taken.
pub struct Row<'a> {
    pub check: &'a HeapCheck<'a>,
    pub position: &'a [u32],
    pub m: u32,
    pub length: usize,
    pub together: Together,
}

impl Row<'_> {
    fn last(&self) -> usize {
        self.position.len() - 1
    }

    /// Calls `visit` with each key, sorted, in which some of its heaps are lowered by some number, the number,
    /// and how many heaps these are; until it returns `true`.
    fn for_each_key(&self, mut visit: impl FnMut(&mut [u32], u32, usize) -> bool) -> bool {
        let last = self.last();
        let empty = self.position.iter().take_while(|&&heap| heap == 0).count();
        let mut lowered = [0; MAX_HEAPS];
        let lowered = &mut lowered[..=last];
        (1..1u32 << (last - empty)).any(|set| {
            let size = set.count_ones() as usize;
            (self.allowed(size) || self.allowed(size + 1))
                && (1..=self.m).any(|by| {
                    for (i, heap) in lowered.iter_mut().enumerate() {
                        let chosen = i >= empty && i < last && set >> (i - empty) & 1 == 1;
                        *heap = self.position[i] - if chosen { by } else { 0 };
                    }
                    lowered[..last].sort_unstable();
                    visit(lowered, by, size)
                })
        })
    }

    /// Whether so many heaps may be lowered together.
    fn allowed(&self, size: usize) -> bool {
        match self.together {
            Together::Two => size == 2,
            Together::Any => size >= 2,
            Together::All => size == self.position.iter().filter(|&&heap| heap > 0).count(),
        }
    }

    /// At how many of the first places the last heap, lowered by `by`, is below the largest of the lowered key.
    fn crossing(&self, lowered: &[u32], by: u32) -> usize {
        (lowered[self.last() - 1] + by).saturating_sub(self.position[self.last()]) as usize
    }

    /// Adds the P options that lie in rows to `options`. Says whether every place has one.
    pub fn add_rows(&self, options: &mut [u64]) -> bool {
        let last = self.last();
        self.for_each_key(|lowered, by, size| {
            let entries = self.check.entries;
            if self.allowed(size) {
                let (row, start) = entries.locate(entries.place_of_sorted(lowered));
                if or_outcomes(row, start, options) {
                    return true;
                }
            }
            let skip = self.crossing(lowered, by);
            if self.allowed(size + 1) && skip < self.length {
                lowered[last] = self.position[last] + skip as u32 - by;
                let (row, start) = entries.locate(entries.place_of_sorted(lowered));
                let mut carry = 0;
                let shift = skip % 64;
                // Places behind the row count as ones already.
                for (word, at) in options[skip / 64..].iter_mut().zip((0..self.length - skip).step_by(64)) {
                    let bits = row.outcomes_at(start + at as u64);
                    *word |= bits << shift | carry;
                    carry = bits >> 1 >> (63 - shift);
                }
                if let Some(next) = options.get_mut(skip / 64 + (self.length - skip).div_ceil(64)) {
                    *next |= carry;
                }
            }
            false
        }) || options.iter().all(|&word| word == u64::MAX)
    }

    /// Adds the P options that lie in no row at hand, at the places that have no other.
    pub fn add_others(&self, options: &mut [u64]) {
        let last = self.last();
        self.for_each_key(|lowered, by, size| {
            if !self.allowed(size + 1) {
                return false;
            }
            let places = self.crossing(lowered, by).min(self.length);
            let mut key = [0; MAX_HEAPS];
            key[..last].copy_from_slice(&lowered[..last]);
            for (i, word) in options.iter_mut().enumerate().take(places.div_ceil(64)) {
                let mut open = !*word & low_bits((places - 64 * i) as u64);
                while open != 0 {
                    let bit = open.trailing_zeros();
                    open &= open - 1;
                    let heap = self.position[last] + 64 * i as u32 + bit - by;
                    let at = key[..last].partition_point(|&other| other <= heap);
                    lowered[..at].copy_from_slice(&key[..at]);
                    lowered[at] = heap;
                    lowered[at + 1..].copy_from_slice(&key[at..last]);
                    let entries = self.check.entries;
                    *word |= u64::from(entries.is_p(entries.place_of_sorted(lowered))) << bit;
                }
            }
            false
        });
    }
}
