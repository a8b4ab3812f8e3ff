//! Which entries a sample takes.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::table::Finished;

/// `count` of `len` entries, other ones in every run: the entries are cut into `count` runs of almost equal
/// length, and one is taken at random from each, so that no entry is taken twice, every region has its share,
/// and as many as there are means all.
pub(super) fn entries_at_random(len: u64, count: u64) -> impl Iterator<Item = u64> {
    let seed = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64);
    let count = count.min(len);
    // Products of two numbers below 2^64 need 128 bits.
    let run_start = move |i: u64| (u128::from(i) * u128::from(len) / u128::from(count)) as u64;
    (0..count).map(move |i| {
        let (first, end) = (run_start(i), run_start(i + 1));
        first + random(seed.wrapping_add(i)) % (end - first)
    })
}

/// The same of the finished entries of a table, where not all are.
pub(super) fn finished_at_random(
    finished: Option<&Finished>,
    len: u64,
    count: u64,
) -> Box<dyn Iterator<Item = u64>> {
    match finished {
        None => Box::new(entries_at_random(len, count)),
        Some(finished) => Box::new(finished.at(entries_at_random(finished.entries, count)).into_iter()),
    }
}

/// The finalizer of SplitMix64: consecutive numbers give independent-looking ones.
fn random(mut state: u64) -> u64 {
    state = state.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    state = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    state = (state ^ state >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ state >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_run_of_the_table_has_one_entry_in_the_sample() {
        for (len, count) in [(1, 1), (10, 3), (10, 10), (10, 99), (1 << 40, 7), (0, 5)] {
            let entries: Vec<u64> = entries_at_random(len, count).collect();
            let count = count.min(len);
            assert_eq!(entries.len() as u64, count);
            assert!(entries.iter().all(|&entry| entry < len) && entries.is_sorted_by(|a, b| a < b));
            assert!(entries.iter().zip(0..).all(|(&entry, i)| entry / len.div_ceil(count) <= i));
        }
    }
}
