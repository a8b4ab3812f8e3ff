//! What tables say: answers about positions, and tests of conjectures.

mod answer;
mod conjecture_5_6;
pub mod cookie;

pub use answer::{Answer, Outcome, answer};
pub use conjecture_5_6::{Probe, ProbeReport};
