//! The thesis on nim on graphs with loops: paths, cycles, trees, mono-cyclic graphs.

mod monocyclic;
mod paths_cycles;
mod solve;
mod trees;

use super::Claim;

/// The claims of this document.
pub fn claims() -> Vec<Claim> {
    [paths_cycles::CLAIMS, trees::CLAIMS, monocyclic::CLAIMS].concat()
}
