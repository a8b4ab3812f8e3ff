//! Golden tables: small tables of every game have the BLAKE3 that `data/golden/tables.tsv` says, whatever kernel, engine or number
//! of threads fills them.

use crate::support;

use std::fs;
use std::path::Path;

use rayon::prelude::*;
use support::{Ran, nimwave, updating, words};

/// All the commands that a line with `{a,b}` stands for.
fn commands(line: &str) -> Vec<String> {
    let Some((before, rest)) = line.split_once('{') else { return vec![line.to_string()] };
    let (choices, after) = rest.split_once('}').expect("a closing brace");
    choices.split(',').flat_map(|choice| commands(&format!("{before}{choice}{after}"))).collect()
}

/// The BLAKE3 of the table that a command fills, or what went wrong.
fn sum(command: &str) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = nimwave().current_dir(&folder).args(words(command)).arg("--json").output();
    let ran = Ran::from(output.expect("the binary starts"));
    if ran.code == Some(0) { ran.blake3() } else { format!("exit {:?}: {}", ran.code, ran.err.trim()) }
}

/// A line of the golden file: its text without the sum, the sum, and what its commands give now.
struct Line<'a> {
    text: &'a str,
    golden: &'a str,
    found: Vec<(String, String)>,
}

impl<'a> Line<'a> {
    fn run(line: &'a str) -> Self {
        let (text, golden) = line.split_once('\t').unwrap_or((line, ""));
        let all = if text.starts_with('#') { Vec::new() } else { commands(text) };
        Self { text, golden, found: all.into_iter().map(|command| (sum(&command), command)).collect() }
    }

    /// The sum that all commands should have: that of the file, or, when it is written anew, that of the first one.
    fn expected(&self) -> &str {
        if updating() { self.found.first().map_or("", |(sum, _)| sum) } else { self.golden }
    }

    /// What differs, for people.
    fn differences(&self) -> impl Iterator<Item = String> {
        let expected = self.expected();
        let wrong = self.found.iter().filter(move |(sum, _)| sum != expected || sum.len() != 64);
        wrong.map(move |(sum, command)| format!("nimwave {command}\n  golden {expected}\n  found  {sum}\n"))
    }
}

#[test]
fn small_tables_of_every_game_have_their_golden_sums() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/golden/tables.tsv");
    let text = fs::read_to_string(&path).expect("the golden file");
    let lines: Vec<Line> = text.lines().collect::<Vec<_>>().into_par_iter().map(Line::run).collect();
    let wrong: Vec<String> = lines.iter().flat_map(Line::differences).collect();
    assert!(wrong.is_empty(), "{} tables differ:\n{}", wrong.len(), wrong.concat());
    assert!(lines.iter().flat_map(|line| &line.found).count() > 100, "the golden file is not whole");
    if updating() {
        let all = lines
            .iter()
            .map(|line| format!("{}\t{}", line.text, line.expected()).trim_end().to_string() + "\n");
        fs::write(path, all.collect::<String>()).expect("the golden file can be written");
    }
}
