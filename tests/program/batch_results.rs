//! Results of a batch: when they are current, where they are, what they are called; and what a dry run finds.
#![cfg(unix)]

use std::fs;

use crate::batch::{Night, SHORT};
use crate::support::{Ran, edit, nimwave};

/// A sequence, and its b-file.
fn sequence(terms: u32) -> String {
    format!(
        "[[job]]\nname = \"officers\"\ncommand = \"solve octal 0.6\"\nterms = {terms}\nout = \"officers.table\"\n\
         [[job]]\nname = \"bfile\"\ncommand = \"export officers.table\"\nformat = \"bfile\"\nout = \"b.txt\"\nafter = [\"officers\"]\n\
         [[job]]\nname = \"proof\"\ncommand = \"query nim 3 4 5\"\nafter = [\"officers\"]\n"
    )
}

fn lines(night: &Night, name: &str) -> usize {
    let text = fs::read_to_string(night.path("out").join(name)).unwrap();
    text.lines().filter(|line| !line.starts_with('#')).count()
}

/// Regression: after `--adopt` of a changed job, the jobs that depend on it kept their results.
#[test]
fn what_depends_on_a_changed_job_runs_again() {
    let night = Night::new(&sequence(100));
    night.run(&[]).code(0);
    assert_eq!(lines(&night, "b.txt"), 100);
    night.write(&sequence(250));
    let ran = night.run(&["--adopt"]).code(0);
    assert!(
        ran.err.contains("bfile: runs again, because its input officers.table was changed"),
        "{}",
        ran.err
    );
    assert_eq!(lines(&night, "b.txt"), 250);
    let starts = |job: &str| night.job(job)["starts"].clone();
    assert_eq!((starts("bfile"), starts("proof")), (2.into(), 1.into()), "and nothing else does");
    // Nothing is left to do.
    night.run(&[]).code(0);
    assert_eq!((starts("officers"), starts("bfile")), (1.into(), 2.into()));
}

/// Regression: a job whose output had been deleted counted as done.
#[test]
fn a_deleted_or_changed_output_is_made_again() {
    let check = "[[job]]\nname = \"check\"\ncommand = \"verify short.table\"\nafter = [\"short\"]\n";
    let night = Night::new(&format!("{SHORT}{check}{}", sequence(100)));
    night.run(&[]).code(0);
    fs::remove_dir_all(night.path("out/short.table")).unwrap();
    fs::remove_file(night.path("out/jobs/proof/result.json")).unwrap();
    edit(&night.path("out/b.txt"), |text| text.truncate(30));
    let ran = night.run(&[]).code(0);
    for told in ["short: runs again", "proof: runs again", "bfile: runs again"] {
        assert!(ran.err.contains(told), "{told} is missing in: {}", ran.err);
    }
    assert_eq!(lines(&night, "b.txt"), 100);
    assert!(
        night.path("out/short.table/values.npy").exists()
            && night.path("out/jobs/proof/result.json").exists()
    );
    // The table came back with the same bytes, so that the verdict on it still stands.
    assert_eq!(night.job("check")["starts"], 1);
    // A table without its data is not there.
    fs::remove_file(night.path("out/short.table/values.npy")).unwrap();
    assert!(night.run(&[]).err.contains("short: runs again"));
}

/// Regression: the folder of the results depended on the current folder.
#[test]
fn results_are_beside_the_job_file_wherever_the_command_is_given() {
    let night = Night::new(SHORT);
    let elsewhere = tempfile::tempdir().unwrap();
    let file = night.path("night.toml");
    let batch = |more: &[&str]| {
        let mut command = nimwave();
        command
            .current_dir(elsewhere.path())
            .arg("batch")
            .arg(&file)
            .args(["--json", "--threads", "2"])
            .args(more);
        Ran::from(command.output().unwrap())
    };
    batch(&[]).code(0);
    assert!(night.path("out/short.table").exists() && !elsewhere.path().join("out").exists());
    // What an earlier version began in the current folder stays there.
    fs::rename(night.path("out"), elsewhere.path().join("out")).unwrap();
    let ran = batch(&[]).code(0);
    assert!(ran.err.contains("was begun in out, and stays there"), "{}", ran.err);
    assert!(!night.path("out").exists());
    // A folder that is named in the command is named from where the command is given.
    batch(&["--out", "other"]).code(0);
    assert!(elsewhere.path().join("other/short.table").exists());
}

/// Regression: a dry run did not see a job's memory limit below its own estimate, a table folder with other parameters,
/// and more threads than the batch has.
#[test]
fn a_dry_run_finds_what_would_fail_at_night() {
    let small = "[[job]]\nname = \"small\"\ncommand = \"solve minnie\"\nheaps = 3\nmax = 200\nvalues = true\nmemory = \"1000\"\n";
    Night::new(small).run(&["--dry-run"]).refused(&["night.toml:2: job `small`", "give it more memory"]);
    let night = Night::new(SHORT);
    night.run(&[]).code(0);
    night.write(&SHORT.replace("max = 20", "max = 21"));
    night.run(&["--dry-run"]).refused(&[
        "night.toml:2: job `short`",
        "holds minnie values",
        "choose another --out",
    ]);
    fs::remove_dir_all(night.path("out/short.table")).unwrap();
    fs::create_dir(night.path("out/short.table")).unwrap();
    fs::write(night.path("out/short.table/diary"), "").unwrap();
    night.run(&["--dry-run"]).refused(&["not a nimwave table"]);
    let night = Night::new(&format!("{SHORT}threads = 7\n"));
    let plan = night.run(&["--dry-run"]).code(0).json();
    assert_eq!(plan["warnings"][0], "job `short` asks for 7 threads and gets 2");
}

/// Regression: the `result.json` of an export was CSV, or empty.
#[test]
fn the_result_of_an_export_is_what_its_name_says() {
    let export = "command = \"export short.table\"\nformat = \"csv\"\nrow = [4, 5]\nafter = [\"short\"]\n";
    let night = Night::new(&format!(
        "{SHORT}[[job]]\nname = \"printed\"\n{export}[[job]]\nname = \"written\"\n{export}out = \"row.csv\"\n"
    ));
    night.run(&[]).code(0);
    assert_eq!(night.job("printed")["result"], "jobs/printed/result.txt");
    let written = fs::read_to_string(night.path("out/jobs/written/result.json")).unwrap();
    let written: serde_json::Value = serde_json::from_str(&written).unwrap();
    assert_eq!((&written["file"], &written["format"]), (&"row.csv".into(), &"csv".into()));
}

/// Regression: a game without a proof was called "refuted".
#[test]
fn what_a_job_could_not_decide_is_not_called_refuted() {
    let night = Night::new(
        "[[job]]\nname = \"open\"\ncommand = \"period octal 0.6\"\nterms = 1000\n\
         [[job]]\nname = \"table\"\ncommand = \"table cookie --time 0s\"\ncutter = 2\nrows = 5\ncols = 9\nstate = \"cells\"\n\
         [[job]]\nname = \"false\"\ncommand = \"audit minnie-10\"\n",
    );
    night.run(&[]).code(1);
    night.expect(&[("open", "undecided"), ("table", "out-of-time"), ("false", "refuted")]);
    for job in ["open", "table"] {
        assert_eq!(night.job(job)["result"], format!("jobs/{job}/result.json"), "what it printed is kept");
    }
}
