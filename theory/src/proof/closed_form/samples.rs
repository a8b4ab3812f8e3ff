//! Every combination of conditions that occurs in a quotient, with its outcome.

use super::{Condition, XorOfResidues};
use crate::proof::quotient::{Class, EMPTY_CLASS, Quotient};
use std::collections::{HashMap, HashSet};

/// States of one smallest heap beyond which no description is searched for.
const MAX_STATES: usize = 3_000_000;

/// A combination of conditions that occurs, and its outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Sample {
    pub held: u128,
    pub xor: u64,
    pub is_p: bool,
}

/// What the conditions see of a position with a known smallest heap.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct View {
    class: Class,
    rest: Class,
    /// Heaps of sizes `1..=small`, size `i + 1` at index `i`, each count capped at 2.
    counts: Vec<u8>,
    large: u8,
    large_odd: bool,
    xor: u64,
}

/// The sizes and the exclusive or that a search works with.
pub(super) struct Frame<'a> {
    pub quotient: &'a Quotient,
    pub xor: &'a XorOfResidues,
    pub largest_min: u64,
    pub small: u64,
}

impl Frame<'_> {
    fn first(&self, smallest: u64) -> View {
        let blank = View {
            class: EMPTY_CLASS,
            rest: EMPTY_CLASS,
            counts: vec![0; self.small as usize],
            large: 0,
            large_odd: false,
            xor: 0,
        };
        View { rest: EMPTY_CLASS, ..self.with(&blank, smallest) }
    }

    fn with(&self, view: &View, heap: u64) -> View {
        let mut next = view.clone();
        next.class = self.quotient.add_heap(view.class, heap);
        next.rest = self.quotient.add_heap(view.rest, heap);
        if heap <= self.small {
            let count = &mut next.counts[heap as usize - 1];
            *count = (*count + 1).min(2);
        }
        if heap > self.largest_min {
            next.large = (next.large + 1).min(2);
            next.large_odd |= heap % 2 == 1;
        }
        next.xor ^= self.xor.of(heap);
        next
    }

    pub fn conditions(&self, smallest: u64) -> Vec<Condition> {
        let mut conditions = vec![Condition::OneHeapOf(smallest)];
        for size in smallest + 1..=self.small {
            conditions.extend([Condition::NoHeapOf(size), Condition::OneHeapOf(size)]);
        }
        conditions.extend([
            Condition::NoHeapAbove(self.largest_min),
            Condition::OneHeapAbove(self.largest_min),
            Condition::OddHeapAbove(smallest),
            Condition::OddHeapAbove(self.largest_min),
            Condition::RestIsP,
        ]);
        for bits in 1..=self.xor.bits {
            // With one bit the two values are each other's negation.
            let values = if bits == 1 { 1 } else { 1 << bits };
            conditions.extend((0..values).map(|value| Condition::Xor { bits, value }));
        }
        conditions
    }

    fn holds(&self, condition: Condition, view: &View) -> bool {
        match condition {
            Condition::NoHeapOf(size) => view.counts[size as usize - 1] == 0,
            Condition::OneHeapOf(size) => view.counts[size as usize - 1] == 1,
            Condition::NoHeapAbove(_) => view.large == 0,
            Condition::OneHeapAbove(_) => view.large == 1,
            Condition::OddHeapAbove(size) => {
                let small_odd = |(i, &count): (usize, &u8)| i as u64 >= size && i % 2 == 0 && count > 0;
                view.large_odd || view.counts.iter().enumerate().any(small_odd)
            }
            Condition::Xor { bits, value } => view.xor & ((1 << bits) - 1) == value,
            Condition::RestIsP => self.quotient.accepts(view.rest),
        }
    }

    /// Every combination of conditions that occurs with this smallest heap, with its outcome, and the number
    /// of states behind them; `None` if two states with the same conditions have different outcomes.
    pub fn samples(&self, smallest: u64, conditions: &[Condition]) -> Option<(Vec<Sample>, usize)> {
        let letters = self.quotient.letters();
        let end = letters.threshold().max(self.small + 1).max(smallest + 1) + 2 * letters.period();
        let start = self.first(smallest);
        let mut seen = HashSet::from([start.clone()]);
        let mut queue = vec![start];
        let mut samples: HashMap<u128, Sample> = HashMap::new();
        while let Some(view) = queue.pop() {
            let held = conditions
                .iter()
                .enumerate()
                .fold(0u128, |bits, (i, &condition)| bits | u128::from(self.holds(condition, &view)) << i);
            let is_p = self.quotient.accepts(view.class);
            let sample = Sample { held, xor: view.xor, is_p };
            if samples.entry(held).or_insert(sample).is_p != is_p || seen.len() > MAX_STATES {
                return None;
            }
            for heap in smallest..end {
                let next = self.with(&view, heap);
                if !seen.contains(&next) {
                    seen.insert(next.clone());
                    queue.push(next);
                }
            }
        }
        let mut samples: Vec<Sample> = samples.into_values().collect();
        samples.sort_unstable();
        Some((samples, seen.len()))
    }
}
