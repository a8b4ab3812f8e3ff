//! Views of a table's entries that many threads may use at once.
//!
//! Entries are atomics with relaxed ordering: a wave reads what earlier waves wrote (the join between two
//! waves orders the two), and rows of one wave are disjoint. On the machines that we run on a relaxed load or
//! store is an ordinary one. Two neighbouring rows of outcomes may share a word, so bits are set by
//! `fetch_or`.

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU64, Ordering::Relaxed};

use crate::base::Isa;
use crate::base::simd::shared::SharedCell;
use crate::base::simd::{Has, Vector, VectorLoop};

/// Outcomes, one bit each, 1 = P-position; bit `i` is bit `i % 64` of word `i / 64`.
///
/// There is at least one whole word behind the last bit, so that a reader may load the word after any bit.
#[derive(Debug, Clone, Copy)]
pub struct Bits<'a> {
    words: &'a [AtomicU64],
    len: u64,
}

impl<'a> Bits<'a> {
    /// A view of the first `len` bits of `words`, which must reach at least one word beyond them.
    pub fn new(words: &'a [AtomicU64], len: u64) -> Self {
        assert!(words.len() as u64 > len / 64, "a bit table needs a spare word");
        Self { words, len }
    }

    /// The number of bits.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are no bits.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The words.
    #[inline]
    pub fn words(&self) -> &'a [AtomicU64] {
        self.words
    }

    /// Bit `index`.
    #[inline]
    pub fn get(&self, index: u64) -> bool {
        self.words[(index / 64) as usize].load(Relaxed) >> (index % 64) & 1 == 1
    }

    /// The 64 bits from bit `index` on; bits beyond the end are those of the padding.
    #[inline]
    pub fn word_at(&self, index: u64) -> u64 {
        let (word, shift) = ((index / 64) as usize, index % 64);
        let low = self.words[word].load(Relaxed) >> shift;
        if shift == 0 { low } else { low | self.words[word + 1].load(Relaxed) << (64 - shift) }
    }

    /// Sets bit `index`.
    #[inline]
    pub fn set(&self, index: u64) {
        self.words[(index / 64) as usize].fetch_or(1 << (index % 64), Relaxed);
    }

    /// Sets the bits of `row` from bit `first` on; bits of `row` beyond `length` must be 0. Bits are only
    /// ever set, so that the cells of the row must have been 0.
    pub fn set_row(&self, first: u64, length: u64, row: &[u64]) {
        let shift = first % 64;
        let start = (first / 64) as usize;
        // The words between the first and the last belong to no other row.
        let last = ((first + length.max(1) - 1) / 64) as usize;
        let set = |word: usize, out: u64| match out {
            0 => {}
            _ if word == start || word == last => drop(self.words[word].fetch_or(out, Relaxed)),
            _ => self.words[word].store(out, Relaxed),
        };
        let mut carry = 0;
        for (&bits, word) in row[..length.div_ceil(64) as usize].iter().zip(start..) {
            set(word, bits << shift | carry);
            carry = bits >> 1 >> (63 - shift);
        }
        if carry != 0 {
            set(last, carry);
        }
    }

    /// Clears the bits `first..first + length`; words that are 0 already are only read.
    pub fn clear(&self, first: u64, length: u64) {
        let end = first + length;
        let mut at = first;
        while at < end {
            let stop = end.min((at / 64 + 1) * 64);
            let keep = !(ones(stop - at) << (at % 64));
            let word = &self.words[(at / 64) as usize];
            if word.load(Relaxed) & !keep != 0 {
                word.fetch_and(keep, Relaxed);
            }
            at = stop;
        }
    }

    /// The number of bits set in `range`, which lies in `0..len()`.
    pub fn count_ones(&self, range: std::ops::Range<u64>) -> u64 {
        if range.is_empty() {
            return 0;
        }
        let (from, to) = ((range.start / 64) as usize, (range.end / 64) as usize);
        let count = |word: u64| u64::from(word.count_ones());
        let whole = Isa::detect().run(CountOnes(&self.words[from..to]));
        // The spare word behind the last bit is there even where the range ends with a word.
        whole + count(self.words[to].load(Relaxed) & ones(range.end % 64))
            - count(self.words[from].load(Relaxed) & ones(range.start % 64))
    }
}

/// The bits that are set in whole words; built for the machine, which has an instruction for that.
struct CountOnes<'a>(&'a [AtomicU64]);

impl VectorLoop for CountOnes<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<V: Vector>(self, _: Has<V>) -> u64 {
        // Loaded in pieces first: the compiler does not vectorize what follows a relaxed load.
        let mut piece = [0u64; 64];
        let mut sum = 0;
        for words in self.0.chunks(piece.len()) {
            let piece = &mut piece[..words.len()];
            piece.iter_mut().zip(words).for_each(|(to, word)| *to = word.load(Relaxed));
            sum += piece.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        }
        sum
    }
}

/// The lowest `count` bits, `count <= 64`.
#[inline]
pub fn ones(count: u64) -> u64 {
    if count == 64 { u64::MAX } else { (1 << count) - 1 }
}

/// A Grundy value of 8 or 16 bits in a table.
pub trait ValueCell: Send + Sync + SharedCell {
    /// The plain number.
    type Plain: Copy + Into<u16>;
    /// The largest value that fits.
    const MAX: u16;
    /// The value.
    fn get(&self) -> u16;
    /// Stores `value`, which must fit.
    fn put(&self, value: u16);
}

impl ValueCell for AtomicU8 {
    type Plain = u8;
    const MAX: u16 = u8::MAX as u16;
    #[inline]
    fn get(&self) -> u16 {
        u16::from(self.load(Relaxed))
    }
    #[inline]
    fn put(&self, value: u16) {
        debug_assert!(value <= Self::MAX);
        self.store(value as u8, Relaxed);
    }
}

impl ValueCell for AtomicU16 {
    type Plain = u16;
    const MAX: u16 = u16::MAX;
    #[inline]
    fn get(&self) -> u16 {
        self.load(Relaxed)
    }
    #[inline]
    fn put(&self, value: u16) {
        self.store(value, Relaxed);
    }
}

/// The entries of a table, by their width.
#[derive(Debug, Clone, Copy)]
pub enum Cells<'a> {
    /// Outcomes.
    Bits(Bits<'a>),
    /// Values below 256.
    U8(&'a [AtomicU8]),
    /// Values below 65536.
    U16(&'a [AtomicU16]),
}

impl Cells<'_> {
    /// The number of entries.
    pub fn len(&self) -> u64 {
        match self {
            Self::Bits(bits) => bits.len(),
            Self::U8(cells) => cells.len() as u64,
            Self::U16(cells) => cells.len() as u64,
        }
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Entry `index`: 1 or 0 for a P- or an N-position in a table of outcomes, otherwise the value.
    pub fn get(&self, index: u64) -> u16 {
        match self {
            Self::Bits(bits) => u16::from(bits.get(index)),
            Self::U8(cells) => cells[index as usize].get(),
            Self::U16(cells) => cells[index as usize].get(),
        }
    }

    /// Whether entry `index` says that its position is P.
    pub fn is_p(&self, index: u64) -> bool {
        matches!((self, self.get(index)), (Self::Bits(_), 1) | (Self::U8(_) | Self::U16(_), 0))
    }

    /// Sets the entries `first..first + length` to 0.
    pub fn clear(&self, first: u64, length: u64) {
        let range = first as usize..(first + length) as usize;
        match self {
            Self::Bits(bits) => bits.clear(first, length),
            Self::U8(cells) => clear_values(&cells[range]),
            Self::U16(cells) => clear_values(&cells[range]),
        }
    }
}

/// Writes only where needed, so that clearing does not dirty clean pages of a file.
fn clear_values<C: ValueCell>(cells: &[C]) {
    cells.iter().filter(|cell| cell.get() != 0).for_each(|cell| cell.put(0));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_row_that_is_set_reads_back_and_clears(first in 0u64..200, bits in proptest::collection::vec(any::<bool>(), 1..300)) {
            let words: Vec<AtomicU64> = (0..12).map(|_| AtomicU64::new(0)).collect();
            let table = Bits::new(&words, 12 * 64 - 65);
            let mut row = vec![0u64; bits.len().div_ceil(64)];
            for (i, _) in bits.iter().enumerate().filter(|(_, bit)| **bit) {
                row[i / 64] |= 1 << (i % 64);
            }
            let length = bits.len() as u64;
            table.set(first + length);
            table.set_row(first, length, &row);
            for (i, &bit) in bits.iter().enumerate() {
                prop_assert_eq!(table.get(first + i as u64), bit);
            }
            for (i, &word) in row.iter().enumerate() {
                let left = ones((length - 64 * i as u64).min(64));
                prop_assert_eq!(table.word_at(first + 64 * i as u64) & left, word);
            }
            let set = row.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
            prop_assert_eq!(table.count_ones(first..table.len()), set + 1);
            prop_assert_eq!(table.count_ones(first..first + length), set);
            table.clear(first, length);
            prop_assert_eq!(table.count_ones(0..table.len()), 1);
            prop_assert!(table.get(first + length));
        }
    }
}
