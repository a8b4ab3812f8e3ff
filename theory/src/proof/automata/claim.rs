//! Claims about a proved set, decided for all sizes.

use std::sync::Arc;

use num_bigint::BigUint;

use super::formula::{Formula, Sum, Variable};
use super::meaning::{FIRST_HELPER, Meaning};
use super::operations::{combine, difference};
use super::{Budget, DecidedTheorem, Dfa, Numeration};
use crate::base::{Error, Result};
use crate::rules::notation::rule::{Claim, Outcome, SLOTS};

/// The heaps of `P(a, b+1)` that are not names are helpers from here on; those of [`Meaning`] are below.
const FIRST_HEAP: Variable = FIRST_HELPER + 500;

/// What became of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// It is true of all positions that the theorem is about.
    True,
    /// It is false: of this position, one of those with the fewest digits, unless it is about no position.
    False(Option<Vec<BigUint>>),
}

impl DecidedTheorem {
    /// Whether the claim is true of all positions that the theorem is about.
    pub fn decide(&self, text: &str, budget: &Budget<'_>) -> Result<Decision> {
        let heaps = self.heaps();
        let claim = Claim::parse(text, heaps)?;
        let holds = self.automaton(&claim, budget)?;
        let fails = combine(&self.game.positions, &holds, budget, |position, holds| position && !holds)?;
        let none = Dfa::constant(self.numeration(), heaps, false);
        Ok(match difference(&fails, &none, budget)? {
            None => Decision::True,
            Some(_) if claim.is_closed(heaps) => Decision::False(None),
            Some(word) => Decision::False(Some(self.numeration().numbers_of(&word, heaps))),
        })
    }

    /// The automaton of the heaps for which the claim holds.
    pub fn automaton(&self, claim: &Claim, budget: &Budget<'_>) -> Result<Dfa> {
        let slots: Vec<Sum> = (0..SLOTS as Variable).map(Sum::of).collect();
        let translation = Translation {
            theorem: self,
            meaning: Meaning::of_claim(self.numeration(), &slots, self.heaps()),
            not_p: Arc::new(combine(&self.game.positions, &self.sets[0], budget, |a, p| a && !p)?),
        };
        let formula = translation.formula(claim)?;
        let variables: Vec<Variable> = (0..self.heaps() as Variable).collect();
        Ok(formula.automaton(self.numeration(), &variables, budget)?)
    }
}

struct Translation<'a> {
    theorem: &'a DecidedTheorem,
    meaning: Meaning<'a>,
    not_p: Arc<Dfa>,
}

impl Translation<'_> {
    fn formula(&self, claim: &Claim) -> Result<Formula> {
        let pair = |left: &Claim, right: &Claim| Ok::<_, Error>((self.formula(left)?, self.formula(right)?));
        Ok(match claim {
            Claim::Condition(condition) => self.meaning.condition(condition)?,
            Claim::Not(inner) => self.formula(inner)?.negated(),
            Claim::And(left, right) => {
                let (left, right) = pair(left, right)?;
                Formula::And(vec![left, right])
            }
            Claim::Or(left, right) => {
                let (left, right) = pair(left, right)?;
                Formula::Or(vec![left, right])
            }
            Claim::Iff(left, right) => {
                let (left, right) = pair(left, right)?;
                Formula::Same(Box::new([left, right]))
            }
            Claim::Some(slot, inner) => Formula::Exists((*slot).into(), Box::new(self.formula(inner)?)),
            Claim::LargestPower(power, base, number) => {
                if u8::try_from(*base).map(Numeration::Base) != Ok(self.theorem.numeration()) {
                    return Err(Error::Usage(format!(
                        "the theorem reads {} digits, and powers of {base} cannot be told by them",
                        self.theorem.numeration()
                    )));
                }
                self.meaning.numbers(&[power, number], |values| {
                    let (power, number) = (FIRST_HEAP, FIRST_HEAP + 1);
                    let is = |name, value| Formula::equal(&Sum::of(name), value);
                    let largest = Formula::LargestPower(power, number);
                    let all = vec![is(power, &values[0]), is(number, &values[1]), largest];
                    let inner = Formula::Exists(power, Box::new(Formula::And(all)));
                    Formula::Exists(number, Box::new(inner))
                })?
            }
            Claim::Position(outcome, heaps) => {
                let set = self.set(*outcome)?;
                let count = self.theorem.heaps();
                let Some(heaps) = heaps else {
                    return Ok(Formula::In(set, (0..count as Variable).collect()));
                };
                if heaps.len() > count {
                    return Err(Error::Usage(format!(
                        "the claim is about a position of {} heaps, and the theorem about at most {count}",
                        heaps.len()
                    )));
                }
                let heaps: Vec<_> = heaps.iter().collect();
                self.meaning.numbers(&heaps, |sizes| in_any_order(&set, sizes))?
            }
        })
    }

    fn set(&self, outcome: Outcome) -> Result<Arc<Dfa>> {
        let sets = &self.theorem.sets;
        match outcome {
            Outcome::P => Ok(Arc::clone(&sets[0])),
            Outcome::N => Ok(Arc::clone(&self.not_p)),
            Outcome::Value(value) => sets.get(value as usize).cloned().ok_or_else(|| {
                Error::Usage(format!(
                    "the theorem knows the values up to {}, and the claim is about {value}; prove more with --value",
                    sets.len() - 1
                ))
            }),
        }
    }
}

/// The heaps of these sizes, sorted, are in the set; those that are missing are empty.
fn in_any_order(set: &Arc<Dfa>, sizes: &[Sum]) -> Formula {
    let mut sizes = sizes.to_vec();
    sizes.resize(set.tracks, Sum::default());
    let mut helpers = Vec::new();
    let mut name = |(place, size): (usize, &Sum)| match size.terms[..] {
        [(1, variable)] if size.constant == 0 => variable,
        _ => {
            let helper = FIRST_HEAP + place as Variable;
            helpers.push((helper, Formula::equal(&Sum::of(helper), size)));
            helper
        }
    };
    let names: Vec<Variable> = sizes.iter().enumerate().map(&mut name).collect();
    let mut orders = vec![Vec::new()];
    for _ in 0..names.len() {
        let longer = |order: &Vec<usize>| -> Vec<Vec<usize>> {
            let free = (0..names.len()).filter(|place| !order.contains(place));
            free.map(|place| [&order[..], &[place]].concat()).collect()
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    let member =
        |order: Vec<usize>| Formula::In(Arc::clone(set), order.iter().map(|&place| names[place]).collect());
    let any = Formula::Or(orders.into_iter().map(member).collect());
    helpers
        .into_iter()
        .fold(any, |inner, (helper, is)| Formula::Exists(helper, Box::new(Formula::And(vec![is, inner]))))
}
