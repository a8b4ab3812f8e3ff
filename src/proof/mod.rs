//! From tables to theorems: statements about all heap sizes and all heap counts.
//!
//! The way of a proof: [`learn`] guesses a finite [`Quotient`] from a small table of outcomes,
//! [`finite_check`] proves it or refutes it, [`certificate`] writes and reads it. docs/PROOFS.md has the
//! lemmas and says where in this folder each condition is checked.

pub mod certificate;
pub mod closed_form;
pub mod corollaries;
pub mod count;
pub mod finite_check;
pub mod fixed_heaps;
pub mod learn;
pub mod local_game;
mod octal_outcomes;
pub mod quotient;
pub mod strategy;
pub mod theorem;

pub use certificate::Certificate;
pub use finite_check::{Checked, Refuted, check};
pub use local_game::LocalGame;
pub use quotient::{Class, Letters, Quotient};

/// A quotient or a certificate whose parts do not fit together; the text says how.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Malformed(pub String);
