//! Disks that are full, limits of file sizes, files that are cut, moved, removed or locked while they are written: a
//! message and a documented exit code, never a death without a word, and nothing of others is destroyed.
#![cfg(unix)]

use crate::support::{Ran, nimwave, run, snapshot, solve_words, solved};

use std::fs::{self, OpenOptions};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A long solve into `out` that has begun to fill its file.
fn long_solve(out: &Path) -> Child {
    let child = nimwave()
        .args([
            "--quiet",
            "--json",
            "--threads",
            "1",
            "solve",
            "wythoff",
            "--heaps",
            "3",
            "--max",
            "150",
            "--values",
            "--kernel",
            "generic",
            "--out",
        ])
        .arg(out)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let begun = Instant::now();
    while !out.join("values.npy").exists() || !out.join("journal").exists() {
        assert!(begun.elapsed() < Duration::from_secs(60), "the solve does not begin");
        std::thread::sleep(Duration::from_millis(5));
    }
    // The file is mapped and being filled.
    std::thread::sleep(Duration::from_millis(300));
    child
}

fn ended(child: Child) -> Ran {
    Ran::from(child.wait_with_output().expect("the end of the program"))
}

fn stop(child: &Child) {
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
}

#[test]
fn a_limit_of_file_sizes_is_a_message_and_not_a_death_by_sigxfsz() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("m4");
    let words = solve_words(4, 80, &["--values"], Some(&out));
    let binary = nimwave().get_program().to_owned();
    let limited = Command::new("sh")
        .args(["-c", "ulimit -f 100; exec \"$@\"", "sh"])
        .arg(binary)
        .args(&words)
        .output()
        .unwrap();
    let ran = Ran::from(limited).code(2);
    assert!(ran.err.contains("ulimit -f") && ran.err.contains("values.npy"), "{}", ran.err);
    assert!(!out.exists(), "a table that could not be begun leaves nothing behind");
    run(&words).code(0);
}

#[test]
fn a_mapped_file_that_loses_its_place_ends_with_a_message() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("w3");
    let child = long_solve(&out);
    OpenOptions::new().write(true).open(out.join("values.npy")).unwrap().set_len(0).unwrap();
    let ran = ended(child).code(2);
    assert!(
        ran.err.contains("disk is full") && ran.err.contains("run the same command again"),
        "{}",
        ran.err
    );
}

#[test]
fn a_second_writer_stays_out_even_without_the_lock_file() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("w3");
    let first = long_solve(&out);
    fs::remove_file(out.join("lock")).unwrap();
    let words = [
        "--quiet",
        "solve",
        "wythoff",
        "--heaps",
        "3",
        "--max",
        "150",
        "--values",
        "--out",
        out.to_str().unwrap(),
    ];
    run(&words).refused(&["another process"]);
    // A new data file in place of the one that is filled is noticed, and its journal is left alone.
    fs::remove_file(out.join("values.npy")).unwrap();
    fs::write(out.join("values.npy"), b"another").unwrap();
    // What tells how far the run is changes with it.
    let files = || {
        let mut files = snapshot(&out);
        files.remove(&out.join("live.json"));
        files
    };
    let before = files();
    stop(&first);
    let ran = ended(first).code(2);
    assert!(ran.err.contains("removed or replaced"), "{}", ran.err);
    assert_eq!(files(), before);
}

#[test]
fn a_folder_that_is_moved_away_keeps_its_table_and_its_successor_is_untouched() {
    let folder = tempfile::tempdir().unwrap();
    let (out, moved) = (folder.path().join("w3"), folder.path().join("moved"));
    let child = long_solve(&out);
    fs::rename(&out, &moved).unwrap();
    let other = solved(folder.path(), "w3", 3, 12, &[]);
    let before = snapshot(&other);
    stop(&child);
    ended(child).code(3);
    assert_eq!(snapshot(&other), before);
    // The checkpoint is in the folder that was moved.
    let info = run(&["--json", "info", moved.to_str().unwrap()]).code(0).json();
    assert_eq!((info["state"].as_str(), info["game"].as_str()), (Some("partial"), Some("wythoff")));
    assert!(fs::read_to_string(moved.join("journal")).unwrap().contains("waves="));
}

#[test]
fn a_start_that_fails_does_not_delete_the_table_of_another_process() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("m3");
    // Many at once: one of them makes the folder, and whoever comes late fails.
    for _ in 0..5 {
        let _ = fs::remove_dir_all(&out);
        let starts: Vec<Child> = (0..4)
            .map(|i| {
                let words = solve_words(3, 20 + i % 2, &[], Some(&out));
                nimwave().args(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
            })
            .collect();
        let codes: Vec<_> = starts.into_iter().map(|child| ended(child).code).collect();
        assert!(codes.contains(&Some(0)), "{codes:?}");
        run(&["verify", out.to_str().unwrap(), "--full"]).code(0);
    }
}

#[test]
fn widening_does_not_touch_a_file_of_the_user() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("m2");
    let own = folder.path().join("own");
    fs::write(&own, b"mine").unwrap();
    let begun =
        nimwave().args(solve_words(2, 300, &["--values", "--time", "0s"], Some(&out))).output().unwrap();
    assert_eq!(Ran::from(begun).code, Some(3));
    std::os::unix::fs::symlink(&own, out.join("values.npy.tmp")).unwrap();
    run(&solve_words(2, 300, &["--values"], Some(&out))).code(0);
    assert_eq!(fs::read(&own).unwrap(), b"mine");
    run(&["verify", out.to_str().unwrap(), "--full"]).code(0);
}
