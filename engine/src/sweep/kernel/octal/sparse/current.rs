//! The wide block in work, heap by heap.

use super::super::bits::{Copies, NARROW, WIDE, or_shifts, sets_of_heaps};
use super::super::naive::{Moves, too_large};
use super::super::planes::Planes;
use super::super::search::Searcher;
use super::super::split::Histogram;
use super::classes::{Classes, Rare};
use super::inside::Inside;
use super::marks::MarksAhead;
use super::near::{Near, UNIT};
use super::open::Search;
use super::partners::{Balance, Partners};
use super::plan::NARROW_SPAN;
use super::rows::Recent;
use super::{Shared, WideBlock};
use crate::base::Result;
use std::ops::Range;

/// No rare value.
pub(super) const NONE: u32 = u32::MAX;

/// What is known of each heap of a narrow block from pairs of heaps before the block, and then from all
/// pairs.
pub(super) struct HeapSets {
    /// The indices of common values that are options.
    pub excluded: Vec<u64>,
    /// The indices of rare values that are options; others may be.
    pub covered: Vec<u64>,
    /// `excluded` is complete for indices below this.
    pub horizon: Vec<u32>,
    /// A rare value that no pair of heaps before the block gives.
    pub failed: Vec<u32>,
}

impl HeapSets {
    fn new(set_words: usize) -> Self {
        Self {
            excluded: vec![0; NARROW * set_words],
            covered: vec![0; NARROW * set_words],
            horizon: vec![0; NARROW],
            failed: vec![NONE; NARROW],
        }
    }
}

/// What the heaps of the current wide block write.
pub(super) struct CurrentBlock {
    pub recent: Recent,
    pub(super) inside: Inside,
    /// Rare heaps that the current wide pass did not know.
    pub pending: Vec<Rare>,
    pub(super) sets: HeapSets,
    /// The way of the small offsets, while it is open; otherwise rows and `inside`.
    pub(super) near: Option<Box<Near>>,
    /// That way was found to cost more than it saves; it may be tried again after the next plan.
    near_is_costly: bool,
    copies: Copies,
    pub(super) searcher: Searcher,
    /// Where values are excluded by marks: the sequence up to the narrow block.
    planes: Planes,
    /// How many heaps are marked, which, and the marks made ahead.
    balance: Balance,
    partners: Partners,
    ahead: MarksAhead,
}

impl CurrentBlock {
    /// For the heaps after `values`; the searcher is for the same sequence.
    pub fn new(classes: &Classes, moves: &Moves, searcher: Searcher, values: &[u16]) -> Self {
        Self {
            recent: Recent::default(),
            inside: Inside::new(classes, moves, values),
            pending: Vec::new(),
            sets: HeapSets::new(classes.set_words()),
            near: None,
            near_is_costly: false,
            copies: Copies::default(),
            searcher,
            planes: Planes::default(),
            balance: Balance::new(classes.split.bits),
            partners: Partners::default(),
            ahead: MarksAhead::default(),
        }
    }

    /// Takes the values of the wide block in work and of the two before it.
    pub fn fill(&mut self, classes: &Classes, values: &[u16]) {
        if classes.split.by_marks {
            return;
        }
        self.near_is_costly = false;
        self.recent.reset(classes.rows(), values.len() / WIDE * WIDE);
        for (n, &value) in values.iter().enumerate().skip(self.recent.first().max(1)) {
            if classes.is_common(value, n) {
                self.recent.set(classes.index(value), n);
            }
        }
    }

    /// Finds the values of `range`, a part of the wide block at `start`. Returns how far it came: all the way
    /// unless a value needs more bits than the split has. The heaps up to `until` will be wanted next.
    pub fn block(
        &mut self,
        shared: &Shared,
        wide: &mut WideBlock,
        values: &mut [u16],
        start: usize,
        (range, until): (Range<usize>, usize),
        histogram: &mut Histogram,
    ) -> Result<usize> {
        let mut at = range.start;
        while at < range.end {
            let narrow = at / NARROW * NARROW;
            self.open_near(shared, &values[..at], start);
            self.begin_narrow(shared, wide, values, start, narrow, range.clone());
            if self.near.is_none() {
                for n in narrow..at {
                    self.inside.enter(&shared.classes, values[n], n, &mut self.sets.excluded);
                }
            }
            let heaps = at..range.end.min(narrow + NARROW);
            let next = narrow + NARROW;
            let done = if shared.classes.split.by_marks && shared.threads > 1 && next < until {
                let mut ahead = std::mem::take(&mut self.ahead);
                ahead.prepare(values, narrow);
                let (pending, balance) = (self.pending.clone(), self.balance);
                let work = || self.heaps(shared, values, heaps, histogram);
                let done = rayon::join(work, || shared.mark_ahead(&pending, balance, next, &mut ahead)).0;
                self.ahead = ahead;
                done?
            } else {
                self.heaps(shared, values, heaps, histogram)?
            };
            // A value that needs more bits than the split has may be the last of the block.
            if usize::from(values[done - 1]) >> shared.classes.split.bits != 0 {
                return Ok(done);
            }
            // Before the end of the narrow block if a rare heap has closed the way of the small offsets.
            at = done;
        }
        Ok(range.end)
    }

    /// Opens or closes the way of the small offsets for the block at `start`, when the `values` are known.
    fn open_near(&mut self, shared: &Shared, values: &[u16], start: usize) {
        let last = [shared.rares.last(), self.pending.last()].into_iter().flatten();
        let last = last.map(|rare| rare.heap).max().unwrap_or(0);
        self.near_is_costly |= self.near.as_ref().is_some_and(|near| near.is_costly(shared.rares.len()));
        if self.near_is_costly || !Near::suits(shared, last, start) {
            self.near = None;
        } else if !self.near.as_ref().is_some_and(|near| near.continues(values.len())) {
            self.near = Some(Box::new(Near::new(shared, values)));
        }
    }

    /// Finds the values of `heaps`, in the narrow block that was begun, and enters them. Returns how far it
    /// came: all the way unless a value needs more bits than the split has, or closes the way of the small
    /// offsets.
    fn heaps(
        &mut self,
        shared: &Shared,
        values: &mut [u16],
        heaps: Range<usize>,
        histogram: &mut Histogram,
    ) -> Result<usize> {
        let one_word = shared.classes.set_words() == 1;
        for n in heaps.clone() {
            let value = if one_word {
                self.value_by_words(shared, values, n)?
            } else {
                self.value(shared, values, n)?
            };
            values[n] = value;
            histogram.add(value, n);
            if usize::from(value) >> shared.classes.split.bits != 0 {
                return Ok(n + 1);
            }
            self.enter(&shared.classes, n, value);
            match &mut self.near {
                Some(near) => {
                    near.enter(shared.classes.index(value));
                    if !shared.classes.is_common(value, n) {
                        return Ok(n + 1);
                    }
                }
                None => self.inside.enter(&shared.classes, value, n, &mut self.sets.excluded),
            }
        }
        Ok(heaps.end)
    }

    /// Starts the narrow block at `narrow` of the wide block at `start`: the offsets below WIDE, and the rare
    /// heaps that the wide pass did not know.
    fn begin_narrow(
        &mut self,
        shared: &Shared,
        wide: &mut WideBlock,
        values: &[u16],
        start: usize,
        narrow: usize,
        wanted: Range<usize>,
    ) {
        self.inside.begin();
        let lane = narrow - start;
        let classes = &shared.classes;
        if classes.split.by_marks {
            let lists = (&mut self.ahead, &mut self.partners);
            self.planes.extend(&values[..narrow]);
            let how = (self.balance, &self.planes);
            let which = (narrow, wanted);
            let effort = shared.mark_options(values, &self.pending, how, which, lists, &mut self.sets);
            self.balance.adapt(effort, shared.rares.len() + self.pending.len(), narrow);
            return;
        }
        let (isa, rows) = (shared.isa, classes.rows());
        self.copies.reserve(4, NARROW_SPAN.words);
        let by_rows = match &mut self.near {
            Some(near) => {
                near.begin();
                0..0
            }
            None => 0..rows,
        };
        for source in by_rows.step_by(4) {
            if !(0..4).any(|k| self.recent.used(source + k)) {
                continue;
            }
            for k in 0..4 {
                let words =
                    self.recent.words_from(source + k, narrow - NARROW_SPAN.before, NARROW_SPAN.words + 1);
                self.copies.make(isa, k, words);
            }
            let common = &mut wide.common.words;
            or_shifts(isa, &self.copies, source, &shared.plan.narrow, 0..wide.limit, common, Some(lane));
        }
        for rare in &self.pending {
            for offset in shared.moves.splits.iter().map(|i| rare.heap + i) {
                let first = (offset + 1).saturating_sub(start).clamp(lane, lane + NARROW);
                let lanes = first..lane + NARROW;
                shared.exclude_by(values, offset, rare.index, start, lanes, &mut wide.common);
            }
        }
        let words = classes.set_words();
        sets_of_heaps(isa, &wide.common, wide.limit, lane, words, &mut self.sets.excluded);
        sets_of_heaps(isa, &wide.rare, wide.limit, lane, words, &mut self.sets.covered);
        self.sets.horizon.fill(wide.limit as u32);
        self.sets.failed.fill(NONE);
    }

    /// Enters a new heap into the rows or the list of rare heaps.
    #[inline]
    pub(super) fn enter(&mut self, classes: &Classes, n: usize, value: u16) {
        let index = classes.index(value);
        if classes.is_common(value, n) {
            if !classes.split.by_marks {
                self.recent.set(index, n);
            }
        } else {
            self.pending.push(Rare { heap: n, index: index as u16 });
        }
    }

    /// G(n), for a heap of the narrow block that was begun.
    pub(super) fn value(&mut self, shared: &Shared, values: &[u16], n: usize) -> Result<u16> {
        let classes = &shared.classes;
        let words = classes.set_words();
        let (lane, narrow) = (n % NARROW, n / NARROW * NARROW);
        let set = lane * words..(lane + 1) * words;
        let Self { sets, inside, near, searcher, planes, balance, .. } = self;
        if near.is_none() {
            sets.excluded[set.start] |= inside.look_back(lane);
        }
        for &i in &shared.moves.ones {
            let index = classes.index(values[n - i]);
            let common = classes.is_common(values[n - i], n);
            let sets = if common { &mut sets.excluded } else { &mut sets.covered };
            sets[set.start + index / 64] |= 1 << (index % 64);
        }
        let mut common = match near {
            Some(near) => {
                let unit = lane / UNIT * UNIT * words..(lane / UNIT + 1) * UNIT * words;
                near.least_common(shared.isa, n, &sets.excluded[unit], sets.horizon[lane] as usize)
            }
            None => least_free(&sets.excluded[set.clone()], &classes.common[n & 1]),
        };
        if common.is_none_or(|index| index >= sets.horizon[lane] as usize) {
            common = if classes.split.by_marks {
                let excluded = &mut sets.excluded[set.clone()];
                let how = Search::after_marks(balance.by_search);
                shared.exclude_by_search(planes, how, (n, narrow), excluded, &mut sets.horizon[lane]);
                least_free(excluded, &classes.common[n & 1])
            } else {
                shared.slow_common(values, n, &self.pending)
            };
        }
        let missing = classes.least_open_rare(n, &sets.covered[set], common, |wanted| {
            !shared.moves.splits.iter().any(|&i| {
                if u32::from(wanted) == sets.failed[lane] {
                    // Only the pairs with a heap of the block are left.
                    searcher.splits_below(values, n - i, (n - i + 1).saturating_sub(narrow), wanted)
                } else {
                    searcher.splits_to(values, n - i, wanted)
                }
            })
        });
        match missing {
            Some(value) => Ok(value),
            None => u16::try_from(classes.bound(n, common)).map_err(|_| too_large(n)),
        }
    }
}

/// The least index of `class` that is not in `excluded`.
#[inline]
pub(super) fn least_free(excluded: &[u64], class: &[u64]) -> Option<usize> {
    let free = excluded.iter().zip(class).map(|(excluded, class)| !excluded & class);
    free.enumerate().find(|(_, free)| *free != 0).map(|(k, free)| 64 * k + free.trailing_zeros() as usize)
}
