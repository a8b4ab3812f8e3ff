//! What is printed: one spelling, commands that can be pasted, and JSON where JSON was asked for.

use std::fs;

use nimwave::table::{Manifest, State};

use crate::support::{edit, run, solved, words};

/// Regression: `export --json --out FILE` printed nothing.
#[test]
fn an_export_into_a_file_says_in_json_what_it_wrote() {
    let temporary = tempfile::tempdir().unwrap();
    let table = solved(temporary.path(), "table", 2, 8, &["--values"]);
    let (table, out) = (table.to_str().unwrap(), temporary.path().join("row.csv"));
    let out = out.to_str().unwrap();
    let said =
        run(&["export", table, "--format", "csv", "--row", "3", "--out", out, "--json"]).code(0).json();
    assert_eq!((&said["file"], &said["format"], &said["table"]), (&out.into(), &"csv".into(), &table.into()));
    assert_eq!(fs::read_to_string(out).unwrap().lines().count(), 10);
}

/// Regression: suggested commands were not quoted, or had a placeholder for the folder.
#[test]
fn a_suggested_command_can_be_pasted() {
    let temporary = tempfile::tempdir().unwrap();
    let out = temporary.path().join("my first table");
    let path = out.to_str().unwrap();
    let solved = run(&["solve", "minnie", "--heaps", "2", "--max", "9", "--out", path]).code(0).out;
    let info = run(&["info", path]).code(0).out;
    for said in [solved, info] {
        let (_, command) = said.split_once(": nimwave ").expect("a command");
        let command = words(command.lines().next().unwrap());
        assert_eq!(command, ["verify", path, "--full"]);
    }
}

/// Regression: positions were written [5,5,8] here and [5, 5, 8] there.
#[test]
fn positions_are_spelled_one_way() {
    let temporary = tempfile::tempdir().unwrap();
    let table = solved(temporary.path(), "table", 3, 9, &["--values"]);
    edit(&table.join("values.npy"), |data| data[200] ^= 1);
    let data = fs::read(table.join("values.npy")).unwrap();
    let mut manifest = Manifest::read(&table.join("manifest.json")).unwrap();
    manifest.checksums = Some(nimwave::table::Checksums::of(&data));
    manifest.write(&table).unwrap();
    let failed = run(&["verify", table.to_str().unwrap()]).code(1).out;
    let (_, position) = failed.split_once("FAILED: ").unwrap();
    let (position, _) = position.split_once(']').unwrap();
    assert!(position.starts_with('[') && !position.contains(' '), "{failed}");
}

/// Regression: the terms of a sequence were called waves.
#[test]
fn a_sequence_has_terms() {
    let temporary = tempfile::tempdir().unwrap();
    let out = temporary.path().join("officers");
    let path = out.to_str().unwrap();
    let solved = run(&["solve", "octal", "0.6", "--terms", "1", "--threads", "1", "--out", path]).code(0).out;
    assert!(solved.contains("0.6: 1 term in") && solved.contains("1 thread)"), "{solved}");
    let mut manifest = Manifest::read(&out.join("manifest.json")).unwrap();
    (manifest.state, manifest.checksums) = (State::Partial, None);
    manifest.write(&out).unwrap();
    let info = run(&["info", path]).code(0).out;
    assert!(info.contains("partial: 1 of 1 terms") && !info.contains(" waves"), "{info}");
}
