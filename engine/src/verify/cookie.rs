//! The independent check of a dense table of cookie boards.

use std::sync::OnceLock;

use rayon::prelude::*;

use super::sample::finished_at_random;
use super::{Checker, Entries, Failure, Share};
use crate::base::Control;
use crate::rules::{Board, Cookie, Cutter, Rules};
use crate::space::{Grid, Space};
use crate::table::Finished;

/// A dense table of cookie boards.
pub(super) struct Boards<'a> {
    pub entries: Entries<'a>,
    pub grid: Grid,
    pub rules: Cookie,
    /// Says which boards are finished, where not all are.
    pub finished: Option<&'a Finished>,
}

impl Checker for Boards<'_> {
    fn full(&self, control: &Control<'_>, _: Share) -> (&'static str, Option<Failure>) {
        let failure = all(self, control);
        ("checksums; every value is the mex of its options' values", failure)
    }

    fn sample(&self, count: u64, control: &Control<'_>, _: Share) -> (&'static str, Option<Failure>) {
        let failure = sample(self, count, control);
        ("checksums; entries at random against the rules", failure)
    }
}

/// Checks every entry: no option may have its value, and every smaller value must be that of an option.
fn all(boards: &Boards<'_>, control: &Control<'_>) -> Option<Failure> {
    let Boards { entries, grid, rules: Cookie { cutter }, finished } = boards;
    let cutter = *cutter;
    const CHUNK: u64 = 1 << 14;
    // The squares that a placement takes from the full board; what it takes from another board are those that
    // are there.
    let full = Board::full(grid.rows(), grid.cols()).ok()?;
    let mut taken = Vec::new();
    Cookie { cutter }.options(&full, &mut |left| taken.push((grid.len() - 1) & !grid.rank(left)));
    let failure = OnceLock::new();
    (0..entries.len.div_ceil(CHUNK)).into_par_iter().for_each(|chunk| {
        if control.stopped() || failure.get().is_some() {
            return;
        }
        let range = chunk * CHUNK..entries.len.min((chunk + 1) * CHUNK);
        control.worked(range.end - range.start);
        for index in range.filter(|&index| finished.is_none_or(|finished| finished.holds(index))) {
            let value = entries.value(index);
            let (mut same, mut smaller) = (false, 0u64);
            for &squares in &taken {
                if index & squares != 0 {
                    let option = entries.value(index & !squares);
                    same |= option == value;
                    smaller |= if option < value.min(64) { 1 << option } else { 0 };
                }
            }
            // A value above the number of squares is wrong whatever the options are.
            if same || value > 62 || u32::from(value) > smaller.count_ones() {
                let found = check(entries, grid, cutter, index);
                let _ =
                    failure.set(found.unwrap_or_else(|| format!("entry {index} fails the check of values")));
                return;
            }
        }
    });
    failure.into_inner()
}

/// Checks `count` entries taken at random.
fn sample(boards: &Boards<'_>, count: u64, control: &Control<'_>) -> Option<Failure> {
    let Boards { entries, grid, rules, finished } = boards;
    finished_at_random(*finished, entries.len, count).find_map(|index| {
        if control.stopped() {
            return None;
        }
        control.worked(1);
        check(entries, grid, rules.cutter, index)
    })
}

/// Checks one entry by the rules.
fn check(entries: &Entries<'_>, grid: &Grid, cutter: Cutter, index: u64) -> Option<Failure> {
    let mut board = Board::empty(grid.rows(), grid.cols()).ok()?;
    grid.unrank_into(index, &mut board);
    let mut seen = Vec::new();
    Cookie { cutter }.options(&board, &mut |option| seen.push(entries.value(grid.rank(option))));
    let expected = (0u16..).find(|value| !seen.contains(value)).unwrap_or(u16::MAX);
    let found = entries.value(index);
    (found != expected).then(|| {
        let picture = board.to_string().replace('\n', "/");
        format!("board {picture} (entry {index}) has the value {found}, but the mex of its options' values is {expected}")
    })
}
