//! Vectors of cells that other threads may be writing.
//!
//! The cells of a table are atomics, and a kernel reads and writes them while other threads set other cells,
//! or other bits of the same words. Rust has no atomic vectors; a plain load would be a data race, which the
//! compiler may take as a promise that nobody writes. So these accesses are assembly, into which the compiler
//! does not look: each stands for relaxed atomic accesses of the single cells.
//!
//! The processor may take a vector apart, and other threads' writes may come in between. That does no harm:
//! what a kernel uses of a vector was finished before (the join between two waves orders the two), and what
//! is being written meanwhile (cells behind the end of a row, bits of a neighbouring row in the same word) it
//! throws away.

use std::sync::atomic::{AtomicU8, AtomicU16};

use super::{Has, Vector};

/// A cell of a table as vectors read it.
pub trait SharedCell: Sized {
    /// The cells from cell `at` of `cells` on, each as a u64.
    ///
    /// # Safety
    /// `V::U64S` cells from there on must be readable.
    unsafe fn widen<V: Vector>(has: Has<V>, cells: *const Self, at: usize) -> V;
}

impl SharedCell for AtomicU8 {
    #[inline(always)]
    unsafe fn widen<V: Vector>(has: Has<V>, cells: *const Self, at: usize) -> V {
        // SAFETY: the caller's promise.
        unsafe { V::widen_u8(has, cells, at) }
    }
}

impl SharedCell for AtomicU16 {
    #[inline(always)]
    unsafe fn widen<V: Vector>(has: Has<V>, cells: *const Self, at: usize) -> V {
        // SAFETY: the caller's promise.
        unsafe { V::widen_u16(has, cells, at) }
    }
}

/// Has the processor fetch the cache line of `place`, where it can be told to: nothing is read.
#[inline(always)]
pub fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: fetching a line into the cache has no effect that a program can see, and every x86-64 machine can.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

#[cfg(target_arch = "x86_64")]
pub use x86::*;

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::asm;
    use std::arch::x86_64::{__m256i, __m512i};
    use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU64};

    /// A load of the cells from cell `at` of `cells` on. Base and index are apart so that the address costs
    /// no instruction.
    macro_rules! load {
        ($name:ident, $feature:literal, $register:ident, $vector:ty, $cell:ty, $count:literal, $instruction:literal) => {
            #[doc = concat!("# Safety\n", $count, " cells from cell `at` of `cells` on must be readable.")]
            #[target_feature(enable = $feature)]
            #[inline]
            pub unsafe fn $name(cells: *const $cell, at: usize) -> $vector {
                let vector;
                // SAFETY: it only reads what the caller promises to be readable.
                unsafe {
                    asm!(
                        $instruction, out($register) vector, in(reg) cells, in(reg) at,
                        options(pure, readonly, nostack, preserves_flags)
                    )
                };
                vector
            }
        };
    }

    load!(load_u8_256, "avx2", ymm_reg, __m256i, AtomicU8, 32, "vmovdqu {}, ymmword ptr [{} + {}]");
    load!(load_u64_256, "avx2", ymm_reg, __m256i, AtomicU64, 4, "vmovdqu {}, ymmword ptr [{} + 8*{}]");
    load!(widen_u8_256, "avx2", ymm_reg, __m256i, AtomicU8, 4, "vpmovzxbq {}, dword ptr [{} + {}]");
    load!(widen_u16_256, "avx2", ymm_reg, __m256i, AtomicU16, 4, "vpmovzxwq {}, qword ptr [{} + 2*{}]");
    load!(load_u64_512, "avx512f", zmm_reg, __m512i, AtomicU64, 8, "vmovdqu64 {}, zmmword ptr [{} + 8*{}]");
    load!(widen_u8_512, "avx512f", zmm_reg, __m512i, AtomicU8, 8, "vpmovzxbq {}, qword ptr [{} + {}]");
    load!(widen_u16_512, "avx512f", zmm_reg, __m512i, AtomicU16, 8, "vpmovzxwq {}, xmmword ptr [{} + 2*{}]");

    /// # Safety
    /// `cells` must be 32 cells that may be written.
    #[target_feature(enable = "avx2")]
    #[inline]
    pub unsafe fn store_u8_256(cells: *const AtomicU8, vector: __m256i) {
        // SAFETY: it only writes what the caller promises to be writable; atomics are written through shared
        // references.
        unsafe {
            asm!(
                "vmovdqu ymmword ptr [{}], {}", in(reg) cells, in(ymm_reg) vector,
                options(nostack, preserves_flags)
            )
        };
    }
}
