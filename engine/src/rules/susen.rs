//! SUSEN and JENNIFER (Mullen, Sections 2.4 and 2.5; Mullen and Nowakowski, Section 1).

use super::{Nim, Rules};

/// A move takes `s` counters from one heap, where `s` is the size of some non-empty heap of the position.
#[derive(Debug, Clone, Copy, Default)]
pub struct Susen;

impl Rules for Susen {
    type Position = [u32];

    fn options(&self, heaps: &[u32], visit: &mut dyn FnMut(&[u32])) {
        let mut option = heaps.to_vec();
        for i in 0..heaps.len() {
            for &taken in heaps.iter().filter(|&&size| 0 < size && size <= heaps[i]) {
                option[i] = heaps[i] - taken;
                visit(&option);
            }
            option[i] = heaps[i];
        }
    }
}

/// A move takes `s >= 1` counters from one heap, where `s` is not the size of any heap of the position.
#[derive(Debug, Clone, Copy, Default)]
pub struct Jennifer;

impl Rules for Jennifer {
    type Position = [u32];

    fn options(&self, heaps: &[u32], visit: &mut dyn FnMut(&[u32])) {
        Nim.options(heaps, &mut |option| {
            let taken = heaps.iter().zip(option).map(|(before, after)| before - after).max();
            if taken.is_some_and(|taken| !heaps.contains(&taken)) {
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
    fn susen_subtracts_a_heap_size() {
        assert_eq!(options(&Susen, &[2, 5]), [[0, 2], [0, 5], [2, 3]]);
        assert_eq!(options(&Susen, &[7]), [[0]]);
    }

    #[test]
    fn two_heaps_of_susen_go_by_the_length() {
        // L(2,2) = 2 is even, L(1,2) = 3 is odd, L(2,3) = 4 is even.
        assert_eq!(grundy(&Susen, &[2, 2]), 0);
        assert_ne!(grundy(&Susen, &[1, 2]), 0);
        assert_eq!(grundy(&Susen, &[2, 3]), 0);
    }

    #[test]
    fn jennifer_subtracts_anything_but_a_heap_size() {
        assert_eq!(options(&Jennifer, &[4]), [[1], [2], [3]]);
        assert_eq!(options(&Jennifer, &[1, 4]), [[1, 1], [1, 2]]);
        assert!(options(&Jennifer, &[1, 1, 2]).is_empty());
    }

    #[test]
    fn on_one_heap_jennifer_is_won_by_leaving_one_chip() {
        assert_eq!(grundy(&Jennifer, &[1]), 0);
        assert!((2..9).all(|heap| grundy(&Jennifer, &[heap]) != 0));
    }
}
