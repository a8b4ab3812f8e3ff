//! The cut of a table into shards, and which rank has which.
//!
//! Shard b holds the rows whose key ends with a heap in `cuts[b]..cuts[b + 1]`. The cuts make shards of about
//! equal work and size, and they are dealt in turn: the rows of one wave end with heaps of a long range, so
//! that every rank has some of them as long as a rank has several shards.

use std::ops::{Range, RangeInclusive};

use crate::base::Result;
use crate::space::SortedHeaps;
use crate::table::ShardEntry;
use crate::waves::rows_by_sum;

/// The shards of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    heaps: usize,
    max: u32,
    /// The first heap of each shard, and one more than the largest heap.
    cuts: Vec<u32>,
}

/// Shards per rank, where nobody chose: fewer leave ranks without work in
/// some waves, more make the halo larger.
pub const SHARDS_PER_RANK: usize = 4;

impl Plan {
    /// At most `shards` shards of about equal work and size; one for tables of one or two
    /// heaps, whose waves are single rows.
    pub fn new(heaps: usize, max: u32, shards: usize) -> Self {
        if heaps < 3 {
            return Self { heaps, max, cuts: vec![0, max + 1] };
        }
        // Rows that end with u: sorted sequences of k - 2 heaps up to u. Their smallest heap
        // is u / (k - 1) on average, and so many marks are made for each cell in addition to
        // what every cell and every row costs.
        let mut rows = 1.0;
        let (mut work, mut entries) = (vec![0.0], vec![0.0]);
        for u in 0..=max {
            let (u, k) = (f64::from(u), heaps as f64);
            let cells = f64::from(max) - u + 1.0;
            work.push(work[work.len() - 1] + rows * (cells * (25.0 + 8.0 * u / (k - 1.0)) + 300.0));
            entries.push(entries[entries.len() - 1] + rows * cells);
            rows *= (u + k - 1.0) / (u + 1.0);
        }
        // Half by work, half by entries, so that no rank has much more than its share of either.
        let share = |sums: &[f64], i: usize| sums[i] / sums[sums.len() - 1];
        let until: Vec<f64> = (0..work.len()).map(|i| share(&work, i) + share(&entries, i)).collect();
        let total = 2.0;
        let mut cuts = vec![0];
        for shard in 1..shards {
            let target = total * shard as f64 / shards as f64;
            let cut = until.partition_point(|&work| work < target) as u32;
            if cut > cuts[cuts.len() - 1] && cut <= max {
                cuts.push(cut);
            }
        }
        cuts.push(max + 1);
        Self { heaps, max, cuts }
    }

    /// The plan of these shards, where they follow each other without a gap.
    pub fn of_entries(heaps: usize, max: u32, entries: &[ShardEntry]) -> Option<Self> {
        let mut cuts = vec![0];
        for &ShardEntry { first, last, .. } in entries {
            if first != cuts[cuts.len() - 1] || last < first || last > max {
                return None;
            }
            cuts.push(last + 1);
        }
        (cuts[cuts.len() - 1] == max + 1).then_some(Self { heaps, max, cuts })
    }

    /// The number of heaps.
    pub fn heaps(&self) -> usize {
        self.heaps
    }

    /// The largest heap.
    pub fn max(&self) -> u32 {
        self.max
    }

    /// The number of shards.
    pub fn shards(&self) -> usize {
        self.cuts.len() - 1
    }

    /// The last key heaps of shard `shard`.
    pub fn range(&self, shard: usize) -> RangeInclusive<u32> {
        self.cuts[shard]..=self.cuts[shard + 1] - 1
    }

    /// The shard of the rows whose key ends with `last`.
    pub fn shard_of(&self, last: u32) -> usize {
        self.cuts.partition_point(|&cut| cut <= last) - 1
    }

    /// The rank that has shard `shard`.
    pub fn owner(&self, shard: usize, ranks: usize) -> usize {
        shard % ranks
    }

    /// The shards of `rank`.
    pub fn own(&self, rank: usize, ranks: usize) -> impl Iterator<Item = usize> {
        (rank..self.shards()).step_by(ranks)
    }

    /// The space of shard `shard`.
    pub fn space(&self, shard: usize) -> Result<SortedHeaps> {
        if self.heaps == 1 {
            return SortedHeaps::new(1, self.max);
        }
        SortedHeaps::shard(self.heaps, self.max, self.range(shard))
    }

    /// For each sum of the key without its last heap: the rows of the halo of shard `shard` that come
    /// together, each with one cell for every x from the first heap of the shard on.
    pub fn halo_rows(&self, shard: usize) -> Vec<u64> {
        let (n, least) = (self.heaps.saturating_sub(2), self.cuts[shard]);
        let mut rows = vec![0u64; n * self.max as usize + 1];
        if n == 0 || least == 0 {
            return rows;
        }
        rows[0] = u64::from(least);
        // After `zeros` absent heaps comes `a`, which m is, and then heaps in a..least.
        for zeros in 0..n {
            for a in 1..least {
                let behind = rows_by_sum(n - zeros - 1, least - 1 - a);
                for (sum, count) in behind.iter().enumerate() {
                    rows[a as usize * (n - zeros) + sum] += u64::from(a) * count;
                }
            }
        }
        rows
    }

    /// The largest number of cells that the halo of shard `shard` holds at a time,
    /// and the number that it gets in all.
    pub fn halo_cells(&self, shard: usize) -> (u64, u64) {
        let Range { start, end } = self.cuts[shard]..self.cuts[shard + 1];
        let length = u64::from(self.max - start) + 1;
        let rows = self.halo_rows(shard);
        let width = (end - start) as usize;
        let mut live = 0u64;
        let mut most = 0;
        for (sum, &count) in rows.iter().enumerate() {
            live += count;
            if sum >= width {
                live -= rows[sum - width];
            }
            most = most.max(live);
        }
        (most * length, rows.iter().sum::<u64>() * length)
    }
}

#[cfg(test)]
mod tests {
    use super::super::halo::for_each_prefix;
    use super::*;
    use crate::space::Space;

    #[test]
    fn shards_are_the_whole_table() {
        for (heaps, max, shards) in [(3, 40, 6), (4, 30, 8), (5, 12, 40), (2, 30, 4), (1, 9, 3)] {
            let plan = Plan::new(heaps, max, shards);
            let entries: u64 = (0..plan.shards()).map(|shard| plan.space(shard).unwrap().len()).sum();
            assert_eq!(entries, SortedHeaps::new(heaps, max).unwrap().len());
            assert!((0..=max).all(|last| plan.range(plan.shard_of(last)).contains(&last)));
            assert_eq!(plan.shards(), if heaps < 3 { 1 } else { plan.shards().min(shards) });
            let entries: Vec<_> = (0..plan.shards()).map(|s| ShardEntry::new(s, plan.range(s), 0)).collect();
            assert_eq!(Plan::of_entries(heaps, max, &entries), Some(plan));
            assert_eq!(Plan::of_entries(heaps, max, &entries[1..]), None);
        }
    }

    #[test]
    fn the_halo_is_counted_as_it_is_filled() {
        for (heaps, max, shards) in [(3, 20, 4), (4, 14, 5), (5, 9, 3)] {
            let plan = Plan::new(heaps, max, shards);
            for shard in 1..plan.shards() {
                let least = *plan.range(shard).start();
                for (sum, &expected) in plan.halo_rows(shard).iter().enumerate() {
                    let mut rows = 0;
                    for_each_prefix(heaps, sum as u64, least, |_, lasts| rows += lasts.len() as u64);
                    assert_eq!(rows, expected, "{heaps} heaps of at most {max}, shard {shard}, sum {sum}");
                }
            }
        }
    }
}
