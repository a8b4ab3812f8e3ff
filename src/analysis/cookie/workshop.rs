//! Solvers for boards of many shapes with one cutter.

use std::collections::BTreeMap;

use super::solver::{Solver, Stats, Stop};
use crate::error::{Error, Result};
use crate::rules::{Board, Cutter};

/// One solver for each layout that is needed, so that boards of like shape share their parts.
pub struct Workshop {
    cutter: Cutter,
    memory: u64,
    solvers: BTreeMap<(usize, usize), Solver>,
}

impl Workshop {
    /// Solvers for one cutter that together take at most about `memory` bytes.
    pub fn new(cutter: Cutter, memory: u64) -> Self {
        Self { cutter, memory, solvers: BTreeMap::new() }
    }

    /// The cutter.
    pub fn cutter(&self) -> Cutter {
        self.cutter
    }

    /// The solver for boards of the shape of `rows` x `cols`.
    pub fn solver(&mut self, rows: usize, cols: usize) -> Result<&Solver> {
        let (short, long) = (rows.min(cols), rows.max(cols));
        let stride = short.next_power_of_two();
        // The largest board of the same layout: 64 bits if they are enough, otherwise 128 (one of them is spare).
        let longest = if stride * long <= 64 { 64 / stride.max(1) } else { 127 / stride.max(1) };
        if short == 0 || stride > 8 || long > longest {
            // For the error's sake.
            return Err(Solver::new(rows, cols, self.cutter, 0).err().unwrap_or_else(|| {
                Error::Budget(format!("a {rows}x{cols} board is too big for the search by parts"))
            }));
        }
        let turned = rows > cols && !self.cutter.is_square();
        let shape = if turned { (longest, stride) } else { (stride, longest) };
        if !self.solvers.contains_key(&shape) {
            // A layout that comes later gets an equal share; there are eight at most, and small ones stay small.
            let solver = Solver::new(shape.0, shape.1, self.cutter, self.memory / 4)?;
            self.solvers.insert(shape, solver);
        }
        Ok(&self.solvers[&shape])
    }

    /// Turns a board to the side on which its solver wants it. Only square cutters allow that.
    fn laid(&self, board: &Board) -> Board {
        if board.rows() > board.cols() && self.cutter.is_square() {
            board.transposed()
        } else {
            board.clone()
        }
    }

    /// The value of `board`; `None` if the search was stopped.
    pub fn value(&mut self, board: &Board, threads: usize, stop: &Stop<'_>) -> Result<Option<u8>> {
        let board = self.laid(board);
        self.solver(board.rows(), board.cols())?.value(&board, threads, stop)
    }

    /// Whether `board` has this value; `None` if the search was stopped.
    pub fn has_value(
        &mut self,
        board: &Board,
        value: u8,
        threads: usize,
        stop: &Stop<'_>,
    ) -> Result<Option<bool>> {
        let board = self.laid(board);
        self.solver(board.rows(), board.cols())?.has_value(&board, value, threads, stop)
    }

    /// What all solvers have done so far.
    pub fn stats(&self) -> Stats {
        self.solvers.values().map(Solver::stats).fold(Stats::default(), |a, b| Stats {
            visited: a.visited + b.visited,
            parts: a.parts + b.parts,
            solved: a.solved + b.solved,
            bytes: a.bytes + b.bytes,
            evicted: a.evicted + b.evicted,
        })
    }
}
