//! Sections 5.3 to 5.5: mine, on stacks that are all different.

use crate::claims::Counterexample;
use crate::claims::mathematics::automata_proof::Theorem;
use crate::claims::mathematics::brute::{OutOfTime, Solved, explain_outcome, show, sorted_options};
use crate::claims::{Check, Effort, Finding, claim};
use crate::rules::Mine;

type Checked = Result<Finding, OutOfTime>;

/// The claims on mine.
pub(super) fn checks() -> Vec<Check> {
    vec![
        claim!("mullen-5.7", one_stack),
        claim!("mullen-5.8", two_stacks),
        claim!("mullen-5.9", |effort: &Effort| three(
            effort,
            |a, b, c| (a, b) == (1, 2) && c > 4,
            |_, _, c| c % 2 == 0,
            "a = 1 and b = 2 and c > 4 implies (P iff c is even)"
        )),
        claim!("mullen-5.10", |effort: &Effort| three(
            effort,
            |a, b, c| (a, b) == (1, 3) && c > 5,
            |_, _, c| c % 4 == 1,
            "a = 1 and b = 3 and c > 5 implies (P iff c % 4 = 1)"
        )),
        claim!("mullen-5.11", |effort: &Effort| three(
            effort,
            |a, b, _| a == 1 && b > 3,
            |_, b, c| form_1(b, c),
            "a = 1 and b > 3 implies (P iff c = b + 1 or c = b + 3 or (c > b + 4 and b + c is even))"
        )),
        claim!("mullen-5.12", |effort: &Effort| three(
            effort,
            |a, b, c| (a, b) == (2, 3) && c > 3,
            |_, _, c| c == 5,
            "a = 2 and b = 3 implies (P iff c = 5)"
        )),
        claim!("mullen-5.13", |effort: &Effort| three(
            effort,
            |a, b, _| a == 2 && b > 3,
            |_, b, c| form_2(b, c),
            "a = 2 and b > 3 implies (P iff c = b + 2 or (c > b + 2 and (b + c) % 4 = 1 + 2*(b % 2)))"
        )),
        claim!("mullen-5.14", |effort: &Effort| three(
            effort,
            |a, b, _| a == 3 && b > 3,
            |_, b, c| form_3(b, c),
            "a = 3 implies (P iff c = b + 4 or (c != b + 3 and c != b + 7 and (b + c) % 4 = 3 - 2*(b % 2)))"
        )),
        claim!("mullen-5.15", |effort: &Effort| three(
            effort,
            |a, b, _| a == 4 && b > 4,
            |_, b, c| c == b + 7 && b != 5 && b != 6,
            "a = 4 implies (P iff c = b + 7 and b != 5 and b != 6)"
        )),
        claim!("mullen-5-strategy", strategy),
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
    let finding = Finding::from_search(found, format!("two stacks up to {max}"));
    let formula =
        "a > 0 implies (P iff (a = 1 and b is even) or (a = 2 and b % 4 = 1) or (a = 3 and b % 4 = 3))";
    Ok(Theorem::normal("mine", 2).settles(finding, formula, effort))
}

/// Checks "in P exactly when `claimed`" on the three different stacks in `scope`, and then for all sizes as a
/// formula.
fn three(
    effort: &Effort,
    scope: impl Fn(u32, u32, u32) -> bool,
    claimed: impl Fn(u32, u32, u32) -> bool,
    formula: &str,
) -> Checked {
    let max = effort.bound(60, 200);
    let rules = Mine;
    let solved = Solved::new(&rules, 3, max, effort)?;
    let found = solved.outcome_failure(
        |h| 0 < h[0] && h[0] < h[1] && h[1] < h[2] && scope(h[0], h[1], h[2]),
        |h| claimed(h[0], h[1], h[2]),
    );
    let finding = Finding::from_search(found, format!("three stacks up to {max}"));
    Ok(THREE.settles(finding, formula, effort))
}

const THREE: Theorem = Theorem::normal("mine", 3);

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
    // The smallest stack may become anything, since the others stay larger.
    const CORRECTED: &str = "a > 4 implies N and (P(1, b, c) or P(2, b, c) or P(3, b, c) or P(4, b, c) or (a = 5 and b = 6 and c = 13)) and (c = b + 1 or c = b + 3 or c = b + 6 or (c > b + 7 and b + c is even) implies P(1, b, c)) and (c = b + 2 or c = b + 5 or (c > b + 7 and (c - b) % 4 = 1) implies P(2, b, c)) and (c = b + 4 or (c > b + 7 and (c - b) % 4 = 3) implies P(3, b, c)) and (c = b + 7 and b != 6 implies P(4, b, c))";
    let max = effort.bound(60, 200);
    let rules = Mine;
    let solved = Solved::new(&rules, 3, max, effort)?;
    let in_scope = |h: &[u32]| 4 < h[0] && h[0] < h[1] && h[1] < h[2];
    let wins = |h: &[u32]| {
        let option = vec![strategic_stack(h[1], h[2]), h[1], h[2]];
        solved.is_p(&option) && sorted_options(&rules, h).contains(&option)
    };
    let found = solved.smallest(&mut |h, _| in_scope(h) && !wins(h)).map(|h| {
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
        "the table wins everywhere except at [5,6,13], where the first player wins by another move; proved for all sizes",
        only_exception && all_won && THREE.proves(CORRECTED, effort),
    ))
}
