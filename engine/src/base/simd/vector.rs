//! What the loops of all kernels ask of a vector, and the vector that every machine has.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU64, Ordering::Relaxed};

use super::block::{Block, WORDS};

/// The proof that the machine has the instructions of `V`; [`super::Isa::run`] hands it to the loop.
#[derive(Clone, Copy)]
pub struct Has<V>(PhantomData<V>);

impl<V> Has<V> {
    /// # Safety
    /// The machine must have the instructions of `V`.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) unsafe fn promised() -> Self {
        Self(PhantomData)
    }
}

impl Has<[u64; 2]> {
    #[inline(always)]
    pub(super) fn portable() -> Self {
        Self(PhantomData)
    }
}

impl<V: Vector> Has<V> {
    /// The proof for the blocks of lanes, which need no more than the vector itself.
    #[inline(always)]
    pub fn block(self) -> Has<V::Block> {
        Has(PhantomData)
    }
}

/// A loop that is written for any [`Vector`].
///
/// `run` must be `#[inline(always)]`: only in a function that was compiled for the instructions do they
/// become one each. That also serves a loop without any vectors, which the compiler vectorizes for the
/// instruction set.
pub trait VectorLoop {
    /// What the loop finds.
    type Output;
    /// The loop.
    fn run<V: Vector>(self, has: Has<V>) -> Self::Output;
}

/// A vector of bits, of u16 or of u64, as the operation has it. One can be made only with a [`Has`], so that
/// the other operations need no promise.
pub trait Vector: Copy {
    /// The blocks of 256 lanes for the same instructions.
    type Block: Block;
    /// The length.
    const BYTES: usize;
    /// How many u16 it holds.
    const U16S: usize = Self::BYTES / 2;
    /// How many u64 it holds.
    const U64S: usize = Self::BYTES / 8;

    /// # Safety
    /// `BYTES` bytes from `from` on must be readable.
    unsafe fn load<T>(has: Has<Self>, from: *const T) -> Self;
    /// # Safety
    /// `BYTES` bytes from `to` on must be writable.
    unsafe fn store<T>(self, to: *mut T);
    /// The words from word `at` of `cells` on, which other threads may be writing (see [`super::shared`]).
    ///
    /// # Safety
    /// `U64S` words from there on must be readable.
    unsafe fn load_shared(has: Has<Self>, cells: *const AtomicU64, at: usize) -> Self;
    /// The bytes from byte `at` of `cells` on, which other threads may be writing, each as a u64.
    ///
    /// # Safety
    /// `U64S` cells from there on must be readable.
    unsafe fn widen_u8(has: Has<Self>, cells: *const AtomicU8, at: usize) -> Self;
    /// The same for cells of 16 bits.
    ///
    /// # Safety
    /// `U64S` cells from there on must be readable.
    unsafe fn widen_u16(has: Has<Self>, cells: *const AtomicU16, at: usize) -> Self;

    /// Every byte is `value`.
    fn splat_u8(has: Has<Self>, value: u8) -> Self;
    /// Every u16 is `value`.
    fn splat_u16(has: Has<Self>, value: u16) -> Self;
    /// Every u64 is `value`.
    fn splat_u64(has: Has<Self>, value: u64) -> Self;

    /// Bitwise.
    fn and(self, other: Self) -> Self;
    /// Bitwise.
    fn or(self, other: Self) -> Self;
    /// Bitwise.
    fn xor(self, other: Self) -> Self;
    /// Whether all bits are ones.
    fn is_all_ones(self) -> bool;

    /// The smaller byte of each pair.
    fn min_u8(self, other: Self) -> Self;
    /// The sum of each pair of bytes, or 255 if it is more.
    fn add_saturating_u8(self, other: Self) -> Self;
    /// Looks up each byte of `places` in the 16 bytes of `self` that stand in the same 16 bytes: the low half of
    /// the byte is the place; a byte from 128 on gives 0.
    fn look_up_u8(self, places: Self) -> Self;
    /// The smaller u16 of each pair.
    fn min_u16(self, other: Self) -> Self;
    /// The last u16 first.
    fn reverse_u16(self) -> Self;
    /// Whether one of the u16 is 0.
    fn has_zero_u16(self) -> bool;

    /// Each u64 less the other, wrapping.
    fn subtract_u64(self, other: Self) -> Self;
    /// Every u64 shifted left; 64 bits or more leave 0.
    fn shift_left_u64(self, bits: u32) -> Self;
    /// Every u64 shifted right; 64 bits or more leave 0.
    fn shift_right_u64(self, bits: u32) -> Self;
    /// Every u64 shifted left by its own number of bits; 64 bits or more leave 0.
    fn shift_left_each_u64(self, bits: Self) -> Self;
}

/// The u16 of a portable vector.
#[inline(always)]
fn u16s(vector: [u64; 2]) -> [u16; 8] {
    // SAFETY: both are 16 bytes of plain numbers.
    unsafe { std::mem::transmute(vector) }
}

#[inline(always)]
fn of_u16s(values: [u16; 8]) -> [u64; 2] {
    // SAFETY: both are 16 bytes of plain numbers.
    unsafe { std::mem::transmute(values) }
}

/// The bytes of a portable vector.
#[inline(always)]
fn u8s(vector: [u64; 2]) -> [u8; 16] {
    // SAFETY: both are 16 bytes of plain numbers.
    unsafe { std::mem::transmute(vector) }
}

#[inline(always)]
fn of_u8s(values: [u8; 16]) -> [u64; 2] {
    // SAFETY: both are 16 bytes of plain numbers.
    unsafe { std::mem::transmute(values) }
}

impl Vector for [u64; 2] {
    type Block = [u64; WORDS];
    const BYTES: usize = 16;

    #[inline(always)]
    unsafe fn load<T>(_: Has<Self>, from: *const T) -> Self {
        // SAFETY: the caller's promise.
        unsafe { from.cast::<Self>().read_unaligned() }
    }
    #[inline(always)]
    unsafe fn store<T>(self, to: *mut T) {
        // SAFETY: the caller's promise.
        unsafe { to.cast::<Self>().write_unaligned(self) }
    }
    #[inline(always)]
    unsafe fn load_shared(_: Has<Self>, cells: *const AtomicU64, at: usize) -> Self {
        // SAFETY: the caller's promise.
        std::array::from_fn(|k| unsafe { (*cells.add(at + k)).load(Relaxed) })
    }
    #[inline(always)]
    unsafe fn widen_u8(_: Has<Self>, cells: *const AtomicU8, at: usize) -> Self {
        // SAFETY: the caller's promise.
        std::array::from_fn(|k| unsafe { (*cells.add(at + k)).load(Relaxed).into() })
    }
    #[inline(always)]
    unsafe fn widen_u16(_: Has<Self>, cells: *const AtomicU16, at: usize) -> Self {
        // SAFETY: the caller's promise.
        std::array::from_fn(|k| unsafe { (*cells.add(at + k)).load(Relaxed).into() })
    }
    #[inline(always)]
    fn splat_u8(_: Has<Self>, value: u8) -> Self {
        [u64::from_ne_bytes([value; 8]); 2]
    }
    #[inline(always)]
    fn splat_u16(_: Has<Self>, value: u16) -> Self {
        of_u16s([value; 8])
    }
    #[inline(always)]
    fn splat_u64(_: Has<Self>, value: u64) -> Self {
        [value; 2]
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        std::array::from_fn(|k| self[k] & other[k])
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        std::array::from_fn(|k| self[k] | other[k])
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        std::array::from_fn(|k| self[k] ^ other[k])
    }
    #[inline(always)]
    fn is_all_ones(self) -> bool {
        self == [u64::MAX; 2]
    }
    #[inline(always)]
    fn min_u8(self, other: Self) -> Self {
        let (a, b) = (u8s(self), u8s(other));
        of_u8s(std::array::from_fn(|k| a[k].min(b[k])))
    }
    #[inline(always)]
    fn add_saturating_u8(self, other: Self) -> Self {
        let (a, b) = (u8s(self), u8s(other));
        of_u8s(std::array::from_fn(|k| a[k].saturating_add(b[k])))
    }
    #[inline(always)]
    fn look_up_u8(self, places: Self) -> Self {
        let (table, places) = (u8s(self), u8s(places));
        of_u8s(std::array::from_fn(|k| if places[k] < 128 { table[usize::from(places[k] % 16)] } else { 0 }))
    }
    #[inline(always)]
    fn min_u16(self, other: Self) -> Self {
        let (a, b) = (u16s(self), u16s(other));
        of_u16s(std::array::from_fn(|k| a[k].min(b[k])))
    }
    #[inline(always)]
    fn reverse_u16(self) -> Self {
        let values = u16s(self);
        of_u16s(std::array::from_fn(|k| values[7 - k]))
    }
    #[inline(always)]
    fn has_zero_u16(self) -> bool {
        u16s(self).contains(&0)
    }
    #[inline(always)]
    fn subtract_u64(self, other: Self) -> Self {
        std::array::from_fn(|k| self[k].wrapping_sub(other[k]))
    }
    #[inline(always)]
    fn shift_left_u64(self, bits: u32) -> Self {
        self.map(|word| word.checked_shl(bits).unwrap_or(0))
    }
    #[inline(always)]
    fn shift_right_u64(self, bits: u32) -> Self {
        self.map(|word| word.checked_shr(bits).unwrap_or(0))
    }
    #[inline(always)]
    fn shift_left_each_u64(self, bits: Self) -> Self {
        std::array::from_fn(|k| if bits[k] < 64 { self[k] << bits[k] } else { 0 })
    }
}
