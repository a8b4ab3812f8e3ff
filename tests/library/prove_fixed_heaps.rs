//! Theorems for a fixed number of heaps, exact counts, and proved periods of rows, against brute force.

use nimwave::Control;
use nimwave::analysis::row_period::RowProver;
use nimwave::proof::Letters;
use nimwave::proof::count::count_p_positions;
use nimwave::proof::fixed_heaps::{FixedBounds, FixedHeaps, GapGame, prove_fixed};
use nimwave::proof::learn::{LearningTable, Outcomes};
use nimwave::proof::strategy::embedded_minnie;
use nimwave::rules::{HeapRules, Minnie, Play, Rules};
use std::collections::HashMap;

const PLAYS: [Play; 2] = [Play::Normal, Play::Misere];

/// The moves of minnie that leave no two heaps of the same size.
struct DifferentHeaps;

impl Rules for DifferentHeaps {
    type Position = [u32];

    fn options(&self, heaps: &[u32], visit: &mut dyn FnMut(&[u32])) {
        Minnie.options(heaps, &mut |option| {
            let mut present: Vec<u32> = option.iter().copied().filter(|&heap| heap > 0).collect();
            present.sort_unstable();
            if present.windows(2).all(|pair| pair[0] < pair[1]) {
                visit(option);
            }
        });
    }
}

fn assert_agrees(claim: &FixedHeaps, rules: &HeapRules, play: Play, max: u32, distinct: bool) {
    let table = LearningTable::solve(rules, play, 3, max, &Control::silent()).unwrap();
    for a in 0..=max {
        for b in a..=max {
            for c in b..=max {
                if distinct && ((a > 0 && a == b) || (b > 0 && b == c)) {
                    continue;
                }
                let wide = [a, b, c].map(u64::from);
                assert_eq!(claim.is_p(&wide), Some(table.is_p(&[a, b, c])), "{wide:?}");
            }
        }
    }
}

#[test]
fn three_heaps_of_minnie_and_of_mine_are_proved_for_all_sizes() {
    for play in PLAYS {
        let minnie = Minnie;
        let theorem = prove_fixed(
            &GapGame { rules: &minnie, play, distinct: false },
            3,
            FixedBounds::default(),
            &Control::silent(),
        )
        .unwrap()
        .expect("minnie on three heaps is periodic in the gaps");
        assert_agrees(&theorem.claim, &minnie, play, 50, false);
        let mine = DifferentHeaps;
        let theorem = prove_fixed(
            &GapGame { rules: &mine, play, distinct: true },
            3,
            FixedBounds::default(),
            &Control::silent(),
        )
        .unwrap()
        .expect("mine on three heaps is periodic in the gaps");
        assert_agrees(&theorem.claim, &mine, play, 50, true);
        assert_eq!(theorem.claim.is_p(&[1, 2, 3, 4]), None);
    }
}

#[test]
fn the_fixed_claim_agrees_with_the_quotient_far_out() {
    let minnie = Minnie;
    let theorem = prove_fixed(
        &GapGame { rules: &minnie, play: Play::Normal, distinct: false },
        3,
        FixedBounds::default(),
        &Control::silent(),
    );
    let claim = theorem.unwrap().unwrap().claim;
    let quotient = embedded_minnie(Play::Normal).quotient;
    for a in 1..=8u64 {
        for b in (a..a + 40).chain(1_000_000..1_000_020) {
            for c in (b..b + 40).chain(1_000_000_000..1_000_000_020) {
                let heaps = [a, b, c];
                assert_eq!(claim.is_p(&heaps), Some(quotient.accepts_heaps(&heaps)), "{heaps:?}");
            }
        }
    }
}

#[test]
fn two_heaps_of_mine_are_theorem_5_8_for_all_sizes() {
    let mine = DifferentHeaps;
    let claim = prove_fixed(
        &GapGame { rules: &mine, play: Play::Normal, distinct: true },
        2,
        FixedBounds::default(),
        &Control::silent(),
    )
    .unwrap()
    .unwrap()
    .claim;
    for a in 1..=12u64 {
        for b in (a + 1..80).chain(10_000_000_000..10_000_000_020) {
            let expected = match a {
                1 => b % 2 == 0,
                2 => b % 4 == 1,
                3 => b % 4 == 3,
                _ => false,
            };
            assert_eq!(claim.is_p(&[a, b]), Some(expected), "[{a}, {b}]");
        }
    }
}

#[test]
fn wrong_fixed_claims_are_refuted() {
    let minnie = Minnie;
    let game = GapGame { rules: &minnie, play: Play::Normal, distinct: false };
    let right = FixedHeaps::solve(&game, 2, Letters::new(2, 4).unwrap(), 4).unwrap();
    assert!(right.check(&game).is_ok());
    for (threshold, period, largest_min) in [(1, 4, 4), (2, 3, 4), (2, 4, 3), (2, 2, 4), (1, 1, 1)] {
        let letters = Letters::new(threshold, period).unwrap();
        let wrong = FixedHeaps::solve(&game, 2, letters, largest_min).unwrap();
        assert!(wrong.check(&game).is_err(), "T {threshold}, p {period}, m {largest_min}");
    }
    // A claim about the other play, checked against these rules.
    let misere = Minnie;
    let other = prove_fixed(
        &GapGame { rules: &misere, play: Play::Misere, distinct: false },
        2,
        FixedBounds::default(),
        &Control::silent(),
    );
    assert!(other.unwrap().unwrap().claim.check(&game).is_err());
    assert!(FixedHeaps::solve(&game, 12, Letters::new(16, 16).unwrap(), 5).is_err());
}

#[test]
fn four_heaps_of_mine_are_not_periodic_within_small_bounds() {
    let mine = DifferentHeaps;
    let bounds = FixedBounds { threshold: 8, period: 4, largest_min: 5 };
    assert!(
        prove_fixed(
            &GapGame { rules: &mine, play: Play::Normal, distinct: true },
            4,
            bounds,
            &Control::silent()
        )
        .unwrap()
        .is_none()
    );
}

#[test]
fn counts_agree_with_tables() {
    for play in PLAYS {
        let quotient = embedded_minnie(play).quotient;
        let table = LearningTable::solve(&Minnie, play, 5, 18, &Control::silent()).unwrap();
        let mut counts: HashMap<(u64, u64), u64> = HashMap::new();
        let mut position = [0u32; 5];
        loop {
            if table.is_p(&position) {
                let heaps = position.iter().filter(|&&heap| heap > 0).count() as u64;
                // A position with largest heap h counts for every bound from h on.
                for max in u64::from(position[4])..=18 {
                    *counts.entry((heaps, max)).or_default() += 1;
                }
            }
            let Some(i) = position.iter().rposition(|&heap| heap < 18) else { break };
            let grown = position[i] + 1;
            position[i..].fill(grown);
        }
        for heaps in 0..=5 {
            for max in 0..=18 {
                let expected = counts.get(&(heaps, max)).copied().unwrap_or(0);
                let counted = count_p_positions(&quotient, heaps, max).unwrap();
                assert_eq!(counted.to_string(), expected.to_string(), "{play:?}: {heaps} heaps up to {max}");
            }
        }
    }
}

#[test]
fn counts_by_the_quasi_polynomial_agree_with_multisets_one_by_one() {
    // With sizes up to 3 a multiset is three numbers; beyond a few heaps the quasi-polynomial takes over.
    for play in PLAYS {
        let quotient = embedded_minnie(play).quotient;
        for heaps in 0..=60u64 {
            let mut expected = 0u64;
            for ones in 0..=heaps {
                for twos in 0..=heaps - ones {
                    let sizes = [(1, ones), (2, twos), (3, heaps - ones - twos)];
                    let position: Vec<u64> =
                        sizes.iter().flat_map(|&(size, count)| vec![size; count as usize]).collect();
                    expected += u64::from(quotient.accepts_heaps(&position));
                }
            }
            let counted = count_p_positions(&quotient, heaps, 3).unwrap();
            assert_eq!(counted.to_string(), expected.to_string(), "{play:?}: {heaps} heaps up to 3");
        }
    }
}

#[test]
fn huge_counts_have_the_right_size_and_absurd_ones_are_refused() {
    let quotient = embedded_minnie(Play::Normal).quotient;
    let digits = |heaps, max| count_p_positions(&quotient, heaps, max).unwrap().to_string().len();
    // A P-position has a heap of at most 5, so there are about as many as positions of 39 heaps: 10^(18*39) / 39!.
    assert!((650..=660).contains(&digits(40, 1_000_000_000_000_000_000)));
    assert!(digits(1_000_000_000_000_000_000, 10) > 150);
    assert!(count_p_positions(&quotient, 1 << 40, 1 << 40).is_err());
    assert!(count_p_positions(&quotient, u64::MAX, 10).is_err());
}

/// Grundy values of minnie by the definition.
fn grundy(heaps: &[u32], known: &mut HashMap<Vec<u32>, u16>) -> u16 {
    let mut sorted: Vec<u32> = heaps.iter().copied().filter(|&heap| heap > 0).collect();
    sorted.sort_unstable();
    if let Some(&value) = known.get(&sorted) {
        return value;
    }
    let mut options = Vec::new();
    Minnie.options(&sorted, &mut |option| options.push(option.to_vec()));
    let mut seen: Vec<u16> = options.iter().map(|option| grundy(option, known)).collect();
    seen.sort_unstable();
    seen.dedup();
    let value = (0..).zip(&seen).find(|(i, value)| i != *value).map_or(seen.len() as u16, |(i, _)| i);
    known.insert(sorted, value);
    value
}

#[test]
fn proved_rows_have_the_values_of_the_definition() {
    let mut known = HashMap::new();
    // Filled from the bottom, so that the recursion stays shallow.
    for x in 0..700 {
        for a in 0..=8 {
            grundy(&[a, x], &mut known);
        }
    }
    let mut prover = RowProver::new();
    for a in 1..=8 {
        let row = prover.prove(&[a]).unwrap();
        assert!(row.preperiod + 2 * row.period < 700, "the test reaches into the period");
        for x in 0..700 {
            assert_eq!(row.value(x.into()), grundy(&[a, x], &mut known), "G({a}, {x})");
        }
        assert_least(row.preperiod, row.period, |x| row.value(x as u64));
    }
    for key in [[1, 1], [1, 4], [2, 3], [3, 3], [3, 5], [4, 4]] {
        for x in 0..200 {
            grundy(&[key[0], key[1], x], &mut known);
        }
        let row = prover.prove(&key).unwrap();
        for x in 0..200 {
            assert_eq!(row.value(x.into()), grundy(&[key[0], key[1], x], &mut known), "G({key:?}, {x})");
        }
        assert_least(row.preperiod, row.period, |x| row.value(x as u64));
    }
}

/// No smaller period, and no smaller preperiod for this period.
fn assert_least(preperiod: usize, period: usize, value: impl Fn(usize) -> u16) {
    for shorter in 1..period {
        assert!((preperiod..preperiod + period).any(|x| value(x) != value(x + shorter)));
    }
    assert!(preperiod == 0 || value(preperiod - 1) != value(preperiod - 1 + period));
}

#[test]
fn row_sixty_is_proved_and_bad_rows_are_errors() {
    let mut prover = RowProver::new();
    let row = prover.prove(&[60]).unwrap();
    assert!(row.max_value <= 120 && row.period % 2304 == 0);
    assert!(prover.prove(&[]).is_err());
    assert!(prover.prove(&[0]).is_err());
    assert!(prover.prove(&[3, 0]).is_err());
    assert!(prover.prove(&[200]).is_err());
    assert!(prover.prove(&[u32::MAX, 7]).is_err());
}
