//! Surveys of families of rules: what is found, what is kept, and what is refused.

use crate::support;

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;
use support::{Ran, nimwave, run};

const MINNIES: &str = "take s from one heap where s <= a*min + b";
const SUBTRACTION: &str = "take s from one heap where s <= a";

/// The games of one survey that take no time each.
fn small(more: &[&str]) -> Ran {
    run(&[&["survey", "rule", SUBTRACTION, "--a", "1..4", "--max", "9", "--quiet"], more].concat())
}

/// A survey without what differs from run to run.
fn timeless(mut survey: Value) -> Value {
    let object = survey.as_object_mut().expect("an object");
    object.remove("seconds");
    for row in object["rows"].as_array_mut().expect("rows") {
        row.as_object_mut().expect("a row").remove("seconds");
    }
    survey
}

#[test]
fn the_family_of_minnie_is_surveyed() {
    let words = [
        "survey", "rule", MINNIES, "--a", "1..3", "--b", "0..5", "--heaps", "2", "--max", "12", "--each",
        "0.2",
    ];
    let survey = run(&[&words[..], &["--json"]].concat()).code(0).json();
    assert_eq!((&survey["games"], &survey["complete"]), (&18.into(), &true.into()));
    assert_eq!(survey["survey"]["rule"], MINNIES);
    let rows = survey["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 18);
    // In the order of the constants, the last one changing fastest.
    for (i, row) in rows.iter().enumerate() {
        assert_eq!((&row["a"], &row["b"]), (&(1 + i / 6).into(), &(i % 6).into()));
        assert!(["proved", "seen", "out of time"].contains(&row["status"].as_str().unwrap()), "{row}");
        assert_eq!(row["positions"], 91, "{row}");
        assert!(!row["words"].as_str().unwrap().is_empty(), "{row}");
    }
    // What was seen of minnie is what minnie's table says.
    let table = run(&["solve", "minnie", "--heaps", "2", "--max", "12", "--json"]).code(0).json();
    assert_eq!(rows[0]["p_positions"], table["all_p_positions"], "{table}");
}

#[test]
fn sequences_and_misere_quotients_are_theorems() {
    let normal = small(&["--json"]).code(0).json();
    for (i, row) in normal["rows"].as_array().unwrap().iter().enumerate() {
        assert_eq!(
            (&row["status"], &row["by"], &row["heaps"]),
            (&"proved".into(), &"period".into(), &"any".into())
        );
        assert_eq!(row["period"], i + 2, "{row}");
    }
    let misere = small(&["--json", "--misere"]).code(0).json();
    for row in misere["rows"].as_array().unwrap() {
        assert_eq!((&row["status"], &row["by"]), (&"proved".into(), &"quotient".into()), "{row}");
        assert!(row["classes"].as_u64().unwrap() >= 2, "{row}");
    }
}

#[test]
fn table_csv_json_and_page_say_the_same() {
    let json = small(&["--json"]).code(0).json();
    let csv = small(&["--format", "csv"]).code(0).out;
    let table = small(&[]).code(0).out;
    let page = small(&["--format", "html"]).code(0).out;
    let mut lines = csv.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!(names[..3], ["a", "status", "by"]);
    let shown: Vec<&str> = table.lines().collect();
    assert_eq!((shown.len(), shown[5]), (6, "4 games: 4 proved"));
    assert!(page.contains("aria-sort") && !page.contains("src=") && page.matches("<tr>").count() == 5);
    for (i, (line, row)) in lines.zip(json["rows"].as_array().unwrap()).enumerate() {
        // No cell of this family before `first` has a comma.
        for (name, cell) in names.iter().zip(line.split(',')).take(9) {
            let text = match &row[name] {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            assert_eq!(cell, text, "{name} in {line}");
            let in_table = ["a", "status", "by", "heaps", "threshold", "period"].contains(name);
            assert!(
                !in_table || shown[i + 1].split_whitespace().any(|word| word == text),
                "{}",
                shown[i + 1]
            );
            assert!(page.contains(&format!(">{text}</td>")), "{text}");
        }
    }
}

#[test]
fn games_that_are_the_same_are_looked_at_once() {
    let text = "take s from one heap where s in {a, b}";
    let survey = run(&["survey", "rule", text, "--a", "1,2", "--b", "1,2", "--json"]).code(0).json();
    let rows = survey["rows"].as_array().unwrap();
    // {1, 2} and {2, 1} have the same moves, which is seen; {1, 1} is not {2, 2}.
    assert_eq!(rows[2]["as"], "(1, 2)", "{rows:?}");
    assert_eq!(rows[3]["as"], Value::Null, "{rows:?}");
    let text = "take s from one heap where s <= 2 + 0*a";
    let survey = run(&["survey", "rule", text, "--a", "1..3", "--json"]).code(0).json();
    assert!(survey["rows"][1]["as"] == "(1)" && survey["rows"][2]["as"] == "(1)", "{survey}");
}

#[test]
fn rules_that_some_constants_forbid_are_listed_and_the_others_go_on() {
    let text = "take s from one heap where s <= heap / a";
    let survey = run(&["survey", "rule", text, "--a", "0..2", "--each", "1", "--json"]).code(0).json();
    let statuses: Vec<&str> =
        survey["rows"].as_array().unwrap().iter().map(|row| row["status"].as_str().unwrap()).collect();
    assert_eq!(statuses[0], "invalid", "{survey}");
    assert!(statuses[1..].iter().all(|status| *status != "invalid"), "{survey}");
    assert!(survey["rows"][0]["words"].as_str().unwrap().contains("0"), "{survey}");
    run(&["survey", "rule", text, "--a", "0"]).refused(&["the rule", "^"]);
}

#[test]
fn moves_that_split_are_looked_at_by_search() {
    let text = "split a heap into x, y where x > a*y";
    let survey = run(&["survey", "rule", text, "--a", "1,2", "--each", "2", "--json"]).code(0).json();
    for row in survey["rows"].as_array().unwrap() {
        assert!(row["p_positions"].as_u64().unwrap() > 1, "{row}");
        assert!(row["words"].as_str().unwrap().contains("at most 18 counters"), "{row}");
    }
}

#[test]
fn bad_surveys_are_refused() {
    let survey = |words: &[&str]| run(&[&["survey", "rule"], words].concat());
    survey(&[MINNIES, "--a", "1..3"]).refused(&["'b'", "--b 1..3"]);
    survey(&["take s from one heap where s <= mim"]).refused(&["'mim'", "did you mean 'min'?"]);
    survey(&[MINNIES, "--a", "1..3", "--b", "0", "--c", "1"]).refused(&["'c'", "does not use"]);
    survey(&[MINNIES, "--a", "3..1", "--b", "0"]).refused(&["nothing from 3 up to 1"]);
    survey(&[MINNIES, "--a", "1..1000", "--b", "0..1000"]).refused(&["more than 100000 games"]);
    survey(&[MINNIES, "--a", "0..1000000000", "--b", "0"]).refused(&["more than 100000 games"]);
    survey(&[MINNIES, "--a", "1..2", "--b", "0", "--let", "a=3"]).refused(&["given twice"]);
    survey(&[MINNIES, "--let", "a", "--b", "0"]).refused(&["NAME=VALUES"]);
    survey(&["take s from one heap where s <=", "--a", "1"]).refused(&["does not use"]);
    survey(&["take s from one heap where s <= a and", "--a", "1"]).refused(&["the rule", "^"]);
    survey(&["take s from one heap where s = a", "--a", "0"]).refused(&["no move is ever legal"]);
    survey(&[MINNIES, "--a", "1", "--b", "0", "--heaps", "7"]).refused(&["from 1 to 6"]);
}

#[test]
fn a_survey_resumes_and_another_one_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("survey");
    let out_text = out.to_str().unwrap();
    let first = small(&["--json", "--out", out_text]).code(0).json();
    let state = fs::read_to_string(out.join("survey.jsonl")).unwrap();
    assert_eq!(state.lines().count(), 5);
    // The seconds are those of the first run: nothing was computed again.
    let again = small(&["--json", "--out", out_text]).code(0).json();
    assert_eq!(first["rows"], again["rows"]);
    let page = fs::read_to_string(out.join("survey.html")).unwrap();
    assert_eq!(page.matches("<tr>").count(), 5);
    let kept: Value = serde_json::from_str(&fs::read_to_string(out.join("survey.json")).unwrap()).unwrap();
    assert_eq!(kept["rows"], first["rows"]);
    assert_eq!(
        fs::read_to_string(out.join("survey.csv")).unwrap(),
        small(&["--format", "csv", "--out", out_text]).out
    );
    // A wider range keeps what there is.
    let wider =
        run(&["survey", "rule", SUBTRACTION, "--a", "1..5", "--max", "9", "--json", "--out", out_text]);
    assert_eq!(wider.code(0).json()["rows"].as_array().unwrap()[..4], *first["rows"].as_array().unwrap());

    small(&["--misere", "--out", out_text]).refused(&[
        "another survey",
        "misere = false",
        "choose another folder",
    ]);
    run(&["survey", "rule", MINNIES, "--a", "1", "--b", "0", "--out", out_text]).refused(&["another survey"]);
    // A folder of somebody else.
    let other = folder.path().join("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("letter.txt"), "hello").unwrap();
    small(&["--out", other.to_str().unwrap()]).refused(&["has files in it"]);
    assert_eq!(fs::read_dir(&other).unwrap().count(), 1);
    // Half a line is what a kill leaves; anything else that is wrong is damage.
    let state = fs::read_to_string(out.join("survey.jsonl")).unwrap();
    let cut = &state[..state.len() - 9];
    fs::write(out.join("survey.jsonl"), cut).unwrap();
    assert_eq!(timeless(small(&["--json", "--out", out_text]).code(0).json()), timeless(first));
    fs::write(out.join("survey.jsonl"), cut.replacen("\"status\":", "\"statu\":", 1)).unwrap();
    small(&["--out", out_text]).refused(&["damaged"]);
    fs::write(out.join("survey.jsonl"), "what is this\n").unwrap();
    small(&["--out", out_text]).refused(&["not the state of a survey"]);
}

fn lines_of(path: &Path) -> usize {
    fs::read_to_string(path).map_or(0, |text| text.lines().count())
}

#[test]
fn a_killed_survey_loses_only_what_it_was_looking_at() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("survey");
    let state = out.join("survey.jsonl");
    // A hundred games of some hundredths of a second each.
    let words =
        ["survey", "rule", "take s from one heap where s % b = a or s = 1", "--a", "0..9", "--b", "1..10"];
    let words =
        [&words[..], &["--heaps", "2", "--max", "20", "--each", "0.05", "--quiet", "--json", "--out"]]
            .concat();
    let mut finished = 0;
    for signal in ["KILL", "INT", "KILL"] {
        let mut child = nimwave()
            .args(&words)
            .arg(&out)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary starts");
        let begun = Instant::now();
        while lines_of(&state) < finished + 3 && begun.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(2));
        }
        let _ =
            std::process::Command::new("kill").arg(format!("-{signal}")).arg(child.id().to_string()).status();
        child.wait().unwrap();
        let now = lines_of(&state);
        assert!(now > finished, "{now} lines after {finished}");
        finished = now;
    }
    let before = fs::read_to_string(&state).unwrap();
    let survey = Ran::from(nimwave().args(&words).arg(&out).output().unwrap()).code(0).json();
    assert!(survey["complete"] == true && survey["rows"].as_array().unwrap().len() == 100);
    let after = fs::read_to_string(&state).unwrap();
    let whole = before.rsplit_once('\n').unwrap().0;
    assert!(whole.lines().all(|line| after.lines().any(|other| line == other)), "finished games stay");
}

#[test]
fn a_game_that_ran_out_of_time_is_tried_again_with_more() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("survey");
    let survey = |each: &str| {
        let words = [
            "survey",
            "rule",
            "take s from one or two heaps where s <= min + a",
            "--a",
            "1",
            "--json",
            "--each",
            each,
        ];
        let ran = Ran::from(nimwave().args(words).arg("--out").arg(&out).output().unwrap()).code(0).json();
        ran["rows"][0].clone()
    };
    let first = survey("0.01");
    assert_eq!(first["status"], "out of time", "{first}");
    assert_eq!(survey("0.01"), first);
    assert_eq!(survey("0.001"), first);
    assert_ne!(survey("0.5")["seconds"], first["seconds"]);
    // The time for all games is another matter: what was not finished is not listed.
    let ran = run(&["survey", "rule", SUBTRACTION, "--a", "1..9", "--time", "0", "--json"]).code(3).json();
    assert!(ran["complete"] == false && ran["rows"].as_array().unwrap().is_empty(), "{ran}");
}

#[test]
fn a_survey_is_a_job_of_a_batch() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("jobs.toml");
    let job = format!(
        "output = \"out\"\n[[job]]\nname = \"survey\"\ncommand = \"survey rule\"\nargs = [\"{SUBTRACTION}\"]\na = \"1..3\"\nmax = 9\nout = \"subtraction\"\n"
    );
    fs::write(&file, job).unwrap();
    run(&["batch", file.to_str().unwrap(), "--quiet"]).code(0);
    assert_eq!(lines_of(&folder.path().join("out/subtraction/survey.jsonl")), 4);
}

#[test]
fn p_positions_of_rules_are_counted() {
    let count =
        |words: &[&str]| run(&[&["count"], words, &["--json"]].concat()).code(0).json()["count"].clone();
    let minnie = "take s from one heap where s <= min";
    for play in [&[][..], &["--misere"]] {
        let size = [&["--heaps", "3", "--max", "40"], play].concat();
        assert_eq!(
            count(&[&["rule", minnie], &size[..]].concat()),
            count(&[&["minnie"], &size[..]].concat())
        );
    }
    assert_eq!(count(&["nim", "--heaps", "2", "--max", "5"]), "5");
    assert_eq!(count(&["rule", "take s from one heap", "--heaps", "0", "--max", "5"]), "1");
    run(&["count", "rule", "split a heap into a, b where a < min", "--heaps", "2", "--max", "9"])
        .refused(&["may split a heap"]);
    run(&["count", "rule", "take s from one heap where s in heaps", "--heaps", "1e9", "--max", "1e9"])
        .refused(&["too large"]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rules.toml");
    fs::write(&file, format!("[[rule]]\nname = 'my-minnie'\nrule = '{minnie}'\n")).unwrap();
    let named = ["my-minnie", "--heaps", "3", "--max", "40", "--rules", file.to_str().unwrap()];
    assert_eq!(count(&named), count(&["minnie", "--heaps", "3", "--max", "40"]));
}
