//! Outcomes of multisets of heaps by search with memory, for games whose moves may split heaps.
//!
//! This only feeds the learner; the finite check does not use it.

use super::learn::Outcomes;
use crate::rules::{HeapRules, Play};
use std::cell::RefCell;
use std::collections::HashMap;

/// Outcomes that are searched when they are asked for.
pub struct SearchedOutcomes<'a> {
    rules: &'a HeapRules,
    play: Play,
    heaps: usize,
    max: u32,
    known: RefCell<HashMap<Box<[u8]>, bool>>,
}

impl<'a> SearchedOutcomes<'a> {
    /// Outcomes of at most `heaps` heaps of at most `max` (at most 255) counters.
    pub fn new(rules: &'a HeapRules, play: Play, heaps: usize, max: u32) -> Self {
        Self { rules, play, heaps, max: max.min(255), known: RefCell::default() }
    }

    /// Whether the sorted, positive heaps are a P-position.
    fn search(&self, heaps: Box<[u8]>) -> bool {
        if let Some(&is_p) = self.known.borrow().get(&heaps) {
            return is_p;
        }
        let position: Vec<u32> = heaps.iter().map(|&heap| heap.into()).collect();
        let mut options: Vec<Box<[u8]>> = Vec::new();
        self.rules.options(&position, &mut |option| options.push(sorted(option)));
        // Shortest first: those are known most often.
        options.sort_unstable_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
        options.dedup();
        let is_p = match options.is_empty() {
            true => self.play == Play::Normal,
            false => !options.into_iter().any(|option| self.search(option)),
        };
        self.known.borrow_mut().insert(heaps, is_p);
        is_p
    }
}

/// The heaps that are there, sorted; none of them has more than 255 counters.
fn sorted(heaps: &[u32]) -> Box<[u8]> {
    let mut heaps: Box<[u8]> = heaps.iter().filter(|&&heap| heap > 0).map(|&heap| heap as u8).collect();
    heaps.sort_unstable();
    heaps
}

impl Outcomes for SearchedOutcomes<'_> {
    fn max_heaps(&self) -> usize {
        self.heaps
    }

    fn max_size(&self) -> u32 {
        self.max
    }

    fn is_p(&self, heaps: &[u32]) -> bool {
        self.search(sorted(heaps))
    }
}
