//! Job files: reading them, and finding every mistake in the evening.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use toml::de::{DeTable, DeValue};

use super::share::Share;
use super::value::{Entry, Source, entries};
use crate::error::{Error, Result};
use crate::rules::catalog::suggestion;

/// What the command line knows and a job file needs: how numbers are written, and which commands and options there are.
pub trait Language {
    /// A length of time, as `90s` or `8h`.
    fn duration(&self, text: &str) -> Result<Duration, String>;
    /// A number of bytes, as `16Gi`.
    fn bytes(&self, text: &str) -> Result<u64, String>;
    /// A number of threads.
    fn threads(&self, text: &str) -> Result<usize, String>;
    /// The long options of the command that these words begin, without the dashes.
    fn options(&self, words: &[String]) -> Vec<String>;
    /// The message where these words begin no command; their keys cannot be judged then.
    fn unknown_command(&self, words: &[String]) -> Option<String>;
    /// Checks a whole command line, without the program's name.
    fn check(&self, words: &[String]) -> Result<(), String>;
}

/// One job: a command of this program with its options.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// Its name, which no other job has.
    pub name: String,
    /// The command line without the program's name, and without `--json`, `--threads` and `--memory`.
    pub words: Vec<String>,
    /// Whether the command prints a JSON object with `--json`.
    pub json: bool,
    /// The jobs that must be done before.
    pub after: Vec<String>,
    /// Run when the jobs of `after` have ended, however they ended.
    pub always: bool,
    /// The time that it may take, over all runs of the batch.
    pub time: Option<Duration>,
    /// The memory that it may take.
    pub memory: Option<u64>,
    /// Its threads; all of the batch's if not set.
    pub threads: Option<usize>,
    /// The line of its `[[job]]`.
    pub line: usize,
}

/// A job file that was read and checked.
#[derive(Debug, Clone, PartialEq)]
pub struct JobFile {
    /// Where it was read from.
    pub path: PathBuf,
    /// BLAKE3 of its text.
    pub hash: String,
    /// The folder of the results.
    pub output: PathBuf,
    /// The time that one run of the batch may take.
    pub time: Option<Duration>,
    /// The memory that all jobs that run at the same time may take.
    pub memory: Option<u64>,
    /// The threads that all jobs that run at the same time may have.
    pub threads: Option<usize>,
    /// The jobs, in the order of the file.
    pub jobs: Vec<Job>,
    /// The share of the jobs that is left, where not all are.
    pub share: Option<Share>,
}

/// Larger files are not job files.
const MAX_FILE: u64 = 4 << 20;
const TOP_KEYS: [&str; 5] = ["output", "time", "memory", "threads", "job"];
const JOB_KEYS: [&str; 8] = ["name", "command", "args", "after", "always", "time", "memory", "threads"];
/// What the batch itself sets.
const SET_BY_BATCH: [&str; 5] = ["json", "quiet", "verbose", "log", "help"];

impl JobFile {
    /// Reads and checks a job file. The error lists every mistake with its line.
    pub fn read(path: &Path, language: &dyn Language) -> Result<Self> {
        let length = std::fs::metadata(path).map_err(Error::io("cannot read", path))?.len();
        if length > MAX_FILE {
            return Err(Error::Usage(format!(
                "{}: {length} bytes are too many for a job file",
                path.display()
            )));
        }
        let text = std::fs::read(path).map_err(Error::io("cannot read", path))?;
        let text = String::from_utf8(text)
            .map_err(|_| Error::Usage(format!("{}: not a text in UTF-8", path.display())))?;
        Self::parse(path, &text, language)
    }

    /// Parses and checks the text of a job file; `path` is named in messages.
    pub fn parse(path: &Path, text: &str, language: &dyn Language) -> Result<Self> {
        let name = path.display().to_string();
        let source = Source { name: &name, text };
        let document = DeTable::parse(text).map_err(|error| {
            let line = source.line(error.span().map_or(0, |span| span.start));
            Error::Usage(source.at(line, format!("not TOML: {}", error.message())))
        })?;
        let mut reading = Reading { source, language, problems: Vec::new() };
        let file = reading.file(path, document.get_ref());
        match (file, &reading.problems[..]) {
            (Some(file), []) => Ok(file),
            (_, problems) => Err(Error::Usage(problems.join("\n"))),
        }
    }

    /// The job of this name.
    pub fn job(&self, name: &str) -> Option<&Job> {
        self.jobs.iter().find(|job| job.name == name)
    }
}

impl Job {
    /// What the job computes: two jobs of equal definitions give equal results.
    pub fn definition(&self) -> String {
        blake3::hash(self.words.join("\0").as_bytes()).to_hex().to_string()
    }
}

/// A file on its way to a [`JobFile`], with the mistakes found so far.
struct Reading<'a> {
    source: Source<'a>,
    language: &'a dyn Language,
    problems: Vec<String>,
}

impl<'a> Reading<'a> {
    fn problem(&mut self, line: usize, problem: impl std::fmt::Display) {
        self.problems.push(self.source.at(line, problem));
    }

    fn file(&mut self, path: &Path, document: &'a DeTable<'a>) -> Option<JobFile> {
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
                "output" => file.output = PathBuf::from(self.text(&entry).unwrap_or_default()),
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
        if file.output.as_os_str().is_empty() && self.problems.is_empty() {
            self.problem(1, "no output folder; write output = \"FOLDER\" at the top");
        }
        if file.jobs.is_empty() && self.problems.is_empty() {
            self.problem(1, "no jobs; write a table [[job]] with a name and a command for each");
        }
        self.check_names_and_order(&file);
        Some(file)
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

    /// Names are unique, `after` names jobs, and no job waits for itself.
    fn check_names_and_order(&mut self, file: &JobFile) {
        let names: BTreeSet<&str> = file.jobs.iter().map(|job| job.name.as_str()).collect();
        let mut seen = BTreeMap::new();
        for job in &file.jobs {
            if let Some(first) = seen.insert(job.name.as_str(), job.line) {
                self.problem(
                    job.line,
                    format!("the name `{}` is taken by the job of line {first}; choose another", job.name),
                );
            }
            for other in job.after.iter().filter(|other| !names.contains(other.as_str())) {
                let near = suggestion(other, names.iter().copied());
                self.problem(
                    job.line,
                    format!(
                        "job `{}` comes after `{other}`, which is not there; {near}check the name",
                        job.name
                    ),
                );
            }
        }
        if self.problems.is_empty()
            && let Some(cycle) = cycle(&file.jobs)
        {
            let line = file.job(cycle[0]).map_or(1, |job| job.line);
            let loop_text = cycle.join(" after ");
            self.problem(
                line,
                format!("these jobs wait for each other: {loop_text} after {}; remove one `after`", cycle[0]),
            );
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

/// Jobs that wait for each other in a circle.
fn cycle(jobs: &[Job]) -> Option<Vec<&str>> {
    // Take away jobs that wait for none of the rest; whoever remains waits for one that remains.
    let mut rest: BTreeMap<&str, &Job> = jobs.iter().map(|job| (job.name.as_str(), job)).collect();
    loop {
        let ready: Vec<&str> = rest
            .iter()
            .filter(|(_, job)| !job.after.iter().any(|other| rest.contains_key(other.as_str())))
            .map(|(name, _)| *name)
            .collect();
        if ready.is_empty() {
            break;
        }
        for name in ready {
            rest.remove(name);
        }
    }
    let mut walk = vec![*rest.keys().next()?];
    loop {
        let next = rest[walk[walk.len() - 1]].after.iter().find(|other| rest.contains_key(other.as_str()))?;
        if let Some(start) = walk.iter().position(|name| name == next) {
            walk.drain(..start);
            return Some(walk);
        }
        walk.push(next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A language of one command: `solve GAME` with `--max` (a number), `--values` and `--out`.
    struct Small;

    impl Language for Small {
        fn duration(&self, text: &str) -> Result<Duration, String> {
            text.parse().map(Duration::from_secs).map_err(|_| format!("`{text}` is no time"))
        }
        fn bytes(&self, text: &str) -> Result<u64, String> {
            text.parse().map_err(|_| format!("`{text}` are no bytes"))
        }
        fn threads(&self, text: &str) -> Result<usize, String> {
            text.parse().map_err(|_| format!("`{text}` are no threads"))
        }
        fn options(&self, _: &[String]) -> Vec<String> {
            ["max", "values", "out", "json", "quiet"].map(String::from).to_vec()
        }
        fn unknown_command(&self, words: &[String]) -> Option<String> {
            words.first().filter(|first| *first != "solve").map(|first| format!("no command {first}"))
        }
        fn check(&self, words: &[String]) -> Result<(), String> {
            match words.iter().find_map(|word| word.strip_prefix("--max=")) {
                Some(max) if max.parse::<u32>().is_err() => Err(format!("bad value {max} for '--max <N>'")),
                _ => Ok(()),
            }
        }
    }

    fn parse(text: &str) -> Result<JobFile> {
        JobFile::parse(Path::new("night.toml"), text, &Small)
    }

    #[track_caller]
    fn refused(text: &str, words: &[&str]) {
        let message = parse(text).expect_err("a mistake").to_string();
        for word in words {
            assert!(message.contains(word), "{word:?} is missing in: {message}");
        }
    }

    #[test]
    fn a_job_is_a_command_with_its_options_as_keys() {
        let file = parse(
            "output = \"night\"\nthreads = 2\n[[job]]\nname = \"a\"\ncommand = \"solve minnie\"\nmax = 1_000\nvalues = true\nout = \"a.table\"\n\
             [[job]]\nname = \"b\"\ncommand = [\"solve\", \"mine\"]\nargs = [3, \"x y\"]\nafter = [\"a\"]\nvalues = false\ntime = 60\nmax = [1, 2]",
        );
        // A list is joined by commas, which this small language does not take.
        assert!(file.is_err());
        let file = parse(
            "output = \"night\"\nthreads = 2\n[[job]]\nname = \"a\"\ncommand = \"solve minnie\"\nmax = 10\nvalues = true\nout = \"a.table\"\n\
             [[job]]\nname = \"b\"\ncommand = [\"solve\", \"mine\"]\nargs = [3, \"x y\"]\nafter = [\"a\"]\nvalues = false\ntime = 60",
        )
        .unwrap();
        assert_eq!(file.jobs[0].words, ["solve", "minnie", "--max=10", "--values", "--out=a.table"]);
        assert_eq!(file.jobs[1].words, ["solve", "mine", "3", "x y"]);
        assert_eq!((file.jobs[1].time, file.threads), (Some(Duration::from_secs(60)), Some(2)));
        assert_ne!(file.jobs[0].definition(), file.jobs[1].definition());
    }

    #[test]
    fn mistakes_are_named_with_their_lines_and_the_nearest_key() {
        let head = "output = \"night\"\n[[job]]\nname = \"a\"\ncommand = \"solve minnie\"\n";
        refused(&format!("{head}maks = 3"), &["night.toml:5:", "`maks`", "did you mean 'max'?"]);
        refused(&format!("{head}time = \"soon\""), &["night.toml:5:", "`soon`"]);
        refused(&format!("{head}max = \"x\""), &["night.toml:5:", "bad value x"]);
        refused(&format!("{head}json = true"), &["night.toml:5:", "set by the batch"]);
        refused("outptu = \"night\"", &["night.toml:1:", "did you mean 'output'?"]);
        refused("output = \"x\"\n[job]\nname = 3", &["night.toml:2:", "two brackets"]);
        refused(
            "output = \"x\"\n\n[[job]]\nname = \"../up\"\ncommand = \"solve\"",
            &["night.toml:4:", "letters"],
        );
        refused(
            "output = \"x\"\n[[job]]\nname = \"a\"\ncommand = \"solv\"",
            &["night.toml:4:", "no command solv"],
        );
        refused("output = \"x\"\n= 3", &["night.toml:2:", "not TOML"]);
        refused("output = \"x\"", &["no jobs"]);
        // Every mistake at once.
        refused(&format!("{head}maks = 3\nvaluse = true"), &["night.toml:5:", "night.toml:6:"]);
    }

    #[test]
    fn names_and_order_are_checked() {
        let jobs = |text: &str| {
            let jobs: String = text
                .split(' ')
                .map(|job| {
                    let (name, after) = job.split_once('<').unwrap_or((job, ""));
                    let after: Vec<String> = after
                        .split(',')
                        .filter(|name| !name.is_empty())
                        .map(|name| format!("{name:?}"))
                        .collect();
                    format!("[[job]]\nname = {name:?}\ncommand = \"solve\"\nafter = [{}]\n", after.join(","))
                })
                .collect();
            format!("output = \"x\"\n{jobs}")
        };
        assert!(parse(&jobs("a b<a c<a,b")).is_ok());
        refused(&jobs("a a"), &["night.toml:6:", "taken by the job of line 2"]);
        refused(&jobs("first b<fist"), &["after `fist`", "did you mean 'first'?"]);
        refused(&jobs("s a<s,c b<a c<b d<c"), &["wait for each other", "a after c after b after a"]);
        refused(&jobs("a<a"), &["a after a"]);
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_a_panic(text in "(?s).{0,200}") {
            let _ = parse(&text);
        }

        #[test]
        fn any_toml_like_text_is_read_without_a_panic(
            lines in proptest::collection::vec("(\\[\\[?job\\]?\\]|(name|command|after|max|time|output|args|é) = (\"[a-zé ]{0,5}\"|[0-9]{1,3}|\\[[1,\" ]{0,4}\\]|true|\\{\\}))", 0..12)
        ) {
            let _ = parse(&lines.join("\n"));
        }
    }
}
