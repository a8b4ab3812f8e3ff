//! What a move is: one file a game.
//!
//! The files in this folder are the specification. They hold no input or output and no speed tricks, so
//! that a reader can check each of them against its source in a minute. Everything else in the crate, fast
//! or slow, is tested against them.

mod board;
mod cookie;
mod counters;
mod euclid;
mod grand_left_right;
pub mod graph;
mod greedy_nim;
mod maximum_nim;
mod mine;
mod minnie;
mod nim;
mod nimb;
pub mod notation;
mod octal;
mod partizan;
mod poker_nim;
mod susen;
#[cfg(test)]
mod testing;
mod written;
mod wynnie;
mod wythoff;

pub use board::{Queen, Rook};
pub use cookie::{Board, Cookie, Cutter};
pub use counters::Counters;
pub use euclid::Euclid;
pub use grand_left_right::{GrandLeftRight, Square};
pub use greedy_nim::GreedyNim;
pub use maximum_nim::MaximumNim;
pub use mine::{Mine, all_different};
pub use minnie::Minnie;
pub use nim::Nim;
pub use nimb::{Nimb, Nimtb};
pub use octal::{Digit, MAX_TAKE, OctalGame};
pub use partizan::PartizanRules;
pub use poker_nim::PokerNim;
pub use susen::{Jennifer, Susen};
pub use written::WrittenRules;
pub use wynnie::{Together, Wynnie};
pub use wythoff::Wythoff;

use serde::{Deserialize, Serialize};

/// Who wins when no move is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Play {
    /// The player who cannot move loses.
    #[default]
    Normal,
    /// The player who cannot move wins.
    Misere,
}

impl Play {
    /// `Misere` if `misere` is set, otherwise `Normal`.
    pub fn from_misere(misere: bool) -> Self {
        if misere { Self::Misere } else { Self::Normal }
    }

    /// The value of a position without options: 0 in normal play, 1 in misère play.
    ///
    /// With this start, "mex of the options' values" gives the Grundy value in normal play and the misère
    /// Grundy value (the second entry of the genus) in misère play; in both, 0 means P-position.
    pub fn terminal_value(self) -> u16 {
        match self {
            Self::Normal => 0,
            Self::Misere => 1,
        }
    }
}

/// The rules of an impartial game: what a move is. Who wins when no move is left is not part of them, see
/// [`Play`].
///
/// Every line of play must be finite. Positions are borrowed (`[u32]` for heap games, where a heap of 0 is an
/// absent heap), so that generating options does not allocate.
pub trait Rules: Send + Sync {
    /// A position of the game.
    type Position: ?Sized + ToOwned;

    /// Calls `visit` with every option of `position`. An option may be visited more than once, and the heaps
    /// of a heap game may come in any order.
    fn options(&self, position: &Self::Position, visit: &mut dyn FnMut(&Self::Position));
}

/// The rules of a game on heaps of counters, as a trait object.
pub type HeapRules = dyn Rules<Position = [u32]>;
