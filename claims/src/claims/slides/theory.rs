//! The theory: every statement on all impartial games is tested on an initial part of the list of all of
//! them.

use crate::base::mex;
use crate::claims::mathematics::small_games::{NIM_HEAPS, Sums, grundy, options, show};
use crate::claims::{Check, Effort, Finding, claim};

/// The claims on impartial games in general.
pub(super) fn checks() -> Vec<Check> {
    vec![
        claim!("slides-1.2", one_winner),
        claim!("slides-star0", |_| {
            if Sums::default().is_lost(&[0]) {
                Finding::proved("the one game")
            } else {
                Finding::fails("*0", "is winning", "the one game")
            }
        }),
        claim!("slides-1.6", copycat),
        claim!("slides-zero", losing_is_zero),
        claim!("slides-1.5", losing_is_equivalent_to_zero),
        claim!("slides-1.7", sum_of_equivalent_games),
        claim!("slides-1.8", equivalent_options),
        claim!("slides-1.9", different_heaps),
        claim!("slides-binary", binary),
        claim!("slides-1.10", powers_of_two),
        claim!("slides-mex", |_| mex_examples()),
        claim!("slides-mex-rule", every_game_is_a_nim_heap),
    ]
}

const TESTED_WITH: u32 = 16;

fn bound(games: u32) -> String {
    format!("the first {games} impartial games")
}

/// The first game below `games` with `wrong`, as a failure.
fn search(games: u32, effort: &Effort, mut wrong: impl FnMut(u32) -> Option<String>) -> Finding {
    for game in 0..games {
        if effort.is_over() {
            return Finding::unchecked("the time was up before the check was done");
        }
        if let Some(shows) = wrong(game) {
            return Finding::fails(show(game), shows, bound(games));
        }
    }
    Finding::holds(bound(games))
}

fn one_winner(effort: &Effort) -> Finding {
    let games: u32 = effort.bound(1 << 14, 1 << 18);
    let (mut winning, mut losing) = (vec![false; games as usize], vec![false; games as usize]);
    search(games, effort, |game| {
        winning[game as usize] = options(game).any(|option| losing[option as usize]);
        losing[game as usize] = options(game).all(|option| winning[option as usize]);
        (winning[game as usize] == losing[game as usize]).then(|| "is both or neither".into())
    })
}

fn copycat(effort: &Effort) -> Finding {
    let mut sums = Sums::default();
    search(effort.bound(1 << 12, 1 << 14), effort, |game| {
        (!sums.is_lost(&[game, game])).then(|| "G + G is winning".into())
    })
}

fn losing_is_zero(effort: &Effort) -> Finding {
    let games = effort.bound(300, 1200);
    let mut sums = Sums::default();
    search(games, effort, |zero| {
        if !sums.is_lost(&[zero]) {
            return None;
        }
        (0..games)
            .find(|&game| sums.is_lost(&[game, zero]) != sums.is_lost(&[game]))
            .map(|game| format!("changes the outcome of {}", show(game)))
    })
}

fn losing_is_equivalent_to_zero(effort: &Effort) -> Finding {
    let mut sums = Sums::default();
    search(effort.bound(1 << 11, 1 << 13), effort, |game| {
        (sums.is_lost(&[game]) != sums.are_equivalent(&[game], &[0], TESTED_WITH))
            .then(|| "outcome and equivalence to *0 disagree".into())
    })
}

fn sum_of_equivalent_games(effort: &Effort) -> Finding {
    let games = effort.bound(48, 128);
    let mut sums = Sums::default();
    search(games, effort, |g| {
        (0..games)
            .find(|&h| {
                sums.are_equivalent(&[g], &[h], TESTED_WITH)
                    != sums.are_equivalent(&[g, h], &[0], TESTED_WITH)
            })
            .map(|h| format!("with {}", show(h)))
    })
}

fn equivalent_options(effort: &Effort) -> Finding {
    let games = effort.bound(128, 512);
    let mut sums = Sums::default();
    search(games, effort, |g| {
        (0..games)
            .find(|&h| {
                let mut matched = |from: u32, to: u32| {
                    options(from).all(|option| {
                        options(to).any(|other| sums.are_equivalent(&[option], &[other], TESTED_WITH))
                    })
                };
                matched(g, h) && matched(h, g) && !sums.are_equivalent(&[g], &[h], TESTED_WITH)
            })
            .map(|h| format!("and {} have equivalent options, but are not equivalent", show(h)))
    })
}

fn different_heaps(_: &Effort) -> Finding {
    let mut sums = Sums::default();
    for (i, &first) in NIM_HEAPS.iter().enumerate() {
        for (j, &second) in NIM_HEAPS.iter().enumerate() {
            // The heap itself is the game that tells them apart.
            let apart = sums.is_lost(&[first, first]) != sums.is_lost(&[second, first]);
            if apart != (i != j) {
                return Finding::fails(
                    format!("*{i}, *{j}"),
                    "are not told apart by adding the first",
                    "*0 to *4",
                );
            }
        }
    }
    Finding::holds("*0 to *4")
}

fn binary(effort: &Effort) -> Finding {
    // Count all sets of powers below 2^b by their sums: each sum must come exactly once.
    let bits: u32 = effort.bound(16, 20);
    let mut ways = vec![0u32; 1 << bits];
    for set in 0u32..1 << bits {
        let sum: u32 = (0..bits).filter(|power| set >> power & 1 == 1).map(|power| 2u32.pow(power)).sum();
        ways[sum as usize] += 1;
    }
    match ways.iter().position(|&ways| ways != 1) {
        Some(n) => Finding::fails(
            n.to_string(),
            format!("is such a sum in {} ways", ways[n]),
            format!("n < 2^{bits}"),
        ),
        None => Finding::holds(format!("n < 2^{bits}")),
    }
}

fn powers_of_two(effort: &Effort) -> Finding {
    use crate::claims::mathematics::brute::Solved;
    use crate::rules::Nim;
    // Equivalent to *n means that the sum with *n is losing; up to 5 powers and the heap itself.
    let max: u32 = effort.bound(15, 23);
    let rules = Nim;
    let heaps = (max + 1).next_power_of_two().ilog2() as usize + 1;
    let Ok(solved) = Solved::new(&rules, heaps, max, effort) else {
        return Finding::unchecked("the time was up before the check was done");
    };
    for n in 1..=max {
        let mut sum = vec![n];
        sum.extend((0..32).filter(|power| n >> power & 1 == 1).map(|power| 1u32 << power));
        if !solved.is_p(&sum) {
            return Finding::fails(
                format!("*{n}"),
                "plus its powers of 2 is winning",
                format!("n up to {max}"),
            );
        }
    }
    Finding::holds(format!("n up to {max}, by going through all positions of {heaps} heaps"))
}

fn mex_examples() -> Finding {
    let examples: [(&[u32], u32); 6] = [
        (&[0, 2, 3], 1),
        (&[0, 1, 2, 5, 8, 100], 3),
        (&[0, 1, 2, 3, 4], 5),
        (&[2, 3, 7], 0),
        (&[], 0),
        (&[0, 1, 2, 3, 4, 6, 8, 9], 5),
    ];
    for (set, value) in examples {
        let found = mex(set.iter().copied());
        if found != value {
            return Finding::fails(format!("{set:?}"), format!("the mex is {found}"), "all 6");
        }
    }
    Finding::proved("all 6 examples")
}

fn every_game_is_a_nim_heap(effort: &Effort) -> Finding {
    let mut sums = Sums::default();
    search(effort.bound(1 << 12, 1 << 14), effort, |game| {
        let value = grundy(game);
        let heap = *NIM_HEAPS.get(value as usize)?;
        (!sums.is_lost(&[game, heap])).then(|| format!("plus *{value} is winning"))
    })
}
