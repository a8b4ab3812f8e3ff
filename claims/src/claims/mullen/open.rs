//! Chapter 6: conjectures and open questions. Those on graphs are in `mullen_graphs`.

use crate::claims::mathematics::brute::{OutOfTime, Solved, explain_outcome};
use crate::claims::mathematics::{minnie, minnie_proof};
use crate::claims::{Check, Effort, Finding, claim};
use crate::rules::{Jennifer, Minnie, Susen};

type Checked = Result<Finding, OutOfTime>;

/// The claims of Chapter 6.
pub(super) fn checks() -> Vec<Check> {
    vec![
        claim!("mullen-6.1", minnie_on_n_stacks),
        claim!("mullen-6.2", minnie::no_small_heap),
        claim!("mullen-6.5", susen_four),
        claim!("mullen-6.6", jennifer_three),
    ]
}

fn minnie_on_n_stacks(effort: &Effort) -> Checked {
    let (stacks, max) = effort.bound((4, 22), (5, 24));
    let rules = Minnie;
    let solved = Solved::new(&rules, stacks, max, effort)?;
    let bound = format!("at most {stacks} stacks up to {max}");
    Ok(minnie_proof::every_position(
        |quotient| {
            solved.smallest(&mut |heaps, value| {
                let present: Vec<u64> =
                    heaps.iter().filter(|&&heap| heap > 0).map(|&heap| heap.into()).collect();
                quotient.accepts_heaps(&present) != (value == 0)
            })
        },
        &bound,
    ))
}

fn susen_four(effort: &Effort) -> Checked {
    let max = effort.bound(22, 50);
    let rules = Susen;
    let solved = Solved::new(&rules, 4, max, effort)?;
    let twins = solved.outcome_failure(|h| h[0] > 0 && h[0] == h[1] && h[2] == h[3], |_| true);
    // The smallest four stacks in N all of whose triples are in N.
    let exception = solved.smallest(&mut |h, value| {
        let triple = |skip: usize| {
            let rest: Vec<u32> = (0..4).filter(|&i| i != skip).map(|i| h[i]).collect();
            solved.is_p(&rest)
        };
        h[0] > 0 && value != 0 && !(0..4).any(triple)
    });
    let found = twins.or_else(|| {
        (exception != Some(vec![1, 1, 1, 2])).then(|| {
            explain_outcome(&rules, crate::rules::Play::Normal, &exception.unwrap_or(vec![1, 1, 1, 2]))
        })
    });
    Ok(Finding::from_search(found, format!("four stacks up to {max}")))
}

fn jennifer_three(effort: &Effort) -> Checked {
    let max = effort.bound(40, 120);
    let rules = Jennifer;
    let solved = Solved::new(&rules, 3, max, effort)?;
    let found = solved.outcome_failure(
        |h| h[0] == 1,
        |h| h[1] == h[2] || (h[1] % 2 == 0 && h[2] == h[1] + 1) || (h[1], h[2]) == (1, 2),
    );
    Ok(Finding::from_search(found, format!("three stacks up to {max}")))
}
