//! Chapter 5 and Conjecture 6.3.1: cookie cutter.

use crate::analysis::cookie::{ZeroRows, printed, row_values};
use crate::claims::mathematics::octal::octal_values;
use crate::claims::{Check, Counterexample, Effort, Finding};
use crate::rules::{Board, Cookie, Cutter};
use crate::search::cookie::Solver;
use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

/// Memory for the solved parts of one check.
const MEMORY: u64 = 1 << 27;

pub(super) const CHECKS: &[Check] = &[
    ("ottaway-5.0.4", |_| {
        every_position(|board, value, _| {
            (usize::from(value) > board.count()).then(|| format!("{} squares, value {value}", board.count()))
        })
    }),
    ("ottaway-5.1.1", |_| boards(Cutter::INFINITE, (1..=40).map(|n| (1, n, n)), "n up to 40")),
    ("ottaway-5.1.2", rows_are_octal),
    ("ottaway-5.1.3", |_| {
        let mut pairs = (0..256u32).flat_map(|i| (0..=i).map(move |j| (i, j)));
        let found = pairs.find(|(i, j)| (i + j) % 2 != (i ^ j) % 2);
        let found = found.map(|(i, j)| Counterexample::new(format!("{i}, {j}"), "the parities differ"));
        match found {
            None => Finding::proved("i and j up to 255; the last bits decide, so for all"),
            found => Finding::from_search(found, "i and j up to 255"),
        }
    }),
    ("ottaway-5.1.4", |effort| {
        let most = effort.bound(400, 2000);
        rows((1..=31).step_by(2), most, |k, n| n % (k + 1))
    }),
    ("ottaway-5.1.5", |effort| {
        let most = effort.bound(1500, 6000);
        rows([4, 12, 28, 60], most, |k, n| match n {
            n if n <= k => n,
            n if n <= 2 * k + 2 => n - (k + 1),
            n if n <= 3 * k + 3 => n - (2 * k + 2),
            n if n <= 4 * k + 2 => n - (3 * k + 3),
            n if n == 4 * k + 3 => 0,
            n => match (n - (4 * k + 4)) % (k + 1) {
                0 => k + 1,
                place => place,
            },
        })
    }),
    ("ottaway-5.2.1", |effort| {
        let most = effort.bound(8, 12);
        two_rows(most, |n, m| {
            let shape = [(0..n, 0), (n + 1..n + 1 + m, 1)];
            (format!("B({n},{m})"), shape, n + m)
        })
    }),
    ("ottaway-5.2.2", |effort| {
        let most = effort.bound(10, 15);
        two_rows(most, |a, b| {
            let value = if a == b && !(a + 1).is_power_of_two() { a - 1 } else { a + b };
            (format!("A({a},{b})"), [(0..a, 0), (0..b, 1)], value)
        })
    }),
    ("ottaway-5.3-any-number", any_number_left),
    ("ottaway-5.3.1", |effort| {
        let most = effort.bound(24, 32);
        for k in 1..=6usize {
            for n in 1..=most / (k + 1) {
                let cutter = Cutter::square(k as u32).unwrap_or(Cutter::INFINITE);
                let finding = boards(cutter, [(k + 1, n, 0)], "");
                if finding.counterexample.is_some() {
                    return finding;
                }
            }
        }
        Finding::holds(format!("k up to 6, boards of up to {most} squares"))
    }),
    ("ottaway-table-5.1", |e| table(e, "5.1")),
    ("ottaway-table-5.2", |e| table(e, "5.2")),
    ("ottaway-table-5.3", |e| table(e, "5.3")),
    ("ottaway-table-5.4", |e| table(e, "5.4")),
    ("ottaway-table-5.5", |e| table(e, "5.5")),
    ("ottaway-table-5.6", |e| table(e, "5.6")),
    ("ottaway-table-5.7", |e| table(e, "5.7")),
    ("ottaway-6.3.1", conjecture),
];

/// The value of a board, or `None` if the time is up.
fn value(solver: &Solver, board: &Board, effort: &Effort) -> Option<u8> {
    solver.value(board, 1, &effort.control).unwrap_or_else(|error| unreachable!("{error}"))
}

fn full(rows: usize, cols: usize) -> Board {
    Board::full(rows, cols).unwrap_or_else(|error| unreachable!("{error}"))
}

fn solver(rows: usize, cols: usize, cutter: Cutter) -> Solver {
    Solver::new(rows, cols, cutter, MEMORY).unwrap_or_else(|error| unreachable!("{error}"))
}

/// Tests full boards: rows, columns, the claimed value.
fn boards(cutter: Cutter, cases: impl IntoIterator<Item = (usize, usize, usize)>, bound: &str) -> Finding {
    let found = cases.into_iter().find_map(|(rows, cols, claimed)| {
        let value = value(&solver(rows, cols, cutter), &full(rows, cols), &Effort::default())?;
        (usize::from(value) != claimed).then(|| {
            Counterexample::new(
                format!("{rows}x{cols} with cutter {cutter}"),
                format!("value {value}, not {claimed}"),
            )
        })
    });
    Finding::from_search(found, bound)
}

/// Tests every position on a 3 x 4 board with cutters of size 1 to 3 and the arbitrarily large one.
fn every_position(mut bad: impl FnMut(&Board, u8, Cutter) -> Option<String>) -> Finding {
    let (rows, cols) = (3, 4);
    let mut best: Option<(usize, String, String)> = None;
    let cutters = ["1", "2", "3", "inf"].map(|text| text.parse::<Cutter>().unwrap_or(Cutter::INFINITE));
    for cutter in cutters {
        let solver = solver(rows, cols, cutter);
        for code in 0..1u32 << (rows * cols) {
            let mut board = Board::empty(rows, cols).unwrap_or_else(|error| unreachable!("{error}"));
            (0..rows * cols).filter(|i| code >> i & 1 == 1).for_each(|i| board.set(i / cols, i % cols, true));
            let Some(value) = value(&solver, &board, &Effort::default()) else {
                continue;
            };
            if let Some(what) = bad(&board, value, cutter) {
                let candidate = (
                    board.count(),
                    format!("{} with cutter {cutter}", board.to_string().trim().replace('\n', "/")),
                    what,
                );
                if best.as_ref().is_none_or(|known| candidate < *known) {
                    best = Some(candidate);
                }
            }
        }
    }
    let found = best.map(|(_, board, what)| Counterexample::new(board, what));
    Finding::from_search(
        found,
        "all positions on a 3 x 4 board, cutters of size 1, 2, 3 and arbitrarily large",
    )
}

/// Whether every number of squares below that of `board` can be left in one move; with `known`, only boards
/// that have this property themselves count.
fn leaves_any_number(board: &Board, known: Option<&mut HashMap<String, bool>>) -> bool {
    let cutter = Cutter::INFINITE;
    let mut options = Vec::new();
    Cookie { cutter }.placements(board, &mut |top, left| options.push(board.cut(cutter, top, left)));
    let covers = |counts: BTreeSet<usize>| (0..board.count()).all(|count| counts.contains(&count));
    let Some(known) = known else {
        return covers(options.iter().map(Board::count).collect());
    };
    let name = board.to_string();
    if let Some(&answer) = known.get(&name) {
        return answer;
    }
    options.retain(|option| leaves_any_number(option, Some(known)));
    let answer = covers(options.iter().map(Board::count).collect());
    known.insert(name, answer);
    answer
}

fn any_number_left(_: &Effort) -> Finding {
    let mut known = HashMap::new();
    let mut corrected = true;
    let finding = every_position(|board, value, cutter| {
        (cutter == Cutter::INFINITE && usize::from(value) != board.count()).then_some(())?;
        leaves_any_number(board, None).then(|| format!("{} squares, value {value}", board.count()))
    });
    every_position(|board, value, cutter| {
        if cutter == Cutter::INFINITE && usize::from(value) != board.count() {
            corrected &= !leaves_any_number(board, Some(&mut known));
        }
        None
    });
    finding.corrected(
        "it has value n if every smaller number can be left on a position that has this property itself",
        corrected,
    )
}

fn rows_are_octal(effort: &Effort) -> Finding {
    let longest = effort.bound(30, 50);
    for k in 1..=6usize {
        let expected = octal_values(&format!("0.{}7", "3".repeat(k - 1)), longest + 1);
        let cutter = Cutter::square(k as u32).unwrap_or(Cutter::INFINITE);
        let solver = solver(1, longest, cutter);
        for (n, &octal) in expected.iter().enumerate().skip(1) {
            let Some(found) = value(&solver, &full(1, n), effort) else {
                return Finding::holds(format!("k up to {}, n up to {longest}", k - 1));
            };
            if u32::from(found) != octal {
                let what = format!("value {found}, octal game {octal}");
                return Finding::fails(format!("1x{n} with cutter {k}"), what, format!("n up to {longest}"));
            }
        }
    }
    Finding::holds(format!("k up to 6, n up to {longest}"))
}

/// Tests a formula for the values of rows, which are octal games by Lemma 5.1.2.
fn rows(
    sizes: impl IntoIterator<Item = usize>,
    longest: usize,
    claim: impl Fn(usize, usize) -> usize,
) -> Finding {
    let mut tested = Vec::new();
    for k in sizes {
        let values = row_values(k, longest);
        if let Some(n) = (0..values.len()).find(|&n| values[n] as usize != claim(k, n)) {
            let what = format!("value {}, not {}", values[n], claim(k, n));
            return Finding::fails(format!("1x{n} with cutter {k}"), what, format!("n up to {longest}"));
        }
        tested.push(k.to_string());
    }
    Finding::holds(format!("k = {}, n up to {longest}", tested.join(", ")))
}

type Piece = (std::ops::Range<usize>, usize);

/// Tests a statement about two rows with an arbitrarily large cutter: a name, the pieces (columns, row), the
/// value.
fn two_rows(most: usize, shape: impl Fn(usize, usize) -> (String, [Piece; 2], usize)) -> Finding {
    let cols = 2 * most + 1;
    let solver = solver(2, cols, Cutter::INFINITE);
    for total in 1..=2 * most {
        for n in total.saturating_sub(most)..=total.min(most) {
            let (name, pieces, claimed) = shape(n, total - n);
            let mut board = Board::empty(2, cols).unwrap_or_else(|error| unreachable!("{error}"));
            for (columns, row) in pieces {
                columns.for_each(|col| board.set(row, col, true));
            }
            let Some(found) = value(&solver, &board, &Effort::default()) else {
                continue;
            };
            if usize::from(found) != claimed {
                let what = format!("value {found}, not {claimed}");
                return Finding::fails(name, what, format!("rows of up to {most} squares"));
            }
        }
    }
    Finding::holds(format!("rows of up to {most} squares"))
}

fn table(effort: &Effort, name: &str) -> Finding {
    let most = effort.bound(24, 30);
    let cells = printed().unwrap_or_else(|error| unreachable!("{error}"));
    let cells: Vec<_> = cells.into_iter().filter(|cell| cell.table == name).collect();
    let total = cells.len();
    let mut wrong = Vec::new();
    let mut tested = 0;
    for cell in cells.into_iter().filter(|cell| cell.rows * cell.cols <= most) {
        let Some(found) =
            value(&solver(cell.rows, cell.cols, cell.cutter), &full(cell.rows, cell.cols), effort)
        else {
            break;
        };
        tested += 1;
        if found != cell.value {
            wrong.push((cell.rows, cell.cols, found, cell.value));
        }
    }
    let bound = format!("{tested} of {total} cells: boards of up to {most} squares");
    // A board and its mirror image count once in the statement of what is right.
    let right: Vec<String> =
        wrong.iter().map(|(r, c, found, _)| format!("{r}x{c} has value {found}")).collect();
    match wrong.first() {
        None if tested == total => Finding::proved(bound),
        None => Finding::holds(bound),
        Some((r, c, found, printed)) => {
            Finding::fails(format!("{r}x{c}"), format!("value {found}, printed {printed}"), bound)
                .corrected(format!("{}; the other cells tested are right", right.join(", ")), true)
        }
    }
}

fn conjecture(effort: &Effort) -> Finding {
    let halves = counterexample_by_halves(effort);
    let (squares, seconds) = effort.bound((26, 20), (36, 600));
    let job = ZeroRows { largest_cutter: 6, squares, threads: 1, memory: MEMORY, parts: None };
    let control = effort.control.with_time(Some(Duration::from_secs(seconds)));
    let report = job.run(&control, &mut |_, _| {}).unwrap_or_else(|error| unreachable!("{error}"));
    let bound = format!(
        "cutters up to 6, boards of up to {squares} squares: {} searched, {} settled by Theorem 5.3.1, {} open",
        report.checked,
        report.by_theorem,
        report.open.len()
    );
    let found = report.counterexamples.first().map(|found| {
        let value = found.value.map_or("is not 0".to_string(), |value| format!("is {value}"));
        let how = found.winning_move.as_ref().map_or(String::new(), |m| {
            format!("; the cutter at row {}, column {} leaves a board of value 0", m.top + 1, m.left + 1)
        });
        Counterexample::new(
            format!("{}x{} with cutter {}", found.rows, found.n, found.k),
            format!("the 1x{} board has value 0, but the value of this one {value}{how}", found.n),
        )
    });
    Finding::from_search(found.or(halves), bound)
}

/// A counterexample that can be checked by hand: with the 2x2 cutter the 1x19 row has value 0, but cutting
/// out columns 8 and 9 of the 2x19 board leaves a 2x7 and a 2x10 board, which no placement joins, of equal
/// value; so 2x19 is an N-position.
fn counterexample_by_halves(effort: &Effort) -> Option<Counterexample> {
    let solver = Solver::new(2, 10, Cutter::square(2).ok()?, MEMORY).ok()?;
    let (seven, ten) = (value(&solver, &full(2, 7), effort)?, value(&solver, &full(2, 10), effort)?);
    (row_values(2, 19)[19] == 0 && seven == ten).then(|| {
        let why = format!(
            "the 1x19 board has value 0, but here the cutter on columns 8 and 9 leaves a 2x7 and a 2x10 board, both of value {seven} (as in Table 5.2): the first player wins"
        );
        Counterexample::new("2x19 with cutter 2", why)
    })
}
