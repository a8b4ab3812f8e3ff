//! The thesis on nim on graphs with loops: paths, cycles, trees, mono-cyclic graphs.

mod monocyclic;
mod paths_cycles;
mod solve;
mod trees;

use super::Check;

/// The checks of the claims of this document.
pub(super) fn checks() -> Vec<Check> {
    [paths_cycles::CHECKS, trees::CHECKS, monocyclic::CHECKS].concat()
}
