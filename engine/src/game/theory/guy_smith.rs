//! Periods of nim-sequences, proved.
//!
//! Guy and Smith: let t be the largest take of the code. If G(n + p) = G(n) for all n with
//! n0 ≤ n < 2·n0 + p + t, then G(n + p) = G(n) for all n ≥ n0: of the two parts of any option of a larger
//! heap one is at least n0 + p, so lowering it by p keeps its value, and the options of n + p and of n have
//! the same values. So a period is proved by the values below 2·n0 + 2·p + t. With k parts at most the same
//! holds with k·n0 + (k − 1)·p + t, so that hexadecimal games need the values below 3·n0 + 3·p + t
//! (docs/PROOFS.md, "Codes beyond octal games"). Parts that must be unequal (Grundy's game) and codes without end are not
//! within the theorem.

use serde::Serialize;

use crate::base::numbers::grouped;
use crate::rules::OctalGame;

/// A period that the Guy–Smith theorem proves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Period {
    /// The first heap from which on the sequence is periodic.
    pub preperiod: usize,
    /// The least period.
    pub period: usize,
}

impl Period {
    /// The values that are needed to prove the period of a code whose last index is `last_index`.
    pub fn terms_needed(&self, last_index: usize) -> usize {
        2 * self.preperiod + 2 * self.period + last_index
    }

    /// The values that are needed to prove the period of `game`.
    pub fn terms_needed_for(&self, game: &OctalGame) -> usize {
        let parts = game.most_parts().max(2);
        (self.preperiod + self.period).saturating_mul(parts).saturating_add(game.last_index())
    }
}

/// Whether the theorem speaks about `game`: the parts of a split must not be asked to differ, and the code must
/// have an end.
pub fn covers(game: &OctalGame) -> bool {
    why_not(game).is_none()
}

/// Why the theorem does not speak about `game`.
pub fn why_not(game: &OctalGame) -> Option<&'static str> {
    if game.asks_for_different_parts() {
        return Some("the theorem does not cover games whose parts must differ");
    }
    (game.repeating() > 0).then_some("the theorem does not cover codes without end")
}

/// The period of `game` that its values so far prove, if they do.
pub fn proved_period<T: PartialEq>(game: &OctalGame, values: &[T]) -> Option<Period> {
    if !covers(game) {
        return None;
    }
    let found = period_of_end(values, |period| period.terms_needed_for(game) <= values.len())?;
    // The theorem speaks of heaps from n0 on as parts; heap 0 is not a part of a split, so n0 is at least 1.
    let found = Period { preperiod: found.preperiod.max(1), ..found };
    (found.terms_needed_for(game) <= values.len()).then_some(found)
}

/// A repeating pattern with a drift: G(n + period) = G(n) + saltus as far as the values go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Drift {
    /// The first heap from which on the pattern holds.
    pub preperiod: usize,
    /// The length of the pattern.
    pub period: usize,
    /// What is added in each period.
    pub saltus: i64,
}

impl Drift {
    /// "G(n + 34) = G(n) + 2".
    pub fn equation(&self) -> String {
        let more = match self.saltus {
            0 => String::new(),
            less @ ..0 => format!(" - {}", less.unsigned_abs()),
            more => format!(" + {more}"),
        };
        format!("G(n + {}) = G(n){more}", self.period)
    }

    /// "period 34 from heap 53 on", or what it is with a saltus.
    pub fn describe(&self) -> String {
        match self.saltus {
            0 => format!(
                "period {} from heap {} on",
                grouped(self.period as u64),
                grouped(self.preperiod as u64)
            ),
            _ => format!("{} from heap {} on", self.equation(), grouped(self.preperiod as u64)),
        }
    }
}

/// What the values show over at least half of their length, a period or a drift: an observation, not a proof.
pub fn observed(values: &[u16]) -> Option<Drift> {
    observed_period(values)
        .map(|Period { preperiod, period }| Drift { preperiod, period, saltus: 0 })
        .or_else(|| observed_drift(values))
}

/// The arithmetic periodicity that the values show over at least half of their length: an observation, not a
/// proof.
pub fn observed_drift(values: &[u16]) -> Option<Drift> {
    let differences: Vec<i32> =
        values.windows(2).map(|pair| i32::from(pair[1]) - i32::from(pair[0])).collect();
    let long = |period: Period| 2 * (period.preperiod + period.period) <= differences.len();
    let Period { preperiod, period } = period_of_end(&differences, long)?;
    let saltus = i64::from(values[preperiod + period]) - i64::from(values[preperiod]);
    (saltus != 0).then_some(Drift { preperiod, period, saltus })
}

/// The period that the values show over at least half of their length: an observation, not a proof.
pub fn observed_period(values: &[u16]) -> Option<Period> {
    period_of_end(values, |period| 2 * (period.preperiod + period.period) <= values.len())
}

/// The least p, with the least n0, such that the sequence has period p from n0 to its end and `accept`
/// agrees.
///
/// The Z-function of the reversed sequence gives, for every p, how far back from the end it agrees with
/// itself moved by p.
fn period_of_end<T: PartialEq>(values: &[T], accept: impl Fn(Period) -> bool) -> Option<Period> {
    let length = values.len();
    let at = |k: usize| &values[length - 1 - k];
    // Four bytes each: a longer agreement is noted as 2^32 − 1, and what is noted too short is only compared
    // again.
    let mut agreement = vec![0u32; length];
    let (mut left, mut right) = (0, 0);
    for period in 1..length {
        let mut matched = 0;
        if period < right {
            matched = (agreement[period - left] as usize).min(right - period);
        }
        while period + matched < length && at(matched) == at(period + matched) {
            matched += 1;
        }
        agreement[period] = u32::try_from(matched).unwrap_or(u32::MAX);
        if period + matched > right {
            (left, right) = (period, period + matched);
        }
        let found = Period { preperiod: length - period - matched, period };
        if accept(found) {
            return Some(found);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sequence(game: &OctalGame, terms: usize) -> Vec<u16> {
        let mut values: Vec<u16> = Vec::new();
        for n in 0..terms as u64 {
            let mut seen = vec![false; 2 * terms + 2];
            game.options_of_heap(n, &mut |a, b| {
                seen[usize::from(values[a as usize] ^ values[b as usize])] = true
            });
            values.push(seen.iter().position(|&seen| !seen).unwrap() as u16);
        }
        values
    }

    #[test]
    fn known_periods_are_proved_as_soon_as_the_theorem_allows() {
        for (code, preperiod, period) in
            [("0.77", 71, 12), ("0.07", 53, 34), ("0.137", 52, 34), ("0.45", 498, 20)]
        {
            let game: OctalGame = code.parse().unwrap();
            let expected = Period { preperiod, period };
            let needed = expected.terms_needed(game.last_index());
            let values = sequence(&game, needed + 50);
            assert_eq!(proved_period(&game, &values), Some(expected), "{code}");
            assert_eq!(proved_period(&game, &values[..needed]), Some(expected), "{code}");
            assert_eq!(proved_period(&game, &values[..needed - 1]), None, "{code}");
        }
    }

    #[test]
    fn open_games_have_no_proved_period() {
        let game: OctalGame = "0.6".parse().unwrap();
        assert_eq!(proved_period(&game, &sequence(&game, 2000)), None);
        assert_eq!(proved_period(&OctalGame::grundy(), &sequence(&OctalGame::grundy(), 100)), None);
    }

    #[test]
    fn a_drift_is_seen() {
        let values: Vec<u16> = (0..200).map(|n| n / 7 * 2 + u16::from(n < 20) * 300 + n % 2).collect();
        let drift = observed_drift(&values).unwrap();
        assert_eq!((drift.preperiod, drift.period, drift.saltus), (20, 14, 4));
        assert_eq!(observed_drift(&[1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3]), None);
    }

    proptest! {
        #[test]
        fn periods_of_ends_agree_with_trying_them_all(values in proptest::collection::vec(0u8..2, 0..40)) {
            let long = |p: Period| 2 * p.period <= values.len() - p.preperiod;
            let slow = (1..values.len()).find_map(|period| {
                let agrees = |from: usize| (from..values.len() - period).all(|n| values[n] == values[n + period]);
                let preperiod = (0..=values.len() - period).find(|&from| agrees(from))?;
                Some(Period { preperiod, period }).filter(|&p| long(p))
            });
            prop_assert_eq!(period_of_end(&values, long), slow);
        }
    }
}
