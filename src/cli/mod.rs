//! The command line: one file a subcommand. Arguments become a plain struct, one library call does the work,
//! and the result is printed: for people, or with `--json` as one JSON object.

mod audit;
mod batch;
mod batch_plan;
mod bench;
mod cluster;
mod compare;
mod completions;
mod context;
mod cookie;
mod count;
mod estimate;
mod export;
mod games;
mod heap_games;
mod info;
mod log;
mod minnie_row;
mod misere;
mod octal;
mod oeis;
mod period;
mod play;
mod plot;
mod probe;
mod progress;
mod prove;
mod query;
mod query_graph;
mod query_stream;
mod report;
mod rule_sequence;
mod scan;
mod selftest;
mod signals;
mod slices;
mod solve;
mod status;
mod summary;
mod survey;
mod values;
mod verify;

pub use crate::base::numbers::{self, bytes, count, duration, position};
pub use context::{Context, Globals};
pub use signals::out_of_memory;

use std::ffi::OsString;
use std::path::Path;
use std::sync::LazyLock;

use clap::error::{ContextKind, ContextValue};
use clap::{Parser, Subcommand};

use crate::base::shell::quoted;
use crate::base::{Error, Exit, Isa};
use crate::game::rule_file;
use crate::rules::OctalGame;

/// Enumerate impartial games in parallel waves, into verified tables.
#[derive(Debug, Parser)]
#[command(name = "nimwave", version, long_version = long_version(), max_term_width = 110, after_help = after_help())]
pub struct Cli {
    #[command(flatten)]
    globals: Globals,
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "Examples:
  nimwave probe 5.6                                   # test Conjecture 5.6 on 4, 5 and 6 heaps
  nimwave solve minnie --heaps 4 --max 200 --out m4   # a table of outcomes in the folder m4
  nimwave verify m4 --full                            # prove it right, entry by entry
  nimwave query minnie 5 5 8 11                       # who wins, and how
  nimwave values octal 0.6 --terms 100                # a hundred Grundy values on the screen
  nimwave query rule 'take s from one heap where s <= 2*min' 5 5 8   # a game of your own in one line
  nimwave prove minnie                                # who wins, for all heap sizes and heap counts
  nimwave survey rule 'take s from one heap where s <= a*min + b' --a 1..3 --b 0..5";

/// What `--version` says (and `-V` does not): what a report of a bug or a record of speed needs to name.
fn long_version() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let features = if cfg!(feature = "mpi") { "cli, mpi" } else { "cli" };
        format!(
            "{}\ncommit: {}\nfeatures: {features}\ninstruction set: {:?} (NIMWAVE_ISA narrows it)",
            env!("CARGO_PKG_VERSION"),
            env!("NIMWAVE_COMMIT"),
            Isa::detect(),
        )
    });
    &TEXT
}

/// What stands at the end of the help: examples, and the one table of exit codes.
fn after_help() -> String {
    format!("{EXAMPLES}\n\n{}", Exit::table())
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Fill a table of outcomes or Grundy values.
    Solve(solve::Args),
    /// Outcome, value and all winning moves of a position.
    Query(query::Args),
    /// Check a table by code that did not make it.
    Verify(verify::Args),
    /// Show what a table holds, how it was made and how it was verified.
    Info(info::Args),
    /// Show how far runs are, from another terminal or machine.
    Status(status::Args),
    /// Say whether, and where, two tables differ.
    Compare(compare::Args),
    /// Test a conjecture up to a bound.
    Probe(probe::Args),
    /// List every game with its source, its parameters and an example.
    Games(games::Args),
    /// Test the claims of the literature: all of them, or those that are named.
    Audit(audit::Args),
    /// Run a game over all connected graphs of an order, or over graphs from standard input.
    Scan(scan::Args),
    /// Show terms, a row or a matrix of a game, on the screen or in the formats of export.
    Values(values::Args),
    /// Write a table, or a part of it, as text, CSV, JSON, NPY, b-file, Markdown or LaTeX.
    Export(export::Args),
    /// Look a sequence up in a local copy of the OEIS.
    Oeis(oeis::Args),
    /// Fill a table of values in the layout of the literature.
    Table(TableArgs),
    /// Draw a picture.
    Plot(plot::Args),
    /// One HTML page about tables: verdicts, checksums, pictures, and parts to explore.
    Report(report::Args),
    /// Prove a statement for all heap sizes, with a certificate.
    Prove(prove::Args),
    /// Work out misère quotients of octal games, heap by heap, and prove them for all heaps.
    Misere(misere::Args),
    /// Survey a family of rules: a theorem about each game, or what is seen; resumable.
    Survey(survey::Args),
    /// Count P-positions exactly, from a theorem or a table.
    Count(count::Args),
    /// Prove the period of a sequence of values.
    Period(period::Args),
    /// Measure the kernels on this machine, as ratios in one run.
    Bench(bench::Args),
    /// Run the jobs of a file, one after the other or side by side; resumable.
    Batch(batch::Args),
    /// Check kernels, resume and disk on this machine, before a long run.
    Selftest(selftest::Args),
    /// Play a game against the program, which plays perfectly.
    Play(play::Args),
    /// Print the completions of a shell.
    Completions(completions::Args),
    /// Print the manual page, or write one for every command.
    Man(completions::ManArgs),
}

/// Arguments of `table`.
#[derive(Debug, clap::Args)]
struct TableArgs {
    #[command(subcommand)]
    game: TableGame,
}

#[derive(Debug, Subcommand)]
enum TableGame {
    /// Cookie cutter: full boards, rows by columns.
    #[command(
        after_help = "Example:\n  nimwave table cookie --cutter inf --rows 1..6 --cols 1..15 --time 5m"
    )]
    Cookie(cookie::TableArgs),
}

impl Command {
    /// Whether standard output is the file that the command writes.
    fn writes_to_standard_output(&self) -> bool {
        match self {
            Self::Export(args) => args.writes_to_standard_output(),
            Self::Values(args) => args.writes_to_standard_output(),
            _ => false,
        }
    }

    /// Whether a command that is stopped must write, print or remove something first: a checkpoint, solved parts, the
    /// state of a batch, the quotients so far, the folders of a test.
    fn keeps_what_it_found(&self) -> bool {
        use Command::{Batch, Misere, Plot, Probe, Scan, Selftest, Solve, Survey, Table};
        match self {
            Plot(args) => args.keeps_what_it_found(),
            command => matches!(
                command,
                Solve(_) | Batch(_) | Table(_) | Misere(_) | Probe(_) | Scan(_) | Selftest(_) | Survey(_)
            ),
        }
    }
}

impl Cli {
    /// Runs the command.
    pub fn run(self) -> anyhow::Result<Exit> {
        Isa::check_environment()?;
        let context = Context::new(self.globals, matches!(self.command, Command::Bench(_)))?;
        if !self.command.keeps_what_it_found() {
            signals::end_soon_after_stop()?;
        }
        let code = match self.command {
            Command::Solve(args) => solve::run(args, &context),
            Command::Query(args) => query::run(args, &context),
            Command::Verify(args) => verify::run(args, &context),
            Command::Info(args) => info::run(args, &context),
            Command::Status(args) => status::run(args, &context),
            Command::Compare(args) => compare::run(args, &context),
            Command::Probe(args) => probe::run(args, &context),
            Command::Games(args) => games::run(args, &context),
            Command::Audit(args) => audit::run(args, &context),
            Command::Scan(args) => scan::run(args, &context),
            Command::Values(args) => values::run(args, &context),
            Command::Export(args) => export::run(args, &context),
            Command::Oeis(args) => oeis::run(args, &context),
            Command::Table(TableArgs { game: TableGame::Cookie(args) }) => cookie::table(&args, &context),
            Command::Plot(args) => plot::run(args, &context),
            Command::Report(args) => report::run(args, &context),
            Command::Prove(args) => prove::run(args, &context),
            Command::Misere(args) => misere::run(args, &context),
            Command::Survey(args) => survey::run(args, &context),
            Command::Count(args) => count::run(args, &context),
            Command::Period(args) => period::run(args, &context),
            Command::Bench(args) => bench::run(args, &context),
            Command::Batch(args) => batch::run(args, &context),
            Command::Selftest(args) => selftest::run(args, &context),
            Command::Play(args) => play::run(args, &context),
            Command::Completions(args) => completions::run(args, &context),
            Command::Man(args) => completions::man(args, &context),
        }?;
        context.end(code)
    }
}

/// Makes the rules of the file after `--rules`, if there is one, games: their names are commands, so that they
/// must be known before the command line is understood.
pub fn register_rules(arguments: impl IntoIterator<Item = OsString>) -> crate::Result<()> {
    let mut arguments = arguments.into_iter().take_while(|word| word != "--");
    while let Some(word) = arguments.next() {
        let path = match word.to_str().map(|word| word.strip_prefix("--rules")) {
            Some(Some("")) => arguments.next(),
            Some(Some(rest)) => rest.strip_prefix('=').map(OsString::from),
            _ => None,
        };
        if let Some(path) = path {
            return rule_file::register_all(Path::new(&path));
        }
    }
    Ok(())
}

/// How a command that failed with this error ends.
pub fn exit_of(error: &anyhow::Error) -> Exit {
    error.downcast_ref().map_or(Exit::Error, Error::exit)
}

/// What else to write, where an octal game was named as if it were a command: `solve kayles` for `solve octal
/// kayles`.
pub fn tip_for(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    let is_octal =
        ["subtraction", "all-but", "cookie-row"].contains(&word.as_str()) || OctalGame::read(word).is_ok();
    is_octal.then(|| octal_tip(word, std::env::args().skip(1)))
}

/// What was typed, with the word that is missing.
fn octal_tip(word: &str, typed: impl Iterator<Item = String>) -> String {
    let mut typed: Vec<String> = typed.collect();
    if let Some(at) = typed.iter().position(|argument| argument == word) {
        typed.insert(at, "octal".into());
    }
    let typed: Vec<String> = typed.iter().map(|argument| quoted(argument)).collect();
    format!("  tip: {word} is an octal game; write octal before it: nimwave {}", typed.join(" "))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    /// The commands below `command` that do something themselves, with their names.
    fn leaves(command: &clap::Command, name: &str, found: &mut Vec<(String, String)>) {
        let below: Vec<&clap::Command> =
            command.get_subcommands().filter(|below| below.get_name() != "help").collect();
        if below.is_empty() {
            found.push((name.into(), command.clone().render_long_help().to_string()));
        }
        below.into_iter().for_each(|below| leaves(below, &format!("{name} {}", below.get_name()), found));
    }

    /// Regression: help pages lacked an example, and mixed the options of every command among the command's own.
    #[test]
    fn every_help_page_has_an_example_and_the_options_of_every_command_apart() {
        let mut command = Cli::command();
        command.build();
        let mut found = Vec::new();
        leaves(&command, "nimwave", &mut found);
        assert!(found.len() > 50, "{}", found.len());
        for (name, help) in found {
            assert!(help.contains("\nExample"), "{name} has no example:\n{help}");
            let (own, global) =
                help.split_once("\nOptions of every command:\n").expect("a heading of their own");
            for option in ["--json", "--memory"] {
                let has = |text: &str| text.lines().any(|line| line.trim_start().starts_with(option));
                assert!(!has(own) && has(global), "{name}:\n{help}");
            }
        }
    }
}
