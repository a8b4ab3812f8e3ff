//! Excluding values by marks: the way for games with many rare heaps and many values, where a bit row has so
//! few bits that OR-ing rows moves mostly zeros.
//!
//! For a run of heaps n and a rare heap r the options G(n − i − r) XOR G(r) are neighbours of the sequence
//! XOR-ed with one value. Some of the rare heaps are *marked*: each option is marked in the table of its
//! heap, one byte per value, for one load and one store per option. That leaves each heap few *candidates*,
//! common values without a mark. The other rare heaps are *scanned*: their options are only compared with the
//! first candidates of their heaps, 32 options in a few instructions ([`super::scan`]). Then the first candidate
//! that was not hit is the least common value that is not an option; a heap without one goes through all pairs
//! of heaps, and so do the few smaller rare values without a mark ([`super::open`]).
//!
//! The runs of a narrow block are independent, so all threads share them, and with them the searches for rare
//! values. What then is left, heap by heap, is for one thread; the others meanwhile make most of the marks of
//! the next block ([`MarksAhead`]).

use super::super::bits::NARROW;
use super::super::planes::Planes;
use super::Shared;
use super::classes::Rare;
use super::current::{HeapSets, NONE};
use super::partners::{Balance, Effort, Partner, Partners};
use rayon::prelude::*;
use std::ops::Range;

/// The heaps of a run.
pub(super) const RUN: usize = 32;

/// Marks that are made ahead, from the values before the block that is in work.
#[derive(Default)]
pub(super) struct MarksAhead {
    /// The narrow block for which they are.
    start: Option<usize>,
    /// The known values: a copy, since the sequence is being written to.
    values: Vec<u16>,
    partners: Partners,
    excluded: Vec<u64>,
}

impl MarksAhead {
    /// Takes the values that are known when the block at `start` begins.
    pub fn prepare(&mut self, values: &[u16], start: usize) {
        self.start = None;
        self.values.truncate(start);
        self.values.extend_from_slice(&values[self.values.len()..start]);
    }
}

/// A run of heaps and what is found of them.
pub(super) struct HeapRun<'a> {
    pub first: usize,
    pub excluded: &'a mut [u64],
    pub covered: &'a mut [u64],
    pub horizon: &'a mut [u32],
    pub failed: &'a mut [u32],
}

/// What the runs of a narrow block share.
pub(super) struct NarrowBlock<'a> {
    pub shared: &'a Shared,
    pub planes: &'a Planes,
    /// The values before `start`; no run reads others.
    pub values: &'a [u16],
    pub start: usize,
    /// The heaps whose values are wanted.
    pub wanted: Range<usize>,
    pub partners: &'a Partners,
    /// Nothing is scanned.
    pub by_search: bool,
}

impl Shared {
    /// Makes the early marks of the narrow block at `start`, while the block before is in work.
    pub(super) fn mark_ahead(
        &self,
        pending: &[Rare],
        balance: Balance,
        start: usize,
        ahead: &mut MarksAhead,
    ) {
        let MarksAhead { start: for_block, values, partners, excluded } = ahead;
        *for_block = Some(start);
        self.take_partners(values, pending, balance, start, partners);
        let words = RUN * self.classes.set_words();
        excluded.resize(NARROW * self.classes.set_words(), 0);
        let runs = excluded.par_chunks_exact_mut(words).enumerate().with_max_len(1);
        runs.for_each(|(k, sets)| self.mark(&partners.early, values, start + k * RUN, sets));
    }

    /// Finds, for the heaps of the narrow block at `start`, what follows from pairs of heaps before `start`.
    pub(super) fn mark_options(
        &self,
        values: &[u16],
        pending: &[Rare],
        (balance, planes): (Balance, &Planes),
        (start, wanted): (usize, Range<usize>),
        (ahead, partners): (&mut MarksAhead, &mut Partners),
        sets: &mut HeapSets,
    ) -> Effort {
        let values = &values[..start];
        let is_marked = ahead.start.take() == Some(start);
        if is_marked {
            std::mem::swap(&mut ahead.excluded, &mut sets.excluded);
            std::mem::swap(&mut ahead.partners, partners);
            self.add_partners(values, pending, partners);
        } else {
            self.take_partners(values, pending, balance, start, partners);
        }
        let block = NarrowBlock {
            shared: self,
            planes,
            values,
            start,
            wanted,
            partners,
            by_search: balance.by_search,
        };
        let fill = |mut run: HeapRun| {
            if is_marked {
                let mut late = vec![0; run.excluded.len()];
                self.mark(&block.partners.late, values, run.first, &mut late);
                run.excluded.iter_mut().zip(late).for_each(|(excluded, late)| *excluded |= late);
            } else {
                self.mark(&block.partners.early, values, run.first, run.excluded);
            }
            block.fill(&mut run)
        };
        let runs = sets.runs(start, self.classes.set_words());
        if self.threads > 1 {
            runs.into_par_iter().with_max_len(1).map(fill).reduce(Effort::default, Effort::plus)
        } else {
            runs.into_iter().map(fill).fold(Effort::default(), Effort::plus)
        }
    }

    /// Finds, for a run of heaps, what follows from the partners and the known values.
    fn mark(&self, partners: &[Partner], values: &[u16], first: usize, sets: &mut [u64]) {
        let (words, bits) = (self.classes.set_words(), self.classes.split.bits);
        let heaps = tables_of(bits);
        let mut tables = vec![0u8; heaps << bits];
        for (k, sets) in sets.chunks_exact_mut(heaps * words).enumerate() {
            tables.fill(0);
            mark_heaps(bits, partners, values, first + k * heaps, &mut tables);
            for (table, set) in tables.chunks_exact(1 << bits).zip(sets.chunks_exact_mut(words)) {
                for (word, bytes) in set.iter_mut().zip(table.as_chunks::<64>().0) {
                    *word = bits_of(bytes);
                }
            }
        }
    }
}

impl HeapSets {
    /// The runs of the narrow block at `start`.
    fn runs(&mut self, start: usize, set_words: usize) -> Vec<HeapRun<'_>> {
        let words = RUN * set_words;
        let excluded = self.excluded.chunks_exact_mut(words);
        let covered = self.covered.chunks_exact_mut(words);
        let horizon = self.horizon.chunks_exact_mut(RUN);
        let failed = self.failed.chunks_exact_mut(RUN);
        let sets = excluded.zip(covered).zip(horizon.zip(failed));
        let run = |(first, ((excluded, covered), (horizon, failed)))| HeapRun {
            first,
            excluded,
            covered,
            horizon,
            failed,
        };
        (start..).step_by(RUN).zip(sets).map(run).collect()
    }
}

impl NarrowBlock<'_> {
    /// Finds what is known of the heaps of a run beyond the marks.
    fn fill(&self, run: &mut HeapRun) -> Effort {
        run.covered.copy_from_slice(run.excluded);
        if self.shared.moves.unequal {
            // A rare heap that stands beside itself marked 0, which the move does not give: 0 is searched
            // for.
            run.covered.chunks_exact_mut(self.shared.classes.set_words()).for_each(|set| set[0] &= !1);
        }
        run.horizon.fill(self.shared.classes.indices() as u32);
        run.failed.fill(NONE);
        let open = if self.by_search { self.search_common(run) } else { self.scan(run) };
        let first = run.first;
        let wanted = (0..RUN).filter(|lane| self.wanted.contains(&(first + lane)));
        let found = wanted.map(|lane| self.search_rare(run, lane)).sum();
        Effort { found, open }
    }
}

/// The heaps whose tables are filled together: they should fit into the first-level cache.
const fn tables_of(bits: u32) -> usize {
    match bits {
        ..=11 => 16,
        12 => 8,
        _ => 4,
    }
}

/// Marks, for as many heaps from `first` on as there are `tables`, the XOR of each partner's value and the value of the heap
/// `offset` below, where that heap is known and not empty.
fn mark_heaps(bits: u32, partners: &[Partner], values: &[u16], first: usize, tables: &mut [u8]) {
    match bits {
        ..=6 => mark_values::<6, { tables_of(6) }>(partners, values, first, tables),
        7 => mark_values::<7, { tables_of(7) }>(partners, values, first, tables),
        8 => mark_values::<8, { tables_of(8) }>(partners, values, first, tables),
        9 => mark_values::<9, { tables_of(9) }>(partners, values, first, tables),
        10 => mark_values::<10, { tables_of(10) }>(partners, values, first, tables),
        11 => mark_values::<11, { tables_of(11) }>(partners, values, first, tables),
        12 => mark_values::<12, { tables_of(12) }>(partners, values, first, tables),
        13 => mark_values::<13, { tables_of(13) }>(partners, values, first, tables),
        14 => mark_values::<14, { tables_of(14) }>(partners, values, first, tables),
        15 => mark_values::<15, { tables_of(15) }>(partners, values, first, tables),
        _ => mark_values::<16, { tables_of(16) }>(partners, values, first, tables),
    }
}

fn mark_values<const BITS: usize, const TABLES: usize>(
    partners: &[Partner],
    values: &[u16],
    first: usize,
    tables: &mut [u8],
) {
    assert!(tables.len() == TABLES << BITS);
    let start = values.len();
    // All values of the sequence are below 2^BITS, unless the caller has changed them; with the mask an index
    // is in the tables whatever they are, and the compiler sees it.
    let mask = (1u32 << BITS) - 1;
    for &Partner { offset, value } in partners {
        let offset = offset as usize;
        if offset < first && first + TABLES - offset <= start {
            let others = &values[first - offset..first - offset + TABLES];
            for (lane, &other) in others.iter().enumerate() {
                tables[(lane << BITS) + ((u32::from(other) ^ value) & mask) as usize] = 1;
            }
        } else {
            let lanes =
                (offset + 1).saturating_sub(first)..(start + offset).saturating_sub(first).min(TABLES);
            for lane in lanes {
                let other = u32::from(values[first + lane - offset]);
                tables[(lane << BITS) + ((other ^ value) & mask) as usize] = 1;
            }
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
