//! What marks and scans leave open: looked for among all pairs of heaps before the narrow block.

use super::super::planes::{GROUP, Planes};
use super::Shared;
use super::classes::free_indices;
use super::marks::{HeapRun, NarrowBlock, RUN};

/// How values are looked for among all pairs.
#[derive(Clone, Copy)]
pub(super) struct Search {
    /// So many common values at a time.
    values: usize,
    /// All of them among so many pairs,
    first_pairs: usize,
    /// then so many of those that are left, the least first, among the others.
    together: usize,
}

impl Search {
    /// After marks, without scans or with them; then few values are open.
    pub fn after_marks(alone: bool) -> Self {
        match alone {
            true => Self { values: 4 * GROUP, first_pairs: 1 << 14, together: 2 * GROUP },
            false => Self { values: GROUP, first_pairs: 1 << 12, together: GROUP },
        }
    }
}

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

    /// Looks for values of heap `n`, the least first, among the pairs of heaps before `start`, until one is not given.
    /// Returns those of its group that are not given, and those that were not looked for among all pairs.
    fn first_not_given(
        &self,
        planes: &Planes,
        how: Search,
        (n, start): (usize, usize),
        values: &[u16],
    ) -> (Vec<u16>, Vec<u16>) {
        let Search { first_pairs, together, .. } = how;
        let mut open = values.to_vec();
        for Pairs { total, least, most } in self.pairs(n, start) {
            let first = least.max((most + 1).saturating_sub(first_pairs));
            planes.search(self.isa, total, first, most, &mut open);
        }
        // Where rare heaps are many, many values are not given, and would be looked for to the end.
        for (k, group) in open.chunks(together).enumerate() {
            let mut left = group.to_vec();
            for Pairs { total, least, most } in self.pairs(n, start) {
                let most = most.saturating_sub(first_pairs);
                planes.search(self.isa, total, least, most, &mut left);
            }
            if !left.is_empty() {
                return (left, open[open.len().min((k + 1) * together)..].to_vec());
            }
        }
        (Vec::new(), Vec::new())
    }

    /// Excludes common values of heap `n`, from `horizon` on, that pairs of heaps before `start` give, until
    /// one is left that is not given, or there are no more. The new horizon is behind it. Returns how many it excluded.
    pub(super) fn exclude_by_search(
        &self,
        planes: &Planes,
        how: Search,
        heap: (usize, usize),
        excluded: &mut [u64],
        horizon: &mut u32,
    ) -> usize {
        let mut given = 0;
        loop {
            let mut free = free_indices(excluded, &self.classes.common[heap.0 & 1], *horizon as usize);
            // With marks an index is a value.
            let tried: Vec<u16> = free.by_ref().take(how.values).map(|index| index as u16).collect();
            let next = free.next().unwrap_or(self.classes.indices()) as u32;
            drop(free);
            let (left, unknown) = self.first_not_given(planes, how, heap, &tried);
            *horizon = unknown.first().map_or(next, |&value| value.into());
            for value in tried.iter().filter(|value| !left.contains(value) && !unknown.contains(value)) {
                excluded[usize::from(*value) / 64] |= 1 << (value % 64);
                given += 1;
            }
            if tried.is_empty() || !left.is_empty() {
                return given;
            }
        }
    }
}

impl NarrowBlock<'_> {
    /// Finds the least common value of each heap of a run that pairs of heaps before the block do not give, by all pairs. Returns
    /// how many values were open that are given.
    pub(super) fn search_common(&self, run: &mut HeapRun) -> usize {
        let words = self.shared.classes.set_words();
        let mut given = 0;
        for lane in 0..RUN {
            run.horizon[lane] = 0;
            if self.wanted.contains(&(run.first + lane)) {
                let excluded = &mut run.excluded[lane * words..][..words];
                let heap = (run.first + lane, self.start);
                let how = Search::after_marks(true);
                given +=
                    self.shared.exclude_by_search(self.planes, how, heap, excluded, &mut run.horizon[lane]);
            }
        }
        given
    }

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
        let (left, unknown) = self.shared.first_not_given(
            self.planes,
            Search::after_marks(self.by_search),
            (n, self.start),
            &open,
        );
        if let Some(&value) = left.first() {
            run.failed[lane] = value.into();
        }
        for value in open.iter().filter(|value| !left.contains(value) && !unknown.contains(value)) {
            let index = classes.index(*value);
            run.covered[set.start + index / 64] |= 1 << (index % 64);
        }
        open.len() - left.len() - unknown.len()
    }
}
