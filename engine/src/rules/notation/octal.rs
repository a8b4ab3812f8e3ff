//! How octal games are written: codes such as `0.77`, names such as `kayles`, sets such as `subtraction
//! 1,3,4`.

use std::fmt;
use std::str::FromStr;

use crate::base::{Error, Result};
use crate::rules::{MAX_TAKE, OctalGame};

/// The names that the literature uses, and the codes they stand for.
const NAMED: &[(&str, &str)] = &[
    ("kayles", "0.77"),
    ("dawsons-kayles", "0.07"),
    ("dawson", "0.07"),
    ("dawsons-chess", "0.137"),
    ("officers", "0.6"),
    ("guiles", "0.15"),
    ("treblecross", "0.007"),
];

impl OctalGame {
    /// The game that the first of these words names, or the first two of them, and the words after it:
    /// `0.6 1000 20`, `subtraction 1,3,4 5 9`.
    pub fn before<'a>(words: &'a [&'a str]) -> Result<(Self, &'a [&'a str])> {
        match words {
            [name @ ("subtraction" | "cookie-row"), parameter, rest @ ..] => {
                Ok((format!("{name} {parameter}").parse()?, rest))
            }
            [code, rest @ ..] => Ok((code.parse()?, rest)),
            [] => Err(Error::Usage("give an octal code, such as 0.6".into())),
        }
    }
}

impl FromStr for OctalGame {
    type Err = Error;

    /// Reads `0.6`, `.6`, `4.7`, `0.3[12]7` (twelve threes and a seven), a name such as `kayles` or `grundy`,
    /// `subtraction 1,3,4` or `cookie-row 12` (the space may also be a colon).
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
        if self.unequal_parts() {
            return f.write_str("grundy");
        }
        write!(f, "{}.", self.digits()[0])?;
        if self.digits().len() == 1 {
            return f.write_str("0");
        }
        self.digits()[1..].iter().try_for_each(|digit| write!(f, "{digit}"))
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
}
