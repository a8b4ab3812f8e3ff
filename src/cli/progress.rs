//! Progress: a bar on a terminal, otherwise one plain line a minute.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::sweep::Observer;

/// Shows how a sweep gets on.
#[derive(Debug)]
pub struct ProgressReport {
    title: String,
    bar: ProgressBar,
    /// For plain lines: when the last one was printed. `None` where lines are not wanted.
    lines: Option<Mutex<Instant>>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    started: Instant,
    waves: u64,
    positions: u64,
}

const BETWEEN_LINES: Duration = Duration::from_secs(60);

impl ProgressReport {
    /// A report with a title; nothing is printed where `quiet`.
    pub fn new(title: &str, quiet: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if terminal && !quiet {
            bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(8));
        }
        let style = ProgressStyle::with_template("{msg} {bar:32} {percent:>3}% {prefix} ETA {eta}")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style);
        bar.set_message(title.to_string());
        let lines = (!terminal && !quiet).then(|| Mutex::new(Instant::now()));
        let state = Mutex::new(State { started: Instant::now(), waves: 0, positions: 0 });
        Self { title: title.into(), bar, lines, state }
    }

    /// Says that `done` of `total` units of work are done; `detail` is shown beside the bar.
    pub fn at(&self, done: u64, total: u64, detail: &str) {
        self.bar.set_length(total);
        self.bar.set_position(done);
        self.bar.set_prefix(detail.to_string());
        if let Some(lines) = &self.lines {
            let mut last = lines.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            if last.elapsed() >= BETWEEN_LINES {
                *last = Instant::now();
                let percent = if total == 0 { 100.0 } else { 100.0 * done as f64 / total as f64 };
                eprintln!("{}: {percent:.1}% ({detail})", self.title);
            }
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Drop for ProgressReport {
    fn drop(&mut self) {
        self.finish();
    }
}

impl Observer for ProgressReport {
    fn begin(&self, waves: u64, positions: u64, waves_done: u64) {
        let mut state = self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        *state = State { started: Instant::now(), waves, positions };
        drop(state);
        if waves_done > 0 && (self.lines.is_some() || !self.bar.is_hidden()) {
            self.bar.suspend(|| eprintln!("{}: going on after wave {waves_done} of {waves}", self.title));
        }
    }

    fn wave(&self, waves_done: u64, positions_filled: u64) {
        let state = self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let rate = positions_filled as f64 / state.started.elapsed().as_secs_f64().max(1e-9);
        let detail = format!("wave {waves_done}/{}, {} positions/s", state.waves, super::numbers::rate(rate));
        // Positions measure the work better than waves do, but those of earlier runs are not counted.
        if positions_filled > 0 && waves_done < state.waves && state.positions > 0 {
            self.at(positions_filled.min(state.positions), state.positions, &detail);
        } else {
            self.at(waves_done, state.waves, &detail);
        }
    }

    fn checkpoint(&self, waves_done: u64) {
        tracing::info!("checkpoint after wave {waves_done}");
    }
}
