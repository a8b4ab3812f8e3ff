//! The heap games of the catalogue in the language of rules: the same options as the compiled rules on all positions up to a
//! bound, and the same tables in both plays.

use std::collections::BTreeSet;
use std::path::Path;

use nimwave::game::rule_file::{NamedRule, of_game, read};
use nimwave::game::{EntryKind, Game, Notation, Parameters, all};
use nimwave::rules::notation::rule::Rule;
use nimwave::rules::{OctalGame, Play, Rules, WrittenRules};
use nimwave::space::{SortedHeaps, Space};
use nimwave::{Control, HeapJob, KernelChoice, Quantity};

/// The written rule, the compiled game, and its parameters.
type Same = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

const SAME: [Same; 18] = [
    ("written-nim", "nim", &[]),
    ("written-minnie", "minnie", &[]),
    ("written-mine", "mine", &[]),
    ("written-wynnie-two", "wynnie", &[("together", "two")]),
    ("written-wynnie-any", "wynnie", &[("together", "any")]),
    ("written-wynnie-all", "wynnie", &[("together", "all")]),
    ("written-wythoff", "wythoff", &[]),
    ("written-nimb", "nimb", &[]),
    ("written-nimtb", "nimtb", &[]),
    ("written-susen", "susen", &[]),
    ("written-jennifer", "jennifer", &[]),
    ("written-euclid", "euclid", &[]),
    ("written-euclid-to-zero", "euclid", &[("to-zero", "true")]),
    ("written-greedy-nim", "greedy-nim", &[]),
    ("written-maximum-nim", "maximum-nim", &[("rule", "half")]),
    ("written-maximum-nim-less-than-half", "maximum-nim", &[("rule", "less-than-half")]),
    ("written-rook", "rook", &[]),
    ("written-queen", "queen", &[]),
];

fn catalogue() -> Vec<NamedRule> {
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("data/rules/catalogue.toml")).unwrap()
}

fn written(name: &str) -> String {
    catalogue().into_iter().find(|rule| rule.name == name).unwrap_or_else(|| panic!("no rule {name}")).rule
}

fn compiled(name: &str, parameters: &[(&str, &str)], play: Play) -> Game {
    let mut all = Parameters::from([("misere".into(), (play == Play::Misere).into())]);
    for &(name, value) in parameters {
        let value = value.parse::<bool>().map_or_else(|_| value.into(), serde_json::Value::from);
        all.insert(name.into(), value);
    }
    Game::new(name, &all).unwrap()
}

fn options(rules: &dyn Rules<Position = [u32]>, heaps: &[u32]) -> BTreeSet<Vec<u32>> {
    let mut found = BTreeSet::new();
    rules.options(heaps, &mut |option| {
        let mut sorted = option.to_vec();
        sorted.sort_unstable();
        found.insert(sorted);
    });
    found
}

#[test]
fn written_rules_have_the_options_of_the_compiled_ones() {
    for (name, game, parameters) in SAME {
        let rules = WrittenRules::new(Rule::parse(&written(name)).unwrap());
        let game = compiled(game, parameters, Play::Normal);
        let on_heaps = game.on_heaps().unwrap();
        for (heaps, max) in [(1, 60), (2, 24), (3, 11), (4, 7)] {
            if on_heaps.most_heaps.is_some_and(|most| heaps > most) {
                continue;
            }
            let compiled = on_heaps.rules(max).unwrap();
            let space = SortedHeaps::new(heaps, max).unwrap();
            let mut position = Vec::new();
            for index in 0..space.len() {
                space.unrank_into(index, &mut position);
                assert_eq!(
                    rules.is_position(&position),
                    on_heaps.is_position(&position),
                    "{name} {position:?}"
                );
                if on_heaps.is_position(&position) {
                    assert_eq!(
                        options(&rules, &position),
                        options(&*compiled, &position),
                        "{name} {position:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn written_rules_have_the_tables_of_the_compiled_ones_in_both_plays() {
    for (name, game, parameters) in SAME {
        for play in [Play::Normal, Play::Misere] {
            let compiled = compiled(game, parameters, play);
            let on_heaps = compiled.on_heaps().unwrap();
            let misere = Parameters::from([("misere".into(), (play == Play::Misere).into())]);
            let written = Game::written(&written(name), &misere).unwrap();
            for (heaps, max) in [(1, 40), (2, 20), (3, 9), (4, 6)] {
                if on_heaps.most_heaps.is_some_and(|most| heaps > most) {
                    continue;
                }
                for quantity in [Quantity::Outcomes, Quantity::Values] {
                    // By the rules alone, also where they are those of a game that has a kernel of its own.
                    let job = |game: &Game| {
                        let job = HeapJob::new(game, heaps, max, quantity).unwrap();
                        HeapJob { kernel: KernelChoice::Generic, ..job }
                    };
                    let tables =
                        [&written, &compiled].map(|game| job(game).solve(None, &Control::silent()).unwrap());
                    let space = job(&written).space().unwrap();
                    let mut position = Vec::new();
                    for index in 0..space.len() {
                        space.unrank_into(index, &mut position);
                        // What is no position has an entry that means nothing.
                        let [ours, theirs] = tables.each_ref().map(|table| table.cells().get(index));
                        assert!(
                            ours == theirs || !on_heaps.is_position(&position),
                            "{name} {play:?} {position:?}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn a_rule_that_is_minnie_or_wynnie_word_for_word_has_their_kernels() {
    for (name, game, parameters) in &SAME[1..6] {
        if *game == "mine" {
            continue;
        }
        let written = Game::written(&written(name), &Parameters::new()).unwrap();
        let compiled = compiled(game, parameters, Play::Normal);
        assert_eq!(written.on_heaps().unwrap().family, compiled.on_heaps().unwrap().family, "{name}");
        let blake3 = |game: &Game| {
            let job = HeapJob::new(game, 3, 40, Quantity::Outcomes).unwrap();
            assert!(job.has_fast_kernel());
            let table = job.solve(None, &Control::silent()).unwrap();
            table.manifest().checksums.as_ref().unwrap().blake3.clone()
        };
        assert_eq!(blake3(&written), blake3(&compiled), "{name}");
    }
    let other = Game::written("take s from one heap where s < min", &Parameters::new()).unwrap();
    assert_eq!(other.on_heaps().unwrap().family, None);
}

#[test]
fn every_heap_game_that_can_be_written_is() {
    let same: BTreeSet<&str> = SAME.iter().map(|(_, game, _)| *game).collect();
    let in_catalogue = all().into_iter().filter(|entry| matches!(entry.kind, EntryKind::Heaps(_)));
    // Another test of this process registers a game of its own.
    let missing: Vec<&str> = (in_catalogue.map(|entry| entry.name))
        .filter(|name| !same.contains(name) && *name != "take-at-most")
        .collect();
    // Counters stand on the nodes of a graph, poker nim adds chips, and `rule` is any rule.
    assert_eq!(missing, ["counters", "poker-nim", "rule"]);
    assert!(catalogue().iter().all(|rule| !rule.source.is_empty()), "every rule has a source");
    let tested: BTreeSet<&str> =
        SAME.iter().map(|(name, ..)| *name).chain(["written-kayles", "written-grundy"]).collect();
    assert!(catalogue().iter().all(|rule| tested.contains(rule.name.as_str())), "every rule is compared");
}

#[test]
fn rules_that_split_heaps_have_the_options_and_values_of_octal_games() {
    for (name, code) in [("written-kayles", "0.77"), ("written-grundy", "grundy")] {
        let rules = WrittenRules::new(Rule::parse(&written(name)).unwrap());
        let octal: OctalGame = code.parse().unwrap();
        assert_eq!(rules.octal(), Some(octal.clone()), "{name}");
        for heap in 0..40 {
            let mut expected = BTreeSet::new();
            octal.options_of_heap(heap.into(), &mut |a, b| {
                let mut parts: Vec<u32> =
                    [a, b].into_iter().filter(|&part| part > 0).map(|part| part as u32).collect();
                parts.sort_unstable();
                expected.insert(parts);
            });
            let ours: BTreeSet<Vec<u32>> = options(&rules, &[heap])
                .into_iter()
                .map(|option| option.into_iter().filter(|&part| part > 0).collect())
                .collect();
            assert_eq!(ours, expected, "{name} {heap}");
        }
        let game = Game::written(&written(name), &Parameters::new()).unwrap();
        assert!(matches!(game.on_heaps().unwrap().notation, Notation::Sizes));
        let table =
            HeapJob::new(&game, 1, 300, Quantity::Values).unwrap().solve(None, &Control::silent()).unwrap();
        let sequence = nimwave::OctalJob::new(octal, 301).solve(None, &Control::silent()).unwrap();
        assert!((0..=300).all(|heap| table.cells().get(heap) == sequence.cells().get(heap)), "{name}");
    }
    let octal =
        |text: &str| WrittenRules::new(Rule::parse(text).unwrap()).octal().map(|game| game.to_string());
    assert_eq!(octal("take s from one heap where s in {1, 3, 4}").as_deref(), Some("0.3033"));
    assert_eq!(octal("take s from one heap where s <= 3 and s is odd").as_deref(), Some("0.303"));
    assert_eq!(octal("split a heap into a, b or take s from one heap where s = 1").as_deref(), Some("4.3"));
    for text in [
        "take s from one heap",
        "take s from one heap where s <= 2 and heap > 5",
        "take s from one heap where s <= min",
    ] {
        assert_eq!(octal(text), None, "{text}");
    }
}

#[test]
fn every_game_finds_its_rule() {
    for (name, game, parameters) in SAME {
        let game = compiled(game, parameters, Play::Misere);
        assert_eq!(of_game(&game), Some(Rule::parse(&written(name)).unwrap()), "{name}");
    }
    let poker = compiled("poker-nim", &[], Play::Normal);
    assert_eq!(of_game(&poker), None);
}
