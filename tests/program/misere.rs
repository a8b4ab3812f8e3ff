//! `misere octal` and `survey misere` from outside, and the certificates of misère quotients.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{nimwave, run, skipped};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).into()
}

/// The exit code and the output of a Python script, if Python can be run.
fn python(script: &str, arguments: &[&Path]) -> Option<(Option<i32>, String)> {
    match Command::new("python3").arg(root().join("scripts").join(script)).args(arguments).output() {
        Ok(output) => Some((output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())),
        Err(problem) => {
            skipped(&format!("python3 cannot be run ({problem})"));
            None
        }
    }
}

#[test]
fn kayles_is_solved_for_all_heaps_and_another_program_agrees() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kayles.json");
    let kayles =
        run(&["misere", "octal", "kayles", "--json", "--certificate", path.to_str().unwrap()]).code(0).json();
    for (field, expected) in
        [("order", 40), ("preperiod", 71), ("period", 12), ("heaps", 167), ("first_wild", 5)]
    {
        assert_eq!(kayles[field], expected, "{field}");
    }
    assert!(kayles["proved"] == true && kayles["tame"] == false);
    assert_eq!(kayles["p_portion"].as_array().unwrap().len(), 9);
    assert_eq!(kayles["genus"][5]["symbol"], "4^146");
    assert_eq!(kayles["partial"][2]["order"], 12);
    let text = run(&["misere", "octal", "0.77"]).code(0).out;
    for part in ["THEOREM", "order 40", "period 12", "Wild from heap 5", "bc^2=b", "4^146"] {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }
    let kept = std::fs::read_to_string(root().join("data/certificates/misere/0.77.json")).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), kept);
}

#[test]
fn certificates_in_the_tree_are_checked_by_another_program_which_refuses_changed_ones() {
    let folder = root().join("data/certificates/misere");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() >= 4);
    let all: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    let Some((code, out)) = python("check_misere.py", &all) else { return };
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("quotient of 0.77 has order 40"), "{out}");
    let (code, out) = python("mutate_certificate.py", &[&folder.join("0.75.json")]).unwrap();
    assert!(code == Some(0) && out.contains("mutations rejected"), "{out}");
    let temporary = tempfile::tempdir().unwrap();
    let path = temporary.path().join("bad.json");
    for (from, to, expected) in [
        ("\"order\":8", "\"order\":9", 2),
        ("\"preperiod\":8", "\"preperiod\":7", 1),
        ("\"code\":\"0.75\"", "\"code\":\"0.77\"", 1),
        ("{", "", 2),
    ] {
        let good = std::fs::read_to_string(folder.join("0.75.json")).unwrap();
        assert!(good.contains(from));
        std::fs::write(&path, good.replacen(from, to, 1)).unwrap();
        assert_eq!(python("check_misere.py", &[&path]).unwrap().0, Some(expected), "{from} {to}");
    }
}

#[test]
fn proofs_of_misere_octal_games_are_quotients_of_the_same_order() {
    for (code, threshold, period, classes) in
        [("0.77", 71, 12, 40), ("0.75", 8, 2, 8), ("0.31", 3, 2, 6), ("0.123", 5, 5, 20), ("0.312", 5, 2, 12)]
    {
        let proof = run(&["prove", "octal", code, "--misere", "--json"]).code(0).json();
        assert_eq!(proof["proved"], true, "{code}");
        assert_eq!(
            (&proof["threshold"], &proof["period"], &proof["classes"]),
            (&threshold.into(), &period.into(), &classes.into()),
            "{code}"
        );
    }
}

#[test]
fn partial_quotients_are_done_as_far_as_asked_or_as_the_limits_allow() {
    let asked = run(&["misere", "octal", "0.07", "--heaps-up-to", "16", "--json"]).code(0).json();
    assert!(asked["proved"] == false && asked["heaps"] == 16 && asked["order"] == 24);
    assert_eq!(asked["pretending"].as_array().unwrap().len(), 17);
    let limited = run(&["misere", "octal", "0.07", "--time", "1s"]).code(4);
    assert!(limited.out.contains("NOT PROVED") && limited.out.contains("within the time"), "{}", limited.out);
    let small = run(&["misere", "octal", "0.137", "--memory", "64Ki"]).code(4);
    assert!(small.out.contains("NOT PROVED") && small.out.contains("memory"), "{}", small.out);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("none.json");
    run(&["misere", "octal", "0.07", "--heaps-up-to", "5", "--certificate", path.to_str().unwrap()]).code(0);
    assert!(!path.exists());
}

#[test]
fn mistakes_are_named() {
    run(&["misere", "octal", "0.9x"]).refused(&["0.9x"]);
    run(&["misere", "octal", "0.77", "--heaps-up-to", "0"]).refused(&["from 1 to"]);
    run(&["misere", "octal", "0.77", "--heaps-up-to", "x"]).refused(&["heaps-up-to"]);
    run(&["misere", "octal", "0.77", "--time", "soon"]).refused(&["time"]);
    run(&["misere", "octal"]).refused(&["CODE"]);
    run(&["survey", "misere", "0.7z?"]).refused(&["0.7z"]);
    run(&["survey", "misere", "0.????????"]).refused(&["16777216 games"]);
    run(&["survey", "misere", "0.7?", "--heaps-up-to", "0"]).refused(&["at least 1"]);
}

#[test]
fn a_survey_has_the_quotients_of_all_games_of_a_pattern() {
    let survey = run(&["survey", "misere", "0.2[0-5]", "0.123", "0.10", "0.1", "--each", "20s", "--json"])
        .code(0)
        .json();
    let rows = survey["rows"].as_array().unwrap();
    // 0.20 to 0.25, all of which are proved, 0.123, and 0.1 once.
    assert_eq!(rows.len(), 8);
    assert!(rows.iter().all(|row| row["status"] == "proved"));
    let row = |code: &str| rows.iter().find(|row| row["code"] == code).unwrap_or_else(|| panic!("{code}"));
    assert!(row("0.123")["status"] == "proved" && row("0.123")["order"] == 20 && row("0.123")["wild"] == 8);
    assert!(row("0.22")["order"] == 6 && row("0.22")["wild"].is_null());
    // Misère quotients other than that of the empty position have even orders (Plambeck and Siegel).
    for row in rows {
        assert_eq!(row["order"].as_u64().unwrap() % 2, 0, "{row}");
    }
}

/// Regression: what was worked out until then was thrown away.
#[test]
fn quotients_that_were_found_before_it_was_stopped_are_printed() {
    let limited = run(&["misere", "octal", "0.3122", "--time", "2s", "--json"]).code(4).json();
    assert!(limited["proved"] == false && !limited["partial"].as_array().unwrap().is_empty(), "{limited}");
    let child = nimwave()
        .args(["misere", "octal", "0.3122", "--time", "100s"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_secs(3));
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill").success());
    let begun = Instant::now();
    let ended = child.wait_with_output().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(20), "it ends soon");
    let text = String::from_utf8(ended.stdout).unwrap();
    assert_eq!(ended.status.code(), Some(3), "{text}");
    for part in ["up to", "NOT PROVED for larger heaps: it was stopped", "the quotient from this heap on"] {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }
}
