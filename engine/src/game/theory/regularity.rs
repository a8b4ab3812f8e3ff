//! What the first values of a nim-sequence prove about all of it, by the theorem that covers its game.

use super::guy_smith::{self, Drift, Period};
use super::{endless, hexadecimal};
use crate::rules::OctalGame;

/// The theorems on nim-sequences, in docs/PROOFS.md.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theorem {
    /// Periods of finite codes whose parts are not asked to differ.
    GuySmith,
    /// Arithmetic periods of codes that leave three heaps.
    Arithmetic,
    /// Endless codes that never split, by a state that recurs.
    Endless,
}

impl Theorem {
    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::GuySmith => "Guy and Smith",
            Self::Arithmetic => "arithmetic periods of finite codes",
            Self::Endless => "endless codes without splits",
        }
    }
}

/// A period or an arithmetic period that is proved: G(n + p) = G(n) + s for all n from the preperiod on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Regularity {
    /// n0, p and s; s is 0 for a period.
    pub drift: Drift,
    /// What proves it.
    pub theorem: Theorem,
}

impl Regularity {
    /// What the values so far prove of `game`.
    pub fn proved<T: Copy + PartialEq + Into<u16>>(game: &OctalGame, values: &[T]) -> Option<Self> {
        if let Some(Period { preperiod, period }) = guy_smith::proved_period(game, values) {
            let drift = Drift { preperiod, period, saltus: 0 };
            return Some(Self { drift, theorem: Theorem::GuySmith });
        }
        if !hexadecimal::covers(game) && !endless::covers(game) {
            return None;
        }
        let values: Vec<u16> = values.iter().map(|&value| value.into()).collect();
        let (proved, theorem) = match game.repeating() {
            0 => (hexadecimal::proved_drift(game, &values), Theorem::Arithmetic),
            _ => (endless::proved_drift(game, &values), Theorem::Endless),
        };
        proved.map(|drift| Self { drift, theorem })
    }

    /// How many of the first values say everything.
    pub fn terms(&self) -> usize {
        self.drift.preperiod + self.drift.period
    }

    /// G(n), from the first [`Self::terms`] values; `None` beyond 2^64.
    pub fn value(&self, values: &[u16], n: u64) -> Option<u64> {
        let Drift { preperiod, period, saltus } = self.drift;
        let beyond = n.saturating_sub(preperiod as u64);
        let (periods, within) = (beyond / period as u64, beyond % period as u64);
        let known = n.min(preperiod as u64 + within);
        u64::from(values[known as usize])
            .checked_add_signed(i64::try_from(periods).ok()?.checked_mul(saltus)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::OctalJob;

    #[test]
    fn each_theorem_has_its_games_and_knows_their_values() {
        for (code, terms, theorem) in [
            ("0.77", 300, Some(Theorem::GuySmith)),
            ("0.F", 300, Some(Theorem::GuySmith)),
            ("0.3F", 300, Some(Theorem::Arithmetic)),
            ("0.28", 300, Some(Theorem::Arithmetic)),
            ("all-but 2,3,7", 300, Some(Theorem::Endless)),
            ("0.[3]", 300, Some(Theorem::Endless)),
            ("0.6", 300, None),
            ("4!.0", 300, None),
            ("0.[7]", 300, None),
        ] {
            let game = OctalGame::read(code).unwrap();
            let table =
                OctalJob::new(game.clone(), 3 * terms).solve(None, &crate::base::Control::silent()).unwrap();
            let values: Vec<u16> = (0..3 * terms).map(|n| table.cells().get(n)).collect();
            let proved = Regularity::proved(&game, &values[..terms as usize]);
            assert_eq!(proved.map(|proved| proved.theorem), theorem, "{code}");
            if let Some(proved) = proved {
                let known = &values[..proved.terms()];
                let all = (0..).zip(&values);
                all.for_each(|(n, &value)| {
                    assert_eq!(proved.value(known, n), Some(value.into()), "{code} {n}")
                });
                let period = proved.drift.period as u64;
                let (far, next) = (1 << 60, (1 << 60) + period);
                let saltus = proved.drift.saltus as u64;
                assert_eq!(proved.value(known, next), proved.value(known, far).map(|value| value + saltus));
            }
        }
    }
}
