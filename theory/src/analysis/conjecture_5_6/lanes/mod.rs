//! Outcomes of minnie with smallest heap 1, 2 or 3, 256 positions at a time: *lanes on an antichain*.
//!
//! Write a position as (a1, a2, a3, line, x): the *line* is the heaps between a3 and the last one. Fix a1,
//! the sum a2 + a3, the line and x; the positions that are left differ in a2, and no one is an option of
//! another, because every move lowers the sum of all heaps. They are the *lanes* of a *word*, one bit each, 1
//! for a P-position. What a move reaches is then a whole word too, the same for all lanes:
//!
//! - a1 lowered: the same place in a lower *slab* (a1 = 1, 2, 3), or a1 = 0: the game with one heap less;
//! - a3 lowered by s: the word of the sum less s;
//! - a2 lowered by s: the same word, lanes moved up by s;
//! - a heap of the line lowered: the word of another line, at the same sum and x;
//! - x lowered by s: one of the three words before.
//!
//! A word is NOT the OR of these. Since a1 <= 3 every s is at most 3. Where a lowered heap passes its
//! neighbour in the sorted order, the option lies elsewhere: this concerns a few lanes, the same for all x,
//! which are fetched one by one ([`single`]). Lanes count modulo the bits of a word: for a sum, a2 has at
//! most N/2 + 1 values, so that one block of 256 lanes is enough up to N = 497, and more are taken beyond.
//!
//! **Covers.** The positions with a1 >= 4 are N wherever one of the words of a1 = 0, 1, 2, 3 has a P-position
//! in the lane. The sweep tests this at every place with a2 >= 6, and says so where it is not the case. Of
//! a1 = 0 it needs the outcomes for a2 <= 5 only: the caller has seen, by the covers of one heap less, that
//! those with a2 >= 6 are N.
//!
//! **Memory.** Only the planes of the last three values of the line's first heap are read: a ring of planes,
//! not a table ([`store`]). Threads follow each other through it ([`run`]).
//!
//! With four heaps the line is empty, and x itself bounds a3: lanes beyond it are masked, and the lane in
//! which x passes a3 goes down while x goes up. With three heaps there is no x. In both there is only one
//! line, which one thread fills, and four rows are kept of it.
//!
//! Per word and three slabs: 6 loads from the rows of lower sums, moved 6 times; 6 loads for each heap of the
//! line; 3 stores.

mod absent;
mod checkpoint;
mod kernel;
mod row;
mod run;
mod shape;
mod single;
mod store;
#[cfg(test)]
mod tests;

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

pub use absent::ABSENT_LANES;
pub use checkpoint::{Checkpoint, kept};

use absent::Absent;
use run::{End, Plan, Run};
use shape::{SLABS, Shape};
use store::Ring;

use crate::base::simd::block::WORDS;
use crate::base::{Control, Error, Isa, Result};
use crate::sweep::pace::Checkpoints;
use crate::table::Table;

/// A sweep of the slabs 1, 2 and 3, to be run.
pub struct Lanes {
    heaps: usize,
    max: u32,
    /// The smallest a2 of the places that must be covered.
    cover_from: u32,
    shape: Shape,
    threads: usize,
}

/// What a sweep found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Covered {
    /// Every place has a P-position with smallest heap 0, 1, 2 or 3.
    Everywhere,
    /// Some place has none.
    NotEverywhere,
}

impl Lanes {
    /// For at least 3 heaps; places with a2 >= `cover_from` must be covered.
    pub fn new(heaps: usize, max: u32, cover_from: u32) -> Result<Self> {
        let shape = Shape::new(heaps, max)?;
        Ok(Self { heaps, max, cover_from, shape, threads: rayon::current_num_threads() })
    }

    /// The bytes that the sweep needs at least, without the table of one heap less.
    pub fn memory(&self) -> u64 {
        self.memory_of(Plan { lines: 1, groups: 1 })
    }

    /// The bytes of outcomes that the sweep writes, empty blocks included.
    pub fn swept_bytes(&self) -> u64 {
        self.shape.words().saturating_mul((self.shape.blocks() * SLABS * WORDS * 8) as u64)
    }

    fn memory_of(&self, plan: Plan) -> u64 {
        // Each thread keeps four words of 32 bytes for every x; one more may wait for a task.
        let beside = 128 * (u64::from(self.max) + 1) * (plan.groups as u64 + 1);
        Ring::memory(&self.shape, plan.planes(&self.shape)).saturating_add(beside)
    }

    /// More lines of a task spare memory bandwidth, more groups keep more threads at work: the most that
    /// `limit` bytes allow.
    fn plan(&self, limit: u64) -> Plan {
        let groups = if self.shape.line_heaps() > 1 { self.threads.min(2) } else { self.threads };
        let lines = [4, 2, 1].map(|lines| Plan { lines, groups });
        let fewer = std::iter::successors(Some(groups), |&groups| (groups > 1).then_some(groups / 2));
        let fewer = fewer.map(|groups| Plan { lines: 1, groups });
        let smallest = Plan { lines: 1, groups: 1 };
        lines.into_iter().chain(fewer).find(|&plan| self.memory_of(plan) <= limit).unwrap_or(smallest)
    }

    /// Sweeps all lines. `absent` is the table of one heap less, filled for smallest heaps below
    /// [`ABSENT_LANES`], which has no other P-positions; `limit` bounds the bytes. With a `checkpoint` the sweep
    /// resumes from there, and keeps what it has done; `settled` positions are what progress counts.
    pub fn sweep(
        &self,
        absent: &Table,
        limit: u64,
        checkpoint: Option<&Checkpoint>,
        settled: u64,
        control: &Control<'_>,
    ) -> Result<Covered> {
        let plan = self.plan(limit);
        let absent = Absent::new(self.heaps - 1, self.max, absent)?;
        let mut ring = Ring::new(&self.shape, plan.planes(&self.shape));
        let resumed = checkpoint.map(|checkpoint| checkpoint.resume(&mut ring)).transpose()?.flatten();
        let (first, last) = self.shape.planes().into_inner();
        let planes = u64::from(last - first) + 1;
        let mut next = resumed.unwrap_or(first);
        control.observer.begin(planes, settled, u64::from(next - first));
        let mut checkpoints = Checkpoints::new(control);
        let (words, done) = (self.shape.words(), AtomicU64::new(0));
        while next <= last {
            let before = done.load(Relaxed);
            let run = Run {
                ring: &ring,
                absent: &absent,
                isa: Isa::detect(),
                cover_from: self.cover_from,
                plan,
                threads: self.threads,
            };
            let more = || checkpoint.is_none() || !checkpoints.is_due();
            let tell = |plane: u32, filled: u64| {
                let filled = before + filled;
                done.fetch_max(filled, Relaxed);
                let share = filled as f64 / words as f64;
                control.observer.wave(u64::from(plane - first), (settled as f64 * share) as u64);
            };
            match run.sweep(next, &more, &tell, control) {
                End::Hole => return Ok(Covered::NotEverywhere),
                End::Before(plane) => next = plane,
            }
            let planes_done = u64::from(next - first);
            if let Some(checkpoint) = checkpoint {
                checkpoints.make(planes_done, || checkpoint.write(&mut ring, next))?;
            }
            if next <= last && control.stopped() {
                return Err(Error::Interrupted { done: planes_done, total: planes });
            }
        }
        Ok(Covered::Everywhere)
    }
}
