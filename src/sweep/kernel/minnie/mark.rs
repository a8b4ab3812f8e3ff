//! Marks the values of many rows in bitsets that lie in planes: the inner loop of the value kernels.
//!
//! A 64-bit shift by 64 or more gives 0 in AVX2 and AVX-512, so that `1 << (value - 64w)` is the bit of `value` in plane w,
//! or nothing. Four or eight cells and up to four planes are kept in registers while all rows pass.

use super::Simd;
use crate::table::ValueCell;

/// Cells are taken in groups of this many, or of half as many.
const LANES: usize = 8;

/// The length of a plane for a row of `length` cells: whole groups.
pub fn lanes(length: usize) -> usize {
    length.next_multiple_of(LANES)
}

/// Marks values with the instructions of this machine.
#[derive(Debug, Clone, Copy)]
pub struct Mark {
    simd: Simd,
}

impl Mark {
    /// With these instructions, or the best that the machine has below them.
    pub fn new(simd: Simd) -> Self {
        Self { simd: simd.min(Simd::detect()) }
    }

    /// For every row that begins at a cell of `sources`, marks the value of its cell `i` in cell `i` of the planes. The
    /// planes have `stride` words each (from [`lanes`]); values beyond the last plane are left out. What is marked in the
    /// cells of a plane behind the row's own length means nothing.
    #[inline]
    pub fn rows<C: ValueCell>(self, planes: &mut [u64], stride: usize, cells: &[C], sources: &[usize]) {
        let inside = sources.iter().all(|&source| source + stride <= cells.len());
        match self.simd {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `new` has checked for AVX2, and every cell that is loaded is inside.
            Simd::Avx2 if inside => unsafe { avx2::rows(planes, stride, cells, sources) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `new` has checked for AVX-512, and every cell that is loaded is inside.
            Simd::Avx512 if inside => unsafe { avx512::rows(planes, stride, cells, sources) },
            _ => rows_portable(planes, stride, cells, sources),
        }
    }
}

fn rows_portable<C: ValueCell>(planes: &mut [u64], stride: usize, cells: &[C], sources: &[usize]) {
    for &source in sources {
        for (i, cell) in cells[source..].iter().take(stride).enumerate() {
            let value = usize::from(cell.get());
            if let Some(word) = planes.get_mut(value / 64 * stride + i) {
                *word |= 1 << (value % 64);
            }
        }
    }
}

/// The loops over planes and cells for one length of a vector, in a module of its own. A macro and not a generic function:
/// only in a function that has the feature itself is a shift by 64 or more compiled to the one instruction that it is.
#[cfg(target_arch = "x86_64")]
macro_rules! marking {
    (
        $module:ident, $feature:literal, $vector:ident,
        $splat:ident, $load:ident, $store:ident, $or:ident, $subtract:ident, $shift:ident,
        bytes: |$byte:ident| $from_bytes:expr, words: |$word:ident| $from_words:expr
    ) => {
        mod $module {
            use crate::table::ValueCell;
            use std::arch::x86_64::*;

            /// # Safety
            /// The instructions must be there, and `source + stride <= cells.len()` for every source.
            #[target_feature(enable = $feature)]
            pub unsafe fn rows<C: ValueCell>(
                planes: &mut [u64],
                stride: usize,
                cells: &[C],
                sources: &[usize],
            ) {
                let count = planes.len() / stride;
                let mut plane = 0;
                while plane < count {
                    let group = (count - plane).min(4);
                    let planes = &mut planes[plane * stride..];
                    // SAFETY: as the caller promises; the group's planes lie in `planes`.
                    unsafe {
                        match group {
                            1 => mark_group::<C, 1>(planes, plane, stride, cells, sources),
                            2 => mark_group::<C, 2>(planes, plane, stride, cells, sources),
                            3 => mark_group::<C, 3>(planes, plane, stride, cells, sources),
                            _ => mark_group::<C, 4>(planes, plane, stride, cells, sources),
                        }
                    }
                    plane += group;
                }
            }

            /// # Safety
            /// As for [`rows`], and `planes` holds at least `W * stride` words.
            #[target_feature(enable = $feature)]
            unsafe fn mark_group<C: ValueCell, const W: usize>(
                planes: &mut [u64],
                first_plane: usize,
                stride: usize,
                cells: &[C],
                sources: &[usize],
            ) {
                let one = $splat(1);
                let cells = cells.as_ptr();
                debug_assert!(planes.len() >= W * stride);
                let base = planes.as_mut_ptr();
                for i in (0..stride).step_by(size_of::<$vector>() / size_of::<u64>()) {
                    // SAFETY: plane w < W, the cells of a vector from i on are inside in the plane and in every source, as
                    // the caller promises. Cells behind a row may change meanwhile; their lanes are not used.
                    unsafe {
                        let target = |w: usize| base.add(w * stride + i).cast::<$vector>();
                        let mut seen: [$vector; W] = std::array::from_fn(|w| $load(target(w)));
                        for &source in sources {
                            let at = cells.add(source + i);
                            let values = if size_of::<C>() == 1 {
                                let $byte = at;
                                $from_bytes
                            } else {
                                let $word = at;
                                $from_words
                            };
                            for (w, seen) in seen.iter_mut().enumerate() {
                                let plane = $splat(64 * (first_plane + w) as i64);
                                *seen = $or(*seen, $shift(one, $subtract(values, plane)));
                            }
                        }
                        for (w, seen) in seen.iter().enumerate() {
                            $store(target(w), *seen);
                        }
                    }
                }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
marking!(
    avx2, "avx2", __m256i,
    _mm256_set1_epi64x, _mm256_loadu_si256, _mm256_storeu_si256, _mm256_or_si256, _mm256_sub_epi64, _mm256_sllv_epi64,
    bytes: |at| _mm256_cvtepu8_epi64(_mm_cvtsi32_si128(at.cast::<i32>().read_unaligned())),
    words: |at| _mm256_cvtepu16_epi64(_mm_loadl_epi64(at.cast()))
);

#[cfg(target_arch = "x86_64")]
marking!(
    avx512, "avx512f", __m512i,
    _mm512_set1_epi64, _mm512_loadu_si512, _mm512_storeu_si512, _mm512_or_si512, _mm512_sub_epi64, _mm512_sllv_epi64,
    bytes: |at| _mm512_cvtepu8_epi64(_mm_loadl_epi64(at.cast())),
    words: |at| _mm512_cvtepu16_epi64(_mm_loadu_si128(at.cast()))
);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::sync::atomic::{AtomicU8, AtomicU16};

    fn compare<C: ValueCell>(cells: &[C], count: usize, length: usize, sources: &[usize]) {
        let stride = lanes(length);
        let marked = [Simd::Portable, Simd::Avx2, Simd::Avx512].map(|simd| {
            let mut planes = vec![0; count * stride];
            Mark::new(simd).rows(&mut planes, stride, cells, sources);
            planes
        });
        for i in 0..length {
            for value in 0..64 * count {
                let bit = |planes: &[u64]| planes[value / 64 * stride + i] >> (value % 64) & 1 == 1;
                let expected = sources.iter().any(|&source| usize::from(cells[source + i].get()) == value);
                assert!(marked.iter().all(|planes| bit(planes) == expected));
            }
        }
    }

    proptest! {
        #[test]
        fn all_ways_mark_the_values(values in proptest::collection::vec(0u16..400, 40..90), count in 1usize..7, length in 1usize..14, sources in proptest::collection::vec(0usize..26, 0..9)) {
            let wide: Vec<AtomicU16> = values.iter().map(|&v| AtomicU16::new(v)).collect();
            compare(&wide, count, length, &sources);
            let narrow: Vec<AtomicU8> = values.iter().map(|&v| AtomicU8::new(v as u8)).collect();
            compare(&narrow, count, length, &sources);
        }
    }
}
