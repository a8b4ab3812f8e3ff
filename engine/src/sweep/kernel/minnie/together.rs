//! The rows of wynnie's further moves: the same number from several heaps at once.
//!
//! Let the moved heaps be M and the number s, at most the smallest heap. If the last heap x is not in M, the
//! options are the bits x of one other row, as in minnie. If it is, they are the bits x - s of the row of the
//! lowered key k': that row begins at its own largest heap, so they are one row shifted by some o >= 0 bits,
//! and the options of the first o entries lie in other rows, where x - s is not the last heap any more. These
//! are looked up one by one, and only where no other move has been seen to win.

use super::OrRow;
use crate::rules::Together;
use crate::space::{MAX_HEAPS, SortedHeaps, Space};
use crate::table::{Bits, ones};

/// ORs the options of the row of `position` (whose last heap is the first of the row) that lower several
/// heaps into `row`. Says whether the row is all ones now.
pub(super) fn or_rows(
    space: &SortedHeaps,
    or_row: OrRow,
    together: Together,
    bits: &Bits<'_>,
    position: &[u32],
    row: &mut [u64],
) -> bool {
    let last = position.len() - 1;
    let Some(smallest) = position.iter().position(|&heap| heap > 0) else { return false };
    let present = position.len() - smallest;
    let allowed = |set: u32| match together {
        Together::Two => set.count_ones() == 2,
        Together::Any => set.count_ones() >= 2,
        Together::All => set.count_ones() as usize == present && present >= 2,
    };
    let sets: Vec<u32> =
        (1u32..1 << present).filter(|&set| allowed(set)).map(|set| set << smallest).collect();
    let mut lowered = [0u32; MAX_HEAPS];
    let lowered = &mut lowered[..position.len()];
    for &set in &sets {
        for taken in 1..=position[smallest] {
            lower(position, set, taken, lowered);
            if set >> last & 1 == 0 {
                if or_row.or_into(row, bits, space.rank(lowered)) {
                    return true;
                }
                continue;
            }
            lowered[..last].sort_unstable();
            let first = lowered[..last].last().copied().unwrap_or(0);
            lowered[last] = first;
            // `first + taken` is the last heap whose option begins that row.
            let offset = u64::from(first + taken - position[last]);
            or_shifted(or_row, row, bits, space.rank_sorted(lowered), offset);
        }
    }
    for &set in sets.iter().filter(|&&set| set >> last & 1 == 1) {
        for taken in 1..=position[smallest] {
            lower(position, set, taken, lowered);
            let first = lowered[..last].iter().copied().max().unwrap_or(0);
            let offset = u64::from(first + taken - position[last]).min(64 * row.len() as u64);
            let x = lowered[last];
            for_each_zero(row, offset, |bit| {
                lowered[last] = x + bit as u32;
                bits.get(space.rank(lowered))
            });
        }
    }
    row.iter().all(|&word| word == u64::MAX)
}

/// `position` with `taken` less in every heap of `set`.
fn lower(position: &[u32], set: u32, taken: u32, lowered: &mut [u32]) {
    for (i, heap) in lowered.iter_mut().enumerate() {
        *heap = position[i] - taken * (set >> i & 1);
    }
}

/// ORs the bits of the table from `start` on into those of `row` from `offset` on.
fn or_shifted(or_row: OrRow, row: &mut [u64], bits: &Bits<'_>, start: u64, offset: u64) {
    let (word, low) = ((offset / 64) as usize, offset % 64);
    let length = 64 * row.len() as u64;
    if start >= low && word < row.len() {
        // The word in which the row begins gets bits from before the start, too: those are put back.
        let kept = row[word] & ones(low);
        or_row.or_into(&mut row[word..], bits, start - low);
        row[word] = (row[word] & !ones(low)) | kept;
        return;
    }
    for bit in (offset..length).take_while(|bit| start + bit - offset < bits.len()) {
        row[(bit / 64) as usize] |= u64::from(bits.get(start + bit - offset)) << (bit % 64);
    }
}

/// Sets those of the first `count` bits of `row` that are 0 and for which `is_one` holds.
fn for_each_zero(row: &mut [u64], count: u64, mut is_one: impl FnMut(u64) -> bool) {
    for (i, word) in row.iter_mut().enumerate().take(count.div_ceil(64) as usize) {
        let base = 64 * i as u64;
        let mut zeros = !*word & ones((count - base).min(64));
        while zeros != 0 {
            let bit = u64::from(zeros.trailing_zeros());
            zeros &= zeros - 1;
            *word |= u64::from(is_one(base + bit)) << bit;
        }
    }
}
