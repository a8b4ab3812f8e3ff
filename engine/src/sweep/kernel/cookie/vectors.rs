//! Sixty-four boards at a time, in two vectors of AVX2.

use std::sync::atomic::AtomicU8;

use super::super::{Kernel, TooWide};
use super::{CookieScalar, placement_masks};
use crate::base::{Isa, Level};
use crate::rules::Cutter;
use crate::space::Grid;
use crate::table::Cells;
use crate::waves::{HighBlock, HighSquares, Waves};

/// Squares in which the boards of a vector differ.
const LANE_BITS: u32 = 5;
/// Boards in a vector.
const LANES: usize = 1 << LANE_BITS;
/// The square in which the boards of the two vectors of a pair differ, as a bit of the index.
const PAIR: u64 = LANES as u64;

/// The fast kernel of dense cookie tables, for machines with AVX2.
///
/// The values of a board's options are collected as a set of the values below 24, in three bytes. Larger
/// values do not matter unless all of 0..24 occur, and then the board is done by the plain loop.
///
/// Per position and placement: 1/32 load, at most 2/32 shuffles and 5/32 (boards of more than 16 squares:
/// 9/32) further vector operations; for the placements that stay within the vector, up to five rounds of 4/32
/// (6/32). Memory: one byte written per position, and a run of 32 bytes read per placement, nearly always
/// from the caches.
#[derive(Debug, Clone)]
pub struct CookieVectors {
    waves: HighSquares,
    placements: Vec<Placement>,
    /// What each set of covered lanes' squares does to the lanes.
    lane_cuts: Vec<LaneCut>,
    scalar: CookieScalar,
}

/// A placement, split into what the boards of a vector share and where they differ.
#[derive(Debug, Clone, Copy)]
struct Placement {
    /// The covered squares that all boards of a vector share, as bits of the index.
    shared: u64,
    /// The covered squares among the lowest five.
    lanes: usize,
}

/// The removal of some of the lowest five squares, as controls of a byte shuffle, which goes within 16 lanes.
#[derive(Debug, Clone, Copy)]
struct LaneCut {
    /// The lane of each lane's option.
    shuffle: [u8; 16],
    /// The same, but 0x80, which shuffles a zero in, for the lanes that lose nothing: there the removal is
    /// not a move.
    moves: [u8; LANES],
}

impl LaneCut {
    fn new(removed: usize) -> Self {
        let option = |lane: usize| (lane & !removed & 15) as u8;
        Self {
            shuffle: std::array::from_fn(option),
            moves: std::array::from_fn(|lane| if lane & removed == 0 { 0x80 } else { option(lane) }),
        }
    }
}

impl CookieVectors {
    /// The kernel for the subsets of `grid`; `None` where `isa` is without AVX2 or the grid has too few
    /// squares.
    pub fn new(grid: &Grid, cutter: Cutter, isa: Isa) -> Option<Self> {
        let waves = HighSquares::new(grid.squares() as u32);
        if isa.level() < Level::Avx2 || waves.low_bits() <= LANE_BITS {
            return None;
        }
        let split =
            |mask: u64| Placement { shared: mask & !(LANES as u64 - 1), lanes: mask as usize % LANES };
        Some(Self {
            waves,
            placements: placement_masks(grid, cutter).into_iter().map(split).collect(),
            lane_cuts: (0..LANES).map(LaneCut::new).collect(),
            scalar: CookieScalar::new(grid, cutter),
        })
    }

    /// Does again, by the plain loop, the boards of a vector whose options have all values below 24.
    #[cold]
    fn redo(&self, cells: &[AtomicU8], base: u64, lanes: u32) {
        use std::sync::atomic::Ordering::Relaxed;
        // In increasing order: the options of a board are before it.
        for lane in (0..LANES as u64).filter(|lane| lanes >> lane & 1 == 1) {
            let value = self.scalar.value(cells, base + lane);
            cells[(base + lane) as usize].store(value as u8, Relaxed);
        }
    }
}

impl Kernel<HighBlock> for CookieVectors {
    fn fill(&self, cells: &Cells<'_>, block: &HighBlock) -> Result<u64, TooWide> {
        match cells {
            #[cfg(target_arch = "x86_64")]
            Cells::U8(cells) => {
                let mut count = 0;
                self.waves.for_each_range(block, &mut |first, length| {
                    for base in (first..first + length).step_by(2 * LANES) {
                        // The value of n squares is at most n (Lemma 5.0.4), and an option has fewer squares:
                        // up to 16 squares all options have values below 16.
                        if base.count_ones() + 1 + LANE_BITS <= 16 {
                            // SAFETY: `new` makes a kernel only where the machine has AVX2.
                            unsafe { avx2::fill_pair::<false>(self, cells, base) }
                        } else {
                            // SAFETY: as above.
                            unsafe { avx2::fill_pair::<true>(self, cells, base) }
                        }
                    }
                    count += length;
                });
                Ok(count)
            }
            _ => self.scalar.fill(cells, block),
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;
    use std::sync::atomic::AtomicU8;

    use super::{CookieVectors, LANES, PAIR};
    use crate::base::simd::shared;

    /// The values below 8, from 8 to 15 and from 16 to 23 that were seen, for each lane.
    type Planes = [__m256i; 3];

    /// The value of each lane, as indices for a byte shuffle: those below 16 (others have the high bit set),
    /// and those from 16 to 31, less 16.
    type Indices = [__m256i; 2];

    /// Fills the 64 entries from `base` on. Most placements meet squares that all these boards have: what
    /// they leave lies at the same distance for both vectors, or in the same run if they cover the square of
    /// [`PAIR`] too.
    #[target_feature(enable = "avx2")]
    pub(super) fn fill_pair<const LARGE: bool>(kernel: &CookieVectors, cells: &[AtomicU8], base: u64) {
        let mut first = [_mm256_setzero_si256(); 3];
        let mut second = first;
        // The removals within both vectors, and those from the second vector to the first, which for the
        // first are removals within it.
        let (mut inside, mut across) = (0u32, 0u32);
        for placement in &kernel.placements {
            if base & placement.shared == 0 {
                let set = if placement.shared & PAIR == 0 { &mut inside } else { &mut across };
                *set |= 1 << placement.lanes;
                continue;
            }
            let from = (base & !placement.shared) as usize;
            let run = &cells[from..from + 2 * LANES];
            let distance = (PAIR & !placement.shared) as usize;
            // SAFETY: the run has 64 bytes, and `distance` is 0 or 32.
            let mut values = unsafe {
                [shared::load_u8_256(run.as_ptr(), 0), shared::load_u8_256(run.as_ptr(), distance)]
            };
            if placement.lanes != 0 {
                values = values.map(|values| cut(kernel, placement.lanes, values));
            }
            mark::<LARGE>(&mut first, indices::<LARGE>(values[0]));
            mark::<LARGE>(&mut second, indices::<LARGE>(values[1]));
        }
        // The removal of no lane's square is not a move within a vector.
        let values = settle::<LARGE>(kernel, first, (inside | across) & !1);
        let values = finish::<LARGE>(kernel, cells, base, values);
        for_each_bit(across, |removed| {
            mark::<LARGE>(&mut second, indices::<LARGE>(cut(kernel, removed, values)));
        });
        let values = settle::<LARGE>(kernel, second, inside & !1);
        finish::<LARGE>(kernel, cells, base + PAIR, values);
    }

    /// Writes the values of a vector, after the plain loop has done those that are too large; returns them.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn finish<const LARGE: bool>(
        kernel: &CookieVectors,
        cells: &[AtomicU8],
        base: u64,
        values: __m256i,
    ) -> __m256i {
        let run = &cells[base as usize..base as usize + LANES];
        // SAFETY: the run has 32 bytes.
        unsafe { shared::store_u8_256(run.as_ptr(), values) };
        if LARGE {
            let full = _mm256_cmpeq_epi8(values, _mm256_set1_epi8(24));
            let lanes = _mm256_movemask_epi8(full) as u32;
            if lanes != 0 {
                kernel.redo(cells, base, lanes);
                // SAFETY: as above.
                return unsafe { shared::load_u8_256(run.as_ptr(), 0) };
            }
        }
        values
    }

    /// The values of all lanes, from what they have seen outside the vector and the removals inside.
    ///
    /// An option inside has fewer of the five squares. So the first round is right for the lanes that have
    /// none of the squares that removals cover, and each further round for those that have one more. A lane
    /// that has not got its value yet spoils nothing, because every round begins with what was seen outside.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn settle<const LARGE: bool>(kernel: &CookieVectors, outside: Planes, inside: u32) -> __m256i {
        let mut covered = 0;
        for_each_bit(inside, |removed| covered |= removed);
        let mut planes = outside;
        for _ in 0..covered.count_ones() {
            let own = least_missing::<LARGE>(&planes);
            // The options of lanes 16.. that lose the square of 16 are among lanes ..16.
            let low = own.map(|plane| _mm256_permute2x128_si256::<0>(plane, plane));
            planes = outside;
            let mut see = |removed: usize, values: &Planes| {
                // SAFETY: the array has 32 bytes.
                let moves = unsafe { _mm256_loadu_si256(kernel.lane_cuts[removed].moves.as_ptr().cast()) };
                for plane in 0..if LARGE { 3 } else { 2 } {
                    planes[plane] = _mm256_or_si256(planes[plane], _mm256_shuffle_epi8(values[plane], moves));
                }
            };
            for_each_bit(inside & 0xffff, |removed| see(removed, &own));
            for_each_bit(inside >> 16, |removed| see(removed + 16, &low));
        }
        mex::<LARGE>(&planes)
    }

    #[inline]
    fn for_each_bit(mut bits: u32, mut visit: impl FnMut(usize)) {
        while bits != 0 {
            visit(bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }

    /// Gives every lane the value of the lane that it becomes.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn cut(kernel: &CookieVectors, removed: usize, values: __m256i) -> __m256i {
        let values = if removed & 16 != 0 { _mm256_permute2x128_si256::<0>(values, values) } else { values };
        // SAFETY: the array has 16 bytes.
        let shuffle = unsafe { _mm_loadu_si128(kernel.lane_cuts[removed].shuffle.as_ptr().cast()) };
        _mm256_shuffle_epi8(values, _mm256_broadcastsi128_si256(shuffle))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn indices<const LARGE: bool>(values: __m256i) -> Indices {
        // A value of 16 or more becomes 0x80 or more, for which a shuffle gives 0; so do, after the exchange
        // of 0..16 and 16..32, those below 16 and above 31. Values are at most 62.
        let bias = _mm256_set1_epi8(0x70);
        let large = if LARGE { _mm256_xor_si256(values, _mm256_set1_epi8(0x10)) } else { values };
        [_mm256_add_epi8(values, bias), _mm256_add_epi8(large, bias)]
    }

    /// Adds values to the sets.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn mark<const LARGE: bool>(planes: &mut Planes, indices: Indices) {
        // 1, 2, 4, ..., 128 for the nibbles 0..8, and the same for the nibbles 8..16.
        const POWERS: i64 = 0x8040_2010_0804_0201_u64 as i64;
        let low = _mm256_set_epi64x(0, POWERS, 0, POWERS);
        let high = _mm256_set_epi64x(POWERS, 0, POWERS, 0);
        planes[0] = _mm256_or_si256(planes[0], _mm256_shuffle_epi8(low, indices[0]));
        planes[1] = _mm256_or_si256(planes[1], _mm256_shuffle_epi8(high, indices[0]));
        if LARGE {
            planes[2] = _mm256_or_si256(planes[2], _mm256_shuffle_epi8(low, indices[1]));
        }
    }

    /// The least value that each lane has not seen, as a set of one value; empty if there is none below 24.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn least_missing<const LARGE: bool>(planes: &Planes) -> Planes {
        let full = _mm256_set1_epi8(-1);
        // Adding 1 to a byte sets its lowest clear bit and clears those below it; 255 becomes 0.
        let lowest = |plane| _mm256_andnot_si256(plane, _mm256_sub_epi8(plane, full));
        let below_8 = _mm256_cmpeq_epi8(planes[0], full);
        let second = _mm256_and_si256(lowest(planes[1]), below_8);
        let third = if LARGE {
            let below_16 = _mm256_and_si256(below_8, _mm256_cmpeq_epi8(planes[1], full));
            _mm256_and_si256(lowest(planes[2]), below_16)
        } else {
            planes[2]
        };
        [lowest(planes[0]), second, third]
    }

    /// The least value that each lane has not seen; 24 if there is none below.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn mex<const LARGE: bool>(planes: &Planes) -> __m256i {
        let first = clear_bit(planes[0]);
        let second = _mm256_adds_epu8(clear_bit(planes[1]), _mm256_set1_epi8(8));
        let third = if LARGE {
            _mm256_min_epu8(
                _mm256_adds_epu8(clear_bit(planes[2]), _mm256_set1_epi8(16)),
                _mm256_set1_epi8(24),
            )
        } else {
            // Sets of at most 16 values below 16 that lack none: the board has 16 squares and value 16.
            _mm256_set1_epi8(16)
        };
        _mm256_min_epu8(first, _mm256_min_epu8(second, third))
    }

    /// The lowest clear bit of each byte; 255 if there is none.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn clear_bit(bytes: __m256i) -> __m256i {
        let nibbles = _mm256_set1_epi8(0x0f);
        // The lowest clear bit of a nibble, for the low and the high one.
        let low = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0, -1));
        let high =
            _mm256_broadcastsi128_si256(_mm_setr_epi8(4, 5, 4, 6, 4, 5, 4, 7, 4, 5, 4, 6, 4, 5, 4, -1));
        let in_low = _mm256_shuffle_epi8(low, _mm256_and_si256(bytes, nibbles));
        let in_high = _mm256_shuffle_epi8(high, _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), nibbles));
        _mm256_min_epu8(in_low, in_high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Space;

    #[test]
    fn every_instruction_set_fills_what_the_plain_loop_does() {
        for (rows, cols, cutter) in [(1, 7, "2"), (2, 4, "inf"), (4, 4, "2"), (3, 6, "3"), (2, 9, "inf")] {
            let grid = Grid::new(rows, cols).unwrap();
            let cutter: Cutter = cutter.parse().unwrap();
            let waves = HighSquares::new(grid.squares() as u32);
            let values = |kernel: &dyn Kernel<HighBlock>| {
                let cells: Vec<AtomicU8> = (0..grid.len()).map(|_| AtomicU8::new(0)).collect();
                for block in (0..waves.count()).flat_map(|wave| waves.blocks(wave)) {
                    kernel.fill(&Cells::U8(&cells), &block).unwrap();
                }
                cells.into_iter().map(AtomicU8::into_inner).collect::<Vec<_>>()
            };
            let expected = values(&CookieScalar::new(&grid, cutter));
            for isa in Isa::available() {
                let kernel = CookieVectors::new(&grid, cutter, isa);
                assert_eq!(kernel.is_some(), isa > Isa::PORTABLE, "{rows}x{cols}");
                assert!(kernel.is_none_or(|kernel| values(&kernel) == expected), "{rows}x{cols} {isa:?}");
            }
        }
    }
}
