//! The ways to an answer give the same answers, those of the documents.

use std::time::Duration;

use num_bigint::BigUint;

use super::*;
use crate::game::{Game, Parameters};
use crate::rules::OctalGame;
use crate::search::memo::Memo;
use crate::sweep::kernel::octal::{Engine, EngineOptions};

fn game(name: &str, parameters: &[(&str, serde_json::Value)]) -> Game {
    let parameters: Parameters =
        parameters.iter().map(|(key, value)| (key.to_string(), value.clone())).collect();
    Game::new(name, &parameters).unwrap()
}

fn answer(game: &Game, position: &str) -> Result<Answer<Vec<u64>>> {
    ask(game, &read_position(game, position)?, None, &Control::silent())
}

fn value(name: &str, parameters: &[(&str, serde_json::Value)], position: &str) -> Option<u64> {
    answer(&game(name, parameters), position).unwrap().value
}

fn octal(code: &str, position: &str) -> Answer<Vec<u64>> {
    answer(&Game::octal(code.parse().unwrap()), position).unwrap()
}

#[test]
fn positions_have_the_values_of_the_documents() {
    assert_eq!(value("nim", &[], "5 8 11"), Some(6));
    assert_eq!(value("nimb", &[], "3 4 6"), Some(2));
    assert_eq!(value("euclid", &[], "51 14"), Some(3));
    assert_eq!(value("maximum-nim", &[("rule", "n/2".into())], "20"), Some(10));
    assert_eq!(value("rook", &[], "5 3"), Some(6));
    assert_eq!(value("queen", &[], "0 4"), Some(4));
    assert_eq!(value("counters", &[("graph", "a>b,b>c,a>c".into())], "a b"), Some(3));
    assert_eq!(value("poker-nim", &[("add", "1,3,4".into()), ("additions", 1.into())], "1 4 5"), Some(0));
    assert_eq!(value("nim", &[], "0"), Some(0));
}

#[test]
fn positions_too_big_are_refused_with_a_remedy() {
    let refused = |name: &str, position: &str| answer(&game(name, &[]), position).unwrap_err().to_string();
    assert!(refused("wythoff", "3000 3000 3000").contains("smaller position"));
    assert!(refused("poker-nim", "3000 3000").contains("smaller heaps"));
    assert!(refused("wythoff", "4000000000 4000000000 4000000000 4000000000").contains("smaller position"));
}

#[test]
fn the_options_are_shown_with_the_names_of_the_nodes() {
    let game = game("counters", &[("graph", "a>b,b>c".into())]);
    let position = read_position(&game, "a").unwrap();
    let oracle = Oracle::new(&game, &position, None, &Control::silent()).unwrap();
    let options = oracle.options(&position, 9).unwrap();
    assert_eq!(options.iter().map(|option| oracle.show(option)).collect::<Vec<_>>(), ["[b]"]);
    assert!(read_position(&game, "z").is_err());
}

#[test]
fn kayles_sums() {
    let answer = octal("kayles", "5 3");
    assert_eq!((answer.value, answer.outcome), (Some(7), Outcome::Next));
    assert_eq!(answer.heap_values, [4, 3]);
    // From 5 (value 4) to a position of value 3: 3 alone, or 1 and 2.
    assert_eq!(answer.winning_moves, [vec![1, 2, 3], vec![3, 3]]);
    let balanced = octal("kayles", "7 7 0");
    assert_eq!((balanced.value, balanced.outcome), (Some(0), Outcome::Previous));
    assert!(balanced.winning_moves.is_empty());
}

#[test]
fn heaps_beyond_a_proved_period_are_answered_from_it() {
    let kayles = Game::octal("0.77".parse().unwrap());
    let oracle = Oracle::new(&kayles, &[10u64.pow(18)], None, &Control::silent()).unwrap();
    let answer = oracle.answer(&[10u64.pow(18)]).unwrap();
    // The period of 12 begins at 71 at the latest.
    let small = octal("0.77", &(10u64.pow(18) % 12 + 84).to_string());
    assert_eq!((answer.value, answer.source), (small.value, Source::Theorem(Theorem::Period)));
    assert_eq!(answer.more_moves, Some(More::Period(12)));
    assert!(!answer.winning_moves.is_empty());
    for option in &answer.winning_moves {
        assert_eq!(oracle.answer(option).unwrap().outcome, Outcome::Previous, "{option:?}");
    }
    // No move of a subtraction game splits, so that all winning moves are there.
    let subtraction = octal("subtraction 1,2,3", "1e18 3");
    assert_eq!((subtraction.value, subtraction.more_moves), (Some(3), None));
    // A heap is worth its remainder by 4: take the 3, or one of the others.
    assert_eq!(subtraction.winning_moves, [vec![3, 10u64.pow(18) - 1], vec![10u64.pow(18)]]);
}

#[test]
fn heaps_beyond_a_proved_arithmetic_period_are_answered_from_it() {
    for code in ["0.3F", "8.0", "0.FC", "4.0A", "0.28", "all-but 2,3,7"] {
        let octal = OctalGame::read(code).unwrap();
        let game = Game::octal(octal.clone());
        for heap in [700u64, 100_003] {
            let answer =
                Oracle::new(&game, &[heap], None, &Control::silent()).unwrap().answer(&[heap]).unwrap();
            assert_eq!(answer.source, Source::Theorem(Theorem::Period), "{code}");
            assert!(!answer.winning_moves.is_empty(), "{code} {heap}");
            // Each is a move, and leaves a nim-sum of 0 by the values themselves.
            if heap == 700 {
                let mut values = vec![0u16; 700];
                Engine::new(&octal, EngineOptions::default()).extend(&mut values, 0).unwrap();
                for option in &answer.winning_moves {
                    let sum = option.iter().fold(0, |sum, &part| sum ^ values[part as usize]);
                    let taken = heap - option.iter().sum::<u64>();
                    assert_eq!(
                        (sum, octal.digit(taken).bits >> option.len() & 1),
                        (0, 1),
                        "{code} {option:?}"
                    );
                }
            }
        }
        // Two heaps with different values: a move to a smaller value, not only to 0.
        let position = [100_003, 100_003 + 5 * octal.last_index().max(1) as u64 + 2];
        let oracle = Oracle::new(&game, &position, None, &Control::silent()).unwrap();
        let answer = oracle.answer(&position).unwrap();
        assert!(answer.value == Some(0) || !answer.winning_moves.is_empty(), "{code}: {:?}", answer.value);
        for option in answer.winning_moves.iter().take(20) {
            let after = Oracle::new(&game, option, None, &Control::silent()).unwrap().answer(option).unwrap();
            assert_eq!(after.outcome, Outcome::Previous, "{code} {option:?}");
        }
    }
}

#[test]
fn theorems_agree_with_the_rules() {
    let games = [
        game("nim", &[]),
        game("rook", &[]),
        game("maximum-nim", &[("rule", "(n+1)/2".into())]),
        game("counters", &[("graph", "a>b,b>c,a>c,d>a,d>b,e>c".into())]),
    ];
    let plays = games.into_iter().flat_map(|game| {
        let misere = game.clone().in_play(Play::Misere);
        [game, misere]
    });
    for game in plays {
        let heaps = game.on_heaps().unwrap();
        let rules = heaps.rules(5).unwrap();
        let mut memo = Memo::new(&*rules, game.play());
        let most = heaps.most_heaps.unwrap_or(3).min(3) as u32;
        for code in 0..6u64.pow(most) {
            let position: Vec<u64> = (0..most).map(|k| code / 6u64.pow(k) % 6).collect();
            let narrow: Vec<u32> = position.iter().map(|&heap| heap as u32).collect();
            let answer = ask(&game, &position, None, &Control::silent()).unwrap();
            assert_eq!(answer.value, Some(memo.value(&narrow).into()), "{} {position:?}", game.title());
            let mut winning = Vec::new();
            rules.options(&narrow, &mut |option| {
                if memo.is_p(option) {
                    winning.push(heaps.normal(&option.iter().map(|&heap| heap.into()).collect::<Vec<u64>>()));
                }
            });
            winning.sort();
            winning.dedup();
            assert_eq!(answer.winning_moves, winning, "{} {position:?}", game.title());
        }
    }
}

#[test]
fn large_sums_of_heaps_and_large_heaps_of_minnie_are_answered_at_once() {
    let nim = answer(&game("nim", &[]), "100 200 300").unwrap();
    assert_eq!((nim.value, nim.source), (Some(100 ^ 200 ^ 300), Source::Theorem(Theorem::NimSum)));
    for heap in ["65536", "49999999", "1e18"] {
        let minnie = answer(&game("minnie", &[]), heap).unwrap();
        assert_eq!((minnie.outcome, minnie.source), (Outcome::Next, Source::Theorem(Theorem::Quotient)));
        assert_eq!(minnie.winning_moves, [Vec::<u64>::new()]);
    }
    assert_eq!(value("minnie", &[], "65535"), Some(65535));
}

#[test]
fn a_long_answer_is_refused_or_allowed_by_the_time() {
    let minutes = |minutes: u64| Control::silent().with_time(Some(Duration::from_secs(60 * minutes)));
    assert!(check_time(59.0, "this", &Control::silent()).is_ok());
    assert!(check_time(61.0, "this", &Control::silent()).is_err());
    assert!(check_time(61.0, "this", &minutes(2)).is_ok());
    let error = check_time(3.2e9, "this", &minutes(2)).unwrap_err().to_string();
    assert!(error.contains("years") && error.contains("--time") && error.contains("--table DIR"), "{error}");
}

#[test]
fn the_oracle_knows_what_a_move_is() {
    let checked = |name: &str, start: &str| {
        let game = game(name, &[]);
        let start = read_position(&game, start).unwrap();
        let oracle = Oracle::new(&game, &start, None, &Control::silent()).unwrap();
        let options = oracle.options(&start, usize::MAX).unwrap();
        for a in 0..=start[0] + 1 {
            for b in 0..=start[1] + 1 {
                let to = oracle.normal(&[a, b]);
                let expected = options.contains(&to).then_some(to.clone());
                assert_eq!(oracle.option(&start, &to).unwrap(), expected, "{name} {start:?} to {to:?}");
            }
        }
    };
    checked("nim", "3 5");
    checked("wythoff", "3 5");
}

#[test]
fn the_quotient_knows_what_a_move_of_minnie_is() {
    use super::oracle::Way;
    let way = super::quotient::FromQuotient::minnie(Play::Normal);
    let normal = |heaps: &[u64]| game("minnie", &[]).on_heaps().unwrap().normal(heaps);
    let options: Vec<Vec<u64>> =
        way.options(&[3, 5], usize::MAX).unwrap().iter().map(|option| normal(option)).collect();
    for (a, b) in (0..5).flat_map(|a| (a..7).map(move |b| (a, b))) {
        let to = normal(&[a, b]);
        let is_move = [vec![5], vec![1, 5], vec![2, 5], vec![2, 3], vec![3, 3], vec![3, 4]].contains(&to);
        assert_eq!((way.is_option(&[3, 5], &to), options.contains(&to)), (Some(is_move), is_move), "{to:?}");
    }
}

#[test]
fn automata_agree_with_the_rules() {
    let all = || ("together", serde_json::Value::from("all"));
    let cases: [(Game, u64); 11] = [
        (game("mine", &[]), 2),
        (game("mine", &[]), 3),
        (game("mine", &[]), 4),
        (game("wynnie", &[]), 2),
        (game("wynnie", &[all()]), 3),
        (game("wythoff", &[]), 2),
        (game("minnie", &[]), 2),
        (game("mine", &[]).in_play(Play::Misere), 3),
        (game("wynnie", &[]).in_play(Play::Misere), 2),
        (game("wynnie", &[all()]).in_play(Play::Misere), 3),
        (game("wythoff", &[]).in_play(Play::Misere), 2),
    ];
    for (game, heaps) in cases {
        let on_heaps = game.on_heaps().unwrap();
        let largest: u64 = [0, 0, 25, 9, 6][heaps as usize];
        let rules = on_heaps.rules(largest as u32).unwrap();
        let mut memo = Memo::new(&*rules, game.play());
        let first: Vec<BigUint> = (0..heaps).map(|heap| (heap + 1).into()).collect();
        let automata = FromAutomata::known(&game, &first, &Control::silent()).unwrap().unwrap();
        for code in 0..(largest + 1).pow(heaps as u32) {
            let place = |heap: u64| code / (largest + 1).pow(heap as u32) % (largest + 1);
            let position: Vec<u64> = (0..heaps).map(place).collect();
            let narrow: Vec<u32> = position.iter().map(|&heap| heap as u32).collect();
            if position.is_sorted() && on_heaps.is_position(&narrow) {
                let wide: Vec<BigUint> = position.iter().map(|&heap| heap.into()).collect();
                let answer = automata.answer(&wide).unwrap();
                assert_eq!(
                    answer.outcome,
                    Outcome::of_p(memo.is_p(&narrow)),
                    "{} {position:?}",
                    game.title()
                );
                if let Some(value) = answer.value {
                    assert_eq!(value, u64::from(memo.value(&narrow)), "{position:?}");
                }
                if let Some(least) = answer.value_above {
                    assert!(u64::from(memo.value(&narrow)) > least, "{position:?}");
                }
                let mut winning: Vec<Vec<Size>> = Vec::new();
                rules.options(&narrow, &mut |option| {
                    let wide: Vec<u64> = option.iter().map(|&heap| heap.into()).collect();
                    if memo.is_p(option) && answer.outcome == Outcome::Next {
                        winning
                            .push(on_heaps.normal(&wide).into_iter().map(|heap| Size(heap.into())).collect());
                    }
                });
                winning.sort();
                winning.dedup();
                assert_eq!(answer.winning_moves, winning, "{} {position:?}", game.title());
            }
        }
    }
}

#[test]
fn very_many_options_are_counted_and_not_listed() {
    use super::oracle::Way;
    let wythoff = game("wythoff", &[]);
    let position = [10u64.pow(15), 10u64.pow(16)];
    let wide = position.map(BigUint::from);
    let way = FromAutomata::known(&wythoff, &wide, &Control::silent()).unwrap().unwrap();
    assert_eq!(way.options(&position, 50).unwrap().len(), 50);
    assert_eq!(way.is_option(&position, &[1, 10u64.pow(16)]), Some(true));
    assert_eq!(way.is_option(&position, &[1, 10u64.pow(16) - 1]), Some(false));
    let answer = answer(&wythoff, "1e15 1e16").unwrap();
    assert_eq!(answer.source, Source::Theorem(Theorem::Automata));
    // Wythoff's first element of the pair whose larger one is 10^15, and the same difference.
    assert_eq!(answer.winning_moves.len(), 1, "{answer:?}");
}
