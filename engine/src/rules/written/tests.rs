use super::*;
use crate::rules::notation::rule::Expr;
use crate::rules::testing::options;
use proptest::prelude::*;

fn written(text: &str) -> WrittenRules {
    WrittenRules::new(Rule::parse(text).unwrap_or_else(|error| panic!("{error}")))
}

#[test]
fn comparisons_are_bounds_of_the_loops() {
    let plan = |text: &str| written(text).plans[0].clone();
    for text in [
        "take s from one heap where s <= min",
        "take s from one heap where s <= heap/2",
        "take s from one heap where 3 <= s < 7",
        "take s from one heap where 2*s + 1 <= new heap",
        "take s from one heap where s in heaps",
        "take s from one heap where s in {1, min, heap - 2}",
        "take s and t from two heaps where |s - t| < 2",
        "take s and t from two heaps where t = 2*s",
        "split a heap into a, b where a < b",
    ] {
        let plan = plan(text);
        assert!(plan.at_option.is_empty() && plan.loops.iter().all(|this| this.checks.is_empty()), "{text}");
    }
    assert_eq!(plan("take s from one heap where s <= min").before, 1);
    assert_eq!(plan("take s from one heap where heap = max").at_heaps.len(), 1);
    assert_eq!(plan("take s from one heap where min is odd").at_position.len(), 1);
    assert_eq!(plan("take s from one heap where min changes").at_option.len(), 1);
}

#[test]
fn the_options_are_those_that_the_text_says() {
    let found = |text: &str, heaps: &[u32]| options(&written(text), heaps);
    assert_eq!(found("take s and t from two heaps where t = 2*s", &[1, 2, 0]), [[0, 0, 0]]);
    assert_eq!(found("take s and t from two heaps where t = 2*s", &[2, 3]), [[0, 2], [1, 1]]);
    assert_eq!(found("split a heap into a, b where a != b", &[5]), [[1, 4], [2, 3]]);
    assert_eq!(found("split a heap into a, b, c where a <= b <= c", &[5]), [[1, 1, 3], [1, 2, 2]]);
    assert_eq!(
        found("take s from one heap, split the rest into a, b where s <= 2", &[5]),
        [[1, 2], [1, 3], [2, 2]]
    );
    assert_eq!(found("take s from one heap where new heap >= 2", &[3, 1]), [[1, 2]]);
    // Of several heaps moved in, the condition is true of each.
    assert_eq!(found("take s from two heaps where s = heap", &[2, 2, 3]), [[0, 0, 3]]);
    assert_eq!(found("take s from two heaps where new heap = 1", &[2, 2, 3]), [[1, 1, 3]]);
    assert_eq!(found("take s from one heap where s is a power of 3", &[10]), [[1], [7], [9]]);
    assert_eq!(found("take s from one heap where every x: x divides s", &[2, 3]), [] as [[u32; 2]; 0]);
    assert_eq!(found("take s from one heap where some other x: x = s", &[2, 3]), [[1, 2]]);
    assert_eq!(found("take s from one heap where s - 5 % 3 = -(-2) / 3", &[4, 0]), [[0, 2]]);
    assert_eq!(found("take s from one heap where (s - 4) / 3 = -1 and (s - 4) % 3 = 1", &[6]), [[4]]);
}

#[test]
fn positions_that_are_none_are_neither_reached_nor_left() {
    let rules = written("take s from one heap, positions where heaps are different and every x: x is odd");
    assert_eq!(options(&rules, &[1, 5]), [[0, 1], [0, 5], [1, 3]]);
    assert!(options(&rules, &[5, 5]).is_empty());
    assert!(rules.is_position(&[0, 0, 3]) && !rules.is_position(&[3, 3]) && !rules.is_position(&[2]));
    // The names of the positions' condition are not those of the moves.
    let rules =
        written("take s from one heap where s is odd, positions where every x: some y: x <= y and y < 4");
    assert_eq!(options(&rules, &[3, 2]), [[0, 2], [1, 3], [2, 2]]);
}

#[test]
fn numbers_beyond_64_bits_are_calculated_with_128() {
    assert!(!written("take s from one heap where s <= min").wide);
    let cubes = written("take s from one heap where s*s*s <= heap*heap");
    assert!(cubes.wide);
    let mut most = 0;
    cubes.options(&[1000], &mut |option| most = most.max(1000 - option[0]));
    assert_eq!(most, 100);
    let heap = u32::MAX;
    let largest = written("take s from one heap where s >= heap - 1 and s*s*s > 3*heap");
    assert_eq!(options(&largest, &[heap]), [[0], [1]]);
    assert!(
        options(&written("take s from one heap where s >= heap + count - 1 and count > 1"), &[heap, 1])
            .is_empty()
    );
}

/// The options by trying everything: each number from 1 to the heap, each condition as the tree says it.
fn tried(text: &str, heaps: &[u32]) -> Vec<Vec<u32>> {
    let rule = Rule::parse(text).unwrap();
    // Without bounds, every comparison is a check: s <= min is the same as not not s <= min.
    let hidden =
        |condition: &Condition| Condition::Not(Box::new(Condition::Not(Box::new(condition.clone()))));
    let clauses = rule.clauses.iter().cloned().map(|mut clause| {
        clause.condition = hidden(&clause.condition);
        clause
    });
    let rules = WrittenRules::new(Rule {
        clauses: clauses.collect(),
        positions: rule.positions.as_ref().map(hidden),
    });
    assert!(rules.plans.iter().all(|plan| plan.loops.iter().all(|this| this.upper.is_empty())));
    options(&rules, heaps)
}

proptest! {
    #[test]
    fn bounds_say_the_same_as_the_condition(
        (a, b, c) in (-3..4i64, -3..4i64, -6..7i64),
        sign in proptest::sample::select(vec!["<", "<=", "=", ">=", ">", "!="]),
        who in proptest::sample::select(vec!["min", "heap", "other max", "new heap", "|s - 3|", "s*s", "s/2"]),
        clause in proptest::sample::select(vec![
            "take s from one heap", "take s from one or two heaps", "take s and t from two heaps",
            "take s from one heap, split the rest into t, u",
        ]),
        heaps in proptest::collection::vec(0..7u32, 1..4),
    ) {
        // The number of the last loop is the one that is bounded; a heap that is split has no new size.
        let v = if clause.contains(" t ") || clause.contains(" t,") { "t" } else { "s" };
        let who = if clause.contains("split") && who == "new heap" { "heap" } else { who };
        let text = format!("{clause} where {a}*{v} + {b}*{who} {sign} {c} - {v}");
        if let Ok(rule) = Rule::parse(&text) {
            prop_assert_eq!(options(&WrittenRules::new(rule), &heaps), tried(&text, &heaps), "{}", text);
        }
    }
}

#[test]
fn nothing_is_mentioned_that_the_plan_does_not_know() {
    // Every quantity in every scope, in one rule.
    let names = ["min", "max", "count", "sum", "xor", "gcd"];
    let all = names.map(|name| format!("{name} + new {name} + other {name}")).join(" + ");
    let rules = written(&format!("take s from one heap where {all} >= s"));
    assert_eq!((rules.plans[0].before, rules.plans[0].other, rules.plans[0].new), (63, 63, 63));
    assert_eq!(options(&rules, &[2, 3]).len(), 5);
    assert_eq!(Expr::Heap.mentions().slots, 0);
}
