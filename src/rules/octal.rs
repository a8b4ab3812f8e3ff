//! Octal games and their relatives: heaps from which beans are taken and which may then be split.
//!
//! The code d0.d1d2d3… says what is left after taking i beans from a heap: bit 0 of d_i allows to leave
//! nothing (the heap had exactly i beans), bit 1 to leave one non-empty heap, bit 2 to leave two non-empty
//! heaps (Guy and Smith 1956; Winning Ways, chapter 4). d0 may only be 0 or 4: taking nothing is a move only if
//! the heap is split.

use std::fmt;
use std::str::FromStr;

use crate::base::{Error, Result};

/// The largest number of beans that one move may take: longer codes are refused.
pub const MAX_TAKE: usize = 4096;

/// A taking-and-breaking game on heaps of beans: an octal game, a subtraction game or Grundy's game.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct OctalGame {
    /// `digits[i]` is d_i; no trailing zeros; `digits[0]` is 0 or 4.
    digits: Vec<u8>,
    /// Grundy's game: the two parts of a split must differ.
    unequal: bool,
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
        Ok(Self { digits, unequal: false })
    }

    /// Grundy's game: a move splits a heap into two unequal heaps.
    pub fn grundy() -> Self {
        Self { digits: vec![4], unequal: true }
    }

    /// The subtraction game: a move takes s beans, s in `set`.
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

    /// The digits d0, d1, …, without trailing zeros.
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
        self.digits.iter().enumerate().filter(|&(_, d)| d & bit != 0).map(|(i, _)| i).collect()
    }

    /// Calls `visit(a, b)` for every option of a heap of `n` beans, as two heaps a ≥ b; an absent heap is 0.
    pub fn options_of_heap(&self, n: u64, visit: &mut dyn FnMut(u64, u64)) {
        for (taken, &digit) in self.digits.iter().enumerate() {
            let Some(rest) = n.checked_sub(taken as u64) else { break };
            if digit & 1 != 0 && rest == 0 {
                visit(0, 0);
            }
            if digit & 2 != 0 && rest >= 1 {
                visit(rest, 0);
            }
            if digit & 4 != 0 {
                for b in 1..=rest / 2 {
                    let a = rest - b;
                    if !(self.unequal && a == b) {
                        visit(a, b);
                    }
                }
            }
        }
    }
}

/// The names that the literature uses, and the codes they stand for.
pub const NAMED: &[(&str, &str)] = &[
    ("kayles", "0.77"),
    ("dawsons-kayles", "0.07"),
    ("dawson", "0.07"),
    ("dawsons-chess", "0.137"),
    ("officers", "0.6"),
    ("guiles", "0.15"),
    ("treblecross", "0.007"),
];

impl FromStr for OctalGame {
    type Err = Error;

    /// Reads `0.6`, `.6`, `4.7`, `0.3[12]7` (twelve threes and a seven), a name such as `kayles` or `grundy`, `subtraction 1,3,4` or `cookie-row 12`
    /// (the space may also be a colon).
    fn from_str(text: &str) -> Result<Self> {
        let text = text.trim();
        let name = text.to_lowercase().replace(['\'', '’'], "").replace([' ', '_'], "-");
        if name == "grundy" || name == "grundys-game" {
            return Ok(Self::grundy());
        }
        if let Some((_, code)) = NAMED.iter().find(|(known, _)| *known == name) {
            return code.parse();
        }
        if let Some(set) = strip_name(&name, "subtraction") {
            let set = set.split([',', '-']).filter(|part| !part.is_empty()).map(parse_count);
            return Self::subtraction(&set.collect::<Result<Vec<_>>>()?);
        }
        if let Some(k) = strip_name(&name, "cookie-row") {
            return Self::cookie_row(parse_count(k)?);
        }
        parse_code(text)
    }
}

fn strip_name<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let rest = text.strip_prefix(name)?;
    rest.strip_prefix([':', '-', '=']).map(|rest| rest.trim_matches('-'))
}

fn parse_count(text: &str) -> Result<usize> {
    text.parse().map_err(|_| {
        Error::Usage(format!(
            "\"{text}\" is not a number; write for example subtraction 1,3,4 or cookie-row 12"
        ))
    })
}

fn parse_code(text: &str) -> Result<OctalGame> {
    let Some((whole, fraction)) = text.split_once('.') else {
        let names: Vec<&str> = NAMED.iter().map(|&(name, _)| name).collect();
        return Err(Error::Usage(format!(
            "\"{text}\" is neither an octal code such as 0.6 or 4.7 nor one of the names {}, grundy, \
             subtraction S, cookie-row K",
            names.join(", ")
        )));
    };
    let mut digits = vec![0u8];
    match whole.len() {
        0 => {}
        1 => digits[0] = octal_digit(text, whole.chars().next().unwrap_or(' '))?,
        _ => {
            return Err(Error::Usage(format!(
                "\"{text}\" has {} characters before the point; only d0, which is 0 or 4, stands there",
                whole.chars().count()
            )));
        }
    }
    let mut characters = fraction.chars();
    while let Some(character) = characters.next() {
        if character == '[' {
            let rest = characters.as_str();
            let repeat = rest.split_once(']').and_then(|(count, after)| Some((count.parse().ok()?, after)));
            let (count, after): (usize, &str) = repeat.ok_or_else(|| {
                Error::Usage(format!(
                    "\"{text}\": a repeat is a number in brackets; 0.3[12]7 stands for twelve threes and a seven"
                ))
            })?;
            characters = after.chars();
            let repeated = match digits.last() {
                Some(&digit) if digits.len() > 1 => digit,
                _ => return Err(Error::Usage(format!("\"{text}\": a repeat [k] must follow a digit"))),
            };
            if count == 0 || count > MAX_TAKE {
                return Err(Error::Usage(format!("\"{text}\": a repeat must be between 1 and {MAX_TAKE}")));
            }
            digits.extend(std::iter::repeat_n(repeated, count - 1));
        } else {
            digits.push(octal_digit(text, character)?);
        }
        if digits.len() > 2 * MAX_TAKE {
            return Err(Error::Usage(format!(
                "the code has too many digits; at most {MAX_TAKE} after the point are supported"
            )));
        }
    }
    if digits.len() == 1 && digits[0] == 0 {
        return Err(Error::Usage(format!("\"{text}\" has no digit after the point; write for example 0.6")));
    }
    OctalGame::from_digits(&digits)
}

fn octal_digit(text: &str, character: char) -> Result<u8> {
    match character.to_digit(8) {
        Some(digit) => Ok(digit as u8),
        None => Err(Error::Usage(format!(
            "\"{character}\" in \"{text}\" is not an octal digit; a code has the digits 0 to 7, as in 0.6 or 4.7"
        ))),
    }
}

impl fmt::Display for OctalGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.unequal {
            return f.write_str("grundy");
        }
        write!(f, "{}.", self.digits[0])?;
        if self.digits.len() == 1 {
            return f.write_str("0");
        }
        self.digits[1..].iter().try_for_each(|digit| write!(f, "{digit}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> OctalGame {
        text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
    }

    #[test]
    fn codes_are_read_and_printed_as_the_field_writes_them() {
        for (text, printed) in [
            ("0.6", "0.6"),
            (".6", "0.6"),
            ("4.7", "4.7"),
            ("4.", "4.0"),
            ("4.0", "4.0"),
            ("0.07", "0.07"),
            ("0.0700", "0.07"),
            ("Kayles", "0.77"),
            ("dawson's kayles", "0.07"),
            ("officers", "0.6"),
            ("treblecross", "0.007"),
            ("grundy", "grundy"),
            ("subtraction 1,3,4", "0.3033"),
            ("subtraction:2", "0.03"),
            ("cookie-row 3", "0.337"),
            ("cookie-row:1", "0.7"),
            ("0.3[12]7", "0.3333333333337"),
        ] {
            assert_eq!(parse(text).to_string(), printed, "{text}");
            assert_eq!(parse(printed), parse(text), "{text}");
        }
    }

    #[test]
    fn bad_codes_are_errors() {
        for text in [
            "",
            ".",
            "0.",
            "0.0",
            "0.8",
            "0.69",
            "1.7",
            "5.7",
            "44.7",
            "x",
            "0.6x",
            "0.[3]7",
            "0.3[99999]",
            "0.3[",
            "0.3[12",
            "0.3[]",
            "0.3[...]",
            "0.3]7",
            "subtraction",
            "subtraction 0",
            "subtraction 1,x",
            "subtraction 99999",
            "cookie-row 0",
            "cookie-row 99999999999999999999",
            "0.-6",
            "é.6",
        ] {
            assert!(text.parse::<OctalGame>().is_err(), "{text:?} was accepted");
        }
        let long = format!("0.{}7", "0".repeat(MAX_TAKE));
        assert!(long.parse::<OctalGame>().is_err());
        let longest = format!("0.{}7", "0".repeat(MAX_TAKE - 1));
        assert_eq!(parse(&longest).last_index(), MAX_TAKE);
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
}
