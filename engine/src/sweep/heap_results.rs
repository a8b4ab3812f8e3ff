//! The facts of a finished table on sorted heaps that go into its manifest.

use std::collections::BTreeMap;
use std::ops::Range;

use rayon::prelude::*;
use serde_json::Value;

use crate::game::HeapGame;
use crate::space::{SortedHeaps, Space};
use crate::table::{Cells, ValueCell};

/// Counted over the entries that are positions.
#[derive(Default, Clone, Copy)]
struct Counts {
    positions: u64,
    p: u64,
    /// P-positions without an absent heap.
    p_full: u64,
    max: u16,
    sum: u64,
}

impl Counts {
    fn and(self, other: Self) -> Self {
        Self {
            positions: self.positions + other.positions,
            p: self.p + other.p,
            p_full: self.p_full + other.p_full,
            max: self.max.max(other.max),
            sum: self.sum + other.sum,
        }
    }
}

/// The facts that go into the manifest: `positions` is the number of entries that are positions of the game;
/// `p_positions` counts the P-positions with all heaps non-empty and `all_p_positions` those with absent
/// heaps too; `max_value` and `value_sum` are over all positions.
pub fn count_results(cells: &Cells<'_>, space: &SortedHeaps, game: &HeapGame) -> BTreeMap<String, Value> {
    // The positions without an absent heap are the last ones: a1 >= 1.
    let full = space.first_full();
    let of = |run: Range<u64>| match cells {
        Cells::Bits(bits) => {
            let middle = full.clamp(run.start, run.end);
            let p_full = bits.count_ones(middle..run.end);
            let p = p_full + bits.count_ones(run.start..middle);
            Counts { positions: run.end - run.start, p, p_full, ..Counts::default() }
        }
        Cells::U8(cells) => values(cells, run, full),
        Cells::U16(cells) => values(cells, run, full),
    };
    const CHUNK: u64 = 1 << 20;
    let len = cells.len();
    let by_chunks = |count: &(dyn Fn(Range<u64>) -> Counts + Sync)| {
        let chunks = (0..len.div_ceil(CHUNK)).into_par_iter();
        chunks.map(|i| count(i * CHUNK..len.min((i + 1) * CHUNK))).reduce(Counts::default, Counts::and)
    };
    let counts = if game.has_all_heaps() {
        by_chunks(&of)
    } else if game.distinct {
        let mut counts = Counts::default();
        for_each_run_of_different_heaps(space, len, |run| counts = counts.and(of(run)));
        counts
    } else {
        by_chunks(&|chunk| {
            let mut heaps = Vec::new();
            let mut is_position = |index: &u64| {
                space.unrank_into(*index, &mut heaps);
                game.is_position(&heaps)
            };
            let positions = chunk.filter(|index| is_position(index));
            positions.fold(Counts::default(), |counts, index| counts.and(of(index..index + 1)))
        })
    };
    let mut facts = BTreeMap::from([
        ("positions".into(), counts.positions.into()),
        ("p_positions".into(), counts.p_full.into()),
        ("all_p_positions".into(), counts.p.into()),
    ]);
    if !matches!(cells, Cells::Bits(_)) {
        facts.insert("max_value".into(), counts.max.into());
        facts.insert("value_sum".into(), counts.sum.into());
    }
    facts
}

fn values<C: ValueCell>(cells: &[C], run: Range<u64>, full: u64) -> Counts {
    let mut counts = Counts { positions: run.end - run.start, ..Counts::default() };
    for (cell, index) in cells[run.start as usize..run.end as usize].iter().zip(run.start..) {
        let value = cell.get();
        counts.max = counts.max.max(value);
        counts.sum += u64::from(value);
        counts.p += u64::from(value == 0);
        counts.p_full += u64::from(value == 0 && index >= full);
    }
    counts
}

/// Calls `visit` with the entries below `end` whose non-empty heaps are all different, row by row: a row
/// whose key is different heaps begins with the one entry that repeats the key's largest heap.
fn for_each_run_of_different_heaps(space: &SortedHeaps, end: u64, mut visit: impl FnMut(Range<u64>)) {
    space.for_each_key(|key| {
        let first = space.row_first(key);
        let in_shard = key.is_empty() || space.key_last().contains(&first);
        if in_shard && key.windows(2).all(|pair| pair[0] == 0 || pair[0] < pair[1]) {
            let start = space.row_start(key);
            let row = start + u64::from(first > 0)..start + u64::from(space.max() - first) + 1;
            visit(row.start.min(end)..row.end.min(end));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Control;
    use crate::game::{Game, Parameters};
    use crate::sweep::HeapJob;
    use crate::table::Quantity;

    #[test]
    fn entries_that_are_not_positions_are_not_counted() {
        let odd =
            Parameters::from([("rule".into(), "take s from one heap, positions where sum is even".into())]);
        for (name, parameters) in [
            ("mine", Parameters::new()),
            ("nimtb", Parameters::new()),
            ("minnie", Parameters::new()),
            ("rule", odd),
        ] {
            let game = Game::new(name, &parameters).unwrap();
            for (heaps, max, quantity) in [
                (1, 9, Quantity::Outcomes),
                (2, 70, Quantity::Values),
                (3, 30, Quantity::Outcomes),
                (3, 13, Quantity::Values),
                (4, 9, Quantity::Outcomes),
            ] {
                let job = HeapJob::new(&game, heaps, max, quantity).unwrap();
                let table = job.solve(None, &Control::silent()).unwrap();
                let (space, cells) = (job.space().unwrap(), table.cells());
                let mut expected = Counts::default();
                let mut position = Vec::new();
                for index in 0..space.len() {
                    space.unrank_into(index, &mut position);
                    if game.on_heaps().unwrap().is_position(&position) {
                        expected.positions += 1;
                        expected.p += u64::from(cells.is_p(index));
                        expected.p_full += u64::from(cells.is_p(index) && position[0] > 0);
                        expected.max = expected.max.max(cells.get(index));
                        expected.sum += u64::from(cells.get(index));
                    }
                }
                let results = &table.manifest().results;
                let what = format!("{name}, {heaps} heaps to {max}");
                assert_eq!(results["positions"], expected.positions, "{what}");
                assert_eq!(results["p_positions"], expected.p_full, "{what}");
                assert_eq!(results["all_p_positions"], expected.p, "{what}");
                if quantity == Quantity::Values {
                    assert_eq!(results["max_value"], expected.max, "{what}");
                    assert_eq!(results["value_sum"], expected.sum, "{what}");
                }
            }
        }
        let mine = Game::named("mine").unwrap();
        let job = HeapJob::new(&mine, 3, 30, Quantity::Outcomes).unwrap();
        let table = job.solve(None, &Control::silent()).unwrap();
        assert_eq!(
            table.manifest().results["p_positions"],
            370,
            "764 entries are P, most of them no positions"
        );
    }
}
