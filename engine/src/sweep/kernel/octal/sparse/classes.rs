//! The split of the values into rare and common ones, as tables.

use super::super::split::Split;

/// The split as tables.
pub(super) struct Classes {
    pub split: Split,
    /// Of each value, the index; bit 16: common at even heaps; bit 17: at odd heaps. Values from 2^bits on,
    /// which can come only from a caller that has changed the sequence, have the code of their low bits, so
    /// that no index is beyond the tables.
    codes: Box<[u32; 1 << 16]>,
    /// The indices of the common (rare) class, by parity of the heap, as sets.
    pub common: [Vec<u64>; 2],
    pub rare: [Vec<u64>; 2],
    /// The values of those indices.
    pub common_values: [Vec<u16>; 2],
    pub rare_values: [Vec<u16>; 2],
}

impl Classes {
    pub fn new(split: Split) -> Self {
        let code = |x: u16| {
            let class = u32::from(split.is_common(x, 0)) | u32::from(split.is_common(x, 1)) << 1;
            split.index(x) as u32 | class << 16
        };
        let set = |n: usize, common: bool| {
            let mut words = vec![0u64; split.indices().div_ceil(64)];
            for x in (0..split.indices()).filter(|&x| split.value(x, n, common).is_some()) {
                words[x / 64] |= 1 << (x % 64);
            }
            words
        };
        let values = |n: usize, common: bool| {
            (0..split.indices()).map(|x| split.value(x, n, common).unwrap_or(0)).collect()
        };
        let few: Vec<u32> = (0..1usize << split.bits).map(|x| code(x as u16)).collect();
        let codes = few.repeat((1 << 16) / few.len()).into_boxed_slice();
        let codes = codes.try_into().unwrap_or_else(|_| unreachable!("a power of two divides 2^16"));
        Self {
            split,
            codes,
            common: [set(0, true), set(1, true)],
            rare: [set(0, false), set(1, false)],
            common_values: [values(0, true), values(1, true)],
            rare_values: [values(0, false), values(1, false)],
        }
    }

    #[inline]
    pub fn is_common(&self, value: u16, n: usize) -> bool {
        self.codes[usize::from(value)] >> (16 + (n & 1)) & 1 != 0
    }

    #[inline]
    pub fn index(&self, value: u16) -> usize {
        (self.codes[usize::from(value)] & 0xffff) as usize
    }

    /// The index of a value, and whether the value is common at heap `n`.
    #[inline]
    pub fn index_and_class(&self, value: u16, n: usize) -> (usize, bool) {
        let code = self.codes[usize::from(value)];
        ((code & 0xffff) as usize, code >> (16 + (n & 1)) & 1 != 0)
    }

    pub fn indices(&self) -> usize {
        self.split.indices()
    }

    /// Bit rows: the indices, rounded up to whole groups of four.
    pub fn rows(&self) -> usize {
        self.indices().next_multiple_of(4)
    }

    /// Words of a set of indices.
    pub fn set_words(&self) -> usize {
        self.indices().div_ceil(64)
    }

    /// The least rare value that may be G(n): smaller than the least common value that is not an option (of
    /// index `common`; all are options if there is none), not in `covered`, and not an option, which
    /// `is_not_an_option` decides.
    #[inline]
    pub fn least_open_rare(
        &self,
        n: usize,
        covered: &[u64],
        common: Option<usize>,
        mut is_not_an_option: impl FnMut(u16) -> bool,
    ) -> Option<u16> {
        let bound = self.bound(n, common);
        // The index keeps the order inside a class only: a smaller rare value may have a slightly larger
        // index.
        let indices =
            common.map_or(self.indices(), |index| self.indices().min((index | self.split.low_bits()) + 1));
        for k in 0..indices.div_ceil(64) {
            let mut open = !covered[k] & self.rare[n & 1][k];
            if indices < 64 * (k + 1) {
                open &= (1 << (indices - 64 * k)) - 1;
            }
            while open != 0 {
                let wanted = self.rare_values[n & 1][64 * k + open.trailing_zeros() as usize];
                open &= open - 1;
                if usize::from(wanted) >= bound {
                    return None;
                }
                if is_not_an_option(wanted) {
                    return Some(wanted);
                }
            }
        }
        None
    }

    /// The value of the common index; if there is none, all options being below 2^bits makes that the bound
    /// of G(n).
    #[inline]
    pub fn bound(&self, n: usize, common: Option<usize>) -> usize {
        common.map_or(1 << self.split.bits, |index| usize::from(self.common_values[n & 1][index]))
    }
}

/// A rare heap and the index of its value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rare {
    pub heap: usize,
    pub index: u16,
}

/// The indices of `class` from `first` on that are not in `excluded`, in order.
pub(super) fn free_indices(excluded: &[u64], class: &[u64], first: usize) -> impl Iterator<Item = usize> {
    let words = excluded.iter().zip(class).enumerate().skip(first / 64);
    words.flat_map(move |(k, (excluded, class))| {
        let mut free = !excluded & class;
        if k == first / 64 {
            free &= u64::MAX << (first % 64);
        }
        std::iter::from_fn(move || {
            let index = (free != 0).then(|| 64 * k + free.trailing_zeros() as usize);
            free &= free.wrapping_sub(1);
            index
        })
    })
}
