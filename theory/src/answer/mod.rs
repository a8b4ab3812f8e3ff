//! Outcome, value and winning moves of one position: from a table, a sweep, a search or a theorem.
//!
//! [`ask`] chooses the way to the answer; [`Oracle`] keeps what it has found, for games in which many
//! positions are asked about.

mod automata;
mod boards;
pub mod graph_games;
mod heap_sums;
mod many;
mod oracle;
mod quotient;
pub mod sum;
mod tables;
#[cfg(test)]
mod tests;

pub use crate::partizan::Outcome;
pub use automata::{FromAutomata, Size, read_wide};
pub use boards::ask_board;
pub use many::{Answered, Brief, Many, answer_text};
pub use oracle::{Oracle, ask, read_position};
pub use quotient::change;

use serde::Serialize;
use std::fmt;

use crate::base::{Control, Error, Result};
use crate::rules::Play;

/// What is known of a position. A winning move is written as what it leaves, or in another way `M`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Answer<P, M = P> {
    /// The position.
    pub position: P,
    /// Who wins.
    pub outcome: Outcome,
    /// The Grundy value, where it is known (in misère play the misère one; 0 means P in both).
    pub value: Option<u64>,
    /// What the Grundy value is larger than, where a theorem knows only the small ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value_above: Option<u64>,
    /// The moves to P-positions.
    pub winning_moves: Vec<M>,
    /// The values of the heaps one by one, where the game is their sum and they were looked up.
    #[serde(skip)]
    pub heap_values: Vec<u64>,
    /// The winning moves that are not listed, if there are such.
    #[serde(flatten)]
    pub more_moves: Option<More>,
    /// Where the answer comes from.
    #[serde(skip)]
    pub source: Source,
    /// The theorem for a fixed number of heaps that the answer comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theorem: Option<String>,
}

/// Winning moves that are not listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum More {
    /// They differ from those listed by multiples of this period.
    #[serde(rename = "more_winning_moves_by_period")]
    Period(u64),
    /// There may be others, in which the parts of a heap are larger.
    #[serde(rename = "more_winning_moves_possible")]
    Possible(bool),
    /// There are so many of them.
    #[serde(rename = "more_winning_moves")]
    Unlisted(Size),
}

/// Where an answer comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// A stored table.
    Table,
    /// A table of all positions that can be reached, filled for the question.
    Sweep,
    /// A search from the position.
    Search,
    /// A theorem.
    Theorem(Theorem),
}

/// The theorems that answers come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theorem {
    /// The finite quotient of all positions (docs/PROOFS.md, theorem 1).
    Quotient,
    /// The nim-sum of the heaps: Bouton, Sprague and Grundy.
    NimSum,
    /// A period or an arithmetic period of a nim-sequence.
    Period,
    /// Automata that read the digits of the heaps (docs/PROOFS.md, theorem 4).
    Automata,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Table => "a table",
            Self::Sweep => "a sweep",
            Self::Search => "a search",
            Self::Theorem(Theorem::Quotient) => "the proved quotient",
            Self::Theorem(Theorem::NimSum) => "the nim-sum of the heaps",
            Self::Theorem(Theorem::Period) => "the proved period",
            Self::Theorem(Theorem::Automata) => "the proved automata",
        })
    }
}

impl<P, M> Answer<P, M> {
    /// An answer from what is known of the position and its winning moves.
    fn new(position: P, value: u64, winning_moves: Vec<M>, source: Source) -> Self {
        let outcome = Outcome::of_p(value == 0);
        Self {
            position,
            outcome,
            value: Some(value),
            value_above: None,
            winning_moves,
            heap_values: Vec::new(),
            more_moves: None,
            source,
            theorem: None,
        }
    }

    /// The answer for people: `position` is how the position is called, and `show` writes a winning move.
    pub fn describe(&self, play: Play, position: &str, show: impl Fn(&M) -> String) -> String {
        let value = match (self.value, self.value_above, play) {
            (Some(value), _, Play::Normal) => format!(", Grundy value {value}"),
            (Some(value), _, Play::Misere) => format!(", misère Grundy value {value}"),
            (None, Some(value), _) => format!(", Grundy value above {value}"),
            (None, None, _) => String::new(),
        };
        let (kind, who) = match self.outcome {
            Outcome::Previous => ("a P-position", "who has just moved"),
            _ => ("an N-position", "to move"),
        };
        let source = match (&self.theorem, self.source) {
            (Some(theorem), _) => format!(" (from {theorem})"),
            (None, Source::Theorem(_)) => format!(" (from {})", self.source),
            _ => String::new(),
        };
        let head = format!("{position} is {kind}{value}: the player {who} wins{source}.");
        let listed: String = self.winning_moves.iter().map(|to| format!("\n  {}", show(to))).collect();
        match (self.outcome, self.winning_moves.len()) {
            (Outcome::Previous, _) => head,
            (_, 0) => format!("{head}\nThere is no move left."),
            (_, count) => {
                let plural = if count == 1 { "" } else { "s" };
                let more = match &self.more_moves {
                    Some(More::Period(period)) => format!(
                        "\nand those in which the parts of a heap differ from these by multiples of {period}"
                    ),
                    Some(More::Possible(_)) => "\nand perhaps others, with larger parts of a heap".into(),
                    Some(More::Unlisted(count)) => format!("\nand {count} more"),
                    None => String::new(),
                };
                format!("{head}\n{count} winning move{plural} to:{listed}{more}")
            }
        }
    }
}

/// Announces work that will take long, and refuses what would take longer than the time that is left; without
/// a deadline that is about a minute.
fn check_time(seconds: f64, what: &str, control: &Control<'_>) -> Result<()> {
    const ANNOUNCED: f64 = 10.0;
    const MOST: f64 = 60.0;
    let for_people = |seconds: f64| match seconds {
        ..120.0 => format!("{seconds:.0} seconds"),
        ..7200.0 => format!("{:.0} minutes", seconds / 60.0),
        ..172_800.0 => format!("{:.0} hours", seconds / 3600.0),
        ..6.3e7 => format!("{:.0} days", seconds / 86_400.0),
        _ => format!("{:.0} years", seconds / 3.2e7),
    };
    let most = control.remaining().map_or(MOST, |left| left.as_secs_f64());
    if seconds > most {
        return Err(Error::Budget(format!(
            "{what} would take about {}; ask for a smaller position, allow more --time, or fill a table with solve --out DIR and ask it with --table DIR",
            for_people(seconds)
        )));
    }
    if seconds > ANNOUNCED {
        control.observer.note(&format!("Estimated time: {}.", for_people(seconds)));
    }
    Ok(())
}
