//! Grand Left/Right (Ottaway's thesis, section 2.1.2 and chapter 4).

use super::PartizanRules;
use crate::base::{Error, Result};

/// What a square of the board holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Square {
    /// Nothing.
    Empty,
    /// A token of Left (black).
    Left,
    /// A token of Right (white).
    Right,
}

/// A mover chooses one of his tokens and a direction. From the token a path runs over empty squares; when the
/// next square is occupied, already on the path, or off the board, it turns by 90 degrees, Left's paths to
/// the right and Right's to the left, and runs on; where one turn does not help it ends, and a new token of
/// the mover is placed on its last square. A path has at least one square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GrandLeftRight {
    rows: usize,
    columns: usize,
}

/// The directions in clockwise order: north, east, south, west.
const DIRECTIONS: [(isize, isize); 4] = [(-1, 0), (0, 1), (1, 0), (0, -1)];

/// The most squares of a board.
const MAX_SQUARES: usize = 400;

impl GrandLeftRight {
    /// A board of the given size.
    pub fn new(rows: usize, columns: usize) -> Result<Self> {
        match rows.checked_mul(columns) {
            Some(squares) if squares <= MAX_SQUARES => Ok(Self { rows, columns }),
            _ => Err(Error::Usage(format!(
                "a board of {rows} by {columns} squares has more than {MAX_SQUARES}"
            ))),
        }
    }

    /// Reads a board: rows of `.` (empty), `L` (black) and `R` (white), separated by `/` or line breaks.
    pub fn parse(text: &str) -> Result<(Self, Vec<Square>)> {
        let rows: Vec<&str> = text.split(['/', '\n']).map(str::trim).filter(|row| !row.is_empty()).collect();
        let columns = rows.first().map_or(0, |row| row.chars().count());
        let mut squares = Vec::new();
        for row in &rows {
            if row.chars().count() != columns {
                return Err(Error::Usage(format!("`{text}`: the rows of a board must be equally long")));
            }
            for letter in row.chars() {
                squares.push(match letter {
                    '.' => Square::Empty,
                    'L' | 'l' => Square::Left,
                    'R' | 'r' => Square::Right,
                    _ => {
                        return Err(Error::Usage(format!(
                            "`{text}`: {letter:?} is not a square; write `.`, `L` and `R`, rows separated by `/`"
                        )));
                    }
                });
            }
        }
        Ok((Self::new(rows.len(), columns)?, squares))
    }

    /// The board as [`GrandLeftRight::parse`] reads it.
    pub fn show(&self, squares: &[Square]) -> String {
        let rows: Vec<String> = squares
            .chunks(self.columns.max(1))
            .map(|row| row.iter().map(|square| ['.', 'L', 'R'][*square as usize]).collect())
            .collect();
        rows.join("/")
    }

    fn next(&self, square: usize, direction: usize) -> Option<usize> {
        let row = (square / self.columns).checked_add_signed(DIRECTIONS[direction].0)?;
        let column = (square % self.columns).checked_add_signed(DIRECTIONS[direction].1)?;
        (row < self.rows && column < self.columns).then_some(row * self.columns + column)
    }

    /// Where the path from `start` ends, or `None` if its first square is not free.
    fn shoot(&self, board: &[Square], start: usize, mut direction: usize, turn: usize) -> Option<usize> {
        let mut path = Vec::new();
        let free = |square: usize, direction: usize, path: &[usize]| {
            self.next(square, direction).filter(|&next| board[next] == Square::Empty && !path.contains(&next))
        };
        let mut at = free(start, direction, &path)?;
        loop {
            path.push(at);
            if free(at, direction, &path).is_none() {
                direction = (direction + turn) % 4;
            }
            match free(at, direction, &path) {
                Some(next) => at = next,
                None => return Some(at),
            }
        }
    }

    fn options(&self, board: &[Square], mover: Square, visit: &mut dyn FnMut(&[Square])) {
        let turn = if mover == Square::Left { 1 } else { 3 };
        let mut targets: Vec<usize> = (0..board.len())
            .filter(|&square| board[square] == mover)
            .flat_map(|square| (0..4).map(move |direction| (square, direction)))
            .filter_map(|(square, direction)| self.shoot(board, square, direction, turn))
            .collect();
        targets.sort_unstable();
        targets.dedup();
        let mut option = board.to_vec();
        for target in targets {
            option[target] = mover;
            visit(&option);
            option[target] = Square::Empty;
        }
    }
}

impl PartizanRules for GrandLeftRight {
    /// The squares, row by row.
    type Position = [Square];

    fn left_options(&self, board: &[Square], visit: &mut dyn FnMut(&[Square])) {
        self.options(board, Square::Left, visit);
    }

    fn right_options(&self, board: &[Square], visit: &mut dyn FnMut(&[Square])) {
        self.options(board, Square::Right, visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(text: &str, left: bool) -> Vec<String> {
        let (game, board) = GrandLeftRight::parse(text).unwrap();
        let mut found = Vec::new();
        let mut visit = |option: &[Square]| found.push(game.show(option));
        if left {
            game.left_options(&board, &mut visit)
        } else {
            game.right_options(&board, &mut visit)
        }
        found.sort();
        found
    }

    #[test]
    fn a_path_runs_to_the_end_of_a_row() {
        assert_eq!(options("L..R", true), ["L.LR"]);
        assert_eq!(options("L..R", false), ["LR.R"]);
    }

    /// From the corner going east: along the top, down the right side, and so on into the centre.
    #[test]
    fn left_spirals_to_the_right_and_right_to_the_left() {
        assert_eq!(options("L../.../...", true), ["L../.../L..", "L../.L./..."]);
        assert_eq!(options("R../.../...", false), ["R../.R./...", "R.R/.../..."]);
    }

    #[test]
    fn a_full_board_has_no_option() {
        assert!(options("LR/RL", true).is_empty());
        assert!(options("..", true).is_empty());
    }

    #[test]
    fn bad_boards_are_errors() {
        assert!(GrandLeftRight::parse("L./.").is_err());
        assert!(GrandLeftRight::parse("Lx").is_err());
        assert!(GrandLeftRight::new(usize::MAX, 2).is_err());
    }
}
