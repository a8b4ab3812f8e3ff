//! From tables to theorems: statements about all heap sizes and all heap counts.
//!
//! [`prove`] takes a game and chooses what can be proved about it. The way of a proof for all numbers of
//! heaps: [`learn`] guesses a finite [`Quotient`] from a small table of outcomes, [`finite_check`] proves it
//! or refutes it, [`certificate`] writes and reads it. docs/PROOFS.md has the lemmas and says where in this
//! folder each condition is checked.

pub mod automata;
pub mod certificate;
pub mod closed_form;
pub mod corollaries;
pub mod count;
pub mod describe;
pub mod finite_check;
pub mod fixed_heaps;
mod known;
pub mod learn;
pub mod local_game;
pub mod misere;
pub mod octal_period;
pub mod order_games;
mod prove;
pub mod quotient;
pub mod recurrence;
mod searched_outcomes;
pub mod strategy;
pub mod theorem;

pub use certificate::Certificate;
pub use finite_check::{Checked, Refuted, check};
pub use known::known_theorem;
pub use local_game::LocalGame;
pub use prove::{
    Attempts, DIGITS, GapTheorem, PERIOD_TERMS, Proof, Way, look_at_classes, prove, prove_by_automata,
    prove_by_gaps, proved,
};
pub use quotient::{Class, Letters, Quotient};

/// A quotient or a certificate whose parts do not fit together; the text says how.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Malformed(pub String);
