//! A row or a matrix of a game, or a piece of a nim-sequence, computed in memory for the occasion.

use crate::base::numbers::grouped;
use crate::base::{Control, Error, Result, machine};
use crate::game::{Game, Kind};
use crate::space::Space;
use crate::sweep::{HeapJob, Job, OctalJob};
use crate::table::{Quantity, Table};

use super::heaps::HeapData;
use super::octal::OctalData;
use super::{Choice, Dataset, Window};

/// Without a deadline, what is estimated to take longer is refused.
const MOST_SECONDS: f64 = 60.0;

/// The bytes that a cell takes while it is laid out.
const CELL_BYTES: u64 = 16;

/// The entries of `game` in `window`: of an octal game the terms, of a game on heaps the row or the matrix of
/// `choice`. Everything smaller is computed too, in memory and within the limits of `control`; `limit` is the
/// memory that was allowed, if it was.
pub fn computed(
    game: &Game,
    choice: Choice,
    window: Window,
    quantity: Quantity,
    limit: Option<u64>,
    control: &Control<'_>,
) -> Result<Box<dyn Dataset>> {
    let last = window.to.ok_or_else(|| Error::Usage("give the last heap with --to".into()))?;
    let free = choice.slice().map_or(1, |(free, _)| free as u32);
    let side = last.saturating_sub(window.from).saturating_add(1);
    let cells = side.checked_pow(free).unwrap_or(u64::MAX);
    let remedy = format!("{} cells are many: choose a smaller range with --from and --to", grouped(cells));
    machine::check_memory(cells.saturating_mul(CELL_BYTES), limit, &remedy)?;
    let outcomes = quantity.is_outcomes();
    match game.kind() {
        Kind::Octal(octal) => {
            let job = OctalJob::new(octal.clone(), last.saturating_add(1));
            let table = filled(&job, limit, control)?;
            let value = move |n| Ok(table.cells().get(n));
            Ok(Box::new(OctalData::new(game, window.within(last)?, outcomes, value)))
        }
        Kind::Heaps(_) => heaps(game, choice, window, last, quantity, limit, control),
        Kind::Cookie(_) => Err(game.entry().not_on_heaps()),
    }
}

fn heaps(
    game: &Game,
    choice: Choice,
    window: Window,
    last: u64,
    quantity: Quantity,
    limit: Option<u64>,
    control: &Control<'_>,
) -> Result<Box<dyn Dataset>> {
    let Some((free, fixed)) = choice.slice() else {
        return Err(Error::Usage("choose a row or a matrix".into()));
    };
    let count = fixed.len() + free;
    let last = u32::try_from(last).map_err(|_| Error::Usage(format!("--to {last}: heaps are below 2^32")))?;
    let largest = fixed.iter().copied().max().unwrap_or(0).max(last);
    // Where heaps do not interact, those of single heaps say everything.
    let sum = game.on_heaps()?.is_written_sum(game.play());
    let (heaps, stored) = if sum { (1, Quantity::Values) } else { (count, quantity) };
    let job = HeapJob::new(game, heaps, largest, stored)?.kept_within(limit, false)?;
    let space = job.space()?;
    let table = filled(&job, limit, control)?;
    let outcomes = quantity.is_outcomes();
    let entry = move |heaps: &[u32]| -> Result<Option<u16>> {
        let cells = table.cells();
        if !sum {
            return Ok(Some(cells.get(space.rank(heaps))));
        }
        let value = heaps.iter().fold(0, |sum, &heap| sum ^ cells.get(heap.into()));
        Ok(Some(if outcomes { u16::from(value == 0) } else { value }))
    };
    let size = (count, job.max);
    Ok(Box::new(HeapData::slice(game.clone(), size, outcomes, choice, window, Box::new(entry))?))
}

/// The table of `job` in memory.
fn filled(job: &dyn Job, limit: Option<u64>, control: &Control<'_>) -> Result<Table> {
    let bytes = job.file_bytes()?.saturating_add(job.memory());
    machine::check_memory(
        bytes,
        limit,
        "choose smaller heaps, or fill a table with solve --out DIR and use export",
    )?;
    let most = control.remaining().map_or(MOST_SECONDS, |left| left.as_secs_f64());
    if let Some(seconds) = job.estimate_seconds()?.filter(|&seconds| seconds > most) {
        return Err(Error::Budget(format!(
            "this is estimated to take {seconds:.0} s, and {most:.0} s are allowed; choose smaller heaps, allow more --time, or fill a table with solve --out DIR and use export"
        )));
    }
    crate::sweep::solve(job, None, control).map_err(|error| match error {
        Error::Interrupted { .. } if !control.is_interrupted() => Error::Undecided(
            "this was not finished within --time; allow more, or choose smaller heaps".into(),
        ),
        error => error,
    })
}
