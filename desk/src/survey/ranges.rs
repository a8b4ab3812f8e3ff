//! The values of a constant: `1..3`, `1,2,5`, `-2..2,10`.

use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::rules::notation::rule::LARGEST_NUMBER;

/// The values that a constant takes, in the order in which they were written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Values(Vec<RangeInclusive<i64>>);

impl Values {
    /// How many there are.
    pub fn count(&self) -> u64 {
        self.0.iter().map(|range| range.end().abs_diff(*range.start()) + 1).sum()
    }

    /// The values.
    pub fn iter(&self) -> impl Iterator<Item = i64> {
        self.0.iter().cloned().flatten()
    }
}

impl FromStr for Values {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = |why: &str| format!("`{text}`: {why}; write 1..3, 1,2,5 or a single number");
        let number = |word: &str| match word.trim().parse::<i64>() {
            Ok(number) if number.abs() <= LARGEST_NUMBER => Ok(number),
            Ok(_) => Err(wrong("numbers go up to 1000000000")),
            Err(_) => Err(wrong(&format!("'{}' is not a whole number", word.trim()))),
        };
        let mut ranges: Vec<RangeInclusive<i64>> = Vec::new();
        for part in text.split(',') {
            let range = match part.split_once("..") {
                Some((first, last)) => number(first)?..=number(last.strip_prefix('=').unwrap_or(last))?,
                None => number(part).map(|one| one..=one)?,
            };
            if range.is_empty() {
                return Err(wrong(&format!("there is nothing from {} up to {}", range.start(), range.end())));
            }
            if ranges.iter().any(|other| other.start() <= range.end() && range.start() <= other.end()) {
                return Err(wrong("a value is named twice"));
            }
            ranges.push(range);
        }
        Ok(Self(ranges))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_and_lists_are_read_and_mistakes_are_named() {
        let values = |text: &str| text.parse::<Values>().map(|values| values.iter().collect::<Vec<_>>());
        assert_eq!(values("1..3"), Ok(vec![1, 2, 3]));
        assert_eq!(values("-1..=1, 5"), Ok(vec![-1, 0, 1, 5]));
        assert_eq!(values("7"), Ok(vec![7]));
        assert_eq!("0..1000000000".parse::<Values>().unwrap().count(), 1_000_000_001);
        for (text, why) in [
            ("3..1", "nothing from 3 up to 1"),
            ("", "not a whole number"),
            ("1..", "not a whole number"),
            ("1,,2", "not a whole number"),
            ("a..b", "'a' is not"),
            ("1..3,2", "twice"),
            ("99999999999", "up to 1000000000"),
            ("9999999999999999999999999999999999999999", "not a whole number"),
        ] {
            let problem = values(text).unwrap_err();
            assert!(problem.contains(why), "{text}: {problem}");
        }
    }
}
