//! Conditions of a rule as formulas of addition: what the names stand for, numbers by cases, and comparisons.
//!
//! Where the smallest heap, or the number of heaps, is mentioned the cases are told apart by how many heaps are
//! empty; a quotient by a number brings in a number of its own. What is not a formula of addition (nim-sums,
//! greatest common divisors, products, multiples of a heap) is refused with its name.

use super::Numeration;
use super::formula::{Formula, Sum, Variable};
use crate::base::{Error, Result};
use crate::rules::notation::rule::{Comparison, Condition, Expr, Operator, Quantity, Scope, Set};

/// The largest number whose divisors are listed.
const LARGEST_MULTIPLE: u64 = 100_000;

/// A number by cases: exactly one of the conditions holds.
type Cases = Vec<(Vec<Formula>, Sum)>;

/// What the names of a condition stand for.
pub(super) struct Meaning<'a> {
    pub numeration: Numeration,
    pub before: &'a [Sum],
    pub new: &'a [Sum],
    pub other: &'a [Sum],
    /// The heap moved in, before and after the move.
    pub heap: Option<(Sum, Sum)>,
    pub slots: Vec<Sum>,
}

/// The variables from here on are helpers, such as quotients.
pub(super) const FIRST_HELPER: Variable = 1000;

/// What automata do not decide.
pub(super) fn refused(what: &str) -> Error {
    Error::Usage(format!(
        "automata decide rules of addition and comparison, residues and powers of the base; {what} are beyond them"
    ))
}

impl<'a> Meaning<'a> {
    /// Outside of a move: the names are the slots, the first of them the sorted heaps.
    pub(super) fn of_claim(numeration: Numeration, slots: &'a [Sum], heaps: usize) -> Self {
        let before = &slots[..heaps];
        Self { numeration, before, new: before, other: &[], heap: None, slots: slots.to_vec() }
    }

    fn heaps(&self, scope: Scope) -> &[Sum] {
        match scope {
            Scope::Before => self.before,
            Scope::New => self.new,
            Scope::Other => self.other,
        }
    }

    pub fn condition(&self, condition: &Condition) -> Result<Formula> {
        let none = Sum::default();
        Ok(match condition {
            Condition::Compare(comparison, left, right) => {
                self.numbers(&[left, right], |values| compare(*comparison, &values[0], &values[1]))?
            }
            Condition::Divides(divisor, number) => match constant(divisor) {
                Some(0) => self.numbers(&[number], |values| Formula::equal(&values[0], &none))?,
                Some(divisor) => {
                    let modulus = u32::try_from(divisor.abs()).map_err(|_| refused("large divisors"))?;
                    self.numbers(&[number], |values| Formula::Divisible(values[0].clone(), modulus))?
                }
                None => match constant(number) {
                    Some(0) => Formula::Constant(true),
                    // The divisors of a number are finitely many.
                    Some(number) if number.unsigned_abs() <= LARGEST_MULTIPLE => {
                        let most = number.abs();
                        let divisors = (1..=most).filter(|divisor| most % divisor == 0);
                        let divisors: Vec<Sum> = divisors.map(Sum::number).collect();
                        self.numbers(&[divisor], |values| {
                            let opposite = none.plus(-1, &values[0]);
                            let is =
                                |one: &Sum| [&values[0], &opposite].map(|value| Formula::equal(value, one));
                            Formula::Or(divisors.iter().flat_map(is).collect())
                        })?
                    }
                    _ => return Err(refused("multiples of a heap")),
                },
            },
            Condition::In(number, Set::Heaps(scope)) => self.numbers(&[number], |values| {
                let one = |heap: &Sum| {
                    Formula::And(vec![Formula::less(&none, heap), Formula::equal(heap, &values[0])])
                };
                Formula::Or(self.heaps(*scope).iter().map(one).collect())
            })?,
            Condition::In(number, Set::Listed(listed)) => {
                let one = |other: &Expr| {
                    self.numbers(&[number, other], |values| Formula::equal(&values[0], &values[1]))
                };
                Formula::Or(listed.iter().map(one).collect::<Result<_>>()?)
            }
            Condition::Even(number) => {
                self.numbers(&[number], |values| Formula::Divisible(values[0].clone(), 2))?
            }
            Condition::PowerOf(number, base) => {
                if self.numeration != u8::try_from(*base).map_or(Numeration::Zeckendorf, Numeration::Base) {
                    return Err(refused("powers of numbers that are not the base of the digits"));
                }
                self.numbers(&[number], |values| {
                    let power = FIRST_HELPER - 1;
                    let is = Formula::equal(&Sum::of(power), &values[0]);
                    Formula::Exists(power, Box::new(Formula::And(vec![is, Formula::Power(power)])))
                })?
            }
            Condition::Different(scope) => {
                let pair = |pair: &[Sum]| {
                    Formula::Or(vec![Formula::equal(&pair[0], &none), Formula::less(&pair[0], &pair[1])])
                };
                Formula::And(self.heaps(*scope).windows(2).map(pair).collect())
            }
            Condition::Not(inner) => self.condition(inner)?.negated(),
            Condition::All(parts) => {
                Formula::And(parts.iter().map(|part| self.condition(part)).collect::<Result<_>>()?)
            }
            Condition::Any(parts) => {
                Formula::Or(parts.iter().map(|part| self.condition(part)).collect::<Result<_>>()?)
            }
            Condition::Some(scope, slot, _, inner) => Formula::Or(self.for_heaps(
                *scope,
                *slot,
                inner,
                |present, holds| Formula::And(vec![present, holds]),
            )?),
            Condition::Every(scope, slot, _, inner) => {
                Formula::And(self.for_heaps(*scope, *slot, inner, |present, holds| {
                    Formula::Or(vec![present.negated(), holds])
                })?)
            }
        })
    }

    fn for_heaps(
        &self,
        scope: Scope,
        slot: u8,
        inner: &Condition,
        join: impl Fn(Formula, Formula) -> Formula,
    ) -> Result<Vec<Formula>> {
        let one = |heap: &Sum| {
            let mut slots = self.slots.clone();
            slots.resize(slots.len().max(slot as usize + 1), Sum::default());
            slots[slot as usize] = heap.clone();
            let meaning = Meaning { heap: self.heap.clone(), slots, ..*self };
            Ok(join(Formula::less(&Sum::default(), heap), meaning.condition(inner)?))
        };
        self.heaps(scope).iter().map(one).collect()
    }

    /// The formula that `statement` makes of the values of some numbers: in one of the cases, whose helpers
    /// exist, it holds. Exactly one case holds, and its helpers are determined, so that the opposite of the
    /// whole says the opposite.
    pub(super) fn numbers(
        &self,
        numbers: &[&Expr],
        statement: impl Fn(&[Sum]) -> Formula,
    ) -> Result<Formula> {
        let mut helpers = 0;
        let mut cases: Vec<(Vec<Formula>, Vec<Sum>)> = vec![(Vec::new(), Vec::new())];
        for number in numbers {
            let values = self.cases(number, &mut helpers)?;
            let extend = |(guards, sums): &(Vec<Formula>, Vec<Sum>)| {
                let with = |(more, sum): &(Vec<Formula>, Sum)| {
                    ([&guards[..], more].concat(), [&sums[..], std::slice::from_ref(sum)].concat())
                };
                values.iter().map(with).collect::<Vec<_>>()
            };
            cases = cases.iter().flat_map(extend).collect();
        }
        let case = |(mut guards, sums): (Vec<Formula>, Vec<Sum>)| {
            guards.push(statement(&sums));
            Formula::And(guards)
        };
        let mut formula = Formula::Or(cases.into_iter().map(case).collect());
        for helper in 0..helpers {
            formula = Formula::Exists(FIRST_HELPER + helper, Box::new(formula));
        }
        Ok(formula)
    }

    fn cases(&self, number: &Expr, helpers: &mut u32) -> Result<Cases> {
        let plain = |sum: Sum| Ok(vec![(Vec::new(), sum)]);
        match number {
            Expr::Number(value) => plain(Sum::number(*value)),
            Expr::Variable(slot) => plain(self.slots[*slot as usize].clone()),
            Expr::Heap => plain(self.moved()?.0.clone()),
            Expr::NewHeap => plain(self.moved()?.1.clone()),
            Expr::Of(scope, quantity) => self.quantity(self.heaps(*scope), *quantity),
            Expr::Negative(inner) => {
                let negative = |(guards, sum): (Vec<Formula>, Sum)| (guards, Sum::default().plus(-1, &sum));
                Ok(self.cases(inner, helpers)?.into_iter().map(negative).collect())
            }
            Expr::Absolute(inner) => {
                let both = |(guards, sum): (Vec<Formula>, Sum)| {
                    let negative = Formula::less(&sum, &Sum::default());
                    let opposite = Sum::default().plus(-1, &sum);
                    [
                        ([&guards[..], &[negative.clone().negated()]].concat(), sum),
                        ([&guards[..], &[negative]].concat(), opposite),
                    ]
                };
                Ok(self.cases(inner, helpers)?.into_iter().flat_map(both).collect())
            }
            Expr::Binary(operator, left, right) => {
                let (left, right) = (self.cases(left, helpers)?, self.cases(right, helpers)?);
                let mut found = Vec::new();
                for (first, a) in &left {
                    for (second, b) in &right {
                        let guards = [&first[..], second].concat();
                        found.extend(binary(*operator, guards, a, b, helpers)?);
                    }
                }
                Ok(found)
            }
            Expr::Call(quantity @ (Quantity::Min | Quantity::Max), numbers) => {
                let mut found: Cases = self.cases(&numbers[0], helpers)?;
                for number in &numbers[1..] {
                    let values = self.cases(number, helpers)?;
                    let choose = |(first, a): &(Vec<Formula>, Sum), (second, b): &(Vec<Formula>, Sum)| {
                        let a_first = match quantity {
                            Quantity::Min => Formula::at_most(a, b),
                            _ => Formula::at_most(b, a),
                        };
                        let guards = [&first[..], second].concat();
                        [
                            ([&guards[..], std::slice::from_ref(&a_first)].concat(), a.clone()),
                            ([&guards[..], &[a_first.negated()]].concat(), b.clone()),
                        ]
                    };
                    found = found
                        .iter()
                        .flat_map(|left| values.iter().flat_map(move |right| choose(left, right)))
                        .collect();
                }
                Ok(found)
            }
            Expr::Call(..) => Err(refused("nim-sums and greatest common divisors")),
        }
    }

    fn moved(&self) -> Result<&(Sum, Sum)> {
        self.heap.as_ref().ok_or_else(|| refused("positions that speak of a move"))
    }

    /// A quantity of sorted heaps, by how many of them are empty.
    fn quantity(&self, heaps: &[Sum], quantity: Quantity) -> Result<Cases> {
        let plain = |sum: Sum| Ok(vec![(Vec::new(), sum)]);
        match quantity {
            Quantity::Max => plain(heaps.last().cloned().unwrap_or_default()),
            Quantity::Sum => plain(heaps.iter().fold(Sum::default(), |sum, heap| sum.plus(1, heap))),
            Quantity::Min | Quantity::Count => {
                let case = |empty: usize| {
                    let mut guards = Vec::new();
                    if empty > 0 {
                        guards.push(Formula::equal(&heaps[empty - 1], &Sum::default()));
                    }
                    if empty < heaps.len() {
                        guards.push(Formula::less(&Sum::default(), &heaps[empty]));
                    }
                    let value = match quantity {
                        Quantity::Count => Sum::number((heaps.len() - empty) as i64),
                        _ => heaps.get(empty).cloned().unwrap_or_default(),
                    };
                    (guards, value)
                };
                Ok((0..=heaps.len()).map(case).collect())
            }
            Quantity::Xor | Quantity::Gcd => Err(refused("nim-sums and greatest common divisors")),
        }
    }
}

/// The constant that an expression is, if it is one.
fn constant(number: &Expr) -> Option<i64> {
    match number {
        Expr::Number(value) => Some(*value),
        Expr::Negative(inner) => Some(-constant(inner)?),
        _ => None,
    }
}

fn compare(comparison: Comparison, left: &Sum, right: &Sum) -> Formula {
    match comparison {
        Comparison::Equal => Formula::equal(left, right),
        Comparison::NotEqual => Formula::equal(left, right).negated(),
        Comparison::Less => Formula::less(left, right),
        Comparison::LessOrEqual => Formula::at_most(left, right),
        Comparison::Greater => Formula::less(right, left),
        Comparison::GreaterOrEqual => Formula::at_most(right, left),
    }
}

fn binary(operator: Operator, guards: Vec<Formula>, a: &Sum, b: &Sum, helpers: &mut u32) -> Result<Cases> {
    let one = |sum: Sum| Ok(vec![(guards.clone(), sum)]);
    match operator {
        Operator::Add => one(a.plus(1, b)),
        Operator::Subtract => one(a.plus(-1, b)),
        Operator::Multiply => match (a.terms.is_empty(), b.terms.is_empty()) {
            (true, _) => one(Sum::default().plus(a.constant, b)),
            (_, true) => one(Sum::default().plus(b.constant, a)),
            _ => Err(refused("products of numbers that are not constants")),
        },
        Operator::Divide | Operator::Remainder => {
            if !b.terms.is_empty() || b.constant <= 0 {
                return Err(refused("quotients by numbers that are not positive constants"));
            }
            // a = divisor * q + rest with 0 <= rest < divisor, where q is a helper or its opposite; a negative
            // quotient is at most -1, so that the two cases exclude each other.
            let helper = Sum::of(FIRST_HELPER + *helpers);
            *helpers += 1;
            let case = |quotient: Sum, sign: Formula| {
                let rest = a.plus(-b.constant, &quotient);
                let bounds = [
                    sign,
                    Formula::at_most(&Sum::default(), &rest),
                    Formula::less(&rest, &Sum::number(b.constant)),
                ];
                let value = if operator == Operator::Divide { quotient } else { rest };
                ([&guards[..], &bounds].concat(), value)
            };
            let positive = Formula::Constant(true);
            let negative = Formula::less(&Sum::default(), &helper);
            Ok(vec![case(helper.clone(), positive), case(Sum::default().plus(-1, &helper), negative)])
        }
    }
}
