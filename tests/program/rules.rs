//! Games in one line: the text of a rule, and files of rules with names, in every verb that takes a game.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::support::{fed, nimwave, run, skipped};

/// The lines that README and docs/RULES.md promise, each with a position, its outcome and its value.
const LINES: [(&str, &[&str], &str, u64); 11] = [
    ("take s from one heap where s <= min", &["5", "5", "8"], "N", 4),
    ("take s from one or two heaps where s <= min", &["3", "5"], "P", 0),
    ("take s from one heap where s <= min and heaps stay different", &["2", "5"], "P", 0),
    ("take s from one heap where s in heaps", &["2", "3"], "P", 0),
    ("take s from one heap where s not in heaps", &["2", "4"], "N", 2),
    ("take s from one heap where heap = max", &["1", "3", "3"], "P", 0),
    ("take s from one heap where min changes", &["3", "3", "5"], "N", 2),
    ("take s from one heap where s <= heap/2", &["21"], "N", 5),
    ("take s and t from two heaps where |s - t| < 2", &["4", "6"], "N", 4),
    ("split a heap into a, b where a != b", &["8"], "N", 2),
    ("take s from one heap, split the rest into a, b where s <= 2", &["9"], "N", 1),
];

fn query(rule: &str, heaps: &[&str]) -> Value {
    run(&[&["query", "rule", rule], heaps, &["--json"]].concat()).code(0).json()
}

#[test]
fn the_lines_of_the_documentation_work_in_every_verb() {
    for (rule, heaps, outcome, value) in LINES {
        let answer = query(rule, heaps);
        assert_eq!((&answer["outcome"], &answer["value"]), (&outcome.into(), &value.into()), "{rule}");
        let folder = tempfile::tempdir().unwrap();
        let table = folder.path().join("table");
        let table = table.to_str().unwrap();
        run(&["solve", "rule", rule, "--heaps", "2", "--max", "30", "--values", "--out", table]).code(0);
        run(&["verify", table, "--full", "--quiet"]).code(0);
        assert!(run(&["info", table]).code(0).out.contains(rule));
        run(&["export", table, "--format", "csv", "--out", folder.path().join("t.csv").to_str().unwrap()])
            .code(0);
        // A stored table and a new solution say the same.
        if heaps.len() <= 2 {
            let stored =
                run(&[&["query", "rule", rule, "--table", table, "--json"], heaps].concat()).code(0).json();
            assert_eq!(
                (&stored["outcome"], &stored["value"]),
                (&answer["outcome"], &answer["value"]),
                "{rule}"
            );
            assert_eq!(stored["winning_moves"], answer["winning_moves"], "{rule}");
        }
        let said = fed(nimwave().args([&["play", "rule", rule], heaps].concat()), "moves\nquit\n");
        assert!(String::from_utf8_lossy(&said.stdout).contains(rule), "{said:?}");
    }
}

#[test]
fn minnie_as_a_rule_is_minnie() {
    let written = query(LINES[0].0, &["5", "5", "8", "12"]);
    let compiled = run(&["query", "minnie", "5", "5", "8", "12", "--json"]).code(0).json();
    for key in ["outcome", "value", "winning_moves"] {
        assert_eq!(written[key], compiled[key]);
    }
}

#[test]
fn a_rule_whose_heaps_do_not_interact_is_a_sequence_with_its_period() {
    let solve =
        |rule: &str| run(&["solve", "rule", rule, "--heaps", "3", "--max", "400", "--json"]).code(0).json();
    let kayles = solve(
        "take s from one heap where s <= 2 or take s from one heap, split the rest into a, b where s <= 2",
    );
    assert_eq!((&kayles["octal"], &kayles["parameters"]["heaps"]), (&"0.77".into(), &1.into()));
    assert_eq!(
        (&kayles["proved_period"]["period"], &kayles["proved_period"]["preperiod"]),
        (&12.into(), &71.into())
    );
    let even = solve("take s from one heap where s <= 4 and s + heap is even");
    assert!(even["proved_period"].is_null() && even["seen_period"]["period"].is_u64(), "{even}");
    let half = solve("take s from one heap where s <= heap/2");
    assert!(half["seen_period"].is_null() && half["octal"].is_null(), "{half}");
    // In misère play values do not add up: a box, or nothing where heaps are split.
    let rule = "take s from one heap where s <= 3";
    let misere =
        run(&["solve", "rule", rule, "--heaps", "2", "--max", "20", "--misere", "--json"]).code(0).json();
    assert_eq!((&misere["parameters"]["heaps"], &misere["quantity"]), (&2.into(), &"outcomes".into()));
    run(&["solve", "rule", LINES[9].0, "--heaps", "2", "--max", "20", "--misere"])
        .refused(&["split", "misère"]);
}

#[test]
fn a_rule_by_heap_and_min_is_proved_with_a_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.json");
    let file = path.to_str().unwrap();
    let proof = run(&["prove", "rule", LINES[0].0, "--certificate", file, "--json"]).code(0).json();
    let expected = [("threshold", 8), ("period", 8), ("largest_min", 5), ("classes", 121), ("accepted", 30)];
    for (field, expected) in expected {
        assert_eq!(proof[field], expected, "{field}");
    }
    let check = || {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/check_certificate.py");
        Command::new("python3").arg(script).arg(&path).output().map(|ran| ran.status.code())
    };
    match check() {
        Err(problem) => return skipped(&format!("python3 cannot be run ({problem})")),
        Ok(code) => assert_eq!(code, Some(0)),
    }
    // The quotient of one rule is not that of another, and a rule that looks at other heaps has none.
    let text = std::fs::read_to_string(&path).unwrap();
    for other in ["s < min", "s <= max"] {
        std::fs::write(&path, text.replace("s <= min", other)).unwrap();
        assert_eq!(check().unwrap(), Some(1), "{other}");
    }
}

#[test]
fn what_splits_heaps_is_proved_as_the_octal_game_that_it_is() {
    let kayles =
        "take s from one heap where s <= 2 or take s from one heap, split the rest into a, b where s <= 2";
    let proof = run(&["prove", "rule", kayles, "--json"]).code(0).json();
    assert_eq!(
        (&proof["code"], &proof["period"], &proof["preperiod"]),
        (&"0.77".into(), &12.into(), &71.into())
    );
    assert!(run(&["prove", "rule", LINES[9].0]).code(4).err.contains("parts must differ"));
    let misere = "take s from one heap where s in {1, 3} or take s from one heap, split the rest into a, b where s = 2";
    run(&["prove", "rule", misere, "--misere", "--time", "1ms"]).code(4);
}

#[test]
fn where_heaps_interact_and_are_split_there_is_no_table_but_there_are_answers() {
    let rule = "split a heap into a, b where a < min";
    run(&["solve", "rule", rule, "--heaps", "2", "--max", "9"]).refused(&["heaps interact", "query"]);
    run(&["prove", "rule", rule]).refused(&["split"]);
    // [3] may become [1,2] or [2,1]; from [1,2] nothing is smaller than the smallest heap.
    let answer = query(rule, &["3"]);
    assert_eq!((&answer["outcome"], &answer["winning_moves"]), (&"N".into(), &serde_json::json!([[1, 2]])));
    run(&["query", "rule", rule, "30", "30"]).refused(&["60 counters", "the limit is 50"]);
}

#[test]
fn mistakes_are_marked_with_a_caret() {
    let refused =
        |rule: &str| run(&["solve", "rule", rule, "--heaps", "2", "--max", "9", "--out", "never-made"]);
    let ran = refused("take s from one heap where s <= mim").refused(&["did you mean 'min'?"]);
    let line = ran.err.lines().find(|line| line.trim() == "^^^").expect("carets");
    assert_eq!(
        line.find('^'),
        ran.err.lines().find_map(|line| line.find("mim").filter(|_| line.contains("take")))
    );
    for (rule, words) in [
        ("take s from one heap where s < 1", "no move is ever legal"),
        ("add s to one heap", "every game ends"),
        ("take s from one heap where s % new heap = 1", "divided by 0"),
        ("take s from one heap where t < 3", "nothing is called 't'"),
        ("take s from one heap where s < 1234567890123456789012345678901234567890", "too large"),
        ("", "a clause begins with"),
    ] {
        refused(rule).refused(&[words]);
    }
    assert!(!std::path::Path::new("never-made").exists());
}

#[test]
fn forbidden_positions_are_refused() {
    let rule = "take s from one heap where s <= min, positions where heaps are different";
    run(&["query", "rule", rule, "3", "3"]).refused(&["not a position"]);
    assert_eq!(query(rule, &["2", "5"])["outcome"], "P");
}

#[test]
fn a_file_of_rules_names_games() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rules.toml");
    fs::write(
        &file,
        "[[rule]]\nname = 'small-min'\nsource = 'a test'\nrule = 'take s from one heap where 2*s <= min + 1'\nnote = 'half of minnie'\n",
    )
    .unwrap();
    let rules = file.to_str().unwrap();
    let answer = run(&["query", "small-min", "3", "4", "--rules", rules, "--json"]).code(0).json();
    assert_eq!(answer, query("take s from one heap where 2*s <= min + 1", &["3", "4"]));
    assert!(run(&["games", "small-min", "--rules", rules]).code(0).out.contains("half of minnie"));
    let table = folder.path().join("table");
    let table = table.to_str().unwrap();
    run(&["--rules", rules, "solve", "small-min", "--heaps", "3", "--max", "9", "--out", table]).code(0);
    // The table knows its rule: the file is not needed any more.
    run(&["verify", table, "--full"]).code(0);
    let sum = run(&["query", "sum", "small-min 3 4", "nim 2", "--rules", rules, "--json"]).code(0).json();
    let quoted = "rule 'take s from one heap where 2*s <= min + 1' 3 4";
    assert_eq!(run(&["query", "sum", quoted, "nim 2", "--json"]).code(0).json()["value"], sum["value"]);
    run(&["query", "sum", "rule take s 3 4", "nim 2"]).refused(&["single quotes"]);

    let jobs = folder.path().join("jobs.toml");
    let out = folder.path().join("night");
    fs::write(&jobs, format!("output = {out:?}\n[[job]]\nname = \"one\"\ncommand = \"solve small-min\"\nheaps = 2\nmax = 9\nout = \"t\"\n")).unwrap();
    run(&["batch", jobs.to_str().unwrap(), "--rules", rules]).code(0);
    assert!(out.join("t").join("manifest.json").exists());

    fs::write(&file, "[[rule]]\nname = 'minnie'\nrule = 'take s from one heap'\n").unwrap();
    run(&["games", "--rules", rules]).refused(&["a game called 'minnie' already"]);
    run(&["games", "--rules", "not-there.toml"]).refused(&["not-there.toml"]);
}
