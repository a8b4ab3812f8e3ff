//! Vectors of nim-values: 32 heaps an instruction with AVX-512, 16 with AVX2, and plain arrays elsewhere. The loops that use
//! them are written once, for any such vector.

use super::bits::Isa;

/// A vector of nim-values.
///
/// # Safety
/// Its methods may be called only where the machine has the instructions.
pub(super) unsafe trait Lanes: Copy {
    const COUNT: usize;
    /// # Safety
    /// `from..from + COUNT` must be readable.
    unsafe fn load(from: *const u16) -> Self;
    /// # Safety
    /// `to..to + COUNT` must be writable.
    unsafe fn store(self, to: *mut u16);
    unsafe fn splat(value: u16) -> Self;
    unsafe fn xor(self, other: Self) -> Self;
    unsafe fn min(self, other: Self) -> Self;
    /// The last lane first.
    unsafe fn reversed(self) -> Self;
    unsafe fn has_zero(self) -> bool;
}

// SAFETY: every machine has these.
unsafe impl Lanes for [u16; 16] {
    const COUNT: usize = 16;
    #[inline(always)]
    unsafe fn load(from: *const u16) -> Self {
        // SAFETY: the caller's promise.
        unsafe { from.cast::<Self>().read_unaligned() }
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut u16) {
        // SAFETY: the caller's promise.
        unsafe { to.cast::<Self>().write_unaligned(self) }
    }
    #[inline(always)]
    unsafe fn splat(value: u16) -> Self {
        [value; 16]
    }
    #[inline(always)]
    unsafe fn xor(self, other: Self) -> Self {
        std::array::from_fn(|k| self[k] ^ other[k])
    }
    #[inline(always)]
    unsafe fn min(self, other: Self) -> Self {
        std::array::from_fn(|k| self[k].min(other[k]))
    }
    #[inline(always)]
    unsafe fn reversed(self) -> Self {
        std::array::from_fn(|k| self[15 - k])
    }
    #[inline(always)]
    unsafe fn has_zero(self) -> bool {
        self.contains(&0)
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::Lanes;
    use std::arch::x86_64::*;

    // SAFETY: the caller has AVX2.
    unsafe impl Lanes for __m256i {
        const COUNT: usize = 16;
        #[inline(always)]
        unsafe fn load(from: *const u16) -> Self {
            // SAFETY: the caller's promise.
            unsafe { _mm256_loadu_si256(from.cast()) }
        }
        #[inline(always)]
        unsafe fn store(self, to: *mut u16) {
            // SAFETY: the caller's promise.
            unsafe { _mm256_storeu_si256(to.cast(), self) }
        }
        #[inline(always)]
        unsafe fn splat(value: u16) -> Self {
            // SAFETY: the caller's promise.
            unsafe { _mm256_set1_epi16(value as i16) }
        }
        #[inline(always)]
        unsafe fn xor(self, other: Self) -> Self {
            // SAFETY: the caller's promise.
            unsafe { _mm256_xor_si256(self, other) }
        }
        #[inline(always)]
        unsafe fn min(self, other: Self) -> Self {
            // SAFETY: the caller's promise.
            unsafe { _mm256_min_epu16(self, other) }
        }
        #[inline(always)]
        unsafe fn reversed(self) -> Self {
            // SAFETY: the caller's promise.
            unsafe {
                // Reverses the eight words of each half; then the halves are swapped.
                let order = _mm_setr_epi8(14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1);
                let halves = _mm256_shuffle_epi8(self, _mm256_broadcastsi128_si256(order));
                _mm256_permute4x64_epi64::<0b01_00_11_10>(halves)
            }
        }
        #[inline(always)]
        unsafe fn has_zero(self) -> bool {
            // SAFETY: the caller's promise.
            unsafe { _mm256_movemask_epi8(_mm256_cmpeq_epi16(self, _mm256_setzero_si256())) != 0 }
        }
    }

    // SAFETY: the caller has AVX-512 F and BW.
    unsafe impl Lanes for __m512i {
        const COUNT: usize = 32;
        #[inline(always)]
        unsafe fn load(from: *const u16) -> Self {
            // SAFETY: the caller's promise.
            unsafe { _mm512_loadu_si512(from.cast()) }
        }
        #[inline(always)]
        unsafe fn store(self, to: *mut u16) {
            // SAFETY: the caller's promise.
            unsafe { _mm512_storeu_si512(to.cast(), self) }
        }
        #[inline(always)]
        unsafe fn splat(value: u16) -> Self {
            // SAFETY: the caller's promise.
            unsafe { _mm512_set1_epi16(value as i16) }
        }
        #[inline(always)]
        unsafe fn xor(self, other: Self) -> Self {
            // SAFETY: the caller's promise.
            unsafe { _mm512_xor_si512(self, other) }
        }
        #[inline(always)]
        unsafe fn min(self, other: Self) -> Self {
            // SAFETY: the caller's promise.
            unsafe { _mm512_min_epu16(self, other) }
        }
        #[inline(always)]
        unsafe fn reversed(self) -> Self {
            const ORDER: [u16; 32] = {
                let mut order = [0; 32];
                let mut k = 0;
                while k < 32 {
                    order[k] = 31 - k as u16;
                    k += 1;
                }
                order
            };
            // SAFETY: the caller's promise; the order has 64 bytes.
            unsafe { _mm512_permutexvar_epi16(_mm512_loadu_si512(ORDER.as_ptr().cast()), self) }
        }
        #[inline(always)]
        unsafe fn has_zero(self) -> bool {
            // SAFETY: the caller's promise.
            unsafe { _mm512_testn_epi16_mask(self, self) != 0 }
        }
    }
}

/// A loop that is written for any [`Lanes`].
pub(super) trait Loop {
    type Output;
    /// # Safety
    /// The machine must have the instructions of `V`.
    unsafe fn run<V: Lanes>(self) -> Self::Output;
}

impl Isa {
    /// Runs the loop with the widest vectors.
    #[inline]
    pub(super) fn run<L: Loop>(self, work: L) -> L::Output {
        // SAFETY: an Isa above Portable comes from `Isa::detect`.
        unsafe {
            match self {
                #[cfg(target_arch = "x86_64")]
                Self::Avx512 => avx512(work),
                #[cfg(target_arch = "x86_64")]
                Self::Avx2 => avx2(work),
                _ => work.run::<[u16; 16]>(),
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw")]
unsafe fn avx512<L: Loop>(work: L) -> L::Output {
    // SAFETY: the caller's promise.
    unsafe { work.run::<std::arch::x86_64::__m512i>() }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn avx2<L: Loop>(work: L) -> L::Output {
    // SAFETY: the caller's promise.
    unsafe { work.run::<std::arch::x86_64::__m256i>() }
}
