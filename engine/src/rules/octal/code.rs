//! Codes beyond the digits 0 to 7: bit 3 of a digit leaves three non-empty heaps (hexadecimal games), a digit
//! marked `!` leaves heaps that are all different, and the last digits may repeat without end.

use super::{MAX_TAKE, OctalGame};
use crate::base::{Error, Result};

/// What a code says about taking one number of counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Digit {
    /// Bit k allows to leave k non-empty heaps.
    pub bits: u8,
    /// The heaps that are left must all be different.
    pub different: bool,
}

/// What the digits 0 to 7 do not say.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Beyond {
    /// For each digit, whether the heaps that are left must all be different.
    different: Vec<bool>,
    /// How many of the last digits repeat without end.
    repeating: usize,
}

impl OctalGame {
    /// The game of these digits d0, d1, …, of which the last `repeating` repeat without end.
    pub fn from_code(code: &[Digit], repeating: usize) -> Result<Self> {
        let mut code = code.to_vec();
        let Some(&first) = code.first() else {
            return Err(Error::Usage("a code needs at least one digit, as in 0.6".into()));
        };
        if let Some(digit) = code.iter().find(|digit| digit.bits > 15) {
            return Err(Error::Usage(format!(
                "{} is not a hexadecimal digit; use 0 to 9 and A to F",
                digit.bits
            )));
        }
        if first.bits & 3 != 0 || repeating >= code.len() {
            return Err(Error::Usage(format!(
                "d0 = {:X} would allow a move that takes nothing and leaves the heap whole; the digit before the \
                 point must be 0, 4, 8 or C, and it is not repeated",
                first.bits
            )));
        }
        // A mark says something only where heaps are left to compare.
        code.iter_mut().for_each(|digit| digit.different &= digit.bits & 12 != 0);
        let repeating = shortest(&mut code, repeating);
        if repeating == 0 {
            while code.len() > 1 && code.last().is_some_and(|digit| digit.bits == 0) {
                code.pop();
            }
        }
        if code.len() > MAX_TAKE + 1 {
            return Err(Error::Usage(format!(
                "the code has {} digits after the point; at most {MAX_TAKE} are supported",
                code.len() - 1
            )));
        }
        if code.iter().all(|digit| digit.bits == 0) {
            return Err(Error::Usage("the code has no non-zero digit, so there is no move; try 0.6".into()));
        }
        let digits: Vec<u8> = code.iter().map(|digit| digit.bits).collect();
        let mut splitting = code.iter().filter(|digit| digit.bits & 12 != 0);
        let (all, none) =
            (splitting.clone().all(|digit| digit.different), splitting.all(|digit| !digit.different));
        if repeating == 0 && digits.iter().all(|&bits| bits < 8) && (all || none) {
            return Ok(Self { digits, unequal: !none, beyond: None });
        }
        let different = code.iter().map(|digit| digit.different).collect();
        Ok(Self { digits, unequal: false, beyond: Some(Beyond { different, repeating }) })
    }

    /// The subtraction game in which any number may be taken except those of `set`: 0.…\[3\].
    pub fn all_but(set: &[usize]) -> Result<Self> {
        let most = set.iter().copied().max().unwrap_or(0);
        if set.is_empty() || set.contains(&0) || most >= MAX_TAKE {
            return Err(Error::Usage(format!(
                "give the numbers that may not be taken, from 1 to {}, as in all-but 1,2,3",
                MAX_TAKE - 1
            )));
        }
        let bits = |taken: usize| if taken == 0 || set.contains(&taken) { 0 } else { 3 };
        let code: Vec<Digit> =
            (0..=most + 1).map(|taken| Digit { bits: bits(taken), different: false }).collect();
        Self::from_code(&code, 1)
    }

    /// Whether this is an octal game in the narrow sense, which the engines and theorems for octal games know: a
    /// finite code of the digits 0 to 7, in which parts must differ everywhere or nowhere.
    pub fn is_octal(&self) -> bool {
        self.beyond.is_none()
    }

    /// How many of the last digits repeat without end.
    pub fn repeating(&self) -> usize {
        self.beyond.as_ref().map_or(0, |beyond| beyond.repeating)
    }

    /// What the code says about taking `taken` counters.
    pub fn digit(&self, taken: u64) -> Digit {
        let last = self.last_index() as u64;
        let place = match (taken > last, self.repeating() as u64) {
            (false, _) => taken,
            (true, 0) => return Digit::default(),
            (true, repeating) => last - repeating + 1 + (taken - last - 1) % repeating,
        } as usize;
        let marked = self.beyond.as_ref().map_or(self.unequal, |beyond| beyond.different[place]);
        Digit { bits: self.digits[place], different: marked && self.digits[place] & 12 != 0 }
    }

    /// The most heaps that a move leaves of one.
    pub fn most_parts(&self) -> usize {
        let bits = self.digits.iter().fold(0, |all, bits| all | bits);
        (u8::BITS - bits.leading_zeros()).saturating_sub(1) as usize
    }

    /// Whether some digit asks for parts that differ.
    pub fn asks_for_different_parts(&self) -> bool {
        self.unequal || self.beyond.as_ref().is_some_and(|beyond| beyond.different.contains(&true))
    }

    /// Calls `visit` with the parts, largest first, of every option of a heap of `n` counters whose parts
    /// except the largest are at most `most`.
    pub fn each_option(&self, n: u64, most: u64, visit: &mut dyn FnMut(&[u64])) {
        let last = if self.repeating() > 0 { n } else { n.min(self.last_index() as u64) };
        for taken in 0..=last {
            let (Digit { bits, different }, rest) = (self.digit(taken), n - taken);
            if bits & 1 != 0 && rest == 0 {
                visit(&[]);
            }
            if bits & 2 != 0 && rest >= 1 {
                visit(&[rest]);
            }
            let differ = |a: u64, b: u64| !(different && a == b);
            if bits & 4 != 0 {
                for b in (1..=most.min(rest / 2)).filter(|&b| differ(rest - b, b)) {
                    visit(&[rest - b, b]);
                }
            }
            if bits & 8 != 0 {
                for c in 1..=most.min(rest / 3) {
                    for b in (c..=most.min((rest - c) / 2)).filter(|&b| differ(b, c)) {
                        let a = rest - b - c;
                        if differ(a, b) {
                            visit(&[a, b, c]);
                        }
                    }
                }
            }
        }
    }
}

/// Writes an endless code as shortly as possible: the shortest block, which begins as early as possible. Returns
/// the length of the block; 0 where only zeros repeat.
fn shortest(code: &mut Vec<Digit>, repeating: usize) -> usize {
    let head = code.len() - repeating;
    if code[head..].iter().all(|digit| digit.bits == 0) {
        code.truncate(head);
        return 0;
    }
    let block = code.split_off(head);
    let length = (1..=repeating)
        .find(|&length| repeating % length == 0 && block.iter().zip(&block[length..]).all(|(a, b)| a == b))
        .unwrap_or(repeating);
    code.extend(&block[..length]);
    // 0.3[03] is 0.[30]: the digit before the block stands at the end of a block that begins there.
    while code.len() > length + 1 && code[code.len() - 1 - length] == code[code.len() - 1] {
        code.pop();
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(code: &str, n: u64) -> String {
        let mut all = Vec::new();
        OctalGame::read(code).unwrap().each_option(n, u64::MAX, &mut |parts| {
            let mut parts: Vec<String> = parts.iter().rev().map(u64::to_string).collect();
            if parts.is_empty() {
                parts.push("-".into());
            }
            all.push(parts.join(","));
        });
        all.join("  ")
    }

    /// The lists of data/golden/take-and-break.tsv, in any order.
    #[test]
    fn options_are_those_that_cgsuite_lists() {
        let golden = include_str!("../../../../data/golden/take-and-break.tsv");
        let mut lines = 0;
        for line in golden.lines().filter(|line| line.starts_with("options\t")) {
            let fields: Vec<&str> = line.split('\t').collect();
            let sorted = |text: &str| {
                let mut all: Vec<String> = text.split("  ").map(String::from).collect();
                all.sort();
                all
            };
            let found = options(fields[1], fields[2].parse().unwrap());
            assert_eq!(sorted(&found), sorted(fields[3]), "{} {}", fields[1], fields[2]);
            lines += 1;
        }
        assert!(lines >= 10, "{lines}");
    }

    #[test]
    fn the_same_game_has_one_code() {
        for (text, same) in [
            ("0.[33]", "0.[3]"),
            ("0.3[03]", "0.[30]"),
            ("0.6[0]", "0.6"),
            ("0.3F!0", "0.3F!"),
            ("0.3!7", "0.37"),
            ("4!.0", "grundy"),
            ("all-but 1,3", "0.0303[3...]"),
            ("all-but 2", "0.30[3...]"),
            ("0.3[0]", "0.3"),
        ] {
            let games =
                [text, same].map(|text| OctalGame::read(text).unwrap_or_else(|e| panic!("{text}: {e}")));
            assert_eq!(games[0], games[1], "{text}");
        }
        assert!(OctalGame::read("4!.7!").unwrap().is_octal());
        assert!(!OctalGame::read("4!.7").unwrap().is_octal());
        assert_eq!(OctalGame::read("0.3F").unwrap().most_parts(), 3);
        assert_eq!(OctalGame::read("0.[3]").unwrap().digit(1 << 40).bits, 3);
    }
}
