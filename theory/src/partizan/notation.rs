//! Values in the notation of the field, written and read.

use super::{Games, Value};
use crate::base::{Error, Result};

/// Nesting beyond this is refused, so that reading cannot exhaust the stack.
const MAX_NESTING: usize = 100;
/// Integers and nimbers beyond this are refused: their forms are that deep.
const MAX_NUMBER: i64 = 1000;

impl Games {
    /// The value as text: `3`, `1/2`, `*2`, `1*`, `↑`, `2.↓*`, `±1`, `{4|{2|1*}}`.
    pub fn show(&mut self, g: Value) -> String {
        if let Some(simple) = self.show_simple(g) {
            return simple;
        }
        if self.left(g).len() == 1 && self.right(g).len() == 1 {
            let (left, right) = (self.left(g)[0], self.right(g)[0]);
            if self.negative(left) == right && self.number(left).is_some() {
                return format!("±{}", self.show(left));
            }
        }
        let side = |games: &mut Self, options: &[Value]| {
            let mut shown: Vec<String> = options.iter().map(|&option| games.show(option)).collect();
            shown.sort();
            shown.join(",")
        };
        let (left, right) = (self.left(g).to_vec(), self.right(g).to_vec());
        format!("{{{}|{}}}", side(self, &left), side(self, &right))
    }

    /// Numbers, and numbers plus a nimber or a multiple of up.
    fn show_simple(&mut self, g: Value) -> Option<String> {
        if let Some(number) = self.number(g) {
            return Some(show_number(number));
        }
        let (number, small) = self.split_number(g)?;
        let prefix = if number == (0, 0) { String::new() } else { show_number(number) };
        if let Some(n) = self.as_nimber(small) {
            return Some(format!("{prefix}*{}", if n == 1 { String::new() } else { n.to_string() }));
        }
        for count in 1..=8 {
            for starred in [false, true] {
                for (sign, arrow) in [(1, '↑'), (-1, '↓')] {
                    if self.ups(sign * count, starred) == small {
                        let times = if count == 1 { String::new() } else { format!("{count}.") };
                        let star = if starred { "*" } else { "" };
                        return Some(format!("{prefix}{times}{arrow}{star}"));
                    }
                }
            }
        }
        None
    }

    /// Writes `g` as number + infinitesimal, if it is infinitesimally close to a number that its stops show.
    fn split_number(&mut self, g: Value) -> Option<((i64, u32), Value)> {
        let mut leaf = g;
        // The options of a number plus an infinitesimal lead to that number on the way down.
        while self.number(leaf).is_none() {
            leaf = *self.left(leaf).first()?;
        }
        let small = self.subtract(g, leaf);
        if self.is_infinitesimal(small) { self.number(leaf).map(|number| (number, small)) } else { None }
    }

    /// Reads what [`Games::show`] writes, and also `1±1`, `^`, `v` and `{3|1||0}` in the thesis's short form.
    pub fn read(&mut self, text: &str) -> Result<Value> {
        let tokens: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
        let mut reader = Reader { games: self, tokens: &tokens, at: 0, depth: 0, text };
        let value = reader.sum()?;
        if reader.at < tokens.len() {
            return Err(reader.wrong());
        }
        Ok(value)
    }
}

fn show_number((numerator, exponent): (i64, u32)) -> String {
    if exponent == 0 { numerator.to_string() } else { format!("{numerator}/{}", 1u64 << exponent) }
}

/// The largest nimber and the largest multiple of up that are read: their forms have some n^2 options.
const MOST_SMALL: i64 = 64;
/// The largest product of the sizes of two parts whose sum is worked out.
const MOST_PAIRS: usize = 1 << 17;

struct Reader<'a> {
    games: &'a mut Games,
    tokens: &'a [char],
    at: usize,
    depth: usize,
    text: &'a str,
}

impl Reader<'_> {
    fn wrong(&self) -> Error {
        Error::Usage(format!(
            "`{}` is not a game value (near character {}); write e.g. 3, 1/2, *2, 1*, ±1 or {{4|{{2|1*}}}}",
            self.text,
            self.at + 1
        ))
    }

    fn too_large(&self) -> Error {
        Error::Usage(format!(
            "`{}` is too large to work out; write sums with fewer parts or smaller numbers, and nimbers and multiples of ↑ up to {MOST_SMALL}",
            self.text
        ))
    }

    /// `g + h`, if it can be worked out at once: the positions of a sum are the pairs of positions of its
    /// parts.
    fn add(&mut self, g: Value, h: Value) -> Result<Value> {
        let pairs = self.games.size(g).saturating_mul(self.games.size(h));
        if pairs > MOST_PAIRS { Err(self.too_large()) } else { Ok(self.games.add(g, h)) }
    }

    fn peek(&self) -> Option<char> {
        self.tokens.get(self.at).copied()
    }

    fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    /// A number and infinitesimals written one after the other are added up: `1*`, `1/2±1/2`, `2.↑*`.
    fn sum(&mut self) -> Result<Value> {
        let start = self.at;
        let mut total = Value::ZERO;
        while self.peek().is_some_and(|c| !matches!(c, ',' | '|' | '}')) {
            let part = self.part()?;
            total = self.add(total, part)?;
        }
        if self.at == start { Err(self.wrong()) } else { Ok(total) }
    }

    fn part(&mut self) -> Result<Value> {
        match self.peek() {
            Some('{') => self.braces(),
            Some('*' | '?') => {
                self.at += 1;
                let n = if self.peek().is_some_and(|c| c.is_ascii_digit()) { self.natural()? } else { 1 };
                if n > MOST_SMALL {
                    return Err(self.too_large());
                }
                Ok(self.games.nimber(n as u32))
            }
            Some('±') => {
                self.at += 1;
                let amount = self.number()?;
                let minus = self.games.negative(amount);
                Ok(self.games.game(&[amount], &[minus]))
            }
            Some(c @ ('↑' | '^' | '↓' | 'v')) => {
                self.at += 1;
                Ok(self.games.ups(if matches!(c, '↑' | '^') { 1 } else { -1 }, false))
            }
            Some('-') => {
                self.at += 1;
                let part = self.part()?;
                Ok(self.games.negative(part))
            }
            _ => {
                let before = self.at;
                let number = self.number()?;
                if self.eat('.') {
                    let text: String = self.tokens[before..self.at - 1].iter().collect();
                    let times: i64 = text.parse().map_err(|_| self.wrong())?;
                    let sign = match self.peek() {
                        Some('↑' | '^') => 1,
                        Some('↓' | 'v') => -1,
                        _ => return Err(self.wrong()),
                    };
                    self.at += 1;
                    if times > MOST_SMALL {
                        return Err(self.too_large());
                    }
                    return Ok(self.games.ups(sign * times, false));
                }
                Ok(number)
            }
        }
    }

    fn natural(&mut self) -> Result<i64> {
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
        }
        let digits: String = self.tokens[start..self.at].iter().collect();
        digits.parse().ok().filter(|&n| n <= MAX_NUMBER).ok_or_else(|| self.wrong())
    }

    fn number(&mut self) -> Result<Value> {
        let numerator = self.natural()?;
        if !self.eat('/') {
            return Ok(self.games.integer(numerator));
        }
        let denominator = self.natural()?;
        if denominator <= 0 || denominator & (denominator - 1) != 0 {
            return Err(self.wrong());
        }
        Ok(self.games.dyadic(numerator, denominator.trailing_zeros()))
    }

    /// `{a,b|c}`, and `{a|b||c}`, `{a||b|c}` where more bars bind more loosely.
    fn braces(&mut self) -> Result<Value> {
        self.depth += 1;
        if self.depth > MAX_NESTING {
            return Err(self.wrong());
        }
        self.at += 1;
        let mut sides = vec![self.list()?];
        let mut bars = Vec::new();
        while self.peek() == Some('|') {
            let mut count = 0;
            while self.eat('|') {
                count += 1;
            }
            bars.push(count);
            sides.push(self.list()?);
        }
        if !self.eat('}') {
            return Err(self.wrong());
        }
        self.depth -= 1;
        if bars.is_empty() {
            return Err(self.wrong());
        }
        self.split(&sides, &bars)
    }

    fn split(&mut self, sides: &[Vec<Value>], bars: &[usize]) -> Result<Value> {
        let loosest = bars.iter().copied().max().unwrap_or(0);
        let mut places = bars.iter().enumerate().filter(|bar| *bar.1 == loosest).map(|bar| bar.0);
        let (Some(cut), None) = (places.next(), places.next()) else {
            return Err(self.wrong());
        };
        let mut options = |sides: &[Vec<Value>], bars: &[usize]| match sides {
            [only] => Ok(only.clone()),
            _ => self.split(sides, bars).map(|value| vec![value]),
        };
        let left = options(&sides[..=cut], &bars[..cut])?;
        let right = options(&sides[cut + 1..], &bars[cut + 1..])?;
        Ok(self.games.game(&left, &right))
    }

    fn list(&mut self) -> Result<Vec<Value>> {
        let mut options = Vec::new();
        if matches!(self.peek(), Some('|' | '}')) {
            return Ok(options);
        }
        loop {
            options.push(self.sum()?);
            if !self.eat(',') {
                return Ok(options);
            }
        }
    }
}
