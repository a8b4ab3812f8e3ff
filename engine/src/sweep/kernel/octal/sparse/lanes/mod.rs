//! Heaps as byte lanes: the way where no rare heap is near.
//!
//! A heap is a byte, the index of its value, and neighbouring heaps are the lanes of a vector: a load gives the
//! options of 32 heaps (AVX2) by one partner, XOR-ed with the partner's index. What is asked of them is asked in
//! three steps, each exact in what it excludes.
//!
//! - *Marks.* The partners that tell most, in a learned order, are marked: a lane has one bit for each index, and
//!   sixteen indices take six instructions for all lanes.
//! - *Scans.* That leaves a few *candidates* per heap, indices without a mark. The options by all other rare heaps are
//!   compared with them, two instructions each. The first candidate that is never hit is the least common value
//!   that is not an option; a heap whose candidates are all hit goes through all rare heaps.
//! - *Rare values.* The same by common heaps as partners, in order to show that all smaller rare values are options. The few
//!   that stay open are searched for among all splits.
//!
//! Partners with offsets from AHEAD on do not read the block in work nor the one before the next, so that all threads
//! share their part of the next block; the others, one in eight, and the values are for one thread.
//!
//! A byte does not say the class. So all heaps that are read must be common: this way is open where the last rare
//! heap is out of reach, and closed when another is found.

mod partners;
mod plan;
#[cfg(test)]
mod tests;
mod unit;

use super::super::search::Searcher;
use super::super::split::Histogram;
use super::classes::Rare;
use super::near::Gives;
use super::{Shared, too_large};
use crate::base::Result;
use partners::Place;
use plan::LanePlan;
use rayon::prelude::*;
use std::ops::Range;
use unit::{LISTED, Unit, open_indices};

/// The heaps that are the lanes of vectors together.
const UNIT: usize = 64;
/// The heaps that are prepared together.
const BLOCK: usize = 512;
/// Offsets from here on reach over a block in work to the one before.
const AHEAD: usize = 2 * BLOCK;
/// With fewer rare heaps the rows cost less.
const FEWEST_RARES: usize = 64;
/// The longest reach: the bytes should stay in the second-level cache.
const LONGEST_REACH: usize = 1 << 18;

/// This way and its state.
pub(super) struct Lanes {
    plan: LanePlan,
    /// The number of heaps from which the plan was learned.
    learned: usize,
    /// The indices of the heaps from `base` on, up to the block in work.
    bytes: Vec<u8>,
    base: usize,
    /// What was found ahead of the block at `ready`.
    ready: Option<usize>,
    units: Vec<Unit>,
    next: Vec<Unit>,
    /// The heaps that were asked for, and those without a candidate left.
    asked: usize,
    failed: usize,
}

impl Lanes {
    /// Is this way open after `known` heaps?
    pub fn suits(shared: &Shared, last: usize, known: usize) -> bool {
        let classes = &shared.classes;
        let fits = !classes.split.by_marks && !classes.split.by_position();
        let indices = 65..=1 << u8::BITS;
        let reach = LanePlan::reach(last, &shared.moves.splits);
        fits && indices.contains(&classes.indices())
            && shared.rares.len() >= FEWEST_RARES
            && reach <= LONGEST_REACH
            && known > last + reach
            && known > 2 * reach
    }

    /// For the heaps after `values`.
    pub fn new(shared: &Shared, last: usize, values: &[u16]) -> Self {
        let plan = LanePlan::new(shared, values, last);
        let base = values.len() - plan.reach;
        let bytes = values[base..].iter().map(|&value| shared.classes.index(value) as u8).collect();
        let (units, next) = (vec![Unit::default(); BLOCK / UNIT], vec![Unit::default(); BLOCK / UNIT]);
        Self { plan, learned: values.len(), bytes, base, ready: None, units, next, asked: 0, failed: 0 }
    }

    /// Can this go on with heap `n`, and with the order that it learned?
    pub fn continues(&self, n: usize) -> bool {
        self.base + self.bytes.len() == n && n < 4 * self.learned
    }

    /// Do the heaps without a candidate cost more than this way saves? Each of them takes some ten instructions
    /// per rare heap.
    pub fn is_costly(&self, rares: usize) -> bool {
        self.asked >= BLOCK && self.failed * rares > 100 * self.asked
    }

    /// Fills `values[from..to]`. Stops early, after the heap in question, at a rare heap, which it returns, and at
    /// a value that needs more bits than the split has. Returns how far it came.
    pub fn extend(
        &mut self,
        shared: &Shared,
        searcher: &Searcher,
        values: &mut [u16],
        (from, to): (usize, usize),
        histogram: &mut Histogram,
    ) -> Result<(usize, Option<Rare>)> {
        let mut at = from;
        while at < to {
            let Self { plan, bytes, base, units, next, .. } = self;
            // What no heap after these reads is forgotten, from time to time.
            if bytes.len() > 4 * plan.reach {
                *base += bytes.len() - plan.reach;
                bytes.drain(..bytes.len() - plan.reach);
            }
            if self.ready != Some(at) {
                plan.prepare_block(shared, *base, bytes, at, units);
            }
            let heaps = at..to.min(at + BLOCK);
            // The offsets of rare heaps below AHEAD are larger by what the move takes.
            let kept = AHEAD + shared.moves.splits.iter().max().copied().unwrap_or(0);
            let mut recent = bytes[bytes.len() - kept..].to_vec();
            let mut tally = (0, 0);
            let mut work = || {
                let (recent, tally) = (&mut recent, &mut tally);
                let mut work = Work { plan, shared, searcher, bytes, base: *base, recent, tally };
                work.block(values, heaps.clone(), units, histogram)
            };
            let ahead = shared.threads > 1 && heaps.end < to;
            let done = if ahead {
                rayon::join(work, || plan.prepare_block(shared, *base, bytes, at + BLOCK, next)).0
            } else {
                work()
            };
            let (reached, rare) = done?;
            bytes.extend_from_slice(&recent[kept..]);
            self.ready = (ahead && reached == at + BLOCK).then_some(reached);
            std::mem::swap(&mut self.units, &mut self.next);
            self.asked += tally.0;
            self.failed += tally.1;
            at = reached;
            let outgrown = usize::from(values[at - 1]) >> shared.classes.split.bits != 0;
            if rare.is_some() || outgrown || self.is_costly(shared.rares.len()) {
                return Ok((at, rare));
            }
        }
        Ok((at, None))
    }
}

impl LanePlan {
    /// Prepares the block at heap `start`, from the indices of heaps from `base` on.
    fn prepare_block(&self, shared: &Shared, base: usize, bytes: &[u8], start: usize, units: &mut [Unit]) {
        let prepare = |(k, unit): (usize, &mut Unit)| {
            let first = start + k * UNIT;
            self.prepare(shared, first, Place { bytes, at: first - base }, unit);
        };
        if shared.threads > 1 {
            units.par_iter_mut().with_max_len(1).enumerate().for_each(prepare);
        } else {
            units.iter_mut().enumerate().for_each(prepare);
        }
    }
}

/// The block in work, heap by heap.
struct Work<'a> {
    plan: &'a LanePlan,
    shared: &'a Shared,
    searcher: &'a Searcher,
    /// The indices of the heaps from `base` on, up to the block.
    bytes: &'a [u8],
    base: usize,
    /// The indices of the last heaps before the block, and of the heaps of the block.
    recent: &'a mut Vec<u8>,
    /// The heaps that were asked for, and those without a candidate left.
    tally: &'a mut (usize, usize),
}

impl Work<'_> {
    /// Finds the values of `heaps`; see [`Lanes::extend`].
    fn block(
        &mut self,
        values: &mut [u16],
        heaps: Range<usize>,
        units: &mut [Unit],
        histogram: &mut Histogram,
    ) -> Result<(usize, Option<Rare>)> {
        let classes = &self.shared.classes;
        for (first, unit) in heaps.clone().step_by(UNIT).zip(units) {
            let place = Place { bytes: self.recent, at: self.recent.len() };
            self.plan.late.scan(self.shared.isa, place, &mut unit.commons);
            for n in first..heaps.end.min(first + UNIT) {
                let lane = n - first;
                let mut common = self.least_common(values, n, lane, unit);
                self.tally.0 += 1;
                if common.is_none() {
                    self.tally.1 += 1;
                    common = self.least_of_all(values, n);
                }
                let rare = self.least_rare(values, n, lane, unit, common);
                let value = match rare {
                    Some(value) => value,
                    None => u16::try_from(classes.bound(n, common)).map_err(|_| too_large(n))?,
                };
                values[n] = value;
                histogram.add(value, n);
                let index = classes.index(value);
                self.recent.push(index as u8);
                if rare.is_some() {
                    return Ok((n + 1, Some(Rare { heap: n, index: index as u16 })));
                }
                if usize::from(value) >> classes.split.bits != 0 {
                    return Ok((n + 1, None));
                }
            }
        }
        Ok((heaps.end, None))
    }

    /// Does a move that leaves one heap give the index?
    #[inline]
    fn leaves(&self, values: &[u16], n: usize, index: usize, common: bool) -> bool {
        let Shared { classes, moves, .. } = self.shared;
        moves.ones.iter().any(|i| classes.index_and_class(values[n - i], n) == (index, common))
    }

    /// The least common index that is not an option, if it is among the candidates.
    #[inline]
    fn least_common(&self, values: &[u16], n: usize, lane: usize, unit: &Unit) -> Option<usize> {
        let last = self.recent.last_chunk::<UNIT>()?;
        let inside = &self.plan.inside;
        let is_free = |candidate: u8| {
            !self.leaves(values, n, candidate.into(), true)
                && !self.shared.isa.run(Gives { inside, last, candidate })
        };
        unit.commons.first(lane, is_free).map(usize::from)
    }

    /// The least common index that is not an option, by going through all rare heaps.
    fn least_of_all(&self, values: &[u16], n: usize) -> Option<usize> {
        let mut set = [0; 4];
        let early = Place { bytes: self.bytes, at: n - self.base };
        self.plan.marked.mark_one(early, &mut set);
        self.plan.scanned.mark_one(early, &mut set);
        self.plan.small.mark_one(Place { bytes: self.recent, at: self.recent.len() }, &mut set);
        open_indices(&set, 0, self.shared.classes.indices())
            .find(|&index| !self.leaves(values, n, index, true))
    }

    /// The least rare value that is not an option and less than the value of the common index.
    #[inline]
    fn least_rare(
        &self,
        values: &[u16],
        n: usize,
        lane: usize,
        unit: &Unit,
        common: Option<usize>,
    ) -> Option<u16> {
        let classes = &self.shared.classes;
        let (bound, rare_values) = (classes.bound(n, common), &classes.rare_values[n & 1]);
        let is_missing = |index: usize| {
            usize::from(rare_values[index]) < bound
                && !self.leaves(values, n, index, false)
                && !self.is_split(values, n, rare_values[index], index as u8)
        };
        let mut missing = None;
        if unit.has_rares[lane] != 0 {
            missing = unit.rares.first(lane, |index| is_missing(index.into())).map(usize::from);
        }
        // If the list is full, there may be more.
        let last = usize::from(unit.rares.indices[LISTED - 1][lane]);
        let first = if last > 0 { last + 1 } else { self.plan.limit() };
        // The index keeps the order inside a class only.
        let end = common.map_or(usize::MAX, |index| (index | classes.split.low_bits()) + 1);
        if missing.is_none() && first < end {
            let open = open_indices(&unit.covered[lane], first, end.min(classes.indices()));
            missing = { open }.find(|&index| is_missing(index));
        }
        missing.map(|index| rare_values[index])
    }

    /// Is the rare value that of a split? The pairs that the bytes have come first.
    fn is_split(&self, values: &[u16], n: usize, wanted: u16, index: u8) -> bool {
        let Shared { moves, .. } = self.shared;
        self.plan.search(self.shared, Place { bytes: self.bytes, at: n - self.base }, index)
            || moves.splits.iter().any(|&i| self.searcher.splits_to(values, n - i, wanted))
    }
}
