//! Cookie cutter: the dense kernel and the search by parts.

use std::time::Instant;

use super::{Measurement, Settings, measurement, with_threads};
use crate::base::Control;
use crate::base::Result;
use crate::rules::{Board, Cookie, Cutter};
use crate::search::cookie::{Depth, Solver, Stats};
use crate::sweep::{CookieJob, Job, KernelChoice, run};
use crate::table::Table;
use crate::waves::HighSquares;

/// The dense kernel against the plain loop, and more threads against one.
pub fn dense(settings: &Settings) -> Result<Measurement> {
    let (rows, cols) = if settings.quick { (4, 5) } else { (5, 5) };
    let job = CookieJob { rows, cols, cutter: Cutter::square(3)?, kernel: KernelChoice::Fastest };
    let scalar = sweep(&CookieJob { kernel: KernelChoice::Generic, ..job }, 1)?;
    // A sweep takes a fraction of a second, in which the machine may do anything else: more rounds than for a
    // search.
    let mut turns = Turns::default();
    for _ in 0..3 * ROUNDS {
        turns.one.push(sweep(&job, 1)?);
        turns.many.push(sweep(&job, settings.threads)?);
        turns.apart.push(at_once(settings.threads, || sweep(&job, 1))?);
    }
    let positions = 1u64 << (rows * cols);
    let what = format!(
        "all subsets of {rows}x{cols}, cutter 3, {} threads; {} sweeps that share nothing: {:.2} times one",
        settings.threads,
        settings.threads,
        turns.apart_ratio(settings.threads),
    );
    let (one, ratio) = (median(turns.one.clone()), turns.ratio());
    let done = measurement("cookie-dense", what, settings.threads, positions, positions, one / ratio);
    let target = (settings.threads == 2 && !settings.quick).then_some(1.8);
    let mut done = done.over("one thread", positions as f64 / one, target);
    // Per core: one thread against one thread.
    let mut per_core = measurement("", String::new(), 1, positions, positions, one);
    per_core = per_core.over("plain scalar loop (one thread each)", positions as f64 / scalar, Some(3.0));
    done.ratios.append(&mut per_core.ratios);
    Ok(done)
}

/// The seconds of one sweep.
fn sweep(job: &CookieJob, threads: usize) -> Result<f64> {
    let grid = job.space()?;
    let waves = HighSquares::new(grid.squares() as u32);
    with_threads(threads, || {
        let rules = Cookie { cutter: job.cutter };
        let mut table = Table::in_memory(job.spec()?, job.width())?;
        run(&mut table, &waves, &*job.kernel(&rules, &grid, &waves), &Control::silent())
    })
}

/// The seconds of one thread, of several that work together, and of several that each do the whole work at
/// the same time without sharing anything, which is what the machine gives to threads that do not help each
/// other. They take turns, because the machine may have other work.
#[derive(Default)]
struct Turns {
    one: Vec<f64>,
    many: Vec<f64>,
    apart: Vec<f64>,
}

impl Turns {
    /// How many times as fast several threads are as one: neighbours are compared.
    fn ratio(&self) -> f64 {
        median(self.one.iter().zip(&self.many).map(|(one, many)| one / many).collect())
    }

    /// How many times as much several threads that share nothing do.
    fn apart_ratio(&self, threads: usize) -> f64 {
        threads as f64 * median(self.one.clone()) / median(self.apart.clone())
    }
}

/// The longest of the seconds that `work` takes when it is done so many times at once.
fn at_once(times: usize, work: impl Fn() -> Result<f64> + Sync) -> Result<f64> {
    std::thread::scope(|scope| {
        let runs: Vec<_> = (0..times).map(|_| scope.spawn(&work)).collect();
        let mut seconds = runs.into_iter().map(|run| run.join().expect("the work does not panic"));
        seconds.try_fold(0.0, |longest: f64, seconds| Ok(longest.max(seconds?)))
    })
}

/// The search on the 6x6 board with the 2x2 cutter.
pub fn search_small_cutter(settings: &Settings) -> Result<Measurement> {
    let (rows, cols) = if settings.quick { (5, 6) } else { (6, 6) };
    search(settings, rows, cols, Cutter::square(2)?)
}

/// The search on the 7x7 board with the unbounded cutter.
pub fn search_unbounded_cutter(settings: &Settings) -> Result<Measurement> {
    let (rows, cols) = if settings.quick { (6, 6) } else { (7, 7) };
    search(settings, rows, cols, Cutter::INFINITE)
}

/// How often one thread and several take turns.
const ROUNDS: usize = 5;

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_unstable_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

fn search(settings: &Settings, rows: usize, cols: usize, cutter: Cutter) -> Result<Measurement> {
    // Two threads never search quite alike: the statistics are those of the last round.
    let mut turns = Turns::default();
    let (mut alone, mut together) = (Stats::default(), Stats::default());
    for _ in 0..ROUNDS {
        let (seconds, stats) = solve(rows, cols, cutter, 1, Depth::Needed)?;
        turns.one.push(seconds);
        alone = stats;
        let (seconds, stats) = solve(rows, cols, cutter, settings.threads, Depth::Needed)?;
        turns.many.push(seconds);
        together = stats;
    }
    let work = || Ok(solve(rows, cols, cutter, 1, Depth::Needed)?.0);
    turns.apart.push(at_once(settings.threads, work)?);
    let one = median(turns.one.clone());
    let many = one / turns.ratio();
    let what = format!(
        "{rows}x{cols}, cutter {cutter}, by parts: {} parts visited ({} with one thread), {} stored of {:.1} bytes, {:.0} visited a second; {} solvers that share nothing: {:.2} times one",
        together.visited,
        alone.visited,
        together.parts,
        together.bytes as f64 / together.parts as f64,
        together.visited as f64 / many,
        settings.threads,
        turns.apart_ratio(settings.threads),
    );
    let name = format!("cookie-search-{rows}x{cols}-{cutter}");
    let done = measurement(&name, what, settings.threads, alone.visited, together.bytes, many);
    let target = (settings.threads == 2 && !settings.quick).then_some(1.6);
    Ok(done.over("one thread, the whole board", alone.visited as f64 / one, target))
}

/// How the work grows with the length of a strip of two rows.
pub fn strips(settings: &Settings) -> Result<Measurement> {
    let longest: usize = if settings.quick { 16 } else { 22 };
    let cutter = Cutter::square(2)?;
    let lengths = (longest - 6..=longest).step_by(2);
    let strips: Vec<(f64, Stats)> =
        lengths.map(|cols| solve(2, cols, cutter, settings.threads, Depth::Needed)).collect::<Result<_>>()?;
    let (short, long) = (strips[0], strips[strips.len() - 1]);
    let factor = |long: f64, short: f64| (long / short).powf(1.0 / 6.0);
    let list = |of: &dyn Fn(&(f64, Stats)) -> String| strips.iter().map(of).collect::<Vec<_>>().join(", ");
    let what = format!(
        "2x{} to 2x{longest} by 2, cutter 2: {} parts visited, {} a second; per column {:.2} times the parts visited, {:.2} times those stored, {:.2} times the parts a second",
        longest - 6,
        list(&|(_, stats)| stats.visited.to_string()),
        list(&|(seconds, stats)| format!("{:.0}", stats.visited as f64 / seconds)),
        factor(long.1.visited as f64, short.1.visited as f64),
        factor(long.1.parts as f64, short.1.parts as f64),
        factor(long.1.visited as f64 / long.0, short.1.visited as f64 / short.0),
    );
    Ok(measurement("cookie-strip", what, settings.threads, long.1.visited, long.1.bytes, long.0))
}

/// The parts that the search needs against those that a full mex visits.
pub fn full_mex(settings: &Settings) -> Result<Measurement> {
    let (rows, cols) = if settings.quick { (5, 5) } else { (5, 6) };
    let cutter = Cutter::square(2)?;
    let (needed_time, needed) = solve(rows, cols, cutter, 1, Depth::Needed)?;
    let (full_time, full) = solve(rows, cols, cutter, 1, Depth::Everything)?;
    let what = format!(
        "{rows}x{cols}, cutter 2, full mex of every part: {} parts; the search needs {}",
        full.parts, needed.parts
    );
    let done = measurement("cookie-full-mex", what, 1, full.visited, full.bytes, full_time);
    // Boards a second: how many times as fast the search is.
    let mut search = measurement("", String::new(), 1, full.visited, needed.bytes, needed_time);
    search = search.over("full mex, the whole board (search)", done.positions_per_second, None);
    Ok(Measurement { ratios: search.ratios, ..done })
}

/// Seconds and statistics of one board.
fn solve(rows: usize, cols: usize, cutter: Cutter, threads: usize, depth: Depth) -> Result<(f64, Stats)> {
    let mut solver = Solver::new(rows, cols, cutter, 4 << 30)?;
    solver.depth = depth;
    let board = Board::full(rows, cols)?;
    let started = Instant::now();
    solver.value(&board, threads, &Control::silent())?;
    Ok((started.elapsed().as_secs_f64(), solver.stats()))
}
