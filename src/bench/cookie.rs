//! Cookie cutter: the dense kernel and the search by parts.

use std::time::Instant;

use super::{Measurement, Settings, measurement, with_threads};
use crate::analysis::cookie::{Depth, Solver, Stats, Stop};
use crate::error::Result;
use crate::rules::{Board, Cutter};
use crate::sweep::{Control, CookieJob, KernelChoice, run};
use crate::table::{Table, Width};
use crate::waves::HighSquares;

/// The dense kernel against the plain loop, and more threads against one.
pub fn dense(settings: &Settings) -> Result<Measurement> {
    let (rows, cols) = if settings.quick { (4, 5) } else { (5, 5) };
    let job = CookieJob { rows, cols, cutter: Cutter::square(3)?, kernel: KernelChoice::Fastest };
    let scalar = sweep(&CookieJob { kernel: KernelChoice::Generic, ..job }, 1, 2)?;
    let one = sweep(&job, 1, 3)?;
    let many = sweep(&job, settings.threads, 3)?;
    let positions = 1u64 << (rows * cols);
    let what = format!("all subsets of {rows}x{cols}, cutter 3, {} threads", settings.threads);
    let done = measurement("cookie-dense", what, settings.threads, positions, positions, many);
    let target = (settings.threads == 2 && !settings.quick).then_some(1.8);
    let mut done = done.over("one thread", positions as f64 / one, target);
    // Per core: one thread against one thread.
    let mut per_core = measurement("", String::new(), 1, positions, positions, one);
    per_core = per_core.over("plain scalar loop (one thread each)", positions as f64 / scalar, Some(3.0));
    done.ratios.append(&mut per_core.ratios);
    Ok(done)
}

/// The best of `times` sweeps.
fn sweep(job: &CookieJob, threads: usize, times: usize) -> Result<f64> {
    let grid = job.space()?;
    let waves = HighSquares::new(grid.squares() as u32);
    with_threads(threads, || {
        let mut best = f64::INFINITY;
        for _ in 0..times {
            let mut table = Table::in_memory(job.spec(&grid), Width::U8)?;
            best = best.min(run(&mut table, &waves, &*job.kernel(&grid), &Control::silent())?);
        }
        Ok(best)
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

fn search(settings: &Settings, rows: usize, cols: usize, cutter: Cutter) -> Result<Measurement> {
    let (one, alone) = solve(rows, cols, cutter, 1, Depth::Needed)?;
    let (many, together) = solve(rows, cols, cutter, settings.threads, Depth::Needed)?;
    let what = format!(
        "{rows}x{cols}, cutter {cutter}, by parts: {} questions ({} with one thread), {} parts of {:.1} bytes",
        together.visited,
        alone.visited,
        together.parts,
        together.bytes as f64 / together.parts as f64
    );
    let name = format!("cookie-search-{rows}x{cols}-{cutter}");
    let done = measurement(&name, what, settings.threads, alone.visited, together.bytes, many);
    let target = (settings.threads == 2 && !settings.quick).then_some(1.6);
    Ok(done.over("one thread, the whole board", alone.visited as f64 / one, target))
}

/// How the work grows with the length of a strip of two rows.
pub fn strips(settings: &Settings) -> Result<Measurement> {
    let longest = if settings.quick { 16 } else { 22 };
    let cutter = Cutter::square(2)?;
    let short = solve(2, longest - 6, cutter, settings.threads, Depth::Needed)?;
    let long = solve(2, longest, cutter, settings.threads, Depth::Needed)?;
    let factor = |long: u64, short: u64| (long as f64 / short as f64).powf(1.0 / 6.0);
    let what = format!(
        "2x{longest}, cutter 2, by parts: per column {:.2} times the questions, {:.2} times the parts, {:.2} times the time",
        factor(long.1.visited, short.1.visited),
        factor(long.1.parts, short.1.parts),
        (long.0 / short.0).powf(1.0 / 6.0),
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
    solver.value(&board, threads, &Stop::never())?;
    Ok((started.elapsed().as_secs_f64(), solver.stats()))
}
