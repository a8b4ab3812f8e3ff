//! Cookie cutter: the engines against each other, the rules and the literature.

use nimwave::analysis::cookie::{printed, row_values};
use nimwave::base::Control;
use nimwave::rules::{Board, Cookie, Cutter, Rules};
use nimwave::search::cookie::{Depth, Solver};
use nimwave::space::{Grid, Space};
use nimwave::sweep::{CookieJob, KernelChoice};
use nimwave::table::Cells;
use proptest::prelude::*;

const MEMORY: u64 = 1 << 28;

fn cutter(text: &str) -> Cutter {
    text.parse().unwrap()
}

fn solver(rows: usize, cols: usize, cutter: Cutter) -> Solver {
    Solver::new(rows, cols, cutter, MEMORY).unwrap()
}

fn value(solver: &Solver, board: &Board) -> u8 {
    solver.value(board, 1, &Control::silent()).unwrap().unwrap()
}

/// The values of all subsets, by the dense engine.
fn dense(rows: usize, cols: usize, cutter: Cutter) -> Vec<u8> {
    let job = CookieJob { rows, cols, cutter, kernel: KernelChoice::Fastest };
    let table = job.solve(None, &Control::silent()).unwrap();
    match table.cells() {
        Cells::U8(cells) => {
            cells.iter().map(|cell| cell.load(std::sync::atomic::Ordering::Relaxed)).collect()
        }
        _ => panic!("dense cookie tables are bytes"),
    }
}

fn board(rows: usize, cols: usize, index: u64) -> Board {
    let grid = Grid::new(rows, cols).unwrap();
    let mut board = Board::empty(rows, cols).unwrap();
    grid.unrank_into(index, &mut board);
    board
}

#[test]
fn both_engines_agree_on_every_subset_of_small_boards() {
    for text in ["1", "2", "3", "4", "inf", "1x2", "2x3", "3x1", "infx2"] {
        let cutter = cutter(text);
        let small = [(1, 12), (2, 6), (3, 4), (4, 3), (6, 2), (2, 5), (12, 1)];
        // scripts/check-cookie sets this: every subset of the boards up to 20 squares takes some minutes.
        let large = [(1, 20), (2, 10), (3, 6), (6, 3), (4, 5), (5, 4)];
        let exhaustive = std::env::var_os("NIMWAVE_EXHAUSTIVE").is_some();
        for &(rows, cols) in if exhaustive { &large[..] } else { &small[..] } {
            let expected = dense(rows, cols, cutter);
            let search = solver(rows, cols, cutter);
            let mut everything = solver(rows, cols, cutter);
            everything.depth = Depth::Everything;
            for (index, &expected) in expected.iter().enumerate() {
                let board = board(rows, cols, index as u64);
                assert_eq!(value(&search, &board), expected, "cutter {text}\n{board}");
                assert_eq!(value(&everything, &board), expected, "cutter {text}\n{board}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn both_engines_agree_on_subsets_of_boards_up_to_20_squares(
        (rows, cols) in prop::sample::select(vec![(4usize, 5usize), (5, 4), (2, 10), (3, 6), (1, 20), (9, 2), (4, 4)]),
        text in prop::sample::select(vec!["2", "3", "4", "5", "inf", "2x3", "1x4", "3x2"]),
        seeds in prop::collection::vec(any::<u64>(), 300),
    ) {
        let cutter = cutter(text);
        let expected = dense(rows, cols, cutter);
        let search = solver(rows, cols, cutter);
        for seed in seeds {
            // Sparse and full boards alike.
            let index = match seed % 3 {
                0 => seed >> 2,
                1 => (seed >> 2) & (seed >> 22),
                _ => (seed >> 2) | (seed >> 22),
            } % expected.len() as u64;
            let board = board(rows, cols, index);
            prop_assert_eq!(value(&search, &board), expected[index as usize], "cutter {}\n{}", text, board);
        }
    }

    #[test]
    fn the_wide_layout_agrees_with_the_narrow_one(
        text in prop::sample::select(vec!["2", "3", "4", "7", "inf", "2x3"]),
        index in 0u64..1 << 18,
    ) {
        let cutter = cutter(text);
        let board = board(3, 6, index);
        let narrow = value(&solver(3, 6, cutter), &board);
        // Room for 8 x 15 needs 128 bits and other columns.
        prop_assert_eq!(value(&solver(8, 15, cutter), &board), narrow);
        prop_assert_eq!(value(&solver(15, 8, cutter), &board), narrow);
    }

    #[test]
    fn threads_and_questions_do_not_change_an_answer(
        text in prop::sample::select(vec!["2", "3", "inf", "1x3"]),
        index in 0u64..1 << 20,
    ) {
        let cutter = cutter(text);
        let board = board(4, 5, index);
        let exact = value(&solver(4, 5, cutter), &board);
        let shared = solver(4, 5, cutter);
        prop_assert_eq!(shared.value(&board, 3, &Control::silent()).unwrap(), Some(exact));
        for guess in 0..24 {
            let fresh = solver(4, 5, cutter);
            prop_assert_eq!(fresh.has_value(&board, guess, 1, &Control::silent()).unwrap(), Some(guess == exact));
        }
    }

    #[test]
    fn a_tiny_table_of_parts_changes_nothing_but_the_time(index in 0u64..1 << 16) {
        let board = board(4, 4, index);
        let tiny = Solver::new(4, 4, Cutter::square(2).unwrap(), 1).unwrap();
        prop_assert_eq!(value(&tiny, &board), value(&solver(4, 4, Cutter::square(2).unwrap()), &board));
    }
}

#[test]
fn both_engines_agree_on_rectangles_up_to_20_squares() {
    for text in ["2", "3", "4", "inf"] {
        let cutter = cutter(text);
        for (rows, cols) in [(1, 20), (2, 10), (3, 6), (4, 5), (5, 4)] {
            let expected = *dense(rows, cols, cutter).last().unwrap();
            assert_eq!(
                value(&solver(rows, cols, cutter), &Board::full(rows, cols).unwrap()),
                expected,
                "{rows}x{cols} {text}"
            );
        }
    }
}

/// Printed cells that are wrong: table, rows, columns, the value found by both engines.
const MISPRINTS: [(&str, usize, usize, u8); 0] = [];

#[test]
fn the_thesis_tables_are_right_except_for_the_listed_misprints() {
    let cells = printed().unwrap();
    assert_eq!(cells.len(), 390);
    let mut solvers = std::collections::HashMap::new();
    for cell in cells {
        let text = cell.cutter.to_string();
        // The larger boards are left to scripts/check-cookie.
        if cell.rows * cell.cols > 27 {
            continue;
        }
        let wide = cell.rows.min(cell.cols).next_power_of_two() * cell.rows.max(cell.cols) > 64;
        let solver = solvers
            .entry((text.clone(), wide))
            .or_insert_with(|| if wide { solver(8, 15, cell.cutter) } else { solver(8, 8, cell.cutter) });
        let (rows, cols) = (cell.rows, cell.cols);
        let found = if rows <= 8 && cols <= 8 || wide {
            value(solver, &Board::full(rows, cols).unwrap())
        } else {
            value(&Solver::new(rows, cols, cell.cutter, MEMORY).unwrap(), &Board::full(rows, cols).unwrap())
        };
        let misprint =
            MISPRINTS.iter().find(|&&(table, r, c, _)| (table, r, c) == (cell.table.as_str(), rows, cols));
        let expected = misprint.map_or(cell.value, |&(_, _, _, value)| value);
        assert_eq!(found, expected, "Table {}, {rows}x{cols}", cell.table);
    }
}

#[test]
fn rows_are_octal_games_and_theorems_5_1_4_and_5_1_5_hold() {
    for k in 1..=8usize {
        let cutter = Cutter::square(k as u32).unwrap();
        let search = solver(1, 60, cutter);
        let expected = row_values(k, 60);
        for n in 1..=60 {
            assert_eq!(
                u32::from(value(&search, &Board::full(1, n).unwrap())),
                expected[n],
                "k = {k}, n = {n}"
            );
        }
    }
    // Theorem 5.1.5 for k = 4 and 12: periodic from 4k + 4 on, with the values k + 1, 1, 2, ..., k.
    for k in [4usize, 12] {
        let values = row_values(k, 40 * (k + 1));
        assert_eq!(values[4 * k + 3], 0);
        for n in 4 * k + 4..values.len() {
            let place = (n - (4 * k + 4)) % (k + 1);
            assert_eq!(values[n] as usize, if place == 0 { k + 1 } else { place }, "k = {k}, n = {n}");
        }
    }
}

#[test]
fn lemma_5_2_1_and_theorem_5_2_2_hold_for_two_rows() {
    let search = solver(2, 24, Cutter::INFINITE);
    for n in 0..=8usize {
        for m in 0..=8usize {
            if n + m == 0 {
                continue;
            }
            for gap in [0usize, 1, 3] {
                let mut b = Board::empty(2, 24).unwrap();
                (0..n).for_each(|col| b.set(0, col, true));
                (0..m).for_each(|col| b.set(1, n + gap + col, true));
                assert_eq!(usize::from(value(&search, &b)), n + m, "B({n}, {m}) with gap {gap}");
            }
            let mut a = Board::empty(2, 24).unwrap();
            (0..n).for_each(|col| a.set(0, col, true));
            (0..m).for_each(|col| a.set(1, col, true));
            let expected = if n == m && !(n + 1).is_power_of_two() { n - 1 } else { n + m };
            assert_eq!(usize::from(value(&search, &a)), expected, "A({n}, {m})");
        }
    }
}

#[test]
fn theorem_5_3_1_holds_as_far_as_a_test_can_look() {
    for k in 1..=5usize {
        for n in 1..=24 / (k + 1) {
            let search = solver(k + 1, n, Cutter::square(k as u32).unwrap());
            let board = Board::full(k + 1, n).unwrap();
            assert_eq!(
                search.has_value(&board, 0, 1, &Control::silent()).unwrap(),
                Some(true),
                "k = {k}, n = {n}"
            );
        }
    }
}

/// With the 2x2 cutter the 1x19 row has value 0. Cutting out columns 8 and 9 of 2x19 leaves a 2x7 and a 2x10 board, and both have
/// value 4 (Table 5.2): the first player wins 2x19.
#[test]
fn conjecture_6_3_1_fails_for_two_rows_of_19() {
    let small = cutter("2");
    assert_eq!(row_values(2, 19)[19], 0);
    assert_eq!(dense(1, 19, small).last(), Some(&0));
    assert_eq!((dense(2, 7, small).last(), dense(2, 10, small).last()), (Some(&4), Some(&4)));
    let halves = Board::full(2, 19).unwrap().cut(small, 0, 7);
    assert_eq!(halves.to_string().lines().next(), Some("#######..##########"));
    assert_eq!(value(&solver(2, 19, small), &halves), 0);
}

#[test]
fn winning_placements_are_those_that_leave_a_p_position() {
    let rules = Cookie { cutter: Cutter::square(2).unwrap() };
    let values = dense(3, 4, rules.cutter);
    let grid = Grid::new(3, 4).unwrap();
    let search = solver(3, 4, rules.cutter);
    for index in (0..grid.len()).step_by(37) {
        let board = board(3, 4, index);
        let mut expected = std::collections::BTreeSet::new();
        rules.options(&board, &mut |option| {
            if values[grid.rank(option) as usize] == 0 {
                expected.insert(grid.rank(option));
            }
        });
        let found = search.winning_placements(&board, 1, &Control::silent()).unwrap().unwrap();
        let found: Vec<u64> =
            found.iter().map(|&(top, left)| grid.rank(&board.cut(rules.cutter, top, left))).collect();
        assert_eq!(found.len(), expected.len());
        assert_eq!(found.into_iter().collect::<std::collections::BTreeSet<_>>(), expected);
    }
}

#[test]
fn solved_parts_are_reused_by_the_next_board_and_damage_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("k2.parts");
    let cutter = Cutter::square(2).unwrap();
    let first = solver(4, 6, cutter);
    let small = value(&first, &Board::full(4, 6).unwrap());
    first.save_parts(&path).unwrap();

    // The same parts in the same, a longer and a differently laid out solver.
    for (rows, cols) in [(4, 6), (4, 7), (5, 6), (8, 15)] {
        let next = solver(rows, cols, cutter);
        assert!(next.load_parts(&path).unwrap() > 0);
        assert_eq!(value(&next, &Board::full(4, 6).unwrap()), small);
        let fresh = solver(rows, cols, cutter);
        value(&fresh, &Board::full(4, 6).unwrap());
        assert!(next.visited() < fresh.visited(), "the file saves work");
    }
    assert!(solver(4, 6, Cutter::square(3).unwrap()).load_parts(&path).is_err(), "another cutter");

    let bytes = std::fs::read(&path).unwrap();
    for (name, damaged) in [
        ("empty", Vec::new()),
        ("short", bytes[..bytes.len() - 1].to_vec()),
        ("flipped", {
            let mut flipped = bytes.clone();
            flipped[100] ^= 4;
            flipped
        }),
        (
            "foreign",
            b"something else entirely, but long enough to hold a header and a checksum at the end".to_vec(),
        ),
    ] {
        std::fs::write(&path, damaged).unwrap();
        assert!(first.load_parts(&path).is_err(), "{name}");
    }
    assert!(first.load_parts(&folder.path().join("missing")).is_err());
}

#[test]
fn boards_too_big_are_refused_and_far_boards_are_not() {
    for (rows, cols) in [(9, 9), (8, 16), (2, 64), (1, 128), (3, 43), (0, 3)] {
        assert!(Solver::new(rows, cols, Cutter::square(2).unwrap(), MEMORY).is_err(), "{rows}x{cols}");
    }
    for (rows, cols) in [(8, 8), (2, 40), (40, 2), (4, 16), (6, 15), (15, 6), (3, 40), (1, 127)] {
        assert!(Solver::new(rows, cols, Cutter::square(2).unwrap(), MEMORY).is_ok(), "{rows}x{cols}");
    }
    // A long strip, deep play: 2 x 40 with a big cutter is a short game, 1 x 120 with a small one a long game.
    let row = solver(1, 120, Cutter::square(1).unwrap());
    assert_eq!(value(&row, &Board::full(1, 120).unwrap()), 0);
    let strip = solver(2, 40, Cutter::INFINITE);
    assert_eq!(value(&strip, &Board::full(2, 40).unwrap()), 39);
    let stopped = solver(8, 8, Cutter::square(2).unwrap());
    let now = Control { deadline: Some(std::time::Instant::now()), ..Control::silent() };
    assert_eq!(stopped.value(&Board::full(8, 8).unwrap(), 2, &now).unwrap(), None);
}
