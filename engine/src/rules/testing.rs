//! Helpers for the tests of the rules files.

use std::collections::BTreeMap;

use super::{Play, Rules};

/// The options of `heaps`, each sorted, in order and without repetition.
pub(crate) fn options(rules: &dyn Rules<Position = [u32]>, heaps: &[u32]) -> Vec<Vec<u32>> {
    let mut found = Vec::new();
    rules.options(heaps, &mut |option| {
        let mut sorted = option.to_vec();
        sorted.sort_unstable();
        found.push(sorted);
    });
    found.sort();
    found.dedup();
    found
}

/// The Grundy value of `heaps` by the definition, in normal play.
pub(crate) fn grundy(rules: &dyn Rules<Position = [u32]>, heaps: &[u32]) -> u16 {
    value(rules, Play::Normal, heaps)
}

/// The value of `heaps` by the definition: in misère play the misère Grundy value.
pub(crate) fn value(rules: &dyn Rules<Position = [u32]>, play: Play, heaps: &[u32]) -> u16 {
    fn remembered(
        rules: &dyn Rules<Position = [u32]>,
        play: Play,
        heaps: &[u32],
        known: &mut BTreeMap<Vec<u32>, u16>,
    ) -> u16 {
        if let Some(&value) = known.get(heaps) {
            return value;
        }
        let values: Vec<u16> =
            options(rules, heaps).iter().map(|option| remembered(rules, play, option, known)).collect();
        let value = match values.is_empty() {
            true => play.terminal_value(),
            false => (0..).find(|value| !values.contains(value)).expect("there are finitely many options"),
        };
        known.insert(heaps.to_vec(), value);
        value
    }
    remembered(rules, play, heaps, &mut BTreeMap::new())
}

/// The P-positions of two heaps `a <= b <= max` with `a >= 1`.
pub(crate) fn p_pairs(rules: &dyn Rules<Position = [u32]>, max: u32) -> Vec<[u32; 2]> {
    let mut pairs = Vec::new();
    for a in 1..=max {
        for b in a..=max {
            if grundy(rules, &[a, b]) == 0 {
                pairs.push([a, b]);
            }
        }
    }
    pairs
}
