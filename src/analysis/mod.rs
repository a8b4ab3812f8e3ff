//! What tables and searches say: answers about positions, and tests of conjectures.

mod answer;
mod conjecture_5_6;
pub mod connected_graphs;
pub mod cookie;
pub mod graph_games;
pub mod heap_query;
pub mod memo;
mod octal_sum;
pub mod row_period;
pub mod sum;
pub mod vertex_deletion;

pub use crate::sweep::kernel::octal::period as octal_period;
pub use answer::{Answer, Outcome, answer};
pub use conjecture_5_6::{Probe, ProbeReport};
pub use octal_sum::{OctalAnswer, octal_answer};
