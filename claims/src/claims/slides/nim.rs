//! Nim: two heaps, the nim-sum, winning moves.

use crate::claims::Counterexample;
use crate::claims::mathematics::automata_proof::Theorem;
use crate::claims::mathematics::brute::{OutOfTime, Solved, options, show, show_all, sorted_options};
use crate::claims::{Check, Effort, Finding, claim};
use crate::rules::Nim;

type Checked = Result<Finding, OutOfTime>;

/// The claims on nim.
pub(super) fn checks() -> Vec<Check> {
    vec![
        claim!("slides-options-123", |_| options_of_123()),
        claim!("slides-33", copying),
        claim!("slides-1.1", two_heaps),
        claim!("slides-123", |effort: &Effort| losing(effort, &[&[1, 2, 3]])),
        claim!("slides-2626", |effort: &Effort| losing(effort, &[&[2, 2, 6, 6]])),
        claim!("slides-5-11-14", |effort: &Effort| losing(effort, &[&[5, 11, 14], &[3, 8, 11]])),
        claim!("slides-5-11-8", |effort: &Effort| winning_moves(effort, &[5, 8, 11], 6, &[[3, 8, 11]])),
        claim!("slides-6-11-14", |effort: &Effort| winning_moves(
            effort,
            &[6, 11, 14],
            3,
            &[[5, 11, 14], [6, 8, 14], [6, 11, 13]]
        )),
        claim!("slides-odd", odd_number_of_winning_heaps),
        claim!("slides-bouton", nim_sum),
        claim!("slides-nim-sums", nim_sum_examples),
        claim!("slides-1.11", closed_below_powers),
    ]
}

fn options_of_123() -> Finding {
    let expected = [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 1, 2], [1, 1, 3], [1, 2, 2]].map(|o| o.to_vec());
    let found = sorted_options(&Nim, &[1, 2, 3]);
    if found == expected {
        Finding::proved("all 6 options")
    } else {
        Finding::fails("[1,2,3]", format!("its options are {}", show_all(&found)), "all options")
    }
}

fn copying(effort: &Effort) -> Checked {
    let rules = Nim;
    let solved = Solved::new(&rules, 2, 3, effort)?;
    for a in 0..3 {
        let reply = vec![a, a];
        if !options(&rules, &[a, 3]).contains(&reply) || !solved.is_p(&reply) {
            return Ok(Finding::fails(show(&[a, 3]), "copying does not win", "all options of 3, 3"));
        }
    }
    Ok(Finding::proved("all options of 3, 3"))
}

fn two_heaps(effort: &Effort) -> Checked {
    let max = effort.bound(120, 500);
    let rules = Nim;
    let solved = Solved::new(&rules, 2, max, effort)?;
    let found = solved.outcome_failure(|_| true, |h| h[0] == h[1]);
    let wrong_move = solved.smallest(&mut |h, _| {
        let winning: Vec<_> =
            sorted_options(&rules, h).into_iter().filter(|option| solved.is_p(option)).collect();
        h[0] < h[1] && winning != [vec![h[0], h[0]]]
    });
    let found = found.or(wrong_move.map(|h| Counterexample::new(show(&h), "has another winning move")));
    let formula = "(P iff a = b) and (a < b implies (every x: P(a, x) implies x = a) and (every x: x < a implies N(x, b)))";
    let finding = Finding::from_search(found, format!("two heaps up to {max}"));
    Ok(Theorem::normal("nim", 2).settles(finding, formula, effort))
}

fn losing(effort: &Effort, positions: &[&[u32]]) -> Checked {
    let rules = Nim;
    for position in positions {
        let max = position.iter().copied().max().unwrap_or(1);
        let solved = Solved::new(&rules, position.len(), max, effort)?;
        if !solved.is_p(position) {
            let found = solved.explain_outcome(position);
            return Ok(Finding::from_search(Some(found), "the example"));
        }
    }
    Ok(Finding::proved("the example, by going through all positions below it"))
}

fn winning_moves(effort: &Effort, position: &[u32], nim_sum: u32, expected: &[[u32; 3]]) -> Checked {
    let rules = Nim;
    let max = position.iter().copied().max().unwrap_or(1);
    let solved = Solved::new(&rules, position.len(), max, effort)?;
    let found: Vec<_> =
        sorted_options(&rules, position).into_iter().filter(|option| solved.is_p(option)).collect();
    let mut expected: Vec<Vec<u32>> = expected.iter().map(|option| option.to_vec()).collect();
    for option in &mut expected {
        option.sort_unstable();
    }
    expected.sort();
    Ok(if found == expected && solved.value(position) == nim_sum {
        Finding::proved(format!("all options of {}", show(position)))
    } else {
        let shows =
            format!("is worth {} and its winning moves are {}", solved.value(position), show_all(&found));
        Finding::fails(show(position), shows, "all options")
    })
}

fn odd_number_of_winning_heaps(effort: &Effort) -> Checked {
    let (heaps, max) = effort.bound((4, 12), (5, 20));
    let rules = Nim;
    let solved = Solved::new(&rules, heaps, max, effort)?;
    let found = solved.smallest(&mut |h, value| {
        let can_win = |i: usize| {
            (0..h[i]).any(|left| {
                let mut option = h.to_vec();
                option[i] = left;
                solved.is_p(&option)
            })
        };
        let smaller = |i: usize| (h[i] ^ value) < h[i];
        value > 0
            && ((0..heaps).any(|i| can_win(i) != smaller(i))
                || (0..heaps).filter(|&i| smaller(i)).count() % 2 == 0)
    });
    let found = found.map(|h| {
        Counterexample::new(show(&h), "the number of winning heaps is even, or step (4) misses one")
    });
    Ok(Finding::from_search(found, format!("at most {heaps} heaps up to {max}")))
}

fn nim_sum(effort: &Effort) -> Checked {
    let (heaps, max) = effort.bound((4, 15), (4, 40));
    let rules = Nim;
    let solved = Solved::new(&rules, heaps, max, effort)?;
    let found = solved.outcome_failure(|_| true, |h| h.iter().fold(0, |sum, heap| sum ^ heap) == 0);
    Ok(Finding::from_search(found, format!("at most {heaps} heaps up to {max}")))
}

fn nim_sum_examples(effort: &Effort) -> Checked {
    let rules = Nim;
    let solved = Solved::new(&rules, 2, 14, effort)?;
    for (pair, sum) in [([1, 3], 2), ([5, 11], 14)] {
        if solved.value(&pair) != sum || solved.value(&[sum]) != sum {
            let shows = format!("is worth {}", solved.value(&pair));
            return Ok(Finding::fails(show(&pair), shows, "both examples"));
        }
    }
    Ok(Finding::proved("both examples"))
}

fn closed_below_powers(effort: &Effort) -> Checked {
    let max: u32 = effort.bound(127, 511);
    let rules = Nim;
    let solved = Solved::new(&rules, 2, max, effort)?;
    let found = solved.smallest(&mut |h, value| value >= (h[1] + 1).next_power_of_two());
    let found = found.map(|h| Counterexample::new(show(&h), "the nim-sum is not below the power of 2"));
    // The nim-sum z of x and y is the heap with which they are in P.
    let formula = "every x, y, z, w: w is a power of 2 and x < w and y < w and P(x, y, z) implies z < w";
    let finding = Finding::from_search(found, format!("p, q up to {max}"));
    Ok(Theorem::normal("nim", 3).settles(finding, formula, effort))
}
