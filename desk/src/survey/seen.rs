//! What is seen of a game without a theorem: its P-positions up to a bound.

use std::collections::HashMap;

use crate::base::{Control, Error, Result};
use crate::game::Game;
use crate::rules::notation::show_heaps;
use crate::rules::{HeapRules, Play};
use crate::space::Space;
use crate::sweep::{HeapJob, check_budget};
use crate::table::{Cells, Quantity};

/// How many P-positions are named.
const NAMED: usize = 8;

/// The most counters of the positions that are looked at where moves split heaps.
const COUNTERS: u32 = 18;

/// The P-positions up to a bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// Which positions were looked at.
    pub bound: String,
    /// How many there are.
    pub positions: u64,
    /// How many of them are P-positions.
    pub p_positions: u64,
    /// The first of them that have a heap, by their counters.
    pub first: Vec<String>,
    /// Equal for games of the same P-positions up to the same bound.
    pub fingerprint: String,
}

impl Seen {
    /// Looks at all positions of at most `heaps` heaps of at most `max` counters; where moves split heaps, at
    /// all positions of a few counters.
    pub fn of(game: &Game, heaps: usize, max: u32, control: &Control<'_>) -> Result<Self> {
        let on_heaps = game.on_heaps()?;
        if on_heaps.splits() {
            return Self::by_search(&*on_heaps.rules(COUNTERS)?, game.play(), control);
        }
        let job = HeapJob::new(game, heaps, max, Quantity::Outcomes)?;
        check_budget(&job, None, control.memory)?;
        let (space, table) = (job.space()?, job.solve(None, control)?);
        let Cells::Bits(bits) = table.cells() else {
            return Err(Error::Usage("a table of outcomes has bits: a bug".into()));
        };
        let mut listed = Listed::new(format!("at most {heaps} heaps of at most {max}"));
        let mut position = Vec::new();
        for index in 0..space.len() {
            space.unrank_into(index, &mut position);
            if on_heaps.has_all_heaps() || on_heaps.is_position(&position) {
                listed.add(&position, bits.get(index));
            }
        }
        Ok(listed.seen())
    }

    fn by_search(rules: &HeapRules, play: Play, control: &Control<'_>) -> Result<Self> {
        let mut known = HashMap::new();
        let mut listed = Listed::new(format!("at most {COUNTERS} counters"));
        for counters in 0..=COUNTERS {
            let mut all = Vec::new();
            partitions(counters, 1, &mut Vec::new(), &mut all);
            for position in all {
                control.check()?;
                let is_p = is_p(&position, rules, play, &mut known);
                listed.add(&position, is_p);
            }
        }
        Ok(listed.seen())
    }

    /// The share of P-positions.
    pub fn density(&self) -> f64 {
        self.p_positions as f64 / self.positions.max(1) as f64
    }
}

/// The positions so far.
struct Listed {
    bound: String,
    positions: u64,
    p_positions: Vec<Vec<u32>>,
    /// One byte per position.
    hash: blake3::Hasher,
}

impl Listed {
    fn new(bound: String) -> Self {
        let mut hash = blake3::Hasher::new();
        hash.update(bound.as_bytes());
        Self { bound, positions: 0, p_positions: Vec::new(), hash }
    }

    fn add(&mut self, position: &[u32], is_p: bool) {
        self.positions += 1;
        // Games with different positions look different.
        let heaps: Vec<u8> = position.iter().flat_map(|heap| heap.to_le_bytes()).collect();
        self.hash.update(&heaps).update(&[u8::from(is_p)]);
        if is_p {
            self.p_positions.push(position.iter().copied().filter(|&heap| heap > 0).collect());
        }
    }

    fn seen(mut self) -> Seen {
        self.p_positions.sort_by_cached_key(|heaps| {
            (heaps.iter().map(|&heap| u64::from(heap)).sum::<u64>(), heaps.clone())
        });
        let named = self.p_positions.iter().filter(|heaps| !heaps.is_empty()).take(NAMED);
        Seen {
            first: named.map(show_heaps).collect(),
            bound: self.bound,
            positions: self.positions,
            p_positions: self.p_positions.len() as u64,
            fingerprint: self.hash.finalize().to_hex()[..16].to_string(),
        }
    }
}

/// The multisets of heaps of at least `least` with so many counters, each behind `begun`.
fn partitions(counters: u32, least: u32, begun: &mut Vec<u32>, all: &mut Vec<Vec<u32>>) {
    if counters == 0 {
        all.push(begun.clone());
    }
    for heap in least..=counters {
        begun.push(heap);
        partitions(counters - heap, heap, begun, all);
        begun.pop();
    }
}

/// Whether sorted heaps without empty ones are a P-position; no move adds counters, so that this ends.
fn is_p(heaps: &[u32], rules: &HeapRules, play: Play, known: &mut HashMap<Vec<u32>, bool>) -> bool {
    if let Some(&is_p) = known.get(heaps) {
        return is_p;
    }
    let mut options: Vec<Vec<u32>> = Vec::new();
    rules.options(heaps, &mut |option| {
        let mut option: Vec<u32> = option.iter().copied().filter(|&heap| heap > 0).collect();
        option.sort_unstable();
        options.push(option);
    });
    let found = match options.is_empty() {
        true => play == Play::Normal,
        false => !options.iter().any(|option| is_p(option, rules, play, known)),
    };
    known.insert(heaps.to_vec(), found);
    found
}
