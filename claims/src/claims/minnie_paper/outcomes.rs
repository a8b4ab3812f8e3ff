//! Section 2: the outcomes of minnie on one, two and three heaps, with Tables 1 to 4.

use crate::claims::Counterexample;
use crate::claims::mathematics::brute::{OutOfTime, Solved};
use crate::claims::mathematics::printed::{outcome_mark, table};
use crate::claims::mathematics::{minnie, minnie_proof};
use crate::claims::{Check, Effort, Finding, claim};
use crate::rules::Minnie;

type Checked = Result<Finding, OutOfTime>;

/// The theorems and tables of Section 2.
pub(super) fn checks() -> Vec<Check> {
    vec![
        claim!("minnie-6", one_heap),
        claim!("minnie-table1", table_1),
        claim!("minnie-7", two_heaps),
        claim!("minnie-table2", |effort: &Effort| three_heap_table(effort, TABLE_2, 1)),
        claim!("minnie-table3", |effort: &Effort| three_heap_table(effort, TABLE_3, 2)),
        claim!("minnie-table4", |effort: &Effort| three_heap_table(effort, TABLE_4, 3)),
        claim!("minnie-8", three_heaps),
    ]
}

const TABLE_1: [&str; 13] = [
    "P . . . . . . . . . . . . . . .",
    ". P . P . P . P . P . P . P . P",
    ". . P . . . P . . . P . . . P .",
    ". P . . . . . P . . . P . . . P",
    ". . . . P . . . . . . . . . . .",
    ". P . . . . . . . . . . . . . .",
    ". . P . . . . . . . . . . . . .",
    ". P . . . . . . . . . . . . . .",
    ". . . P . . . . . . . . . . . .",
    ". P . . . . . . . . . . . . . .",
    ". . P . . . . . . . . . . . . .",
    ". P . . . . . . . . . . . . . .",
    ". . . P . . . . . . . . . . . .",
];

const TABLE_2: &str = "
10 P . P . P . P . P .
9 . P . P . P . P . P
8 P . . . P . P . P .
7 . P . P . P . P . P
6 P . P . P . P . P .
5 . P . P . P . P . P
4 P . P . P . P . P .
3 . P . P . P . . . P
2 P . P . P . P . P .
1 . P . P . P . P . P";

const TABLE_3: &str = "
10 . . . P . . . P . .
9 P . . . P . . . P .
8 . P . . . P . . . P
7 P . . . . . P . . .
6 . . . P . . . P . .
5 P . . . P . . . P .
4 . P . . . P . . . P
3 P . . . . . . . . .
2 . . . P . . . P . .
1 P . P . P . P . P .";

const TABLE_4: &str = "
10 P . . . . P . . . P
9 . . . . . . P . . .
8 . . . P . . . P . .
7 . . P . . . . . P .
6 P . . . . P . . . P
5 . . . . . . . . . .
4 P . . . . . . P . .
3 . . P . . . P . . .
2 P . . . . . . . . .
1 . P . P . P . . . P";

fn one_heap(effort: &Effort) -> Checked {
    let max = effort.bound(500, 3000);
    let rules = Minnie;
    let solved = Solved::new(&rules, 1, max, effort)?;
    let found = solved.value_failure(|_| true, |heaps| heaps[0]);
    Ok(Finding::from_search(found, format!("one heap up to {max}")))
}

fn two_heaps(effort: &Effort) -> Checked {
    let max = effort.bound(250, 1000);
    let rules = Minnie;
    let solved = Solved::new(&rules, 2, max, effort)?;
    let claimed = |h: &[u32]| minnie::two_heaps(h[0], h[1]);
    let finding =
        Finding::from_search(solved.outcome_failure(|h| h[0] > 0, claimed), format!("two heaps up to {max}"));
    Ok(minnie_proof::for_all_sizes(finding, 2, |_| true, claimed))
}

fn three_heaps(effort: &Effort) -> Checked {
    let max = effort.bound(80, 220);
    let rules = Minnie;
    let solved = Solved::new(&rules, 3, max, effort)?;
    let claimed = |h: &[u32]| minnie::three_heaps(h[0], h[1], h[2]);
    let finding = Finding::from_search(
        solved.outcome_failure(|h| h[0] > 0, claimed),
        format!("three heaps up to {max}"),
    );
    Ok(minnie_proof::for_all_sizes(finding, 3, |_| true, claimed))
}

fn table_1(effort: &Effort) -> Checked {
    let rules = Minnie;
    let solved = Solved::new(&rules, 2, 16, effort)?;
    let mut cells = 0;
    for (row, printed) in TABLE_1.iter().enumerate() {
        let printed: String = printed.split_whitespace().collect();
        let truth: String = (0..=16).map(|column| outcome_mark(solved.is_p(&[row as u32, column]))).collect();
        // The row as extracted is the true row without one of its dots.
        let fits = (0..truth.len()).any(|lost| {
            truth.as_bytes()[lost] == b'.' && [&truth[..lost], &truth[lost + 1..]].concat() == printed
        });
        if !fits {
            let found =
                Counterexample::new(format!("row {row}"), format!("printed {printed}, but it is {truth}"));
            return Ok(Finding::from_search(Some(found), "all rows"));
        }
        cells += printed.len();
    }
    Ok(Finding::proved(format!("all {cells} cells")))
}

fn three_heap_table(effort: &Effort, printed: &str, third: u32) -> Checked {
    let rules = Minnie;
    let solved = Solved::new(&rules, 3, 10, effort)?;
    Ok(table(printed, 1, |row, column| outcome_mark(solved.is_p(&[third, row, column]))))
}
