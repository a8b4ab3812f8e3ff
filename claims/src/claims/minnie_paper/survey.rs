//! Section 1: the partition theorem, Euclid, greedy nim, susen and jennifer.

use crate::claims::mathematics::brute::OutOfTime;
use crate::claims::mathematics::{euclid, susen};
use crate::claims::mullen::{greedy_nim, partition_theorem};
use crate::claims::{Check, Effort, Finding, claim};

/// The claims of Section 1.
pub(super) fn checks() -> Vec<Check> {
    vec![
        claim!("minnie-1", |effort: &Effort| partition_theorem(effort, false)),
        claim!("minnie-2", euclid_theorem),
        claim!("minnie-3", greedy_nim),
        claim!("minnie-4-length", susen::length_is_longest_play),
        claim!("minnie-4-one", susen::one_heap),
        claim!("minnie-4", susen::two_heaps),
        claim!("minnie-5", susen::three_heaps),
        claim!("minnie-5-jennifer", susen::jennifer_one_heap),
    ]
}

fn euclid_theorem(effort: &Effort) -> Result<Finding, OutOfTime> {
    let max = effort.bound(250, 900);
    let found = euclid::golden_ratio_failure(false, false, max, effort)?;
    Ok(Finding::from_search(found, format!("heaps up to {max}")))
}
