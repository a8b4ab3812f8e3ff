//! MINE (Mullen, Section 5.3).

use super::{Minnie, Rules};

/// The moves of minnie, except those that leave two non-empty heaps of the same size.
#[derive(Debug, Clone, Copy, Default)]
pub struct Mine;

impl Rules for Mine {
    type Position = [u32];

    fn options(&self, heaps: &[u32], visit: &mut dyn FnMut(&[u32])) {
        Minnie.options(heaps, &mut |option| {
            if all_different(option) {
                visit(option);
            }
        });
    }
}

/// Whether no two non-empty heaps have the same size.
pub fn all_different(heaps: &[u32]) -> bool {
    heaps.iter().enumerate().all(|(i, heap)| *heap == 0 || !heaps[..i].contains(heap))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{options, p_pairs};
    use super::*;

    #[test]
    fn no_move_makes_two_heaps_equal() {
        assert_eq!(options(&Mine, &[1, 2]), [[0, 2]]);
        assert_eq!(options(&Mine, &[1, 2, 3]), [[0, 2, 3]]);
        assert_eq!(options(&Mine, &[2, 3]), [[0, 3], [1, 2], [1, 3]]);
    }

    #[test]
    fn the_small_p_positions_are_those_of_theorem_5_8() {
        let pairs: Vec<_> = p_pairs(&Mine, 7).into_iter().filter(|[a, b]| a < b).collect();
        assert_eq!(pairs, [[1, 2], [1, 4], [1, 6], [2, 5], [3, 7]]);
    }
}
