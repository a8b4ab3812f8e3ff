//! The statements on Euclid that both documents make.

use super::brute::{OutOfTime, Solved};
use crate::claims::Effort;
use crate::claims::{Counterexample, Finding};
use crate::rules::Euclid;

/// The game with heaps that stay positive, or that may reach 0.
pub(crate) fn game(to_zero: bool) -> Euclid {
    Euclid { to_zero }
}

/// Whether `b / a` is less than the golden ratio, for `0 < a <= b`: then `b < a tau`, that is `2b - a < a
/// sqrt 5`.
pub(crate) fn ratio_below_golden(a: u32, b: u32) -> bool {
    let (a, b) = (i64::from(a), i64::from(b));
    let twice = 2 * b - a;
    twice < 0 || twice * twice < 5 * a * a
}

/// The smallest pair at which "P exactly if the ratio is below tau" fails; with `strict`, "and the heaps
/// differ" is added.
pub(crate) fn golden_ratio_failure(
    to_zero: bool,
    strict: bool,
    max: u32,
    effort: &Effort,
) -> Result<Option<Counterexample>, OutOfTime> {
    let rules = game(to_zero);
    let solved = Solved::new(&rules, 2, max, effort)?;
    Ok(solved.outcome_failure(
        |heaps| heaps[0] > 0,
        |heaps| ratio_below_golden(heaps[0], heaps[1]) && !(strict && heaps[0] == heaps[1]),
    ))
}

/// `floor(|x/y - y/x|)` in whole numbers, for `0 < x <= y`.
pub(crate) fn nivasch(x: u32, y: u32) -> u32 {
    let (x, y) = (u64::from(x), u64::from(y));
    ((y * y - x * x) / (x * y)) as u32
}

/// The check of Nivasch's formula in the reading where heaps stay positive.
pub(crate) fn nivasch_formula(effort: &Effort) -> Result<Finding, OutOfTime> {
    let max = effort.bound(250, 900);
    let rules = game(false);
    let solved = Solved::new(&rules, 2, max, effort)?;
    let found = solved.value_failure(|heaps| heaps[0] > 0, |heaps| nivasch(heaps[0], heaps[1]));
    Ok(Finding::from_search(found, format!("heaps up to {max}, in the reading where heaps stay positive")))
}
