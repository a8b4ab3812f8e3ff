//! The order of a sweep: a position of wave `w` has its options in waves below `w`, or earlier in its own
//! row. The rows of one wave are independent, so all cores work on them at once.

mod grid;
mod key_sum;
mod line;
mod slabs;
mod strips;
pub use grid::{HighBlock, HighSquares};
pub use key_sum::{KeySum, RowBlock, for_each_sequence, rows_by_sum};
pub use line::OneByOne;
pub use slabs::{SLABS, Slabs, Tile};
pub use strips::{Strip, Strips};

/// A division of a space into waves, and of each wave into blocks that one thread fills.
pub trait Waves: Sync {
    /// A set of whole rows (or of positions) of one wave.
    type Block: Send + Sync;

    /// The number of waves.
    fn count(&self) -> u64;

    /// The blocks of `wave`; together they are the wave, and no two of them share a position.
    fn blocks(&self, wave: u64) -> Vec<Self::Block>;

    /// Whether entry `earlier` is finished when entry `index` is filled: it lies in an earlier wave, or
    /// earlier in the same row. Debug builds check with it what kernels read.
    fn is_before(&self, earlier: u64, index: u64) -> bool;

    /// The index ranges, as (first, length), that make up `block`.
    fn for_each_range(&self, block: &Self::Block, visit: &mut dyn FnMut(u64, u64));
}
