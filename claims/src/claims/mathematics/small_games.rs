//! Every impartial game, as a number: the options of game `n` are the games whose numbers are the places of
//! the ones in the binary form of `n`.
//!
//! An option has a smaller number than the game, and two games with the same options are the same number, so
//! this numbers all finite impartial games once (it is Ackermann's numbering of the hereditarily finite
//! sets). The first 16 are all games born by day 3. Theorems about all games are tested on an initial part of
//! this list.

use crate::base::mex;
use std::collections::HashMap;

/// The options of game `n`.
pub(crate) fn options(game: u32) -> impl Iterator<Item = u32> {
    (0..u32::BITS).filter(move |place| game >> place & 1 == 1)
}

/// The nim heaps `*0, *1, ...` that have a number below 2^32.
pub(crate) const NIM_HEAPS: [u32; 5] = [0, 1, 0b11, 0b1011, 0b1000_0000_1011];

/// The Grundy value by the definition.
pub(crate) fn grundy(game: u32) -> u32 {
    mex(options(game).map(grundy))
}

/// Outcomes of sums of games, remembered.
#[derive(Default)]
pub(crate) struct Sums {
    lost: HashMap<Vec<u32>, bool>,
}

impl Sums {
    /// Whether the player to move loses the sum of `games`, by the definition of the sum alone.
    pub fn is_lost(&mut self, games: &[u32]) -> bool {
        let mut sum = games.to_vec();
        sum.sort_unstable();
        if let Some(&lost) = self.lost.get(&sum) {
            return lost;
        }
        let mut lost = true;
        'search: for i in 0..sum.len() {
            for option in options(sum[i]) {
                let mut next = sum.clone();
                next[i] = option;
                if self.is_lost(&next) {
                    lost = false;
                    break 'search;
                }
            }
        }
        self.lost.insert(sum, lost);
        lost
    }

    /// Whether `first` and `second` have the same outcome with every added game below `universe`.
    pub fn are_equivalent(&mut self, first: &[u32], second: &[u32], universe: u32) -> bool {
        (0..universe).all(|added| {
            let with = |games: &[u32]| [games, &[added]].concat();
            self.is_lost(&with(first)) == self.is_lost(&with(second))
        })
    }
}

/// `{*0, {*0}}` and so on, with `0` for the game without options.
pub(crate) fn show(game: u32) -> String {
    if game == 0 {
        return "0".into();
    }
    let options: Vec<String> = options(game).map(show).collect();
    format!("{{{}}}", options.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nim_heaps_have_their_size_as_value() {
        assert_eq!(NIM_HEAPS.map(grundy), [0, 1, 2, 3, 4]);
        assert_eq!(options(NIM_HEAPS[3]).collect::<Vec<_>>(), NIM_HEAPS[..3]);
        assert_eq!(show(NIM_HEAPS[2]), "{0,{0}}");
    }

    #[test]
    fn sums_of_nim_heaps_are_lost_when_they_pair_up() {
        let mut sums = Sums::default();
        assert!(sums.is_lost(&[NIM_HEAPS[1], NIM_HEAPS[2], NIM_HEAPS[3]]));
        assert!(!sums.is_lost(&[NIM_HEAPS[1], NIM_HEAPS[2]]));
        assert!(!sums.are_equivalent(&[NIM_HEAPS[1]], &[NIM_HEAPS[2]], 16));
    }
}
