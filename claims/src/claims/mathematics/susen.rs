//! The statements on susen and jennifer that both documents make.

use super::brute::{OutOfTime, Solved, show, sorted_options};
use crate::claims::Effort;
use crate::claims::Finding;
use crate::rules::Play;
use crate::rules::{Jennifer, Susen};
use crate::search::memo::Memo;

/// The length function of both documents: `L(0,0) = 0`, `L(a,0) = 1`, `L(a,b) = 1 + L(a-b,b)` for `a >= b >
/// 0`.
pub(crate) fn length(a: u32, b: u32) -> u32 {
    match (a.max(b), a.min(b)) {
        (0, _) => 0,
        (_, 0) => 1,
        (large, small) => 1 + length(large - small, small),
    }
}

/// One heap of susen is in N.
pub(crate) fn one_heap(effort: &Effort) -> Result<Finding, OutOfTime> {
    let max = effort.bound(300, 2000);
    let rules = Susen;
    let solved = Solved::new(&rules, 1, max, effort)?;
    let found = solved.outcome_failure(|heaps| heaps[0] > 0, |_| false);
    Ok(Finding::from_search(found, format!("one heap up to {max}")))
}

/// Two heaps are in P exactly if their length is even.
pub(crate) fn two_heaps(effort: &Effort) -> Result<Finding, OutOfTime> {
    let max = effort.bound(300, 1500);
    let rules = Susen;
    let solved = Solved::new(&rules, 2, max, effort)?;
    let found = solved.outcome_failure(|_| true, |heaps| length(heaps[1], heaps[0]) % 2 == 0);
    Ok(Finding::from_search(found, format!("two heaps up to {max}")))
}

/// Three heaps are in P exactly if every two of them are in N.
pub(crate) fn three_heaps(effort: &Effort) -> Result<Finding, OutOfTime> {
    let max = effort.bound(60, 200);
    let rules = Susen;
    let solved = Solved::new(&rules, 3, max, effort)?;
    let found = solved.outcome_failure(
        |heaps| heaps[0] > 0,
        |heaps| {
            let [a, b, c] = [heaps[0], heaps[1], heaps[2]];
            !solved.is_p(&[a, b]) && !solved.is_p(&[a, c]) && !solved.is_p(&[b, c])
        },
    );
    Ok(Finding::from_search(found, format!("three heaps up to {max}")))
}

/// The length of two heaps is the largest number of moves that the game on them can last.
pub(crate) fn length_is_longest_play(effort: &Effort) -> Result<Finding, OutOfTime> {
    let max = effort.bound(60, 150);
    let rules = Susen;
    let mut longest = std::collections::BTreeMap::new();
    for chips in 0..=2 * max {
        for a in 0..=chips / 2 {
            let heaps = vec![a, chips - a];
            let most =
                sorted_options(&rules, &heaps).iter().map(|option| 1 + longest[option]).max().unwrap_or(0);
            if most != length(a, chips - a) {
                let shows = format!("the longest play has {most} moves, but L = {}", length(a, chips - a));
                return Ok(Finding::fails(show(&heaps), shows, format!("up to {} chips", 2 * max)));
            }
            longest.insert(heaps, most);
        }
        if effort.is_over() {
            return Err(OutOfTime);
        }
    }
    Ok(Finding::holds(format!("two heaps with up to {} chips", 2 * max)))
}

/// On one heap of jennifer, leaving one chip is a winning move from every larger heap.
pub(crate) fn jennifer_one_heap(effort: &Effort) -> Result<Finding, OutOfTime> {
    let max = effort.bound(300, 2000);
    let rules = Jennifer;
    let solved = Solved::new(&rules, 1, max, effort)?;
    let mut memo = Memo::new(&rules, Play::Normal);
    if memo.value(&[1]) != 0 {
        return Ok(Finding::fails("[1]", "is not a P-position", format!("one heap up to {max}")));
    }
    let found =
        solved.smallest(&mut |heaps, _| heaps[0] > 1 && !sorted_options(&rules, heaps).contains(&vec![1]));
    Ok(match found {
        None => Finding::holds(format!("one heap up to {max}")),
        Some(heaps) => Finding::fails(show(&heaps), "has no move to [1]", format!("one heap up to {max}")),
    })
}
