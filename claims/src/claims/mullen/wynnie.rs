//! Sections 4.1 and 4.2: wynnie and misère wynnie.

use crate::claims::mathematics::automata_proof::Theorem;
use crate::claims::mathematics::brute::{OutOfTime, Solved};
use crate::claims::mathematics::printed::line_of_play;
use crate::claims::{Check, Effort, Finding, claim};
use crate::rules::{Play, Wynnie};

type Checked = Result<Finding, OutOfTime>;

/// The claims of Sections 4.1 and 4.2. There N is 1, 2, 3, ...
pub(super) fn checks() -> Vec<Check> {
    vec![
        claim!("mullen-fig4.1", |_| line_of_play(
            &Wynnie::default(),
            &[&[17, 23], &[17, 21], &[6, 10], &[6, 4], &[4, 2], &[4, 0], &[0, 0]],
            2
        )),
        claim!("mullen-4.1", powers),
        claim!("mullen-4.2", |effort: &Effort| wynnie(
            effort,
            Play::Normal,
            |r, _| r == 1,
            |_, c| c % 2 == 0,
            "a = 1 implies (P iff b is even)"
        )),
        claim!("mullen-4.3", |effort: &Effort| wynnie(
            effort,
            Play::Normal,
            |r, c| c > r && r % 2 == 0,
            |_, _| false,
            "a < b and a is even implies N"
        )),
        claim!("mullen-4.4", |effort: &Effort| wynnie(
            effort,
            Play::Normal,
            |r, c| c > r && r > 1 && c % 2 == 0,
            |_, _| false,
            "1 < a < b and b is even implies N"
        )),
        claim!("mullen-4.5", |effort: &Effort| wynnie(
            effort,
            Play::Normal,
            |r, c| c > r,
            |r, c| {
                exponent(r).is_some_and(|n| n >= 1 && (c + 1) % (1 << n) == 1 << (n - 1) && c >= 1 << n)
            },
            "a < b implies (P iff some x: a + 1 = 2*x and x is the largest power of 2 in b + 1)"
        )),
        claim!("mullen-4.6", |effort: &Effort| wynnie(
            effort,
            Play::Misere,
            |m, n| m == 0 && n >= 1,
            |_, n| n == 1,
            "a = 0 and b >= 1 implies (P iff b = 1)"
        )),
        claim!("mullen-4.7", lemma_4_7),
        claim!("mullen-4.8", lemma_4_8),
        claim!("mullen-4.9", |effort: &Effort| wynnie(
            effort,
            Play::Misere,
            |m, n| m > 0 && n == m + 1,
            |_, _| false,
            "a > 0 and b = a + 1 implies N"
        )),
        claim!("mullen-4.10", theorem_4_10),
    ]
}

/// `n` with `r = 2^n - 1`.
fn exponent(r: u32) -> Option<u32> {
    (r + 1).is_power_of_two().then(|| (r + 1).ilog2())
}

fn powers(effort: &Effort) -> Finding {
    let max: u64 = effort.bound(100_000, 10_000_000);
    for k in 1..=max {
        let found = (1..64).any(|n| {
            let rest = k as i128 - ((1i128 << (n - 1)) - 1);
            rest >= 0 && rest % (1i128 << n) == 0
        });
        if !found {
            return Finding::fails(k.to_string(), "has no such form", format!("k up to {max}"));
        }
    }
    // k + 1 is an odd multiple of 2^(n-1): the largest power of 2 in it.
    let finding = Finding::holds(format!("k up to {max}"));
    Theorem::normal("nim", 2).settles(finding, "some x: x is the largest power of 2 in a + 1", effort)
}

/// Checks "in P exactly when `claimed`" on the sorted pairs in `scope`, and then for all sizes as a formula.
fn wynnie(
    effort: &Effort,
    play: Play,
    scope: impl Fn(u32, u32) -> bool,
    claimed: impl Fn(u32, u32) -> bool,
    formula: &str,
) -> Checked {
    let finding = to_bound(effort, play, scope, claimed)?;
    Ok(Theorem { game: "wynnie", play, heaps: 2 }.settles(finding, formula, effort))
}

/// Checks "in P exactly when `claimed`" on the sorted pairs in `scope`.
fn to_bound(
    effort: &Effort,
    play: Play,
    scope: impl Fn(u32, u32) -> bool,
    claimed: impl Fn(u32, u32) -> bool,
) -> Checked {
    let max = effort.bound(200, 1100);
    let rules = Wynnie::default();
    let solved = Solved::in_play(&rules, play, 2, max, effort)?;
    let found = solved.outcome_failure(|h| scope(h[0], h[1]), |h| claimed(h[0], h[1]));
    Ok(Finding::from_search(found, format!("stacks up to {max}")))
}

const MISERE: Theorem = Theorem::misere("wynnie", 2);

fn lemma_4_7(effort: &Effort) -> Checked {
    const CORRECTED: &str = "a = 1 implies (P iff b is odd and b > 1)";
    let corrected = to_bound(effort, Play::Misere, |m, _| m == 1, |_, n| n % 2 == 1 && n > 1)?;
    let found = to_bound(effort, Play::Misere, |m, _| m == 1, |_, n| n % 2 == 1)?;
    Ok(found.corrected(
        "[1,n] is in P exactly when n is odd and n >= 3; proved for all sizes",
        corrected.counterexample.is_none() && MISERE.proves(CORRECTED, effort),
    ))
}

fn lemma_4_8(effort: &Effort) -> Checked {
    const CORRECTED: &str = "a > 1 and (a is even or b is odd) implies (P iff a = 2 and b = 2)";
    let scope = |m: u32, n: u32| m > 1 && (m % 2 == 0 || n % 2 == 1);
    let corrected = to_bound(effort, Play::Misere, scope, |m, n| (m, n) == (2, 2))?;
    let found = to_bound(effort, Play::Misere, scope, |_, _| false)?;
    Ok(found.corrected(
        "all these are in N except [2,2], which is in P; proved for all sizes",
        corrected.counterexample.is_none() && MISERE.proves(CORRECTED, effort),
    ))
}

fn theorem_4_10(effort: &Effort) -> Checked {
    const CORRECTED: &str = "P iff (some x: a + 1 = 2*x and b > 2*x and x is the largest power of 2 in b) or (a = 0 and b = 1) or (a = 2 and b = 2)";
    // j >= 1 and k >= 1, so n >= 2^j + 2^(j-1).
    let form =
        |m: u32, n: u32| exponent(m).is_some_and(|j| j >= 1 && n % (1 << j) == 1 << (j - 1) && n > 1 << j);
    let corrected = to_bound(
        effort,
        Play::Misere,
        |_, _| true,
        |m, n| form(m, n) || (m, n) == (0, 1) || (m, n) == (2, 2),
    )?;
    let found = to_bound(effort, Play::Misere, |_, _| true, form)?;
    Ok(found.corrected(
        "in P exactly when of the printed form, or [0,1] (Lemma 4.6), or [2,2]; proved for all sizes",
        corrected.counterexample.is_none() && MISERE.proves(CORRECTED, effort),
    ))
}
