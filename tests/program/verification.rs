//! A table with a wrong entry and right checksums: `verify --full` must find it, wherever it is.

use crate::support;

use std::fs;
use std::path::Path;

use nimwave::base::Control;
use nimwave::game::Game;
use nimwave::rules::Play;
use nimwave::space::{SortedHeaps, Space};
use nimwave::sweep::HeapJob;
use nimwave::table::{Checksums, Manifest, Quantity, Reader, Verification, Verifying, Width};
use nimwave::verify::{Mode, verify};
use proptest::prelude::*;
use support::{Ran, edit, nimwave, overwrite, run, solved};

const HEADER: usize = 128;

/// Changes the data of a finished table and makes all its checksums right again.
fn forge(table: &Path, change: impl FnOnce(&mut [u8])) {
    let mut manifest = Manifest::read(&table.join("manifest.json")).unwrap();
    let path = table.join(&manifest.data_file);
    let mut file = fs::read(&path).unwrap();
    change(&mut file[HEADER..]);
    manifest.checksums = Some(Checksums::of(&file));
    // Without the waiting for the disk that `Manifest::write` does: there are thousands of these.
    overwrite(&path, &file);
    overwrite(&table.join("manifest.json"), manifest.to_json().as_bytes());
}

fn check(table: &Path, mode: Mode) -> Verification {
    let reader = Reader::open(table).unwrap();
    verify(&reader, mode, &Control::silent()).unwrap()
}

/// A finished table of the library in `folder/table`.
fn made(
    folder: &Path,
    heaps: usize,
    max: u32,
    play: Play,
    quantity: Quantity,
) -> (std::path::PathBuf, SortedHeaps) {
    let table = folder.join("table");
    let job = HeapJob::minnie(heaps, max, play, quantity);
    job.solve(Some(&table), &Control::silent()).unwrap();
    (table, job.space().unwrap())
}

#[test]
fn every_single_flipped_outcome_is_found() {
    for (heaps, max) in [(1, 40), (2, 70), (3, 11), (4, 6), (5, 4)] {
        for play in [Play::Normal, Play::Misere] {
            let temporary = tempfile::tempdir().unwrap();
            let (table, space) = made(temporary.path(), heaps, max, play, Quantity::Outcomes);
            assert_eq!(check(&table, Mode::Full).failure, None);
            for index in interesting(space.len()) {
                let flip = |data: &mut [u8]| data[(index / 8) as usize] ^= 1 << (index % 8);
                forge(&table, flip);
                let found = check(&table, Mode::Full);
                assert_eq!(found.verdict, "failed", "{heaps} heaps of {max}, {play:?}, entry {index}");
                assert!(found.failure.unwrap().contains("is marked"), "a counterexample");
                forge(&table, flip);
            }
            assert_eq!(check(&table, Mode::Full).failure, None);
        }
    }
}

#[test]
fn every_single_flipped_outcome_of_wynnie_is_found() {
    for (heaps, max) in [(2, 70), (3, 11), (4, 6), (5, 4)] {
        for (together, misere) in [("two", false), ("any", true), ("all", false), ("all", true)] {
            let temporary = tempfile::tempdir().unwrap();
            let table = temporary.path().join("table");
            let parameters = [("together".into(), together.into()), ("misere".into(), misere.into())];
            let game = Game::new("wynnie", &parameters.into()).unwrap();
            let job = HeapJob::new(&game, heaps, max, Quantity::Outcomes).unwrap();
            job.solve(Some(&table), &Control::silent()).unwrap();
            let whole = check(&table, Mode::Full);
            assert!(whole.failure.is_none() && whole.method.contains("whole rows"), "{whole:?}");
            for index in interesting(job.space().unwrap().len()) {
                let flip = |data: &mut [u8]| data[(index / 8) as usize] ^= 1 << (index % 8);
                forge(&table, flip);
                let found = check(&table, Mode::Full);
                assert_eq!(found.verdict, "failed", "{heaps} heaps of {max}, {together}, entry {index}");
                assert!(found.failure.unwrap().contains("is marked"), "a counterexample");
                forge(&table, flip);
            }
        }
    }
    // Rows of several words, and first places beyond a word.
    let temporary = tempfile::tempdir().unwrap();
    let table = temporary.path().join("table");
    let game = Game::new("wynnie", &[("together".into(), "any".into())].into()).unwrap();
    let job = HeapJob::new(&game, 3, 300, Quantity::Outcomes).unwrap();
    job.solve(Some(&table), &Control::silent()).unwrap();
    assert_eq!(check(&table, Mode::Full).failure, None);
    for flipped in [[70, 140, 145], [70, 140, 205], [90, 91, 300], [3, 200, 263]] {
        let index = SortedHeaps::new(3, 300).unwrap().rank(&flipped);
        forge(&table, |data| data[(index / 8) as usize] ^= 1 << (index % 8));
        assert!(check(&table, Mode::Full).failure.is_some(), "{flipped:?}");
        forge(&table, |data| data[(index / 8) as usize] ^= 1 << (index % 8));
    }
}

#[test]
fn every_single_wrong_value_is_found() {
    for (heaps, max) in [(1, 40), (2, 40), (3, 9), (3, 40), (4, 5)] {
        for play in [Play::Normal, Play::Misere] {
            let temporary = tempfile::tempdir().unwrap();
            let (table, space) = made(temporary.path(), heaps, max, play, Quantity::Values);
            assert_eq!(check(&table, Mode::Full).failure, None);
            for index in interesting(space.len()) {
                let mut right = 0;
                forge(&table, |data| right = data[index as usize]);
                for wrong in [right.wrapping_add(1), right.wrapping_sub(1), 0, 255, right ^ 64] {
                    if wrong == right {
                        continue;
                    }
                    forge(&table, |data| data[index as usize] = wrong);
                    let found = check(&table, Mode::Full);
                    assert_eq!(found.verdict, "failed", "{heaps} heaps of {max}, {play:?}, entry {index}");
                    assert!(found.failure.unwrap().contains("mex"), "a counterexample");
                }
                forge(&table, |data| data[index as usize] = right);
            }
        }
    }
}

/// The first and last entries, and some between them.
fn interesting(length: u64) -> Vec<u64> {
    (0..length).filter(|&i| i < 12 || i + 12 >= length || i % 7 == 3).collect()
}

#[test]
fn a_wrong_value_of_16_bits_is_found() {
    let temporary = tempfile::tempdir().unwrap();
    let (table, space) = made(temporary.path(), 2, 300, Play::Normal, Quantity::Values);
    assert_eq!(Manifest::read(&table.join("manifest.json")).unwrap().width, Width::U16);
    for heaps in [[0, 0], [0, 300], [1, 1], [17, 200], [150, 299], [299, 300], [300, 300]] {
        let at = 2 * space.rank(&heaps) as usize;
        for change in [1, 256] {
            let flip = |data: &mut [u8]| {
                let value = u16::from_le_bytes([data[at], data[at + 1]]) ^ change;
                data[at..at + 2].copy_from_slice(&value.to_le_bytes());
            };
            forge(&table, flip);
            assert_eq!(check(&table, Mode::Full).verdict, "failed", "{heaps:?}");
            forge(&table, flip);
        }
    }
    assert_eq!(check(&table, Mode::Full).failure, None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// The assignment is unique, so no set of changes, however clever, passes.
    #[test]
    fn no_set_of_wrong_entries_passes(
        heaps in 2usize..=4,
        values in any::<bool>(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), 1u8..=255), 1..6),
    ) {
        let temporary = tempfile::tempdir().unwrap();
        let quantity = if values { Quantity::Values } else { Quantity::Outcomes };
        let (table, space) = made(temporary.path(), heaps, 9, Play::Normal, quantity);
        let mut touched = std::collections::BTreeMap::new();
        for (index, change) in changes {
            touched.insert(index.index(space.len() as usize), change);
        }
        forge(&table, |data| for (index, change) in touched {
            if values { data[index] ^= change } else { data[index / 8] ^= 1 << (index % 8) }
        });
        let verdict = check(&table, Mode::Full).verdict;
        prop_assert_eq!(verdict.as_str(), "failed");
    }
}

#[test]
fn a_forged_table_fails_on_the_command_line_with_the_counterexample() {
    for (options, space_places) in [
        (&[][..], [[0, 0, 0], [0, 1, 1], [1, 2, 3], [7, 9, 20], [20, 20, 20]]),
        (&["--values"][..], [[0, 0, 0], [0, 0, 20], [1, 2, 3], [7, 9, 20], [20, 20, 20]]),
    ] {
        let temporary = tempfile::tempdir().unwrap();
        let table = solved(temporary.path(), "table", 3, 20, options);
        let space = SortedHeaps::new(3, 20).unwrap();
        let verified = |words: &[&str]| {
            Ran::from(nimwave().args(["verify", "--json"]).args(words).arg(&table).output().unwrap())
        };
        for heaps in space_places {
            let index = space.rank(&heaps) as usize;
            let flip = |data: &mut [u8]| {
                if options.is_empty() { data[index / 8] ^= 1 << (index % 8) } else { data[index] ^= 1 }
            };
            forge(&table, flip);
            let found = verified(&["--full"]).code(1).json();
            assert_eq!(found["verdict"], "failed");
            let failure = found["failure"].as_str().unwrap();
            assert!(failure.starts_with('['), "a position: {failure}");
            // A sample as large as the table takes every entry once, so that it is as sharp.
            verified(&["--sample", "1e9"]).code(1);
            // The checksums alone cannot see it.
            assert_eq!(verified(&["--checksums"]).code(0).json()["coverage"], 0.0);
            let text = Ran::from(nimwave().arg("verify").arg(&table).output().unwrap()).code(1);
            assert!(text.out.contains("FAILED: ["), "{}", text.out);
            forge(&table, flip);
        }
        let passed = verified(&["--full"]).code(0).json();
        assert_eq!(passed["verdict"], "passed");
        let info = Ran::from(nimwave().arg("info").arg(&table).output().unwrap()).code(0);
        assert!(info.out.contains("full failed (100% of the entries)"), "the record stays: {}", info.out);
        assert!(info.out.contains(" yes: every entry is right"), "{}", info.out);
        assert!(info.out.contains("full passed (100% of the entries)"), "{}", info.out);
    }
}

/// Regression: a sample was taken with replacement and called 100% where it was not.
#[test]
fn a_sample_of_everything_is_everything() {
    let temporary = tempfile::tempdir().unwrap();
    let (table, space) = made(temporary.path(), 3, 9, Play::Normal, Quantity::Values);
    for index in interesting(space.len()) {
        forge(&table, |data| data[index as usize] ^= 1);
        let found = check(&table, Mode::Sample(space.len()));
        assert_eq!((found.verdict.as_str(), found.coverage), ("failed", 1.0), "entry {index}");
        forge(&table, |data| data[index as usize] ^= 1);
    }
    let half = check(&table, Mode::Sample(space.len() / 2));
    assert_eq!((half.verdict.as_str(), half.coverage), ("passed", 0.5));
}

/// What `info` makes of the verdicts: the standing, and the line for people.
fn standing(table: &Path) -> (String, String) {
    let path = table.to_str().unwrap();
    let text = run(&["info", path]).code(0).out;
    let line = text.lines().find_map(|line| line.strip_prefix("verified ")).unwrap().trim().to_string();
    (run(&["info", path, "--json"]).code(0).json()["standing"].as_str().unwrap().into(), line)
}

/// Regression: a verification that found damage ended with exit code 2 and left no trace, so that `info` still showed
/// "full passed".
#[test]
fn damage_that_verify_finds_is_recorded_and_outweighs_an_older_verdict() {
    let temporary = tempfile::tempdir().unwrap();
    let table = solved(temporary.path(), "my table", 3, 20, &["--values"]);
    let path = table.to_str().unwrap();
    let (none, line) = standing(&table);
    assert_eq!(none, "unverified");
    assert!(line.contains(&format!("nimwave verify '{path}' --full")), "a command to copy: {line}");
    run(&["verify", path, "--full"]).code(0);
    assert_eq!(standing(&table).0, "passed");
    let good = fs::read(table.join("values.npy")).unwrap();
    edit(&table.join("values.npy"), |data| data[1000] ^= 1);
    let found = run(&["verify", path, "--json"]).code(1).json();
    assert_eq!((&found["verdict"], &found["kind"]), (&"failed".into(), &"checksums".into()));
    let (failed, line) = standing(&table);
    assert_eq!(failed, "failed");
    assert!(line.starts_with("FAILED: ") && line.contains("values.npy"), "{line}");
    // The file alone does not clear it; a check does, and then the proof for this BLAKE3 counts again.
    fs::write(table.join("values.npy"), good).unwrap();
    assert_eq!(standing(&table).0, "failed");
    run(&["verify", path, "--checksums"]).code(0);
    let (passed, line) = standing(&table);
    assert_eq!((passed.as_str(), line.as_str()), ("passed", "yes: every entry is right, given the rules"));
}

/// Regression: a wrong entry was forgotten after a check of the checksums, which cannot see it.
#[test]
fn a_check_of_the_checksums_does_not_clear_a_wrong_entry() {
    let temporary = tempfile::tempdir().unwrap();
    let table = solved(temporary.path(), "table", 2, 20, &["--values"]);
    let path = table.to_str().unwrap();
    forge(&table, |data| data[40] ^= 1);
    run(&["verify", path, "--full"]).code(1);
    run(&["verify", path, "--checksums"]).code(0);
    assert_eq!(standing(&table).0, "failed");
}

/// Regression: a verdict counted for whatever data stood in the folder later.
#[test]
fn a_verdict_does_not_count_for_data_that_changed_since() {
    let temporary = tempfile::tempdir().unwrap();
    let table = solved(temporary.path(), "table", 2, 20, &["--values"]);
    let path = table.to_str().unwrap();
    run(&["verify", path, "--full"]).code(0);
    // Another file with the same bytes: it has not been looked at.
    let data = fs::File::options().write(true).open(table.join("values.npy")).unwrap();
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(3600);
    data.set_modified(later).unwrap();
    let (outdated, line) = standing(&table);
    assert_eq!(outdated, "outdated");
    assert!(line.contains("values.npy was written or copied after"), "{line}");
    data.set_modified(std::time::SystemTime::now()).unwrap();
    run(&["verify", path, "--checksums"]).code(0);
    assert_eq!(standing(&table).0, "passed");
    // A shorter file.
    let good = fs::read(table.join("values.npy")).unwrap();
    fs::write(table.join("values.npy"), &good[..200]).unwrap();
    assert!(standing(&table).1.contains("200 bytes instead of"), "{:?}", standing(&table));
    fs::write(table.join("values.npy"), &good).unwrap();
    // Other data with checksums of its own.
    forge(&table, |data| data[40] ^= 1);
    let (outdated, line) = standing(&table);
    assert_eq!(outdated, "outdated");
    assert!(line.contains("about other data"), "{line}");
}

/// Regression: `verify` held no lock and wrote its verdict into whatever manifest was there at the end: a sequence that
/// grew from 60,000 to 90,000 entries meanwhile got a proof for all of them.
#[test]
fn a_verdict_is_recorded_only_for_the_data_that_was_checked() {
    let temporary = tempfile::tempdir().unwrap();
    let sequence = temporary.path().join("st");
    let path = sequence.to_str().unwrap();
    run(&["solve", "octal", "0.6", "--terms", "500", "--out", path]).code(0);
    let verifying = Verifying::begin(&sequence).unwrap();
    let verdict = check(&sequence, Mode::Full);
    assert!(verdict.passed());
    // Nobody writes while it lasts, and nobody else verifies.
    run(&["solve", "octal", "0.6", "--terms", "900", "--out", path]).refused(&["writing or verifying"]);
    run(&["verify", path]).refused(&["writing or verifying"]);
    let (recorded, unwritten) = verifying.conclude(verdict.clone()).unwrap();
    assert!(unwritten.is_none());
    let sums = |table: &Path| Manifest::read(&table.join("manifest.json")).unwrap().checksums.unwrap().blake3;
    assert_eq!(recorded.blake3, Some(sums(&sequence)));
    // Another table in the place of the folder.
    let verifying = Verifying::begin(&sequence).unwrap();
    fs::rename(&sequence, temporary.path().join("moved")).unwrap();
    run(&["solve", "octal", "0.6", "--terms", "900", "--out", path]).code(0);
    let error = verifying.conclude(verdict.clone()).unwrap_err().to_string();
    assert!(error.contains("changed or replaced while it was verified"), "{error}");
    assert_eq!(standing(&sequence).0, "unverified");
    // The data itself, under the same manifest.
    let verifying = Verifying::begin(&sequence).unwrap();
    edit(&sequence.join("values.npy"), |data| data[140] ^= 1);
    assert!(verifying.conclude(verdict).is_err());
    assert_eq!(standing(&sequence).0, "unverified");
}
