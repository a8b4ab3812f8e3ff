//! The sparse-space engine.
//!
//! With a split (see [`super::split`]) the least common value m that is not an option of heap n follows from
//! the options with exactly one rare part. G(n) is m unless a smaller rare value is not an option; that no
//! such value exists is checked at every n. Both parts run on bit rows, many heaps at once:
//!
//! - *Exclusion.* A rare heap r of value v gives heap n the option G(n − i − r) XOR v. For a block of heaps n
//!   that is, for every common value w, "row of w, shifted by r + i, OR-ed into row w XOR v".
//! - *Cover.* A common heap a shows in the same way that G(a) XOR w is an option wherever the shifted row of
//!   w has a bit. The shifts are chosen so that few (heap, rare value) pairs stay open; those are searched
//!   for one by one, and a search that fails has looked at all splits: the value is then not an option, and
//!   the least such value is G(n).
//!
//! Offsets (r + i) of at least two wide blocks read finished blocks only and are OR-ed for a whole wide
//! block, by other threads while the block before is still in work; offsets of one to two wide blocks at the
//! start of the block; smaller ones at the start of each narrow block; and those inside a narrow block are
//! entered one by one as the heaps become known. So every pair (rare heap, common heap) is entered exactly
//! when its later part is known.

mod candidates;
mod classes;
mod current;
mod inside;
mod lanes;
mod marks;
mod near;
mod open;
mod order;
mod partners;
mod plan;
mod rows;
mod scan;
mod words;

use super::bits::{ACC_STRIDE, Accumulator, Copies, WIDE, or_shifts};
use super::naive::{Moves, too_large};
use super::search::Searcher;
use super::split::{Histogram, Split};
use crate::base::{Isa, Result};
use classes::{Classes, Rare};
use current::{CurrentBlock, least_free};
use lanes::Lanes;
use plan::{BAND_SPAN, Plan, RowSpan};
use rayon::prelude::*;
use rows::{Recent, Rows};

/// The heaps that must be known before this engine can begin.
pub(crate) const START: usize = 8192;

/// What a wide pass reads and other threads may share.
struct Shared {
    isa: Isa,
    threads: usize,
    moves: Moves,
    classes: Classes,
    rows: Rows,
    plan: Plan,
    /// The rare heaps, up to the last plan.
    rares: Vec<Rare>,
}

/// The rows of a wide block in work: what is excluded and what is covered.
#[derive(Default)]
struct WideBlock {
    common: Accumulator,
    rare: Accumulator,
    limit: usize,
    /// Offsets that the pass left out because no row was worth them then.
    far: Vec<(usize, u16)>,
}

/// The engine.
pub(crate) struct Sparse {
    shared: Shared,
    current: CurrentBlock,
    /// The pass of the wide block in work, and the one made ahead.
    wide: WideBlock,
    next: WideBlock,
    /// The wide block of which `wide` is the pass.
    block: Option<usize>,
    /// The values up to here are entered.
    known: usize,
    /// The way without rows, where it is open.
    lanes: Option<Box<Lanes>>,
    /// That way was found to cost more than it saves.
    lanes_are_costly: bool,
}

impl Sparse {
    /// An engine for the heaps after `values` (at least [`START`] of them), by `split`.
    pub fn new(isa: Isa, threads: usize, moves: &Moves, split: Split, values: &[u16]) -> Self {
        let classes = Classes::new(split);
        let heaps = values.iter().enumerate().skip(1);
        let rares = heaps
            .filter(|&(n, &value)| !classes.is_common(value, n))
            .map(|(n, &value)| Rare { heap: n, index: classes.index(value) as u16 })
            .collect();
        let current = CurrentBlock::new(&classes, moves, Searcher::new(isa, values, moves.unequal), values);
        let shared = Shared {
            isa,
            threads,
            moves: moves.clone(),
            classes,
            rows: Rows::default(),
            plan: Plan::default(),
            rares,
        };
        Self {
            shared,
            current,
            wide: WideBlock::default(),
            next: WideBlock::default(),
            block: None,
            known: 0,
            lanes: None,
            lanes_are_costly: false,
        }
    }

    /// The split in use.
    pub fn split(&self) -> &Split {
        &self.shared.classes.split
    }

    /// The number of rare heaps, and the last of them.
    pub fn rare_heaps(&self) -> (usize, Option<usize>) {
        let last = self.shared.rares.last().map_or(0, |rare| rare.heap);
        let new: Vec<usize> =
            self.current.pending.iter().map(|rare| rare.heap).filter(|&n| n > last).collect();
        let known = self.shared.rares.len();
        (known + new.len(), new.last().copied().or((known > 0).then_some(last)))
    }

    /// Fills `values[from..to]`; stops early, after the heap in question, when a value needs more bits than
    /// the split has. Returns how far it came. With `replan` the plan is made anew from what was seen lately.
    pub fn extend(
        &mut self,
        values: &mut [u16],
        from: usize,
        to: usize,
        replan: bool,
        histogram: &mut Histogram,
    ) -> Result<usize> {
        if let Some(known) = self.extend_by_lanes(values, from, to, histogram)? {
            return Ok(known);
        }
        let Self { shared, current, wide, next, block, known, .. } = self;
        if replan || *known != from {
            *known = from;
            *block = None;
            shared.make_plan(&mut current.pending, &values[..from]);
            current.fill(&shared.classes, &values[..from]);
        }
        while *known < to {
            let start = *known / WIDE * WIDE;
            if *block != Some(start) {
                shared.wide_pass(start, wide, shared.threads);
                *block = Some(start);
                current.pending.clear();
            }
            let by_marks = shared.classes.split.by_marks;
            let ahead = shared.threads > 1 && !by_marks && start + WIDE < to;
            let range = *known..(start + WIDE).min(to);
            let work = || {
                if !by_marks {
                    // Half of the threads: the others are busy with the next block.
                    shared.band_pass(&current.recent, values, start, wide, shared.threads.div_ceil(2));
                }
                current.block(shared, wide, values, start, (range, to), histogram)
            };
            *known = if ahead {
                rayon::join(work, || shared.wide_pass(start + WIDE, next, shared.threads - 1)).0?
            } else {
                work()?
            };
            if usize::from(values[*known - 1]) >> shared.classes.split.bits != 0 {
                break;
            }
            if shared.classes.split.by_marks {
                let last = shared.rares.last().map_or(0, |rare| rare.heap);
                shared.rares.extend(current.pending.drain(..).filter(|rare| rare.heap > last));
            } else if *known == start + WIDE {
                shared.rows.take(&current.recent, start);
                current.recent.next();
                shared.take_rares(&current.pending, &values[..*known]);
                // The next block's pass, if made ahead, did not know the rare heaps of this block.
                current.pending.retain(|rare| ahead && rare.heap >= start);
                std::mem::swap(wide, next);
                *block = ahead.then_some(start + WIDE);
            }
        }
        Ok(*known)
    }

    /// As [`Self::extend`], where the way without rows is open.
    fn extend_by_lanes(
        &mut self,
        values: &mut [u16],
        from: usize,
        to: usize,
        histogram: &mut Histogram,
    ) -> Result<Option<usize>> {
        let last = self.rare_heaps().1.unwrap_or(0);
        let Self { shared, current, lanes, lanes_are_costly, .. } = self;
        *lanes_are_costly |= lanes.as_ref().is_some_and(|lanes| lanes.is_costly(shared.rares.len()));
        if *lanes_are_costly || !Lanes::suits(shared, last, from) {
            *lanes = None;
            return Ok(None);
        }
        // The rows know nothing of what is found here: they begin anew if they are wanted again.
        self.known = 0;
        shared.take_pending(&mut current.pending);
        let lanes = match lanes {
            Some(lanes) if lanes.continues(from) => lanes,
            _ => lanes.insert(Box::new(Lanes::new(shared, last, &values[..from]))),
        };
        let (known, rare) = lanes.extend(shared, &current.searcher, values, (from, to), histogram)?;
        shared.rares.extend(rare);
        Ok(Some(known))
    }
}

impl Shared {
    /// Takes over rare heaps that are not known yet.
    fn take_pending(&mut self, pending: &mut Vec<Rare>) {
        let last = self.rares.last().map_or(0, |rare| rare.heap);
        self.rares.extend(pending.drain(..).filter(|rare| rare.heap > last));
    }

    /// Makes the plan for all rare heaps, and the rows for the wide blocks that are complete.
    fn make_plan(&mut self, pending: &mut Vec<Rare>, values: &[u16]) {
        self.take_pending(pending);
        if self.classes.split.by_marks {
            self.plan = Plan::by_marks(&self.classes, &self.moves, &self.rares, values);
            return;
        }
        self.plan = Plan::new(&self.classes, &self.moves.splits, &self.rares, values);
        self.fill(values);
    }

    /// Fills the rows up to the last complete wide block.
    fn fill(&mut self, values: &[u16]) {
        let start = values.len() / WIDE * WIDE;
        self.rows.reset(self.classes.rows(), start, self.plan.window());
        for n in self.rows.first().max(1)..start {
            if self.classes.is_common(values[n], n) {
                self.rows.set(self.classes.index(values[n]), n);
            }
        }
    }

    /// Takes over the rare heaps that were found in the block which ends the known `values`.
    fn take_rares(&mut self, found: &[Rare], values: &[u16]) {
        let last = self.rares.last().map_or(0, |rare| rare.heap);
        for &rare in found.iter().filter(|rare| rare.heap > last) {
            self.rares.push(rare);
            for &i in &self.moves.splits {
                self.plan.add(rare.heap + i, rare.index);
            }
        }
        self.plan.build_tiles(self.classes.indices());
        self.plan.choose_limit(&self.classes, values);
        let start = values.len();
        if !self.rows.has_room(start) || !self.rows.reaches(start, self.plan.window()) {
            self.fill(values);
        }
    }

    /// The rows of a part when the target rows are cut into `parts` for as many threads.
    fn part_rows(rows: usize, parts: usize) -> usize {
        rows.div_ceil(parts).next_multiple_of(4).max(4)
    }

    /// Everything that follows for the wide block at `start` from offsets of at least TILED, by `parts`
    /// threads. Each part makes its own copies of all rows, so there should be no more parts than idle
    /// threads.
    fn wide_pass(&self, start: usize, wide: &mut WideBlock, parts: usize) {
        if self.classes.split.by_marks {
            wide.limit = self.classes.indices();
            return;
        }
        let limit = self.plan.limit;
        wide.limit = limit;
        wide.far.clone_from(&self.plan.far);
        wide.common.clear(self.classes.rows());
        wide.rare.clear(self.classes.rows());
        let rows = Self::part_rows(limit, parts);
        let commons = wide.common.words[..limit * ACC_STRIDE].par_chunks_mut(rows * ACC_STRIDE);
        let rares = wide.rare.words[..limit * ACC_STRIDE].par_chunks_mut(rows * ACC_STRIDE);
        let part = |(part, (common, rare)): (usize, (&mut [u64], &mut [u64]))| {
            let targets = part * rows..((part + 1) * rows).min(limit);
            let mut copies = Copies::default();
            for source in (0..self.classes.indices()).filter(|&source| self.rows.used(source)) {
                let mut copied = RowSpan::default();
                let mut copy = |span: RowSpan, copies: &mut Copies| {
                    if copied != span {
                        copied = span;
                        copies.reserve(1, span.words);
                        let from = start as isize - span.before as isize;
                        copies.make(self.isa, 0, self.rows.words_from(source, from, span.words + 1));
                    }
                };
                for tile in &self.plan.tiles {
                    let Some(shifts) = &tile.shifts else { continue };
                    copy(tile.span, &mut copies);
                    or_shifts(self.isa, &copies, source, shifts, targets.clone(), common, None);
                }
                copy(self.plan.cover_span, &mut copies);
                let cover = &self.plan.cover[source];
                or_shifts(self.isa, &copies, 0, cover, targets.clone(), rare, None);
            }
        };
        let work = commons.zip(rares).enumerate();
        if parts > 1 {
            work.for_each(part);
        } else {
            let commons = wide.common.words[..limit * ACC_STRIDE].chunks_mut(rows * ACC_STRIDE);
            let rares = wide.rare.words[..limit * ACC_STRIDE].chunks_mut(rows * ACC_STRIDE);
            commons.zip(rares).enumerate().for_each(part);
        }
    }

    /// What follows from the offsets between WIDE and TILED, and from those that no row is worth, by `parts`
    /// threads.
    fn band_pass(&self, recent: &Recent, values: &[u16], start: usize, wide: &mut WideBlock, parts: usize) {
        let limit = wide.limit;
        let rows = Self::part_rows(limit, parts);
        let part = |(part, common): (usize, &mut [u64])| {
            let targets = part * rows..((part + 1) * rows).min(limit);
            let mut copies = Copies::default();
            copies.reserve(1, BAND_SPAN.words);
            for source in (0..self.classes.indices()).filter(|&source| recent.used(source)) {
                copies.make(
                    self.isa,
                    0,
                    recent.words_from(source, start - BAND_SPAN.before, BAND_SPAN.words + 1),
                );
                or_shifts(self.isa, &copies, source, &self.plan.band, targets.clone(), common, None);
            }
        };
        let common = &mut wide.common.words[..limit * ACC_STRIDE];
        if parts > 1 {
            common.par_chunks_mut(rows * ACC_STRIDE).enumerate().for_each(part);
        } else {
            common.chunks_mut(rows * ACC_STRIDE).enumerate().for_each(part);
        }
        for &(offset, index) in &wide.far {
            let first = (offset + 1).saturating_sub(start).min(WIDE);
            self.exclude_by(values, offset, index, start, first..WIDE, &mut wide.common);
        }
    }

    /// Excludes, at the heaps `start + lane`, what the rare heap with this offset and index does.
    fn exclude_by(
        &self,
        values: &[u16],
        offset: usize,
        index: u16,
        start: usize,
        lanes: std::ops::Range<usize>,
        common: &mut Accumulator,
    ) {
        for lane in lanes {
            let heap = start + lane - offset;
            let value = values[heap];
            if self.classes.is_common(value, heap) {
                common.set(self.classes.index(value) ^ index as usize, lane);
            }
        }
    }

    /// The least common index that is not excluded at `n`, by going through all rare heaps.
    fn slow_common(&self, values: &[u16], n: usize, pending: &[Rare]) -> Option<usize> {
        let mut excluded = vec![0u64; self.classes.set_words()];
        for &i in &self.moves.ones {
            if self.classes.is_common(values[n - i], n) {
                let index = self.classes.index(values[n - i]);
                excluded[index / 64] |= 1 << (index % 64);
            }
        }
        let last = self.rares.last().map_or(0, |rare| rare.heap);
        for rare in self.rares.iter().chain(pending.iter().filter(|rare| rare.heap > last)) {
            for &i in self.moves.splits.iter().filter(|&i| rare.heap + i < n) {
                let other = n - i - rare.heap;
                if self.classes.is_common(values[other], other) {
                    let index = self.classes.index(values[other]) ^ rare.index as usize;
                    excluded[index / 64] |= 1 << (index % 64);
                }
            }
        }
        least_free(&excluded, &self.classes.common[n & 1])
    }
}
