//! Sections 5.1 and 5.2: minnie.

use crate::claims::mathematics::brute::{OutOfTime, Solved};
use crate::claims::mathematics::printed::line_of_play;
use crate::claims::mathematics::{minnie, minnie_proof};
use crate::claims::{Check, Effort, Finding, claim};
use crate::rules::Minnie;

type Checked = Result<Finding, OutOfTime>;

/// The claims of Sections 5.1 and 5.2.
pub(super) fn checks() -> Vec<Check> {
    vec![
        claim!("mullen-fig5.1", |_| line_of_play(
            &Minnie,
            &[
                &[7, 9, 20],
                &[7, 9, 14],
                &[5, 9, 14],
                &[0, 9, 14],
                &[0, 9, 5],
                &[0, 6, 5],
                &[0, 6, 0],
                &[0, 0, 0]
            ],
            1
        )),
        claim!("mullen-5.1", one_stack),
        claim!("mullen-5.2", two_stacks),
        claim!("mullen-5-small", small_stack),
        claim!("mullen-5.3", three_stacks),
        claim!("mullen-5.4", smallest_four),
        claim!("mullen-5.5", smallest_four_or_five),
        claim!("mullen-5.6", minnie::no_small_heap),
    ]
}

fn one_stack(effort: &Effort) -> Checked {
    let max = effort.bound(500, 3000);
    let rules = Minnie;
    let solved = Solved::new(&rules, 1, max, effort)?;
    let found = solved.value_failure(|_| true, |heaps| heaps[0]);
    Ok(Finding::from_search(found, format!("one stack up to {max}")))
}

fn two_stacks(effort: &Effort) -> Checked {
    let max = effort.bound(250, 1000);
    let rules = Minnie;
    let solved = Solved::new(&rules, 2, max, effort)?;
    let claimed = |h: &[u32]| minnie::two_heaps(h[0], h[1]);
    let found = solved.outcome_failure(|h| h[0] > 0, claimed);
    let finding = Finding::from_search(found, format!("two stacks up to {max}"));
    Ok(minnie_proof::for_all_sizes(finding, 2, |_| true, claimed))
}

fn small_stack(effort: &Effort) -> Checked {
    let max = effort.bound(250, 1000);
    let rules = Minnie;
    let solved = Solved::new(&rules, 2, max, effort)?;
    let found = solved.outcome_failure(|h| h[0] > 4, |_| false);
    let finding = Finding::from_search(found, format!("two stacks up to {max}"));
    Ok(minnie_proof::for_all_sizes(finding, 2, |h| h[0] > 4, |_| false))
}

/// The smallest three-stack position in `scope` that is not what `claimed` says.
fn three(effort: &Effort, scope: impl Fn(&[u32]) -> bool, claimed: impl Fn(&[u32]) -> bool) -> Checked {
    let max = effort.bound(70, 200);
    let rules = Minnie;
    let solved = Solved::new(&rules, 3, max, effort)?;
    let found = solved.outcome_failure(&scope, &claimed);
    let finding = Finding::from_search(found, format!("three stacks up to {max}"));
    Ok(minnie_proof::for_all_sizes(finding, 3, scope, claimed))
}

fn three_stacks(effort: &Effort) -> Checked {
    three(effort, |h| (1..=3).contains(&h[0]), |h| minnie::three_heaps_small(h[0], h[1], h[2]))
}

fn smallest_four(effort: &Effort) -> Checked {
    three(effort, |h| h[0] == 4 && h[1] >= 6, |_| false)
}

fn smallest_four_or_five(effort: &Effort) -> Checked {
    three(effort, |h| h[0] == 4 || h[0] == 5, |h| h[0] == 5 && h[1] == 5 && h[2] % 8 == 3)
}
