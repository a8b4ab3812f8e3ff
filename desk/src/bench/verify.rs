//! `verify --full` beside the solve of the same table, on disk.

use super::{Measurement, Settings, measurement, with_threads};
use crate::base::{Control, Error, Result};
use crate::game::{Game, Parameters};
use crate::rules::OctalGame;
use crate::sweep::{HeapJob, Job, OctalJob, solve};
use crate::table::{Quantity, Reader};
use crate::verify::{Mode, verify};

/// At most five times as long as the solve.
const TARGET: f64 = 0.2;

/// The sequence of 0.6.
pub fn officers(settings: &Settings) -> Result<Measurement> {
    let terms = if settings.quick { 1 << 16 } else { 1 << 20 };
    sequence("0.6", terms, settings)
}

/// The sequence of 0.007.
pub fn many_rare(settings: &Settings) -> Result<Measurement> {
    let terms = if settings.quick { 1 << 14 } else { 1 << 16 };
    sequence("0.007", terms, settings)
}

/// Outcomes of wynnie.
pub fn wynnie(settings: &Settings) -> Result<Measurement> {
    let max = if settings.quick { 200 } else { 500 };
    let job = HeapJob::new(&Game::new("wynnie", &Parameters::new())?, 3, max, Quantity::Outcomes)?;
    beside("verify-wynnie", &format!("wynnie, outcomes of 3 heaps to {max}"), settings, &|| {
        Box::new(job.clone())
    })
}

fn sequence(code: &str, terms: u64, settings: &Settings) -> Result<Measurement> {
    let game: OctalGame = code.parse()?;
    let (name, what) = (format!("verify-{code}"), format!("{code} to {terms} terms"));
    beside(&name, &what, settings, &|| Box::new(OctalJob::new(game.clone(), terms)))
}

/// Solves the job and verifies it, each on all threads.
fn beside(
    name: &str,
    what: &str,
    settings: &Settings,
    job: &(dyn Fn() -> Box<dyn Job> + Sync),
) -> Result<Measurement> {
    let folder = tempfile::tempdir().map_err(Error::io("cannot make", &std::env::temp_dir()))?;
    let table = folder.path().join("table");
    with_threads(settings.threads, || {
        let solved = solve(&*job(), Some(&table), &Control::silent())?;
        let (entries, bytes) =
            (solved.spec().entries, solved.manifest().width.file_bytes(solved.spec().entries));
        let solving = solved.manifest().seconds;
        drop(solved);
        let verified = verify(&Reader::open(&table)?, Mode::Full, &Control::silent())?;
        if let Some(failure) = verified.failure {
            return Err(Error::Usage(format!("{what}: the table is wrong: {failure}")));
        }
        let what = format!("verify --full of {what}");
        let done = measurement(name, what, settings.threads, entries, bytes, verified.seconds);
        Ok(done.over("the solve of the same table", entries as f64 / solving, Some(TARGET)))
    })
}
