//! Lecture slides on impartial games.

use super::Claim;

/// The claims of this document.
pub fn claims() -> Vec<Claim> {
    Vec::new()
}
