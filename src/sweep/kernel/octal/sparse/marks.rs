//! Excluding values by marks: the way for games with many rare heaps and many values, where a bit row has so few bits that
//! OR-ing rows moves mostly zeros.
//!
//! For a run of sixteen heaps n and a rare heap r the options G(n − i − r) XOR G(r) are sixteen neighbours of the
//! sequence XOR-ed with one value; each is marked in the table of its heap, one byte a value. About one load and one
//! store an option, and the runs of a narrow block are independent, so all threads share them.

use super::super::bits::NARROW;
use super::{Rare, Shared};
use rayon::prelude::*;

/// The heaps of a run: their tables should fit into the first-level cache.
const RUN: usize = 16;

/// A heap that is paired with all others: its value, and its size plus what the move takes.
#[derive(Debug, Clone, Copy)]
struct Partner {
    offset: u32,
    value: u16,
}

impl Shared {
    /// Finds, for the heaps of the narrow block at `start`, the values of options with both parts before `start`
    /// and one part rare, or among the first `cover` cover partners: as one set a heap, in `sets`.
    pub(super) fn mark_options(
        &self,
        values: &[u16],
        pending: &[Rare],
        cover: usize,
        start: usize,
        sets: &mut [u64],
    ) {
        let last = self.rares.last().map_or(0, |rare| rare.heap);
        let rares = self.rares.iter().chain(pending.iter().filter(|rare| rare.heap > last));
        let cover = &self.plan.partners[..cover.min(self.plan.partners.len())];
        let heaps = rares.map(|rare| rare.heap).chain(cover.iter().map(|&heap| heap as usize));
        let partners: Vec<Partner> = heaps
            .flat_map(|heap| {
                self.moves
                    .splits
                    .iter()
                    .map(move |&i| Partner { offset: (heap + i) as u32, value: values[heap] })
            })
            .collect();
        let words = self.classes.set_words();
        let bits = self.classes.split.bits;
        let run = |(run, sets): (usize, &mut [u64])| {
            let mut table = vec![0u8; RUN << bits];
            let work = Work { values, start, first: start + run * RUN, partners: &partners };
            match bits {
                ..=6 => work.run::<6>(&mut table),
                7 => work.run::<7>(&mut table),
                8 => work.run::<8>(&mut table),
                9 => work.run::<9>(&mut table),
                10 => work.run::<10>(&mut table),
                11 => work.run::<11>(&mut table),
                12 => work.run::<12>(&mut table),
                13 => work.run::<13>(&mut table),
                14 => work.run::<14>(&mut table),
                15 => work.run::<15>(&mut table),
                _ => work.run::<16>(&mut table),
            }
            for (table, set) in table.chunks_exact(1 << bits).zip(sets.chunks_exact_mut(words)) {
                for (word, bytes) in set.iter_mut().zip(table.as_chunks::<64>().0) {
                    *word = bits_of(bytes);
                }
            }
        };
        debug_assert_eq!(sets.len(), NARROW * words);
        if self.threads > 1 {
            sets.par_chunks_mut(RUN * words).enumerate().for_each(run);
        } else {
            sets.chunks_mut(RUN * words).enumerate().for_each(run);
        }
    }
}

/// Packs 64 bytes of 0 or 1 into a word.
fn bits_of(bytes: &[u8; 64]) -> u64 {
    let parts = bytes.as_chunks::<8>().0.iter().enumerate();
    parts.fold(0, |word, (k, part)| {
        // The factor moves byte j to bit 56 + j; no two bytes meet in the top byte.
        word | (u64::from_le_bytes(*part).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * k)
    })
}

/// The marks of one run of heaps.
struct Work<'a> {
    values: &'a [u16],
    start: usize,
    first: usize,
    partners: &'a [Partner],
}

impl Work<'_> {
    /// Marks, for the heaps first..first + RUN, the XOR of each partner's value and the value of the heap
    /// `offset` below, where that heap is known (before `start`) and not empty.
    fn run<const BITS: usize>(&self, table: &mut [u8]) {
        let Self { values, start, first, partners } = *self;
        assert!(table.len() == RUN << BITS);
        for &Partner { offset, value } in partners {
            let offset = offset as usize;
            if offset < first && first + RUN - offset <= start {
                let others = &values[first - offset..first - offset + RUN];
                for (lane, &other) in others.iter().enumerate() {
                    let option = (u32::from(other) ^ u32::from(value)) as usize;
                    debug_assert!(option >> BITS == 0);
                    // SAFETY: all values of the sequence so far are below 2^BITS, so their XOR is, and the
                    // table has RUN times 2^BITS entries.
                    unsafe { *table.get_unchecked_mut((lane << BITS) + option) = 1 };
                }
            } else {
                let lanes =
                    (offset + 1).saturating_sub(first)..(start + offset).saturating_sub(first).min(RUN);
                for lane in lanes {
                    table[(lane << BITS) + usize::from(values[first + lane - offset] ^ value)] = 1;
                }
            }
        }
    }
}
