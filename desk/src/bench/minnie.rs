//! The minnie kernels.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

use super::{Measurement, Settings, measurement, with_threads};
use crate::analysis::Probe;
use crate::base::{Control, Error, Result};
use crate::rules::Play;
use crate::space::{SortedHeaps, Space};
use crate::sweep::kernel::{Generic, Kernel};
use crate::sweep::{HeapJob, Job};
use crate::table::{Cells, Quantity, Table, ValueCell};
use crate::waves::{KeySum, RowBlock};

/// Strips against the generic kernel, one thread.
pub fn outcome_rows(settings: &Settings) -> Result<Measurement> {
    let max = if settings.quick { 200 } else { 500 };
    let job = HeapJob::minnie(4, max, Play::Normal, Quantity::Outcomes);
    let (seconds, table) = fastest(&job, 1, 3)?;
    let generic = generic_rate(&job, &table)?;
    Ok(solved("minnie-outcomes-rows", format!("outcomes, 4 heaps to {max}, by strips"), 1, &table, seconds)
        .over("generic scalar kernel", generic, Some(30.0)))
}

/// Outcomes of four heaps by strips and by rows.
pub fn strips_four_heaps(settings: &Settings) -> Result<Measurement> {
    strips(4, if settings.quick { 300 } else { 1000 }, (!settings.quick).then_some(2.5))
}

/// Outcomes of five heaps by strips and by rows.
pub fn strips_five_heaps(settings: &Settings) -> Result<Measurement> {
    strips(5, if settings.quick { 80 } else { 200 }, (!settings.quick).then_some(3.0))
}

fn strips(heaps: usize, max: u32, target: Option<f64>) -> Result<Measurement> {
    let job = HeapJob::minnie(heaps, max, Play::Normal, Quantity::Outcomes);
    let (seconds, table) = fastest(&job, 1, 3)?;
    let (rows, _) = fastest(&HeapJob { by_rows: true, ..job }, 1, 2)?;
    let what = format!("outcomes, {heaps} heaps to {max}, by strips, without checksums");
    Ok(solved(&format!("minnie-strips-{heaps}-heaps"), what, 1, &table, seconds).over(
        "rows by key sums",
        table.spec().entries as f64 / rows,
        target,
    ))
}

/// Outcomes: more threads against one.
pub fn outcome_threads(settings: &Settings) -> Result<Measurement> {
    let max = if settings.quick { 500 } else { 1000 };
    let job = HeapJob::minnie(4, max, Play::Normal, Quantity::Outcomes);
    let target = (settings.threads == 2 && !settings.quick).then_some(1.7);
    more_threads(settings, &job, "minnie-outcomes-threads", &format!("outcomes, 4 heaps to {max}"), target)
}

/// Values of few heaps, whose waves are short: more threads against one.
pub fn value_threads(settings: &Settings) -> Result<Measurement> {
    let max = if settings.quick { 150 } else { 400 };
    let job = HeapJob::minnie(3, max, Play::Normal, Quantity::Values);
    let target = (settings.threads == 2 && !settings.quick).then_some(1.7);
    more_threads(settings, &job, "minnie-values-threads", &format!("Grundy values, 3 heaps to {max}"), target)
}

fn more_threads(
    settings: &Settings,
    job: &HeapJob,
    name: &str,
    what: &str,
    target: Option<f64>,
) -> Result<Measurement> {
    let threads = settings.threads;
    let (one, _) = fastest(job, 1, 2)?;
    let (many, table) = fastest(job, threads, 2)?;
    let done = solved(name, format!("{what}, {threads} threads"), threads, &table, many);
    Ok(done.over("one thread", table.spec().entries as f64 / one, target))
}

/// The complete table in a new folder, against the same in memory and then writing its bytes to a file.
pub fn table_in_a_folder(settings: &Settings) -> Result<Measurement> {
    let max = if settings.quick { 300 } else { 500 };
    let job = HeapJob::minnie(4, max, Play::Normal, Quantity::Outcomes);
    let folder = tempfile::tempdir().map_err(Error::io("cannot make", &std::env::temp_dir()))?;
    let (in_memory, on_disk, table) = with_threads(settings.threads, || {
        let started = Instant::now();
        let table = job.solve(None, &Control::silent())?;
        let in_memory = started.elapsed().as_secs_f64();
        let started = Instant::now();
        job.solve(Some(&folder.path().join("table")), &Control::silent())?;
        Ok::<_, Error>((in_memory, started.elapsed().as_secs_f64(), table))
    })?;
    let written = write_zeros(&folder.path().join("bytes"), job.file_bytes()?)?;
    let what = format!("whole table of outcomes in a new folder, 4 heaps to {max}");
    let done = solved("minnie-outcomes-folder", what, settings.threads, &table, on_disk);
    let baseline = table.spec().entries as f64 / (in_memory + written);
    Ok(done.over("the same in memory, and writing as many bytes to a new file", baseline, Some(1.0)))
}

/// Seconds to write a new file of so many bytes until it is on the disk.
fn write_zeros(path: &Path, bytes: u64) -> Result<f64> {
    let started = Instant::now();
    let write = || -> std::io::Result<()> {
        let mut file = File::create(path)?;
        std::io::copy(&mut std::io::repeat(0).take(bytes), &mut file)?;
        file.sync_all()
    };
    write().map_err(Error::io("cannot write", path))?;
    Ok(started.elapsed().as_secs_f64())
}

/// The complete table in memory, checksums and all, against writing the same bytes.
pub fn dense_table(settings: &Settings) -> Result<Measurement> {
    let max = if settings.quick { 500 } else { 1000 };
    let job = HeapJob::minnie(4, max, Play::Normal, Quantity::Outcomes);
    let started = Instant::now();
    let table = with_threads(settings.threads, || job.solve(None, &Control::silent()))?;
    let seconds = started.elapsed().as_secs_f64();
    let written = fresh_memset(job.width().file_bytes(table.spec().entries));
    let what = format!("whole table of outcomes, 4 heaps to {max}, with counts, xxh3 and BLAKE3");
    let done = solved("minnie-outcomes-table", what, settings.threads, &table, seconds);
    let baseline = table.spec().entries as f64 / written;
    Ok(done.over("memset of the same bytes into new memory, one thread", baseline, Some(0.25)))
}

/// Conjecture 5.6 by lanes, against rows of a table.
pub fn probe_four_heaps(settings: &Settings) -> Result<Measurement> {
    probe(settings, 4, if settings.quick { 300 } else { 1000 })
}

/// Conjecture 5.6 by lanes, against rows of a table.
pub fn probe_five_heaps(settings: &Settings) -> Result<Measurement> {
    probe(settings, 5, if settings.quick { 100 } else { 300 })
}

fn probe(settings: &Settings, heaps: usize, max: u32) -> Result<Measurement> {
    let probe = Probe { heaps, max, play: Play::Normal };
    let run = |rows: bool| {
        with_threads(settings.threads, || match rows {
            true => probe.run_by_rows(&Control::silent()),
            false => probe.run(None, &Control::silent()),
        })
    };
    let (rows, lanes) = (run(true)?, run(false)?);
    let name = format!("probe-5.6-{heaps}-heaps");
    let what = format!("Conjecture 5.6, {heaps} heaps to {max}, by lanes");
    let settled = lanes.positions_settled;
    let target = (heaps == 5 && !settings.quick).then_some(if settings.threads > 1 { 15.0 } else { 8.0 });
    Ok(measurement(&name, what, settings.threads, settled, probe.swept_bytes()?, lanes.seconds).over(
        "covers by rows of a table",
        settled as f64 / rows.seconds,
        target,
    ))
}

/// Two-heap values.
pub fn values_two_heaps(settings: &Settings) -> Result<Measurement> {
    values(2, if settings.quick { 1000 } else { 2000 }, 40.0)
}

/// Three-heap values.
pub fn values_three_heaps(settings: &Settings) -> Result<Measurement> {
    values(3, if settings.quick { 120 } else { 200 }, 15.0)
}

/// Four-heap values.
pub fn values_four_heaps(settings: &Settings) -> Result<Measurement> {
    values(4, if settings.quick { 40 } else { 60 }, 15.0)
}

/// Three-heap values by windows and by columns and marks.
pub fn windows_three_heaps(settings: &Settings) -> Result<Measurement> {
    windows(3, if settings.quick { 150 } else { 400 }, (!settings.quick).then_some(5.0))
}

/// Four-heap values by windows and by columns and marks.
pub fn windows_four_heaps(settings: &Settings) -> Result<Measurement> {
    windows(4, if settings.quick { 60 } else { 120 }, (!settings.quick).then_some(2.5))
}

fn windows(heaps: usize, max: u32, target: Option<f64>) -> Result<Measurement> {
    let job = HeapJob::minnie(heaps, max, Play::Normal, Quantity::Values);
    let (seconds, table) = fastest(&job, 1, 3)?;
    let (rows, _) = fastest(&HeapJob { by_rows: true, ..job }, 1, 3)?;
    let what = format!("Grundy values, {heaps} heaps to {max}, windows by slabs");
    Ok(solved(&format!("minnie-windows-{heaps}-heaps"), what, 1, &table, seconds).over(
        "columns and marks by rows",
        table.spec().entries as f64 / rows,
        target,
    ))
}

fn values(heaps: usize, max: u32, target: f64) -> Result<Measurement> {
    let job = HeapJob::minnie(heaps, max, Play::Normal, Quantity::Values);
    let (seconds, table) = fastest(&job, 1, 5)?;
    let generic = generic_rate(&job, &table)?;
    let scalar = mark_and_scan_rate(&job, &table)?;
    let what = format!("Grundy values, {heaps} heaps to {max}, the fastest kernel");
    Ok(solved(&format!("minnie-values-{heaps}-heaps"), what, 1, &table, seconds)
        .over("generic scalar kernel", generic, Some(target))
        .over("hand-written scalar mark-and-scan", scalar, None))
}

fn solved(name: &str, what: String, threads: usize, table: &Table, seconds: f64) -> Measurement {
    let entries = table.spec().entries;
    measurement(name, what, threads, entries, table.manifest().width.file_bytes(entries), seconds)
}

/// The best of `times` sweeps (without checksums), and the last table.
pub(super) fn fastest(job: &HeapJob, threads: usize, times: usize) -> Result<(f64, Table)> {
    with_threads(threads, || {
        let mut best = f64::INFINITY;
        let mut table = Table::in_memory(job.spec()?, job.width())?;
        for time in 0..times {
            if time > 0 {
                table = Table::in_memory(job.spec()?, job.width())?;
            }
            best = best.min(job.sweep(&mut table, &Control::silent())?);
        }
        Ok((best, table))
    })
}

/// How long a baseline is timed.
const BASELINE: Duration = Duration::from_millis(1500);

/// Positions a second of the generic kernel on blocks spread over all waves of a solved table.
pub(super) fn generic_rate(job: &HeapJob, table: &Table) -> Result<f64> {
    let space = job.space()?;
    let waves = KeySum::new(&space);
    let kernel = Generic::new(&*job.rules, job.game.play(), &space, &waves);
    let cells = table.cells();
    // A block of longer keys holds all rows with the same sum and first heap: a sample as good as a single
    // row.
    let row = |key: &[u32]| kernel.fill(&cells, &block_of(key, space.max())).unwrap_or(0);
    Ok(rate_of_rows(&space, row))
}

/// The block of the rows that have the sum and the first heap of `key`.
fn block_of(key: &[u32], max: u32) -> RowBlock {
    let wave = key.iter().map(|&heap| u64::from(heap)).sum();
    let first = key.first().copied().unwrap_or(0);
    RowBlock { wave, first, last: first, key_last: (0, max) }
}

/// Positions a second of a plain loop: mark the value of every option, scan for the least that is not marked.
fn mark_and_scan_rate(job: &HeapJob, table: &Table) -> Result<f64> {
    let space = job.space()?;
    let row = |key: &[u32]| match table.cells() {
        Cells::U8(cells) => mark_and_scan(cells, &space, key),
        Cells::U16(cells) => mark_and_scan(cells, &space, key),
        Cells::Bits(_) => 0,
    };
    Ok(rate_of_rows(&space, row))
}

fn mark_and_scan<C: ValueCell>(cells: &[C], space: &SortedHeaps, key: &[u32]) -> u64 {
    let mut position = key.to_vec();
    position.push(space.row_first(key));
    let mut marked = vec![0u32; usize::from(C::MAX) + 2];
    let last = position.len() - 1;
    let first = position[last];
    for (turn, x) in (1..).zip(first..=space.max()) {
        position[last] = x;
        let smallest = position.iter().copied().find(|&heap| heap > 0).unwrap_or(0);
        for i in 0..position.len() {
            if position[i] > 0 {
                space.for_each_lowered(&position, i, smallest, |index| {
                    marked[usize::from(cells[index as usize].get())] = turn;
                });
            }
        }
        let value = marked.iter().position(|&mark| mark != turn).unwrap_or(0);
        let index = space.rank_sorted(&position) as usize;
        assert!(
            smallest == 0 || usize::from(cells[index].get()) == value,
            "the baseline finds the same value"
        );
    }
    u64::from(space.max() - first) + 1
}

/// Positions a second of `row` on keys spread evenly over the space, for about [`BASELINE`].
fn rate_of_rows(space: &SortedHeaps, mut row: impl FnMut(&[u32]) -> u64) -> f64 {
    let started = Instant::now();
    let mut positions = 0;
    let mut heaps = Vec::new();
    // A low-discrepancy walk through the index: multiples of the golden ratio.
    let mut place = 0.5f64;
    while started.elapsed() < BASELINE {
        place = (place + 0.618_033_988_749_894_9).fract();
        space.unrank_into((place * space.len() as f64) as u64, &mut heaps);
        positions += row(&heaps[..heaps.len() - 1]);
    }
    positions as f64 / started.elapsed().as_secs_f64()
}

/// Seconds to write `bytes` into memory that was not touched before, as a new table is.
fn fresh_memset(bytes: u64) -> f64 {
    let started = Instant::now();
    let buffer = vec![1u8; bytes as usize];
    std::hint::black_box(&buffer);
    started.elapsed().as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::waves::Waves;

    #[test]
    fn a_sampled_block_is_a_block_of_the_waves() {
        let space = SortedHeaps::new(4, 9).unwrap();
        let waves = KeySum::new(&space);
        space.for_each_key(|key| {
            let mut found = false;
            waves.for_each_key(&block_of(key, space.max()), |other| found |= other == key);
            assert!(found);
            assert!(block_of(key, space.max()).wave < waves.count());
        });
    }
}
