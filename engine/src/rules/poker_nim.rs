//! POKER NIM, bounded so that it ends (Alpern and von Stengel's slides).

use super::{Nim, Rules};

/// A move is a move of nim, or it adds counters to one heap, even an empty one. How many may be added
/// is a fixed set, and only so many such moves remain.
///
/// A position is the number of adding moves that remain, followed by the heaps in order. (In the slides the
/// players add counters that they collected before; a bound on the number of adding moves keeps the game
/// impartial and finite.)
#[derive(Debug, Clone, Default)]
pub struct PokerNim {
    /// The numbers of counters that a move may add.
    pub add: Vec<u32>,
}

impl Rules for PokerNim {
    type Position = [u32];

    fn options(&self, position: &[u32], visit: &mut dyn FnMut(&[u32])) {
        let Some((&additions, heaps)) = position.split_first() else { return };
        let mut option = position.to_vec();
        Nim.options(heaps, &mut |left| {
            option[1..].copy_from_slice(left);
            visit(&option);
        });
        option.copy_from_slice(position);
        if additions == 0 {
            return;
        }
        option[0] = additions - 1;
        for i in 1..position.len() {
            for &added in self.add.iter().filter(|&&added| added > 0) {
                if let Some(grown) = position[i].checked_add(added) {
                    option[i] = grown;
                    visit(&option);
                }
            }
            option[i] = position[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(game: &PokerNim, position: &[u32]) -> Vec<Vec<u32>> {
        let mut found = Vec::new();
        game.options(position, &mut |option| found.push(option.to_vec()));
        found.sort();
        found
    }

    #[test]
    fn the_options_of_a_heap_of_five_are_those_of_the_slides() {
        let game = PokerNim { add: vec![1, 3, 4] };
        let sizes: Vec<u32> = options(&game, &[1, 5]).iter().map(|option| option[1]).collect();
        // Sorted by the additions that remain: first the three that add.
        assert_eq!(sizes, [6, 8, 9, 0, 1, 2, 3, 4]);
        assert_eq!(options(&game, &[0, 2]), [[0, 0], [0, 1]]);
    }

    #[test]
    fn chips_may_be_added_to_an_empty_heap() {
        let game = PokerNim { add: vec![2] };
        assert_eq!(options(&game, &[1, 0]), [[0, 2]]);
    }
}
