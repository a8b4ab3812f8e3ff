//! The ways to fill a block. [`Generic`] works for any rules and any space and is the oracle of all others.

mod cookie;
mod generic;
mod minnie;
pub mod octal;

pub use cookie::{CookieScalar, CookieVectors};
pub use generic::Generic;
pub use minnie::{MinnieOutcomes, MinnieValues, OrRow};

use crate::cluster::halo::Halo;
use crate::table::Cells;

/// A value does not fit into the width of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooWide;

/// Fills blocks of a wave from the finished waves.
///
/// The entries of a block are 0 when it is filled for the first time. Filling it again, after [`Self::forget`] and
/// [`Self::recall`] or on another machine, gives the same entries.
pub trait Kernel<Block>: Sync {
    /// Fills `block` and returns the number of positions in it.
    fn fill(&self, cells: &Cells<'_>, block: &Block) -> Result<u64, TooWide>;

    /// Fills `block` of a shard: `halo` holds the rows of other shards that it reads. A kernel without an answer to that is
    /// given the whole table.
    fn fill_beside(&self, cells: &Cells<'_>, block: &Block, _halo: &Halo) -> Result<u64, TooWide> {
        self.fill(cells, block)
    }

    /// Forgets what the kernel remembers of the blocks that it has filled.
    fn forget(&self) {}

    /// Rebuilds what the kernel remembers of a block that an earlier run has filled.
    fn recall(&self, _cells: &Cells<'_>, _block: &Block) {}
}
