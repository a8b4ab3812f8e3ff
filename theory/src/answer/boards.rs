//! Boards of cookie cutter: value, outcome and winning placements, from a dense table or from the search by
//! parts.

use super::{Answer, Source};
use crate::base::machine::available_memory;
use crate::base::{Control, Error, Result};
use crate::rules::{Board, Cookie};
use crate::search::cookie::Solver;
use crate::space::{Grid, Space};
use crate::table::Reader;

/// What is known of a board. A winning move is the placement of the cutter: top row and left column, counted
/// from 0, negative where it hangs over; one for each distinct board that is left.
pub type BoardAnswer = Answer<Board, (i64, i64)>;

/// The answer about a board: from a dense table if one is given, otherwise from a search.
pub fn ask_board(
    rules: Cookie,
    board: &Board,
    table: Option<&Reader>,
    control: &Control<'_>,
) -> Result<BoardAnswer> {
    let boards = Boards::new(rules, board, table, control)?;
    let value = boards.value(board)?;
    let winning = if value == 0 { Vec::new() } else { boards.options_of_value(board, 0)? };
    let winning_moves = winning.into_iter().map(|(placement, _)| placement).collect();
    let source = if table.is_some() { Source::Table } else { Source::Search };
    Ok(Answer::new(board.clone(), value, winning_moves, source))
}

/// Answers about a board and everything that can be reached from it.
pub(super) struct Boards<'a> {
    rules: Cookie,
    values: Values<'a>,
}

enum Values<'a> {
    Stored(&'a Reader, Grid),
    Searched(Box<Solver>, Control<'a>),
}

impl<'a> Boards<'a> {
    pub fn new(
        rules: Cookie,
        board: &Board,
        table: Option<&'a Reader>,
        control: &Control<'a>,
    ) -> Result<Self> {
        let values = match table {
            Some(reader) => Values::Stored(reader, fitting(reader, rules, board)?),
            None => {
                let memory = control.memory.or_else(|| available_memory().map(|free| free / 2));
                let solver =
                    Solver::new(board.rows(), board.cols(), rules.cutter, memory.unwrap_or(1 << 30))?;
                Values::Searched(Box::new(solver), *control)
            }
        };
        Ok(Self { rules, values })
    }

    /// The Grundy value. A board keeps its value in a corner of a larger one.
    pub fn value(&self, board: &Board) -> Result<u64> {
        match &self.values {
            Values::Stored(reader, grid) => {
                let mut large = Board::empty(grid.rows(), grid.cols())?;
                for row in 0..board.rows() {
                    (0..board.cols()).for_each(|col| large.set(row, col, board.has(row, col)));
                }
                let value = u64::from(reader.get(grid.rank(&large))?);
                // Every move takes a square, so that no game is longer than the board has squares.
                if value > board.count() as u64 {
                    let problem = "has a value that no board of so few squares has".into();
                    return Err(mismatch(reader, problem, "check it with `nimwave verify`"));
                }
                Ok(value)
            }
            Values::Searched(solver, control) => {
                let value = solver.value(board, rayon::current_num_threads(), control)?;
                value.map(u64::from).ok_or_else(|| stopped(control))
            }
        }
    }

    /// The distinct options of this value, each with the placement that leaves it.
    pub fn options_of_value(&self, board: &Board, value: u64) -> Result<Vec<((i64, i64), Board)>> {
        let mut found = Vec::new();
        for (placement, option) in self.rules.distinct_options(board) {
            if self.has_value(&option, value)? {
                found.push((placement, option));
            }
        }
        Ok(found)
    }

    fn has_value(&self, board: &Board, value: u64) -> Result<bool> {
        match (&self.values, u8::try_from(value)) {
            (Values::Searched(solver, control), Ok(value)) => {
                let has = solver.has_value(board, value, rayon::current_num_threads(), control)?;
                has.ok_or_else(|| stopped(control))
            }
            _ => Ok(self.value(board)? == value),
        }
    }
}

/// Why a search ended without an answer.
fn stopped(control: &Control<'_>) -> Error {
    control.check().err().unwrap_or(Error::Interrupted { done: 0, total: 1 })
}

/// The grid of the table, which must be of this cutter and large enough.
fn fitting(reader: &Reader, rules: Cookie, board: &Board) -> Result<Grid> {
    let (grid, Cookie { cutter: stored }) = reader.boards()?;
    let cutter = rules.cutter;
    if stored != cutter {
        let problem = format!("holds cutter {stored}, not {cutter}");
        return Err(mismatch(reader, problem, &format!("ask with --cutter {stored}, or give another table")));
    }
    let (rows, cols) = (board.rows(), board.cols());
    if rows > grid.rows() || cols > grid.cols() {
        let problem = format!("holds boards of at most {}x{}, not {rows}x{cols}", grid.rows(), grid.cols());
        return Err(mismatch(reader, problem, "leave out --table to search"));
    }
    Ok(grid)
}

fn mismatch(reader: &Reader, problem: String, remedy: &str) -> Error {
    Error::Mismatch { path: reader.folder().to_path_buf(), problem, remedy: remedy.into() }
}
