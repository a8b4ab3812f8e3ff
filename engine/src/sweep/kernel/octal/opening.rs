//! The first heaps of a game with small values, by the definition, where all options of a heap are bits of
//! one word.

use super::naive::Moves;
use crate::base::Isa;
use crate::base::simd::{Has, Vector, VectorLoop};

/// G(n) by the definition, if no value so far is over `max` and all XOR sums are below 64.
pub(super) fn value(isa: Isa, moves: &Moves, values: &[u16], n: usize, max: u16) -> Option<u16> {
    if max >= 32 {
        return None;
    }
    let mut options = 0u64;
    options |= u64::from(n > 0 && moves.whole.contains(&n));
    for &i in moves.ones.iter().filter(|&&i| i < n) {
        // The mask is for values that the caller has changed.
        options |= 1 << (values[n - i] & 63);
    }
    for rest in moves.splits.iter().map(|&i| n.saturating_sub(i)).filter(|&rest| rest > 1) {
        let half = moves.half(rest);
        options |=
            u64::from(isa.run(XorSums { small: &values[1..=half], large: &values[rest - half..rest] }));
    }
    Some(options.trailing_ones() as u16)
}

/// The set of the sums a XOR b, for a of `small` in order and b of `large` in reverse order; all are below
/// 32.
struct XorSums<'a> {
    small: &'a [u16],
    large: &'a [u16],
}

impl VectorLoop for XorSums<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<V: Vector>(self, _: Has<V>) -> u32 {
        // Plain enough for the compiler to use the vectors of the instruction set.
        let pairs = self.small.iter().zip(self.large.iter().rev());
        pairs.fold(0, |set, (a, b)| set | 1 << (u32::from(a ^ b) & 31))
    }
}
