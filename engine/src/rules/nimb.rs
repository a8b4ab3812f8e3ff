//! NIMB and NIMTB (Mullen, Chapter 3).

use super::mine::all_different;
use super::{Nim, Rules};

/// The moves of nim that change the size of the smallest non-empty heap.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nimb;

impl Rules for Nimb {
    type Position = [u32];

    fn options(&self, heaps: &[u32], visit: &mut dyn FnMut(&[u32])) {
        let before = smallest(heaps);
        Nim.options(heaps, &mut |option| {
            if smallest(option) != before {
                visit(option);
            }
        });
    }
}

/// The moves of nim that change both the smallest and the largest non-empty heap, from a position of
/// different heaps to a position of different heaps.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nimtb;

impl Rules for Nimtb {
    type Position = [u32];

    fn options(&self, heaps: &[u32], visit: &mut dyn FnMut(&[u32])) {
        if !all_different(heaps) {
            return;
        }
        let before = (smallest(heaps), heaps.iter().max());
        Nim.options(heaps, &mut |option| {
            let after = (smallest(option), option.iter().max());
            if after.0 != before.0 && after.1 != before.1 && all_different(option) {
                visit(option);
            }
        });
    }
}

/// The size of the smallest non-empty heap; `None` where there is none.
fn smallest(heaps: &[u32]) -> Option<u32> {
    heaps.iter().copied().filter(|&heap| heap > 0).min()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{grundy, options};
    use super::*;

    #[test]
    fn the_options_of_three_four_six_in_nimb_are_those_of_the_thesis() {
        assert_eq!(
            options(&Nimb, &[3, 4, 6]),
            [[0, 4, 6], [1, 3, 4], [1, 3, 6], [1, 4, 6], [2, 3, 4], [2, 3, 6], [2, 4, 6]]
        );
    }

    #[test]
    fn the_options_of_three_four_six_in_nimtb_are_those_of_the_thesis() {
        assert_eq!(options(&Nimtb, &[3, 4, 6]), [[1, 3, 4], [2, 3, 4]]);
    }

    #[test]
    fn nimb_may_end_with_chips_on_the_board() {
        assert!(options(&Nimb, &[1, 1]).is_empty());
        assert_eq!(options(&Nimb, &[0, 1]), [[0, 0]]);
    }

    #[test]
    fn both_are_worth_one_less_than_the_smallest_heap() {
        assert_eq!(grundy(&Nimb, &[3, 3, 5]), 2);
        assert_eq!(grundy(&Nimtb, &[3, 4, 5]), 2);
        assert_eq!(grundy(&Nimb, &[4]), 4);
    }
}
