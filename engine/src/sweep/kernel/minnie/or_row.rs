//! OR of rows of outcomes that begin at any bit: the inner loop of the outcome kernels.
//!
//! Per 256 bits: two loads, two shifts, three ORs; the accumulator stays in the first-level cache.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::base::simd::{Has, Vector, VectorLoop};
use crate::base::{Isa, Level};
use crate::table::Bits;

/// The words of a vector of 256 bits: with fewer, no vector is used.
const SHORT: usize = 4;

/// ORs rows into an accumulator of words.
#[derive(Debug, Clone, Copy)]
pub struct OrRow {
    isa: Isa,
}

impl OrRow {
    /// With these instructions, but not beyond 256 bits: rows are short, and longer vectors win nothing.
    pub fn new(isa: Isa) -> Self {
        Self { isa: isa.at_most(Level::Avx2) }
    }

    /// ORs the bits `first..first + 64 * accumulator.len()` of `bits` into `accumulator` and says whether all
    /// of the accumulator is ones now. Words that lie wholly behind the table count as 0.
    #[inline]
    pub fn or_into(self, accumulator: &mut [u64], bits: &Bits<'_>, first: u64) -> bool {
        let start = (first / 64) as usize;
        // The words that are loaded: one more than the accumulator has.
        match start.checked_add(accumulator.len()).and_then(|last| bits.words().get(start..=last)) {
            Some(words) => {
                let work = OrWords { accumulator, words, shift: (first % 64) as u32 };
                // Less than a vector: there is nothing to dispatch.
                if work.accumulator.len() < SHORT { work.one_by_one(0) } else { self.isa.run(work) }
            }
            None => or_at_the_end(accumulator, bits, first),
        }
    }
}

/// Where the table ends behind the row: word by word.
fn or_at_the_end(accumulator: &mut [u64], bits: &Bits<'_>, first: u64) -> bool {
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

/// ORs the bits of `words` from bit `shift` < 64 of the first word on, one word more than `accumulator` has.
struct OrWords<'a> {
    accumulator: &'a mut [u64],
    words: &'a [AtomicU64],
    shift: u32,
}

impl VectorLoop for OrWords<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<V: Vector>(self, has: Has<V>) -> bool {
        let Self { accumulator, words, shift } = self;
        assert!(words.len() == accumulator.len() + 1);
        let chunks = accumulator.len() / V::U64S;
        let mut all = V::splat_u64(has, u64::MAX);
        let (here, next) = (words.as_ptr(), words[1..].as_ptr());
        for i in (0..chunks).map(|chunk| chunk * V::U64S) {
            // SAFETY: `i + U64S` is at most the length of the accumulator, and there is one word more than
            // that.
            unsafe {
                let here = V::load_shared(has, here, i);
                let next = V::load_shared(has, next, i);
                // A shift by 64 gives 0, which is what is wanted where nothing comes from the next word.
                let row = here.shift_right_u64(shift).or(next.shift_left_u64(64 - shift));
                let target = accumulator.as_mut_ptr().add(i);
                let sum = V::load(has, target).or(row);
                sum.store(target);
                all = all.and(sum);
            }
        }
        let rest = OrWords { accumulator, words, shift }.one_by_one(chunks * V::U64S);
        all.is_all_ones() && rest
    }
}

impl OrWords<'_> {
    /// From word `first` of the accumulator on, without vectors.
    #[inline(always)]
    fn one_by_one(self, first: usize) -> bool {
        let mut all = u64::MAX;
        let pairs = self.words[first..].iter().zip(&self.words[first + 1..]);
        for (word, (low, high)) in self.accumulator[first..].iter_mut().zip(pairs) {
            // Two shifts, because one by 64 is not allowed where nothing comes from the next word.
            *word |= low.load(Relaxed) >> self.shift | high.load(Relaxed) << 1 << (63 - self.shift);
            all &= *word;
        }
        all == u64::MAX
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_instruction_set_ors_the_bits_of_the_table(words in proptest::collection::vec(any::<u64>(), 16..40), first in 0u64..900, length in 1usize..12) {
            let cells: Vec<AtomicU64> = words.iter().map(|&word| AtomicU64::new(word)).collect();
            let bits = Bits::new(&cells, 64 * (words.len() as u64 - 1) - 3);
            prop_assume!(first < bits.len());
            let mut results = Vec::new();
            for isa in Isa::available() {
                let mut row = vec![0x1234_5678u64; length];
                let full = OrRow::new(isa).or_into(&mut row, &bits, first);
                for i in (0..length as u64 * 64).take_while(|i| first + i < bits.len()) {
                    let bit = row[(i / 64) as usize] >> (i % 64) & 1 == 1;
                    prop_assert_eq!(bit, bits.get(first + i) || 0x1234_5678u64 >> (i % 64) & 1 == 1, "{:?}", isa);
                }
                prop_assert_eq!(full, row.iter().all(|&word| word == u64::MAX), "{:?}", isa);
                results.push(row);
            }
            prop_assert!(results.windows(2).all(|pair| pair[0] == pair[1]));
        }
    }
}
