//! Entries against the rules, one by one: for any game.

use rayon::prelude::*;

use super::heap_check::HeapCheck;
use super::{Failure, HeapEntries};
use crate::rules::HeapRules;
use crate::space::Space;
use crate::table::Width;

/// Checks every entry.
pub fn all(check: &HeapCheck<'_>) {
    const CHUNK: u64 = 1 << 14;
    let len = check.entries.len;
    (0..len.div_ceil(CHUNK)).into_par_iter().filter(|&chunk| check.share.has(chunk)).for_each(|chunk| {
        let mut position = Vec::new();
        let range = chunk * CHUNK..len.min((chunk + 1) * CHUNK);
        check.watch.add(range.end - range.start);
        for index in range {
            if check.over() {
                return;
            }
            check.space.unrank_into(index, &mut position);
            check.position(&position);
        }
    });
}

/// Checks `count` entries taken at random: the entries are cut into `count` runs of almost equal length, and one is taken
/// from each, so that no entry is taken twice and as many as there are means all.
pub fn sample(check: &HeapCheck<'_>, count: u64) {
    let seed =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(1, |t| t.as_nanos() as u64);
    let mut position = Vec::new();
    let len = check.entries.len;
    let count = count.min(len);
    let run_start = |i: u64| (u128::from(i) * u128::from(len) / u128::from(count)) as u64;
    for i in (0..count).filter(|&i| check.share.has(i)) {
        if check.over() {
            return;
        }
        check.watch.add(1);
        let (first, end) = (run_start(i), run_start(i + 1));
        let index = first + random(seed.wrapping_add(i)) % (end - first);
        check.space.unrank_into(index, &mut position);
        check.position(&position);
    }
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
