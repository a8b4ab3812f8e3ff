//! Batches: a job file in the evening, results in the morning.
//!
//! A [`JobFile`] is read and checked as a whole before anything runs; [`run`] starts every job as a process
//! of its own, so that a job that crashes, is killed or runs out of memory takes nothing else with it. What
//! happened is kept in the output folder: `batch.json` (the [`State`], replaced atomically), `batch.log`, and
//! a folder `jobs/NAME` with the log and the result of each job. The same command resumes where the last one
//! stopped. docs/BATCH.md describes the files.

mod child;
mod current;
mod file;
mod order;
mod reading;
mod run;
mod schedule;
mod share;
mod state;
mod value;

pub use child::PARENT_VARIABLE;
pub use file::{Files, Job, JobFile, Language};
pub use run::{Budget, Events, Options, Run, run};
pub use share::{Share, collect};
pub use state::{BATCH_FILE, JobRecord, State, Status};
