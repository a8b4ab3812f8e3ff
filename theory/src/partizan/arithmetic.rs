//! Numbers, nimbers, ups, negatives and sums.

use super::{Form, Games, Value};
use std::collections::HashSet;

/// Whether the number `x` is at most `y`, each given as numerator and exponent of the denominator.
pub(super) fn number_le((a, i): (i64, u32), (b, j): (i64, u32)) -> bool {
    let common = i.max(j);
    i128::from(a) << (common - i) <= i128::from(b) << (common - j)
}

impl Games {
    /// The integer `n`.
    pub fn integer(&mut self, n: i64) -> Value {
        let mut value = Value::ZERO;
        for _ in 0..n.unsigned_abs() {
            value = if n > 0 { self.game(&[value], &[]) } else { self.game(&[], &[value]) };
        }
        value
    }

    /// The number `numerator / 2^exponent`.
    pub fn dyadic(&mut self, numerator: i64, exponent: u32) -> Value {
        if exponent == 0 {
            return self.integer(numerator);
        }
        if numerator % 2 == 0 {
            return self.dyadic(numerator / 2, exponent - 1);
        }
        let below = self.dyadic((numerator - 1) / 2, exponent - 1);
        let above = self.dyadic((numerator + 1) / 2, exponent - 1);
        self.game(&[below], &[above])
    }

    /// The nimber `*n`.
    pub fn nimber(&mut self, n: u32) -> Value {
        let mut smaller = Vec::new();
        for _ in 0..n {
            let next = self.game(&smaller, &smaller);
            smaller.push(next);
        }
        self.game(&smaller, &smaller)
    }

    /// `n` times up (down for negative `n`), plus a star if `starred`.
    pub fn ups(&mut self, n: i64, starred: bool) -> Value {
        let star = self.nimber(1);
        let up = if n > 0 { self.game(&[Value::ZERO], &[star]) } else { self.game(&[star], &[Value::ZERO]) };
        let mut total = if starred { star } else { Value::ZERO };
        for _ in 0..n.unsigned_abs() {
            total = self.add(total, up);
        }
        total
    }

    /// `-g`.
    pub fn negative(&mut self, g: Value) -> Value {
        if let Some(&known) = self.negatives.get(&g) {
            return known;
        }
        let (left, right) = (self.right(g).to_vec(), self.left(g).to_vec());
        let left: Vec<Value> = left.into_iter().map(|option| self.negative(option)).collect();
        let right: Vec<Value> = right.into_iter().map(|option| self.negative(option)).collect();
        let negative = self.game(&left, &right);
        self.negatives.insert(g, negative);
        self.negatives.insert(negative, g);
        negative
    }

    /// `g + h`.
    pub fn add(&mut self, g: Value, h: Value) -> Value {
        if g == Value::ZERO || h == Value::ZERO {
            return if g == Value::ZERO { h } else { g };
        }
        let key = (g.min(h), g.max(h));
        if let Some(&known) = self.sums.get(&key) {
            return known;
        }
        let mut left = Vec::new();
        let mut right = Vec::new();
        for (moved, other) in [(g, h), (h, g)] {
            for option in self.left(moved).to_vec() {
                left.push(self.add(option, other));
            }
            for option in self.right(moved).to_vec() {
                right.push(self.add(option, other));
            }
        }
        let sum = self.game(&left, &right);
        self.sums.insert(key, sum);
        sum
    }

    /// `g - h`.
    pub fn subtract(&mut self, g: Value, h: Value) -> Value {
        let minus = self.negative(h);
        self.add(g, minus)
    }

    /// The value as a dyadic number `(numerator, exponent)`, if it is a number.
    pub fn number(&self, g: Value) -> Option<(i64, u32)> {
        self.numbers[g.0 as usize]
    }

    /// The value as an integer, if it is one.
    pub fn as_integer(&self, g: Value) -> Option<i64> {
        self.number(g).filter(|&(_, exponent)| exponent == 0).map(|(n, _)| n)
    }

    /// `n` if the value is the nimber `*n`.
    pub fn as_nimber(&mut self, g: Value) -> Option<u32> {
        let count = self.left(g).len();
        let nimber = self.nimber(u32::try_from(count).ok()?);
        (nimber == g).then_some(count as u32)
    }

    /// Whether `-x < g < x` for every positive number `x`. It is enough to look at `x = 2^-b` where `b`
    /// exceeds the depth of the form, since a number between `g` and 0 is no simpler than `g`.
    pub fn is_infinitesimal(&mut self, g: Value) -> bool {
        let depth = self.depth(g);
        let small = self.dyadic(1, depth + 1);
        let minus = self.negative(small);
        g != small && g != minus && self.le(minus, g) && self.le(g, small)
    }

    /// The birthday: the depth of the canonical form.
    pub fn depth(&self, g: Value) -> u32 {
        self.depths[g.0 as usize]
    }

    /// The number of different positions of the canonical form and of their options, itself among them: what
    /// it takes to write the form down.
    pub fn size(&self, g: Value) -> usize {
        let mut seen = HashSet::from([g]);
        let mut open = vec![g];
        let mut size = 1;
        while let Some(next) = open.pop() {
            for &option in self.left(next).iter().chain(self.right(next)) {
                size += 1;
                if seen.insert(option) {
                    open.push(option);
                    size += 1;
                }
            }
        }
        size
    }

    /// The number that a canonical form is, if it is one: `{n-1|}`, `{|n+1}`, or `{a|b}` with `a < b`
    /// adjacent.
    pub(super) fn number_of_form(&self, form: &Form) -> Option<(i64, u32)> {
        let one = |options: &[Value]| match options {
            [option] => self.number(*option),
            _ => None,
        };
        match (&form.left[..], &form.right[..]) {
            ([], []) => Some((0, 0)),
            ([_], []) => one(&form.left).map(|(n, _)| (n + 1, 0)),
            ([], [_]) => one(&form.right).map(|(n, _)| (n - 1, 0)),
            _ => {
                let ((a, i), (b, j)) = (one(&form.left)?, one(&form.right)?);
                let common = i.max(j);
                let (a, b) = (a.checked_shl(common - i)?, b.checked_shl(common - j)?);
                // A canonical {a|b} with numbers a < b is the number half-way between them.
                (a < b).then_some((a + b, common + 1))
            }
        }
    }
}
