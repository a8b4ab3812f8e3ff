//! Section 1: the partition theorem, Euclid, greedy nim, susen and jennifer.

use crate::claims::mathematics::brute::OutOfTime;
use crate::claims::mathematics::{euclid, susen};
use crate::claims::mullen::{greedy_nim, partition_theorem};
use crate::claims::{Claim, Effort, Finding, claim};

/// The claims of Section 1.
pub(super) fn claims() -> Vec<Claim> {
    vec![
        claim!(
            "minnie-1",
            "Mullen and Nowakowski, Theorem 1",
            "Partition Theorem: if no option of an A-position is in A and every B-position has an option in A, then A is the set of P-positions.",
            |effort: &Effort| partition_theorem(effort, false)
        ),
        claim!(
            "minnie-2",
            "Mullen and Nowakowski, Theorem 2",
            "Euclid, where the winner is who moves to (d,d): [a,b] with a <= b is in P exactly when b/a is less than the golden ratio.",
            euclid_theorem
        ),
        claim!(
            "minnie-3",
            "Mullen and Nowakowski, Theorem 3",
            "Greedy nim is in P exactly when the number of heaps of the largest size is even.",
            greedy_nim
        ),
        claim!(
            "minnie-4-length",
            "Mullen and Nowakowski, Section 1",
            "The function L(a,b) measures the maximum number of moves of susen on two heaps.",
            susen::length_is_longest_play
        ),
        claim!(
            "minnie-4-one",
            "Mullen and Nowakowski, Section 1",
            "Susen on one heap is in N, because the only legal move takes the whole heap.",
            susen::one_heap
        ),
        claim!(
            "minnie-4",
            "Mullen and Nowakowski, Theorem 4",
            "Susen on two heaps is in P exactly when L(a,b) is even.",
            susen::two_heaps
        ),
        claim!(
            "minnie-5",
            "Mullen and Nowakowski, Theorem 5",
            "Susen on three positive heaps is in P exactly when each two of them are in N.",
            susen::three_heaps
        ),
        claim!(
            "minnie-5-jennifer",
            "Mullen and Nowakowski, Section 1",
            "On one heap of jennifer the winning strategy is to remove all but one token.",
            susen::jennifer_one_heap
        ),
    ]
}

fn euclid_theorem(effort: &Effort) -> Result<Finding, OutOfTime> {
    let max = effort.bound(250, 900);
    let found = euclid::golden_ratio_failure(false, false, max, effort)?;
    Ok(Finding::from_search(found, format!("heaps up to {max}")))
}
