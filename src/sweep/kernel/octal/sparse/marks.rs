//! Excluding values by marks: the way for games with many rare heaps and many values, where a bit row has so few bits that
//! OR-ing rows moves mostly zeros.
//!
//! For a run of heaps n and a rare heap r the options G(n − i − r) XOR G(r) are neighbours of the sequence XOR-ed with
//! one value. Some of the rare heaps are *marked*: each option is marked in the table of its heap, one byte a value, for one load
//! and one store an option. That leaves each heap few *candidates*, common values without a mark. The other rare heaps are
//! *scanned*: their options are only compared with the first candidates of their heaps, 32 options a few
//! instructions. Then the first candidate that was not hit is the least common value that is no option, as long as one of
//! the candidates is left; a heap without one goes through all rare heaps.
//!
//! The runs of a narrow block are independent, so all threads share them, and with them the searches for rare values.

use super::super::bits::NARROW;
use super::super::lanes::{Lanes, Loop};
use super::super::search::Searcher;
use super::Shared;
use super::classes::{Rare, free_indices};
use super::current::{NONE, Sets};
use rayon::prelude::*;

/// The heaps of a run.
const RUN: usize = 32;
/// The heaps whose tables are filled together: they should fit into the first-level cache.
const TABLES: usize = 16;
/// The candidates of a heap.
const CANDIDATES: usize = 8;
/// So few heaps are sooner done one by one than by a scan of the whole run.
const FEW: usize = 2;

/// A heap that is paired with all others: its value, and its size plus what the move takes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Partner {
    offset: u32,
    value: u16,
}

/// What a narrow block cost.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Effort {
    /// Searches for rare values.
    pub searches: u64,
    /// Scans of a run.
    rounds: u64,
}

impl Effort {
    fn plus(self, other: Self) -> Self {
        Self { searches: self.searches + other.searches, rounds: self.rounds + other.rounds }
    }
}

/// How many heaps are marked; learned on the way.
pub(super) struct Marks {
    /// Of the rare heaps.
    rares: usize,
    /// Of the common heaps, which show that rare values are options.
    cover: usize,
    /// Those of the narrow block in work.
    partners: Partners,
}

impl Marks {
    pub fn new(bits: u32) -> Self {
        Self { rares: 1 << bits, cover: 1024, partners: Partners::default() }
    }

    /// Completes what is `excluded` at heap `n` of the narrow block in work.
    pub fn complete(&self, values: &[u16], n: usize, excluded: &mut [u64]) {
        self.partners.complete(values, n, excluded);
    }

    /// Keeps the searches at a few a heap, each of which costs as much as some hundred marks, and the cost of a second
    /// scan, about a tenth of a mark a rare heap, near that of the marks.
    pub fn adapt(&mut self, effort: Effort, rares: usize) {
        if effort.searches > 8 * NARROW as u64 {
            self.cover += self.cover / 8;
        } else if effort.searches < 4 * NARROW as u64 {
            self.cover -= self.cover / 8;
        }
        self.cover = self.cover.clamp(64, 1 << 14);
        let again = (effort.rounds as usize).saturating_sub(NARROW / RUN) * rares / 10 / (NARROW / RUN);
        if again > self.rares / 2 {
            self.rares += self.rares / 8;
        } else if again < self.rares / 4 {
            self.rares -= self.rares / 8;
        }
        self.rares = self.rares.clamp(64, 1 << 24);
    }
}

/// The partners of the heaps of a narrow block.
#[derive(Default)]
struct Partners {
    marked: Vec<Partner>,
    scanned: Vec<Partner>,
}

impl Partners {
    /// Completes what is `excluded` at heap `n`, one scanned partner after another.
    fn complete(&self, values: &[u16], n: usize, excluded: &mut [u64]) {
        for &Partner { offset, value } in &self.scanned {
            let option = usize::from(values[n - offset as usize] ^ value);
            excluded[option / 64] |= 1 << (option % 64);
        }
    }
}

/// A run of heaps and what is found of them.
struct Run<'a> {
    first: usize,
    excluded: &'a mut [u64],
    covered: &'a mut [u64],
    horizon: &'a mut [u32],
    failed: &'a mut [u32],
}

/// What the runs of a narrow block share.
struct Block<'a> {
    shared: &'a Shared,
    searcher: &'a Searcher,
    /// The values before `start`; no run reads others.
    values: &'a [u16],
    start: usize,
    /// The heaps whose values are wanted.
    wanted: std::ops::Range<usize>,
    partners: &'a Partners,
}

impl Shared {
    /// Finds, for the heaps of the narrow block at `start`, what follows from pairs of heaps before `start`.
    pub(super) fn mark_options(
        &self,
        values: &[u16],
        pending: &[Rare],
        (marks, searcher): (&mut Marks, &Searcher),
        start: usize,
        wanted: std::ops::Range<usize>,
        sets: &mut Sets,
    ) -> Effort {
        self.take_partners(values, pending, marks, start);
        let partners = &marks.partners;
        let block = Block { shared: self, searcher, values: &values[..start], start, wanted, partners };
        let words = RUN * self.classes.set_words();
        let excluded = sets.excluded.chunks_exact_mut(words);
        let covered = sets.covered.chunks_exact_mut(words);
        let horizon = sets.horizon.chunks_exact_mut(RUN);
        let failed = sets.failed.chunks_exact_mut(RUN);
        let heaps = (start..).step_by(RUN);
        let runs: Vec<Run> = heaps
            .zip(excluded.zip(covered))
            .zip(horizon.zip(failed))
            .map(|((first, (excluded, covered)), (horizon, failed))| Run {
                first,
                excluded,
                covered,
                horizon,
                failed,
            })
            .collect();
        debug_assert_eq!(runs.len(), NARROW / RUN);
        if self.threads > 1 {
            runs.into_par_iter()
                .with_max_len(1)
                .map(|run| block.fill(run))
                .reduce(Effort::default, Effort::plus)
        } else {
            runs.into_iter().map(|run| block.fill(run)).fold(Effort::default(), Effort::plus)
        }
    }

    /// Takes the partners of the narrow block at `start`. Scanned are only such as have a known heap beside them for all
    /// heaps of the block.
    fn take_partners(&self, values: &[u16], pending: &[Rare], marks: &mut Marks, start: usize) {
        let Marks { rares, cover, partners: Partners { marked, scanned } } = marks;
        marked.clear();
        scanned.clear();
        let last = self.rares.last().map_or(0, |rare| rare.heap);
        let new = pending.iter().filter(|rare| rare.heap > last);
        let pairs = self.rares.len() * self.moves.splits.len();
        // The marked ones are spread evenly over all.
        let mut share = 0;
        for heap in self.rares.iter().chain(new).map(|rare| rare.heap) {
            for &i in &self.moves.splits {
                let partner = Partner { offset: (heap + i) as u32, value: values[heap] };
                share += *rares;
                let mark = share >= pairs;
                share -= if mark { pairs } else { 0 };
                if mark || !(NARROW..start).contains(&(heap + i)) {
                    marked.push(partner);
                } else {
                    scanned.push(partner);
                }
            }
        }
        for heap in self.plan.partners.iter().take(*cover).map(|&heap| heap as usize) {
            let partner = |&i: &usize| Partner { offset: (heap + i) as u32, value: values[heap] };
            marked.extend(self.moves.splits.iter().map(partner));
        }
    }
}

impl Block<'_> {
    /// Fills what is known of the heaps of a run.
    fn fill(&self, mut run: Run) -> Effort {
        let classes = &self.shared.classes;
        let (words, bits) = (classes.set_words(), classes.split.bits);
        let mut tables = vec![0u8; TABLES << bits];
        for (k, sets) in run.excluded.chunks_exact_mut(TABLES * words).enumerate() {
            tables.fill(0);
            self.mark(run.first + k * TABLES, &mut tables);
            for (table, set) in tables.chunks_exact(1 << bits).zip(sets.chunks_exact_mut(words)) {
                for (word, bytes) in set.iter_mut().zip(table.as_chunks::<64>().0) {
                    *word = bits_of(bytes);
                }
            }
        }
        run.covered.copy_from_slice(run.excluded);
        run.horizon.fill(classes.indices() as u32);
        run.failed.fill(NONE);
        let rounds = if self.partners.scanned.is_empty() { 0 } else { self.scan(&mut run) };
        let first = run.first;
        let wanted = (0..RUN).filter(|lane| self.wanted.contains(&(first + lane)));
        let searches = wanted.map(|lane| self.search(&mut run, lane)).sum();
        Effort { searches, rounds }
    }

    fn mark(&self, first: usize, tables: &mut [u8]) {
        match self.shared.classes.split.bits {
            ..=6 => self.mark_values::<6>(first, tables),
            7 => self.mark_values::<7>(first, tables),
            8 => self.mark_values::<8>(first, tables),
            9 => self.mark_values::<9>(first, tables),
            10 => self.mark_values::<10>(first, tables),
            11 => self.mark_values::<11>(first, tables),
            12 => self.mark_values::<12>(first, tables),
            13 => self.mark_values::<13>(first, tables),
            14 => self.mark_values::<14>(first, tables),
            15 => self.mark_values::<15>(first, tables),
            _ => self.mark_values::<16>(first, tables),
        }
    }

    /// Marks, for the heaps first..first + TABLES, the XOR of each marked partner's value and the value of the heap
    /// `offset` below, where that heap is known (before `start`) and not empty.
    fn mark_values<const BITS: usize>(&self, first: usize, tables: &mut [u8]) {
        let Self { values, start, .. } = *self;
        assert!(tables.len() == TABLES << BITS);
        for &Partner { offset, value } in &self.partners.marked {
            let offset = offset as usize;
            if offset < first && first + TABLES - offset <= start {
                let others = &values[first - offset..first - offset + TABLES];
                for (lane, &other) in others.iter().enumerate() {
                    let option = (u32::from(other) ^ u32::from(value)) as usize;
                    debug_assert!(option >> BITS == 0);
                    // SAFETY: all values of the sequence so far are below 2^BITS, so their XOR is, and the
                    // tables have TABLES times 2^BITS entries.
                    unsafe { *tables.get_unchecked_mut((lane << BITS) + option) = 1 };
                }
            } else {
                let lanes =
                    (offset + 1).saturating_sub(first)..(start + offset).saturating_sub(first).min(TABLES);
                for lane in lanes {
                    tables[(lane << BITS) + usize::from(values[first + lane - offset] ^ value)] = 1;
                }
            }
        }
    }

    /// Compares the options by scanned partners with the candidates, and excludes those that are hit; with the next
    /// candidates where too few are left. Returns the number of rounds.
    fn scan(&self, run: &mut Run) -> u64 {
        let classes = &self.shared.classes;
        let words = classes.set_words();
        // Pairs inside the block, and moves that leave one heap, may exclude more: some candidates should be left for them.
        let spare = 2 + self.shared.moves.ones.len() / 4;
        let mut left = [0; RUN];
        let mut rounds = 0;
        run.horizon.fill(0);
        loop {
            let mut indices = [[0; RUN]; CANDIDATES];
            let mut candidates = [[0; RUN]; CANDIDATES];
            let mut counts = [0; RUN];
            for lane in (0..RUN).filter(|&lane| left[lane] < spare) {
                let excluded = &run.excluded[lane * words..][..words];
                let class = &classes.common[(run.first + lane) & 1];
                let mut free = free_indices(excluded, class, run.horizon[lane] as usize);
                for index in free.by_ref().take(CANDIDATES) {
                    indices[counts[lane]][lane] = index;
                    candidates[counts[lane]][lane] = classes.common_values[(run.first + lane) & 1][index];
                    counts[lane] += 1;
                }
                run.horizon[lane] = free.next().unwrap_or(classes.indices()) as u32;
            }
            let lacking = counts.iter().filter(|&&count| count > 0).count();
            if lacking == 0 {
                return rounds;
            }
            rounds += 1;
            if lacking <= FEW {
                for lane in (0..RUN).filter(|&lane| counts[lane] > 0) {
                    let excluded = &mut run.excluded[lane * words..][..words];
                    self.partners.complete(self.values, run.first + lane, excluded);
                    run.horizon[lane] = classes.indices() as u32;
                }
                return rounds;
            }
            // SAFETY: the offsets of scanned partners are in NARROW..start, the run is in start..start + NARROW, and
            // the values are those before start.
            let differences =
                unsafe { Differences::new(self.values, run.first, &self.partners.scanned, &candidates) };
            let differences = self.shared.isa.run(differences);
            for lane in 0..RUN {
                for k in 0..counts[lane] {
                    if differences[k][lane] == 0 {
                        run.excluded[lane * words + indices[k][lane] / 64] |= 1 << (indices[k][lane] % 64);
                    } else {
                        left[lane] += 1;
                    }
                }
            }
        }
    }

    /// Searches, among the pairs of heaps before `start`, for the rare values that may be the value of a heap. Returns the number of
    /// searches.
    fn search(&self, run: &mut Run, lane: usize) -> u64 {
        let classes = &self.shared.classes;
        let (n, words) = (run.first + lane, classes.set_words());
        let set = lane * words..(lane + 1) * words;
        let common = free_indices(&run.excluded[set.clone()], &classes.common[n & 1], 0).next();
        if common.is_none_or(|index| index >= run.horizon[lane] as usize) {
            return 0;
        }
        let mut open = Vec::new();
        classes.least_open_rare(n, &run.covered[set], common, |wanted| {
            open.push(wanted);
            false
        });
        let searches = open.len() as u64;
        for index in open.iter().map(|&value| classes.index(value)) {
            run.covered[lane * words + index / 64] |= 1 << (index % 64);
        }
        let found = self.shared.moves.splits.iter().any(|&i| {
            // The larger part is before the block.
            let least = (n - i + 1).saturating_sub(self.start).max(1);
            self.searcher.splits_from(self.values, n - i, least, &mut open)
        });
        debug_assert_eq!(found, open.is_empty());
        for index in open.iter().map(|&value| classes.index(value)) {
            run.covered[lane * words + index / 64] &= !(1 << (index % 64));
        }
        run.failed[lane] = open.first().map_or(NONE, |&value| u32::from(value));
        searches
    }
}

/// Packs 64 bytes of 0 or 1 into a word.
fn bits_of(bytes: &[u8; 64]) -> u64 {
    let parts = bytes.as_chunks::<8>().0.iter().enumerate();
    parts.fold(0, |word, (k, part)| {
        // The factor moves byte j to bit 56 + j; no two bytes meet in the top byte.
        word | (u64::from_le_bytes(*part).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * k)
    })
}

/// Candidates, or differences from them, by candidate and lane.
type Matrix = [[u16; RUN]; CANDIDATES];

/// For each heap n of the run at `first` and each of its candidates, the least of option XOR candidate over the
/// options by `partners`: 0 if one of them is the candidate.
struct Differences<'a> {
    values: &'a [u16],
    first: usize,
    partners: &'a [Partner],
    candidates: &'a Matrix,
}

impl<'a> Differences<'a> {
    /// # Safety
    /// `first - offset..first - offset + RUN` must be in `values` for each partner.
    unsafe fn new(values: &'a [u16], first: usize, partners: &'a [Partner], candidates: &'a Matrix) -> Self {
        Self { values, first, partners, candidates }
    }
}

impl Loop for Differences<'_> {
    type Output = Matrix;

    #[inline(always)]
    unsafe fn run<V: Lanes>(self) -> Matrix {
        let Self { values, first, partners, candidates } = self;
        let mut result = [[0; RUN]; CANDIDATES];
        for lane in (0..RUN).step_by(V::COUNT) {
            // SAFETY: the caller has the instructions; COUNT divides RUN; the values are there by the promise of `new`.
            unsafe {
                let wanted: [V; CANDIDATES] =
                    std::array::from_fn(|k| V::load(candidates[k][lane..].as_ptr()));
                let mut least = [V::splat(u16::MAX); CANDIDATES];
                for partner in partners {
                    let others = V::load(values.as_ptr().add(first + lane - partner.offset as usize));
                    let options = others.xor(V::splat(partner.value));
                    for k in 0..CANDIDATES {
                        least[k] = least[k].min(options.xor(wanted[k]));
                    }
                }
                for k in 0..CANDIDATES {
                    least[k].store(result[k][lane..].as_mut_ptr());
                }
            }
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::bits::Isa;
    use super::*;

    #[test]
    fn least_differences_agree_on_every_instruction_set() {
        let mut state = 3u32;
        let mut random = || {
            state = state.wrapping_mul(1664525).wrapping_add(1013904223);
            (state >> 24) as u16
        };
        let values: Vec<u16> = (0..400).map(|_| random()).collect();
        let partners: Vec<Partner> =
            (1..60).map(|k| Partner { offset: 32 + 5 * k, value: random() }).collect();
        let candidates: Matrix = std::array::from_fn(|_| std::array::from_fn(|_| random()));
        let first = 360;
        for isa in Isa::available() {
            // SAFETY: the offsets are between 37 and 327, so the values from 33 to 354 are read.
            let least = isa.run(unsafe { Differences::new(&values, first, &partners, &candidates) });
            let mut hits = 0;
            for (k, lane) in (0..CANDIDATES).flat_map(|k| (0..RUN).map(move |lane| (k, lane))) {
                let options = partners.iter().map(|p| values[first + lane - p.offset as usize] ^ p.value);
                let expected = options.map(|option| option ^ candidates[k][lane]).min();
                assert_eq!(Some(least[k][lane]), expected, "{isa:?}");
                hits += usize::from(least[k][lane] == 0);
            }
            assert!(hits > 10 && hits < 200, "{hits} hits test little");
        }
    }
}
