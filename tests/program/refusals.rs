//! What must be refused or shown in another way: text that a terminal would obey, padding that is not 0, an edge that is
//! gone, a graph that is too large, a file of somebody else.
#![cfg(unix)]

use crate::support::{edit, nimwave, run, solved};

use std::fs;
use std::time::{Duration, Instant};

use nimwave::table::{Checksums, Manifest};

/// Clears the screen, sets the title, and turns the direction of what follows.
const ESCAPE: &str = "x\u{1b}[2J\u{9b}31m\u{1b}]0;title\u{7}\u{202e}y";

#[track_caller]
fn is_harmless(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let bad = |c: char| (c.is_control() && c != '\n' && c != '\t') || c == '\u{202e}';
    assert!(!text.contains(bad), "{text:?}");
}

#[test]
fn terminal_escapes_of_manifests_job_files_and_folder_names_are_not_printed_raw() {
    let folder = tempfile::tempdir().unwrap();
    let table = solved(folder.path(), "table", 2, 9, &[]);
    let mut manifest = Manifest::read(&table.join("manifest.json")).unwrap();
    manifest.machine.cpu = ESCAPE.into();
    manifest.program_version = ESCAPE.into();
    manifest.spec.parameters.insert(ESCAPE.into(), ESCAPE.into());
    manifest.write(&table).unwrap();
    let renamed = folder.path().join(ESCAPE);
    fs::rename(&table, &renamed).unwrap();
    let renamed = renamed.to_str().unwrap();
    let jobs = folder.path().join("jobs.toml");
    let text = format!("[[job]]\nname = \"a\"\ncommand = {:?}\n[[job]]\nname = {:?}\n", ESCAPE, ESCAPE);
    fs::write(&jobs, text.replace("\\u{", "\\U000000").replace('}', "")).unwrap();
    let jobs = jobs.to_str().unwrap();
    let log = folder.path().join("log");
    for words in [
        &["info", renamed][..],
        &["verify", renamed],
        &["query", "minnie", "1", "2", "--table", renamed],
        &["solve", "minnie", "--heaps", "2", "--max", "9", "--out", renamed],
        &["export", renamed, "--format", ESCAPE],
        &["batch", jobs],
        &["batch", ESCAPE],
        &["query", "counters", "--graph", ESCAPE, "a"],
    ] {
        let ran = nimwave().args(words).args(["--log", log.to_str().unwrap()]).output().unwrap();
        if words[0] != "export" {
            is_harmless(&ran.stdout);
            is_harmless(&ran.stderr);
        }
    }
    is_harmless(&fs::read(log).unwrap());
}

#[test]
fn bits_behind_the_last_entry_that_are_not_0_do_not_pass_a_full_verification() {
    let folder = tempfile::tempdir().unwrap();
    let table = solved(folder.path(), "table", 2, 9, &[]);
    let data = table.join("outcomes.npy");
    // 55 entries: the last bit of the seventh byte is padding. The checksums are made to fit.
    edit(&data, |bytes| bytes[128 + 6] |= 0x80);
    let mut manifest = Manifest::read(&table.join("manifest.json")).unwrap();
    manifest.checksums = Some(Checksums::of(&fs::read(&data).unwrap()));
    manifest.write(&table).unwrap();
    for mode in [&["--full"][..], &["--sample", "9"], &[]] {
        let ran = run(&[&["verify", table.to_str().unwrap()], mode].concat()).code(1);
        assert!(
            ran.err.contains("behind the last entry") || ran.out.contains("behind the last entry"),
            "{ran:?}"
        );
    }
}

#[test]
fn wyg_is_not_locked_on_an_edge_that_is_gone() {
    run(&["query", "wyg", "path", "3", "--chips", "1,0,1", "--locked-on", "0-1"])
        .refused(&["vertex 1", "gone"]);
    run(&["query", "wygthoff", "path", "3", "--chips", "0,2,1", "--locked-on", "0-1"]).refused(&["vertex 0"]);
    run(&["query", "wyg", "path", "3", "--chips", "1,2,1", "--locked-on", "0-1"]).code(0);
}

#[test]
fn a_graph_that_is_too_large_for_vertex_deletion_is_refused_at_once() {
    let begun = Instant::now();
    for graph in [&["complete", "64"][..], &["complete", "30"], &["star", "40"]] {
        run(&[&["query", "vertex-deletion", "--eo"], graph].concat()).refused(&["smaller"]);
        run(&[&["query", "vertex-deletion", "--oo"], graph].concat()).refused(&["at most 28"]);
    }
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    run(&["query", "vertex-deletion", "--eo", "path", "40"]).code(0);
}

#[test]
fn a_foreign_file_for_parts_is_neither_read_whole_nor_recommended_for_deletion() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("thesis.tex");
    fs::write(&own, "all my work ".repeat(1000)).unwrap();
    let solve = ["solve", "cookie", "--rows", "3", "--cols", "3", "--cutter", "2", "--parts"];
    for path in [own.to_str().unwrap(), "/dev/zero"] {
        let ran = run(&[&solve[..], &[path]].concat()).refused(&[path]);
        assert!(!ran.err.contains("delete"), "{}", ran.err);
    }
    assert_eq!(fs::read_to_string(&own).unwrap().len(), 12_000);
}

#[test]
fn the_help_of_maximum_nim_says_how_a_formula_is_rounded() {
    assert!(run(&["query", "maximum-nim", "--help"]).code(0).out.contains("rounded down"));
    assert!(run(&["games", "--json"]).code(0).out.contains("rounded down"));
}
