//! What the catalogue says about a game. An [`Entry`] and a rules file are all that a new game needs.

use std::fmt;

use super::heaps::HeapGame;
use super::parameters::Parameters;
use crate::base::{Error, Result};

/// One game of the catalogue.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// The name on the command line and in manifests.
    pub name: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// What a move is, in a line. Help, the list of games and the docs take it from here.
    pub moves: &'static str,
    /// What can be set besides the play.
    pub parameters: &'static [Parameter],
    /// What follows `nimwave query NAME` in an example that works when pasted: parameters, and a position.
    pub example: (&'static str, &'static str),
    /// What its positions are made of.
    pub kind: EntryKind,
}

/// What the positions of a game are made of.
#[derive(Debug, Clone, Copy)]
pub enum EntryKind {
    /// Heaps of counters: the function makes the game from its parameters.
    Heaps(fn(&Parameters) -> Result<HeapGame>),
    /// Heaps of counters under a rule that somebody has written and named: its text. Tables and messages
    /// speak of the game `rule` with this text.
    Written(&'static str),
    /// Heaps that do not interact and may be split: an octal code names the game.
    Octal,
    /// Squares of a grid.
    Cookie,
    /// Graphs with counters or weights, or boards of a partizan game; single positions are searched. The text
    /// says how to write one.
    Searched(&'static str),
    /// A sum of positions of other games.
    Sum,
}

/// Something that can be set in a game besides the play.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// The name, `--NAME` on the command line.
    pub name: &'static str,
    /// What it may be.
    pub values: Values,
    /// What it means, in a line.
    pub help: &'static str,
}

/// What a parameter may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Values {
    /// Given or not.
    Flag,
    /// One of these words, the first of them by default.
    OneOf(&'static [&'static str]),
    /// A text; how it is called, and the default if there is one.
    Text(&'static str, Option<&'static str>),
    /// A text that follows the name of the game; how it is called.
    Following(&'static str),
    /// A whole number; how it is called, and the default.
    Number(&'static str, u64),
}

impl Entry {
    /// The parameters as the list of games shows them.
    pub fn usage(&self) -> String {
        let own = self.parameters.iter().map(ToString::to_string);
        match self.kind {
            EntryKind::Heaps(_) | EntryKind::Written(_) => {
                ["--misere".to_string()].into_iter().chain(own).collect::<Vec<_>>().join(", ")
            }
            EntryKind::Octal => "the code, such as 0.77".into(),
            EntryKind::Cookie => "--rows, --cols or --board, --cutter K".into(),
            EntryKind::Searched(usage) => usage.into(),
            EntryKind::Sum => "each part in quotes: game, name=value, position".into(),
        }
    }

    /// Whether positions of the game are heaps of one of the catalogue's heap games.
    pub fn is_on_heaps(&self) -> bool {
        matches!(self.kind, EntryKind::Heaps(_) | EntryKind::Written(_))
    }

    /// A sentence that says what a move is.
    pub fn sentence(&self) -> String {
        let mut letters = self.moves.chars();
        let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
        format!("{first}{}.", letters.as_str())
    }

    /// A whole command with the example's parameters and position.
    pub fn example_of(&self, verb: &str) -> String {
        self.example_with(verb, self.example.1)
    }

    /// A whole command with the example's parameters, followed by `rest`.
    pub fn example_with(&self, verb: &str, rest: &str) -> String {
        let words = ["nimwave", verb, self.name, self.example.0, rest];
        words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    }

    pub(super) fn heap_game(&self, parameters: &Parameters) -> Result<HeapGame> {
        match self.kind {
            EntryKind::Heaps(make) => make(parameters),
            _ => Err(self.not_on_heaps()),
        }
    }

    /// The error for a verb that works on heap games only.
    pub fn not_on_heaps(&self) -> Error {
        let name = self.name;
        Error::Usage(format!("{name} is not played on heaps; `nimwave games {name}` shows how to ask for it"))
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, values, help } = self;
        match values {
            Values::Flag => write!(f, "--{name} ({help})"),
            Values::OneOf(words) => write!(f, "--{name} {} ({help})", words.join("|")),
            Values::Text(value, _) | Values::Number(value, _) => write!(f, "--{name} {value} ({help})"),
            Values::Following(value) => write!(f, "{value} ({help})"),
        }
    }
}
