use super::*;
use proptest::prelude::*;

/// The lines of the issue that asked for the language, and one for each construct.
pub(crate) const EXAMPLES: [&str; 32] = [
    "take s from one heap",
    "take s from one heap where s <= min",
    "take s from one or two heaps where s <= min",
    "take s from one heap where s <= min and heaps stay different",
    "take s from one heap where s in heaps",
    "take s from one heap where s not in heaps",
    "take s from one heap where heap = max",
    "take s from one heap where min changes",
    "take s from one heap where s <= heap/2",
    "take s and t from two heaps where |s - t| < 2",
    "split a heap into a, b where a != b",
    "take s from one heap, split the rest into a, b where s <= 2",
    "take s from one heap or take s from two heaps where s is even",
    "take s from one or all heaps where s <= min",
    "take s from any heaps where s <= min",
    "take s from one heap where some other x: x divides s and s < heap",
    "take s from one heap where every x: x >= s or x is odd",
    "take s from one heap where s <= min, positions where heaps are different",
    "take s from one heap where min changes and max changes, positions where heaps are different",
    "take s from one heap where s in {1, 3, 4}",
    "take s from one heap where s is a power of 2",
    "take s from one heap where not (s = 3 or s = 5) and 1 < s <= 9",
    "take s from one heap where gcd(s, heap) = 1",
    "take s from one heap where s <= max(1, new min) - -2 * 3",
    "take s from one heap where (s + 1) * 2 % 3 = 1",
    "take s from one heap where new heap > 0 and new xor != 0",
    "take s from one heap where s*s*s <= sum",
    "split a heap into a, b, c where a <= b <= c",
    "take s, t and u from three heaps where s = t + u",
    "take s from one heap where s <= count, positions where every x: some y: x <= y or x is even",
    "take s from one heap where s - (min - 1) <= 2 - (heap - 3)",
    "take s from one heap where s in other heaps or s ≤ 2 and s ≠ 1",
];

#[test]
fn every_example_is_read_and_shown_and_read_again() {
    for text in EXAMPLES {
        let rule = Rule::parse(text).unwrap_or_else(|error| panic!("{error}"));
        let shown = rule.to_string();
        assert_eq!(Rule::parse(&shown).unwrap_or_else(|error| panic!("{error}")), rule, "{shown}");
    }
    assert_eq!(Rule::parse(EXAMPLES[1]).unwrap().to_string(), EXAMPLES[1]);
    assert_eq!(Rule::parse(EXAMPLES[11]).unwrap().to_string(), EXAMPLES[11]);
}

/// What is marked, and the message with the remedy.
fn mistake(text: &str) -> (String, String) {
    let error = Rule::parse(text).expect_err(text);
    (error.text[error.span.clone()].to_string(), format!("{}; {}", error.message, error.remedy))
}

#[test]
fn mistakes_are_pointed_at_with_a_remedy() {
    for (text, place, words) in [
        ("", "", "take s from one heap"),
        ("take s from one heap where s <= mim", "mim", "did you mean 'min'?"),
        ("take s from one heap where t <= min", "t", "nothing is called 't'"),
        (
            "take s from one heap where s <= 1234567890123456789012345678901234567890",
            "1234567890123456789012345678901234567890",
            "too large",
        ),
        ("take s from one heap where s / (heap - s) = 1", "(heap - s)", "divided by 0"),
        ("take s from one heap where s % new heap = 1", "new heap", "max(new heap, 1)"),
        ("take s from one heap where s < 1", "take s from one heap where s < 1", "no move is ever legal"),
        ("take s from one heap where s > heap", "take s from one heap where s > heap", "no move"),
        (
            "take s from one heap where s > min and s < min",
            "take s from one heap where s > min and s < min",
            "no move",
        ),
        (
            "take s from one heap where s in heaps and s not in heaps",
            "take s from one heap where s in heaps and s not in heaps",
            "no move",
        ),
        ("add s to one heap", "add", "every game ends"),
        ("take 3 from one heap", "3", "where s = 3"),
        ("take s from five heaps", "five", "one or two heaps"),
        ("take s from any heap", "any heap", "any heaps"),
        ("take s and t from one heap", "from", "from two heaps"),
        ("take s and s from two heaps", "s", "choose another name"),
        ("take min from one heap", "min", "meaning of its own"),
        ("take s from one heap where s", "s", "compare it"),
        ("take s from one heap where (s < 3) + 1 < 4", "(s < 3)", "not a number"),
        ("take s from one heap where s < 3 where s < 2", "where", "join conditions"),
        ("take s from one heap where (s < 3", "", "closing bracket"),
        ("take s from one heap where |s - 3 < 3", "<", "closing |"),
        ("take s from one heap where s^2 < 3", "^", "x*x"),
        ("take s from one heap where s is prime", "prime", "is even"),
        ("take s from one heap where heap changes", "heap", "min changes"),
        ("take s from one heap where sum(s, 3) = 4", "(", "a + b"),
        ("take s from one heap where min(s) = 4", "min(s)", "several numbers"),
        ("take s from one heap where xor(s - 4, 3) = 1", "xor(s - 4, 3)", "negative"),
        ("take s from one heap, positions where s < 3", "s", "nothing is called"),
        ("take s from one heap, positions where heap < 3", "heap", "every x"),
        ("take s from one heap, positions where new min < 3", "new", "not a move"),
        ("take s from one heap, where s < 3", "where", "split the rest"),
        ("take s from two heaps, split the rest into a, b", ",", "one heap"),
        ("split a heap into a", "a", "two parts"),
        ("split a heap into a, b where new heap = 3", "new heap", "names of the parts"),
        ("take s from one heap where heap*heap*heap*heap < s", "heap*heap*heap*heap", "2^120"),
        ("take s from one heap where some x: some y: some z: some w: w = 1", "some", "three can be nested"),
    ] {
        let (marked, message) = mistake(text);
        assert!(message.contains(words), "{text}: {message}");
        assert_eq!(marked, place, "{text}: {message}");
    }
}

#[test]
fn carets_stand_below_the_mistake() {
    let text = "take s from one heap where s ≤ mim";
    let shown = Rule::parse(text).unwrap_err().to_string();
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[1].trim_end(), format!("  {text}"));
    assert_eq!(lines[2], format!("{}^^^", " ".repeat(2 + "take s from one heap where s < ".len())));
    // Of a long text only what is near is shown, in any case whole characters.
    let long = format!("take s from one heap where {}s <= mim", "s ≤ 3 and ".repeat(60));
    let shown = Rule::parse(&long).unwrap_err().to_string();
    assert!(shown.lines().all(|line| line.chars().count() < 120), "{shown}");
    assert!(Rule::parse(&"≤".repeat(2000)).unwrap_err().to_string().contains("the limit is 1000"));
    assert!(Rule::parse(&format!("take s from one heap where {}", "(".repeat(900))).is_err());
}

#[test]
fn constants_make_one_rule_of_a_family() {
    let text = "take s from one heap where s <= a*min + b";
    let constants = Constants::from([("a".into(), 2), ("b".into(), -1)]);
    let rule = Rule::parse_with(text, &constants).unwrap();
    assert_eq!(rule, Rule::parse("take s from one heap where s <= 2*min + -1").unwrap());
    let minnie = Rule::parse_with(text, &Constants::from([("a".into(), 1), ("b".into(), 0)])).unwrap();
    assert_eq!(minnie.to_string(), "take s from one heap where s <= min");
    assert_eq!(Rule::parse(&rule.to_string()).unwrap(), rule);
}

#[test]
fn what_a_rule_depends_on_is_seen() {
    let rule = |text: &str| Rule::parse(text).unwrap();
    assert!(rule("take s from one heap").is_nim());
    assert!(rule("take s from one heap where s <= heap/2 and new heap != 3").is_sum_of_heaps());
    assert!(rule("split a heap into a, b where a != b").is_sum_of_heaps());
    assert!(rule("split a heap into a, b where a != b").splits());
    for text in [EXAMPLES[1], EXAMPLES[2], EXAMPLES[4], EXAMPLES[17], EXAMPLES[29]] {
        assert!(!rule(text).is_sum_of_heaps(), "{text}");
    }
}

/// Words and signs that a rule may have.
fn token() -> impl Strategy<Value = &'static str> {
    let words = [
        "take",
        "s",
        "t",
        "from",
        "one",
        "two",
        "heap",
        "heaps",
        "where",
        "or",
        "and",
        "not",
        "<=",
        "<",
        "=",
        "!=",
        "min",
        "max",
        "new",
        "other",
        "in",
        "{",
        "}",
        "(",
        ")",
        "|",
        "+",
        "-",
        "*",
        "/",
        "%",
        "1",
        "2",
        "999999999",
        ",",
        ":",
        "some",
        "every",
        "x",
        "is",
        "even",
        "a",
        "power",
        "of",
        "divides",
        "split",
        "the",
        "rest",
        "into",
        "b",
        "positions",
        "changes",
        "different",
        "are",
        "stay",
        "any",
        "all",
        "gcd",
        "xor",
        "sum",
        "count",
        "≤",
    ];
    proptest::sample::select(words.to_vec())
}

/// A number of the language as text, with the names s and t bound.
fn number() -> impl Strategy<Value = String> {
    let leaf = proptest::sample::select(vec![
        "s",
        "t",
        "heap",
        "min",
        "other max",
        "new sum",
        "xor",
        "count",
        "7",
        "0",
        "new heap",
        "gcd",
    ])
    .prop_map(String::from);
    leaf.prop_recursive(4, 24, 3, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            (pair.clone(), proptest::sample::select(vec!["+", "-", "*"]))
                .prop_map(|((a, b), sign)| format!("({a}) {sign} ({b})")),
            (inner.clone(), 1..9u32, proptest::sample::select(vec!["/", "%"]))
                .prop_map(|(a, b, sign)| format!("({a}) {sign} {b}")),
            inner.clone().prop_map(|a| format!("-({a})")),
            inner.prop_map(|a| format!("|{a}|")),
            pair.prop_map(|(a, b)| format!("max({a}, {b})")),
        ]
    })
}

fn condition() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        (number(), number(), proptest::sample::select(vec!["=", "!=", "<", "<=", ">", ">="]))
            .prop_map(|(a, b, sign)| format!("{a} {sign} {b}")),
        number().prop_map(|a| format!("{a} is odd")),
        (number(), number()).prop_map(|(a, b)| format!("{a} divides {b}")),
        number().prop_map(|a| format!("{a} not in {{1, {a}}}")),
        Just("new heaps are different".to_string()),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) and ({b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) or ({b})")),
            inner.clone().prop_map(|a| format!("not ({a})")),
            inner.prop_map(|a| format!("some new x: x > s and ({a})")),
        ]
    })
}

proptest! {
    #[test]
    fn no_heap_of_words_panics(words in proptest::collection::vec(token(), 0..40)) {
        let _ = Rule::parse(&words.join(" "));
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,80}") {
        let _ = Rule::parse(&text);
    }

    #[test]
    fn no_change_of_a_rule_panics(
        which in 0..EXAMPLES.len(), at in 0..120usize, cut in 0..12usize, put in token()
    ) {
        let letters: Vec<char> = EXAMPLES[which].chars().collect();
        let at = at.min(letters.len());
        let end = (at + cut).min(letters.len());
        let changed: String = letters[..at].iter().chain(&put.chars().collect::<Vec<_>>()).chain(&letters[end..]).collect();
        if let Ok(rule) = Rule::parse(&changed) {
            prop_assert_eq!(Rule::parse(&rule.to_string()).unwrap(), rule);
        }
    }

    #[test]
    fn what_is_shown_is_read_as_the_same_rule(condition in condition()) {
        let text = format!("take s and t from two heaps where {condition}");
        if let Ok(rule) = Rule::parse(&text) {
            use crate::rules::{Rules, WrittenRules};
            let shown = rule.to_string();
            // Debug builds notice every overflow.
            WrittenRules::new(rule.clone()).options(&[7, 12, 3], &mut |_| ());
            prop_assert!(shown.len() > super::LONGEST || Rule::parse(&shown).as_ref() == Ok(&rule), "{}", shown);
        }
    }
}
