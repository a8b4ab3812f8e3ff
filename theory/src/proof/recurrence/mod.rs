//! Periods of nim-sequences with few rare heaps, proved by a state that recurs (docs/PROOFS.md, section 11).
//!
//! Guy and Smith need all values up to twice the preperiod and period, and keep them. Where only few small
//! heaps are rare, the next value is a function of a window of the last ones, as long as two conditions hold at
//! each heap n:
//!
//! - (a) the least common value that is no option follows from the rare heaps and the window: always true, by
//!   the linearity of the split, if all rare heaps are known;
//! - (b) every smaller rare value is an option, shown by a small common heap and a heap of the window (or by
//!   one heap that is left alone). Then n is common, and its value is that of (a).
//!
//! Both speak of a bounded window; when the window recurs, everything repeats, and no heap is rare any more.

mod certificate;
mod checkpoint;
mod cover;
#[cfg(target_arch = "x86_64")]
mod lanes;
mod machine;
mod past;
mod points;
#[cfg(target_arch = "x86_64")]
mod rows;
mod run;
mod stream;
#[cfg(test)]
mod tests;

use crate::base::simd::Isa;
use crate::base::{Control, Error, Result};
use crate::rules::OctalGame;
use crate::sweep::kernel::octal::{Engine, EngineOptions};
use crate::sweep::pace::Steps;

use checkpoint::State;
pub use checkpoint::kept;
use machine::{Machine, undecided};

/// A search for a state that recurs.
#[derive(Debug, Clone)]
pub struct Recurrence {
    game: OctalGame,
    isa: Isa,
    /// It gives up at this heap.
    most: u64,
}

/// A period that a recurring state proves.
#[derive(Debug, Clone)]
pub struct Recurring {
    /// The first heap from which on the sequence is periodic.
    pub preperiod: u64,
    /// The least period.
    pub period: u64,
    /// The heap before which the state was found to be that one period later.
    pub recurs_from: u64,
    /// Both conditions were checked at all heaps before this one.
    pub checked: u64,
    /// Seconds of work, those of earlier runs included.
    pub seconds: f64,
    state: State,
}

impl Recurring {
    /// The rare heaps and their values.
    pub fn rare(&self) -> &[(u32, u32)] {
        &self.state.rare
    }
}

impl Recurrence {
    /// A search for the period of `game`.
    pub fn new(game: OctalGame) -> Self {
        Self { game, isa: Isa::detect(), most: u64::MAX }
    }

    /// The same, but it gives up at this heap.
    pub fn up_to(self, most: u64) -> Self {
        Self { most, ..self }
    }

    /// The machine of the game, from its first values.
    fn machine(&self, control: &Control<'_>) -> Result<Machine> {
        let mut values = Vec::with_capacity(run::OPENING);
        let mut engine = Engine::new(&self.game, EngineOptions::default());
        let mut steps = Steps::of(&self.game);
        while values.len() < run::OPENING {
            if control.stopped() {
                return Err(Error::Interrupted { done: values.len() as u64, total: 0 });
            }
            let known = values.len();
            values.resize(run::OPENING.min(known + steps.begin()), 0);
            engine.extend(&mut values, known)?;
            steps.end(values.len() - known);
        }
        let split = engine.split().ok_or_else(|| undecided("it has no rare heaps"))?;
        Machine::new(&self.game, &split, &values)
    }
}
