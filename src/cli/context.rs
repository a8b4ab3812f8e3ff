//! What all commands share: global options, threads, the stop flag, printing, the log.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use anyhow::Context as _;
use clap::Args;
use serde_json::Value;

use super::log::Log;
use super::numbers::{self, Threads};
use super::progress::ProgressReport;
use super::signals;
use crate::base::machine::available_memory;
use crate::base::{Control, Error, Exit, Observer, files, printable};
use crate::batch::PARENT_VARIABLE;

/// Options of every command.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Options of every command")]
pub struct Globals {
    /// Print one JSON object instead of text.
    #[arg(long, global = true)]
    pub json: bool,
    /// No progress and no notes on standard error.
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// More notes on standard error.
    #[arg(long, short, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// Append notes and progress, with the time, to this file; also with --quiet.
    #[arg(long, global = true, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Threads to use; all cores by default. Bench takes a list, such as 1,2,4.
    #[arg(long, global = true, value_name = "N", value_parser = numbers::thread_list)]
    pub threads: Option<Threads>,
    /// A file of rules with names: each is then a game (docs/RULES.md).
    #[arg(long, global = true, value_name = "FILE")]
    pub rules: Option<PathBuf>,
    /// Memory to use at most, such as 8e9 or 16Gi; what is free by default.
    #[arg(long, global = true, value_name = "BYTES", value_parser = numbers::bytes)]
    pub memory: Option<u64>,
}

impl Globals {
    /// The number of threads, where one was chosen; of a list, the last one.
    pub fn threads(&self) -> Option<usize> {
        self.threads.as_ref().and_then(|Threads(list)| list.last().copied())
    }

    /// The numbers of threads, where they were chosen.
    pub fn thread_list(&self) -> Option<&[usize]> {
        self.threads.as_ref().map(|Threads(list)| &list[..])
    }
}

/// What all commands share.
#[derive(Debug)]
pub struct Context {
    /// The global options.
    pub globals: Globals,
    /// Set by the first Ctrl-C, SIGTERM or SIGHUP.
    pub stop: Arc<AtomicBool>,
    /// The bytes of memory that a search may take: what was allowed, or what is free.
    memory: Option<u64>,
    log: Log,
    /// Why the result could not be printed.
    unprinted: OnceLock<Error>,
}

impl Context {
    /// Sets up logging, threads and signals. Only `bench` takes a list of numbers of threads.
    pub fn new(globals: Globals, takes_thread_list: bool) -> anyhow::Result<Self> {
        if !takes_thread_list && globals.thread_list().is_some_and(|list| list.len() > 1) {
            return Err(
                Error::Usage("--threads takes one number here; only bench takes a list".into()).into()
            );
        }
        let mut log = globals.log.as_deref().map(Log::append_to).transpose()?.unwrap_or_default();
        log.verbose = wants_details(&globals);
        if let Some(threads) = globals.threads() {
            rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build_global()
                .context("cannot start the threads")?;
        }
        let stop = Arc::new(AtomicBool::new(false));
        signals::stop_by(&stop)?;
        signals::end_well_on_full_disks()?;
        stop_with_parent(&stop);
        // A quarter stays for what a search cannot count, and for others.
        let memory = globals.memory.or_else(|| available_memory().map(|free| free / 4 * 3));
        Ok(Self { globals, stop, memory, log, unprinted: OnceLock::new() })
    }

    /// Whether the user asked to stop.
    pub fn stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Prints the result: the JSON object, or the text.
    pub fn print(&self, json: impl FnOnce() -> Value, text: impl FnOnce() -> String) {
        let output = if self.globals.json { json().to_string() } else { printable(&text()).into_owned() };
        self.print_bytes(format!("{}\n", output.trim_end()).as_bytes());
    }

    /// As [`Self::print`], but a note where standard output already is the `output` of the command.
    pub fn print_beside(
        &self,
        output: Option<&Path>,
        json: impl FnOnce() -> Value,
        text: impl FnOnce() -> String,
    ) {
        if output.is_some_and(files::is_standard_output) { self.note(text()) } else { self.print(json, text) }
    }

    /// Writes to standard output. [`Self::end`] tells of an error, so that the work goes on to its end.
    pub fn print_bytes(&self, bytes: &[u8]) {
        use std::io::Write;
        let mut out = std::io::stdout().lock();
        match out.write_all(bytes).and_then(|()| out.flush()) {
            // A reader that has seen enough (as `head`) is not an error.
            Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
                let path = Path::new("to standard output");
                let _ = self.unprinted.set(Error::io("cannot write", path)(error));
            }
            _ => {}
        }
    }

    /// The exit code of a command that has done its work: an error if its result could not be printed.
    pub fn end(self, code: Exit) -> anyhow::Result<Exit> {
        self.unprinted.into_inner().map_or(Ok(code), |error| Err(error.into()))
    }

    /// A note for people on standard error, and in the log.
    pub fn note(&self, text: impl AsRef<str>) {
        let text = printable(text.as_ref());
        if !self.globals.quiet {
            eprintln!("{text}");
        }
        self.log.line(&text);
    }

    /// A detail for people who asked for them with `-v`.
    pub fn detail(&self, text: impl FnOnce() -> String) {
        if self.log.verbose {
            self.note(text());
        }
    }

    /// Runs until the user stops it, within the memory that was allowed; `observer` is told how it gets on.
    pub fn control<'a>(&'a self, observer: &'a dyn Observer) -> Control<'a> {
        Control { stop: &self.stop, memory: self.memory, observer, ..Control::silent() }
    }

    /// A progress report on standard error, and in the log.
    pub fn progress(&self, title: &str) -> ProgressReport {
        ProgressReport::new(title, self.globals.quiet, self.log.clone())
    }
}

/// Whether details are wanted: by `-v`, or by NIMWAVE_LOG, which goes first.
fn wants_details(globals: &Globals) -> bool {
    match std::env::var("NIMWAVE_LOG") {
        Ok(level) => ["info", "debug", "trace"].contains(&level.to_ascii_lowercase().as_str()),
        Err(_) => globals.verbose > 0 && !globals.quiet,
    }
}

/// A command that a batch has started stops when the batch is gone, as if by SIGTERM: it writes its
/// checkpoint and ends.
fn stop_with_parent(stop: &AtomicBool) {
    let Some(parent) = std::env::var(PARENT_VARIABLE).ok().and_then(|id| id.parse::<i32>().ok()) else {
        return;
    };
    // Where the system cannot do it, the command simply runs to its end.
    let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::TERM));
    // The parent may have ended before the line above.
    if rustix::process::getppid().is_none_or(|id| id.as_raw_nonzero().get() != parent) {
        stop.store(true, Relaxed);
    }
}
