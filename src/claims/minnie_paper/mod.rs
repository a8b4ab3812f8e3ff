//! The paper on minnie by Mullen and Nowakowski.

use super::Claim;

/// The claims of this document.
pub fn claims() -> Vec<Claim> {
    Vec::new()
}
