//! Surveys: what can be proved about each game of a family, and what is seen of the others.
//!
//! A [`Family`] says which games there are, how they are told apart and what there is to find out about one
//! of them. [`run`] does the rest for every family: games that are the same are looked at once, several games
//! side by side, each within its budget; what is finished is kept in a folder, where the same survey resumes.
//! A [`Survey`] is shown as text, CSV, JSON or a page.

mod finding;
mod page;
mod ranges;
mod rules;
mod run;
mod seen;
mod show;
mod state;

pub use finding::{Finding, Size, Theorem, find};
pub use ranges::Values;
pub use rules::RuleFamily;
pub use run::{Options, run};
pub use seen::Seen;
pub use show::heading;
pub use state::STATE_FILE;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::base::{Control, Result};

/// The most games of a survey.
pub const MOST_GAMES: usize = 100_000;

/// Games that are surveyed together.
pub trait Family: Sync {
    /// What is surveyed, for people.
    fn title(&self) -> String;
    /// What makes it this survey and no other: a folder of another one is refused. What only chooses games
    /// does not belong here, so that a survey can be widened.
    fn definition(&self) -> Value;
    /// What tells the games apart.
    fn name_columns(&self) -> Vec<Column>;
    /// What is found out about a game.
    fn result_columns(&self) -> Vec<Column>;
    /// How many games there are.
    fn games(&self) -> usize;
    /// The cells of the name columns.
    fn names(&self, game: usize) -> Vec<Value>;
    /// A text that is the same for games that are the same; or why there is no such game.
    fn sameness(&self, game: usize) -> Result<String, String>;
    /// Finds out what there is to find out, within limits.
    fn look(&self, game: usize, control: &Control<'_>) -> Result<Look>;
}

/// A column of a survey.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its name in CSV and JSON.
    pub name: String,
    /// Characters on the screen; 0 where it is not shown there.
    pub width: usize,
    /// Whether its cells are numbers.
    pub numeric: bool,
    /// Whether its cells are sentences, which a page breaks into lines.
    pub long: bool,
}

impl Column {
    /// A column of texts.
    pub fn text(name: &str, width: usize) -> Self {
        Self { name: name.into(), width, numeric: false, long: false }
    }

    /// A column of sentences.
    pub fn long(name: &str, width: usize) -> Self {
        Self { long: true, ..Self::text(name, width) }
    }

    /// A column of numbers.
    pub fn number(name: &str, width: usize) -> Self {
        Self { numeric: true, ..Self::text(name, width) }
    }
}

/// What became of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// There is a theorem.
    Proved,
    /// There is none; only what was seen can be said.
    Seen,
    /// The budget was used up before all methods were tried; what was seen is there.
    OutOfTime,
    /// It is, word for word, an earlier game of the survey.
    Same,
    /// There is no such game.
    Invalid,
}

impl Status {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Proved, Self::Seen, Self::OutOfTime, Self::Same, Self::Invalid];

    /// The status for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Proved => "proved",
            Self::Seen => "seen",
            Self::OutOfTime => "out of time",
            Self::Same => "same",
            Self::Invalid => "invalid",
        }
    }
}

/// What was found out about a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// [`Status::Proved`], [`Status::Seen`] or [`Status::OutOfTime`].
    pub status: Status,
    /// The cells of the result columns.
    pub cells: Vec<Value>,
    /// What was seen of the game, in short: games for which this is equal look alike.
    pub alike: Option<String>,
}

/// A game of a survey and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The cells of the name columns.
    pub names: Vec<Value>,
    /// What became of it.
    pub status: Status,
    /// The cells of the result columns.
    pub cells: Vec<Value>,
    /// What was seen, in short.
    pub alike: Option<String>,
    /// Seconds that it took.
    pub seconds: f64,
    /// Seconds that it was allowed.
    pub budget: f64,
}

impl Row {
    /// "(1, 0)": what the game is called.
    pub fn name(&self) -> String {
        name(&self.names)
    }
}

/// "(1, 0)".
pub fn name(names: &[Value]) -> String {
    format!("({})", names.iter().map(show::plain).collect::<Vec<_>>().join(", "))
}

/// A row with the earlier game that it looks like, if there is one.
pub type Shown = (Row, Option<String>);

/// A survey, or as much of it as is finished.
#[derive(Debug, Clone)]
pub struct Survey {
    /// What was surveyed, for people.
    pub title: String,
    /// What makes it this survey.
    pub definition: Value,
    /// All columns of the rows.
    pub columns: Vec<Column>,
    /// How many games there are in all.
    pub games: usize,
    /// The games that are finished, in order.
    pub rows: Vec<Shown>,
    /// Seconds of this run.
    pub seconds: f64,
}

impl Survey {
    /// Whether every game is finished.
    pub fn is_complete(&self) -> bool {
        self.rows.len() == self.games
    }

    /// How many games have this status.
    pub fn count(&self, status: Status) -> usize {
        self.rows.iter().filter(|(row, _)| row.status == status).count()
    }
}

/// All columns of a family's survey.
pub fn columns(family: &dyn Family) -> Vec<Column> {
    let mut columns = family.name_columns();
    columns.push(Column::text("status", 11));
    columns.extend(family.result_columns());
    columns.extend([Column::text("as", 0), Column::number("seconds", 0)]);
    columns
}
