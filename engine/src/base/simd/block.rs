//! Blocks of 256 lanes, one bit each, that can be moved by one to three lanes.
//!
//! Lane `l` is bit `l / 4` of word `l % 4`. To move all lanes up by `S` <= 3 is then to move whole words by
//! `S` places, and to shift by one bit those that come around; the bits that leave at the end of one block
//! enter at the beginning of the next.

use super::Has;

/// The lanes of a block.
pub const LANES: usize = 256;
/// The words of a block.
pub const WORDS: usize = 4;

/// 256 lanes. One can be made only with a [`Has`], so that the other operations need no promise.
pub trait Block: Copy {
    /// The block of these words.
    fn new(has: Has<Self>, words: [u64; WORDS]) -> Self;
    /// The words of the block.
    fn words(self) -> [u64; WORDS];
    /// # Safety
    /// [`WORDS`] words from `from` on must be readable.
    unsafe fn load(has: Has<Self>, from: *const u64) -> Self;
    /// # Safety
    /// [`WORDS`] words from `to` on must be writable.
    unsafe fn store(self, to: *mut u64);
    /// Bitwise.
    fn or(self, other: Self) -> Self;
    /// The bits that are not in `other`.
    fn without(self, other: Self) -> Self;
    /// Every lane goes up by `S`, from 1 to 3; the last lanes of `previous` enter.
    fn moved_up<const S: usize>(self, previous: Self) -> Self;
}

impl Block for [u64; WORDS] {
    #[inline(always)]
    fn new(_: Has<Self>, words: [u64; WORDS]) -> Self {
        words
    }
    #[inline(always)]
    fn words(self) -> [u64; WORDS] {
        self
    }
    #[inline(always)]
    unsafe fn load(_: Has<Self>, from: *const u64) -> Self {
        // SAFETY: the caller's promise.
        unsafe { from.cast::<Self>().read_unaligned() }
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut u64) {
        // SAFETY: the caller's promise.
        unsafe { to.cast::<Self>().write_unaligned(self) }
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        std::array::from_fn(|k| self[k] | other[k])
    }
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        std::array::from_fn(|k| self[k] & !other[k])
    }
    #[inline(always)]
    fn moved_up<const S: usize>(self, previous: Self) -> Self {
        std::array::from_fn(|k| {
            if k >= S { self[k - S] } else { self[k + WORDS - S] << 1 | previous[k + WORDS - S] >> 63 }
        })
    }
}
