//! Single lanes: the options in which a lowered heap passes its neighbour.

use std::ops::{Range, RangeInclusive};

use super::shape::{SLABS, lane_place};
use super::store::Ring;
use crate::base::simd::block::{LANES, WORDS};
use crate::space::MAX_HEAPS;
use crate::table::ones;

/// The heaps of a position without x, to be sorted.
pub struct Heaps {
    heaps: [u32; MAX_HEAPS],
    count: usize,
}

impl Heaps {
    #[inline]
    pub fn new(slab: usize, lane: u32, sum: u32, line: &[u32]) -> Self {
        let mut heaps = [0; MAX_HEAPS];
        (heaps[0], heaps[1], heaps[2]) = (slab as u32, lane, sum - lane);
        heaps[3..3 + line.len()].copy_from_slice(line);
        Self { heaps, count: 3 + line.len() }
    }

    /// The sorted heaps, where the one at `place` is replaced by a smaller one.
    #[inline]
    pub fn lowered(mut self, mut place: usize, to: u32) -> Self {
        while place > 0 && self.heaps[place - 1] > to {
            self.heaps[place] = self.heaps[place - 1];
            place -= 1;
        }
        self.heaps[place] = to;
        self
    }

    /// The same heaps, sorted.
    pub fn resorted(mut self) -> Self {
        self.heaps[..self.count].sort_unstable();
        self
    }

    pub fn sorted(&self) -> &[u32] {
        &self.heaps[..self.count]
    }
}

/// A single lane that is fetched from a lane of another column: for all x, or for one word only.
pub struct Fetch {
    pub slab: usize,
    pub lane: u32,
    pub from: *const u64,
    pub from_bit: u32,
    pub words: Range<usize>,
}

impl Fetch {
    /// Fetches the lane if it lies in `block`.
    pub fn fetch(&self, blocks: usize, block: usize, to: &mut [u64]) {
        let (of_block, word, bit) = lane_place(self.lane, blocks);
        if of_block != block {
            return;
        }
        let turn = bit.wrapping_sub(self.from_bit);
        let to = &mut to[WORDS * self.words.start..WORDS * self.words.end];
        for (at, words) in to.as_chunks_mut::<WORDS>().0.iter_mut().enumerate() {
            // SAFETY: the column has the words of the row.
            words[word] |= unsafe { *self.from.add(WORDS * at) }.rotate_left(turn) & 1 << bit;
        }
    }
}

/// A lane that goes down while x goes up, a2 = `falls_from` - x, and is fetched from the same lane of another
/// row, some words before. Only with four heaps, where x passes a3.
pub struct Slide {
    pub slab: usize,
    pub falls_from: u32,
    pub x: RangeInclusive<u32>,
    pub from_sum: u32,
    pub words_before: u32,
}

impl Slide {
    /// Fetches the lanes that lie in `block` of the row of `sum`.
    pub fn fetch(&self, ring: &Ring<'_>, sum: u32, block: usize, to: &mut [u64]) {
        let (shape, first_x) = (ring.shape, ring.shape.first_x(&[], sum));
        let Some(columns) = ring.columns(&[], self.from_sum, block) else { return };
        let from = columns.of_slab(self.slab);
        let lanes =
            self.falls_from.saturating_sub(*self.x.end())..=self.falls_from.saturating_sub(*self.x.start());
        if self.x.is_empty() {
            return;
        }
        let turns = lanes.start() / LANES as u32..=lanes.end() / LANES as u32;
        for turn in turns.filter(|turn| *turn as usize % shape.blocks() == block) {
            let first = (turn * LANES as u32).max(*lanes.start());
            let last = (turn * LANES as u32 + LANES as u32 - 1).min(*lanes.end());
            for lane in first..=last {
                let x = self.falls_from - lane;
                let (_, word, bit) = lane_place(lane, shape.blocks());
                // SAFETY: x is one of the words of the column.
                let from = unsafe { *from.add(WORDS * (x - self.words_before) as usize + word) };
                to[WORDS * (x - first_x) as usize + word] |= from & 1 << bit;
            }
        }
    }
}

/// Where x is lowered below `last`, the last heap of the line: (word, slab, what x becomes).
pub fn lowered_below(last: u32, length: usize) -> impl Iterator<Item = (usize, usize, u32)> {
    let lowered = move |word: usize, slab: usize| {
        let x = last + word as u32;
        (x.saturating_sub(slab as u32)..last).map(move |to| (word, slab, to))
    };
    (1..SLABS.min(length)).flat_map(move |word| (word + 1..=SLABS).flat_map(move |slab| lowered(word, slab)))
}

/// The bits of a range of lanes in a block.
pub fn lane_mask(lanes: RangeInclusive<u32>, block: usize, blocks: usize) -> [u64; WORDS] {
    let (first, end) = (*lanes.start() as usize, *lanes.end() as usize + 1);
    let mut mask = [0; WORDS];
    if first >= end {
        return mask;
    }
    for turn in (first / LANES..=(end - 1) / LANES).filter(|turn| turn % blocks == block) {
        let within = |lane: usize| lane.clamp(turn * LANES, (turn + 1) * LANES) - turn * LANES;
        for (word, mask) in mask.iter_mut().enumerate() {
            // The lanes of this word below a lane.
            let below = |lane: usize| ones(((lane + WORDS - 1 - word) / WORDS) as u64);
            *mask |= below(within(end)) & !below(within(first));
        }
    }
    mask
}
