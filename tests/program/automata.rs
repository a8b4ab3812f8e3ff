//! Theorems for a fixed number of heaps by automata: what `prove` finds, and what another program says about it.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::{run, skipped};

/// A game and the states of its automata, found once and since then proved each time.
const THEOREMS: [(&str, &[u64]); 15] = [
    ("nim --heaps 2 --digits base-2", &[2]),
    ("nim --heaps 3 --digits base-2", &[4]),
    ("wythoff --heaps 2 --digits zeckendorf", &[5]),
    ("euclid --heaps 2 --digits zeckendorf", &[15]),
    ("euclid --to-zero --heaps 2 --digits zeckendorf", &[15]),
    ("euclid --to-zero --heaps 2 --digits zeckendorf --misere", &[12]),
    ("wynnie --heaps 2 --digits base-2", &[4]),
    ("wynnie --heaps 2 --digits base-2 --misere", &[7]),
    ("wynnie --together all --heaps 3 --digits base-2", &[32]),
    ("wynnie --together all --heaps 3 --digits base-2 --misere", &[52]),
    ("mine --heaps 2 --digits base-2", &[6]),
    ("mine --heaps 3 --digits base-2", &[25]),
    ("mine --heaps 3 --digits base-2 --misere", &[25]),
    ("minnie --heaps 2 --digits base-2 --value 3", &[8, 7, 22, 23]),
    ("wynnie --heaps 3 --digits base-2 --smallest 2", &[12]),
];

fn check(path: &Path) -> Option<i32> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/check_automaton.py");
    Command::new("python3").arg(script).arg(path).output().ok()?.status.code()
}

#[test]
fn automata_are_proved_and_checked_by_another_program() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("automaton.json");
    let has_python = Command::new("python3").arg("--version").output().is_ok();
    if !has_python {
        skipped("python3 cannot be run: the certificates of automata are not checked");
    }
    for (words, states) in THEOREMS {
        let mut all = vec!["prove"];
        all.extend(words.split(' '));
        all.extend(["--json", "--certificate", path.to_str().unwrap()]);
        let proof = run(&all).code(0).json();
        assert_eq!(proof["proved"], true, "{words}");
        assert_eq!(proof["states"], serde_json::json!(states), "{words}");
        assert!(!has_python || check(&path) == Some(0), "{words}");
    }
}

#[test]
fn a_changed_automaton_is_refused_by_the_other_program() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("automaton.json");
    let words =
        ["prove", "mine", "--heaps", "2", "--digits", "base-2", "--certificate", path.to_str().unwrap()];
    run(&words).code(0);
    let good: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    if check(&path).is_none() {
        return skipped("python3 cannot be run");
    }
    let forged = |change: &dyn Fn(&mut Value)| {
        let mut bad = good.clone();
        change(&mut bad);
        std::fs::write(&path, bad.to_string()).unwrap();
        check(&path)
    };
    let rows = good["sets"][0]["next"].as_array().unwrap();
    let states = rows.len();
    // The automaton is minimal and every state is reached, so that each change of a transition changes the set.
    for state in 0..states {
        for letter in 0..4 {
            let to = rows[state][letter].as_u64().unwrap() as usize;
            let change = |bad: &mut Value| bad["sets"][0]["next"][state][letter] = ((to + 1) % states).into();
            assert_eq!(forged(&change), Some(1), "state {state}, letter {letter}");
        }
        let accepting: Vec<u64> =
            good["sets"][0]["accepting"].as_array().unwrap().iter().map(|s| s.as_u64().unwrap()).collect();
        let mut changed: Vec<u64> = accepting.iter().copied().filter(|&s| s != state as u64).collect();
        if changed.len() == accepting.len() {
            changed.push(state as u64);
            changed.sort_unstable();
        }
        assert_eq!(forged(&|bad| bad["sets"][0]["accepting"] = changed.clone().into()), Some(1), "{state}");
    }
    let other = "take s from one heap where s <= 2*min, positions where heaps are different";
    assert_eq!(forged(&|bad| bad["rule"] = other.into()), Some(1));
    assert_eq!(forged(&|bad| bad["misere"] = true.into()), Some(1));
    assert_eq!(forged(&|bad| bad["heaps"] = 3.into()), Some(1));
    assert_eq!(forged(&|bad| bad["digits"] = "base-3".into()), Some(1));
    assert_eq!(forged(&|bad| bad["sets"][0]["next"][0][1] = (-1).into()), Some(1));
    assert_eq!(forged(&|bad| bad["sets"][0]["next"][0][1] = 1.5.into()), Some(1));
    assert_eq!(forged(&|bad| bad["sets"] = serde_json::json!([])), Some(1));
    assert_eq!(forged(&|_| ()), Some(0));
}

#[test]
fn what_automata_cannot_do_is_said() {
    run(&["prove", "susen", "--heaps", "2", "--digits", "base-12"]).refused(&["base-2 to base-10"]);
    run(&["prove", "euclid", "--heaps", "3", "--digits", "base-2"]).refused(&["multiples of a heap"]);
    run(&["prove", "rule", "take s from one heap where new xor = 0", "--heaps", "2"]).refused(&["nim-sums"]);
    run(&["prove", "mine", "--heaps", "9", "--digits", "base-2"]).refused(&["from 1 to 6"]);
    run(&["prove", "mine", "--misere", "--heaps", "2", "--value", "2"]).refused(&["misère play"]);
    let little = ["prove", "mine", "--heaps", "3", "--digits", "base-2", "--memory", "100k"];
    assert!(run(&little).code(4).out.contains("more than the memory allows"));
    // Two heaps of susen go by continued fractions: no automaton, and no theorem.
    let open = run(&["prove", "susen", "--heaps", "2", "--digits", "base-2", "--time", "5s", "--json"])
        .code(4)
        .json();
    assert_eq!(open["proved"], false);
    assert!(open["tried"][0]["growth"].as_array().unwrap().len() > 2, "{open}");
}

/// Regression: automata of one kind of digits were used for another when several files were checked at once.
#[test]
fn all_certificates_of_automata_are_checked_at_once() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/certificates/automata");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    // A minute for this one alone: scripts/soak checks it.
    paths.retain(|path| !path.ends_with("wynnie-any-3-smallest-4.json"));
    paths.sort();
    assert!(paths.len() >= 23, "{paths:?}");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/check_automaton.py");
    match Command::new("python3").arg(script).args(&paths).output() {
        Ok(output) => assert!(output.status.success(), "{output:?}"),
        Err(problem) => skipped(&format!("python3 cannot be run ({problem})")),
    }
}
