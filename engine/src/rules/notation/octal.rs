//! How octal games are written: codes such as `0.77`, names such as `kayles`, sets such as `subtraction
//! 1,3,4`.

mod brackets;

use std::fmt;
use std::str::FromStr;

use self::brackets::{BRACKETS, Group, group};
use crate::base::{Error, Result};
use crate::rules::{Digit, MAX_TAKE, OctalGame};

/// The names that the literature uses: as they are typed, the codes they stand for, and as they are written.
pub(super) const NAMED: &[(&str, &str, &str)] = &[
    ("kayles", "0.77", "Kayles"),
    ("dawsons-kayles", "0.07", "Dawson's Kayles"),
    ("dawson", "0.07", "Dawson's Kayles"),
    ("dawsons-chess", "0.137", "Dawson's Chess"),
    ("officers", "0.6", "Officers"),
    ("guiles", "0.15", "Guiles"),
    ("treblecross", "0.007", "Treblecross"),
];

impl OctalGame {
    /// The game that the first of these words names, or the first two of them, and the words after it:
    /// `0.6 1000 20`, `subtraction 1,3,4 5 9`.
    pub fn before<'a>(words: &'a [&'a str]) -> Result<(Self, &'a [&'a str])> {
        match words {
            [name @ ("subtraction" | "cookie-row" | "all-but"), parameter, rest @ ..] => {
                Ok((Self::read(&format!("{name} {parameter}"))?, rest))
            }
            [code, rest @ ..] => Ok((Self::read(code)?, rest)),
            [] => Err(Error::Usage("give an octal code, such as 0.6".into())),
        }
    }

    /// Reads `0.6`, `.6`, `4.7`, `0.3[12]7` (twelve threes and a seven), a name such as `kayles` or `grundy`,
    /// `subtraction 1,3,4` or `cookie-row 12` (the space may also be a colon); and codes beyond octal games: `0.3F`
    /// (hexadecimal digits), `4!.0` (the heaps left must differ), `0.[3]` and `0.7[03]` (the last digits repeat
    /// without end), `all-but 1,2,3`. See docs/ALGORITHMS-octal.md.
    pub fn read(text: &str) -> Result<Self> {
        let text = text.trim();
        let name = text.to_lowercase().replace(['\'', '’'], "").replace([' ', '_'], "-");
        if name == "grundy" || name == "grundys-game" {
            return Ok(Self::grundy());
        }
        if let Some((_, code, _)) = NAMED.iter().find(|(known, ..)| *known == name) {
            return parse_code(code);
        }
        let numbers = |set: &str| {
            let set = set.split([',', '-']).filter(|part| !part.is_empty()).map(parse_count);
            set.collect::<Result<Vec<_>>>()
        };
        if let Some(set) = strip_name(&name, "subtraction") {
            return Self::subtraction(&numbers(set)?);
        }
        if let Some(set) = strip_name(&name, "all-but") {
            return Self::all_but(&numbers(set)?);
        }
        if let Some(k) = strip_name(&name, "cookie-row") {
            return Self::cookie_row(parse_count(k)?);
        }
        parse_code(text)
    }
}

impl FromStr for OctalGame {
    type Err = Error;

    /// As [`OctalGame::read`], for octal games in the narrow sense: what uses it need not know of other codes.
    fn from_str(text: &str) -> Result<Self> {
        let game = Self::read(text)?;
        if game.is_octal() {
            return Ok(game);
        }
        Err(Error::Usage(format!(
            "{game} is not an octal game: three heaps, parts that differ in some moves only, and endless codes are known to solve, values, query, export, plot, verify and period; here give a finite code of the digits 0 to 7"
        )))
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
        let names: Vec<&str> = NAMED.iter().map(|&(name, ..)| name).collect();
        return Err(Error::Usage(format!(
            "\"{text}\" is neither an octal code such as 0.6 or 4.7 nor one of the names {}, grundy, \
             subtraction S, cookie-row K",
            names.join(", ")
        )));
    };
    let (whole, marked) = whole.strip_suffix('!').map_or((whole, false), |whole| (whole, true));
    if marked && whole.is_empty() {
        return Err(Error::Usage(format!("\"{text}\": a mark ! stands behind a digit, as in 4!.0")));
    }
    let mut digits = vec![Digit { bits: 0, different: marked }];
    let mut before = whole.chars();
    match (before.next(), before.next()) {
        (None, _) => {}
        (Some(first), None) => digits[0].bits = digit(text, first)?,
        _ => {
            return Err(Error::Usage(format!(
                "\"{text}\" has {} characters before the point; only d0, which is 0 or 4 (or 8 or C), stands there",
                whole.chars().count()
            )));
        }
    }
    let mut repeating = 0;
    let mut rest = fraction;
    while let Some(character) = rest.chars().next() {
        rest = &rest[character.len_utf8()..];
        match character {
            '[' => {
                let (inside, after) = rest.split_once(']').ok_or_else(|| {
                    Error::Usage(format!("\"{text}\": the bracket is not closed; {BRACKETS}"))
                })?;
                rest = after;
                match group(text, inside, digits.len() > 1, after.is_empty())? {
                    Group::Count(count) => {
                        let repeated = digits[digits.len() - 1];
                        digits.extend(std::iter::repeat_n(repeated, count - 1));
                    }
                    Group::Block(block) => {
                        repeating = block.len();
                        digits.extend(block);
                    }
                }
            }
            '!' if digits.len() > 1 => {
                let last = digits.len() - 1;
                digits[last].different = true;
            }
            character => digits.push(Digit { bits: digit(text, character)?, different: false }),
        }
        if digits.len() > 2 * MAX_TAKE {
            return Err(Error::Usage(format!(
                "the code has too many digits; at most {MAX_TAKE} after the point are supported"
            )));
        }
    }
    if digits.len() == 1 && digits[0].bits == 0 {
        return Err(Error::Usage(format!("\"{text}\" has no digit after the point; write for example 0.6")));
    }
    OctalGame::from_code(&digits, repeating)
}

fn digit(text: &str, character: char) -> Result<u8> {
    match character.to_digit(16) {
        Some(digit) => Ok(digit as u8),
        None => Err(Error::Usage(format!(
            "\"{character}\" in \"{text}\" is not a digit of a code; octal games have the digits 0 to 7, as in 0.6 or 4.7, and hexadecimal games also 8, 9 and A to F"
        ))),
    }
}

impl fmt::Display for OctalGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::grundy() {
            return f.write_str("grundy");
        }
        let digit = |place: usize| {
            let Digit { bits, different } = self.digit(place as u64);
            format!("{bits:X}{}", if different { "!" } else { "" })
        };
        write!(f, "{}.", digit(0))?;
        let (last, repeating) = (self.last_index(), self.repeating());
        if last == 0 {
            return f.write_str("0");
        }
        let head = last - repeating;
        (1..=head).try_for_each(|place| f.write_str(&digit(place)))?;
        if repeating == 0 {
            return Ok(());
        }
        let block: String = (head + 1..=last).map(digit).collect();
        // What might be read as a count has dots.
        let count = head > 0 && !block.starts_with('0') && block.bytes().all(|byte| byte.is_ascii_digit());
        write!(f, "[{block}{}]", if count { "..." } else { "" })
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
            ("0.3[12]0", "0.333333333333"),
            ("4!.0", "grundy"),
            ("4!.7!", "4!.7!"),
        ] {
            assert_eq!(parse(text).to_string(), printed, "{text}");
            assert_eq!(parse(printed), parse(text), "{text}");
        }
    }

    #[test]
    fn codes_beyond_octal_games_are_read_only_where_they_are_known() {
        for (text, printed) in [
            ("0.8", "0.8"),
            ("0.3f", "0.3F"),
            ("8.F", "8.F"),
            ("0.3F!", "0.3F!"),
            ("4!.7", "4!.7"),
            ("0.[3]", "0.[3]"),
            ("0.[03]", "0.[03]"),
            ("0.7[03]", "0.7[03]"),
            ("0.7[3...]", "0.7[3...]"),
            ("0.3[F]", "0.3[F]"),
            ("0.3[2]7[12...]", "0.337[12...]"),
            ("all-but 1,2,3", "0.000[3...]"),
            ("All-But:2", "0.30[3...]"),
        ] {
            let game = OctalGame::read(text).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(game.to_string(), printed, "{text}");
            assert_eq!(OctalGame::read(printed).unwrap(), game, "{text}");
            let error = text.parse::<OctalGame>().unwrap_err().to_string();
            assert!(error.contains("is not an octal game"), "{text}: {error}");
        }
        let error = OctalGame::read("0.3[12]").unwrap_err().to_string();
        assert!(error.contains("[12]0") && error.contains("[12...]"), "{error}");
        for text in [
            "0.G",
            "0.[3]7",
            "0.[]",
            "0.3[...]",
            "0.[!3]",
            "!.3",
            "1!.7",
            "all-but",
            "all-but 0",
            "all-but 5000",
            "C.[0]x",
        ] {
            assert!(OctalGame::read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn bad_codes_are_errors() {
        for text in [
            "",
            ".",
            "0.",
            "0.0",
            "0.69",
            "0.G",
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
}
