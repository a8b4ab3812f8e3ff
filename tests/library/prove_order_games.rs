//! Theorems about games whose moves depend on the order of the heaps, against brute force; and nimtb, for any number of heaps.

use nimwave::Control;
use nimwave::game::Slabs;
use nimwave::proof::learn::{LearningTable, Outcomes};
use nimwave::proof::order_games::{GapOutcomes, OrderGame, prove_order};
use nimwave::proof::theorem::prove_local;
use nimwave::proof::{Letters, LocalGame};
use nimwave::rules::{GreedyNim, HeapRules, Nim, Nimb, Nimtb, Play};

const PLAYS: [Play; 2] = [Play::Normal, Play::Misere];

/// Calls `visit` with all sorted positions of four heaps, absent ones included.
fn for_each_position(max: u32, distinct: bool, visit: &mut dyn FnMut(&[u32; 4])) {
    for a in 0..=max {
        for b in a..=max {
            for c in b..=max {
                for d in c..=max {
                    let position = [a, b, c, d];
                    if !distinct || position.windows(2).all(|pair| pair[0] == 0 || pair[0] < pair[1]) {
                        visit(&position);
                    }
                }
            }
        }
    }
}

#[test]
fn proved_outcomes_are_those_of_the_rules() {
    for play in PLAYS {
        let games: [(&HeapRules, bool); 3] = [(&GreedyNim, false), (&Nimb, false), (&Nimtb, true)];
        for (i, (rules, distinct)) in games.into_iter().enumerate() {
            let theorem =
                prove_order(&OrderGame { rules, play, distinct }, 4, 8, &Control::silent()).unwrap();
            let claim = theorem.unwrap_or_else(|| panic!("game {i}, {play:?}")).claim;
            let table = LearningTable::solve(rules, play, 4, 16, &Control::silent()).unwrap();
            for_each_position(16, distinct, &mut |position| {
                let expected = Some(table.is_p(position));
                assert_eq!(
                    claim.is_p(&position.map(u64::from)),
                    expected,
                    "game {i}, {play:?}, {position:?}"
                );
            });
            assert_eq!(claim.is_p(&[1, 2, 3, 4, 5]), None);
        }
    }
}

#[test]
fn greedy_nim_is_lost_with_an_even_number_of_largest_heaps_of_any_size() {
    let rules = GreedyNim;
    let claim = prove_order(
        &OrderGame { rules: &rules, play: Play::Normal, distinct: false },
        5,
        4,
        &Control::silent(),
    )
    .unwrap()
    .unwrap()
    .claim;
    let huge = 1 << 60;
    assert_eq!(claim.is_p(&[3, 7, huge, huge]), Some(true));
    assert_eq!(claim.is_p(&[3, 7, huge, huge + 1]), Some(false));
    assert_eq!(claim.is_p(&[3, huge, huge, huge]), Some(false));
    assert_eq!(claim.is_p(&[3, huge, huge, huge, huge]), Some(true));
}

#[test]
fn nim_goes_by_gaps_on_two_heaps_and_not_on_three() {
    let nim = Nim;
    let game = OrderGame { rules: &nim, play: Play::Normal, distinct: false };
    let claim = prove_order(&game, 2, 4, &Control::silent()).unwrap().unwrap().claim;
    assert_eq!(claim.is_p(&[1 << 50, 1 << 50]), Some(true));
    assert!(prove_order(&game, 3, 8, &Control::silent()).unwrap().is_none());
}

#[test]
fn wrong_claims_by_gaps_are_refuted() {
    let misere = GreedyNim;
    let normal = GreedyNim;
    let game = OrderGame { rules: &normal, play: Play::Normal, distinct: false };
    let claim = GapOutcomes::solve(&game, 3, Letters::new(1, 1).unwrap()).unwrap();
    assert!(claim.check(&game).is_ok());
    // The claim about another play or another game.
    assert_eq!(claim.check(&OrderGame { rules: &misere, play: Play::Misere, distinct: false }), Err(vec![]));
    assert!(claim.check(&OrderGame { rules: &Nim, play: Play::Normal, distinct: false }).is_err());
    // Misère greedy nim tells heaps of 1 from larger ones, so a threshold of 1 is too small.
    let misere = OrderGame { rules: &misere, play: Play::Misere, distinct: false };
    let folded = GapOutcomes::solve(&misere, 2, Letters::new(1, 1).unwrap()).unwrap();
    assert!(folded.check(&misere).is_err());
    assert!(GapOutcomes::solve(&game, 40, Letters::new(4, 4).unwrap()).is_err());
}

#[test]
fn the_quotient_of_nimtb_has_the_outcomes_of_its_rules_on_different_heaps() {
    for play in PLAYS {
        let verdict = prove_local(&LocalGame::Slabs(Slabs::Nimtb), play, &Control::silent()).unwrap();
        let quotient = verdict.theorem.expect("nimtb has a finite quotient").certificate.quotient;
        let table = LearningTable::solve(&Nimtb, play, 4, 14, &Control::silent()).unwrap();
        for_each_position(14, true, &mut |position| {
            let heaps = position.map(u64::from);
            assert_eq!(quotient.accepts_heaps(&heaps), table.is_p(position), "{play:?} {position:?}");
        });
    }
}
