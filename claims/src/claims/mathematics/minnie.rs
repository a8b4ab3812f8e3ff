//! What the thesis and the paper both say of minnie: descriptions of its P-positions, and the conjecture on
//! small heaps.

use super::brute::{OutOfTime, Solved};
use super::minnie_proof;
use crate::claims::{Effort, Finding};
use crate::rules::Minnie;

/// Theorem 5.2 of the thesis, Theorem 7 of the paper: the P-positions `[a,b]` with `0 < a <= b`.
pub(crate) fn two_heaps(a: u32, b: u32) -> bool {
    match a {
        1 => b % 2 == 1,
        2 => b % 4 == 2,
        3 => b % 4 == 0 && b >= 8,
        4 => b == 4,
        _ => false,
    }
}

/// Theorem 5.3 of the thesis, types 1 to 6 of Theorem 8 of the paper: `[l,m,n]` with `1 <= l <= 3` and `l <=
/// m <= n`.
pub(crate) fn three_heaps_small(l: u32, m: u32, n: u32) -> bool {
    match (l, m) {
        (1, 3) => n == 4 || n % 4 == 2,
        (1, _) => (m + n) % 2 == 1,
        (2, 3) => false,
        (2, _) => (m + n) % 4 == 2,
        (3, 3) => n % 4 == 3,
        (3, _) => m != 5 && n > 4 && (m + n) % 4 == 0,
        _ => false,
    }
}

/// Theorem 8 of the paper: types 1 to 7.
pub(crate) fn three_heaps(l: u32, m: u32, n: u32) -> bool {
    three_heaps_small(l, m, n) || (l == 5 && m == 5 && n % 8 == 3)
}

/// Thesis 5.6 and 6.2, paper 1: if the smallest heap has more than 3 chips and the second smallest more than
/// 5, the position is in N.
pub(crate) fn no_small_heap(effort: &Effort) -> Result<Finding, OutOfTime> {
    let bounds: &[(usize, u32)] = if effort.deep {
        &[(2, 400), (3, 120), (4, 60), (5, 36), (6, 26)]
    } else {
        &[(2, 150), (3, 60), (4, 30), (5, 20)]
    };
    let mut tested = Vec::new();
    for &(heaps, max) in bounds {
        let rules = Minnie;
        let solved = Solved::new(&rules, heaps, max, effort)?;
        let found = solved.outcome_failure(
            |position| {
                let present = &position[position.partition_point(|&heap| heap == 0)..];
                present.first().is_some_and(|&least| least > 3) && present.get(1).is_none_or(|&next| next > 5)
            },
            |_| false,
        );
        if found.is_some() {
            return Ok(Finding::from_search(found, format!("{heaps} heaps up to {max}")));
        }
        tested.push(format!("{heaps} heaps up to {max}"));
    }
    Ok(minnie_proof::no_small_heap(Finding::holds(tested.join(", "))))
}
