//! Machine words that hold a part of a board: `u64` for up to 64 bits, `u128` for up to 128.

use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Shl, Shr};

/// A set of squares as bits of one word.
pub trait Mask:
    Copy
    + Default
    + Eq
    + Ord
    + Debug
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The width of the word.
    const BITS: u32;
    /// No square.
    const ZERO: Self;
    /// The number of 64-bit words it is made of.
    const LIMBS: usize = Self::BITS as usize / 64;

    /// The number of squares.
    fn count(self) -> u32;
    /// The number of zero bits below the lowest square.
    fn trailing_zeros(self) -> u32;
    /// The number of zero bits above the highest square.
    fn leading_zeros(self) -> u32;
    /// The bits in reverse order.
    fn reversed(self) -> Self;
    /// The low bits of `self` copied to every set bit of `places`, which must lie far enough apart.
    fn repeated(self, places: Self) -> Self;
    /// The lowest square alone.
    fn lowest(self) -> Self;
    /// The low 64 bits.
    fn low(self) -> u64;
    /// The word with these low bits.
    fn from_low(bits: u64) -> Self;
    /// As 128 bits.
    fn widened(self) -> u128;
    /// The 64 bits from bit `64 * limb` on.
    fn limb(self, limb: usize) -> u64;
    /// The word with these limbs.
    fn from_limbs(limb: impl Fn(usize) -> u64) -> Self;
    /// The word scrambled so that its highest bits are a well-mixed hash. This is one-to-one, and zero stays
    /// zero.
    fn scrambled(self) -> Self;
    /// The inverse of `scrambled`.
    fn unscrambled(self) -> Self;

    /// The lowest `n` bits set; all of them if `n` is the width or more.
    #[inline]
    fn below(n: u32) -> Self {
        if n >= Self::BITS { !Self::ZERO } else { !(!Self::ZERO << n) }
    }
}

/// The finisher of SplitMix64: a bijection that spreads every input bit over the word.
#[inline]
fn mix(mut x: u64) -> u64 {
    x ^= x >> 30;
    x = x.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^= x >> 27;
    x = x.wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The inverse of `mix`.
fn unmix(mut x: u64) -> u64 {
    x ^= x >> 31 ^ x >> 62;
    x = x.wrapping_mul(0x3196_42b2_d24d_8ec3);
    x ^= x >> 27 ^ x >> 54;
    x = x.wrapping_mul(0x96de_1b17_3f11_9089);
    x ^ x >> 30 ^ x >> 60
}

macro_rules! mask {
    ($word:ty, $scrambled:expr, $unscrambled:expr) => {
        impl Mask for $word {
            const BITS: u32 = <$word>::BITS;
            const ZERO: Self = 0;

            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline]
            fn trailing_zeros(self) -> u32 {
                self.trailing_zeros()
            }
            #[inline]
            fn leading_zeros(self) -> u32 {
                self.leading_zeros()
            }
            #[inline]
            fn reversed(self) -> Self {
                self.reverse_bits()
            }
            #[inline]
            fn repeated(self, places: Self) -> Self {
                self.wrapping_mul(places)
            }
            #[inline]
            fn lowest(self) -> Self {
                self & self.wrapping_neg()
            }
            #[inline]
            fn low(self) -> u64 {
                self as u64
            }
            #[inline]
            fn from_low(bits: u64) -> Self {
                bits as Self
            }
            #[inline]
            fn widened(self) -> u128 {
                self as u128
            }
            #[inline]
            fn limb(self, limb: usize) -> u64 {
                (self >> (64 * limb)) as u64
            }
            #[inline]
            fn from_limbs(limb: impl Fn(usize) -> u64) -> Self {
                (0..Self::LIMBS).fold(0, |word, at| word | (limb(at) as $word) << (64 * at))
            }
            #[inline]
            fn scrambled(self) -> Self {
                let scrambled: fn($word) -> $word = $scrambled;
                scrambled(self)
            }
            fn unscrambled(self) -> Self {
                let unscrambled: fn($word) -> $word = $unscrambled;
                unscrambled(self)
            }
        }
    };
}

mask!(u64, mix, unmix);
mask!(u128, |x| u128::from(mix(x as u64 ^ mix((x >> 64) as u64))) << 64 | x >> 64, |x| x << 64
    | u128::from(unmix((x >> 64) as u64) ^ mix(x as u64)));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scrambling_is_one_to_one_and_keeps_zero() {
        let mut word = 1u64;
        for i in 0..10_000 {
            word = mix(word.wrapping_add(i));
            for narrow in [word, i, word >> (i % 64)] {
                assert_eq!(narrow.scrambled().unscrambled(), narrow);
                assert_eq!(narrow.scrambled() == 0, narrow == 0);
                for wide in [
                    u128::from(narrow),
                    u128::from(narrow) << 64,
                    u128::from(narrow) << 64 | u128::from(word),
                ] {
                    assert_eq!(wide.scrambled().unscrambled(), wide);
                    assert_eq!(wide.scrambled() == 0, wide == 0);
                }
            }
        }
    }
}
