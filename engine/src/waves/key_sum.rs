//! Waves of rows of sorted heaps: the rows whose key has the same sum.
//!
//! Lemma. If every move lowers heaps and raises none, an option lies in a row of smaller key sum, or earlier
//! in the same row. Proof: sort the heaps of the option; then each is at most the heap of the same place
//! before the move. So the key sum does not grow, and if it stays, the key is the same and the last heap is
//! smaller.

use std::ops::RangeInclusive;

use super::Waves;
use crate::space::{MAX_HEAPS, SortedHeaps, Space};

/// The rows of a [`SortedHeaps`] space in order of key sum.
#[derive(Debug, Clone)]
pub struct KeySum<'a> {
    space: &'a SortedHeaps,
    /// The number of rows of each wave, of all first heaps.
    rows: Vec<u64>,
    /// Rows are joined to blocks until they hold about this many positions, so that scheduling stays cheap
    /// beside the work, and a wave smaller than that is one block.
    positions_per_block: u64,
}

/// The heaps that the last of a key may have.
type Lasts = (u32, u32);

/// The rows of one wave with the first heap of the key in `first..=last`, and its last one in a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowBlock {
    /// The key sum.
    pub wave: u64,
    /// The smallest first heap of the keys in this block.
    pub first: u32,
    /// The largest first heap of the keys in this block.
    pub last: u32,
    /// The smallest and the largest last heap of the keys.
    pub key_last: Lasts,
}

impl<'a> KeySum<'a> {
    /// The wave of a position, given with its empty heaps and sorted.
    pub fn wave_of(heaps: &[u32]) -> u64 {
        heaps.iter().rev().skip(1).map(|&heap| u64::from(heap)).sum()
    }

    /// All rows of `space`.
    pub fn new(space: &'a SortedHeaps) -> Self {
        let parts = space.heaps() - 1;
        let (low, high) = (*space.key_last().start(), *space.key_last().end());
        let mut rows = rows_by_sum(parts, high);
        rows.resize(parts * space.max() as usize + 1, 0);
        if low > 0 && parts > 0 {
            rows.iter_mut().zip(rows_by_sum(parts, low - 1)).for_each(|(rows, below)| *rows -= below);
        }
        Self { space, rows, positions_per_block: 1 << 14 }
    }

    /// Makes blocks of about so many positions: few where a position is much work.
    pub fn in_blocks_of(self, positions: u64) -> Self {
        Self { positions_per_block: positions.max(1), ..self }
    }

    /// The space that is swept.
    pub fn space(&self) -> &'a SortedHeaps {
        self.space
    }

    /// Calls `visit` with each key of the block, sorted.
    #[inline]
    pub fn for_each_key(&self, block: &RowBlock, mut visit: impl FnMut(&[u32])) {
        let parts = self.space.heaps() - 1;
        let mut key = [0u32; MAX_HEAPS];
        match parts {
            0 => visit(&[]),
            1 => visit(&[block.wave as u32]),
            _ => {
                for first in block.first..=block.last {
                    key[0] = first;
                    let left = block.wave - u64::from(first);
                    complete_key(&mut key, 1, parts, left, block.key_last, &mut visit);
                }
            }
        }
    }

    /// Calls `visit` with each key of the block, sorted, until one fails.
    #[inline]
    pub fn try_for_each_key<E>(
        &self,
        block: &RowBlock,
        mut visit: impl FnMut(&[u32]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut end = Ok(());
        self.for_each_key(block, |key| {
            if end.is_ok() {
                end = visit(key);
            }
        });
        end
    }

    /// The blocks of the rows of `wave` whose key ends with a heap in `key_last`, a part of the space's own
    /// range.
    pub fn blocks_ending_in(&self, wave: u64, key_last: RangeInclusive<u32>) -> Vec<RowBlock> {
        let parts = self.space.heaps() - 1;
        let key_last = (*key_last.start(), *key_last.end());
        if parts < 2 {
            let inside = parts == 0
                || wave <= u64::from(self.space.smallest())
                    && (u64::from(key_last.0)..=u64::from(key_last.1)).contains(&wave);
            let first = if parts == 0 { 0 } else { wave as u32 };
            return if inside { vec![RowBlock { wave, first, last: first, key_last }] } else { Vec::new() };
        }
        let Some((low, high)) = first_bounds(parts, wave, key_last) else { return Vec::new() };
        let high = high.min(self.space.smallest());
        if low > high {
            return Vec::new();
        }
        let firsts = u64::from(high - low) + 1;
        let positions = self.rows[wave as usize].saturating_mul(u64::from(self.space.max()) / 2 + 1);
        let blocks = (positions / self.positions_per_block).clamp(1, firsts);
        let step = firsts.div_ceil(blocks) as u32;
        (low..=high)
            .step_by(step as usize)
            .map(|first| RowBlock { wave, first, last: high.min(first + (step - 1)), key_last })
            .collect()
    }
}

/// Calls `visit` with every sorted sequence of `parts >= 1` heaps of this sum whose last heap lies in `last`.
pub fn for_each_sequence(parts: usize, sum: u64, last: RangeInclusive<u32>, mut visit: impl FnMut(&[u32])) {
    let last = (*last.start(), *last.end());
    let mut key = [0u32; MAX_HEAPS];
    if parts == 1 {
        if (u64::from(last.0)..=u64::from(last.1)).contains(&sum) {
            visit(&[sum as u32]);
        }
    } else if let Some((low, high)) = first_bounds(parts, sum, last) {
        for first in low..=high {
            key[0] = first;
            complete_key(&mut key, 1, parts, sum - u64::from(first), last, &mut visit);
        }
    }
}

/// Fills `key[filled..parts]` with every sorted choice of sum `left` that ends in `last`; there is one.
fn complete_key(
    key: &mut [u32; MAX_HEAPS],
    filled: usize,
    parts: usize,
    left: u64,
    last: Lasts,
    visit: &mut impl FnMut(&[u32]),
) {
    let least = key[filled - 1];
    if filled + 1 == parts {
        key[filled] = left as u32;
        return visit(&key[..parts]);
    }
    let Some((low, high)) = first_bounds(parts - filled, left, last) else { return };
    for heap in low.max(least)..=high {
        key[filled] = heap;
        complete_key(key, filled + 1, parts, left - u64::from(heap), last, visit);
    }
}

/// The first heaps that a sorted sequence of `parts >= 2` heaps with this `sum` and the last heap in `last`
/// can have. The heaps behind a first heap h add up to at least h each, the last one to at least `last.0`,
/// and to at most `last.1` each; everything between is reached.
fn first_bounds(parts: usize, sum: u64, last: Lasts) -> Option<(u32, u32)> {
    let (least, most) = (u64::from(last.0), u64::from(last.1));
    let others = parts as u64 - 1;
    let low = sum.saturating_sub(others * most);
    let high = if sum / (parts as u64) >= least {
        sum / parts as u64
    } else {
        (sum.checked_sub(least)? / others).min(least - 1)
    };
    let high = high.min(most);
    (low <= high).then_some((low as u32, high as u32))
}

/// How many sorted keys of `parts` heaps of at most `max` have sum 0, 1, ..., `parts * max`: the coefficients
/// of the Gaussian binomial, the product of `(1 - q^(max+i)) / (1 - q^i)`. Wrapping arithmetic is exact here,
/// since the results are below 2^63.
pub fn rows_by_sum(parts: usize, max: u32) -> Vec<u64> {
    let top = parts * max as usize;
    let mut rows = vec![0u64; top + 1];
    rows[0] = 1;
    for i in 1..=parts {
        let step = max as usize + i;
        for sum in (step..=top).rev() {
            rows[sum] = rows[sum].wrapping_sub(rows[sum - step]);
        }
        for sum in i..=top {
            rows[sum] = rows[sum].wrapping_add(rows[sum - i]);
        }
    }
    rows
}

impl Waves for KeySum<'_> {
    type Block = RowBlock;

    fn count(&self) -> u64 {
        self.rows.len() as u64
    }

    fn blocks(&self, wave: u64) -> Vec<RowBlock> {
        self.blocks_ending_in(wave, self.space.key_last().clone())
    }

    fn is_before(&self, earlier: u64, index: u64) -> bool {
        let (mut a, mut b) = (Vec::new(), Vec::new());
        self.space.unrank_into(earlier, &mut a);
        self.space.unrank_into(index, &mut b);
        let (a, b) = (&a[..a.len() - 1], &b[..b.len() - 1]);
        let sum = |key: &[u32]| key.iter().map(|&heap| u64::from(heap)).sum::<u64>();
        sum(a) < sum(b) || a == b && earlier < index
    }

    fn for_each_range(&self, block: &RowBlock, visit: &mut dyn FnMut(u64, u64)) {
        let space = self.space;
        self.for_each_key(block, |key| {
            visit(space.row_start(key), u64::from(space.max() - space.row_first(key)) + 1);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_in_one_block_of_its_wave() {
        for heaps in 1..=5 {
            for max in [1, 2, 5, 9] {
                let space = SortedHeaps::new(heaps, max).unwrap();
                let waves = KeySum::new(&space);
                let mut seen = vec![0u32; space.len() as usize];
                let mut position = Vec::new();
                for wave in 0..waves.count() {
                    for block in waves.blocks(wave) {
                        waves.for_each_range(&block, &mut |first, length| {
                            for index in first..first + length {
                                seen[index as usize] += 1;
                                space.unrank_into(index, &mut position);
                                let sum: u32 = position[..heaps - 1].iter().sum();
                                assert_eq!(u64::from(sum), wave);
                            }
                        });
                    }
                }
                assert!(seen.iter().all(|&times| times == 1), "{heaps} heaps of at most {max}");
            }
        }
    }

    #[test]
    fn every_row_of_a_shard_is_in_one_block() {
        for (heaps, max, range) in [(3, 9, 4..=6), (4, 8, 0..=3), (4, 8, 5..=5), (5, 7, 3..=7), (2, 6, 2..=4)]
        {
            let space = SortedHeaps::shard(heaps, max, range.clone()).unwrap();
            let waves = KeySum::new(&space);
            let mut seen = vec![0u32; space.len() as usize];
            for wave in 0..waves.count() {
                let mut rows = 0;
                for block in waves.blocks(wave) {
                    waves.for_each_key(&block, |_| rows += 1);
                    waves.for_each_range(&block, &mut |first, length| {
                        (first..first + length).for_each(|index| seen[index as usize] += 1);
                    });
                }
                assert_eq!(rows, waves.rows[wave as usize], "{heaps} heaps of at most {max}, wave {wave}");
                let mut sequences = 0;
                for_each_sequence(heaps - 1, wave, range.clone(), |key| {
                    assert!(key.is_sorted() && range.contains(&key[heaps - 2]));
                    sequences += 1;
                });
                assert_eq!(sequences, rows);
            }
            assert!(seen.iter().all(|&times| times == 1), "{heaps} heaps of at most {max}");
        }
    }

    #[test]
    fn a_slice_is_a_prefix_of_the_index() {
        let space = SortedHeaps::new(4, 9).unwrap().slice(3);
        let waves = KeySum::new(&space);
        let mut seen = 0;
        for wave in 0..waves.count() {
            for block in waves.blocks(wave) {
                waves.for_each_range(&block, &mut |first, length| {
                    assert!(first + length <= space.rank(&[4, 4, 4, 4]));
                    seen += length;
                });
            }
        }
        assert_eq!((seen, space.len()), (space.rank(&[4, 4, 4, 4]), space.rank(&[4, 4, 4, 4])));
    }

    #[test]
    fn the_row_counts_are_those_of_the_rows() {
        let space = SortedHeaps::new(4, 7).unwrap();
        let waves = KeySum::new(&space);
        for wave in 0..waves.count() {
            let mut rows = 0;
            for block in waves.blocks(wave) {
                waves.for_each_key(&block, |_| rows += 1);
            }
            assert_eq!(rows, waves.rows[wave as usize]);
        }
    }
}
