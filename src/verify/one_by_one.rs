//! Entries against the rules, one by one: for any game.

use std::sync::OnceLock;

use rayon::prelude::*;

use super::{Failure, HeapEntries, Share, Watch};
use crate::rules::HeapRules;
use crate::space::{SortedHeaps, Space};
use crate::table::Width;

/// Checks every entry.
pub fn all(
    entries: &HeapEntries<'_>,
    rules: &HeapRules,
    space: &SortedHeaps,
    watch: &Watch<'_>,
    share: Share,
) -> Option<Failure> {
    const CHUNK: u64 = 1 << 14;
    let failure = OnceLock::new();
    (0..entries.len.div_ceil(CHUNK)).into_par_iter().for_each(|chunk| {
        if !share.has(chunk) {
            return;
        }
        let mut position = Vec::new();
        let range = chunk * CHUNK..entries.len.min((chunk + 1) * CHUNK);
        watch.add(range.end - range.start);
        for index in range {
            if watch.stopped() || failure.get().is_some() {
                return;
            }
            space.unrank_into(index, &mut position);
            if let Some(found) = check(entries, rules, &position) {
                let _ = failure.set(found);
            }
        }
    });
    failure.into_inner()
}

/// Checks `count` entries taken at random: the entries are cut into `count` runs of almost equal length, and one is taken
/// from each, so that no entry is taken twice and as many as there are means all.
pub fn sample(
    entries: &HeapEntries<'_>,
    rules: &HeapRules,
    space: &SortedHeaps,
    count: u64,
    watch: &Watch<'_>,
    share: Share,
) -> Option<Failure> {
    let seed =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(1, |t| t.as_nanos() as u64);
    let mut position = Vec::new();
    let count = count.min(entries.len);
    let run_start = |i: u64| (u128::from(i) * u128::from(entries.len) / u128::from(count)) as u64;
    (0..count).find_map(|i| {
        if watch.stopped() || !share.has(i) {
            return None;
        }
        watch.add(1);
        let (first, end) = (run_start(i), run_start(i + 1));
        let index = first + random(seed.wrapping_add(i)) % (end - first);
        space.unrank_into(index, &mut position);
        check(entries, rules, &position)
    })
}

/// The finalizer of SplitMix64: consecutive numbers give independent-looking ones.
pub(super) fn random(mut state: u64) -> u64 {
    state = state.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    state = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    state = (state ^ state >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ state >> 31
}

/// Checks one entry by the definition.
pub fn check(entries: &HeapEntries<'_>, rules: &HeapRules, position: &[u32]) -> Option<Failure> {
    let index = entries.place(position);
    if entries.width == Width::Bit {
        let (mut options, mut p_option) = (0u64, None);
        rules.options(position, &mut |option| {
            options += 1;
            if entries.is_p(entries.place(option)) {
                p_option = Some(option.to_vec());
            }
        });
        let expected = if options == 0 { rules.play().terminal_value() == 0 } else { p_option.is_none() };
        return match (entries.is_p(index), expected) {
            (true, false) => Some(format!(
                "{position:?} is marked P, but {}",
                p_option.map_or("it has no move and the player to move wins".into(), |option| format!(
                    "it has the P option {option:?}"
                ))
            )),
            (false, true) => {
                Some(format!("{position:?} is marked N, but none of its {options} options is marked P"))
            }
            _ => None,
        };
    }
    let mut seen = Vec::new();
    rules.options(position, &mut |option| seen.push(entries.value(entries.place(option))));
    let expected = if seen.is_empty() {
        rules.play().terminal_value()
    } else {
        seen.sort_unstable();
        seen.dedup();
        seen.iter().zip(0..).take_while(|(value, place)| **value == *place).count() as u16
    };
    let found = entries.value(index);
    (found != expected).then(|| {
        format!("{position:?} has the value {found}, but the mex of its options' values is {expected}")
    })
}
