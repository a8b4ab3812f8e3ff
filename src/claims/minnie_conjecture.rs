//! The conjecture that all minnie positions without small heaps are in N: thesis 5.6 and 6.2, paper 1.

use super::brute::{OutOfTime, Solved};
use super::finding::Finding;
use super::minnie_proof;
use super::runner::Effort;
use crate::rules::Minnie;

/// If the smallest heap has more than 3 chips and the second smallest more than 5, the position is in N.
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
