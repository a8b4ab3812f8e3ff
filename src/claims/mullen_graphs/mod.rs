//! Mullen's thesis, questions about games on graphs that a search can answer to a bound. (Its theorems on wyg
//! are in [`super::mullen`].)

mod questions;

use super::Claim;

/// The answers to open questions of this document about games on graphs.
pub fn claims() -> Vec<Claim> {
    questions::CLAIMS.to_vec()
}
