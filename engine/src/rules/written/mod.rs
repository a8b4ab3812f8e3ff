//! Rules that a person has written: the moves of a [`Rule`].
//!
//! The tree is turned into a plan once (`plan.rs`): what depends on the position alone, on the heaps moved
//! in, and on each number that is taken, with comparisons such as `s <= min` as bounds of the loops. Per
//! option there is no text and no allocation.

mod octal;
mod plan;
mod values;

use std::cell::Cell;
use std::sync::Arc;

use super::Rules;
use super::notation::rule::{Condition, Rule, Scope, Set};
use plan::{Loop, Plan};
use values::{Buffers, Number, Values};

thread_local! {
    /// The lists of the last position, so that the next one need not allocate its own.
    static BUFFERS: Cell<Buffers> = Cell::default();
}

/// The moves of a rule.
#[derive(Debug, Clone)]
pub struct WrittenRules {
    rule: Arc<Rule>,
    plans: Vec<Plan>,
    /// Whether its numbers need 128 bits.
    wide: bool,
}

/// The same text has the same moves.
impl PartialEq for WrittenRules {
    fn eq(&self, other: &Self) -> bool {
        self.rule == other.rule
    }
}

impl Eq for WrittenRules {}

impl WrittenRules {
    /// The moves of `rule`.
    pub fn new(rule: Rule) -> Self {
        let plans: Vec<Plan> =
            rule.clauses.iter().map(|clause| Plan::new(clause, rule.positions.as_ref())).collect();
        let wide = plans.iter().any(|plan| plan.is_wide())
            || rule.positions.as_ref().is_some_and(|condition| plan::is_wide(condition, plan::IN_POSITIONS));
        Self { rule: Arc::new(rule), plans, wide }
    }

    /// What the rule says.
    pub fn rule(&self) -> &Rule {
        &self.rule
    }

    /// How many numbers a move chooses: the options of a position are as many as this power of its heaps.
    pub fn numbers(&self) -> usize {
        self.plans.iter().map(|plan| plan.loops.len()).max().unwrap_or(1)
    }

    /// Whether these heaps are a position of the game.
    pub fn is_position(&self, heaps: &[u32]) -> bool {
        match &self.rule.positions {
            None => true,
            Some(condition) if self.wide => Values::<i128>::of_position(heaps).holds(condition),
            Some(condition) => Values::<i64>::of_position(heaps).holds(condition),
        }
    }

    fn visit_options<N: Number>(&self, heaps: &[u32], visit: &mut dyn FnMut(&[u32])) {
        let mut values = Values::<N>::of_move(heaps, BUFFERS.take());
        if !values.present.is_empty() {
            for plan in &self.plans {
                values.begin(plan);
                if plan.at_position.iter().all(|condition| values.holds(condition)) {
                    Moves { plan, values: &mut values, visit }.choose_heaps();
                }
            }
        }
        BUFFERS.set(values.into_buffers());
    }
}

impl Rules for WrittenRules {
    type Position = [u32];

    fn options(&self, heaps: &[u32], visit: &mut dyn FnMut(&[u32])) {
        if self.wide {
            self.visit_options::<i128>(heaps, visit);
        } else {
            self.visit_options::<i64>(heaps, visit);
        }
    }
}

/// The moves of one clause in one position.
struct Moves<'a, 'h, N> {
    plan: &'a Plan,
    values: &'a mut Values<'h, N>,
    visit: &'a mut dyn FnMut(&[u32]),
}

impl<N: Number> Moves<'_, '_, N> {
    /// Goes through the sets of heaps that a move may change.
    fn choose_heaps(&mut self) {
        let present = self.values.present.len();
        if self.plan.one_each {
            return self.choose_in_order(self.plan.loops.len());
        }
        if self.plan.allows(1, present) {
            for i in 0..present {
                self.values.moved.clear();
                self.values.moved.push(self.values.present[i]);
                self.move_in_heaps();
            }
        }
        let sizes = (2..=present).filter(|size| self.plan.allows(*size, present));
        for size in sizes {
            let mut chosen: Vec<usize> = (0..size).collect();
            loop {
                self.values.moved.clear();
                for i in 0..size {
                    let heap = self.values.present[chosen[i]];
                    self.values.moved.push(heap);
                }
                self.move_in_heaps();
                // The next set of this size: raise the last index that can be raised.
                let Some(place) = (0..size).rev().find(|&i| chosen[i] < present - size + i) else { break };
                chosen[place] += 1;
                for i in place + 1..size {
                    chosen[i] = chosen[i - 1] + 1;
                }
            }
        }
    }

    /// Goes through the heaps in every order, for numbers that are taken from one heap each.
    fn choose_in_order(&mut self, more: usize) {
        if more == 0 {
            return self.move_in_heaps();
        }
        if more == self.plan.loops.len() {
            self.values.moved.clear();
        }
        for i in 0..self.values.present.len() {
            let heap = self.values.present[i];
            if !self.values.moved.contains(&heap) {
                self.values.moved.push(heap);
                self.choose_in_order(more - 1);
                self.values.moved.pop();
            }
        }
    }

    /// Goes through the moves in the chosen heaps.
    fn move_in_heaps(&mut self) {
        let plan = self.plan;
        self.values.choose(plan);
        if self.hold(&plan.at_heaps) {
            self.next_number(0);
        }
        for &heap in &self.values.moved {
            self.values.option[heap] = self.values.heaps[heap];
        }
    }

    /// Whether the conditions are true: where several heaps are moved in, for each of them.
    fn hold(&mut self, conditions: &[Condition]) -> bool {
        if !self.plan.mentions_heap || self.values.moved.len() == 1 {
            return conditions.iter().all(|condition| self.values.holds(condition));
        }
        conditions.is_empty()
            || (0..self.values.moved.len()).all(|which| {
                self.values.look_at(which);
                conditions.iter().all(|condition| self.values.holds(condition))
            })
    }

    /// Goes through what the number of loop `level` may be, and the numbers after it.
    fn next_number(&mut self, level: usize) {
        let plan = self.plan;
        let Some(this) = plan.loops.get(level) else {
            self.values.finish(plan);
            if self.hold(&plan.at_option) {
                (self.visit)(&self.values.option);
            }
            return;
        };
        let (low, high) = self.bounds(level, this);
        match &this.among {
            None if plan.is_plain => self.plain(low, high),
            None => {
                for number in low..=high {
                    self.with_number(level, this, number);
                }
            }
            Some(Set::Heaps(scope)) => {
                for heap in 0..self.values.heaps.len() {
                    let size = self.values.size(*scope, heap);
                    if low <= size && size <= high {
                        self.with_number(level, this, size);
                    }
                }
            }
            Some(Set::Listed(all)) => {
                for one in all {
                    let number = self.values.number(one);
                    if N::from(low) <= number && number <= N::from(high) {
                        self.with_number(level, this, number.narrow());
                    }
                }
            }
        }
    }

    /// Takes each of the numbers from the heaps moved in, where nothing else is to be asked.
    fn plain(&mut self, low: u32, high: u32) {
        let Values { heaps, moved, option, .. } = &mut *self.values;
        if let [heap] = moved[..] {
            let size = heaps[heap];
            for number in low..=high {
                option[heap] = size - number;
                (self.visit)(option);
            }
            return;
        }
        for number in low..=high {
            for &heap in moved.iter() {
                option[heap] = heaps[heap] - number;
            }
            (self.visit)(option);
        }
    }

    #[inline]
    fn with_number(&mut self, level: usize, this: &Loop, number: u32) {
        if self.plan.is_plain {
            return self.plain(number, number);
        }
        self.values.set(self.plan, level, number);
        if this.checks.is_empty() || self.hold(&this.checks) {
            self.next_number(level + 1);
        }
    }

    /// The least and the greatest number of a loop; none where the first is larger.
    fn bounds(&mut self, level: usize, this: &Loop) -> (u32, u32) {
        let (mut low, mut high) = (N::one(), N::from(self.values.most(self.plan, level)));
        let each = if self.plan.mentions_heap { self.values.moved.len() } else { 1 };
        for which in 0..each {
            if each > 1 {
                self.values.look_at(which);
            }
            low = this.lower.iter().fold(low, |low, bound| low.max(self.values.number(bound)));
            high = this.upper.iter().fold(high, |high, bound| high.min(self.values.number(bound)));
        }
        if low > high { (1, 0) } else { (low.narrow(), high.narrow()) }
    }
}

/// The heaps after a move where those before it are meant.
fn after(scope: Scope) -> Scope {
    match scope {
        Scope::Before => Scope::New,
        other => other,
    }
}

#[cfg(test)]
mod tests;
