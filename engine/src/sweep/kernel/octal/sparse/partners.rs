//! The heaps that are paired with all others when values are excluded by marks, and how many of them are
//! marked.

use super::super::bits::NARROW;
use super::Shared;
use super::classes::Rare;
use std::ops::Range;

/// A heap that is paired with all others: its value, and its size plus what the move takes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Partner {
    pub offset: u32,
    /// In 32 bits, so that the XOR with another value needs no extension (a seventh of the time of the
    /// marks).
    pub value: u32,
}

/// The partners of the heaps of a narrow block.
#[derive(Default)]
pub(super) struct Partners {
    /// Marked without a look at the block before, if that was still in work; otherwise all that are marked.
    pub early: Vec<Partner>,
    /// Marked when the block before was known.
    pub late: Vec<Partner>,
    /// Compared with the candidates only.
    pub scanned: Vec<Partner>,
    /// The rare heaps before this one are among them.
    until: usize,
}

/// What a narrow block cost beyond its marks and scans.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Effort {
    /// Rare values that a search found.
    pub found: usize,
    /// Heaps all of whose candidates were hit; where nothing is scanned, common values that a search found.
    pub open: usize,
}

impl Effort {
    pub fn plus(self, other: Self) -> Self {
        Self { found: self.found + other.found, open: self.open + other.open }
    }
}

/// How many heaps are marked; learned on the way.
#[derive(Debug, Clone, Copy)]
pub(super) struct Balance {
    /// Of the rare heaps.
    rares: usize,
    /// Of the common heaps, which show that rare values are options.
    cover: usize,
    /// Nothing is scanned: what the marks leave open is looked for among all pairs.
    pub by_search: bool,
}

/// A scan goes through the rare heaps and a search through all pairs, with twice as many options in an instruction: it is for
/// games in which more than one heap in so many is rare, once there are so many heaps (before, most games are like that).
const RARE_SHARE: usize = 5;
// The tests compare this way with the definition, which is for shorter sequences.
const SETTLED: usize = if cfg!(test) { 1 << 13 } else { 1 << 17 };

impl Balance {
    pub fn new(bits: u32) -> Self {
        Self { rares: 1 << bits, cover: 1024, by_search: false }
    }

    /// Keeps the rare values that are searched for and found at a few per heap, since a mark would have cost less,
    /// and the heaps that go through all pairs after a scan at one in six or so. Between half and twice that the time is
    /// the same within a twentieth (0.007 and 0.33333333333337 to 2^17 terms). Without scans the common values that are searched
    /// for and found are kept at 16 to 32 per heap (0.06 to 2^19 terms).
    pub fn adapt(&mut self, effort: Effort, known_rares: usize, n: usize) {
        let is_dense = n >= SETTLED && known_rares > n / RARE_SHARE;
        if is_dense && !self.by_search {
            self.rares = self.rares.min(FIRST_MARKS);
        }
        let least = if self.by_search { 16 * NARROW } else { NARROW / 8 };
        self.cover = follow(self.cover, effort.found, 4 * NARROW).clamp(64, 1 << 14);
        self.rares = follow(self.rares, effort.open, least).clamp(64, 1 << 24);
        self.by_search = is_dense;
    }
}

/// The marks with which a search begins.
const FIRST_MARKS: usize = 1 << 11;

/// A number of marks after a look at what else was to do, which should be between `least` and twice that:
/// more if it is more.
fn follow(marks: usize, work: usize, least: usize) -> usize {
    match work {
        _ if work < least => marks - marks / 8,
        _ if work > 4 * least => marks + marks / 2,
        _ if work > 2 * least => marks + marks / 8,
        _ => marks,
    }
}

impl Shared {
    /// The partners of the narrow block at `start`, when the `values` are known: those before the block, or
    /// before the block before.
    pub(super) fn take_partners(
        &self,
        values: &[u16],
        pending: &[Rare],
        balance: Balance,
        start: usize,
        partners: &mut Partners,
    ) {
        let Partners { early, late, scanned, until } = partners;
        early.clear();
        late.clear();
        scanned.clear();
        *until = values.len();
        let mut mark = |partner: Partner| {
            // A late one may have a heap of the block before beside it.
            let is_late = start > values.len() && (partner.offset as usize) < 2 * NARROW;
            if is_late { late.push(partner) } else { early.push(partner) }
        };
        // A plan that was made inside the block knows more rare heaps than belong here.
        let planned = self.plan.rares.iter().map(|&heap| heap as usize).filter(|&heap| heap < values.len());
        let unplanned = self.plan.rares_until.min(values.len())..values.len();
        let new = self.rares_among(pending, unplanned).map(|rare| rare.heap);
        for (k, heap) in planned.chain(new).enumerate() {
            for partner in self.partners_of(values, heap) {
                // Scanned are only such as have a known heap beside them for all heaps of the block.
                if k < balance.rares || !(NARROW..start).contains(&(partner.offset as usize)) {
                    mark(partner);
                } else if !balance.by_search {
                    scanned.push(partner);
                }
            }
        }
        for &heap in self.plan.partners.iter().take(balance.cover) {
            self.partners_of(values, heap as usize).for_each(&mut mark);
        }
    }

    /// Adds to partners that were taken early the rare heaps that were found since.
    pub(super) fn add_partners(&self, values: &[u16], pending: &[Rare], partners: &mut Partners) {
        let until = std::mem::replace(&mut partners.until, values.len());
        for rare in self.rares_among(pending, until..values.len()) {
            partners.late.extend(self.partners_of(values, rare.heap));
        }
    }

    /// The rare heaps of a range. Those of the block in work are known if a run was cut inside it, and are
    /// for [`super::inside`].
    fn rares_among<'a>(&'a self, pending: &'a [Rare], range: Range<usize>) -> impl Iterator<Item = &'a Rare> {
        let place = |heap: usize| self.rares.partition_point(|rare| rare.heap < heap);
        let last = self.rares.last().map_or(0, |rare| rare.heap);
        let planned = &self.rares[place(range.start)..place(range.end)];
        let new = pending.iter().filter(move |rare| rare.heap > last && range.contains(&rare.heap));
        planned.iter().chain(new)
    }

    /// A heap as a partner, by each move.
    fn partners_of(&self, values: &[u16], heap: usize) -> impl Iterator<Item = Partner> {
        let value = values[heap].into();
        self.moves.splits.iter().map(move |i| Partner { offset: (heap + i) as u32, value })
    }
}
