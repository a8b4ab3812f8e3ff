//! WYTHOFF's game (Mullen, Section 1.3).

use super::{Nim, Rules};

/// The moves of nim, and taking the same number of counters from two heaps. The source has two heaps; on more
/// heaps any two of them may be lowered together.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wythoff;

impl Rules for Wythoff {
    type Position = [u32];

    fn options(&self, heaps: &[u32], visit: &mut dyn FnMut(&[u32])) {
        Nim.options(heaps, visit);
        let mut option = heaps.to_vec();
        for i in 0..heaps.len() {
            for j in i + 1..heaps.len() {
                for taken in 1..=heaps[i].min(heaps[j]) {
                    option[i] = heaps[i] - taken;
                    option[j] = heaps[j] - taken;
                    visit(&option);
                }
                option[i] = heaps[i];
                option[j] = heaps[j];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{grundy, options, p_pairs};
    use super::*;

    #[test]
    fn the_diagonal_move_is_there() {
        assert_eq!(options(&Wythoff, &[1, 2]), [[0, 1], [0, 2], [1, 1]]);
    }

    #[test]
    fn the_p_positions_are_those_of_table_1_2() {
        assert_eq!(p_pairs(&Wythoff, 7), [[1, 2], [3, 5], [4, 7]]);
    }

    #[test]
    fn three_by_three_is_worth_six() {
        // The third row of the well-known table: 3 4 5 6.
        let row: Vec<u16> = (0..4).map(|b| grundy(&Wythoff, &[3, b])).collect();
        assert_eq!(row, [3, 4, 5, 6]);
    }
}
