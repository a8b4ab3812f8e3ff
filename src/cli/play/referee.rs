//! Who knows the rules and the winning moves of a game in progress.

use crate::answer::heap_query::HeapGame;
use crate::base::Control;
use crate::base::{Error, Result};
use crate::proof::strategy::MinniePlayer;
use crate::rules::notation::show_heaps;
use crate::space::{SortedHeaps, Space};
use crate::sweep::HeapJob;
use crate::table::{Quantity, Table};

/// A position: heaps in ascending order without empty ones; in poker nim the adding moves left come first.
pub type Position = Vec<u64>;

/// Knows the rules and the winning moves.
pub trait Referee {
    /// The position for people.
    fn show(&self, position: &[u64]) -> String;
    /// The option of `from` that these words describe: the heaps after the move.
    fn option(&self, from: &[u64], words: &[&str]) -> Result<Position>;
    /// Every winning move, by where it leads.
    fn winning_moves(&self, position: &[u64]) -> Result<Vec<Position>>;
    /// At most `limit` options.
    fn options(&self, position: &[u64], limit: usize) -> Vec<Position>;
    /// A move for a player who has lost: one that takes little, so that the game lasts.
    fn delay(&self, position: &[u64]) -> Option<Position>;

    /// Whether no move is left.
    fn is_over(&self, position: &[u64]) -> bool {
        self.options(position, 1).is_empty()
    }
}

fn sorted(heaps: impl Iterator<Item = u64>) -> Position {
    let mut heaps: Position = heaps.filter(|&heap| heap > 0).collect();
    heaps.sort_unstable();
    heaps
}

/// Minnie of any size, from the proved quotient.
pub struct Minnie {
    player: MinniePlayer,
    number: fn(&str) -> Result<u64, String>,
}

impl Minnie {
    /// A referee; `number` reads heaps.
    pub fn new(player: MinniePlayer, number: fn(&str) -> Result<u64, String>) -> Self {
        Self { player, number }
    }

    /// The heaps of these words.
    pub fn position(&self, words: &[&str]) -> Result<Position> {
        let heaps: Result<Vec<u64>, String> = words.iter().map(|word| (self.number)(word)).collect();
        Ok(sorted(heaps.map_err(Error::Usage)?.into_iter()))
    }

    /// The position after a heap of `from` became `to`.
    fn after(position: &[u64], from: u64, to: u64) -> Position {
        let mut heaps = position.to_vec();
        if let Some(heap) = heaps.iter_mut().find(|heap| **heap == from) {
            *heap = to;
        }
        sorted(heaps.into_iter())
    }
}

impl Referee for Minnie {
    fn show(&self, position: &[u64]) -> String {
        show_heaps(position)
    }

    fn option(&self, from: &[u64], words: &[&str]) -> Result<Position> {
        let to = self.position(words)?;
        let gone = without(from, &to);
        let come = without(&to, from);
        let smallest = from.first().copied().unwrap_or(0);
        match (&gone[..], &come[..]) {
            ([old], []) if *old <= smallest => Ok(to),
            ([old], [new]) if new < old && old - new <= smallest => Ok(to),
            _ => Err(Error::Usage(format!(
                "{} is no option: one heap may be lowered, by at most {smallest}",
                self.show(&to)
            ))),
        }
    }

    fn winning_moves(&self, position: &[u64]) -> Result<Vec<Position>> {
        let moves = self.player.winning_moves(position);
        Ok(moves.iter().map(|step| Self::after(position, step.from, step.to)).collect())
    }

    fn options(&self, position: &[u64], limit: usize) -> Vec<Position> {
        let smallest = position.first().copied().unwrap_or(0);
        let mut heaps = position.to_vec();
        heaps.dedup();
        let steps = heaps.iter().flat_map(|&heap| (1..=smallest).map(move |taken| (heap, heap - taken)));
        steps.take(limit).map(|(from, to)| Self::after(position, from, to)).collect()
    }

    fn delay(&self, position: &[u64]) -> Option<Position> {
        position.last().map(|&largest| Self::after(position, largest, largest - 1))
    }
}

/// What is in `a` and not in `b`, as often as it is there more often; both sorted.
fn without(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut rest = b.to_vec();
    let mut left = Vec::new();
    for &heap in a {
        match rest.iter().position(|&other| other == heap) {
            Some(place) => {
                rest.swap_remove(place);
            }
            None => left.push(heap),
        }
    }
    left
}

/// Any heap game of the catalogue, from a table of all positions that the game can reach.
pub struct Solved {
    game: HeapGame,
    /// In poker nim the first entry counts the adding moves left.
    counts_additions: bool,
    largest: u32,
    table: Option<(HeapJob, SortedHeaps, Table)>,
}

impl Solved {
    /// Solves what `position` leads to.
    pub fn new(game: HeapGame, position: &[u32], control: &Control<'_>) -> Result<Self> {
        game.check_work(position)?;
        let largest = position.iter().copied().max().unwrap_or(0).max(1);
        let heaps = position.iter().filter(|&&heap| heap > 0).count().max(1);
        let table = if game.has_tables() {
            let job = game.job(heaps, largest, Quantity::Outcomes)?;
            let table = job.solve(None, control)?;
            Some((job.clone(), job.space()?, table))
        } else {
            // Refuses what is too large, before the game begins.
            game.values(position)?;
            None
        };
        let counts_additions = !game.has_tables();
        Ok(Self { game, counts_additions, largest, table })
    }

    /// The position as this referee writes it.
    pub fn normal(&self, position: &[u32]) -> Position {
        let wide = |heaps: &[u32]| sorted(heaps.iter().map(|&heap| u64::from(heap)));
        match position.split_first() {
            Some((&additions, heaps)) if self.counts_additions => {
                std::iter::once(u64::from(additions)).chain(wide(heaps)).collect()
            }
            _ => wide(position),
        }
    }

    /// The entries that the rules take, with empty heaps where a table has room for them.
    fn narrow(&self, position: &[u64]) -> Vec<u32> {
        let mut heaps: Vec<u32> =
            position.iter().map(|&heap| u32::try_from(heap).unwrap_or(u32::MAX)).collect();
        if let Some((_, space, _)) = &self.table {
            heaps.resize(space.heaps(), 0);
        }
        heaps
    }

    /// The heaps of a position, without the count of adding moves.
    fn heaps<'a>(&self, position: &'a [u64]) -> &'a [u64] {
        if self.counts_additions { position.get(1..).unwrap_or_default() } else { position }
    }

    fn all_options(&self, position: &[u64]) -> Result<Vec<Position>> {
        let rules = match &self.table {
            Some((job, ..)) => std::sync::Arc::clone(&job.rules),
            None => self.game.rules(self.largest)?,
        };
        let mut options = Vec::new();
        rules.options(&self.narrow(position), &mut |option| options.push(self.normal(option)));
        options.sort();
        options.dedup();
        Ok(options)
    }
}

impl Referee for Solved {
    fn show(&self, position: &[u64]) -> String {
        let heaps: Vec<u32> = position.iter().map(|&heap| u32::try_from(heap).unwrap_or(u32::MAX)).collect();
        self.game.show(&heaps)
    }

    fn option(&self, from: &[u64], words: &[&str]) -> Result<Position> {
        let number = |word: &str| super::super::numbers::heap(word).map_err(Error::Usage);
        let wanted = self.normal(&self.game.position(words, &number)?);
        let same = |option: &Position| self.heaps(option) == self.heaps(&wanted);
        self.all_options(from)?
            .into_iter()
            .find(same)
            .ok_or_else(|| Error::Usage(format!("{} is no option of {}", show_heaps(words), self.show(from))))
    }

    fn winning_moves(&self, position: &[u64]) -> Result<Vec<Position>> {
        match &self.table {
            Some((_, space, table)) => {
                let cells = table.cells();
                let mut options = self.all_options(position)?;
                options.retain(|option| cells.is_p(space.rank(&self.narrow(option))));
                Ok(options)
            }
            None => {
                let (_, options) = self.game.values(&self.narrow(position))?;
                let mut winning: Vec<Position> = options
                    .iter()
                    .filter(|(_, value)| *value == 0)
                    .map(|(option, _)| self.normal(option))
                    .collect();
                winning.sort();
                winning.dedup();
                Ok(winning)
            }
        }
    }

    fn options(&self, position: &[u64], limit: usize) -> Vec<Position> {
        let mut options = self.all_options(position).unwrap_or_default();
        options.truncate(limit);
        options
    }

    fn delay(&self, position: &[u64]) -> Option<Position> {
        // An adding move leads to a larger position, and a player who has lost may still add.
        let options = self.all_options(position).ok()?;
        options.into_iter().max_by_key(|option| self.heaps(option).iter().sum::<u64>())
    }
}
