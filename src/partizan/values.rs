//! Values of positions of a partizan game.

use super::{Games, Value};
use crate::rules::PartizanRules;
use crate::rules::graph::EvenOdd;
use std::collections::HashMap;
use std::hash::Hash;

/// The moves of both players that keep the best outcome for the mover; see [`Values::best_moves`].
type Moves<P> = (Vec<(P, Value)>, Vec<(P, Value)>);

/// Remembers the values of the positions of one game.
#[derive(Debug)]
pub struct Values<R: PartizanRules> {
    rules: R,
    known: HashMap<R::Position, Value>,
    limit: usize,
    refused: bool,
}

impl<R: PartizanRules> Values<R>
where
    R::Position: Eq + Hash,
{
    /// Nothing known yet.
    pub fn new(rules: R) -> Self {
        Self::with_limit(rules, usize::MAX)
    }

    /// Nothing known yet, and never more than `limit` positions: beyond that values are made up and [`Values::refused`]
    /// says so.
    pub fn with_limit(rules: R, limit: usize) -> Self {
        Self { rules, known: HashMap::new(), limit, refused: false }
    }

    /// Whether a value was wanted that takes more positions than the limit; all values are then meaningless.
    pub fn refused(&self) -> bool {
        self.refused
    }

    /// Whether the limit is reached; remembers that it was.
    fn full(&mut self) -> bool {
        self.refused |= self.known.len() >= self.limit;
        self.refused
    }

    /// The rules.
    pub fn rules(&self) -> &R {
        &self.rules
    }

    /// The value of `position`.
    pub fn value(&mut self, games: &mut Games, position: &R::Position) -> Value {
        if let Some(&known) = self.known.get(position) {
            return known;
        }
        if self.full() {
            return Value::ZERO;
        }
        let (left, right) = self.options(position);
        let left: Vec<Value> = left.iter().map(|option| self.value(games, option)).collect();
        let right: Vec<Value> = right.iter().map(|option| self.value(games, option)).collect();
        let value = games.game(&left, &right);
        self.known.insert(position.clone(), value);
        value
    }

    /// The positions that Left and Right can move to.
    pub fn options(&self, position: &R::Position) -> (Vec<R::Position>, Vec<R::Position>) {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        self.rules.left_options(position, &mut |option| left.push(option.clone()));
        self.rules.right_options(position, &mut |option| right.push(option.clone()));
        (left, right)
    }

    /// For Left and for Right, the options that no other option of theirs beats, with their values. In a sum of
    /// games one of them is a best move in this component.
    pub fn best_moves(&mut self, games: &mut Games, position: &R::Position) -> Moves<R::Position> {
        let (left, right) = self.options(position);
        let mut valued = |options: Vec<R::Position>| -> Vec<(R::Position, Value)> {
            options.into_iter().map(|option| (option.clone(), self.value(games, &option))).collect()
        };
        let (left, right) = (valued(left), valued(right));
        let keep_left: Vec<_> =
            left.iter().filter(|l| !left.iter().any(|k| k.1 != l.1 && games.le(l.1, k.1))).cloned().collect();
        let keep_right: Vec<_> = right
            .iter()
            .filter(|r| !right.iter().any(|k| k.1 != r.1 && games.le(k.1, r.1)))
            .cloned()
            .collect();
        (keep_left, keep_right)
    }
}

impl Values<EvenOdd> {
    /// The value of the vertex set `set` as the sum of the values of its components: the same as
    /// [`Values::value`], which the tests confirm, but over connected sets only, of which a graph with long
    /// paths has few.
    pub fn by_components(&mut self, games: &mut Games, set: u64) -> Value {
        let mut total = Value::ZERO;
        let mut rest = set;
        while rest != 0 {
            let component = self.rules.graph.component(rest);
            rest &= !component;
            let value = self.connected(games, component);
            total = games.add(total, value);
        }
        total
    }

    fn connected(&mut self, games: &mut Games, set: u64) -> Value {
        if let Some(&known) = self.known.get(&set) {
            return known;
        }
        if self.full() {
            return Value::ZERO;
        }
        let (left, right) = self.options(&set);
        let left: Vec<Value> = left.iter().map(|&option| self.by_components(games, option)).collect();
        let right: Vec<Value> = right.iter().map(|&option| self.by_components(games, option)).collect();
        let value = games.game(&left, &right);
        self.known.insert(set, value);
        value
    }
}
