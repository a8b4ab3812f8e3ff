//! What a newcomer types wrongly, and files that are not what they seem: a message with a remedy that works, exit code 2,
//! and never a run without an end.
#![cfg(unix)]

use crate::support;

use std::fs::{self, OpenOptions};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use support::{Ran, copy, nimwave, run, snapshot, solved};

/// Demands that the command is refused with a message that has all these words.
#[track_caller]
fn refused(command: &str, words: &[&str]) {
    let ran = run(&command.split(' ').collect::<Vec<_>>()).code(2);
    for word in words {
        assert!(ran.err.contains(word), "{command}: {word:?} is missing in: {}", ran.err);
    }
}

/// Runs a command that could wait for ever.
#[track_caller]
fn run_in_time(words: &[&str]) -> Ran {
    let mut child = nimwave()
        .args(words)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > Duration::from_secs(120) {
            child.kill().unwrap();
            panic!("{words:?} does not end");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    Ran::from(child.wait_with_output().unwrap())
}

fn pipe(path: &Path) {
    let _ = fs::remove_file(path);
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn a_sum_with_too_large_a_part_names_a_remedy_that_a_sum_can_take() {
    let ran = run(&["query", "sum", "wythoff 100000 100000"]).code(2);
    assert!(ran.err.contains("ask for a smaller position") && ran.err.contains("\"nim v\""), "{}", ran.err);
    // The remedy on a part that is small enough to be asked for both ways.
    let value = |words: &[&str]| run(&[&["--json", "query"], words].concat()).code(0).json()["value"].clone();
    let v = value(&["wythoff", "6", "7"]);
    assert_eq!(
        value(&["sum", "wythoff 6 7", "minnie 3 5"]),
        value(&["sum", &format!("nim {v}"), "minnie 3 5"])
    );
    // The game alone can be asked with a table.
    refused("query susen 100000 100000", &["--table DIR"]);
    // The words of a part without quotes are parts of their own.
    refused("query sum minnie 3 5", &["in quotes"]);
}

#[test]
fn numbers_are_written_alike_everywhere() {
    refused("solve cookie --rows 1e6 --cols 6", &["1000000"]);
    refused("solve cookie --rows x --cols 6", &["write it as 1000000, 1e6"]);
    refused("query poker-nim 3 4 --additions 1e9", &["at most 65535 adding moves"]);
    refused("scan vertex-deletion --oo --vertices 1e30", &["below 2^64"]);
    refused("solve minnie --heaps 2 --max 5 --shards 0", &["at least one shard"]);
    let ran = run(&["solve", "minnie", "--heaps", "2", "--max", "5", "--shards", "3"]).code(0);
    assert!(ran.err.contains("no effect without mpirun"), "{}", ran.err);
}

#[test]
fn octal_games_are_told_from_commands() {
    for game in ["kayles --terms 10", "grundy --terms 10", "subtraction 1,3,4", "cookie-row 3", "0.77"] {
        refused(&format!("solve {game}"), &["unrecognized subcommand", "write octal before it"]);
        // The tip can be pasted.
        refused(&format!("values {game}"), &[&format!("nimwave values octal {game}")]);
    }
    let ran = run(&["solve", "mini"]).code(2);
    assert!(!ran.err.contains("octal before it"), "{}", ran.err);
    refused("solve octal 0.3[...] --terms 10", &["0.3[12]7 stands for twelve threes and a seven"]);
    refused("query octal 0.6 1e13 --time 1s", &["below 2^40"]);
}

/// Regression: the remedy was --out, which is a file here.
#[test]
fn a_matrix_that_needs_too_much_memory_is_refused_with_a_remedy_that_works() {
    let remedy = "choose smaller heaps, or fill a table with solve --out DIR and use export";
    refused("values minnie --row 4,5,6,7,8 --to 200 --memory 1e9", &[remedy]);
}

#[test]
fn a_table_of_another_game_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("o");
    let out = out.to_str().unwrap();
    run(&["solve", "octal", "0.6", "--terms", "100", "--out", out]).code(0);
    refused(&format!("query minnie 3 4 --table {out}"), &["holds values of octal", "heap game"]);
    refused(&format!("query octal 0.77 4 --table {out}"), &["holds 0.6, not 0.77", "ask for that game"]);
    refused(&format!("query octal 0.6 400 --table {out}"), &["below 100", "solve more terms"]);
}

#[test]
fn what_cannot_be_written_is_said_before_the_work_and_with_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing");
    let missing = missing.to_str().unwrap();
    for command in ["period octal 0.77 --certificate", "prove minnie --certificate", "plot octal 0.77 --out"]
    {
        refused(&format!("{command} {missing}/x.png"), &["cannot write", "make the folder first"]);
        assert!(!Path::new(missing).exists());
    }
    let ran = run(&["period", "octal", "0.6", "--time", "0s"]).code(4);
    assert!(ran.out.contains("allow more --time"), "{}", ran.out);
    let ran = run(&["period", "octal", "0.6", "--terms", "300"]).code(4);
    assert!(ran.out.contains("allow more --terms"), "{}", ran.out);
}

#[test]
#[cfg(target_os = "linux")]
fn a_result_that_cannot_be_printed_is_an_error() {
    for words in
        [&["query", "minnie", "3", "4"][..], &["--json", "games"], &["completions", "bash"], &["man"]]
    {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let ran = Ran::from(nimwave().args(words).stdout(full).output().unwrap()).code(2);
        assert!(ran.err.contains("cannot write to standard output"), "{words:?}: {}", ran.err);
        assert!(ran.err.contains("free some space"), "{words:?}: {}", ran.err);
    }
}

#[test]
fn a_pipe_in_the_place_of_a_file_is_refused_and_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let table = solved(folder.path(), "v", 2, 20, &["--values"]);
    for (file, command) in [
        ("manifest.json", "verify"),
        ("manifest.json", "info"),
        ("values.npy", "verify"),
        ("journal", "solve"),
        ("lock", "solve"),
    ] {
        let damaged = folder.path().join(format!("{file}-{command}"));
        copy(&table, &damaged);
        pipe(&damaged.join(file));
        let name = damaged.to_str().unwrap();
        let ran = match command {
            "solve" => {
                run_in_time(&["solve", "minnie", "--heaps", "2", "--max", "20", "--values", "--out", name])
            }
            _ => run_in_time(&[command, name]),
        };
        assert!(ran.code == Some(2), "{file}, {command}: {ran:?}");
        assert!(
            ran.err.contains(file) && ran.err.contains("not a plain file"),
            "{file}, {command}: {}",
            ran.err
        );
    }
}

#[test]
#[cfg(target_os = "linux")]
fn files_without_an_end_are_not_read_to_it() {
    for words in [&["batch", "/dev/zero"][..], &["query", "cookie", "--board", "/dev/zero"]] {
        let ran = run_in_time(words).code(2);
        assert!(ran.err.contains("/dev/zero") && ran.err.contains("more than"), "{words:?}: {}", ran.err);
    }
}

#[test]
fn absurd_numbers_in_a_job_file_are_refused_with_their_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("jobs.toml");
    for (setting, word) in [
        ("max = nan", "64Ki\n"),
        ("max = 1e300", "max"),
        ("max = 99999999999999999999999999999999", "max"),
        ("time = nan", "write 90s"),
        ("time = -1", "-1"),
        ("memory = inf", "inf"),
        ("threads = 0", "threads"),
    ] {
        let job = format!(
            "output = \"x\"\n[[job]]\nname = \"a\"\ncommand = \"solve minnie\"\nheaps = 2\n{setting}\n"
        );
        let max = if setting.starts_with("max") { "" } else { "max = 5\n" };
        fs::write(&file, job + max).unwrap();
        let ran = run(&["batch", file.to_str().unwrap(), "--dry-run"]).code(2);
        assert!(ran.err.contains("jobs.toml:6:") && ran.err.contains(word), "{setting}: {}", ran.err);
    }
}

#[test]
fn every_output_keeps_links_and_pipes_and_can_be_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let table = solved(folder.path(), "table", 2, 12, &["--values"]);
    let table = table.to_str().unwrap();
    for (name, words) in [
        ("a.csv", vec!["export", table, "--format", "csv", "--out"]),
        ("a.html", vec!["report", table, "--out"]),
        ("a.png", vec!["plot", "histogram", table, "--out"]),
        ("a.svg", vec!["plot", "cookie", "--rows", "2", "--cols", "2", "--out"]),
        ("a.json", vec!["prove", "nimb", "--certificate"]),
        ("b.json", vec!["period", "octal", "0.77", "--certificate"]),
    ] {
        let to = |path: &str| nimwave().args(&words).arg(path).output().unwrap();
        let (path, link, pipe) = (at(name), at(&format!("link-{name}")), at(&format!("pipe-{name}")));
        std::os::unix::fs::symlink(name, &link).unwrap();
        let ran = to(link.to_str().unwrap());
        assert!(ran.status.success(), "{words:?}: {}", String::from_utf8_lossy(&ran.stderr));
        assert!(link.is_symlink(), "{words:?}");
        let written = std::fs::read(&path).unwrap();
        assert!(!written.is_empty());

        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || std::fs::read(pipe).unwrap()
        });
        assert!(to(pipe.to_str().unwrap()).status.success());
        let through_pipe = reader.join().unwrap();
        assert!(!pipe.is_file(), "{words:?}: the pipe was replaced");

        let printed = to("-").stdout;
        // A page may name its date.
        if name == "a.html" {
            assert!(!printed.is_empty() && !through_pipe.is_empty());
        } else {
            assert_eq!(through_pipe, written, "{words:?}");
            assert_eq!(printed, written, "{words:?}");
        }
    }
}

#[test]
fn no_output_and_no_log_destroys_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let table = solved(folder.path(), "table", 2, 12, &["--values"]);
    let before = snapshot(&table);
    let own = |name: &str| table.join(name).to_str().unwrap().to_string();
    let table = table.to_str().unwrap();
    for words in [
        vec!["export", table, "--format", "npy", "--out", &own("values.npy")],
        vec!["report", table, "--out", &own("manifest.json")],
        vec!["prove", "nimb", "--certificate", &own("journal")],
        vec!["period", "octal", "0.77", "--certificate", &own("lock")],
        vec!["info", table, "--log", &own("journal")],
    ] {
        run(&words).refused(&["is a file of a table", "choose another name"]);
    }
    assert_eq!(snapshot(std::path::Path::new(table)), before);
}
