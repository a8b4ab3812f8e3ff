//! Cookie cutter boards one at a time, by canonical parts.
//!
//! A board is taken apart into independent parts, each brought to a canonical form (`geometry`), and their
//! values are searched for (`search`) with a table of solved parts that all threads share (`parts`) and that
//! can be kept in a file (`file`). [`Solver`] is the front door.

mod file;
mod geometry;
mod info;
mod mask;
mod parts;
mod search;
mod solver;
mod solvers;

pub use solver::{Depth, Solver, Stats};
pub use solvers::Solvers;
