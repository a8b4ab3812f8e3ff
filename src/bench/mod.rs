//! Measurements of the kernels on this machine, as ratios within one run.
//!
//! A baseline that would take hours on the whole table is timed on evenly spread rows of it, which are filled again with
//! the same entries; the rate is what is compared.

mod cookie;
mod memory;
mod minnie;

pub use memory::memset_bytes_per_second;

use serde::Serialize;

use crate::error::Result;

/// How much to measure.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Smaller sizes: seconds instead of a minute.
    pub quick: bool,
    /// The number of threads of the parallel measurements.
    pub threads: usize,
}

/// One measured kernel.
#[derive(Debug, Clone, Serialize)]
pub struct Measurement {
    /// The case, as `minnie-outcomes-rows`.
    pub name: String,
    /// What was measured, in words.
    pub what: String,
    /// Threads used.
    pub threads: usize,
    /// Positions (or terms) computed.
    pub positions: u64,
    /// Seconds it took.
    pub seconds: f64,
    /// Positions a second.
    pub positions_per_second: f64,
    /// Bytes of the table a second.
    pub bytes_per_second: f64,
    /// `bytes_per_second` as a share of what memset reaches with as many threads in this run.
    pub share_of_memset: f64,
    /// What it is compared with.
    pub ratios: Vec<Ratio>,
}

/// How many times as fast as something else in the same run.
#[derive(Debug, Clone, Serialize)]
pub struct Ratio {
    /// What it is compared with.
    pub over: String,
    /// The other's positions (or bytes) a second.
    pub baseline_per_second: f64,
    /// How many times as fast.
    pub ratio: f64,
    /// The ratio that this project wants to reach at least, where it has set one.
    pub target: Option<f64>,
}

/// Runs all measurements; `tell` is called with each when it is done.
pub fn run(settings: &Settings, tell: &mut dyn FnMut(&Measurement)) -> Result<Vec<Measurement>> {
    let cases: Vec<fn(&Settings) -> Result<Measurement>> = vec![
        minnie::outcome_rows,
        minnie::outcome_threads,
        minnie::dense_table,
        minnie::probe_four_heaps,
        minnie::probe_five_heaps,
        minnie::values_two_heaps,
        minnie::values_three_heaps,
        minnie::values_four_heaps,
        cookie::dense,
        cookie::search_small_cutter,
        cookie::search_unbounded_cutter,
        cookie::strips,
        cookie::full_mex,
    ];
    cases.iter().map(|case| case(settings).inspect(|done| tell(done))).collect()
}

/// A measurement without ratios.
fn measurement(
    name: &str,
    what: String,
    threads: usize,
    positions: u64,
    bytes: u64,
    seconds: f64,
) -> Measurement {
    let bytes_per_second = bytes as f64 / seconds;
    Measurement {
        name: name.into(),
        what,
        threads,
        positions,
        seconds,
        positions_per_second: positions as f64 / seconds,
        bytes_per_second,
        share_of_memset: bytes_per_second / memset_bytes_per_second(threads),
        ratios: Vec::new(),
    }
}

impl Measurement {
    /// Adds a comparison of positions a second.
    fn over(mut self, over: &str, baseline_per_second: f64, target: Option<f64>) -> Self {
        let ratio = self.positions_per_second / baseline_per_second;
        self.ratios.push(Ratio { over: over.into(), baseline_per_second, ratio, target });
        self
    }
}

/// Runs `work` on `threads` threads.
fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => pool.install(work),
        // The pool that is there will do where no other can be had.
        Err(_) => work(),
    }
}
