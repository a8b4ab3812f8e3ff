//! Proved periods of rows of Grundy values of minnie.
//!
//! The row of the key `r = (a1 <= ... <= a(k-1))` is the sequence `x -> G(r + {x})`. For `x >= a(k-1)` a
//! value is the mex of the values of finitely many rows of smaller keys at the same `x`, and of the last
//! `a1` values of the row itself. It is at most `k * a1`, the number of options. So once the smaller rows
//! have become periodic, the row is run by a machine with finitely many states: the phase of the smaller
//! rows and the window of the last `a1` values. When a state comes back, the period is proved
//! (docs/PROOFS.md, proposition 5). Nothing is inferred from values that merely look alike.
//!
//! Cost: one value takes an OR of four words for the smaller rows, one for the window, and a count of
//! trailing ones; a window entry that leaves is one decrement. The smaller rows are merged into one periodic
//! sequence of 256-bit sets before the row runs.

use crate::base::numbers::counted;
use crate::base::{Error, Result};
use crate::rules::notation::show_heaps;
use std::collections::HashMap;

/// Values stay below this: `k * a1 < 256` is demanded of every key.
const VALUES: usize = 256;

/// Longest stretch that is run in search of a recurrence before giving up.
const MAX_LENGTH: usize = 200_000_000;

/// A set of values as a bit set.
type ValueSet = [u64; VALUES / 64];

/// A row of Grundy values that is known for every last heap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProvedRow {
    /// The fixed heaps, sorted.
    pub key: Vec<u32>,
    /// The least `n0` with `G(x + period) = G(x)` for all `x >= n0`.
    pub preperiod: usize,
    /// The least period.
    pub period: usize,
    /// The largest value of the row.
    pub max_value: u16,
    /// The values at `0 .. preperiod + period`.
    values: Vec<u16>,
}

impl ProvedRow {
    /// The Grundy value of the key with a last heap of `x`, for any `x`.
    pub fn value(&self, x: u64) -> u16 {
        self.values[fold_index(x as usize, self.preperiod, self.period)]
    }

    /// The values at `0 .. preperiod + period`, which determine the row.
    pub fn values(&self) -> &[u16] {
        &self.values
    }
}

/// The index below `preperiod + period` that stands for `x`.
fn fold_index(x: usize, preperiod: usize, period: usize) -> usize {
    if x < preperiod + period { x } else { preperiod + (x - preperiod) % period }
}

/// Proves rows and keeps those that it has proved.
#[derive(Debug, Default)]
pub struct RowProver {
    rows: HashMap<Vec<u32>, ProvedRow>,
}

impl RowProver {
    /// A prover that knows no row yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Refuses a key whose row cannot be proved, before any work.
    pub fn check(key: &[u32]) -> Result<()> {
        let (Some(&smallest), Some(&largest)) = (key.iter().min(), key.iter().max()) else {
            return Err(Error::Usage(
                "a row needs at least one fixed heap, for example `period minnie-row 4`; without one the values grow for ever".into(),
            ));
        };
        if smallest == 0 {
            return Err(Error::Usage("fixed heaps of a row must be at least 1".into()));
        }
        if (key.len() as u64 + 1) * u64::from(largest) >= VALUES as u64 {
            return Err(Error::Usage(format!(
                "row {}: the number of heaps times the largest fixed heap must be below {VALUES}; with {} give heaps of at most {}",
                show_heaps(key),
                counted(key.len() as u64, "fixed heap"),
                (VALUES - 1) / (key.len() + 1)
            )));
        }
        Ok(())
    }

    /// The row of `key`, with every row that it needs.
    pub fn prove(&mut self, key: &[u32]) -> Result<&ProvedRow> {
        Self::check(key)?;
        let mut key = key.to_vec();
        key.sort_unstable();
        for needed in smaller_keys(&key) {
            if !self.rows.contains_key(&needed) {
                let row = self.run(&needed)?;
                self.rows.insert(needed, row);
            }
        }
        if !self.rows.contains_key(&key) {
            let row = self.run(&key)?;
            self.rows.insert(key.clone(), row);
        }
        Ok(&self.rows[&key])
    }

    /// The value of sorted heaps whose row is known; the one-heap row is `G(x) = x`.
    fn value(&self, heaps: &[u32]) -> u16 {
        let first = heaps.iter().position(|&heap| heap > 0).unwrap_or(heaps.len());
        match heaps[first..].split_last() {
            None => 0,
            Some((&last, [])) => last as u16,
            Some((&last, key)) => self.rows[key].value(u64::from(last)),
        }
    }

    /// Runs the row of `key` until its state recurs. All smaller keys must be known.
    fn run(&self, key: &[u32]) -> Result<ProvedRow> {
        let window = key[0] as usize;
        let largest = key[key.len() - 1];
        let below = self.merged_below(key)?;
        // From here on the smaller rows are periodic and the window holds only values of the recurrence.
        let steady = below.preperiod.max(largest as usize + window);
        let mut run = Run::new(window);
        let mut heaps = Vec::with_capacity(key.len() + 1);
        for x in 0..largest {
            heaps.clear();
            heaps.extend_from_slice(key);
            heaps.push(x);
            heaps.sort_unstable();
            run.push(self.value(&heaps));
        }
        // Windows at steady, steady + q, steady + 2q, ...: the phase is the same, so equal windows are
        // equal states. Brent's way: compare with one saved window whose distance doubles.
        let (mut saved_at, mut lap) = (steady, 1usize);
        loop {
            while run.values.len() < saved_at + lap * below.period {
                let x = run.values.len();
                run.push(run.mex_with(&below.sets[fold_index(x, below.preperiod, below.period)]));
                let length = x + 1;
                let recurs = length > saved_at
                    && (length - saved_at).is_multiple_of(below.period)
                    && run.values[length - window..] == run.values[saved_at - window..saved_at];
                if recurs {
                    return Ok(minimal_row(key, run.values, saved_at - window, length - saved_at));
                }
                if length > MAX_LENGTH {
                    return Err(Error::Undecided(format!(
                        "row {}: no state recurred within {MAX_LENGTH} values; choose smaller fixed heaps",
                        show_heaps(key)
                    )));
                }
            }
            saved_at = run.values.len();
            lap *= 2;
        }
    }

    /// For every `x`, the set of the values of the options that lower a heap of the key.
    fn merged_below(&self, key: &[u32]) -> Result<Below> {
        let mut rows: Vec<&ProvedRow> = Vec::new();
        let mut single_heap = false;
        for option in lowered_keys(key) {
            match self.rows.get(&option) {
                Some(row) => rows.push(row),
                // Only the one-heap row has no entry: the key lost its last heap.
                None => single_heap = true,
            }
        }
        let mut preperiod = if single_heap { VALUES } else { 0 };
        let mut period = 1usize;
        for row in &rows {
            preperiod = preperiod.max(row.preperiod);
            period = lcm(period, row.period).filter(|&p| p <= MAX_LENGTH).ok_or_else(|| {
                Error::Undecided(format!(
                    "row {}: the rows below have too long a common period; choose smaller fixed heaps",
                    show_heaps(key)
                ))
            })?;
        }
        let mut sets = vec![[0u64; VALUES / 64]; preperiod + period];
        for row in rows {
            for (x, set) in sets.iter_mut().enumerate() {
                insert(set, row.value(x as u64));
            }
        }
        if single_heap {
            // G(x) = x of a single heap is below the bound of the mex only for x < VALUES.
            (0..VALUES).for_each(|x| insert(&mut sets[x], x as u16));
        }
        Ok(Below { preperiod, period, sets })
    }
}

/// The merged smaller rows: sets of values, periodic from `preperiod` on.
struct Below {
    preperiod: usize,
    period: usize,
    sets: Vec<ValueSet>,
}

fn insert(set: &mut ValueSet, value: u16) {
    set[value as usize / 64] |= 1 << (value % 64);
}

/// The values so far and the counted set of those in the window.
struct Run {
    window: usize,
    values: Vec<u16>,
    counts: [u16; VALUES],
    present: ValueSet,
}

impl Run {
    fn new(window: usize) -> Self {
        Self { window, values: Vec::new(), counts: [0; VALUES], present: [0; VALUES / 64] }
    }

    fn push(&mut self, value: u16) {
        self.values.push(value);
        self.counts[value as usize] += 1;
        insert(&mut self.present, value);
        if self.values.len() > self.window {
            let gone = self.values[self.values.len() - 1 - self.window];
            self.counts[gone as usize] -= 1;
            if self.counts[gone as usize] == 0 {
                self.present[gone as usize / 64] &= !(1 << (gone % 64));
            }
        }
    }

    /// The mex of the window's values and `others`.
    fn mex_with(&self, others: &ValueSet) -> u16 {
        for (i, (mine, other)) in self.present.iter().zip(others).enumerate() {
            let seen = mine | other;
            if seen != u64::MAX {
                return (i * 64) as u16 + seen.trailing_ones() as u16;
            }
        }
        // The bound k * a1 < 256 on the number of options leaves a value free.
        unreachable!("more values than options")
    }
}

/// The row with its least period and preperiod, given a proved period from `start` on.
fn minimal_row(key: &[u32], mut values: Vec<u16>, start: usize, proved: usize) -> ProvedRow {
    let cycle = &values[start..start + proved];
    // The least period divides every period of a purely periodic sequence.
    let period = (1..=proved)
        .filter(|&d| proved.is_multiple_of(d))
        .find(|&d| (d..proved).all(|i| cycle[i] == cycle[i - d]))
        .unwrap_or(proved);
    let preperiod = (0..start).rev().find(|&x| values[x] != values[x + period]).map_or(0, |x| x + 1);
    values.truncate(preperiod + period);
    let max_value = values.iter().copied().max().unwrap_or(0);
    ProvedRow { key: key.to_vec(), preperiod, period, max_value, values }
}

fn lcm(a: usize, b: usize) -> Option<usize> {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x).checked_mul(b)
}

/// The keys of the options that lower a heap of `key` by at most its smallest heap, absent heaps dropped.
fn lowered_keys(key: &[u32]) -> Vec<Vec<u32>> {
    let mut keys = Vec::new();
    for i in 0..key.len() {
        for taken in 1..=key[0] {
            let mut lowered = key.to_vec();
            lowered[i] -= taken;
            lowered.retain(|&heap| heap > 0);
            lowered.sort_unstable();
            keys.push(lowered);
        }
    }
    keys.sort();
    keys.dedup();
    keys
}

/// Every non-empty key that the row of `key` may ask for: sorted keys, heap by heap no larger (absent heaps
/// dropped), in an order in which each comes after those that it needs itself.
fn smaller_keys(key: &[u32]) -> Vec<Vec<u32>> {
    let mut keys: Vec<Vec<u32>> = vec![vec![]];
    for &bound in key {
        keys = keys
            .iter()
            .flat_map(|start| {
                let least = start.last().copied().unwrap_or(0);
                (least..=bound).map(move |heap| [start.as_slice(), &[heap]].concat())
            })
            .collect();
    }
    for smaller in &mut keys {
        smaller.retain(|&heap| heap > 0);
    }
    keys.retain(|smaller| !smaller.is_empty() && smaller != key);
    // An option of key and x, or a value in the zone x < a(k-1), has a key of smaller sum or fewer heaps.
    keys.sort_by_key(|smaller| (smaller.len(), smaller.iter().sum::<u32>(), smaller.clone()));
    keys.dedup();
    keys
}
