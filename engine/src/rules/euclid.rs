//! EUCLID (Mullen, Section 2.1; Mullen and Nowakowski, Section 1).

use super::Rules;

/// A move takes a positive multiple of the smaller heap from the larger one.
///
/// The sources have two readings. In the first, both heaps stay positive, and who reaches `[d, d]` has made
/// the last move. In the second, the larger heap may become 0, and who reaches `[0, d]` has made the last
/// move. On more than two heaps any heap may be lowered by a multiple of any other heap that is not larger.
#[derive(Debug, Clone, Copy, Default)]
pub struct Euclid {
    /// The second reading: a heap may reach 0.
    pub to_zero: bool,
}

impl Rules for Euclid {
    type Position = [u32];

    fn options(&self, heaps: &[u32], visit: &mut dyn FnMut(&[u32])) {
        let mut option = heaps.to_vec();
        for i in 0..heaps.len() {
            for j in 0..heaps.len() {
                if i == j || heaps[j] == 0 {
                    continue;
                }
                let least = if self.to_zero { 0 } else { 1 };
                let mut left = heaps[i];
                while left >= heaps[j] && left - heaps[j] >= least {
                    left -= heaps[j];
                    option[i] = left;
                    visit(&option);
                }
                option[i] = heaps[i];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{grundy, options};
    use super::*;

    const TO_ZERO: Euclid = Euclid { to_zero: true };

    #[test]
    fn the_options_of_51_and_14_are_those_of_the_thesis() {
        assert_eq!(options(&Euclid::default(), &[14, 51]), [[9, 14], [14, 23], [14, 37]]);
        assert_eq!(options(&TO_ZERO, &[14, 51]), [[9, 14], [14, 23], [14, 37]]);
    }

    #[test]
    fn the_readings_differ_where_the_larger_heap_is_a_multiple() {
        assert_eq!(options(&Euclid::default(), &[2, 4]), [[2, 2]]);
        assert_eq!(options(&TO_ZERO, &[2, 4]), [[0, 2], [2, 2]]);
        assert_eq!(grundy(&Euclid::default(), &[3, 3]), 0);
        assert_eq!(grundy(&TO_ZERO, &[3, 3]), 1);
    }

    #[test]
    fn an_empty_heap_cannot_be_subtracted() {
        assert!(options(&TO_ZERO, &[0, 5]).is_empty());
        assert!(options(&Euclid::default(), &[0, 5]).is_empty());
    }
}
