//! Mullen's thesis, section 4.3 and chapter 6: wynnie and minnie on graphs.

mod edge_delete;
mod ones;
mod questions;
mod stacks;

use super::Claim;

/// The claims about games on graphs of this document.
pub fn claims() -> Vec<Claim> {
    [stacks::CLAIMS, ones::CLAIMS, edge_delete::CLAIMS, questions::CLAIMS].concat()
}
