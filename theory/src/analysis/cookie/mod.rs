//! What the values of cookie boards say: tables of full boards as the thesis prints them, and Conjecture
//! 6.3.1.

mod conjecture;
mod printed;
mod table;

pub use conjecture::{Counterexample, WinningMove, ZeroBoard, ZeroReport, ZeroRows, row_values};
pub use printed::{Printed, printed};
pub use table::{Cell, Method, Status, TableJob, TableReport};
