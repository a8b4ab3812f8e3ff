//! The conjecture by rows of a table: every position with a smallest heap below 4 is kept, so that what no
//! small heap covers can be looked at by the rules.

use std::collections::HashMap;
use std::sync::Mutex;

use rayon::prelude::*;

use super::{FIRST, MOST_COUNTEREXAMPLES, SECOND};
use crate::base::{Control, Isa, Result};
use crate::rules::{Minnie, Play, Rules};
use crate::space::SortedHeaps;
use crate::sweep::kernel::OrRow;
use crate::sweep::{HeapJob, Job};
use crate::table::{Bits, Cells, Quantity, Table, ones};

/// The table of all positions with a first heap below [`FIRST`], or more.
pub struct Slabs {
    pub space: SortedHeaps,
    pub table: Table,
}

impl Slabs {
    fn job(heaps: usize, max: u32, play: Play, smallest: u32) -> HeapJob {
        let mut job = HeapJob::minnie(heaps, max, play, Quantity::Outcomes);
        job.smallest = Some(smallest);
        // The covers are looked at by rows, and so is what lanes are compared with.
        job.by_rows = true;
        job
    }

    /// The bytes that the slabs need.
    pub fn memory(heaps: usize, max: u32, play: Play, smallest: u32) -> Result<u64> {
        let job = Self::job(heaps, max, play, smallest);
        Ok(job.file_bytes()?.saturating_add(job.memory()))
    }

    /// Fills the slabs of the smallest heaps up to `smallest`.
    pub fn solve(heaps: usize, max: u32, play: Play, smallest: u32, control: &Control<'_>) -> Result<Self> {
        let job = Self::job(heaps, max, play, smallest);
        Ok(Self { space: job.space()?, table: job.solve(None, control)? })
    }

    /// All (a2, ..., ak), a2 >= 6, such that none of (i, a2, ..., ak), i = 0..=3, is a P-position; sorted.
    pub fn holes(&self) -> Vec<Vec<u32>> {
        let Cells::Bits(bits) = self.table.cells() else { unreachable!("outcomes are bits") };
        Covers { space: &self.space, bits, or_row: OrRow::new(Isa::detect()) }.holes()
    }

    /// Decides the positions behind the holes by the rules, and returns those that are P.
    pub fn look_closer(&self, holes: &[Vec<u32>]) -> Vec<Vec<u32>> {
        let mut search =
            Search { rules: Minnie, space: &self.space, table: &self.table, known: HashMap::new() };
        let mut found = Vec::new();
        for hole in holes {
            for first in FIRST..=hole[0] {
                let position = [&[first], hole.as_slice()].concat();
                if search.is_p(&position) {
                    found.push(position);
                }
            }
        }
        found.sort_by_key(|position| (position.iter().sum::<u32>(), position.clone()));
        found.truncate(MOST_COUNTEREXAMPLES);
        found
    }
}

struct Covers<'a> {
    space: &'a SortedHeaps,
    bits: Bits<'a>,
    or_row: OrRow,
}

impl Covers<'_> {
    fn holes(&self) -> Vec<Vec<u32>> {
        let found = Mutex::new(Vec::new());
        let free = self.space.heaps() - 2;
        if free == 0 {
            self.check(&mut [0, SECOND], &found);
        } else {
            (SECOND..=self.space.max()).into_par_iter().for_each(|second| {
                let mut position = vec![0, second];
                self.complete(&mut position, free - 1, &found);
            });
        }
        let mut holes = found.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        holes.sort();
        holes
    }

    fn complete(&self, position: &mut Vec<u32>, free: usize, found: &Mutex<Vec<Vec<u32>>>) {
        let last = position[position.len() - 1];
        if free == 0 {
            position.push(last);
            self.check(position, found);
            position.pop();
            return;
        }
        for heap in last..=self.space.max() {
            position.push(heap);
            self.complete(position, free - 1, found);
            position.pop();
        }
    }

    /// Checks the cover that begins at `position`, whose first heap is 0 and whose last heap then runs to the
    /// end.
    fn check(&self, position: &mut [u32], found: &Mutex<Vec<Vec<u32>>>) {
        let first = position[position.len() - 1];
        let length = u64::from(self.space.max() - first) + 1;
        let mut cover = [0u64; 64];
        let mut long = Vec::new();
        let words = length.div_ceil(64) as usize;
        let cover = if words <= cover.len() {
            &mut cover[..words]
        } else {
            long.resize(words, 0);
            &mut long[..]
        };
        if length % 64 != 0 {
            cover[words - 1] = !ones(length % 64);
        }
        for small in 0..FIRST {
            position[0] = small;
            if self.or_row.or_into(cover, &self.bits, self.space.rank_sorted(position)) {
                return;
            }
        }
        let holes = (0..length).filter(|x| cover[(x / 64) as usize] >> (x % 64) & 1 == 0).map(|x| {
            let mut hole = position[1..].to_vec();
            hole[position.len() - 2] = first + x as u32;
            hole
        });
        found.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).extend(holes);
    }
}

/// Decides single positions by the rules, with the solved part as its end.
struct Search<'a> {
    rules: Minnie,
    space: &'a SortedHeaps,
    table: &'a Table,
    known: HashMap<Vec<u32>, bool>,
}

impl Search<'_> {
    fn is_p(&mut self, position: &[u32]) -> bool {
        let mut position = position.to_vec();
        position.sort_unstable();
        if position[0] < FIRST {
            return self.table.cells().is_p(self.space.rank_sorted(&position));
        }
        if let Some(&known) = self.known.get(&position) {
            return known;
        }
        let mut options = Vec::new();
        self.rules.options(&position, &mut |option| options.push(option.to_vec()));
        // The options that leave a small heap are known: look at them first.
        options.sort_by_key(|option| option.iter().min().copied());
        let is_p = !options.iter().any(|option| self.is_p(option));
        self.known.insert(position, is_p);
        is_p
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Space;

    #[test]
    fn holes_are_found_where_the_cover_is_thinned() {
        let slabs = Slabs::solve(3, 20, Play::Normal, FIRST - 1, &Control::silent()).unwrap();
        let Cells::Bits(bits) = slabs.table.cells() else { panic!() };
        // Without the P-positions [1, 7, x] the rest 7 is no longer covered where they were needed.
        for x in 7..=20 {
            bits.clear(slabs.space.rank(&[1, 7, x]), 1);
        }
        let holes = slabs.holes();
        assert!(!holes.is_empty() && holes.iter().all(|hole| hole[0] == 7));
    }
}
