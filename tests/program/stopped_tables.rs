//! What is finished of a heap table or of boards that were stopped, killed, or are being filled.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use nimwave::base::Control;
use nimwave::game::{Game, Parameters};
use nimwave::rules::{Cutter, Play};
use nimwave::sweep::{CookieJob, HeapJob, Job, KernelChoice, solve};
use nimwave::table::{Quantity, Reader};

use crate::support::{Ran, edit, fed, nimwave, snapshot, solve_words, stopped_after};

fn ran(words: &[&str], folder: &Path) -> Ran {
    Ran::from(nimwave().args(words).current_dir(folder).output().expect("the binary starts"))
}

/// A change of a file: its name here, the file, and what is done to it.
type Damage = (&'static str, &'static str, fn(&mut Vec<u8>));

fn heaps(name: &str, heaps: usize, max: u32, quantity: Quantity) -> HeapJob {
    HeapJob::new(&Game::new(name, &Parameters::new()).unwrap(), heaps, max, quantity).unwrap()
}

#[test]
fn exactly_the_entries_of_finished_waves_are_read_in_every_order() {
    let place = tempfile::tempdir().unwrap();
    let cookie =
        CookieJob { rows: 4, cols: 4, cutter: "2".parse::<Cutter>().unwrap(), kernel: KernelChoice::Fastest };
    let slice = HeapJob { smallest: Some(3), ..heaps("minnie", 3, 40, Quantity::Values) };
    let jobs: [(&str, Box<dyn Job>, &[u64]); 6] = [
        ("slabs", Box::new(heaps("minnie", 3, 40, Quantity::Values)), &[1, 30, 70]),
        ("strips", Box::new(heaps("minnie", 4, 40, Quantity::Outcomes)), &[1, 20]),
        ("rows", Box::new(heaps("mine", 3, 30, Quantity::Outcomes)), &[1, 25, 60]),
        ("lines", Box::new(heaps("nimtb", 3, 30, Quantity::Values)), &[7, 33]),
        ("slice", Box::new(slice), &[5]),
        ("boards", Box::new(cookie), &[1, 3]),
    ];
    for (name, job, stops) in jobs {
        let whole = solve(&*job, None, &Control::silent()).unwrap();
        for &waves in stops {
            let folder = place.path().join(format!("{name}-{waves}"));
            stopped_after(&*job, &folder, waves);
            let reader = Reader::open_finished(&folder).unwrap();
            let finished = reader.finished().expect("it was stopped");
            assert_eq!((finished.waves, finished.of), (waves, whole.cells().len()), "{name}");
            let mut there = Vec::new();
            for index in 0..finished.of {
                match reader.get(index) {
                    Ok(entry) => {
                        assert_eq!(entry, whole.cells().get(index), "{name}, entry {index}");
                        there.push(index);
                    }
                    Err(error) => assert!(error.to_string().contains("is not finished"), "{error}"),
                }
            }
            assert_eq!(there.len() as u64, finished.entries, "{name}");
            assert!(!there.is_empty() && finished.entries < finished.of, "{name} {waves}");
            assert_eq!(finished.at(0..finished.entries), there, "{name}");
            assert!(Reader::open(&folder).is_err(), "it is no whole table");
        }
    }
}

#[test]
fn a_stopped_table_is_asked_exported_drawn_and_verified_as_far_as_it_is() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    let job = HeapJob::minnie(3, 30, Play::Normal, Quantity::Values);
    stopped_after(&job, &folder.join("t"), 45);
    let before = snapshot(folder);
    let entries = Reader::open_finished(&folder.join("t")).unwrap().finished().unwrap().entries;
    let asked = ran(&["query", "minnie", "2", "3", "4", "--table", "t", "--json"], folder).code(0);
    assert_eq!(asked.json(), ran(&["query", "minnie", "2", "3", "4", "--json"], folder).code(0).json());
    assert!(asked.err.contains("t is not finished"), "{}", asked.err);
    ran(&["query", "minnie", "28", "29", "30", "--table", "t"], folder).refused(&[
        "[28,29,30] is not finished",
        "45 of 65 waves",
        "leave out --table",
    ]);
    let words = ["query", "minnie", "--table", "t", "-"];
    let many = Ran::from(fed(nimwave().args(words).current_dir(folder), "2 3 4\n28 29 30\n")).code(2);
    let lines: Vec<&str> = many.out.lines().collect();
    assert!(lines[0].contains(r#""position":[2,3,4],"outcome":"N""#), "{}", lines[0]);
    assert!(lines[1].contains("not finished") && lines[1].contains(r#""line":2"#), "{}", lines[1]);

    let all = ran(&["export", "t", "--format", "csv"], folder).code(0);
    assert_eq!(all.out.lines().count() as u64, entries + 1);
    let p = ran(&["export", "t", "--format", "csv", "--p-positions"], folder).code(0).out;
    let whole = place.path().join("whole");
    assert!(run_into(&whole, 3, 30));
    let all_p = ran(&["export", "whole", "--format", "csv", "--p-positions"], folder).code(0).out;
    let is_p = |line: &str| all_p.lines().any(|known| known == line);
    assert!(p.lines().count() > 10 && p.lines().all(is_p), "zeros that are not finished are no P-positions");
    let matrix = ran(&["export", "t", "--format", "csv", "--matrix", "20"], folder).code(0).out;
    assert!(matrix.lines().last().is_some_and(|line| line.ends_with(',')), "{matrix}");
    std::fs::remove_dir_all(&whole).unwrap();

    for words in [&["slice", "t"][..], &["histogram", "t"], &["sequence", "t", "--row", "1,2"]] {
        let drawn = ran(&[&["plot"], words, &["--out", "p.svg"]].concat(), folder).code(0);
        assert!(drawn.err.contains("not finished"), "{}", drawn.err);
    }
    std::fs::remove_file(folder.join("p.svg")).unwrap();

    let verdict = ran(&["verify", "t", "--json"], folder).code(0).json();
    assert_eq!((verdict["kind"].as_str(), verdict["entries"].as_u64()), (Some("finished"), Some(entries)));
    assert!(verdict["coverage"].as_f64().is_some_and(|share| share < 1.0), "{verdict}");
    assert_eq!(verdict["recorded"], false);
    let text = ran(&["verify", "t"], folder).code(0).out;
    assert!(text.contains("that are finished are right") && !text.contains("proof"), "{text}");
    let sample = ran(&["verify", "t", "--sample", "100", "--json"], folder).code(0).json();
    assert_eq!((sample["entries"].as_u64(), sample["verdict"].as_str()), (Some(100), Some("passed")));
    assert!(ran(&["info", "t"], folder).code(0).out.contains("not yet: the table is not finished"));
    assert!(snapshot(folder) == before, "reading changes nothing");
}

fn run_into(out: &Path, heaps: u32, max: u32) -> bool {
    Ran::from(nimwave().args(solve_words(heaps, max, &["--values"], Some(out))).output().unwrap()).code
        == Some(0)
}

#[test]
fn a_damaged_part_is_never_read_and_what_lies_beyond_it_does_not_count() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    for (name, quantity, file) in
        [("o", Quantity::Outcomes, "outcomes.npy"), ("v", Quantity::Values, "values.npy")]
    {
        let table = folder.join(name);
        stopped_after(&HeapJob::minnie(3, 30, Play::Normal, quantity), &table, 30);
        // What a killed run leaves behind its last checkpoint.
        let last = 128 + if quantity == Quantity::Outcomes { 5455 / 8 } else { 5455 };
        edit(&table.join(file), |data| data[last] ^= 0x40);
        ran(&["verify", name], folder).code(0);
        let good = snapshot(&table);
        let changes: [Damage; 5] = [
            ("flipped", file, |data| data[128 + 2] ^= 1),
            ("cut", file, |data| data.truncate(300)),
            ("header", file, |data| data[30] ^= 1),
            ("longer", file, |data| data.push(0)),
            ("journal", "journal", |text| text[8] ^= 1),
        ];
        for (what, file, damage) in changes {
            edit(&table.join(file), damage);
            ran(&["query", "minnie", "2", "3", "--table", name], folder).refused(&[name]);
            ran(&["export", name, "--format", "csv"], folder).refused(&[name]);
            let failed = ran(&["verify", name, "--json"], folder).code(1).json();
            assert_eq!(failed["verdict"], "failed", "{what}");
            for (path, content) in &good {
                std::fs::write(path, content).unwrap();
            }
        }
    }
}

#[test]
fn a_table_that_is_being_filled_is_read_up_to_its_last_checkpoint() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    let more = ["--values", "--kernel", "generic", "--checkpoint", "0s", "--quiet"];
    let words = solve_words(4, 100, &more, Some(&folder.join("t")));
    let mut child = nimwave().args(&words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let position = ["query", "minnie", "1", "2", "3", "3", "--json"];
    let expected = ran(&position, folder).code(0).json();
    let mut asked = 0;
    while asked < 5 {
        let answer = ran(&[&position[..], &["--table", "t"]].concat(), folder);
        match answer.code {
            Some(0) => {
                assert_eq!(answer.json(), expected);
                asked += 1;
            }
            _ => assert!(
                ["not finished", "No such file", "no manifest"].iter().any(|why| answer.err.contains(why)),
                "{}",
                answer.err
            ),
        }
        assert!(child.try_wait().unwrap().is_none(), "it is still running");
        std::thread::sleep(Duration::from_millis(50));
    }
    ran(&["verify", "t", "--sample", "200"], folder).code(0);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(ran(&[&position[..], &["--table", "t"]].concat(), folder).code(0).json(), expected);
    ran(&["verify", "t", "--sample", "200"], folder).code(0);
}

/// Regression: a command that read a stopped table locked others out of it, readers and the run that would go on with it.
#[test]
fn readers_of_a_stopped_table_share_it_and_a_run_waits_for_them() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("t");
    stopped_after(&HeapJob::minnie(3, 30, Play::Normal, Quantity::Values), &out, 45);
    let resume = || {
        let words = solve_words(3, 30, &["--values"], Some(&out));
        nimwave().args(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let (reader, other) = (Reader::open_finished(&out).unwrap(), Reader::open_finished(&out).unwrap());
    let waited = resume().wait_with_output().unwrap();
    Ran::from(waited).refused(&["a command reads what is finished", "wait for it to end"]);
    drop(other);
    let waiting = resume();
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(reader.get(0).unwrap(), 0, "what is read is still there");
    drop(reader);
    Ran::from(waiting.wait_with_output().unwrap()).code(0);
    assert!(Reader::open(&out).is_ok());
}
