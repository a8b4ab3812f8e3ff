//! Every outcome of a table of minnie or wynnie, whole rows at a time.
//!
//! The row of the key (a1, rest) holds the outcomes of (a1, rest, x) for x from the largest heap of the key
//! on. For a fixed rest the rows of a1 = 0, 1, 2, ... are taken in turn, and their OR is kept: it tells, for
//! every x, whether a1 can be lowered to a P-position. Adding the rows in which another heap is lowered, and
//! the row itself moved by 1..=a1 places, gives all P options at once, and the row must be the complement of
//! that.
//!
//! Once the OR over the first heaps is all ones, every further row of that rest must be all zeros. These are
//! by far the most rows; a second pass in the order of the file looks at them.
//!
//! In wynnie a move may also lower several heaps alike: see [`super::together`].

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rayon::prelude::*;

use super::heap_check::{HeapCheck, Rests};
use super::together;
use crate::rules::Together;
use crate::table::Entries;

/// Checks every entry of a table of at least two heaps: of minnie, or of wynnie with these heaps together.
pub fn check(check: &HeapCheck<'_>, together: Option<Together>) {
    let rests = Rests::new(check.space);
    // For each rest, the first a1 of the rows that must be all zeros.
    let zeros_from: Vec<AtomicU32> = (0..rests.len()).map(|_| AtomicU32::new(u32::MAX)).collect();
    (0..rests.len() as usize).into_par_iter().with_min_len(16).for_each_init(
        || Scratch { together, ..Scratch::default() },
        |scratch, rest| {
            if !check.over() && check.share.has(rest as u64) {
                let from = check.outcome_rows(&rests.heaps(rest as u64), scratch);
                zeros_from[rest].store(from, Relaxed);
            }
        },
    );
    if !check.over() {
        let firsts = (0..=check.space.smallest()).into_par_iter();
        firsts.for_each(|first| check.zeros(first, &rests, &zeros_from));
    }
}

#[derive(Default)]
struct Scratch {
    /// Which heaps may be lowered together, if any.
    together: Option<Together>,
    /// OR of the rows with a smaller first heap.
    lowered_first: Vec<u64>,
    /// All P options of the row at hand.
    options: Vec<u64>,
    /// The row, with the places before it that its window reaches.
    window: Vec<u64>,
}

impl HeapCheck<'_> {
    /// Checks the rows of `rest`, a1 = 0, 1, ..., until the rows so far cover everything. Returns the first
    /// a1 left.
    fn outcome_rows(&self, rest: &[u32], scratch: &mut Scratch) -> u32 {
        let max = self.space.max();
        let last_first = rest.first().copied().unwrap_or(max).min(self.space.smallest());
        let mut covered = false;
        for first in 0..=last_first {
            if self.over() {
                break;
            }
            if covered {
                return first;
            }
            let (position, length) = self.row_of(first, rest);
            self.check_outcome_row(&position, length, scratch);
            self.control.worked(length as u64);
            let (row, start) = self.entries.locate(self.entries.place_of_sorted(&position));
            let words = length.div_ceil(64);
            let or = &mut scratch.lowered_first;
            if first == 0 {
                or.clear();
                or.resize(words, 0);
            }
            // With two heaps the next row begins one place later.
            let skip = u64::from(rest.is_empty());
            covered = true;
            let next_length = length as u64 - skip.min(length as u64);
            if rest.is_empty() {
                shift_down(or);
            }
            for (i, word) in or.iter_mut().enumerate() {
                let at = 64 * i as u64;
                if at < next_length {
                    let valid = low_bits((next_length - at).min(64));
                    *word |= row.outcomes_at(start + skip + at) & valid;
                    covered &= *word & valid == valid;
                }
            }
        }
        u32::MAX
    }

    /// Checks one row that begins at `position`.
    fn check_outcome_row(&self, position: &[u32], length: usize, scratch: &mut Scratch) {
        let key = &position[..position.len() - 1];
        let Some(smallest) = key.iter().position(|&heap| heap > 0) else {
            return self.row_by_definition(position, length);
        };
        let m = key[smallest];
        let words = length.div_ceil(64);
        let options = &mut scratch.options;
        options.clear();
        if smallest == 0 {
            options.extend_from_slice(&scratch.lowered_first[..words]);
        } else {
            options.resize(words, 0);
        }
        if length % 64 != 0 {
            // Behind the end everything counts as an option, so that a full row is seen.
            options[words - 1] |= !low_bits(length as u64 % 64);
        }
        let wynnie =
            scratch.together.map(|together| together::Row { check: self, position, m, length, together });
        let full = options.iter().all(|&word| word == u64::MAX)
            || self.add_lowered_keys(position, smallest, options)
            || wynnie.as_ref().is_some_and(|row| row.add_rows(options));
        if !full {
            self.add_window(position, m, length, &mut scratch.window, options);
            if let Some(row) = wynnie {
                row.add_others(options);
            }
        }
        let (row, start) = self.entries.locate(self.entries.place_of_sorted(position));
        for (j, &word) in scratch.options.iter().enumerate() {
            let valid = low_bits((length - 64 * j) as u64);
            let wrong = !(row.outcomes_at(start + 64 * j as u64) ^ word) & valid;
            if wrong != 0 {
                let mut there = position.to_vec();
                there[key.len()] += 64 * j as u32 + wrong.trailing_zeros();
                return self.fail_at(&there);
            }
        }
    }

    /// Adds to `options` the rows in which a heap of the key is lowered, the first one excepted. Says whether every
    /// place has a P option.
    fn add_lowered_keys(&self, position: &[u32], smallest: usize, options: &mut [u64]) -> bool {
        let mut full = false;
        for i in smallest.max(1)..position.len() - 1 {
            self.entries.for_each_lowered(position, i, position[smallest], |place| {
                if !full {
                    let (row, start) = self.entries.locate(place);
                    full = or_outcomes(row, start, options);
                }
            });
        }
        full
    }

    /// Adds to `options` the places that are 1..=m above a P-position of the same row, or of the m places
    /// before it.
    fn add_window(
        &self,
        position: &[u32],
        m: u32,
        length: usize,
        window: &mut Vec<u64>,
        options: &mut [u64],
    ) {
        let total = m as usize + length;
        window.clear();
        window.resize(total.div_ceil(64) + 1, 0);
        // Of the places before the row the nearest P rules out all that the others do.
        let (mut place, mut found) = (m, false);
        self.entries.for_each_lowered(position, position.len() - 1, m, |before| {
            place -= 1;
            if !found && self.entries.is_p(before) {
                found = true;
                window[place as usize / 64] |= 1 << (place % 64);
            }
        });
        let (row, start) = self.entries.locate(self.entries.place_of_sorted(position));
        for j in 0..length.div_ceil(64) {
            let valid = low_bits((length - 64 * j).min(64) as u64);
            let bits = row.outcomes_at(start + 64 * j as u64) & valid;
            let (at, shift) = ((m as usize + 64 * j) / 64, (m as usize + 64 * j) % 64);
            window[at] |= bits << shift;
            if shift > 0 {
                window[at + 1] |= bits >> (64 - shift);
            }
        }
        // Place x of the row is bit m + x: it needs the OR of the bits x..m + x, so shift down by 0..m and
        // OR, doubling.
        let mut reach = 1;
        while reach < m as usize {
            let step = reach.min(m as usize - reach);
            or_shifted_down(window, step);
            reach += step;
        }
        for (word, &bits) in options.iter_mut().zip(window.iter()) {
            *word |= bits;
        }
    }

    /// Checks in the order of the file that the rows with this first heap that must be zeros are.
    fn zeros(&self, first: u32, rests: &Rests, zeros_from: &[AtomicU32]) {
        let Some(rest_space) = &rests.space else {
            if first >= zeros_from[0].load(Relaxed) {
                self.zero_row(&[first, first]);
            }
            return;
        };
        let mut rest = vec![first; rest_space.heaps()];
        let mut rest_index = rest_space.rank_sorted(&rest);
        let mut position = vec![0; self.space.heaps()];
        position[0] = first;
        loop {
            if self.over() {
                return;
            }
            // One step of the outer heaps; the last heap of the rest runs.
            let last = rest.len() - 1;
            for largest in rest[last]..=self.space.max() {
                let length = u64::from(self.space.max() - largest) + 1;
                if first >= zeros_from[rest_index as usize].load(Relaxed) {
                    position[1..=last].copy_from_slice(&rest[..last]);
                    position[last + 1..].fill(largest);
                    if self.any_p(self.entries.place_of_sorted(&position), length) {
                        return self.zero_row(&position);
                    }
                    self.control.worked(length);
                }
                rest_index += 1;
            }
            let Some(grow) = rest[..last].iter().rposition(|&heap| heap < self.space.max()) else { return };
            let heap = rest[grow] + 1;
            rest[grow..].fill(heap);
        }
    }

    fn any_p(&self, place: u64, length: u64) -> bool {
        let (row, start) = self.entries.locate(place);
        let mut at = 0;
        while at + 64 <= length {
            if row.outcomes_at(start + at) != 0 {
                return true;
            }
            at += 64;
        }
        at < length && row.outcomes_at(start + at) & low_bits(length - at) != 0
    }

    /// Fails at the first P of a row that must be zeros.
    fn zero_row(&self, begin: &[u32]) {
        let mut position = begin.to_vec();
        let last = position.len() - 1;
        for x in begin[last]..=self.space.max() {
            position[last] = x;
            if self.entries.is_p(self.entries.place_of_sorted(&position)) {
                return self.fail_at(&position);
            }
        }
        self.control.worked(u64::from(self.space.max() - begin[last]) + 1);
    }
}

/// ORs the outcomes from `start` of `row` on into `words`; says whether they are all ones then. The file has a spare word
/// behind the last outcome.
pub(super) fn or_outcomes(row: Entries<'_>, start: u64, words: &mut [u64]) -> bool {
    let (byte, shift) = ((start / 8) as usize, start % 8);
    let bytes = &row.data[byte..byte + 8 * words.len() + 1];
    let mut all = u64::MAX;
    for (word, bytes) in words.iter_mut().zip(bytes.windows(9).step_by(8)) {
        let (low, high) = bytes.split_first_chunk().expect("nine bytes");
        *word |= u64::from_le_bytes(*low) >> shift | u64::from(high[0]) << 1 << (63 - shift);
        all &= *word;
    }
    all == u64::MAX
}

pub(super) fn low_bits(count: u64) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

/// Moves all bits one place down.
fn shift_down(words: &mut [u64]) {
    for i in 0..words.len() {
        let next = words.get(i + 1).map_or(0, |next| next << 63);
        words[i] = words[i] >> 1 | next;
    }
}

/// ORs the words with themselves moved down by `by` places.
fn or_shifted_down(words: &mut [u64], by: usize) {
    let (skip, shift) = (by / 64, by % 64);
    for i in 0..words.len() {
        let low = words.get(i + skip).map_or(0, |word| word >> shift);
        let high =
            if shift == 0 { 0 } else { words.get(i + skip + 1).map_or(0, |word| word << (64 - shift)) };
        words[i] |= low | high;
    }
}
