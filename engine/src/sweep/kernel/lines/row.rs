//! One row: the lines through its cells, what leaves them, the values, and what enters.

use std::sync::atomic::Ordering::Relaxed;

use super::super::TooWide;
use super::{LineValues, Task};
use crate::game::Sets;
use crate::rules::Play;
use crate::space::MAX_HEAPS;
use crate::table::ValueCell;

/// The row of `key`: its last heap runs from `first` on.
pub(super) struct Row<'r, C, P> {
    kernel: &'r LineValues<'r>,
    cells: &'r [C],
    /// The place of each value of each line, where lines have windows.
    places: Option<&'r [P]>,
    key: &'r [u32],
    first: u32,
    start: usize,
    len: usize,
}

/// What one thread needs for one row.
#[derive(Default)]
pub(super) struct Scratch {
    sets: Vec<Set>,
    /// For each set, for each cell of the row, the line.
    lines: Vec<Line>,
    values: Vec<u16>,
    /// The first words of the lines that the cell at hand reads.
    reads: Vec<usize>,
}

/// Where the bits of a line are.
#[derive(Clone, Copy)]
struct Line {
    start: usize,
    words: usize,
}

/// A set of heaps, other than the last one alone.
struct Set {
    /// Whether it can be lowered.
    reads: bool,
    /// The first cell for which it is not the same as another set.
    from: usize,
    /// The place of the cells on their lines.
    place: u32,
}

/// A few heaps in ascending order.
#[derive(Clone, Copy, Default)]
struct Heaps {
    heaps: [u32; MAX_HEAPS],
    len: usize,
}

impl Heaps {
    fn push(&mut self, heap: u32) {
        self.heaps[self.len] = heap;
        self.len += 1;
    }

    fn with(mut self, heap: u32) -> Self {
        self.push(heap);
        self.heaps[..self.len].sort_unstable();
        self
    }

    fn as_slice(&self) -> &[u32] {
        &self.heaps[..self.len]
    }
}

impl<'r, C: ValueCell, P: ValueCell> Row<'r, C, P> {
    pub fn new(kernel: &'r LineValues<'r>, cells: &'r [C], places: Option<&'r [P]>, key: &'r [u32]) -> Self {
        let first = kernel.space.row_first(key);
        let start = kernel.space.row_start(key) as usize;
        Self { kernel, cells, places, key, first, start, len: (kernel.space.max() - first) as usize + 1 }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// Finds the values of the row, or takes those that are there, and enters them on all lines.
    pub fn work(&self, task: Task, scratch: &mut Scratch) -> Result<(), TooWide> {
        scratch.sets.clear();
        scratch.lines.clear();
        let most = self.kernel.lines.largest_set(self.key.len() + 1);
        self.for_each_set(0, 0, most, scratch);
        self.run(task, scratch)?;
        let entered = self.first_entered();
        for (set, lines) in scratch.sets.iter().zip(scratch.lines.chunks_exact(self.len)) {
            let from = set.from.max(entered);
            for (line, &value) in lines[from..].iter().zip(&scratch.values[from..]) {
                self.enter(*line, value, set.place);
            }
        }
        Ok(())
    }

    /// The first cell that is entered on lines: where heaps are distinct, no move leads to equal ones.
    fn first_entered(&self) -> usize {
        let equal = |pair: &[u32]| pair[0] == pair[1] && pair[0] > 0;
        match self.key.last() {
            Some(_) if !self.kernel.distinct => 0,
            Some(_) if self.key.windows(2).any(equal) => self.len,
            Some(&last) => usize::from(last > 0),
            None => 0,
        }
    }

    /// Visits the sets that hold the heaps of `mask` and heaps of the key from `next` on. Of equal heaps the
    /// first ones are taken.
    fn for_each_set(&self, mask: u32, next: usize, most: usize, scratch: &mut Scratch) {
        let size = mask.count_ones() as usize;
        if size > 0 {
            self.add_set(mask, false, scratch);
            if size < most {
                self.add_set(mask, true, scratch);
            }
        }
        if size < most {
            for i in next..self.key.len() {
                if i == 0 || self.key[i] != self.key[i - 1] || mask >> (i - 1) & 1 == 1 {
                    self.for_each_set(mask | 1 << i, i + 1, most, scratch);
                }
            }
        }
    }

    /// Adds the set of the key's heaps in `mask`, and of the last heap if `with_last`; takes off its lines what
    /// has left them.
    fn add_set(&self, mask: u32, with_last: bool, scratch: &mut Scratch) {
        let (kernel, used) = (self.kernel, &self.kernel.used);
        let (mut set, mut others) = (Heaps::default(), Heaps::default());
        for (i, &heap) in self.key.iter().enumerate() {
            if mask >> i & 1 == 1 { set.push(heap) } else { others.push(heap) }
        }
        let size = set.len + usize::from(with_last);
        let place = set.heaps[0];
        // Where the last heap is empty too, all are, and the set with the last heap instead of another is the same.
        if kernel.lines.needs_empty_others(size)
            && !(with_last && others.as_slice().iter().all(|&heap| heap == 0))
        {
            return;
        }
        let before = scratch.lines.len();
        if with_last {
            let (start, words) = used.start(size, used.with_others(size, others.as_slice()));
            let along = used.along(set.with(self.first).as_slice());
            scratch
                .lines
                .extend((along..along + self.len).map(|along| Line { start: start + along * words, words }));
        } else {
            let first = used.with_others(size, others.with(self.first).as_slice());
            let along = used.along(set.as_slice());
            scratch.lines.extend((first..first + self.len).map(|others| {
                let (start, words) = used.start(size, others);
                Line { start: start + along * words, words }
            }));
        }
        // If the last heap is as large as one of the set, the set with it instead of that one is the same.
        let from = usize::from(!with_last && self.key.last() == set.as_slice().last());
        scratch.sets.push(Set { reads: place > 0 && kernel.lines.sets != Sets::Largest, from, place });
        let window = kernel.lines.window(others.as_slice()).filter(|&window| window < place);
        let (Some(places), Some(window)) = (self.places, window) else { return };
        let mut rest = others;
        for &heap in set.as_slice() {
            rest.push(heap - window - 1);
        }
        rest.heaps[..rest.len].sort_unstable();
        let lines = &scratch.lines[before..];
        let space = kernel.space;
        if with_last {
            let low = rest.as_slice()[rest.len - 1];
            let row = space.row_start(rest.as_slice()) as usize;
            for (line, last) in lines.iter().zip(self.first - window - 1..) {
                let index = if last >= low {
                    row + (last - low) as usize
                } else {
                    space.rank_sorted(rest.with(last).as_slice()) as usize
                };
                self.leave(places, *line, self.cells[index].get(), place - window - 1);
            }
        } else {
            let index = space.rank_sorted(rest.with(self.first).as_slice()) as usize;
            for (line, cell) in lines[from..].iter().zip(&self.cells[index + from..]) {
                self.leave(places, *line, cell.get(), place - window - 1);
            }
        }
    }

    /// Goes through the row from left to right along its own line, which nothing else touches meanwhile.
    fn run(&self, task: Task, scratch: &mut Scratch) -> Result<(), TooWide> {
        let kernel = self.kernel;
        let (start, words) = kernel.used.start(1, kernel.used.with_others(1, self.key));
        let own = Line { start, words };
        let window = kernel.lines.window(self.key);
        let leaving = self.places.zip(window);
        let entered = self.first_entered();
        let Scratch { sets, lines, values, reads } = scratch;
        values.clear();
        for i in 0..self.len {
            let last = self.first + i as u32;
            if let Some((places, window)) = leaving
                && last > window
            {
                let place = last - window - 1;
                let value = if place >= self.first {
                    values[(place - self.first) as usize]
                } else {
                    let mut heaps = Heaps::default();
                    self.key.iter().for_each(|&heap| heaps.push(heap));
                    self.cells[kernel.space.rank_sorted(heaps.with(place).as_slice()) as usize].get()
                };
                self.leave(places, own, value, place);
            }
            let cell = &self.cells[self.start + i];
            let value = if task == Task::Recall {
                cell.get()
            } else {
                reads.clear();
                reads.push(own.start);
                let read = sets.iter().enumerate().filter(|(_, set)| set.reads);
                reads.extend(read.map(|(n, _)| lines[n * self.len + i].start));
                let mut value = self.least_missing(reads);
                if value == 0 && kernel.play == Play::Misere && !kernel.can_move(self.key, last) {
                    value = kernel.play.terminal_value().into();
                }
                if value > usize::from(C::MAX) {
                    return Err(TooWide);
                }
                cell.put(value as u16);
                value as u16
            };
            values.push(value);
            if i >= entered {
                self.enter(own, value, last);
            }
        }
        Ok(())
    }

    /// The least value that is on none of the lines. They are long enough: see [`super::used`].
    #[inline(always)]
    fn least_missing(&self, lines: &[usize]) -> usize {
        let mut word = 0;
        loop {
            let used = lines.iter().fold(0, |used, line| used | self.kernel.word(line + word));
            if used != u64::MAX {
                return 64 * word + used.trailing_ones() as usize;
            }
            word += 1;
        }
    }

    /// Enters the value of a place on its line.
    #[inline(always)]
    fn enter(&self, line: Line, value: u16, place: u32) {
        let value = usize::from(value);
        if value / 64 < line.words {
            let word = &self.kernel.used.bits[line.start + value / 64];
            word.store(word.load(Relaxed) | 1 << (value % 64), Relaxed);
            if let Some(places) = self.places {
                places[64 * line.start + value].put(place as u16 & P::MAX);
            }
        }
    }

    /// Takes the value of a place off its line, unless it was seen again. Places are kept modulo 256 or 65536,
    /// which is more than a window is long: what was seen again lies less than that behind.
    #[inline(always)]
    fn leave(&self, places: &[P], line: Line, value: u16, place: u32) {
        let value = usize::from(value);
        if value / 64 < line.words && places[64 * line.start + value].get() == place as u16 & P::MAX {
            let word = &self.kernel.used.bits[line.start + value / 64];
            word.store(word.load(Relaxed) & !(1 << (value % 64)), Relaxed);
        }
    }
}
