//! `nimwave probe 6.3.1`.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::json;

use super::super::solve::command_line;
use super::super::{Context, numbers};
use super::{memory, threads};
use crate::analysis::cookie::{ZeroReport, ZeroRows};
use crate::base::{Control, Error, Exit};

/// Arguments of `probe 6.3.1`.
#[derive(Debug, Clone, clap::Args)]
pub struct ZeroRowsArgs {
    /// The time to spend.
    #[arg(long, value_name = "TIME", value_parser = numbers::duration, default_value = "60s")]
    time: Duration,
    /// Cutters from 1x1 to KxK.
    #[arg(long, value_name = "K", default_value_t = 16)]
    cutters: u32,
    /// Boards of at most this many squares.
    #[arg(long, value_name = "N", default_value_t = 64)]
    squares: usize,
    /// Keep solved parts in this folder and reuse what is there, so that the next run goes on where this one
    /// stopped.
    #[arg(long, value_name = "DIR")]
    parts: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &ZeroRowsArgs, context: &Context) -> anyhow::Result<Exit> {
    let probe = ZeroRows {
        largest_cutter: args.cutters,
        squares: args.squares,
        threads: threads(context),
        memory: memory(context)?,
        parts: args.parts.clone(),
    };
    let control = Control::stopped_by(&context.stop).with_time(Some(args.time));
    let report = probe.run(&control, &mut |board, is_zero| {
        let value = if is_zero { "0" } else { "not 0" };
        context.detail(|| format!("k = {}, {}x{}: value {value}", board.k, board.rows, board.n));
    })?;
    if context.stopped() {
        context.note(match &args.parts {
            Some(_) => {
                format!("Stopped; the parts found so far are kept. Resume with:\n  {}", command_line())
            }
            None => "Stopped. With --parts DIR the parts found so far are kept for the next run.".into(),
        });
        return Err(Error::Interrupted {
            done: report.checked as u64,
            total: (report.checked + report.open.len()) as u64,
        }
        .into());
    }
    context.print(|| json!(report), || describe(&report));
    Ok(match (report.counterexamples.is_empty(), report.open.is_empty()) {
        (false, _) => Exit::Failed,
        (true, true) => Exit::Done,
        (true, false) => Exit::Undecided,
    })
}

fn describe(report: &ZeroReport) -> String {
    let mut text = format!(
        "Conjecture 6.3.1: {} boards i x n with G(1 x n) = 0 decided in {:.1} s; {} more are settled by Theorem 5.3.1, {} are open.\n",
        report.checked,
        report.seconds,
        report.by_theorem,
        report.open.len()
    );
    for board in &report.zeros {
        text += &format!("  k = {}: {}x{} has value 0\n", board.k, board.rows, board.n);
    }
    match report.counterexamples.first() {
        None => text += "No counterexample: every board that was decided has value 0.\n",
        Some(smallest) => {
            text += &format!(
                "FALSE: with the {0}x{0} cutter the 1x{1} row has value 0, but the {2}x{1} board has value {3}.\n",
                smallest.k,
                smallest.n,
                smallest.rows,
                smallest.value.map_or("not 0".into(), |value| value.to_string())
            );
            if let Some(play) = &smallest.winning_move {
                text += &format!(
                    "A winning move: lay the cutter's first corner on row {}, column {}; it leaves a P-position:\n{}\n",
                    play.top + 1,
                    play.left + 1,
                    play.leaves
                );
            }
            for other in &report.counterexamples[1..] {
                text += &format!("also: k = {}, {}x{}", other.k, other.rows, other.n);
                text += &match &other.winning_move {
                    Some(play) => format!("; a winning move leaves\n{}\n", play.leaves),
                    None => "\n".into(),
                };
            }
        }
    }
    text
}
