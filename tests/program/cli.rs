//! The command line from outside: exit codes, JSON shapes, bad input, and answers that do not depend on the threads.

use crate::support;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use support::{Ran, nimwave, run, solve_words};

/// The fields of an object, sorted.
fn fields(object: &Value) -> Vec<&str> {
    let mut names: Vec<&str> = object.as_object().expect("an object").keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

#[test]
fn solve_prints_one_documented_object() {
    let outcomes = run(&solve_words(3, 30, &["--threads", "2"], None)).code(0).json();
    assert_eq!(
        fields(&outcomes),
        [
            "all_p_positions",
            "blake3",
            "entries",
            "game",
            "p_positions",
            "parameters",
            "positions",
            "quantity",
            "seconds",
            "threads",
            "width"
        ]
    );
    assert_eq!(outcomes["game"], "minnie");
    assert_eq!(outcomes["parameters"], json!({ "heaps": 3, "max": 30, "misere": false }));
    assert_eq!((&outcomes["positions"], &outcomes["entries"]), (&json!(5456), &json!(5456)));
    // Counted by Theorem 8 over 1 <= l <= m <= n <= 30.
    assert_eq!(outcomes["p_positions"], 425);
    assert_eq!(outcomes["threads"], 2);
    assert_eq!(outcomes["blake3"].as_str().unwrap().len(), 64);
    assert!(outcomes["seconds"].as_f64().unwrap() >= 0.0);

    let values = run(&solve_words(2, 16, &["--values"], None)).code(0).json();
    assert!(fields(&values).contains(&"max_value") && fields(&values).contains(&"value_sum"));
    // Table 6 of the paper, to 12, and the recursion beyond: the largest is [11,16] or above.
    assert_eq!(values["positions"], 153);
    assert!(values["max_value"].as_u64().unwrap() >= 17);
}

#[test]
fn sums_over_the_values_are_those_of_table_6() {
    // The printed table is symmetric where both heaps are at most 12: half of its sum, and the diagonal.
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/golden/minnie-table-6.tsv");
    let text = std::fs::read_to_string(path).unwrap();
    let (mut sum, mut largest, mut zeros) = (0, 0, 0);
    for line in text.lines().filter(|line| !line.starts_with(['#', '\t'])) {
        let cells: Vec<u64> = line.split('\t').map(|cell| cell.parse().unwrap()).collect();
        let (row, cells) = (cells[0] as usize, &cells[1..]);
        for (column, &value) in cells.iter().enumerate().take(row + 1) {
            sum += value;
            largest = largest.max(value);
            zeros += u64::from(value == 0 && column > 0);
        }
    }
    let values = run(&solve_words(2, 12, &["--values"], None)).code(0).json();
    assert_eq!(values["value_sum"], sum);
    assert_eq!(values["max_value"], largest);
    assert_eq!(values["p_positions"], zeros);
}

#[test]
fn the_bytes_do_not_depend_on_the_threads() {
    for (heaps, max, options) in [
        (4, 60, &[][..]),
        (3, 200, &[]),
        (3, 70, &["--values"]),
        (2, 400, &["--values"]),
        (5, 12, &["--values", "--misere"]),
        (6, 12, &["--misere"]),
    ] {
        let sums: Vec<String> = ["1", "2", "3"]
            .iter()
            .map(|threads| {
                let options = [options, &["--threads", threads]].concat();
                run(&solve_words(heaps, max, &options, None)).code(0).blake3()
            })
            .collect();
        assert!(sums.iter().all(|sum| *sum == sums[0]), "{heaps} heaps of {max}, {options:?}: {sums:?}");
    }
}

#[test]
fn the_bytes_do_not_depend_on_the_kernel() {
    for options in [&[][..], &["--values"], &["--misere"]] {
        let sums: Vec<String> = ["generic", "portable", "fastest"]
            .iter()
            .map(|kernel| {
                let options = [options, &["--kernel", kernel]].concat();
                run(&solve_words(4, 20, &options, None)).code(0).blake3()
            })
            .collect();
        assert!(sums.iter().all(|sum| *sum == sums[0]), "{options:?}");
    }
}

#[test]
fn query_answers_in_every_way_a_position_is_written() {
    let expected = run(&["query", "minnie", "--json", "3", "5"]).code(0).json();
    assert_eq!(fields(&expected), ["outcome", "position", "value", "winning_moves"]);
    // Table 6: the value of [3,5] is 3; the P-positions among its options are [1,5] alone.
    assert_eq!(
        expected,
        json!({ "position": [3, 5], "outcome": "N", "value": 3, "winning_moves": [[1, 5]] })
    );
    for words in [&["5", "3"][..], &["[3,5]"], &["[3, 5]"], &["3,5"], &["0", "5", "3", "0"], &["3e0", "[5]"]]
    {
        let ran = run(&[&["query", "minnie", "--json"], words].concat());
        if words == ["3e0", "[5]"] {
            ran.refused(&["[5]"]);
        } else {
            assert_eq!(ran.code(0).json(), expected, "{words:?}");
        }
    }
    let p = run(&["query", "minnie", "--json", "5", "5", "8", "11"]).code(0).json();
    assert_eq!((&p["outcome"], &p["winning_moves"]), (&json!("P"), &json!([])));
    let empty = run(&["query", "minnie", "--json", "0"]).code(0).json();
    assert_eq!(empty, json!({ "position": [], "outcome": "P", "value": 0, "winning_moves": [] }));
    let misere = run(&["query", "minnie", "--misere", "--json", "0"]).code(0).json();
    assert_eq!(misere["outcome"], "N");
    let text = run(&["query", "minnie", "3", "5"]).code(0);
    assert!(text.out.contains("N-position") && text.out.replace(", ", ",").contains("[1,5]"), "{}", text.out);
}

#[test]
fn query_of_a_table_answers_as_query_by_solving_does() {
    let temporary = tempfile::tempdir().unwrap();
    let values = support::solved(temporary.path(), "values", 3, 20, &["--values"]);
    let outcomes = support::solved(temporary.path(), "outcomes", 3, 20, &[]);
    for position in ["[4,6,13]", "[1,3,4]", "[2,2]", "[20,20,20]", "[7]", "0"] {
        let solving = run(&["query", "minnie", "--json", position]).code(0).json();
        let asked = |table: &std::path::Path| {
            run(&["query", "minnie", "--json", position, "--table", table.to_str().unwrap()]).code(0).json()
        };
        assert_eq!(asked(&values), solving);
        let mut without = solving.clone();
        without["value"] = Value::Null;
        assert_eq!(asked(&outcomes), without);
    }
}

#[test]
fn info_and_verify_print_one_documented_object() {
    let temporary = tempfile::tempdir().unwrap();
    let table = support::solved(temporary.path(), "table", 3, 20, &["--values"]);
    let path = table.to_str().unwrap();
    for (words, kind, coverage) in [
        (&["--full"][..], "full", 1.0),
        (&["--sample", "177"], "sample", 177.0 / 1771.0),
        (&["--checksums"], "checksums", 0.0),
        (&[], "full", 1.0),
    ] {
        let verdict = run(&[&["verify", "--json", path], words].concat()).code(0).json();
        assert_eq!(
            fields(&verdict),
            [
                "blake3",
                "coverage",
                "date",
                "entries",
                "failure",
                "kind",
                "method",
                "program_version",
                "seconds",
                "table",
                "verdict"
            ]
        );
        assert_eq!((&verdict["kind"], &verdict["verdict"]), (&json!(kind), &json!("passed")));
        assert!((verdict["coverage"].as_f64().unwrap() - coverage).abs() < 1e-12);
        assert_eq!(verdict["program_version"], env!("CARGO_PKG_VERSION"));
    }
    let info = run(&["info", "--json", path]).code(0).json();
    assert_eq!(info["verifications"].as_array().unwrap().len(), 4);
    assert_eq!((&info["state"], &info["waves_done"]), (&json!("complete"), &info["waves"]));
    assert_eq!(info["checksums"]["blake3"], run(&solve_words(3, 20, &["--values"], None)).code(0).blake3());
    let file = std::fs::read(table.join("values.npy")).unwrap();
    assert_eq!(info["checksums"]["blake3"], blake3::hash(&file).to_hex().to_string(), "as b3sum prints it");
    run(&["verify", path, "--sample", "0"]).refused(&["--sample 1"]);
    run(&["verify", path, "--sample", "5", "--full"]).code(2);
}

#[test]
fn probe_of_the_conjecture_to_small_bounds() {
    for (heaps, max) in [("2", "60"), ("3", "40"), ("4", "30"), ("5", "16"), ("2", "6")] {
        let report = run(&["probe", "5.6", "--json", "--heaps", heaps, "--max", max]).code(0).json();
        assert!(
            ["counterexamples", "heaps", "max", "positions_settled", "rows", "seconds"]
                .iter()
                .all(|name| fields(&report).contains(name)),
            "{report}"
        );
        assert_eq!(report["counterexamples"], json!([]));
        assert_eq!(report["heaps"].to_string(), heaps);
        let (k, n): (u64, u64) = (heaps.parse().unwrap(), max.parse().unwrap());
        // Sorted, a1 >= 4, a2 >= 6: all k heaps from 6 on, and a1 in {4, 5} with the others from 6 on.
        let sorted = |length: u64| (1..=length).fold(1, |count, i| count * (n - 6 + i) / i);
        assert_eq!(report["positions_settled"], sorted(k) + 2 * sorted(k - 1));
    }
    let text = run(&["probe", "5.6", "--heaps", "3", "--max", "40"]).code(0);
    assert!(text.out.contains("no counterexample"), "{}", text.out);
    let misere = run(&["probe", "5.6", "--misere", "--json", "--heaps", "2", "--max", "40"]);
    let report = misere.json();
    let none = report["counterexamples"] == json!([]);
    misere.code(if none { 0 } else { 1 });
}

#[test]
fn a_probe_that_is_killed_resumes_to_the_same_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("probe");
    let words = ["probe", "5.6", "--heaps", "5", "--max", "60", "--json", "--threads", "2"];
    let whole = run(&words).code(0).json();
    let kept = [&words[..], &["--out", path.to_str().unwrap()]].concat();
    let mut child = nimwave().args(&kept).stdout(std::process::Stdio::null()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(40));
    child.kill().unwrap();
    child.wait().unwrap();
    // A run that ends keeps that it has ended.
    for _ in 0..2 {
        let resumed = run(&kept).code(0).json();
        for name in ["positions_settled", "rows", "holes", "counterexamples"] {
            assert_eq!(resumed[name], whole[name]);
        }
    }
    assert!(path.join("probe.checkpoint").exists());
    run(&["probe", "5.6", "--heaps", "5", "--max", "61", "--out", path.to_str().unwrap()])
        .refused(&["5 heaps up to 60", "another folder"]);
    run(&["probe", "5.6", "--out", path.to_str().unwrap()]).code(2);
}

#[test]
fn bad_input_gets_one_clear_message_and_exit_code_2() {
    let cases: &[(&[&str], &str)] = &[
        (&["solve", "minnie", "--heaps", "0", "--max", "5"], "heaps must be from 1"),
        (&["solve", "minnie", "--heaps", "17", "--max", "5"], "heaps must be from 1 to 16"),
        (&["solve", "minnie", "--heaps", "2", "--max", "0"], "at least 1"),
        (&["solve", "minnie", "--heaps", "-1", "--max", "5"], "-1"),
        (&["solve", "minnie", "--heaps=-1", "--max", "5"], "not a whole number"),
        (&["solve", "minnie", "--heaps", "two", "--max", "5"], "not a whole number"),
        (&["solve", "minnie", "--heaps", "2", "--max", "1e30"], "not a whole number below 2^64"),
        (&["solve", "minnie", "--heaps", "2", "--max", "5000000000"], "heaps are below 2^32"),
        (&["solve", "minnie", "--heaps", "8", "--max", "4e9"], "more than 2^63 positions"),
        (&["solve", "minnie", "--heaps", "1", "--max", "4e9"], "the limit is"),
        (&["solve", "minnie", "--heaps", "18446744073709551615", "--max", "3"], "from 1 to 16"),
        (&["solve", "minnie", "--heaps", "4", "--max", "20000"], "--out DIR"),
        (&["solve", "minnie", "--heaps", "2", "--max", "90", "--memory", "10"], "--memory"),
        (&["solve", "minnie", "--heaps", "2"], "--max"),
        (&["solve", "minnie", "--heaps", "2", "--max", "9", "--threads", "0"], "from 1 to 1024"),
        (&["solve", "minnie", "--heaps", "2", "--max", "9", "--time", "soon"], "write 90s"),
        (&["solve", "chess"], "chess"),
        (&["query", "minnie"], "HEAP"),
        (&["query", "minnie", "x"], "not a whole number"),
        (&["query", "minnie", "--", "-3"], "not a whole number"),
        (&["query", "minnie", "1.5"], "not a whole number"),
        (&["query", "minnie", "[1,2"], "bracket"),
        (&["probe", "5.6", "--heaps", "1", "--max", "10"], "at least 2 heaps"),
        (&["probe", "5.6", "--heaps", "3", "--max", "5"], "--max 6"),
        (&["probe", "5.6", "--heaps", "3"], "--max"),
        (&["probe", "5.7"], "5.7"),
        (&["verify"], "DIR"),
        (&["frobnicate"], "frobnicate"),
    ];
    for (words, message) in cases {
        run(words).refused(&[message]);
    }
}

#[test]
fn a_table_too_large_for_the_disk_is_refused_with_the_numbers() {
    let temporary = tempfile::tempdir().unwrap();
    let out = temporary.path().join("table");
    let ran = run(&solve_words(4, 20000, &[], Some(&out)));
    ran.refused(&["this needs", "B"]);
    assert!(!out.exists());
}

#[test]
fn help_and_version_succeed() {
    for words in
        [&["--help"][..], &["solve", "minnie", "--help"], &["probe", "5.6", "--help"], &["--version"]]
    {
        run(words).code(0);
    }
    let short = format!("nimwave {}", env!("CARGO_PKG_VERSION"));
    assert_eq!(run(&["-V"]).code(0).out.trim(), short);
    let long = run(&["--version"]).code(0).out;
    assert!(long.starts_with(&short), "{long}");
    for line in ["\ncommit: ", "\nfeatures: cli", "\ninstruction set: "] {
        assert!(long.contains(line), "{line:?} is missing in {long}");
    }
}

#[test]
fn quiet_says_nothing_on_standard_error() {
    let ran = run(&["solve", "minnie", "--heaps", "3", "--max", "30", "--quiet"]).code(0);
    assert_eq!(ran.err, "");
    assert!(ran.out.contains("P-positions"), "{}", ran.out);
}

#[test]
fn a_probe_keeps_out_of_folders_that_are_not_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let theirs = folder.path().join("theirs");
    fs::create_dir(&theirs).unwrap();
    fs::write(theirs.join("thesis.tex"), "work").unwrap();
    let before = support::snapshot(&theirs);
    let probe = |heaps: &str, out: &Path| {
        let words = ["probe", "5.6", "--heaps", heaps, "--max", "30", "--out"];
        Ran::from(nimwave().args(words).arg(out).output().unwrap())
    };
    probe("5", &theirs).refused(&["other files", "--out"]);
    assert_eq!(support::snapshot(&theirs), before);
    // A probe of two heaps keeps nothing, and says so instead of leaving --out out of account.
    probe("2", &folder.path().join("p2")).refused(&["two heaps"]);
    assert!(!folder.path().join("p2").exists());
    let own = folder.path().join("p5");
    probe("5", &own).code(0);
    probe("5", &own).code(0);
}
