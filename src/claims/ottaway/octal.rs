//! Octal games by the definition, for the claims that compare a graph game with one.

/// An octal game d0.d1d2...
pub(super) struct Octal {
    digits: Vec<usize>,
}

impl Octal {
    pub(super) fn new(digits: &[usize]) -> Self {
        Self { digits: digits.to_vec() }
    }

    /// G(0), ..., G(count - 1).
    pub(super) fn values(&self, count: usize) -> Vec<u16> {
        let mut values: Vec<u16> = Vec::with_capacity(count);
        for n in 0..count {
            let mut seen = vec![false; 4 * count.next_power_of_two()];
            for (taken, &digit) in self.digits.iter().enumerate().take(n + 1) {
                let rest = n - taken;
                if digit & 1 != 0 && rest == 0 && taken > 0 {
                    seen[0] = true;
                }
                if digit & 2 != 0 && rest > 0 && taken > 0 {
                    seen[usize::from(values[rest])] = true;
                }
                if digit & 4 != 0 {
                    (1..=rest / 2).for_each(|a| seen[usize::from(values[a] ^ values[rest - a])] = true);
                }
            }
            values.push(seen.iter().position(|&s| !s).unwrap_or(seen.len()) as u16);
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kayles_starts_as_everyone_knows() {
        assert_eq!(Octal::new(&[0, 7, 7]).values(12), [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6]);
    }
}
