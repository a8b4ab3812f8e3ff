//! Sections 5.1 and 5.2: minnie.

use crate::claims::mathematics::brute::{OutOfTime, Solved};
use crate::claims::mathematics::printed::line_of_play;
use crate::claims::mathematics::{minnie, minnie_proof};
use crate::claims::{Claim, Effort, Finding, claim};
use crate::rules::Minnie;

type Checked = Result<Finding, OutOfTime>;

/// The claims of Sections 5.1 and 5.2.
pub(super) fn claims() -> Vec<Claim> {
    vec![
        claim!(
            "mullen-fig5.1",
            "Mullen, Figure 5.1",
            "The line of minnie 7 9 20, 7 9 14, 5 9 14, 0 9 14, 0 9 5, 0 6 5, 0 6 0, 0 0 0 is legal and the first player makes the last move.",
            |_| line_of_play(
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
            )
        ),
        claim!("mullen-5.1", "Mullen, Lemma 5.1", "Minnie on one stack of a chips is worth a.", one_stack),
        claim!(
            "mullen-5.2",
            "Mullen, Theorem 5.2",
            "The two-stack P-positions of minnie are [1,2i+1] and [2,4i+2] for i >= 0, [3,4i] for i >= 2, and [4,4].",
            two_stacks
        ),
        claim!(
            "mullen-5-small",
            "Mullen, Chapter 5",
            "In every two-stack P-position of minnie the smaller stack has at most 4 chips.",
            small_stack
        ),
        claim!(
            "mullen-5.3",
            "Mullen, Theorem 5.3",
            "With 1 <= l <= 3 and l <= m <= n the P-positions are [1,m,n] with m+n odd and m ≠ 3, [1,3,4], [1,3,n] with n = 2 mod 4, [2,m,n] with m ≠ 3 and m+n = 2 mod 4, [3,3,n] with n = 3 mod 4, and [3,m,n] with m > 3, m ≠ 5, n > 4 and m+n = 0 mod 4. (The extraction lost the strokes of ≠.)",
            three_stacks
        ),
        claim!(
            "mullen-5.4",
            "Mullen, Theorem 5.4",
            "Minnie on [4,m,n] with 6 <= m <= n is in N.",
            smallest_four
        ),
        claim!(
            "mullen-5.5",
            "Mullen, Question 5.5",
            "Which three-stack positions with smallest stack 4 or 5 are in P? Answer tested: exactly [5,5,n] with n = 3 mod 8, n >= 11.",
            smallest_four_or_five
        ),
        claim!(
            "mullen-5.6",
            "Mullen, Conjecture 5.6",
            "Minnie on k stacks, the smallest above 3 and the second smallest above 5, is in N.",
            minnie::no_small_heap
        ),
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
