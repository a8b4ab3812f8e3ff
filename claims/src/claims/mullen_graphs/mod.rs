//! Mullen's thesis, questions about games on graphs that a search can answer to a bound. (Its theorems on wyg
//! are in [`super::mullen`].)

mod questions;

use super::Check;

/// The answers to open questions of this document about games on graphs.
pub(super) fn checks() -> Vec<Check> {
    questions::CHECKS.to_vec()
}
