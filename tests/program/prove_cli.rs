//! `prove`, `count`, `period minnie-row` and large queries from the command line.

use std::process::Command;

use serde_json::Value;

use crate::support::{self, Ran};

fn nimwave(arguments: &[&str]) -> Command {
    let mut command = support::nimwave();
    command.args(arguments);
    command
}

fn ran(arguments: &[&str], code: i32) -> Ran {
    Ran::from(nimwave(arguments).output().unwrap()).code(code)
}

fn json(arguments: &[&str]) -> Value {
    ran(&[arguments, &["--json"]].concat(), 0).json()
}

#[test]
fn prove_minnie_prints_the_theorem_and_its_corollaries() {
    let proof = json(&["prove", "minnie"]);
    for (field, expected) in [("threshold", 8), ("period", 8), ("largest_min", 5), ("classes", 121)] {
        assert_eq!(proof[field], expected, "{field}");
    }
    assert!(proof["proved"] == true && proof["misere"] == false && proof["states"].as_u64().unwrap() > 1000);
    let corollaries = proof["corollaries"].as_array().unwrap();
    assert!(corollaries.iter().any(|c| c["id"] == "conjecture-5.6"));
    assert!(corollaries.iter().all(|c| c["proved"] == true));
    let text = ran(&["prove", "minnie", "--misere"], 0).out;
    assert!(
        text.contains("THEOREM") && text.contains("24 classes") && text.contains("smallest heap 3"),
        "{text}"
    );
}

#[test]
fn a_written_certificate_is_the_embedded_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.json");
    ran(&["prove", "minnie", "--quiet", "--certificate", path.to_str().unwrap()], 0);
    let written = std::fs::read_to_string(&path).unwrap();
    let embedded = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("data/certificates/minnie.json");
    assert_eq!(written, std::fs::read_to_string(embedded).unwrap());
}

#[test]
fn games_with_parameters_and_fixed_heaps_are_proved() {
    assert_eq!(json(&["prove", "octal", "0.123", "--misere"])["classes"], 20);
    assert_eq!(json(&["prove", "subtraction", "1,2,3"])["period"], 4);
    assert_eq!(json(&["prove", "nimb"])["largest_min"], 1);
    assert_eq!(json(&["prove", "nimtb"])["largest_min"], 1);
    let greedy = json(&["prove", "greedy-nim", "--heaps", "5"]);
    assert!(greedy["proved"] == true && greedy["threshold"] == 1 && greedy["period"] == 1);
    let fixed = json(&["prove", "minnie", "--heaps", "3"]);
    assert!(fixed["proved"] == true && fixed["heaps"] == 3 && fixed["period"] == 8);
}

#[test]
fn what_is_not_proved_says_so_with_exit_code_4() {
    let verdict = ran(&["prove", "octal", "dawson", "--misere", "--json"], 4).json();
    assert_eq!(verdict["proved"], false);
    assert_eq!(verdict["game"], "octal 0.07");
    assert!(!verdict["attempts"].as_array().unwrap().is_empty());
}

#[test]
fn bad_arguments_are_explained() {
    for (arguments, part) in [
        (vec!["prove", "chess"], "unrecognized subcommand"),
        (vec!["prove", "rook"], "any number of them"),
        (vec!["prove", "octal"], "CODE"),
        (vec!["prove", "octal", "4.7"], "0.123"),
        (vec!["prove", "octal", "0.8"], "0 to 7"),
        (vec!["prove", "octal", "0.0"], "no non-zero digit"),
        (vec!["prove", "subtraction", "0,1"], "from 1"),
        (vec!["prove", "subtraction", "x"], "1,3,4"),
        (vec!["prove", "minnie", "5"], "unexpected argument"),
        (vec!["prove", "octal", "0.123", "--heaps", "3"], "--heaps"),
        (vec!["prove", "minnie", "--rule", "n/2"], "unexpected argument"),
        (vec!["prove", "maximum-nim", "--rule", "n+1"], "n+1"),
        (vec!["prove", "mini"], "similar subcommand"),
        (vec!["prove", "minnie", "--heaps", "0"], "heaps"),
        (vec!["prove", "minnie", "--heaps", "1e18"], "heaps"),
        (vec!["count", "nim", "--heaps", "1e6", "--max", "1e6"], "ask for fewer heaps"),
        (vec!["count", "chess", "--heaps", "1", "--max", "1"], "unrecognized subcommand"),
        (vec!["count", "minnie", "--heaps", "1e12", "--max", "1e12"], "lower"),
        (vec!["period", "minnie-row", "0"], "at least 1"),
        (vec!["period", "minnie-row", "4000000000"], "below 256"),
        (vec!["query", "minnie", "1e30", "5", "5", "5"], "2^64"),
    ] {
        let errors = ran(&arguments, 2).err;
        assert!(errors.contains(part) && !errors.contains("panicked"), "{arguments:?}: {errors}");
    }
}

#[test]
fn count_gives_a_decimal_string() {
    let count = json(&["count", "minnie", "--heaps", "2", "--max", "10"]);
    // Theorem 7 up to 10: five [1, odd], three [2, 4i+2], one [3, 8] and [4, 4].
    assert_eq!(count["count"], "10");
    assert!(count["heaps"] == 2 && count["max"] == 10);
    let huge = json(&["count", "minnie", "--heaps", "20", "--max", "1e18"]);
    assert!(huge["count"].as_str().unwrap().len() > 300);
}

#[test]
fn period_of_a_minnie_row() {
    let row = json(&["period", "minnie-row", "4"]);
    assert!(row["row"] == 4 && row["proved"] == true && row["preperiod"] == 5 && row["period"] == 36);
    assert_eq!(row["max_value"], 7);
    assert_eq!(json(&["period", "minnie-row", "2", "3"])["row"], serde_json::json!([2, 3]));
    assert_eq!(json(&["period", "minnie-row", "5", "--all"])["rows"].as_array().unwrap().len(), 5);
}

#[test]
fn the_parameters_of_a_game_are_those_of_the_catalogue() {
    let verdict = ran(&["prove", "wynnie", "--together", "all", "--heaps", "2"], 0);
    assert!(verdict.out.contains("In wynnie --together all with at most 2 heaps"), "{}", verdict.out);
}

#[test]
fn queries_beyond_every_table_are_answered_from_the_quotient() {
    let answer = json(&["query", "minnie", "[1e18,1e18,999999999999999999]"]);
    assert_eq!(answer["outcome"], "N");
    let options = answer["winning_moves"].as_array().unwrap();
    assert!(!options.is_empty());
    for option in options {
        let words: Vec<String> = option.as_array().unwrap().iter().map(Value::to_string).collect();
        let position = format!("[{}]", words.join(","));
        assert_eq!(json(&["query", "minnie", &position])["outcome"], "P", "{position}");
    }
    let heaps: Vec<String> = (0..1000).map(|i| (10u64.pow(18) + i).to_string()).collect();
    let thousand = json(&["query", "minnie", "--misere", &heaps.join(",")]);
    assert_eq!(thousand["outcome"], "N");
}
