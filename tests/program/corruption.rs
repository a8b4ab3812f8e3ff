//! Damaged, foreign and occupied folders: one message that names the file and a remedy, exit code 2 (1 where `verify`
//! finds the damage, which it records), and every file as it was. Never a panic, never a wrong answer.
#![cfg(unix)]

use crate::support;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use nimwave::rules::Play;
use nimwave::sweep::HeapJob;
use nimwave::table::{Manifest, Quantity, State};
use support::{Ran, copy, edit, nimwave, run, snapshot, solve_words, solved, stopped_after};

/// A change of one file of a table.
type Damage = (&'static str, fn(&mut Vec<u8>));

/// Runs a command on a table in `folder`.
fn on(folder: &Path, words: &[&str]) -> Ran {
    Ran::from(nimwave().args(words).arg(folder).output().expect("the binary starts"))
}

/// Demands that `ran` was refused, named `file` and a remedy, and left `folder` as in `before`.
#[track_caller]
fn refused(
    ran: Ran,
    file: &str,
    what: &str,
    folder: &Path,
    before: &std::collections::BTreeMap<PathBuf, Vec<u8>>,
) {
    assert_eq!(ran.code, Some(2), "{what}: {}{}", ran.out, ran.err);
    assert!(ran.out.is_empty(), "{what}: {}", ran.out);
    assert!(ran.err.contains(file), "{what}: {file} is not named in: {}", ran.err);
    let remedies = [
        "restore",
        "delete",
        "choose",
        "use a newer",
        "use the program",
        "give",
        "check the path",
        "leave out",
        "wait for it",
        "run the",
    ];
    assert!(remedies.iter().any(|remedy| ran.err.contains(remedy)), "{what}: no remedy in: {}", ran.err);
    let messages = ran.err.lines().filter(|line| line.starts_with("nimwave: ")).count();
    assert_eq!(messages, 1, "{what}: one message: {}", ran.err);
    assert!(snapshot(folder) == *before, "{what}: the files were changed");
}

/// Demands that `verify` finds the table in `folder` damaged (exit code 1, `file` is named), changes nothing but the
/// record of verdicts, and puts that back.
#[track_caller]
fn found_damaged(words: &[&str], file: &str, what: &str, folder: &Path) {
    let before = snapshot(folder);
    let ran = on(folder, words);
    assert_eq!(ran.code, Some(1), "{what}: {}{}", ran.out, ran.err);
    let said = ran.out + &ran.err;
    assert!(said.contains(file), "{what}: {file} is not named in: {said}");
    assert!(said.contains("restore") || said.contains("delete"), "{what}: no remedy in: {said}");
    let manifest = folder.join("manifest.json");
    let mut after = snapshot(folder);
    if let (Ok(old), Ok(new)) = (Manifest::parse(&before[&manifest]), Manifest::parse(&after[&manifest])) {
        let last = new.verifications.last().expect("a verdict was recorded");
        assert!(!last.passed() && new.verifications.len() == old.verifications.len() + 1, "{what}");
        assert_eq!(last.blake3, old.checksums.map(|sums| sums.blake3), "{what}");
    }
    after.insert(manifest.clone(), before[&manifest].clone());
    fs::write(&manifest, &before[&manifest]).unwrap();
    assert!(after == before, "{what}: the files were changed");
}

/// A table of minnie that was stopped after `waves` waves.
fn partial(folder: &Path, heaps: usize, max: u32, quantity: Quantity, waves: u64) {
    stopped_after(&HeapJob::minnie(heaps, max, Play::Normal, quantity), folder, waves);
}

const MANIFEST_DAMAGE: [Damage; 9] = [
    ("empty", |text| text.clear()),
    ("cut in half", |text| text.truncate(text.len() / 2)),
    ("cut by its last brace", |text| text.truncate(text.len() - 2)),
    ("an array", |text| *text = b"[1, 2, 3]".to_vec()),
    ("an empty object", |text| *text = b"{}".to_vec()),
    ("binary", |text| *text = vec![0xff; 300]),
    ("deeply nested", |text| *text = b"[".repeat(100_000)),
    ("another number of entries", |text| replace(text, "\"entries\": ", "\"entries\": 1")),
    ("without its check", |text| replace(text, "\"check\"", "\"chuck\"")),
];

fn replace(text: &mut Vec<u8>, from: &str, to: &str) {
    let changed = std::str::from_utf8(text).unwrap().replace(from, to).into_bytes();
    assert!(changed != *text, "{from} is there");
    *text = changed;
}

#[test]
fn a_damaged_manifest_is_refused_by_every_command() {
    let temporary = tempfile::tempdir().unwrap();
    let table = solved(temporary.path(), "table", 3, 20, &["--values"]);
    let good = fs::read(table.join("manifest.json")).unwrap();
    let check = |what: &str| {
        let before = snapshot(&table);
        refused(
            run(&solve_words(3, 20, &["--values"], Some(&table))),
            "manifest.json",
            what,
            &table,
            &before,
        );
        found_damaged(&["verify"], "manifest.json", what, &table);
        refused(on(&table, &["info"]), "manifest.json", what, &table, &before);
        let query = on(&table, &["query", "minnie", "1", "2", "3", "--table"]);
        refused(query, "manifest.json", what, &table, &before);
    };
    for (what, damage) in MANIFEST_DAMAGE {
        edit(&table.join("manifest.json"), damage);
        check(what);
        fs::write(table.join("manifest.json"), &good).unwrap();
    }
    let mut random = support::Random(7);
    for _ in 0..25 {
        let (at, bit) = (random.below(good.len() as u64) as usize, random.below(8));
        let mut flipped = good.clone();
        flipped[at] ^= 1 << bit;
        // White space between the fields is not content.
        if Manifest::parse(&flipped).is_ok() {
            assert_eq!(Manifest::parse(&flipped), Manifest::parse(&good));
            continue;
        }
        fs::write(table.join("manifest.json"), &flipped).unwrap();
        found_damaged(&["verify"], "manifest.json", &format!("bit {bit} of byte {at}"), &table);
    }
}

#[test]
fn a_newer_format_is_refused_with_the_remedy() {
    let temporary = tempfile::tempdir().unwrap();
    let table = solved(temporary.path(), "table", 2, 20, &[]);
    edit(&table.join("manifest.json"), |text| {
        replace(text, "\"format_version\": 1", "\"format_version\": 7")
    });
    let before = snapshot(&table);
    for ran in [
        run(&solve_words(2, 20, &[], Some(&table))),
        on(&table, &["verify"]),
        on(&table, &["info"]),
        on(&table, &["query", "minnie", "3", "4", "--table"]),
    ] {
        assert!(
            ran.err.contains("version 7 is newer") && ran.err.contains("use a newer nimwave"),
            "{}",
            ran.err
        );
        refused(ran, "manifest.json", "newer", &table, &before);
    }
}

#[test]
fn a_hostile_manifest_with_a_right_check_is_refused_without_a_panic() {
    let temporary = tempfile::tempdir().unwrap();
    let table = solved(temporary.path(), "table", 2, 20, &["--values"]);
    let good = Manifest::read(&table.join("manifest.json")).unwrap();
    let hostile: [fn(&mut Manifest); 9] = [
        |manifest| manifest.spec.entries = u64::MAX,
        |manifest| manifest.spec.entries = u64::MAX / 2,
        |manifest| manifest.spec.entries = 0,
        |manifest| manifest.width = nimwave::table::Width::U16,
        |manifest| drop(manifest.spec.parameters.insert("max".into(), u64::MAX.into())),
        |manifest| drop(manifest.spec.parameters.insert("heaps".into(), (-3).into())),
        |manifest| drop(manifest.spec.parameters.remove("heaps")),
        |manifest| manifest.spec.game = "chess".into(),
        |manifest| manifest.checksums.as_mut().unwrap().xxh3.clear(),
    ];
    for (number, change) in hostile.iter().enumerate() {
        let mut manifest = good.clone();
        change(&mut manifest);
        manifest.write(&table).unwrap();
        let before = snapshot(&table);
        let what = format!("hostile manifest {number}");
        if matches!(number, 4..=7) {
            refused(on(&table, &["verify"]), "table", &what, &table, &before);
        } else {
            found_damaged(&["verify"], "table", &what, &table);
        }
        refused(on(&table, &["query", "minnie", "3", "4", "--table"]), "table", &what, &table, &before);
        refused(run(&solve_words(2, 20, &["--values"], Some(&table))), "table", &what, &table, &before);
        on(&table, &["info"]).code(0);
        assert!(snapshot(&table) == before);
    }
}

const DATA_DAMAGE: [Damage; 8] = [
    ("empty", |data| data.clear()),
    ("one byte short", |data| data.truncate(data.len() - 1)),
    ("half of it", |data| data.truncate(data.len() / 2)),
    ("one byte long", |data| data.push(0)),
    ("a bit of the header", |data| data[30] ^= 1),
    ("the first entry", |data| data[128] ^= 1),
    ("the last byte", |data| *data.last_mut().unwrap() ^= 0x80),
    ("zeros", |data| data.fill(0)),
];

#[test]
fn damaged_data_is_refused_by_every_command_that_reads_it() {
    let temporary = tempfile::tempdir().unwrap();
    for (options, file) in [(&[][..], "outcomes.npy"), (&["--values"][..], "values.npy")] {
        let table = solved(temporary.path(), file, 3, 30, options);
        let good = fs::read(table.join(file)).unwrap();
        for (what, damage) in DATA_DAMAGE {
            edit(&table.join(file), damage);
            let before = snapshot(&table);
            refused(run(&solve_words(3, 30, options, Some(&table))), file, what, &table, &before);
            found_damaged(&["verify"], file, what, &table);
            found_damaged(&["verify", "--checksums"], file, what, &table);
            refused(on(&table, &["query", "minnie", "7", "8", "9", "--table"]), file, what, &table, &before);
            fs::write(table.join(file), &good).unwrap();
        }
        // The data of another table of the same size.
        let foreign = [options, &["--misere"]].concat();
        let other = solved(temporary.path(), &format!("{file}-misere"), 3, 30, &foreign);
        fs::copy(other.join(file), table.join(file)).unwrap();
        let before = snapshot(&table);
        refused(run(&solve_words(3, 30, options, Some(&table))), file, "foreign", &table, &before);
        found_damaged(&["verify"], file, "foreign", &table);
        // No data at all.
        fs::remove_file(table.join(file)).unwrap();
        let before = snapshot(&table);
        refused(run(&solve_words(3, 30, options, Some(&table))), file, "missing", &table, &before);
        refused(on(&table, &["verify"]), file, "missing", &table, &before);
    }
}

#[test]
fn a_damaged_journal_is_refused() {
    let temporary = tempfile::tempdir().unwrap();
    let table = temporary.path().join("table");
    partial(&table, 3, 30, Quantity::Values, 20);
    let good = fs::read(table.join("journal")).unwrap();
    let damages: [Damage; 6] = [
        ("a flipped count", |text| text[6] ^= 1),
        ("a flipped check", |text| *text.iter_mut().nth_back(2).unwrap() ^= 1),
        ("a flipped line feed", |text| *text.last_mut().unwrap() = b' '),
        ("foreign text", |text| *text = b"Dear diary,\ntoday I played minnie.\n".to_vec()),
        ("foreign text without a line feed", |text| *text = b"Dear diary".to_vec()),
        ("binary", |text| *text = vec![0xfe; 1000]),
    ];
    for (what, damage) in damages {
        edit(&table.join("journal"), damage);
        let before = snapshot(&table);
        let ran = run(&solve_words(3, 30, &["--values"], Some(&table)));
        if what == "a flipped line feed" {
            // What is left is a line that was cut off: the run goes on from the checkpoint before.
            ran.code(0);
            fs::remove_dir_all(&table).unwrap();
            partial(&table, 3, 30, Quantity::Values, 20);
            fs::write(table.join("journal"), &good).unwrap();
            continue;
        }
        refused(ran, "journal", what, &table, &before);
        refused(on(&table, &["info"]), "journal", what, &table, &before);
        fs::write(table.join("journal"), &good).unwrap();
    }
    // A right line of another run: more waves than there are.
    let body = "waves=5000 width=u8 data=0000000000000000 seconds=1.000";
    let line = format!("{body} check={:016x}\n", xxhash_rust::xxh3::xxh3_64(body.as_bytes()));
    fs::write(table.join("journal"), line).unwrap();
    let before = snapshot(&table);
    let ran = run(&solve_words(3, 30, &["--values"], Some(&table)));
    refused(ran, "journal", "too many waves", &table, &before);
    fs::write(table.join("journal"), good).unwrap();
    run(&solve_words(3, 30, &["--values"], Some(&table))).code(0);
}

/// Regression: the data beyond the last checkpoint was cleared before the check, so that a journal of another run cost
/// the finished waves.
#[test]
fn a_foreign_journal_does_not_cost_the_data() {
    let temporary = tempfile::tempdir().unwrap();
    let (table, other) = (temporary.path().join("table"), temporary.path().join("other"));
    partial(&table, 3, 30, Quantity::Values, 40);
    partial(&other, 3, 31, Quantity::Values, 12);
    let good = fs::read(table.join("journal")).unwrap();
    fs::copy(other.join("journal"), table.join("journal")).unwrap();
    let before = snapshot(&table);
    let ran = run(&solve_words(3, 30, &["--values"], Some(&table)));
    refused(ran, "values.npy", "a foreign journal", &table, &before);
    fs::write(table.join("journal"), good).unwrap();
    let resumed = run(&solve_words(3, 30, &["--values"], Some(&table))).code(0);
    assert_eq!(resumed.blake3(), run(&solve_words(3, 30, &["--values"], None)).code(0).blake3());
}

#[test]
fn a_torn_journal_line_and_garbage_beyond_the_checkpoint_are_repaired() {
    let temporary = tempfile::tempdir().unwrap();
    for (quantity, options, file) in
        [(Quantity::Outcomes, &[][..], "outcomes.npy"), (Quantity::Values, &["--values"][..], "values.npy")]
    {
        let expected = run(&solve_words(3, 30, options, None)).code(0).blake3();
        for (number, torn) in ["", "w", "waves=5", "waves=9 width=u8 data=00", "\0\0\0\0"].iter().enumerate()
        {
            let table = temporary.path().join(format!("{file}-{number}"));
            partial(&table, 3, 30, quantity, 30);
            edit(&table.join("journal"), |text| text.extend_from_slice(torn.as_bytes()));
            // The last position, (30, 30, 30), lies in the last wave: a killed run may have left anything there.
            edit(&table.join(file), |data| {
                let last = if quantity.is_outcomes() { 128 + 5455 / 8 } else { 128 + 5455 };
                data[last] ^= 1 << (if quantity.is_outcomes() { 5455 % 8 } else { 0 });
            });
            let resumed = run(&solve_words(3, 30, options, Some(&table))).code(0);
            assert_eq!(resumed.blake3(), expected, "{torn:?}");
        }
    }
}

#[test]
fn a_partial_table_with_a_damaged_finished_part_is_refused() {
    let temporary = tempfile::tempdir().unwrap();
    for (quantity, options, file) in
        [(Quantity::Outcomes, &[][..], "outcomes.npy"), (Quantity::Values, &["--values"][..], "values.npy")]
    {
        let table = temporary.path().join(file);
        partial(&table, 3, 30, quantity, 30);
        for (what, damage) in DATA_DAMAGE {
            let good = fs::read(table.join(file)).unwrap();
            if what == "the last byte" {
                // Of outcomes it is padding, and of values it lies beyond the checkpoint.
                continue;
            }
            edit(&table.join(file), damage);
            let before = snapshot(&table);
            refused(run(&solve_words(3, 30, options, Some(&table))), file, what, &table, &before);
            fs::write(table.join(file), &good).unwrap();
        }
        let info = on(&table, &["info"]).code(0);
        let waves = if quantity == Quantity::Values { 65 } else { 61 };
        assert!(info.out.contains(&format!("partial: 30 of {waves} waves")), "{}", info.out);
    }
}

/// Regression: killed between the last checkpoint and the final manifest, the data was not checked on resume.
#[test]
fn damage_after_the_last_wave_and_before_the_manifest_is_found() {
    let temporary = tempfile::tempdir().unwrap();
    let table = solved(temporary.path(), "table", 3, 30, &["--values"]);
    let expected = fs::read(table.join("values.npy")).unwrap();
    let unfinished = || {
        let mut manifest = Manifest::read(&table.join("manifest.json")).unwrap();
        manifest.state = State::Partial;
        manifest.checksums = None;
        manifest.results.clear();
        manifest.write(&table).unwrap();
    };
    unfinished();
    run(&solve_words(3, 30, &["--values"], Some(&table))).code(0);
    assert!(fs::read(table.join("values.npy")).unwrap() == expected);
    unfinished();
    edit(&table.join("values.npy"), |data| data[2000] ^= 1);
    let before = snapshot(&table);
    let ran = run(&solve_words(3, 30, &["--values"], Some(&table)));
    refused(ran, "values.npy", "damage in the last moment", &table, &before);
}

/// Regression: killed between making the data file and writing its header, a table could not be resumed.
#[test]
fn a_data_file_that_was_just_being_made_is_made_again() {
    let temporary = tempfile::tempdir().unwrap();
    let expected = run(&solve_words(3, 30, &[], None)).code(0).blake3();
    let changes: [fn(&mut Vec<u8>); 3] =
        [|data| data.fill(0), |data| data.clear(), |data| data.truncate(data.len() / 3)];
    for (number, change) in changes.into_iter().enumerate() {
        let table = temporary.path().join(format!("table-{number}"));
        partial(&table, 3, 30, Quantity::Outcomes, 0);
        fs::write(table.join("journal"), "").unwrap();
        edit(&table.join("outcomes.npy"), change);
        assert_eq!(run(&solve_words(3, 30, &[], Some(&table))).code(0).blake3(), expected);
    }
}

#[test]
fn an_out_folder_that_holds_something_else_is_left_alone() {
    let temporary = tempfile::tempdir().unwrap();
    let table = solved(temporary.path(), "table", 3, 20, &[]);
    let before = snapshot(&table);
    for (words, word) in [
        (solve_words(3, 21, &[], Some(&table)), "max=21"),
        (solve_words(2, 20, &[], Some(&table)), "heaps=2"),
        (solve_words(3, 20, &["--values"], Some(&table)), "values"),
        (solve_words(3, 20, &["--misere"], Some(&table)), "misere=true"),
    ] {
        let ran = run(&words);
        assert!(ran.err.contains(word) && ran.err.contains("choose another --out"), "{}", ran.err);
        refused(ran, "table", word, &table, &before);
    }
    let ran = on(&table, &["query", "minnie", "1", "2", "3", "4", "--table"]);
    refused(ran, "at most 3 heaps", "too many heaps", &table, &before);
    refused(on(&table, &["query", "minnie", "21", "--table"]), "outside", "too large", &table, &before);
    let ran = on(&table, &["query", "minnie", "2", "--misere", "--table"]);
    refused(ran, "normal", "another play", &table, &before);

    let folder = temporary.path().join("thesis");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("chapter-1.tex"), "All games are finite.").unwrap();
    let before = snapshot(&folder);
    refused(run(&solve_words(3, 20, &[], Some(&folder))), "not a nimwave table", "foreign", &folder, &before);
    for words in [&["verify"][..], &["info"], &["query", "minnie", "1", "--table"]] {
        refused(on(&folder, words), "manifest.json", "foreign", &folder, &before);
    }
}

#[test]
fn places_that_cannot_be_written_are_refused() {
    let temporary = tempfile::tempdir().unwrap();
    let file = temporary.path().join("file");
    fs::write(&file, "content").unwrap();
    let mut places = vec![file.clone(), file.join("below"), file.join("far/below")];
    if Path::new("/proc/self").exists() {
        places.push("/proc/nimwave-table".into());
    }
    for place in places {
        let ran = run(&solve_words(2, 20, &[], Some(&place))).refused(&[place.to_str().unwrap()]);
        assert!(ran.err.contains("check the path") || ran.err.contains("choose"), "{}", ran.err);
        assert_eq!(fs::read(&file).unwrap(), b"content");
    }
    for words in [&["verify"][..], &["info"], &["query", "minnie", "1", "--table"]] {
        let ran = on(&temporary.path().join("nowhere"), words);
        let ran = ran.refused(&["nowhere", "check the path"]);
        assert!(!temporary.path().join("nowhere").exists(), "{}", ran.err);
    }
}

#[test]
fn a_second_writer_is_told_to_wait() {
    let temporary = tempfile::tempdir().unwrap();
    let table = temporary.path().join("table");
    let slow = ["--values", "--kernel", "generic"];
    let mut first = nimwave()
        .args(solve_words(3, 330, &slow, Some(&table)))
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    while !table.join("journal").exists() {
        assert!(first.try_wait().unwrap().is_none(), "the first writer is still there");
        std::thread::sleep(Duration::from_millis(2));
    }
    let second = run(&solve_words(3, 330, &["--values"], Some(&table)));
    let other = run(&solve_words(3, 20, &[], Some(&table)));
    first.kill().unwrap();
    first.wait().unwrap();
    second.refused(&["another process is writing", "wait for it to end, or choose another folder"]);
    other.refused(&["another process is writing"]);
}

/// A small file system in memory, where the machine lets the test mount one.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(folder: &Path, size: &str) -> Option<Self> {
        let path = folder.join("disk");
        fs::create_dir(&path).unwrap();
        let mounted = std::process::Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={size}"), "nimwave-test"])
            .arg(&path)
            .output();
        if mounted.is_ok_and(|output| output.status.success()) {
            return Some(Self(path));
        }
        support::skipped("this user cannot mount a small disk");
        None
    }

    /// Fills what is left, and returns the file that does.
    fn fill(&self) -> PathBuf {
        use std::io::Write;
        let path = self.0.join("filler");
        let mut file = fs::File::create(&path).unwrap();
        let block = [1u8; 4096];
        while file.write_all(&block).is_ok() {}
        path
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_job_that_does_not_fit_on_the_disk_is_refused_before_the_start() {
    let temporary = tempfile::tempdir().unwrap();
    let Some(disk) = SmallDisk::mount(temporary.path(), "1m") else { return };
    let table = disk.0.join("table");
    run(&solve_words(4, 60, &["--values"], Some(&table))).refused(&["free", "choose another --out"]);
    assert!(!table.exists(), "nothing is left behind");
}

#[test]
fn a_disk_that_fills_up_stops_the_run_and_loses_nothing() {
    let temporary = tempfile::tempdir().unwrap();
    let Some(disk) = SmallDisk::mount(temporary.path(), "2m") else { return };
    // One that fails when its manifest is replaced, and one that fails when its values are widened.
    for (heaps, max, waves) in [(3, 30, 20), (2, 300, 0)] {
        let table = disk.0.join(format!("table-{heaps}"));
        partial(&table, heaps, max, Quantity::Values, waves);
        let filler = disk.fill();
        let words = solve_words(heaps as u32, max, &["--values"], Some(&table));
        run(&words).refused(&["table", "No space left", "free some space"]);
        fs::remove_file(filler).unwrap();
        assert_eq!(
            run(&words).code(0).blake3(),
            run(&solve_words(heaps as u32, max, &["--values"], None)).code(0).blake3()
        );
    }
}

#[test]
fn a_copied_table_is_as_good_as_the_original() {
    let temporary = tempfile::tempdir().unwrap();
    let table = solved(temporary.path(), "table", 3, 20, &[]);
    let moved = temporary.path().join("moved");
    copy(&table, &moved);
    on(&moved, &["verify", "--full"]).code(0);
    run(&solve_words(3, 20, &[], Some(&moved))).code(0);
}
