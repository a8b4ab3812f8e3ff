//! Positions of any size, from proved automata that read the digits of the heaps.

use std::fmt;

use num_bigint::BigUint;
use serde::{Serialize, Serializer};

use super::oracle::{Found, Heaps, Known, Way, only_outcomes};
use super::{Answer, More, Outcome, Source, Theorem};
use crate::base::{Control, Error, Result, numbers};
use crate::game::{Game, Kind};
use crate::proof::automata::certificate::AutomatonCertificate;
use crate::proof::automata::{Budget, DecidedTheorem, Dfa, Options, shipped};
use crate::rules::notation::show_heaps;

/// More options than these are counted, not listed.
const MOST_LISTED: usize = 1000;

/// A heap of any size. JSON has it as a number where it is below 2^64, otherwise as text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size(pub BigUint);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Size {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match u64::try_from(&self.0) {
            Ok(small) => serializer.serialize_u64(small),
            Err(_) => serializer.collect_str(&self.0),
        }
    }
}

/// The answers of a theorem.
pub struct FromAutomata {
    theorem: DecidedTheorem,
    game: Game,
}

impl FromAutomata {
    /// From a certificate of somebody, which is decided first.
    pub fn checked(game: &Game, certificate: &AutomatonCertificate, control: &Control<'_>) -> Result<Self> {
        let stop = || control.stopped();
        let theorem = DecidedTheorem::decided(game, certificate, &Budget::within(control, &stop))?;
        if theorem.game.multiples.is_some() {
            return Err(Error::Usage(format!(
                "{}: the theorem says who wins, but the winning moves by multiples of a heap are not listed from it; `prove` reads the certificate",
                game.name()
            )));
        }
        Ok(Self { theorem, game: game.clone() })
    }

    /// From a theorem that comes with the program, if one is about so many heaps with this smallest one.
    pub fn known(game: &Game, heaps: &[BigUint], control: &Control<'_>) -> Result<Option<Self>> {
        let heaps: Vec<&BigUint> = heaps.iter().filter(|heap| **heap != BigUint::ZERO).collect();
        let smallest = |known: &AutomatonCertificate| match heaps.iter().min() {
            Some(least) if heaps.len() == known.heaps => {
                known.smallest.is_none_or(|most| **least <= most.into())
            }
            _ => heaps.len() < known.heaps,
        };
        // One that knows values says more, and one about fewer heaps says it sooner.
        let covering = with_all_moves(game).filter(|known| smallest(known));
        let best = covering.min_by_key(|known| (usize::MAX - known.sets.len(), known.heaps));
        let stop = || control.stopped();
        let theorem = best.map(|best| DecidedTheorem::decided(game, best, &Budget::within(control, &stop)));
        Ok(theorem.transpose()?.map(|theorem| Self { theorem, game: game.clone() }))
    }

    /// From a theorem that comes with the program, where `text` has a heap of more than 64 bits; smaller ones have
    /// other answers, too.
    pub fn beyond_64_bits(game: &Game, text: &str, control: &Control<'_>) -> Result<Option<Self>> {
        match read_wide(text) {
            Ok(heaps) if heaps.iter().any(|heap| heap.bits() > 64) => Self::known(game, &heaps, control),
            _ => Ok(None),
        }
    }

    /// The theorem.
    pub fn theorem(&self) -> &DecidedTheorem {
        &self.theorem
    }

    /// The answer about a position of any size.
    pub fn answer(&self, position: &[BigUint]) -> Result<Answer<Vec<Size>>> {
        let word = self.word(position)?;
        let known = self.known_of(&word);
        let (winning_moves, more_moves) = match known.is_p {
            true => (Vec::new(), None),
            false => self.options_in(&self.theorem.sets[0], &word, MOST_LISTED)?,
        };
        let sizes = |heaps: Vec<BigUint>| {
            let mut heaps: Vec<Size> =
                heaps.into_iter().filter(|heap| *heap != BigUint::ZERO).map(Size).collect();
            heaps.sort_unstable();
            heaps
        };
        let mut winning_moves: Vec<Vec<Size>> = winning_moves.into_iter().map(sizes).collect();
        winning_moves.sort_unstable();
        Ok(Answer {
            position: sizes(position.to_vec()),
            outcome: Outcome::of_p(known.is_p),
            value: known.value,
            value_above: known.above,
            winning_moves,
            heap_values: Vec::new(),
            more_moves,
            source: self.source(),
            theorem: Way::theorem(self),
        })
    }

    fn word(&self, heaps: &[BigUint]) -> Result<Vec<usize>> {
        self.theorem.word(heaps).ok_or_else(|| {
            let (shown, name) = (show_heaps(heaps), self.game.title());
            let theorem = self.theorem.name();
            Error::Usage(format!("{shown} is not a position of {name} that {theorem} knows"))
        })
    }

    fn known_of(&self, word: &[usize]) -> Known {
        let value = self.theorem.value(word);
        let above = match (value, self.theorem.sets.len()) {
            (None, sets @ 2..) => Some(sets as u64 - 1),
            _ => None,
        };
        Known { is_p: value == Some(0), value, above }
    }

    /// Options in a set, and how many there are besides.
    fn options_in(
        &self,
        set: &Dfa,
        word: &[usize],
        most: usize,
    ) -> Result<(Vec<Vec<BigUint>>, Option<More>)> {
        let budget = Budget::within(&Control::silent(), &|| false);
        let options = Options::new(&self.theorem.game, set, word, &budget)?;
        let listed: Vec<Vec<BigUint>> =
            (options.words(most).iter()).map(|word| set.numeration.numbers_of(word, set.tracks)).collect();
        let unlisted = options.count() - listed.len();
        Ok((listed, (unlisted != BigUint::ZERO).then_some(More::Unlisted(Size(unlisted)))))
    }
}

impl Way for FromAutomata {
    fn source(&self) -> Source {
        Source::Theorem(Theorem::Automata)
    }

    fn theorem(&self) -> Option<String> {
        Some(self.theorem.name())
    }

    fn known(&self, positions: &[Heaps]) -> Result<Vec<Known>> {
        positions.iter().map(|position| Ok(self.known_of(&self.word(&wide(position))?))).collect()
    }

    fn options(&self, position: &[u64], most: usize) -> Result<Vec<Heaps>> {
        let word = self.word(&wide(position))?;
        let (listed, _) = self.options_in(&self.theorem.game.positions, &word, most.min(MOST_LISTED))?;
        Ok(listed.into_iter().map(narrow).collect())
    }

    fn options_of_value(&self, position: &[u64], value: u64) -> Result<Found> {
        let set = usize::try_from(value).ok().and_then(|value| self.theorem.sets.get(value));
        let set = set.ok_or_else(only_outcomes)?;
        let (listed, more) = self.options_in(set, &self.word(&wide(position))?, MOST_LISTED)?;
        Ok((listed.into_iter().map(narrow).collect(), more))
    }

    fn is_option(&self, from: &[u64], to: &[u64]) -> Option<bool> {
        let (from, to) = (self.theorem.word(&wide(from))?, self.theorem.word(&wide(to))?);
        Some(self.theorem.is_option(&from, &to))
    }
}

fn wide(heaps: &[u64]) -> Vec<BigUint> {
    heaps.iter().map(|&heap| heap.into()).collect()
}

/// Moves only lower heaps that had 64 bits.
fn narrow(heaps: Vec<BigUint>) -> Heaps {
    heaps.into_iter().map(|heap| u64::try_from(heap).unwrap_or(u64::MAX)).collect()
}

/// The heaps of a position of any size.
pub fn read_wide(text: &str) -> Result<Vec<BigUint>> {
    let words = numbers::position_words(text).map_err(Error::Usage)?;
    words.into_iter().map(|word| numbers::natural(word).map_err(Error::Usage)).collect()
}

/// The theorems that come with the program and list the winning moves: those by multiples of a heap are not
/// listed.
fn with_all_moves(game: &Game) -> impl Iterator<Item = &'static AutomatonCertificate> {
    shipped(game).filter(|known| known.multiples.is_empty())
}

/// Whether a theorem that comes with the program is about this game, so that its heaps may be of any size.
pub(super) fn knows_any_size(game: &Game) -> bool {
    matches!(game.kind(), Kind::Heaps(_)) && with_all_moves(game).next().is_some()
}
