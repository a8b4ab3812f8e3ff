//! Tables of the positions with a small smallest heap: `solve --smallest M`.

use crate::support;

use std::fs;
use std::path::Path;

use support::{Ran, nimwave, run};

fn solved(words: &str, out: &Path) -> Ran {
    Ran::from(nimwave().arg("solve").args(words.split(' ')).arg("--out").arg(out).output().unwrap()).code(0)
}

fn asked(words: &[&str], table: &Path) -> Ran {
    Ran::from(nimwave().args(words).arg(table).output().unwrap())
}

#[test]
fn a_slice_is_the_beginning_of_the_whole_table_and_verifies() {
    let games = [
        "minnie --heaps 3 --max 40 --values",
        "minnie --heaps 4 --max 30",
        "minnie --heaps 2 --max 300 --values --misere",
        "mine --heaps 3 --max 40 --misere",
        "jennifer --heaps 3 --max 30 --values",
        "nimtb --heaps 3 --max 20",
        "wynnie --together any --heaps 4 --max 12",
    ];
    for words in games {
        let folder = tempfile::tempdir().unwrap();
        let (whole, slice) = (folder.path().join("whole"), folder.path().join("slice"));
        solved(words, &whole);
        let summary = solved(&format!("{words} --smallest 2 --json"), &slice).json();
        assert_eq!(summary["parameters"]["smallest"], 2, "{words}");
        asked(&["verify", "--full"], &slice).code(0);
        // Every entry that the slice holds is that of the whole table, and it holds all with a small heap.
        let rows = |table: &Path| {
            let csv = asked(&["export", "--format", "csv", "--out", "-"], table).code(0).out;
            csv.lines().skip(1).map(String::from).collect::<Vec<_>>()
        };
        let (all, held) = (rows(&whole), rows(&slice));
        let small = |row: &&String| row.split(',').next().unwrap().parse::<u32>().unwrap() <= 2;
        assert_eq!(all.iter().filter(small).collect::<Vec<_>>(), held.iter().collect::<Vec<_>>(), "{words}");
        assert!(held.len() < all.len());
        let p = all.iter().filter(small).filter(|row| {
            let entries: Vec<&str> = row.split(',').collect();
            let is_p = if words.contains("values") { "0" } else { "1" };
            *entries.last().unwrap() == is_p && entries[0] != "0"
        });
        assert_eq!(summary["p_positions"], p.count() as u64, "{words}");
    }
}

#[test]
fn a_slice_is_asked_drawn_and_reported_and_says_what_it_does_not_hold() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("slice");
    let text = solved("minnie --heaps 3 --max 50 --smallest 4 --values", &table).out;
    assert!(text.contains("the smallest of at most 4"), "{text}");
    let query = |heaps: &[&str]| {
        let words = [&["query", "minnie", "--json"], heaps, &["--table"]].concat();
        asked(&words, &table)
    };
    let free = run(&["query", "minnie", "--json", "4", "30", "47"]).code(0).json();
    assert_eq!(query(&["4", "30", "47"]).code(0).json()["value"], free["value"]);
    // Two heaps are three with an absent one.
    query(&["30", "47"]).code(0);
    let refused = query(&["5", "30", "47"]).refused(&["smallest heap is at most 4", "--smallest"]);
    assert!(!refused.err.contains("panicked"));
    let picture = folder.path().join("slice.png");
    let words = ["plot", "slice", "--fixed", "3", "--out", picture.to_str().unwrap()];
    asked(&words, &table).code(0);
    assert!(fs::metadata(&picture).unwrap().len() > 0);
    let page = folder.path().join("page.html");
    asked(&["report", "--out", page.to_str().unwrap()], &table).code(0);
    // One row of a slice has holes where both of the other heaps are large.
    let row = asked(&["export", "--row", "30,2", "--format", "csv", "--out", "-"], &table).code(0).out;
    assert_eq!(row.lines().count(), 52);
    let row = asked(&["export", "--row", "30,31", "--format", "csv", "--out", "-"], &table).code(0).out;
    assert_eq!(row.lines().count(), 6);
    // A forged bound does not fit the data.
    let manifest = table.join("manifest.json");
    let forged = fs::read_to_string(&manifest).unwrap().replace("\"smallest\": 4", "\"smallest\": 40");
    fs::write(&manifest, forged).unwrap();
    assert_ne!(query(&["5", "30", "47"]).code, Some(0));
}

#[test]
fn bounds_that_cut_nothing_and_single_heaps() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("table");
    solved("minnie --heaps 3 --max 12", &table);
    // The same table under another name: a bound of the largest heap cuts nothing.
    solved("minnie --heaps 3 --max 12 --smallest 12", &table);
    let other = ["solve", "minnie", "--heaps", "3", "--max", "12", "--smallest", "5", "--out"];
    asked(&other, &table).refused(&["holds"]);
    run(&["solve", "minnie", "--heaps", "1", "--max", "12", "--smallest", "5"]).refused(&["--max"]);
}
