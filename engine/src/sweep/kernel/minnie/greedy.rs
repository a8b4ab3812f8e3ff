//! The last step of a row of outcomes: among the candidates, the P-positions.

use std::sync::OnceLock;

/// Keeps the candidates that are P: the lowest one, then the lowest one more than `m` above it, and so on;
/// the first `blocked` bits are ruled out.
pub(super) fn greedy(row: &mut [u64], m: u32, blocked: u32) {
    Greedy::new(m).keep(row, 64 * row.len(), blocked);
}

/// The same pass for many rows with one `m`.
#[derive(Clone, Copy)]
pub(super) struct Greedy {
    m: u32,
    table: Option<&'static GreedyTable>,
}

impl Greedy {
    /// For rows with smallest heap `m`.
    pub(super) fn new(m: u32) -> Self {
        Self { m, table: (m <= GREEDY_BYTES_LIMIT).then(|| greedy_table(m)) }
    }

    /// Keeps the candidates that are P among the first `length` bits of `row`, which has no others; the first
    /// `blocked <= m` bits are ruled out.
    #[inline]
    pub(super) fn keep(self, row: &mut [u64], length: usize, blocked: u32) {
        match self.table {
            Some(table) => greedy_by_bytes(row, length.div_ceil(8), table, blocked),
            None => greedy_by_jumps(row, self.m, blocked),
        }
    }
}

/// One P-position per step.
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

/// For each m, each number of bits still ruled out and each byte of candidates: the byte of P-positions, and
/// the number of bits ruled out afterwards.
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

/// Eight bits per step.
#[inline]
fn greedy_by_bytes(row: &mut [u64], bytes: usize, table: &GreedyTable, blocked: u32) {
    let mut state = blocked as usize;
    for (word, left) in row.iter_mut().zip((1..=bytes).rev().step_by(8)) {
        let mut kept = 0;
        for shift in (0..8 * left.min(8)).step_by(8) {
            let (byte, after) = table[state][(*word >> shift & 0xff) as usize];
            kept |= u64::from(byte) << shift;
            state = usize::from(after);
        }
        *word = kept;
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
            let (mut a, mut b) = (row.clone(), row.clone());
            greedy_by_jumps(&mut a, m, blocked);
            greedy_by_bytes(&mut b, 8 * row.len(), greedy_table(m), blocked);
            let length = 64 * row.len() - row[row.len() - 1].leading_zeros() as usize;
            let mut c = row;
            Greedy::new(m).keep(&mut c, length, blocked);
            prop_assert_eq!(&a, &c);
            prop_assert_eq!(a, b);
        }
    }
}
