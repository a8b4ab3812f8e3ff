//! `nimwave probe`: test a conjecture up to a bound.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Subcommand;
use serde_json::json;

use super::solve::command_line;
use super::{Context, numbers};
use crate::analysis::{Probe, ProbeReport};
use crate::base::machine;
use crate::base::numbers::counted;
use crate::base::{Error, Exit};
use crate::rules::Play;
use crate::rules::notation::show_heaps;

/// Arguments of `probe`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    conjecture: Conjecture,
}

#[derive(Debug, Subcommand)]
enum Conjecture {
    /// Minnie: smallest heap > 3 and second smallest > 5 make an N-position.
    ///
    /// Without --heaps it goes through 4 heaps up to 2000, 5 heaps up to 700 and 6 heaps up to 150.
    #[command(name = "5.6", after_help = "Example:\n  nimwave probe 5.6 --heaps 5 --max 1000 --out p5")]
    FiveSix(FiveSixArgs),
    /// Cookie cutter: if the 1 x n board has value 0, so have all i x n boards.
    #[command(name = "6.3.1", after_help = "Example:\n  nimwave probe 6.3.1 --time 5m")]
    SixThreeOne(super::cookie::ZeroRowsArgs),
}

/// The bounds that the plain command tests: (heaps, max).
const DEFAULT_BOUNDS: [(usize, u32); 3] = [(4, 2000), (5, 700), (6, 150)];

#[derive(Debug, clap::Args)]
struct FiveSixArgs {
    /// The number of heaps.
    #[arg(long, value_name = "K", value_parser = numbers::count, requires = "max")]
    heaps: Option<u64>,
    /// The largest heap.
    #[arg(long, value_name = "N", value_parser = numbers::heap, requires = "heaps")]
    max: Option<u32>,
    /// The same question in misère play.
    #[arg(long)]
    misere: bool,
    /// Keep what is done in this folder, so that the same command resumes after it was stopped or killed.
    #[arg(long, short, value_name = "DIR", requires = "heaps")]
    out: Option<PathBuf>,
    /// The time to spend at most.
    #[arg(long, value_name = "TIME", value_parser = numbers::duration)]
    time: Option<Duration>,
}

/// Runs the command.
pub fn run(args: Args, context: &Context) -> anyhow::Result<Exit> {
    let args = match args.conjecture {
        Conjecture::FiveSix(args) => args,
        Conjecture::SixThreeOne(args) => return super::cookie::probe(&args, context),
    };
    let play = Play::from_misere(args.misere);
    let bounds = match (args.heaps, args.max) {
        (Some(heaps), Some(max)) => vec![(usize::try_from(heaps).unwrap_or(usize::MAX), max)],
        _ => DEFAULT_BOUNDS.to_vec(),
    };
    let deadline = args.time.and_then(|time| Instant::now().checked_add(time));
    let mut reports = Vec::new();
    for &(heaps, max) in &bounds {
        let probe = Probe { heaps, max, play };
        machine::check_memory(probe.memory()?, context.globals.memory, "lower --max or --heaps")?;
        let progress = context.progress(&format!("{heaps} heaps up to {max}"));
        let control = context.control(&progress).with_deadline(deadline);
        let report =
            probe.run(args.out.as_deref(), &control).map_err(|error| stopped(error, &args, context))?;
        progress.finish();
        if !context.globals.json {
            context.print(|| json!(null), || describe(&report));
        }
        reports.push(report);
    }
    let holds = reports.iter().all(|report| report.counterexamples.is_empty());
    if context.globals.json {
        let object = match (&reports[..], args.heaps) {
            ([one], Some(_)) => json!(one),
            (all, _) => json!({ "runs": all }),
        };
        context.print(|| object, String::new);
    } else {
        context.print(|| json!(null), || conclusion(&reports, play, holds, args.heaps.is_none()));
    }
    Ok(Exit::of(holds))
}

/// Says what became of a probe that was stopped.
fn stopped(error: Error, args: &FiveSixArgs, context: &Context) -> Error {
    match error {
        Error::Interrupted { .. } if args.out.is_some() => {
            context.note(format!("Stopped; what is done is kept. Resume with:\n  {}", command_line()));
            error
        }
        Error::Interrupted { .. } if !context.stopped() => Error::Undecided(
            "the probe did not end within --time, and nothing of it is kept: allow more, or use --out DIR to be able to resume".into(),
        ),
        Error::Interrupted { .. } => {
            context.note("Stopped, and nothing is kept. With --out DIR the same command resumes.");
            error
        }
        other => other,
    }
}

fn describe(report: &ProbeReport) -> String {
    let ProbeReport { heaps, max, positions_settled, rows, holes, counterexamples, seconds } = report;
    let mut text = format!(
        "{heaps} heaps up to {max}: {} settled by {} in {seconds:.2} s",
        counted(*positions_settled, "position"),
        counted(*rows, "cover"),
    );
    if *holes > 0 {
        text += &format!("; {} looked at closely", counted(*holes, "hole"));
    }
    text += match counterexamples.len() {
        0 => ": no counterexample",
        _ => ": COUNTEREXAMPLES",
    };
    for position in counterexamples.iter().take(10) {
        text += &format!("\n  {} is a P-position", show_heaps(position));
    }
    if counterexamples.len() > 10 {
        text += &format!("\n  ... and {} more", counterexamples.len() - 10);
    }
    text
}

fn conclusion(reports: &[ProbeReport], play: Play, holds: bool, defaults: bool) -> String {
    let total: u64 = reports.iter().map(|report| report.positions_settled).sum();
    let game = if play == Play::Misere { "misère minnie" } else { "minnie" };
    if !holds {
        return format!("\nThe statement of Conjecture 5.6 is false for {game}: see the P-positions above.");
    }
    let mut text = format!(
        "\nConjecture 5.6 holds for {game} as far as this looked: in each of {} positions with smallest heap > 3 and\n\
         second smallest > 5 the player to move wins, by turning the smallest heap into 0, 1, 2 or 3{}.",
        numbers::grouped(total),
        if reports.iter().any(|report| report.holes > 0) { ", or by a move found by search" } else { "" },
    );
    if defaults {
        text += "\n\nTo go on:\n  \
                 nimwave probe 5.6 --heaps 5 --max 1000 --out p5       further out, and resumable\n  \
                 nimwave query minnie 7 8 9 10                         the winning moves of one position\n  \
                 nimwave solve minnie --heaps 4 --max 200 --out m4     a table, then: nimwave verify m4 --full";
    }
    text
}
