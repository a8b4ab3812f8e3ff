//! From a rule to a theorem: learn from tables that grow as needed, and let the decision correct the guess.

use std::sync::Arc;

use super::decide::AutomaticGame;
use super::learn::{Learner, Lost, Membership};
use super::theorem::DecidedTheorem;
use super::translate::automatic_game;
use super::{Budget, Dfa, Numeration};
use crate::base::{Control, Error, Result};
use crate::game::Game;
use crate::rules::notation::rule::Rule;
use crate::space::{SortedHeaps, Space};
use crate::sweep::{HeapJob, check_budget};
use crate::table::{Cells, Quantity, Table};

/// Positions of a table beyond which it does not grow, where rows are filled at once.
const MOST_IN_ROWS: u64 = 3_000_000_000;

/// Moves of a table beyond which it does not grow, where they are made one by one: half a minute of work.
const MOST_MOVES: u64 = 4_000_000_000;

/// What is to be proved: the positions of each value up to `largest_value` on at most `heaps` heaps.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// The game, for its tables.
    pub game: &'a Game,
    /// The same game as a rule, for the formulas.
    pub rule: &'a Rule,
    /// The most heaps.
    pub heaps: usize,
    /// The digits.
    pub numeration: Numeration,
    /// 0 for the P-positions alone; in misère play there is nothing else.
    pub largest_value: u32,
    /// Only positions whose smallest heap, absent ones counted as 0, is at most this.
    pub smallest: Option<u32>,
}

/// Automata that are proved to accept the positions of value 0, 1, 2, ...
#[derive(Debug, Clone)]
pub struct AutomaticTheorem {
    /// The game with the automata, each as small as can be.
    pub decided: DecidedTheorem,
    /// Where moves take multiples of a heap, for each set the pairs of a heap and the other one from which such a
    /// move leads into it; in misère play then those from which there is such a move.
    pub multiples: Vec<Dfa>,
    /// The largest heap of the tables that were learned from.
    pub largest_heap: u32,
    /// How many guesses were refuted on the way.
    pub refuted: usize,
}

/// What became of the attempt.
#[derive(Debug, Clone)]
pub enum Attempt {
    /// A theorem.
    Proved(Box<AutomaticTheorem>),
    /// No theorem: the states of the guesses with the largest heap of the table at that time, and the reason.
    Open {
        /// Largest heap and states.
        growth: Vec<(u32, usize)>,
        /// Why it ended.
        reason: String,
    },
}

/// Tries to prove what is wanted.
pub fn prove_automatic(wanted: &Wanted<'_>, control: &Control<'_>) -> Result<Attempt> {
    let stop = || control.stopped();
    let budget = Budget::within(control, &stop);
    let Wanted { numeration, .. } = *wanted;
    control.observer.doing(&format!("{numeration} digits: the moves as automata"));
    let game = automatic_game(wanted, &budget)?;
    let mut known = Known { wanted, control, table: None, value: 0 };
    let (mut sets, mut refuted): (Vec<Dfa>, usize) = (Vec::new(), 0);
    for value in 0..=wanted.largest_value {
        known.value = value;
        let mut growth = Vec::new();
        let reason = match learn_set(&game, &sets, &mut known, &mut growth, &budget) {
            Ok(set) => {
                refuted += growth.len() - 1;
                sets.push(set.minimised());
                continue;
            }
            Err(Lost::Error(error)) => return Err(error),
            Err(_) if control.is_interrupted() => return Err(Error::Interrupted { done: 0, total: 1 }),
            Err(Lost::Failed(failed)) => failed.to_string(),
            Err(Lost::Unknown(word)) => {
                let numbers = wanted.numeration.numbers(&word, wanted.heaps).unwrap_or_default();
                let largest = numbers.iter().max().copied().unwrap_or(0);
                format!(
                    "the next question is about a heap of {largest}, beyond the tables that fit the limits"
                )
            }
        };
        return Ok(Attempt::Open { growth, reason });
    }
    let multiples = match &game.multiples {
        None => Vec::new(),
        Some(multiples) => {
            let all = game.won_at_once.is_some().then_some(&game.positions);
            let of_set = |set: &Dfa| multiples.into_set(set, &budget);
            sets.iter().chain(all).map(of_set).collect::<Result<_, _>>()?
        }
    };
    let sets = sets.into_iter().map(Arc::new).collect();
    let decided = DecidedTheorem { game, sets, smallest: wanted.smallest };
    let largest_heap = known.largest_heap();
    Ok(Attempt::Proved(Box::new(AutomaticTheorem { decided, multiples, largest_heap, refuted })))
}

/// Learns the set of one value and proves it; the guesses go to `growth`.
fn learn_set(
    game: &AutomaticGame,
    others: &[Dfa],
    known: &mut Known<'_, '_>,
    growth: &mut Vec<(u32, usize)>,
    budget: &Budget<'_>,
) -> Result<Dfa, Lost> {
    let Wanted { numeration, heaps, game: on_heaps, .. } = *known.wanted;
    let observer = known.control.observer;
    let mut learner = Learner::new(numeration, heaps, known);
    loop {
        let guess = learner.hypothesis()?;
        growth.push((learner.membership.largest_heap(), guess.states()));
        observer.doing(&format!(
            "{numeration} digits: decides guess {}, an automaton with {} states",
            growth.len(),
            guess.states()
        ));
        if game.multiples.is_some()
            && let Some(wrong) = small_mistake(&mut learner, &guess)?
        {
            learner.refine(&guess, &wrong)?;
            continue;
        }
        let Some(place) = game.failure(others, &guess, budget)? else { return Ok(guess) };
        let mut wrong = None;
        if learner.ask(&place)? != guess.accepts(&place) {
            wrong = Some(place.clone());
        } else {
            // The position is judged rightly, so that one of its options is not.
            for option in options(on_heaps, numeration, &place, heaps)? {
                if learner.ask(&option)? != guess.accepts(&option) {
                    wrong = Some(option);
                    break;
                }
            }
        }
        let Some(wrong) = wrong else {
            let position = numeration.numbers(&place, heaps).unwrap_or_default();
            let text =
                format!("at {position:?} the rule and the table of {} disagree: a bug", on_heaps.name());
            return Err(Error::Usage(text).into());
        };
        learner.refine(&guess, &wrong)?;
    }
}

/// A small position on two heaps at which the guess is wrong: the moves by multiples from a guess that is far off
/// need not have an automaton at all.
fn small_mistake(learner: &mut Learner<'_, Known<'_, '_>>, guess: &Dfa) -> Result<Option<Vec<usize>>, Lost> {
    /// Pairs up to here are compared with the table.
    const LARGEST: u128 = 100;
    for high in 0..=LARGEST {
        for low in 0..=high {
            let word = guess.numeration.letters(&[low, high]);
            if learner.ask(&word)? != guess.accepts(&word) {
                return Ok(Some(word));
            }
        }
    }
    Ok(None)
}

/// The words of the options of a word's position.
fn options(game: &Game, numeration: Numeration, word: &[usize], heaps: usize) -> Result<Vec<Vec<usize>>> {
    let numbers = numeration.numbers(word, heaps).unwrap_or_default();
    let position: Vec<u32> = numbers.into_iter().map(|number| number as u32).collect();
    let largest = position.iter().max().copied().unwrap_or(0);
    let mut words = Vec::new();
    game.on_heaps()?.rules(largest)?.options(&position, &mut |option| {
        let mut sorted: Vec<u128> = option.iter().map(|&heap| heap.into()).collect();
        sorted.sort_unstable();
        words.push(numeration.letters(&sorted));
    });
    words.sort_unstable();
    words.dedup();
    Ok(words)
}

/// What tables say; they grow when a question is about larger heaps.
pub struct Known<'a, 'c> {
    wanted: &'a Wanted<'a>,
    control: &'a Control<'c>,
    table: Option<(SortedHeaps, Table)>,
    value: u32,
}

impl Known<'_, '_> {
    /// The largest heap of the table.
    pub fn largest_heap(&self) -> u32 {
        self.table.as_ref().map_or(0, |(space, _)| space.max())
    }

    /// Makes a table up to `largest` at least; whether it can be made.
    fn reach(&mut self, largest: u128) -> Result<bool> {
        if self.table.is_some() && largest <= self.largest_heap().into() {
            return Ok(true);
        }
        let Wanted { game, heaps, smallest, largest_value, .. } = *self.wanted;
        let Ok(largest) = u32::try_from(largest.max(15) | largest.max(15) >> 1 | 15) else {
            return Ok(false);
        };
        let quantity = if largest_value == 0 { Quantity::Outcomes } else { Quantity::Values };
        let mut job = HeapJob::new(game, heaps, largest, quantity)?;
        job.smallest = smallest;
        // A position has about as many moves as counters.
        let moves = u64::from(largest) * heaps as u64;
        let most = if job.has_fast_kernel() { MOST_IN_ROWS } else { MOST_MOVES / moves };
        if job.entries().is_none_or(|positions| positions > most)
            || check_budget(&job, None, self.control.memory).is_err()
        {
            return Ok(false);
        }
        self.control.observer.doing(&format!("a table of {heaps} heaps up to {largest} to learn from"));
        match job.solve(None, self.control) {
            Ok(table) => self.table = Some((job.space()?, table)),
            // The time is up: what was learned so far is still worth telling.
            Err(Error::Interrupted { .. }) if !self.control.is_interrupted() => return Ok(false),
            Err(error) => return Err(error),
        }
        Ok(true)
    }
}

impl Membership for Known<'_, '_> {
    fn contains(&mut self, word: &[usize]) -> Result<Option<bool>> {
        let Wanted { numeration, heaps, smallest, game, .. } = *self.wanted;
        let Some(numbers) = numeration.numbers(word, heaps) else { return Ok(Some(false)) };
        let in_slice = smallest.is_none_or(|limit| numbers[0] <= limit.into());
        if !in_slice || numbers.windows(2).any(|pair| pair[0] > pair[1]) {
            return Ok(Some(false));
        }
        if !self.reach(numbers[heaps - 1])? {
            return Ok(None);
        }
        let position: Vec<u32> = numbers.iter().map(|&number| number as u32).collect();
        if !game.on_heaps()?.is_position(&position) {
            return Ok(Some(false));
        }
        Ok(self.table.as_ref().map(|(space, table)| {
            let index = space.rank(&position);
            match table.cells() {
                Cells::Bits(bits) => bits.get(index),
                values => u32::from(values.get(index)) == self.value,
            }
        }))
    }
}
