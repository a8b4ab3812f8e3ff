//! What a caller decides about a run, and what it is told.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crossbeam_utils::CachePadded;

use super::machine::human_bytes;
use super::{Error, Result};

/// Is told how a run gets on. Calls may come from several threads.
pub trait Observer: Sync {
    /// Called once, when a run begins, with the waves and positions in all and the waves done by earlier
    /// runs.
    fn begin(&self, _waves: u64, _positions: u64, _waves_done: u64) {}
    /// Called after each wave, with the waves done and the positions filled by this run.
    fn wave(&self, _waves_done: u64, _positions_filled: u64) {}
    /// Called after each checkpoint.
    fn checkpoint(&self, _waves_done: u64) {}
    /// Called now and then by searches and checks, with the positions, entries or graphs done since the last
    /// call.
    fn worked(&self, _more: u64) {}
    /// Called with what a person may want to know before the work begins, such as how long it will take.
    fn note(&self, _text: &str) {}
    /// Called by proofs with the step that begins now.
    fn doing(&self, _text: &str) {}
}

/// An observer that says nothing.
#[derive(Debug, Clone, Copy)]
pub struct Silent;

impl Observer for Silent {}

/// An observer that counts the work of searches and checks.
#[derive(Debug, Default)]
pub struct Counter(CachePadded<AtomicU64>);

impl Counter {
    /// What is done so far.
    pub fn done(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Observer for Counter {
    fn worked(&self, more: u64) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }
}

/// What a caller decides about a run: when it stops, what it may take, and who is told how it gets on.
#[derive(Clone, Copy)]
pub struct Control<'a> {
    /// Set from outside to stop: running blocks are finished, finished waves are kept.
    pub stop: &'a AtomicBool,
    /// When to stop, if ever.
    pub deadline: Option<Instant>,
    /// The most bytes that a search may store, if there is a limit.
    pub memory: Option<u64>,
    /// Is told how the run gets on.
    pub observer: &'a dyn Observer,
    /// The time between two checkpoints; it is stretched so that checkpoints take at most a twentieth of the
    /// time.
    pub checkpoint_every: Duration,
}

static NEVER: AtomicBool = AtomicBool::new(false);

impl Control<'static> {
    /// Runs to the end without a word.
    pub fn silent() -> Self {
        Self {
            stop: &NEVER,
            deadline: None,
            memory: None,
            observer: &Silent,
            checkpoint_every: Duration::from_secs(60),
        }
    }
}

impl Default for Control<'_> {
    fn default() -> Self {
        Control::silent()
    }
}

impl std::fmt::Debug for Control<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Control")
            .field("stop", self.stop)
            .field("deadline", &self.deadline)
            .field("memory", &self.memory)
            .field("checkpoint_every", &self.checkpoint_every)
            .finish_non_exhaustive()
    }
}

impl<'a> Control<'a> {
    /// Runs until `stop` is set, without a word.
    pub fn stopped_by(stop: &'a AtomicBool) -> Self {
        Self { stop, ..Control::silent() }
    }

    /// The same, but no longer than until `deadline`.
    pub fn with_deadline(self, deadline: Option<Instant>) -> Self {
        Self { deadline: self.deadline.into_iter().chain(deadline).min(), ..self }
    }

    /// The same, but no longer than `time` from now. A time beyond the clock's range is no limit.
    pub fn with_time(self, time: Option<Duration>) -> Self {
        self.with_deadline(time.and_then(|time| Instant::now().checked_add(time)))
    }

    /// The same, with this limit to what a search may store.
    pub fn with_memory(self, bytes: u64) -> Self {
        Self { memory: Some(bytes), ..self }
    }

    /// Whether it was stopped from outside.
    pub fn is_interrupted(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether it is time to stop: the flag is set, or the deadline is over.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// The time that is left, if there is a deadline.
    pub fn remaining(&self) -> Option<Duration> {
        Some(self.deadline?.saturating_duration_since(Instant::now()))
    }

    /// Fails if it is time to stop.
    pub fn check(&self) -> Result<()> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Error::Interrupted { done: 0, total: 1 });
        }
        match self.remaining() {
            Some(Duration::ZERO) => {
                Err(Error::Undecided("there is no answer within the time; allow more".into()))
            }
            _ => Ok(()),
        }
    }

    /// Fails if a search that stores `positions` positions in `bytes` bytes takes too much.
    pub fn check_memory(&self, positions: u64, bytes: u64) -> Result<()> {
        match self.memory {
            Some(most) if bytes > most => Err(Error::Budget(format!(
                "this position leads to more than {positions} others, which is more than {} of memory can hold; ask about a smaller one, or allow more --memory",
                human_bytes(most)
            ))),
            _ => Ok(()),
        }
    }

    /// Tells the observer that so much more is done.
    pub fn worked(&self, more: u64) {
        self.observer.worked(more);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_a_deadline_and_a_lack_of_memory_stop_a_search() {
        let control = Control::silent();
        assert!(!control.stopped() && control.check().is_ok() && control.remaining().is_none());
        assert!(control.check_memory(1, u64::MAX).is_ok());
        let flag = AtomicBool::new(true);
        assert!(matches!(Control::stopped_by(&flag).check(), Err(Error::Interrupted { .. })));
        let late = control.with_time(Some(Duration::ZERO)).with_time(Some(Duration::from_secs(60)));
        assert!(late.stopped() && late.remaining() == Some(Duration::ZERO));
        assert!(matches!(late.check(), Err(Error::Undecided(_))));
        assert!(matches!(control.with_memory(99).check_memory(1, 100), Err(Error::Budget(_))));
        assert!(!control.with_time(Some(Duration::MAX)).stopped());
    }
}
