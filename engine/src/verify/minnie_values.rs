//! Every value of a minnie table, whole rows at a time.
//!
//! For a fixed rest (a2, ..., a(k-1)) the rows of a1 = 0, 1, 2, ... are taken in turn. For each x the set of
//! the values seen so far is kept: those are the options that lower a1. To it come the values of the rows in
//! which another heap is lowered, and those of the a1 places before x in the row itself. The value at x must
//! be missing from that set, and everything below it must be there.
//!
//! All values of the row are known, so that nothing waits for anything: the window is taken as suffixes and
//! prefixes of blocks of m places (van Herk), two ORs a place whatever m is.

use rayon::prelude::*;

use super::heap_check::{HeapCheck, Rests};
use super::minnie_slabs;

/// Checks every entry of a table of at least two heaps.
pub fn check(check: &HeapCheck<'_>) {
    let rests = Rests::new(check.space);
    // Where there is memory for it, only the rows with an empty heap.
    let by_slabs = minnie_slabs::fits(check);
    let last_first = if by_slabs { 0 } else { check.space.smallest() };
    (0..rests.len() as usize).into_par_iter().with_min_len(4).for_each_init(
        Scratch::default,
        |scratch, rest| {
            if check.share.has(rest as u64) {
                check.value_rows(&rests.heaps(rest as u64), last_first, scratch);
            }
        },
    );
    if by_slabs && !check.over() {
        minnie_slabs::check(check);
    }
}

/// Sets of values for each place of a row: `words` words a place, one place after the other.
#[derive(Default)]
struct Scratch {
    /// Per column x: the values of the rows with a smaller first heap.
    column: Vec<u64>,
    column_words: usize,
    /// Per place of the row: all options' values.
    seen: Vec<u64>,
    /// The values before the row and in it.
    values: Vec<u16>,
    /// Suffixes of the window's blocks.
    suffix: Vec<u64>,
}

impl HeapCheck<'_> {
    /// Checks the rows of `rest`, a1 = 0, 1, ..., `last_first`.
    fn value_rows(&self, rest: &[u32], last_first: u32, scratch: &mut Scratch) {
        let max = self.space.max();
        let last_first = rest.first().copied().unwrap_or(max).min(last_first);
        // A position whose smallest heap is a1 has at most k * a1 options, so its value is at most that.
        scratch.column_words = self.space.heaps() * last_first as usize / 64 + 1;
        let left = rest.last().copied().unwrap_or(0);
        scratch.column.clear();
        scratch.column.resize(((max - left) as usize + 1) * scratch.column_words, 0);
        for first in 0..=last_first {
            if self.over() {
                return;
            }
            let (position, length) = self.row_of(first, rest);
            self.control.worked(length as u64);
            let offset = (position[position.len() - 1] - left) as usize;
            self.check_value_row(&position, length, offset, scratch);
        }
    }

    /// Checks the row that begins at `position`, whose first place is column `offset`, and adds it to the
    /// columns.
    fn check_value_row(&self, position: &[u32], length: usize, offset: usize, scratch: &mut Scratch) {
        let key = &position[..position.len() - 1];
        let start = self.entries.place_of_sorted(position);
        match key.iter().position(|&heap| heap > 0) {
            None => self.row_by_definition(position, length),
            Some(smallest) => {
                let words = (position.len() - smallest) * key[smallest] as usize / 64 + 1;
                self.collect(position, smallest, length, offset, words, scratch);
                let bad = (0..length).find(|&i| {
                    let value = usize::from(scratch.values[key[smallest] as usize + i]);
                    !is_mex(&scratch.seen[i * words..][..words], value)
                });
                if let Some(i) = bad {
                    let mut failed = position.to_vec();
                    failed[key.len()] += i as u32;
                    return self.fail_at(&failed);
                }
            }
        }
        let words = scratch.column_words;
        let (row, start) = self.entries.locate(start);
        for i in 0..length {
            let value = usize::from(row.value(start + i as u64));
            if value / 64 < words {
                scratch.column[(offset + i) * words + value / 64] |= 1 << (value % 64);
            }
        }
    }

    /// Collects the values of all options of every place of the row into `scratch.seen`.
    fn collect(
        &self,
        position: &[u32],
        smallest: usize,
        length: usize,
        offset: usize,
        words: usize,
        scratch: &mut Scratch,
    ) {
        let key = &position[..position.len() - 1];
        let m = key[smallest];
        let Scratch { column, column_words, seen, values, suffix } = scratch;
        seen.clear();
        seen.resize(length * words, 0);
        if smallest == 0 {
            for i in 0..length {
                let from = (offset + i) * *column_words;
                seen[i * words..(i + 1) * words].copy_from_slice(&column[from..from + words]);
            }
        }
        let mut lowered = position.to_vec();
        for i in usize::from(smallest == 0)..key.len() {
            if i > 0 && key[i] == key[i - 1] {
                continue;
            }
            for by in 1..=m.min(key[i]) {
                lowered.copy_from_slice(position);
                lowered[i] -= by;
                let (row, from) = self.entries.locate(self.entries.place(&lowered));
                for place in 0..length {
                    add(&mut seen[place * words..(place + 1) * words], row.value(from + place as u64));
                }
            }
        }
        values.clear();
        for by in (1..=m).rev() {
            lowered.copy_from_slice(position);
            lowered[key.len()] -= by;
            values.push(self.entries.value(self.entries.place(&lowered)));
        }
        let (row, start) = self.entries.locate(self.entries.place_of_sorted(position));
        values.extend((0..length).map(|i| row.value(start + i as u64)));
        add_windows(values, m as usize, words, seen, suffix);
    }
}

/// Adds to the set of place i the values `values[i..i + m]`. In blocks of m places, such a window is a suffix
/// of one block and a prefix of the next.
fn add_windows(values: &[u16], m: usize, words: usize, seen: &mut [u64], suffix: &mut Vec<u64>) {
    let length = seen.len() / words;
    let mut prefix = vec![0u64; words];
    for block in (0..length).step_by(m) {
        let places = m.min(length - block);
        suffix.clear();
        suffix.resize((m + 1) * words, 0);
        for i in (0..m).rev() {
            suffix.copy_within((i + 1) * words..(i + 2) * words, i * words);
            add(&mut suffix[i * words..(i + 1) * words], values[block + i]);
        }
        prefix.fill(0);
        for i in 0..places {
            if i > 0 {
                add(&mut prefix, values[block + m + i - 1]);
            }
            let target = &mut seen[(block + i) * words..(block + i + 1) * words];
            for (w, word) in target.iter_mut().enumerate() {
                *word |= suffix[i * words + w] | prefix[w];
            }
        }
    }
}

/// Adds a value to a set; values beyond the set cannot decide a mex below its end.
#[inline]
fn add(set: &mut [u64], value: u16) {
    if let Some(word) = set.get_mut(usize::from(value) / 64) {
        *word |= 1 << (value % 64);
    }
}

/// Whether `value` is the least number that is not in the set.
#[inline]
fn is_mex(set: &[u64], value: usize) -> bool {
    let Some(word) = set.get(value / 64) else { return false };
    set[..value / 64].iter().all(|&word| word == u64::MAX) && word.trailing_ones() as usize == value % 64
}
