//! Single heaps of a game whose heaps do not interact.

use super::Space;

/// The heaps 0, 1, ..., `len - 1`. The number of a heap is its size.
///
/// A move may split a heap, and its heaps are then a sum: their values are combined by XOR
/// ([`Space::entry_of`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    len: u64,
}

impl Line {
    /// The first `len` heaps.
    pub fn new(len: u64) -> Self {
        Self { len }
    }
}

impl Space for Line {
    type Position = [u32];

    fn len(&self) -> u64 {
        self.len
    }

    fn rank(&self, heaps: &[u32]) -> u64 {
        heaps.first().copied().map_or(0, u64::from)
    }

    fn unrank_into(&self, index: u64, heaps: &mut Vec<u32>) {
        heaps.clear();
        heaps.push(u32::try_from(index).expect("a line for the generic kernel is shorter than 2^32"));
    }

    fn entry_of(&self, heaps: &[u32], mut entry: impl FnMut(u64) -> u16) -> u16 {
        heaps.iter().fold(0, |sum, &heap| sum ^ entry(u64::from(heap)))
    }
}
