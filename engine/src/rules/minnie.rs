//! MINNIE (Mullen and Nowakowski, *The self-referential impartial game MINNIE*, 2020).

use super::Rules;

/// A move takes `s` counters from one heap, where `1 <= s <= ` the size of the smallest non-empty heap.
///
/// Heaps of size 0 are absent: they neither bound a move nor can be moved in.
#[derive(Debug, Clone, Copy, Default)]
pub struct Minnie;

impl Rules for Minnie {
    type Position = [u32];

    fn options(&self, heaps: &[u32], visit: &mut dyn FnMut(&[u32])) {
        let Some(smallest) = heaps.iter().copied().filter(|&heap| heap > 0).min() else {
            return;
        };
        let mut option = heaps.to_vec();
        for i in 0..heaps.len() {
            if heaps[i] == 0 {
                continue;
            }
            for taken in 1..=smallest {
                option[i] = heaps[i] - taken;
                visit(&option);
            }
            option[i] = heaps[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(heaps: &[u32]) -> Vec<Vec<u32>> {
        let mut found = Vec::new();
        Minnie.options(heaps, &mut |option| {
            let mut sorted = option.to_vec();
            sorted.sort_unstable();
            found.push(sorted);
        });
        found.sort();
        found.dedup();
        found
    }

    #[test]
    fn one_heap_is_nim() {
        assert_eq!(options(&[3]), [[0], [1], [2]]);
    }

    #[test]
    fn the_smallest_heap_bounds_every_move() {
        assert_eq!(options(&[2, 5]), [[0, 5], [1, 5], [2, 3], [2, 4]]);
    }

    #[test]
    fn absent_heaps_do_not_bound_a_move() {
        assert_eq!(options(&[0, 2]), [[0, 0], [0, 1]]);
    }

    #[test]
    fn the_empty_position_has_no_option() {
        assert!(options(&[0, 0, 0]).is_empty());
        assert!(options(&[]).is_empty());
    }
}
