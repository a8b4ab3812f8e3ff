//! Values of positions of a partizan game.

use std::borrow::Borrow;
use std::hash::Hash;

use super::{Games, Value};
use crate::base::{Control, Result};
use crate::rules::PartizanRules;
use crate::rules::graph::EvenOdd;
use crate::search::known::Known;

/// A position as it is kept.
type Owned<R> = <<R as PartizanRules>::Position as ToOwned>::Owned;
/// Options with their values.
type Valued<P> = Vec<(P, Value)>;

/// Remembers the values of the positions of one game.
pub struct Values<R: PartizanRules> {
    rules: R,
    known: Known<R::Position, Value>,
}

impl<R: PartizanRules> Values<R>
where
    R::Position: Eq + Hash,
    Owned<R>: Eq + Hash,
{
    /// Nothing known yet.
    pub fn new(rules: R) -> Self {
        Self { rules, known: Known::new() }
    }

    /// The rules.
    pub fn rules(&self) -> &R {
        &self.rules
    }

    /// The value of `position`.
    pub fn value(&mut self, games: &mut Games, position: &R::Position) -> Value {
        unlimited(self.value_within(games, position, &Control::silent()))
    }

    /// The value of `position`, unless `control` stops the search or it takes too much memory. Positions may
    /// take half of the memory, and canonical forms the other half.
    pub fn value_within(
        &mut self,
        games: &mut Games,
        position: &R::Position,
        control: &Control<'_>,
    ) -> Result<Value> {
        let (rules, control) = (&self.rules, halved(control));
        let mut asked = 0;
        self.known.solve(position, &control, |position, look| {
            asked += 1;
            control.check_memory(asked, games.bytes())?;
            let (mut left, mut right) = (Some(Vec::new()), Some(Vec::new()));
            rules.left_options(position, &mut |option| push(&mut left, look(option)));
            rules.right_options(position, &mut |option| push(&mut right, look(option)));
            Ok(left.zip(right).map(|(left, right)| games.game(&left, &right)))
        })
    }

    /// The positions that Left and Right can move to.
    pub fn options(&self, position: &R::Position) -> (Vec<Owned<R>>, Vec<Owned<R>>) {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        self.rules.left_options(position, &mut |option| left.push(option.to_owned()));
        self.rules.right_options(position, &mut |option| right.push(option.to_owned()));
        (left, right)
    }

    /// For Left and for Right, the options that no other option of theirs beats, with their values. In a sum
    /// of games one of them is a best move in this component.
    pub fn best_moves(
        &mut self,
        games: &mut Games,
        position: &R::Position,
    ) -> (Valued<Owned<R>>, Valued<Owned<R>>) {
        self.best(games, position, |values, games, option| values.value(games, option))
    }

    fn best(
        &mut self,
        games: &mut Games,
        position: &R::Position,
        value: impl Fn(&mut Self, &mut Games, &R::Position) -> Value,
    ) -> (Valued<Owned<R>>, Valued<Owned<R>>) {
        let (left, right) = self.options(position);
        let mut side = |options: Vec<Owned<R>>, beaten: fn(&mut Games, Value, Value) -> bool| {
            let values: Vec<Value> =
                options.iter().map(|option| value(self, games, option.borrow())).collect();
            let mut stays = |v: Value| !values.iter().any(|&other| other != v && beaten(games, v, other));
            options.into_iter().zip(values.iter().copied()).filter(|&(_, v)| stays(v)).collect()
        };
        (side(left, Games::le), side(right, |games, value, other| games.le(other, value)))
    }
}

impl Values<EvenOdd> {
    /// The value of the vertex set `set` as the sum of the values of its components: the same as
    /// [`Values::value`], which the tests confirm, but over connected sets only, of which a graph with long
    /// paths has few.
    pub fn by_components(&mut self, games: &mut Games, set: u64) -> Value {
        unlimited(self.by_components_within(games, set, &Control::silent()))
    }

    /// As [`Values::by_components`], within the limits of [`Values::value_within`].
    pub fn by_components_within(
        &mut self,
        games: &mut Games,
        set: u64,
        control: &Control<'_>,
    ) -> Result<Value> {
        let (rules, control) = (&self.rules, halved(control));
        let (mut asked, mut total) = (0, Value::ZERO);
        for component in components(rules, set) {
            let value = self.known.solve(&component, &control, |set, look| {
                asked += 1;
                control.check_memory(asked, games.bytes())?;
                let mut sum = |option: u64| {
                    components(rules, option)
                        .try_fold(Value::ZERO, |sum, component| Some(games.add(sum, look(&component)?)))
                };
                let (mut left, mut right) = (Some(Vec::new()), Some(Vec::new()));
                rules.left_options(set, &mut |&option| push(&mut left, sum(option)));
                rules.right_options(set, &mut |&option| push(&mut right, sum(option)));
                Ok(left.zip(right).map(|(left, right)| games.game(&left, &right)))
            })?;
            total = games.add(total, value);
        }
        Ok(total)
    }

    /// As [`Values::best_moves`], with the values of [`Values::by_components`].
    pub fn best_moves_by_components(&mut self, games: &mut Games, set: u64) -> (Valued<u64>, Valued<u64>) {
        self.best(games, &set, |values, games, &option| values.by_components(games, option))
    }
}

/// The vertex sets of the components of the graph on `set`.
fn components(rules: &EvenOdd, set: u64) -> impl Iterator<Item = u64> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let component = (rest != 0).then(|| rules.graph.component(rest))?;
        rest &= !component;
        Some(component)
    })
}

/// Adds a value to a list, or gives the list up if there is none.
fn push(values: &mut Option<Vec<Value>>, value: Option<Value>) {
    match value {
        Some(value) => values.iter_mut().for_each(|values| values.push(value)),
        None => *values = None,
    }
}

fn halved<'a>(control: &Control<'a>) -> Control<'a> {
    Control { memory: control.memory.map(|bytes| bytes / 2), ..*control }
}

fn unlimited<T>(result: Result<T>) -> T {
    result.unwrap_or_else(|error| unreachable!("without a limit nothing is refused: {error}"))
}
