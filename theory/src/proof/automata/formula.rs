//! Formulas of addition, comparison and residues, and the automata that decide them.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::operations::{combine, complement, explore, numerals, project};
use super::{Budget, Dfa, Failed, Numeration};

/// A variable: a natural number.
pub type Variable = u32;

/// A sum of variables with integer coefficients, and a constant.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sum {
    /// Coefficient and variable; each variable once.
    pub terms: Vec<(i64, Variable)>,
    /// What is added.
    pub constant: i64,
}

/// A statement about natural numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Formula {
    /// Always or never.
    Constant(bool),
    /// The sum is 0.
    Zero(Sum),
    /// The sum is 0 or less.
    AtMostZero(Sum),
    /// The sum is divisible by the modulus.
    Divisible(Sum, u32),
    /// The variable is a power of the base, 1 included.
    Power(Variable),
    /// The first is the largest power of the base that divides the second, which is not 0.
    LargestPower(Variable, Variable),
    /// The numbers are in a set.
    In(Arc<Dfa>, Vec<Variable>),
    /// The opposite.
    Not(Box<Formula>),
    /// All of them.
    And(Vec<Formula>),
    /// One of them.
    Or(Vec<Formula>),
    /// Both, or neither.
    Same(Box<[Formula; 2]>),
    /// There is such a number.
    Exists(Variable, Box<Formula>),
}

/// An automaton that reads these variables, in ascending order, one per track.
#[derive(Debug, Clone)]
struct Relation {
    variables: Vec<Variable>,
    dfa: Dfa,
}

impl Sum {
    /// A variable.
    pub fn of(variable: Variable) -> Self {
        Self { terms: vec![(1, variable)], constant: 0 }
    }

    /// A number.
    pub fn number(constant: i64) -> Self {
        Self { terms: Vec::new(), constant }
    }

    /// This and `factor` times the other.
    pub fn plus(&self, factor: i64, other: &Self) -> Self {
        let mut sum = self.clone();
        sum.constant += factor * other.constant;
        for &(coefficient, variable) in &other.terms {
            match sum.terms.iter_mut().find(|(_, known)| *known == variable) {
                Some((known, _)) => *known += factor * coefficient,
                None => sum.terms.push((factor * coefficient, variable)),
            }
        }
        sum.terms.retain(|&(coefficient, _)| coefficient != 0);
        sum.terms.sort_unstable_by_key(|&(_, variable)| variable);
        sum
    }
}

impl Formula {
    /// `left <= right`.
    pub fn at_most(left: &Sum, right: &Sum) -> Self {
        Self::AtMostZero(left.plus(-1, right))
    }

    /// `left < right`.
    pub fn less(left: &Sum, right: &Sum) -> Self {
        Self::AtMostZero(left.plus(-1, right).plus(1, &Sum::number(1)))
    }

    /// `left = right`.
    pub fn equal(left: &Sum, right: &Sum) -> Self {
        Self::Zero(left.plus(-1, right))
    }

    /// The opposite.
    pub fn negated(self) -> Self {
        match self {
            Self::Constant(value) => Self::Constant(!value),
            Self::Not(inner) => *inner,
            other => Self::Not(Box::new(other)),
        }
    }

    /// The automaton that accepts the values of `variables` (in this order, one per track) for which the
    /// formula holds. Other variables must not be free.
    pub fn automaton(
        &self,
        numeration: Numeration,
        variables: &[Variable],
        budget: &Budget<'_>,
    ) -> Result<Dfa, Failed> {
        let relation = self.relation(numeration, budget)?;
        let place = |variable: &Variable| variables.iter().position(|known| known == variable);
        let places: Option<Vec<usize>> = relation.variables.iter().map(place).collect();
        let places = places.unwrap_or_else(|| unreachable!("a variable is free"));
        let spread = relation.dfa.on_tracks(&places, variables.len());
        // The tracks that the formula does not read must be numbers, too.
        combine(&spread, &numerals(numeration, variables.len()), budget, |a, b| a && b)
    }

    fn relation(&self, numeration: Numeration, budget: &Budget<'_>) -> Result<Relation, Failed> {
        match self {
            Self::Constant(value) => {
                Ok(Relation { variables: Vec::new(), dfa: Dfa::constant(numeration, 0, *value) })
            }
            Self::Zero(sum) => linear(numeration, sum, budget, |order| order.is_eq()),
            Self::AtMostZero(sum) => linear(numeration, sum, budget, |order| order.is_le()),
            Self::Divisible(sum, modulus) => divisible(numeration, sum, *modulus, budget),
            Self::Power(variable) => {
                Ok(Relation { variables: vec![*variable], dfa: power(numeration, budget)? })
            }
            Self::LargestPower(power, number) if power == number => {
                Self::Power(*power).relation(numeration, budget)
            }
            Self::LargestPower(power, number) => {
                let dfa = largest_power(numeration, budget)?;
                let (places, variables) = match power < number {
                    true => ([0, 1], vec![*power, *number]),
                    false => ([1, 0], vec![*number, *power]),
                };
                Ok(Relation { variables, dfa: dfa.on_tracks(&places, 2) })
            }
            Self::In(set, variables) => {
                let sorted: BTreeSet<Variable> = variables.iter().copied().collect();
                let sorted: Vec<Variable> = sorted.into_iter().collect();
                let place = |variable: &Variable| sorted.binary_search(variable).unwrap_or(0);
                let places: Vec<usize> = variables.iter().map(place).collect();
                let dfa = set.on_tracks(&places, sorted.len()).minimised();
                Ok(Relation { variables: sorted, dfa })
            }
            Self::Not(inner) => {
                let Relation { variables, dfa } = inner.relation(numeration, budget)?;
                Ok(Relation { variables, dfa: complement(&dfa, budget)? })
            }
            Self::And(parts) => join(numeration, parts, true, budget, |a, b| a && b),
            Self::Or(parts) => join(numeration, parts, false, budget, |a, b| a || b),
            Self::Same(pair) => {
                let Relation { variables, dfa } = join(numeration, &pair[..], true, budget, |a, b| a == b)?;
                let dfa = combine(&dfa, &numerals(numeration, variables.len()), budget, |a, b| a && b)?;
                Ok(Relation { variables, dfa })
            }
            Self::Exists(variable, inner) => {
                let Relation { mut variables, dfa } = inner.relation(numeration, budget)?;
                let Some(place) = variables.iter().position(|known| known == variable) else {
                    return Ok(Relation { variables, dfa });
                };
                // The hidden variable goes to the last track.
                variables.remove(place);
                let last = variables.len();
                let places: Vec<usize> = (0..=last)
                    .map(|track| match track.cmp(&place) {
                        std::cmp::Ordering::Less => track,
                        std::cmp::Ordering::Equal => last,
                        std::cmp::Ordering::Greater => track - 1,
                    })
                    .collect();
                let dfa = project(&dfa.on_tracks(&places, last + 1), 1, budget)?;
                Ok(Relation { variables, dfa })
            }
        }
    }
}

/// What `operation` makes of formulas; of none it is `neutral`.
fn join(
    numeration: Numeration,
    parts: &[Formula],
    neutral: bool,
    budget: &Budget<'_>,
    operation: fn(bool, bool) -> bool,
) -> Result<Relation, Failed> {
    let mut joined = Relation { variables: Vec::new(), dfa: Dfa::constant(numeration, 0, neutral) };
    for part in parts {
        let part = part.relation(numeration, budget)?;
        let union: BTreeSet<Variable> = joined.variables.iter().chain(&part.variables).copied().collect();
        let variables: Vec<Variable> = union.into_iter().collect();
        let spread = |relation: &Relation| -> Result<Dfa, Failed> {
            let place = |variable: &Variable| variables.binary_search(variable).unwrap_or(0);
            let places: Vec<usize> = relation.variables.iter().map(place).collect();
            let dfa = relation.dfa.on_tracks(&places, variables.len());
            if numeration == Numeration::Zeckendorf && relation.variables.len() < variables.len() {
                return combine(&dfa, &numerals(numeration, variables.len()), budget, |a, b| a && b);
            }
            Ok(dfa)
        };
        let dfa = combine(&spread(&joined)?, &spread(&part)?, budget, operation)?;
        joined = Relation { variables, dfa };
    }
    Ok(joined)
}

/// A prefix of the digits of a linear form: still open, or settled for whatever follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Form {
    Open(i128, i128),
    Settled(std::cmp::Ordering),
}

/// The automaton of a comparison of a linear form with 0. Exact: see [`Numeration::settled`].
fn linear(
    numeration: Numeration,
    sum: &Sum,
    budget: &Budget<'_>,
    accepts: impl Fn(std::cmp::Ordering) -> bool,
) -> Result<Relation, Failed> {
    let constant = -i128::from(sum.constant);
    let weight: i128 = sum.terms.iter().map(|&(coefficient, _)| i128::from(coefficient).abs()).sum();
    let digits = numeration.digits();
    let change = |letter: usize| -> i128 {
        let digit = |track: usize| (letter / digits.pow(track as u32) % digits) as i128;
        sum.terms.iter().enumerate().map(|(track, &(factor, _))| i128::from(factor) * digit(track)).sum()
    };
    let tracks = sum.terms.len();
    let changes: Vec<i128> = (0..digits.pow(tracks as u32)).map(change).collect();
    let dfa = explore(
        numeration,
        tracks,
        Form::Open(0, 0),
        budget,
        |state, letter| match *state {
            Form::Settled(_) => *state,
            Form::Open(u, v) => {
                let after = numeration.step((u, v), changes[letter]);
                match numeration.settled(after, weight, constant) {
                    Some(order) => Form::Settled(order),
                    None => Form::Open(after.0, after.1),
                }
            }
        },
        |state| match *state {
            Form::Settled(order) => accepts(order),
            Form::Open(u, _) => accepts(u.cmp(&constant)),
        },
    )?;
    let dfa = combine(&dfa, &numerals(numeration, tracks), budget, |a, b| a && b)?;
    Ok(Relation { variables: sum.terms.iter().map(|&(_, variable)| variable).collect(), dfa })
}

/// The automaton of a congruence.
fn divisible(
    numeration: Numeration,
    sum: &Sum,
    modulus: u32,
    budget: &Budget<'_>,
) -> Result<Relation, Failed> {
    let (modulus, digits) = (i128::from(modulus), numeration.digits());
    let wanted = i128::from(-sum.constant).rem_euclid(modulus);
    let tracks = sum.terms.len();
    let dfa = explore(
        numeration,
        tracks,
        (0, 0),
        budget,
        |&state, letter| {
            let digit = |track: usize| (letter / digits.pow(track as u32) % digits) as i128;
            let terms = sum.terms.iter().enumerate();
            let change = terms.map(|(track, &(factor, _))| i128::from(factor) * digit(track)).sum();
            let (u, v) = numeration.step(state, change);
            (u.rem_euclid(modulus), v.rem_euclid(modulus))
        },
        |&(u, _)| u == wanted,
    )?;
    let dfa = combine(&dfa, &numerals(numeration, tracks), budget, |a, b| a && b)?;
    Ok(Relation { variables: sum.terms.iter().map(|&(_, variable)| variable).collect(), dfa })
}

/// The powers of the base (with Zeckendorf's digits the Fibonacci numbers): one digit 1, all others 0.
fn power(numeration: Numeration, budget: &Budget<'_>) -> Result<Dfa, Failed> {
    let after = |&state: &u8, letter: usize| match (state, letter) {
        (state, 0) => state,
        (0, 1) => 1,
        _ => 2,
    };
    explore(numeration, 1, 0u8, budget, after, |&state| state == 1)
}

/// The last digit of the second number that is not 0 stands where the first has its only digit, a 1.
fn largest_power(numeration: Numeration, budget: &Budget<'_>) -> Result<Dfa, Failed> {
    let digits = numeration.digits();
    let after = |&state: &u8, letter: usize| match (state, letter % digits, letter / digits) {
        (0, 0, _) => 0,
        (0, 1, 1..) => 1,
        (1, 0, 0) => 1,
        _ => 2,
    };
    let dfa = explore(numeration, 2, 0u8, budget, after, |&state| state == 1)?;
    combine(&dfa, &numerals(numeration, 2), budget, |a, b| a && b)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEVER: Budget<'static> = Budget { most_entries: 1 << 22, stop: &|| false };

    fn agrees(formula: &Formula, variables: &[Variable], holds: impl Fn(&[i64]) -> bool) {
        for numeration in [Numeration::Base(2), Numeration::Base(3), Numeration::Zeckendorf] {
            let dfa = formula.automaton(numeration, variables, &NEVER).unwrap();
            let mut numbers = vec![0u128; variables.len()];
            loop {
                let signed: Vec<i64> = numbers.iter().map(|&n| n as i64).collect();
                assert_eq!(dfa.contains(&numbers), holds(&signed), "{numeration:?} {numbers:?} {formula:?}");
                let Some(place) = numbers.iter().position(|&number| number < 23) else { break };
                numbers[..place].fill(0);
                numbers[place] += 1;
            }
        }
    }

    #[test]
    fn the_largest_power_of_the_base_in_a_number_is_found() {
        for base in [2, 3] {
            let formula = Formula::LargestPower(1, 0);
            let dfa = formula.automaton(Numeration::Base(base), &[0, 1], &NEVER).unwrap();
            for (number, power) in (0..60u128).flat_map(|number| (0..60).map(move |power| (number, power))) {
                let powers = (0..8).map(|exponent| u128::from(base).pow(exponent));
                let largest = powers.filter(|power| number > 0 && number % power == 0).max();
                assert_eq!(dfa.contains(&[number, power]), largest == Some(power), "{number} {power}");
            }
        }
    }

    #[test]
    fn automata_of_formulas_agree_with_arithmetic() {
        let sum = |terms: &[(i64, u32)], constant| Sum { terms: terms.to_vec(), constant };
        agrees(&Formula::Zero(sum(&[(1, 0), (1, 1), (-1, 2)], 0)), &[0, 1, 2], |n| n[0] + n[1] == n[2]);
        agrees(&Formula::AtMostZero(sum(&[(2, 0), (-3, 1)], 5)), &[0, 1], |n| 2 * n[0] + 5 <= 3 * n[1]);
        agrees(&Formula::Divisible(sum(&[(1, 0), (3, 1)], 2), 5), &[0, 1], |n| {
            (n[0] + 3 * n[1] + 2) % 5 == 0
        });
        agrees(&Formula::Zero(sum(&[(7, 0), (-5, 1)], -11)), &[0, 1], |n| 7 * n[0] - 5 * n[1] == 11);
        let half = Formula::Exists(9, Box::new(Formula::Zero(sum(&[(1, 0), (-2, 9)], 0))));
        agrees(&half, &[0], |n| n[0] % 2 == 0);
        let larger = Formula::Exists(9, Box::new(Formula::Zero(sum(&[(3, 0), (5, 1), (-1, 9)], 0))));
        agrees(&larger, &[0, 1], |_| true);
        agrees(&Formula::Not(Box::new(half)), &[1, 0], |n| n[1] % 2 == 1);
        let both = Formula::And(vec![
            Formula::Divisible(sum(&[(1, 0)], 0), 3),
            Formula::Not(Box::new(Formula::AtMostZero(sum(&[(1, 1)], -4)))),
        ]);
        agrees(&both, &[0, 1], |n| n[0] % 3 == 0 && n[1] > 4);
        let same = Formula::Same(Box::new([Formula::AtMostZero(sum(&[(1, 0)], -9)), both.clone()]));
        agrees(&same, &[0, 1], |n| (n[0] <= 9) == (n[0] % 3 == 0 && n[1] > 4));
        agrees(&both.negated(), &[0, 1], |n| n[0] % 3 != 0 || n[1] <= 4);
    }
}
