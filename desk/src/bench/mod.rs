//! Measurements of the kernels on this machine, as ratios within one run.
//!
//! A baseline that would take hours on the whole table is timed on evenly spread rows of it, which are filled
//! again with the same entries; the rate is what is compared.

mod clock;
pub mod compare;
mod cookie;
mod generic;
mod lines;
mod memory;
mod minnie;
mod octal;
mod verify;

pub use memory::memset_bytes_per_second;

use serde::{Deserialize, Serialize};

use crate::base::{Error, Result};

/// How much to measure.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Smaller sizes: seconds instead of a minute.
    pub quick: bool,
    /// How often each case is measured; the best counts, and the spread says what is noise.
    pub rounds: usize,
    /// The number of threads of the parallel measurements.
    pub threads: usize,
}

/// One measured kernel.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Measurement {
    /// The case, such as `minnie-outcomes-rows`.
    pub name: String,
    /// What was measured, in words.
    pub what: String,
    /// Threads used.
    pub threads: usize,
    /// Positions (or terms, or options visited) computed.
    pub positions: u64,
    /// Seconds it took.
    pub seconds: f64,
    /// Positions a second.
    pub positions_per_second: f64,
    /// Bytes of the table a second.
    pub bytes_per_second: f64,
    /// `bytes_per_second` as a share of what memset reaches with as many threads in this run.
    pub share_of_memset: f64,
    /// Bytes of the table for each position.
    #[serde(default)]
    pub bytes_per_position: f64,
    /// Cycles of all threads for each position, by the clock that all cores share; `None` where there is none.
    #[serde(default)]
    pub cycles_per_position: Option<f64>,
    /// How far the rounds lie apart, as a share of the best; `None` after a single round.
    pub spread: Option<f64>,
    /// How many times as fast as with the fewest threads that were measured.
    pub scaling: Option<f64>,
    /// What it is compared with.
    pub ratios: Vec<Ratio>,
}

/// How many times as fast as something else in the same run.
#[derive(Debug, Clone, Serialize, Deserialize)]
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

type Case = fn(&Settings) -> Result<Measurement>;

/// The cases of one thread, and those that take as many as they get.
const ONE_THREAD: &[Case] = &[
    minnie::outcome_rows,
    minnie::strips_four_heaps,
    minnie::strips_five_heaps,
    minnie::values_two_heaps,
    minnie::values_three_heaps,
    minnie::values_four_heaps,
    minnie::windows_three_heaps,
    minnie::windows_four_heaps,
    generic::wynnie,
    generic::wynnie_outcomes,
    generic::mine,
    generic::wythoff,
    generic::jennifer,
    generic::susen,
    generic::greedy_nim,
    generic::nimtb,
    generic::written_minnie,
    generic::written_wynnie,
    generic::written_susen,
    generic::written_nimb,
    lines::wythoff,
    lines::wynnie,
    lines::wynnie_any,
    lines::mine,
    lines::nim,
    lines::greedy_nim,
];
const ANY_THREADS: &[Case] = &[
    minnie::outcome_threads,
    minnie::value_threads,
    minnie::dense_table,
    minnie::table_in_a_folder,
    minnie::probe_four_heaps,
    minnie::probe_five_heaps,
    octal::officers,
    octal::many_rare,
    verify::officers,
    verify::many_rare,
    verify::wynnie,
    cookie::dense,
    cookie::search_small_cutter,
    cookie::search_unbounded_cutter,
    cookie::strips,
    cookie::full_mex,
];

/// How many cases are measured with so many numbers of threads.
pub fn cases(thread_numbers: usize) -> usize {
    ONE_THREAD.len() + ANY_THREADS.len() * thread_numbers
}

/// Runs all measurements, the parallel ones with each of the numbers of threads; `tell` is called with each
/// when it is done. Where `stop` says so, no further case is begun.
pub fn run(
    settings: &Settings,
    threads: &[usize],
    stop: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(&Measurement),
) -> Result<Vec<Measurement>> {
    let single = ONE_THREAD.iter().map(|case| (case, 1));
    let parallel = ANY_THREADS.iter().flat_map(|case| threads.iter().map(move |&threads| (case, threads)));
    let mut done: Vec<Measurement> = Vec::new();
    for (case, threads) in single.chain(parallel) {
        if stop() {
            return Err(Error::Interrupted { done: done.len() as u64, total: cases(1) as u64 });
        }
        let mut measured = best_of_rounds(*case, &Settings { threads, ..*settings })?;
        let first = done.iter().find(|earlier| earlier.name == measured.name);
        measured.scaling = first.map(|first| measured.positions_per_second / first.positions_per_second);
        tell(&measured);
        done.push(measured);
    }
    Ok(done)
}

/// The best of the rounds, with the spread of all of them.
fn best_of_rounds(case: Case, settings: &Settings) -> Result<Measurement> {
    let rounds = settings.rounds.max(1);
    let mut all = (0..rounds).map(|_| case(settings)).collect::<Result<Vec<_>>>()?;
    all.sort_by(|a, b| b.positions_per_second.total_cmp(&a.positions_per_second));
    let slowest = all[all.len() - 1].positions_per_second;
    let mut best = all.swap_remove(0);
    best.spread = (rounds > 1).then(|| 1.0 - slowest / best.positions_per_second);
    Ok(best)
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
        bytes_per_position: bytes as f64 / positions as f64,
        cycles_per_position: clock::cycles_per_second()
            .map(|rate| rate * seconds * threads as f64 / positions as f64),
        spread: None,
        scaling: None,
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
