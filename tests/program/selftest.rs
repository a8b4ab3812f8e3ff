//! The self-test, completions, manual pages and the bench from outside.

use crate::support;

use std::fs;
use std::time::{Duration, Instant};

use support::{Ran, nimwave, run};

#[test]
fn the_selftest_passes_here_and_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let ran = nimwave()
        .args(["selftest", "--json", "--kernels", "1s", "--dir"])
        .arg(folder.path())
        .output()
        .unwrap();
    let answer = Ran::from(ran).code(0).json();
    assert_eq!(answer["passed"], true);
    let names: Vec<&str> =
        answer["checks"].as_array().unwrap().iter().map(|check| check["name"].as_str().unwrap()).collect();
    assert!(
        names.contains(&"kill and resume") && names.contains(&"disk") && names.contains(&"octal kernels")
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    run(&["selftest", "--dir", "/nowhere/at/all"]).refused(&["/nowhere/at/all"]);
}

#[test]
fn completions_and_manual_pages_come_from_the_definitions() {
    for shell in ["bash", "zsh", "fish"] {
        let text = run(&["completions", shell]).code(0).out;
        assert!(text.contains("selftest") && text.contains("dry-run"), "{shell}");
    }
    run(&["completions", "basic"]).refused(&["bash"]);
    assert!(run(&["man"]).code(0).out.contains(".TH"));
    let folder = tempfile::tempdir().unwrap();
    let out = nimwave().args(["man", "--dir"]).arg(folder.path()).output().unwrap();
    Ran::from(out).code(0);
    let page = fs::read_to_string(folder.path().join("nimwave-solve-minnie.1")).unwrap();
    assert!(page.contains("checkpoint"), "{page}");
}

#[test]
fn every_command_starts_quickly() {
    // The best of several, since other tests run beside this one.
    for words in [vec!["--version"], vec!["games"], vec!["query", "minnie", "5", "5", "11"]] {
        let time = || {
            let begun = Instant::now();
            run(&words).code(0);
            begun.elapsed()
        };
        let best = (0..8).map(|_| time()).min().unwrap();
        assert!(best < Duration::from_millis(250), "{words:?} took {best:?}");
    }
}

#[test]
fn a_list_of_threads_is_for_the_bench_alone() {
    run(&["games", "--threads", "1,2"]).refused(&["only bench takes a list"]);
    run(&["bench", "--threads", "1,x"]).refused(&["whole number"]);
    run(&["bench", "--quick", "--compare", "/nowhere.json"]).refused(&["/nowhere.json"]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.json");
    fs::write(&path, "{}").unwrap();
    run(&["bench", "--compare", path.to_str().unwrap()]).refused(&["bench --json"]);
}
