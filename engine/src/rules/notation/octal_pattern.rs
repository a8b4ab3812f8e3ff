//! Patterns of octal codes: `0.???`, `4.?[0-3]`, `0.100..0.177`, and lists of them.

use crate::base::{Error, Result};

/// The codes that patterns stand for, each once, in the order of the tables of the literature: by what stands
/// before the point, by their length, by their digits.
///
/// A pattern is a code in which `?` stands for any octal digit (before the point for 0 or 4) and `[0-3]` or
/// `[257]` for one of some digits; `0.100..0.177` counts up; a comma separates patterns. What begins with a
/// word is a name, such as kayles, and is taken as it is. Whether a code is a game is not judged here, except
/// that a pattern does not stand for the code of zeros alone, which has no move.
pub fn octal_codes(patterns: &[String], most: usize) -> Result<Vec<String>> {
    let items: Vec<Item> = patterns.iter().map(|text| items(text)).collect::<Result<Vec<_>>>()?.concat();
    let count = items.iter().fold(0u64, |count, item| count.saturating_add(item.count()));
    if count > most as u64 {
        return Err(Error::Usage(format!(
            "{} stands for {count} games, and the limit of one survey is {most}; write out a digit, or a class such as [0-3]",
            patterns.join(" ")
        )));
    }
    let mut codes: Vec<String> = items.iter().flat_map(Item::codes).map(|code| shortened(&code)).collect();
    codes.sort_by_cached_key(|code| (code.split('.').next().map(str::to_string), code.len(), code.clone()));
    codes.dedup();
    if codes.is_empty() {
        return Err(Error::Usage("give a pattern of octal codes, such as '0.??'".into()));
    }
    Ok(codes)
}

/// What stands between two commas.
#[derive(Clone)]
enum Item {
    /// As it was written.
    Written(String),
    /// The characters that each place may have.
    Places(Vec<Vec<char>>),
    /// So many codes from this one on, counted in octal digits: before the point, digits after it, the first.
    Range(String, usize, u64, u64),
}

impl Item {
    fn count(&self) -> u64 {
        match self {
            Self::Written(_) => 1,
            Self::Places(places) => {
                places.iter().fold(1, |count, place| count.saturating_mul(place.len() as u64))
            }
            Self::Range(_, _, first, last) => last - first + 1,
        }
    }

    fn codes(&self) -> Vec<String> {
        let has_move = |code: &String| code.chars().any(|digit| digit != '0' && digit != '.');
        match self {
            Self::Written(text) => vec![text.clone()],
            Self::Places(places) => {
                let mut codes = vec![String::new()];
                for place in places {
                    codes = codes
                        .iter()
                        .flat_map(|code| place.iter().map(move |c| format!("{code}{c}")))
                        .collect();
                }
                codes.into_iter().filter(has_move).collect()
            }
            Self::Range(whole, digits, first, last) => (*first..=*last)
                .map(|number| format!("{whole}.{number:0digits$o}"))
                .filter(has_move)
                .collect(),
        }
    }
}

/// Whether a text is a name, such as kayles, and not a code, such as C.8.
fn is_name(text: &str) -> bool {
    let mut first = text.chars();
    first.next().is_some_and(char::is_alphabetic) && first.next() != Some('.')
}

/// The items of a list.
fn items(text: &str) -> Result<Vec<Item>> {
    let text = text.trim();
    // "subtraction 1,3,4" is one game, and .3F is a code.
    if is_name(text) {
        return Ok(vec![Item::Written(text.into())]);
    }
    let mut inside = false;
    let parts = text.split(|c| {
        inside = (inside || c == '[') && c != ']';
        c == ',' && !inside
    });
    parts.map(|part| item(part.trim(), text)).collect()
}

fn item(part: &str, text: &str) -> Result<Item> {
    let wrong = |why: &str| Error::Usage(format!("\"{text}\": {why}"));
    if part.is_empty() {
        return Err(wrong("there is nothing before or after a comma; write for example 0.6,0.77"));
    }
    if let Some((first, last)) = part.split_once("..") {
        return range(first, last).ok_or_else(|| {
            wrong("a range has two octal codes of equally many digits, the smaller one first, such as 0.100..0.177")
        });
    }
    if !part.contains(['?', '[', ']']) {
        return Ok(Item::Written(part.into()));
    }
    let mut places = Vec::new();
    let (mut rest, mut before_point) = (part.chars(), true);
    while let Some(c) = rest.next() {
        places.push(match c {
            '?' if before_point => vec!['0', '4'],
            '?' => ('0'..='7').collect(),
            '[' => {
                let (class, after) = rest
                    .as_str()
                    .split_once(']')
                    .ok_or_else(|| wrong("a bracket is not closed; a class of digits is [0-3] or [257]"))?;
                rest = after.chars();
                self::class(class).ok_or_else(|| {
                    wrong(&format!("[{class}] is not a class of digits such as [0-3] or [257]"))
                })?
            }
            '0'..='9' | 'A'..='F' | 'a'..='f' | '.' | '!' => {
                before_point &= c != '.';
                vec![c]
            }
            _ => {
                return Err(wrong(&format!(
                    "'{c}' has no meaning in a pattern; it has digits, a point, ? and [0-3]"
                )));
            }
        });
    }
    if before_point {
        return Err(wrong("it has no point; write for example 0.???"));
    }
    Ok(Item::Places(places))
}

/// The digits of `0-3`, `257` or `0-35`.
fn class(text: &str) -> Option<Vec<char>> {
    let mut digits = Vec::new();
    let mut rest = text.chars().peekable();
    while let Some(first) = rest.next() {
        let last = match rest.next_if_eq(&'-') {
            Some(_) => rest.next()?,
            None => first,
        };
        let (first, last) = (first.to_digit(16)?, last.to_digit(16)?);
        digits.extend((first..=last).filter_map(|digit| char::from_digit(digit, 16)));
        if first > last {
            return None;
        }
    }
    digits.iter_mut().for_each(|digit| *digit = digit.to_ascii_uppercase());
    digits.sort_unstable();
    digits.dedup();
    (!digits.is_empty()).then_some(digits)
}

fn range(first: &str, last: &str) -> Option<Item> {
    // 21 octal digits are below 2^63.
    let split = |code: &str| -> Option<(String, usize, u64)> {
        let (whole, fraction) = code.trim().split_once('.')?;
        let plain =
            (1..=21).contains(&fraction.len()) && fraction.bytes().all(|digit| digit.is_ascii_digit());
        Some((whole.into(), fraction.len(), u64::from_str_radix(fraction, 8).ok().filter(|_| plain)?))
    };
    let ((whole, digits, first), other) = (split(first)?, split(last)?);
    ((&whole, digits) == (&other.0, other.1) && first <= other.2)
        .then_some(Item::Range(whole, digits, first, other.2))
}

/// The code without zeros at its end, and with its digit before the point.
fn shortened(code: &str) -> String {
    match code.split_once('.') {
        Some((whole, fraction)) if !code.contains('[') && !is_name(code) => {
            let fraction = fraction.trim_end_matches('0');
            let (whole, fraction) = (
                if whole.is_empty() { "0" } else { whole },
                if fraction.is_empty() { "0" } else { fraction },
            );
            format!("{whole}.{fraction}")
        }
        _ => code.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(patterns: &[&str]) -> Vec<String> {
        octal_codes(&patterns.iter().map(|text| text.to_string()).collect::<Vec<_>>(), 5000).unwrap()
    }

    #[test]
    fn patterns_stand_for_codes_in_the_order_of_the_tables() {
        assert_eq!(codes(&["0.[13]?"])[..4], ["0.1", "0.3", "0.11", "0.12"]);
        assert_eq!(codes(&["0.?"]), ["0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7"]);
        assert_eq!(codes(&["4.??", "0.6"])[..4], ["0.6", "4.0", "4.1", "4.2"]);
        assert_eq!(codes(&["?.[02]"]), ["0.2", "4.0", "4.2"]);
        assert_eq!((codes(&["0.???"]).len(), codes(&["4.???"]).len()), (511, 512));
        assert_eq!(codes(&["0.??", "0.???"]), codes(&["0.???"]));
        assert_eq!(codes(&["0.[0-3][0-3]"]).len(), 15);
        assert_eq!(codes(&["0.6,0.77, .137"]), ["0.6", "0.77", "0.137"]);
        assert_eq!(codes(&["0.17..0.22"]), ["0.2", "0.17", "0.21", "0.22"]);
        assert_eq!(codes(&["0.[6-9F]"]), ["0.6", "0.7", "0.8", "0.9", "0.F"]);
        assert_eq!(codes(&["C.[08]", "C.80"]), ["C.0", "C.8"]);
        assert_eq!(codes(&["kayles", "subtraction 1,3", "0.700"]), ["0.7", "kayles", "subtraction 1,3"]);
        assert_eq!(codes(&["0.000"]), ["0.0"], "what is written out is judged by others");
    }

    #[test]
    fn bad_patterns_are_refused_with_the_place() {
        for (text, word) in [
            ("???", "no point"),
            ("0.[", "not closed"),
            ("0.[]", "class"),
            ("0.[3-1]", "class"),
            ("0.[0-x]", "class"),
            ("0.?]", "']'"),
            ("0.*?", "'*'"),
            ("0.6,", "comma"),
            ("", "comma"),
            ("0.17..0.2", "range"),
            ("0.18..0.22", "range"),
            ("0.2..0.1", "range"),
            ("0.1..4.2", "range"),
            ("0.1..", "range"),
            ("0.??????", "262144 games"),
            ("0.?????????????????????????????????????????????????????", "games"),
            ("0.0000000..0.7777777", "2097152 games"),
        ] {
            let error = octal_codes(&[text.to_string()], 5000).unwrap_err().to_string();
            assert!(error.contains(word), "{text}: {error}");
        }
        assert!(octal_codes(&[], 5000).is_err());
    }
}
