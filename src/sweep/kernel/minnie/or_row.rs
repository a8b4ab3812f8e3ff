//! OR of rows of outcomes that begin at any bit: the inner loop of the outcome kernels.
//!
//! Per 256 bits: two loads, two shifts, three ORs; the accumulator stays in the first-level cache.

use crate::table::Bits;

/// Which instructions to use, in the order of their power.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Simd {
    /// Plain 64-bit words.
    Portable,
    /// 256-bit vectors.
    Avx2,
    /// 512-bit vectors.
    Avx512,
}

impl Simd {
    /// The best that this machine has.
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx2") {
                return Self::Avx512;
            }
            if is_x86_feature_detected!("avx2") {
                return Self::Avx2;
            }
        }
        Self::Portable
    }
}

/// ORs rows into an accumulator of words.
#[derive(Debug, Clone, Copy)]
pub struct OrRow {
    simd: Simd,
}

impl OrRow {
    /// With these instructions, or the best that the machine has below them. Rows are short: beyond 256 bits nothing is won.
    pub fn new(simd: Simd) -> Self {
        Self { simd: simd.min(Simd::detect()).min(Simd::Avx2) }
    }

    /// ORs the bits `first..first + 64 * accumulator.len()` of `bits` into `accumulator` and says whether all of
    /// the accumulator is ones now. Words that lie wholly behind the table count as 0.
    #[inline]
    pub fn or_into(self, accumulator: &mut [u64], bits: &Bits<'_>, first: u64) -> bool {
        // The words that may be loaded: one more than the accumulator has.
        let enough = (first / 64) as usize + accumulator.len() < bits.words().len();
        match self.simd {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `new` has checked for AVX2, and all words that are loaded lie in the table.
            Simd::Avx2 if enough => unsafe { or_avx2(accumulator, bits, first) },
            _ => or_portable(accumulator, bits, first),
        }
    }
}

fn or_portable(accumulator: &mut [u64], bits: &Bits<'_>, first: u64) -> bool {
    let mut all = u64::MAX;
    for (i, word) in accumulator.iter_mut().enumerate() {
        let at = first + 64 * i as u64;
        if at < bits.len() {
            *word |= bits.word_at(at);
        }
        all &= *word;
    }
    all == u64::MAX
}

/// # Safety
/// AVX2 must be there, and the words `first / 64 ..= first / 64 + accumulator.len()` must lie in the table.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn or_avx2(accumulator: &mut [u64], bits: &Bits<'_>, first: u64) -> bool {
    use std::arch::x86_64::*;
    // The words may be changed by other threads meanwhile, but only in bits of rows that are not read here: a
    // load sees each of its bits as they were finished.
    // SAFETY: within the table, as the caller promises.
    let source = unsafe { bits.words().as_ptr().cast::<u64>().add((first / 64) as usize) };
    let shift = (first % 64) as i64;
    let right = _mm_cvtsi64_si128(shift);
    // A shift by 64 gives 0, which is what is wanted where nothing comes from the next word.
    let left = _mm_cvtsi64_si128(64 - shift);
    let chunks = accumulator.len() / 4;
    let mut all = _mm256_set1_epi64x(-1);
    for i in 0..chunks {
        // SAFETY: chunk `i` loads the words 4i..=4i+4 of the source, all within the caller's range, and changes
        // the words 4i..4i+4 of the accumulator.
        unsafe {
            let here = _mm256_loadu_si256(source.add(4 * i).cast());
            let next = _mm256_loadu_si256(source.add(4 * i + 1).cast());
            let row = _mm256_or_si256(_mm256_srl_epi64(here, right), _mm256_sll_epi64(next, left));
            let target = accumulator.as_mut_ptr().add(4 * i).cast();
            let sum = _mm256_or_si256(_mm256_loadu_si256(target), row);
            _mm256_storeu_si256(target, sum);
            all = _mm256_and_si256(all, sum);
        }
    }
    let mut full = _mm256_testc_si256(all, _mm256_set1_epi64x(-1)) == 1;
    for (i, word) in accumulator.iter_mut().enumerate().skip(4 * chunks) {
        *word |= bits.word_at(first + 64 * i as u64);
        full &= *word == u64::MAX;
    }
    full
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::sync::atomic::AtomicU64;

    proptest! {
        #[test]
        fn both_ways_or_the_same_bits(words in proptest::collection::vec(any::<u64>(), 16..40), first in 0u64..900, length in 1usize..12) {
            let cells: Vec<AtomicU64> = words.iter().map(|&word| AtomicU64::new(word)).collect();
            let bits = Bits::new(&cells, 64 * (words.len() as u64 - 1) - 3);
            prop_assume!(first < bits.len());
            let mut plain = vec![0x1234_5678u64; length];
            let mut fast = plain.clone();
            let a = OrRow::new(Simd::Portable).or_into(&mut plain, &bits, first);
            let b = OrRow::new(Simd::Avx2).or_into(&mut fast, &bits, first);
            for i in 0..length as u64 * 64 {
                if first + i < bits.len() {
                    let bit = |row: &[u64]| row[(i / 64) as usize] >> (i % 64) & 1 == 1;
                    prop_assert_eq!(bit(&plain), bits.get(first + i) || 0x1234_5678u64 >> (i % 64) & 1 == 1);
                    prop_assert_eq!(bit(&plain), bit(&fast));
                }
            }
            if first + 64 * length as u64 <= bits.len() {
                prop_assert_eq!(a, b);
            }
        }
    }
}
