//! Dense tables of cookie boards: from the rules to a finished table.

use std::collections::BTreeMap;
use std::path::Path;

use rayon::prelude::*;
use serde_json::Value;

use super::heaps::KernelChoice;
use super::job::{Filled, Job, solve};
use super::kernel::{CookieScalar, CookieVectors, Generic, Kernel};
use super::run::run;
use crate::base::{Control, Isa, Result};
use crate::game::Game;
use crate::rules::{Cookie, Cutter, Play};
use crate::space::{Grid, Space};
use crate::table::{Cells, IndexScheme, Quantity, Spec, Table, ValueCell, Width};
use crate::waves::{HighBlock, HighSquares, Waves};

/// The values of all subsets of a grid, to be filled.
#[derive(Debug, Clone, Copy)]
pub struct CookieJob {
    /// Rows of the grid.
    pub rows: usize,
    /// Columns of the grid.
    pub cols: usize,
    /// The cutter.
    pub cutter: Cutter,
    /// The kernel.
    pub kernel: KernelChoice,
}

impl CookieJob {
    /// The space of the table.
    pub fn space(&self) -> Result<Grid> {
        Grid::new(self.rows, self.cols)
    }

    /// The kernel of this job: by vectors, by the plain loop over placements, or by the rules.
    pub fn kernel<'a>(
        &self,
        rules: &'a Cookie,
        grid: &'a Grid,
        waves: &'a HighSquares,
    ) -> Box<dyn Kernel<HighBlock> + 'a> {
        let vectors = match self.kernel {
            KernelChoice::Fastest => CookieVectors::new(grid, self.cutter, Isa::detect()),
            KernelChoice::Portable => None,
            KernelChoice::Generic => return Box::new(Generic::new(rules, Play::Normal, grid, waves)),
        };
        match vectors {
            Some(kernel) => Box::new(kernel),
            None => Box::new(CookieScalar::new(grid, self.cutter)),
        }
    }

    /// Fills the table, in memory or in the folder `out`, or resumes where an earlier run stopped.
    pub fn solve(&self, out: Option<&Path>, control: &Control<'_>) -> Result<Table> {
        solve(self, out, control)
    }
}

impl Job for CookieJob {
    fn game(&self) -> Game {
        Game::cookie(self.cutter)
    }

    fn spec(&self) -> Result<Spec> {
        let (grid, game) = (self.space()?, self.game());
        let mut parameters = game.parameters().clone();
        parameters.insert("rows".into(), self.rows.into());
        parameters.insert("cols".into(), self.cols.into());
        Ok(Spec {
            game: game.name().into(),
            parameters,
            quantity: Quantity::Values,
            index: IndexScheme::grid(),
            entries: grid.len(),
            waves: HighSquares::new(grid.squares() as u32).count(),
        })
    }

    /// A byte is enough: the value of n squares is at most n (Lemma 5.0.4), and n is at most 62.
    fn width(&self) -> Width {
        Width::U8
    }

    fn remedy(&self, allowed: u64) -> String {
        format!(
            "boards of at most {} squares fit; give --out DIR to keep the table in a file, or leave --dense out to solve this one board",
            allowed.max(1).ilog2()
        )
    }

    /// From the time of a small table with the same cutter: each position looks at every placement.
    fn estimate_seconds(&self) -> Result<Option<f64>> {
        // A fifth of a second: less is mostly the start of the threads.
        const SMALL: usize = 25;
        let mut small = *self;
        while small.rows * small.cols > SMALL {
            let side = if small.rows > small.cols { &mut small.rows } else { &mut small.cols };
            *side -= 1;
        }
        if (small.rows, small.cols) == (self.rows, self.cols) {
            return Ok(None);
        }
        let work = |job: &Self| {
            let places = |lines: usize, side: u32| (lines + lines.min(side as usize) - 1) as f64;
            let placements = places(job.rows, job.cutter.rows) * places(job.cols, job.cutter.cols);
            placements * ((job.rows * job.cols) as f64).exp2()
        };
        let seconds = small.solve(None, &Control::silent())?.manifest().seconds;
        Ok(Some(seconds * work(self) / work(&small)))
    }

    fn fill(&self, table: &mut Table, control: &Control<'_>) -> Result<Filled> {
        let (grid, rules) = (self.space()?, Cookie { cutter: self.cutter });
        let waves = HighSquares::new(grid.squares() as u32);
        let seconds = run(table, &waves, &*self.kernel(&rules, &grid, &waves), control)?;
        Ok(Filled { seconds, results: results(&table.cells()) })
    }
}

/// The facts that go into the manifest: the value of the full board, P-positions (the empty board counted),
/// the histogram of values, the largest value and a smallest board that has it.
fn results(cells: &Cells<'_>) -> BTreeMap<String, Value> {
    match cells {
        Cells::U8(cells) => value_results(cells),
        Cells::U16(cells) => value_results(cells),
        Cells::Bits(bits) => BTreeMap::from([("p_positions".into(), bits.count_ones(0..bits.len()).into())]),
    }
}

fn value_results<C: ValueCell>(cells: &[C]) -> BTreeMap<String, Value> {
    const CHUNK: usize = 1 << 20;
    let histograms: Vec<[u64; VALUES]> = cells.par_chunks(CHUNK).map(histogram).collect();
    let mut histogram = vec![0u64; VALUES];
    histograms.iter().for_each(|part| histogram.iter_mut().zip(part).for_each(|(sum, count)| *sum += count));
    let max = histogram.iter().rposition(|&count| count > 0).unwrap_or(0);
    histogram.truncate(max + 1);
    // Few chunks have the largest value.
    let largest = (cells.par_chunks(CHUNK).zip(&histograms).enumerate())
        .filter(|(_, (_, histogram))| histogram[max] > 0)
        .flat_map_iter(|(chunk, (cells, _))| {
            let there = cells.iter().enumerate().filter(move |(_, cell)| usize::from(cell.get()) == max);
            there.map(move |(index, _)| chunk * CHUNK + index)
        })
        .min_by_key(|&index| (index.count_ones(), index));
    BTreeMap::from([
        ("value".into(), cells.last().map_or(0, ValueCell::get).into()),
        ("p_positions".into(), histogram[0].into()),
        ("max_value".into(), max.into()),
        ("max_at".into(), largest.into()),
        ("histogram".into(), histogram.into()),
    ])
}

/// The values that a byte can have; more are not needed, see the width of a [`CookieJob`].
const VALUES: usize = 1 << u8::BITS;

/// How many entries have each value. Several counts for each, used in turns: many neighbours have the same
/// value, and each would wait for the count of the one before.
fn histogram<C: ValueCell>(cells: &[C]) -> [u64; VALUES] {
    const TURNS: usize = 8;
    let mut counts = [[0u64; VALUES]; TURNS];
    for run in cells.chunks(TURNS) {
        for (cell, counts) in run.iter().zip(&mut counts) {
            counts[usize::from(cell.get())] += 1;
        }
    }
    std::array::from_fn(|value| counts.iter().map(|counts| counts[value]).sum())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::rules::{Board, Cookie, Rules};

    fn values(job: CookieJob) -> Vec<u16> {
        let table = job.solve(None, &Control::silent()).unwrap();
        match table.cells() {
            Cells::U8(cells) => cells.iter().map(ValueCell::get).collect(),
            _ => panic!("a table of bytes"),
        }
    }

    fn job(rows: usize, cols: usize, cutter: &str, kernel: KernelChoice) -> CookieJob {
        CookieJob { rows, cols, cutter: cutter.parse().unwrap(), kernel }
    }

    /// The definition, from the rules alone.
    fn by_the_rules(rows: usize, cols: usize, cutter: &str) -> Vec<u16> {
        let grid = Grid::new(rows, cols).unwrap();
        let rules = Cookie { cutter: cutter.parse().unwrap() };
        let mut values: Vec<u16> = Vec::new();
        let mut board = Board::empty(rows, cols).unwrap();
        for index in 0..grid.len() {
            grid.unrank_into(index, &mut board);
            let mut seen = 0u64;
            rules.options(&board, &mut |option| seen |= 1 << values[grid.rank(option) as usize]);
            values.push(seen.trailing_ones() as u16);
        }
        values
    }

    #[test]
    fn every_kernel_agrees_with_the_rules() {
        for (rows, cols, cutter) in [
            (1, 1, "1"),
            (1, 13, "2"),
            (2, 2, "2"),
            (2, 6, "inf"),
            (3, 4, "2"),
            (3, 4, "1x2"),
            (4, 3, "3"),
            (2, 7, "3x2"),
        ] {
            let expected = by_the_rules(rows, cols, cutter);
            for kernel in [KernelChoice::Fastest, KernelChoice::Portable, KernelChoice::Generic] {
                assert_eq!(
                    values(job(rows, cols, cutter, kernel)),
                    expected,
                    "{rows}x{cols} {cutter} {kernel:?}"
                );
            }
        }
    }

    #[test]
    fn kernels_agree_on_larger_boards_and_large_values() {
        for (rows, cols, cutter) in [(4, 4, "2"), (3, 6, "3"), (1, 18, "inf"), (2, 9, "inf"), (6, 3, "2x1")] {
            let expected = values(job(rows, cols, cutter, KernelChoice::Generic));
            for kernel in [KernelChoice::Fastest, KernelChoice::Portable] {
                assert_eq!(
                    values(job(rows, cols, cutter, kernel)),
                    expected,
                    "{rows}x{cols} {cutter} {kernel:?}"
                );
            }
        }
    }

    #[test]
    fn facts_of_the_whole_space() {
        let table = job(1, 18, "inf", KernelChoice::Fastest).solve(None, &Control::silent()).unwrap();
        let results = &table.manifest().results;
        assert_eq!(results["value"], 18);
        assert_eq!(results["max_value"], 18);
        assert_eq!(results["max_at"], (1 << 18) - 1);
        // Squares in a row with an unbounded cutter are a nim heap.
        assert_eq!(results["p_positions"], 1);
        assert_eq!(results["histogram"][9], 48620);
    }

    /// The vectors hold the values below 24 only.
    #[test]
    fn values_beyond_the_vectors_are_right() {
        let table = job(1, 25, "inf", KernelChoice::Fastest).solve(None, &Control::silent()).unwrap();
        let Cells::U8(cells) = table.cells() else { panic!("a table of bytes") };
        assert!(cells.iter().enumerate().all(|(board, cell)| u32::from(cell.get()) == board.count_ones()));
    }

    #[test]
    fn an_interrupted_table_resumes_to_the_same_bytes() {
        struct StopAt<'a>(u64, &'a AtomicBool);
        impl crate::base::Observer for StopAt<'_> {
            fn begin(&self, _: u64, _: u64, _: u64) {}
            fn wave(&self, done: u64, _: u64) {
                self.1.store(done >= self.0, std::sync::atomic::Ordering::Relaxed);
            }
            fn checkpoint(&self, _: u64) {}
        }
        let job = job(4, 4, "2", KernelChoice::Fastest);
        let whole = job.solve(None, &Control::silent()).unwrap();
        let blake3 = |table: &Table| table.manifest().checksums.clone().unwrap().blake3;
        for wave in 1..4 {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("table");
            let stop = AtomicBool::new(false);
            let observer = StopAt(wave, &stop);
            let control = Control { stop: &stop, observer: &observer, ..Control::silent() };
            assert!(job.solve(Some(&path), &control).is_err());
            let table = job.solve(Some(&path), &Control::silent()).unwrap();
            assert_eq!(blake3(&table), blake3(&whole));
        }
    }
}
