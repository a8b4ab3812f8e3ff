//! Conditions that cannot be true, as far as bounds show it: a rule that can never move is a mistake.

use super::linear::Linear;
use super::range::{Range, Ranges};
use super::tree::{Clause, Comparison, Condition, Expr, Operator};

/// Whether the moves of `clause` are certainly never legal. That it is not seen says nothing.
pub fn never(clause: &Clause) -> bool {
    let ranges = Ranges::Move;
    let conjuncts = clause.condition.conjuncts();
    // The numbers that are not negative in every legal move.
    let mut at_least_zero: Vec<Linear> =
        conjuncts.iter().flat_map(|condition| not_negative(condition)).flatten().collect();
    if clause.parts.is_empty() {
        // What is taken is in the heap.
        let taken = (0..clause.taken.len())
            .map(|slot| Expr::binary(Operator::Subtract, Expr::Heap, Expr::Variable(slot as u8)));
        at_least_zero.extend(taken.filter_map(|left| Linear::of(&left)));
    }
    let negative = |sum: &Linear| is_negative(sum, ranges);
    let contradicts = |left: &Condition, right: &Condition| *right == Condition::Not(Box::new(left.clone()));
    conjuncts.iter().any(|condition| is_false(condition, ranges))
        || at_least_zero.iter().any(negative)
        || at_least_zero.iter().enumerate().any(|(i, left)| {
            at_least_zero[..i].iter().any(|right| left.clone().plus(right).is_some_and(|sum| negative(&sum)))
        })
        || conjuncts.iter().any(|left| conjuncts.iter().any(|right| contradicts(left, right)))
}

/// The numbers that are at least 0 exactly where the comparison is true.
fn not_negative(condition: &Condition) -> Vec<Option<Linear>> {
    let Condition::Compare(comparison, left, right) = condition else { return Vec::new() };
    let less_one = |sum: Linear| sum.plus(&Linear { constant: -1, terms: Vec::new() });
    match comparison {
        Comparison::Less => vec![Linear::difference(right, left).and_then(less_one)],
        Comparison::LessOrEqual => vec![Linear::difference(right, left)],
        Comparison::Greater => vec![Linear::difference(left, right).and_then(less_one)],
        Comparison::GreaterOrEqual => vec![Linear::difference(left, right)],
        Comparison::Equal => vec![Linear::difference(left, right), Linear::difference(right, left)],
        Comparison::NotEqual => Vec::new(),
    }
}

fn is_negative(sum: &Linear, ranges: Ranges) -> bool {
    let highest = sum.terms.iter().try_fold(sum.constant, |high, (multiple, term)| {
        let range = ranges.of(term).ok()?;
        high.checked_add(multiple.checked_mul(if *multiple > 0 { range.high } else { range.low })?)
    });
    highest.is_some_and(|highest| highest < 0)
}

/// Whether the ranges of the numbers show that it is false.
fn is_false(condition: &Condition, ranges: Ranges) -> bool {
    match condition {
        Condition::Compare(comparison, left, right) => {
            let number = Linear::difference(left, right).and_then(|sum| sum.number());
            let Some(Range { low, high }) = number.and_then(|number| ranges.of(&number).ok()) else {
                return false;
            };
            match comparison {
                Comparison::Equal => low > 0 || high < 0,
                Comparison::NotEqual => low == 0 && high == 0,
                Comparison::Less => low >= 0,
                Comparison::LessOrEqual => low > 0,
                Comparison::Greater => high <= 0,
                Comparison::GreaterOrEqual => high < 0,
            }
        }
        Condition::All(all) => all.iter().any(|one| is_false(one, ranges)),
        Condition::Any(any) => any.iter().all(|one| is_false(one, ranges)),
        Condition::Not(inner) => **inner == Condition::ALWAYS,
        _ => false,
    }
}
