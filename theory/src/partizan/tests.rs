use super::*;
use crate::rules::graph::{EvenOdd, Graph};
use proptest::prelude::*;

/// A game as a bare tree, and the definition of `<=` on it: the oracle, which simplifies nothing.
#[derive(Debug, Clone)]
struct Tree {
    left: Vec<Tree>,
    right: Vec<Tree>,
}

impl Tree {
    fn le(&self, other: &Self) -> bool {
        !self.left.iter().any(|l| other.le(l)) && !other.right.iter().any(|r| r.le(self))
    }

    fn value(&self, games: &mut Games) -> Value {
        let left: Vec<Value> = self.left.iter().map(|l| l.value(games)).collect();
        let right: Vec<Value> = self.right.iter().map(|r| r.value(games)).collect();
        games.game(&left, &right)
    }

    fn plus(&self, other: &Self) -> Self {
        let with = |mine: &[Self], theirs: &[Self]| {
            let moved_here = mine.iter().map(|option| option.plus(other));
            moved_here.chain(theirs.iter().map(|option| self.plus(option))).collect()
        };
        Self { left: with(&self.left, &other.left), right: with(&self.right, &other.right) }
    }
}

fn tree(depth: u32) -> impl Strategy<Value = Tree> {
    let leaf = Just(Tree { left: vec![], right: vec![] });
    leaf.prop_recursive(depth, 24, 2, |inner| {
        (prop::collection::vec(inner.clone(), 0..3), prop::collection::vec(inner, 0..3))
            .prop_map(|(left, right)| Tree { left, right })
    })
}

fn show(text: &str) -> String {
    let mut games = Games::new();
    let value = games.read(text).unwrap();
    games.show(value)
}

#[test]
fn values_are_written_as_the_field_writes_them() {
    for text in [
        "0",
        "3",
        "-2",
        "1/2",
        "-3/4",
        "*",
        "*2",
        "1*",
        "3*2",
        "↑",
        "↓",
        "↑*",
        "2.↑",
        "2.↓*",
        "1↑",
        "±1",
        "±3",
        "{2|0}",
        "{4|{2|1*}}",
        "{4,{5|3}|2}",
        "{{3|1}|0}",
        "-1*",
        "{2*|1}",
        "{3|{2|1*}}",
        "1/2*",
    ] {
        assert_eq!(show(text), text);
    }
}

#[test]
fn other_spellings_are_read() {
    assert_eq!(show("1±1"), "{2|0}");
    assert_eq!(show("1/2 ± 1/2"), "{1|0}");
    assert_eq!(show("{3|1||0}"), "{{3|1}|0}");
    assert_eq!(show("{3||2|1*}"), "{3|{2|1*}}");
    assert_eq!(show("{4|2||1|||0}"), "{{{4|2}|1}|0}");
    assert_eq!(show("{2?|1}"), "{2*|1}");
    assert_eq!(show("{0|1}"), "1/2");
    assert_eq!(show("{0|1*}"), "1");
    assert_eq!(show("{|}"), "0");
    assert_eq!(show("-{2|0}"), "{0|-2}");
}

#[test]
fn nonsense_is_refused() {
    let mut games = Games::new();
    for text in
        ["", "{", "{}", "{1", "1}", "{1|2|3}", "1/3", "x", "*99999999999", "±", "2.", "{|", "1,2", "9999"]
    {
        assert!(games.read(text).is_err(), "{text}");
    }
    assert!(games.read(&"{".repeat(5000)).is_err());
}

/// Short texts whose forms are deep or wide, each of which took exponential time once or would without a
/// limit.
#[test]
fn large_values_are_read_or_refused_at_once() {
    let mut games = Games::new();
    for text in
        ["-*64", "--*63*", "64.^", "-64.v*", "999*", "±999", "{*60|-*61}", "{999|-999||-*50}", "*10*20"]
    {
        let value = games.read(text).unwrap_or_else(|error| panic!("{error}"));
        let minus = games.negative(value);
        assert_eq!(games.negative(minus), value, "{text}");
    }
    for text in ["*65", "65.^", "999±998", "±99±98±97", "*30*40"] {
        assert!(games.read(text).is_err_and(|error| error.to_string().contains("too large")), "{text}");
    }
}

/// There are 1, 4 and 22 games born by days 0, 1 and 2.
#[test]
fn there_are_22_games_by_day_2() {
    let mut games = Games::new();
    let mut born = vec![Value::ZERO];
    for wanted in [4, 22] {
        let mut next = Vec::new();
        for left in 0..1u32 << born.len() {
            for right in 0..1u32 << born.len() {
                let pick = |set: u32| -> Vec<Value> {
                    (0..born.len()).filter(|i| set >> i & 1 == 1).map(|i| born[i]).collect()
                };
                next.push(games.game(&pick(left), &pick(right)));
            }
        }
        next.sort();
        next.dedup();
        assert_eq!(next.len(), wanted);
        born = next;
    }
}

#[test]
fn infinitesimals_are_told_from_numbers() {
    let mut games = Games::new();
    for (text, answer) in
        [("↑", true), ("*2", true), ("0", true), ("1/4", false), ("±1", false), ("1*", false)]
    {
        let value = games.read(text).unwrap();
        assert_eq!(games.is_infinitesimal(value), answer, "{text}");
    }
    let tiny = games.read("{0||0|-1}").unwrap();
    assert!(games.is_infinitesimal(tiny));
}

#[test]
fn values_by_components_are_the_same() {
    for text in ["path 7", "cycle 6", "grid 2 3", "star 5", "dipath 6", "broom 7 2"] {
        let graph = Graph::parse(text).unwrap();
        let mut games = Games::new();
        let (mut plain, mut split) =
            (Values::new(EvenOdd { graph: graph.clone() }), Values::new(EvenOdd { graph }));
        for set in 0..=plain.rules().graph.vertices() {
            assert_eq!(plain.value(&mut games, &set), split.by_components(&mut games, set), "{text} {set:b}");
        }
    }
}

proptest! {
    #[test]
    fn comparison_and_equality_agree_with_the_definition(g in tree(4), h in tree(4)) {
        let mut games = Games::new();
        let (x, y) = (g.value(&mut games), h.value(&mut games));
        prop_assert_eq!(games.le(x, y), g.le(&h));
        prop_assert_eq!(x == y, g.le(&h) && h.le(&g));
    }

    #[test]
    fn sums_and_negatives_agree_with_the_definition(g in tree(3), h in tree(3)) {
        let mut games = Games::new();
        let (x, y) = (g.value(&mut games), h.value(&mut games));
        prop_assert_eq!(games.add(x, y), g.plus(&h).value(&mut games));
        prop_assert_eq!(games.subtract(x, x), Value::ZERO);
    }

    #[test]
    fn what_is_written_can_be_read(g in tree(4)) {
        let mut games = Games::new();
        let value = g.value(&mut games);
        let text = games.show(value);
        prop_assert_eq!(games.read(&text).unwrap(), value, "{}", text);
    }

    #[test]
    fn reading_never_panics(text in "[-{}|,*?±^v0-9/. ]{0,16}") {
        let _ = Games::new().read(&text);
    }
}
