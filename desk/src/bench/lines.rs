//! The kernel of lines beside the generic one, with one thread.

use std::time::Instant;

use super::minnie::{fastest, generic_rate};
use super::{Measurement, Settings, measurement};
use crate::base::Result;
use crate::game::{Game, Parameters};
use crate::space::Space;
use crate::sweep::HeapJob;
use crate::table::{Quantity, Table};

/// Two heaps of wythoff beside the few lines that everybody writes for it: which values the row, the column and
/// the diagonal of a square have used up.
pub fn wythoff(settings: &Settings) -> Result<Measurement> {
    let max = if settings.quick { 300 } else { 1000 };
    let (job, table, done) = by_lines("wythoff", "", Game::named("wythoff")?, 2, max, 30.0)?;
    let started = Instant::now();
    let values = wythoff_values(max as usize);
    let plain = started.elapsed().as_secs_f64();
    let (space, cells, mut heaps) = (job.space()?, table.cells(), Vec::new());
    for index in 0..space.len() {
        space.unrank_into(index, &mut heaps);
        let same = values[heaps[0] as usize][heaps[1] as usize] == u32::from(cells.get(index));
        assert!(same, "the baseline finds the same value at {heaps:?}");
    }
    Ok(done.over("used-up values by row, column and diagonal, one by one", space.len() as f64 / plain, None))
}

/// Wynnie in which the same number may be taken from two heaps.
pub fn wynnie(settings: &Settings) -> Result<Measurement> {
    three_heaps("wynnie", "two", settings, 10.0)
}

/// Wynnie in which the same number may be taken from any heaps.
pub fn wynnie_any(settings: &Settings) -> Result<Measurement> {
    three_heaps("wynnie", "any", settings, 10.0)
}

/// Minnie without equal heaps.
pub fn mine(settings: &Settings) -> Result<Measurement> {
    three_heaps("mine", "", settings, 10.0)
}

/// Nim.
pub fn nim(settings: &Settings) -> Result<Measurement> {
    three_heaps("nim", "", settings, 30.0)
}

/// Nim in a largest heap.
pub fn greedy_nim(settings: &Settings) -> Result<Measurement> {
    three_heaps("greedy-nim", "", settings, 30.0)
}

fn three_heaps(game: &str, together: &str, settings: &Settings, target: f64) -> Result<Measurement> {
    let mut parameters = Parameters::new();
    if !together.is_empty() {
        parameters.insert("together".into(), together.into());
    }
    let max = if settings.quick { 80 } else { 200 };
    by_lines(game, together, Game::new(game, &parameters)?, 3, max, target).map(|(_, _, done)| done)
}

/// The values of a game beside the generic kernel, which should take at least `target` times as long.
fn by_lines(
    name: &str,
    version: &str,
    game: Game,
    heaps: usize,
    max: u32,
    target: f64,
) -> Result<(HeapJob, Table, Measurement)> {
    let job = HeapJob::new(&game, heaps, max, Quantity::Values)?;
    let (seconds, table) = fastest(&job, 1, 3)?;
    let generic = generic_rate(&job, &table)?;
    let dash = if version.is_empty() { "" } else { "-" };
    let (positions, width) = (table.spec().entries, table.manifest().width);
    let what = format!("Grundy values of {name}{dash}{version}, {heaps} heaps to {max}, by lines");
    let case = format!("lines-{name}{dash}{version}-{heaps}-heaps");
    let done = measurement(&case, what, 1, positions, width.file_bytes(positions), seconds);
    Ok((job, table, done.over("generic scalar kernel", generic, Some(target))))
}

/// The values of all pairs of heaps up to `max`, the smaller heap first.
fn wythoff_values(max: usize) -> Vec<Vec<u32>> {
    let mut values = vec![vec![0; max + 1]; max + 1];
    // A value is at most the number of options, 3 max.
    let mut line = vec![vec![false; 3 * max + 2]; max + 1];
    let mut diagonal = line.clone();
    for small in 0..=max {
        for large in small..=max {
            let used =
                |value: &usize| line[small][*value] || line[large][*value] || diagonal[large - small][*value];
            let value = (0..).find(|value| !used(value)).unwrap_or(0);
            values[small][large] = value as u32;
            line[small][value] = true;
            line[large][value] = true;
            diagonal[large - small][value] = true;
        }
    }
    values
}
