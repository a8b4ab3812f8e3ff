//! WYNNIE (Mullen, Chapter 4) and its versions on more than two heaps (Chapter 6).

use super::Rules;
use serde::{Deserialize, Serialize};

/// From which sets of heaps the same number of counters may be taken in one move, besides from a single heap.
/// On two heaps all three are wynnie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Together {
    /// From exactly two heaps.
    #[default]
    Two,
    /// From any number of heaps, up to all of them.
    Any,
    /// From all non-empty heaps at once.
    All,
}

/// A move chooses `s` with `1 <= s <= ` the size of the smallest non-empty heap, and takes `s` counters from one
/// heap, or `s` counters from each of several heaps as [`Together`] says.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wynnie {
    /// Which heaps may be lowered together.
    pub together: Together,
}

impl Rules for Wynnie {
    type Position = [u32];

    fn options(&self, heaps: &[u32], visit: &mut dyn FnMut(&[u32])) {
        let present: Vec<usize> = (0..heaps.len()).filter(|&i| heaps[i] > 0).collect();
        let Some(smallest) = present.iter().map(|&i| heaps[i]).min() else { return };
        let mut option = heaps.to_vec();
        // Every non-empty set of non-empty heaps, as a bit mask; there are at most 16 heaps in any table.
        for set in 1u64..1 << present.len() {
            let allowed = match (set.count_ones(), self.together) {
                (1, _) | (2, Together::Two) | (_, Together::Any) => true,
                (size, Together::All) => size as usize == present.len(),
                (_, Together::Two) => false,
            };
            if !allowed {
                continue;
            }
            for taken in 1..=smallest {
                option.copy_from_slice(heaps);
                for (bit, &i) in present.iter().enumerate() {
                    if set >> bit & 1 == 1 {
                        option[i] -= taken;
                    }
                }
                visit(&option);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Play;
    use super::super::testing::{options, p_pairs, value};
    use super::*;

    #[test]
    fn a_move_takes_from_one_heap_or_from_both() {
        assert_eq!(options(&Wynnie::default(), &[1, 3]), [[0, 2], [0, 3], [1, 2]]);
        assert_eq!(options(&Wynnie::default(), &[0, 2]), [[0, 0], [0, 1]]);
    }

    #[test]
    fn the_three_versions_agree_on_two_heaps_and_differ_on_three() {
        let version = |together| Wynnie { together };
        for heaps in [[2, 3], [3, 3], [0, 4]] {
            let two = options(&version(Together::Two), &heaps);
            assert_eq!(two, options(&version(Together::Any), &heaps));
            assert_eq!(two, options(&version(Together::All), &heaps));
        }
        let heaps = [1, 1, 1];
        assert_eq!(options(&version(Together::Two), &heaps), [[0, 0, 1], [0, 1, 1]]);
        assert_eq!(options(&version(Together::Any), &heaps), [[0, 0, 0], [0, 0, 1], [0, 1, 1]]);
        assert_eq!(options(&version(Together::All), &heaps), [[0, 0, 0], [0, 1, 1]]);
    }

    #[test]
    fn the_small_p_positions_are_those_of_theorem_4_5() {
        assert_eq!(p_pairs(&Wynnie::default(), 8), [[1, 2], [1, 4], [1, 6], [1, 8], [3, 5]]);
    }

    #[test]
    fn the_misere_game_has_the_exceptions_one_one_and_two_two() {
        let misere = |heaps: &[u32]| value(&Wynnie::default(), Play::Misere, heaps);
        assert_eq!(misere(&[0, 1]), 0);
        assert_ne!(misere(&[1, 1]), 0);
        assert_eq!(misere(&[1, 3]), 0);
        assert_eq!(misere(&[2, 2]), 0);
    }
}
