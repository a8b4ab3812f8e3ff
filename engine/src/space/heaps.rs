//! Sorted heaps `0 <= a1 <= ... <= ak <= N`, in lexicographic order, the last heap fastest.
//!
//! A position of a game on at most `k` heaps of at most `N` counters is such a sequence; absent heaps are
//! zeros. There are `C(N+k, k)` of them. With `B_m(v) = C(N-v+m, m)`, the number of sorted sequences of
//! length `m` over `v..=N`, the sequences that share `a1..a(i-1)` and have a smaller `i`-th entry number
//! `B_m(a(i-1)) - B_m(ai)` with `m = k-i+1` and `a0 = 0`. The rank is the sum of these over `i`.
//!
//! The positions with the same `a1..a(k-1)`, the *key*, are contiguous: they form the *row* of that key, in
//! which the last heap runs from `a(k-1)` to `N`.
//!
//! A *shard* of a space holds the positions with `a(k-1)` in a range, whole rows in the same order: the
//! formula is the same with the sequences of the shard counted only, so that only `B_2` is another one, and
//! those that are built on it.
//!
//! A *slice* holds the positions with `a1` at most some bound, absent heaps counted as 0. They are the first
//! ones of the whole space and have the same ranks there, and no move leads out of them: lowered heaps,
//! sorted again, are each at most what stood in their place before.

use std::ops::RangeInclusive;

use super::Space;
use crate::base::{Error, Result};

/// The largest number of heaps that any dense space holds.
pub const MAX_HEAPS: usize = 16;

/// The look-up tables of a space hold `heaps * max` numbers; this bounds them to 512 MiB.
const MAX_ROW_CELLS: u64 = 1 << 26;

/// The space of at most `heaps` heaps of at most `max` counters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SortedHeaps {
    heaps: usize,
    max: u32,
    /// The heaps that the last of the key may have: all, unless this is a shard.
    key_last: RangeInclusive<u32>,
    /// The largest first heap: `max`, unless this is a slice.
    smallest: u32,
    /// `below[m - 1][v] = C(max - v + m, m)`: sorted sequences of length `m` over `v..=max`, of a shard those
    /// in it.
    below: Vec<Vec<u64>>,
}

impl SortedHeaps {
    /// The space of `heaps` heaps of at most `max` counters, or an error where it has more than 2^63
    /// positions.
    pub fn new(heaps: usize, max: u32) -> Result<Self> {
        Self::with_place(heaps, max, 2, 0..=max)
    }

    /// The shard of the positions whose key ends with a heap in `key_last`. There are at least two heaps.
    pub fn shard(heaps: usize, max: u32, key_last: RangeInclusive<u32>) -> Result<Self> {
        Self::with_place(heaps, max, 2, key_last)
    }

    /// The slice of the positions whose smallest heap, absent ones counted as 0, is at most `smallest`. A
    /// space of single heaps stays whole: its rows are not cut.
    pub fn slice(self, smallest: u32) -> Self {
        let smallest = if self.heaps == 1 { self.max } else { smallest.min(self.max) };
        Self { smallest, ..self }
    }

    /// The sorted sequences whose last heap lies in `range`: the keys of a shard, or their ends.
    pub fn with_last(heaps: usize, max: u32, range: RangeInclusive<u32>) -> Result<Self> {
        Self::with_place(heaps, max, 1, range)
    }

    /// The sequences whose heap at place `place`, counted from the end, lies in `range`.
    fn with_place(heaps: usize, max: u32, place: usize, range: RangeInclusive<u32>) -> Result<Self> {
        if heaps == 0 || heaps > MAX_HEAPS {
            return Err(Error::Usage(format!(
                "{heaps} heaps: the number of heaps must be from 1 to {MAX_HEAPS}"
            )));
        }
        if max == 0 {
            return Err(Error::Usage("largest heap 0: it must be at least 1".into()));
        }
        let too_large = || {
            Error::Usage(format!(
                "{heaps} heaps of at most {max} counters make more than 2^63 positions; lower the number of heaps or the largest heap"
            ))
        };
        // Check the size before building anything: the largest binomial is C(max + heaps, heaps).
        Self::count(heaps, max).ok_or_else(too_large)?;
        if u64::from(max) * heaps as u64 > MAX_ROW_CELLS {
            return Err(Error::Usage(format!(
                "largest heap {max}: a dense table of so long rows is not supported; the limit is {}",
                MAX_ROW_CELLS / heaps as u64
            )));
        }
        let size = max as usize + 1;
        let mut below: Vec<Vec<u64>> = Vec::with_capacity(heaps);
        for m in 1..=heaps {
            // B_m(v) = B_m(v + 1) + B_(m-1)(v), with B_0 = 1 and B_m(max + 1) = 0.
            let mut column = vec![0u64; size];
            let mut next = 0u64;
            for v in (0..size).rev() {
                let shorter = if m == 1 { 1 } else { below[m - 2][v] };
                if m != place || range.contains(&(v as u32)) {
                    next += shorter;
                }
                column[v] = next;
            }
            below.push(column);
        }
        let key_last = if place == 2 { range } else { 0..=max };
        Ok(Self { heaps, max, key_last, smallest: max, below })
    }

    /// `C(max + heaps, heaps)`, or `None` where it exceeds 2^63.
    pub fn count(heaps: usize, max: u32) -> Option<u64> {
        let mut count: u128 = 1;
        for i in 1..=heaps as u128 {
            // Exact at every step: the product of i consecutive integers is divisible by i!.
            count = count.checked_mul(u128::from(max) + i)? / i;
            if count > 1 << 63 {
                return None;
            }
        }
        Some(count as u64)
    }

    /// The number of positions of a slice, or `None` where the whole space has more than 2^63.
    pub fn count_slice(heaps: usize, max: u32, smallest: u32) -> Option<u64> {
        let all = Self::count(heaps, max)?;
        match max.checked_sub(smallest).and_then(|rest| rest.checked_sub(1)) {
            Some(rest) if heaps > 1 => Some(all - Self::count(heaps, rest)?),
            _ => Some(all),
        }
    }

    /// The number of heaps `k`.
    pub fn heaps(&self) -> usize {
        self.heaps
    }

    /// The largest heap `N`.
    pub fn max(&self) -> u32 {
        self.max
    }

    /// The heaps that the last of the key may have: all, unless this is a shard.
    pub fn key_last(&self) -> &RangeInclusive<u32> {
        &self.key_last
    }

    /// The largest first heap: `max`, unless this is a slice.
    pub fn smallest(&self) -> u32 {
        self.smallest
    }

    /// Whether this is less than the whole space of its heaps, cut at a first heap.
    pub fn is_slice(&self) -> bool {
        self.smallest < self.max
    }

    /// Whether the smallest of the heaps, absent ones given as 0, is small enough for this slice.
    pub fn is_in_slice(&self, heaps: &[u32]) -> bool {
        heaps.iter().min().is_none_or(|&least| least <= self.smallest)
    }

    /// The rank of the first position without an absent heap.
    pub fn first_full(&self) -> u64 {
        self.sequences_from(self.heaps, 0) - self.sequences_from(self.heaps, 1)
    }

    /// The number of sorted sequences of `length >= 1` heaps that are all at least `least` (and at most
    /// `max`).
    pub fn sequences_from(&self, length: usize, least: u32) -> u64 {
        if least > self.max { 0 } else { self.below[length - 1][least as usize] }
    }

    /// The rank of heaps that are already sorted; `heaps.len()` must be `k`.
    #[inline]
    pub fn rank_sorted(&self, heaps: &[u32]) -> u64 {
        debug_assert_eq!(heaps.len(), self.heaps);
        debug_assert!(heaps.is_sorted());
        let mut rank = 0;
        let mut previous = 0;
        for (column, &heap) in self.below.iter().rev().zip(heaps) {
            rank += column[previous as usize] - column[heap as usize];
            previous = heap;
        }
        rank
    }

    /// The rank at which the row of the sorted `key` (the first `k - 1` heaps) begins: that of `key` and a
    /// last heap equal to the key's largest.
    #[inline]
    pub fn row_start(&self, key: &[u32]) -> u64 {
        debug_assert_eq!(key.len() + 1, self.heaps);
        let mut rank = 0;
        let mut previous = 0;
        for (column, &heap) in self.below[1..].iter().rev().zip(key) {
            rank += column[previous as usize] - column[heap as usize];
            previous = heap;
        }
        rank
    }

    /// The first value of the last heap in the row of `key`: the key's largest heap, 0 for the empty key.
    #[inline]
    pub fn row_first(&self, key: &[u32]) -> u32 {
        key.last().copied().unwrap_or(0)
    }

    /// Calls `visit` with the ranks of the positions in which the heap at place `i` of the sorted `heaps` is
    /// lowered by 1, 2, ..., `by` (at most its size).
    ///
    /// Only two terms of the rank depend on a heap while it keeps its place, so that each rank costs one
    /// look-up; where the lowered heap passes its left neighbour, the two change places and the sum is taken
    /// anew.
    #[inline]
    pub fn for_each_lowered(&self, heaps: &[u32], i: usize, by: u32, mut visit: impl FnMut(u64)) {
        let k = self.heaps;
        debug_assert!(heaps.len() == k && heaps.is_sorted() && by <= heaps[i]);
        let mut moved = [0u32; MAX_HEAPS];
        let moved = &mut moved[..k];
        moved.copy_from_slice(heaps);
        let mut place = i;
        let mut heap = heaps[i];
        let lowest = heap - by;
        while heap > lowest {
            // The places that `heap` can fall to without passing its left neighbour.
            let floor = if place == 0 { lowest } else { lowest.max(moved[place - 1]) };
            if heap > floor {
                let (mine, next) = (&self.below[k - place - 1], self.below.get((k - place).wrapping_sub(2)));
                let term = |v: u32| next.map_or(0, |next| next[v as usize]).wrapping_sub(mine[v as usize]);
                moved[place] = heap;
                let base = self.rank_sorted(moved).wrapping_sub(term(heap));
                for v in (floor..heap).rev() {
                    visit(base.wrapping_add(term(v)));
                }
                heap = floor;
            }
            if heap > lowest {
                moved[place] = moved[place - 1];
                place -= 1;
            }
        }
    }

    /// Calls `visit` with every sorted key in the order of the index.
    pub fn for_each_key(&self, mut visit: impl FnMut(&[u32])) {
        let mut key = vec![0u32; self.heaps - 1];
        loop {
            visit(&key);
            // The rightmost entry that can grow; those after it restart at its new value.
            let Some(i) = key.iter().rposition(|&heap| heap < self.max) else { return };
            let grown = key[i] + 1;
            if i == 0 && grown > self.smallest {
                return;
            }
            key[i..].fill(grown);
        }
    }
}

impl Space for SortedHeaps {
    type Position = [u32];

    fn len(&self) -> u64 {
        self.sequences_from(self.heaps, 0) - self.sequences_from(self.heaps, self.smallest + 1)
    }

    #[inline]
    fn rank(&self, heaps: &[u32]) -> u64 {
        if heaps.is_sorted() {
            return self.rank_sorted(heaps);
        }
        let mut sorted = [0u32; MAX_HEAPS];
        let sorted = &mut sorted[..heaps.len()];
        sorted.copy_from_slice(heaps);
        sorted.sort_unstable();
        self.rank_sorted(sorted)
    }

    /// In a space of single heaps an option of several heaps, which a move has split, is their sum.
    #[inline]
    fn entry_of(&self, heaps: &[u32], mut entry: impl FnMut(u64) -> u16) -> u16 {
        if self.heaps == 1 {
            return heaps.iter().fold(0, |sum, &heap| sum ^ entry(u64::from(heap)));
        }
        entry(self.rank(heaps))
    }

    fn unrank_into(&self, mut index: u64, heaps: &mut Vec<u32>) {
        debug_assert!(index < self.len());
        heaps.clear();
        let mut previous = 0;
        for column in self.below.iter().rev() {
            // The largest entry v with B_m(previous) - B_m(v) <= index; where B_m stays, it is the last that
            // counts.
            let least = column[previous as usize] - index;
            let v =
                previous as usize + column[previous as usize..].partition_point(|&count| count >= least) - 1;
            index -= column[previous as usize] - column[v];
            previous = v as u32;
            heaps.push(previous);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_slice_holds_the_positions_with_a_small_heap_at_the_ranks_of_the_whole() {
        for (heaps, max) in [(2, 9), (3, 6), (5, 4)] {
            let whole = SortedHeaps::new(heaps, max).unwrap();
            for smallest in 0..=max + 1 {
                let slice = whole.clone().slice(smallest);
                let (mut position, mut held) = (Vec::new(), 0);
                for index in 0..whole.len() {
                    whole.unrank_into(index, &mut position);
                    assert_eq!(slice.is_in_slice(&position), index < slice.len());
                    assert_eq!(slice.rank(&position), index);
                    held += u64::from(position[0] <= smallest);
                }
                assert_eq!(slice.len(), held);
                assert_eq!(SortedHeaps::count_slice(heaps, max, smallest), Some(held));
                let mut rows = 0;
                slice.for_each_key(|key| rows += u64::from(max - slice.row_first(key)) + 1);
                assert_eq!(rows, held);
            }
        }
        let single = SortedHeaps::new(1, 9).unwrap().slice(2);
        assert!(single.len() == 10 && !single.is_slice());
    }

    #[test]
    fn small_spaces_are_bijections_in_lexicographic_order() {
        for heaps in 1..=5 {
            for max in 1..=9 {
                let space = SortedHeaps::new(heaps, max).unwrap();
                let mut position = Vec::new();
                let mut previous: Option<Vec<u32>> = None;
                for index in 0..space.len() {
                    space.unrank_into(index, &mut position);
                    assert!(position.is_sorted() && position.len() == heaps && position[heaps - 1] <= max);
                    assert!(previous.is_none_or(|p| p < position));
                    assert_eq!(space.rank(&position), index);
                    previous = Some(position.clone());
                }
                assert_eq!(SortedHeaps::count(heaps, max), Some(space.len()));
            }
        }
    }

    #[test]
    fn shards_number_their_rows_in_the_order_of_the_whole() {
        for (heaps, max, cut) in [(2, 9, 4), (3, 8, 5), (4, 7, 3), (5, 6, 6)] {
            let whole = SortedHeaps::new(heaps, max).unwrap();
            for range in [0..=cut - 1, cut..=cut, cut..=max] {
                let shard = SortedHeaps::shard(heaps, max, range.clone()).unwrap();
                let (mut position, mut back, mut next) = (Vec::new(), Vec::new(), 0);
                for index in 0..whole.len() {
                    whole.unrank_into(index, &mut position);
                    if range.contains(&position[heaps - 2]) {
                        assert_eq!(shard.rank(&position), next);
                        let row = u64::from(position[heaps - 1] - position[heaps - 2]);
                        assert_eq!(shard.row_start(&position[..heaps - 1]) + row, next);
                        shard.unrank_into(next, &mut back);
                        assert_eq!(back, position);
                        next += 1;
                    }
                }
                assert_eq!(shard.len(), next);
                let ends = SortedHeaps::with_last(heaps - 1, max, range.clone()).unwrap();
                let mut keys = 0;
                whole.for_each_key(|key| {
                    if range.contains(&key[heaps - 2]) {
                        assert_eq!(ends.rank(key), keys);
                        ends.unrank_into(keys, &mut back);
                        assert_eq!(back, key);
                        keys += 1;
                    }
                });
                assert_eq!(ends.len(), keys);
            }
        }
    }

    #[test]
    fn rows_follow_each_other_without_a_gap() {
        for heaps in 1..=4 {
            let space = SortedHeaps::new(heaps, 7).unwrap();
            let mut next = 0;
            space.for_each_key(|key| {
                assert_eq!(space.row_start(key), next);
                next += u64::from(space.max() - space.row_first(key)) + 1;
            });
            assert_eq!(next, space.len());
        }
    }

    #[test]
    fn lowered_ranks_are_the_ranks_of_the_lowered_positions() {
        for heaps in 1..=5 {
            let space = SortedHeaps::new(heaps, 6).unwrap();
            let mut position = Vec::new();
            for index in 0..space.len() {
                space.unrank_into(index, &mut position);
                for i in 0..heaps {
                    let mut expected = Vec::new();
                    for by in 1..=position[i] {
                        let mut lowered = position.clone();
                        lowered[i] -= by;
                        expected.push(space.rank(&lowered));
                        let mut found = Vec::new();
                        space.for_each_lowered(&position, i, by, |rank| found.push(rank));
                        assert_eq!(found, expected, "{position:?} at {i}");
                    }
                }
            }
        }
    }

    #[test]
    fn spaces_beyond_the_index_range_are_refused() {
        assert!(SortedHeaps::new(8, 4000).is_err());
        assert!(SortedHeaps::new(16, u32::MAX).is_err());
        assert!(SortedHeaps::new(0, 5).is_err());
        assert!(SortedHeaps::new(17, 5).is_err());
        assert!(SortedHeaps::new(3, 0).is_err());
        assert_eq!(SortedHeaps::count(2, u32::MAX), Some((1 << 63) + (1 << 31)).filter(|&c| c <= 1 << 63));
    }

    proptest! {
        #[test]
        fn unrank_inverts_rank(heaps in 1usize..=8, max in 1u32..=150, seed in any::<u64>(), shuffle in any::<u64>()) {
            let space = SortedHeaps::new(heaps, max).unwrap();
            let index = seed % space.len();
            let mut position = Vec::new();
            space.unrank_into(index, &mut position);
            prop_assert_eq!(space.rank(&position), index);
            let by = (shuffle % heaps as u64) as usize;
            position.rotate_left(by);
            prop_assert_eq!(space.rank(&position), index);
        }
    }
}
