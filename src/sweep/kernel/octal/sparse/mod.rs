//! The sparse-space engine.
//!
//! With a split (see [`super::split`]) the least common value m that is not an option of heap n follows from
//! the options with exactly one rare part. G(n) is m unless a smaller rare value is not an option; that no such
//! value exists is checked at every n. Both parts run on bit rows, many heaps at once:
//!
//! - *Exclusion.* A rare heap r of value v gives heap n the option G(n − i − r) XOR v. For a block of heaps n that
//!   is, for every common value w, "row of w, shifted by r + i, OR-ed into row w XOR v".
//! - *Cover.* A common heap a shows in the same way that G(a) XOR w is an option wherever the shifted row of w has a bit.
//!   The shifts are chosen so that few (heap, rare value) pairs stay open; those are searched for one by one, and
//!   a search that fails has looked at all splits: the value is then not an option, and the least such
//!   value is G(n).
//!
//! Offsets (r + i) of at least two wide blocks read finished blocks only and are OR-ed for a whole wide block, by other threads
//! while the block before is still in work; offsets of one to two wide blocks at the start of the
//! block; smaller ones at the start of each narrow block; and those inside a narrow block are entered one by one as
//! the heaps become known. So every pair (rare heap, common heap) is entered exactly when its later part is known.

mod marks;
mod plan;
mod rows;

use super::bits::{ACC_STRIDE, Accumulator, Copies, Isa, NARROW, WIDE, or_shifts, sets_of_heaps};
use super::naive::{Moves, too_large};
use super::search::Searcher;
use super::split::{Histogram, Split};
use crate::error::Result;
use plan::{BAND, NEAR, Piece, Plan};
use rayon::prelude::*;
use rows::{Recent, Rows};

/// The heaps that must be known before this engine can go on.
pub(crate) const START: usize = 8192;

/// Counts of what the engine did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Searches for a rare value that the cover had left open.
    pub searches: u64,
    /// Heaps whose value was found by going through all rare heaps.
    pub slow: u64,
    /// How often a new split was learned.
    pub learned: u64,
}

/// The split as tables.
pub(super) struct Classes {
    split: Split,
    /// Of each value, the index; bit 16: common at even heaps; bit 17: at odd heaps.
    codes: Vec<u32>,
    /// The indices of the common (rare) class, by parity of the heap, as sets.
    common: [Vec<u64>; 2],
    rare: [Vec<u64>; 2],
    /// The values of those indices.
    common_values: [Vec<u16>; 2],
    rare_values: [Vec<u16>; 2],
}

impl Classes {
    fn new(split: Split) -> Self {
        let code = |x: u16| {
            let class = u32::from(split.is_common(x, 0)) | u32::from(split.is_common(x, 1)) << 1;
            split.index(x) as u32 | class << 16
        };
        let set = |n: usize, common: bool| {
            let mut words = vec![0u64; split.indices().div_ceil(64)];
            for x in (0..split.indices()).filter(|&x| split.value(x, n, common).is_some()) {
                words[x / 64] |= 1 << (x % 64);
            }
            words
        };
        let values = |n: usize, common: bool| {
            (0..split.indices()).map(|x| split.value(x, n, common).unwrap_or(0)).collect()
        };
        Self {
            split,
            codes: (0..1usize << split.bits).map(|x| code(x as u16)).collect(),
            common: [set(0, true), set(1, true)],
            rare: [set(0, false), set(1, false)],
            common_values: [values(0, true), values(1, true)],
            rare_values: [values(0, false), values(1, false)],
        }
    }

    #[inline]
    fn is_common(&self, value: u16, n: usize) -> bool {
        self.codes[value as usize] >> (16 + (n & 1)) & 1 != 0
    }

    #[inline]
    fn index(&self, value: u16) -> usize {
        (self.codes[value as usize] & 0xffff) as usize
    }

    fn indices(&self) -> usize {
        self.split.indices()
    }

    /// Bit rows: the indices, rounded up to whole groups of four.
    fn rows(&self) -> usize {
        self.indices().next_multiple_of(4)
    }

    /// Words of a set of indices.
    fn set_words(&self) -> usize {
        self.indices().div_ceil(64)
    }
}

/// A rare heap and the index of its value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rare {
    heap: usize,
    index: u16,
}

/// What a wide pass reads and other threads may share.
struct Shared {
    isa: Isa,
    threads: usize,
    moves: Moves,
    classes: Classes,
    rows: Rows,
    plan: Plan,
    /// The rare heaps, up to the last plan.
    rares: Vec<Rare>,
}

/// The rows of a wide block in work: what is excluded and what is covered.
#[derive(Default)]
struct Wide {
    common: Accumulator,
    rare: Accumulator,
    limit: usize,
    /// Offsets that the pass left out because no row was worth them then.
    far: Vec<(usize, u16)>,
}

/// Heaps with small offsets, for the pairs inside a narrow block.
struct Small {
    /// In the order of the offsets: the bit of the heap's index in the set that comes `offset` sets later.
    bits: Vec<u32>,
    /// How many offsets are below each number up to NARROW.
    count: Vec<u32>,
}

impl Small {
    fn new(mut pairs: Vec<(usize, u16)>, set_words: usize) -> Self {
        pairs.sort_unstable();
        pairs.dedup();
        let count = (0..=NARROW).map(|end| pairs.partition_point(|pair| pair.0 < end) as u32).collect();
        let bit = |&(offset, index): &(usize, u16)| (offset * 64 * set_words) as u32 + u32::from(index);
        Self { bits: pairs.iter().map(bit).collect(), count }
    }

    /// Those with offsets below `end`.
    #[inline]
    fn before(&self, end: usize) -> &[u32] {
        &self.bits[..self.count[end] as usize]
    }
}

/// What the heaps of the current wide block write.
struct Current {
    recent: Recent,
    /// The rare (common) heaps with offsets below NARROW.
    small_rare: Small,
    small_common: Small,
    /// Rare heaps that the current wide pass did not know.
    pending: Vec<Rare>,
    /// For each heap of the narrow block, the indices that are excluded or covered.
    excluded: Vec<u64>,
    covered: Vec<u64>,
    copies: Copies,
    searcher: Searcher,
    /// Cover partners in use by marks, and the count of searches when that was chosen.
    cover: usize,
    searches_before: u64,
    statistics: Statistics,
}

/// The engine.
pub(crate) struct Sparse {
    shared: Shared,
    current: Current,
    /// The pass of the wide block in work, and the one made ahead.
    wide: Wide,
    next: Wide,
    /// The wide block of which `wide` is the pass.
    block: Option<usize>,
    /// The values up to here are entered.
    known: usize,
}

impl Sparse {
    /// An engine for the heaps after `values` (at least [`START`] of them), by `split`.
    pub fn new(isa: Isa, threads: usize, moves: &Moves, split: Split, values: &[u16]) -> Self {
        let classes = Classes::new(split);
        let mut rares = Vec::new();
        let mut small = [Vec::new(), Vec::new()];
        for (n, &value) in values.iter().enumerate().skip(1) {
            let index = classes.index(value) as u16;
            let common = classes.is_common(value, n);
            if !common {
                rares.push(Rare { heap: n, index });
            }
            for &i in moves.splits.iter().filter(|&i| n + i < NARROW) {
                small[usize::from(common)].push((n + i, index));
            }
        }
        let [small_rare, small_common] = small.map(|pairs| Small::new(pairs, classes.set_words()));
        let set_words = classes.set_words();
        let current = Current {
            recent: Recent::default(),
            small_rare,
            small_common,
            pending: Vec::new(),
            excluded: vec![0; NARROW * set_words],
            covered: vec![0; NARROW * set_words],
            copies: Copies::default(),
            searcher: Searcher::new(isa, values, moves.unequal),
            cover: 1024,
            searches_before: 0,
            statistics: Statistics::default(),
        };
        let shared = Shared {
            isa,
            threads,
            moves: moves.clone(),
            classes,
            rows: Rows::default(),
            plan: Plan::default(),
            rares,
        };
        Self { shared, current, wide: Wide::default(), next: Wide::default(), block: None, known: 0 }
    }

    /// The split in use.
    pub fn split(&self) -> &Split {
        &self.shared.classes.split
    }

    /// What was done so far.
    pub fn statistics(&mut self) -> &mut Statistics {
        &mut self.current.statistics
    }

    /// The number of rare heaps, and the last of them.
    pub fn rare_heaps(&self) -> (usize, Option<usize>) {
        let last = self.shared.rares.last().map_or(0, |rare| rare.heap);
        let new: Vec<usize> =
            self.current.pending.iter().map(|rare| rare.heap).filter(|&n| n > last).collect();
        let known = self.shared.rares.len();
        (known + new.len(), new.last().copied().or((known > 0).then_some(last)))
    }

    /// Bytes beside the sequence, roughly.
    pub fn bytes(&self) -> usize {
        self.shared.rows.bytes()
    }

    /// Fills `values[from..to]`; stops early, after the heap in question, when a value needs more bits than the
    /// split has. Returns how far it came. With `replan` the plan is made anew from what was seen lately.
    pub fn extend(
        &mut self,
        values: &mut [u16],
        from: usize,
        to: usize,
        replan: bool,
        histogram: &mut Histogram,
    ) -> Result<usize> {
        let Self { shared, current, wide, next, block, known } = self;
        if replan || *known != from {
            *known = from;
            *block = None;
            shared.make_plan(&mut current.pending, &values[..from]);
            current.fill(&shared.classes, &values[..from]);
        }
        while *known < to {
            let start = *known / WIDE * WIDE;
            if *block != Some(start) {
                shared.wide_pass(start, wide);
                *block = Some(start);
                current.pending.clear();
            }
            if !shared.classes.split.raw {
                shared.band_pass(&current.recent, values, start, wide);
            }
            let ahead = shared.threads > 1 && !shared.classes.split.raw && start + WIDE < to;
            let range = *known..(start + WIDE).min(to);
            let work = || current.block(shared, wide, values, start, range, histogram);
            *known =
                if ahead { rayon::join(work, || shared.wide_pass(start + WIDE, next)).0? } else { work()? };
            if usize::from(values[*known - 1]) >> shared.classes.split.bits != 0 {
                break;
            }
            if shared.classes.split.raw {
                let last = shared.rares.last().map_or(0, |rare| rare.heap);
                shared.rares.extend(current.pending.drain(..).filter(|rare| rare.heap > last));
            } else if *known == start + WIDE {
                shared.rows.take(&current.recent, start);
                current.recent.next();
                shared.take_rares(&current.pending, &values[..*known]);
                // The next block's pass, if made ahead, did not know the rare heaps of this block.
                current.pending.retain(|rare| ahead && rare.heap >= start);
                std::mem::swap(wide, next);
                *block = ahead.then_some(start + WIDE);
            }
        }
        Ok(*known)
    }
}

impl Shared {
    /// Makes the plan for all rare heaps, and the rows for the wide blocks that are complete.
    fn make_plan(&mut self, pending: &mut Vec<Rare>, values: &[u16]) {
        let last = self.rares.last().map_or(0, |rare| rare.heap);
        self.rares.extend(pending.drain(..).filter(|rare| rare.heap > last));
        if self.classes.split.raw {
            self.plan = Plan::by_marks(&self.classes, values);
            return;
        }
        self.plan = Plan::new(&self.classes, &self.moves.splits, &self.rares, values);
        self.fill(values);
    }

    /// Fills the rows up to the last complete wide block.
    fn fill(&mut self, values: &[u16]) {
        let start = values.len() / WIDE * WIDE;
        self.rows.reset(self.classes.rows(), start, self.plan.window());
        for n in self.rows.first().max(1)..start {
            if self.classes.is_common(values[n], n) {
                self.rows.set(self.classes.index(values[n]), n);
            }
        }
    }

    /// Takes over the rare heaps that were found in the block which ends the known `values`.
    fn take_rares(&mut self, found: &[Rare], values: &[u16]) {
        let last = self.rares.last().map_or(0, |rare| rare.heap);
        for &rare in found.iter().filter(|rare| rare.heap > last) {
            self.rares.push(rare);
            for &i in &self.moves.splits {
                self.plan.add(rare.heap + i, rare.index);
            }
        }
        self.plan.build_tiles(self.classes.indices());
        self.plan.choose_limit(&self.classes, values);
        let start = values.len();
        if !self.rows.has_room(start) || !self.rows.reaches(start, self.plan.window()) {
            self.fill(values);
        }
    }

    /// The parts into which the target rows are cut for the threads.
    fn part_rows(&self, rows: usize) -> usize {
        rows.div_ceil(self.threads).next_multiple_of(4).max(4)
    }

    /// Everything that follows for the wide block at `start` from offsets of at least TILED.
    fn wide_pass(&self, start: usize, wide: &mut Wide) {
        if self.classes.split.raw {
            wide.limit = self.classes.indices();
            return;
        }
        let limit = self.plan.limit;
        wide.limit = limit;
        wide.far.clone_from(&self.plan.far);
        wide.common.clear(self.classes.rows());
        wide.rare.clear(self.classes.rows());
        let rows = self.part_rows(limit);
        let commons = wide.common.words[..limit * ACC_STRIDE].par_chunks_mut(rows * ACC_STRIDE);
        let rares = wide.rare.words[..limit * ACC_STRIDE].par_chunks_mut(rows * ACC_STRIDE);
        let part = |(part, (common, rare)): (usize, (&mut [u64], &mut [u64]))| {
            let targets = part * rows..((part + 1) * rows).min(limit);
            let mut copies = Copies::default();
            for source in (0..self.classes.indices()).filter(|&source| self.rows.used(source)) {
                let mut copied = Piece::default();
                let mut copy = |piece: Piece, copies: &mut Copies| {
                    if copied != piece {
                        copied = piece;
                        copies.reserve(1, piece.words);
                        let from = start as isize - piece.before as isize;
                        copies.make(self.isa, 0, self.rows.piece(source, from, piece.words + 1));
                    }
                };
                for tile in &self.plan.tiles {
                    let Some(shifts) = &tile.shifts else { continue };
                    copy(tile.piece, &mut copies);
                    or_shifts(self.isa, &copies, source, shifts, targets.clone(), common, None);
                }
                copy(self.plan.cover_piece, &mut copies);
                let cover = &self.plan.cover[source];
                or_shifts(self.isa, &copies, 0, cover, targets.clone(), rare, None);
            }
        };
        let work = commons.zip(rares).enumerate();
        if self.threads > 1 {
            work.for_each(part);
        } else {
            let commons = wide.common.words[..limit * ACC_STRIDE].chunks_mut(rows * ACC_STRIDE);
            let rares = wide.rare.words[..limit * ACC_STRIDE].chunks_mut(rows * ACC_STRIDE);
            commons.zip(rares).enumerate().for_each(part);
        }
    }

    /// What follows from the offsets between WIDE and TILED, and from those that no row is worth.
    fn band_pass(&self, recent: &Recent, values: &[u16], start: usize, wide: &mut Wide) {
        let limit = wide.limit;
        let rows = self.part_rows(limit);
        let part = |(part, common): (usize, &mut [u64])| {
            let targets = part * rows..((part + 1) * rows).min(limit);
            let mut copies = Copies::default();
            copies.reserve(1, BAND.words);
            for source in (0..self.classes.indices()).filter(|&source| recent.used(source)) {
                copies.make(self.isa, 0, recent.piece(source, start - BAND.before, BAND.words + 1));
                or_shifts(self.isa, &copies, source, &self.plan.band, targets.clone(), common, None);
            }
        };
        let common = &mut wide.common.words[..limit * ACC_STRIDE];
        if self.threads > 1 {
            common.par_chunks_mut(rows * ACC_STRIDE).enumerate().for_each(part);
        } else {
            common.chunks_mut(rows * ACC_STRIDE).enumerate().for_each(part);
        }
        for &(offset, index) in &wide.far {
            let first = (offset + 1).saturating_sub(start).min(WIDE);
            self.exclude_by(values, offset, index, start, first..WIDE, &mut wide.common);
        }
    }

    /// Excludes, at the heaps `start + lane`, what the rare heap with this offset and index does.
    fn exclude_by(
        &self,
        values: &[u16],
        offset: usize,
        index: u16,
        start: usize,
        lanes: std::ops::Range<usize>,
        common: &mut Accumulator,
    ) {
        for lane in lanes {
            let heap = start + lane - offset;
            let value = values[heap];
            if self.classes.is_common(value, heap) {
                common.set(self.classes.index(value) ^ index as usize, lane);
            }
        }
    }

    /// The least common index that is not excluded at `n`, by going through all rare heaps.
    fn slow_common(&self, values: &[u16], n: usize, pending: &[Rare]) -> Option<usize> {
        let mut excluded = vec![0u64; self.classes.set_words()];
        for &i in &self.moves.ones {
            if self.classes.is_common(values[n - i], n) {
                let index = self.classes.index(values[n - i]);
                excluded[index / 64] |= 1 << (index % 64);
            }
        }
        let last = self.rares.last().map_or(0, |rare| rare.heap);
        for rare in self.rares.iter().chain(pending.iter().filter(|rare| rare.heap > last)) {
            for &i in self.moves.splits.iter().filter(|&i| rare.heap + i < n) {
                let other = n - i - rare.heap;
                if self.classes.is_common(values[other], other) {
                    let index = self.classes.index(values[other]) ^ rare.index as usize;
                    excluded[index / 64] |= 1 << (index % 64);
                }
            }
        }
        least_free(&excluded, &self.classes.common[n & 1])
    }
}

impl Current {
    /// Takes the values of the wide block in work and of the two before it.
    fn fill(&mut self, classes: &Classes, values: &[u16]) {
        if classes.split.raw {
            return;
        }
        self.recent.reset(classes.rows(), values.len() / WIDE * WIDE);
        for (n, &value) in values.iter().enumerate().skip(self.recent.first().max(1)) {
            if classes.is_common(value, n) {
                self.recent.set(classes.index(value), n);
            }
        }
    }

    /// Finds the values of `range`, a part of the wide block at `start`. Returns how far it came: all the way
    /// unless a value needs more bits than the split has.
    fn block(
        &mut self,
        shared: &Shared,
        wide: &mut Wide,
        values: &mut [u16],
        start: usize,
        range: std::ops::Range<usize>,
        histogram: &mut Histogram,
    ) -> Result<usize> {
        let mut narrow = range.start / NARROW * NARROW;
        while narrow < range.end {
            self.begin_narrow(shared, wide, values, start, narrow);
            for n in narrow..range.end.min(narrow + NARROW) {
                if n >= range.start {
                    let value = self.value(shared, values, n, wide.limit)?;
                    values[n] = value;
                    histogram.add(value, n);
                    if usize::from(value) >> shared.classes.split.bits != 0 {
                        return Ok(n + 1);
                    }
                    self.enter(&shared.classes, n, value);
                }
                self.spread(&shared.classes, values[n], n);
            }
            self.adapt_cover();
            narrow += NARROW;
        }
        Ok(range.end)
    }

    /// Starts the narrow block at `narrow` of the wide block at `start`: the offsets below WIDE, and the rare heaps
    /// that the wide pass did not know.
    fn begin_narrow(
        &mut self,
        shared: &Shared,
        wide: &mut Wide,
        values: &[u16],
        start: usize,
        narrow: usize,
    ) {
        let lane = narrow - start;
        let classes = &shared.classes;
        if classes.split.raw {
            shared.mark_options(values, &self.pending, self.cover, narrow, &mut self.excluded);
            self.covered.copy_from_slice(&self.excluded);
            return;
        }
        let (isa, rows) = (shared.isa, classes.rows());
        self.copies.reserve(4, NEAR.words);
        for source in (0..rows).step_by(4) {
            if !(0..4).any(|k| self.recent.used(source + k)) {
                continue;
            }
            for k in 0..4 {
                let piece = self.recent.piece(source + k, narrow - NEAR.before, NEAR.words + 1);
                self.copies.make(isa, k, piece);
            }
            let common = &mut wide.common.words;
            or_shifts(isa, &self.copies, source, &shared.plan.near, 0..wide.limit, common, Some(lane));
        }
        for rare in &self.pending {
            for offset in shared.moves.splits.iter().map(|i| rare.heap + i) {
                let first = (offset + 1).saturating_sub(start).clamp(lane, lane + NARROW);
                let lanes = first..lane + NARROW;
                shared.exclude_by(values, offset, rare.index, start, lanes, &mut wide.common);
            }
        }
        let words = classes.set_words();
        sets_of_heaps(isa, &wide.common, wide.limit, lane, words, &mut self.excluded);
        sets_of_heaps(isa, &wide.rare, wide.limit, lane, words, &mut self.covered);
    }

    /// Keeps the searches at a few a heap: each costs as much as some hundred marks.
    fn adapt_cover(&mut self) {
        let searches = self.statistics.searches - self.searches_before;
        self.searches_before = self.statistics.searches;
        if searches > 6 * NARROW as u64 {
            self.cover += self.cover / 8;
        } else if searches < 3 * NARROW as u64 {
            self.cover -= self.cover / 8;
        }
        self.cover = self.cover.clamp(64, 1 << 14);
    }

    /// Enters a new heap into the rows or the list of rare heaps.
    #[inline]
    fn enter(&mut self, classes: &Classes, n: usize, value: u16) {
        let index = classes.index(value);
        if classes.is_common(value, n) {
            if !classes.split.raw {
                self.recent.set(index, n);
            }
        } else {
            self.pending.push(Rare { heap: n, index: index as u16 });
        }
    }

    /// Excludes, at later heaps of the narrow block, what heap `n` and a small heap of the other class do.
    #[inline]
    fn spread(&mut self, classes: &Classes, value: u16, n: usize) {
        let index = classes.index(value) as u32;
        let small = if classes.is_common(value, n) { &self.small_rare } else { &self.small_common };
        let lane = n % NARROW;
        let later = &mut self.excluded[lane * classes.set_words()..];
        for bit in small.before(NARROW - lane) {
            // The set's size is a power of two, so the XOR stays in the set of the heap it belongs to.
            let bit = (bit ^ index) as usize;
            later[bit / 64] |= 1 << (bit % 64);
        }
    }

    /// G(n), for a heap of the narrow block that was begun.
    fn value(&mut self, shared: &Shared, values: &[u16], n: usize, limit: usize) -> Result<u16> {
        let classes = &shared.classes;
        let words = classes.set_words();
        let at = n % NARROW * words;
        for &i in &shared.moves.ones {
            let index = classes.index(values[n - i]);
            let common = classes.is_common(values[n - i], n);
            let set = if common { &mut self.excluded } else { &mut self.covered };
            set[at + index / 64] |= 1 << (index % 64);
        }
        let mut common = least_free(&self.excluded[at..at + words], &classes.common[n & 1]);
        if common.is_none_or(|index| index >= limit) {
            self.statistics.slow += 1;
            common = shared.slow_common(values, n, &self.pending);
        }
        // If all common values are excluded, the options' values being below 2^bits makes that the bound. The index keeps the
        // order inside a class only: a smaller rare value may have a slightly larger index.
        let (bound, indices) = match common {
            Some(index) => {
                let indices = classes.indices().min((index | classes.split.low_bits()) + 1);
                (usize::from(classes.common_values[n & 1][index]), indices)
            }
            None => (1 << classes.split.bits, classes.indices()),
        };
        for k in 0..indices.div_ceil(64) {
            let mut open = !self.covered[at + k] & classes.rare[n & 1][k];
            if indices < 64 * (k + 1) {
                open &= (1 << (indices - 64 * k)) - 1;
            }
            while open != 0 {
                let wanted = classes.rare_values[n & 1][64 * k + open.trailing_zeros() as usize];
                open &= open - 1;
                if usize::from(wanted) >= bound {
                    break;
                }
                self.statistics.searches += 1;
                let mut splits = shared.moves.splits.iter();
                if !splits.any(|&i| self.searcher.splits_to(values, n - i, wanted)) {
                    return Ok(wanted);
                }
            }
        }
        u16::try_from(bound).map_err(|_| too_large(n))
    }
}

/// The least index of `class` that is not in `excluded`.
#[inline]
fn least_free(excluded: &[u64], class: &[u64]) -> Option<usize> {
    let free = excluded.iter().zip(class).map(|(excluded, class)| !excluded & class);
    free.enumerate().find(|(_, free)| *free != 0).map(|(k, free)| 64 * k + free.trailing_zeros() as usize)
}
