//! Values of partizan games: canonical forms, comparison, sums, and the notation of the field.
//!
//! [`Games`] is an arena in which every value has exactly one name, so that two games are equal if and only
//! if their [`Value`]s are. The canonical form is the one of the textbooks: bypass reversible options, then
//! delete dominated ones.

mod arithmetic;
mod notation;
mod values;

pub use values::Values;

use crate::search::known::map_bytes;
use serde::Serialize;
use std::collections::HashMap;

/// The value of a game, an index into its [`Games`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(u32);

impl Value {
    /// The value 0, which has the same name in every arena.
    pub const ZERO: Self = Self(0);
}

/// Who wins a game. Impartial games have the outcomes P and N only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub enum Outcome {
    /// Left, whoever starts: the value is positive.
    #[serde(rename = "L")]
    Left,
    /// Right, whoever starts: the value is negative.
    #[serde(rename = "R")]
    Right,
    /// The previous player, who has just moved: the value is 0.
    #[serde(rename = "P")]
    Previous,
    /// The next player, who is to move: the value is confused with 0.
    #[serde(rename = "N")]
    Next,
}

impl Outcome {
    /// The outcome of a P-position, or of an N-position.
    pub fn of_p(is_p: bool) -> Self {
        if is_p { Self::Previous } else { Self::Next }
    }

    /// The letter of the field: L, R, P or N.
    pub fn letter(self) -> char {
        match self {
            Self::Left => 'L',
            Self::Right => 'R',
            Self::Previous => 'P',
            Self::Next => 'N',
        }
    }
}

type Options = Box<[Value]>;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Form {
    left: Options,
    right: Options,
}

impl Form {
    fn len(&self) -> u64 {
        (self.left.len() + self.right.len()) as u64
    }
}

/// An arena of canonical forms.
#[derive(Debug, Clone)]
pub struct Games {
    forms: Vec<Form>,
    names: HashMap<Form, Value>,
    /// Canonical forms of option lists that were not canonical themselves.
    simplified: HashMap<Form, Value>,
    at_most: HashMap<(Value, Value), bool>,
    sums: HashMap<(Value, Value), Value>,
    /// Negatives, filled on demand: without them the negative of `*n` takes 2^n steps.
    negatives: HashMap<Value, Value>,
    /// For each form, its value as a dyadic number `(numerator, exponent)` if it is one.
    numbers: Vec<Option<(i64, u32)>>,
    /// For each form, its depth.
    depths: Vec<u32>,
    /// The options in all forms that are kept, counted as often as they are kept.
    options: u64,
}

impl Default for Games {
    fn default() -> Self {
        let mut games = Self {
            forms: Vec::new(),
            names: HashMap::new(),
            simplified: HashMap::new(),
            at_most: HashMap::new(),
            sums: HashMap::new(),
            negatives: HashMap::new(),
            numbers: Vec::new(),
            depths: Vec::new(),
            options: 0,
        };
        games.intern(Form { left: Box::default(), right: Box::default() });
        games
    }
}

impl Games {
    /// An arena that knows only 0.
    pub fn new() -> Self {
        Self::default()
    }

    /// About how many bytes of memory all values and what is remembered of them take.
    pub fn bytes(&self) -> u64 {
        map_bytes::<Form, Value>(self.names.capacity())
            + map_bytes::<Form, Value>(self.simplified.capacity())
            + map_bytes::<(Value, Value), bool>(self.at_most.capacity())
            + map_bytes::<(Value, Value), Value>(self.sums.capacity())
            + map_bytes::<Value, Value>(self.negatives.capacity())
            + (self.forms.capacity() * (size_of::<Form>() + size_of::<Option<(i64, u32)>>())) as u64
            + self.options * size_of::<Value>() as u64
    }

    /// Left's options of the canonical form.
    pub fn left(&self, game: Value) -> &[Value] {
        &self.forms[game.0 as usize].left
    }

    /// Right's options of the canonical form.
    pub fn right(&self, game: Value) -> &[Value] {
        &self.forms[game.0 as usize].right
    }

    /// The value of the game with these options.
    pub fn game(&mut self, left: &[Value], right: &[Value]) -> Value {
        let form = Form { left: sorted(left), right: sorted(right) };
        if let Some(&known) = self.names.get(&form).or_else(|| self.simplified.get(&form)) {
            return known;
        }
        let (mut left, mut right) = (form.left.to_vec(), form.right.to_vec());
        self.bypass_reversible(&mut left, &mut right);
        self.delete_dominated(&mut left, &mut right);
        let value = self.intern(Form { left: sorted(&left), right: sorted(&right) });
        if self.forms[value.0 as usize] != form {
            self.options += form.len();
            self.simplified.insert(form, value);
        }
        value
    }

    /// Whether `g <= h`.
    pub fn le(&mut self, g: Value, h: Value) -> bool {
        if g == h {
            return true;
        }
        if let (Some(x), Some(y)) = (self.numbers[g.0 as usize], self.numbers[h.0 as usize]) {
            return arithmetic::number_le(x, y);
        }
        if let Some(&known) = self.at_most.get(&(g, h)) {
            return known;
        }
        // g <= h: no Left option of g is >= h, and no Right option of h is <= g.
        let (left, right) = (self.left(g).to_vec(), self.right(h).to_vec());
        let answer = !left.into_iter().any(|l| self.le(h, l)) && !right.into_iter().any(|r| self.le(r, g));
        self.at_most.insert((g, h), answer);
        answer
    }

    /// Who wins.
    pub fn outcome(&mut self, game: Value) -> Outcome {
        match (self.le(Value::ZERO, game), self.le(game, Value::ZERO)) {
            (true, true) => Outcome::Previous,
            (true, false) => Outcome::Left,
            (false, true) => Outcome::Right,
            (false, false) => Outcome::Next,
        }
    }

    fn intern(&mut self, form: Form) -> Value {
        if let Some(&known) = self.names.get(&form) {
            return known;
        }
        let value = Value(u32::try_from(self.forms.len()).expect("fewer than 2^32 values fit into memory"));
        let number = self.number_of_form(&form);
        let options = form.left.iter().chain(&form.right);
        let depth = options.map(|&option| self.depth(option) + 1).max().unwrap_or(0);
        self.options += 2 * form.len();
        self.names.insert(form.clone(), value);
        self.forms.push(form);
        self.numbers.push(number);
        self.depths.push(depth);
        value
    }

    /// Replaces each reversible option by the options it reverses to, until none is reversible. That keeps
    /// the value, so that "<= G" may be asked with the lists as they are at any time, and answers stay right.
    fn bypass_reversible(&mut self, left: &mut Vec<Value>, right: &mut Vec<Value>) {
        let mut known = HashMap::new();
        let mut i = 0;
        while i < left.len() {
            let responses = self.right(left[i]).to_vec();
            let mut reverses =
                |&response: &Value| self.compares(response, Side::AtMost, left, right, &mut known);
            match responses.into_iter().find(|response| reverses(response)) {
                Some(response) => {
                    left.swap_remove(i);
                    let replacements = self.left(response).to_vec();
                    replacements.into_iter().for_each(|new| push_new(left, new));
                    i = 0;
                }
                None => i += 1,
            }
        }
        i = 0;
        while i < right.len() {
            let responses = self.left(right[i]).to_vec();
            let mut reverses =
                |&response: &Value| self.compares(response, Side::AtLeast, left, right, &mut known);
            match responses.into_iter().find(|response| reverses(response)) {
                Some(response) => {
                    right.swap_remove(i);
                    let replacements = self.right(response).to_vec();
                    replacements.into_iter().for_each(|new| push_new(right, new));
                    i = 0;
                }
                None => i += 1,
            }
        }
    }

    fn delete_dominated(&mut self, left: &mut Vec<Value>, right: &mut Vec<Value>) {
        let mut i = 0;
        while i < left.len() {
            let option = left[i];
            if (0..left.len()).any(|j| j != i && self.le(option, left[j])) {
                left.swap_remove(i);
            } else {
                i += 1;
            }
        }
        i = 0;
        while i < right.len() {
            let option = right[i];
            if (0..right.len()).any(|j| j != i && self.le(right[j], option)) {
                right.swap_remove(i);
            } else {
                i += 1;
            }
        }
    }

    /// Whether `g <= {left | right}`, or `g >= {left | right}`. What is `known` of those lists is not worked
    /// out again.
    fn compares(
        &mut self,
        g: Value,
        side: Side,
        left: &[Value],
        right: &[Value],
        known: &mut Answers,
    ) -> bool {
        if let Some(&answer) = known.get(&(g, side)) {
            return answer;
        }
        let (refuted, moves, other) = match side {
            Side::AtMost => (right.iter().any(|&r| self.le(r, g)), self.left(g).to_vec(), Side::AtLeast),
            Side::AtLeast => (left.iter().any(|&l| self.le(g, l)), self.right(g).to_vec(), Side::AtMost),
        };
        let answer =
            !refuted && !moves.into_iter().any(|option| self.compares(option, other, left, right, known));
        known.insert((g, side), answer);
        answer
    }
}

/// How a value is compared with a game that is still a pair of lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Side {
    AtMost,
    AtLeast,
}

/// Comparisons with one pair of lists.
type Answers = HashMap<(Value, Side), bool>;

fn sorted(options: &[Value]) -> Options {
    let mut options = options.to_vec();
    options.sort_unstable();
    options.dedup();
    options.into()
}

fn push_new(options: &mut Vec<Value>, new: Value) {
    if !options.contains(&new) {
        options.push(new);
    }
}

#[cfg(test)]
mod tests;
