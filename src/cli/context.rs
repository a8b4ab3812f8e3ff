//! What all commands share: global options, threads, the stop flag, printing.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use anyhow::Context as _;
use clap::Args;
use serde_json::Value;
use tracing_subscriber::EnvFilter;

use super::numbers;
use super::progress::ProgressReport;

/// Options of every command.
#[derive(Debug, Clone, Args)]
pub struct Globals {
    /// Print one JSON object instead of text.
    #[arg(long, global = true)]
    pub json: bool,
    /// No progress and no notes on standard error.
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// More notes on standard error (-v, -vv).
    #[arg(long, short, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// Threads to use; all cores by default.
    #[arg(long, global = true, value_name = "N", value_parser = numbers::threads)]
    pub threads: Option<usize>,
    /// Memory to use at most, as 8e9 or 16Gi; what is free by default.
    #[arg(long, global = true, value_name = "BYTES", value_parser = numbers::bytes)]
    pub memory: Option<u64>,
}

/// What all commands share.
#[derive(Debug)]
pub struct Context {
    /// The global options.
    pub globals: Globals,
    /// Set by the first Ctrl-C or SIGTERM.
    pub stop: Arc<AtomicBool>,
}

impl Context {
    /// Sets up logging, threads and signals.
    pub fn new(globals: Globals) -> anyhow::Result<Self> {
        let level = match (globals.quiet, globals.verbose) {
            (true, _) => "error",
            (_, 0) => "warn",
            (_, 1) => "info",
            _ => "debug",
        };
        let filter = EnvFilter::try_from_env("NIMWAVE_LOG").unwrap_or_else(|_| EnvFilter::new(level));
        // A second subscriber, as when a test runs several commands in one process, is not an error.
        let _ = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).try_init();
        if let Some(threads) = globals.threads {
            rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build_global()
                .context("cannot start the threads")?;
        }
        let stop = Arc::new(AtomicBool::new(false));
        for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
            // The second signal ends the process at once; what is on disk can still be resumed.
            signal_hook::flag::register_conditional_shutdown(signal, 3, Arc::clone(&stop))?;
            signal_hook::flag::register(signal, Arc::clone(&stop))?;
        }
        Ok(Self { globals, stop })
    }

    /// Whether the user asked to stop.
    pub fn stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Prints the result: the JSON object, or the text.
    pub fn print(&self, json: impl FnOnce() -> Value, text: impl FnOnce() -> String) {
        use std::io::Write;
        let output = if self.globals.json { json().to_string() } else { text() };
        let mut out = std::io::stdout().lock();
        // A reader that has seen enough (as `head`) is not an error.
        let _ = writeln!(out, "{}", output.trim_end());
        let _ = out.flush();
    }

    /// A note for people on standard error.
    pub fn note(&self, text: impl AsRef<str>) {
        if !self.globals.quiet {
            eprintln!("{}", text.as_ref());
        }
    }

    /// A progress report on standard error.
    pub fn progress(&self, title: &str) -> ProgressReport {
        ProgressReport::new(title, self.globals.quiet)
    }
}

/// 0 if `good`, otherwise 1.
pub fn verdict(good: bool) -> ExitCode {
    ExitCode::from(u8::from(!good))
}
