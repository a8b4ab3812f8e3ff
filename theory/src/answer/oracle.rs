//! What is known of the positions of a game of heaps: the way to the answer is chosen once, then many
//! positions can be asked about.

use super::automata::{FromAutomata, knows_any_size};
use super::heap_sums::HeapSums;
use super::quotient::FromQuotient;
use super::tables::ByRules;
use super::{Answer, More, Outcome, Source};
use num_bigint::BigUint;

use crate::base::{Control, Error, Result, numbers};
use crate::game::{Game, HeapSum, Kind, Slabs};
use crate::rules::Play;
use crate::rules::notation::show_heaps;
use crate::space::{MAX_HEAPS, SortedHeaps};
use crate::table::Reader;

/// A position of a game of heaps: the heaps; in games with adding moves their number comes first.
pub type Heaps = Vec<u64>;

/// Options, and those that are not listed.
pub(super) type Found = (Vec<Heaps>, Option<More>);

/// The answer about a position of a heap game or an octal game: from `table` if one is given, otherwise from
/// a theorem where one applies, and at last from a search or a sweep, which keep to the limits of `control`.
pub fn ask(
    game: &Game,
    position: &[u64],
    table: Option<&Reader>,
    control: &Control<'_>,
) -> Result<Answer<Heaps>> {
    Oracle::new(game, position, table, control)?.answer(position)
}

/// The position that `text` describes: `4 6 13`, `[4,6,13]`, the names of nodes.
pub fn read_position(game: &Game, text: &str) -> Result<Heaps> {
    let words = numbers::position_words(text).map_err(Error::Usage)?;
    read_words(game, &words)
}

/// The position of these words.
pub(super) fn read_words(game: &Game, words: &[&str]) -> Result<Heaps> {
    let any = |word: &str| numbers::count(word).map_err(Error::Usage);
    let heaps = match game.kind() {
        Kind::Octal(_) => return words.iter().map(|word| any(word)).collect(),
        Kind::Cookie(_) => return Err(game.entry().not_on_heaps()),
        Kind::Heaps(heaps) => heaps,
    };
    // The quotient and the automata know heaps of any size.
    let small = |word: &str| numbers::heap(word).map(u64::from).map_err(Error::Usage);
    let position = match heaps.proofs.quotient {
        Some(Slabs::Minnie) => heaps.read(words, &any)?,
        // The theorem says whether large heaps are a position.
        _ if knows_any_size(game) && words.iter().any(|word| small(word).is_err()) => {
            return heaps.read(words, &any);
        }
        _ => heaps.read(words, &small)?,
    };
    let narrow: Vec<u32> = position.iter().map(|&heap| u32::try_from(heap).unwrap_or(u32::MAX)).collect();
    heaps.check(game.name(), &narrow)?;
    Ok(position)
}

/// Knows outcomes, most often values, and moves. Positions are in normal form.
pub(super) trait Way {
    /// Where the answers come from.
    fn source(&self) -> Source;
    /// What is known of each of these positions.
    fn known(&self, positions: &[Heaps]) -> Result<Vec<Known>>;
    /// At most about `most` options.
    fn options(&self, position: &[u64], most: usize) -> Result<Vec<Heaps>>;
    /// The theorem for a fixed number of heaps that the answers come from.
    fn theorem(&self) -> Option<String> {
        None
    }
    /// The options of this value, and those that are not listed, if there are such.
    fn options_of_value(&self, position: &[u64], value: u64) -> Result<Found> {
        let mut options = self.options(position, usize::MAX)?;
        let known = self.known(&options)?;
        if value != 0 && known.iter().any(|known| known.value.is_none()) {
            return Err(only_outcomes());
        }
        let mut of_value = known.iter().map(|known| known.has_value(value));
        options.retain(|_| of_value.next() == Some(true));
        Ok((options, None))
    }
    /// Whether `to` is an option of `from`, where that can be told without a list of the options.
    fn is_option(&self, _from: &[u64], _to: &[u64]) -> Option<bool> {
        None
    }
    /// The option that leaves the most to play for: the largest in all.
    fn longest(&self, position: &[u64]) -> Result<Option<Heaps>> {
        let total = |heaps: &Heaps| heaps.iter().map(|&heap| u128::from(heap)).sum::<u128>();
        let mut options = self.options(position, usize::MAX)?;
        options.sort();
        Ok(options.into_iter().max_by_key(total))
    }
    /// The values of the heaps one by one, where the game is their sum.
    fn heap_values(&self, _position: &[u64]) -> Result<Vec<u64>> {
        Ok(Vec::new())
    }
}

/// What is known of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Known {
    pub is_p: bool,
    pub value: Option<u64>,
    /// What the value is larger than, where that is all that is known.
    pub above: Option<u64>,
}

impl Known {
    pub fn of_value(value: u64) -> Self {
        Self { is_p: value == 0, value: Some(value), above: None }
    }

    fn has_value(&self, value: u64) -> bool {
        self.value.map_or(value == 0 && self.is_p, |known| known == value)
    }
}

/// Answers about a position and everything that can be reached from it.
pub struct Oracle<'a> {
    game: Game,
    way: Box<dyn Way + 'a>,
}

impl<'a> Oracle<'a> {
    /// Chooses the way, and does the work that all answers need.
    pub fn new(
        game: &Game,
        position: &[u64],
        table: Option<&'a Reader>,
        control: &Control<'a>,
    ) -> Result<Self> {
        let wide: Vec<BigUint> = position.iter().map(|&heap| heap.into()).collect();
        let way: Box<dyn Way + 'a> = match (game.kind(), table) {
            (Kind::Cookie(_), _) => return Err(game.entry().not_on_heaps()),
            (Kind::Octal(octal), Some(reader)) => Box::new(HeapSums::stored(octal, position, reader)?),
            (Kind::Octal(octal), None) => Box::new(HeapSums::octal(octal, position, control)?),
            (Kind::Heaps(heaps), Some(reader)) if heaps.is_written_sum(game.play()) => {
                Box::new(HeapSums::stored_heaps(game, position, reader)?)
            }
            (Kind::Heaps(_), Some(reader)) => Box::new(ByRules::stored(game, position, reader)?),
            (Kind::Heaps(heaps), None) if heaps.splits() && !heaps.is_written_sum(game.play()) => {
                Box::new(ByRules::search_splits(game, position, control)?)
            }
            (Kind::Heaps(heaps), None) if !heaps.has_tables() => {
                Box::new(ByRules::search(game, position, control)?)
            }
            (Kind::Heaps(heaps), None) => match (heaps.proofs.quotient, heaps.sum, game.play()) {
                (Some(Slabs::Minnie), ..) if beyond_tables(position) => {
                    // Automata that know values say more than the quotient does.
                    let known = FromAutomata::known(game, &wide, control)?;
                    match known.filter(|known| known.theorem().sets.len() > 2) {
                        Some(known) if known.theorem().heaps() == present(position) => Box::new(known),
                        _ => Box::new(FromQuotient::minnie(game.play())),
                    }
                }
                (_, Some(HeapSum::Nim), play) => Box::new(HeapSums::nim(play)),
                (_, Some(HeapSum::Values), Play::Normal) => {
                    Box::new(HeapSums::heaps(game, position, control)?)
                }
                _ => match ByRules::sweep(game, position, control) {
                    // What is too large for a table may be small for a theorem.
                    Err(Error::Budget(problem)) => match FromAutomata::known(game, &wide, control)? {
                        Some(known) => Box::new(known),
                        None => return Err(Error::Budget(problem)),
                    },
                    swept => Box::new(swept?),
                },
            },
        };
        Ok(Self { game: game.clone(), way })
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// How a position is shown.
    pub fn show(&self, position: &[u64]) -> String {
        match self.game.kind() {
            Kind::Heaps(heaps) => heaps.show(position),
            _ => show_heaps(position),
        }
    }

    /// The position with its heaps in ascending order and without empty ones.
    pub fn normal(&self, position: &[u64]) -> Heaps {
        match self.game.kind() {
            Kind::Heaps(heaps) => heaps.normal(position),
            _ => {
                let mut heaps: Heaps = position.iter().copied().filter(|&heap| heap > 0).collect();
                heaps.sort_unstable();
                heaps
            }
        }
    }

    /// What is known of a position that can be reached from the first one.
    pub fn answer(&self, position: &[u64]) -> Result<Answer<Heaps>> {
        let normal = self.normal(position);
        let known = self.known(&normal)?;
        let (winning_moves, more_moves) =
            if known.is_p { (Vec::new(), None) } else { self.options_of_value(&normal, 0)? };
        let heap_values = self.way.heap_values(position)?;
        Ok(Answer {
            // A sum of heaps that were looked up one by one stays as it was given.
            position: if heap_values.is_empty() { normal } else { position.to_vec() },
            outcome: Outcome::of_p(known.is_p),
            value: known.value,
            value_above: known.above,
            winning_moves,
            heap_values,
            more_moves,
            source: self.way.source(),
            theorem: self.way.theorem(),
        })
    }

    /// The Grundy value.
    pub fn value(&self, position: &[u64]) -> Result<u64> {
        self.known(&self.normal(position))?.value.ok_or_else(only_outcomes)
    }

    /// The options of this value, and those that are not listed, if there are such.
    pub fn options_of_value(&self, position: &[u64], value: u64) -> Result<(Vec<Heaps>, Option<More>)> {
        let (options, more) = self.way.options_of_value(&self.normal(position), value)?;
        Ok((self.listed(options), more))
    }

    /// At most about `most` options, and all of them if there are fewer.
    pub fn options(&self, position: &[u64], most: usize) -> Result<Vec<Heaps>> {
        Ok(self.listed(self.way.options(&self.normal(position), most)?))
    }

    /// The option of `from` with the heaps of `to`; the number of adding moves that `to` says are left does
    /// not matter.
    pub fn option(&self, from: &[u64], to: &[u64]) -> Result<Option<Heaps>> {
        let (from, to) = (self.normal(from), self.normal(to));
        let before = usize::from(self.game.on_heaps().is_ok_and(|heaps| !heaps.has_tables()));
        match self.way.is_option(&from, &to) {
            Some(is_option) => Ok(is_option.then_some(to)),
            None => Ok(self
                .options(&from, usize::MAX)?
                .into_iter()
                .find(|option| option[before..] == to[before..])),
        }
    }

    /// A winning move where there is one, otherwise one that makes the game last; `None` where no move is
    /// left.
    pub fn best_move(&self, position: &[u64]) -> Result<Option<Heaps>> {
        let position = self.normal(position);
        let winning = self.options_of_value(&position, 0)?.0.into_iter().next();
        match winning {
            Some(winning) => Ok(Some(winning)),
            None => Ok(self.way.longest(&position)?.map(|option| self.normal(&option))),
        }
    }

    fn known(&self, position: &Heaps) -> Result<Known> {
        Ok(self.way.known(std::slice::from_ref(position))?[0])
    }

    fn listed(&self, options: Vec<Heaps>) -> Vec<Heaps> {
        let mut listed: Vec<Heaps> = options.iter().map(|option| self.normal(option)).collect();
        listed.sort();
        listed.dedup();
        listed
    }
}

pub(super) fn only_outcomes() -> Error {
    Error::Budget("only the outcome is known, not the Grundy value; ask for a smaller position".into())
}

fn present(heaps: &[u64]) -> usize {
    heaps.iter().filter(|&&heap| heap > 0).count()
}

/// Whether a table for these heaps would be out of proportion, or have values beyond the 16 bits of a table.
fn beyond_tables(heaps: &[u64]) -> bool {
    const LARGEST_TABLE: u64 = 50_000_000;
    let present = present(heaps);
    let largest = heaps.iter().copied().max().unwrap_or(0);
    present > MAX_HEAPS
        || u16::try_from(largest)
            .ok()
            .and_then(|largest| SortedHeaps::count(present, largest.into()))
            .is_none_or(|positions| positions > LARGEST_TABLE)
}
