//! Dense numbering of positions: `rank` and `unrank` are inverse bijections between the positions of a
//! bounded game and `0..len`.

mod grid;
mod heaps;
mod line;
pub use grid::Grid;
pub use heaps::{MAX_HEAPS, SortedHeaps};
pub use line::Line;

/// A bijection between positions and `0..len()`.
pub trait Space: Send + Sync {
    /// A position, borrowed; the same type as that of the rules played on the space.
    type Position: ?Sized + ToOwned;

    /// The number of positions.
    fn len(&self) -> u64;

    /// Whether there is no position at all.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of `position`, which must lie in the space.
    fn rank(&self, position: &Self::Position) -> u64;

    /// The value of `position` from the entries of what is numbered: its own entry, or those of its
    /// independent parts together.
    #[inline]
    fn entry_of(&self, position: &Self::Position, mut entry: impl FnMut(u64) -> u16) -> u16
    where
        Self: Sized,
    {
        entry(self.rank(position))
    }

    /// Writes position number `index`, which must be less than `len()`, into `position`.
    fn unrank_into(&self, index: u64, position: &mut <Self::Position as ToOwned>::Owned);
}
