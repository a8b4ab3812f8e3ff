//! The ways to fill a block. [`Generic`] works for any rules and any space and is the oracle of all others.

mod cookie;
mod generic;
mod greedy;
mod mark;
mod minnie_outcomes;
mod minnie_values;
pub mod octal;
mod or_row;
mod together;

pub use cookie::{CookieScalar, CookieVectors, placement_masks};
pub use generic::Generic;
pub use minnie_outcomes::{MinnieOutcomes, Sibling};
pub use minnie_values::MinnieValues;
pub use or_row::{OrRow, Simd};

use crate::table::Cells;

/// A value does not fit into the width of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooWide;

/// Fills blocks of a wave from the finished waves.
///
/// The entries of a block are 0 when it is filled for the first time. Filling it again, after [`TooWide`] or on
/// another machine, gives the same entries.
pub trait Kernel<Block>: Sync {
    /// Fills `block` and returns the number of positions in it.
    fn fill(&self, cells: &Cells<'_>, block: &Block) -> Result<u64, TooWide>;

    /// Rebuilds what the kernel remembers of a block that an earlier run has filled.
    fn recall(&self, _cells: &Cells<'_>, _block: &Block) {}
}
