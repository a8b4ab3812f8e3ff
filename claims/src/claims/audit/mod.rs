//! The machinery of the audit: runs claims, compares what it finds with what is expected, and prints it.

mod expected;
mod finding;
mod output;
mod runner;

#[cfg(test)]
pub(in crate::claims) use expected::ids;
pub(in crate::claims) use expected::printed;
pub use expected::{Expected, expected};
pub use finding::{Counterexample, Finding, Verdict};
pub use output::{json, markdown, markdown_row, table};
pub use runner::{Audit, Effort, Event, Outcome, run, select};
