//! Outcomes of minnie by whole rows.
//!
//! Fix the key r = (a1, ..., a(k-1)); the row of r holds the outcomes of r and a last heap x, for x from the
//! largest heap of r to N, one bit each. Let m be the smallest non-empty heap of r. An option that lowers a heap of r
//! is bit x of another row, an option that lowers x is one of the m bits before x. So
//!
//! > P(r, x) holds exactly if no option row has bit x and none of the m bits before x is set:
//!
//! with c = NOT OR of the option rows, take the lowest bit of c, skip the m bits above it, and repeat. The m
//! positions below the row's first one lie in rows of smaller key sum; only the highest P-position among them matters.
//!
//! **Covers.** The first heap a1 can be lowered to every i < a1. Once the rows (i, a2, ..., a(k-1)), i = 0..=j, have
//! been seen to cover every x, every row with the same a2, ..., a(k-1) and a1 > j is all N, with the winning move in
//! hand. The kernel remembers that j, one byte for each (a2, ..., a(k-1)), and such rows then cost one look-up and
//! no write. Nothing is assumed: where no cover was found all options are taken.
//!
//! Cost of a row of n bits: at most m(k-1) passes of n/256 steps of two loads and seven instructions, then a greedy
//! pass that takes 8 bits a step (m <= 8) or one P-position a step; for covered rows one byte load.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use super::{Kernel, OrRow, Simd, TooWide};
use crate::rules::Play;
use crate::space::{MAX_HEAPS, SortedHeaps, Space};
use crate::sweep::halo::{FarRows, Halo, near};
use crate::table::{Bits, Cells, ones};
use crate::waves::{KeySum, RowBlock};

/// Outcomes of minnie by whole rows.
pub struct MinnieOutcomes<'a> {
    waves: &'a KeySum<'a>,
    space: &'a SortedHeaps,
    play: Play,
    or_row: OrRow,
    /// For each key without its first heap: the largest first heap of the rows that cover everything, or 255.
    covered_from: Vec<AtomicU8>,
    /// Numbers the keys without their first heap; `None` where there is only one (two heaps) or none.
    rests: Option<SortedHeaps>,
}

const NOT_COVERED: u8 = u8::MAX;

impl<'a> MinnieOutcomes<'a> {
    /// The kernel for the rows of `waves`.
    pub fn new(waves: &'a KeySum<'a>, play: Play, simd: Simd) -> Self {
        let space = waves.space();
        let rests = (space.heaps() > 2).then(|| {
            SortedHeaps::with_last(space.heaps() - 2, space.max(), space.key_last().clone())
                .expect("smaller than the space itself")
        });
        let count = rests.as_ref().map_or(1, Space::len);
        let covered_from = (0..count).map(|_| AtomicU8::new(NOT_COVERED)).collect();
        Self { waves, space, play, or_row: OrRow::new(simd), covered_from, rests }
    }

    /// The bytes that the kernel keeps beside the table.
    pub fn memory(heaps: usize, max: u32) -> u64 {
        if heaps > 2 { SortedHeaps::count(heaps - 2, max).unwrap_or(u64::MAX) } else { 1 }
    }

    fn rest_of(&self, key: &[u32]) -> &AtomicU8 {
        let rest = self.rests.as_ref().map_or(0, |rests| rests.rank_sorted(&key[1..]));
        &self.covered_from[rest as usize]
    }

    fn fill_block(&self, cells: &Cells<'_>, block: &RowBlock, halo: Option<&Halo>) -> u64 {
        let Cells::Bits(bits) = cells else { panic!("the outcome kernel fills tables of bits") };
        let mut row = Vec::new();
        let mut positions = 0;
        self.waves.for_each_key(block, |key| {
            self.fill_row(bits, key, halo, &mut row);
            positions += u64::from(self.space.max() - self.space.row_first(key)) + 1;
        });
        positions
    }

    fn fill_row(&self, bits: &Bits<'_>, key: &[u32], halo: Option<&Halo>, row: &mut Vec<u64>) {
        let Some(smallest) = key.iter().position(|&heap| heap > 0) else {
            return self.fill_single_heaps(bits);
        };
        let rest = (smallest == 0).then(|| self.rest_of(key));
        if let Some(rest) = rest
            && u32::from(rest.load(Relaxed)) < key[0]
        {
            return;
        }
        let m = key[smallest];
        let first = key[key.len() - 1];
        let length = u64::from(self.space.max() - first) + 1;

        // The heaps of the row's first position: the options of that position that lower a heap of the key are
        // the first bits of the option rows.
        let mut position = [0; MAX_HEAPS];
        let position = &mut position[..=key.len()];
        position[..key.len()].copy_from_slice(key);
        position[key.len()] = first;

        row.clear();
        row.resize(length.div_ceil(64) as usize, 0);
        if length % 64 != 0 {
            // Behind the end everything counts as covered.
            *row.last_mut().expect("a row is not empty") = !ones(length % 64);
        }
        // Rows in which the key's last heap is lowered by more lie in other shards.
        let near = near(self.space, key, m);
        let far = halo.filter(|_| near < m).map(|halo| halo.rows(key));
        if self.or_lowered_first(bits, position, smallest, row, rest, far) {
            return;
        }
        for i in smallest + 1..key.len() {
            if key[i] == key[i - 1] {
                continue;
            }
            let mut full = false;
            let by = if i + 1 == key.len() { near } else { m };
            self.space.for_each_lowered(position, i, by, |start| {
                full = full || self.or_row.or_into(row, bits, start);
            });
            if full {
                return;
            }
        }
        if let Some(far) = far.filter(|_| smallest + 1 < key.len())
            && (near + 1..=m)
                .any(|by| self.or_row.or_into(row, far.bits(), far.start(first - by, first) as u64))
        {
            return;
        }
        row.iter_mut().for_each(|word| *word = !*word);
        let blocked = match self.highest_p_below(bits, position, m, near) {
            0 => far
                .and_then(|far| {
                    (near + 1..=m)
                        .find(|&by| far.bits().get(far.start(first - by, first) as u64))
                        .map(|by| m + 1 - by)
                })
                .unwrap_or(0),
            blocked => blocked,
        };
        greedy(row, m, blocked);
        bits.set_row(self.space.rank_sorted(position), length, row);
    }

    /// ORs the rows in which the smallest heap is lowered, to 0 first: small heaps cover most. Says whether they cover
    /// everything, and remembers it where the smallest heap is the key's first.
    fn or_lowered_first(
        &self,
        bits: &Bits<'_>,
        position: &[u32],
        smallest: usize,
        row: &mut [u64],
        rest: Option<&AtomicU8>,
        far: Option<FarRows<'_>>,
    ) -> bool {
        let mut lowered = [0; MAX_HEAPS];
        let lowered = &mut lowered[..position.len()];
        lowered.copy_from_slice(position);
        for heap in 0..position[smallest] {
            lowered[smallest] = heap;
            // The key's only heap may be lowered to a row of another shard.
            let far = far.filter(|_| smallest + 2 == position.len() && heap < *self.space.key_last().start());
            let full = match far {
                Some(far) => self.or_row.or_into(row, far.bits(), far.start(heap, position[smallest]) as u64),
                None => self.or_row.or_into(row, bits, self.space.rank_sorted(lowered)),
            };
            if full {
                if let (Some(rest), Ok(heap)) = (rest, u8::try_from(heap)) {
                    rest.store(heap, Relaxed);
                }
                return true;
            }
        }
        false
    }

    /// How many bits at the start of the row are ruled out by a P-position before the row: if the last heap lowered by
    /// s <= m is P, then so are none of the positions up to m above it.
    fn highest_p_below(&self, bits: &Bits<'_>, position: &[u32], m: u32, near: u32) -> u32 {
        let (mut by, mut blocked) = (0, 0);
        self.space.for_each_lowered(position, position.len() - 1, near, |index| {
            by += 1;
            if blocked == 0 && bits.get(index) {
                blocked = m + 1 - by;
            }
        });
        blocked
    }

    /// The row of a single heap x, from which everything smaller can be reached.
    fn fill_single_heaps(&self, bits: &Bits<'_>) {
        let p = match self.play {
            Play::Normal => 0,
            Play::Misere => 1,
        };
        bits.set(p);
    }
}

/// Keeps the candidates that are P: the lowest one, then the lowest one more than `m` above it, and so on; the first
/// `blocked` bits are ruled out.
fn greedy(row: &mut [u64], m: u32, blocked: u32) {
    if m <= GREEDY_BYTES_LIMIT { greedy_by_bytes(row, m, blocked) } else { greedy_by_jumps(row, m, blocked) }
}

/// One P-position a step.
fn greedy_by_jumps(row: &mut [u64], m: u32, blocked: u32) {
    let mut next = u64::from(blocked);
    for (i, word) in row.iter_mut().enumerate() {
        let base = 64 * i as u64;
        let mut kept = 0;
        while next < base + 64 {
            let candidates = *word & (u64::MAX << next.saturating_sub(base));
            if candidates == 0 {
                break;
            }
            let bit = u64::from(candidates.trailing_zeros());
            kept |= 1 << bit;
            next = base + bit + u64::from(m) + 1;
        }
        *word = kept;
    }
}

/// The largest m for which the byte tables are kept: then a P-position rules out at most 8 bits.
const GREEDY_BYTES_LIMIT: u32 = 8;

/// For each m, each number of bits still ruled out and each byte of candidates: the byte of P-positions, and the
/// number of bits ruled out afterwards.
type GreedyTable = Vec<[(u8, u8); 256]>;

fn greedy_table(m: u32) -> &'static GreedyTable {
    static TABLES: [OnceLock<GreedyTable>; GREEDY_BYTES_LIMIT as usize + 1] =
        [const { OnceLock::new() }; GREEDY_BYTES_LIMIT as usize + 1];
    TABLES[m as usize].get_or_init(|| {
        let entry = |blocked: u32, candidates: usize| {
            let mut word = [candidates as u64];
            greedy_by_jumps(&mut word, m, blocked);
            let after_last = if word[0] == 0 { 0 } else { 64 - word[0].leading_zeros() + m };
            (word[0] as u8, after_last.max(blocked).saturating_sub(8) as u8)
        };
        (0..=m).map(|blocked| std::array::from_fn(|candidates| entry(blocked, candidates))).collect()
    })
}

/// Eight bits a step.
fn greedy_by_bytes(row: &mut [u64], m: u32, blocked: u32) {
    let table = greedy_table(m);
    let mut state = blocked as u8;
    for word in row {
        let mut bytes = word.to_le_bytes();
        for byte in &mut bytes {
            (*byte, state) = table[state as usize][*byte as usize];
        }
        *word = u64::from_le_bytes(bytes);
    }
}

impl Kernel<RowBlock> for MinnieOutcomes<'_> {
    fn fill(&self, cells: &Cells<'_>, block: &RowBlock) -> Result<u64, TooWide> {
        Ok(self.fill_block(cells, block, None))
    }

    fn fill_beside(&self, cells: &Cells<'_>, block: &RowBlock, halo: &Halo) -> Result<u64, TooWide> {
        Ok(self.fill_block(cells, block, Some(halo)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn both_greedy_passes_keep_the_same_bits(row in proptest::collection::vec(any::<u64>(), 1..6), m in 1u32..=8, blocked in 0u32..=8) {
            let blocked = blocked.min(m);
            let (mut a, mut b) = (row.clone(), row);
            greedy_by_jumps(&mut a, m, blocked);
            greedy_by_bytes(&mut b, m, blocked);
            prop_assert_eq!(a, b);
        }
    }
}
