//! Outcomes of multisets of heaps of octal games, splitting included, by search with memory.
//!
//! This only feeds the learner; the finite check does not use it.

use super::learn::Outcomes;
use super::local_game::Moves;
use crate::rules::Play;
use std::cell::RefCell;
use std::collections::HashMap;

/// Outcomes of an octal game for the learner.
pub struct OctalOutcomes {
    moves: Moves,
    play: Play,
    heaps: usize,
    max: u32,
    known: RefCell<HashMap<Box<[u8]>, bool>>,
}

impl OctalOutcomes {
    /// Outcomes of at most `heaps` heaps of at most `max` (at most 255) counters.
    pub fn new(digits: &[u8], play: Play, heaps: usize, max: u32) -> Self {
        Self {
            moves: Moves::Octal(digits.to_vec()),
            play,
            heaps,
            max: max.min(255),
            known: RefCell::default(),
        }
    }

    /// Whether the sorted, positive heaps are a P-position.
    fn search(&self, heaps: &[u8]) -> bool {
        if let Some(&is_p) = self.known.borrow().get(heaps) {
            return is_p;
        }
        let mut options: Vec<Box<[u8]>> = Vec::new();
        for i in (0..heaps.len()).filter(|&i| i == 0 || heaps[i] != heaps[i - 1]) {
            self.moves.replacements(u64::from(heaps[i]), &mut |parts| {
                let mut option = heaps.to_vec();
                option.remove(i);
                option.extend(parts.iter().map(|&part| part as u8));
                option.sort_unstable();
                options.push(option.into());
            });
        }
        let is_p = if options.is_empty() {
            self.play == Play::Normal
        } else {
            // Shortest first: those are known most often.
            options.sort_by_key(|option| option.len());
            !options.iter().any(|option| self.search(option))
        };
        self.known.borrow_mut().insert(heaps.into(), is_p);
        is_p
    }
}

impl Outcomes for OctalOutcomes {
    fn max_heaps(&self) -> usize {
        self.heaps
    }

    fn max_size(&self) -> u32 {
        self.max
    }

    fn is_p(&self, heaps: &[u32]) -> bool {
        let mut position: Vec<u8> = heaps.iter().filter(|&&heap| heap > 0).map(|&heap| heap as u8).collect();
        position.sort_unstable();
        self.search(&position)
    }
}
