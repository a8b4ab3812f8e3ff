//! What the words of a row reach, and the filling of a row.
//!
//! Lowering a heap of a position leaves it at its place in the sorted order, or it passes its lower
//! neighbours. In the first case the option lies in the word of another place, at the same lane (at a moved
//! one for a2), for all positions of the word alike: these are the columns of [`super::kernel`]. In the
//! second case, which only a few lanes of a row have, and the same lanes for every x, the option is sorted and
//! fetched lane by lane. Of equal heaps only the first is lowered: the others give the same options.

use super::absent::{ABSENT_LANES, Absent};
use super::kernel::{OrColumns, Row};
use super::shape::{SLABS, lane_place};
use super::single::{Fetch, Heaps, Slide, lane_mask, lowered_below};
use super::store::{Columns, Ring};
use crate::base::Isa;
use crate::base::simd::block::WORDS;

/// The pairs (slab, lowered by) of [`Row::lower_sum`].
const LOWERED: [(usize, usize); 6] = [(1, 1), (2, 1), (2, 2), (3, 1), (3, 2), (3, 3)];

/// What a thread works with.
pub struct Filler<'a> {
    ring: &'a Ring<'a>,
    absent: &'a Absent<'a>,
    isa: Isa,
    /// The smallest a2 of the places that must be covered.
    cover_from: u32,
    absent_bytes: Vec<u8>,
    /// What each slab reaches beside the rows of lower sums.
    reached: [Vec<u64>; SLABS],
    /// The columns that each slab reaches by lowering a heap of the line.
    columns: [Vec<*const u64>; SLABS],
    fetches: Vec<Fetch>,
    slides: Vec<Slide>,
    /// The lanes that are not positions because a3 is above x.
    beyond_x: Vec<u64>,
}

impl<'a> Filler<'a> {
    pub fn new(ring: &'a Ring<'a>, absent: &'a Absent<'a>, isa: Isa, cover_from: u32) -> Self {
        let length = ring.shape.max() as usize + 1;
        let reached = std::array::from_fn(|_| vec![0; WORDS * length]);
        let absent_bytes = vec![0; length];
        Self {
            ring,
            absent,
            isa,
            cover_from,
            absent_bytes,
            reached,
            columns: Default::default(),
            fetches: Vec::new(),
            slides: Vec::new(),
            beyond_x: vec![0; WORDS * length],
        }
    }

    /// Fills the row of `sum` on `line`; all rows that it reads are filled. Returns whether every place that
    /// must be covered is.
    pub fn fill(&mut self, line: &[u32], sum: u32) -> bool {
        // Only where all heaps but x are equal a row reads itself: x becomes the smallest heap, and the word
        // of that option is the first one.
        let first = sum / 2;
        if first <= SLABS as u32 && sum == 2 * first && line.iter().all(|&heap| heap == first) {
            self.fill_words(line, sum, 1);
        }
        self.fill_words(line, sum, self.ring.shape.row_length(line, sum))
    }

    /// Fills the first `length` words of a row.
    fn fill_words(&mut self, line: &[u32], sum: u32, length: usize) -> bool {
        let shape = self.ring.shape;
        let first_x = shape.first_x(line, sum);
        self.find_fetches(line, sum, length);
        let lanes = shape.lanes(line, sum, 1);
        let absent = *lanes.start() < ABSENT_LANES
            && self.absent.read(line, sum, lanes.clone(), first_x, &mut self.absent_bytes[..length]);
        let skipped = WORDS * (first_x - shape.column_start(line)) as usize;
        let mut covered = true;
        for block in (0..shape.blocks()).filter(|&block| shape.has_block(line, sum, block)) {
            let reached_1 = self.gather(line, sum, block, length);
            if shape.x_bounds_lanes() {
                self.bound_lanes(sum, first_x, block, length);
            }
            let lower = |block| {
                let rows =
                    [1, 2, 3].map(|by| self.ring.columns_or_zeros(line, sum.saturating_sub(by), block));
                // SAFETY: the words of a row are among those of its columns.
                LOWERED.map(|(slab, by)| unsafe { rows[by - 1].of_slab(slab).add(skipped) }.cast_const())
            };
            let lower_sum = lower(block);
            let block_before = match shape.blocks() {
                1 => lower_sum,
                blocks => lower((block + blocks - 1) % blocks),
            };
            let to = self.ring.columns(line, sum, block).expect("the row has the block");
            let mask = |least| lane_mask(shape.lanes(line, sum, least), block, shape.blocks());
            let row = Row {
                length,
                lower_sum,
                block_before,
                reached: [reached_1, self.reached[1].as_ptr(), self.reached[2].as_ptr()],
                absent: (absent && block == 0).then_some(self.absent_bytes.as_ptr()),
                // SAFETY: as above.
                to: [1, 2, 3].map(|slab| unsafe { to.of_slab(slab).add(skipped) }),
                positions: [1, 2, 3].map(mask),
                to_cover: mask(self.cover_from),
                beyond_x: shape.x_bounds_lanes().then_some(self.beyond_x.as_ptr()),
            };
            covered &= self.isa.run(&row) == [0; WORDS];
        }
        covered
    }

    /// Collects in `reached` what lowering a heap of the line reaches, and all single lanes. Returns where
    /// that of slab 1 is.
    fn gather(&mut self, line: &[u32], sum: u32, block: usize, length: usize) -> *const u64 {
        self.columns.iter_mut().for_each(Vec::clear);
        for i in (0..line.len()).filter(|&i| i == 0 || line[i - 1] < line[i]) {
            for by in 1..=(SLABS as u32).min(line[i] - 1) {
                let to = line[i] - by;
                if let Some((columns, skipped)) = self.columns_of_lowered(line, i, to, sum, block) {
                    for slab in (by..=to.min(SLABS as u32)).map(|slab| slab as usize) {
                        // SAFETY: the column reaches from the lowered line's first x to the same end.
                        self.columns[slab - 1]
                            .push(unsafe { columns.of_slab(slab).add(skipped) }.cast_const());
                    }
                }
            }
        }
        // No single lane is fetched for slab 1.
        let alone = match self.columns[0][..] {
            [column] => Some(column),
            _ => None,
        };
        for slab in usize::from(alone.is_some())..SLABS {
            let to = self.reached[slab].as_mut_ptr();
            self.isa.run(OrColumns { from: &self.columns[slab], to, length });
        }
        if !line.is_empty() {
            self.gather_first_words(line, sum, block, length);
        }
        for fetch in &self.fetches {
            fetch.fetch(self.ring.shape.blocks(), block, &mut self.reached[fetch.slab - 1]);
        }
        for slide in &self.slides {
            slide.fetch(self.ring, sum, block, &mut self.reached[slide.slab - 1]);
        }
        alone.unwrap_or(self.reached[0].as_ptr())
    }

    /// Finds for each x the lanes of the row with a3 above x: one less for each x.
    fn bound_lanes(&mut self, sum: u32, first_x: u32, block: usize, length: usize) {
        let blocks = self.ring.shape.blocks();
        let least = *self.ring.shape.lanes(&[], sum, 1).start();
        // An end before the beginning is no lane at all.
        let mut beyond = lane_mask(least..=(sum - first_x).saturating_sub(1), block, blocks);
        for (x, words) in (first_x..).zip(self.beyond_x.as_chunks_mut::<WORDS>().0.iter_mut().take(length)) {
            if sum > x {
                let (of_block, word, bit) = lane_place(sum - x, blocks);
                if of_block == block {
                    beyond[word] &= !(1 << bit);
                }
            }
            *words = beyond;
        }
    }

    /// The columns of the line in which heap `i` is lowered to `to`, and the place of this line's first x in
    /// them.
    #[inline]
    fn columns_of_lowered(
        &self,
        line: &[u32],
        i: usize,
        to: u32,
        sum: u32,
        block: usize,
    ) -> Option<(Columns, usize)> {
        let lowered = Heaps::new(0, 0, 0, line).lowered(3 + i, to);
        let lowered = &lowered.sorted()[3..];
        let shape = self.ring.shape;
        let skipped = WORDS * (shape.column_start(line) - shape.column_start(lowered)) as usize;
        Some((self.ring.columns(lowered, sum, block)?, skipped))
    }

    /// Where x is lowered below the last heap of the line the two change places. The first word of a row has
    /// x equal to that heap, and needs nothing.
    fn gather_first_words(&mut self, line: &[u32], sum: u32, block: usize, length: usize) {
        let last = line[line.len() - 1];
        for (word, slab, to) in lowered_below(last, length) {
            if to < slab as u32 {
                continue;
            }
            if let Some((columns, last)) = self.columns_of_lowered(line, line.len() - 1, to, sum, block) {
                for k in 0..WORDS {
                    // SAFETY: the heap that x has passed is the x of the option.
                    self.reached[slab - 1][WORDS * word + k] |=
                        unsafe { *columns.of_slab(slab).add(last + k) };
                }
            }
        }
    }

    /// Finds the single lanes of all blocks of a row.
    fn find_fetches(&mut self, line: &[u32], sum: u32, length: usize) {
        self.fetches.clear();
        let shape = self.ring.shape;
        for slab in 2..=SLABS {
            let lanes = shape.lanes(line, sum, slab as u32);
            let slab_heap = slab as u32;
            // a2 passes a1. By one counter, no heap passes another that is not its equal.
            for lane in slab_heap + 1..2 * slab_heap {
                for by in (lane - slab_heap + 1..=slab_heap).filter(|_| lanes.contains(&lane)) {
                    self.fetch(line, sum, slab, lane, 1, lane - by, 0..length);
                }
            }
            // a3 passes a2.
            for by in 2..=slab_heap {
                for lane in
                    (sum.saturating_sub(by) / 2 + 1..sum.div_ceil(2)).filter(|lane| lanes.contains(lane))
                {
                    self.fetch(line, sum, slab, lane, 2, sum - lane - by, 0..length);
                }
            }
            // A heap of the line passes a3.
            for i in (0..line.len()).filter(|&i| i == 0 || line[i - 1] < line[i]) {
                for by in 1..=slab_heap.min(line[i] - 1) {
                    let a3 = line[i] - by + 1..line[0] + u32::from(i > 0);
                    for lane in a3.filter_map(|a3| sum.checked_sub(a3)).filter(|lane| lanes.contains(lane)) {
                        self.fetch(line, sum, slab, lane, 3 + i, line[i] - by, 0..length);
                    }
                }
            }
        }
        // x passes the last heap of the line, and a3.
        if let Some(&last) = line.last() {
            for (word, slab, to) in lowered_below(last, length) {
                let lanes = shape.lanes(line, sum, slab as u32);
                let a3 = to + 1..=line[0];
                for lane in a3.filter_map(|a3| sum.checked_sub(a3)).filter(|lane| lanes.contains(lane)) {
                    self.fetch(line, sum, slab, lane, 2 + line.len(), to, word..word + 1);
                }
            }
        } else if shape.has_x() {
            self.find_slides(sum, length);
        }
    }

    /// With four heaps: x passes a3, which becomes the last heap. Where it does not pass a2, too, the lane
    /// stays and the sum becomes lower.
    fn find_slides(&mut self, sum: u32, length: usize) {
        self.slides.clear();
        let first_x = self.ring.shape.first_x(&[], sum);
        let last_x = first_x + length as u32 - 1;
        for slab in 2..=SLABS as u32 {
            for (by, above) in [(2, 1), (3, 1), (3, 2)].into_iter().filter(|&(by, _)| by <= slab) {
                // a3 = x - above, a2 = sum - a3 >= slab.
                let falls_from = sum + above;
                let stays_from = (sum + by + above).div_ceil(2).max(first_x);
                let last_x = last_x.min(falls_from - slab);
                self.slides.push(Slide {
                    slab: slab as usize,
                    falls_from,
                    x: stays_from..=last_x,
                    from_sum: sum - (by - above),
                    words_before: above,
                });
                for x in (first_x.max(by + 1)..stays_from).take_while(|&x| x <= last_x) {
                    let (lane, a3) = (falls_from - x, x - above);
                    if lane <= a3 {
                        let option = Heaps::new(slab as usize, lane, lane + x - by, &[]).resorted();
                        let word = (x - first_x) as usize;
                        self.fetch_from(option.sorted(), a3, slab as usize, lane, word..word + 1);
                    }
                }
            }
        }
    }

    /// The lane `lane` of `slab` can be turned into the position in which the heap at `place` is lowered to
    /// `to`, which passes at least one other heap.
    #[allow(clippy::too_many_arguments)]
    fn fetch(
        &mut self,
        line: &[u32],
        sum: u32,
        slab: usize,
        lane: u32,
        place: usize,
        to: u32,
        words: std::ops::Range<usize>,
    ) {
        let option = Heaps::new(slab, lane, sum, line).lowered(place, to);
        self.fetch_from(option.sorted(), self.ring.shape.first_x(line, sum), slab, lane, words);
    }

    /// The same, from the sorted heaps of the option without x, the `x` of its word for the first of the
    /// `words`.
    fn fetch_from(&mut self, option: &[u32], x: u32, slab: usize, lane: u32, words: std::ops::Range<usize>) {
        let [a1, a2, a3, ref lower @ ..] = *option else { unreachable!("three heaps or more") };
        let (block, word, from_bit) = lane_place(a2, self.ring.shape.blocks());
        let columns = self.ring.columns(lower, a2 + a3, block).expect("a position is stored");
        let skipped = WORDS * (x - self.ring.shape.column_start(lower)) as usize;
        // SAFETY: the column reaches from the lowered line's first x to the same end.
        let from = unsafe { columns.of_slab(a1 as usize).add(skipped + word) };
        self.fetches.push(Fetch { slab, lane, from, from_bit, words });
    }
}
