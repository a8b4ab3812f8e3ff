//! Which partners are marked, which are scanned, and in which order: learned from heaps all over the second half
//! of the sequence. Only the speed depends on it.

use super::partners::{GROUP, Partners};
use super::{AHEAD, UNIT};
use crate::sweep::kernel::octal::sparse::Shared;
use crate::sweep::kernel::octal::sparse::classes::Rare;
use crate::sweep::kernel::octal::sparse::near::Inside;
use crate::sweep::kernel::octal::sparse::order::Sample;

/// Rare heaps that are marked.
const MARKED: usize = 560;
/// Common heaps that are marked, to show rare values.
const COVER_MARKED: usize = 500;
/// Of the others, those that are compared with rare values which are still open.
const COVER_SCANNED: usize = 300;
/// The common heaps among which those are chosen: every COVER_STEP-th from AHEAD on.
const COVER_POOL: usize = 2048;
const COVER_STEP: usize = 4;
/// The heaps of which a search ahead looks at the pairs.
const HEAD: usize = 4096;
/// The last heaps, by which the groups are chosen.
const LATELY: usize = 8192;
/// Runs of heaps in the sample.
const RUNS: usize = 12;

/// The partners of all heaps.
pub(super) struct LanePlan {
    /// The rare heaps with offsets from AHEAD on: those that are marked, and the others.
    pub marked: Partners,
    pub scanned: Partners,
    /// The rare heaps with offsets from UNIT on, and below UNIT.
    pub late: Partners,
    pub inside: Inside,
    /// Both.
    pub small: Partners,
    /// Common heaps.
    pub cover_marked: Partners,
    pub cover_scanned: Partners,
    /// Groups of indices that are marked.
    pub groups: usize,
    /// The indices of HEAD common heaps after the last rare one, in reverse, and the first of those heaps.
    pub head: Vec<u8>,
    pub head_first: usize,
    /// How far back from a heap other heaps are read.
    pub reach: usize,
}

impl LanePlan {
    /// How far back a plan would read, if the last rare heap is `last`.
    pub fn reach(last: usize, splits: &[usize]) -> usize {
        let most = splits.iter().max().copied().unwrap_or(0);
        most + (last + 1 + HEAD).max(AHEAD + COVER_POOL * COVER_STEP)
    }

    /// The indices from here on are not marked.
    pub fn limit(&self) -> usize {
        self.groups * GROUP
    }

    /// The plan for the heaps after `values`; the last rare heap is `last`.
    pub fn new(shared: &Shared, values: &[u16], last: usize) -> Self {
        let (classes, moves) = (&shared.classes, &shared.moves);
        let reach = Self::reach(last, &moves.splits);
        let offsets = |heap: usize| {
            let index = classes.index(values[heap]) as u8;
            moves.splits.iter().map(move |i| (heap + i, index))
        };
        let first = (values.len() / 2).max(reach);
        let starts = |k: usize| first + (values.len() - first) / RUNS * k;
        let sample =
            |common| Sample::new(classes, moves, values, (common, 0), (0..RUNS).map(starts).collect());

        let is_early = |rare: &&Rare| rare.heap >= AHEAD;
        let early = shared.rares.iter().filter(is_early).map(|rare| rare.heap);
        let early = sample(true).order(early, MARKED);
        let early: Vec<(usize, u8)> = early.into_iter().flat_map(|heap| offsets(heap as usize)).collect();
        let (marked, scanned) = early.split_at(early.len().min(MARKED));
        let small = shared.rares.iter().filter(|rare| rare.heap < AHEAD).flat_map(|rare| offsets(rare.heap));
        let small: Vec<(usize, u8)> = small.collect();
        let (inside, late): (Vec<_>, Vec<_>) = small.iter().partition(|&&(offset, _)| offset < UNIT);

        let pool = (0..COVER_POOL).map(|k| AHEAD + k * COVER_STEP);
        let pool = pool.filter(|&heap| classes.is_common(values[heap], heap));
        let cover = sample(false).order(pool, COVER_MARKED + COVER_SCANNED);
        let cover = cover.into_iter().take(COVER_MARKED + COVER_SCANNED);
        let cover: Vec<(usize, u8)> = cover.flat_map(|heap| offsets(heap as usize)).collect();
        let (cover_marked, cover_scanned) = cover.split_at(cover.len().min(COVER_MARKED));

        let mut lately: Vec<usize> =
            values[values.len() - LATELY..].iter().map(|&value| classes.index(value)).collect();
        lately.sort_unstable();
        let limit = lately[LATELY - LATELY / 1000 - 1];

        let head_first = last + 1;
        let head = values[head_first..head_first + HEAD].iter().rev();
        Self {
            marked: Partners::new(marked.iter().copied()),
            scanned: Partners::new(scanned.iter().copied()),
            late: Partners::new(late),
            inside: Inside::new(&inside),
            small: Partners::new(small),
            cover_marked: Partners::new(cover_marked.iter().copied()),
            cover_scanned: Partners::new(cover_scanned.iter().copied()),
            groups: limit / GROUP + 1,
            head: head.map(|&value| classes.index(value) as u8).collect(),
            head_first,
            reach,
        }
    }
}
