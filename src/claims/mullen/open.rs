//! Chapter 6: conjectures and open questions.

use super::super::{Claim, claim, minnie_conjecture};

/// The claims of Chapter 6.
pub(super) fn claims() -> Vec<Claim> {
    vec![claim!(
        "mullen-6.2",
        "Mullen, Conjecture 6.2",
        "Minnie on n stacks with smallest stack at least 4 and second smallest at least 6 is in N.",
        minnie_conjecture::no_small_heap
    )]
}
