//! From the TOML of a job file to its jobs, with every mistake on the way.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use toml::de::{DeTable, DeValue};

use super::file::{Files, Job, JobFile, Language};
use super::order::mistakes;
use super::value::{Entry, Source, entries};
use crate::game::suggestion;

const TOP_KEYS: [&str; 5] = ["output", "time", "memory", "threads", "job"];
const JOB_KEYS: [&str; 8] = ["name", "command", "args", "after", "always", "time", "memory", "threads"];
/// What the batch itself sets.
const SET_BY_BATCH: [&str; 5] = ["json", "quiet", "verbose", "log", "help"];

/// A file on its way to a [`JobFile`], with the mistakes found so far.
pub struct Reading<'a> {
    source: Source<'a>,
    language: &'a dyn Language,
    problems: Vec<String>,
}

impl<'a> Reading<'a> {
    /// A file of which nothing has been read yet.
    pub fn new(source: Source<'a>, language: &'a dyn Language) -> Self {
        Self { source, language, problems: Vec::new() }
    }

    fn problem(&mut self, line: usize, problem: impl std::fmt::Display) {
        self.problems.push(self.source.at(line, problem));
    }

    /// The job file, or all its mistakes.
    pub fn file(mut self, path: &Path, document: &'a DeTable<'a>) -> Result<JobFile, Vec<String>> {
        let mut file = JobFile {
            path: path.to_path_buf(),
            hash: blake3::hash(self.source.text.as_bytes()).to_hex().to_string(),
            output: PathBuf::new(),
            time: None,
            memory: None,
            threads: None,
            jobs: Vec::new(),
            share: None,
        };
        for entry in entries(document, &self.source) {
            match entry.key {
                // Beside the job file, wherever the command is given.
                "output" => {
                    if let Some(text) = self.text(&entry).filter(|text| !text.is_empty()) {
                        file.output = path.parent().unwrap_or(Path::new("")).join(text);
                    }
                }
                "time" => file.time = self.duration(&entry),
                "memory" => file.memory = self.bytes(&entry),
                "threads" => file.threads = self.threads(&entry),
                "job" => file.jobs = self.jobs(&entry),
                key => {
                    let near = suggestion(key, TOP_KEYS.into_iter());
                    self.problem(entry.line, format!("unknown key `{key}`; {near}a job file has output, time, memory, threads and [[job]] tables"));
                }
            }
        }
        if file.jobs.is_empty() && self.problems.is_empty() {
            self.problem(1, "no jobs; write a table [[job]] with a name and a command for each");
        }
        for (line, problem) in mistakes(&file.jobs, self.problems.is_empty()) {
            self.problem(line, problem);
        }
        if self.problems.is_empty() { Ok(file) } else { Err(self.problems) }
    }

    fn jobs(&mut self, entry: &Entry<'a>) -> Vec<Job> {
        let DeValue::Array(items) = entry.value else {
            self.problem(entry.line, "jobs are tables; write [[job]] with two brackets");
            return Vec::new();
        };
        let mut jobs = Vec::new();
        for item in items.iter() {
            let line = self.source.line(item.span().start);
            match item.get_ref() {
                DeValue::Table(table) => jobs.extend(self.job(table, line)),
                _ => self.problem(line, "a job is a table; write [[job]] and its keys below"),
            }
        }
        jobs
    }

    fn job(&mut self, table: &'a DeTable<'a>, line: usize) -> Option<Job> {
        let all = entries(table, &self.source);
        let before = self.problems.len();
        let find = |key: &str| all.iter().find(|entry| entry.key == key);
        let mut job = Job {
            name: find("name").and_then(|entry| self.text(entry)).unwrap_or_default(),
            words: Vec::new(),
            json: true,
            after: Vec::new(),
            always: false,
            time: None,
            memory: None,
            threads: None,
            writes: Vec::new(),
            reads: Vec::new(),
            keeps: Vec::new(),
            line,
        };
        if !is_name(&job.name) {
            let line = find("name").map_or(line, |entry| entry.line);
            self.problem(
                line,
                "a job needs a name of letters, digits, `-`, `_` and `.`, as name = \"minnie-4\"",
            );
        }
        let mut command = Vec::new();
        match find("command") {
            Some(entry) => command = self.command(entry),
            None => self.problem(line, "a job needs a command, as command = \"solve minnie\""),
        }
        let unknown = self.language.unknown_command(&command);
        if let (Some(message), Some(entry)) = (&unknown, find("command")) {
            self.problem(entry.line, message);
        }
        let known = self.language.options(&command);
        let mut settings = Vec::new();
        for entry in &all {
            match entry.key {
                "name" | "command" => {}
                "args" => match entry.words(&self.source) {
                    Some(words) => command.extend(words),
                    None => self.problem(entry.line, "args is a list of words, as args = [\"4\", \"6\"]"),
                },
                "after" => match entry.words(&self.source) {
                    Some(names) => job.after = names,
                    None => self.problem(entry.line, "after is a list of names of jobs"),
                },
                "always" => match entry.value {
                    DeValue::Boolean(always) => job.always = *always,
                    _ => self.problem(entry.line, "always is true or false"),
                },
                "time" => job.time = self.duration(entry),
                "memory" => job.memory = self.bytes(entry),
                "threads" => job.threads = self.threads(entry),
                _ if !command.is_empty() && unknown.is_none() => {
                    settings.extend(self.setting(entry, &command, &known))
                }
                _ => {}
            }
        }
        let line_of: BTreeMap<String, usize> =
            settings.iter().map(|(words, line): &(Vec<String>, usize)| (words[0].clone(), *line)).collect();
        job.words = command;
        job.words.extend(settings.into_iter().flat_map(|(words, _)| words));
        if self.problems.len() == before {
            self.check_command(&mut job, &line_of);
            Files { reads: job.reads, writes: job.writes, keeps: job.keeps } =
                self.language.files(&job.words);
        }
        Some(job)
    }

    fn command(&mut self, entry: &Entry<'a>) -> Vec<String> {
        let words = match entry.value {
            DeValue::String(text) => text.split_whitespace().map(String::from).collect(),
            _ => entry.words(&self.source).unwrap_or_default(),
        };
        if words.is_empty() {
            self.problem(entry.line, "a command is a text or a list of words, as command = \"solve minnie\"");
        }
        words
    }

    /// The option that `key = value` stands for.
    fn setting(
        &mut self,
        entry: &Entry<'a>,
        command: &[String],
        known: &[String],
    ) -> Option<(Vec<String>, usize)> {
        let key = entry.key.replace('_', "-");
        if SET_BY_BATCH.contains(&key.as_str()) {
            self.problem(entry.line, format!("`{key}` is set by the batch itself; leave it out"));
            return None;
        }
        if !known.contains(&key) {
            let names = known.iter().map(String::as_str).filter(|name| !SET_BY_BATCH.contains(name));
            let near = suggestion(&key, names.chain(JOB_KEYS));
            let words = command.join(" ");
            self.problem(
                entry.line,
                format!("unknown key `{}`; {near}`nimwave {words} --help` lists the options", entry.key),
            );
            return None;
        }
        let option = format!("--{key}");
        let words = match entry.value {
            DeValue::Boolean(true) => vec![option],
            DeValue::Boolean(false) => return None,
            _ => match entry.words(&self.source) {
                Some(words) => vec![format!("{option}={}", words.join(","))],
                None => {
                    self.problem(
                        entry.line,
                        format!("`{}` must be a number, a text, true, false or a list", entry.key),
                    );
                    return None;
                }
            },
        };
        Some((words, entry.line))
    }

    /// Lets the command line itself read the words.
    fn check_command(&mut self, job: &mut Job, line_of: &BTreeMap<String, usize>) {
        let with_json = [&job.words[..], &["--json".to_string()]].concat();
        if self.language.check(&with_json).is_ok() {
            return;
        }
        match self.language.check(&job.words) {
            Ok(()) => job.json = false,
            Err(message) => {
                let option = |words: &str| words.split('=').next().unwrap_or(words).to_string();
                let line = line_of.iter().find(|(words, _)| message.contains(&option(words)));
                self.problem(
                    line.map_or(job.line, |(_, line)| *line),
                    format!("job `{}`: {message}", job.name),
                );
            }
        }
    }

    fn text(&mut self, entry: &Entry<'_>) -> Option<String> {
        match entry.value {
            DeValue::String(text) => Some(text.to_string()),
            _ => {
                self.problem(entry.line, format!("`{}` is a text in quotes", entry.key));
                None
            }
        }
    }

    fn parsed<T>(&mut self, entry: &Entry<'_>, parse: impl Fn(&str) -> Result<T, String>) -> Option<T> {
        match entry
            .word()
            .ok_or_else(|| format!("`{}` is a number or a text", entry.key))
            .and_then(|word| parse(&word))
        {
            Ok(value) => Some(value),
            Err(message) => {
                self.problem(entry.line, message);
                None
            }
        }
    }

    fn duration(&mut self, entry: &Entry<'_>) -> Option<Duration> {
        let language = self.language;
        self.parsed(entry, |text| language.duration(text))
    }

    fn bytes(&mut self, entry: &Entry<'_>) -> Option<u64> {
        let language = self.language;
        self.parsed(entry, |text| language.bytes(text))
    }

    fn threads(&mut self, entry: &Entry<'_>) -> Option<usize> {
        let language = self.language;
        self.parsed(entry, |text| language.threads(text))
    }
}

/// Whether `name` can be the name of a folder everywhere.
fn is_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    !name.is_empty() && name.len() <= 100 && !name.starts_with(['.', '-']) && name.chars().all(plain)
}
