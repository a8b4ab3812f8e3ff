//! The independent check of a table. Nothing here uses `sweep` or its kernels: only the rules, the numbering
//! and the file.
//!
//! On a finite game without cycles the assignment is unique: if every P-position of the table has no P option
//! and every N-position has one (or every value is the mex of its options' values), then by induction on the
//! length of play the table is right. So a local check of every entry *is* a proof, given the rules.

mod cookie;
mod entries;
mod general;
mod heap_check;
mod heaps;
mod minnie_slabs;
mod minnie_values;
mod octal;
mod one_by_one;
mod outcome_rows;
mod sample;
mod together;

pub use entries::HeapEntries;

use std::time::Instant;

use crate::base::{Control, Error, Result};
use crate::game::Kind;
use crate::table::{Entries, Positions, Reader, Verification, now};

/// How much of a table to check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The checksums of the file only.
    Checksums,
    /// The checksums, and this many entries taken at random.
    Sample(u64),
    /// The checksums, and every entry.
    Full,
}

impl Mode {
    /// How many of `len` entries it looks at, however many were asked for.
    pub fn entries(self, len: u64) -> u64 {
        match self {
            Self::Sample(count) => count.min(len),
            Self::Checksums | Self::Full => len,
        }
    }
}

/// The share of a verification that one of several processes does: units of work are dealt in turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// The number of this process, from 0.
    pub rank: usize,
    /// The number of processes.
    pub ranks: usize,
}

impl Share {
    /// All the work.
    pub const ALL: Self = Self { rank: 0, ranks: 1 };

    fn has(self, unit: u64) -> bool {
        unit % self.ranks as u64 == self.rank as u64
    }
}

/// An entry that is wrong, in words.
type Failure = String;

/// Checks the entries of one kind of table.
trait Checker: Sync {
    /// Checks every entry; says how, and the first entry found wrong.
    fn full(&self, control: &Control<'_>, share: Share) -> (&'static str, Option<Failure>);

    /// Checks `count` entries taken at random.
    fn sample(&self, count: u64, control: &Control<'_>, share: Share) -> (&'static str, Option<Failure>);
}

/// The checker of the table's game.
fn checker(reader: &Reader) -> Result<Box<dyn Checker + '_>> {
    let (game, positions) = reader.contents()?;
    Ok(match (game.kind(), positions) {
        (Kind::Heaps(heaps), Positions::Heaps(space)) => {
            let rules = heaps.rules(space.max())?;
            let entries = HeapEntries::of(reader, &space)?;
            Box::new(heaps::Heaps {
                entries,
                rules,
                play: game.play(),
                family: heaps.family,
                space,
                game: heaps.clone(),
                finished: reader.finished(),
            })
        }
        (Kind::Octal(game), _) => {
            Box::new(octal::Sequence { entries: reader.entries()?, game: game.clone() })
        }
        (Kind::Cookie(rules), Positions::Grid(grid)) => {
            let (entries, finished) = (reader.entries()?, reader.finished());
            Box::new(cookie::Boards { entries, grid, rules: *rules, finished })
        }
        _ => unreachable!("the positions are those of the game"),
    })
}

/// Checks the table and returns the verdict; a damaged file is an error, a wrong entry is a failed verdict.
pub fn verify(reader: &Reader, mode: Mode, control: &Control<'_>) -> Result<Verification> {
    let started = Instant::now();
    reader.check_all(true)?;
    let verification = verify_share(reader, mode, control, Share::ALL)?;
    Ok(Verification { seconds: started.elapsed().as_secs_f64(), ..verification })
}

/// A share of the check of a table whose checksums are right. The verdict counts all entries: it is that of
/// the table when all shares have passed.
pub fn verify_share(
    reader: &Reader,
    mode: Mode,
    control: &Control<'_>,
    share: Share,
) -> Result<Verification> {
    let started = Instant::now();
    let (there, whole) =
        reader.finished().map_or((reader.len(), reader.len()), |finished| (finished.entries, finished.of));
    let entries = mode.entries(there);
    let (kind, (method, failure)) = match mode {
        Mode::Checksums if reader.finished().is_some() => {
            ("checksums", ("the hash of the last checkpoint", None))
        }
        Mode::Checksums => ("checksums", ("xxh3 of every block and BLAKE3 of the file", None)),
        // Not more than there are: progress and time are those of the entries that are looked at.
        Mode::Sample(_) => ("sample", checker(reader)?.sample(entries, control, share)),
        // A verdict on a part is not one on the table, whoever reads it.
        Mode::Full if reader.finished().is_some() => ("finished", checker(reader)?.full(control, share)),
        Mode::Full => ("full", checker(reader)?.full(control, share)),
    };
    if control.stopped() {
        return Err(Error::Interrupted { done: 0, total: 1 });
    }
    Ok(Verification {
        kind: kind.into(),
        method: method.into(),
        entries,
        coverage: if mode == Mode::Checksums { 0.0 } else { entries as f64 / whole.max(1) as f64 },
        verdict: if failure.is_none() { "passed" } else { "failed" }.into(),
        failure,
        blake3: reader.manifest().checksums.as_ref().map(|sums| sums.blake3.clone()),
        program_version: env!("CARGO_PKG_VERSION").into(),
        seconds: started.elapsed().as_secs_f64(),
        date: now(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: a sample larger than the table showed the time of entries that there are not.
    #[test]
    fn a_sample_above_the_size_of_a_table_is_the_table() {
        assert_eq!(
            [Mode::Sample(7), Mode::Sample(1 << 60), Mode::Full].map(|mode| mode.entries(10)),
            [7, 10, 10]
        );
    }
}
