//! `batch.json`: what became of each job.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::current::Fingerprints;
use super::file::{Job, JobFile};
use crate::base::files::{self, LockedFile};
use crate::base::process::Process;
use crate::base::{Error, Result};
use crate::table::{Machine, now, this_machine};

/// The name of the state file of a whole batch in its output folder.
pub const BATCH_FILE: &str = "batch.json";
const SPARE_BYTES: usize = 1 << 20;
const FORMAT: &str = "nimwave-batch";
const FORMAT_VERSION: u32 = 1;
/// Larger state files are not ours.
const MAX_STATE: u64 = 64 << 20;

/// What became of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// It has not begun, or it goes on in this run.
    Waiting,
    /// It runs now, or ran when the batch was killed.
    Running,
    /// It ended well.
    Done,
    /// It ran to its end and found a claim, or a table, to be false.
    Refuted,
    /// It ran to its end and could not decide what it was asked.
    Undecided,
    /// It ended with an error, or was killed.
    Failed,
    /// Its time budget is used up; `--retry` gives it the same again.
    OutOfTime,
    /// It was stopped, and goes on with the next run.
    Stopped,
    /// A job that it comes after did not end well.
    Skipped,
}

impl Status {
    /// The status for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Running => "running",
            Self::Done => "done",
            Self::Refuted => "refuted",
            Self::Undecided => "not decided",
            Self::Failed => "failed",
            Self::OutOfTime => "out of time",
            Self::Stopped => "stopped",
            Self::Skipped => "skipped",
        }
    }

    /// Whether no further run without `--retry` will change it.
    pub fn is_final(self) -> bool {
        matches!(self, Self::Done | Self::Refuted | Self::Undecided | Self::Failed | Self::OutOfTime)
    }
}

/// What is known of one job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JobRecord {
    /// Its name.
    pub name: String,
    /// Its command line without the program's name.
    pub command: Vec<String>,
    /// BLAKE3 of the command line.
    pub definition: String,
    /// What became of it.
    pub status: Status,
    /// Why, where it did not end well.
    pub message: Option<String>,
    /// The exit code of the last run.
    pub exit_code: Option<i32>,
    /// How often it was started.
    pub starts: u32,
    /// When it was first started (UTC).
    pub started: Option<String>,
    /// When it last ended (UTC).
    pub ended: Option<String>,
    /// Seconds, over all its runs.
    pub seconds: f64,
    /// The most memory that it had, mapped files included.
    pub peak_memory: Option<u64>,
    /// Its log, relative to the output folder.
    pub log: String,
    /// What it printed, relative to the output folder.
    pub result: Option<String>,
    /// What was in the files and folders that it reads when it began.
    #[serde(default, skip_serializing_if = "Fingerprints::is_empty")]
    pub inputs: Fingerprints,
    /// What was in those that it makes when it ended.
    #[serde(default, skip_serializing_if = "Fingerprints::is_empty")]
    pub outputs: Fingerprints,
    /// The process, while it runs.
    pub process: Option<Process>,
}

/// The contents of `batch.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Always `nimwave-batch`.
    pub format: String,
    /// The version of the format.
    pub format_version: u32,
    /// The version of the program of the last run.
    pub program_version: String,
    /// The machine of the last run.
    pub machine: Machine,
    /// The job file, as it was named.
    pub job_file: String,
    /// BLAKE3 of the job file.
    pub job_file_blake3: String,
    /// When the batch was begun (UTC).
    pub created: String,
    /// When this file was written (UTC).
    pub updated: String,
    /// Why the last run ended before the last job, where it did.
    pub stopped: Option<String>,
    /// The jobs, in the order of the job file.
    pub jobs: Vec<JobRecord>,
}

impl State {
    /// The state of a batch that has not begun.
    pub fn new(file: &JobFile) -> Self {
        Self {
            format: FORMAT.into(),
            format_version: FORMAT_VERSION,
            program_version: env!("CARGO_PKG_VERSION").into(),
            machine: this_machine(),
            job_file: file.path.display().to_string(),
            job_file_blake3: file.hash.clone(),
            created: now(),
            updated: now(),
            stopped: None,
            jobs: file.jobs.iter().map(JobRecord::new).collect(),
        }
    }

    /// Reads the state in the file `name` of an output folder; `None` where there is none.
    pub fn read(folder: &Path, name: &str) -> Result<Option<Self>> {
        let path = folder.join(name);
        let mut text = Vec::new();
        match files::open(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::io("cannot read", &path)(error)),
            Ok(file) => {
                file.take(MAX_STATE).read_to_end(&mut text).map_err(Error::io("cannot read", &path))?
            }
        };
        let remedy = "restore the file from a copy, or move it away to begin the batch again (finished tables are not solved again)";
        let state: Self = serde_json::from_slice(&text)
            .map_err(|error| Error::corrupt(&path, format!("not the state of a batch: {error}"), remedy))?;
        if state.format != FORMAT || state.format_version != FORMAT_VERSION {
            let problem = format!("{} version {} is not known here", state.format, state.format_version);
            return Err(Error::corrupt(&path, problem, "use a newer nimwave, or another output folder"));
        }
        Ok(Some(state))
    }

    /// Replaces the state: after a crash there is the old one or the new one, whole.
    pub fn write(&mut self, folder: &Path, stem: &str) -> Result<()> {
        self.updated = now();
        let mut text = serde_json::to_string_pretty(self).expect("a state is plain data");
        text.push('\n');
        let (path, full) = (folder.join(format!("{stem}.json")), std::io::ErrorKind::StorageFull);
        files::replace(&path, text.as_bytes()).or_else(|error| {
            // That the disk is full must be told, too: the spare space is for this.
            let is_full = matches!(&error, Error::Io { error, .. } if error.kind() == full);
            let spared = is_full && fs::remove_file(spare_file(folder, stem)).is_ok();
            if spared { files::replace(&path, text.as_bytes()) } else { Err(error) }
        })
    }

    /// Takes over what an earlier version of the job file has done: jobs of the same name and definition.
    pub fn adopt(&mut self, earlier: &Self) {
        self.created.clone_from(&earlier.created);
        for job in &mut self.jobs {
            let same = |other: &&JobRecord| other.name == job.name && other.definition == job.definition;
            if let Some(known) = earlier.jobs.iter().find(same) {
                *job = known.clone();
            }
        }
    }

    /// How many jobs have this status.
    pub fn count(&self, status: Status) -> usize {
        self.jobs.iter().filter(|job| job.status == status).count()
    }
}

impl JobRecord {
    /// A job that has not begun.
    pub fn new(job: &Job) -> Self {
        Self {
            name: job.name.clone(),
            command: job.words.clone(),
            definition: job.definition(),
            status: Status::Waiting,
            message: None,
            exit_code: None,
            starts: 0,
            started: None,
            ended: None,
            seconds: 0.0,
            peak_memory: None,
            log: format!("jobs/{}/log", job.name),
            result: None,
            inputs: Fingerprints::new(),
            outputs: Fingerprints::new(),
            process: None,
        }
    }
}

/// A file that is given up when the disk is full, so that the state can still be written.
fn spare_file(folder: &Path, stem: &str) -> PathBuf {
    folder.join(format!("{stem}.spare"))
}

/// Sets some space of the disk aside for the state. Zeros could be stored as nothing, so they are not used.
pub fn set_space_aside(folder: &Path, stem: &str) -> Result<()> {
    let path = spare_file(folder, stem);
    let bytes: Vec<u8> = (0..SPARE_BYTES as u32).map(|i| (i.wrapping_mul(0x9e37_79b9) >> 24) as u8).collect();
    files::replace(&path, &bytes)
}

/// Gives that space back.
pub fn give_space_back(folder: &Path, stem: &str) {
    // It may have been given up already.
    let _ = fs::remove_file(spare_file(folder, stem));
}

/// Takes the lock of a batch, or of a share of one, which ends with what is returned.
pub fn take_lock(folder: &Path, stem: &str) -> Result<LockedFile> {
    let path = folder.join(format!("{stem}.lock"));
    let lock = files::lock(&path).map_err(Error::io("cannot lock", &path))?.ok_or_else(|| {
        Error::Usage(format!(
            "{}: another batch is running there; wait for it, or choose another output folder",
            folder.display()
        ))
    })?;
    for end in ["json", "spare"] {
        files::remove_remainders(folder, &format!("{stem}.{end}"));
    }
    Ok(lock)
}

/// The state of the batch of `file` in its output folder, new or from an earlier run. Refuses a folder that
/// belongs to another job file, unless `adopt` is set.
pub fn open(file: &JobFile, adopt: bool) -> Result<State> {
    let folder = &file.output;
    let Some(earlier) = State::read(folder, &format!("{}.json", file.state_stem()))? else {
        return Ok(State::new(file));
    };
    if earlier.job_file_blake3 != file.hash && !adopt {
        return Err(Error::Mismatch {
            path: folder.clone(),
            problem: format!(
                "belongs to another job file, or to an earlier version of this one ({})",
                earlier.job_file
            ),
            remedy: "choose another output folder, or give --adopt to keep what jobs of the same name and command have done"
                .into(),
        });
    }
    let mut state = State::new(file);
    state.adopt(&earlier);
    Ok(state)
}

/// Makes the folders of the batch.
pub fn make_folders(file: &JobFile) -> Result<()> {
    for folder in
        std::iter::once(file.output.clone()).chain(file.jobs.iter().map(|job| folder_of(file, &job.name)))
    {
        fs::create_dir_all(&folder).map_err(Error::io("cannot make the folder", &folder))?;
    }
    Ok(())
}

/// The folder of a job's log and result.
pub fn folder_of(file: &JobFile, name: &str) -> PathBuf {
    file.output.join("jobs").join(name)
}
