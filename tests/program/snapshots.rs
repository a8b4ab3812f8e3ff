//! Snapshots: what every verb prints, with its exit code and the files that it makes, stays as `tests/snapshots` has it.
//!
//! `tests/snapshots/commands.txt` lists the commands. `NIMWAVE_UPDATE_SNAPSHOTS=1 cargo test --test snapshots` writes the snapshots
//! anew: look at what `git diff` says of them before they are committed. Nothing here uses the library, so that the program may be
//! rebuilt inside without a change of this file.

use crate::support;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use rayon::prelude::*;
use serde_json::Value;
use support::{Ran, nimwave, run, snapshot, updating, words};

/// The version of the program, which stands in manual pages and manifests.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Longer outputs are cut, and their BLAKE3 stands for the rest.
const MOST_LINES: usize = 200;

/// JSON keys whose values differ from run to run or from machine to machine.
const VARYING_KEYS: [&str; 13] = [
    "bytes",
    "created",
    "date",
    "detail",
    "ended",
    "last_checkpoint",
    "machine",
    "peak_memory",
    "program_version",
    "seconds",
    "started",
    "threads",
    "updated",
];

/// Endings of files whose contents differ likewise: they tell of seconds and dates.
const VARYING_FILES: [&str; 9] = [
    ".html",
    "/log",
    "-of-2.json",
    "batch.json",
    "batch.log",
    "journal",
    "log.txt",
    "manifest.json",
    "result.json",
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots")
}

/// Names and their commands.
type Named = Vec<(String, String)>;

/// The lines of the list: what is made first, and the snapshots.
fn list() -> (Named, Named) {
    let text = fs::read_to_string(folder().join("commands.txt")).expect("the list of commands");
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let pair = |line: &str| {
        let (name, command) =
            line.split_once(':').unwrap_or_else(|| panic!("a name before the command: {line}"));
        (name.to_string(), command.trim().to_string())
    };
    let (made, all): (Named, Named) = lines.map(pair).partition(|(name, _)| name.starts_with("make "));
    let names: BTreeSet<&String> = all.iter().map(|(name, _)| name).collect();
    assert_eq!(names.len(), all.len(), "every name is there once");
    (made, all)
}

/// Copies a file, or a folder of files.
fn place(from: &Path, to: &Path) {
    if from.is_dir() {
        support::copy(from, to);
    } else {
        fs::copy(from, to).expect("a copy");
    }
}

/// Runs one command in `folder`; what stands after `<<<` is its standard input.
fn start(command: &str, folder: &Path) -> Ran {
    let (line, input) = command.split_once(" <<< ").unwrap_or((command, ""));
    let mut child = nimwave()
        .args(words(line))
        .current_dir(folder)
        .env_remove("COLUMNS")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let input = words(input).join(" ").replace("\\n", "\n");
    // A program that does not read its input may have ended before.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    Ran::from(child.wait_with_output().expect("it ends"))
}

/// Runs the commands of a snapshot in a new folder that holds the things which they name, and tells what happened.
fn take(command: &str, things: &[PathBuf]) -> String {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let folder = temporary.path();
    let named = words(&command.replace(" && ", " "));
    for thing in things {
        let name = thing.file_name().expect("a name");
        if named.iter().any(|word| **word == *name) {
            place(thing, &folder.join(name));
        }
    }
    let before = snapshot(folder);
    let mut text = String::new();
    for command in command.split(" && ") {
        let ran = start(command, folder);
        text += &format!("$ nimwave {command}\n{}", cut(&steady_output(&ran.out, folder)));
        let notes = steady_text(&ran.err, folder);
        text.extend(notes.lines().filter(|line| !is_progress(line)).map(|line| format!("! {line}\n")));
        text += &format!("exit {}\n", ran.code.map_or("by a signal".into(), |code| code.to_string()));
    }
    let changed = |(path, content): &(PathBuf, Vec<u8>)| before.get(path) != Some(content);
    for (path, content) in snapshot(folder).into_iter().filter(changed) {
        let path = path.strip_prefix(folder).expect("a file below the folder").display().to_string();
        let varies = VARYING_FILES.iter().any(|ending| path.ends_with(ending));
        let content = String::from_utf8(content)
            .map_or_else(|binary| binary.into_bytes(), |text| text.replace(VERSION, "VERSION").into());
        let sum = if varies { "...".into() } else { blake3::hash(&content).to_hex().to_string() };
        text += &format!("file {path} {sum}\n");
    }
    text
}

/// On a slow machine a command says how far it is: `batch: 83.3% (...`, or `2x14: 1; 4 of 6 cells`.
fn is_progress(line: &str) -> bool {
    line.contains("% (") || line.ends_with(" cells") && line.contains("; ")
}

/// Standard output without what differs from run to run; JSON in a form that people can read.
fn steady_output(text: &str, folder: &Path) -> String {
    match serde_json::from_str::<Value>(text) {
        Ok(mut value) if text.starts_with(['{', '[']) => {
            steady_json(&mut value);
            pretty(&value, 0) + "\n"
        }
        _ => steady_text(text, folder),
    }
}

fn steady_json(value: &mut Value) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(steady_json),
        Value::Object(object) => {
            for (key, value) in object.iter_mut().filter(|(_, value)| !value.is_null()) {
                match VARYING_KEYS.contains(&key.as_str()) {
                    true => *value = "...".into(),
                    false => steady_json(value),
                }
            }
        }
        _ => {}
    }
}

/// JSON, with what fits into 100 letters on one line.
fn pretty(value: &Value, depth: usize) -> String {
    let flat = value.to_string();
    let inner = "  ".repeat(depth + 1);
    let (brackets, lines): (_, Vec<String>) = match value {
        Value::Array(list) => (["[", "]"], list.iter().map(|one| pretty(one, depth + 1)).collect()),
        Value::Object(object) => {
            let line = |(key, one): (&String, &Value)| format!("\"{key}\": {}", pretty(one, depth + 1));
            (["{", "}"], object.iter().map(line).collect())
        }
        _ => return flat,
    };
    if flat.len() + 2 * depth <= 100 {
        return flat;
    }
    let lines: Vec<String> = lines.iter().map(|line| format!("\n{inner}{line}")).collect();
    format!("{}{}\n{}{}", brackets[0], lines.join(","), "  ".repeat(depth), brackets[1])
}

/// Text without seconds, rates, dates, versions, machines, and the name of the temporary folder.
fn steady_text(text: &str, folder: &Path) -> String {
    let text = text.replace(folder.to_str().expect("a UTF-8 path"), "FOLDER").replace(VERSION, "VERSION");
    text.split_inclusive('\n').map(steady_line).collect()
}

fn steady_line(line: &str) -> String {
    if line.starts_with("machine  ") {
        return "machine ...\n".into();
    }
    let mut words: Vec<String> = line.split(' ').map(String::from).collect();
    for at in 0..words.len() {
        let bare =
            |at: usize| words.get(at).map_or("", |word| word.trim_matches(|c: char| !c.is_alphanumeric()));
        let is_number = bare(at).starts_with(|c: char| c.is_ascii_digit());
        let unit = bare(at + 1);
        let is_date = bare(at).len() == 20 && bare(at).contains('T') && bare(at).ends_with('Z');
        let varies =
            bare(at).ends_with("/s") || unit == "s" || unit.ends_with("/s") || unit.starts_with("thread");
        if is_number && (is_date || varies) {
            words[at] = words[at].replace(bare(at), "...");
            // One thread or several.
            if let Some(unit) = words.get_mut(at + 1).filter(|unit| unit.contains("thread")) {
                *unit = unit.replace("threads", "thread").replace("thread", "threads");
            }
        }
    }
    words.join(" ")
}

/// The first lines of a long text, and the BLAKE3 of all of it.
fn cut(text: &str) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    match lines.len().checked_sub(MOST_LINES) {
        Some(more @ 1..) => {
            let sum = blake3::hash(text.as_bytes()).to_hex();
            format!("{}... and {more} lines more, BLAKE3 of all {sum}\n", lines[..MOST_LINES].concat())
        }
        _ if text.is_empty() || text.ends_with('\n') => text.to_string(),
        _ => format!("{text}\n"),
    }
}

/// The lines that differ, `-` as they were and `+` as they are, with two equal ones around them.
fn diff(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    // common[i][j]: the most lines that old[i..] and new[j..] have in common, in order.
    let mut common = vec![vec![0; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            common[i][j] = match old[i] == new[j] {
                true => common[i + 1][j + 1] + 1,
                false => common[i + 1][j].max(common[i][j + 1]),
            };
        }
    }
    let (mut i, mut j, mut lines) = (0, 0, Vec::new());
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            lines.push((' ', old[i]));
            (i, j) = (i + 1, j + 1);
        } else if j == new.len() || i < old.len() && common[i + 1][j] >= common[i][j + 1] {
            lines.push(('-', old[i]));
            i += 1;
        } else {
            lines.push(('+', new[j]));
            j += 1;
        }
    }
    let is_near =
        |at: usize| lines[at.saturating_sub(2)..lines.len().min(at + 3)].iter().any(|line| line.0 != ' ');
    let shown = (0..lines.len()).filter(|&at| is_near(at));
    shown.map(|at| format!("    {} {}\n", lines[at].0, lines[at].1)).collect()
}

#[test]
fn every_command_of_the_list_answers_as_before() {
    let (made, all) = list();
    let workshop = tempfile::tempdir().expect("a temporary folder");
    let inputs = fs::read_dir(folder().join("inputs")).expect("the inputs");
    let mut things: Vec<PathBuf> = inputs.map(|entry| entry.expect("an entry").path()).collect();
    for (name, command) in &made {
        assert_eq!(start(command, workshop.path()).code, Some(0), "{command}");
        things.push(workshop.path().join(name.trim_start_matches("make ")));
    }
    let now: BTreeMap<PathBuf, String> = all
        .par_iter()
        .map(|(name, command)| (folder().join(format!("{name}.txt")), take(command, &things)))
        .collect();
    // In the folder itself is only the list.
    let is_snapshot =
        |path: &PathBuf| path.parent() != Some(&folder()) && !path.starts_with(folder().join("inputs"));
    let before: BTreeMap<PathBuf, String> = snapshot(&folder())
        .into_iter()
        .filter(|(path, _)| is_snapshot(path))
        .map(|(path, text)| (path, String::from_utf8(text).expect("a text")))
        .collect();
    if updating() {
        for path in before.keys().filter(|path| !now.contains_key(*path)) {
            fs::remove_file(path).expect("it can be removed");
        }
        for (path, text) in &now {
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("it can be written");
        }
        return;
    }
    let paths: BTreeSet<&PathBuf> = before.keys().chain(now.keys()).collect();
    let text = |all: &BTreeMap<PathBuf, String>, path| all.get(path).cloned().unwrap_or_default();
    let wrong: Vec<String> = paths
        .into_iter()
        .filter(|path| before.get(*path) != now.get(*path))
        .map(|path| format!("{}\n{}", path.display(), diff(&text(&before, path), &text(&now, path))))
        .collect();
    assert!(wrong.is_empty(), "{} snapshots differ (- before, + now):\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_verb_and_every_game_has_a_snapshot() {
    let (_, all) = list();
    let asked = |start: String| {
        all.iter().any(|(_, command)| format!("{command} ").starts_with(&format!("{start} ")))
    };
    let help = run(&["--help"]).code(0).out;
    let verbs =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let verbs: Vec<String> =
        verbs.filter_map(|line| words(line).first().cloned()).filter(|verb| verb != "help").collect();
    let games = run(&["games", "--json"]).code(0).json();
    let games = games.as_array().expect("a list").iter().map(|game| game["name"].as_str().expect("a name"));
    let queries = games.map(|game| format!("query {game}"));
    let missing: Vec<String> =
        verbs.into_iter().chain(queries).filter(|start| !asked(start.clone())).collect();
    assert!(missing.is_empty(), "no snapshot begins with {missing:?}");
}
