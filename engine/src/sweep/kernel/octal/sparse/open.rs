//! What marks and scans leave open: looked for among all pairs of heaps before the narrow block.

use super::super::planes::{GROUP, Planes};
use super::Shared;
use super::classes::free_indices;
use super::marks::{HeapRun, NarrowBlock};

/// So many pairs are looked at for all open values, before the least of them go on alone.
const FIRST_PAIRS: usize = 4096;

/// The pairs of a total of which the larger heap is known.
struct Pairs {
    total: usize,
    /// The smaller heap goes from here
    least: usize,
    /// to here.
    most: usize,
}

impl Shared {
    /// The pairs of heaps before `start` that a move leaves of heap `n`.
    fn pairs(&self, n: usize, start: usize) -> impl Iterator<Item = Pairs> {
        self.moves.splits.iter().map(move |i| {
            let total = n - i;
            Pairs { total, least: (total + 1).saturating_sub(start).max(1), most: self.moves.half(total) }
        })
    }

    /// Excludes common values of heap `n`, from `horizon` on, that pairs of heaps before `start` give, until
    /// one is left that is not given, or there are no more. The new horizon is behind it.
    pub(super) fn exclude_by_search(
        &self,
        planes: &Planes,
        (n, start): (usize, usize),
        excluded: &mut [u64],
        horizon: &mut u32,
    ) {
        loop {
            let mut free = free_indices(excluded, &self.classes.common[n & 1], *horizon as usize);
            // With marks an index is a value.
            let tried: Vec<u16> = free.by_ref().take(GROUP).map(|index| index as u16).collect();
            *horizon = free.next().unwrap_or(self.classes.indices()) as u32;
            drop(free);
            let mut left = tried.clone();
            for Pairs { total, least, most } in self.pairs(n, start) {
                planes.search(self.isa, total, least, most, &mut left);
            }
            for value in tried.iter().filter(|value| !left.contains(value)) {
                excluded[usize::from(*value) / 64] |= 1 << (value % 64);
            }
            if tried.is_empty() || !left.is_empty() {
                return;
            }
        }
    }
}

impl NarrowBlock<'_> {
    /// Looks for the rare values that may be the value of a heap, until the least that is not given is known.
    /// Returns how many were found.
    pub(super) fn search_rare(&self, run: &mut HeapRun, lane: usize) -> usize {
        let classes = &self.shared.classes;
        let (n, words) = (run.first + lane, classes.set_words());
        let set = lane * words..(lane + 1) * words;
        let common = free_indices(&run.excluded[set.clone()], &classes.common[n & 1], 0).next();
        if common.is_none_or(|index| index >= run.horizon[lane] as usize) {
            return 0;
        }
        let mut open = Vec::new();
        classes.least_open_rare(n, &run.covered[set.clone()], common, |wanted| {
            open.push(wanted);
            false
        });
        let all = open.clone();
        for Pairs { total, least, most } in self.shared.pairs(n, self.start) {
            let first = least.max((most + 1).saturating_sub(FIRST_PAIRS));
            self.planes.search(self.shared.isa, total, first, most, &mut open);
        }
        // Where rare heaps are many, many values are not given, and would be looked for to the end.
        let mut left = Vec::new();
        for (k, group) in open.chunks(GROUP).enumerate() {
            left = group.to_vec();
            for Pairs { total, least, most } in self.shared.pairs(n, self.start) {
                let most = most.saturating_sub(FIRST_PAIRS);
                self.planes.search(self.shared.isa, total, least, most, &mut left);
            }
            if let Some(&value) = left.first() {
                run.failed[lane] = value.into();
                left.extend_from_slice(&open[open.len().min((k + 1) * GROUP)..]);
                break;
            }
        }
        for &value in all.iter().filter(|value| !left.contains(value)) {
            let index = classes.index(value);
            run.covered[set.start + index / 64] |= 1 << (index % 64);
        }
        all.len() - left.len()
    }
}
