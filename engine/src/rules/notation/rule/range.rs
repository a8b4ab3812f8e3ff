//! Between which bounds a number lies, for heaps of all sizes: what shows that no arithmetic overflows and
//! nothing is divided by zero.

use num_integer::Integer;

use super::tree::{Expr, Operator, Quantity, Scope};
use super::{MOST_HEAPS, SLOTS};

/// All whole numbers from the least to the greatest one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// The least.
    pub low: i128,
    /// The greatest.
    pub high: i128,
}

/// Why a number has no range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Problem {
    /// It may be too large.
    TooLarge,
    /// Something may be divided by zero.
    DividesByZero,
    /// The nim-sum of a number that may be negative.
    NegativeXor,
}

/// Where a number stands, which decides what its names may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ranges {
    /// In the condition of a move: there is a heap to move in.
    Move,
    /// In the condition of positions, which may be empty.
    Position,
}

/// No number of a rule is larger in size.
const LIMIT: i128 = 1 << 120;
/// The largest heap.
const LARGEST_HEAP: i128 = u32::MAX as i128;

impl Range {
    /// From `low` to `high`.
    pub fn new(low: i128, high: i128) -> Self {
        Self { low, high }
    }

    /// Whether 64 bits hold all of it, with room for a sum of two.
    pub fn is_narrow(self) -> bool {
        self.low >= -(1 << 61) && self.high <= 1 << 61
    }

    fn within(low: Option<i128>, high: Option<i128>) -> Result<Self, Problem> {
        let fits = |bound: &i128| (-LIMIT..=LIMIT).contains(bound);
        match (low.filter(fits), high.filter(fits)) {
            (Some(low), Some(high)) => Ok(Self { low, high }),
            _ => Err(Problem::TooLarge),
        }
    }

    fn corners(self, other: Self, calculate: impl Fn(i128, i128) -> Option<i128>) -> Result<Self, Problem> {
        let pairs =
            [(self.low, other.low), (self.low, other.high), (self.high, other.low), (self.high, other.high)];
        let all: Option<Vec<i128>> = pairs.into_iter().map(|(a, b)| calculate(a, b)).collect();
        let all = all.ok_or(Problem::TooLarge)?;
        Self::within(all.iter().min().copied(), all.iter().max().copied())
    }
}

impl Ranges {
    /// The range of `number`.
    pub fn of(self, number: &Expr) -> Result<Range, Problem> {
        match number {
            Expr::Number(number) => Ok(Range::new((*number).into(), (*number).into())),
            Expr::Variable(slot) => {
                debug_assert!(usize::from(*slot) < SLOTS);
                Ok(Range::new(1, LARGEST_HEAP))
            }
            Expr::Heap => Ok(Range::new(1, LARGEST_HEAP)),
            Expr::NewHeap => Ok(Range::new(0, LARGEST_HEAP)),
            Expr::Of(scope, quantity) => Ok(self.of_quantity(*scope, *quantity)),
            Expr::Negative(inner) => {
                let Range { low, high } = self.of(inner)?;
                Ok(Range::new(-high, -low))
            }
            Expr::Absolute(inner) => {
                let Range { low, high } = self.of(inner)?;
                let least = if low <= 0 && high >= 0 { 0 } else { low.abs().min(high.abs()) };
                Ok(Range::new(least, low.abs().max(high.abs())))
            }
            Expr::Binary(operator, left, right) => {
                let (left, right) = (self.of(left)?, self.of(right)?);
                match operator {
                    Operator::Add => left.corners(right, i128::checked_add),
                    Operator::Subtract => left.corners(right, i128::checked_sub),
                    Operator::Multiply => left.corners(right, i128::checked_mul),
                    Operator::Divide | Operator::Remainder if right.low <= 0 && right.high >= 0 => {
                        Err(Problem::DividesByZero)
                    }
                    Operator::Divide => left.corners(right, |a, b| Some(Integer::div_floor(&a, &b))),
                    // Of the sign of the divisor, and smaller in size.
                    Operator::Remainder => Ok(Range::new((right.low + 1).min(0), (right.high - 1).max(0))),
                }
            }
            Expr::Call(quantity, all) => {
                let all = all.iter().map(|one| self.of(one)).collect::<Result<Vec<_>, _>>()?;
                let lows = || all.iter().map(|one| one.low);
                let highs = || all.iter().map(|one| one.high);
                let none = Range::new(0, 0);
                let size = all.iter().map(|one| one.low.abs().max(one.high.abs())).max().unwrap_or(0);
                match quantity {
                    Quantity::Min => {
                        Ok(lows().min().zip(highs().min()).map_or(none, |(l, h)| Range::new(l, h)))
                    }
                    Quantity::Max => {
                        Ok(lows().max().zip(highs().max()).map_or(none, |(l, h)| Range::new(l, h)))
                    }
                    Quantity::Xor if lows().any(|low| low < 0) => Err(Problem::NegativeXor),
                    Quantity::Xor => {
                        Ok(Range::new(0, (size + 1).unsigned_abs().next_power_of_two() as i128 - 1))
                    }
                    _ => {
                        let never_zero = all.iter().any(|one| one.low > 0 || one.high < 0);
                        Ok(Range::new(i128::from(never_zero), size))
                    }
                }
            }
        }
    }

    fn of_quantity(self, scope: Scope, quantity: Quantity) -> Range {
        let heaps = MOST_HEAPS as i128 + 4;
        let some = i128::from(self == Self::Move && scope == Scope::Before);
        match quantity {
            Quantity::Min | Quantity::Max | Quantity::Gcd => Range::new(some, LARGEST_HEAP),
            Quantity::Count => Range::new(some, heaps),
            Quantity::Sum => Range::new(some, heaps * LARGEST_HEAP),
            Quantity::Xor => Range::new(0, LARGEST_HEAP),
        }
    }
}
