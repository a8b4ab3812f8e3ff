//! Surveys: what can be proved about each game of a family, and what is seen of the others.
//!
//! A [`Family`] says which games there are, how they are told apart and what there is to find out about one
//! of them. [`run`] does the rest for every family: games that are the same are looked at once, several games
//! side by side, each within its budget; what is finished is kept in a folder, where the same survey resumes.
//! Of games that can be looked at further and further, the one that has had the least time comes next. A
//! [`Survey`] is shown as text, CSV, TSV, JSON, LaTeX or a page.

mod finding;
mod growth;
mod misere;
mod octal;
mod page;
mod ranges;
mod rules;
mod run;
mod seen;
mod show;
mod state;
#[cfg(test)]
mod tests;

pub use finding::{Finding, Size, Theorem, find};
pub use misere::MisereFamily;
pub use octal::OctalFamily;
pub use ranges::Values;
pub use rules::RuleFamily;
pub use run::{Options, run};
pub use seen::Seen;
pub use show::heading;
pub use state::{STATE_FILE, kept};

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
    /// How far games are looked at, further in each round: no game goes on before all have come so far.
    fn goals(&self) -> Vec<u64> {
        vec![0]
    }
    /// Finds out what there is to find out as far as `goal`, within limits.
    fn look(&self, game: usize, goal: u64, control: &Control<'_>) -> Result<Look>;
    /// The cells of a game that is the same as `earlier`, which has `cells`.
    fn cells_of_same(&self, _game: usize, _earlier: usize, cells: &[Value]) -> Vec<Value> {
        cells.to_vec()
    }
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
    /// There is none as far as the game was looked at; further on there may be.
    Open,
    /// The budget was used up before all methods were tried; what was seen is there.
    OutOfTime,
    /// It is, word for word, an earlier game of the survey.
    Same,
    /// There is no such game.
    Invalid,
}

impl Status {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Proved, Self::Seen, Self::Open, Self::OutOfTime, Self::Same, Self::Invalid];

    /// The status for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Proved => "proved",
            Self::Seen => "seen",
            Self::Open => "open",
            Self::OutOfTime => "out of time",
            Self::Same => "same",
            Self::Invalid => "invalid",
        }
    }
}

/// What was found out about a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// [`Status::Proved`], [`Status::Seen`], [`Status::Open`] or [`Status::OutOfTime`].
    pub status: Status,
    /// How far it was looked at.
    pub reached: u64,
    /// The cells of the result columns.
    pub cells: Vec<Value>,
    /// What was seen of the game, in short: games for which this is equal look alike. If it begins with
    /// [`EXACT`], then they are proved to be the same. What was seen of less may follow, after [`ALSO`]: it is
    /// compared with games of which no more was seen.
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
    /// How far it was looked at.
    #[serde(default)]
    pub reached: u64,
    /// What was seen, in short.
    pub alike: Option<String>,
    /// Seconds that it took.
    pub seconds: f64,
    /// Seconds that it was allowed.
    pub budget: f64,
}

impl Row {
    /// "(1, 0)" or "0.77": what the game is called.
    pub fn name(&self) -> String {
        name(&self.names)
    }

    /// Whether a game that looks like this one is the same.
    fn is_exact(&self) -> bool {
        self.alike.as_ref().is_some_and(|alike| alike.starts_with(EXACT))
    }
}

/// How [`Look::alike`] begins where it tells everything about a game.
pub const EXACT: char = '=';

/// What stands between what was seen and what was seen of less, in [`Look::alike`].
pub const ALSO: char = '|';

/// "(1, 0)", or the name alone where it is one text.
pub fn name(names: &[Value]) -> String {
    if let [Value::String(name)] = names {
        return name.clone();
    }
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
    /// The games that are finished, in order, and what is known of those that are not.
    pub rows: Vec<Shown>,
    /// How many of the rows are not finished.
    pub unfinished: usize,
    /// Seconds of this run.
    pub seconds: f64,
}

impl Survey {
    /// Whether every game is finished.
    pub fn is_complete(&self) -> bool {
        self.rows.len() == self.games && self.unfinished == 0
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
