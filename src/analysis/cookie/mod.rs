//! Cookie cutter boards one at a time, by canonical parts.
//!
//! A board is taken apart into independent parts, each brought to a canonical form (`geometry`), and their values are
//! searched for (`search`) with a table of solved parts that all threads share (`parts`) and that can be kept in a
//! file (`file`). [`Solver`] is the front door; [`TableJob`] fills tables of full boards as the thesis prints them, and
//! [`ZeroRows`] tests Conjecture 6.3.1.

mod conjecture;
mod file;
#[cfg(test)]
mod gaps;
mod geometry;
mod info;
mod mask;
mod parts;
mod printed;
mod search;
mod solver;
mod table;
mod workshop;

pub use conjecture::{Counterexample, WinningMove, ZeroBoard, ZeroReport, ZeroRows, row_values};
pub use printed::{Printed, printed};
pub use solver::{Depth, Solver, Stats, Stop};
pub use table::{Cell, Method, Status, TableJob, TableReport};
pub use workshop::Workshop;
