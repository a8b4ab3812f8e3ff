//! Conjecture 6.3.1: if the 1 x n board has value 0, so has every i x n board, with the same k x k cutter.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::base::{Control, Error, Result, mex};
use crate::rules::{Board, Cutter};
use crate::search::cookie::Solvers;

/// A test of the conjecture.
#[derive(Debug, Clone)]
pub struct ZeroRows {
    /// The cutters 1..=k.
    pub largest_cutter: u32,
    /// Boards of at most this many squares.
    pub squares: usize,
    /// Threads.
    pub threads: usize,
    /// Memory for solved parts.
    pub memory: u64,
    /// A folder that keeps solved parts for the next run.
    pub parts: Option<PathBuf>,
}

/// A board of the conjecture that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ZeroBoard {
    /// The cutter's size.
    pub k: u32,
    /// Columns; the 1 x n board has value 0.
    pub n: usize,
    /// Rows.
    pub rows: usize,
}

/// A board that refutes the conjecture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Counterexample {
    /// The cutter's size.
    pub k: u32,
    /// Columns; the 1 x n board has value 0.
    pub n: usize,
    /// Rows.
    pub rows: usize,
    /// The value, if the time was enough to find it; it is not 0.
    pub value: Option<u8>,
    /// A move to a board of value 0, if the time was enough to find it.
    pub winning_move: Option<WinningMove>,
}

/// A move, to be checked by hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WinningMove {
    /// The row on which the cutter's first corner is laid, from 0; negative above the board.
    pub top: i64,
    /// Its column.
    pub left: i64,
    /// The board that is left.
    pub leaves: String,
}

/// What a test found.
#[derive(Debug, Clone, Serialize)]
pub struct ZeroReport {
    /// Boards whose value was decided by search.
    pub checked: usize,
    /// Boards that Theorem 5.3.1 settles, because a side is k + 1; they are not searched.
    pub by_theorem: usize,
    /// The boards that were found to have value 0.
    pub zeros: Vec<ZeroBoard>,
    /// Boards within the bounds that the time was not enough for.
    pub open: Vec<ZeroBoard>,
    /// Boards that refute the conjecture, the smallest first.
    pub counterexamples: Vec<Counterexample>,
    /// The time it took.
    pub seconds: f64,
}

/// The values of the rows 1 x 0, 1 x 1, ..., 1 x `longest` for a k x k cutter: the octal game 0.33...37
/// (Lemma 5.1.2).
pub fn row_values(k: usize, longest: usize) -> Vec<u32> {
    let mut values: Vec<u32> = Vec::new();
    for n in 0..=longest {
        let shorter = (1..=k.min(n)).map(|taken| values[n - taken]);
        let split = n.checked_sub(k).into_iter().flat_map(|rest| {
            let values = &values;
            (0..=rest).map(move |left| values[left] ^ values[rest - left])
        });
        values.push(mex(shorter.chain(split)));
    }
    values
}

impl ZeroRows {
    /// Boards of the conjecture within the bounds, the smallest first, and how many Theorem 5.3.1 settles.
    fn boards(&self) -> (Vec<ZeroBoard>, usize) {
        let (mut boards, mut by_theorem) = (Vec::new(), 0);
        for k in 1..=self.largest_cutter {
            let values = row_values(k as usize, self.squares / 2);
            for n in (1..values.len()).filter(|&n| values[n] == 0) {
                for rows in 2..=self.squares / n {
                    if n == k as usize + 1 || rows == k as usize + 1 {
                        by_theorem += 1;
                    } else {
                        boards.push(ZeroBoard { k, n, rows });
                    }
                }
            }
        }
        boards.sort_by_key(|board| (board.n * board.rows, board.k, board.rows));
        (boards, by_theorem)
    }

    /// Runs the test. `found` is told every board that was decided, with the answer.
    pub fn run(&self, control: &Control<'_>, found: &mut dyn FnMut(&ZeroBoard, bool)) -> Result<ZeroReport> {
        if self.largest_cutter == 0 || self.squares < 2 || self.squares > 127 {
            return Err(Error::Usage(
                "the probe needs cutters of at least 1 and boards of 2 to 127 squares".into(),
            ));
        }
        let started = Instant::now();
        let (mut boards, by_theorem) = self.boards();
        let mut by_cutter = Vec::new();
        for k in 1..=self.largest_cutter {
            let solvers = Solvers::new(Cutter::square(k)?, self.memory / u64::from(self.largest_cutter));
            by_cutter.push(match &self.parts {
                Some(folder) => solvers.keeping_parts(folder)?,
                None => solvers,
            });
        }
        boards.retain(|board| by_cutter[board.k as usize - 1].solver(board.rows, board.n).is_ok());
        let (mut zeros, mut counterexamples) = (Vec::new(), Vec::<Counterexample>::new());
        let mut slice = Duration::from_secs(2);
        let is_open = |found: &Counterexample| found.value.is_none() || found.winning_move.is_none();
        while (!boards.is_empty() || counterexamples.iter().any(is_open)) && !control.stopped() {
            // One board after the other gets a slice of the time, and so does the rest of what is to be said
            // of a counterexample.
            let limits = || control.with_time(Some(slice));
            let mut open = Vec::new();
            for board in boards {
                let solvers = &mut by_cutter[board.k as usize - 1];
                let full = Board::full(board.rows, board.n)?;
                let answer = solvers.has_value(&full, 0, self.threads, &limits())?;
                if let Some(is_zero) = answer {
                    found(&board, is_zero);
                }
                match answer {
                    None => open.push(board),
                    Some(true) => zeros.push(board),
                    Some(false) => counterexamples.push(explain(solvers, &board, self.threads, &limits())?),
                }
            }
            for found in counterexamples.iter_mut().filter(|found| is_open(found)) {
                let board = ZeroBoard { k: found.k, n: found.n, rows: found.rows };
                *found = explain(&mut by_cutter[found.k as usize - 1], &board, self.threads, &limits())?;
            }
            boards = open;
            slice *= 4;
        }
        for solvers in &by_cutter {
            solvers.save()?;
        }
        counterexamples.sort_by_key(|found| (found.n * found.rows, found.k));
        Ok(ZeroReport {
            checked: zeros.len() + counterexamples.len(),
            by_theorem,
            zeros,
            open: boards,
            counterexamples,
            seconds: started.elapsed().as_secs_f64(),
        })
    }
}

/// The value of a board that is not 0, and the first winning move.
fn explain(
    solvers: &mut Solvers,
    board: &ZeroBoard,
    threads: usize,
    control: &Control<'_>,
) -> Result<Counterexample> {
    let cutter = solvers.cutter();
    let full = Board::full(board.rows, board.n)?;
    let mut winning_move = None;
    for ((top, left), option) in (crate::rules::Cookie { cutter }).distinct_options(&full) {
        // Without time left, a few questions are asked of each option all the same: often one is known to
        // have value 0.
        let is_zero = solvers.has_value(&option, 0, threads, control)?;
        if is_zero == Some(true) {
            winning_move = Some(WinningMove { top, left, leaves: option.to_string() });
        }
        if winning_move.is_some() || control.stop.load(Ordering::Relaxed) {
            break;
        }
    }
    let value = solvers.value(&full, threads, control)?;
    Ok(Counterexample { k: board.k, n: board.n, rows: board.rows, value, winning_move })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_the_octal_game() {
        // Table 5.2, and Theorem 5.1.4 for odd k.
        assert_eq!(row_values(2, 11), [0, 1, 2, 0, 1, 2, 3, 1, 2, 3, 4, 0]);
        for k in [1, 3, 5, 7] {
            let expected: Vec<u32> = (0..=60).map(|n| (n % (k + 1)) as u32).collect();
            assert_eq!(row_values(k, 60), expected);
        }
    }

    #[test]
    fn small_boards_of_the_conjecture_are_zero() {
        let probe = ZeroRows { largest_cutter: 5, squares: 24, threads: 2, memory: 1 << 28, parts: None };
        let report = probe.run(&Control::silent(), &mut |_, _| ()).unwrap();
        assert_eq!(report.counterexamples, []);
        assert!(report.open.is_empty());
        assert!(report.zeros.contains(&ZeroBoard { k: 2, n: 11, rows: 2 }));
        assert!(report.by_theorem > 0);
    }

    #[test]
    fn a_winning_move_to_known_parts_takes_no_time() {
        let mut solvers = Solvers::new(Cutter::square(2).unwrap(), 1 << 26);
        for cols in [7, 10] {
            let half = Board::full(2, cols).unwrap();
            assert_eq!(solvers.value(&half, 1, &Control::silent()).unwrap(), Some(4));
        }
        let board = ZeroBoard { k: 2, n: 19, rows: 2 };
        let late = Control::silent().with_time(Some(Duration::ZERO));
        let found = explain(&mut solvers, &board, 1, &late).unwrap();
        assert_eq!(found.value, None);
        assert_eq!(found.winning_move.unwrap().leaves, "#######..##########\n#######..##########");
    }

    #[test]
    fn the_parts_of_one_run_serve_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let parts = folder.path().join("parts");
        let probe = ZeroRows {
            largest_cutter: 2,
            squares: 22,
            threads: 1,
            memory: 1 << 26,
            parts: Some(parts.clone()),
        };
        let first = probe.run(&Control::silent(), &mut |_, _| ()).unwrap();
        let solvers = || Solvers::new(Cutter::square(2).unwrap(), 1 << 26);
        let work = |mut solvers: Solvers| {
            let answer = solvers.has_value(&Board::full(2, 11).unwrap(), 0, 1, &Control::silent()).unwrap();
            (answer, solvers.stats().visited)
        };
        assert_eq!(work(solvers().keeping_parts(&parts).unwrap()), (Some(true), 0));
        assert!(work(solvers()).1 > 0);
        assert_eq!(probe.run(&Control::silent(), &mut |_, _| ()).unwrap().zeros, first.zeros);
    }
}
