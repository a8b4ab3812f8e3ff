//! One row of values by windows.

use std::sync::atomic::Ordering::Relaxed;

use super::super::super::TooWide;
use super::{Place, Stage, Task, planes};
use crate::space::{MAX_HEAPS, SortedHeaps};
use crate::table::ValueCell;

/// The lines of the cells of a row in which one of its heaps is lowered.
#[derive(Clone, Copy)]
struct Side {
    /// The word of plane 0 for the first cell, and the distance of two planes.
    at: usize,
    stride: usize,
    /// The number of planes.
    words: usize,
    /// The first cell whose line is not the row's own.
    from: usize,
    /// Where something leaves: the places of the first cell's line, and the index of the cell that leaves it.
    window: Option<(usize, usize)>,
    /// The heap that is lowered.
    place: u32,
}

/// What one thread needs for one row.
#[derive(Default)]
pub(super) struct Scratch {
    sides: Vec<Side>,
    /// The values before the row and in it.
    values: Vec<u16>,
    used: Vec<u64>,
}

/// The row of `key`, whose last heap runs from the last of the key on.
pub(super) struct Row<'r, C> {
    stage: &'r Stage,
    space: &'r SortedHeaps,
    cells: &'r [C],
    key: &'r [u32],
    /// The words of the stage before those of the slab.
    before: usize,
    m: u32,
    low: u32,
    start: usize,
    pub len: usize,
}

impl<'r, C: ValueCell> Row<'r, C> {
    pub fn new(
        stage: &'r Stage,
        space: &'r SortedHeaps,
        cells: &'r [C],
        key: &'r [u32],
        before: usize,
    ) -> Self {
        let low = key[key.len() - 1];
        let start = space.row_start(key) as usize;
        Self {
            stage,
            space,
            cells,
            key,
            before,
            m: key[0],
            low,
            start,
            len: (space.max() - low) as usize + 1,
        }
    }

    /// Finds the values of the row, or takes those that are there, and enters them on all lines.
    pub fn work<P: Place>(&self, task: Task, places: &mut [P], scratch: &mut Scratch) -> Result<(), TooWide> {
        scratch.sides.clear();
        for i in (0..self.key.len()).filter(|&i| i == 0 || self.key[i] != self.key[i - 1]) {
            scratch.sides.push(self.side(i));
        }
        if self.m == 1 {
            self.enter_empty_first_heaps(&scratch.sides[0]);
        }
        if task == Task::Fill {
            self.run(places, scratch)?;
        }
        for side in &scratch.sides {
            self.enter(side, places);
        }
        Ok(())
    }

    /// The lines on which heap `i` of the key is lowered, the first of those that are equal.
    fn side(&self, i: usize) -> Side {
        let mut heaps = [0; MAX_HEAPS];
        let front = &mut heaps[..self.key.len() - 1];
        front[..i].copy_from_slice(&self.key[..i]);
        front[i..].copy_from_slice(&self.key[i + 1..]);
        let (start, words) = self.stage.front(front);
        let front_low = front.last().copied().unwrap_or(0);
        let shift = (self.low - front_low) as usize;
        let stride = (self.space.max() - front_low) as usize + 1;
        let place = self.key[i];
        // The line is one of the slab's unless the only smallest heap is lowered.
        let window = (front.first() == Some(&self.m)).then(|| {
            let mut left = [0; MAX_HEAPS];
            let left = &mut left[..=self.key.len()];
            left[..self.key.len()].copy_from_slice(self.key);
            left[i] = place - self.m;
            left[..self.key.len()].sort_unstable();
            left[self.key.len()] = self.low;
            (64 * (start - self.before + shift * words), self.space.rank_sorted(left) as usize)
        });
        Side { at: start + shift, stride, words, from: usize::from(place == self.low), window, place }
    }

    /// Enters the positions without the first heap on its lines: place 0, when slab 1 comes to them.
    fn enter_empty_first_heaps(&self, side: &Side) {
        let mut position = [0; MAX_HEAPS];
        let position = &mut position[..=self.key.len()];
        position[1..self.key.len()].copy_from_slice(&self.key[1..]);
        position[self.key.len()] = self.low;
        let row = &self.cells[self.space.rank_sorted(position) as usize..][..self.len];
        for (i, cell) in row.iter().enumerate() {
            let value = usize::from(cell.get());
            if value / 64 < side.words {
                self.stage.set(side.at + value / 64 * side.stride + i, value % 64);
            }
        }
    }

    /// Finds the values of the row from left to right.
    fn run<P: Place>(&self, places: &mut [P], scratch: &mut Scratch) -> Result<(), TooWide> {
        let words = planes(self.key.len() + 1, self.m);
        let front = &self.key[..self.key.len() - 1];
        let (start, own_words) = self.stage.front(front);
        let front_low = front.last().copied().unwrap_or(0);
        let (shift, stride) = ((self.low - front_low) as usize, (self.space.max() - front_low) as usize + 1);
        let base = if front.is_empty() { 0 } else { 64 * (start - self.before + shift * own_words) };
        // The row's own line: nothing else reads it any more.
        let seen = &mut places[base..][..64 * words];
        let own = (0..words).map(|w| self.stage.bits[start + shift + w * stride].load(Relaxed));
        self.values_before(&mut scratch.values);
        match words {
            1 => self.few_planes::<P, 1>(own, seen, scratch),
            2 => self.few_planes::<P, 2>(own, seen, scratch),
            3 => self.few_planes::<P, 3>(own, seen, scratch),
            _ => self.many_planes(own, seen, scratch),
        }
    }

    /// The bits of all sides first, then the row with a window of `W` words in registers. There is no branch in
    /// the loop that depends on a value.
    fn few_planes<P: Place, const W: usize>(
        &self,
        mut own: impl Iterator<Item = u64>,
        seen: &mut [P],
        scratch: &mut Scratch,
    ) -> Result<(), TooWide> {
        let Scratch { sides, values, used } = scratch;
        used.clear();
        used.resize(W * self.len, 0);
        for (w, plane) in used.chunks_exact_mut(self.len).enumerate() {
            for side in sides.iter() {
                let words = &self.stage.bits[side.at + w * side.stride..][..self.len];
                plane.iter_mut().zip(words).for_each(|(used, word)| *used |= word.load(Relaxed));
            }
        }
        let planes: [&[u64]; W] = std::array::from_fn(|w| &used[w * self.len..][..self.len]);
        let mut window: [u64; W] = std::array::from_fn(|_| own.next().unwrap_or(0));
        let seen = &mut seen[..64 * W];
        let m = self.m as usize;
        let row = &self.cells[self.start..][..self.len];
        let mut too_wide = false;
        for (i, cell) in row.iter().enumerate() {
            let place = self.low + i as u32;
            let mut value = 64 * W;
            for w in (0..W).rev() {
                let open = !(planes[w][i] | window[w]);
                value = if open != 0 { 64 * w + open.trailing_zeros() as usize } else { value };
            }
            // The oldest value is that of an option, and so another one.
            let oldest = usize::from(values[i]);
            let leaves = seen.get(oldest) == Some(&P::of(place - self.m));
            if value == 64 * W {
                value = self.least_beyond(place, value);
            } else {
                seen[value] = P::of(place);
            }
            too_wide |= value > usize::from(C::MAX);
            cell.put((value as u16).min(C::MAX));
            values[i + m] = value as u16;
            for (w, word) in window.iter_mut().enumerate() {
                *word |= u64::from(value / 64 == w) << (value % 64);
                *word &= !(u64::from(leaves & (oldest / 64 == w)) << (oldest % 64));
            }
        }
        if too_wide { Err(TooWide) } else { Ok(()) }
    }

    /// The same for any number of planes, of which only those up to the value are looked at.
    fn many_planes<P: Place>(
        &self,
        own: impl Iterator<Item = u64>,
        seen: &mut [P],
        scratch: &mut Scratch,
    ) -> Result<(), TooWide> {
        let Scratch { sides, values, used } = scratch;
        used.clear();
        used.extend(own);
        let window = &mut used[..];
        let m = self.m as usize;
        let bits = &self.stage.bits[..];
        let row = &self.cells[self.start..][..self.len];
        for (i, cell) in row.iter().enumerate() {
            let mut w = 0;
            let place = self.low + i as u32;
            let value = loop {
                if w == window.len() {
                    break self.least_beyond(place, 64 * w);
                }
                let sides = sides.iter().map(|side| bits[side.at + w * side.stride + i].load(Relaxed));
                let used = sides.fold(window[w], |used, word| used | word);
                if used != u64::MAX {
                    let value = 64 * w + used.trailing_ones() as usize;
                    window[w] |= 1 << (value % 64);
                    seen[value] = P::of(place);
                    break value;
                }
                w += 1;
            };
            if value > usize::from(C::MAX) {
                return Err(TooWide);
            }
            cell.put(value as u16);
            let oldest = usize::from(values[i]);
            values[i + m] = value as u16;
            if seen.get(oldest) == Some(&P::of(place - self.m)) {
                window[oldest / 64] &= !(1 << (oldest % 64));
            }
        }
        Ok(())
    }

    /// The value of the position with last heap `last`, among whose options are all values below `least`: from the
    /// options themselves.
    #[cold]
    fn least_beyond(&self, last: u32, least: usize) -> usize {
        let mut position = [0; MAX_HEAPS];
        let position = &mut position[..=self.key.len()];
        position[..self.key.len()].copy_from_slice(self.key);
        position[self.key.len()] = last;
        let mut beyond = Vec::new();
        for i in 0..position.len() {
            self.space.for_each_lowered(position, i, self.m, |index| {
                beyond.push(usize::from(self.cells[index as usize].get()));
            });
        }
        (least..).find(|value| !beyond.contains(value)).unwrap_or(least)
    }

    /// The values of the m places before the row, as far as they leave the row's own line in it, and room for those
    /// of the row.
    fn values_before(&self, values: &mut Vec<u16>) {
        let m = self.m as usize;
        values.clear();
        values.resize(m + self.len, 0);
        let mut place = m.min(self.len);
        let mut position = [0; MAX_HEAPS];
        let position = &mut position[..=self.key.len()];
        position[..self.key.len()].copy_from_slice(self.key);
        let above = self.low - self.m + place as u32;
        let at = self.key.partition_point(|&heap| heap <= above);
        position.copy_within(at..self.key.len(), at + 1);
        position[at] = above;
        self.space.for_each_lowered(position, at, place as u32, |index| {
            place -= 1;
            values[place] = self.cells[index as usize].get();
        });
    }

    /// Enters the values of the row on the lines of one side, and takes off what leaves.
    fn enter<P: Place>(&self, side: &Side, places: &mut [P]) {
        let limit = 64 * side.words;
        let bits = &self.stage.bits[side.at..][..(side.words - 1) * side.stride + self.len];
        let row = &self.cells[self.start..][..self.len];
        let Some((base, gone)) = side.window else {
            for (i, cell) in row.iter().enumerate().skip(side.from) {
                let value = usize::from(cell.get());
                if value < limit {
                    let word = &bits[value / 64 * side.stride + i];
                    word.store(word.load(Relaxed) | 1 << (value % 64), Relaxed);
                }
            }
            return;
        };
        let gone = &self.cells[gone..][..self.len];
        let (place, left) = (P::of(side.place), P::of(side.place - self.m));
        let places = &mut places[base..][..limit * self.len];
        // What leaves is the value of an option of what enters, and so another one.
        if side.words == 1 {
            for i in side.from..self.len {
                let (value, old) = (usize::from(row[i].get()), usize::from(gone[i].get()));
                let line = &mut places[64 * i..][..64];
                let leaves = u64::from(line.get(old) == Some(&left)) << (old % 64);
                let mut word = bits[i].load(Relaxed) & !leaves;
                if let Some(seen) = line.get_mut(value) {
                    *seen = place;
                    word |= 1 << value;
                }
                bits[i].store(word, Relaxed);
            }
            return;
        }
        for i in side.from..self.len {
            let (value, old) = (usize::from(row[i].get()), usize::from(gone[i].get()));
            let line = &mut places[limit * i..][..limit];
            let leaves = line.get(old) == Some(&left);
            if let Some(seen) = line.get_mut(value) {
                *seen = place;
                let word = &bits[value / 64 * side.stride + i];
                word.store(word.load(Relaxed) | 1 << (value % 64), Relaxed);
            }
            if leaves {
                let word = &bits[old / 64 * side.stride + i];
                word.store(word.load(Relaxed) & !(1 << (old % 64)), Relaxed);
            }
        }
    }
}
