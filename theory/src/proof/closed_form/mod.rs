//! A readable form of a proved quotient of minnie: a few conditions a person can check by eye.
//!
//! The search knows kinds of conditions (counts of small heaps, some large odd heap, an exclusive or of
//! residues whose table is read off the quotient, the outcome without a smallest heap), not the answer. For
//! each smallest heap it builds a small decision tree. The tree is exact by construction: it is built
//! from *all* reachable states of the quotient together with the conditions, and splits until every leaf
//! has one outcome.

mod samples;
mod tree;
mod words;
mod xor;

pub use tree::Tree;
pub use xor::XorOfResidues;

use super::quotient::{EMPTY_CLASS, Quotient};
use samples::Frame;
use tree::{LOOKAHEAD, grow};

/// A condition on a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    /// No heap of this size.
    NoHeapOf(u64),
    /// Exactly one heap of this size.
    OneHeapOf(u64),
    /// No heap larger than this size.
    NoHeapAbove(u64),
    /// Exactly one heap larger than this size.
    OneHeapAbove(u64),
    /// Some heap larger than this size is odd.
    OddHeapAbove(u64),
    /// The low bits of the exclusive or have this value.
    Xor {
        /// How many low bits.
        bits: u32,
        /// Their value.
        value: u64,
    },
    /// Without one of its smallest heaps it is a P-position.
    RestIsP,
}

/// A description: a tree for every smallest heap up to `m`; larger ones are N.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClosedForm {
    /// The exclusive or that the conditions speak of.
    pub xor: XorOfResidues,
    /// The tree for smallest heap 1, 2, ..., m.
    pub trees: Vec<Tree>,
    /// Whether the empty position is P.
    pub empty_is_p: bool,
    /// Pairs of class and conditions from which the trees were built and with which they agree.
    pub states: usize,
}

impl ClosedForm {
    /// Searches a description of a proved quotient of minnie with bound `largest_min`.
    ///
    /// `None` if the conditions known here do not determine the outcome, or there are too many states.
    pub fn search(quotient: &Quotient, largest_min: u64) -> Option<Self> {
        let xor = XorOfResidues::find(quotient)?;
        let small = (quotient.letters().threshold() - 1).max(largest_min);
        // Odd and even must be visible in the period, or "odd" would not be a property of letters.
        if !quotient.letters().period().is_multiple_of(2) || small > 24 || xor.bits > 4 {
            return None;
        }
        let frame = Frame { quotient, xor: &xor, largest_min, small };
        let mut trees = Vec::new();
        let mut states = 0;
        for smallest in 1..=largest_min {
            let conditions = frame.conditions(smallest);
            let (samples, count) = frame.samples(smallest, &conditions)?;
            states += count;
            trees.push(grow(&samples, &conditions, LOOKAHEAD));
        }
        let empty_is_p = quotient.accepts(EMPTY_CLASS);
        Some(Self { xor, trees, empty_is_p, states })
    }

    /// The outcome that the description gives; heaps of size 0 are absent.
    pub fn is_p(&self, heaps: &[u64]) -> bool {
        let mut heaps: Vec<u64> = heaps.iter().copied().filter(|&heap| heap > 0).collect();
        heaps.sort_unstable();
        self.is_p_sorted(&heaps)
    }

    fn is_p_sorted(&self, heaps: &[u64]) -> bool {
        let Some((&smallest, rest)) = heaps.split_first() else { return self.empty_is_p };
        let Some(mut tree) = self.trees.get(smallest as usize - 1) else { return false };
        loop {
            match tree {
                Tree::Leaf { is_p, .. } => return *is_p,
                Tree::Branch(condition, yes, no) => {
                    let count = |keep: &dyn Fn(u64) -> bool| heaps.iter().filter(|&&heap| keep(heap)).count();
                    let holds = match *condition {
                        Condition::NoHeapOf(size) => count(&|heap| heap == size) == 0,
                        Condition::OneHeapOf(size) => count(&|heap| heap == size) == 1,
                        Condition::NoHeapAbove(size) => count(&|heap| heap > size) == 0,
                        Condition::OneHeapAbove(size) => count(&|heap| heap > size) == 1,
                        Condition::OddHeapAbove(size) => count(&|heap| heap > size && heap % 2 == 1) > 0,
                        Condition::Xor { bits, value } => {
                            heaps.iter().fold(0, |xor, &heap| xor ^ self.xor.of(heap)) & ((1 << bits) - 1)
                                == value
                        }
                        Condition::RestIsP => self.is_p_sorted(rest),
                    };
                    tree = if holds { yes } else { no };
                }
            }
        }
    }

    /// Number of leaves of all trees: the length of the description.
    pub fn leaves(&self) -> usize {
        self.trees.iter().map(Tree::leaves).sum()
    }
}
