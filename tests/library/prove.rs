//! The proofs from outside: what is learned, what is proved, and that nothing wrong is ever proved.

use nimwave::Control;
use nimwave::game::Slabs;
use nimwave::proof::closed_form::ClosedForm;
use nimwave::proof::learn::{
    Learned, LearningTable, Outcomes, different_heaps, learn_classes, learn_letters,
};
use nimwave::proof::strategy::{MinniePlayer, Move, embedded_minnie};
use nimwave::proof::theorem::{ROUNDS, Round, Source, Theorem, prove_quotient};
use nimwave::proof::{Certificate, Class, Letters, LocalGame, Quotient, Refuted, check, corollaries};
use nimwave::rules::notation::rule::Rule;
use nimwave::rules::{HeapRules, Minnie, Nimtb, OctalGame, Play, Rules};

const PLAYS: [Play; 2] = [Play::Normal, Play::Misere];

const MINNIE: LocalGame = LocalGame::Slabs(Slabs::Minnie);
const NIMB: LocalGame = LocalGame::Slabs(Slabs::Nimb);
const NIMTB: LocalGame = LocalGame::Slabs(Slabs::Nimtb);

fn octal(code: &str) -> LocalGame {
    LocalGame::octal(code.parse().unwrap()).unwrap()
}

fn prove_local(game: LocalGame, play: Play, rounds: &[Round]) -> Option<Theorem> {
    let splits = matches!(&game, LocalGame::Octal(octal) if octal.splits());
    let source = if splits { Source::Search(&game, play) } else { Source::Table(&game, play) };
    prove_quotient(&game, play, &source, rounds, &Control::silent()).unwrap().theorem
}

/// Sorted positions of exactly `heaps` heaps of sizes `1..=max`.
fn positions(heaps: usize, max: u32) -> Vec<Vec<u32>> {
    let mut all: Vec<Vec<u32>> = vec![vec![]];
    for _ in 0..heaps {
        all = all
            .iter()
            .flat_map(|start| {
                let least = start.last().copied().unwrap_or(1);
                (least..=max).map(move |heap| [start.as_slice(), &[heap]].concat())
            })
            .collect();
    }
    all
}

fn wide(heaps: &[u32]) -> Vec<u64> {
    heaps.iter().map(|&heap| heap.into()).collect()
}

#[test]
fn the_embedded_certificates_are_what_the_learner_finds_and_the_check_proves() {
    for play in PLAYS {
        let verdict =
            prove_quotient(&MINNIE, play, &Source::Table(&Minnie, play), &ROUNDS, &Control::silent())
                .unwrap();
        let theorem = verdict.theorem.expect("minnie is finite");
        let embedded = embedded_minnie(play);
        assert_eq!(theorem.certificate, embedded);
        assert_eq!(embedded.check(), Ok(theorem.checked));
    }
}

#[test]
fn the_quotient_agrees_with_brute_force() {
    for play in PLAYS {
        let quotient = embedded_minnie(play).quotient;
        for (heaps, max) in [(3, 40), (6, 14)] {
            let table = LearningTable::solve(&Minnie, play, heaps, max, &Control::silent()).unwrap();
            for count in 0..=heaps {
                for position in positions(count, max) {
                    assert_eq!(
                        quotient.accepts_heaps(&wide(&position)),
                        table.is_p(&position),
                        "{play:?} {position:?}"
                    );
                }
            }
        }
    }
}

/// Nim, and only the moves of it that `legal` allows from a position to an option.
struct RestrictedNim(fn(&[u32], &[u32]) -> bool);

impl Rules for RestrictedNim {
    type Position = [u32];

    fn options(&self, heaps: &[u32], visit: &mut dyn FnMut(&[u32])) {
        for i in 0..heaps.len() {
            for smaller in 0..heaps[i] {
                let mut option = heaps.to_vec();
                option[i] = smaller;
                if (self.0)(heaps, &option) {
                    visit(&option);
                }
            }
        }
    }
}

fn smallest(heaps: &[u32]) -> Option<u32> {
    heaps.iter().copied().filter(|&heap| heap > 0).min()
}

fn taken(heaps: &[u32], option: &[u32]) -> u32 {
    heaps.iter().sum::<u32>() - option.iter().sum::<u32>()
}

#[test]
fn the_slabs_have_the_options_of_the_rules() {
    let sorted_options = |rules: &HeapRules, position: &[u32]| {
        let mut options = Vec::new();
        rules.options(position, &mut |option| {
            let mut option = option.to_vec();
            option.sort_unstable();
            options.push(option);
        });
        options.sort();
        options.dedup();
        options
    };
    let games: [(LocalGame, &HeapRules); 8] = [
        (MINNIE, &Minnie),
        (MINNIE, &RestrictedNim(|heaps, option| Some(taken(heaps, option)) <= smallest(heaps))),
        (NIMB, &RestrictedNim(|heaps, option| smallest(option) != smallest(heaps))),
        (NIMTB, &Nimtb),
        (octal("subtraction 2,5"), &RestrictedNim(|heaps, option| [2, 5].contains(&taken(heaps, option)))),
        // 0.123: take 1 only as a whole heap, 2 only leaving a heap, 3 in both ways.
        (
            octal("0.123"),
            &RestrictedNim(|heaps, option| {
                let present = |heaps: &[u32]| heaps.iter().filter(|&&heap| heap > 0).count();
                match taken(heaps, option) {
                    1 => present(option) < present(heaps),
                    2 => present(option) == present(heaps),
                    amount => amount == 3,
                }
            }),
        ),
        (octal("0.356"), &"0.356".parse::<OctalGame>().unwrap()),
        (octal("0.07"), &"0.07".parse::<OctalGame>().unwrap()),
    ];
    for (game, rules) in games {
        for heaps in 0..=4 {
            // Positions of nimtb have different heaps; the slabs of the others hold every position.
            let is_position = |position: &Vec<u32>| {
                let equal = |pair: &[u32]| pair[0] > 0 && pair[0] == pair[1];
                game != NIMTB || !position.windows(2).any(equal)
            };
            for position in positions(heaps, 7).into_iter().filter(is_position) {
                assert_eq!(
                    sorted_options(&game, &position),
                    sorted_options(rules, &position),
                    "{game:?} {position:?}"
                );
            }
        }
    }
}

#[test]
fn nim_shows_no_period_and_every_size_is_different() {
    let nim = RestrictedNim(|_, _| true);
    for max in [8, 16] {
        let table = LearningTable::solve(&nim, Play::Normal, 3, max, &Control::silent()).unwrap();
        assert!(learn_letters(&table).is_none());
        assert_eq!(different_heaps(&table), max as usize + 1);
    }
}

#[test]
fn every_corollary_of_minnie_is_proved() {
    let (normal, misere) = (embedded_minnie(Play::Normal).quotient, embedded_minnie(Play::Misere).quotient);
    let found = corollaries::minnie_normal(&normal, &misere);
    let ids: Vec<&str> = found.iter().map(|corollary| corollary.id).collect();
    assert_eq!(ids, ["conjecture-5.6", "minnie-theorem-7", "minnie-theorem-8", "nim-value-1"]);
    for corollary in found.iter().chain(&corollaries::minnie_misere(&normal, &misere)) {
        assert!(corollary.proved, "{corollary:?}");
    }
}

#[test]
fn corollaries_fail_on_a_quotient_for_which_they_are_false() {
    // The misère quotient in the place of the normal one: the printed theorems are about normal play.
    let misere = embedded_minnie(Play::Misere).quotient;
    let wrong = corollaries::minnie_normal(&misere, &misere);
    for id in ["minnie-theorem-7", "minnie-theorem-8", "nim-value-1"] {
        let corollary = wrong.iter().find(|corollary| corollary.id == id).unwrap();
        assert!(!corollary.proved && corollary.counterexample.is_some(), "{corollary:?}");
    }
    // A quotient that accepts everything refutes the conjecture.
    let letters = Letters::new(1, 1).unwrap();
    let all = Quotient::new(letters, &[vec![0, 0]], vec![true], vec![vec![]]).unwrap();
    assert!(!corollaries::minnie_normal(&all, &misere)[0].proved);
}

#[test]
fn winning_moves_are_those_of_the_rules() {
    for play in PLAYS {
        let player = MinniePlayer::embedded(play);
        let rules = Minnie;
        let table = LearningTable::solve(&rules, play, 4, 16, &Control::silent()).unwrap();
        for heaps in 1..=4 {
            for position in positions(heaps, 16) {
                let mut expected: Vec<Move> = Vec::new();
                rules.options(&position, &mut |option| {
                    if table.is_p(option) {
                        let i = (0..heaps).find(|&i| option[i] != position[i]).unwrap();
                        expected.push(Move { from: position[i].into(), to: option[i].into() });
                    }
                });
                expected.sort();
                expected.dedup();
                assert_eq!(player.winning_moves(&wide(&position)), expected, "{play:?} {position:?}");
            }
        }
    }
}

#[test]
fn a_thousand_heaps_of_a_quintillion_have_a_winning_move() {
    let player = MinniePlayer::embedded(Play::Normal);
    let mut heaps: Vec<u64> = (0..1000).map(|i| 1_000_000_000_000_000_000 + i * i % 37).collect();
    assert!(!player.is_p(&heaps));
    let winning = player.winning_moves(&heaps);
    let Move { from, to } = winning[0];
    assert!(from - to <= 1_000_000_000_000_000_000);
    let i = heaps.iter().position(|&heap| heap == from).unwrap();
    heaps[i] = to;
    assert!(player.is_p(&heaps) && player.winning_moves(&heaps).is_empty());
    assert!(player.winning_moves(&[]).is_empty() && player.winning_moves(&[0, 0]).is_empty());
}

#[test]
fn the_closed_form_agrees_with_brute_force_on_six_heaps_up_to_thirty() {
    use nimwave::base::Control;
    use nimwave::space::Space;
    use nimwave::sweep::HeapJob;
    use nimwave::table::Quantity;
    for play in PLAYS {
        let certificate = embedded_minnie(play);
        let form = ClosedForm::search(&certificate.quotient, certificate.largest_min.unwrap()).unwrap();
        assert!(form.leaves() <= 40, "{form}");
        let job = HeapJob::minnie(6, 30, play, Quantity::Outcomes);
        let space = job.space().unwrap();
        let table = job.solve(None, &Control::silent()).unwrap();
        let cells = table.cells();
        let mut position = Vec::new();
        let mut heaps = Vec::new();
        for index in 0..space.len() {
            space.unrank_into(index, &mut position);
            heaps.clear();
            heaps.extend(position.iter().map(|&heap| u64::from(heap)));
            assert_eq!(form.is_p(&heaps), cells.is_p(index), "{play:?} {heaps:?}");
        }
    }
}

#[test]
fn a_table_that_is_too_small_gives_an_error_or_no_theorem() {
    let rules = Minnie;
    let small = LearningTable::solve(&rules, Play::Normal, 2, 6, &Control::silent()).unwrap();
    assert!(
        learn_letters(&LearningTable::solve(&rules, Play::Normal, 3, 8, &Control::silent()).unwrap())
            .is_none()
    );
    let letters = Letters::new(8, 8).unwrap();
    assert!(
        learn_classes(&small, letters, 1, 100, &Control::silent())
            .unwrap_err()
            .to_string()
            .contains("too small")
    );
    let shallow = LearningTable::solve(&rules, Play::Normal, 4, 15, &Control::silent()).unwrap();
    assert!(matches!(
        learn_classes(&shallow, letters, 2, 1000, &Control::silent()).unwrap(),
        Learned::Open { .. }
    ));
    let round = Round { wide_heaps: 2, wide_max: 20, deep_heaps: 7, context: 2 };
    let verdict = prove_quotient(
        &MINNIE,
        Play::Normal,
        &Source::Table(&rules, Play::Normal),
        &[round],
        &Control::silent(),
    )
    .unwrap();
    assert!(verdict.theorem.is_none() && !verdict.attempts[0].problem.is_empty());
}

#[test]
fn known_misere_quotients_come_out_with_their_orders() {
    // Plambeck, Taming the wild in impartial combinatorial games: 0.123 has order 20. Misère quotients have even
    // order (Plambeck and Siegel), and 8 is the least order of a wild one, that of 0.75.
    let rounds = [
        Round { wide_heaps: 3, wide_max: 16, deep_heaps: 7, context: 3 },
        Round { wide_heaps: 3, wide_max: 20, deep_heaps: 8, context: 3 },
    ];
    for (code, order) in [("0.123", 20), ("0.75", 8)] {
        let theorem = prove_local(octal(code), Play::Misere, &rounds).expect("a finite quotient");
        assert_eq!(theorem.certificate.quotient.classes(), order);
        assert_eq!(theorem.certificate.check(), Ok(theorem.checked));
    }
}

#[test]
fn nimb_nimtb_and_subtraction_games_are_proved_in_both_plays() {
    for play in PLAYS {
        for game in [NIMB, NIMTB, octal("subtraction 1,2,3"), octal("subtraction 2,5")] {
            let theorem = prove_local(game.clone(), play, &ROUNDS).unwrap_or_else(|| panic!("{game:?}"));
            let table = LearningTable::solve(&game, play, 5, 12, &Control::silent()).unwrap();
            for position in positions(5, 12) {
                assert_eq!(
                    theorem.certificate.quotient.accepts_heaps(&wide(&position)),
                    table.is_p(&position),
                    "{game:?} {play:?} {position:?}"
                );
            }
        }
    }
}

/// The rows and acceptances of a quotient, for making wrong ones.
fn parts(quotient: &Quotient) -> (Vec<Vec<Class>>, Vec<bool>, Vec<Vec<u64>>) {
    let rows = quotient.rows().map(<[Class]>::to_vec).collect();
    let accepted = (0..quotient.classes() as Class).map(|class| quotient.accepts(class)).collect();
    (rows, accepted, quotient.representatives().to_vec())
}

fn assert_refuted(quotient: &Quotient, play: Play, what: &str) {
    assert!(check(quotient, &MINNIE, play, None, &Control::silent()).is_err(), "{what} was not noticed");
}

#[test]
fn a_flipped_acceptance_is_refuted() {
    for play in PLAYS {
        let quotient = embedded_minnie(play).quotient;
        for class in 0..quotient.classes() {
            let (rows, mut accepted, names) = parts(&quotient);
            accepted[class] = !accepted[class];
            let wrong = Quotient::new(quotient.letters(), &rows, accepted, names).unwrap();
            assert_refuted(&wrong, play, &format!("flipped class {class}"));
        }
    }
}

#[test]
fn merged_classes_are_refuted() {
    for (play, step) in [(Play::Normal, 7), (Play::Misere, 1)] {
        let quotient = embedded_minnie(play).quotient;
        let classes = quotient.classes();
        for (keep, drop) in (0..classes).flat_map(|a| (a + 1..classes).map(move |b| (a, b))).step_by(step) {
            // The class `drop` becomes `keep`, later classes move down by one, numbers become canonical again.
            let rename = |class: Class| match class as usize {
                c if c == drop => keep as Class,
                c if c > drop => class - 1,
                _ => class,
            };
            let (rows, accepted, _) = parts(&quotient);
            let without = |i: &usize| *i != drop;
            let rows: Vec<Vec<Class>> = (0..classes)
                .filter(without)
                .map(|i| rows[i].iter().map(|&class| rename(class)).collect())
                .collect();
            let accepted: Vec<bool> = (0..classes).filter(without).map(|i| accepted[i]).collect();
            let wrong = canonical(quotient.letters(), &rows, &accepted);
            assert_refuted(&wrong, play, &format!("classes {keep} and {drop} merged"));
        }
    }
}

/// Renumbers classes as a search in breadth meets them, so that only the mathematics can be wrong.
fn canonical(letters: Letters, rows: &[Vec<Class>], accepted: &[bool]) -> Quotient {
    let mut number = vec![None; rows.len()];
    number[0] = Some(0 as Class);
    let mut order = vec![0usize];
    let mut names: Vec<Vec<u64>> = vec![vec![]];
    let mut next = 0;
    while next < order.len() {
        for (letter, &to) in rows[order[next]].iter().enumerate().skip(1) {
            let to = to as usize;
            if number[to].is_none() {
                number[to] = Some(order.len() as Class);
                order.push(to);
                let mut name = names[next].clone();
                name.push(letter as u64);
                name.sort_unstable();
                names.push(name);
            }
        }
        next += 1;
    }
    let rows: Vec<Vec<Class>> =
        order.iter().map(|&old| rows[old].iter().map(|&to| number[to as usize].unwrap()).collect()).collect();
    let accepted = order.iter().map(|&old| accepted[old]).collect();
    Quotient::new(letters, &rows, accepted, names).unwrap()
}

#[test]
fn another_threshold_or_period_is_refuted() {
    for play in PLAYS {
        let quotient = embedded_minnie(play).quotient;
        let count = quotient.letters().count() as u64;
        for threshold in 1..count {
            if threshold == quotient.letters().threshold() {
                continue;
            }
            let letters = Letters::new(threshold, count - threshold).unwrap();
            let (rows, accepted, names) = parts(&quotient);
            let wrong = Quotient::new(letters, &rows, accepted, names).unwrap();
            assert_refuted(&wrong, play, &format!("threshold {threshold}"));
        }
        // Fewer letters: drop the last ones.
        for fewer in 2..count {
            let (rows, accepted, _) = parts(&quotient);
            let rows: Vec<Vec<Class>> = rows.iter().map(|row| row[..fewer as usize].to_vec()).collect();
            for threshold in 1..fewer {
                let letters = Letters::new(threshold, fewer - threshold).unwrap();
                let wrong = canonical(letters, &rows, &accepted);
                assert_refuted(&wrong, play, &format!("threshold {threshold}, {fewer} letters"));
            }
        }
    }
}

#[test]
fn every_changed_entry_of_the_action_is_refuted() {
    for (play, step) in [(Play::Normal, 11), (Play::Misere, 1)] {
        let quotient = embedded_minnie(play).quotient;
        let letters = quotient.letters().count();
        let changes =
            (0..quotient.classes()).flat_map(|class| (1..letters).map(move |letter| (class, letter)));
        for (i, (class, letter)) in changes.enumerate() {
            for shift in (1..quotient.classes()).skip(i % step).step_by(step) {
                let (mut rows, accepted, names) = parts(&quotient);
                rows[class][letter] = (rows[class][letter] + shift as Class) % quotient.classes() as Class;
                let wrong = Quotient::new(quotient.letters(), &rows, accepted, names).unwrap();
                assert_refuted(&wrong, play, &format!("entry {class},{letter} shifted by {shift}"));
            }
        }
    }
}

#[test]
fn the_certificate_of_another_game_or_play_is_refuted() {
    let normal = embedded_minnie(Play::Normal);
    for certificate in [
        Certificate { play: Play::Misere, ..normal.clone() },
        Certificate { game: NIMB, ..normal.clone() },
        Certificate { largest_min: Some(4), ..normal.clone() },
        Certificate { largest_min: Some(6), ..normal.clone() },
        Certificate { game: octal("subtraction 1,2"), largest_min: None, ..normal.clone() },
    ] {
        let refuted = certificate.check().unwrap_err();
        assert!(!refuted.to_string().is_empty());
        assert!(MinniePlayer::from_certificate(&certificate).is_err());
    }
    assert!(MinniePlayer::from_certificate(&normal).is_ok());
    assert_eq!(Certificate { play: Play::Misere, ..normal }.check(), Err(Refuted::Terminal));
}

#[test]
fn rules_by_heap_and_min_are_proved_by_the_general_method() {
    let rule = |text: &str| LocalGame::rule(Rule::parse(text).unwrap()).unwrap();
    // Minnie in one line: the same quotient as by the slabs that were made for it.
    for play in [Play::Normal, Play::Misere] {
        let theorem = prove_local(rule("take s from one heap where s <= min"), play, &ROUNDS).unwrap();
        assert_eq!(theorem.certificate.quotient, embedded_minnie(play).quotient);
        assert_eq!(theorem.checked.largest_min, embedded_minnie(play).largest_min);
        assert_eq!(theorem.certificate.largest_min, None);
    }
    let texts = [
        "take s from one heap where s < min",
        "take s from one heap where s is odd and s <= min",
        "take s from one heap where s in {1, 3, 4}",
        "take s from one heap where s is a power of 2",
        "take s from one heap where heap = min",
        "take s from one heap where s <= min and s <= 3",
        "take s from one heap where s divides 12",
    ];
    for text in texts {
        let game = rule(text);
        let theorem = prove_local(game.clone(), Play::Normal, &ROUNDS[..2]).expect(text);
        let certificate = &theorem.certificate;
        assert_eq!(Certificate::from_json(&certificate.to_json()).unwrap(), *certificate);
        assert_eq!(certificate.check().unwrap(), theorem.checked);
        let table = LearningTable::solve(&game, Play::Normal, 4, 24, &Control::silent()).unwrap();
        for position in positions(4, 24) {
            let large: Vec<u64> = position.iter().map(|&heap| heap.into()).collect();
            let quotient = &certificate.quotient;
            assert_eq!(
                quotient.accepts(quotient.class_of(&large)),
                table.is_p(&position),
                "{text} {position:?}"
            );
        }
    }
    // The quotient of one rule is not that of another.
    let certificate = prove_local(rule(texts[0]), Play::Normal, &ROUNDS[..2]).unwrap().certificate;
    let other = Certificate { game: rule("take s from one heap where s <= min"), ..certificate };
    assert!(other.check().is_err());
}
