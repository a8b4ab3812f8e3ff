//! Sequences that grow from round to round.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::base::{Control, Result};
use crate::rules::OctalGame;
use crate::sweep::kernel::octal::{Engine, EngineOptions};
use crate::sweep::pace::Steps;

/// A nim-sequence and the engine that knows how to go on.
pub struct Growth {
    pub engine: Engine,
    pub values: Vec<u16>,
    /// Seconds that it took so far.
    pub seconds: f64,
    steps: Steps,
}

impl Growth {
    /// A sequence without a term.
    pub fn new(game: &OctalGame) -> Self {
        // One thread: the games are what runs side by side.
        let engine = Engine::new(game, EngineOptions::default());
        Self { engine, values: Vec::new(), seconds: 0.0, steps: Steps::of(game) }
    }

    /// Grows to `goal` terms; false if it was stopped before.
    pub fn to(&mut self, goal: usize, control: &Control<'_>) -> Result<bool> {
        let begun = Instant::now();
        self.values.reserve_exact(goal.saturating_sub(self.values.len()));
        while self.values.len() < goal && !control.stopped() {
            let known = self.values.len();
            self.values.resize(goal.min(known + self.steps.begin()), 0);
            self.engine.extend(&mut self.values, known)?;
            self.steps.end(self.values.len() - known);
        }
        self.seconds += begun.elapsed().as_secs_f64();
        Ok(self.values.len() >= goal)
    }

    /// About the bytes that it takes.
    fn bytes(&self) -> u64 {
        // The engine has its own form of the sequence, two bytes a heap forward and two backward with some room.
        8 * self.values.capacity() as u64 + (1 << 20)
    }
}

/// The sequences that are kept between two rounds, as far as the memory allows; the others are made again.
///
/// Nothing of them is written: a sequence that is made again takes as long as all its rounds before, so that a
/// survey that is stopped and resumed loses at most as much time as it has taken, and its folder stays small.
pub struct Kept {
    most_bytes: u64,
    kept: Mutex<HashMap<usize, Growth>>,
}

impl Kept {
    /// Nothing yet, and never more than this.
    pub fn new(most_bytes: u64) -> Self {
        Self { most_bytes, kept: Mutex::new(HashMap::new()) }
    }

    /// Takes the sequence of a game out.
    pub fn take(&self, game: usize) -> Option<Growth> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).remove(&game)
    }

    /// Keeps a sequence, if there is room.
    pub fn put(&self, game: usize, growth: Growth) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.values().map(Growth::bytes).sum::<u64>() + growth.bytes() <= self.most_bytes {
            kept.insert(game, growth);
        }
    }
}
