//! COOKIE CUTTER (Ottaway, thesis, section 2.1.3 and chapter 5).

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use super::Rules;
use crate::base::{Error, Result};

/// The longest side of a board that a picture or a command may ask for.
const LONGEST_SIDE: usize = 1 << 16;

/// The cutter: a rectangle that is laid on the grid without being turned. The thesis's cutter of size k is k
/// x k.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cutter {
    /// Rows covered; [`Cutter::UNBOUNDED`] stands for "at least as many as any board has".
    pub rows: u32,
    /// Columns covered; [`Cutter::UNBOUNDED`] likewise.
    pub cols: u32,
}

impl Cutter {
    /// A side that no board exceeds: the thesis's "arbitrarily large".
    pub const UNBOUNDED: u32 = u32::MAX;

    /// The arbitrarily large cutter.
    pub const INFINITE: Self = Self { rows: Self::UNBOUNDED, cols: Self::UNBOUNDED };

    /// The k x k cutter.
    pub fn square(size: u32) -> Result<Self> {
        Self::new(size, size)
    }

    /// The cutter of `rows` x `cols`, both at least 1.
    pub fn new(rows: u32, cols: u32) -> Result<Self> {
        if rows == 0 || cols == 0 {
            return Err(Error::Usage(
                "a cutter of 0 covers nothing; give a size of 1 or more, a rectangle such as 2x3, or inf"
                    .into(),
            ));
        }
        Ok(Self { rows, cols })
    }

    /// Whether the cutter looks the same after a quarter turn.
    pub fn is_square(self) -> bool {
        self.rows == self.cols
    }

    /// The cutter after a quarter turn.
    pub fn transposed(self) -> Self {
        Self { rows: self.cols, cols: self.rows }
    }
}

impl fmt::Display for Cutter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |side: u32| if side == Self::UNBOUNDED { "inf".to_string() } else { side.to_string() };
        if self.is_square() {
            write!(f, "{}", side(self.rows))
        } else {
            write!(f, "{}x{}", side(self.rows), side(self.cols))
        }
    }
}

impl FromStr for Cutter {
    type Err = Error;

    /// `2`, `inf`, or rows x columns as `2x3` or `infx2`.
    fn from_str(text: &str) -> Result<Self> {
        let side = |side: &str| match side.trim() {
            "inf" => Ok(Self::UNBOUNDED),
            number => number.parse::<u32>().ok().filter(|&n| n < Self::UNBOUNDED).ok_or_else(|| {
                Error::Usage(format!(
                    "'{text}' is not a cutter; write a size as 2, a rectangle as 2x3, or inf"
                ))
            }),
        };
        match text.split_once(['x', 'X']) {
            Some((rows, cols)) => Self::new(side(rows)?, side(cols)?),
            None => Self::square(side(text)?),
        }
    }
}

/// A set of squares on a grid of `rows` x `cols`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Board {
    rows: usize,
    cols: usize,
    squares: Vec<bool>,
}

/// One square, which is not there.
impl Default for Board {
    fn default() -> Self {
        Self { rows: 1, cols: 1, squares: vec![false] }
    }
}

impl Board {
    /// The grid with every square present.
    pub fn full(rows: usize, cols: usize) -> Result<Self> {
        if rows == 0 || cols == 0 {
            return Err(Error::Usage(format!("a board of {rows}x{cols} has no squares; give at least 1x1")));
        }
        if rows > LONGEST_SIDE || cols > LONGEST_SIDE || rows * cols > 1 << 20 {
            return Err(Error::Usage(format!("a board of {rows}x{cols} is too big; at most 2^20 squares")));
        }
        Ok(Self { rows, cols, squares: vec![true; rows * cols] })
    }

    /// The grid with no square present.
    pub fn empty(rows: usize, cols: usize) -> Result<Self> {
        let mut board = Self::full(rows, cols)?;
        board.squares.fill(false);
        Ok(board)
    }

    /// The number of rows of the grid.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns of the grid.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// Whether the square in `row` and `col` is there.
    pub fn has(&self, row: usize, col: usize) -> bool {
        self.squares[row * self.cols + col]
    }

    /// Adds or removes the square in `row` and `col`.
    pub fn set(&mut self, row: usize, col: usize, present: bool) {
        self.squares[row * self.cols + col] = present;
    }

    /// The number of squares left.
    pub fn count(&self) -> usize {
        self.squares.iter().filter(|&&present| present).count()
    }

    /// The board after a quarter turn and a reflection: rows become columns.
    pub fn transposed(&self) -> Self {
        let mut board = Self { rows: self.cols, cols: self.rows, squares: vec![false; self.squares.len()] };
        for row in 0..self.rows {
            for col in 0..self.cols {
                board.set(col, row, self.has(row, col));
            }
        }
        board
    }

    /// What is left when the cutter's first corner is laid on (`top`, `left`), which may lie outside the
    /// grid. Of a cutter larger than the grid, as many lines count as the grid has.
    pub fn cut(&self, cutter: Cutter, top: i64, left: i64) -> Self {
        let mut board = self.clone();
        for row in covered(top, cutter.rows, self.rows) {
            for col in covered(left, cutter.cols, self.cols) {
                board.set(row, col, false);
            }
        }
        board
    }
}

/// The lines of a grid of `lines` that a cutter of `side` covers when it begins at `first`. A cutter longer
/// than the grid acts like one as long as the grid, because it can hang over on either side.
fn covered(first: i64, side: u32, lines: usize) -> std::ops::Range<usize> {
    let end = first.saturating_add(i64::from(side).min(lines as i64)).clamp(0, lines as i64);
    first.clamp(0, end) as usize..end as usize
}

/// Every first line at which a cutter of `side` touches a grid of `lines`.
fn first_lines(side: u32, lines: usize) -> std::ops::Range<i64> {
    1 - i64::from(side).min(lines as i64)..lines as i64
}

impl fmt::Display for Board {
    /// One line a row, `#` for a square and `.` for none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..self.rows {
            if row > 0 {
                writeln!(f)?;
            }
            for col in 0..self.cols {
                f.write_str(if self.has(row, col) { "#" } else { "." })?;
            }
        }
        Ok(())
    }
}

impl FromStr for Board {
    type Err = Error;

    /// A picture: one line a row, `#` or `X` for a square, `.` or `_` for none. Lines end with a newline or
    /// with the two characters `\n`, so that a picture fits into one shell word. Short lines are filled up
    /// with `.`.
    fn from_str(picture: &str) -> Result<Self> {
        let picture = picture.replace("\\n", "\n");
        let lines: Vec<&str> = picture.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let cols = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        if cols == 0 {
            return Err(Error::Usage(
                "the picture of the board is empty; draw rows of # and ., as \"##.\\n.##\"".into(),
            ));
        }
        let mut board = Self::empty(lines.len(), cols)?;
        for (row, line) in lines.iter().enumerate() {
            for (col, symbol) in line.chars().enumerate() {
                match symbol {
                    '#' | 'X' | 'x' => board.set(row, col, true),
                    '.' | '_' => {}
                    other => {
                        return Err(Error::Usage(format!(
                            "'{other}' in row {}, column {} of the picture is neither # (a square) nor . (none)",
                            row + 1,
                            col + 1
                        )));
                    }
                }
            }
        }
        Ok(board)
    }
}

/// A move lays the cutter anywhere on the grid so that it covers at least one remaining square, possibly
/// hanging over the grid's edge; every covered square goes.
#[derive(Debug, Clone, Copy)]
pub struct Cookie {
    /// The cutter.
    pub cutter: Cutter,
}

impl Cookie {
    /// Calls `visit` with the top row and left column of every placement that removes something.
    pub fn placements(&self, board: &Board, visit: &mut dyn FnMut(i64, i64)) {
        for top in first_lines(self.cutter.rows, board.rows) {
            for left in first_lines(self.cutter.cols, board.cols) {
                let rows = covered(top, self.cutter.rows, board.rows);
                if rows
                    .into_iter()
                    .any(|row| covered(left, self.cutter.cols, board.cols).any(|col| board.has(row, col)))
                {
                    visit(top, left);
                }
            }
        }
    }

    /// The boards that a move can leave, each with the first placement that leaves it.
    pub fn distinct_options(&self, board: &Board) -> Vec<((i64, i64), Board)> {
        let mut seen = HashSet::new();
        let mut options = Vec::new();
        self.placements(board, &mut |top, left| {
            let option = board.cut(self.cutter, top, left);
            if seen.insert(option.clone()) {
                options.push(((top, left), option));
            }
        });
        options
    }
}

impl Rules for Cookie {
    type Position = Board;

    fn options(&self, board: &Board, visit: &mut dyn FnMut(&Board)) {
        self.placements(board, &mut |top, left| visit(&board.cut(self.cutter, top, left)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(picture: &str, cutter: &str) -> Vec<String> {
        let rules = Cookie { cutter: cutter.parse().unwrap() };
        let mut found = Vec::new();
        rules.options(&picture.parse().unwrap(), &mut |option| found.push(option.to_string()));
        found.sort();
        found.dedup();
        found
    }

    #[test]
    fn a_row_loses_end_pieces_or_a_whole_cutter() {
        assert_eq!(options("####", "2"), ["###.", "##..", "#..#", ".###", "..##"]);
    }

    #[test]
    fn the_cutter_may_hang_over_a_corner() {
        let found = options("##\n##", "2");
        assert_eq!(found.len(), 9);
        assert!(found.contains(&".#\n##".to_string()));
        assert!(found.contains(&"..\n..".to_string()));
    }

    #[test]
    fn an_unbounded_cutter_takes_corners_only() {
        assert_eq!(options("###", "inf"), ["##.", "#..", ".##", "..#", "..."]);
    }

    #[test]
    fn a_rectangular_cutter_is_not_turned() {
        assert_eq!(options("##\n##", "1x2").len(), 6);
    }

    #[test]
    fn pictures_and_cutters_read_what_they_print() {
        for picture in ["##.\n.##", "#", "....\n#..#"] {
            assert_eq!(picture.parse::<Board>().unwrap().to_string(), picture);
        }
        for cutter in ["2", "inf", "2x3", "infx2"] {
            assert_eq!(cutter.parse::<Cutter>().unwrap().to_string(), cutter);
        }
    }

    #[test]
    fn malformed_input_is_an_error_with_a_remedy() {
        for picture in ["", "\\n", "#?", "0"] {
            assert!(picture.parse::<Board>().is_err(), "{picture:?}");
        }
        for cutter in ["0", "2x0", "", "x", "-1", "99999999999", "4294967295"] {
            assert!(cutter.parse::<Cutter>().is_err(), "{cutter:?}");
        }
        assert!(Board::full(0, 3).is_err());
        assert!(Board::full(usize::MAX, usize::MAX).is_err());
    }
}
