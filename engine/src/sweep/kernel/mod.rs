//! The ways to fill a block. [`Generic`] works for any rules and any space and is the oracle of all others.

mod cookie;
mod far_rows;
mod generic;
mod lines;
mod minnie;
pub mod octal;

pub use cookie::{CookieScalar, CookieVectors};
pub use far_rows::{FarRows, Here, RowsElsewhere};
pub use generic::Generic;
pub use lines::LineValues;
pub use minnie::{MinnieOutcomes, MinnieStrips, MinnieValues, MinnieWindows, OrRow};

use crate::table::Cells;
use crate::waves::RowBlock;

/// A value does not fit into the width of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooWide;

/// Fills blocks of a wave from the finished waves.
///
/// The entries of a block are 0 when it is filled for the first time. Filling it again, after
/// [`Self::forget`] and [`Self::recall`] or on another machine, gives the same entries.
pub trait Kernel<Block>: Sync {
    /// Fills `block` and returns the number of positions in it.
    fn fill(&self, cells: &Cells<'_>, block: &Block) -> Result<u64, TooWide>;

    /// Forgets what the kernel remembers of the blocks that it has filled.
    fn forget(&self) {}

    /// Rebuilds what the kernel remembers of a block that an earlier run has filled.
    fn recall(&self, _cells: &Cells<'_>, _block: &Block) {}
}

/// A kernel that can fill a table without all rows that it reads: the others are with `E`.
pub trait RowKernel<E>: Kernel<RowBlock> {
    /// Fills `block` and returns the number of positions in it; `elsewhere` has the rows that the table does
    /// not hold.
    fn fill_with(&self, cells: &Cells<'_>, block: &RowBlock, elsewhere: &E) -> Result<u64, TooWide>;
}
