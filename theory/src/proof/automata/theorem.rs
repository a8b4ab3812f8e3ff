//! Theorems from certificates: those that come with the program, and those in files. They are decided before
//! anything is answered from them, which takes a fraction of a second.

use std::sync::{Arc, LazyLock};

use num_bigint::BigUint;

use super::certificate::AutomatonCertificate;
use super::decide::AutomaticGame;
use super::prove::Wanted;
use super::translate::automatic_game;
use super::{Budget, Dfa, Numeration};
use crate::base::{Error, Result};
use crate::game::{Game, rule_file};
use crate::rules::Play;
use crate::rules::notation::show_heaps;

/// The certificates that come with the program.
static SHIPPED: LazyLock<Vec<AutomatonCertificate>> = LazyLock::new(|| {
    [
        include_str!("../../../../data/certificates/automata/euclid-2.json"),
        include_str!("../../../../data/certificates/automata/euclid-to-zero-2.json"),
        include_str!("../../../../data/certificates/automata/euclid-to-zero-2-misere.json"),
        include_str!("../../../../data/certificates/automata/jennifer-3-min-1.json"),
        include_str!("../../../../data/certificates/automata/less-than-half-1.json"),
        include_str!("../../../../data/certificates/automata/mine-2.json"),
        include_str!("../../../../data/certificates/automata/mine-2-misere.json"),
        include_str!("../../../../data/certificates/automata/mine-3.json"),
        include_str!("../../../../data/certificates/automata/mine-3-misere.json"),
        include_str!("../../../../data/certificates/automata/mine-4.json"),
        include_str!("../../../../data/certificates/automata/mine-4-misere.json"),
        include_str!("../../../../data/certificates/automata/minnie-2-values.json"),
        include_str!("../../../../data/certificates/automata/minnie-3.json"),
        include_str!("../../../../data/certificates/automata/nim-2.json"),
        include_str!("../../../../data/certificates/automata/nim-3.json"),
        include_str!("../../../../data/certificates/automata/wynnie-2.json"),
        include_str!("../../../../data/certificates/automata/wynnie-2-misere.json"),
        include_str!("../../../../data/certificates/automata/wynnie-2-values.json"),
        include_str!("../../../../data/certificates/automata/wynnie-all-3.json"),
        include_str!("../../../../data/certificates/automata/wynnie-all-3-misere.json"),
        include_str!("../../../../data/certificates/automata/wynnie-any-3-smallest-4.json"),
        include_str!("../../../../data/certificates/automata/wynnie-two-3-smallest-4.json"),
        include_str!("../../../../data/certificates/automata/wythoff.json"),
        include_str!("../../../../data/certificates/automata/wythoff-misere.json"),
    ]
    .map(|text| AutomatonCertificate::from_json(text).expect("a test reads the embedded certificates"))
    .into()
});

/// The theorems about `game` in its play that come with the program.
pub fn shipped(game: &Game) -> impl Iterator<Item = &'static AutomatonCertificate> {
    let rule = rule_file::of_game(game).map(|rule| rule.to_string());
    let misere = game.play() == Play::Misere;
    SHIPPED.iter().filter(move |known| known.misere == misere && rule.as_ref() == Some(&known.rule))
}

/// A theorem with the game that it is about.
#[derive(Debug, Clone)]
pub struct DecidedTheorem {
    /// The game.
    pub game: AutomaticGame,
    /// The positions of value 0, 1, 2, ...
    pub sets: Vec<Arc<Dfa>>,
    /// Only positions whose smallest heap, absent ones counted as 0, is at most this.
    pub smallest: Option<u32>,
}

impl DecidedTheorem {
    /// The theorem of a certificate about `game`, which is decided here.
    pub fn decided(game: &Game, certificate: &AutomatonCertificate, budget: &Budget<'_>) -> Result<Self> {
        let theorem = Self::read(game, certificate, budget)?;
        for (value, set) in theorem.sets.iter().enumerate() {
            let smaller: Vec<Dfa> = theorem.sets[..value].iter().map(|set| Dfa::clone(set)).collect();
            if let Some(word) = theorem.game.failure(&smaller, set, budget)? {
                let position = show_heaps(set.numeration.numbers_of(&word, set.tracks));
                return Err(Error::Usage(format!(
                    "the certificate is wrong: its automaton of value {value} does not keep the rules at {position}"
                )));
            }
        }
        Ok(theorem)
    }

    fn read(game: &Game, certificate: &AutomatonCertificate, budget: &Budget<'_>) -> Result<Self> {
        let rule = rule_file::of_game(game)
            .ok_or_else(|| Error::Usage(format!("{} is not written as a rule", game.name())))?;
        if rule.to_string() != certificate.rule || certificate.misere != (game.play() == Play::Misere) {
            let play = if certificate.misere { "misère " } else { "" };
            return Err(Error::Usage(format!(
                "the certificate is about {play}{} (\"{}\"), not about {}",
                certificate.game,
                certificate.rule,
                game.title()
            )));
        }
        let malformed = |problem: String| Error::Usage(format!("the certificate: {problem}"));
        let sets = certificate.automata().map_err(malformed)?;
        let wanted = Wanted {
            game,
            rule: &rule,
            heaps: certificate.heaps,
            numeration: certificate.numeration().map_err(malformed)?,
            largest_value: sets.len() as u32 - 1,
            smallest: certificate.smallest,
        };
        Ok(Self {
            game: automatic_game(&wanted, budget)?,
            sets: sets.into_iter().map(Arc::new).collect(),
            smallest: certificate.smallest,
        })
    }

    /// The digits.
    pub fn numeration(&self) -> Numeration {
        self.sets[0].numeration
    }

    /// The most heaps.
    pub fn heaps(&self) -> usize {
        self.sets[0].tracks
    }

    /// The word of a position, if the theorem is about it.
    pub fn word(&self, heaps: &[BigUint]) -> Option<Vec<usize>> {
        let mut sorted: Vec<BigUint> = heaps.iter().filter(|heap| **heap != BigUint::ZERO).cloned().collect();
        sorted.resize(sorted.len().max(self.heaps()), BigUint::ZERO);
        sorted.sort_unstable();
        let word = self.numeration().letters_of(&sorted);
        (sorted.len() == self.heaps() && self.game.positions.accepts(&word)).then_some(word)
    }

    /// The value of a word's position, if it is one of those that the theorem has.
    pub fn value(&self, word: &[usize]) -> Option<u64> {
        self.sets.iter().position(|set| set.accepts(word)).map(|value| value as u64)
    }

    /// Whether a move leads from one word's position to the other's.
    pub fn is_option(&self, from: &[usize], to: &[usize]) -> bool {
        let length = from.len().max(to.len());
        let padded = |word: &[usize]| [&vec![0; length - word.len()][..], word].concat();
        let (from, to) = (padded(from), padded(to));
        let digits = self.numeration().digits();
        self.game.moves.iter().any(|kind| {
            let letters = from.iter().zip(&to).map(|(&before, &after)| kind.letter(before, after, digits));
            letters.collect::<Option<Vec<usize>>>().is_some_and(|word| kind.relation.accepts(&word))
        })
    }

    /// "the proved automaton for at most 4 heaps, base-2 digits".
    pub fn name(&self) -> String {
        let smallest =
            self.smallest.map_or(String::new(), |smallest| format!(", the smallest at most {smallest}"));
        let automata = if self.sets.len() == 1 { "automaton" } else { "automata" };
        format!(
            "the proved {automata} for at most {} heaps{smallest}, {} digits",
            self.heaps(),
            self.numeration()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Control;

    const NEVER: Budget<'static> = Budget { most_entries: 1 << 24, stop: &|| false };

    fn game(certificate: &AutomatonCertificate) -> Game {
        let game = Game::written(&certificate.rule, &Default::default()).unwrap();
        game.in_play(Play::from_misere(certificate.misere))
    }

    #[test]
    fn all_certificates_come_with_the_program_and_are_true() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/certificates/automata");
        assert_eq!(std::fs::read_dir(folder).unwrap().count(), SHIPPED.len());
        for certificate in SHIPPED.iter() {
            let name = &certificate.game;
            let theorem = DecidedTheorem::decided(&game(certificate), certificate, &NEVER).unwrap();
            assert_eq!(
                (theorem.heaps(), theorem.smallest),
                (certificate.heaps, certificate.smallest),
                "{name}"
            );
        }
    }

    #[test]
    fn damaged_certificates_are_refused() {
        let good = SHIPPED.iter().find(|known| known.game == "mine" && known.heaps == 2).unwrap();
        let refused = |change: &dyn Fn(&mut AutomatonCertificate), words: &str| {
            let mut bad = good.clone();
            change(&mut bad);
            let problem = DecidedTheorem::decided(&game(good), &bad, &NEVER).unwrap_err().to_string();
            assert!(problem.contains(words), "{problem}");
        };
        refused(&|bad| bad.sets[0].next.truncate(3), "cut off or damaged");
        refused(&|bad| bad.sets[0].next[1].truncate(3), "cut off or damaged");
        refused(&|bad| bad.sets[0].next[1][0] = 99, "cut off or damaged");
        refused(&|bad| bad.sets[0].accepting = vec![77], "cut off or damaged");
        refused(&|bad| bad.sets.clear(), "needs one automaton");
        refused(&|bad| bad.heaps = 0, "0 heaps");
        refused(&|bad| bad.heaps = 1 << 40, "heaps");
        refused(&|bad| bad.heaps = 3, "cut off or damaged");
        refused(&|bad| bad.digits = "base-1".into(), "base-2 to base-10");
        refused(&|bad| bad.misere = true, "is about misère mine");
        refused(&|bad| bad.rule = "take s from one heap".into(), "is about mine");
        refused(&|bad| bad.sets[0].accepting.clear(), "does not keep the rules");
        for state in 0..good.sets[0].next.len() {
            let to = (good.sets[0].next[state][1] + 1) % good.sets[0].next.len() as u32;
            refused(&|bad| bad.sets[0].next[state][1] = to, "does not keep the rules");
        }
        assert!(AutomatonCertificate::from_json("{}").is_err());
        let stop = || true;
        let control = Control { memory: Some(100), ..Control::silent() };
        let failed = DecidedTheorem::decided(&game(good), good, &Budget::within(&control, &stop));
        assert!(matches!(failed, Err(Error::Undecided(_))));
    }
}
