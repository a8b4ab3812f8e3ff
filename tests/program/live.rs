//! What can be seen of a run from outside while it goes on, and after it.

use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::{Ran, fed, nimwave, run, snapshot, solve_words, solved};

/// A run that takes long enough to be looked at, one wave at a time.
const LONG: [&str; 6] = ["--values", "--kernel", "generic", "--checkpoint", "0s", "--quiet"];

fn start(words: &[String]) -> std::process::Child {
    nimwave().args(words).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the binary starts")
}

/// The one run that `status --json` tells of.
fn status(folder: &std::path::Path) -> serde_json::Value {
    run(&["status", "--json", folder.to_str().unwrap()]).code(0).json()["runs"][0].clone()
}

fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(120), "{what}: not within two minutes");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_run_is_seen_from_another_terminal_and_a_killed_one_is_not_taken_for_running() {
    let temporary = tempfile::tempdir().unwrap();
    let out = temporary.path().join("table");
    let words = solve_words(4, 150, &LONG, Some(&out));
    let mut child = start(&words);
    wait_until("the file of the run", || out.join("live.json").exists());
    wait_until("a wave", || status(&out)["done"].as_u64() > Some(0));
    let seen = status(&out);
    assert_eq!((seen["state"].as_str(), seen["game"].as_str()), (Some("running"), Some("minnie")));
    assert_eq!(seen["run"]["process"]["id"].as_u64(), Some(child.id().into()));
    assert!(seen["share"].as_f64().is_some_and(|share| (0.0..1.0).contains(&share)), "{seen}");
    let text = run(&["status", out.to_str().unwrap()]).code(0).out;
    assert!(text.contains("running: process") && text.contains("% done: wave"), "{text}");
    child.kill().unwrap();
    child.wait().unwrap();
    let seen = status(&out);
    assert_eq!(seen["state"], "stopped", "{seen}");
    assert!(run(&["status", out.to_str().unwrap()]).code(0).out.contains("the same command resumes"));
}

#[test]
fn a_closed_terminal_makes_a_checkpoint_unless_the_run_was_started_to_survive_it() {
    let temporary = tempfile::tempdir().unwrap();
    let out = temporary.path().join("table");
    let mut child = start(&solve_words(4, 150, &LONG, Some(&out)));
    wait_until("a wave", || out.join("manifest.json").exists() && status(&out)["done"].as_u64() > Some(2));
    let hang_up = |id: u32| {
        let sent = std::process::Command::new("kill").args(["-HUP", &id.to_string()]).status();
        assert!(sent.expect("kill").success());
    };
    hang_up(child.id());
    assert_eq!(child.wait().unwrap().code(), Some(3), "interrupted, and resumable");
    assert!(!out.join("live.json").exists());
    assert!(status(&out)["done"].as_u64() > Some(2));

    let survivor = temporary.path().join("survivor");
    let script = "trap '' HUP; exec \"$@\"";
    let mut command = std::process::Command::new("sh");
    command.args(["-c", script, "sh"]).arg(nimwave().get_program());
    command.args(solve_words(4, 150, &LONG, Some(&survivor)));
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_until("a wave", || {
        survivor.join("manifest.json").exists() && status(&survivor)["done"].as_u64() > Some(0)
    });
    let before = status(&survivor)["done"].as_u64();
    hang_up(child.id());
    wait_until("another wave", || status(&survivor)["done"].as_u64() > before);
    assert!(child.try_wait().unwrap().is_none(), "it runs on");
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_finished_table_is_said_to_be_complete_and_stays_as_it_is() {
    let temporary = tempfile::tempdir().unwrap();
    let table = solved(temporary.path(), "table", 3, 30, &[]);
    let before = snapshot(&table);
    let again = run(&solve_words(3, 30, &[], Some(&table))).code(0);
    assert!(again.err.contains("complete already"), "{}", again.err);
    assert_eq!(snapshot(&table), before);
    let text = run(&["status", table.to_str().unwrap()]).code(0).out;
    assert!(text.contains("complete"), "{text}");
    run(&["status", temporary.path().to_str().unwrap()]).refused(&["no run has kept anything here"]);
}

#[test]
fn many_positions_are_asked_at_once_and_each_gets_its_line() {
    let temporary = tempfile::tempdir().unwrap();
    let table = solved(temporary.path(), "table", 3, 30, &["--values"]);
    let lines: String = (0..=30).flat_map(|a| (0..=30).map(move |b| format!("{b} {a}\n"))).collect();
    let words = ["query", "minnie", "--table", table.to_str().unwrap(), "-"];
    let ran = Ran::from(fed(nimwave().args(words), &lines)).code(0);
    assert_eq!(ran.out.lines().count(), 31 * 31);
    for (line, text) in lines.lines().zip(ran.out.lines()).step_by(97) {
        let one =
            run(&["query", "minnie", "--json", "--table", table.to_str().unwrap(), line]).code(0).json();
        let answer: serde_json::Value = serde_json::from_str(text).unwrap();
        for field in ["position", "outcome", "value"] {
            assert_eq!(answer[field], one[field], "{line}");
        }
    }
    let ran = Ran::from(fed(nimwave().args(words), "3 4\nx\n\n31\n5")).code(2);
    let answers: Vec<&str> = ran.out.lines().collect();
    assert_eq!(answers.len(), 4, "{}", ran.out);
    assert!(answers[1].contains("\"line\":2") && answers[1].contains("error"), "{}", ran.out);
    assert!(answers[2].contains("\"line\":4") && answers[2].contains("at most 30"), "{}", ran.out);
    assert!(answers[3].contains("[5]") && ran.err.contains("2 of 5 lines"), "{}", ran.err);
    let ran = Ran::from(fed(nimwave().args(["query", "minnie", "-"]), "3 4 5\n")).code(0);
    assert!(ran.out.contains("\"position\":[3,4,5]"), "{}", ran.out);
    let ran = Ran::from(fed(nimwave().args(["query", "octal", "0.77", "-"]), "3 4 5\n")).code(0);
    assert!(ran.out.contains("\"value\":6"), "{}", ran.out);
}

#[test]
fn two_tables_are_compared_position_by_position() {
    let temporary = tempfile::tempdir().unwrap();
    let small = solved(temporary.path(), "small", 2, 20, &["--values"]);
    let large = solved(temporary.path(), "large", 3, 30, &["--values"]);
    let other = solved(temporary.path(), "misere", 2, 20, &["--values", "--misere"]);
    let outcomes = solved(temporary.path(), "outcomes", 2, 20, &[]);
    let compare = |a: &std::path::Path, b: &std::path::Path| {
        run(&["compare", "--json", a.to_str().unwrap(), b.to_str().unwrap()])
    };
    let same = compare(&small, &small).code(0).json();
    assert_eq!(
        (&same["compared"], &same["different"], &same["same_blake3"]),
        (&231.into(), &0.into(), &true.into())
    );
    let across = compare(&large, &small).code(0).json();
    assert_eq!((&across["compared"], &across["same_blake3"]), (&231.into(), &false.into()));
    compare(&small, &other).refused(&["misère minnie", "same game"]);
    compare(&small, &outcomes).refused(&["outcomes"]);
    let rule = temporary.path().join("rule");
    let words =
        ["solve", "rule", "take s from one heap where s <= min", "--heaps", "2", "--max", "20", "--values"];
    run(&[&words[..], &["--out", rule.to_str().unwrap()]].concat()).code(0);
    compare(&small, &rule).refused(&["holds"]);
}

/// What `status` says of a run while it goes on, and after it was interrupted.
fn seen_running_and_stopped(words: &[&str], kind: &str, step: &str) {
    let temporary = tempfile::tempdir().unwrap();
    let out = temporary.path().join(kind);
    let words: Vec<String> =
        words.iter().copied().chain(["--out", out.to_str().unwrap()]).map(String::from).collect();
    let mut child = start(&words);
    wait_until("the file of the run", || out.join("live.json").exists());
    wait_until("a step", || status(&out)["done"].as_u64() > Some(0));
    let seen = status(&out);
    assert_eq!((seen["state"].as_str(), seen["kind"].as_str()), (Some("running"), Some(kind)), "{seen}");
    assert_eq!(
        (seen["step"].as_str(), seen["run"]["process"]["id"].as_u64()),
        (Some(step), Some(child.id().into()))
    );
    let text = run(&["status", out.to_str().unwrap()]).code(0).out;
    assert!(text.contains("running: process") && text.contains(&format!("{step} ")), "{text}");
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill").success());
    assert_eq!(child.wait().unwrap().code(), Some(3), "interrupted, and resumable");
    assert!(!out.join("live.json").exists());
    let seen = status(&out);
    assert_eq!((seen["state"].as_str(), seen["kind"].as_str()), (Some("stopped"), Some(kind)), "{seen}");
    assert!(seen["done"].as_u64() > Some(0) && seen["last_checkpoint"].is_f64(), "{seen}");
    let text = run(&["status", out.to_str().unwrap()]).code(0).out;
    assert!(text.contains("the same command resumes") && text.contains("last checkpoint"), "{text}");
}

#[test]
fn a_probe_is_seen_from_another_terminal() {
    seen_running_and_stopped(&["probe", "5.6", "--heaps", "5", "--max", "900", "--quiet"], "probe", "plane");
}

#[test]
fn a_survey_is_seen_from_another_terminal() {
    seen_running_and_stopped(&["survey", "octal", "0.???", "--terms", "2^16", "--quiet"], "survey", "look");
}

#[test]
fn a_search_for_a_recurring_state_is_seen_from_another_terminal() {
    let words = ["period", "octal", "0.106", "--recurring", "--checkpoint", "1s", "--quiet"];
    seen_running_and_stopped(&words, "recurring", "heap");
}
