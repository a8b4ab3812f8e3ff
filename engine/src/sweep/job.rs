//! One way from a game to a finished table: budget, open or resume, fill, finish.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::base::live::{Subject, reporting};
use crate::base::{Control, Result, machine};
use crate::game::Game;
use crate::table::{Manifest, Spec, Table, Width, check_folder};

/// A table to be filled.
pub trait Job: Sync {
    /// The game.
    fn game(&self) -> Game;

    /// What the table will hold.
    fn spec(&self) -> Result<Spec>;

    /// The number of waves of the same table in another order, in which an earlier run may have begun it; the order of
    /// a table is told by its number of waves.
    fn other_waves(&self) -> Option<u64> {
        None
    }

    /// The width of an entry to begin with; values are widened when one does not fit.
    fn width(&self) -> Width;

    /// Whether this is a sequence, which may grow: a shorter one that is there is continued.
    fn grows(&self) -> bool {
        false
    }

    /// The bytes of memory that the kernel needs beside the table.
    fn memory(&self) -> u64 {
        0
    }

    /// What to do where the table does not fit into `allowed` bytes of memory.
    fn remedy(&self, _allowed: u64) -> String {
        "give --out DIR to keep the table in a file, or choose a smaller one".into()
    }

    /// The seconds that the job will take, from small tables of the same game; `None` for a job too small to
    /// ask.
    fn estimate_seconds(&self) -> Result<Option<f64>>;

    /// The bytes of the table's file.
    fn file_bytes(&self) -> Result<u64> {
        Ok(self.width().file_bytes(self.spec()?.entries))
    }

    /// Fills the rest of a table that is not complete.
    fn fill(&self, table: &mut Table, control: &Control<'_>) -> Result<Filled>;
}

/// What filling a table took, and the facts about it that go into the manifest.
#[derive(Debug)]
pub struct Filled {
    /// Seconds of this run.
    pub seconds: f64,
    /// The facts.
    pub results: BTreeMap<String, Value>,
}

/// What a job needs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Needs {
    /// Bytes of memory beside mapped files.
    pub memory: u64,
    /// Bytes on the disk.
    pub disk: u64,
    /// Seconds; jobs that are too small to be calibrated take about one.
    pub seconds: f64,
}

/// Fills the table of `job`, in memory or in the folder `out`, or resumes where an earlier run stopped.
pub fn solve(job: &dyn Job, out: Option<&Path>, control: &Control<'_>) -> Result<Table> {
    let (spec, width) = (spec_in(job, out)?, job.width());
    let mut table = match out {
        None => Table::in_memory(spec, width)?,
        Some(folder) if job.grows() => Table::sequence_in_folder(folder, spec, width)?,
        Some(folder) => Table::in_folder(folder, spec, width)?,
    };
    if !table.is_complete() {
        let fill = |table: &mut Table, control: &Control<'_>| -> Result<()> {
            let filled = job.fill(table, control)?;
            table.finish(filled.results, filled.seconds)?;
            Ok(())
        };
        let subject = Subject::new("table", job.game().title(), table.spec().step());
        reporting(out, subject, control, |control| fill(&mut table, control))?;
    }
    Ok(table)
}

/// What the table of `job` in the folder `out` holds: in the order in which it was begun, if it is there.
fn spec_in(job: &dyn Job, out: Option<&Path>) -> Result<Spec> {
    let spec = job.spec()?;
    let (Some(out), Some(waves)) = (out, job.other_waves()) else { return Ok(spec) };
    let other = Spec { waves, ..spec.clone() };
    let begun = Manifest::read(&out.join("manifest.json")).is_ok_and(|manifest| manifest.spec == other);
    Ok(if begun { other } else { spec })
}

/// What `job` needs, where its time comes from a calibration of at most a few seconds.
pub fn needs(job: &dyn Job, on_disk: bool) -> Result<Needs> {
    let table = job.file_bytes()?;
    Ok(Needs {
        memory: if on_disk { job.memory() } else { table.saturating_add(job.memory()) },
        disk: if on_disk { table } else { 0 },
        seconds: job.estimate_seconds()?.unwrap_or(1.0),
    })
}

/// Refuses a folder that holds something else than the table of `job`, finished or not.
pub fn check_out(job: &dyn Job, out: &Path) -> Result<()> {
    check_folder(out, &spec_in(job, Some(out))?, job.grows())
}

/// A calibration: jobs of these growing sizes are timed until one of them takes long enough to be believed,
/// so that it is short on any machine. Returns the last two sizes with their seconds; with one size, it twice.
pub(super) fn calibrate(
    sizes: impl Iterator<Item = u64>,
    mut time: impl FnMut(u64) -> Result<f64>,
) -> Result<[(u64, f64); 2]> {
    const ENOUGH: f64 = 0.2;
    let (mut before, mut last) = (None, None);
    for size in sizes {
        let seconds = time(size)?.max(1e-6);
        (before, last) = (last, Some((size, seconds)));
        if seconds >= ENOUGH {
            break;
        }
    }
    let last = last.unwrap_or((1, 1e-6));
    Ok([before.unwrap_or(last), last])
}

/// The power of the size by which the time grows between the two, within `bounds`.
pub(super) fn growth([(small, quick), (large, slow)]: [(u64, f64); 2], bounds: (f64, f64)) -> f64 {
    if small == large {
        return bounds.1;
    }
    ((slow / quick).ln() / (large as f64 / small as f64).ln()).clamp(bounds.0, bounds.1)
}

/// Refuses a job that does not fit into the memory, or below `limit`, or onto the disk of `out`.
pub fn check_budget(job: &dyn Job, out: Option<&Path>, limit: Option<u64>) -> Result<()> {
    let table = job.file_bytes()?;
    match out {
        None => {
            let allowed = limit.or_else(machine::available_memory).unwrap_or(u64::MAX);
            machine::check_memory(table.saturating_add(job.memory()), limit, &job.remedy(allowed))
        }
        Some(out) => {
            machine::check_memory(job.memory(), limit, "choose a smaller table")?;
            if out.join("manifest.json").exists() { Ok(()) } else { machine::check_disk(table, out) }
        }
    }
}
