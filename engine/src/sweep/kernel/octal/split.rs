//! The rare/common split of the nim-values ("sparse space").
//!
//! A split is a linear form on the extended value E(n) = G(n) + 2^K·((n + i) mod 2), where i is any index of
//! a splitting digit: a heap is common if the popcount of E AND mask is odd, otherwise rare. Taking i and
//! leaving a and b gives n = a + b + i, so E of the option's value at n is E(a) XOR E(b) as long as all
//! splitting i have the same parity; without the position bit in the mask it always is. Hence
//! rare ⊕ common = common and common ⊕ common = rare ⊕ rare = rare, and the least common value that is not
//! an option needs only the options with exactly one rare part.
//!
//! Any mask gives a correct split. The best one, with the fewest rare heaps, is the minimum of the
//! Walsh–Hadamard transform of the histogram of E: the transform at `mask` is (rare heaps) − (common heaps).

/// A split of the values below 2^bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Split {
    /// The values are below 2^bits.
    pub bits: u32,
    /// The linear form on extended values; bit `bits` stands for the position's parity.
    pub mask: u32,
    /// Added to the position before its parity is taken.
    pub origin: usize,
    /// Options are excluded by marks, and the index is the value itself, in both classes.
    pub by_marks: bool,
}

impl Split {
    /// Does the position's parity take part?
    pub fn by_position(&self) -> bool {
        self.mask >> self.bits & 1 != 0
    }

    /// The bit of an extended value that is left out of its index: of the mask's bits, the position's
    /// if it is there, else the lowest. With this choice the index keeps the order of the values of a class.
    fn pivot(&self) -> u32 {
        if self.by_position() || self.by_marks { self.bits } else { self.mask.trailing_zeros() }
    }

    /// The number of indices.
    pub fn indices(&self) -> usize {
        if self.by_position() || self.by_marks { 1 << self.bits } else { 1 << (self.bits - 1) }
    }

    /// The bits of an index below the one that was left out.
    pub fn low_bits(&self) -> usize {
        if self.by_position() || self.by_marks { 0 } else { (1 << self.pivot()) - 1 }
    }

    /// The extended value of `value` at heap `n`.
    fn extended(&self, value: u16, n: usize) -> u32 {
        u32::from(value) | ((((n + self.origin) & 1) as u32) << self.bits)
    }

    /// The index of `value` (linear over XOR) at any heap.
    #[inline]
    pub fn index(&self, value: u16) -> usize {
        let value = u32::from(value);
        let pivot = self.pivot();
        let low = (1u32 << pivot) - 1;
        // For a position pivot nothing of the value is removed.
        if pivot >= self.bits { value as usize } else { (value & low | (value >> 1) & !low) as usize }
    }

    /// Is `value` common at heap `n`?
    #[inline]
    pub fn is_common(&self, value: u16, n: usize) -> bool {
        (self.extended(value, n) & self.mask).count_ones() & 1 != 0
    }

    /// The value of index `index` at heap `n` in the common or the rare class, if there is one.
    pub fn value(&self, index: usize, n: usize, common: bool) -> Option<u16> {
        let pivot = self.pivot();
        if pivot >= self.bits {
            let value = index as u16;
            return (self.is_common(value, n) == common).then_some(value);
        }
        let low = (1usize << pivot) - 1;
        let value = ((index & low) | ((index & !low) << 1)) as u16;
        let value = if self.is_common(value, n) == common { value } else { value | 1 << pivot };
        Some(value)
    }
}

/// Counts of the values by the parity of the heap: `counts[value][parity]`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Histogram {
    counts: Vec<[u64; 2]>,
}

impl Histogram {
    #[inline]
    pub fn add(&mut self, value: u16, n: usize) {
        let value = value as usize;
        if value >= self.counts.len() {
            self.counts.resize(value + 1, [0; 2]);
        }
        self.counts[value][n & 1] += 1;
    }

    /// The largest value seen.
    pub fn max(&self) -> u16 {
        self.counts.len().saturating_sub(1) as u16
    }

    /// The best split of values below 2^bits for splitting digits at `splits`, and its number of rare heaps.
    ///
    /// The position's parity is used only where it leaves far fewer rare heaps, because it doubles the number
    /// of indices.
    pub fn best_split(&self, bits: u32, splits: &[usize]) -> (Split, u64) {
        let size = 1usize << bits;
        let origin = splits.first().copied().unwrap_or(0) & 1;
        let same_parity = splits.iter().all(|i| i & 1 == origin);
        let mut transform = vec![0i64; 2 * size];
        for (value, count) in self.counts.iter().enumerate() {
            for parity in 0..2 {
                transform[value | (((parity + origin) & 1) << bits)] += count[parity] as i64;
            }
        }
        walsh_hadamard(&mut transform);
        let total = transform[0];
        let best = |range: std::ops::Range<usize>| range.min_by_key(|&mask| transform[mask]);
        let rare = |mask: usize| ((total + transform[mask]) / 2) as u64;
        let plain = best(1..size).unwrap_or(1);
        let mut chosen = plain;
        if same_parity
            && let Some(with_position) = best(size..2 * size)
            && rare(with_position) * 3 < rare(plain)
        {
            chosen = with_position;
        }
        (Split { bits, mask: chosen as u32, origin, by_marks: false }, rare(chosen))
    }

    /// The number of rare heaps under `split`.
    pub fn rare(&self, split: &Split) -> u64 {
        let heaps = self.counts.iter().enumerate();
        heaps
            .map(|(value, count)| {
                (0..2).filter(|&n| !split.is_common(value as u16, n)).map(|n| count[n]).sum::<u64>()
            })
            .sum()
    }
}

fn walsh_hadamard(data: &mut [i64]) {
    let mut half = 1;
    while half < data.len() {
        for pair in data.chunks_exact_mut(2 * half) {
            let (low, high) = pair.split_at_mut(half);
            for (a, b) in low.iter_mut().zip(high) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_is_linear_ordered_and_invertible() {
        for bits in 1..6u32 {
            for mask in 1..1u32 << (bits + 1) {
                let split = Split { bits, mask, origin: 1, by_marks: false };
                for n in 0..2 {
                    for common in [false, true] {
                        let class: Vec<u16> =
                            (0..1 << bits).filter(|&x| split.is_common(x, n) == common).collect();
                        let indices: Vec<usize> = class.iter().map(|&x| split.index(x)).collect();
                        assert!(indices.is_sorted() && indices.iter().all(|&i| i < split.indices()));
                        for (&x, &i) in class.iter().zip(&indices) {
                            assert_eq!(split.value(i, n, common), Some(x));
                        }
                    }
                }
                for x in 0..1u16 << bits {
                    for y in 0..1u16 << bits {
                        assert_eq!(split.index(x ^ y), split.index(x) ^ split.index(y));
                    }
                }
            }
        }
    }

    #[test]
    fn best_split_has_the_fewest_rare_heaps() {
        let mut histogram = Histogram::default();
        let mut state = 1u32;
        for n in 0..500usize {
            state = state.wrapping_mul(1664525).wrapping_add(1013904223);
            histogram.add((state >> 20) as u16 % 16, n);
        }
        let (split, rare) = histogram.best_split(4, &[2]);
        assert_eq!(rare, histogram.rare(&split));
        for mask in 1..16 {
            assert!(rare <= histogram.rare(&Split { bits: 4, mask, origin: 0, by_marks: false }));
        }
    }
}
