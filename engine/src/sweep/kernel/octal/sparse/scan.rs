//! Comparing options with candidates: the more options a candidate has survived, the fewer there are.

use super::candidates::{Candidates, MOST};
use super::classes::free_indices;
use super::marks::{HeapRun, NarrowBlock, RUN};
use super::open::Search;

impl NarrowBlock<'_> {
    /// Compares the options by scanned partners with the first candidates of each heap, and excludes those
    /// that are hit, until each heap has one that is not. Returns the number of heaps all of whose candidates
    /// were hit: they went through all pairs.
    pub(super) fn scan(&self, run: &mut HeapRun) -> usize {
        let Self { shared, partners, .. } = self;
        let classes = &shared.classes;
        let words = classes.set_words();
        let mut candidates = Candidates::new();
        for lane in 0..RUN {
            let excluded = &run.excluded[lane * words..][..words];
            let mut free = free_indices(excluded, &classes.common[(run.first + lane) & 1], 0);
            // With marks an index is a value.
            free.by_ref().take(MOST).for_each(|index| candidates.add(lane, index as u16));
            run.horizon[lane] = free.next().unwrap_or(classes.indices()) as u32;
        }
        // A candidate is hit by one option in about as many as there are values. So many candidates, then, are
        // compared with so many partners, the most telling first.
        let indices = classes.indices();
        let stages = [(MOST, indices / 4), (MOST / 2, indices), (MOST / 4, 2 * indices)];
        let mut at = 0usize;
        for (most, partners_of_stage) in stages.into_iter().chain([(MOST / 8, usize::MAX)]) {
            candidates.keep(most, |lane, next| run.horizon[lane] = next.into());
            let end = at.saturating_add(partners_of_stage).min(partners.scanned.len());
            let some = &partners.scanned[at..end];
            candidates.compare(shared.isa, self.values, run.first, some, |lane, value| {
                run.excluded[lane * words + usize::from(value) / 64] |= 1 << (value % 64);
            });
            at = end;
        }
        let lacking = (0..RUN).filter(|&lane| candidates.count(lane) == 0);
        lacking
            .map(|lane| {
                let excluded = &mut run.excluded[lane * words..][..words];
                let heap = (run.first + lane, self.start);
                let how = Search::after_marks(false);
                shared.exclude_by_search(self.planes, how, heap, excluded, &mut run.horizon[lane]);
            })
            .count()
    }
}
