//! Tests of misère quotients against searches by the rules, and of genera against published ones.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::*;
use crate::base::{Control, Error};
use crate::rules::{OctalGame, Rules};

fn game(code: &str) -> OctalGame {
    code.parse().unwrap_or_else(|error| panic!("{code}: {error}"))
}

fn partial(code: &str, heaps: usize) -> Partial {
    let mut partial = Partial::new(&game(code), usize::MAX);
    for _ in 0..heaps {
        partial.next_heap(&Control::silent()).unwrap();
    }
    partial
}

fn solved(code: &str) -> Solution {
    solve(&game(code), Extent::default(), &Control::silent()).unwrap()
}

/// Whether the heaps are a P-position in misère play, by the definition.
fn is_p(game: &OctalGame, heaps: &[u32], known: &mut HashMap<Vec<u32>, bool>) -> bool {
    let mut heaps: Vec<u32> = heaps.iter().copied().filter(|&heap| heap > 0).collect();
    heaps.sort_unstable();
    if let Some(&outcome) = known.get(&heaps) {
        return outcome;
    }
    let mut options = Vec::new();
    game.options(&heaps, &mut |option| options.push(option.to_vec()));
    let outcome = !options.is_empty() && !options.iter().any(|option| is_p(game, option, known));
    known.insert(heaps, outcome);
    outcome
}

/// All multisets of at most `count` heaps from 1 to `max`.
fn multisets(count: usize, max: u32) -> Vec<Vec<u32>> {
    let (mut all, mut begin) = (vec![vec![]], 0);
    for _ in 0..count {
        let end = all.len();
        for i in begin..end {
            for heap in all[i].last().copied().unwrap_or(1)..=max {
                all.push([&all[i][..], &[heap]].concat());
            }
        }
        begin = end;
    }
    all
}

fn element(partial: &Partial, heaps: &[u32]) -> Element {
    heaps.iter().fold(IDENTITY, |x, &heap| partial.monoid().times(x, partial.elements()[heap as usize]))
}

#[test]
fn outcomes_by_the_quotient_are_those_of_a_search_through_the_rules() {
    for code in ["0.77", "0.07", "0.45", "4.7", "0.16", "grundy", "0.123", "0.15", "subtraction 2,5", "0.3"] {
        let (game, partial, mut known) = (game(code), partial(code, 12), HashMap::new());
        for heaps in multisets(4, 12).iter().filter(|heaps| heaps.iter().sum::<u32>() <= 26) {
            let expected = is_p(&game, heaps, &mut known);
            assert_eq!(partial.monoid().is_p(element(&partial, heaps)), expected, "{code} {heaps:?}");
        }
    }
}

#[test]
fn different_elements_are_told_apart_by_positions_of_the_game() {
    for (code, heaps, order) in [("0.77", 5, 12), ("0.75", 5, 8), ("0.123", 9, 20), ("0.07", 10, 12)] {
        let (game, partial, mut known) = (game(code), partial(code, heaps as usize), HashMap::new());
        assert_eq!(partial.monoid().order(), order, "{code}");
        let contexts = multisets(3, heaps);
        let mut rows = HashMap::new();
        for position in multisets(4, heaps) {
            let outcome = |context: &Vec<u32>| is_p(&game, &[&position[..], context].concat(), &mut known);
            let row: Vec<bool> = contexts.iter().map(outcome).collect();
            // Equal elements have equal rows, and different elements different ones.
            let x = element(&partial, &position);
            assert_eq!(*rows.entry(row).or_insert(x), x, "{code} {position:?}");
        }
        assert_eq!(rows.values().collect::<HashSet<_>>().len(), order, "{code}");
    }
}

#[test]
fn kayles_has_a_quotient_of_order_40_in_which_heaps_repeat_from_71_on_with_period_12() {
    let kayles = solved("0.77");
    assert_eq!(kayles.end, End::Proved(Period { preperiod: 71, period: 12 }));
    let names =
        |elements: Vec<Element>| elements.iter().map(|&x| kayles.presentation.name(x)).collect::<Vec<_>>();
    assert_eq!(kayles.presentation.generators, [1, 2, 5, 9, 12, 25, 27]);
    assert_eq!(
        kayles.presentation.relation_names().join(" "),
        "a^2=1 b^3=b bc^2=b c^3=c bd=bc cd=b^2 d^3=d be=bc ce=b^2 e^2=de bf=ab cf=ab^2c d^2f=f f^2=b^2 b^2g=g \
         c^2g=g dg=cg eg=cg fg=ag g^2=b^2"
    );
    assert_eq!(names(kayles.monoid.p_portion()).join(" "), "a b^2 ac ac^2 d ad^2 e ade adf");
    assert_eq!((kayles.monoid.order(), kayles.first_wild()), (40, Some(5)));
    let orders: Vec<(usize, usize)> = kayles.steps.iter().map(|step| (step.heap, step.order)).collect();
    assert_eq!(orders, [(1, 2), (2, 6), (5, 12), (9, 18), (12, 24), (25, 32), (27, 40)]);
}

#[test]
fn normal_forms_and_relations_present_the_monoid() {
    for code in ["0.77", "0.15", "0.71", "0.123"] {
        let solution = solved(code);
        let (monoid, presentation) = (&solution.monoid, &solution.presentation);
        let value = |monomial: &[u8]| {
            presentation.generators.iter().zip(monomial).fold(IDENTITY, |x, (&heap, &power)| {
                (0..power).fold(x, |x, _| monoid.times(x, solution.elements[heap]))
            })
        };
        for x in monoid.elements() {
            assert_eq!(value(&presentation.normal_forms[x as usize]), x, "{code}");
        }
        // Each monomial beside the normal ones is rewritten until it is normal, to the right element.
        let normal: HashSet<&Vec<u8>> = presentation.normal_forms.iter().collect();
        for form in &presentation.normal_forms {
            for i in 0..form.len() {
                let mut monomial = form.clone();
                monomial[i] += 1;
                let x = value(&monomial);
                while let Some((left, right)) = presentation
                    .relations
                    .iter()
                    .find(|(left, _)| left.iter().zip(&monomial).all(|(a, b)| a <= b))
                {
                    monomial =
                        monomial.iter().zip(left.iter().zip(right)).map(|(m, (l, r))| m - l + r).collect();
                }
                assert!(normal.contains(&monomial) && value(&monomial) == x, "{code}");
            }
        }
    }
}

#[test]
fn quotients_are_those_that_are_published() {
    let mut codes = BTreeSet::new();
    for line in
        include_str!("../../../../data/golden/misere.tsv").lines().filter(|line| !line.starts_with('#'))
    {
        let fields: Vec<&str> = line.split('\t').collect();
        let [code, order, p, preperiod, period, heaps, _source] = fields[..] else { panic!("{line}") };
        let number = |text: &str| (text != "-").then(|| text.parse::<usize>().unwrap());
        let extent = Extent { heaps: number(heaps).unwrap_or(1000), sums: usize::MAX };
        let solution = solve(&game(code), extent, &Control::silent()).unwrap();
        assert_eq!(Some(solution.monoid.order()), number(order), "{line}");
        assert!(number(p).is_none_or(|p| solution.monoid.p_portion().len() == p), "{line}");
        if heaps == "-" {
            let found = solution.period().unwrap_or_else(|| panic!("{line}: {:?}", solution.end));
            assert!(
                number(preperiod).is_none_or(|preperiod| found.preperiod == preperiod),
                "{line} {found:?}"
            );
            assert!(number(period).is_none_or(|period| found.period == period), "{line} {found:?}");
        }
        codes.insert(code);
    }
    assert!(codes.len() >= 4, "{codes:?}");
}

#[test]
fn genera_are_those_that_are_published() {
    let mut count = 0;
    for line in
        include_str!("../../../../data/golden/genus.tsv").lines().filter(|line| !line.starts_with('#'))
    {
        let (code, expected) = line.split_once('\t').unwrap();
        let expected: Vec<&str> = expected.split('\t').next().unwrap().split(' ').collect();
        let genera = genus_sequence(&game(code), expected.len() - 1, &Control::silent()).unwrap();
        for (heap, (genus, expected)) in genera.iter().zip(expected).enumerate() {
            let written = [&genus.symbol, &genus.genus.to_string()];
            assert!(
                written.iter().any(|written| *written == expected),
                "{code} {heap}: {written:?}, not {expected}"
            );
        }
        count += 1;
    }
    assert!(count >= 3);
}

#[test]
fn games_are_tame_exactly_if_their_quotients_are_those_of_nim() {
    // Nim with heaps up to 2^m - 1 has a quotient of 2^m + 2 elements.
    for (code, order) in
        [("0.3", 2), ("0.33", 6), ("subtraction 1,2,3", 6), ("subtraction 1,2,3,4,5,6,7", 10)]
    {
        let solution = solved(code);
        assert!(solution.monoid.is_tame() && solution.first_wild().is_none(), "{code}");
        assert_eq!(solution.monoid.order(), order, "{code}");
    }
    for (code, heap) in [("0.77", 5), ("0.75", 5), ("0.123", 8), ("0.15", 14)] {
        assert_eq!(solved(code).first_wild(), Some(heap), "{code}");
    }
}

#[test]
fn limits_end_the_work_with_what_was_reached() {
    let dawson = solve(&game("0.07"), Extent { heaps: 16, sums: usize::MAX }, &Control::silent()).unwrap();
    assert_eq!((dawson.heap, dawson.monoid.order(), dawson.end), (16, 24, End::Asked));
    let few = solve(&game("0.07"), Extent { heaps: 100, sums: 3000 }, &Control::silent()).unwrap();
    assert!(
        matches!(few.end, End::Limit(_)) && few.heap >= 14 && few.heap < 100,
        "{:?} {}",
        few.end,
        few.heap
    );
    let late = Control::silent().with_time(Some(std::time::Duration::ZERO));
    let none = solve(&game("0.77"), Extent::default(), &late).unwrap();
    assert!(matches!(none.end, End::Limit(_)) && none.heap == 0 && none.monoid.order() == 1);
    let small = Control::silent().with_memory(1);
    assert!(matches!(solve(&game("0.07"), Extent::default(), &small).unwrap().end, End::Limit(_)));
    let stop = std::sync::atomic::AtomicBool::new(true);
    let stopped = solve(&game("0.77"), Extent::default(), &Control::stopped_by(&stop));
    assert!(matches!(stopped, Err(Error::Interrupted { .. })));
}

#[test]
fn a_wrong_element_of_a_heap_contradicts_itself() {
    let right = partial("0.77", 9);
    for wrong in right.monoid().elements().filter(|&x| x != right.elements()[9]) {
        let mut states = states::States::new(right.monoid());
        let mut contradicted = false;
        for heap in 1..=9 {
            let x = if heap == 9 { wrong } else { right.elements()[heap] };
            let mut options = Vec::new();
            game("0.77").options_of_heap(heap as u64, &mut |a, b| {
                options
                    .push(right.monoid().times(right.elements()[a as usize], right.elements()[b as usize]));
            });
            let state = states::State::new(right.monoid(), x, &options);
            contradicted |=
                states.add_heap(right.monoid(), heap, &state, &Control::silent()).unwrap().is_err();
        }
        assert!(contradicted, "{wrong}");
    }
}
