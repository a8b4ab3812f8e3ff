//! What values say: periods, rows, conjectures, graphs.

mod conjecture_5_6;
pub mod connected_graphs;
pub mod cookie;
pub mod graph_scan;
mod period_search;
pub mod row_period;

pub use conjecture_5_6::{Probe, ProbeReport, kept_probe};
pub use period_search::{PeriodRun, PeriodSearch};
