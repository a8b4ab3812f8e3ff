//! One run of a batch: what an earlier run left is taken up, nothing is repeated silently.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::current::put_back;
use super::file::{Job, JobFile};
use super::schedule::Schedule;
use super::state::{self, JobRecord, State, Status};
use crate::base::process::Process;
use crate::base::{Error, Result};

/// What the jobs of a batch share.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    /// Threads of all jobs that run at the same time.
    pub threads: usize,
    /// Memory of all jobs that run at the same time.
    pub memory: Option<u64>,
    /// The time of this run.
    pub time: Option<Duration>,
}

impl Budget {
    /// The threads that a job gets.
    pub fn threads_of(&self, job: &Job) -> usize {
        job.threads.unwrap_or(self.threads).min(self.threads)
    }

    /// The memory that a job may take; without a number of its own it gets the share of its threads.
    pub fn memory_of(&self, job: &Job) -> Option<u64> {
        let share = |all: u64| {
            u64::try_from(u128::from(all) * self.threads_of(job) as u128 / self.threads.max(1) as u128)
                .unwrap_or(all)
        };
        job.memory.or(self.memory.map(share))
    }
}

/// How to run a batch.
#[derive(Debug, Clone)]
pub struct Options {
    /// The program that runs the commands.
    pub program: PathBuf,
    /// What the jobs share.
    pub budget: Budget,
    /// Run jobs again that failed, were refuted or not decided, or ran out of time.
    pub retry: bool,
    /// Go on in a folder that belongs to another version of the job file.
    pub adopt: bool,
}

/// Is told how a batch gets on.
pub trait Events {
    /// Something happened.
    fn happened(&self, text: &str);
    /// So many of all jobs have ended, and these run.
    fn progress(&self, ended: usize, total: usize, running: &str);
}

/// A run that ended.
#[derive(Debug)]
pub struct Run {
    /// What became of the jobs.
    pub state: State,
    /// Whether jobs are left that the next run goes on with.
    pub interrupted: bool,
}

/// How long a process of an earlier run may take to write its checkpoint.
const ORPHANS_MAY_TAKE: Duration = Duration::from_secs(120);

/// Runs the jobs of `file` that are not done.
pub fn run(file: &JobFile, options: &Options, stop: &AtomicBool, events: &dyn Events) -> Result<Run> {
    state::make_folders(file)?;
    let _lock = state::take_lock(&file.output, &file.state_stem())?;
    let mut state = state::open(file, options.adopt)?;
    state::set_space_aside(&file.output, &file.state_stem())?;
    wait_for_orphans(&state, stop, events)?;
    prepare(&mut state, options.retry);
    for text in put_back(&mut state, &file.jobs, &file.output) {
        events.happened(&text);
    }
    state.write(&file.output, &file.state_stem())?;
    let (mut state, outcome) = Schedule::new(file, options, events, state).run(stop);
    let last = state.write(&file.output, &file.state_stem());
    state::give_space_back(&file.output, &file.state_stem());
    outcome.and(last)?;
    Ok(Run::of(state))
}

impl Run {
    /// The run that ended with this state.
    pub fn of(state: State) -> Self {
        let left =
            |job: &JobRecord| matches!(job.status, Status::Waiting | Status::Running | Status::Stopped);
        let interrupted = state.stopped.is_some() || state.jobs.iter().any(left);
        Self { state, interrupted }
    }
}

/// Jobs that ran or were stopped go on; with `retry` also those that ended badly.
fn prepare(state: &mut State, retry: bool) {
    for job in &mut state.jobs {
        let again = match job.status {
            Status::Running | Status::Stopped | Status::Skipped => true,
            Status::Failed | Status::Refuted | Status::Undecided | Status::OutOfTime => retry,
            Status::Waiting | Status::Done => false,
        };
        if again {
            if job.status == Status::OutOfTime {
                job.seconds = 0.0;
            }
            job.status = Status::Waiting;
            job.message = None;
        }
        job.process = None;
    }
}

/// A batch that was killed leaves jobs that are about to write their checkpoint and end.
fn wait_for_orphans(state: &State, stop: &AtomicBool, events: &dyn Events) -> Result<()> {
    let alive = || state.jobs.iter().find(|job| job.process.is_some_and(Process::is_alive));
    let since = Instant::now();
    let mut told = false;
    while let Some(job) = alive() {
        if !std::mem::replace(&mut told, true) {
            events
                .happened(&format!("waiting for job {} of an earlier run to write its checkpoint", job.name));
        }
        if since.elapsed() > ORPHANS_MAY_TAKE || stop.load(Relaxed) {
            let id = job.process.map_or(0, |process| process.id);
            return Err(Error::Usage(format!(
                "job {} of an earlier run still runs as process {id}; end it, then run the same command again",
                job.name
            )));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}
