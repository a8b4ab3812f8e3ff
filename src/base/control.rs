//! What a caller decides about a run, and what it is told.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Is told how a sweep gets on.
pub trait Observer: Sync {
    /// Called once, when a run begins, with the waves and positions in all and the waves done by earlier runs.
    fn begin(&self, waves: u64, positions: u64, waves_done: u64);
    /// Called after each wave, with the waves done and the positions filled by this run.
    fn wave(&self, waves_done: u64, positions_filled: u64);
    /// Called after each checkpoint.
    fn checkpoint(&self, waves_done: u64);
}

/// An observer that says nothing.
#[derive(Debug, Clone, Copy)]
pub struct Silent;

impl Observer for Silent {
    fn begin(&self, _: u64, _: u64, _: u64) {}
    fn wave(&self, _: u64, _: u64) {}
    fn checkpoint(&self, _: u64) {}
}

/// What a caller decides about a run.
pub struct Control<'a> {
    /// Set from outside to stop: running blocks are finished, finished waves are kept.
    pub stop: &'a AtomicBool,
    /// Is told how the run gets on.
    pub observer: &'a dyn Observer,
    /// The time between two checkpoints; it is stretched so that checkpoints take at most a twentieth of the time.
    pub checkpoint_every: Duration,
}

static NEVER: AtomicBool = AtomicBool::new(false);

impl Control<'static> {
    /// Runs to the end without a word.
    pub fn silent() -> Self {
        Self { stop: &NEVER, observer: &Silent, checkpoint_every: Duration::from_secs(60) }
    }
}
