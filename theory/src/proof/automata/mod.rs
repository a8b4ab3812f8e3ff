//! Theorems for a fixed number of heaps by automata.
//!
//! A position is read as one word, a digit of every heap at a time. [`learn`] guesses an automaton for the
//! P-positions from a table; [`decide`] proves for all sizes that it is right, or names a position at which
//! it is not. [`translate`] makes the moves from a rule in one line. docs/PROOFS.md has the lemmas.

pub mod certificate;
mod claim;
pub mod decide;
mod dfa;
pub mod formula;
pub mod kinds;
pub mod learn;
mod meaning;
pub mod multiples;
mod numeration;
pub mod operations;
mod options;
pub mod picture;
mod prove;
mod theorem;
pub mod translate;
mod walnut;
mod words;

pub use claim::Decision;
pub use dfa::Dfa;
pub use numeration::Numeration;
pub use options::Options;
pub use prove::{Attempt, AutomaticTheorem, Wanted, prove_automatic};
pub use theorem::{DecidedTheorem, shipped};
pub use walnut::ForWalnut;

use crate::base::{Control, Error};

/// How large an automaton may become, and whether to go on.
#[derive(Clone, Copy)]
pub struct Budget<'a> {
    /// The most entries of any automaton on the way: next states, and the states that a set of them is made of.
    pub most_entries: usize,
    /// Whether to stop now.
    pub stop: &'a dyn Fn() -> bool,
}

/// Why an automaton was not built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Failed {
    /// It has so many states, and its entries are more than are allowed.
    #[error("an automaton on the way has {0} states, more than the memory allows")]
    TooLarge(usize),
    /// The automaton of moves by multiples of a heap did not settle.
    #[error("the positions from which a multiple leads into the set have no small automaton")]
    Unsettled,
    /// It was time to stop.
    #[error("the time was up before anything was decided")]
    Stopped,
}

impl From<Failed> for Error {
    fn from(failed: Failed) -> Self {
        Self::Undecided(format!("{failed}; ask about fewer heaps, or allow more --time"))
    }
}

/// Memory beyond which no automaton grows, where no limit is set.
const MOST_MEMORY: u64 = 4 << 30;

/// Bytes that an entry of an automaton takes, with what is needed to find it.
const ENTRY_BYTES: u64 = 16;

impl<'a> Budget<'a> {
    /// The memory that `control` allows, until `stop` says that it is time.
    pub fn within(control: &Control<'_>, stop: &'a dyn Fn() -> bool) -> Self {
        let memory = control.memory.unwrap_or(MOST_MEMORY).min(MOST_MEMORY);
        Self { most_entries: (memory / ENTRY_BYTES) as usize, stop }
    }
}

impl Budget<'_> {
    pub(super) fn allows(&self, states: usize, entries: usize) -> Result<(), Failed> {
        if entries > self.most_entries {
            Err(Failed::TooLarge(states))
        } else if states % 1024 == 0 && (self.stop)() {
            Err(Failed::Stopped)
        } else {
            Ok(())
        }
    }
}
