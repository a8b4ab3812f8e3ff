//! Where the common heaps are, as bit rows.

use super::super::bits::WIDE;

/// Words of a wide block.
pub(super) const WIDE_WORDS: usize = WIDE / 64;

/// The window of finished wide blocks: bit p of row x is set if heap p is common with index x.
#[derive(Default)]
pub(super) struct Rows {
    words: Vec<u64>,
    stride: usize,
    /// The heap of bit 0: a multiple of WIDE, negative while the window reaches before heap 0.
    base: isize,
    /// Rows that have a bit.
    used: Vec<bool>,
}

impl Rows {
    /// Empty rows for the heaps from `window` before `start` on, with room after `start`.
    pub fn reset(&mut self, rows: usize, start: usize, window: usize) {
        let window = window.next_multiple_of(WIDE);
        let room = (window / 2).max(32 * WIDE).next_multiple_of(WIDE);
        self.base = start as isize - window as isize;
        self.stride = (window + room) / 64 + 2;
        self.words.clear();
        self.words.resize(rows * self.stride, 0);
        self.used.clear();
        self.used.resize(rows, false);
    }

    /// The first heap of the window.
    pub fn first(&self) -> usize {
        self.base.max(0) as usize
    }

    /// Is there room for the wide block at `start`?
    pub fn has_room(&self, start: usize) -> bool {
        (start + WIDE) as isize - self.base + 64 < (self.stride * 64) as isize
    }

    /// Does the window reach `window` heaps back from `start`?
    pub fn reaches(&self, start: usize, window: usize) -> bool {
        self.base <= start as isize - window as isize
    }

    #[inline]
    pub fn set(&mut self, row: usize, heap: usize) {
        let bit = (heap as isize - self.base) as usize;
        self.words[row * self.stride + bit / 64] |= 1 << (bit % 64);
        self.used[row] = true;
    }

    /// Takes over the finished block at `start` from the recent rows.
    pub fn take(&mut self, recent: &Recent, start: usize) {
        let at = (start as isize - self.base) as usize / 64;
        for row in 0..self.used.len() {
            let block = recent.block(row);
            self.words[row * self.stride + at..][..WIDE_WORDS].copy_from_slice(block);
            self.used[row] |= block.iter().any(|&word| word != 0);
        }
    }

    /// Does any heap of the window have the index `row`?
    pub fn used(&self, row: usize) -> bool {
        self.used[row]
    }

    /// The words of `row` from heap `from` on, which is a multiple of 64 away from the base.
    pub fn words_from(&self, row: usize, from: isize, words: usize) -> &[u64] {
        let at = (from - self.base) as usize / 64;
        &self.words[row * self.stride..(row + 1) * self.stride][at..at + words]
    }
}

/// The current wide block and the two before it: what the small offsets read, apart from [`Rows`], which
/// another thread may be reading at the same time.
#[derive(Default)]
pub(super) struct Recent {
    words: Vec<u64>,
    /// The first heap: two wide blocks before the current one.
    base: usize,
    /// Rows that have a bit.
    used: Vec<bool>,
}

/// Words of a row: three wide blocks, and one more for the shifts.
const STRIDE: usize = 3 * WIDE_WORDS + 1;

impl Recent {
    /// Empty rows around the wide block at `start`.
    pub fn reset(&mut self, rows: usize, start: usize) {
        self.base = start - 2 * WIDE;
        self.words.clear();
        self.words.resize(rows * STRIDE, 0);
        self.used.clear();
        self.used.resize(rows, false);
    }

    /// Advances to the next wide block.
    pub fn next(&mut self) {
        self.base += WIDE;
        for (row, used) in self.words.chunks_exact_mut(STRIDE).zip(&mut self.used) {
            row.copy_within(WIDE_WORDS..3 * WIDE_WORDS, 0);
            row[2 * WIDE_WORDS..].fill(0);
            *used = row.iter().any(|&word| word != 0);
        }
    }

    /// The first heap held.
    pub fn first(&self) -> usize {
        self.base
    }

    #[inline]
    pub fn set(&mut self, row: usize, heap: usize) {
        let bit = heap - self.base;
        self.words[row * STRIDE + bit / 64] |= 1 << (bit % 64);
        self.used[row] = true;
    }

    /// Does any heap held have the index `row`?
    pub fn used(&self, row: usize) -> bool {
        self.used[row]
    }

    /// The words of the current block.
    fn block(&self, row: usize) -> &[u64] {
        &self.words[row * STRIDE + 2 * WIDE_WORDS..][..WIDE_WORDS]
    }

    /// The words of `row` from heap `from` on, which is a multiple of 64.
    pub fn words_from(&self, row: usize, from: usize, words: usize) -> &[u64] {
        &self.words[row * STRIDE..(row + 1) * STRIDE][(from - self.base) / 64..][..words]
    }
}
