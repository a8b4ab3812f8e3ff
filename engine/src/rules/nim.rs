//! NIM (Mullen, Section 1.1; Alpern and von Stengel's slides).

use super::Rules;

/// A move takes any number of counters, at least one, from one heap.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nim;

impl Rules for Nim {
    type Position = [u32];

    fn options(&self, heaps: &[u32], visit: &mut dyn FnMut(&[u32])) {
        let mut option = heaps.to_vec();
        for i in 0..heaps.len() {
            for left in 0..heaps[i] {
                option[i] = left;
                visit(&option);
            }
            option[i] = heaps[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Play;
    use super::super::testing::{grundy, options, value};
    use super::*;

    #[test]
    fn the_six_options_of_one_two_three_are_those_of_the_slides() {
        assert_eq!(
            options(&Nim, &[1, 2, 3]),
            [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 1, 2], [1, 1, 3], [1, 2, 2]]
        );
    }

    #[test]
    fn three_four_seven_is_lost_and_five_three_is_worth_six() {
        assert_eq!(grundy(&Nim, &[3, 4, 7]), 0);
        assert_eq!(grundy(&Nim, &[5, 3]), 6);
    }

    #[test]
    fn misere_nim_with_heaps_of_one_goes_by_parity() {
        let misere = |heaps: &[u32]| value(&Nim, Play::Misere, heaps);
        assert_eq!(misere(&[1, 1, 1]), 0);
        assert_eq!(misere(&[1, 1]), 1);
        assert_eq!(misere(&[2, 2]), 0);
    }
}
