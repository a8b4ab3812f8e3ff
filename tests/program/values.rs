//! `nimwave values`, the same slices by `export`, and sequences for the OEIS.

use crate::support;

use std::fs;
use std::path::Path;

use support::{Ran, nimwave, run};

fn ran(words: &[&str], folder: &Path) -> Ran {
    Ran::from(nimwave().args(words).current_dir(folder).output().unwrap())
}

#[test]
fn terms_are_shown_without_a_folder() {
    let shown = run(&["values", "octal", "kayles", "--terms", "12"]).code(0).out;
    let terms: Vec<&str> = shown.lines().last().unwrap().split_whitespace().collect();
    assert_eq!(terms, ["0", "0", "1", "2", "3", "1", "4", "3", "2", "1", "4", "2", "6"], "{shown}");
    let range = run(&["values", "octal", "kayles", "--from", "5", "--to", "7", "--json"]).code(0).json();
    assert_eq!(range["values"], serde_json::json!([4, 3, 2]));
    assert_eq!((range["from"].as_u64(), range["to"].as_u64()), (Some(5), Some(7)));
    let outcomes = run(&["values", "octal", "0.07", "--terms", "6", "--outcomes", "--json"]).code(0).json();
    assert_eq!(outcomes["outcomes"], serde_json::json!(["P", "P", "N", "N", "N", "P"]));
}

#[test]
fn slices_of_values_are_those_of_a_stored_table_in_every_format() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    for (game, more) in
        [("minnie", ""), ("mine", ""), ("wythoff", "--misere"), ("wynnie --together all", "--outcomes")]
    {
        let solve = if more == "--outcomes" { "" } else { "--values" };
        let misere = if more == "--misere" { more } else { "" };
        let words = |line: String| line.split_whitespace().map(String::from).collect::<Vec<_>>();
        let call = |line: String| {
            Ran::from(nimwave().args(words(line)).current_dir(folder).output().unwrap()).code(0)
        };
        let _ = fs::remove_dir_all(folder.join("t"));
        call(format!("solve {game} --heaps 3 --max 12 {solve} {misere} -o t"));
        for slice in ["--row 4,5", "--matrix 4", "--matrix 4 --from 2 --to 9"] {
            for format in ["text", "csv", "json", "jsonl", "npy", "markdown", "latex"] {
                let to = if slice.contains("--to") { "" } else { "--to 12" };
                call(format!("values {game} {slice} {to} {more} --format {format} -o a"));
                call(format!("export t {slice} --format {format} -o b"));
                let (a, b) = (fs::read(folder.join("a")).unwrap(), fs::read(folder.join("b")).unwrap());
                // A stored table also has its size among the parameters.
                if format != "json" {
                    assert!(a == b, "{game} {slice} {format}: {}", String::from_utf8_lossy(&a));
                }
                let old = slice.replace("--matrix", if format == "csv" { "--slice" } else { "--fixed" });
                call(format!("export t {old} --format {format} -o c"));
                assert_eq!(b, fs::read(folder.join("c")).unwrap(), "{old}");
            }
        }
    }
}

#[test]
fn heaps_that_do_not_interact_are_added_up() {
    let rule = "take s from one heap where s <= 3";
    let matrix = run(&["values", "rule", rule, "--matrix", "2", "--to", "9", "--json"]).code(0).json();
    for x in 0..10u64 {
        for y in 0..10u64 {
            assert_eq!(matrix["values"][x as usize][y as usize], 2 ^ (x % 4) ^ (y % 4));
        }
    }
    let row = run(&["values", "rule", rule, "--to", "9", "--json"]).code(0).json();
    assert_eq!(row["values"], serde_json::json!([0, 1, 2, 3, 0, 1, 2, 3, 0, 1]));
}

#[test]
fn what_is_too_much_or_not_there_is_refused_with_the_remedy() {
    run(&["values", "minnie", "--matrix", "", "--to", "31622"]).refused(&["1,000,014,129 cells", "--to"]);
    run(&["values", "minnie", "--matrix", "", "--to", "1e9"]).refused(&["--from and --to"]);
    run(&["values", "octal", "0.6", "--terms", "0"]).refused(&["at least one"]);
    run(&["values", "octal", "0.6", "--from", "9", "--to", "3"]).refused(&["--from 9 is beyond --to 3"]);
    run(&["values", "minnie", "--row", "4", "--matrix", "4"]).refused(&["cannot be used with"]);
    run(&["values", "poker-nim", "--row", "4"]).refused(&["has no tables"]);
    run(&["values", "minnie", "--matrix", "4", "--format", "bfile"]).refused(&["--row"]);
    run(&["oeis", "octal", "kayles"]).refused(&["--stripped", "https://oeis.org/stripped.gz"]);
}

#[test]
fn a_b_file_has_at_most_10000_terms_unless_more_are_asked_for() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    ran(&["solve", "octal", "kayles", "--terms", "20000", "-o", "k"], folder).code(0);
    let short = ran(&["export", "k", "--format", "bfile"], folder).code(0);
    assert!(short.err.contains("10,000"), "{}", short.err);
    let lines = |text: &str| text.lines().filter(|line| !line.starts_with('#')).count();
    assert_eq!(lines(&short.out), 10000);
    let long = ran(&["export", "k", "--format", "bfile", "--to", "19999"], folder).code(0);
    assert_eq!(lines(&long.out), 20000);
    let shifted =
        ran(&["export", "k", "--format", "bfile", "--from", "2", "--to", "4", "--offset", "1"], folder);
    let shifted = shifted.code(0).out;
    assert!(shifted.contains("a(n) = G(n + 1)") && shifted.ends_with("\n1 2\n2 3\n3 1\n"), "{shifted}");
    let draft = run(&["values", "octal", "kayles", "--format", "oeis"]).code(0).out;
    assert!(
        draft.contains("%S A000000 0,1,2,3,1,4,3,2,1,4,2,6,") && draft.contains("%O A000000 0,3"),
        "{draft}"
    );
}

#[test]
fn a_sequence_is_looked_up_in_a_copy_of_the_encyclopedia() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    let entries = "# comment\nA002186 ,0,1,2,3,1,4,3,2,1,4,2,6,4,1,2,7,1,4,\nA000001 ,0,1,1,1,2,1,2,1,5,2,\n";
    fs::write(folder.join("stripped"), entries).unwrap();
    let found = ran(&["oeis", "octal", "kayles", "--stripped", "stripped"], folder).code(0).out;
    assert!(found.contains("A002186") && found.contains("18 terms agree, all of the entry"), "{found}");
    let given = ran(&["oeis", "terms", "1,2,3,1,4,3,2,1,4", "--stripped", "stripped", "--json"], folder);
    assert_eq!(given.code(0).json()["found"][0]["begins_at"], -1);
    ran(&["oeis", "octal", "0.6", "--stripped", "stripped"], folder).code(1);
    fs::write(folder.join("stripped"), "nothing of the kind\n").unwrap();
    ran(&["oeis", "octal", "0.6", "--stripped", "stripped"], folder).refused(&["line 1", "stripped.gz"]);
}

/// A sequence that was stopped: how many of its terms are finished.
fn stopped(path: &Path, terms: u64) -> u64 {
    use nimwave::{Control, Error, OctalJob};
    let stop = std::sync::atomic::AtomicBool::new(true);
    let job = OctalJob::new("0.6".parse().unwrap(), terms);
    match job.solve(Some(path), &Control::stopped_by(&stop)) {
        Err(Error::Interrupted { done, .. }) => done,
        other => panic!("it should be stopped: {:?}", other.map(|_| ())),
    }
}

#[test]
fn what_is_finished_of_a_stopped_sequence_is_asked_exported_drawn_and_verified() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    let finished = stopped(&folder.join("s"), 1_000_000);
    assert!(finished > 100 && finished < 1_000_000);
    let files = |name: &str| fs::read(folder.join("s").join(name)).unwrap();
    let before = (files("manifest.json"), files("journal"));
    let all = ran(&["export", "s", "--format", "csv"], folder).code(0);
    assert_eq!(all.out.lines().count() as u64, finished + 1);
    assert!(all.err.contains("not finished"), "{}", all.err);
    let expected = run(&["values", "octal", "0.6", "--from", "90", "--to", "99", "--json"]).code(0).json();
    let part = ran(&["export", "s", "--from", "90", "--to", "99", "--format", "json"], folder).code(0).json();
    assert_eq!(part["values"], expected["values"]);
    let last = (finished - 1).to_string();
    ran(&["query", "octal", "0.6", &last, "--table", "s"], folder).code(0);
    ran(&["query", "octal", "0.6", &finished.to_string(), "--table", "s"], folder).refused(&["is outside"]);
    ran(&["export", "s", "--to", &finished.to_string(), "--format", "csv"], folder)
        .refused(&["there is 0 to", "is outside"]);
    ran(&["plot", "sequence", "s", "--out", "s.svg"], folder).code(0);
    let verdict = ran(&["verify", "s", "--sample", "50", "--json"], folder).code(0).json();
    assert_eq!((verdict["verdict"].as_str(), verdict["recorded"].as_bool()), (Some("passed"), Some(false)));
    assert_eq!(verdict["wanted"], 1_000_000);
    assert!(before == (files("manifest.json"), files("journal")), "reading changes nothing");
    // A changed term is found before anything is said.
    let data = folder.join("s/values.npy");
    let mut bytes = fs::read(&data).unwrap();
    bytes[128 + 40] ^= 1;
    fs::write(&data, bytes).unwrap();
    ran(&["export", "s", "--format", "csv"], folder).refused(&["does not match the last checkpoint"]);
    // Regression: damage to a sequence that is not finished ended with the code of bad usage.
    let failed = ran(&["verify", "s"], folder).code(1).out;
    assert!(failed.contains("FAILED") && failed.contains("does not match the last checkpoint"), "{failed}");
}

#[test]
fn a_smaller_target_than_that_of_a_stopped_run_is_honoured_and_loses_nothing() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    let solve = |terms: u64| {
        let terms = terms.to_string();
        ran(&["solve", "octal", "0.6", "--terms", &terms, "--out", "s", "--json"], folder).code(0).json()
    };
    let finished = stopped(&folder.join("s"), 50_000_000);
    // Fewer than are finished: all that are finished stay.
    assert_eq!(solve(100)["entries"], finished);
    ran(&["verify", "s", "--sample", "20"], folder).code(0);
    assert_eq!(solve(50)["entries"], finished);
    let again = stopped(&folder.join("s"), 50_000_000);
    assert!(again > finished);
    // More than are finished, and fewer than the run wanted.
    assert_eq!(solve(again + 1000)["entries"], again + 1000);
    let whole = ran(&["solve", "octal", "0.6", "--terms", &(again + 1000).to_string(), "--json"], folder);
    let blake3 = |object: &serde_json::Value| object["blake3"].as_str().map(String::from);
    let table = solve(1);
    assert_eq!(blake3(&table), blake3(&whole.code(0).json()));
    assert!(blake3(&table).is_some(), "{table}");
}

/// Regression: `--out row.csv` was text, and `export` did nothing without `--format`.
#[test]
fn the_name_of_a_file_says_its_format() {
    let place = tempfile::tempdir().unwrap();
    let ran = |words: &str| {
        let words = words.split(' ').map(|word| if word == "none" { "" } else { word });
        Ran::from(nimwave().args(words).current_dir(place.path()).output().unwrap()).code(0)
    };
    ran("solve minnie --heaps 3 --max 20 --values --out t");
    for (name, format) in [
        ("a.csv", "csv"),
        ("a.md", "markdown"),
        ("a.tex", "latex"),
        ("a.npy", "npy"),
        ("a.txt", "text"),
        ("b123456.txt", "bfile"),
    ] {
        for command in ["values minnie --row 4,5 --to 20", "export t --row 4,5"] {
            ran(&format!("{command} --out {name}"));
            ran(&format!("{command} --format {format} --out plain"));
            let read = |name: &str| std::fs::read(place.path().join(name)).unwrap();
            assert!(read(name) == read("plain"), "{command} {name}");
        }
    }
    let text = ran("export t --row 4,5").out;
    assert!(text.contains("G(4, 5, n)"), "{text}");
    // The same name for the end of a range as `solve` and `plot` have for the largest heap.
    assert_eq!(ran("values minnie --max 6").out, ran("values minnie --to 6").out);
}
