//! Every value of a minnie table without empty heaps, slab by slab: a slab has the positions of one smallest heap m.
//!
//! The options of a position that lower one heap are places of a *line*, known by the other heaps. If the only smallest heap is lowered,
//! they are all places before m: the values there are kept for each line as a bitset that grows from slab to
//! slab. If another heap is lowered, they are the last m places: for the lines of the slab at hand it is counted
//! how often each value occurs in these places, while the lowered heap grows by one from row to row. The value of the
//! position must be missing from all these sets, and everything below it must be in one of them.
//!
//! All values are known, so that slabs do not wait for each other: several are checked at once. They share the
//! bitsets of the slabs before the group, and look up what the slabs of the group itself add to them.
//!
//! A value is seldom beyond 2m. Larger ones are left out of the sets, and such a position is checked by the definition.

use rayon::prelude::*;

use super::heap_check::HeapCheck;
use crate::space::{MAX_HEAPS, SortedHeaps, Space};
use crate::table::Entries;

/// Columns may take as many bytes as the table, or so many.
const MEMORY: u64 = 256 << 20;

/// The words of a set of the values that positions with smallest heap m mostly have.
fn words(m: u32) -> usize {
    (2 * m as usize + 8) / 64 + 1
}

/// Whether there is memory for the columns, and for the lines of a slab on each thread.
pub fn fits(check: &HeapCheck<'_>) -> bool {
    let (heaps, max) = (check.space.heaps(), check.space.max());
    let count = |heaps: usize| SortedHeaps::count(heaps, max).unwrap_or(u64::MAX);
    if heaps < 3 {
        return false;
    }
    let columns = count(heaps - 1).saturating_mul(8 * words(max) as u64);
    let lines = count(heaps - 2).saturating_mul(136 * words(max) as u64);
    let threads = rayon::current_num_threads() as u64;
    columns.saturating_add(lines.saturating_mul(threads)) <= check.entries.len.max(MEMORY)
}

/// Checks the positions of at least three heaps, none of them empty.
pub fn check(check: &HeapCheck<'_>) {
    let space = check.space;
    let fronts = Fronts::new(space.heaps() - 2, space.max());
    // The sets of all lines on which the smallest heap is lowered, by the heaps that stay without the last.
    let mut columns: Vec<Vec<u64>> = fronts
        .each()
        .map(|front| vec![0; words_of(front[0], check) * (space.max() - front[front.len() - 1] + 1) as usize])
        .collect();
    let group = rayon::current_num_threads().max(1) as u32;
    check.add_to_columns(&fronts, &mut columns, 0..1);
    for first in (1..=space.smallest()).step_by(group as usize) {
        let slabs = first..space.smallest().min(first + group - 1) + 1;
        slabs.clone().into_par_iter().for_each(|m| {
            if check.share.has(m.into()) {
                Slab::new(check, &fronts, m).check(&columns, first);
            }
        });
        if check.over() {
            return;
        }
        check.add_to_columns(&fronts, &mut columns, slabs);
    }
}

/// The sorted sequences of so many heaps of at least 1, in lexicographic order.
struct Fronts {
    space: SortedHeaps,
    /// The number of sequences that begin with an empty heap.
    empty: u64,
}

impl Fronts {
    fn new(heaps: usize, max: u32) -> Self {
        let space = SortedHeaps::new(heaps, max).expect("smaller than the space of the table");
        let empty = space.rank_sorted(&vec![1; heaps]);
        Self { space, empty }
    }

    fn each(&self) -> impl Iterator<Item = Vec<u32>> {
        (self.empty..self.space.len()).map(|rank| self.heaps((rank - self.empty) as usize))
    }

    fn heaps(&self, number: usize) -> Vec<u32> {
        let mut heaps = Vec::new();
        self.space.unrank_into(number as u64 + self.empty, &mut heaps);
        heaps
    }

    fn number(&self, front: &[u32]) -> usize {
        (self.space.rank_sorted(front) - self.empty) as usize
    }

    /// The numbers of those that begin with m.
    fn of_slab(&self, m: u32) -> std::ops::Range<usize> {
        let heaps = self.space.heaps();
        let end = if m == self.space.max() {
            self.space.len() - self.empty
        } else {
            self.number(&vec![m + 1; heaps]) as u64
        };
        self.number(&vec![m; heaps])..end as usize
    }
}

impl HeapCheck<'_> {
    /// Adds the values of these slabs to the columns.
    fn add_to_columns(&self, fronts: &Fronts, columns: &mut [Vec<u64>], slabs: std::ops::Range<u32>) {
        // The others have no larger first heap.
        let from = fronts.of_slab(slabs.start.max(1)).start;
        columns[from..].par_iter_mut().enumerate().for_each(|(number, column)| {
            let front = fronts.heaps(from + number);
            let low = front[front.len() - 1];
            let words = words_of(front[0], self);
            for m in slabs.start..slabs.end.min(front[0] + 1) {
                let position = [&[m], &front[..], &[low]].concat();
                let (row, start) = self.entries.locate(self.entries.place_of_sorted(&position));
                for (i, set) in (0..).zip(column.chunks_exact_mut(words)) {
                    add(set, row.value(start + i).into());
                }
            }
        });
    }
}

/// The check of one slab.
struct Slab<'a> {
    check: &'a HeapCheck<'a>,
    fronts: &'a Fronts,
    m: u32,
    /// The words of a set.
    words: usize,
    /// The number of the slab's first front, and where the lines of each of its fronts begin.
    first: usize,
    starts: Vec<usize>,
    /// For each line which values occur in its last m places, and how often.
    sets: Vec<u64>,
    counts: Vec<u16>,
    /// The values before the row at hand and in it.
    values: Vec<u16>,
}

/// A row of the table.
#[derive(Clone, Copy)]
struct Cells<'a> {
    entries: Entries<'a>,
    start: u64,
}

impl Cells<'_> {
    #[inline]
    fn value(&self, i: usize) -> usize {
        self.entries.value(self.start + i as u64).into()
    }
}

impl<'a> Slab<'a> {
    /// The lines of slab m, with the places 0..m of the lowered heap.
    fn new(check: &'a HeapCheck<'a>, fronts: &'a Fronts, m: u32) -> Self {
        let words = words(m);
        let (mut starts, mut lines) = (Vec::new(), 0);
        let numbers = fronts.of_slab(m);
        for number in numbers.clone() {
            starts.push(lines);
            lines += (check.space.max() - fronts.heaps(number)[fronts.space.heaps() - 1] + 1) as usize;
        }
        let (sets, counts) = (vec![0; lines * words], vec![0; 64 * lines * words]);
        let mut slab =
            Self { check, fronts, m, words, first: numbers.start, starts, sets, counts, values: Vec::new() };
        for number in numbers {
            let front = fronts.heaps(number);
            let low = front[front.len() - 1];
            for place in 0..m {
                let row = slab.row(&[&[place], &front[..], &[low]].concat());
                let start = slab.starts[number - slab.first];
                (0..=(check.space.max() - low) as usize).for_each(|i| slab.enter(start + i, row.value(i)));
            }
        }
        slab
    }

    fn row(&self, position: &[u32]) -> Cells<'a> {
        let (entries, start) = self.check.entries.locate(self.check.entries.place_of_sorted(position));
        Cells { entries, start }
    }

    #[inline]
    fn enter(&mut self, line: usize, value: usize) {
        if value < 64 * self.words {
            self.counts[64 * line * self.words + value] += 1;
            self.sets[line * self.words + value / 64] |= 1 << (value % 64);
        }
    }

    #[inline]
    fn leave(&mut self, line: usize, value: usize) {
        if value < 64 * self.words {
            let count = &mut self.counts[64 * line * self.words + value];
            *count -= 1;
            let gone = u64::from(*count == 0);
            self.sets[line * self.words + value / 64] &= !(gone << (value % 64));
        }
    }

    /// The line of the last heap `last` with this front.
    fn line(&self, front: &[u32], last: u32) -> usize {
        self.starts[self.fronts.number(front) - self.first] + (last - front[front.len() - 1]) as usize
    }

    /// Checks the rows of the slab; the columns have the slabs before `known`.
    fn check(mut self, columns: &[Vec<u64>], known: u32) {
        let (parts, max) = (self.check.space.heaps() - 1, self.check.space.max());
        let mut key = vec![self.m; parts];
        loop {
            if self.check.over() {
                return;
            }
            self.check.control.worked(u64::from(max - key[parts - 1]) + 1);
            self.check_row(&key, columns, known);
            let Some(i) = (1..parts).rfind(|&i| key[i] < max) else { return };
            let grown = key[i] + 1;
            key[i..].fill(grown);
        }
    }

    /// Checks the row of `key`, and moves the windows of its lines on.
    fn check_row(&mut self, key: &[u32], columns: &[Vec<u64>], known: u32) {
        let (m, words, parts) = (self.m as usize, self.words, key.len());
        let low = key[parts - 1];
        let length = (self.check.space.max() - low) as usize + 1;
        let mut position = [low; MAX_HEAPS];
        let position = &mut position[..=parts];
        position[..parts].copy_from_slice(key);
        let mut values = std::mem::take(&mut self.values);
        self.values_before(key, length, &mut values);
        let row = self.row(position);
        values.extend((0..length).map(|i| row.value(i) as u16));
        // The lines on which a heap other than the last is lowered, the first of equal ones, and the first cell for
        // which it is not the last heap's line.
        let mut sides = [(0, 0, 0); MAX_HEAPS];
        let mut count = 0;
        for i in (0..parts).filter(|&i| i == 0 || key[i] != key[i - 1]) {
            let mut front = [0; MAX_HEAPS];
            front[..i].copy_from_slice(&key[..i]);
            front[i..parts - 1].copy_from_slice(&key[i + 1..]);
            if front[0] == self.m {
                sides[count] = (self.line(&front[..parts - 1], low), i, usize::from(key[i] == low));
                count += 1;
            }
        }
        let sides = &sides[..count];
        let column = (key[1] > self.m)
            .then(|| (&columns[self.fronts.number(&key[1..])][..], words_of(key[1], self.check)));
        // What slabs of the same group add to the column.
        let added: Vec<Cells<'_>> = (known..self.m)
            .filter(|_| column.is_some())
            .map(|first| {
                position[0] = first;
                self.row(position)
            })
            .collect();
        position[0] = self.m;
        let mut more = vec![0u64; words];
        let own = self.line(&key[..parts - 1], low);
        for i in 0..length {
            let value = usize::from(values[m + i]);
            if !added.is_empty() {
                more.fill(0);
                added.iter().for_each(|row| add(&mut more, row.value(i)));
            }
            let word = |w: usize| {
                let lines = sides.iter().map(|&(line, ..)| self.sets[(line + i) * words + w]);
                let column = column.map_or(0, |(column, of_each)| column[i * of_each + w]);
                lines.fold(self.sets[own * words + w] | column | more[w], |all, line| all | line)
            };
            let is_mex = value < 64 * words
                && word(value / 64).trailing_ones() as usize == value % 64
                && (0..value / 64).all(|w| word(w) == u64::MAX);
            if !is_mex {
                position[parts] = low + i as u32;
                if value < 64 * words {
                    return self.check.fail_at(position);
                }
                self.check.position(position);
            }
            self.enter(own, value);
            self.leave(own, values[i].into());
        }
        for &(line, place, from) in sides {
            position[..parts].copy_from_slice(key);
            position[place] -= self.m;
            position[..parts].sort_unstable();
            position[parts] = low;
            let gone = self.row(position);
            for i in from..length {
                self.enter(line + i, values[m + i].into());
                self.leave(line + i, gone.value(i));
            }
        }
        self.values = values;
    }

    /// The values with the last heap 1 to m places before the row, as far as the row's windows leave them; the
    /// others stay 0.
    fn values_before(&self, key: &[u32], length: usize, values: &mut Vec<u16>) {
        let low = key[key.len() - 1];
        values.clear();
        values.resize(self.m as usize, 0);
        let mut position = [0; MAX_HEAPS];
        let position = &mut position[..=key.len()];
        for (value, last) in values.iter_mut().zip(low - self.m..).take(length) {
            let at = key.partition_point(|&heap| heap <= last);
            position[..at].copy_from_slice(&key[..at]);
            position[at] = last;
            position[at + 1..].copy_from_slice(&key[at..]);
            *value = self.row(position).value(0) as u16;
        }
    }
}

/// The words of a set in the column of a front that begins with `heap`.
fn words_of(heap: u32, check: &HeapCheck<'_>) -> usize {
    words(heap.min(check.space.smallest()))
}

/// Adds a value to a set, unless it lies beyond it.
#[inline]
fn add(set: &mut [u64], value: usize) {
    if let Some(word) = set.get_mut(value / 64) {
        *word |= 1 << (value % 64);
    }
}
