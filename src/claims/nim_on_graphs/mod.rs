//! The thesis on nim on graphs with loops.

use super::Claim;

/// The claims of this document.
pub fn claims() -> Vec<Claim> {
    Vec::new()
}
