//! Chapter 3: nimb and nimtb.

use crate::claims::Counterexample;
use crate::claims::mathematics::brute::{OutOfTime, Solved, show, show_all, sorted_options};
use crate::claims::{Check, Effort, Finding, claim};
use crate::rules::{Nimb, Nimtb};

type Checked = Result<Finding, OutOfTime>;

/// The claims of Chapter 3, and those of the introduction on nimb.
pub(super) fn checks() -> Vec<Check> {
    vec![
        claim!("mullen-1-nimb-end", nimb_end),
        claim!("mullen-3-nimb-options", |_| {
            let options = sorted_options(&Nimb, &[3, 4, 6]);
            listed(&options, &[[2, 4, 6], [1, 4, 6], [0, 4, 6], [2, 3, 6], [1, 3, 6], [2, 3, 4], [1, 3, 4]])
        }),
        claim!("mullen-3.1", nimb_values),
        claim!("mullen-3.1-step", nimb_step),
        claim!("mullen-3-nimtb-options", |_| listed(
            &sorted_options(&Nimtb, &[3, 4, 6]),
            &[[2, 3, 4], [1, 3, 4]]
        )),
        claim!("mullen-3.2", nimtb_values),
        claim!("mullen-3-equal", equal_values),
    ]
}

/// Whether the options are exactly the listed ones.
fn listed(options: &[Vec<u32>], list: &[[u32; 3]]) -> Finding {
    let mut list: Vec<Vec<u32>> = list.iter().map(|option| option.to_vec()).collect();
    list.sort();
    if options == list {
        Finding::proved(format!("all {} options", list.len()))
    } else {
        Finding::fails("[3,4,6]", format!("its options are {}", show_all(options)), "all options")
    }
}

fn different(heaps: &[u32]) -> bool {
    heaps.windows(2).all(|pair| pair[0] < pair[1])
}

fn nimb_end(effort: &Effort) -> Checked {
    let (heaps, max) = effort.bound((3, 12), (4, 20));
    let rules = Nimb;
    let solved = Solved::new(&rules, heaps, max, effort)?;
    let stuck =
        |heaps: &[u32]| heaps.iter().any(|&heap| heap > 0) && sorted_options(&rules, heaps).is_empty();
    let found = solved.smallest(&mut |heaps, _| stuck(heaps)).map(|heaps| {
        let stacks: Vec<u32> = heaps.into_iter().filter(|&heap| heap > 0).collect();
        Counterexample::new(
            show(&stacks),
            "has no legal move: taking one stack leaves the smallest stack at 1",
        )
    });
    // Two or more stacks of size 1: taking one does not change the minimum, and nothing else can go below it.
    let ones = solved.smallest(&mut |heaps, _| {
        let two_ones = heaps.iter().filter(|&&heap| heap == 1).count() >= 2;
        let empty = heaps.iter().all(|&heap| heap == 0);
        sorted_options(&rules, heaps).is_empty() != (two_ones || empty)
    });
    Ok(Finding::from_search(found, format!("at most {heaps} stacks up to {max}")).corrected(
        "the game ends when every stack is empty or at least two stacks have exactly one chip",
        ones.is_none(),
    ))
}

fn nimb_values(effort: &Effort) -> Checked {
    let (heaps, max) = effort.bound((4, 14), (5, 24));
    let rules = Nimb;
    let solved = Solved::new(&rules, heaps, max, effort)?;
    let found = solved.value_failure(
        |heaps| heaps.iter().filter(|&&heap| heap > 0).count() >= 2,
        |heaps| heaps.iter().find(|&&heap| heap > 0).map_or(0, |&least| least - 1),
    );
    Ok(Finding::from_search(found, format!("2 to {heaps} stacks up to {max}")))
}

fn nimb_step(effort: &Effort) -> Checked {
    let max = effort.bound(100, 400);
    let rules = Nimb;
    let solved = Solved::new(&rules, 1, max, effort)?;
    // Removing k from [k,k+m] leaves the single stack k+m >= 2.
    let found = solved.value_failure(|h| h[0] >= 2, |h| h[0] - 1);
    let corrected = solved.value_failure(|_| true, |h| h[0]).is_none();
    Ok(Finding::from_search(found, format!("one stack up to {max}"))
        .corrected("it contributes k+m, the value of one stack; the mex is the same", corrected))
}

fn nimtb_values(effort: &Effort) -> Checked {
    let (heaps, max) = effort.bound((4, 16), (5, 26));
    let rules = Nimtb;
    let solved = Solved::new(&rules, heaps, max, effort)?;
    let found = solved.value_failure(
        |heaps| {
            let stacks: Vec<u32> = heaps.iter().copied().filter(|&heap| heap > 0).collect();
            stacks.len() >= 2 && different(&stacks)
        },
        |heaps| heaps.iter().find(|&&heap| heap > 0).map_or(0, |&least| least - 1),
    );
    Ok(Finding::from_search(found, format!("2 to {heaps} different stacks up to {max}")))
}

fn equal_values(effort: &Effort) -> Checked {
    let (heaps, max) = effort.bound((4, 14), (4, 24));
    let (nimb, nimtb) = (Nimb, Nimtb);
    let solved = Solved::new(&nimb, heaps, max, effort)?;
    let other = Solved::new(&nimtb, heaps, max, effort)?;
    let found = solved.value_failure(
        |heaps| {
            let stacks: Vec<u32> = heaps.iter().copied().filter(|&heap| heap > 0).collect();
            different(&stacks)
        },
        |heaps| other.value(heaps),
    );
    Ok(Finding::from_search(found, format!("at most {heaps} different stacks up to {max}")))
}
