//! Finding splits a + b of a total with G(a) XOR G(b) equal to wanted values.

use crate::base::Isa;
use crate::base::simd::{Has, Vector, VectorLoop};

/// The heaps whose values are kept in reverse: 1..=HEAD.
const HEAD: usize = 4096;
/// The values that are searched for together.
const TOGETHER: usize = 8;

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

    /// The largest smaller part of a total.
    fn half(&self, total: usize) -> usize {
        if self.unequal { total.saturating_sub(1) / 2 } else { total / 2 }
    }

    /// Is there a pair of heaps a ≤ b with a + b = `total`, a below `end` and G(a) XOR G(b) = `wanted`?
    pub fn splits_below(&self, values: &[u16], total: usize, end: usize, wanted: u16) -> bool {
        let last = self.half(total).min(end.saturating_sub(1));
        self.pairs(&values[1..=last], &values[total - last..total], &mut vec![wanted])
    }

    /// Is there a pair of heaps a ≤ b with a + b = `total` and G(a) XOR G(b) = `wanted`?
    ///
    /// The small part runs upward, many heaps a step: where the values are well mixed a hit comes soon,
    /// and a miss has looked at every pair, so the answer is exact.
    pub fn splits_to(&self, values: &[u16], total: usize, wanted: u16) -> bool {
        let (half, head) = (self.half(total), self.head.len());
        if half <= head || head == 0 {
            return self.splits_below(values, total, half + 1, wanted);
        }
        let large = &values[total - head..total];
        self.isa.run(AlignedSearch { small: &self.head, large, wanted })
            || self.pairs(&values[head + 1..=half], &values[total - half..total - head], &mut vec![wanted])
    }

    /// Keeps of `wanted` the values that are not G(a) XOR G(b) for any pair of heaps a ≤ b with a + b =
    /// `total` and a at least `least` ≥ 1. Returns whether none is left. The middle comes first: the way
    /// where small heaps have been tried before.
    pub fn splits_from(&self, values: &[u16], total: usize, least: usize, wanted: &mut Vec<u16>) -> bool {
        let half = self.half(total);
        half >= least && self.pairs(&values[total - half..=total - least], &values[least..=half], wanted)
    }

    /// Keeps of `wanted` the values that are not a XOR b for any a of `up`, in order, and b of `down`, of the
    /// same length, in reverse order. Returns whether none is left.
    fn pairs(&self, up: &[u16], down: &[u16], wanted: &mut Vec<u16>) -> bool {
        assert_eq!(up.len(), down.len());
        let mut left = Vec::new();
        for some in wanted.chunks(TOGETHER) {
            let mut some = some.to_vec();
            let mut at = 0;
            while !some.is_empty() && at < up.len() {
                let wanted = &mut some;
                at = match wanted.len() {
                    1 => self.isa.run(PairSearch::<1> { up, down, at, wanted }),
                    2..=4 => self.isa.run(PairSearch::<4> { up, down, at, wanted }),
                    _ => self.isa.run(PairSearch::<TOGETHER> { up, down, at, wanted }),
                };
            }
            left.append(&mut some);
        }
        *wanted = left;
        wanted.is_empty()
    }
}

/// Takes out of `wanted` (at most `MOST` values) what the pairs of `up` and `down`, from pair `at` on, give,
/// and returns how far it came: to the end, or to where half of them are found.
struct PairSearch<'a, const MOST: usize> {
    up: &'a [u16],
    down: &'a [u16],
    at: usize,
    wanted: &'a mut Vec<u16>,
}

impl<const MOST: usize> VectorLoop for PairSearch<'_, MOST> {
    type Output = usize;

    #[inline(always)]
    fn run<V: Vector>(self, has: Has<V>) -> usize {
        let Self { up, down, mut at, wanted } = self;
        let length = up.len();
        assert!(down.len() == length && !wanted.is_empty() && wanted.len() <= MOST);
        // Places that are not needed repeat the first value.
        let value = |k: usize| wanted[if k < wanted.len() { k } else { 0 }];
        let values: [V; MOST] = std::array::from_fn(|k| V::splat_u16(has, value(k)));
        let mut least = [V::splat_u16(has, u16::MAX); MOST];
        // With few values a look at what is found is cheap.
        let steps = MOST.min(4);
        let mut found = [false; MOST];
        while at + V::U16S <= length && 2 * found.iter().filter(|&&found| found).count() < MOST {
            for _ in 0..steps {
                if at + V::U16S <= length {
                    // SAFETY: the load from `up` ends at at + U16S <= length, and that from `down` begins at
                    // length - at - U16S >= 0.
                    let (a, b) = unsafe {
                        (
                            V::load(has, up.as_ptr().add(at)),
                            V::load(has, down.as_ptr().add(length - at - V::U16S)),
                        )
                    };
                    let options = a.xor(b.reverse_u16());
                    for k in 0..MOST {
                        least[k] = least[k].min_u16(options.xor(values[k]));
                    }
                    at += V::U16S;
                }
            }
            for k in 0..MOST {
                found[k] = least[k].has_zero_u16();
            }
        }
        let mut k = 0;
        wanted.retain(|_| {
            k += 1;
            !found[k - 1]
        });
        if at + V::U16S > length {
            for (a, b) in up[at..].iter().zip(down[..length - at].iter().rev()) {
                wanted.retain(|&wanted| a ^ b != wanted);
            }
            at = length;
        }
        at
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
                        let mut wanted: Vec<u16> =
                            some.chain(from.iter().copied().take(200)).chain(below.iter().copied()).collect();
                        for &wanted in &wanted {
                            let found = searcher.splits_below(&values, total, least, wanted);
                            assert_eq!(found, below.contains(&wanted), "{isa:?} {total} {least} {wanted}");
                            let found = searcher.splits_to(&values, total, wanted);
                            let any = from.contains(&wanted) || below.contains(&wanted);
                            assert_eq!(found, any, "{isa:?} {total} {wanted}");
                        }
                        let left: Vec<u16> = wanted.iter().copied().filter(|x| !from.contains(x)).collect();
                        let none = searcher.splits_from(&values, total, least, &mut wanted);
                        assert_eq!((none, wanted), (left.is_empty(), left), "{isa:?} {total} {least}");
                    }
                }
            }
        }
    }
}
