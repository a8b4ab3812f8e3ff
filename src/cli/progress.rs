//! Progress: a bar on a terminal, otherwise one plain line a minute; in a log file always the plain lines.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crossbeam_channel::RecvTimeoutError;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::log::Log;
use crate::base::machine::{human_bytes, resident_memory};
use crate::base::{Observer, printable};

/// Shows how a sweep gets on.
#[derive(Debug)]
pub struct ProgressReport {
    title: String,
    /// What a wave is called: of a sequence, a term.
    step: &'static str,
    bar: ProgressBar,
    /// Whether the time that is left follows from what is done.
    tells_end: bool,
    /// Whether plain lines go to standard error.
    lines: bool,
    log: Log,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    started: Instant,
    waves: u64,
    positions: u64,
    /// When the last plain line was written.
    last_line: Instant,
    /// The memory in use, and when it was looked up.
    memory: Option<(Instant, u64)>,
}

const BETWEEN_LINES: Duration = Duration::from_secs(60);
const BETWEEN_LOOKS: Duration = Duration::from_millis(250);

impl ProgressReport {
    /// A report with a title; nothing goes to standard error where `quiet`.
    pub fn new(title: &str, quiet: bool, log: Log) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if terminal && !quiet {
            bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(8));
        }
        let style = ProgressStyle::with_template("{msg} {bar:32} {percent:>3}% {prefix} ETA {eta}")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style);
        let title = printable(title);
        bar.set_message(title.to_string());
        let now = Instant::now();
        let state = State { started: now, waves: 0, positions: 0, last_line: now, memory: None };
        Self {
            title: title.into(),
            step: "wave",
            bar,
            tells_end: true,
            lines: !terminal && !quiet,
            log,
            state: Mutex::new(state),
        }
    }

    /// The same for work that goes by other steps than waves.
    pub fn counting(mut self, step: &'static str) -> Self {
        self.step = step;
        self
    }

    /// The same for work whose later steps take longer: the time that is left is not guessed.
    pub fn without_end(mut self) -> Self {
        let style = ProgressStyle::with_template("{msg} {bar:32} {percent:>3}% {prefix} {elapsed}")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        self.bar.set_style(style);
        self.tells_end = false;
        self
    }

    /// The same for work whose length nobody knows: it shows the step that is being done.
    pub fn of_steps(self) -> Self {
        let style = ProgressStyle::with_template("{spinner} {wide_msg} {prefix} {elapsed}")
            .unwrap_or_else(|_| ProgressStyle::default_spinner());
        self.bar.set_style(style);
        self.bar.enable_steady_tick(BETWEEN_LOOKS);
        self
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Says that `done` of `total` units of work are done; `detail` is shown beside the bar.
    pub fn at(&self, done: u64, total: u64, detail: &str) {
        let mut state = self.state();
        let detail = format!("{detail}, {}", state.memory());
        self.bar.set_length(total);
        self.bar.set_position(done);
        self.bar.set_prefix(detail.clone());
        if (self.lines || self.log.is_some()) && state.last_line.elapsed() >= BETWEEN_LINES {
            state.last_line = Instant::now();
            let line = if total == 0 {
                format!("{}: {detail}", self.title)
            } else {
                let share = done as f64 / total as f64;
                let eta =
                    if self.tells_end { remaining(state.started.elapsed(), share) } else { String::new() };
                format!("{}: {:.1}% ({detail}{eta})", self.title, 100.0 * share)
            };
            if self.lines {
                eprintln!("{line}");
            }
            self.log.line(&line);
        }
    }

    /// Prints a line above the bar, or a plain line; also in the log.
    pub fn say(&self, line: &str) {
        if self.lines {
            eprintln!("{line}");
        } else {
            self.bar.println(line);
        }
        self.log.line(line);
    }

    /// Does `work` and meanwhile calls `look` some times a second, until the work ends or panics.
    pub fn watch<T>(&self, look: impl Fn(&Self) + Sync, work: impl FnOnce() -> T) -> T {
        let (working, ended) = crossbeam_channel::bounded::<()>(0);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while ended.recv_timeout(BETWEEN_LOOKS) == Err(RecvTimeoutError::Timeout) {
                    look(self);
                }
            });
            // Dropped however the work ends, which ends the watcher.
            let _working = working;
            work()
        })
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl State {
    /// "1.2 GB of memory", looked up a few times a second.
    fn memory(&mut self) -> String {
        let known = self.memory.filter(|(when, _)| when.elapsed() < BETWEEN_LOOKS);
        let (_, bytes) =
            *self.memory.insert(known.unwrap_or_else(|| (Instant::now(), resident_memory().unwrap_or(0))));
        format!("{} of memory", human_bytes(bytes))
    }
}

/// ", about 5m left", from the share of the work that is done.
fn remaining(elapsed: Duration, share: f64) -> String {
    if !(1e-6..1.0).contains(&share) {
        return String::new();
    }
    let seconds = elapsed.as_secs_f64() * (1.0 - share) / share;
    format!(", about {} left", humantime::format_duration(Duration::from_secs(seconds.ceil() as u64)))
}

impl Drop for ProgressReport {
    fn drop(&mut self) {
        self.finish();
    }
}

impl Observer for ProgressReport {
    fn note(&self, text: &str) {
        self.say(text);
    }

    fn doing(&self, text: &str) {
        let line = format!("{}: {text}", self.title);
        self.bar.set_prefix("");
        self.bar.set_message(line.clone());
        let mut state = self.state();
        let is_time = state.last_line.elapsed() >= BETWEEN_LINES;
        if self.log.verbose || is_time && (self.lines || self.log.is_some()) {
            state.last_line = Instant::now();
            drop(state);
            self.say(&line);
        }
    }

    fn begin(&self, waves: u64, positions: u64, waves_done: u64) {
        let mut state = self.state();
        (state.started, state.waves, state.positions) = (Instant::now(), waves, positions);
        drop(state);
        if waves_done > 0 {
            let of = if waves > 0 { format!(" of {waves}") } else { String::new() };
            self.say(&format!("{}: resumes after {} {waves_done}{of}", self.title, self.step));
        }
    }

    fn wave(&self, waves_done: u64, positions_filled: u64) {
        let state = self.state();
        let rate = positions_filled as f64 / state.started.elapsed().as_secs_f64().max(1e-9);
        let of = if state.waves > 0 { format!("/{}", state.waves) } else { String::new() };
        let detail = format!("{} {waves_done}{of}, {} positions/s", self.step, super::numbers::rate(rate));
        let (waves, positions) = (state.waves, state.positions);
        drop(state);
        // Positions measure the work better than waves do, but those of earlier runs are not counted.
        if positions_filled > 0 && waves_done < waves && positions > 0 {
            self.at(positions_filled.min(positions), positions, &detail);
        } else {
            self.at(waves_done, waves, &detail);
        }
    }

    fn checkpoint(&self, waves_done: u64) {
        if self.log.verbose {
            self.say(&format!("{}: checkpoint after {} {waves_done}", self.title, self.step));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    use super::*;

    #[test]
    fn a_log_gets_whole_lines_without_carriage_returns() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let progress = ProgressReport::new("minnie", true, Log::append_to(&path).unwrap());
        progress.begin(100, 1000, 7);
        // A minute has passed.
        progress.state().last_line -= BETWEEN_LINES;
        progress.wave(50, 500);
        progress.wave(51, 510);
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2, "{text}");
        assert!(lines[0].contains("resumes after wave 7 of 100"));
        assert!(lines[1].contains("minnie: 50.0% (wave 50/100") && lines[1].contains("of memory"));
        assert!(!text.contains('\r'));
    }

    #[test]
    fn the_step_of_a_proof_is_told_once_a_minute() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let progress = ProgressReport::new("prove mine", true, Log::append_to(&path).unwrap()).of_steps();
        progress.doing("a table");
        progress.state().last_line -= BETWEEN_LINES;
        progress.doing("a guess");
        progress.doing("another guess");
        assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 1);
        assert!(std::fs::read_to_string(&path).unwrap().contains("prove mine: a guess"));
    }

    #[test]
    fn the_watcher_ends_with_work_that_panics() {
        let progress = ProgressReport::new("verify", true, Log::default());
        let looks = AtomicU64::new(0);
        let look = |_: &ProgressReport| _ = looks.fetch_add(1, Relaxed);
        let work = || {
            while looks.load(Relaxed) < 2 {
                std::thread::yield_now();
            }
            panic!("a checker is wrong");
        };
        let ended = catch_unwind(AssertUnwindSafe(|| progress.watch(look, work)));
        assert!(ended.is_err());
        assert_eq!(progress.watch(look, || 7), 7);
    }

    #[test]
    fn what_is_left_is_told_from_the_share_done() {
        assert_eq!(remaining(Duration::from_secs(60), 0.25), ", about 3m left");
        assert_eq!(remaining(Duration::from_secs(60), 0.0), "");
        assert_eq!(remaining(Duration::from_secs(60), 1.0), "");
    }
}
