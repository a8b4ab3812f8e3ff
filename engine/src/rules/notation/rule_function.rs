//! The rule function of maximum nim, as people write it: `half`, `less-than-half`, a list, or a formula in
//! `n`.

use crate::base::{Error, Result};

/// The values of the rule `text` at `0..=largest`. A formula is worked out exactly, in fractions, and its
/// value is rounded down; it must lie between 0 and `n`.
pub fn table(text: &str, largest: u32) -> Result<Vec<u32>> {
    if largest > 1 << 24 {
        return Err(Error::Usage(format!(
            "a heap of {largest} counters is too large for maximum nim; the limit is 2^24"
        )));
    }
    match text.trim() {
        "half" => formula("n/2", largest),
        "less-than-half" => Ok((0..=largest).map(|n| n.saturating_sub(1) / 2).collect()),
        list if list.contains(',') && !list.contains(['(', 'n']) => self::list(list, largest),
        other => formula(other, largest),
    }
}

fn list(text: &str, largest: u32) -> Result<Vec<u32>> {
    let entries: Vec<u32> = text
        .split(',')
        .map(|entry| {
            entry.trim().parse().map_err(|_| {
                Error::Usage(format!(
                    "'{}' in the rule is not a whole number; write a list as 0,0,1,1,2",
                    entry.trim()
                ))
            })
        })
        .collect::<Result<_>>()?;
    if entries.len() <= largest as usize {
        return Err(Error::Usage(format!(
            "the rule lists {} values, for heaps 0 to {}; a heap of {largest} needs {} of them",
            entries.len(),
            entries.len() - 1,
            u64::from(largest) + 1
        )));
    }
    match entries.iter().zip(0..).find(|(most, n)| *most > n) {
        Some((most, n)) => {
            Err(Error::Usage(format!("the rule allows {most} counters from a heap of {n}; the most is {n}")))
        }
        None => Ok(entries),
    }
}

fn formula(text: &str, largest: u32) -> Result<Vec<u32>> {
    (0..=largest)
        .map(|n| {
            let value = Parser { text, rest: text, n }.formula()?.floor();
            u32::try_from(value).ok().filter(|most| *most <= n).ok_or_else(|| {
                Error::Usage(format!("the rule '{text}' gives {value} at n = {n}; it must be from 0 to n"))
            })
        })
        .collect()
}

/// An exact fraction with a positive denominator.
#[derive(Debug, Clone, Copy)]
struct Fraction {
    above: i128,
    below: i128,
}

impl Fraction {
    fn whole(above: i128) -> Self {
        Self { above, below: 1 }
    }

    fn new(above: i128, below: i128) -> Option<Self> {
        let common = greatest_divisor(above, below);
        if below == 0 || common == 0 {
            return None;
        }
        let sign = below.signum();
        Some(Self { above: above.checked_mul(sign)? / common, below: below.checked_mul(sign)? / common })
    }

    fn floor(self) -> i128 {
        self.above.div_euclid(self.below)
    }

    fn combine(self, operator: char, other: Self) -> Option<Self> {
        let cross = |a: Self, b: Self| a.above.checked_mul(b.below);
        match operator {
            '+' => Self::new(
                cross(self, other)?.checked_add(cross(other, self)?)?,
                self.below.checked_mul(other.below)?,
            ),
            '-' => Self::new(
                cross(self, other)?.checked_sub(cross(other, self)?)?,
                self.below.checked_mul(other.below)?,
            ),
            '*' => Self::new(self.above.checked_mul(other.above)?, self.below.checked_mul(other.below)?),
            '/' => Self::new(cross(self, other)?, self.below.checked_mul(other.above)?),
            _ => {
                // A power with a small whole exponent.
                let exponent = u32::try_from(other.above).ok().filter(|_| other.below == 1)?;
                Self::new(self.above.checked_pow(exponent)?, self.below.checked_pow(exponent)?)
            }
        }
    }
}

fn greatest_divisor(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i128::try_from(a).unwrap_or(0)
}

struct Parser<'a> {
    text: &'a str,
    rest: &'a str,
    n: u32,
}

const DEEPEST: usize = 50;

impl Parser<'_> {
    fn formula(mut self) -> Result<Fraction> {
        let value = self.sum(0)?;
        self.skip();
        if self.rest.is_empty() { Ok(value) } else { Err(self.error("was not expected")) }
    }

    fn error(&self, problem: &str) -> Error {
        let place = if self.rest.is_empty() { "the end" } else { self.rest };
        Error::Usage(format!(
            "the rule '{}': '{place}' {problem}; write half, less-than-half, a list as 0,0,1,1, or a formula in n with + - * / ^, floor, ceil, sqrt, min, max, as n/2 or min(n, 3)",
            self.text
        ))
    }

    fn skip(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, any_of: &str) -> Option<char> {
        self.skip();
        let found = self.rest.chars().next().filter(|&c| any_of.contains(c))?;
        self.rest = &self.rest[found.len_utf8()..];
        Some(found)
    }

    fn calculate(&self, left: Fraction, operator: char, right: Fraction) -> Result<Fraction> {
        left.combine(operator, right).ok_or_else(|| {
            self.error(&format!("comes after a division by 0 or too large a number at n = {}", self.n))
        })
    }

    fn sum(&mut self, depth: usize) -> Result<Fraction> {
        let mut value = self.product(depth)?;
        while let Some(operator) = self.take("+-") {
            let right = self.product(depth)?;
            value = self.calculate(value, operator, right)?;
        }
        Ok(value)
    }

    fn product(&mut self, depth: usize) -> Result<Fraction> {
        let mut value = self.power(depth)?;
        while let Some(operator) = self.take("*/") {
            let right = self.power(depth)?;
            value = self.calculate(value, operator, right)?;
        }
        Ok(value)
    }

    fn power(&mut self, depth: usize) -> Result<Fraction> {
        let base = self.atom(depth)?;
        match self.take("^") {
            Some(operator) => {
                let exponent = self.atom(depth)?;
                self.calculate(base, operator, exponent)
            }
            None => Ok(base),
        }
    }

    fn atom(&mut self, depth: usize) -> Result<Fraction> {
        if depth > DEEPEST {
            return Err(self.error("is nested too deeply"));
        }
        if self.take("(").is_some() {
            let value = self.sum(depth + 1)?;
            return self.close().map(|()| value);
        }
        self.skip();
        let digits = self.rest.len() - self.rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits > 0 {
            let number = self.rest[..digits].parse().map_err(|_| self.error("is too large a number"))?;
            self.rest = &self.rest[digits..];
            return Ok(Fraction::whole(number));
        }
        let letters = self.rest.len() - self.rest.trim_start_matches(|c: char| c.is_ascii_alphabetic()).len();
        let word = &self.rest[..letters];
        if word == "n" {
            self.rest = &self.rest[letters..];
            return Ok(Fraction::whole(i128::from(self.n)));
        }
        if !["floor", "ceil", "sqrt", "min", "max"].contains(&word) {
            return Err(self.error("is not understood"));
        }
        self.rest = &self.rest[letters..];
        if self.take("(").is_none() {
            return Err(self.error("should be an opening bracket"));
        }
        let first = self.sum(depth + 1)?;
        let value = match word {
            "floor" => Fraction::whole(first.floor()),
            "ceil" => Fraction::whole(-(-first.above).div_euclid(first.below)),
            "sqrt" if first.above < 0 => return Err(self.error("follows the root of a negative number")),
            "sqrt" => Fraction::whole(first.floor().isqrt()),
            _ => {
                if self.take(",").is_none() {
                    return Err(self.error("should be a comma"));
                }
                let second = self.sum(depth + 1)?;
                let less = self.calculate(first, '-', second)?.above < 0;
                if less == (word == "min") { first } else { second }
            }
        };
        self.close().map(|()| value)
    }

    fn close(&mut self) -> Result<()> {
        self.take(")").map(|_| ()).ok_or_else(|| self.error("should be a closing bracket"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn rules_are_read_as_people_write_them() {
        assert_eq!(table("half", 5).unwrap(), [0, 0, 1, 1, 2, 2]);
        assert_eq!(table("less-than-half", 5).unwrap(), [0, 0, 0, 1, 1, 2]);
        assert!(table("ceil(n/2) - 1", 0).unwrap_err().to_string().contains("-1"));
        assert_eq!(table("max(ceil(n/2) - 1, 0)", 5).unwrap(), [0, 0, 0, 1, 1, 2]);
        assert_eq!(table("min(n, 2)", 4).unwrap(), [0, 1, 2, 2, 2]);
        assert_eq!(table("2*n/3", 6).unwrap(), [0, 0, 1, 2, 2, 3, 4]);
        assert_eq!(table("sqrt(n)", 9).unwrap(), [0, 1, 1, 1, 2, 2, 2, 2, 2, 3]);
        assert_eq!(table("0,0,1,1,2", 4).unwrap(), [0, 0, 1, 1, 2]);
        assert_eq!(table("n^2/(n+1)", 3).unwrap(), [0, 0, 1, 2]);
    }

    #[test]
    fn senseless_rules_are_refused_with_a_remedy() {
        for text in ["", "n+1", "n/0", "m", "n n", "(n", "0,1", "0,5", "n^99", "1/n", "sqrt(0-n)", "min(n)"] {
            assert!(table(text, 4).is_err(), "{text}");
        }
        assert!(table("n/2", u32::MAX).is_err());
        assert!(table(&"(".repeat(10_000), 1).is_err());
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_a_panic(text in "[n0-9+*/^(), a-z-]{0,30}") {
            let _ = table(&text, 6);
        }
    }
}
