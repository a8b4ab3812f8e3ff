//! Finding splits a + b of a total with G(a) XOR G(b) equal to a wanted value.

use super::naive::half;
use crate::base::Isa;
use crate::base::simd::{Has, Vector, VectorLoop};

/// The heaps whose values are kept in reverse: 1..=HEAD.
const HEAD: usize = 4096;

/// Searches the splits of a total.
pub(crate) struct Searcher {
    isa: Isa,
    unequal: bool,
    /// G(HEAD), …, G(1): against values in ascending order, this is the order of the other parts.
    head: Vec<u16>,
}

impl Searcher {
    /// For the sequence that begins with `values`. With `unequal`, the two parts must differ.
    pub fn new(isa: Isa, values: &[u16], unequal: bool) -> Self {
        let head =
            if values.len() > HEAD { values[1..=HEAD].iter().rev().copied().collect() } else { Vec::new() };
        Self { isa, unequal, head }
    }

    /// Is there a pair of heaps a ≤ b with a + b = `total`, a below `end` and G(a) XOR G(b) = `wanted`?
    pub fn splits_below(&self, values: &[u16], total: usize, end: usize, wanted: u16) -> bool {
        let last = half(total, self.unequal).min(end.saturating_sub(1));
        self.pairs(&values[1..=last], &values[total - last..total], wanted)
    }

    /// Is there a pair of heaps a ≤ b with a + b = `total` and G(a) XOR G(b) = `wanted`?
    ///
    /// The small part runs upward, many heaps a step: where the values are well mixed a hit comes soon,
    /// and a miss has looked at every pair, so the answer is exact.
    pub fn splits_to(&self, values: &[u16], total: usize, wanted: u16) -> bool {
        let (half, head) = (half(total, self.unequal), self.head.len());
        if half <= head || head == 0 {
            return self.splits_below(values, total, half + 1, wanted);
        }
        let large = &values[total - head..total];
        self.isa.run(AlignedSearch { small: &self.head, large, wanted })
            || self.pairs(&values[head + 1..=half], &values[total - half..total - head], wanted)
    }

    /// Is a XOR b the wanted value for any a of `up`, in order, and b of `down`, of the same length, in reverse
    /// order?
    fn pairs(&self, up: &[u16], down: &[u16], wanted: u16) -> bool {
        self.isa.run(PairSearch { up, down, wanted })
    }
}

/// See [`Searcher::pairs`].
struct PairSearch<'a> {
    up: &'a [u16],
    down: &'a [u16],
    wanted: u16,
}

impl VectorLoop for PairSearch<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<V: Vector>(self, has: Has<V>) -> bool {
        let Self { up, down, wanted } = self;
        let length = up.len();
        assert!(down.len() == length);
        let value = V::splat_u16(has, wanted);
        let mut at = 0;
        while at + V::U16S <= length {
            // SAFETY: the load from `up` ends at at + U16S <= length, and that from `down` begins at
            // length - at - U16S >= 0.
            let (a, b) = unsafe {
                (V::load(has, up.as_ptr().add(at)), V::load(has, down.as_ptr().add(length - at - V::U16S)))
            };
            if a.xor(b.reverse_u16()).xor(value).has_zero_u16() {
                return true;
            }
            at += V::U16S;
        }
        up[at..].iter().zip(down[..length - at].iter().rev()).any(|(a, b)| a ^ b == wanted)
    }
}

/// Is a XOR b the wanted value for heaps at the same place of both slices? The last come first. The length of
/// both must be a multiple of 64.
struct AlignedSearch<'a> {
    small: &'a [u16],
    large: &'a [u16],
    wanted: u16,
}

impl VectorLoop for AlignedSearch<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<V: Vector>(self, has: Has<V>) -> bool {
        let Self { small, large, wanted } = self;
        assert!(small.len() == large.len() && small.len().is_multiple_of(64));
        let wanted = V::splat_u16(has, wanted);
        let mut at = small.len();
        while at > 0 {
            at -= 2 * V::U16S;
            // SAFETY: at + U16S is at most the length of both slices.
            let test = |at: usize| unsafe {
                V::load(has, small.as_ptr().add(at)).xor(V::load(has, large.as_ptr().add(at))).xor(wanted)
            };
            if test(at).min_u16(test(at + V::U16S)).has_zero_u16() {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn agrees_with_the_definition() {
        let mut state = 7u32;
        let mut random = || {
            state = state.wrapping_mul(1664525).wrapping_add(1013904223);
            (state >> 15) as u16
        };
        let values: Vec<u16> = (0..3 * HEAD).map(|_| random()).collect();
        for isa in Isa::available() {
            for unequal in [false, true] {
                let searcher = Searcher::new(isa, &values, unequal);
                let edges =
                    [HEAD, 2 * HEAD - 1, 2 * HEAD, 2 * HEAD + 1, 2 * HEAD + 63, 2 * HEAD + 65, 3 * HEAD - 1];
                for total in (0..20).chain(edges) {
                    let pairs = (1..=total / 2).filter(|&a| !(unequal && 2 * a == total));
                    for least in [1, 2, 17, 500] {
                        let side = |from: bool| -> HashSet<u16> {
                            let side = pairs.clone().filter(|&a| (a >= least) == from);
                            side.map(|a| values[a] ^ values[total - a]).collect()
                        };
                        let (from, below) = (side(true), side(false));
                        let some = (0..200).map(|_| random()).chain([0]);
                        let wanted: Vec<u16> =
                            some.chain(from.iter().copied().take(200)).chain(below.iter().copied()).collect();
                        for &wanted in &wanted {
                            let found = searcher.splits_below(&values, total, least, wanted);
                            assert_eq!(found, below.contains(&wanted), "{isa:?} {total} {least} {wanted}");
                            let found = searcher.splits_to(&values, total, wanted);
                            let any = from.contains(&wanted) || below.contains(&wanted);
                            assert_eq!(found, any, "{isa:?} {total} {wanted}");
                        }
                    }
                }
            }
        }
    }
}
