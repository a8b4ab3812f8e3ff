//! The halo of a shard: the rows of other shards that its rows read.
//!
//! A shard holds the rows whose key ends with a heap w in `least..=greatest`. In minnie a row (p, w), with p
//! the key without its last heap, reads rows of the same w, and the rows (p, u), w - m <= u < w, where m is
//! the smallest heap of p. Those with u >= least are in the shard, and so are all of them where p itself has
//! a heap >= least; the others are the halo. They are needed from the wave in which (p, least) is filled
//! until the wave in which (p, greatest) is, and only their cells from x = least on. So the rows come in
//! *batches*, one for each sum of p, and a batch is dropped `greatest - least + 1` waves after it came.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU64};

use crate::space::SortedHeaps;
use crate::sweep::kernel::{FarRows, RowsElsewhere};
use crate::table::{Bits, Cells};
use crate::waves::for_each_sequence;

/// The rows of other shards that one shard reads.
#[derive(Debug)]
pub struct Halo {
    /// Numbers the keys without their last heap.
    prefixes: SortedHeaps,
    least: u32,
    /// The waves that a batch is kept for.
    width: u64,
    batches: VecDeque<Batch>,
}

/// The rows that come into use in the same wave.
#[derive(Debug)]
pub struct Batch {
    sum: u64,
    /// For each prefix: the number of its first row, and the last heap of that row.
    first: HashMap<u64, (u64, u32)>,
    stride: usize,
    cells: BatchCells,
}

/// The cells of a batch, in the width in which they came.
#[derive(Debug)]
pub enum BatchCells {
    /// Outcomes; each row begins at a word.
    Bits(Vec<AtomicU64>),
    /// Values below 256.
    U8(Vec<AtomicU8>),
    /// Values below 65536.
    U16(Vec<AtomicU16>),
}

/// The rows of a batch of a shard that begins with `least`: the prefixes of the sum,
/// each with the last heaps of its rows.
pub fn for_each_prefix(
    heaps: usize,
    sum: u64,
    least: u32,
    mut visit: impl FnMut(&[u32], std::ops::Range<u32>),
) {
    for_each_sequence(heaps - 2, sum, 0..=least - 1, |prefix| {
        // A key with one heap only can have it lowered to anything.
        let m = prefix.iter().find(|&&heap| heap > 0).map_or(least, |&heap| heap);
        visit(prefix, least - m..least);
    });
}

impl Halo {
    /// The empty halo of the shard `space`. Tables of one or two heaps are one shard, whose halo stays empty.
    pub fn new(space: &SortedHeaps) -> Self {
        let (least, greatest) = (*space.key_last().start(), *space.key_last().end());
        Self {
            prefixes: SortedHeaps::new(space.heaps().saturating_sub(2).max(1), space.max())
                .expect("smaller than the space itself"),
            least,
            width: u64::from(greatest - least) + 1,
            batches: VecDeque::new(),
        }
    }

    /// Adds the batch of a sum, whose rows lie in `cells` one after the other, `stride` cells each, and drops
    /// those that no wave from this one on needs.
    pub fn add(&mut self, heaps: usize, sum: u64, stride: usize, cells: BatchCells) {
        while self.batches.front().is_some_and(|batch| batch.sum + self.width <= sum) {
            self.batches.pop_front();
        }
        let mut first = HashMap::new();
        let mut rows = 0;
        for_each_prefix(heaps, sum, self.least, |prefix, lasts| {
            first.insert(self.prefixes.rank_sorted(prefix), (rows, lasts.start));
            rows += u64::from(lasts.end - lasts.start);
        });
        self.batches.push_back(Batch { sum, first, stride, cells });
    }

    /// The bytes of all batches.
    pub fn bytes(&self) -> u64 {
        self.batches.iter().map(|batch| batch.cells.bytes() + 40 * batch.first.len() as u64).sum()
    }
}

impl RowsElsewhere for Halo {
    #[inline]
    fn far_rows(&self, key: &[u32], most: u32) -> Option<FarRows<'_>> {
        let (&last, prefix) = key.split_last()?;
        // The rows of a prefix with a heap >= least are all in the shard;
        // the first shard has no rows below it.
        let &top = prefix.last()?;
        if top >= self.least || most <= last - self.least {
            return None;
        }
        let sum = prefix.iter().map(|&heap| u64::from(heap)).sum::<u64>();
        let newest = self.batches.back().map_or(0, |batch| batch.sum);
        let found = (newest.checked_sub(sum))
            .and_then(|age| self.batches.len().checked_sub(1 + age as usize))
            .map(|place| &self.batches[place])
            .and_then(|batch| Some((batch, *batch.first.get(&self.prefixes.rank_sorted(prefix))?)));
        let Some((batch, (first, lowest))) = found else {
            panic!("the halo has no rows of {prefix:?}");
        };
        // The nearest of the rows is that of the heap below the shard.
        let row = first as usize + (self.least - 1 - lowest) as usize;
        let in_table = last - self.least;
        Some(FarRows {
            in_table,
            cells: batch.cells.view(),
            nearest: row * batch.stride + in_table as usize,
            stride: batch.stride,
        })
    }
}

impl BatchCells {
    fn view(&self) -> Cells<'_> {
        match self {
            // One word behind the last row is spare.
            Self::Bits(words) => Cells::Bits(Bits::new(words, 64 * (words.len() as u64 - 1))),
            Self::U8(cells) => Cells::U8(cells),
            Self::U16(cells) => Cells::U16(cells),
        }
    }

    fn bytes(&self) -> u64 {
        match self {
            Self::Bits(words) => 8 * words.len() as u64,
            Self::U8(cells) => cells.len() as u64,
            Self::U16(cells) => 2 * cells.len() as u64,
        }
    }
}
