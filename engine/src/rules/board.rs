//! The rook move game and the queen move game (Alpern and von Stengel's slides).
//!
//! The piece stands on square `[row, column]`, counted from the upper left corner `[0, 0]`. As in all heap
//! games a coordinate of 0 may be left out, so `[5]` is `[0, 5]`.

use super::Rules;

/// The piece moves any number of squares up or left.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rook;

/// The piece moves any number of squares up, left, or diagonally up and left.
#[derive(Debug, Clone, Copy, Default)]
pub struct Queen;

/// Slides from `square` in the direction of `coordinates` until the edge of the board, visiting every square.
fn slide(square: &[u32], coordinates: &[usize], visit: &mut dyn FnMut(&[u32])) {
    let mut next = square.to_vec();
    while coordinates.iter().all(|&i| next[i] > 0) {
        for &i in coordinates {
            next[i] -= 1;
        }
        visit(&next);
    }
}

impl Rules for Rook {
    type Position = [u32];

    fn options(&self, square: &[u32], visit: &mut dyn FnMut(&[u32])) {
        for i in 0..square.len() {
            slide(square, &[i], visit);
        }
    }
}

impl Rules for Queen {
    type Position = [u32];

    fn options(&self, square: &[u32], visit: &mut dyn FnMut(&[u32])) {
        Rook.options(square, visit);
        if square.len() == 2 {
            slide(square, &[0, 1], visit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{grundy, options};
    use super::*;

    #[test]
    fn the_rook_moves_up_or_left() {
        assert_eq!(options(&Rook, &[1, 2]), [[0, 1], [0, 2], [1, 1]]);
        assert!(options(&Rook, &[0, 0]).is_empty());
    }

    #[test]
    fn the_queen_also_moves_diagonally() {
        assert_eq!(options(&Queen, &[2, 2]), [[0, 0], [0, 2], [1, 1], [1, 2]]);
        assert_eq!(options(&Queen, &[2]), [[0], [1]]);
    }

    #[test]
    fn the_last_row_of_the_rook_table_is_right() {
        let row: Vec<u16> = (0..6).map(|column| grundy(&Rook, &[5, column])).collect();
        assert_eq!(row, [5, 4, 7, 6, 1, 0]);
    }
}
