//! Running a sequence until its period is proved.

use std::time::{Duration, Instant};

use crate::base::{Control, Error, Result};
use crate::rules::OctalGame;
use crate::sweep::kernel::octal::{Engine, EngineOptions, SplitReport};
use crate::sweep::pace::Steps;

/// A search for the period of an octal game.
#[derive(Debug, Clone)]
pub struct PeriodSearch {
    /// The game.
    pub game: OctalGame,
    /// Give up after this many terms.
    pub most_terms: u64,
    /// Give up after this time.
    pub most_time: Option<Duration>,
    /// How the engine works.
    pub engine: EngineOptions,
}

/// The values at the end of a search.
#[derive(Debug, Clone)]
pub struct PeriodRun {
    /// All values computed.
    pub values: Vec<u16>,
    /// The split in use at the end.
    pub split: Option<SplitReport>,
    /// Seconds it took.
    pub seconds: f64,
}

impl PeriodSearch {
    /// Doubles the sequence until `proved` says so after a doubling, or a limit is reached.
    pub fn run(&self, control: &Control<'_>, proved: &mut dyn FnMut(&[u16]) -> bool) -> Result<PeriodRun> {
        let started = Instant::now();
        let most = usize::try_from(self.most_terms).unwrap_or(usize::MAX);
        let mut engine = Engine::new(&self.game, self.engine);
        let mut values: Vec<u16> = Vec::new();
        let out_of_time = || self.most_time.is_some_and(|most| started.elapsed() >= most);
        control.observer.begin(most as u64, most as u64, 0);
        let mut goal = most.min((4 * self.game.last_index()).max(256));
        let mut steps = Steps::of(&self.game);
        loop {
            while values.len() < goal && !out_of_time() {
                if control.stopped() {
                    return Err(Error::Interrupted { done: values.len() as u64, total: most as u64 });
                }
                let known = values.len();
                let to = goal.min(known + steps.begin());
                values.resize(to, 0);
                engine.extend(&mut values, known)?;
                steps.end(to - known);
                control.observer.wave(to as u64, to as u64);
            }
            if proved(&values) || values.len() >= most || out_of_time() {
                break;
            }
            goal = most.min(2 * goal);
        }
        Ok(PeriodRun { values, split: engine.split(), seconds: started.elapsed().as_secs_f64() })
    }
}
