//! The independent check of a table. Nothing here uses `sweep` or its kernels: only the rules, the numbering and the file.
//!
//! On a finite game without cycles the assignment is unique: if every P-position of the table has no P option and every
//! N-position has one (or every value is the mex of its options' values), then by induction on the length of play the
//! table is right. So a local check of every entry *is* a proof, given the rules.

mod cookie;
mod entries;
mod heap_check;
mod minnie_outcomes;
mod minnie_values;
mod octal;
mod one_by_one;
mod sample;

pub use cookie::cookie_game;
pub use entries::{Entries, HeapEntries};

use self::heap_check::HeapCheck;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use serde_json::Value;

use crate::base::{Error, Result};
use crate::rules::{self, HeapRules};
use crate::space::{SortedHeaps, Space};
use crate::table::{Quantity, Reader, Spec, Verification, now};

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

/// Lets a caller stop a verification and see how it gets on.
#[derive(Debug)]
pub struct Watch<'a> {
    /// Set from outside to stop.
    pub stop: &'a AtomicBool,
    /// Entries checked so far.
    pub checked: AtomicU64,
}

impl Watch<'_> {
    fn stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    fn add(&self, entries: u64) {
        self.checked.fetch_add(entries, Relaxed);
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

/// Checks the table and returns the verdict; a damaged file is an error, a wrong entry is a failed verdict.
pub fn verify(reader: &Reader, mode: Mode, watch: &Watch<'_>) -> Result<Verification> {
    let started = Instant::now();
    reader.check_all(true)?;
    let verification = verify_share(reader, mode, watch, Share::ALL)?;
    Ok(Verification { seconds: started.elapsed().as_secs_f64(), ..verification })
}

/// A share of the check of a table whose checksums are right. The verdict counts all entries: it is that of the table when
/// all shares have passed.
pub fn verify_share(reader: &Reader, mode: Mode, watch: &Watch<'_>, share: Share) -> Result<Verification> {
    let started = Instant::now();
    let spec = reader.spec();
    let (kind, method, entries, failure) = match mode {
        Mode::Checksums => ("checksums", "xxh3 of every block and BLAKE3 of the file", spec.entries, None),
        Mode::Sample(count) if spec.game == "cookie" => {
            let (grid, cutter) = cookie_game(reader)?;
            let failure = cookie::sample(&Entries::of(reader)?, &grid, cutter, count, watch);
            ("sample", "checksums; entries at random against the rules", count.min(spec.entries), failure)
        }
        Mode::Full if spec.game == "cookie" => {
            let (grid, cutter) = cookie_game(reader)?;
            let failure = cookie::all(&Entries::of(reader)?, &grid, cutter, watch);
            ("full", "checksums; every value is the mex of its options' values", spec.entries, failure)
        }
        Mode::Sample(count) if spec.game == "octal" => {
            let failure = octal::sample(&Entries::of(reader)?, &octal_game(reader)?, count, watch);
            (
                "sample",
                "checksums; heaps over the whole range by the definition",
                count.min(spec.entries),
                failure,
            )
        }
        Mode::Full if spec.game == "octal" => {
            let failure = octal::all(&Entries::of(reader)?, &octal_game(reader)?, watch);
            let method = "checksums; every value: no option has it, every smaller value is an option's";
            ("full", method, spec.entries, failure)
        }
        Mode::Sample(count) => {
            let (rules, space) = heap_game(reader)?;
            let check = HeapCheck::new(
                HeapEntries::of(reader, &space)?,
                &*rules,
                play_of(spec),
                &space,
                watch,
                share,
            );
            one_by_one::sample(&check, count);
            let method = "checksums; entries at random against the rules";
            ("sample", method, count.min(spec.entries), check.failure())
        }
        Mode::Full => {
            let (rules, space) = heap_game(reader)?;
            let check = HeapCheck::new(
                HeapEntries::of(reader, &space)?,
                &*rules,
                play_of(spec),
                &space,
                watch,
                share,
            );
            let method = match (spec.game.as_str(), spec.quantity) {
                ("minnie", Quantity::Outcomes) if space.heaps() > 1 => {
                    minnie_outcomes::check(&check);
                    "checksums; every entry against all its options, whole rows at a time"
                }
                ("minnie", Quantity::Values) if space.heaps() > 1 => {
                    minnie_values::check(&check);
                    "checksums; every value is the mex of its options' values, whole rows at a time"
                }
                _ => {
                    one_by_one::all(&check);
                    "checksums; every entry against the rules, one by one"
                }
            };
            ("full", method, spec.entries, check.failure())
        }
    };
    if watch.stopped() {
        return Err(Error::Interrupted { done: 0, total: 1 });
    }
    Ok(Verification {
        kind: kind.into(),
        method: method.into(),
        entries,
        coverage: if mode == Mode::Checksums { 0.0 } else { entries as f64 / spec.entries.max(1) as f64 },
        verdict: if failure.is_none() { "passed" } else { "failed" }.into(),
        failure,
        program_version: env!("CARGO_PKG_VERSION").into(),
        seconds: started.elapsed().as_secs_f64(),
        date: now(),
    })
}

/// The octal game of a nim-sequence.
pub fn octal_game(reader: &Reader) -> Result<rules::OctalGame> {
    let spec = reader.spec();
    let code = spec.parameters.get("code").and_then(Value::as_str);
    let game = code.and_then(|code| code.parse().ok());
    match game {
        Some(game)
            if spec.game == "octal" && spec.index.scheme == "heap" && !reader.manifest().width.is_bit() =>
        {
            Ok(game)
        }
        _ => Err(Error::Mismatch {
            path: reader.folder().to_path_buf(),
            problem: "is not the nim-sequence of an octal game".into(),
            remedy: "give a folder that `solve octal` made".into(),
        }),
    }
}

/// The rules and the space that a manifest names, which must fit the table.
pub fn heap_game(reader: &Reader) -> Result<(std::sync::Arc<HeapRules>, SortedHeaps)> {
    let spec = reader.spec();
    let foreign = |problem: String| Error::Mismatch {
        path: reader.folder().to_path_buf(),
        problem,
        remedy: "use the program version that made the table".into(),
    };
    let number = |name: &str| spec.parameters.get(name).and_then(Value::as_u64);
    if ["octal", "cookie"].contains(&spec.game.as_str()) {
        return Err(Error::Mismatch {
            path: reader.folder().to_path_buf(),
            problem: format!("holds values of {}, which are not those of heaps", spec.game),
            remedy: "give a table of a heap game, as minnie".into(),
        });
    }
    let rules = crate::game::heap_rules(&spec.game, &spec.parameters).ok();
    let rules = rules.ok_or_else(|| foreign(format!("the game {:?} is not known", spec.game)))?;
    let space = size_of(spec).and_then(|(heaps, max)| SortedHeaps::new(heaps, max).ok());
    match space {
        Some(space) if space.len() == spec.entries && spec.index.scheme == "sorted-heaps" => {
            Ok((rules, space))
        }
        _ => Err(foreign(format!(
            "its size does not fit its parameters (heaps {:?}, max {:?}, {} entries)",
            number("heaps"),
            number("max"),
            spec.entries
        ))),
    }
}

/// Normal or misère play, as a manifest says.
pub fn play_of(spec: &Spec) -> rules::Play {
    rules::Play::from_misere(spec.parameters.get("misere") == Some(&Value::Bool(true)))
}

fn size_of(spec: &Spec) -> Option<(usize, u32)> {
    let number = |name: &str| spec.parameters.get(name).and_then(Value::as_u64);
    Some((usize::try_from(number("heaps")?).ok()?, u32::try_from(number("max")?).ok()?))
}
