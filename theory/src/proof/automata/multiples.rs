//! Moves that take any multiple of the other heap, on two heaps: Euclid's game.
//!
//! "y arises from h by taking a multiple of d" is not a formula of addition. But for a given set F let E(h, d)
//! say that some positive multiple of d, taken from h, leads into F. It is the only solution of
//!
//! > E(h, d) exactly if d > 0, h >= d, and: h - d may be left and is in F beside d, or E(h - d, d),
//!
//! by induction on h, and this is a formula about E: so an automaton for E is learned (its answers come from F,
//! not from tables) and then decided to be right.

use std::sync::Arc;

use super::formula::{Formula, Sum, Variable};
use super::learn::{Learner, Lost, Membership};
use super::meaning::Meaning;
use super::operations::{combine, difference};
use super::{Budget, Dfa, Failed, Numeration};
use crate::base::Result;
use crate::rules::notation::rule::{Clause, Condition, Expr, Scope};

const HEAP: Variable = 0;
const OTHER: Variable = 1;
const NEW: Variable = 2;

/// States beyond which an automaton of multiples is given up: what is automatic has a few dozen.
const MOST_STATES: usize = 400;

/// Multiples beyond which a question is not answered.
const MOST_MULTIPLES: u128 = 1 << 22;

/// Moves that take any multiple of the other one of two heaps.
#[derive(Debug, Clone)]
pub struct Multiples {
    /// What may be left of a heap beside the other one, in this order, whatever the heap was.
    allowed: Arc<Dfa>,
}

impl Multiples {
    /// The moves of `clause`, if they are moves by multiples of the other heap; an error where what may be left
    /// depends on the heap as it was.
    pub fn of_clause(clause: &Clause, numeration: Numeration, budget: &Budget<'_>) -> Result<Option<Self>> {
        let is_multiple = |condition: &Condition| match condition {
            Condition::Some(Scope::Other, slot, _, inner) => {
                **inner == Condition::Divides(Expr::Variable(*slot), Expr::Variable(0))
            }
            _ => false,
        };
        let (multiples, rest): (Vec<&Condition>, Vec<&Condition>) =
            clause.condition.conjuncts().into_iter().partition(|condition| is_multiple(condition));
        if multiples.is_empty() || !clause.moved.is_one() || !clause.parts.is_empty() {
            return Ok(None);
        }
        let rest = Condition::All(rest.into_iter().cloned().collect());
        let mentions = rest.mentions();
        if mentions.before || mentions.new || mentions.other {
            return Ok(None);
        }
        let [heap, other, new] = [HEAP, OTHER, NEW].map(Sum::of);
        let leaves = |heap: &Sum| {
            let heap = Some((heap.clone(), new.clone()));
            let slots = vec![heap.as_ref().map_or_else(Sum::default, |(heap, new)| heap.plus(-1, new))];
            Meaning { numeration, before: &[], new: &[], other: &[], heap, slots }.condition(&rest)
        };
        // The least heap that may become the new one is larger by the other heap; all larger heaps must do the
        // same.
        let (least, any) = (leaves(&new.plus(1, &other))?, leaves(&heap)?);
        let positive = Formula::less(&Sum::default(), &other);
        let differ = Formula::Or(vec![
            Formula::And(vec![least.clone(), any.clone().negated()]),
            Formula::And(vec![least.clone().negated(), any]),
        ]);
        let larger = Formula::at_most(&new.plus(1, &other), &heap);
        let fails = Formula::And(vec![positive.clone(), larger, differ]);
        let fails = fails.automaton(numeration, &[HEAP, OTHER, NEW], budget)?;
        if fails.live()[fails.start as usize] {
            return Ok(None);
        }
        let allowed = Formula::And(vec![positive, least]).automaton(numeration, &[NEW, OTHER], budget)?;
        Ok(Some(Self { allowed: Arc::new(allowed) }))
    }

    /// The pairs of a heap and the other heap such that a multiple of the other, taken from the heap, leads into
    /// `set`, whose words are sorted positions.
    pub fn into_set(&self, set: &Dfa, budget: &Budget<'_>) -> Result<Dfa, Failed> {
        let set = Arc::new(set.clone());
        let mut answers = Answers { multiples: self, set: &set };
        let mut learner = Learner::new(set.numeration, 2, &mut answers);
        let lost = |lost: Lost| match lost {
            Lost::Failed(failed) => failed,
            Lost::Unknown(_) | Lost::Error(_) => Failed::Unsettled,
        };
        loop {
            budget.allows(0, 0)?;
            let guess = learner.hypothesis().map_err(lost)?;
            if guess.states() > MOST_STATES {
                return Err(Failed::Unsettled);
            }
            let recursion = self.recursion(&set, Arc::new(guess.clone()), budget)?;
            let Some(place) = difference(&guess, &recursion, budget)? else { return Ok(guess.minimised()) };
            // Wrong here or one multiple below.
            let wrong = if learner.ask(&place).map_err(lost)? != guess.accepts(&place) {
                place
            } else {
                let below = set
                    .numeration
                    .numbers(&place, 2)
                    .and_then(|pair| Some(set.numeration.letters(&[pair[0].checked_sub(pair[1])?, pair[1]])));
                below.ok_or(Failed::Unsettled)?
            };
            learner.refine(&guess, &wrong).map_err(lost)?;
        }
    }

    /// The sorted positions from which a move by a multiple leads into `set`.
    pub fn reaching(&self, set: &Dfa, budget: &Budget<'_>) -> Result<Dfa, Failed> {
        let reaching = self.into_set(set, budget)?;
        let sorted = Formula::at_most(&Sum::of(0), &Sum::of(1)).automaton(set.numeration, &[0, 1], budget)?;
        // A heap that is not larger than the other one moves only if they are equal.
        combine(&reaching.on_tracks(&[1, 0], 2), &sorted, budget, |reaches, sorted| reaches && sorted)
    }

    /// The right side of the recursion, made of `set` and of what is believed about smaller heaps.
    fn recursion(&self, set: &Arc<Dfa>, believed: Arc<Dfa>, budget: &Budget<'_>) -> Result<Dfa, Failed> {
        let [heap, other, new] = [HEAP, OTHER, NEW].map(Sum::of);
        let sorted = |low: Variable, high: Variable| {
            let order = Formula::at_most(&Sum::of(low), &Sum::of(high));
            Formula::And(vec![order, Formula::In(Arc::clone(set), vec![low, high])])
        };
        let lands = Formula::And(vec![
            Formula::In(Arc::clone(&self.allowed), vec![NEW, OTHER]),
            Formula::Or(vec![sorted(NEW, OTHER), sorted(OTHER, NEW)]),
        ]);
        let step = Formula::And(vec![
            Formula::less(&Sum::default(), &other),
            Formula::equal(&new.plus(1, &other), &heap),
            Formula::Or(vec![lands, Formula::In(believed, vec![NEW, OTHER])]),
        ]);
        Formula::Exists(NEW, Box::new(step)).automaton(set.numeration, &[HEAP, OTHER], budget)
    }
}

/// What the set says about multiples: all of them are tried.
struct Answers<'a> {
    multiples: &'a Multiples,
    set: &'a Dfa,
}

impl Membership for Answers<'_> {
    fn contains(&mut self, word: &[usize]) -> Result<Option<bool>> {
        let Some(pair) = self.set.numeration.numbers(word, 2) else { return Ok(Some(false)) };
        let (heap, other) = (pair[0], pair[1]);
        if other == 0 {
            return Ok(Some(false));
        }
        if heap / other > MOST_MULTIPLES {
            return Ok(None);
        }
        let leads = |times: u128| {
            let new = heap - times * other;
            self.multiples.allowed.contains(&[new, other])
                && self.set.contains(&[new.min(other), new.max(other)])
        };
        Ok(Some((1..=heap / other).any(leads)))
    }
}
