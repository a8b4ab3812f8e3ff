//! Questions to theorems for a fixed number of heaps: positions of any size, and claims.

use std::path::Path;

use crate::support::run;

const CERTIFICATES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/certificates/automata");

#[test]
fn positions_of_any_size_are_answered_from_a_theorem() {
    let heaps = ["5", "1000000000000001", "1000000000000003", "2000000000000004"];
    let answer = run(&[&["query", "mine"], &heaps[..], &["--json"]].concat()).code(0).json();
    assert_eq!(answer["outcome"], "P", "{answer}");
    assert!(answer["theorem"].as_str().unwrap().contains("at most 4 heaps, base-2 digits"), "{answer}");
    // With one counter more in the largest heap there is a winning move, and from there none.
    let answer = run(&["query", "mine", "5", "1e15", "2e15", "--json"]).code(0).json();
    assert_eq!(answer["outcome"], "N", "{answer}");
    for to in answer["winning_moves"].as_array().unwrap() {
        let words: Vec<String> = to.as_array().unwrap().iter().map(ToString::to_string).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let reply = run(&[&["query", "mine", "--json"], &words[..]].concat()).code(0).json();
        assert_eq!(reply["outcome"], "P", "{to}");
    }
    // Beyond 64 bits; 1618033988749894848204586834366 is the golden ratio times 10^30, rounded up.
    let wythoff = run(&["query", "wythoff", "1e30", "2e30"]).code(0).out;
    assert!(
        wythoff.contains(
            "1 winning move to:\n  [1000000000000000000000000000000,1618033988749894848204586834366]"
        ),
        "{wythoff}"
    );
    let json = run(&["query", "wythoff", "1e30", "7", "--json"]).code(0).json();
    assert_eq!(json["position"][1], "1000000000000000000000000000000");
    // Values up to 3, and above.
    assert!(run(&["query", "minnie", "2", "1e18"]).code(0).out.contains("Grundy value 3:"));
    assert!(run(&["query", "minnie", "1e17", "1e18"]).code(0).out.contains("Grundy value above 3:"));
    assert!(run(&["query", "wynnie", "3", "1e9", "2e9"]).code(0).out.contains("the smallest at most 4"));
    run(&["query", "mine", "3", "1e15", "1e15"]).refused(&["is not a position of mine"]);
    run(&["query", "wynnie", "5", "1e12", "2e12"]).refused(&["smaller position"]);
    run(&["query", "susen", "5", "1e30"]).refused(&["below 2^64"]);
}

#[test]
fn a_certificate_is_decided_before_it_is_asked() {
    let file = |name: &str| format!("{CERTIFICATES}/{name}.json");
    let mine = file("mine-3");
    let plain = run(&["query", "mine", "3", "9", "14", "--json"]).code(0).json();
    let asked = run(&["query", "mine", "3", "9", "14", "--json", "--certificate", &mine]).code(0).json();
    assert_eq!(
        (&plain["outcome"], &plain["winning_moves"]),
        (&asked["outcome"], &asked["winning_moves"]),
        "{asked}"
    );
    run(&["query", "wynnie", "3", "9", "--certificate", &mine])
        .refused(&["is about mine", "not about wynnie"]);
    run(&["query", "mine", "1", "2", "3", "4", "--certificate", &mine]).refused(&["at most 3 heaps"]);
    let folder = tempfile::tempdir().unwrap();
    let bad = folder.path().join("bad.json");
    let text = std::fs::read_to_string(&mine).unwrap();
    let refused = |text: &str, words: &str| {
        std::fs::write(&bad, text).unwrap();
        run(&["query", "mine", "1", "2", "--certificate", bad.to_str().unwrap()]).refused(&[words]);
        let claim = ["prove", "mine", "--claim", "P", "--certificate", bad.to_str().unwrap()];
        run(&claim).refused(&[words]);
    };
    refused(&text[..text.len() / 2], "not a certificate");
    let mut cut: serde_json::Value = serde_json::from_str(&text).unwrap();
    cut["sets"][0]["next"].as_array_mut().unwrap().pop();
    refused(&cut.to_string(), "cut off or damaged");
    refused(&text.replace("\"accepting\":[", "\"accepting\":[1,"), "does not keep the rules");
    refused("", "not a certificate");
    assert!(!Path::new("no-such.json").exists());
    run(&["query", "mine", "1", "2", "--certificate", "no-such.json"]).refused(&["no-such.json"]);
}

#[test]
fn claims_about_a_theorem_are_decided() {
    let claim = |game: &str, claim: &str| {
        let words: Vec<&str> = game.split(' ').collect();
        run(&[&["prove"], &words[..], &["--claim", claim, "--json"]].concat())
    };
    for (game, text) in [
        ("mine --heaps 3", "a = 4 implies (P iff c = b + 7 and b > 6)"),
        ("mine --heaps 3", "x1 = 4 implies (P iff x3 = x2 + 7 and x2 > 6)"),
        ("wynnie", "a < b implies (P iff some x: a + 1 = 2*x and x is the largest power of 2 in b + 1)"),
        ("wynnie --misere", "P and 4 divides a implies a = 0"),
        ("wythoff", "every x: some y, z: P(y, z) and z = y + x"),
        ("minnie --value 3", "G = 2 and a = 1 implies b is even and not P"),
        ("nim --heaps 3", "P implies (some x: a + b = c + 2*x)"),
    ] {
        let answer = claim(game, text).code(0).json();
        assert_eq!(
            (&answer["holds"], &answer["counterexample"]),
            (&true.into(), &().into()),
            "{game} {text}"
        );
    }
    let answer = claim("mine --heaps 3", "a = 4 implies (P iff c = b + 7)").code(1).json();
    assert_eq!(answer["counterexample"], serde_json::json!([4, 5, 12]));
    assert_eq!((&answer["holds"], &answer["outcome"]), (&false.into(), &"N".into()));
    // Of no position in particular.
    let answer = claim("wythoff", "some x: x > 0 and P(x, x)").code(1).json();
    assert_eq!((&answer["holds"], &answer["counterexample"]), (&false.into(), &().into()));
    // A theorem that does not come with the program is proved first.
    let other = "rule take_s_from_one_heap_where_s_<=_3 --heaps 2";
    let words: Vec<String> = other.split(' ').map(|word| word.replace('_', " ")).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let periodic = [&["prove"], &words[..], &["--claim", "P iff 4 divides b - a", "--json"]].concat();
    assert_eq!(run(&periodic).code(0).json()["holds"], true);
}

#[test]
fn what_is_not_a_claim_of_addition_is_refused_with_the_place() {
    let refused = |claim: &str, words: &[&str]| {
        run(&["prove", "mine", "--heaps", "3", "--claim", claim]).refused(words);
    };
    refused("P iff a*b = c", &["        ^^^", "a product of numbers that are not constants"]);
    refused("P iff (a = 3", &["a closing bracket is missing"]);
    refused("a xor b = c", &["cannot come here"]);
    refused("G = 2", &["--value"]);
    refused("P(1, 2, 3, 4)", &["at most 3"]);
    run(&["prove", "wythoff", "--claim", "a is a power of 2"]).refused(&["powers"]);
    let mine = format!("{CERTIFICATES}/mine-3.json");
    run(&["prove", "mine", "--heaps", "2", "--claim", "P", "--certificate", &mine])
        .refused(&["about 3 heaps"]);
    run(&["prove", "wynnie", "--claim", "P", "--certificate", &mine]).refused(&["is about mine"]);
    // A limit is no decision.
    let little = ["prove", "mine", "--heaps", "3", "--claim", "a % 100003 = 1 implies P", "--memory", "1M"];
    assert!(run(&little).code(4).err.contains("more than the memory allows"));
    let open = ["prove", "susen", "--heaps", "2", "--digits", "base-2", "--time", "2s", "--claim", "P"];
    assert!(run(&open).code(4).out.contains("NOT PROVED"));
}

#[test]
fn a_theorem_is_put_into_words_that_are_decided() {
    let mine = run(&["prove", "mine", "--heaps", "3", "--digits", "base-2", "--json"]).code(0).json();
    let words: Vec<&str> =
        mine["words"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    assert!(words.contains(&"a > 4 implies not P"), "{words:?}");
    assert!(words.iter().any(|word| word.starts_with("a = 3 and")), "{words:?}");
    for word in &words {
        run(&["prove", "mine", "--heaps", "3", "--claim", word]).code(0);
    }
    let minnie = run(&["prove", "minnie", "--heaps", "2", "--digits", "base-2"]).code(0).out;
    assert!(minnie.contains("\n  a = 2 implies (P iff b % 4 = 2)\n"), "{minnie}");
    assert!(minnie.contains("\n  a = 4 implies (P iff b = 4)\n  a > 4 implies not P\n"), "{minnie}");
    // The smallest heaps of wynnie's P-positions have no bound.
    let wynnie = run(&["prove", "wynnie", "--heaps", "2", "--digits", "base-2"]).code(0).out;
    assert!(wynnie.contains("a = 3 implies (P iff b % 4 = 1)"), "{wynnie}");
    assert!(!wynnie.contains("a > "), "{wynnie}");
}

#[test]
fn pictures_and_files_for_walnut_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (svg, dot, walnut) = (file("w.svg"), file("w.dot"), file("walnut"));
    let words =
        ["prove", "wynnie", "--digits", "base-2", "--picture", &svg, "--picture", &dot, "--walnut", &walnut];
    run(&words).code(0);
    let read = |path: &str| std::fs::read_to_string(path).unwrap();
    assert!(read(&svg).starts_with("<svg ") && read(&svg).ends_with("</svg>\n"));
    assert!(
        read(&dot).starts_with("digraph {") && read(&dot).contains("shape = doublecircle"),
        "{}",
        read(&dot)
    );
    let automaton = read(&file("walnut/Automata Library/nw_wynnie_2_g0.txt"));
    assert!(automaton.starts_with("msd_2 msd_2\n\n0 1\n0 0 -> 0\n"), "{automaton}");
    // Four states, one of which rejects for good: the others are numbered without a gap.
    let numbers = automaton.lines().filter(|line| line.len() == 3).map(|line| &line[..1]);
    assert_eq!(numbers.collect::<String>(), "012", "{automaton}");
    let commands = read(&file("walnut/Command Files/nw_wynnie_2.txt"));
    assert!(
        commands.contains("eval nw_wynnie_2_g0_check \"?msd_2 Ax0,x1 ($nw_wynnie_2_g0(x0,x1) <=> "),
        "{commands}"
    );
    run(&["prove", "wynnie", "--picture", &file("w.png")]).refused(&[".dot or .svg"]);
    let large = ["prove", "mine", "--heaps", "3", "--digits", "base-2", "--picture", &svg];
    run(&large).refused(&["24 states", ".dot"]);
}
