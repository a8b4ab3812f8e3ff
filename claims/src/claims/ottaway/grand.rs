//! Chapter 4 and Conjecture 6.2.1: Grand Left/Right.

use crate::claims::{Check, Counterexample, Effort, Finding};
use crate::partizan::{Games, Outcome, Value, Values};
use crate::rules::graph::Graph;
use crate::rules::{GrandLeftRight, PartizanRules, Square};
use std::collections::BTreeSet;

pub(super) const CHECKS: &[Check] = &[
    ("ottaway-4.2.1", |effort| {
        rows(effort, |games, row| {
            if row.ends != (Square::Left, Square::Right) {
                return None;
            }
            let least = if row.empty % 2 == 0 { games.nimber(1) } else { Value::ZERO };
            let good = row.left.iter().any(|&option| games.le(least, option));
            (!good).then(|| "no option of Left is that good".into())
        })
    }),
    ("ottaway-4.2.2", |effort| {
        rows(effort, |games, row| {
            let positive = !row.right.is_empty()
                && row.right.iter().all(|&option| games.outcome(option) == Outcome::Left);
            let good = row.left.iter().any(|&option| games.le(Value::ZERO, option));
            (positive && !good).then(|| "Right's options are positive and Left has none >= 0".into())
        })
    }),
    ("ottaway-4.2.3", |effort| {
        rows(effort, |_, row| {
            (row.empty % 2 == 1 && row.value == Value::ZERO)
                .then(|| "its value is 0, which is no odd game".into())
        })
    }),
    ("ottaway-table-4.1", table_4_1),
    ("ottaway-table-4.1-complete", complete),
    ("ottaway-6.2.1", conjecture),
];

/// One row of empty squares with all that surrounds it.
struct Row {
    empty: usize,
    ends: (Square, Square),
    value: Value,
    left: Vec<Value>,
    right: Vec<Value>,
}

const COLOURS: [Square; 2] = [Square::Left, Square::Right];

/// Every row of `empty` squares inside a board: tokens of either colour above, below and at the ends. The
/// corners of the 3 by n + 2 board touch no empty square.
fn rows(effort: &Effort, bad: impl Fn(&mut Games, &Row) -> Option<String>) -> Finding {
    let most = effort.bound(5, 6);
    let mut games = Games::new();
    for empty in 1..=most {
        let width = empty + 2;
        let game = board(3, width);
        for code in 0..1usize << (2 * empty + 2) {
            let colour = |i: usize| COLOURS[code >> i & 1];
            let mut squares = vec![Square::Left; 3 * width];
            for i in 0..empty {
                squares[1 + i] = colour(2 + i);
                squares[width + 1 + i] = Square::Empty;
                squares[2 * width + 1 + i] = colour(2 + empty + i);
            }
            let ends = (colour(0), colour(1));
            (squares[width], squares[2 * width - 1]) = ends;
            // Upside down and left to right a row is another row only if the turns change sides, so none is
            // left out.
            let mut values = Values::new(game);
            let value = values.value(&mut games, &squares);
            let (left, right) = values.options(&squares);
            let left: Vec<Value> = left.iter().map(|option| values.value(&mut games, option)).collect();
            let right: Vec<Value> = right.iter().map(|option| values.value(&mut games, option)).collect();
            let row = Row { empty, ends, value, left, right };
            if let Some(what) = bad(&mut games, &row) {
                let shows = format!(
                    "{what} (value {}, Left's options {}, Right's {})",
                    games.show(value),
                    list(&mut games, &row.left),
                    list(&mut games, &row.right)
                );
                return Finding::fails(
                    game.show(&squares),
                    shows,
                    format!("rows of up to {empty} empty squares"),
                );
            }
        }
        if effort.is_over() {
            return Finding::holds(format!("all surroundings of rows of up to {empty} empty squares"));
        }
    }
    Finding::holds(format!("all surroundings of rows of up to {most} empty squares"))
}

fn list(games: &mut Games, values: &[Value]) -> String {
    let shown: Vec<String> = values.iter().map(|&value| games.show(value)).collect();
    if shown.is_empty() { "none".into() } else { shown.join(", ") }
}

fn board(rows: usize, columns: usize) -> GrandLeftRight {
    GrandLeftRight::new(rows, columns).unwrap_or_else(|error| unreachable!("{error}"))
}

/// Table 4.1 as printed: the row above with its corners, the left end, the right end, the value. An empty row
/// above stands for a board of one row.
const TABLE_4_1: &[(&str, char, char, &str)] = &[
    ("LLL", 'L', 'L', "1"),
    ("LRL", 'L', 'L', "*"),
    ("LRL", 'R', 'R', "-1"),
    ("LLLL", 'L', 'L', "2"),
    ("LLRL", 'L', 'L', "{1|*}"),
    ("LRLL", 'L', 'R', "0"),
    ("LLRL", 'L', 'R', "±1"),
    ("LRRL", 'L', 'R', "{*|-1}"),
    ("LRRL", 'R', 'R', "-2"),
    ("LLLLL", 'L', 'L', "3"),
    ("LLLLL", 'R', 'L', "{2|0}"),
    ("LLRLL", 'L', 'L', "1"),
    ("LLLRL", 'L', 'L', "{2|{1|*}}"),
    ("LRLLL", 'R', 'L', "{2|{*|-1}}"),
    ("LLRLL", 'R', 'L', "*"),
    ("LRRLL", 'R', 'L', "{{1|*}|-2}"),
    ("LLLRL", 'R', 'R', "-1"),
    ("LRRRL", 'R', 'L', "{0|-2}"),
    ("LLRRL", 'R', 'R', "{{*|-1}|-2}"),
    ("LRRRL", 'R', 'R', "-3"),
    ("", 'R', 'L', "±2"),
    ("LLLLLL", 'L', 'L', "4"),
    ("LLLLLL", 'R', 'L', "{3|*}"),
    ("LLRLLL", 'L', 'L', "{1|*}"),
    ("LLLRLL", 'L', 'L', "2"),
    ("LLLLRL", 'L', 'L', "{3|{2|0}}"),
    ("LLRLLL", 'R', 'L', "0"),
    ("LLLRLL", 'R', 'L', "±1"),
    ("LLRRLL", 'R', 'L', "{*|-1}"),
    ("LRLLRL", 'L', 'R', "{{2|0}|-1}"),
    ("LLRRLL", 'L', 'R', "{1|{0|-2}}"),
    ("LLLRRL", 'L', 'R', "{{2|{1|*}}|{{*|-1}|-2}}"),
    ("LRRRRL", 'L', 'R', "{*|-3}"),
    ("LRLRRL", 'R', 'R', "-2"),
    ("LLRRRL", 'R', 'R', "{{0|-2}|-3}"),
    ("", 'L', 'R', "±3"),
];

/// The board of a cell of Table 4.1; `three_or_four` tells the length of a row without anything above.
fn cell(above: &str, left: char, right: char, empty: usize) -> String {
    let row = format!("{left}{}{right}", ".".repeat(empty));
    if above.is_empty() { row } else { format!("{above}/{row}") }
}

fn table_4_1(_: &Effort) -> Finding {
    let mut games = Games::new();
    let mut wrong = Vec::new();
    for &(above, left, right, printed) in TABLE_4_1 {
        let empty = match (above.len(), printed) {
            (0, "±2") => 3,
            (0, _) => 4,
            (length, _) => length - 2,
        };
        let text = cell(above, left, right, empty);
        let (game, squares) = GrandLeftRight::parse(&text).unwrap_or_else(|error| unreachable!("{error}"));
        let value = Values::new(game).value(&mut games, &squares);
        if games.read(printed).is_ok_and(|claimed| claimed != value) {
            wrong.push((text, format!("value {}, printed {printed}", games.show(value))));
        }
    }
    let bound = format!("all {} cells", TABLE_4_1.len());
    match wrong.split_first() {
        None => Finding::proved(bound),
        Some(((text, what), rest)) => {
            let more: Vec<String> = rest.iter().map(|(text, what)| format!("{text}: {what}")).collect();
            let also = if more.is_empty() { String::new() } else { format!("; also {}", more.join("; ")) };
            Finding::fails(text.clone(), format!("{what}{also}"), bound)
        }
    }
}

/// The values of all positions of a board, by the number of their code in base 3 (0 empty, 1 black, 2 white).
struct Boards {
    game: GrandLeftRight,
    columns: usize,
    squares: usize,
    values: Vec<Value>,
}

impl Boards {
    fn solve(games: &mut Games, rows: usize, columns: usize) -> Self {
        let squares = rows * columns;
        let mut all = Self {
            game: board(rows, columns),
            columns,
            squares,
            values: vec![Value::ZERO; 3usize.pow(squares as u32)],
        };
        // A move puts a token where there was none, which raises the code.
        for code in (0..all.values.len()).rev() {
            let position = all.position(code);
            let mut sides = [Vec::new(), Vec::new()];
            all.game.left_options(&position, &mut |option| sides[0].push(all.values[code_of(option)]));
            all.game.right_options(&position, &mut |option| sides[1].push(all.values[code_of(option)]));
            all.values[code] = games.game(&sides[0], &sides[1]);
        }
        all
    }

    /// Whether the empty squares are connected and some token is there.
    fn in_one_piece(&self, position: &[Square]) -> bool {
        let columns = self.columns;
        let edges: Vec<(usize, usize)> = (0..self.squares)
            .flat_map(|i| [(i, i + 1, (i + 1) % columns != 0), (i, i + columns, true)])
            .filter(|&(_, j, inside)| inside && j < self.squares)
            .map(|(i, j, _)| (i, j))
            .collect();
        let grid = Graph::new(self.squares, false, &edges).unwrap_or_else(|error| unreachable!("{error}"));
        let empty =
            (0..self.squares).filter(|&i| position[i] == Square::Empty).fold(0, |set, i| set | 1u64 << i);
        empty != grid.vertices() && grid.is_connected(empty)
    }

    fn position(&self, mut code: usize) -> Vec<Square> {
        (0..self.squares)
            .map(|_| {
                let digit = code % 3;
                code /= 3;
                [Square::Empty, Square::Left, Square::Right][digit]
            })
            .collect()
    }
}

fn code_of(squares: &[Square]) -> usize {
    squares.iter().rev().fold(0, |code, &square| code * 3 + square as usize)
}

fn empty_squares(position: &[Square]) -> usize {
    position.iter().filter(|&&square| square == Square::Empty).count()
}

fn complete(effort: &Effort) -> Finding {
    let mut games = Games::new();
    let mut listed = BTreeSet::from([Value::ZERO]);
    for (_, _, _, printed) in TABLE_4_1 {
        if let Ok(value) = games.read(printed) {
            listed.insert(value);
            listed.insert(games.negative(value));
        }
    }
    let boards = effort.bound(
        vec![(1, 5), (2, 3), (2, 4), (3, 3), (2, 5)],
        vec![(1, 5), (2, 3), (2, 4), (3, 3), (2, 5), (3, 4)],
    );
    let mut first: Option<(usize, usize, String, String)> = None;
    let mut missing = BTreeSet::new();
    for &(rows, columns) in &boards {
        let all = Boards::solve(&mut games, rows, columns);
        for (code, &value) in all.values.iter().enumerate() {
            let position = all.position(code);
            let empty = empty_squares(&position);
            if (1..=4).contains(&empty) && all.in_one_piece(&position) && !listed.contains(&value) {
                missing.insert(value);
                let candidate = (empty, all.squares, all.game.show(&position), games.show(value));
                if first.as_ref().is_none_or(|known| candidate < *known) {
                    first = Some(candidate);
                }
            }
        }
    }
    let bound = format!(
        "all positions with 1 to 4 empty squares on boards up to {:?}",
        boards.last().unwrap_or(&(0, 0))
    );
    let found = first.map(|(_, _, position, value)| {
        Counterexample::new(
            position,
            format!("its value {value} is not in the table; {} values are missing there", missing.len()),
        )
    });
    Finding::from_search(found, bound)
}

fn conjecture(effort: &Effort) -> Finding {
    let boards: &[(usize, usize)] = effort.bound(
        &[(1, 2), (1, 4), (2, 2), (1, 6), (2, 3), (1, 8), (2, 4), (3, 3), (2, 5)],
        &[
            (1, 2),
            (1, 4),
            (2, 2),
            (1, 6),
            (2, 3),
            (1, 8),
            (2, 4),
            (3, 3),
            (1, 10),
            (2, 5),
            (1, 12),
            (2, 6),
            (3, 4),
        ],
    );
    let mut games = Games::new();
    let mut first: Option<(usize, usize, String)> = None;
    let mut zeros = 0u64;
    for &(rows, columns) in boards {
        let all = Boards::solve(&mut games, rows, columns);
        for (code, &value) in all.values.iter().enumerate() {
            if value != Value::ZERO {
                continue;
            }
            let position = all.position(code);
            let empty = empty_squares(&position);
            if empty % 2 == 1 && empty < all.squares {
                zeros += 1;
                let candidate = (empty, all.squares, all.game.show(&position));
                if first.as_ref().is_none_or(|known| candidate < *known) {
                    first = Some(candidate);
                }
            }
        }
    }
    let found = first.map(|(empty, _, position)| {
        let shows =
            format!("{empty} squares are empty and its value is 0; {zeros} such positions on these boards");
        Counterexample::new(position, shows)
    });
    Finding::from_search(found, format!("all positions on boards of {boards:?}"))
}
