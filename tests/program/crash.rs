//! Nothing is lost: the program is killed at many points and started again with the same command, and the finished
//! bytes must be those of an uninterrupted run.
#![cfg(unix)]

use crate::support;

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use support::{Ran, Random, nimwave, run, solve_words};

/// A job that takes a few tenths of a second when it is not interrupted.
struct Job {
    heaps: u32,
    max: u32,
    options: &'static [&'static str],
    threads: &'static str,
    /// How often it is killed.
    kills: u32,
}

impl Job {
    fn words(&self, out: Option<&Path>) -> Vec<String> {
        let mut more = vec!["--quiet", "--checkpoint", "0s", "--threads", self.threads];
        more.extend(self.options);
        solve_words(self.heaps, self.max, &more, out)
    }
}

fn start(words: &[String]) -> Child {
    nimwave().args(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts")
}

/// Sends a signal by its name.
fn signal(child: &Child, name: &str) {
    signals(child, &[name]);
}

/// Sends several signals, one right after the other.
fn signals(child: &Child, names: &[&str]) {
    let script: Vec<String> = names.iter().map(|name| format!("kill -{name} {}", child.id())).collect();
    let sent = Command::new("sh").arg("-c").arg(script.join(" && ")).status();
    assert!(sent.expect("a shell").success());
}

/// Waits until the last checkpoint in the journal has more than `waves` waves, or until the run has ended. (The
/// first record can stand for no wave at all: a table that widens in its first wave makes one.)
fn wait_for_waves(child: &mut Child, out: &Path, waves: u64) {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(60) {
        if journal_waves(out) > waves || child.try_wait().expect("a child").is_some() {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("no further checkpoint in a minute");
}

/// The waves of the last whole record in the journal; 0 if there is none.
fn journal_waves(out: &Path) -> u64 {
    let journal = std::fs::read_to_string(out.join("journal")).unwrap_or_default();
    let whole = journal.rfind('\n').map_or("", |end| &journal[..end]);
    let last = whole.lines().next_back().and_then(|record| record.split_whitespace().next());
    last.and_then(|word| word.strip_prefix("waves=")).map_or(0, |waves| waves.parse().expect("a number"))
}

/// Waits until the signal handlers are there: the journal is made after them.
fn wait_for_journal(child: &mut Child, out: &Path) {
    while !out.join("journal").exists() && child.try_wait().expect("a child").is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn waves_done(out: &Path) -> u64 {
    let info = nimwave().args(["info", "--json"]).arg(out).output().expect("the binary starts");
    Ran::from(info).code(0).json()["waves_done"].as_u64().expect("a number")
}

/// Kills the job at random points, each time starting it again, and lets the last run end.
fn kill_and_resume(job: &Job, seed: u64) {
    let temporary = tempfile::tempdir().unwrap();
    let (whole, out) = (temporary.path().join("whole"), temporary.path().join("killed"));
    let begun = Instant::now();
    let expected = run(&job.words(Some(&whole))).code(0);
    let duration = begun.elapsed();
    let in_memory = run(&job.words(None)).code(0);
    assert_eq!(in_memory.blake3(), expected.blake3(), "memory and disk");

    let mut random = Random(seed);
    let (mut killed, mut resumed) = (0, 0);
    while killed < job.kills {
        let before = if out.join("manifest.json").exists() { waves_done(&out) } else { 0 };
        let mut child = start(&job.words(Some(&out)));
        // A third of the kills come in the first few milliseconds, where the files are made.
        let longest = if killed % 3 == 0 { 12_000 } else { duration.as_micros() as u64 };
        std::thread::sleep(Duration::from_micros(random.below(longest.max(1))));
        child.kill().expect("SIGKILL");
        let ended = Ran::from(child.wait_with_output().expect("an end"));
        killed += 1;
        resumed += u32::from(before > 0);
        match ended.code {
            // Killed, as it should be.
            None => {}
            // It was quicker than the signal: begin a new table.
            Some(0) => {
                assert_eq!(ended.blake3(), expected.blake3(), "seed {seed}, kill {killed}");
                std::fs::remove_dir_all(&out).unwrap();
            }
            Some(code) => panic!("exit code {code} after kill {killed}, seed {seed}: {}", ended.err),
        }
    }
    // At least one resume from the middle, whatever the sleeps did. A run that is quicker than the signal says
    // nothing about that: it begins anew.
    for attempt in 1.. {
        let mut child = start(&job.words(Some(&out)));
        wait_for_waves(&mut child, &out, 0);
        child.kill().expect("SIGKILL");
        let ended = child.wait_with_output().expect("an end").status;
        if !ended.success() {
            break;
        }
        assert!(attempt < 20, "every run ended before its signal came, seed {seed}");
        std::fs::remove_dir_all(&out).unwrap();
    }
    resumed += u32::from(waves_done(&out) > 0);
    assert!(resumed > 0, "no kill hit a run with a checkpoint, seed {seed}");
    let last = run(&job.words(Some(&out))).code(0);
    let (mut last, mut expected) = (last.json(), expected.json());
    for object in [&mut last, &mut expected] {
        object["seconds"].take();
    }
    assert_eq!(last, expected, "seed {seed}");
    for file in ["outcomes.npy", "values.npy"].iter().filter(|file| whole.join(file).exists()) {
        assert!(
            std::fs::read(whole.join(file)).unwrap() == std::fs::read(out.join(file)).unwrap(),
            "{file} differs, seed {seed}"
        );
    }
    let verified = nimwave().arg("verify").arg(&out).output().unwrap();
    Ran::from(verified).code(0);
}

#[test]
fn outcomes_killed_on_one_thread_resume_to_the_same_bytes() {
    let job = Job { heaps: 4, max: 44, options: &["--kernel", "generic"], threads: "1", kills: 12 };
    kill_and_resume(&job, 1);
}

#[test]
fn outcomes_killed_on_two_threads_resume_to_the_same_bytes() {
    let job = Job { heaps: 4, max: 240, options: &[], threads: "2", kills: 12 };
    kill_and_resume(&job, 2);
}

#[test]
fn values_killed_on_two_threads_resume_to_the_same_bytes() {
    let job = Job { heaps: 3, max: 110, options: &["--values"], threads: "2", kills: 12 };
    kill_and_resume(&job, 3);
}

#[test]
fn a_slice_that_is_killed_resumes_to_the_same_bytes() {
    let options = &["--values", "--smallest", "3"];
    let job = Job { heaps: 4, max: 80, options, threads: "2", kills: 8 };
    kill_and_resume(&job, 7);
}

#[test]
fn misere_values_of_five_heaps_killed_on_one_thread_resume_to_the_same_bytes() {
    let job = Job { heaps: 5, max: 18, options: &["--values", "--misere"], threads: "1", kills: 8 };
    kill_and_resume(&job, 4);
}

#[test]
fn values_that_widen_and_are_killed_resume_to_the_same_bytes() {
    for (threads, seed) in [("1", 5), ("2", 6)] {
        let job = Job { heaps: 2, max: 2000, options: &["--values"], threads, kills: 12 };
        kill_and_resume(&job, seed);
    }
}

#[test]
fn sigterm_and_sigint_checkpoint_print_the_command_and_exit_3() {
    let jobs = [
        (4, 42, vec!["--kernel", "generic", "--threads", "1"], "INT"),
        (3, 90, vec!["--values", "--threads", "2", "--kernel", "generic"], "TERM"),
        (2, 400, vec!["--values", "--threads", "2", "--kernel", "generic"], "INT"),
    ];
    for (heaps, max, options, name) in jobs {
        let temporary = tempfile::tempdir().unwrap();
        // A space in the path: the printed command must be quoted so that a shell takes it.
        let out = temporary.path().join("a table");
        let expected = run(&solve_words(heaps, max, &[], None)
            .into_iter()
            .chain(options.iter().filter(|word| **word == "--values").map(|word| word.to_string()))
            .collect::<Vec<_>>())
        .code(0)
        .blake3();
        let words = solve_words(heaps, max, &options, Some(&out));
        let mut child = start(&words);
        wait_for_journal(&mut child, &out);
        signal(&child, name);
        let stopped = Ran::from(child.wait_with_output().unwrap()).code(3);
        assert!(stopped.out.is_empty(), "no result: {}", stopped.out);
        assert!(stopped.err.contains("interrupted with") && stopped.err.contains(" done"), "{}", stopped.err);
        let command = stopped.err.lines().find_map(|line| line.strip_prefix("  ")).expect("the command");
        assert!(command.contains("'") && command.contains("a table"), "{command}");
        assert!(out.join("journal").metadata().unwrap().len() > 0, "a checkpoint was written");

        // The printed command, given to a shell, goes on.
        let resumed = Command::new("sh").arg("-c").arg(command).output().unwrap();
        let resumed = Ran::from(resumed).code(0);
        assert_eq!(resumed.blake3(), expected, "{heaps} heaps of {max}, SIG{name}");
    }
}

#[test]
fn a_second_sigint_ends_at_once_and_the_table_can_still_be_resumed() {
    let temporary = tempfile::tempdir().unwrap();
    let out = temporary.path().join("table");
    // Slow enough that no run of this test ends by itself.
    let options = ["--values", "--threads", "2", "--checkpoint", "0s", "--kernel", "generic"];
    let words = solve_words(3, 330, &options, Some(&out));
    let mut child = start(&words);
    wait_for_waves(&mut child, &out, 0);
    signals(&child, &["INT", "INT"]);
    let begun = Instant::now();
    let ended = Ran::from(child.wait_with_output().unwrap());
    assert_eq!(ended.code, Some(3), "{}", ended.err);
    assert!(begun.elapsed() < Duration::from_secs(20));
    let done = waves_done(&out);
    let mut child = start(&words);
    wait_for_waves(&mut child, &out, done);
    child.kill().unwrap();
    let ended = Ran::from(child.wait_with_output().unwrap());
    assert_eq!(ended.code, None, "it went on: {}", ended.err);
    assert!(waves_done(&out) > done);
}

#[test]
fn a_finished_table_is_not_solved_again() {
    let temporary = tempfile::tempdir().unwrap();
    let out = temporary.path().join("table");
    let words = solve_words(3, 40, &["--values"], Some(&out));
    let first = run(&words).code(0);
    let files = support::snapshot(&out);
    let second = run(&words).code(0);
    assert_eq!(first.json(), second.json());
    assert!(files == support::snapshot(&out), "nothing is written");
}

#[test]
fn a_recurring_state_that_is_killed_resumes_to_the_same_period() {
    let temporary = tempfile::tempdir().unwrap();
    let out = temporary.path().join("run");
    let kept: Vec<String> =
        ["period", "octal", "0.104", "--recurring", "--json", "--quiet", "--checkpoint", "0s", "--out"]
            .into_iter()
            .map(String::from)
            .chain([out.to_str().unwrap().to_string()])
            .collect();
    let mut random = Random(8);
    let state = out.join("state");
    let heaps = || {
        // The next heap stands behind the code, the mask, the parity, the rare heaps and the opening.
        let bytes = std::fs::read(&state).ok()?;
        let number = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?) as usize);
        let rare = 32 + number(28)? + 8;
        let next = rare + 4 + 8 * number(rare)? + 8;
        Some(u64::from_le_bytes(bytes.get(next..next + 8)?.try_into().ok()?))
    };
    let mut before = 0;
    for kill in 0..6 {
        let mut child = start(&kept);
        let begun = Instant::now();
        // Half of the kills wait until the run has gone on, the others come whenever they come.
        while kill % 2 == 0 && heaps().unwrap_or(0) <= before && begun.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_micros(random.below(20_000)));
        child.kill().expect("SIGKILL");
        let ended = Ran::from(child.wait_with_output().expect("an end"));
        assert_eq!(ended.code, None, "kill {kill}: {}", ended.err);
        let now = heaps().expect("a whole state after the first kill");
        assert!(now >= before, "kill {kill}: {now} after {before}");
        before = now;
    }
    assert!(before > 1 << 18, "{before}");
    // What docs/RECORDS-octal.md has of a run in one piece.
    let resumed = run(&kept).code(0).json();
    let found = ["preperiod", "period", "rare_count", "last_rare"].map(|field| resumed[field].as_u64());
    assert_eq!(found, [Some(197_769_598), Some(11_770_282), Some(20), Some(284)]);
}
