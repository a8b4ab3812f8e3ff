//! `prove` on the other games of the catalogue: theorems where the lemmas cover the game, growth of classes elsewhere.

use serde_json::Value;

use crate::support::{Ran, nimwave};

fn prove(arguments: &[&str], code: i32) -> Value {
    let output = nimwave().arg("prove").args(arguments).arg("--json").output().unwrap();
    Ran::from(output).code(code).json()
}

#[test]
fn mine_is_proved_for_three_heaps() {
    for play in [&["mine"][..], &["mine", "--misere"]] {
        let theorem = prove(play, 0);
        assert!(theorem["proved"] == true && theorem["heaps"] == 3 && theorem["period"] == 4, "{theorem}");
    }
}

#[test]
fn wynnie_is_proved_by_automata_where_gaps_do_not_suffice() {
    let verdict = prove(&["wynnie", "--heaps", "2"], 0);
    assert!(verdict["proved"] == true && verdict["digits"] == "base-2", "{verdict}");
}

#[test]
fn games_without_a_finite_check_report_how_the_classes_grow() {
    let verdict = prove(&["greedy-nim"], 4);
    assert_eq!(verdict["proved"], false, "{verdict}");
    let attempts = verdict["attempts"].as_array().unwrap();
    let classes: Vec<u64> = attempts.iter().map(|attempt| attempt["classes"].as_u64().unwrap()).collect();
    assert!(classes.windows(2).all(|pair| pair[0] <= pair[1]), "{classes:?}");
    assert!(attempts.iter().all(|attempt| attempt["problem"] != ""), "{verdict}");
}

#[test]
fn options_of_a_game_make_another_game() {
    let classes = |arguments: &[&str]| {
        let verdict = prove(arguments, 4);
        let name = verdict["game"].as_str().unwrap().to_string();
        (name, verdict["attempts"][0]["classes"].as_u64().unwrap())
    };
    // With the rule function n/2 every size from 0 to 32 but 0 and 1, which cannot be moved in, has another value or is told
    // apart by its options; a constant rule function is a subtraction game.
    let (name, half) = classes(&["maximum-nim"]);
    assert!(name == "maximum-nim" && half > 10, "{half}");
    let (name, constant) = classes(&["maximum-nim", "--rule", "min(n, 3)"]);
    assert_eq!((name.as_str(), constant), ("maximum-nim --rule min(n, 3)", 4));
    assert_eq!(classes(&["wynnie", "--together", "all"]).0, "wynnie --together all");
}
