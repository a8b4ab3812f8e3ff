//! Sections 5.3 to 5.5: mine, on stacks that are all different.

use crate::claims::Counterexample;
use crate::claims::mathematics::brute::{OutOfTime, Solved, explain_outcome, show, sorted_options};
use crate::claims::{Claim, Effort, Finding, claim};
use crate::rules::Mine;

type Checked = Result<Finding, OutOfTime>;

/// The claims on mine.
pub(super) fn claims() -> Vec<Claim> {
    vec![
        claim!("mullen-5.7", "Mullen, Lemma 5.7", "Mine on one stack of a chips is worth a.", one_stack),
        claim!(
            "mullen-5.8",
            "Mullen, Theorem 5.8",
            "The P-positions of mine on two stacks a < b are [1,2k], [2,4j+1] and [3,4i+3] for k, j, i > 0.",
            two_stacks
        ),
        claim!(
            "mullen-5.9",
            "Mullen, Theorem 5.9",
            "Mine on [1,2,c] with c > 4 is in P exactly when c is even.",
            |effort: &Effort| three(effort, |a, b, c| (a, b) == (1, 2) && c > 4, |_, _, c| c % 2 == 0)
        ),
        claim!(
            "mullen-5.10",
            "Mullen, Theorem 5.10",
            "Mine on [1,3,c] with c > 5 is in P exactly when c = 1 mod 4.",
            |effort: &Effort| three(effort, |a, b, c| (a, b) == (1, 3) && c > 5, |_, _, c| c % 4 == 1)
        ),
        claim!(
            "mullen-5.11",
            "Mullen, Theorem 5.11",
            "Mine on [1,b,c] with 3 < b < c is in P exactly when c = b+1, or c = b+3, or c > b+4 and b+c is even.",
            |effort: &Effort| three(effort, |a, b, _| a == 1 && b > 3, |_, b, c| form_1(b, c))
        ),
        claim!(
            "mullen-5.12",
            "Mullen, Theorem 5.12",
            "Mine on [2,3,c] with c > 3 is in P exactly when c = 5.",
            |effort: &Effort| three(effort, |a, b, c| (a, b) == (2, 3) && c > 3, |_, _, c| c == 5)
        ),
        claim!(
            "mullen-5.13",
            "Mullen, Theorem 5.13",
            "Mine on [2,b,c] with 3 < b < c is in P exactly when c = b+2, or c > b+2 with b even and b+c = 1 mod 4, or c > b+2 with b odd and b+c = 3 mod 4.",
            |effort: &Effort| three(effort, |a, b, _| a == 2 && b > 3, |_, b, c| form_2(b, c))
        ),
        claim!(
            "mullen-5.14",
            "Mullen, Theorem 5.14",
            "Mine on [3,b,c] with 3 < b < c is in P exactly when c = b+4, or c is neither b+3 nor b+7 and b is odd with b+c = 1 mod 4 or even with b+c = 3 mod 4. (The extraction lost the strokes of ≠.)",
            |effort: &Effort| three(effort, |a, b, _| a == 3 && b > 3, |_, b, c| form_3(b, c))
        ),
        claim!(
            "mullen-5.15",
            "Mullen, Theorem 5.15",
            "Mine on [4,b,c] with 4 < b < c is in P exactly when c = b+7, b ≠ 5 and b ≠ 6. (The extraction lost the strokes of ≠.)",
            |effort: &Effort| three(
                effort,
                |a, b, _| a == 4 && b > 4,
                |_, b, c| c == b + 7 && b != 5 && b != 6
            )
        ),
        claim!(
            "mullen-5-strategy",
            "Mullen, end of Chapter 5",
            "The first player wins mine on 4 < a < b < c with this table: c-b = 1, 3, 6 to [1,b,c]; 2, 5 to [2,b,c]; 4 to [3,b,c]; 7 to [4,b,c]; else to [1,b,c] if c-b is even, [2,b,c] if c-b = 1 mod 4, [3,b,c] if c-b = 3 mod 4.",
            strategy
        ),
    ]
}

fn form_1(b: u32, c: u32) -> bool {
    c == b + 1 || c == b + 3 || (c > b + 4 && (b + c) % 2 == 0)
}

fn form_2(b: u32, c: u32) -> bool {
    let residue = if b % 2 == 0 { 1 } else { 3 };
    c == b + 2 || (c > b + 2 && (b + c) % 4 == residue)
}

fn form_3(b: u32, c: u32) -> bool {
    let residue = if b % 2 == 1 { 1 } else { 3 };
    c == b + 4 || (c != b + 3 && c != b + 7 && (b + c) % 4 == residue)
}

fn one_stack(effort: &Effort) -> Checked {
    let max = effort.bound(500, 3000);
    let rules = Mine;
    let solved = Solved::new(&rules, 1, max, effort)?;
    let found = solved.value_failure(|_| true, |heaps| heaps[0]);
    Ok(Finding::from_search(found, format!("one stack up to {max}")))
}

fn two_stacks(effort: &Effort) -> Checked {
    let max = effort.bound(250, 1000);
    let rules = Mine;
    let solved = Solved::new(&rules, 2, max, effort)?;
    let found = solved.outcome_failure(
        |h| 0 < h[0] && h[0] < h[1],
        |h| match h[0] {
            1 => h[1] % 2 == 0,
            2 => h[1] % 4 == 1,
            3 => h[1] % 4 == 3,
            _ => false,
        },
    );
    Ok(Finding::from_search(found, format!("two stacks up to {max}")))
}

/// Checks "in P exactly when `claimed`" on the three different stacks in `scope`.
fn three(
    effort: &Effort,
    scope: impl Fn(u32, u32, u32) -> bool,
    claimed: impl Fn(u32, u32, u32) -> bool,
) -> Checked {
    let max = effort.bound(60, 200);
    let rules = Mine;
    let solved = Solved::new(&rules, 3, max, effort)?;
    let found = solved.outcome_failure(
        |h| 0 < h[0] && h[0] < h[1] && h[1] < h[2] && scope(h[0], h[1], h[2]),
        |h| claimed(h[0], h[1], h[2]),
    );
    Ok(Finding::from_search(found, format!("three stacks up to {max}")))
}

/// What the strategy of the thesis makes of the smallest stack.
fn strategic_stack(b: u32, c: u32) -> u32 {
    match c - b {
        1 | 3 | 6 => 1,
        2 | 5 => 2,
        4 => 3,
        7 => 4,
        difference if difference % 2 == 0 => 1,
        difference if difference % 4 == 1 => 2,
        _ => 3,
    }
}

fn strategy(effort: &Effort) -> Checked {
    let max = effort.bound(60, 200);
    let rules = Mine;
    let solved = Solved::new(&rules, 3, max, effort)?;
    let in_scope = |h: &[u32]| 4 < h[0] && h[0] < h[1] && h[1] < h[2];
    let wins = |h: &[u32]| {
        let option = vec![strategic_stack(h[1], h[2]), h[1], h[2]];
        solved.is_p(&option) && sorted_options(&rules, h).contains(&option)
    };
    let found = solved.smallest(|h, _| in_scope(h) && !wins(h)).map(|h| {
        let option = [strategic_stack(h[1], h[2]), h[1], h[2]];
        let why = explain_outcome(&rules, crate::rules::Play::Normal, &option).shows;
        let outcome = explain_outcome(&rules, crate::rules::Play::Normal, &h).shows;
        Counterexample::new(
            show(&h),
            format!("the table moves to {}, but {why}; as for {}, {outcome}", show(&option), show(&h)),
        )
    });
    // With a difference of 7, b = 6 forces a = 5; there another move has to be found.
    let only_exception = solved.all(|h, _| in_scope(h) && !wins(h)) == [vec![5, 6, 13]];
    let all_won = solved.outcome_failure(in_scope, |_| false).is_none();
    Ok(Finding::from_search(found, format!("three stacks up to {max}")).corrected(
        "the table wins everywhere except at [5,6,13], where the first player wins by another move",
        only_exception && all_won,
    ))
}
