//! Maximum nim and fractal sequences (Levine), as both documents quote them.
//!
//! A sequence is fractal if it is left unchanged when the first occurrence of every number is removed. Of a
//! finite beginning one can ask that the removal leaves a beginning of the same sequence, and that the first
//! occurrences are 0, 1, 2, ... in order.

use crate::base::mex;
use crate::claims::Counterexample;
use std::collections::BTreeSet;

/// What remains when the first occurrence of each number is removed.
pub(crate) fn without_first_occurrences(sequence: &[u32]) -> Vec<u32> {
    let mut seen = BTreeSet::new();
    sequence.iter().copied().filter(|value| !seen.insert(*value)).collect()
}

/// Whether the beginning of a sequence is the beginning of a fractal one.
pub(crate) fn begins_fractal(sequence: &[u32]) -> bool {
    sequence.starts_with(&without_first_occurrences(sequence))
}

/// The nim-values of heaps `0, 1, ...` in maximum nim with the rule `most`.
pub(crate) fn maximum_nim_values(most: &[u32]) -> Vec<u32> {
    let mut values: Vec<u32> = Vec::new();
    for (n, &most) in most.iter().enumerate() {
        values.push(mex(values[n - (most as usize).min(n)..].iter().copied()));
    }
    values
}

/// Compares, for sequences of `length`, the fractal beginnings with the nim-sequences of all weakly
/// increasing rules. Returns how many there are, or what differs.
pub(crate) fn levine(length: usize) -> Result<usize, Counterexample> {
    let mut nim_sequences = BTreeSet::new();
    let mut rule = vec![0u32; length];
    all_rules(&mut rule, 1, &mut |rule| {
        nim_sequences.insert(maximum_nim_values(rule));
    });
    let mut fractal = BTreeSet::new();
    all_sequences(&mut vec![0; length], 1, 0, &mut |sequence| {
        if begins_fractal(sequence) {
            fractal.insert(sequence.to_vec());
        }
    });
    if let Some(sequence) = nim_sequences.difference(&fractal).next() {
        return Err(Counterexample::new(
            format!("{sequence:?}"),
            "is a nim-sequence of maximum nim and not fractal",
        ));
    }
    if let Some(sequence) = fractal.difference(&nim_sequences).next() {
        return Err(Counterexample::new(
            format!("{sequence:?}"),
            "is fractal, but not a nim-sequence of maximum nim",
        ));
    }
    Ok(fractal.len())
}

/// Every weakly increasing rule with `rule(n) <= n`.
fn all_rules(rule: &mut [u32], n: usize, visit: &mut dyn FnMut(&[u32])) {
    if n == rule.len() {
        return visit(rule);
    }
    for most in rule[n - 1]..=n as u32 {
        rule[n] = most;
        all_rules(rule, n + 1, visit);
    }
}

/// Every sequence that begins with 0 and in which the first occurrences are 0, 1, 2, ... in order.
fn all_sequences(sequence: &mut Vec<u32>, n: usize, largest: u32, visit: &mut dyn FnMut(&[u32])) {
    if n == sequence.len() {
        return visit(sequence);
    }
    for value in 0..=largest + 1 {
        sequence[n] = value;
        all_sequences(sequence, n + 1, largest.max(value), visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_of_the_thesis_is_fractal_and_others_are_not() {
        assert!(begins_fractal(&[0, 0, 1, 0, 2, 1, 3, 0, 4, 2, 5]));
        assert!(!begins_fractal(&[0, 0, 1, 1, 2]));
        assert_eq!(without_first_occurrences(&[0, 1, 2, 1, 0]), [1, 0]);
    }

    #[test]
    fn rules_give_their_sequences() {
        let half: Vec<u32> = (0..8).map(|n| n / 2).collect();
        assert_eq!(maximum_nim_values(&half), [0, 0, 1, 0, 2, 1, 3, 0]);
        let nim: Vec<u32> = (0..5).collect();
        assert_eq!(maximum_nim_values(&nim), [0, 1, 2, 3, 4]);
    }
}
