//! `prove` on the other games of the catalogue: theorems where the lemmas cover the game, growth of classes elsewhere.

use assert_cmd::Command;
use serde_json::Value;

fn prove(arguments: &[&str], code: i32) -> Value {
    let mut command = Command::cargo_bin("nimwave").unwrap();
    let output = command.arg("prove").args(arguments).arg("--json").assert().code(code);
    serde_json::from_slice(&output.get_output().stdout).unwrap()
}

#[test]
fn mine_is_proved_for_three_heaps() {
    for play in [&["mine"][..], &["mine", "--misere"]] {
        let theorem = prove(play, 0);
        assert!(theorem["proved"] == true && theorem["heaps"] == 3 && theorem["period"] == 4, "{theorem}");
    }
}

#[test]
fn wynnie_is_not_proved_by_gaps() {
    let verdict = prove(&["wynnie", "--heaps", "2"], 1);
    assert!(verdict["proved"] == false && verdict["threshold"].is_null(), "{verdict}");
}

#[test]
fn games_without_a_finite_check_report_how_the_classes_grow() {
    let verdict = prove(&["greedy-nim"], 1);
    assert_eq!(verdict["proved"], false, "{verdict}");
    let attempts = verdict["attempts"].as_array().unwrap();
    let classes: Vec<u64> = attempts.iter().map(|attempt| attempt["classes"].as_u64().unwrap()).collect();
    assert!(classes.windows(2).all(|pair| pair[0] <= pair[1]), "{classes:?}");
    assert!(attempts.iter().all(|attempt| attempt["problem"] != ""), "{verdict}");
}
