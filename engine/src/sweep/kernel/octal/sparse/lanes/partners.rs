//! Heaps that are paired with all others, and the two loops over them: marks and scans.

use super::UNIT;
use super::unit::{LISTED, Lists, Set};
use crate::base::Isa;
use crate::base::simd::{Has, Vector, VectorLoop};

/// A heap that is paired with all others: its size plus what the move takes, and the index of its value.
#[derive(Debug, Clone, Copy)]
struct Partner {
    offset: u32,
    index: u8,
}

/// Partners in the order in which they are used.
#[derive(Debug, Clone, Default)]
pub(super) struct Partners {
    list: Vec<Partner>,
    /// Bounds of the offsets.
    least: usize,
    most: usize,
}

/// The heaps to be paired: lane l of a unit is heap `at` + l, counted from the first of `bytes`, which are the
/// indices of known heaps.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
}

/// By number and lane.
pub(super) type Matrix = [[u8; UNIT]; LISTED];

/// The indices of a group of marks: one byte for the low and one for the high half of them.
pub(super) const GROUP: usize = 16;
/// The most groups: all indices that a byte holds.
const GROUPS: usize = 256 / GROUP;

/// For each lane, which indices are marked: bit b of byte p stands for index 8p + b.
pub(super) type Planes = [[u8; UNIT]; 2 * GROUPS];

impl Partners {
    /// From offsets and indices.
    pub fn new(pairs: impl IntoIterator<Item = (usize, u8)>) -> Self {
        let list: Vec<Partner> =
            pairs.into_iter().map(|(offset, index)| Partner { offset: offset as u32, index }).collect();
        let offsets = list.iter().map(|partner| partner.offset as usize);
        let (least, most) = (offsets.clone().min().unwrap_or(usize::MAX / 2), offsets.max().unwrap_or(0));
        Self { list, least, most }
    }

    /// Checks that every lane has a known heap beside every partner. The loops rely on it.
    fn check(&self, place: Place) {
        assert!(self.most <= place.at && place.at + UNIT <= place.bytes.len() + self.least);
    }

    /// Marks, for each lane, the options by all partners, as far as they are in the first `groups` groups; the
    /// other planes are left alone.
    pub fn mark(&self, isa: Isa, place: Place, groups: usize, planes: &mut Planes) {
        self.check(place);
        isa.run(Mark { partners: &self.list, place, groups, planes });
    }

    /// Adds the options of the heap at `place` by all partners to the set.
    pub fn mark_one(&self, place: Place, set: &mut Set) {
        let mut options = [false; 256];
        for &Partner { offset, index } in &self.list {
            options[usize::from(place.bytes[place.at - offset as usize] ^ index)] = true;
        }
        for (k, word) in set.iter_mut().enumerate() {
            let bits = options[64 * k..64 * (k + 1)].iter().enumerate();
            *word |= bits.fold(0, |word, (bit, &option)| word | u64::from(option) << bit);
        }
    }

    /// Takes the options by all partners out of the lists.
    pub fn scan(&self, isa: Isa, place: Place, lists: &mut Lists) {
        self.check(place);
        isa.run(Scan { partners: &self.list, place, lists });
    }
}

/// See [`Partners::mark`], which has checked that all loads are inside the bytes.
struct Mark<'a> {
    partners: &'a [Partner],
    place: Place<'a>,
    groups: usize,
    planes: &'a mut Planes,
}

impl VectorLoop for Mark<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(mut self, has: Has<V>) {
        for lane in (0..UNIT).step_by(V::BYTES) {
            // As many groups together as stay in registers.
            let together = if V::BYTES == 64 { 9 } else { 5 };
            for first in (0..self.groups).step_by(together) {
                match (self.groups - first).min(together) {
                    1 => self.pass::<V, 1>(has, lane, first),
                    2 => self.pass::<V, 2>(has, lane, first),
                    3 => self.pass::<V, 3>(has, lane, first),
                    4 => self.pass::<V, 4>(has, lane, first),
                    5 => self.pass::<V, 5>(has, lane, first),
                    6 => self.pass::<V, 6>(has, lane, first),
                    7 => self.pass::<V, 7>(has, lane, first),
                    8 => self.pass::<V, 8>(has, lane, first),
                    _ => self.pass::<V, 9>(has, lane, first),
                }
            }
        }
    }
}

impl Mark<'_> {
    /// Marks `N` groups from group `first` on, for the lanes of a vector.
    #[inline(always)]
    fn pass<V: Vector, const N: usize>(&mut self, has: Has<V>, lane: usize, first: usize) {
        let Place { bytes, at } = self.place;
        // By the low half of an index: its bit in the first (second) byte of its group.
        let bits: [[u8; 64]; 2] = std::array::from_fn(|half| {
            std::array::from_fn(|k| if k % 16 / 8 == half { 1 << (k % 8) } else { 0 })
        });
        // SAFETY: a vector has at most 64 bytes.
        let tables = bits.map(|bits| unsafe { V::load(has, bits.as_ptr()) });
        // What is not in the group becomes 128 or more, which the tables do not have.
        let beyond = V::splat_u8(has, 128 - GROUP as u8);
        let groups: [V; N] = std::array::from_fn(|k| V::splat_u8(has, ((first + k) * GROUP) as u8));
        let mut marks = [[V::splat_u8(has, 0); 2]; N];
        for &Partner { offset, index } in self.partners {
            // SAFETY: `offset` is at most `at`, and the unit ends at most `offset` after the bytes.
            let others = unsafe { V::load(has, bytes.as_ptr().add(at + lane - offset as usize)) };
            let options = others.xor(V::splat_u8(has, index));
            for (marks, group) in marks.iter_mut().zip(groups) {
                let places = options.xor(group).add_saturating_u8(beyond);
                for half in 0..2 {
                    marks[half] = marks[half].or(tables[half].look_up_u8(places));
                }
            }
        }
        for (k, marks) in marks.into_iter().flatten().enumerate() {
            // SAFETY: BYTES divides UNIT.
            unsafe { marks.store(self.planes[2 * first + k][lane..].as_mut_ptr()) };
        }
    }
}

/// See [`Partners::scan`], which has checked that all loads are inside the bytes.
struct Scan<'a> {
    partners: &'a [Partner],
    place: Place<'a>,
    lists: &'a mut Lists,
}

impl VectorLoop for Scan<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self, has: Has<V>) {
        let Self { partners, place: Place { bytes, at }, lists } = self;
        for lane in (0..UNIT).step_by(V::BYTES) {
            // SAFETY: BYTES divides UNIT.
            let load = |matrix: &Matrix, k: usize| unsafe { V::load(has, matrix[k][lane..].as_ptr()) };
            let wanted: [V; LISTED] = std::array::from_fn(|k| load(&lists.indices, k));
            // The least of option XOR index: 0 if one of them is the index.
            let mut least: [V; LISTED] = std::array::from_fn(|k| load(&lists.left, k));
            for &Partner { offset, index } in partners {
                // SAFETY: `offset` is at most `at`, and the unit ends at most `offset` after the bytes.
                let others = unsafe { V::load(has, bytes.as_ptr().add(at + lane - offset as usize)) };
                let options = others.xor(V::splat_u8(has, index));
                for k in 0..LISTED {
                    least[k] = least[k].min_u8(options.xor(wanted[k]));
                }
            }
            for k in 0..LISTED {
                // SAFETY: BYTES divides UNIT.
                unsafe { least[k].store(lists.left[k][lane..].as_mut_ptr()) };
            }
        }
    }
}
