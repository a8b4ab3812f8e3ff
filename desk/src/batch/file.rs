//! Job files: reading them, and finding every mistake in the evening.

use std::path::{Path, PathBuf};
use std::time::Duration;

use toml::de::DeTable;

use super::reading::Reading;
use super::share::Share;
use super::value::Source;
use crate::base::files;
use crate::base::{Error, Result};

/// What the command line knows and a job file needs: how numbers are written, and which commands and options
/// there are.
pub trait Language {
    /// A length of time, such as `90s` or `8h`.
    fn duration(&self, text: &str) -> Result<Duration, String>;
    /// A number of bytes, such as `16Gi`.
    fn bytes(&self, text: &str) -> Result<u64, String>;
    /// A number of threads.
    fn threads(&self, text: &str) -> Result<usize, String>;
    /// The long options of the command that these words begin, without the dashes.
    fn options(&self, words: &[String]) -> Vec<String>;
    /// The message where these words begin no command; their keys cannot be judged then.
    fn unknown_command(&self, words: &[String]) -> Option<String>;
    /// Checks a whole command line, without the program's name.
    fn check(&self, words: &[String]) -> Result<(), String>;
    /// The files and folders that a command line names.
    fn files(&self, words: &[String]) -> Files;
}

/// The files and folders that a command names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Files {
    /// It reads them.
    pub reads: Vec<String>,
    /// It makes them.
    pub writes: Vec<String>,
    /// It reads and extends them, as other commands may.
    pub keeps: Vec<String>,
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
    /// The files and folders that it makes, as it names them.
    pub writes: Vec<String>,
    /// Those that it reads.
    pub reads: Vec<String>,
    /// Those that it reads and extends.
    pub keeps: Vec<String>,
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
    /// The folder of the results; empty where the file names none.
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

impl JobFile {
    /// Reads and checks a job file. The error lists every mistake with its line.
    pub fn read(path: &Path, language: &dyn Language) -> Result<Self> {
        let text = files::read_text(path, MAX_FILE).map_err(Error::io("cannot read the job file", path))?;
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
        Reading::new(source, language)
            .file(path, document.get_ref())
            .map_err(|problems| Error::Usage(problems.join("\n")))
    }

    /// The job of this name.
    pub fn job(&self, name: &str) -> Option<&Job> {
        self.jobs.iter().find(|job| job.name == name)
    }
}

impl Job {
    /// Whether the command itself has a limit of time.
    pub fn limits_its_time(&self) -> bool {
        self.words.iter().any(|word| word == "--time" || word.starts_with("--time="))
    }

    /// What the job computes: two jobs of equal definitions give equal results.
    pub fn definition(&self) -> String {
        blake3::hash(self.words.join("\0").as_bytes()).to_hex().to_string()
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
            text.parse().map(Duration::from_secs).map_err(|_| format!("`{text}` is not a time"))
        }
        fn bytes(&self, text: &str) -> Result<u64, String> {
            text.parse().map_err(|_| format!("`{text}` is not a number of bytes"))
        }
        fn threads(&self, text: &str) -> Result<usize, String> {
            text.parse().map_err(|_| format!("`{text}` is not a number of threads"))
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
        fn files(&self, _: &[String]) -> Files {
            Files::default()
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
