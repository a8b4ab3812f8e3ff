//! MAXIMUM NIM (Mullen, Section 2.2; Mullen and Nowakowski, Section 3; after Levine).

use super::Rules;

/// A move takes from one heap at least one counter and at most as many as the rule function allows for that
/// heap's size.
///
/// The source plays it on one heap; several heaps are the sum of such games.
#[derive(Debug, Clone, Default)]
pub struct MaximumNim {
    /// `most[n]` is the rule function at `n`. A heap beyond the end of the list cannot be moved in.
    pub most: Vec<u32>,
}

impl MaximumNim {
    /// The game in normal play whose rule function is `rule`, for heaps of at most `largest` chips.
    pub fn new(largest: u32, rule: impl Fn(u32) -> u32) -> Self {
        Self { most: (0..=largest).map(rule).collect() }
    }

    /// At most `floor(n / 2)` chips.
    pub fn half(largest: u32) -> Self {
        Self::new(largest, |n| n / 2)
    }

    /// Strictly less than half of the chips.
    pub fn less_than_half(largest: u32) -> Self {
        Self::new(largest, |n| n.saturating_sub(1) / 2)
    }
}

impl Rules for MaximumNim {
    type Position = [u32];

    fn options(&self, heaps: &[u32], visit: &mut dyn FnMut(&[u32])) {
        let mut option = heaps.to_vec();
        for i in 0..heaps.len() {
            let most = self.most.get(heaps[i] as usize).copied().unwrap_or(0).min(heaps[i]);
            for taken in 1..=most {
                option[i] = heaps[i] - taken;
                visit(&option);
            }
            option[i] = heaps[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{grundy, options};
    use super::*;

    #[test]
    fn the_rule_function_bounds_a_move() {
        assert_eq!(options(&MaximumNim::half(10), &[5]), [[3], [4]]);
        assert_eq!(options(&MaximumNim::less_than_half(10), &[4]), [[3]]);
        assert!(options(&MaximumNim::half(10), &[1]).is_empty());
    }

    #[test]
    fn less_than_half_gives_the_sequence_of_the_thesis() {
        let game = MaximumNim::less_than_half(16);
        let values: Vec<u16> = (1..=16).map(|n| grundy(&game, &[n])).collect();
        assert_eq!(values, [0, 0, 1, 0, 2, 1, 3, 0, 4, 2, 5, 1, 6, 3, 7, 0]);
    }
}
