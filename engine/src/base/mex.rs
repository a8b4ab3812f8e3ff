//! The minimal excludant.

/// A set of values that tells the least one that is missing.
#[derive(Debug, Clone, Default)]
pub struct Mex {
    words: Vec<u64>,
}

impl Mex {
    /// Adds a value.
    #[inline]
    pub fn insert(&mut self, value: u32) {
        let word = value as usize / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (value % 64);
    }

    /// The least value that is missing.
    pub fn least(&self) -> u32 {
        let full = self.words.iter().take_while(|&&word| word == u64::MAX).count();
        let ones = self.words.get(full).map_or(0, |word| word.trailing_ones());
        // A set of all values would take 512 MiB of words and as many positions; it never comes to that.
        u32::try_from(full as u64 * 64 + u64::from(ones)).expect("a value below 2^32 is missing")
    }

    /// Whether no value was added.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Takes all values out.
    pub fn clear(&mut self) {
        self.words.clear();
    }
}

impl<T: Into<u32>> FromIterator<T> for Mex {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut set = Self::default();
        values.into_iter().for_each(|value| set.insert(value.into()));
        set
    }
}

/// The least whole number that is not among `values`.
pub fn mex<T: Into<u32>>(values: impl IntoIterator<Item = T>) -> u32 {
    values.into_iter().collect::<Mex>().least()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_missing_value_is_found_beyond_any_word() {
        assert_eq!(mex::<u32>([]), 0);
        assert_eq!(mex([1u16, 2, 5]), 0);
        assert_eq!(mex([0u16, 2, 1, 0, 300]), 3);
        for n in [63u32, 64, 65, 128, 65535, 65536, 65537] {
            assert_eq!(mex((0..n).rev()), n);
        }
        let mut set: Mex = [0u32, 1].into_iter().collect();
        set.clear();
        assert!(set.is_empty() && set.least() == 0);
    }
}
