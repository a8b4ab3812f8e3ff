//! Sets of squares of a grid, numbered by their bitmask.

use super::Space;
use crate::base::{Error, Result};
use crate::rules::Board;

/// All subsets of a grid. The index of a board has bit `row * cols + col` set for every square that is there,
/// so removing squares lowers the index, and the last rows are the high bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    rows: usize,
    cols: usize,
}

impl Grid {
    /// The most squares that an index can hold.
    pub const MOST_SQUARES: usize = 62;

    /// The subsets of the `rows` x `cols` grid.
    pub fn new(rows: usize, cols: usize) -> Result<Self> {
        let board = Board::full(rows, cols)?;
        if board.count() > Self::MOST_SQUARES {
            return Err(Error::Budget(format!(
                "a dense table of a {rows}x{cols} board has 2^{} positions; at most {} squares can be numbered (leave --dense out to solve one board)",
                board.count(),
                Self::MOST_SQUARES
            )));
        }
        Ok(Self { rows, cols })
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// The number of squares.
    pub fn squares(&self) -> usize {
        self.rows * self.cols
    }

    /// The squares, as an index, that a cutter laid on `top`, `left` covers are those that it takes from the
    /// full board.
    pub fn covered(&self, cutter: crate::rules::Cutter, top: i64, left: i64) -> u64 {
        let full = Board::full(self.rows, self.cols).expect("the grid was checked when it was made");
        (self.len() - 1) ^ self.rank(&full.cut(cutter, top, left))
    }
}

impl Space for Grid {
    type Position = Board;

    fn len(&self) -> u64 {
        1 << self.squares()
    }

    fn rank(&self, board: &Board) -> u64 {
        let mut index = 0;
        for row in 0..self.rows {
            for col in 0..self.cols {
                index |= u64::from(board.has(row, col)) << (row * self.cols + col);
            }
        }
        index
    }

    fn unrank_into(&self, index: u64, board: &mut Board) {
        *board = Board::empty(self.rows, self.cols).expect("the grid was checked when it was made");
        for row in 0..self.rows {
            for col in 0..self.cols {
                board.set(row, col, index >> (row * self.cols + col) & 1 == 1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Cookie, Cutter, Rules};

    #[test]
    fn rank_and_unrank_are_inverse() {
        let grid = Grid::new(3, 4).unwrap();
        let mut board = Board::empty(3, 4).unwrap();
        for index in 0..grid.len() {
            grid.unrank_into(index, &mut board);
            assert_eq!(grid.rank(&board), index);
            assert_eq!(board.count() as u32, index.count_ones());
        }
    }

    #[test]
    fn a_move_lowers_the_index() {
        let grid = Grid::new(3, 3).unwrap();
        let mut board = Board::empty(3, 3).unwrap();
        for index in 0..grid.len() {
            grid.unrank_into(index, &mut board);
            Cookie { cutter: Cutter::square(2).unwrap() }
                .options(&board, &mut |option| assert!(grid.rank(option) < index));
        }
    }

    #[test]
    fn too_many_squares_are_refused() {
        assert!(Grid::new(8, 8).is_err());
        assert!(Grid::new(2, 31).is_ok());
    }
}
