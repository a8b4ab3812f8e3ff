//! The rare heaps with small offsets, by byte scans.
//!
//! Rows leave each heap the common values that no rare heap with an offset of at least WIDE gives: a few
//! *candidates* below its value. The other rare heaps read the last heaps, so that rows of them can be OR-ed
//! for short blocks only, and the last of them only heap by heap. Here their options are compared with the
//! first candidates of their heaps instead, 32 heaps per load with AVX2; the least candidate that is not hit
//! is the least common value that is not an option. A heap all of whose candidates are hit goes through all
//! rare heaps.
//!
//! A byte holds the index of a value, but not its class. So all heaps that are read must be common: this way
//! is open where no rare heap is within reach, and closed when one is found.

use super::super::bits::{NARROW, WIDE};
use super::Shared;
use crate::base::Isa;
use crate::base::simd::{Has, Vector, VectorLoop};

/// The heaps that are compared together.
pub(super) const UNIT: usize = 64;
/// The candidates of a heap. With six, about one heap of 0.6 in fifty has none left, with eight one in 200.
const CANDIDATES: usize = 8;
/// With fewer rare heaps the rows cost less.
const FEWEST_RARES: usize = 64;

/// Candidates, or differences from them, by candidate and lane.
type Matrix = [[u8; UNIT]; CANDIDATES];

/// A heap that is paired with all others: its size plus what the move takes, and the index of its value.
#[derive(Debug, Clone, Copy)]
struct Partner {
    offset: u32,
    index: u8,
}

/// The state of this way.
pub(super) struct Near {
    /// The partners with offsets from UNIT on, below WIDE.
    scanned: Vec<Partner>,
    inside: Inside,
    /// The indices of the last heaps, from heap `base` on.
    bytes: Vec<u8>,
    base: usize,
    /// The unit in work, its candidates and how many there are, and what the scanned partners leave of them.
    first: Option<usize>,
    candidates: Matrix,
    counts: [u8; UNIT],
    differences: Matrix,
    /// The heaps that were asked for, and those without a candidate left.
    asked: usize,
    failed: usize,
}

impl Near {
    /// Is this way open for a block at `start`, if the last rare heap is `last`?
    pub fn suits(shared: &Shared, last: usize, start: usize) -> bool {
        let classes = &shared.classes;
        let fits = !classes.split.by_marks && !classes.split.by_position();
        let indices = 65..=1 << u8::BITS;
        fits && indices.contains(&classes.indices())
            && shared.rares.len() >= FEWEST_RARES
            && last + 2 * WIDE < start
    }

    /// For the heaps after `values`.
    pub fn new(shared: &Shared, values: &[u16]) -> Self {
        let classes = &shared.classes;
        let all = shared
            .rares
            .iter()
            .flat_map(|rare| shared.moves.splits.iter().map(|i| (rare.heap + i, rare.index as u8)));
        let (inside, scanned): (Vec<_>, Vec<_>) =
            all.filter(|&(offset, _)| offset < WIDE).partition(|&(offset, _)| offset < UNIT);
        let mut scanned: Vec<Partner> =
            scanned.into_iter().map(|(offset, index)| Partner { offset: offset as u32, index }).collect();
        scanned.sort_unstable_by_key(|partner| std::cmp::Reverse(partner.offset));
        let base = values.len() - WIDE - UNIT;
        Self {
            scanned,
            inside: Inside::new(&inside),
            bytes: values[base..].iter().map(|&value| classes.index(value) as u8).collect(),
            base,
            first: None,
            candidates: [[0; UNIT]; CANDIDATES],
            counts: [0; UNIT],
            differences: [[0; UNIT]; CANDIDATES],
            asked: 0,
            failed: 0,
        }
    }

    /// Do the heaps without a candidate cost more than this way saves? That is some hundred instructions per
    /// heap, and each of them takes some ten per rare heap. It is so where few rare heaps have large offsets,
    /// so that the rows leave many candidates.
    pub fn is_costly(&self, rares: usize) -> bool {
        self.asked >= NARROW && self.failed * rares > 30 * self.asked
    }

    /// Can this go on with heap `n`?
    pub fn continues(&self, n: usize) -> bool {
        self.base + self.bytes.len() == n
    }

    /// Begins a narrow block: what was found of a unit is out of date, and what no heap after these reads is
    /// forgotten.
    pub fn begin(&mut self) {
        self.first = None;
        let by = self.bytes.len().saturating_sub(WIDE + UNIT);
        self.bytes.drain(..by);
        self.base += by;
    }

    /// Enters the value of the next heap.
    #[inline]
    pub fn enter(&mut self, index: usize) {
        self.bytes.push(index as u8);
    }

    /// The least common index of the next heap, `n`, that is not an option, if it is among the candidates.
    /// `excluded` has what is excluded otherwise, a set for each heap of the unit; indices from `limit` on are
    /// not known to be free.
    #[inline]
    pub fn least_common(&mut self, isa: Isa, n: usize, excluded: &[u64], limit: usize) -> Option<usize> {
        let (first, lane) = (n / UNIT * UNIT, n % UNIT);
        if self.first != Some(first) {
            self.first = Some(first);
            self.compare(isa, first, excluded, limit);
        }
        let last = self.bytes.last_chunk::<UNIT>()?;
        let words = excluded.len() / UNIT;
        // Moves that leave one heap may have been added since the candidates were found.
        let set = &excluded[lane * words..][..words];
        let free = (0..usize::from(self.counts[lane])).find_map(|k| {
            let candidate = self.candidates[k][lane];
            let index = usize::from(candidate);
            let is_free = self.differences[k][lane] != 0
                && set[index / 64] >> (index % 64) & 1 == 0
                && !isa.run(Gives { inside: &self.inside, last, candidate });
            is_free.then_some(index)
        });
        self.asked += 1;
        self.failed += usize::from(free.is_none());
        free
    }

    /// Finds the candidates of the unit at `first`, and compares them with the scanned partners' options.
    fn compare(&mut self, isa: Isa, first: usize, excluded: &[u64], limit: usize) {
        let words = excluded.len() / UNIT;
        for (lane, set) in excluded.chunks_exact(words).enumerate() {
            self.counts[lane] = first_open(set, limit, lane, &mut self.candidates);
        }
        // In a unit that was cut some of its heaps are known already; no load reads them.
        let bytes = &self.bytes[first - WIDE - self.base..][..WIDE];
        let (partners, candidates) = (&self.scanned, &self.candidates);
        self.differences = isa.run(Differences { partners, bytes, candidates });
    }
}

/// Takes the first indices below `end` that are not in the set into a lane of the matrix. Returns how many.
#[inline]
fn first_open(set: &[u64], end: usize, lane: usize, matrix: &mut Matrix) -> u8 {
    let mut count = 0;
    for (k, word) in set.iter().enumerate().take_while(|(k, _)| 64 * k < end) {
        let mut open = !word & u64::MAX >> (64 - (end - 64 * k).min(64));
        while open != 0 {
            matrix[count][lane] = (64 * k) as u8 + open.trailing_zeros() as u8;
            open &= open - 1;
            count += 1;
            if count == CANDIDATES {
                return count as u8;
            }
        }
    }
    count as u8
}

/// For each heap of a unit and each of its candidates, the least of option XOR candidate over the options by
/// `partners`, whose offsets lie between UNIT and WIDE: 0 if one of them is the candidate. `bytes` are the
/// indices of the WIDE heaps before the unit.
struct Differences<'a> {
    partners: &'a [Partner],
    bytes: &'a [u8],
    candidates: &'a Matrix,
}

impl VectorLoop for Differences<'_> {
    type Output = Matrix;

    #[inline(always)]
    fn run<V: Vector>(self, has: Has<V>) -> Matrix {
        let Self { partners, bytes, candidates } = self;
        assert!(bytes.len() == WIDE);
        let mut result = [[0; UNIT]; CANDIDATES];
        for lane in (0..UNIT).step_by(V::BYTES) {
            // SAFETY: BYTES divides UNIT.
            let wanted: [V; CANDIDATES] =
                std::array::from_fn(|k| unsafe { V::load(has, candidates[k][lane..].as_ptr()) });
            let mut least = [V::splat_u8(has, u8::MAX); CANDIDATES];
            for &Partner { offset, index } in partners {
                let others = &bytes[WIDE - offset as usize + lane..][..V::BYTES];
                // SAFETY: the slice has the length of a vector.
                let others = unsafe { V::load(has, others.as_ptr()) };
                let options = others.xor(V::splat_u8(has, index));
                for k in 0..CANDIDATES {
                    least[k] = least[k].min_u8(options.xor(wanted[k]));
                }
            }
            for k in 0..CANDIDATES {
                // SAFETY: BYTES divides UNIT.
                unsafe { least[k].store(result[k][lane..].as_mut_ptr()) };
            }
        }
        result
    }
}

/// The partners with offsets below UNIT, by the place of the other heap among the UNIT heaps before a heap:
/// the index, and whether there is one (0) or not (255). A second one of the same offset is in a second layer.
pub(super) struct Inside {
    layers: Vec<([u8; UNIT], [u8; UNIT])>,
}

impl Inside {
    /// From offsets below UNIT and indices.
    pub fn new(partners: &[(usize, u8)]) -> Self {
        let mut layers: Vec<([u8; UNIT], [u8; UNIT])> = Vec::new();
        for &(offset, index) in partners {
            let place = UNIT - offset;
            let free = layers.iter().position(|layer| layer.1[place] != 0).unwrap_or(layers.len());
            if free == layers.len() {
                layers.push(([0; UNIT], [u8::MAX; UNIT]));
            }
            layers[free].0[place] = index;
            layers[free].1[place] = 0;
        }
        Self { layers }
    }
}

/// Is `candidate` an option of the heap after the heaps `last`, by the partners inside?
pub(super) struct Gives<'a> {
    pub inside: &'a Inside,
    pub last: &'a [u8; UNIT],
    pub candidate: u8,
}

impl VectorLoop for Gives<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<V: Vector>(self, _: Has<V>) -> bool {
        self.inside.layers.iter().any(|(indices, absent)| {
            let mut least = u8::MAX;
            for k in 0..UNIT {
                least = least.min((self.last[k] ^ indices[k] ^ self.candidate) | absent[k]);
            }
            least == 0
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{Engine, EngineOptions, Method, naive_sequence};
    use super::*;
    use crate::rules::OctalGame;

    #[test]
    fn least_differences_agree_on_every_instruction_set() {
        let mut state = 3u32;
        let mut random = || {
            state = state.wrapping_mul(1664525).wrapping_add(1013904223);
            (state >> 24) as u8
        };
        let bytes: Vec<u8> = (0..WIDE).map(|_| random()).collect();
        let offsets = [UNIT, UNIT + 1, 100, 777, WIDE - 2, WIDE - 1].into_iter().chain((200..260).step_by(3));
        let partners: Vec<Partner> =
            offsets.map(|offset| Partner { offset: offset as u32, index: random() }).collect();
        let candidates: Matrix = std::array::from_fn(|_| std::array::from_fn(|_| random()));
        for isa in Isa::available() {
            let least = isa.run(Differences { partners: &partners, bytes: &bytes, candidates: &candidates });
            let mut hits = 0;
            for (k, lane) in (0..CANDIDATES).flat_map(|k| (0..UNIT).map(move |lane| (k, lane))) {
                let options = partners.iter().map(|p| bytes[WIDE - p.offset as usize + lane] ^ p.index);
                let expected = options.map(|option| option ^ candidates[k][lane]).min();
                assert_eq!(Some(least[k][lane]), expected, "{isa:?}");
                hits += usize::from(least[k][lane] == 0);
            }
            assert!(hits > 10 && hits < 200, "{hits} hits test little");
        }
    }

    #[test]
    fn the_first_indices_that_are_open_are_taken() {
        let mut matrix = [[0; UNIT]; CANDIDATES];
        let set = [!(1 << 5 | 1 << 63), !(1 << 1), u64::MAX, !(1 << 2)];
        for (end, expected) in
            [(5, vec![]), (64, vec![5, 63]), (66, vec![5, 63, 65]), (256, vec![5, 63, 65, 194])]
        {
            let count = usize::from(first_open(&set, end, 7, &mut matrix));
            assert_eq!(matrix[..count].iter().map(|row| row[7]).collect::<Vec<_>>(), expected, "{end}");
        }
        assert_eq!(first_open(&[0; 4], 256, 7, &mut matrix), CANDIDATES as u8);
    }

    #[test]
    fn this_way_agrees_with_the_definition_where_it_is_open() {
        // The last rare heaps are 20627, 11798 and 15929; the way opens two wide blocks later.
        for (code, terms) in [("0.6", 29000), ("0.36", 21000), ("0.74", 25000)] {
            let game: OctalGame = code.parse().unwrap();
            let expected = naive_sequence(&game, terms).unwrap();
            for isa in Isa::available() {
                for threads in 1..3 {
                    let how = EngineOptions { threads, isa, method: Method::Rows };
                    let mut engine = Engine::new(&game, how);
                    let mut values = vec![0; terms];
                    let mut known = 0;
                    let mut open = 0;
                    // Cut inside units, narrow and wide blocks.
                    for cut in (500..terms).step_by(777).chain([terms]) {
                        engine.extend(&mut values[..cut], known).unwrap();
                        known = cut;
                        let sparse = engine.sparse.as_ref();
                        open += usize::from(sparse.is_some_and(|sparse| sparse.current.near.is_some()));
                    }
                    let wrong = values.iter().zip(&expected).position(|(a, b)| a != b);
                    assert_eq!(wrong, None, "{code} {isa:?} {threads}");
                    assert!(open > 0, "{code}: this way was never open");
                }
            }
        }
    }
}
