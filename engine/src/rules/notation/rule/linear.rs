//! Numbers as sums of multiples of what cannot be taken apart: for bounds of loops, and for whoever wants to
//! know what a condition says.

use super::tree::{Expr, Operator};

/// `constant + c1 * x1 + c2 * x2 + ...`, the `x` all different and no `c` zero.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Linear {
    /// What stands alone.
    pub constant: i128,
    /// The multiples: variables, heaps, quantities, and whatever is not a sum.
    pub terms: Vec<(i128, Expr)>,
}

impl Linear {
    /// The sum that `number` is; `None` where a factor becomes too large.
    pub fn of(number: &Expr) -> Option<Self> {
        match number {
            Expr::Number(number) => Some(Self { constant: (*number).into(), terms: Vec::new() }),
            Expr::Negative(inner) => Self::of(inner)?.times(-1),
            Expr::Binary(Operator::Add, left, right) => Self::of(left)?.plus(&Self::of(right)?),
            Expr::Binary(Operator::Subtract, left, right) => {
                Self::of(left)?.plus(&Self::of(right)?.times(-1)?)
            }
            Expr::Binary(Operator::Multiply, left, right) => {
                let (left, right) = (Self::of(left)?, Self::of(right)?);
                if left.terms.is_empty() {
                    right.times(left.constant)
                } else if right.terms.is_empty() {
                    left.times(right.constant)
                } else {
                    Some(Self { constant: 0, terms: vec![(1, number.clone())] })
                }
            }
            other => Some(Self { constant: 0, terms: vec![(1, other.clone())] }),
        }
    }

    /// `left - right`.
    pub fn difference(left: &Expr, right: &Expr) -> Option<Self> {
        Self::of(left)?.plus(&Self::of(right)?.times(-1)?)
    }

    /// So many times it.
    pub fn times(mut self, factor: i128) -> Option<Self> {
        self.constant = within(self.constant.checked_mul(factor)?)?;
        for (multiple, _) in &mut self.terms {
            *multiple = within(multiple.checked_mul(factor)?)?;
        }
        self.terms.retain(|(multiple, _)| *multiple != 0);
        Some(self)
    }

    /// The sum of both.
    pub fn plus(mut self, other: &Self) -> Option<Self> {
        self.constant = within(self.constant + other.constant)?;
        for (multiple, term) in &other.terms {
            match self.terms.iter_mut().find(|(_, known)| known == term) {
                Some((known, _)) => *known = within(*known + multiple)?,
                None => self.terms.push((*multiple, term.clone())),
            }
        }
        self.terms.retain(|(multiple, _)| *multiple != 0);
        Some(self)
    }

    /// How often it has `term`, and the rest.
    pub fn without(mut self, term: &Expr) -> (i128, Self) {
        match self.terms.iter().position(|(_, known)| known == term) {
            Some(place) => (self.terms.swap_remove(place).0, self),
            None => (0, self),
        }
    }

    /// As a number of a rule; `None` where a factor is larger than 64 bits hold.
    pub fn number(&self) -> Option<Expr> {
        let constant = Expr::Number(i64::try_from(self.constant).ok()?);
        self.terms.iter().try_fold(constant, |sum, (multiple, term)| {
            let size = Expr::Number(i64::try_from(multiple.abs()).ok()?);
            let term = match multiple.abs() {
                1 => term.clone(),
                _ => Expr::binary(Operator::Multiply, size, term.clone()),
            };
            let operator = if *multiple > 0 { Operator::Add } else { Operator::Subtract };
            Some(match sum {
                Expr::Number(0) if *multiple > 0 => term,
                sum => Expr::binary(operator, sum, term),
            })
        })
    }
}

/// Factors stay far away from the ends of what can be calculated with.
fn within(factor: i128) -> Option<i128> {
    (factor.abs() < 1 << 100).then_some(factor)
}
