//! What the tests from outside share: running the binary, and looking at the files of a table.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use nimwave::base::{Control, Observer};
use nimwave::sweep::{Job, solve};
use rustix::process::{Signal, set_parent_process_death_signal};
use serde_json::Value;

/// The program, quiet, as a new user would start it. `NIMWAVE_BINARY` names another build of it to be tested instead.
pub fn nimwave() -> Command {
    let binary = std::env::var_os("NIMWAVE_BINARY").unwrap_or_else(|| env!("CARGO_BIN_EXE_nimwave").into());
    let mut command = Command::new(binary);
    command.stdin(Stdio::null()).env_remove("NIMWAVE_LOG").env_remove("RAYON_NUM_THREADS");
    // A test that fails or is killed leaves no run behind: the kernel ends the program with the thread that started it.
    let with_the_test = || Ok(set_parent_process_death_signal(Some(Signal::KILL))?);
    // SAFETY: between fork and exec there is one system call, which allocates nothing.
    unsafe { command.pre_exec(with_the_test) };
    command
}

/// Runs the program with these words and waits for its end.
pub fn run<S: AsRef<std::ffi::OsStr>>(words: &[S]) -> Ran {
    Ran::from(nimwave().args(words).output().expect("the binary starts"))
}

/// Runs a command with this text on its standard input.
pub fn fed(command: &mut Command, text: &str) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    // The program may have seen enough and ended.
    let _ = child.stdin.take().expect("a pipe").write_all(text.as_bytes());
    child.wait_with_output().expect("the end of the program")
}

/// Says, past the capture of a test that passes, why a test was not done.
pub fn skipped(why: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED: {why}");
}

/// What a run left behind.
#[derive(Debug)]
pub struct Ran {
    /// The exit code, or `None` where a signal ended the process.
    pub code: Option<i32>,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
        let ran = Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) };
        assert!(!ran.err.contains("panicked"), "a panic: {}", ran.err);
        ran
    }
}

impl Ran {
    /// Demands this exit code.
    #[track_caller]
    pub fn code(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "out: {}\nerr: {}", self.out, self.err);
        self
    }

    /// Demands exit code 2, nothing on standard output, and every one of `words` in the message.
    #[track_caller]
    pub fn refused(self, words: &[&str]) -> Self {
        let ran = self.code(2);
        assert!(ran.out.is_empty(), "{}", ran.out);
        for word in words {
            assert!(ran.err.contains(word), "{word:?} is missing in: {}", ran.err);
        }
        ran
    }

    /// The one JSON object on standard output.
    #[track_caller]
    pub fn json(&self) -> Value {
        assert_eq!(self.out.trim_end().lines().count(), 1, "one line: {}", self.out);
        serde_json::from_str(&self.out).expect("JSON on standard output")
    }

    /// The BLAKE3 of a `solve --json`.
    #[track_caller]
    pub fn blake3(&self) -> String {
        self.json()["blake3"].as_str().expect("a BLAKE3").to_string()
    }
}

/// `solve minnie` with these parameters into `out`, as words.
pub fn solve_words(heaps: u32, max: u32, more: &[&str], out: Option<&Path>) -> Vec<String> {
    let mut words: Vec<String> =
        ["solve", "minnie", "--json", "--heaps"].iter().map(|word| word.to_string()).collect();
    words.extend([heaps.to_string(), "--max".into(), max.to_string()]);
    words.extend(more.iter().map(|word| word.to_string()));
    if let Some(out) = out {
        words.extend(["--out".into(), out.to_str().expect("a UTF-8 path").into()]);
    }
    words
}

/// A finished table in `folder/name`.
pub fn solved(folder: &Path, name: &str, heaps: u32, max: u32, more: &[&str]) -> PathBuf {
    let out = folder.join(name);
    run(&solve_words(heaps, max, more, Some(&out))).code(0);
    out
}

/// The table of `job` in `folder`, stopped after `waves` waves.
pub fn stopped_after(job: &dyn Job, folder: &Path, waves: u64) {
    struct StopAt<'a>(u64, &'a AtomicBool);
    impl Observer for StopAt<'_> {
        fn begin(&self, _: u64, _: u64, _: u64) {
            self.1.store(self.0 == 0, Relaxed);
        }
        fn wave(&self, done: u64, _: u64) {
            self.1.store(done >= self.0, Relaxed);
        }
    }
    let stop = AtomicBool::new(false);
    let observer = StopAt(waves, &stop);
    let control =
        Control { stop: &stop, observer: &observer, checkpoint_every: Duration::ZERO, ..Control::silent() };
    solve(job, Some(folder), &control).expect_err("it was stopped");
    // A process that another test is just starting may share the lock for a moment, between its fork and its exec.
    let lock = fs::File::open(folder.join("lock")).unwrap();
    while lock.try_lock().is_err() {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// All files below `folder` with their content.
pub fn snapshot(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files.extend(snapshot(&path));
        } else {
            let content = fs::read(&path).expect("a readable file");
            files.insert(path, content);
        }
    }
    files
}

/// Changes one file.
pub fn edit(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut content = fs::read(path).expect("a readable file");
    change(&mut content);
    overwrite(path, &content);
}

/// Writes a file anew where it stands. `fs::write` cuts it to nothing first, and ext4 waits for the disk whenever such a file
/// is closed.
pub fn overwrite(path: &Path, content: &[u8]) {
    let mut file = fs::OpenOptions::new().write(true).open(path).expect("a writable file");
    file.write_all(content).expect("room for the content");
    file.set_len(content.len() as u64).expect("a writable file");
}

/// Copies the files of a folder.
pub fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).expect("a new folder");
    for (path, content) in snapshot(from) {
        fs::write(to.join(path.file_name().expect("a name")), content).expect("a copy");
    }
}

/// Splits a line as a shell does, up to a comment or an operator.
pub fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote, mut open) = (Vec::new(), String::new(), None, false);
    for letter in line.chars() {
        match letter {
            '\'' | '"' if quote.is_none() => (quote, open) = (Some(letter), true),
            letter if quote == Some(letter) => quote = None,
            ' ' if quote.is_none() => {
                if open {
                    words.push(std::mem::take(&mut word));
                }
                open = false;
            }
            '#' | '>' | '|' | '&' if quote.is_none() && !open => break,
            _ => {
                word.push(letter);
                open = true;
            }
        }
    }
    if open {
        words.push(word);
    }
    words
}

/// Whether golden files and snapshots are to be written anew, from what the program says now.
pub fn updating() -> bool {
    std::env::var_os("NIMWAVE_UPDATE_SNAPSHOTS").is_some_and(|value| !value.is_empty() && value != "0")
}

/// SplitMix64: random numbers that a seed repeats.
pub struct Random(pub u64);

impl Random {
    /// A number below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound
    }
}
