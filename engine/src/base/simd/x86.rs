//! The vectors of AVX2 and AVX-512.

use std::arch::x86_64::*;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU64};

use super::block::{Block, WORDS};
use super::{Has, Vector, VectorLoop, shared};

/// # Safety
/// The machine must have AVX2.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn run_avx2<L: VectorLoop>(work: L) -> L::Output {
    // SAFETY: the caller's promise.
    work.run(unsafe { Has::<Avx2>::promised() })
}

/// # Safety
/// The machine must have AVX2 and AVX-512 F and BW.
#[target_feature(enable = "avx2,avx512f,avx512bw")]
pub(super) unsafe fn run_avx512<L: VectorLoop>(work: L) -> L::Output {
    // SAFETY: the caller's promise.
    work.run(unsafe { Has::<Avx512>::promised() })
}

/// 256 bits. Exists only where the machine has AVX2.
#[derive(Clone, Copy)]
pub(super) struct Avx2(__m256i);

/// 512 bits. Exists only where the machine has AVX-512 F and BW.
#[derive(Clone, Copy)]
pub(super) struct Avx512(__m512i);

/// What the two share but for the names of the instructions. Every operation is sound because the vector that
/// it is given, or the proof, exists only where the machine has the instructions.
macro_rules! vector {
    (
        $vector:ident, $bytes:literal,
        load: $load:ident, store: $store:ident,
        load_shared: $load_shared:ident, widen_u8: $widen_u8:ident, widen_u16: $widen_u16:ident,
        splat_u8: $splat_u8:ident, splat_u16: $splat_u16:ident, splat_u64: $splat_u64:ident,
        and: $and:ident, or: $or:ident, xor: $xor:ident, min_u8: $min_u8:ident, min_u16: $min_u16:ident,
        add_saturating_u8: $add_saturating_u8:ident, look_up_u8: $look_up_u8:ident,
        subtract_u64: $subtract_u64:ident,
        shift_left: $shift_left:ident, shift_right: $shift_right:ident, shift_left_each: $shift_left_each:ident,
        is_all_ones: |$ones:ident| $is_all_ones:expr,
        reverse_u16: |$ordered:ident| $reverse_u16:expr,
        has_zero_u16: |$tested:ident| $has_zero_u16:expr
    ) => {
        impl Vector for $vector {
            type Block = Avx2;
            const BYTES: usize = $bytes;

            #[inline(always)]
            unsafe fn load<T>(_: Has<Self>, from: *const T) -> Self {
                // SAFETY: the caller's promise.
                Self(unsafe { $load(from.cast()) })
            }
            #[inline(always)]
            unsafe fn store<T>(self, to: *mut T) {
                // SAFETY: the caller's promise.
                unsafe { $store(to.cast(), self.0) }
            }
            #[inline(always)]
            unsafe fn load_shared(_: Has<Self>, cells: *const AtomicU64, at: usize) -> Self {
                // SAFETY: the caller's promise.
                Self(unsafe { shared::$load_shared(cells, at) })
            }
            #[inline(always)]
            unsafe fn widen_u8(_: Has<Self>, cells: *const AtomicU8, at: usize) -> Self {
                // SAFETY: the caller's promise.
                Self(unsafe { shared::$widen_u8(cells, at) })
            }
            #[inline(always)]
            unsafe fn widen_u16(_: Has<Self>, cells: *const AtomicU16, at: usize) -> Self {
                // SAFETY: the caller's promise.
                Self(unsafe { shared::$widen_u16(cells, at) })
            }
            #[inline(always)]
            fn splat_u8(_: Has<Self>, value: u8) -> Self {
                // SAFETY: see above.
                Self(unsafe { $splat_u8(value as i8) })
            }
            #[inline(always)]
            fn splat_u16(_: Has<Self>, value: u16) -> Self {
                // SAFETY: see above.
                Self(unsafe { $splat_u16(value as i16) })
            }
            #[inline(always)]
            fn splat_u64(_: Has<Self>, value: u64) -> Self {
                // SAFETY: see above.
                Self(unsafe { $splat_u64(value as i64) })
            }
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                // SAFETY: see above.
                Self(unsafe { $and(self.0, other.0) })
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                // SAFETY: see above.
                Self(unsafe { $or(self.0, other.0) })
            }
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                // SAFETY: see above.
                Self(unsafe { $xor(self.0, other.0) })
            }
            #[inline(always)]
            fn min_u8(self, other: Self) -> Self {
                // SAFETY: see above.
                Self(unsafe { $min_u8(self.0, other.0) })
            }
            #[inline(always)]
            fn add_saturating_u8(self, other: Self) -> Self {
                // SAFETY: see above.
                Self(unsafe { $add_saturating_u8(self.0, other.0) })
            }
            #[inline(always)]
            fn look_up_u8(self, places: Self) -> Self {
                // SAFETY: see above.
                Self(unsafe { $look_up_u8(self.0, places.0) })
            }
            #[inline(always)]
            fn min_u16(self, other: Self) -> Self {
                // SAFETY: see above.
                Self(unsafe { $min_u16(self.0, other.0) })
            }
            #[inline(always)]
            fn subtract_u64(self, other: Self) -> Self {
                // SAFETY: see above.
                Self(unsafe { $subtract_u64(self.0, other.0) })
            }
            #[inline(always)]
            fn shift_left_u64(self, bits: u32) -> Self {
                // SAFETY: see above.
                Self(unsafe { $shift_left(self.0, _mm_cvtsi64_si128(bits.into())) })
            }
            #[inline(always)]
            fn shift_right_u64(self, bits: u32) -> Self {
                // SAFETY: see above.
                Self(unsafe { $shift_right(self.0, _mm_cvtsi64_si128(bits.into())) })
            }
            #[inline(always)]
            fn shift_left_each_u64(self, bits: Self) -> Self {
                // SAFETY: see above.
                Self(unsafe { $shift_left_each(self.0, bits.0) })
            }
            #[inline(always)]
            fn is_all_ones(self) -> bool {
                let $ones = self.0;
                // SAFETY: see above.
                unsafe { $is_all_ones }
            }
            #[inline(always)]
            fn reverse_u16(self) -> Self {
                let $ordered = self.0;
                // SAFETY: see above.
                Self(unsafe { $reverse_u16 })
            }
            #[inline(always)]
            fn has_zero_u16(self) -> bool {
                let $tested = self.0;
                // SAFETY: see above.
                unsafe { $has_zero_u16 }
            }
        }
    };
}

vector!(
    Avx2, 32,
    load: _mm256_loadu_si256, store: _mm256_storeu_si256,
    load_shared: load_u64_256, widen_u8: widen_u8_256, widen_u16: widen_u16_256,
    splat_u8: _mm256_set1_epi8, splat_u16: _mm256_set1_epi16, splat_u64: _mm256_set1_epi64x,
    and: _mm256_and_si256, or: _mm256_or_si256, xor: _mm256_xor_si256,
    min_u8: _mm256_min_epu8, min_u16: _mm256_min_epu16,
    add_saturating_u8: _mm256_adds_epu8, look_up_u8: _mm256_shuffle_epi8, subtract_u64: _mm256_sub_epi64,
    shift_left: _mm256_sll_epi64, shift_right: _mm256_srl_epi64, shift_left_each: _mm256_sllv_epi64,
    is_all_ones: |vector| _mm256_testc_si256(vector, _mm256_set1_epi64x(-1)) == 1,
    reverse_u16: |vector| {
        // Reverses the eight words of each half; then the halves are swapped.
        let order = _mm_setr_epi8(14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1);
        let halves = _mm256_shuffle_epi8(vector, _mm256_broadcastsi128_si256(order));
        _mm256_permute4x64_epi64::<0b01_00_11_10>(halves)
    },
    has_zero_u16: |vector| _mm256_movemask_epi8(_mm256_cmpeq_epi16(vector, _mm256_setzero_si256())) != 0
);

/// 31, 30, ..., 0.
const REVERSED: [u16; 32] = {
    let mut order = [0; 32];
    let mut k = 0;
    while k < 32 {
        order[k] = 31 - k as u16;
        k += 1;
    }
    order
};

vector!(
    Avx512, 64,
    load: _mm512_loadu_si512, store: _mm512_storeu_si512,
    load_shared: load_u64_512, widen_u8: widen_u8_512, widen_u16: widen_u16_512,
    splat_u8: _mm512_set1_epi8, splat_u16: _mm512_set1_epi16, splat_u64: _mm512_set1_epi64,
    and: _mm512_and_si512, or: _mm512_or_si512, xor: _mm512_xor_si512,
    min_u8: _mm512_min_epu8, min_u16: _mm512_min_epu16,
    add_saturating_u8: _mm512_adds_epu8, look_up_u8: _mm512_shuffle_epi8, subtract_u64: _mm512_sub_epi64,
    shift_left: _mm512_sll_epi64, shift_right: _mm512_srl_epi64, shift_left_each: _mm512_sllv_epi64,
    is_all_ones: |vector| _mm512_cmpneq_epi64_mask(vector, _mm512_set1_epi64(-1)) == 0,
    reverse_u16: |vector| _mm512_permutexvar_epi16(_mm512_loadu_si512(REVERSED.as_ptr().cast()), vector),
    has_zero_u16: |vector| _mm512_testn_epi16_mask(vector, vector) != 0
);

impl Block for Avx2 {
    #[inline(always)]
    fn new(_: Has<Self>, words: [u64; WORDS]) -> Self {
        // SAFETY: both are 32 bytes of plain numbers.
        Self(unsafe { std::mem::transmute::<[u64; WORDS], __m256i>(words) })
    }
    #[inline(always)]
    fn words(self) -> [u64; WORDS] {
        // SAFETY: both are 32 bytes of plain numbers.
        unsafe { std::mem::transmute(self.0) }
    }
    #[inline(always)]
    unsafe fn load(_: Has<Self>, from: *const u64) -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { _mm256_loadu_si256(from.cast()) })
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut u64) {
        // SAFETY: the caller's promise.
        unsafe { _mm256_storeu_si256(to.cast(), self.0) }
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: the vectors exist, and so do the instructions; the same below.
        Self(unsafe { _mm256_or_si256(self.0, other.0) })
    }
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_andnot_si256(other.0, self.0) })
    }
    #[inline(always)]
    fn moved_up<const S: usize>(self, previous: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe {
            // Word k comes from word k - S; the first S of them are shifted by a bit. A shift by 64 gives 0.
            let (here, before, left) = match S {
                1 => (
                    _mm256_permute4x64_epi64::<0b10_01_00_11>(self.0),
                    _mm256_permute4x64_epi64::<0b10_01_00_11>(previous.0),
                    _mm256_setr_epi64x(1, 0, 0, 0),
                ),
                2 => (
                    _mm256_permute4x64_epi64::<0b01_00_11_10>(self.0),
                    _mm256_permute4x64_epi64::<0b01_00_11_10>(previous.0),
                    _mm256_setr_epi64x(1, 1, 0, 0),
                ),
                _ => (
                    _mm256_permute4x64_epi64::<0b00_11_10_01>(self.0),
                    _mm256_permute4x64_epi64::<0b00_11_10_01>(previous.0),
                    _mm256_setr_epi64x(1, 1, 1, 0),
                ),
            };
            let right = _mm256_sub_epi64(_mm256_set1_epi64x(64), left);
            _mm256_or_si256(_mm256_sllv_epi64(here, left), _mm256_srlv_epi64(before, right))
        })
    }
}
