//! The word-parallel inner loops: OR-ing shifted bit rows, and turning rows into sets.
//!
//! A bit row has one bit per heap; the same loop handles 512 heaps per instruction with AVX-512, 256 with
//! AVX2 and 128 on any machine. A shift by any number of bits is an unaligned load from one of eight copies
//! of the row, each one bit further than the last: the load costs one cache access (two where it crosses a
//! line), and the copies are made once for all the shifts of a row.

use std::ops::Range;

use crate::base::Isa;
use crate::base::simd::{Has, Vector, VectorLoop};

/// The heaps of a wide block: offsets from here on are OR-ed for a whole wide block at once.
pub(crate) const WIDE: usize = 2048;
/// The heaps of a narrow block.
pub(crate) const NARROW: usize = 512;

/// Shifts that share a target: those of the offsets `offsets[start..end]`.
#[derive(Debug, Clone, Copy)]
struct TargetGroup {
    /// XOR-ed with the source's index this is the target's index.
    index: u32,
    /// The first offset.
    start: u32,
    /// One past the last offset.
    end: u32,
}

/// A list of shifts, grouped by target. The offsets are bytes into the eight copies.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shifts {
    groups: Vec<TargetGroup>,
    offsets: Vec<u32>,
    /// The words of the copies and the lanes of the block for which the offsets were made.
    shape: (usize, usize),
}

/// Eight copies of a stretch of a bit row; copy k is moved down by k bits.
#[derive(Debug, Clone, Default)]
pub(crate) struct Copies {
    data: Vec<u64>,
    stride: usize,
}

/// The slack after each copy, so that the widest load stays inside.
const SLACK: usize = 8;

impl Copies {
    /// Room for copies of `words` words of each of `rows` rows.
    pub fn reserve(&mut self, rows: usize, words: usize) {
        self.stride = words + SLACK;
        let need = rows * 8 * self.stride + SLACK;
        if self.data.len() < need {
            self.data.resize(need, 0);
        }
    }

    /// Words from one row's copies to the next row's.
    fn row_words(&self) -> usize {
        8 * self.stride
    }

    /// The byte from which a load gives the row's bits from `bit` on.
    pub fn offset(words: usize, bit: usize) -> u32 {
        ((bit & 7) * (words + SLACK) * 8 + (bit >> 3)) as u32
    }
}

/// A block of accumulator rows: [`ACC_STRIDE`] words per row, of which WIDE / 64 are used.
#[derive(Debug, Clone, Default)]
pub(crate) struct Accumulator {
    pub words: Vec<u64>,
}

/// Words from one accumulator row to the next: one cache line more than the row, so that rows do not fall
/// into the same cache sets.
pub(crate) const ACC_STRIDE: usize = WIDE / 64 + 8;

impl Accumulator {
    pub fn clear(&mut self, rows: usize) {
        self.words.clear();
        self.words.resize(rows * ACC_STRIDE, 0);
    }

    #[inline]
    pub fn set(&mut self, row: usize, lane: usize) {
        self.words[row * ACC_STRIDE + lane / 64] |= 1 << (lane % 64);
    }
}

/// One pass of OR-ing, with everything checked by [`or_shifts`].
struct OrShifts<'a> {
    /// The copies of one source row, or with `narrow` of four consecutive ones.
    copies: &'a Copies,
    /// The index of the first source.
    source: usize,
    shifts: &'a Shifts,
    /// The targets of this pass; others are left out.
    targets: Range<usize>,
    /// The rows of the targets, from the first lane of the block on.
    rows: &'a mut [u64],
    narrow: bool,
}

impl VectorLoop for OrShifts<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self, has: Has<V>) {
        // As many vectors as stay in registers.
        match (self.narrow, V::BYTES) {
            (false, 32) => self.all_lanes::<V, 1, 8>(has, WIDE),
            (false, _) => self.all_lanes::<V, 1, 4>(has, WIDE),
            (true, 32) => self.all_lanes::<V, 4, 2>(has, NARROW),
            (true, _) => self.all_lanes::<V, 4, 1>(has, NARROW),
        }
    }
}

impl OrShifts<'_> {
    /// All lanes of a block of `lanes` heaps, for `SOURCES` source rows at once.
    #[inline(always)]
    fn all_lanes<V: Vector, const SOURCES: usize, const VECTORS: usize>(self, has: Has<V>, lanes: usize) {
        let source_bytes = self.copies.row_words() * 8;
        let copies: *const u8 = self.copies.data.as_ptr().cast();
        let rows: *mut u8 = self.rows.as_mut_ptr().cast();
        // VECTORS vectors divide every block length in use.
        for at in (0..lanes / 8).step_by(VECTORS * V::BYTES) {
            for group in &self.shifts.groups {
                // With several sources the indices are aligned, so the targets are a permutation of an
                // aligned run.
                let target = self.source ^ group.index as usize;
                if !self.targets.contains(&target) {
                    continue;
                }
                let first_row = target - self.targets.start;
                // SAFETY: `or_shifts` has checked that the rows of all targets are there, and that the
                // offsets were made for copies of this length: the lanes of the block from each offset on are
                // inside one source's copies.
                unsafe {
                    let row = |source: usize| rows.add((first_row ^ source) * ACC_STRIDE * 8 + at);
                    let mut sums: [[V; VECTORS]; SOURCES] = std::array::from_fn(|source| {
                        std::array::from_fn(|vector| V::load(has, row(source).add(vector * V::BYTES)))
                    });
                    for &offset in self.shifts.offsets.get_unchecked(group.start as usize..group.end as usize)
                    {
                        let from = copies.add(offset as usize + at);
                        for source in 0..SOURCES {
                            for vector in 0..VECTORS {
                                let bits = from.add(source * source_bytes + vector * V::BYTES);
                                sums[source][vector] = sums[source][vector].or(V::load(has, bits));
                            }
                        }
                    }
                    for source in 0..SOURCES {
                        for vector in 0..VECTORS {
                            sums[source][vector].store(row(source).add(vector * V::BYTES));
                        }
                    }
                }
            }
        }
    }
}

/// OR-s the shifted source rows into the target rows: target `source ^ group.index` in `targets` (the first
/// of which is row 0 of `acc`) gets, for each offset of the group, the source's bits from that offset on, for
/// all lanes of a wide block (one source) or, with `narrow`, of the narrow block that starts at lane `lane`
/// (four sources, whose copies follow each other).
pub(crate) fn or_shifts(
    isa: Isa,
    copies: &Copies,
    source: usize,
    shifts: &Shifts,
    targets: Range<usize>,
    acc: &mut [u64],
    narrow: Option<usize>,
) {
    let (sources, lanes, lane) = match narrow {
        Some(lane) => (4, NARROW, lane),
        None => (1, WIDE, 0),
    };
    assert!(source.is_multiple_of(sources));
    assert!(targets.start.is_multiple_of(sources) && targets.end.is_multiple_of(sources));
    assert!(targets.len() * ACC_STRIDE <= acc.len());
    if targets.is_empty() {
        return;
    }
    assert!(lane + lanes <= WIDE && lane.is_multiple_of(64));
    assert!(copies.data.len() >= sources * copies.row_words() + SLACK);
    assert!(shifts.shape == (copies.stride - SLACK, lanes));
    let rows = &mut acc[lane / 64..];
    isa.run(OrShifts { copies, source, shifts, targets, rows, narrow: narrow.is_some() });
}

impl Shifts {
    /// Groups `(index, offset)` pairs for copies of `words` words that begin `before` bits before the block:
    /// the offset o reads from bit `before - o` of the copied words on.
    pub fn build(mut pairs: Vec<(u32, usize)>, before: usize, words: usize, lanes: usize) -> Self {
        pairs.sort_unstable();
        pairs.dedup();
        let mut shifts = Self { shape: (words, lanes), ..Self::default() };
        for (index, offset) in pairs {
            assert!(offset <= before && before - offset + lanes <= 64 * words);
            if shifts.groups.last().is_none_or(|g| g.index != index) {
                let at = shifts.offsets.len() as u32;
                shifts.groups.push(TargetGroup { index, start: at, end: at });
            }
            shifts.offsets.push(Copies::offset(words, before - offset));
            if let Some(group) = shifts.groups.last_mut() {
                group.end += 1;
            }
        }
        shifts
    }
}

/// Makes the eight copies of a row, without its last word.
struct CopyRow<'a> {
    row: &'a [u64],
    copies: &'a mut [u64],
    stride: usize,
}

impl VectorLoop for CopyRow<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self, _: Has<V>) {
        let Self { row, copies, stride } = self;
        let words = row.len() - 1;
        for (shift, copy) in copies.chunks_exact_mut(stride).take(8).enumerate() {
            let copy = &mut copy[..words];
            if shift == 0 {
                copy.copy_from_slice(&row[..words]);
            } else {
                for ((to, low), high) in copy.iter_mut().zip(&row[..words]).zip(&row[1..]) {
                    *to = low >> shift | high << (64 - shift);
                }
            }
        }
    }
}

impl Copies {
    /// Makes the eight copies of `row` (one word longer than what is copied) for source `source` of those
    /// reserved.
    pub fn make(&mut self, isa: Isa, source: usize, row: &[u64]) {
        assert!(row.len() - 1 + SLACK == self.stride);
        let start = source * self.row_words();
        let stride = self.stride;
        isa.run(CopyRow { row, copies: &mut self.data[start..start + 8 * stride], stride });
    }
}

/// Transposes a 64×64 bit matrix.
#[inline(always)]
fn transpose(matrix: &mut [u64; 64]) {
    let mut width = 32;
    let mut mask = 0x0000_0000_ffff_ffffu64;
    while width != 0 {
        for block in matrix.chunks_exact_mut(2 * width) {
            let (low, high) = block.split_at_mut(width);
            for (a, b) in low.iter_mut().zip(high) {
                let swap = (*a >> width ^ *b) & mask;
                *b ^= swap;
                *a ^= swap << width;
            }
        }
        width /= 2;
        mask ^= mask << width;
    }
}

/// See [`sets_of_heaps`].
struct RowsToSets<'a> {
    acc: &'a Accumulator,
    rows: usize,
    lane: usize,
    words: usize,
    sets: &'a mut [u64],
}

impl VectorLoop for RowsToSets<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self, _: Has<V>) {
        let Self { acc, rows, lane, words, sets } = self;
        for k in 0..words {
            for part in 0..NARROW / 64 {
                let mut matrix = [0u64; 64];
                let used = rows.saturating_sub(64 * k).min(64);
                for (row, word) in matrix[..used].iter_mut().enumerate() {
                    *word = acc.words[(64 * k + row) * ACC_STRIDE + lane / 64 + part];
                }
                if used > 0 {
                    transpose(&mut matrix);
                }
                for (heap, word) in matrix.iter().enumerate() {
                    sets[(part * 64 + heap) * words + k] = *word;
                }
            }
        }
    }
}

/// Turns the rows of a narrow block, which starts at lane `lane`, into one set per heap:
/// `sets[heap * words + k]` has the bits of the indices 64k to 64k + 63. Rows from `rows` on count as zero.
pub(crate) fn sets_of_heaps(
    isa: Isa,
    acc: &Accumulator,
    rows: usize,
    lane: usize,
    words: usize,
    sets: &mut [u64],
) {
    isa.run(RowsToSets { acc, rows, lane, words, sets });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pseudo-random words.
    fn words(count: usize, seed: u64) -> Vec<u64> {
        let mut state = seed;
        let mut word = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            state ^ state >> 29
        };
        (0..count).map(|_| word()).collect()
    }

    fn bit(words: &[u64], bit: usize) -> bool {
        words[bit / 64] >> (bit % 64) & 1 == 1
    }

    #[test]
    fn every_instruction_set_ors_the_shifted_rows() {
        let (before, targets) = (300, 4..12);
        for (narrow, sources, lanes) in [(None, 1, WIDE), (Some(512), 4, NARROW)] {
            let length = (before + lanes).div_ceil(64);
            let rows: Vec<Vec<u64>> = (0..sources as u64).map(|k| words(length + 1, 7 + k)).collect();
            let pairs = vec![(0, 1), (0, 17), (2, 64), (9, 300), (12, 0), (13, 5), (31, 2)];
            let shifts = Shifts::build(pairs.clone(), before, length, lanes);
            let start = words(targets.len() * ACC_STRIDE, 3);
            for isa in Isa::available() {
                let mut copies = Copies::default();
                copies.reserve(sources, length);
                rows.iter().enumerate().for_each(|(k, row)| copies.make(isa, k, row));
                let mut acc = start.clone();
                or_shifts(isa, &copies, 4, &shifts, targets.clone(), &mut acc, narrow);
                for (target, lane) in
                    targets.clone().flat_map(|target| (0..WIDE).map(move |lane| (target, lane)))
                {
                    let at = (target - targets.start) * ACC_STRIDE;
                    let first = narrow.unwrap_or(0);
                    let inside = (first..first + lanes).contains(&lane);
                    let ored = |source: usize| {
                        let offsets = pairs.iter().filter(|pair| (4 + source) ^ pair.0 as usize == target);
                        offsets.into_iter().any(|pair| bit(&rows[source], before - pair.1 + lane - first))
                    };
                    let expected = bit(&start[at..], lane) || inside && (0..sources).any(ored);
                    assert_eq!(bit(&acc[at..], lane), expected, "{isa:?} {narrow:?} {target} {lane}");
                }
            }
        }
    }

    #[test]
    fn every_instruction_set_turns_rows_into_sets() {
        let (rows, lane, set_words) = (100, 1024, 3);
        let acc = Accumulator { words: words(192 * ACC_STRIDE, 5) };
        for isa in Isa::available() {
            let mut sets = vec![0; NARROW * set_words];
            sets_of_heaps(isa, &acc, rows, lane, set_words, &mut sets);
            for (heap, index) in
                (0..NARROW).flat_map(|heap| (0..64 * set_words).map(move |index| (heap, index)))
            {
                let expected = index < rows && bit(&acc.words[index * ACC_STRIDE..], lane + heap);
                assert_eq!(bit(&sets[heap * set_words..], index), expected, "{isa:?} {heap} {index}");
            }
        }
    }
}
