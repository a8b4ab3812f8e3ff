//! Octal games and their relatives: heaps from which counters are taken and which may then be split.
//!
//! The code d0.d1d2d3… says what is left after taking i counters from a heap: bit 0 of d_i allows to leave
//! nothing (the heap had exactly i counters), bit 1 to leave one non-empty heap, bit 2 to leave two non-empty
//! heaps (Guy and Smith 1956; Winning Ways, chapter 4). d0 may only be 0 or 4: taking nothing is a move only
//! if the heap is split. Codes beyond these (bit 3, unequal parts, endless repeats) are in `code`.

mod code;

pub use code::Digit;

use self::code::Beyond;
use super::Rules;
use crate::base::{Error, Result};

/// The largest number of counters that one move may take: longer codes are refused.
pub const MAX_TAKE: usize = 4096;

/// A taking-and-breaking game on heaps of counters: an octal game, a subtraction game or Grundy's game; or, where
/// [`OctalGame::is_octal`] says no, one whose code goes beyond these.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct OctalGame {
    /// `digits[i]` is d_i; no trailing zeros; `digits[0]` leaves no whole heap.
    digits: Vec<u8>,
    /// As in Grundy's game, the two parts of every split must differ.
    unequal: bool,
    /// What the digits 0 to 7 do not say.
    beyond: Option<Beyond>,
}

impl OctalGame {
    /// The game with digits d0, d1, d2, …
    pub fn from_digits(digits: &[u8]) -> Result<Self> {
        let mut digits = digits.to_vec();
        if digits.is_empty() {
            return Err(Error::Usage("an octal code needs at least one digit, as in 0.6".into()));
        }
        if let Some(bad) = digits.iter().find(|&&d| d > 7) {
            return Err(Error::Usage(format!("{bad} is not an octal digit; use the digits 0 to 7")));
        }
        if digits[0] & 3 != 0 {
            return Err(Error::Usage(format!(
                "d0 = {} would allow a move that takes nothing and leaves the heap whole; the digit before the \
                 point must be 0 or 4",
                digits[0]
            )));
        }
        while digits.len() > 1 && digits.last() == Some(&0) {
            digits.pop();
        }
        if digits.len() > MAX_TAKE + 1 {
            return Err(Error::Usage(format!(
                "the code has {} digits after the point; at most {MAX_TAKE} are supported",
                digits.len() - 1
            )));
        }
        if digits == [0] {
            return Err(Error::Usage("the code has no non-zero digit, so there is no move; try 0.6".into()));
        }
        Ok(Self { digits, unequal: false, beyond: None })
    }

    /// Grundy's game: a move splits a heap into two unequal heaps.
    pub fn grundy() -> Self {
        Self { digits: vec![4], unequal: true, beyond: None }
    }

    /// The subtraction game: a move takes s counters, s in `set`.
    pub fn subtraction(set: &[usize]) -> Result<Self> {
        if set.is_empty() {
            return Err(Error::Usage("a subtraction set needs at least one number, as in 1,3,4".into()));
        }
        let mut digits = vec![0u8];
        for &s in set {
            if s == 0 || s > MAX_TAKE {
                return Err(Error::Usage(format!(
                    "{s} cannot be in a subtraction set; use numbers from 1 to {MAX_TAKE}"
                )));
            }
            if digits.len() <= s {
                digits.resize(s + 1, 0);
            }
            digits[s] = 3;
        }
        Self::from_digits(&digits)
    }

    /// The row 1×n under a k×k cookie cutter: 0.33…37 with k − 1 threes.
    pub fn cookie_row(k: usize) -> Result<Self> {
        if k == 0 || k > MAX_TAKE {
            return Err(Error::Usage(format!("the cutter's side must be between 1 and {MAX_TAKE}, not {k}")));
        }
        let mut digits = vec![3u8; k + 1];
        digits[0] = 0;
        digits[k] = 7;
        Self::from_digits(&digits)
    }

    /// The digits d0, d1, …, without trailing zeros; of an endless code, the last ones repeat
    /// ([`OctalGame::repeating`]).
    pub fn digits(&self) -> &[u8] {
        &self.digits
    }

    /// The last index of a non-zero digit: the most that a move takes (the t of the Guy–Smith theorem).
    pub fn last_index(&self) -> usize {
        self.digits.len() - 1
    }

    /// Is this Grundy's game, where the parts of a split must be unequal?
    pub fn unequal_parts(&self) -> bool {
        self.unequal
    }

    /// The i such that taking i may leave two heaps.
    pub fn splitting(&self) -> Vec<usize> {
        self.taking_with_bit(4)
    }

    /// The i such that taking i may leave one heap.
    pub fn leaving_one(&self) -> Vec<usize> {
        self.taking_with_bit(2)
    }

    /// The i such that a heap of exactly i may be taken whole.
    pub fn leaving_none(&self) -> Vec<usize> {
        self.taking_with_bit(1)
    }

    fn taking_with_bit(&self, bit: u8) -> Vec<usize> {
        assert!(self.is_octal(), "these lists do not say what the code {self} allows");
        self.digits.iter().enumerate().filter(|&(_, d)| d & bit != 0).map(|(i, _)| i).collect()
    }

    /// The amounts of a subtraction game, or `None` if this is not one: a move takes one of them, whatever is
    /// left.
    pub fn subtraction_set(&self) -> Option<Vec<usize>> {
        let all_or_nothing = self.digits.iter().all(|&digit| digit == 0 || digit == 3);
        (all_or_nothing && self.is_octal()).then(|| self.leaving_one())
    }

    /// Whether some move leaves several heaps.
    pub fn splits(&self) -> bool {
        self.digits.iter().any(|digit| digit & 12 != 0)
    }

    /// Calls `visit(a, b)` for every option of a heap of `n` counters, as two heaps a ≥ b; an absent heap is 0.
    /// Only for octal games: [`OctalGame::each_option`] is for all.
    pub fn options_of_heap(&self, n: u64, visit: &mut dyn FnMut(u64, u64)) {
        self.options_with_part(n, u64::MAX, visit);
    }

    /// As [`Self::options_of_heap`], for the options whose smaller part is at most `most`.
    pub fn options_with_part(&self, n: u64, most: u64, visit: &mut dyn FnMut(u64, u64)) {
        assert!(self.is_octal(), "the options of {self} may have three parts, or may be without end");
        for (taken, &digit) in self.digits.iter().enumerate() {
            let Some(rest) = n.checked_sub(taken as u64) else { break };
            if digit & 1 != 0 && rest == 0 {
                visit(0, 0);
            }
            if digit & 2 != 0 && rest >= 1 {
                visit(rest, 0);
            }
            if digit & 4 != 0 {
                for b in 1..=most.min(rest / 2) {
                    let a = rest - b;
                    if !(self.unequal && a == b) {
                        visit(a, b);
                    }
                }
            }
        }
    }
}

impl Rules for OctalGame {
    type Position = [u32];

    /// A move changes one heap: it goes, becomes smaller, or becomes its largest part while the other parts are
    /// added at the end.
    fn options(&self, heaps: &[u32], visit: &mut dyn FnMut(&[u32])) {
        let mut option = heaps.to_vec();
        for (i, &heap) in heaps.iter().enumerate() {
            self.each_option(heap.into(), u64::MAX, &mut |parts| {
                // The parts of a heap of 32 bits have 32 bits.
                option[i] = parts.first().copied().unwrap_or(0) as u32;
                option.extend(parts.iter().skip(1).map(|&part| part as u32));
                visit(&option);
                option.truncate(heaps.len());
            });
            option[i] = heap;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing;

    fn parse(text: &str) -> OctalGame {
        text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
    }

    #[test]
    fn options_follow_the_digits() {
        let options = |text: &str, n| {
            let mut all = Vec::new();
            parse(text).options_of_heap(n, &mut |a, b| all.push((a, b)));
            all
        };
        assert_eq!(options("0.77", 2), [(1, 0), (0, 0)]);
        assert_eq!(options("0.77", 3), [(2, 0), (1, 1), (1, 0)]);
        assert_eq!(options("0.6", 1), []);
        assert_eq!(options("0.6", 4), [(3, 0), (2, 1)]);
        assert_eq!(options("4.0", 4), [(3, 1), (2, 2)]);
        assert_eq!(options("grundy", 4), [(3, 1)]);
        assert_eq!(options("0.07", 2), [(0, 0)]);
        assert_eq!(options("subtraction 1,3", 3), [(2, 0), (0, 0)]);
    }

    #[test]
    fn a_move_of_a_position_is_a_move_in_one_of_its_heaps() {
        for code in ["0.77", "0.6", "4.7", "grundy", "0.123", "subtraction 2,5"] {
            let game = parse(code);
            for heaps in [&[][..], &[0], &[7], &[4, 0, 6], &[5, 5, 1]] {
                let mut expected = Vec::new();
                for (i, &heap) in heaps.iter().enumerate() {
                    game.options_of_heap(heap.into(), &mut |a, b| {
                        let mut option = [&heaps[..i], &heaps[i + 1..], &[a as u32, b as u32]].concat();
                        // A second part of 0 is not there; any other heap keeps its place, even if it is 0.
                        if b == 0 {
                            option.pop();
                        }
                        option.sort_unstable();
                        expected.push(option);
                    });
                }
                expected.sort();
                expected.dedup();
                assert_eq!(testing::options(&game, heaps), expected, "{code} {heaps:?}");
            }
        }
    }

    #[test]
    fn values_of_positions_are_nim_sums_of_values_of_heaps() {
        for code in ["0.77", "4.0", "0.356", "grundy"] {
            let game = parse(code);
            let value = |heaps: &[u32]| testing::grundy(&game, heaps);
            for (a, b) in [(2, 3), (4, 4), (5, 2)] {
                assert_eq!(value(&[a, b]), value(&[a]) ^ value(&[b]), "{code} {a} {b}");
            }
        }
    }
}
