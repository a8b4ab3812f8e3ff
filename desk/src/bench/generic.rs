//! The generic kernel: options a second, with one thread.
//!
//! The rate counts options, as the rules visit them, since the games differ in how many a position has.

use super::{Measurement, Settings, measurement};
use crate::base::Result;
use crate::game::{Game, Parameters};
use crate::space::Space;
use crate::sweep::{HeapJob, KernelChoice};
use crate::table::Quantity;

/// Options a second that every heap game should reach.
const WANTED: f64 = 2e7;

/// Wynnie in which the same number may be taken from two heaps.
pub fn wynnie(settings: &Settings) -> Result<Measurement> {
    options("wynnie", settings, Quantity::Values)
}

/// Wynnie again, where one bit is kept.
pub fn wynnie_outcomes(settings: &Settings) -> Result<Measurement> {
    options("wynnie", settings, Quantity::Outcomes)
}

/// Minnie without equal heaps.
pub fn mine(settings: &Settings) -> Result<Measurement> {
    options("mine", settings, Quantity::Values)
}

/// Nim and diagonals.
pub fn wythoff(settings: &Settings) -> Result<Measurement> {
    options("wythoff", settings, Quantity::Values)
}

/// Nim, where most moves are kept.
pub fn jennifer(settings: &Settings) -> Result<Measurement> {
    options("jennifer", settings, Quantity::Values)
}

/// Few options a position.
pub fn susen(settings: &Settings) -> Result<Measurement> {
    options("susen", settings, Quantity::Values)
}

/// Nim, where most moves are dropped.
pub fn greedy_nim(settings: &Settings) -> Result<Measurement> {
    options("greedy-nim", settings, Quantity::Values)
}

/// Nim, where nearly all moves are dropped.
pub fn nimtb(settings: &Settings) -> Result<Measurement> {
    options("nimtb", settings, Quantity::Values)
}

/// Minnie as a person writes it.
pub fn written_minnie(settings: &Settings) -> Result<Measurement> {
    written("minnie", "take s from one heap where s <= min", settings)
}

/// Wynnie as a person writes it.
pub fn written_wynnie(settings: &Settings) -> Result<Measurement> {
    written("wynnie", "take s from one or two heaps where s <= min", settings)
}

/// Susen as a person writes it.
pub fn written_susen(settings: &Settings) -> Result<Measurement> {
    written("susen", "take s from one heap where s in heaps", settings)
}

/// Nimb as a person writes it: here every candidate is checked.
pub fn written_nimb(settings: &Settings) -> Result<Measurement> {
    written("nimb", "take s from one heap where min changes", settings)
}

/// The written rule beside the compiled one of the same game: the same positions, the same kernel.
fn written(game: &str, text: &str, settings: &Settings) -> Result<Measurement> {
    let max = if settings.quick { 60 } else { 120 };
    let seconds = |game: &Game| {
        let job = HeapJob::new(game, 3, max, Quantity::Values)?;
        super::minnie::fastest(&HeapJob { kernel: KernelChoice::Generic, ..job }, 1, 3)
    };
    let (compiled, _) = seconds(&Game::named(game)?)?;
    let (written, table) = seconds(&Game::written(text, &Parameters::new())?)?;
    let (positions, width) = (table.spec().entries, table.manifest().width);
    let what = format!("positions of {game} as a rule, 3 heaps to {max}, values, generic kernel");
    let done =
        measurement(&format!("rule-{game}-values"), what, 1, positions, width.file_bytes(positions), written);
    Ok(done.over("the compiled rules", positions as f64 / compiled, Some(0.5)))
}

fn options(game: &str, settings: &Settings, quantity: Quantity) -> Result<Measurement> {
    let max = if settings.quick { 60 } else { 120 };
    let mut job = HeapJob::new(&Game::named(game)?, 3, max, quantity)?;
    if quantity == Quantity::Values {
        job.kernel = KernelChoice::Generic;
    }
    let (seconds, table) = super::minnie::fastest(&job, 1, 3)?;
    let space = job.space()?;
    let (mut visited, mut position) = (0u64, Vec::new());
    for index in 0..space.len() {
        space.unrank_into(index, &mut position);
        job.rules.options(&position, &mut |_| visited += 1);
    }
    let kind = match quantity {
        Quantity::Values => "values",
        Quantity::Outcomes => "outcomes",
    };
    let what = format!("options of {game}, 3 heaps to {max}, {kind}, generic kernel");
    let bytes = table.manifest().width.file_bytes(table.spec().entries);
    let done = measurement(&format!("generic-{game}-{kind}"), what, 1, visited, bytes, seconds);
    Ok(done.over("2e7 options a second", WANTED, Some(1.0)))
}
