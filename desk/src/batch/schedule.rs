//! The jobs of a batch side by side: what is ready is started, what ends is recorded, what takes too much is
//! stopped.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender};

use super::child::{Child, End};
use super::current::{fingerprints, put_back_after};
use super::file::{Job, JobFile};
use super::run::{Events, Options};
use super::state::{self, JobRecord, State, Status};
use crate::base::machine;
use crate::base::{Error, Exit, Result};
use crate::table::now;

/// The time between two writes of the state while nothing happens.
const BETWEEN_WRITES: Duration = Duration::from_secs(10);
/// The time between two looks at memory and disk.
const BETWEEN_LOOKS: Duration = Duration::from_millis(250);
/// The longest time between two turns of the scheduler.
const BETWEEN_TURNS: Duration = Duration::from_millis(100);
/// A disk with less than this is full.
const LEAST_DISK: u64 = 16 << 20;

/// The jobs of a batch while it runs.
pub struct Schedule<'a> {
    file: &'a JobFile,
    options: &'a Options,
    events: &'a dyn Events,
    state: State,
    /// The running jobs by their place in the file.
    running: BTreeMap<usize, Child>,
    /// A message for every job that has ended.
    ended: (Sender<()>, Receiver<()>),
    /// Why no further job is started.
    halted: Option<String>,
    begun: Instant,
    written: Instant,
    looked: Instant,
}

impl<'a> Schedule<'a> {
    /// Nothing runs yet; `state` says what is left to do.
    pub fn new(file: &'a JobFile, options: &'a Options, events: &'a dyn Events, state: State) -> Self {
        let now = Instant::now();
        let (running, ended, halted) = (BTreeMap::new(), crossbeam_channel::unbounded(), None);
        Self { file, options, events, state, running, ended, halted, begun: now, written: now, looked: now }
    }

    /// Runs until no job runs and none can be started, or `stop` is set; what became of the jobs.
    pub fn run(mut self, stop: &AtomicBool) -> (State, Result<()>) {
        let outcome = self.go(stop);
        if outcome.is_err() {
            self.stop_all();
        }
        self.state.stopped = self.halted;
        (self.state, outcome)
    }

    fn go(&mut self, stop: &AtomicBool) -> Result<()> {
        loop {
            let mut changed = self.collect()?;
            if stop.load(Relaxed) {
                self.halt("stopped by the user");
            }
            if self.options.budget.time.is_some_and(|time| self.begun.elapsed() >= time) {
                self.halt("the time of this run is used up");
            }
            if self.looked.elapsed() >= BETWEEN_LOOKS {
                self.looked = Instant::now();
                self.look();
            }
            if self.halted.is_some() {
                self.running.values_mut().for_each(Child::stop);
            } else {
                changed |= self.start_ready()?;
            }
            if changed || self.written.elapsed() >= BETWEEN_WRITES {
                self.write()?;
            }
            if self.running.is_empty() {
                return Ok(());
            }
            self.pause();
        }
    }

    /// Waits until a job ends, but not long: the user may want to stop, and the budgets are looked at.
    fn pause(&self) {
        // `self` holds a sender, so that an error is a timeout.
        let _ = self.ended.1.recv_timeout(BETWEEN_TURNS);
    }

    fn halt(&mut self, why: &str) {
        if self.halted.is_none() && self.has_work() {
            self.happened(&format!("{why}; running jobs write a checkpoint and end"));
            self.halted = Some(why.into());
        }
    }

    /// Whether a job runs or could still be started.
    fn has_work(&self) -> bool {
        !self.running.is_empty() || self.state.jobs.iter().any(|job| job.status == Status::Waiting)
    }

    /// Records the jobs that have ended.
    fn collect(&mut self) -> Result<bool> {
        let mut ended = Vec::new();
        for (&place, child) in &mut self.running {
            if let Some((end, kept)) = child.ended(self.file.jobs[place].json)? {
                ended.push((place, end, kept));
            }
        }
        for (place, end, kept) in &ended {
            if let Some(child) = self.running.remove(place) {
                self.record(*place, &child, end, *kept);
            }
        }
        Ok(!ended.is_empty())
    }

    fn record(&mut self, place: usize, child: &Child, end: &End, kept: Option<&str>) {
        let job = &self.file.jobs[place];
        let halted = self.halted.is_some();
        let record = &mut self.state.jobs[place];
        record.seconds += child.seconds();
        record.ended = Some(now());
        record.exit_code = end.code;
        record.process = None;
        record.peak_memory = record.peak_memory.max(Some(child.peak));
        record.result = kept.map(|name| format!("jobs/{}/{name}", job.name));
        // What the batch itself wanted was noted when it told the job to stop.
        let wanted = record.message.take();
        let last = || (!end.last_line.is_empty()).then(|| end.last_line.clone());
        let mut full = false;
        let goes_on = || Some("it resumes with the next run".into());
        (record.status, record.message) = match (end.code.and_then(Exit::from_code), end.signal) {
            (Some(Exit::Done), _) => (Status::Done, None),
            (Some(Exit::Failed), _) => (Status::Refuted, last().or(Some("a claim or a check failed".into()))),
            (Some(Exit::Undecided), _) => (Status::Undecided, last()),
            _ if wanted.is_some() && record.status == Status::OutOfTime => (Status::OutOfTime, wanted),
            _ if wanted.is_some() => (Status::Failed, wanted),
            (Some(Exit::Interrupted), _) if !child.is_stopping() && job.limits_its_time() => {
                (Status::OutOfTime, Some("the --time of its command is used up; --retry resumes it".into()))
            }
            (Some(Exit::Interrupted), _) => (Status::Stopped, goes_on()),
            _ if halted && child.is_stopping() => (Status::Stopped, goes_on()),
            (_, None) if end.disk_is_full => {
                full = true;
                (Status::Stopped, Some("no space left on the disk".into()))
            }
            (_, None) => {
                (Status::Failed, last().or(Some(format!("exit code {}", end.code.unwrap_or_default()))))
            }
            (_, Some(9)) => {
                (Status::Failed, Some("killed (signal 9): perhaps the machine ran out of memory".into()))
            }
            (_, Some(signal)) => (Status::Failed, Some(format!("ended by signal {signal}"))),
        };
        record.outputs = fingerprints(&self.file.output, &job.writes);
        let text = describe(record);
        self.happened(&text);
        for text in put_back_after(&mut self.state, &self.file.jobs, &job.name, &self.file.output) {
            self.happened(&text);
        }
        if full {
            self.halt("no space left on the disk; free some and run the same command again");
        }
    }

    /// Looks at the budgets of the running jobs and at the disk.
    fn look(&mut self) {
        for (&place, child) in &mut self.running {
            let (job, record) = (&self.file.jobs[place], &mut self.state.jobs[place]);
            let memory = child.memory();
            let seconds = record.seconds + child.seconds();
            if child.is_stopping() {
                child.stop();
            } else if job.time.is_some_and(|time| seconds >= time.as_secs_f64()) {
                record.status = Status::OutOfTime;
                record.message = Some("its time is used up; --retry gives it the same again".into());
                child.stop();
            } else if job.memory.is_some_and(|most| memory > most.saturating_add(most / 20)) {
                record.message =
                    Some(format!("stopped with {} of memory; allow more", machine::human_bytes(memory)));
                child.stop();
            }
        }
        if machine::free_disk(&self.file.output).is_some_and(|free| free < LEAST_DISK) {
            self.halt("no space left on the disk; free some and run the same command again");
        }
    }

    /// Starts every job that is ready and fits, and skips those whose turn never comes.
    fn start_ready(&mut self) -> Result<bool> {
        let mut changed = false;
        for place in 0..self.file.jobs.len() {
            if self.state.jobs[place].status != Status::Waiting {
                continue;
            }
            let job = &self.file.jobs[place];
            match self.readiness(job) {
                Readiness::Not => {}
                Readiness::Never(why) => {
                    let record = &mut self.state.jobs[place];
                    record.status = Status::Skipped;
                    record.message = Some(why);
                    let text = describe(record);
                    self.happened(&text);
                    // A job further up may wait for this one.
                    return self.start_ready().map(|_| true);
                }
                Readiness::Ready if self.fits(job) => {
                    self.start(place)?;
                    changed = true;
                }
                Readiness::Ready => {}
            }
        }
        Ok(changed)
    }

    fn readiness(&self, job: &Job) -> Readiness {
        let before = |name: &String| self.state.jobs.iter().find(|other| other.name == *name);
        for other in job.after.iter().filter_map(before) {
            match other.status {
                Status::Done => {}
                Status::Waiting | Status::Running | Status::Stopped => return Readiness::Not,
                _ if self.is_running(&other.name) => return Readiness::Not,
                _ if job.always => {}
                status => return Readiness::Never(format!("{} {}", other.name, because(status))),
            }
        }
        Readiness::Ready
    }

    fn is_running(&self, name: &str) -> bool {
        self.running.keys().any(|&place| self.file.jobs[place].name == name)
    }

    fn fits(&self, job: &Job) -> bool {
        let budget = &self.options.budget;
        let running = || self.running.keys().map(|&place| &self.file.jobs[place]);
        let threads: usize = running().map(|job| budget.threads_of(job)).sum();
        let memory: u64 = running().filter_map(|job| budget.memory_of(job)).sum();
        let enough_memory = match (budget.memory, budget.memory_of(job)) {
            (Some(most), Some(wanted)) => memory.saturating_add(wanted) <= most,
            _ => true,
        };
        self.running.is_empty() || (threads + budget.threads_of(job) <= budget.threads && enough_memory)
    }

    fn start(&mut self, place: usize) -> Result<()> {
        let job = &self.file.jobs[place];
        let mut words = job.words.clone();
        if job.json {
            words.push("--json".into());
        }
        words.push(format!("--threads={}", self.options.budget.threads_of(job)));
        if let Some(memory) = self.options.budget.memory_of(job) {
            words.push(format!("--memory={memory}"));
        }
        let folder = std::path::absolute(state::folder_of(self.file, &job.name))
            .map_err(Error::io("cannot find", &self.file.output))?;
        let inputs = fingerprints(&self.file.output, &job.reads);
        let child = Child::start(&self.options.program, &words, &self.file.output, &folder)?;
        let record = &mut self.state.jobs[place];
        record.inputs = inputs;
        let again = record.seconds > 0.0;
        record.starts += 1;
        record.status = Status::Running;
        record.started.get_or_insert_with(now);
        record.process = child.process();
        let text = format!("{}: {}", job.name, if again { "resumes" } else { "started" });
        child.announce_end(self.ended.0.clone());
        self.running.insert(place, child);
        self.happened(&text);
        Ok(())
    }

    /// Ends all jobs after an error of the batch itself, as when its state cannot be written.
    fn stop_all(&mut self) {
        while !self.running.is_empty() {
            self.running.values_mut().for_each(Child::stop);
            self.pause();
            let jobs = &self.file.jobs;
            self.running.retain(|&place, child| matches!(child.ended(jobs[place].json), Ok(None)));
        }
        for job in self.state.jobs.iter_mut().filter(|job| job.status == Status::Running) {
            job.status = Status::Stopped;
            job.process = None;
        }
    }

    /// Writes the state, with the seconds of the running jobs so far: after a kill they count against their
    /// budgets.
    fn write(&mut self) -> Result<()> {
        self.written = Instant::now();
        let mut state = self.state.clone();
        for (&place, child) in &self.running {
            state.jobs[place].seconds += child.seconds();
            if state.jobs[place].status == Status::OutOfTime {
                state.jobs[place].status = Status::Running;
            }
        }
        let names: Vec<&str> =
            self.running.keys().map(|&place| self.file.jobs[place].name.as_str()).collect();
        let ended =
            state.jobs.iter().filter(|job| job.status.is_final() || job.status == Status::Skipped).count();
        self.events.progress(ended, state.jobs.len(), &names.join(", "));
        state.write(&self.file.output, &self.file.state_stem())
    }

    fn happened(&self, text: &str) {
        self.events.happened(text);
        // The log is for people; the state, which is not, has its own errors.
        let path = self.file.output.join(format!("{}.log", self.file.state_stem()));
        if let Ok(mut log) = OpenOptions::new().create(true).append(true).open(path) {
            let _ = writeln!(log, "{} {text}", now());
        }
    }
}

enum Readiness {
    Ready,
    Not,
    Never(String),
}

fn because(status: Status) -> &'static str {
    match status {
        Status::Refuted => "was refuted",
        Status::Undecided => "was not decided",
        Status::OutOfTime => "ran out of time",
        Status::Skipped => "was skipped",
        _ => "failed",
    }
}

fn describe(record: &JobRecord) -> String {
    let message = record.message.as_ref().map_or(String::new(), |message| format!(" ({message})"));
    match record.status {
        Status::Skipped => format!("{}: skipped{message}", record.name),
        status => format!("{}: {} after {:.1} s{message}", record.name, status.name(), record.seconds),
    }
}
