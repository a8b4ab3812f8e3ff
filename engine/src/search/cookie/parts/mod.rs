//! The table of solved parts that all threads share.
//!
//! It is two maps: the parts whose value is known, and those of which it is only known which values they do
//! not have. While it tries moves a search asks for values only, about fifteen times for each part that it
//! stores, and few parts are solved (3 to 15 in 100); so most of its reading is in a map that is small enough
//! for the caches, and seldom written by other threads.

mod map;
mod memory;

use super::info::Info;
use super::mask::Mask;
use crate::base::Result;
use map::Map;
pub(crate) use memory::Memory;

/// Shards of the map of solved parts, as a power of two. It is seldom written, and takes whole pages for
/// each.
const SOLVED_SHARD_BITS: u32 = 3;
/// Shards of the other map; far more than threads, so that two rarely meet.
const BOUNDS_SHARD_BITS: u32 = 6;
/// Bytes of a packed [`Info`].
pub(crate) const INFO_BYTES: usize = 3;

/// A concurrent map from canonical parts to what is known of them.
pub(crate) struct Parts<M> {
    /// The parts whose value is known.
    solved: Map<M>,
    /// The values that other parts do not have.
    bounds: Map<M>,
    memory: Memory,
}

impl<M: Mask> Parts<M> {
    /// An empty table that never takes more than about this memory. When it is full, the smallest parts,
    /// which are the cheapest to solve again, make room.
    pub(crate) fn new(memory: Memory) -> Result<Self> {
        Ok(Self {
            solved: Map::new(SOLVED_SHARD_BITS, memory.most())?,
            bounds: Map::new(BOUNDS_SHARD_BITS, memory.most())?,
            memory,
        })
    }

    /// Has the processor fetch what [`Self::value`] will read for `part`.
    #[inline]
    pub(crate) fn prefetch(&self, part: M) {
        self.solved.prefetch(part);
    }

    /// The value of `part`, if it is known.
    #[inline]
    pub(crate) fn value(&self, part: M) -> Option<u8> {
        self.solved.get(part).value()
    }

    /// What is known of `part`.
    #[inline]
    pub(crate) fn get(&self, part: M) -> Info {
        match self.solved.get(part) {
            Info::NOTHING => self.bounds.get(part),
            solved => solved,
        }
    }

    /// Adds to what is known of `part`.
    pub(crate) fn learn(&self, part: M, info: Info) {
        // Threads that learn of one part at the same time may leave it in both maps, or lose a bound. Both
        // are harmless: the value counts wherever it is known, and what is lost is found again.
        match info {
            Info::Exact(_) => {
                self.solved.learn(part, info, self.memory.all());
                if self.bounds.get(part) != Info::NOTHING {
                    self.bounds.remove(part);
                }
            }
            Info::Not(_) if self.value(part).is_none() => {
                self.bounds.learn(part, info, self.memory.all_but_a_quarter());
            }
            Info::Not(_) => {}
        }
    }

    /// The number of parts stored.
    pub(crate) fn len(&self) -> u64 {
        self.solved.len() + self.bounds.len()
    }

    /// The number of parts stored with their exact value.
    pub(crate) fn solved(&self) -> u64 {
        self.solved.len()
    }

    /// The bytes that the table takes, in whole pages.
    pub(crate) fn bytes(&self) -> u64 {
        self.solved.bytes() + self.bounds.bytes()
    }

    /// How many parts had to make room for others.
    pub(crate) fn evicted(&self) -> u64 {
        self.solved.evicted() + self.bounds.evicted()
    }

    /// Calls `visit` with every part stored, in an order that depends on the parts and what is known of them
    /// alone.
    pub(crate) fn for_each(&self, mut visit: impl FnMut(M, Info)) {
        self.solved.for_each(&mut visit);
        self.bounds.for_each(&mut visit);
    }
}

#[cfg(test)]
mod tests;
