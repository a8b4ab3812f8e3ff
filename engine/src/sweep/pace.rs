//! The pace of long runs: when a checkpoint is due, and how much to do before looking up again.

use std::time::{Duration, Instant};

use crate::base::{Control, Result};
use crate::rules::OctalGame;

/// When the next checkpoint is due: after the time that the caller chose, or later where checkpoints are
/// slow, so that they take at most a twentieth of the time.
pub struct Checkpoints<'a> {
    control: &'a Control<'a>,
    due: Instant,
}

impl<'a> Checkpoints<'a> {
    /// The checkpoints of a run that begins now.
    pub fn new(control: &'a Control<'a>) -> Self {
        Self { control, due: Instant::now() + control.checkpoint_every }
    }

    /// Whether it is time for one.
    pub fn is_due(&self) -> bool {
        Instant::now() >= self.due
    }

    /// Makes a checkpoint of `done` waves by `write`, and tells the observer.
    pub fn make(&mut self, done: u64, write: impl FnOnce() -> Result<()>) -> Result<()> {
        let begun = Instant::now();
        write()?;
        self.control.observer.checkpoint(done);
        self.due = Instant::now() + self.control.checkpoint_every.max(begun.elapsed() * 19);
        Ok(())
    }
}

/// Steps of about a quarter of a second, so that a stop is obeyed soon.
pub struct Steps {
    least: usize,
    size: usize,
    begun: Instant,
}

impl Steps {
    const WANTED: Duration = Duration::from_millis(250);

    /// Steps of a sequence: of whole blocks for the engine of octal games; of few terms for other codes, each
    /// of whose terms may take milliseconds.
    pub fn of(game: &OctalGame) -> Self {
        let (least, size) = if game.is_octal() { (1 << 10, 1 << 14) } else { (1 << 4, 1 << 6) };
        Self { least, size, begun: Instant::now() }
    }

    /// Begins a step; returns the number of terms that it should have at most.
    pub fn begin(&mut self) -> usize {
        self.begun = Instant::now();
        self.size
    }

    /// Ends a step of `done` terms: the size of the next follows from the time that they took.
    pub fn end(&mut self, done: usize) {
        let wanted = done as f64 * Self::WANTED.as_secs_f64() / self.begun.elapsed().as_secs_f64().max(1e-4);
        self.size = (wanted as usize).clamp(self.size / 2, self.size * 2).clamp(self.least, 1 << 24);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_checkpoints_are_made_less_often() {
        let control = Control { checkpoint_every: Duration::ZERO, ..Control::silent() };
        let mut checkpoints = Checkpoints::new(&control);
        assert!(checkpoints.is_due());
        let slow = || {
            std::thread::sleep(Duration::from_millis(50));
            Ok(())
        };
        checkpoints.make(1, slow).unwrap();
        assert!(!checkpoints.is_due());
        assert!(checkpoints.due >= Instant::now() + Duration::from_millis(500));
    }

    #[test]
    fn steps_at_most_double_or_halve() {
        let mut steps = Steps::of(&"0.6".parse().unwrap());
        assert_eq!(steps.begin(), 1 << 14);
        steps.end(1 << 14);
        assert_eq!(steps.begin(), 1 << 15);
        steps.begun -= Duration::from_secs(10);
        steps.end(1 << 15);
        assert_eq!(steps.begin(), 1 << 14);
    }

    /// `period octal 0.E --time 2s` took eight seconds: its steps were never below 1024 terms, and a short one
    /// before a goal was taken for a fast one.
    #[test]
    fn a_step_follows_what_was_done_not_what_was_allowed() {
        let mut steps = Steps::of(&OctalGame::read("0.E").unwrap());
        assert_eq!(steps.begin(), 1 << 6);
        // As many terms as a quarter of what was allowed, in the time of a whole step.
        steps.begun -= Steps::WANTED;
        steps.end(1 << 4);
        assert_eq!(steps.begin(), 1 << 5);
        steps.begun -= Duration::from_secs(10);
        steps.end(1 << 5);
        assert_eq!(steps.begin(), 1 << 4);
    }
}
