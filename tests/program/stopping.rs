//! Every verb stops soon after its time is over and after Ctrl-C, and a search keeps to its memory. The bounds are generous,
//! for slow builds on busy machines.
#![cfg(unix)]

use crate::support::{nimwave, run, words};

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What a verb may take to stop: a second or two, and more in a slow build.
const SOON: Duration = Duration::from_secs(10);

/// Long commands that take `--time`, and those that do not.
const WITH_TIME: [&str; 18] = [
    "solve wythoff --heaps 3 --max 600 --values",
    "solve wythoff --heaps 3 --max 400 --out t",
    "solve jennifer --heaps 1 --max 60000 --values",
    "solve minnie --heaps 5 --max 120 --values",
    "solve mine --heaps 5 --max 150",
    "solve octal grundy --terms 1e7",
    "solve cookie --rows 5 --cols 6 --dense",
    "solve cookie --rows 7 --cols 9 --cutter 2",
    "query wyg complete 10 --chips 100",
    "query mig path 1 --chips 4294967295",
    "query nim-on-graph complete 8",
    "query poker-nim 70000",
    "query octal 0.6 1e9",
    "query cookie --rows 9 --cols 9 --cutter 3",
    "period octal 0.6 --terms 1e9",
    "table cookie --cutter 2 --rows 1..8 --cols 1..20",
    "probe 6.3.1",
    "probe 5.6 --heaps 6 --max 200 --out p",
];
const WITHOUT_TIME: [&str; 4] =
    ["scan vertex-deletion 9 --oo", "bench", "plot octal 0.6 --terms 1e8 --out p.png", "audit"];

/// The time of a run until it is stopped: the least that is sure to find it at work.
const AT_WORK: Duration = Duration::from_millis(500);

/// Runs the command for [`AT_WORK`] in `folder`, demands that it ends soon after, and returns its exit code.
fn stopped(line: &str, folder: &Path, interrupt: bool) -> Option<i32> {
    let mut command = nimwave();
    command.args(["--quiet", "--memory", "1e9"]).args(words(line)).current_dir(folder);
    if !interrupt {
        command.args(["--time", "500ms"]);
    } else if WITH_TIME.contains(&line) {
        command.args(["--time", "1h"]);
    }
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the binary starts");
    let begun = Instant::now();
    let mut told = !interrupt;
    loop {
        if let Some(status) = child.try_wait().expect("a child") {
            return status.code();
        }
        if !told && begun.elapsed() > AT_WORK {
            told = true;
            Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        }
        if begun.elapsed() > AT_WORK + SOON {
            child.kill().unwrap();
            panic!("{line:?} does not stop, by {}", if interrupt { "Ctrl-C" } else { "--time" });
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn every_verb_keeps_its_time() {
    let folder = tempfile::tempdir().unwrap();
    for line in WITH_TIME {
        // Refused by its estimate, resumable, or not decided.
        let code = stopped(line, folder.path(), false);
        assert!(matches!(code, Some(2..=4)), "{line}: {code:?}");
    }
}

#[test]
fn every_verb_stops_at_ctrl_c() {
    let folder = tempfile::tempdir().unwrap();
    for line in WITH_TIME.into_iter().chain(WITHOUT_TIME) {
        let code = stopped(line, folder.path(), true);
        assert!(matches!(code, Some(2..=4)), "{line}: {code:?}");
    }
}

#[test]
fn a_search_keeps_to_its_memory() {
    for line in [
        "query mig complete 6 --chips 30",
        "query wyg complete 7 --chips 20",
        "query nim-on-graph complete 40",
    ] {
        let ran = run(&[words(line), words("--memory 1e6 --time 60s")].concat());
        assert!(matches!(ran.code, Some(2 | 4)) && ran.err.contains("memory"), "{line}: {ran:?}");
    }
}

#[test]
fn memory_that_is_not_there_is_a_message() {
    let binary = nimwave().get_program().to_owned();
    let limited = Command::new("sh")
        .args(["-c", "ulimit -v 300000; exec \"$@\"", "sh"])
        .arg(binary)
        .args(words("--threads 1 query vertex-deletion complete 26 --oo --memory 8e9"))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&limited.stderr).into_owned();
    assert!(
        limited.status.code() == Some(2) && text.contains("out of memory"),
        "{:?} {text}",
        limited.status
    );
}
