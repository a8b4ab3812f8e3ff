//! GREEDY NIM (Mullen, Section 2.3, after Albert and Nowakowski).

use super::{Nim, Rules};

/// The moves of nim in a heap of the largest size.
#[derive(Debug, Clone, Copy, Default)]
pub struct GreedyNim;

impl Rules for GreedyNim {
    type Position = [u32];

    fn options(&self, heaps: &[u32], visit: &mut dyn FnMut(&[u32])) {
        let largest = heaps.iter().max();
        Nim.options(heaps, &mut |option| {
            let changed = heaps.iter().zip(option).find(|(before, after)| before != after);
            if changed.map(|(before, _)| before) == largest {
                visit(option);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{grundy, options};
    use super::*;

    #[test]
    fn only_a_largest_heap_is_played() {
        assert_eq!(options(&GreedyNim, &[1, 2]), [[0, 1], [1, 1]]);
        assert_eq!(options(&GreedyNim, &[2, 2]), [[0, 2], [1, 2]]);
        assert!(options(&GreedyNim, &[0, 0]).is_empty());
    }

    #[test]
    fn an_even_number_of_largest_heaps_is_lost() {
        assert_eq!(grundy(&GreedyNim, &[1, 3, 3]), 0);
        assert_ne!(grundy(&GreedyNim, &[3, 3, 3]), 0);
    }
}
