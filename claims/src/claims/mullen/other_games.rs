//! Chapter 2: Euclid, restricted nim, greedy nim, susen, jennifer.

use crate::claims::Counterexample;
use crate::claims::mathematics::automata_proof::Theorem;
use crate::claims::mathematics::brute::{OutOfTime, Solved, by_recursion, show, sorted_options};
use crate::claims::mathematics::fractal::{begins_fractal, levine};
use crate::claims::mathematics::printed::{line_of_play, table};
use crate::claims::mathematics::{euclid, susen};
use crate::claims::{Check, Effort, Finding, claim};
use crate::rules::{GreedyNim, Jennifer, MaximumNim, Susen};

type Checked = Result<Finding, OutOfTime>;

/// The claims of Chapter 2.
pub(super) fn checks() -> Vec<Check> {
    vec![
        claim!("mullen-2.1", euclid_theorem),
        claim!("mullen-2.1-options", euclid_two_options),
        claim!("mullen-2.1-example", euclid_example),
        claim!("mullen-2.1-partizan", |_| partizan_euclid_example()),
        claim!("mullen-2.2-powers", less_than_half),
        claim!("mullen-2.2-sequence", less_than_half_sequence),
        claim!("mullen-2.2", levine_theorem),
        claim!("mullen-2.3", greedy_nim),
        claim!("mullen-fig2.1", |_| line_of_play(
            &Susen,
            &[&[7, 21, 39], &[7, 21, 32], &[7, 0, 32], &[7, 0, 25], &[7, 0, 18], &[0, 0, 18], &[0, 0, 0]],
            2
        )),
        claim!("mullen-table2.1", |_| table(TABLE_2_1, 0, |row, column| susen::length(row, column)
            .to_string())),
        claim!("mullen-2.4-one", susen::one_heap),
        claim!("mullen-2.4", susen::two_heaps),
        claim!("mullen-2.5", susen::three_heaps),
        claim!("mullen-2.5-jennifer", susen::jennifer_one_heap),
        claim!("mullen-2.5-never-empty", jennifer_never_empty),
        claim!("mullen-fig2.2", |_| line_of_play(
            &Jennifer,
            &[&[7, 21, 39], &[7, 21, 15], &[7, 1, 15], &[7, 1, 7], &[1, 1, 7], &[1, 1, 4], &[1, 1, 2]],
            2
        )),
    ]
}

const TABLE_2_1: &str = "
8 1 9 5 6 3 6 5 9 2
7 1 8 6 6 6 6 8 2 9
6 1 7 4 3 4 7 2 8 5
5 1 6 5 5 6 2 7 6 6
4 1 5 3 5 2 6 4 6 3
3 1 4 4 2 5 5 3 6 6
2 1 3 2 4 3 5 4 6 5
1 1 2 3 4 5 6 7 8 9
0 0 1 1 1 1 1 1 1 1";

fn euclid_theorem(effort: &Effort) -> Checked {
    let max = effort.bound(200, 800);
    let found = euclid::golden_ratio_failure(true, false, max, effort)?;
    let to_zero_holds = euclid::golden_ratio_failure(true, true, max, effort)?.is_none();
    let positive_holds = euclid::golden_ratio_failure(false, false, max, effort)?.is_none();
    Ok(Finding::from_search(found, format!("heaps up to {max}")).corrected(
        "if a heap may reach 0, [a,b] is in P exactly when 1 < a/b < tau; the printed condition is that of the game whose heaps stay positive",
        to_zero_holds && positive_holds,
    ))
}

fn euclid_two_options(effort: &Effort) -> Checked {
    let max = effort.bound(200, 800);
    for to_zero in [false, true] {
        let rules = euclid::game(to_zero);
        let solved = Solved::new(&rules, 2, max, effort)?;
        let found = solved
            .outcome_failure(|heaps| heaps[0] > 0 && sorted_options(&rules, heaps).len() >= 2, |_| false);
        if found.is_some() {
            return Ok(Finding::from_search(found, format!("heaps up to {max}")));
        }
    }
    Ok(Finding::holds(format!("heaps up to {max}, in both readings of the game")))
}

fn euclid_example(_: &Effort) -> Finding {
    for to_zero in [false, true] {
        let rules = euclid::game(to_zero);
        let options = sorted_options(&rules, &[14, 51]);
        let right = options == [vec![9, 14], vec![14, 23], vec![14, 37]]
            && by_recursion(&rules, &[14, 51]) != 0
            && sorted_options(&rules, &[14, 23]) == [vec![9, 14]];
        if !right {
            let shows = format!("its options are {options:?}");
            return Finding::fails("[51,14]", shows, "the example");
        }
    }
    Finding::proved("the example, in both readings of the game")
}

fn partizan_euclid_example() -> Finding {
    // With p = kq + t, Left moves to (q, t) and Right to (q, q - t); the game ends when t = 0.
    let left = |(p, q): (u32, u32)| (q, p % q);
    let right = |(p, q): (u32, u32)| (q, q - p % q);
    let line = [(31, 12), left((31, 12)), right(left((31, 12))), left(right(left((31, 12))))];
    if line == [(31, 12), (12, 7), (7, 2), (2, 1)] && line[3].0 % line[3].1 == 0 {
        Finding::proved("the example")
    } else {
        Finding::fails("(31,12)", format!("the play is {line:?}"), "the example")
    }
}

fn less_than_half(effort: &Effort) -> Checked {
    let max = effort.bound(1100, 9000);
    let rules = MaximumNim::less_than_half(max);
    let solved = Solved::new(&rules, 1, max, effort)?;
    let found = solved.outcome_failure(|heaps| heaps[0] > 0, |heaps| heaps[0].is_power_of_two());
    let finding = Finding::from_search(found, format!("stacks of 1 to {max}"));
    let game = Theorem::normal("take s from one heap where 2*s < heap", 1);
    Ok(game.settles(finding, "a > 0 implies (P iff a is a power of 2)", effort))
}

fn less_than_half_sequence(effort: &Effort) -> Checked {
    const PRINTED: [u32; 21] = [0, 0, 1, 0, 2, 1, 3, 0, 4, 2, 5, 1, 6, 3, 7, 0, 8, 4, 9, 2, 10];
    let max = effort.bound(1000, 9000);
    let rules = MaximumNim::less_than_half(max);
    let solved = Solved::new(&rules, 1, max, effort)?;
    let values: Vec<u32> = (1..=max).map(|n| solved.value(&[n])).collect();
    let wrong = PRINTED.iter().zip(&values).position(|(printed, value)| printed != value);
    let found = match wrong {
        Some(i) => Some(Counterexample::new(format!("[{}]", i + 1), format!("is worth {}", values[i]))),
        None if !begins_fractal(&values) => Some(Counterexample::new(
            format!("first {max} values"),
            "removing first occurrences changes the sequence",
        )),
        None => None,
    };
    Ok(Finding::from_search(found, format!("stacks of 1 to {max}")))
}

fn levine_theorem(effort: &Effort) -> Finding {
    let length = effort.bound(9, 11);
    match levine(length) {
        Ok(count) => Finding::holds(format!(
            "all rules and all sequences of length {length}: {count} fractal beginnings, the same as nim-sequences"
        )),
        Err(found) => Finding::fails(found.position, found.shows, format!("length {length}")),
    }
}

pub(in crate::claims) fn greedy_nim(effort: &Effort) -> Checked {
    let (heaps, max) = effort.bound((4, 16), (5, 24));
    let rules = GreedyNim;
    let solved = Solved::new(&rules, heaps, max, effort)?;
    let found = solved.outcome_failure(
        |_| true,
        |heaps| {
            let largest = heaps.iter().max();
            heaps.iter().filter(|&heap| *heap > 0 && Some(heap) == largest).count() % 2 == 0
        },
    );
    Ok(Finding::from_search(found, format!("at most {heaps} stacks up to {max}")))
}

fn jennifer_never_empty(effort: &Effort) -> Checked {
    let (heaps, max) = effort.bound((3, 25), (4, 40));
    let rules = Jennifer;
    let solved = Solved::new(&rules, heaps, max, effort)?;
    let found = solved.smallest(&mut |heaps, _| {
        heaps.iter().any(|&heap| heap > 0)
            && sorted_options(&rules, heaps).iter().any(|option| option.iter().all(|&heap| heap == 0))
    });
    let found = found.map(|heaps| Counterexample::new(show(&heaps), "can be emptied in one move"));
    Ok(Finding::from_search(found, format!("at most {heaps} stacks up to {max}")))
}
