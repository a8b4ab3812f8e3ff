//! Solvers for boards of many shapes with one cutter.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::parts::Memory;
use super::solver::{Solver, Stats};
use crate::base::{Control, Error, Result};
use crate::rules::{Board, Cutter};

/// One solver for each layout that is needed, so that boards of like shape share their parts.
pub struct Solvers {
    cutter: Cutter,
    memory: Arc<Memory>,
    /// The most that one solver may take of it.
    share: u64,
    /// Where parts are kept between runs.
    folder: Option<PathBuf>,
    solvers: BTreeMap<(usize, usize), Solver>,
}

impl Solvers {
    /// Solvers for one cutter that together take at most about `memory` bytes.
    pub fn new(cutter: Cutter, memory: u64) -> Self {
        let memory_of_all = Arc::new(Memory::new(memory));
        Self { cutter, memory: memory_of_all, share: memory / 4, folder: None, solvers: BTreeMap::new() }
    }

    /// The same, with the parts that [`Self::save`] kept in `folder`, which is made if need be.
    pub fn keeping_parts(self, folder: &Path) -> Result<Self> {
        std::fs::create_dir_all(folder).map_err(Error::io("cannot create", folder))?;
        Ok(Self { folder: Some(folder.to_path_buf()), ..self })
    }

    /// The file for the parts of a layout.
    fn file(&self, (rows, cols): (usize, usize)) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(format!("cutter-{}-{rows}x{cols}.parts", self.cutter)))
    }

    /// Keeps all parts found so far, if there is a folder for them. Returns their number.
    pub fn save(&self) -> Result<u64> {
        let mut parts = 0;
        for (&shape, solver) in &self.solvers {
            if let Some(path) = self.file(shape).filter(|_| solver.visited() > 0) {
                parts += solver.save_parts(&path)?;
            }
        }
        Ok(parts)
    }

    /// The cutter.
    pub fn cutter(&self) -> Cutter {
        self.cutter
    }

    /// The solver for boards of the shape of `rows` x `cols`.
    pub fn solver(&mut self, rows: usize, cols: usize) -> Result<&Solver> {
        let (short, long) = (rows.min(cols), rows.max(cols));
        // Few layouts, so that boards share their parts; but 64 bits if they are enough, otherwise 128 (one
        // of them is spare).
        let layouts =
            [(short.next_power_of_two(), 64), (short, 64), (short.next_power_of_two(), 127), (short, 127)];
        let layout = layouts.into_iter().find(|&(stride, bits)| stride * long <= bits);
        let (stride, longest) = layout.map_or((short, 0), |(stride, bits)| (stride, bits / stride.max(1)));
        if short == 0 || stride > 8 || long > longest {
            // For the error's sake.
            return Err(Solver::new(rows, cols, self.cutter, 0).err().unwrap_or_else(|| {
                Error::Budget(format!("a {rows}x{cols} board is too big for the search by parts"))
            }));
        }
        let turned = rows > cols && !self.cutter.is_square();
        let shape = if turned { (longest, stride) } else { (stride, longest) };
        if !self.solvers.contains_key(&shape) {
            // Layouts that come early leave something to those that come later.
            let memory = Memory::out_of(&self.memory, self.share);
            let solver = Solver::within(shape.0, shape.1, self.cutter, memory)?;
            if let Some(path) = self.file(shape).filter(|path| path.exists()) {
                solver.load_parts(&path)?;
            }
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
    pub fn value(&mut self, board: &Board, threads: usize, control: &Control<'_>) -> Result<Option<u8>> {
        let board = self.laid(board);
        self.solver(board.rows(), board.cols())?.value(&board, threads, control)
    }

    /// Whether `board` has this value; `None` if the search was stopped.
    pub fn has_value(
        &mut self,
        board: &Board,
        value: u8,
        threads: usize,
        control: &Control<'_>,
    ) -> Result<Option<bool>> {
        let board = self.laid(board);
        self.solver(board.rows(), board.cols())?.has_value(&board, value, threads, control)
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
