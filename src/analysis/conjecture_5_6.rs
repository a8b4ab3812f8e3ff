//! Conjecture 5.6 (Mullen; Conjecture 1 of the minnie paper): in minnie, a position whose smallest heap has
//! more than 3 counters and whose second smallest has more than 5 is an N-position.
//!
//! With a1 >= 4 the player to move may turn a1 into 0, 1, 2 or 3. If for some a2, ..., ak one of these is a
//! P-position, then every position (a1, a2, ..., ak) with a1 >= 4 is N, with that move. So it is enough to
//! solve the positions with a1 <= 3, a prefix of the index that is closed under moves, and to OR their rows:
//! the *cover* of (a2, ..., a(k-1)). Where a cover has a hole at x, the positions (a1, a2, ..., x) are looked
//! at one by one, by the rules. Nothing is assumed.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use rayon::prelude::*;
use serde::Serialize;

use crate::base::Control;
use crate::base::{Error, Isa, Result};
use crate::rules::{Minnie, Play, Rules};
use crate::space::SortedHeaps;
use crate::sweep::kernel::OrRow;
use crate::sweep::{HeapJob, Job};
use crate::table::{Bits, Cells, Quantity, Table, ones};

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
    /// The part of the table that is solved: all positions with a first heap below [`FIRST`].
    fn job(&self) -> HeapJob {
        let mut job = HeapJob::minnie(self.heaps, self.max, self.play, Quantity::Outcomes);
        job.smallest = Some(FIRST - 1);
        job
    }

    /// The bytes that the probe needs.
    pub fn memory(&self) -> Result<u64> {
        let space = self.space()?;
        let slabs = space.rank_sorted(&vec![FIRST; self.heaps]);
        Ok(slabs / 8 + self.job().memory())
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

    /// Runs the probe.
    pub fn run(&self, control: &Control<'_>) -> Result<ProbeReport> {
        let started = Instant::now();
        let space = self.space()?;
        let table = self.job().solve(None, control)?;
        let Cells::Bits(bits) = table.cells() else { unreachable!("outcomes are bits") };
        let covers =
            Covers { space: &space, bits, or_row: OrRow::new(Isa::detect()), rows: AtomicU64::new(0) };
        let holes = covers.holes();
        let counterexamples = self.look_closer(&space, &table, &holes);
        Ok(ProbeReport {
            heaps: self.heaps,
            max: self.max,
            positions_settled: self.positions()?,
            rows: covers.rows.into_inner(),
            holes: holes.len() as u64,
            counterexamples,
            seconds: started.elapsed().as_secs_f64(),
        })
    }

    /// Decides the positions behind the holes by the rules, and returns those that are P.
    fn look_closer(&self, space: &SortedHeaps, table: &Table, holes: &[Vec<u32>]) -> Vec<Vec<u32>> {
        let mut search = Search { rules: Minnie, space, table, known: HashMap::new() };
        let mut found = Vec::new();
        for hole in holes {
            for first in FIRST..=hole[0] {
                let position = [&[first], hole.as_slice()].concat();
                if search.is_p(&position) {
                    found.push(position);
                }
            }
        }
        found.sort_by_key(|position| (position.iter().sum::<u32>(), position.clone()));
        found.truncate(MOST_COUNTEREXAMPLES);
        found
    }
}

struct Covers<'a> {
    space: &'a SortedHeaps,
    bits: Bits<'a>,
    or_row: OrRow,
    rows: AtomicU64,
}

impl Covers<'_> {
    /// All (a2, ..., ak), a2 >= 6, such that none of (i, a2, ..., ak), i = 0..=3, is a P-position; sorted.
    fn holes(&self) -> Vec<Vec<u32>> {
        let found = Mutex::new(Vec::new());
        let free = self.space.heaps() - 2;
        if free == 0 {
            self.check(&mut [0, SECOND], &found);
        } else {
            (SECOND..=self.space.max()).into_par_iter().for_each(|second| {
                let mut position = vec![0, second];
                self.complete(&mut position, free - 1, &found);
            });
        }
        let mut holes = found.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        holes.sort();
        holes
    }

    fn complete(&self, position: &mut Vec<u32>, free: usize, found: &Mutex<Vec<Vec<u32>>>) {
        let last = position[position.len() - 1];
        if free == 0 {
            position.push(last);
            self.check(position, found);
            position.pop();
            return;
        }
        for heap in last..=self.space.max() {
            position.push(heap);
            self.complete(position, free - 1, found);
            position.pop();
        }
    }

    /// Checks the cover that begins at `position`, whose first heap is 0 and whose last heap then runs to the
    /// end.
    fn check(&self, position: &mut [u32], found: &Mutex<Vec<Vec<u32>>>) {
        self.rows.fetch_add(1, Relaxed);
        let first = position[position.len() - 1];
        let length = u64::from(self.space.max() - first) + 1;
        let mut cover = [0u64; 64];
        let mut long = Vec::new();
        let words = length.div_ceil(64) as usize;
        let cover = if words <= cover.len() {
            &mut cover[..words]
        } else {
            long.resize(words, 0);
            &mut long[..]
        };
        if length % 64 != 0 {
            cover[words - 1] = !ones(length % 64);
        }
        for small in 0..FIRST {
            position[0] = small;
            if self.or_row.or_into(cover, &self.bits, self.space.rank_sorted(position)) {
                return;
            }
        }
        let holes = (0..length).filter(|x| cover[(x / 64) as usize] >> (x % 64) & 1 == 0).map(|x| {
            let mut hole = position[1..].to_vec();
            hole[position.len() - 2] = first + x as u32;
            hole
        });
        found.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).extend(holes);
    }
}

/// Decides single positions by the rules, with the solved part as its end.
struct Search<'a> {
    rules: Minnie,
    space: &'a SortedHeaps,
    table: &'a Table,
    known: HashMap<Vec<u32>, bool>,
}

impl Search<'_> {
    fn is_p(&mut self, position: &[u32]) -> bool {
        let mut position = position.to_vec();
        position.sort_unstable();
        if position[0] < FIRST {
            return self.table.cells().is_p(self.space.rank_sorted(&position));
        }
        if let Some(&known) = self.known.get(&position) {
            return known;
        }
        let mut options = Vec::new();
        self.rules.options(&position, &mut |option| options.push(option.to_vec()));
        // The options that leave a small heap are known: look at them first.
        options.sort_by_key(|option| option.iter().min().copied());
        let is_p = !options.iter().any(|option| self.is_p(option));
        self.known.insert(position, is_p);
        is_p
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Space;

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
        for (heaps, max) in [(2, 90), (3, 24), (4, 13), (5, 10)] {
            for play in [Play::Normal, Play::Misere] {
                let report = Probe { heaps, max, play }.run(&Control::silent()).unwrap();
                let (count, found) = by_brute_force(heaps, max, play);
                assert_eq!(report.positions_settled, count);
                assert_eq!(report.counterexamples, found, "{heaps} heaps of {max}, {play:?}");
            }
        }
    }

    #[test]
    fn holes_are_found_where_the_cover_is_thinned() {
        let space = SortedHeaps::new(3, 20).unwrap();
        let table =
            Probe { heaps: 3, max: 20, play: Play::Normal }.job().solve(None, &Control::silent()).unwrap();
        let Cells::Bits(bits) = table.cells() else { panic!() };
        // Without the P-positions [1, 7, x] the rest 7 is no longer covered where they were needed.
        for x in 7..=20 {
            bits.clear(space.rank(&[1, 7, x]), 1);
        }
        let covers =
            Covers { space: &space, bits, or_row: OrRow::new(Isa::PORTABLE), rows: AtomicU64::new(0) };
        let holes = covers.holes();
        assert!(!holes.is_empty() && holes.iter().all(|hole| hole[0] == 7));
    }

    #[test]
    fn sizes_that_the_conjecture_does_not_speak_of_are_refused() {
        for (heaps, max) in [(1, 50), (3, 5), (0, 50)] {
            assert!(Probe { heaps, max, play: Play::Normal }.run(&Control::silent()).is_err());
        }
    }
}
