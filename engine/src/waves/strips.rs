//! Waves of strips: an order in which nearly every option row is part of a long run of rows.
//!
//! A position of j >= 4 heaps is a1, the *middle* a2, ..., a(j-2), and the last two heaps w <= x. For a given a1 and middle
//! the pairs (w, x) are contiguous in the index; those with w in a range are a *strip*, and the strips of all a1 are
//! a block of a wave. Lowering a1 or a heap of the middle leads to the same pairs of another strip: to one run of
//! bits. The positions of at most three heaps are a prefix of the index and one block, the first.
//!
//! Lemma. If every move lowers heaps and raises none, an option of a position lies in an earlier wave, or earlier in
//! the same block, in the order of the index. Proof: sort the heaps of the option; then each is at most the heap of
//! the same place before the move, so that the option comes earlier in the index. It has fewer heaps, or its
//! middle and the range of its w are not later; the wave is the sum of the middle and the number of the range, so that it is an
//! earlier one unless both are the same.

use super::{Waves, for_each_sequence};
use crate::space::{MAX_HEAPS, SortedHeaps, Space};

/// A strip has about so many positions: few enough for the first-level cache, many beside what begins it.
const STRIP: u64 = 1 << 14;

/// The heaps of the first block.
const PREFIX: usize = 3;

/// The positions of a space of at least four sorted heaps by strips.
#[derive(Debug, Clone)]
pub struct Strips {
    /// The spaces of 3, 4, ... heaps, each a prefix of the next; the last may be a slice.
    spaces: Vec<SortedHeaps>,
    /// The first w of each range, and the one behind the last range.
    ranges: Vec<u32>,
}

/// The positions of `heaps` heaps, none of them empty, with a given middle and w in `from..=to`; or all positions
/// of at most three heaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Strip {
    /// The number of heaps; 3 for the first block.
    pub heaps: usize,
    /// The least w, which is at least the last heap of the middle.
    pub from: u32,
    /// The largest w.
    pub to: u32,
    middle: [u32; MAX_HEAPS],
}

impl Strip {
    /// Whether this is the block of all positions of at most three heaps.
    pub fn is_prefix(&self) -> bool {
        self.heaps == PREFIX
    }

    /// The heaps between the first and the last two.
    pub fn middle(&self) -> &[u32] {
        &self.middle[..self.heaps - PREFIX]
    }
}

impl Strips {
    /// All positions of a space of at least four heaps, or of a slice of one; `None` for fewer heaps.
    pub fn new(space: &SortedHeaps) -> Option<Self> {
        if space.heaps() <= PREFIX {
            return None;
        }
        let spaces = (PREFIX..space.heaps())
            .map(|heaps| SortedHeaps::new(heaps, space.max()).expect("a part of the space"))
            .chain([space.clone()])
            .collect();
        // Equal shares of the pairs 1 <= w <= x <= max, by whole w.
        let max = space.max();
        let pairs = u64::from(max) * (u64::from(max) + 1) / 2;
        let count = pairs.div_ceil(STRIP);
        let (mut ranges, mut before) = (vec![1], 0);
        for w in 1..=max {
            before += u64::from(max - w) + 1;
            if before * count >= ranges.len() as u64 * pairs {
                ranges.push(w + 1);
            }
        }
        Some(Self { spaces, ranges })
    }

    /// The space of so many heaps, at least three.
    pub fn space(&self, heaps: usize) -> &SortedHeaps {
        &self.spaces[heaps - PREFIX]
    }

    fn heaps(&self) -> usize {
        PREFIX + self.spaces.len() - 1
    }

    fn max(&self) -> u32 {
        self.spaces[0].max()
    }

    /// The number of positions of a strip, for one a1.
    pub fn length(&self, strip: &Strip) -> u64 {
        let triangle = |w: u32| u64::from(self.max() + 1 - w) * u64::from(self.max() + 2 - w) / 2;
        triangle(strip.from) - triangle(strip.to + 1)
    }

    /// The a1 of a block.
    pub fn first_heaps(&self, strip: &Strip) -> std::ops::RangeInclusive<u32> {
        1..=strip.middle[0].min(self.space(strip.heaps).smallest())
    }

    /// The heaps of the first position of a strip.
    pub fn first_position<'p>(
        &self,
        strip: &Strip,
        a1: u32,
        position: &'p mut [u32; MAX_HEAPS],
    ) -> &'p mut [u32] {
        let position = &mut position[..strip.heaps];
        position[0] = a1;
        position[1..strip.heaps - 2].copy_from_slice(strip.middle());
        position[strip.heaps - 2..].fill(strip.from);
        position
    }

    fn waves_of_stage(&self, heaps: usize) -> u64 {
        (heaps - PREFIX) as u64 * u64::from(self.max() - 1) + self.ranges.len() as u64 - 1
    }

    /// The first wave of the positions of so many heaps.
    fn first_wave(&self, heaps: usize) -> u64 {
        1 + (PREFIX + 1..heaps).map(|stage| self.waves_of_stage(stage)).sum::<u64>()
    }

    /// The wave of a position, given without its empty heaps.
    pub fn wave_of(&self, heaps: &[u32]) -> u64 {
        if heaps.len() <= PREFIX {
            return 0;
        }
        let (middle, w) = (&heaps[1..heaps.len() - 2], heaps[heaps.len() - 2]);
        let sum = middle.iter().map(|&heap| u64::from(heap) - 1).sum::<u64>();
        self.first_wave(heaps.len()) + sum + self.ranges.partition_point(|&first| first <= w) as u64 - 1
    }
}

impl Waves for Strips {
    type Block = Strip;

    fn count(&self) -> u64 {
        self.first_wave(self.heaps() + 1)
    }

    fn blocks(&self, wave: u64) -> Vec<Strip> {
        if wave == 0 {
            return vec![Strip { heaps: PREFIX, from: 0, to: self.max(), middle: [0; MAX_HEAPS] }];
        }
        let stages = PREFIX + 1..=self.heaps();
        let heaps = stages.rev().find(|&heaps| self.first_wave(heaps) <= wave).unwrap_or(PREFIX + 1);
        let parts = heaps - PREFIX;
        let step = wave - self.first_wave(heaps);
        let mut strips = Vec::new();
        for (range, number) in self.ranges.windows(2).zip(0..=step) {
            let to = range[1] - 1;
            for_each_sequence(parts, step - number + parts as u64, 1..=to, |sequence| {
                if sequence[0] > 0 {
                    let mut middle = [0; MAX_HEAPS];
                    middle[..parts].copy_from_slice(sequence);
                    strips.push(Strip { heaps, from: range[0].max(middle[parts - 1]), to, middle });
                }
            });
        }
        strips
    }

    fn is_before(&self, earlier: u64, index: u64) -> bool {
        let space = self.space(self.heaps());
        let present = |index: u64| {
            let mut heaps = Vec::new();
            space.unrank_into(index, &mut heaps);
            heaps.retain(|&heap| heap > 0);
            heaps
        };
        let (a, b) = (present(earlier), present(index));
        let (wave, later) = (self.wave_of(&a), self.wave_of(&b));
        let same_block = || wave == 0 || a[1..a.len() - 2] == b[1..b.len() - 2];
        wave < later || wave == later && same_block() && earlier < index
    }

    fn for_each_range(&self, strip: &Strip, visit: &mut dyn FnMut(u64, u64)) {
        let space = self.space(strip.heaps);
        if strip.is_prefix() {
            return visit(0, space.len());
        }
        let mut position = [0; MAX_HEAPS];
        let position = self.first_position(strip, 0, &mut position);
        for a1 in self.first_heaps(strip) {
            position[0] = a1;
            visit(space.rank_sorted(position), self.length(strip));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_in_one_block_of_its_wave() {
        for (heaps, max) in [(4, 1), (4, 2), (4, 24), (5, 9), (6, 6), (7, 4)] {
            for limit in [0, 1, 3, max] {
                let space = SortedHeaps::new(heaps, max).unwrap().slice(limit);
                let mut strips = Strips::new(&space).unwrap();
                if max > 4 {
                    // As where a strip is too long for one block.
                    strips.ranges = vec![1, 3, 4, max / 2, max + 1];
                    strips.ranges.sort_unstable();
                    strips.ranges.dedup();
                }
                let mut seen = vec![0u32; space.len() as usize];
                let mut position = Vec::new();
                for wave in 0..strips.count() {
                    for strip in strips.blocks(wave) {
                        strips.for_each_range(&strip, &mut |first, length| {
                            for index in first..first + length {
                                seen[index as usize] += 1;
                                space.unrank_into(index, &mut position);
                                position.retain(|&heap| heap > 0);
                                assert_eq!(strips.wave_of(&position), wave, "{position:?}");
                            }
                        });
                    }
                }
                assert!(seen.iter().all(|&times| times == 1), "{heaps} heaps of {max}, {limit} in front");
            }
        }
    }

    #[test]
    fn lowered_positions_are_before() {
        let space = SortedHeaps::new(5, 7).unwrap();
        let mut strips = Strips::new(&space).unwrap();
        strips.ranges = vec![1, 2, 5, 8];
        let mut position = Vec::new();
        for index in 0..space.len() {
            space.unrank_into(index, &mut position);
            for i in 0..5 {
                space.for_each_lowered(&position, i, position[i], |option| {
                    assert!(strips.is_before(option, index) && !strips.is_before(index, option));
                });
            }
        }
    }

    #[test]
    fn the_ranges_hold_equal_shares_of_the_pairs() {
        let space = SortedHeaps::new(4, 1000).unwrap();
        let strips = Strips::new(&space).unwrap();
        assert_eq!(strips.ranges.len(), 32);
        for range in strips.ranges.windows(2) {
            let strip = Strip { heaps: 4, from: range[0], to: range[1] - 1, middle: [1; MAX_HEAPS] };
            assert!((STRIP / 2..2 * STRIP).contains(&strips.length(&strip)), "{range:?}");
        }
        assert!(Strips::new(&SortedHeaps::new(3, 9).unwrap()).is_none());
    }
}
