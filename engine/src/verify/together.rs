//! The options of wynnie that lower several heaps alike, for a whole row at once.
//!
//! Heaps of the key that are lowered without the last one lead to another row at the same place. With the last
//! one they lead to another row s places before, as long as the last heap stays the largest. Where it does
//! not, at the first places of a row, the option lies in no row at hand; these places are left open and are
//! decided by the definition, unless an option is found to be P otherwise.

use super::heap_check::HeapCheck;
use crate::rules::Together;

/// Adds to `options` the P options of the row that begins at `position`, in which up to `m` counters are taken
/// from several heaps. Returns how many of the first places have further options.
pub fn add(
    check: &HeapCheck<'_>,
    position: &[u32],
    m: u32,
    length: usize,
    together: Together,
    options: &mut [u64],
) -> usize {
    let last = position.len() - 1;
    let present: Vec<usize> = (0..last).filter(|&i| position[i] > 0).collect();
    let allowed = |size: usize| match together {
        Together::Two => size == 2,
        Together::Any => size >= 2,
        Together::All => size == present.len() + 1,
    };
    let mut open = 0;
    for mask in 1..1u32 << present.len() {
        let size = mask.count_ones() as usize;
        for by in 1..=m {
            let mut lowered = position.to_vec();
            let chosen = present.iter().enumerate().filter(|&(bit, _)| mask >> bit & 1 == 1);
            chosen.for_each(|(_, &heap)| lowered[heap] -= by);
            lowered[..last].sort_unstable();
            if allowed(size) {
                or_row(check, &lowered, length, 0, options);
            }
            if allowed(size + 1) {
                // The last heap must be at least `by` above the largest heap of the key.
                let skip = (lowered[last - 1] + by).saturating_sub(position[last]);
                open = open.max(skip as usize);
                if (skip as usize) < length {
                    lowered[last] = position[last] + skip - by;
                    or_row(check, &lowered, length - skip as usize, skip as usize, options);
                }
            }
        }
    }
    open
}

/// Adds `length` outcomes from the sorted `position` on to those from place `at` on.
fn or_row(check: &HeapCheck<'_>, position: &[u32], length: usize, at: usize, options: &mut [u64]) {
    let (row, start) = check.entries.locate(check.entries.place_of_sorted(position));
    for done in (0..length).step_by(64) {
        let bits = row.outcomes_at(start + done as u64);
        let (word, shift) = ((at + done) / 64, (at + done) % 64);
        options[word] |= bits << shift;
        if shift > 0
            && let Some(next) = options.get_mut(word + 1)
        {
            *next |= bits >> (64 - shift);
        }
    }
}
