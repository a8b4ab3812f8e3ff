//! Section 3: nim-values, maximum nim, open questions.

use crate::base::mex;
use crate::claims::Counterexample;
use crate::claims::mathematics::brute::{OutOfTime, Solved, explain_value};
use crate::claims::mathematics::fractal::{
    begins_fractal, levine, maximum_nim_values, without_first_occurrences,
};
use crate::claims::mathematics::printed::check_cells;
use crate::claims::mathematics::{euclid, minnie};
use crate::claims::{Check, Effort, Finding, claim};
use crate::rules::{MaximumNim, Minnie};

type Checked = Result<Finding, OutOfTime>;

/// The claims of Section 3.
pub(super) fn checks() -> Vec<Check> {
    vec![
        claim!("minnie-9", euclid::nivasch_formula),
        claim!("minnie-10-half", half),
        claim!("minnie-10-sequence", half_sequence),
        claim!("minnie-10", levine_theorem),
        claim!("minnie-11", periodic_rows),
        claim!("minnie-table6", table_6),
        claim!("minnie-conjecture1", minnie::no_small_heap),
    ]
}

const TABLE_6: &str = "
12 12 1 3 0 2 4 5 10 11 9 6 8 7 15 13 12 14
11 11 0 2 1 4 9 10 7 3 13 5 6 8 12 11 14 17
10 10 1 0 2 7 3 9 11 8 12 4 5 6 14 10 13 15
9 9 0 1 3 6 8 7 5 4 2 12 13 9 11 6 8 7
8 8 1 3 0 5 7 6 9 2 4 8 3 11 10 7 5 9
7 7 0 2 1 3 6 8 4 9 5 11 7 10 6 12 4 8
6 6 1 0 2 4 5 3 8 6 7 9 10 5 4 8 3 2
5 5 0 1 3 2 4 5 6 7 8 3 9 4 2 5 7 6
4 4 1 3 5 0 2 4 3 5 6 7 4 2 5 3 6 4
3 3 0 2 1 5 3 2 1 0 3 2 1 0 3 2 1 0
2 2 1 0 2 3 1 0 2 3 1 0 2 3 1 0 2 3
1 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1
0 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16";

fn half(effort: &Effort) -> Checked {
    let max = effort.bound(1100, 9000);
    let rules = MaximumNim::half(max);
    let solved = Solved::new(&rules, 1, max, effort)?;
    let found = solved.outcome_failure(|heaps| heaps[0] > 0, |heaps| heaps[0].is_power_of_two());
    let corrected = solved.outcome_failure(|_| true, |heaps| (heaps[0] + 1).is_power_of_two()).is_none();
    Ok(Finding::from_search(found, format!("heaps of 1 to {max}")).corrected(
        "the heap sizes in P are those of size 2^n - 1 (2^n belongs to the rule \"strictly less than half\")",
        corrected,
    ))
}

fn half_sequence(effort: &Effort) -> Finding {
    const PRINTED: [u32; 21] = [0, 0, 1, 0, 2, 1, 3, 0, 4, 2, 5, 1, 6, 3, 7, 0, 8, 4, 9, 2, 10];
    let max: u32 = effort.bound(1000, 5000);
    let rule: Vec<u32> = (0..=max).map(|n| n / 2).collect();
    let values = maximum_nim_values(&rule);
    let bound = format!("heaps up to {max}");
    if let Some(n) = PRINTED.iter().zip(&values).position(|(printed, value)| printed != value) {
        return Finding::fails(format!("[{n}]"), format!("is worth {}", values[n]), bound);
    }
    if !begins_fractal(&values) {
        return Finding::fails(
            format!("first {max} values"),
            "removing first occurrences changes them",
            bound,
        );
    }
    Finding::holds(bound)
}

fn levine_theorem(effort: &Effort) -> Finding {
    // f(n) = n is a rule function as defined, and its game is nim itself.
    let length = effort.bound(9, 11);
    let nim: Vec<u32> = (0..length as u32).collect();
    let values = maximum_nim_values(&nim);
    let remains = without_first_occurrences(&values);
    let bound = format!("rules and sequences of length {length}");
    let corrected = levine(length);
    if !remains.is_empty() {
        return match corrected {
            Ok(_) => Finding::holds(bound),
            Err(found) => Finding::fails(found.position, found.shows, bound),
        };
    }
    Finding::fails(
        "f(n) = n",
        "is a rule function and its game is nim with the sequence 0, 1, 2, 3, ...; when the first occurrences are removed nothing remains, so the sequence is not fractal. (Conversely 1, 1, 1, ... is fractal, but heap 0 is worth 0.)",
        bound,
    )
    .corrected(
        "it holds for sequences in which every number 0, 1, 2, ... occurs infinitely often and first occurs in this order; for beginnings of any length \"removal leaves a beginning of the sequence\" is equivalent",
        corrected.is_ok(),
    )
}

fn table_6(effort: &Effort) -> Checked {
    let rules = Minnie;
    let solved = Solved::new(&rules, 2, 16, effort)?;
    let (cells, failure) = check_cells(TABLE_6, 0, |row, column| solved.value(&[row, column]).to_string());
    let bound = format!("all {cells} cells");
    Ok(match failure {
        None => Finding::proved(bound),
        Some(found) => Finding::fails(found.position, found.shows, bound),
    })
}

/// Rows of fixed `a >= 1`, each proved periodic: the value of `[a,x]` is the mex of the values of `[i,x]`, `1
/// <= i < a`, of the last `a` values of the row, and of x itself (from `[0,x]`), which is too large to matter
/// once `x > 2a`. So the state "phases of the rows below and the last a values" determines everything that
/// follows, and it recurs.
fn periodic_rows(effort: &Effort) -> Checked {
    let (rows, max) = effort.bound((10u32, 3000u32), (14, 20_000));
    let mut below: Vec<Vec<u32>> = Vec::new();
    let mut joint_period = 1usize;
    let mut start = 0usize;
    let mut periods = Vec::new();
    for a in 1..=rows {
        let row = minnie_row(a, max, &below);
        let width = a as usize;
        let first = start.max(2 * width + 2) + width;
        // The state at x: x mod the joint period of the rows below, and the a values before x.
        let recurrence = (1..)
            .map(|k| k * joint_period)
            .take_while(|period| first + period < row.len())
            .find_map(|period| {
                (first..row.len() - period)
                    .find(|&x| row[x - width..x] == row[x + period - width..x + period])
                    .map(|x| (x, period))
            });
        let Some((x, period)) = recurrence else {
            let found =
                format!("rows 1 to {} are periodic; row {a} has no recurring state below {max}", a - 1);
            return Ok(if a > 1 { Finding::holds(found) } else { Finding::unchecked(found) });
        };
        let least = (1..=period)
            .find(|p| period % p == 0 && (x..row.len() - p).all(|y| row[y] == row[y + p]))
            .unwrap_or(period);
        periods.push(least);
        start = x;
        joint_period = period;
        below.push(row);
        if effort.is_over() {
            break;
        }
    }
    // The incremental rows against the solver that knows nothing of rows.
    let rules = Minnie;
    let solved = Solved::new(&rules, 2, 60, effort)?;
    for (row, a) in below.iter().zip(1u32..) {
        if let Some(b) = (0..=60u32).find(|&b| row[b as usize] != solved.value(&[a, b])) {
            let found = explain_value(&rules, crate::rules::Play::Normal, &[a.min(b), a.max(b)]);
            return Ok(Finding::from_search(
                Some(Counterexample::new(found.position, found.shows)),
                "self-check",
            ));
        }
    }
    Ok(Finding::holds(format!("rows 1 to {} are proved periodic, with periods {periods:?}", periods.len())))
}

/// The values of `[a,x]` for `x = 0..=max`, from the rows `1..a`.
fn minnie_row(a: u32, max: u32, below: &[Vec<u32>]) -> Vec<u32> {
    let mut row: Vec<u32> = Vec::with_capacity(max as usize + 1);
    for x in 0..=max {
        let value = if x == 0 {
            a
        } else if x < a {
            below[x as usize - 1][a as usize]
        } else {
            let lower = below.iter().map(|lower| lower[x as usize]);
            mex(lower.chain([x]).chain(row[(x - a) as usize..].iter().copied()))
        };
        row.push(value);
    }
    row
}
