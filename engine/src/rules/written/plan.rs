//! A clause made ready to be played: each condition stands where all that it mentions is known for the first
//! time, and comparisons that bound a number are the bounds of its loop.

use super::after;
use super::values::bit;
use crate::rules::notation::rule::{
    Clause, Comparison, Condition, Expr, Linear, Mentions, Moved, Operator, Ranges, Scope, Set, Slot,
};

/// The loops of a clause and their conditions.
#[derive(Debug, Clone)]
pub struct Plan {
    moved: Moved,
    /// Each number is taken from a heap of its own.
    pub one_each: bool,
    /// How many numbers are taken.
    pub taken: usize,
    /// One number is taken, and where it is within its bounds the move is legal.
    pub is_plain: bool,
    /// How many parts a heap is split into; 0 where it is not.
    pub parts: usize,
    /// Whether a condition mentions the heap moved in.
    pub mentions_heap: bool,
    /// What depends on the position alone.
    pub at_position: Vec<Condition>,
    /// What depends on the heaps moved in as well.
    pub at_heaps: Vec<Condition>,
    /// The numbers that are chosen; the last part of a split is what the others leave.
    pub loops: Vec<Loop>,
    /// What depends on the heaps after the move.
    pub at_option: Vec<Condition>,
    /// The quantities that are needed, as bits: of the heaps before the move, of the others, and of those
    /// after it.
    pub before: u8,
    /// Of the heaps that do not change.
    pub other: u8,
    /// Of the heaps after the move.
    pub new: u8,
}

/// The choice of one number.
#[derive(Debug, Clone, Default)]
pub struct Loop {
    /// It is at least each of these.
    pub lower: Vec<Expr>,
    /// It is at most each of these.
    pub upper: Vec<Expr>,
    /// It is one of this set.
    pub among: Option<Set>,
    /// What is true of it and of the numbers before it.
    pub checks: Vec<Condition>,
}

/// What numbers may be in a condition of positions.
pub const IN_POSITIONS: Ranges = Ranges::Position;

impl Plan {
    /// The plan of `clause` in a game whose positions are those of `positions`: a move leads from one to one.
    pub fn new(clause: &Clause, positions: Option<&Condition>) -> Self {
        let (taken, parts) = (clause.taken.len(), clause.parts.len());
        let numbers = if parts > 0 { taken + parts - 1 } else { taken };
        let mut plan = Self {
            moved: clause.moved.clone(),
            one_each: taken > 1,
            taken,
            parts,
            is_plain: false,
            mentions_heap: false,
            at_position: Vec::new(),
            at_heaps: Vec::new(),
            loops: vec![Loop::default(); numbers],
            at_option: Vec::new(),
            before: 0,
            other: 0,
            new: 0,
        };
        let mut conditions: Vec<Condition> = clause.condition.conjuncts().into_iter().cloned().collect();
        for condition in positions.into_iter().flat_map(Condition::conjuncts) {
            conditions.push(condition.clone());
            conditions.push(condition.replaced(&quantity_after, &after));
        }
        for condition in conditions {
            for condition in without_bars(plan.in_numbers(&condition)) {
                plan.place(condition);
            }
        }
        plan.is_plain =
            taken == 1 && parts == 0 && plan.loops[0].checks.is_empty() && plan.at_option.is_empty();
        plan
    }

    /// Whether a move may change so many of the heaps that are there.
    pub fn allows(&self, number: usize, present: usize) -> bool {
        self.moved.any || self.moved.numbers.contains(&number) || (self.moved.all && number == present)
    }

    /// The condition in which everything that the chosen numbers decide is written with them.
    fn in_numbers(&self, condition: &Condition) -> Condition {
        let chosen = self.loops.len();
        let left = |numbers: std::ops::Range<usize>| {
            numbers.fold(Expr::Heap, |left, slot| {
                Expr::binary(Operator::Subtract, left, Expr::Variable(slot as Slot))
            })
        };
        let change = |number: &Expr| match number {
            Expr::NewHeap if self.taken == 1 && self.parts == 0 => Some(left(0..1)),
            // The names of `some` and `every` come after those of the clause.
            Expr::Variable(slot) if self.parts > 0 && usize::from(*slot) == chosen => Some(left(0..chosen)),
            _ => None,
        };
        condition.replaced(&change, &|scope| scope)
    }

    fn place(&mut self, condition: Condition) {
        let mentions = condition.mentions();
        self.mentions_heap |= mentions.heap || mentions.new_heap;
        self.need(&condition);
        let level = self.level(mentions);
        if level > 0 && level <= self.loops.len() && self.bounds(level - 1, &condition) {
            return;
        }
        match level {
            0 if !(mentions.heap || mentions.other) => self.at_position.push(condition),
            0 => self.at_heaps.push(condition),
            level if level <= self.loops.len() => self.loops[level - 1].checks.push(condition),
            _ => self.at_option.push(condition),
        }
    }

    /// After how many of the numbers everything is known.
    fn level(&self, mentions: Mentions) -> usize {
        if mentions.new || mentions.new_heap {
            return self.loops.len() + 1;
        }
        let own = mentions.slots & ((1 << self.loops.len()) - 1);
        (u32::BITS - own.leading_zeros()) as usize
    }

    /// Makes the condition a bound of the loop, if it is one.
    fn bounds(&mut self, level: usize, condition: &Condition) -> bool {
        let slot = Expr::Variable(level as Slot);
        match condition {
            Condition::In(number, set) if *number == slot && self.loops[level].among.is_none() => {
                let known = match set {
                    Set::Heaps(scope) => *scope != Scope::New,
                    Set::Listed(all) => all.iter().all(|one| {
                        let mentions = one.mentions();
                        // Where several heaps are moved in, `heap` is not one number.
                        self.level(mentions) <= level && (!mentions.heap || self.moved.is_one())
                    }),
                };
                if known {
                    self.loops[level].among = Some(set.clone());
                }
                known
            }
            Condition::Compare(comparison, left, right) => {
                let Some((lower, upper)) = isolated(*comparison, left, right, &slot) else { return false };
                let this = &mut self.loops[level];
                this.lower.extend(lower);
                this.upper.extend(upper);
                true
            }
            _ => false,
        }
    }

    /// Notes the quantities that a condition mentions.
    fn need(&mut self, condition: &Condition) {
        each_number(condition, &mut |number| {
            if let Expr::Of(scope, quantity) = number {
                match scope {
                    Scope::Before => self.before |= bit(*quantity),
                    Scope::Other => self.other |= bit(*quantity),
                    Scope::New => self.new |= bit(*quantity),
                }
            }
        });
    }

    /// Whether one of its numbers needs more than 64 bits.
    pub fn is_wide(&self) -> bool {
        let own = [&self.at_position, &self.at_heaps, &self.at_option].into_iter().flatten();
        let checks = self.loops.iter().flat_map(|this| &this.checks);
        let listed = |this: &Loop| match &this.among {
            Some(Set::Listed(all)) => all.iter().any(is_wide_number),
            _ => false,
        };
        own.chain(checks).any(|condition| is_wide(condition, Ranges::Move))
            || self
                .loops
                .iter()
                .any(|this| this.lower.iter().chain(&this.upper).any(is_wide_number) || listed(this))
    }
}

fn is_wide_number(number: &Expr) -> bool {
    let mut wide = false;
    parts_of(number, &mut |part| wide |= !Ranges::Move.of(part).is_ok_and(|range| range.is_narrow()));
    wide
}

/// Whether a number of the condition needs more than 64 bits.
pub fn is_wide(condition: &Condition, ranges: Ranges) -> bool {
    let mut wide = false;
    each_number(condition, &mut |number| wide |= !ranges.of(number).is_ok_and(|range| range.is_narrow()));
    wide
}

/// What is bounded below and above by a comparison that has `variable` as one of its terms: `None` where it
/// is not bounded that way.
fn isolated(
    comparison: Comparison,
    left: &Expr,
    right: &Expr,
    variable: &Expr,
) -> Option<(Option<Expr>, Option<Expr>)> {
    let (multiple, rest) = Linear::difference(left, right)?.without(variable);
    let Expr::Variable(slot) = variable else { return None };
    if multiple == 0 || rest.terms.iter().any(|(_, term)| term.mentions().slots >> slot & 1 == 1) {
        return None;
    }
    // multiple * variable + rest compared with 0; afterwards the multiple is positive.
    let (comparison, rest) = match (multiple > 0, comparison) {
        (true, comparison) => (comparison, rest.times(-1)?),
        (false, Comparison::Less) => (Comparison::Greater, rest),
        (false, Comparison::LessOrEqual) => (Comparison::GreaterOrEqual, rest),
        (false, Comparison::Greater) => (Comparison::Less, rest),
        (false, Comparison::GreaterOrEqual) => (Comparison::LessOrEqual, rest),
        (false, comparison) => (comparison, rest),
    };
    let multiple = multiple.abs();
    let divided = |more: i128| -> Option<Expr> {
        let sum = rest.clone().plus(&Linear { constant: more, terms: Vec::new() })?.number()?;
        let quotient = match multiple {
            1 => sum,
            _ => Expr::binary(Operator::Divide, sum, Expr::Number(i64::try_from(multiple).ok()?)),
        };
        // A bound may be further out than the numbers it comes from.
        Ranges::Move.of(&quotient).ok().map(|_| quotient)
    };
    Some(match comparison {
        Comparison::LessOrEqual => (None, Some(divided(0)?)),
        Comparison::Less => (None, Some(divided(-1)?)),
        Comparison::GreaterOrEqual => (Some(divided(multiple - 1)?), None),
        Comparison::Greater => (Some(divided(multiple)?), None),
        Comparison::Equal => (Some(divided(multiple - 1)?), Some(divided(0)?)),
        Comparison::NotEqual => return None,
    })
}

/// `|x| <= y` as `x <= y` and `-x <= y`.
fn without_bars(condition: Condition) -> Vec<Condition> {
    let (comparison, inner, bound) = match condition {
        Condition::Compare(
            comparison @ (Comparison::Less | Comparison::LessOrEqual),
            Expr::Absolute(inner),
            bound,
        ) => (comparison, inner, bound),
        Condition::Compare(Comparison::Greater, bound, Expr::Absolute(inner)) => {
            (Comparison::Less, inner, bound)
        }
        Condition::Compare(Comparison::GreaterOrEqual, bound, Expr::Absolute(inner)) => {
            (Comparison::LessOrEqual, inner, bound)
        }
        Condition::All(all) => return all.into_iter().flat_map(without_bars).collect(),
        other => return vec![other],
    };
    let negative = Expr::Negative(inner.clone());
    vec![
        Condition::Compare(comparison, *inner, bound.clone()),
        Condition::Compare(comparison, negative, bound),
    ]
}

/// A quantity of the heaps after a move where that of those before it is meant.
fn quantity_after(number: &Expr) -> Option<Expr> {
    match number {
        Expr::Of(Scope::Before, quantity) => Some(Expr::Of(Scope::New, *quantity)),
        _ => None,
    }
}

/// Calls `visit` with every number of a condition and every part of one.
fn each_number(condition: &Condition, visit: &mut impl FnMut(&Expr)) {
    match condition {
        Condition::Compare(_, left, right) | Condition::Divides(left, right) => {
            parts_of(left, visit);
            parts_of(right, visit);
        }
        Condition::In(number, set) => {
            parts_of(number, visit);
            if let Set::Listed(all) = set {
                all.iter().for_each(|one| parts_of(one, visit));
            }
        }
        Condition::Even(number) | Condition::PowerOf(number, _) => parts_of(number, visit),
        Condition::Different(_) => {}
        Condition::Not(inner) | Condition::Some(.., inner) | Condition::Every(.., inner) => {
            each_number(inner, visit);
        }
        Condition::All(all) | Condition::Any(all) => all.iter().for_each(|one| each_number(one, visit)),
    }
}

fn parts_of(number: &Expr, visit: &mut impl FnMut(&Expr)) {
    visit(number);
    match number {
        Expr::Negative(inner) | Expr::Absolute(inner) => parts_of(inner, visit),
        Expr::Binary(_, left, right) => {
            parts_of(left, visit);
            parts_of(right, visit);
        }
        Expr::Call(_, all) => all.iter().for_each(|one| parts_of(one, visit)),
        _ => {}
    }
}
