//! Statements on a fixed number of heaps for all sizes, decided from the certificates of automata.
//!
//! The brute force of the claims goes to a bound. Where it finds nothing, the statement as a formula of
//! addition is decided about the proved set of P-positions, whose certificate is decided first.

use crate::base::Result;
use crate::claims::{Effort, Finding, Verdict};
use crate::game::Game;
use crate::proof::automata::{Budget, DecidedTheorem, Decision, shipped};
use crate::rules::Play;
use crate::rules::notation::show_heaps;

/// A game on so many heaps about which a theorem comes with the program.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Theorem {
    /// The game by its name, or its rule.
    pub game: &'static str,
    /// Its play.
    pub play: Play,
    /// The heaps of the theorem.
    pub heaps: usize,
}

impl Theorem {
    pub const fn normal(game: &'static str, heaps: usize) -> Self {
        Self { game, play: Play::Normal, heaps }
    }

    pub const fn misere(game: &'static str, heaps: usize) -> Self {
        Self { game, play: Play::Misere, heaps }
    }

    /// Turns "holds" into "proved" if the formula `claim` is true for all sizes.
    pub fn settles(self, finding: Finding, claim: &str, effort: &Effort) -> Finding {
        if finding.verdict != Verdict::Holds {
            return finding;
        }
        match self.decide(claim, effort) {
            Some(Decision::True) => Finding::proved(format!(
                "for all sizes, decided from the automaton of {}{} on {} heaps: `{claim}`; by brute force: {}",
                if self.play == Play::Misere { "misère " } else { "" },
                self.game,
                self.heaps,
                finding.bound
            )),
            Some(Decision::False(position)) => Finding::fails(
                position.map_or("a position beyond the bound".into(), |heaps| show_heaps(&heaps)),
                "the proved automaton contradicts the statement",
                finding.bound,
            ),
            None => finding,
        }
    }

    /// Whether the formula `claim` is true for all sizes.
    pub fn proves(self, claim: &str, effort: &Effort) -> bool {
        self.decide(claim, effort) == Some(Decision::True)
    }

    fn decide(self, claim: &str, effort: &Effort) -> Option<Decision> {
        let stop = || effort.is_over();
        let budget = Budget::within(&effort.control, &stop);
        let decide = || -> Result<Option<Decision>> {
            let game = Game::named(self.game).or_else(|_| Game::written(self.game, &Default::default()))?;
            let game = game.in_play(self.play);
            let known = shipped(&game).find(|known| known.heaps == self.heaps && known.smallest.is_none());
            known
                .map(|known| DecidedTheorem::decided(&game, known, &budget)?.decide(claim, &budget))
                .transpose()
        };
        decide().ok().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_false_statement_is_not_proved() {
        let (theorem, effort) = (Theorem::normal("nim", 2), Effort::default());
        let settled = |claim: &str| theorem.settles(Finding::holds("heaps up to 9"), claim, &effort);
        assert_eq!(settled("P iff a = b").verdict, Verdict::Proved);
        let wrong = settled("P iff a = b and a < 1000");
        assert_eq!(wrong.counterexample.unwrap().position, "[1000,1000]");
        assert!(!theorem.proves("P iff", &effort));
        let failed = Finding::fails("[1,1]", "", "");
        assert_eq!(theorem.settles(failed, "P iff a = b", &effort).verdict, Verdict::Fails);
    }
}
