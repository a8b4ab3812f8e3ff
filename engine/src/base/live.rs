//! `live.json`: how far a run is that keeps a folder, for people who look from another terminal or another machine.
//!
//! The process replaces the file every few seconds and removes it when it ends. Nothing depends on it: where it
//! cannot be written the work is done all the same, and what a killed process has left is told by its age and by
//! the process that it names. What a run has kept when it is over says [`Kept`].

use std::io::Read;
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::files::{self, Folder};
use super::process::{Process, host_name, this_boot};
use super::{Control, Observer};

/// The name of the file in the folder of a run.
pub(crate) const LIVE: &str = "live.json";

/// The time between two writes.
const EVERY: Duration = Duration::from_secs(2);

/// A process on another machine that has not written for so long is taken to be gone.
const SILENCE: f64 = 30.0;

/// Larger files are not ours.
const MAX_LIVE: u64 = 1 << 16;

/// The kind of a survey.
pub const SURVEY: &str = "survey";

/// What a run is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// `table`, `probe`, `survey` or `recurring`.
    pub kind: String,
    /// What is worked out, in words.
    pub title: String,
    /// What is counted: "wave", "term", "plane", "game", "heap".
    pub step: String,
}

impl Subject {
    /// The subject of a run.
    pub fn new(kind: &str, title: impl Into<String>, step: &str) -> Self {
        Self { kind: kind.into(), title: title.into(), step: step.into() }
    }
}

/// What the folder of a run keeps, whether the run was stopped or has come to its end.
#[derive(Debug, Clone, PartialEq)]
pub struct Kept {
    /// What it is about.
    pub subject: Subject,
    /// The steps that are done.
    pub done: u64,
    /// The steps in all, where that is known.
    pub total: Option<u64>,
    /// Seconds of work, where they are kept.
    pub seconds: Option<f64>,
    /// Whether nothing is left to do.
    pub complete: bool,
    /// The file that a checkpoint writes.
    pub file: &'static str,
}

/// How far a run is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Live {
    /// What it is about.
    #[serde(flatten)]
    pub subject: Subject,
    /// The machine's name.
    pub host: String,
    /// What tells the machine, since it was last started, from others.
    pub boot: Option<String>,
    /// The process.
    pub process: Option<Process>,
    /// When this run began, in seconds since 1970.
    pub began: f64,
    /// When this was written, in seconds since 1970.
    pub updated: f64,
    /// Waves (or terms) that earlier runs had finished.
    pub waves_before: u64,
    /// Waves that are finished now.
    pub waves_done: u64,
    /// Waves in all; 0 where nobody knows.
    pub waves: u64,
    /// Positions that this run has filled.
    pub positions_filled: u64,
    /// Positions in all.
    pub positions: u64,
    /// The last checkpoint of this run: its waves, and when it was made.
    pub checkpoint: Option<(u64, f64)>,
}

/// Seconds since 1970.
pub fn seconds_now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}

impl Live {
    fn begun(subject: Subject) -> Self {
        let now = seconds_now();
        Self {
            subject,
            host: host_name(),
            boot: this_boot(),
            process: Process::own(),
            began: now,
            updated: now,
            waves_before: 0,
            waves_done: 0,
            waves: 0,
            positions_filled: 0,
            positions: 0,
            checkpoint: None,
        }
    }

    /// What a folder says of the process that works in it; `None` where there is none.
    pub fn read(folder: &Path) -> Option<Self> {
        let mut text = Vec::new();
        files::open(&folder.join(LIVE)).ok()?.take(MAX_LIVE).read_to_end(&mut text).ok()?;
        serde_json::from_slice::<Self>(&text).ok().filter(Live::makes_sense)
    }

    /// Whether the numbers can be those of a run: the file may be anybody's.
    fn makes_sense(&self) -> bool {
        let times = [Some(self.began), Some(self.updated), self.checkpoint.map(|(_, when)| when)];
        times.into_iter().flatten().all(|time| (0.0..1e12).contains(&time))
            && self.waves_before <= self.waves_done
            && (self.waves == 0 || self.waves_done <= self.waves)
    }

    /// Whether the process still runs: on this machine the system knows, of another one it is told by its
    /// last sign of life.
    pub fn is_running(&self) -> bool {
        match (&self.boot, self.process) {
            (Some(boot), Some(process)) if this_boot().as_ref() == Some(boot) => process.is_alive(),
            _ => seconds_now() - self.updated < SILENCE,
        }
    }

    /// The seconds of this run so far.
    pub fn seconds(&self) -> f64 {
        (self.updated - self.began).max(1e-3)
    }

    /// The share of the whole that is done, from 0 to 1, where the whole is known. Positions measure the work better
    /// than waves do, but those of earlier runs are not counted.
    pub fn share(&self) -> Option<f64> {
        let (done, total) = match self.waves_before {
            0 if self.positions > 0 && self.positions_filled > 0 => (self.positions_filled, self.positions),
            _ => (self.waves_done, self.waves),
        };
        (total > 0).then(|| (done as f64 / total as f64).min(1.0))
    }

    /// The seconds that are left at this run's pace, once there is one. A survey has none: it looks at its games longer
    /// and longer, so that the looks so far say too little.
    pub fn seconds_left(&self) -> Option<f64> {
        if self.subject.kind == SURVEY {
            return None;
        }
        let before = self.waves_before as f64 / self.waves.max(1) as f64;
        let share = self.share()?;
        (share > before && share > 0.0).then(|| self.seconds() * (1.0 - share) / (share - before))
    }
}

/// Tells another observer everything, and keeps what the file says.
struct Reporter<'a> {
    next: &'a dyn Observer,
    live: Mutex<Live>,
}

impl Reporter<'_> {
    fn change(&self, change: impl FnOnce(&mut Live)) {
        change(&mut self.live.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Writes what is known now. Who cannot write has other things to worry about.
    fn write(&self, folder: &Folder) {
        let mut live = self.live.lock().unwrap_or_else(PoisonError::into_inner).clone();
        live.updated = seconds_now();
        if let Ok(text) = serde_json::to_vec(&live) {
            let _ = folder.replace_unsynced(LIVE, &text);
        }
    }
}

impl Observer for Reporter<'_> {
    fn begin(&self, waves: u64, positions: u64, waves_done: u64) {
        self.change(|live| {
            (live.waves, live.positions) = (waves, positions);
            (live.waves_before, live.waves_done) = (waves_done, waves_done);
        });
        self.next.begin(waves, positions, waves_done);
    }

    fn wave(&self, waves_done: u64, positions_filled: u64) {
        self.change(|live| (live.waves_done, live.positions_filled) = (waves_done, positions_filled));
        self.next.wave(waves_done, positions_filled);
    }

    fn checkpoint(&self, waves_done: u64) {
        self.change(|live| live.checkpoint = Some((waves_done, seconds_now())));
        self.next.checkpoint(waves_done);
    }

    fn worked(&self, more: u64) {
        self.next.worked(more);
    }

    fn note(&self, text: &str) {
        self.next.note(text);
    }

    fn doing(&self, text: &str) {
        self.next.doing(text);
    }
}

/// Does `work`, and meanwhile keeps `live.json` in the folder of the run, if there is one, whose lock the caller holds.
pub fn reporting<T>(
    folder: Option<&Path>,
    subject: Subject,
    control: &Control<'_>,
    work: impl FnOnce(&Control<'_>) -> T,
) -> T {
    let Some(folder) = folder.and_then(|folder| Folder::open(folder).ok()) else { return work(control) };
    let reporter = Reporter { next: control.observer, live: Mutex::new(Live::begun(subject)) };
    let (working, ended) = channel::<()>();
    let write = || reporter.write(&folder);
    let result = std::thread::scope(|scope| {
        // Without the thread nobody can look, and nothing else is lost.
        let _ = std::thread::Builder::new().name("live".into()).spawn_scoped(scope, move || {
            // A run that is over at once needs no file.
            let mut wait = EVERY / 8;
            while ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                write();
                wait = EVERY;
            }
        });
        // Dropped however the work ends, which ends the thread.
        let _working = working;
        work(&Control { observer: &reporter, ..*control })
    });
    folder.remove(LIVE);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subject() -> Subject {
        Subject::new("table", "minnie", "wave")
    }

    #[test]
    fn a_run_can_be_watched_from_outside_and_leaves_nothing_behind() {
        let place = tempfile::tempdir().unwrap();
        let seen = reporting(Some(place.path()), subject(), &Control::silent(), |control| {
            control.observer.begin(10, 1000, 2);
            control.observer.wave(4, 150);
            control.observer.checkpoint(4);
            loop {
                if let Some(live) = Live::read(place.path()) {
                    break live;
                }
                std::thread::yield_now();
            }
        });
        assert!(seen.is_running());
        assert_eq!((seen.waves_before, seen.waves_done, seen.waves), (2, 4, 10));
        assert_eq!((seen.positions_filled, seen.positions), (150, 1000));
        assert_eq!(seen.checkpoint.unwrap().0, 4);
        assert_eq!(seen.share(), Some(0.4));
        let left = seen.seconds_left().unwrap();
        assert!((left / seen.seconds() - 3.0).abs() < 1e-9, "{left}");
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_run_whose_end_nobody_knows_has_no_share_and_no_time_left() {
        let live = Live { waves_before: 5, waves_done: 50, positions_filled: 45, ..Live::begun(subject()) };
        assert!(live.makes_sense());
        assert_eq!((live.share(), live.seconds_left()), (None, None));
    }

    /// Regression: the later looks of a survey take longer, and half of them were taken for half of the time.
    #[test]
    fn the_end_of_a_survey_is_not_guessed() {
        let half = |kind: &str| Live {
            subject: Subject::new(kind, "0.???", "look"),
            waves: 10,
            waves_done: 5,
            ..Live::begun(subject())
        };
        assert_eq!((half(SURVEY).share(), half(SURVEY).seconds_left()), (Some(0.5), None));
        assert!(half("probe").seconds_left().is_some());
    }

    #[test]
    fn the_file_of_a_process_that_is_gone_is_not_that_of_a_running_one() {
        let mut live = Live::begun(subject());
        assert!(live.is_running());
        live.process = live.process.map(|process| Process { began: process.began + 1, ..process });
        assert!(!live.is_running(), "another process has its number now");
        (live.host, live.boot) = ("elsewhere".into(), Some("another boot".into()));
        assert!(live.is_running(), "it was heard of just now");
        live.updated -= 2.0 * SILENCE;
        assert!(!live.is_running());
    }

    #[test]
    fn a_hostile_file_is_not_believed() {
        let place = tempfile::tempdir().unwrap();
        let good = serde_json::to_value(Live { waves: 5, ..Live::begun(subject()) }).unwrap();
        let write = |value: &serde_json::Value| {
            std::fs::write(place.path().join(LIVE), value.to_string()).unwrap();
            Live::read(place.path())
        };
        assert!(write(&good).is_some());
        for (name, bad) in
            [("waves_done", 6.into()), ("updated", 1e300.into()), ("began", (-1).into()), ("host", 7.into())]
        {
            let mut changed = good.clone();
            changed[name] = bad;
            assert_eq!(write(&changed), None, "{name}");
        }
        std::fs::write(place.path().join(LIVE), b"\xff\xfe").unwrap();
        assert_eq!(Live::read(place.path()), None);
    }
}
