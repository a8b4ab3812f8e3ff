//! Nim-sequences of octal games: the engines.
//!
//! [`Engine`] takes what is known of a sequence and continues from there. It chooses its way by itself:
//!
//! | game | way |
//! |---|---|
//! | no splitting digit | the last t values are the state; copied once a state recurs |
//! | the first heaps | the definition |
//! | few rare heaps, few values | sparse space on bit rows |
//! | many rare heaps or many values | sparse space by marks; at worst all heaps are partners of all others |
//!
//! The values are those of the definition whatever the way, the split, the number of threads and the places
//! where a run was cut: a sequence has only one value at each heap, and no engine guesses.

mod bits;
mod general;
mod naive;
mod opening;
mod planes;
mod search;
mod sparse;
mod split;
mod subtraction;
#[cfg(test)]
mod tests;

pub(crate) use naive::too_large;
pub use naive::{Term, naive_sequence};

use crate::base::{Error, Isa, Level, Result};
use crate::rules::OctalGame;
use general::General;
use naive::{Moves, Naive};
use sparse::Sparse;
use split::{Histogram, Split};

/// The way to compute a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// The one that is expected to be fastest.
    #[default]
    Auto,
    /// The definition, heap by heap.
    Naive,
    /// Sparse space on bit rows.
    Rows,
    /// Sparse space by marks.
    Marks,
}

/// How an [`Engine`] works; the values do not depend on it.
#[derive(Debug, Clone, Copy)]
pub struct EngineOptions {
    /// With more than one, work is shared with the other threads of the current rayon pool.
    pub threads: usize,
    /// The instruction set of the inner loops.
    pub isa: Isa,
    /// The way.
    pub method: Method,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self { threads: 1, isa: Isa::detect(), method: Method::Auto }
    }
}

/// The rare/common split in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SplitReport {
    /// A value is rare at a heap if the popcount of value AND mask (plus the position, see `by_position`) is
    /// even.
    pub mask: u32,
    /// If set, the parity of the heap's size takes part: this is added to the size.
    pub by_position: Option<usize>,
    /// The number of rare heaps so far.
    pub rare_count: usize,
    /// The last rare heap so far.
    pub last_rare: Option<usize>,
}

impl SplitReport {
    /// Is a heap of `n` with this value rare?
    pub fn is_rare(&self, value: u16, n: usize) -> bool {
        let position = self.by_position.map_or(0, |origin| (n + origin) as u32);
        ((u32::from(value) & self.mask).count_ones() + position) % 2 == 0
    }
}

/// Marks keep heaps in 32 bits, and the way is chosen for an eighth of growth: longer sequences continue by
/// rows.
const MOST_MARKED: usize = 1 << 31;

fn check_known<T>(values: &[T], known: usize) -> Result<()> {
    if known > values.len() {
        return Err(Error::Usage(format!(
            "{known} terms cannot be known where there is room for {}; give all terms that are known",
            values.len()
        )));
    }
    Ok(())
}

/// Computes a nim-sequence.
pub struct Engine {
    moves: Moves,
    /// Codes that the other ways do not know.
    general: Option<General>,
    options: EngineOptions,
    naive: Naive,
    sparse: Option<Sparse>,
    histogram: Histogram,
    known: usize,
    /// The heaps at which split and plan are looked at again.
    next_split: usize,
    next_plan: usize,
}

impl Engine {
    /// An engine that knows nothing yet.
    pub fn new(game: &OctalGame, options: EngineOptions) -> Self {
        let threads = options.threads.max(1);
        Self {
            moves: if game.is_octal() { Moves::new(game) } else { Moves::none() },
            general: (!game.is_octal()).then(|| General::new(game)),
            options: EngineOptions { threads, ..options },
            naive: Naive::new(),
            sparse: None,
            histogram: Histogram::default(),
            known: 0,
            next_split: 0,
            next_plan: 0,
        }
    }

    /// Takes over a known beginning of the sequence. The engine trusts it.
    fn resume(&mut self, known: &[u16]) {
        self.histogram = Histogram::default();
        for (n, &value) in known.iter().enumerate() {
            self.histogram.add(value, n);
        }
        self.known = known.len();
        self.sparse = None;
        self.next_split = 0;
        self.next_plan = 0;
    }

    /// Fills `values[known..]`, where `values[..known]` is known. Calls on one growing sequence resume
    /// without a new start; after anything else the engine starts anew from `values[..known]` by itself.
    ///
    /// The engine trusts the known values. If they are not those of the game, or were changed since the call
    /// before, then the new ones are wrong, and no more than that.
    pub fn extend(&mut self, values: &mut [u16], known: usize) -> Result<()> {
        check_known(values, known)?;
        if let Some(general) = &mut self.general {
            return general.extend(values, known);
        }
        if known != self.known {
            self.resume(&values[..known]);
        }
        // Inside the pool a join costs little; from outside each one would wake the pool anew.
        if self.options.threads > 1 { rayon::scope(|_| self.run(values)) } else { self.run(values) }
    }

    /// As [`Self::extend`], for a game whose values are proved to fit into a byte: one without a splitting
    /// digit.
    pub fn extend_bytes(&mut self, values: &mut [u8], known: usize) -> Result<()> {
        check_known(values, known)?;
        if !self.moves.splits.is_empty() || self.general.is_some() {
            return Err(Error::Usage(
                "the values of a game that splits heaps are not bounded; its sequence needs two bytes per value".into(),
            ));
        }
        subtraction::extend(&self.moves, &mut self.naive, values, known)
    }

    fn run(&mut self, values: &mut [u16]) -> Result<()> {
        let to = values.len();
        if self.moves.splits.is_empty() {
            subtraction::extend(&self.moves, &mut self.naive, values, self.known)?;
            self.known = to;
            return Ok(());
        }
        let by_definition = if self.options.method == Method::Naive { to } else { sparse::START.min(to) };
        while self.known < by_definition {
            let n = self.known;
            values[n] = match opening::value(self.options.isa, &self.moves, values, n, self.histogram.max()) {
                Some(value) if self.options.method != Method::Naive => value,
                _ => self.naive.value(&self.moves, values, n)?,
            };
            self.histogram.add(values[n], n);
            self.known += 1;
        }
        while self.known < to {
            let replan = self.learn(&values[..self.known]);
            if let Some(sparse) = &mut self.sparse {
                let stop = to.min(self.next_split);
                self.known = sparse.extend(values, self.known, stop, replan, &mut self.histogram)?;
            }
        }
        Ok(())
    }

    /// Looks at the split again when it is time to, or when the values have outgrown it. Returns whether a
    /// new plan is due.
    fn learn(&mut self, values: &[u16]) -> bool {
        let known = values.len();
        let bits = (u16::BITS - self.histogram.max().leading_zeros()).max(6);
        let outgrown = self.sparse.as_ref().is_none_or(|sparse| sparse.split().bits != bits);
        if known < self.next_split && !outgrown {
            return false;
        }
        self.next_split = known + known / 8;
        let (best, rare) = self.histogram.best_split(bits, &self.moves.splits);
        let best = Split { by_marks: self.prefers_marks(&best, rare), ..best };
        let keep = self.sparse.as_ref().is_some_and(|sparse| {
            let current = sparse.split();
            !outgrown && current.by_marks == best.by_marks && 20 * self.histogram.rare(current) <= 21 * rare
        });
        if !keep {
            let EngineOptions { isa, threads, .. } = self.options;
            self.sparse = Some(Sparse::new(isa, threads, &self.moves, best, values));
        }
        let replan = !keep || known >= self.next_plan;
        if replan {
            self.next_plan = known + known / 2;
        }
        replan
    }

    /// Marks or rows? Compares rough counts of cycles per heap.
    fn prefers_marks(&self, split: &Split, rare: u64) -> bool {
        if self.known >= MOST_MARKED {
            return false;
        }
        match self.options.method {
            Method::Rows => return false,
            Method::Marks => return true,
            Method::Auto | Method::Naive => {}
        }
        let offsets = rare as f64 * self.moves.splits.len() as f64;
        let rows = self.histogram.max() as f64 * if split.by_position() { 1.0 } else { 0.5 };
        let lanes = match self.options.isa.level() {
            Level::Avx512 => 512.0,
            Level::Avx2 => 256.0,
            Level::Portable => 64.0,
        };
        // While rare heaps keep coming, the plans of the rows keep changing.
        let last_rare = self.sparse.as_ref().and_then(|sparse| sparse.rare_heaps().1).unwrap_or(self.known);
        let change = if 8 * last_rare >= 7 * self.known { 2.5 } else { 1.0 };
        let by_rows = 2.2 * change * (offsets * rows + 8.0 * rows * rows) / lanes + 100.0;
        // Marks of some rare heaps and of the cover, and a scan or two of the others (see `sparse::marks`).
        let scanned = match self.options.isa.level() {
            Level::Avx512 => 0.3,
            Level::Avx2 => 0.6,
            Level::Portable => 1.2,
        };
        let values = f64::from(1u32 << split.bits);
        let by_marks = 1.2 * (offsets.min(4.0 * values) + 4.0 * values) + scanned * offsets + 300.0;
        by_marks < by_rows
    }

    /// The split in use, if there is one.
    pub fn split(&self) -> Option<SplitReport> {
        let sparse = self.sparse.as_ref()?;
        let split = sparse.split();
        let (rare_count, last_rare) = sparse.rare_heaps();
        Some(SplitReport {
            mask: split.mask & ((1 << split.bits) - 1),
            by_position: split.by_position().then_some(split.origin),
            rare_count,
            last_rare,
        })
    }
}
