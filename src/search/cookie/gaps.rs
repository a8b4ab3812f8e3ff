//! How much more could be erased: the smallest pattern of lines with the same windows, found by moving lines one by one.
//!
//! What windows cut out depends only on how the differences of occupied lines compare with the cutter (see `geometry`). The patterns with
//! given comparisons are the integer solutions of difference constraints (`p_j - p_i` at most, exactly or at least something), and with
//! two solutions their minimum, line by line, is one too: so there is a least one. Deleting empty lines does not always reach it: with
//! a cutter of 3 lines, `#.##` and `##.#` compare alike, and neither can lose a line. Here it is counted how many parts of a search
//! would become one; it is too few to pay for looking.

use std::collections::{HashMap, HashSet};

use proptest::prelude::*;

use super::geometry::Geometry;
use super::parts::Memory;
use super::search::{Goal, Search};
use crate::base::Control;
use crate::rules::{Board, Cutter};

type Squares = Vec<(i64, i64)>;

/// The least lines, from 0 on, whose differences compare with `side` like those of `lines`, which ascend.
fn least(lines: &[i64], side: i64) -> Vec<i64> {
    let mut least: Vec<i64> = (0..lines.len() as i64).collect();
    // Raising what is too low ends, because `lines` itself, moved to 0, is never too low.
    loop {
        let before = least.clone();
        for j in 1..lines.len() {
            least[j] = least[j].max(least[j - 1] + 1);
            for i in 0..j {
                let difference = lines[j] - lines[i];
                if difference >= side {
                    least[j] = least[j].max(least[i] + side + i64::from(difference > side));
                }
                if difference <= side {
                    least[i] = least[i].max(least[j] - side + i64::from(difference < side));
                }
            }
        }
        if least == before {
            return least;
        }
    }
}

/// Moves the occupied values of one coordinate to the least ones.
fn shrunk(squares: &Squares, side: i64, of: impl Fn((i64, i64)) -> i64) -> HashMap<i64, i64> {
    let mut lines: Vec<i64> = squares.iter().map(|&square| of(square)).collect();
    lines.sort_unstable();
    lines.dedup();
    let least = least(&lines, side);
    lines.into_iter().zip(least).collect()
}

/// The least form of a set of squares among all its images.
fn canonical(squares: &Squares, cutter: Cutter) -> Squares {
    let sides = (i64::from(cutter.rows), i64::from(cutter.cols));
    let images = (0..if cutter.is_square() { 8 } else { 4 }).map(|image| {
        let flip = |at: i64, flipped: bool| if flipped { -at } else { at };
        let mut squares: Squares = squares
            .iter()
            .map(|&(row, col)| (flip(row, image & 1 != 0), flip(col, image & 2 != 0)))
            .collect();
        if image & 4 != 0 {
            squares = squares.into_iter().map(|(row, col)| (col, row)).collect();
        }
        let (rows, cols) = (shrunk(&squares, sides.0, |s| s.0), shrunk(&squares, sides.1, |s| s.1));
        let mut squares: Squares = squares.into_iter().map(|(row, col)| (rows[&row], cols[&col])).collect();
        squares.sort_unstable();
        squares
    });
    images.min().unwrap_or_default()
}

#[test]
fn merging_all_gap_patterns_would_save_less_than_one_part_in_fifty() {
    for (rows, cols, text) in
        [(4, 5, "2"), (4, 6, "3"), (5, 5, "3"), (4, 6, "4"), (3, 8, "4"), (2, 14, "5"), (5, 5, "inf")]
    {
        let cutter: Cutter = text.parse().unwrap();
        let search = Search::<u64>::new(Geometry::new(rows, cutter).unwrap(), Memory::new(1 << 28)).unwrap();
        let board = search.geometry.encode(&Board::full(rows, cols).unwrap());
        search.ask(search.geometry.canonical(board), Goal::Value, 1, &Control::silent()).unwrap();
        let (mut parts, mut merged) = (0, HashSet::new());
        let stride = search.geometry.stride();
        search.parts.for_each(|part, _| {
            parts += 1;
            let bits = (0..64).filter(|bit| part >> bit & 1 == 1);
            let squares = bits.map(|bit| (i64::from(bit % stride), i64::from(bit / stride))).collect();
            merged.insert(canonical(&squares, cutter));
        });
        let saved = parts - merged.len();
        println!("{rows}x{cols}, cutter {text}: {parts} parts, {saved} could be merged");
        assert!(saved * 50 <= parts);
        // With these cutters the parts have no gap that counts.
        assert!(saved == 0 || !["2", "inf"].contains(&text));
    }
}

proptest! {
    #[test]
    fn the_least_lines_compare_like_the_lines(gaps in prop::collection::vec(1i64..6, 0..8), side in 1i64..9) {
        let lines: Vec<i64> = std::iter::once(0)
            .chain(gaps.iter().scan(0, |at, gap| { *at += gap; Some(*at) }))
            .collect();
        let least = least(&lines, side);
        for j in 0..lines.len() {
            prop_assert!(least[j] <= lines[j]);
            for i in 0..j {
                prop_assert_eq!((least[j] - least[i]).cmp(&side), (lines[j] - lines[i]).cmp(&side));
            }
        }
    }
}
