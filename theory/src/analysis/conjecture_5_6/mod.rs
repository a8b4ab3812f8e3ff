//! Conjecture 5.6 (Mullen; Conjecture 1 of the minnie paper): in minnie, a position whose smallest heap has
//! more than 3 counters and whose second smallest has more than 5 is an N-position.
//!
//! With a1 >= 4 the player to move may turn a1 into 0, 1, 2 or 3. If for some a2, ..., ak one of these is a
//! P-position, then every position (a1, a2, ..., ak) with a1 >= 4 is N, with that move. So it is enough to
//! solve the positions with a1 <= 3, which are closed under moves, and to see that every place (a2, ..., ak)
//! is *covered*. The slabs of a1 = 1, 2, 3 are swept by [`lanes`], that of a1 = 0 is the table of one heap
//! less. Where a place is not covered the slabs are filled once more as a table ([`dense`]), and the
//! positions (a1, a2, ..., ak) are looked at one by one, by the rules. Nothing is assumed.

mod dense;
mod lanes;

pub use lanes::kept as kept_probe;

use std::path::Path;
use std::time::Instant;

use serde::Serialize;

use self::dense::Slabs;
use self::lanes::{ABSENT_LANES, Checkpoint, Covered, Lanes};
use crate::base::live::reporting;
use crate::base::{Control, Error, Result, Silent, machine};
use crate::rules::Play;
use crate::space::SortedHeaps;

/// The smallest heap of the conjecture's positions.
const FIRST: u32 = 4;
/// Their second smallest heap.
const SECOND: u32 = 6;

/// A test of the conjecture on exactly `heaps` heaps of at most `max` counters.
#[derive(Debug, Clone, Copy)]
pub struct Probe {
    /// The number of heaps, at least 2.
    pub heaps: usize,
    /// The largest heap.
    pub max: u32,
    /// Normal play is what the conjecture speaks of.
    pub play: Play,
}

/// What a probe found.
#[derive(Debug, Clone, Serialize)]
pub struct ProbeReport {
    /// The number of heaps.
    pub heaps: usize,
    /// The largest heap.
    pub max: u32,
    /// Positions of the conjecture whose outcome is now known.
    pub positions_settled: u64,
    /// Covers that were checked, each a row of all x.
    pub rows: u64,
    /// Places (a2, ..., ak) that no small heap covers.
    pub holes: u64,
    /// P-positions among the positions of the conjecture: the smallest ones, at most 100 of them.
    pub counterexamples: Vec<Vec<u32>>,
    /// Seconds it took.
    pub seconds: f64,
}

/// No more counterexamples than this are listed.
pub const MOST_COUNTEREXAMPLES: usize = 100;

impl Probe {
    /// The bytes that the probe needs at least.
    pub fn memory(&self) -> Result<u64> {
        match self.lanes()? {
            Some(lanes) => Ok(self.absent_memory()?.saturating_add(lanes.memory())),
            None => self.table_memory(),
        }
    }

    /// The bytes of the table by which the probe goes without lanes.
    fn table_memory(&self) -> Result<u64> {
        Slabs::memory(self.heaps, self.max, self.play, FIRST - 1)
    }

    /// The bytes of the table of one heap less.
    fn absent_memory(&self) -> Result<u64> {
        Slabs::memory(self.heaps - 1, self.max, self.play, ABSENT_LANES - 1)
    }

    /// The sweep by lanes, which needs three heaps.
    fn lanes(&self) -> Result<Option<Lanes>> {
        self.space()?;
        (self.heaps > 2).then(|| Lanes::new(self.heaps, self.max, SECOND)).transpose()
    }

    /// The bytes of outcomes that a sweep writes.
    pub fn swept_bytes(&self) -> Result<u64> {
        self.lanes()?.map_or_else(|| self.table_memory(), |lanes| Ok(lanes.swept_bytes()))
    }

    /// The number of positions that the conjecture speaks of: sorted, a1 >= 4, a2 >= 6, exactly `heaps`
    /// heaps.
    pub fn positions(&self) -> Result<u64> {
        let space = self.space()?;
        let smallest_below = u64::from(SECOND - FIRST) * space.sequences_from(self.heaps - 1, SECOND);
        Ok(smallest_below + space.sequences_from(self.heaps, SECOND))
    }

    fn space(&self) -> Result<SortedHeaps> {
        if self.heaps < 2 || self.max < SECOND {
            return Err(Error::Usage(format!(
                "{} heaps of at most {}: the conjecture speaks of at least 2 heaps and needs --max {SECOND} or more",
                self.heaps, self.max
            )));
        }
        SortedHeaps::new(self.heaps, self.max)
    }

    /// Runs the probe. With a `folder` it resumes from there, and keeps what it has done.
    pub fn run(&self, folder: Option<&Path>, control: &Control<'_>) -> Result<ProbeReport> {
        let started = Instant::now();
        let Some(lanes) = self.lanes()? else {
            return match folder {
                None => self.rows_since(started, control),
                Some(_) => Err(Error::Usage(
                    "a probe of two heaps is over at once and keeps nothing: leave out the folder".into(),
                )),
            };
        };
        let run = |checkpoint: Option<&Checkpoint>, control: &Control<'_>| match self
            .is_covered(&lanes, checkpoint, control)?
        {
            true => self.report(started, 0, Vec::new()),
            false => self.rows_since(started, control),
        };
        let Some(folder) = folder else { return run(None, control) };
        let checkpoint = Checkpoint::open(folder, self.heaps, self.max, self.play)?;
        reporting(Some(folder), checkpoint.subject(), control, |control| run(Some(&checkpoint), control))
    }

    /// Whether small heaps cover every place, by lanes.
    fn is_covered(
        &self,
        lanes: &Lanes,
        checkpoint: Option<&Checkpoint>,
        control: &Control<'_>,
    ) -> Result<bool> {
        // Its waves are not those that are reported.
        let quiet = Control { observer: &Silent, ..*control };
        let absent = Slabs::solve(self.heaps - 1, self.max, self.play, ABSENT_LANES - 1, &quiet)?;
        // What is covered has no P-position from the fourth heap on, so that all with a2 >= 6 are N.
        if !absent.holes().is_empty() {
            return Ok(false);
        }
        let limit = control.memory.or_else(machine::available_memory).unwrap_or(u64::MAX);
        let limit = limit.saturating_sub(self.absent_memory()?);
        let covered = lanes.sweep(&absent.table, limit, checkpoint, self.positions()?, control)?;
        Ok(covered == Covered::Everywhere)
    }

    /// Runs the probe on a table of all positions with a smallest heap below 4, where single positions can be
    /// looked at.
    pub fn run_by_rows(&self, control: &Control<'_>) -> Result<ProbeReport> {
        self.rows_since(Instant::now(), control)
    }

    fn rows_since(&self, started: Instant, control: &Control<'_>) -> Result<ProbeReport> {
        machine::check_memory(self.table_memory()?, control.memory, "lower --max or --heaps")?;
        let slabs = Slabs::solve(self.heaps, self.max, self.play, FIRST - 1, control)?;
        let holes = slabs.holes();
        self.report(started, holes.len() as u64, slabs.look_closer(&holes))
    }

    fn report(&self, started: Instant, holes: u64, counterexamples: Vec<Vec<u32>>) -> Result<ProbeReport> {
        let rows = match self.heaps {
            2 => 1,
            heaps => self.space()?.sequences_from(heaps - 2, SECOND),
        };
        Ok(ProbeReport {
            heaps: self.heaps,
            max: self.max,
            positions_settled: self.positions()?,
            rows,
            holes,
            counterexamples,
            seconds: started.elapsed().as_secs_f64(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Space;
    use crate::sweep::HeapJob;
    use crate::table::Quantity;

    /// The conjecture's P-positions, by the definition.
    fn by_brute_force(heaps: usize, max: u32, play: Play) -> (u64, Vec<Vec<u32>>) {
        let mut job = HeapJob::minnie(heaps, max, play, Quantity::Outcomes);
        job.kernel = crate::sweep::KernelChoice::Generic;
        let table = job.solve(None, &Control::silent()).unwrap();
        let space = job.space().unwrap();
        let mut position = Vec::new();
        let (mut count, mut found) = (0, Vec::new());
        for index in 0..space.len() {
            space.unrank_into(index, &mut position);
            if position[0] >= FIRST && position[1] >= SECOND {
                count += 1;
                if table.cells().is_p(index) {
                    found.push(position.clone());
                }
            }
        }
        found.sort_by_key(|position| (position.iter().sum::<u32>(), position.clone()));
        found.truncate(MOST_COUNTEREXAMPLES);
        (count, found)
    }

    #[test]
    fn the_probe_finds_what_brute_force_finds() {
        for (heaps, max) in [(2, 90), (3, 24), (4, 13), (5, 10), (6, 8)] {
            for play in [Play::Normal, Play::Misere] {
                let report = Probe { heaps, max, play }.run(None, &Control::silent()).unwrap();
                let (count, found) = by_brute_force(heaps, max, play);
                assert_eq!(report.positions_settled, count);
                assert_eq!(report.counterexamples, found, "{heaps} heaps of {max}, {play:?}");
            }
        }
    }

    #[test]
    fn lanes_and_rows_report_the_same() {
        for (heaps, max) in [(3, 530), (4, 60), (5, 30), (6, 16), (7, 11)] {
            for play in [Play::Normal, Play::Misere] {
                let probe = Probe { heaps, max, play };
                let [lanes, rows] =
                    [probe.run(None, &Control::silent()), probe.run_by_rows(&Control::silent())].map(
                        |report| {
                            let mut report = serde_json::to_value(report.unwrap()).unwrap();
                            report["seconds"] = 0.into();
                            report
                        },
                    );
                assert_eq!(lanes, rows);
            }
        }
    }

    #[test]
    fn sizes_that_the_conjecture_does_not_speak_of_are_refused() {
        for (heaps, max) in [(1, 50), (3, 5), (0, 50)] {
            assert!(Probe { heaps, max, play: Play::Normal }.run(None, &Control::silent()).is_err());
        }
    }
}
