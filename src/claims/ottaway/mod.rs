//! Ottaway's thesis: octal games, vertex deletion, cookie cutter.

use super::Claim;

/// The claims of this document.
pub fn claims() -> Vec<Claim> {
    Vec::new()
}
