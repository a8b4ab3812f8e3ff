//! Thirty-two boards at a time.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use super::super::{Kernel, Simd, TooWide};
use super::{CookieScalar, placement_masks};
use crate::rules::Cutter;
use crate::space::Grid;
use crate::table::Cells;
use crate::waves::{HighBlock, HighSquares, Waves};

/// Squares in which the boards of a vector differ.
const LANE_BITS: u32 = 5;
/// Boards in a vector.
const LANES: usize = 1 << LANE_BITS;

/// For each of 32 boards, which of the values 0..8, 8..16 and 16..24 its options have. Larger values do not matter unless all
/// of 0..24 occur, and then the board is done by the plain loop.
type Seen = [[u8; LANES]; 3];

/// The fast kernel of dense cookie tables.
///
/// Per position and placement: 1/32 load, 1/32 shuffle, 5/32 (large boards: 9/32) further vector operations with AVX2; then
/// about 7 scalar look-ups a position for the placements that stay within the vector. Memory: 1 byte written a position, and
/// a run of 32 bytes read a placement, nearly always from the caches.
#[derive(Debug, Clone)]
pub struct CookieVectors {
    waves: HighSquares,
    placements: Vec<Placement>,
    scalar: CookieScalar,
    simd: Simd,
}

/// A placement, split into what the boards of a vector share and where they differ.
#[derive(Debug, Clone, Copy)]
struct Placement {
    /// The covered squares that all boards of a vector share, as bits of the index.
    shared: u64,
    /// The covered squares among the lowest five.
    lanes: u32,
    /// The lane of the option of each lane, as a byte shuffle within 16 lanes.
    shuffle: [u8; 16],
}

impl CookieVectors {
    /// The kernel for the subsets of `grid`; AVX2 is taken only where the machine has it.
    pub fn new(grid: &Grid, cutter: Cutter, simd: Simd) -> Self {
        let placements = placement_masks(grid, cutter)
            .into_iter()
            .map(|mask| {
                let lanes = mask as u32 % LANES as u32;
                let shuffle = std::array::from_fn(|lane| (lane as u32 & !lanes) as u8);
                Placement { shared: mask & !(LANES as u64 - 1), lanes, shuffle }
            })
            .collect();
        let waves = HighSquares::new(grid.squares() as u32);
        let simd = if simd == Simd::Avx2 { Simd::detect() } else { simd };
        Self { waves, placements, scalar: CookieScalar::new(grid, cutter), simd }
    }

    fn fill_cells(&self, cells: &[AtomicU8], first: u64, length: u64) {
        for base in (first..first + length).step_by(LANES) {
            // The value of n squares is at most n (Lemma 5.0.4), and an option has fewer squares: below 17 squares all
            // options have values below 16.
            let few = base.count_ones() + LANE_BITS <= 16;
            let (seen, inside) = match self.simd {
                #[cfg(target_arch = "x86_64")]
                // SAFETY: `new` takes this variant only where the processor has AVX2.
                Simd::Avx2 if few => unsafe { self.look_avx2::<false>(cells, base) },
                #[cfg(target_arch = "x86_64")]
                // SAFETY: as above.
                Simd::Avx2 => unsafe { self.look_avx2::<true>(cells, base) },
                _ => self.look(cells, base),
            };
            self.settle(cells, base, &seen, inside);
        }
    }

    /// Collects the values of the options outside the vector that begins at `base`, and, as a set of lane masks, the placements
    /// that stay within it.
    fn look(&self, cells: &[AtomicU8], base: u64) -> (Seen, u32) {
        let mut seen = [0u32; LANES];
        let mut inside = 0;
        for placement in &self.placements {
            if base & placement.shared == 0 {
                inside |= 1 << placement.lanes;
                continue;
            }
            let from = (base & !placement.shared) as usize;
            let run = &cells[from..from + LANES];
            for (lane, seen) in seen.iter_mut().enumerate() {
                let value = run[lane & !(placement.lanes as usize)].load(Relaxed);
                *seen |= if value < 24 { 1 << value } else { 0 };
            }
        }
        (std::array::from_fn(|plane| seen.map(|seen| (seen >> (8 * plane)) as u8)), inside)
    }

    /// The same with AVX2; values of 16 and more are looked at only with `LARGE`.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn look_avx2<const LARGE: bool>(&self, cells: &[AtomicU8], base: u64) -> (Seen, u32) {
        use std::arch::x86_64::*;
        let mut result = [[0u8; LANES]; 3];
        let mut inside = 0;
        // SAFETY: all loads and stores are unaligned ones of arrays of 32 bytes or, in `cells`, of 32 bytes whose bounds are
        // checked by the slice. Those entries are finished: they belong to earlier waves, or to this thread's block
        // before `base`, so nobody writes them.
        unsafe {
            // 1, 2, 4, ..., 128 for the nibbles 0..8, and the same for the nibbles 8..16.
            let low_table =
                _mm256_set_epi64x(0, 0x8040_2010_0804_0201_u64 as i64, 0, 0x8040_2010_0804_0201_u64 as i64);
            let high_table =
                _mm256_set_epi64x(0x8040_2010_0804_0201_u64 as i64, 0, 0x8040_2010_0804_0201_u64 as i64, 0);
            let bias = _mm256_set1_epi8(0x70);
            let sixteen = _mm256_set1_epi8(0x10);
            let mut planes = [_mm256_setzero_si256(); 3];
            for placement in &self.placements {
                if base & placement.shared == 0 {
                    inside |= 1u32 << placement.lanes;
                    continue;
                }
                let from = (base & !placement.shared) as usize;
                let run = &cells[from..from + LANES];
                let mut values = _mm256_loadu_si256(run.as_ptr().cast());
                if placement.lanes & 16 != 0 {
                    // Lanes 16.. have their options in lanes ..16.
                    values = _mm256_permute2x128_si256::<0>(values, values);
                }
                if placement.lanes & 15 != 0 {
                    let shuffle = _mm_loadu_si128(placement.shuffle.as_ptr().cast());
                    values = _mm256_shuffle_epi8(values, _mm256_broadcastsi128_si256(shuffle));
                }
                // A value of 16 or more becomes 0x80 or more, for which a shuffle gives 0.
                let index = _mm256_add_epi8(values, bias);
                planes[0] = _mm256_or_si256(planes[0], _mm256_shuffle_epi8(low_table, index));
                planes[1] = _mm256_or_si256(planes[1], _mm256_shuffle_epi8(high_table, index));
                if LARGE {
                    // The values 16..32 become nibbles, and all others 0x80 or more.
                    let index = _mm256_add_epi8(_mm256_xor_si256(values, sixteen), bias);
                    planes[2] = _mm256_or_si256(planes[2], _mm256_shuffle_epi8(low_table, index));
                }
            }
            for (bytes, plane) in result.iter_mut().zip(planes) {
                _mm256_storeu_si256(bytes.as_mut_ptr().cast(), plane);
            }
        }
        (result, inside)
    }

    /// Adds the options within the vector and stores the values.
    #[inline]
    fn settle(&self, cells: &[AtomicU8], base: u64, seen: &Seen, inside: u32) {
        let run = &cells[base as usize..base as usize + LANES];
        // A placement that covers none of the lanes' squares is no move.
        let mut masks = [0usize; LANES];
        let mut count = 0;
        let mut rest = inside & !1;
        while rest != 0 {
            masks[count] = rest.trailing_zeros() as usize;
            count += 1;
            rest &= rest - 1;
        }
        let mut values = [0u8; LANES];
        for lane in 0..LANES {
            let planes = [seen[0][lane], seen[1][lane], seen[2][lane], 0];
            let mut set = u64::from(u32::from_le_bytes(planes));
            for &mask in &masks[..count] {
                // Values are at most 62, the most squares that an index has.
                let bit = 1u64 << values[lane & !mask];
                set |= if lane & mask != 0 { bit } else { 0 };
            }
            let value = set.trailing_ones();
            let value = if value < 24 { value as u16 } else { self.scalar.value(cells, base + lane as u64) };
            values[lane] = value as u8;
            run[lane].store(value as u8, Relaxed);
        }
    }
}

impl Kernel<HighBlock> for CookieVectors {
    fn fill(&self, cells: &Cells<'_>, block: &HighBlock) -> Result<u64, TooWide> {
        match cells {
            Cells::U8(cells) if self.waves.low_bits() >= LANE_BITS => {
                let mut count = 0;
                self.waves.for_each_range(block, &mut |first, length| {
                    self.fill_cells(cells, first, length);
                    count += length;
                });
                Ok(count)
            }
            _ => self.scalar.fill(cells, block),
        }
    }
}
