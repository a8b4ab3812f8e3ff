//! The games whose moves run along lines: a move takes the same number of counters from each heap of a set.

use crate::rules::Together;

/// From which heaps a move takes, and how many counters. That is all of the rules: any such number may be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lines {
    /// The sets of heaps that a move may choose.
    pub sets: Sets,
    /// The most counters that it takes.
    pub most: Most,
}

/// Sets of non-empty heaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sets {
    /// A heap of the largest size.
    Largest,
    /// One heap.
    One,
    /// One heap, or several.
    Together(Together),
}

/// The most counters that a move takes from each heap of its set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Most {
    /// As many as each of them has.
    Heap,
    /// As many as the smallest non-empty heap of the position has.
    Smallest,
}

impl Lines {
    /// Any number from one heap.
    pub const NIM: Self = Self { sets: Sets::One, most: Most::Heap };
    /// Any number from one heap or from two.
    pub const WYTHOFF: Self = Self { sets: Sets::Together(Together::Two), most: Most::Heap };
    /// Any number from a largest heap.
    pub const GREEDY_NIM: Self = Self { sets: Sets::Largest, most: Most::Heap };
}
