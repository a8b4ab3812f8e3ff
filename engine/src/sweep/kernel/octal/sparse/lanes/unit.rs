//! A unit of heaps: what can be found ahead of their values.

use super::UNIT;
use super::partners::{Matrix, Partners, Place, Planes};
use super::plan::LanePlan;
use crate::base::Isa;
use crate::base::simd::{Has, Vector, VectorLoop};
use crate::sweep::kernel::octal::sparse::Shared;

/// The candidates of a heap, and the rare values that may be open.
pub(super) const LISTED: usize = 8;

/// A set of indices.
pub(super) type Set = [u64; 4];

/// The indices from `first` on and below `end` that are not in the set, in order.
#[inline]
pub(super) fn open_indices(set: &Set, first: usize, end: usize) -> impl Iterator<Item = usize> {
    let mut at = first / 64;
    let mut open = if at < set.len() { !set[at] & u64::MAX << (first % 64) } else { 0 };
    std::iter::from_fn(move || {
        while open == 0 {
            at += 1;
            if 64 * at >= end || at >= set.len() {
                return None;
            }
            open = !set[at];
        }
        let index = 64 * at + open.trailing_zeros() as usize;
        open &= open - 1;
        (index < end).then_some(index)
    })
}

/// Some indices of each lane, in order.
#[derive(Clone)]
pub(super) struct Lists {
    pub indices: Matrix,
    /// 0 where there is no index, or it was found to be an option.
    pub left: Matrix,
}

impl Lists {
    /// The first indices of each lane, below `end`, that are not in its set.
    #[inline]
    fn of_open(sets: &[Set; UNIT], end: usize) -> Self {
        let mut lists = Self { indices: [[0; UNIT]; LISTED], left: [[0; UNIT]; LISTED] };
        for (lane, set) in sets.iter().enumerate() {
            lists.take(lane, set, end);
        }
        lists
    }

    /// Puts the first indices below `end` that are not in the set into a lane.
    #[inline]
    fn take(&mut self, lane: usize, set: &Set, end: usize) {
        for (k, index) in open_indices(set, 0, end).take(LISTED).enumerate() {
            self.indices[k][lane] = index as u8;
            self.left[k][lane] = u8::MAX;
        }
    }

    /// The first index of a lane that is left and for which `is_free`.
    #[inline]
    pub fn first(&self, lane: usize, mut is_free: impl FnMut(u8) -> bool) -> Option<u8> {
        for k in 0..LISTED {
            if self.left[k][lane] != 0 && is_free(self.indices[k][lane]) {
                return Some(self.indices[k][lane]);
            }
        }
        None
    }
}

/// What is known of the heaps of a unit.
#[derive(Clone)]
pub(super) struct Unit {
    /// The first common indices that no early partner gives. More than these may be.
    pub commons: Lists,
    /// The first rare indices that are not known to be options, and whether there are any.
    pub rares: Lists,
    pub has_rares: [u8; UNIT],
    /// The rare indices that are options by marks: after the last of the list, those are all that is known.
    pub covered: [Set; UNIT],
}

impl Default for Unit {
    fn default() -> Self {
        let none = Lists { indices: [[0; UNIT]; LISTED], left: [[0; UNIT]; LISTED] };
        Self { commons: none.clone(), rares: none, has_rares: [0; UNIT], covered: [[0; 4]; UNIT] }
    }
}

impl LanePlan {
    /// Finds what the early partners say of the heaps of a unit, the first of which is heap `first` and stands at
    /// `place`.
    pub fn prepare(&self, shared: &Shared, first: usize, place: Place, unit: &mut Unit) {
        let (isa, classes) = (shared.isa, &shared.classes);
        let mut planes: Planes = [[0; UNIT]; 32];
        let mut sets = [[0; 4]; UNIT];
        let limit = self.limit();
        self.mark(isa, &self.marked, place, &mut planes, &mut sets);
        unit.commons = Lists::of_open(&sets, limit);
        self.scanned.scan(isa, place, &mut unit.commons);
        let mut firsts = isa.run(FirstLeft { lists: &unit.commons });
        for lane in (0..UNIT).filter(|&lane| firsts[lane] == u8::MAX) {
            // All candidates are hit: the next ones are found by going through the partners for this heap alone.
            self.scanned.mark_one(Place { at: place.at + lane, ..place }, &mut sets[lane]);
            unit.commons.take(lane, &sets[lane], limit);
        }
        firsts = isa.run(FirstLeft { lists: &unit.commons });

        self.mark(isa, &self.cover_marked, place, &mut planes, &mut unit.covered);
        unit.rares = Lists::of_open(&unit.covered, limit);
        self.cover_scanned.scan(isa, place, &mut unit.rares);
        unit.has_rares = isa.run(AnyLeft { lists: &unit.rares });
        for lane in 0..UNIT {
            if unit.has_rares[lane] == 0 {
                continue;
            }
            // What is below the first candidate must be an option, or it is the value.
            let rare_values = &classes.rare_values[(first + lane) & 1];
            let bound = classes.common_values[(first + lane) & 1][usize::from(firsts[lane]).min(limit - 1)];
            let place = Place { at: place.at + lane, ..place };
            for k in 0..LISTED {
                let index = unit.rares.indices[k][lane];
                if rare_values[usize::from(index)] >= bound {
                    break;
                }
                if unit.rares.left[k][lane] != 0 && self.search(shared, place, index) {
                    unit.rares.left[k][lane] = 0;
                }
            }
        }
    }

    /// Which indices the partners give, for each lane.
    fn mark(&self, isa: Isa, partners: &Partners, place: Place, planes: &mut Planes, sets: &mut [Set; UNIT]) {
        partners.mark(isa, place, self.groups, planes);
        for (lane, set) in sets.iter_mut().enumerate() {
            for (k, word) in set.iter_mut().enumerate().take(self.groups.div_ceil(4)) {
                *word = u64::from_le_bytes(std::array::from_fn(|byte| planes[8 * k + byte][lane]));
            }
        }
    }

    /// Is the rare index an option of the heap at `place`, by a heap of the head?
    pub fn search(&self, shared: &Shared, place: Place, wanted: u8) -> bool {
        shared.moves.splits.iter().any(|&i| {
            let end = place.at - i - self.head_first + 1;
            let others = &place.bytes[end - self.head.len()..end];
            shared.isa.run(ByteSearch { small: &self.head, large: others, wanted })
        })
    }
}

/// For each lane, the first index that is left; 255 if there is none.
struct FirstLeft<'a> {
    lists: &'a Lists,
}

impl VectorLoop for FirstLeft<'_> {
    type Output = [u8; UNIT];

    #[inline(always)]
    fn run<V: Vector>(self, _: Has<V>) -> [u8; UNIT] {
        let mut first = [u8::MAX; UNIT];
        for (indices, left) in self.lists.indices.iter().zip(&self.lists.left) {
            for lane in 0..UNIT {
                let absent = if left[lane] == 0 { u8::MAX } else { 0 };
                first[lane] = first[lane].min(indices[lane] | absent);
            }
        }
        first
    }
}

/// For each lane, whether any index is left.
struct AnyLeft<'a> {
    lists: &'a Lists,
}

impl VectorLoop for AnyLeft<'_> {
    type Output = [u8; UNIT];

    #[inline(always)]
    fn run<V: Vector>(self, _: Has<V>) -> [u8; UNIT] {
        let mut any = [0; UNIT];
        for left in &self.lists.left {
            for lane in 0..UNIT {
                any[lane] |= left[lane];
            }
        }
        any
    }
}

/// Is a XOR b the wanted index for bytes at the same place of both slices? Their length is a multiple of 128. The
/// compiler vectorizes a block: it does not end early.
struct ByteSearch<'a> {
    small: &'a [u8],
    large: &'a [u8],
    wanted: u8,
}

impl VectorLoop for ByteSearch<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<V: Vector>(self, _: Has<V>) -> bool {
        let blocks = self.small.as_chunks::<128>().0.iter().zip(self.large.as_chunks::<128>().0);
        for (small, large) in blocks {
            let least = (0..128).fold(u8::MAX, |least, k| least.min(small[k] ^ large[k] ^ self.wanted));
            if least == 0 {
                return true;
            }
        }
        false
    }
}
