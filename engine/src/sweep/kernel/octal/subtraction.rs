//! Games without splitting digits: subtraction games.
//!
//! G(n) is a function of the last t values, t being the largest take. So once the last t values have occurred
//! before, p heaps earlier, the sequence repeats with period p for ever, and the rest is copied.

use super::naive::{Moves, Naive, Term, too_large};
use crate::base::Result;

/// A proved period of a subtraction game: G(n + period) = G(n) for all n ≥ preperiod.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Recurrence {
    /// The first heap from which on the sequence is periodic, as far as the recurrence tells.
    pub preperiod: usize,
    pub period: usize,
}

/// Fills `values[known..]`; stops computing as soon as a state has recurred.
pub(crate) fn extend<T: Term>(
    moves: &Moves,
    naive: &mut Naive,
    values: &mut [T],
    known: usize,
) -> Result<()> {
    let to = values.len();
    let state = moves.ones.iter().chain(&moves.whole).copied().max().unwrap_or(0);
    let mut known = known;
    let mut look = (known + 1).max(4 * (state + 1));
    while known < to {
        let stop = look.min(to);
        for n in known..stop {
            values[n] = T::try_from(naive.value(moves, values, n)?).map_err(|_| too_large(n))?;
        }
        known = stop;
        look *= 2;
        if let Some(found) = recurrence(&values[..known], state) {
            // Copying in doubling runs: each run is periodic already.
            while known < to {
                let back = (known - found.preperiod) / found.period * found.period;
                let run = back.min(to - known);
                values.copy_within(known - back..known - back + run, known);
                known += run;
            }
        }
    }
    Ok(())
}

/// The last earlier occurrence of the last `state` values of a subtraction game.
pub(crate) fn recurrence<T: PartialEq>(values: &[T], state: usize) -> Option<Recurrence> {
    let known = values.len();
    // The states must lie behind the heaps that can be taken whole or are too small for a take.
    if known < 2 * state + 2 {
        return None;
    }
    let last = &values[known - state..];
    let start = state + 1 + last_occurrence(&values[state + 1..known - 1], last)?;
    Some(Recurrence { preperiod: start, period: known - state - start })
}

/// The last position of `pattern` in `text` (Knuth–Morris–Pratt from the end).
fn last_occurrence<T: PartialEq>(text: &[T], pattern: &[T]) -> Option<usize> {
    if pattern.is_empty() {
        return Some(text.len());
    }
    let at = |k: usize| &pattern[pattern.len() - 1 - k];
    let mut border = vec![0usize; pattern.len()];
    let mut matched = 0;
    for k in 1..pattern.len() {
        while matched > 0 && at(k) != at(matched) {
            matched = border[matched - 1];
        }
        matched += usize::from(at(k) == at(matched));
        border[k] = matched;
    }
    matched = 0;
    for (position, value) in text.iter().enumerate().rev() {
        while matched > 0 && value != at(matched) {
            matched = border[matched - 1];
        }
        matched += usize::from(value == at(matched));
        if matched == pattern.len() {
            return Some(position);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::OctalGame;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn agrees_with_the_definition(set in proptest::collection::vec(1usize..30, 1..6), cut in 0usize..3000) {
            let game = OctalGame::subtraction(&set).unwrap();
            let expected = super::super::naive_sequence(&game, 3000).unwrap();
            let moves = Moves::new(&game);
            let mut naive = Naive::new();
            let mut values = vec![0; 3000];
            extend(&moves, &mut naive, &mut values[..cut], 0).unwrap();
            extend(&moves, &mut naive, &mut values, cut).unwrap();
            prop_assert_eq!(values, expected);
        }

        #[test]
        fn last_occurrence_agrees_with_windows(text in proptest::collection::vec(0u16..3, 0..60), pattern in proptest::collection::vec(0u16..3, 1..5)) {
            let expected = text.windows(pattern.len()).rposition(|window| window == pattern);
            prop_assert_eq!(last_occurrence(&text, &pattern), expected);
        }
    }
}
