//! The lists of moves in the proofs of Theorems 7 and 8 (Table 5), move by move.

use crate::claims::Counterexample;
use crate::claims::mathematics::automata_proof::Theorem;
use crate::claims::mathematics::brute::{OutOfTime, Solved, show, sorted_options};
use crate::claims::mathematics::minnie;
use crate::claims::{Check, Effort, Finding, claim};
use crate::rules::Minnie;

type Checked = Result<Finding, OutOfTime>;

/// The claims of the proofs.
pub(super) fn checks() -> Vec<Check> {
    vec![
        claim!("minnie-7-moves", moves_of_theorem_7),
        claim!("minnie-8-cases", cases_of_theorem_8),
        claim!("minnie-table5", table_5),
    ]
}

fn moves_of_theorem_7(effort: &Effort) -> Checked {
    let max = effort.bound(200, 1000);
    let rules = Minnie;
    let solved = Solved::new(&rules, 2, max, effort)?;
    let target = |a: u32, b: u32| match (a, b % 4) {
        (1, _) => [1, b - 1],
        (3, 0) => [1, 3],
        (2, 0) => [2, b - 2],
        (_, 2) => [2, b],
        (_, 0) => [3, b],
        _ => [1, b],
    };
    let found = solved.smallest(&mut |h, _| {
        if h[0] == 0 || minnie::two_heaps(h[0], h[1]) {
            return false;
        }
        let target = target(h[0], h[1]);
        !solved.is_p(&target) || !sorted_options(&rules, h).contains(&target.to_vec())
    });
    let found = found.map(|h| {
        let shows = format!("the listed move to {} is not legal or not to P", show(&target(h[0], h[1])));
        Counterexample::new(show(&h), shows)
    });
    // All these moves take at least 1 and at most a, the smaller heap.
    let formula = "a > 0 and N implies (a = 1 implies P(1, b-1)) and (a = 2 and b % 4 = 0 implies P(2, b-2)) and (a = 3 and b % 4 = 0 implies b = 4 and P(1, 3)) and (a > 1 and b is odd implies P(1, b)) and (a > 1 and b % 4 = 2 implies a > 2 and P(2, b)) and (a > 3 and b % 4 = 0 implies P(3, b))";
    let finding = Finding::from_search(found, format!("two heaps up to {max}"));
    Ok(Theorem::normal("minnie", 2).settles(finding, formula, effort))
}

/// The case of the proof, 8 to 20, that `l <= m <= n` belongs to; read in the order of print.
fn case(l: u32, m: u32, n: u32) -> Option<u32> {
    Some(match (l, m) {
        (1, 3) if n != 4 && n % 4 != 2 => 9,
        (1, _) if m != 3 && (m + n) % 2 == 0 => 8,
        (2, 3) => 11,
        (2, _) if (m + n) % 4 != 2 => 10,
        (3, 3) if n % 4 != 3 => 12,
        (3, 5) => 13,
        (3, 4) if n == 4 => 14,
        (3, _) if m > 3 && (m + n) % 4 != 0 => 15,
        (4, 5) => 17,
        (4, _) => 16,
        (5, 5) if n % 8 != 3 => 18,
        (5, _) if m > 5 => 19,
        _ if l > 5 => 20,
        _ => return None,
    })
}

fn cases_of_theorem_8(effort: &Effort) -> Finding {
    let max = effort.bound(120, 400);
    for n in 1..=max {
        for m in 1..=n {
            for l in 1..=m {
                let (in_a, in_b) = (minnie::three_heaps(l, m, n), case(l, m, n).is_some());
                if in_a == in_b {
                    let shows = if in_a { "is in A and in B" } else { "is neither in A nor in B" };
                    return Finding::fails(show(&[l, m, n]), shows, format!("three heaps up to {max}"));
                }
            }
        }
    }
    const TYPES: &str = "(a = 1 and b = 3 and (c = 4 or c % 4 = 2)) or (a = 1 and b != 3 and b + c is odd) or (a = 2 and b != 3 and (b + c) % 4 = 2) or (a = 3 and b = 3 and c % 4 = 3) or (a = 3 and b > 3 and b != 5 and c > 4 and (b + c) % 4 = 0) or (a = 5 and b = 5 and c % 8 = 3)";
    const CASES: &str = "(a = 1 and b = 3 and c != 4 and c % 4 != 2) or (a = 1 and b != 3 and b + c is even) or (a = 2 and (b = 3 or (b + c) % 4 != 2)) or (a = 3 and b = 3 and c % 4 != 3) or (a = 3 and b = 5) or (a = 3 and b = 4 and c = 4) or (a = 3 and b > 3 and (b + c) % 4 != 0) or a = 4 or (a = 5 and b = 5 and c % 8 != 3) or (a = 5 and b > 5) or a > 5";
    let finding = Finding::holds(format!("three heaps up to {max}"));
    Theorem::normal("minnie", 3).settles(
        finding,
        &format!("a > 0 implies (({TYPES}) iff not ({CASES}))"),
        effort,
    )
}

/// What Table 5 names for a position of case `case`, as printed; `corrected` reads `[0,3,n]` for `[0,3,4]` in
/// case 12.
fn named_option(case: u32, m: u32, n: u32, l: u32, corrected: bool) -> Option<[u32; 3]> {
    let sum = (m + n) % 4;
    Some(match case {
        8 => [1, m, n - 1],
        9 if n % 2 == 1 => [1, 2, n],
        9 => [0, 3, n],
        10 if sum % 2 == 1 => [1, m, n],
        10 => [2, m, n - 2],
        11 if n % 2 == 1 => [1, 2, n],
        11 if n == 4 || n % 4 == 2 => [1, 3, n],
        11 => [0, 3, n],
        12 if n == 4 => [1, 3, 4],
        12 if n % 4 == 2 => [1, 3, n],
        12 if n % 4 == 1 => [3, 3, n - 2],
        12 if corrected => [0, 3, n],
        12 => [0, 3, 4],
        13 if n % 2 == 0 => [1, 5, n],
        13 if n % 4 == 1 => [2, 5, n],
        13 => [3, 3, n],
        14 => [0, 4, 4],
        15 if sum % 2 == 1 => [1, m, n],
        15 => [2, m, n],
        16 if n == 4 && m == 4 => [0, 4, 4],
        17 if n % 2 == 0 => [1, 5, n],
        17 if n % 4 == 3 => [1, 4, n],
        17 => [2, 5, n],
        18 if n % 2 == 0 => [1, 5, n],
        18 if n % 4 == 1 => [2, 5, n],
        18 if n == 7 => [2, 5, 5],
        18 => [5, 5, n - 4],
        16 | 19 | 20 if l >= 4 => match sum {
            2 => [2, m, n],
            0 => [3, m, n],
            _ => [1, m, n],
        },
        _ => return None,
    })
}

fn table_5(effort: &Effort) -> Checked {
    let max = effort.bound(60, 200);
    let rules = Minnie;
    let solved = Solved::new(&rules, 3, max, effort)?;
    let named = |h: &[u32], corrected: bool| {
        case(h[0], h[1], h[2]).and_then(|case| named_option(case, h[1], h[2], h[0], corrected)).map(
            |option| {
                let mut sorted = option.to_vec();
                sorted.sort_unstable();
                sorted
            },
        )
    };
    let wrong = |h: &[u32], corrected: bool| {
        let in_b = h[0] > 0 && case(h[0], h[1], h[2]).is_some();
        in_b && named(h, corrected)
            .is_none_or(|option| !solved.is_p(&option) || !sorted_options(&rules, h).contains(&option))
    };
    let found = solved.smallest(&mut |h, _| wrong(h, false)).map(|h| {
        let option = named(&h, false).unwrap_or_default();
        let shows = match (sorted_options(&rules, &h).contains(&option), solved.is_p(&option)) {
            (false, false) => "which is neither an option nor a P-position",
            (false, true) => "which is not an option",
            _ => "which is an N-position",
        };
        let shows = format!("the table names {}, {shows}", show(&option));
        Counterexample::new(show(&h), shows)
    });
    let repaired = solved.smallest(&mut |h, _| wrong(h, true)).is_none();
    Ok(Finding::from_search(found, format!("three heaps up to {max}")).corrected(
        "in case 12 the table must name [0,3,n], not [0,3,4], for n = 4k, k > 1; all other entries are right",
        repaired,
    ))
}
