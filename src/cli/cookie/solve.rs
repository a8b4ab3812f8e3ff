//! `nimwave solve cookie`: one board by parts, or all subsets of a grid as a dense table.

use std::path::PathBuf;
use std::time::Instant;

use serde_json::json;

use super::super::solve::{KernelArg, RunArgs, command_line};
use super::super::{Context, numbers};
use super::{BoardArgs, memory, outcome, threads};
use crate::base::machine::human_bytes;
use crate::base::numbers::counted;
use crate::base::{Control, Error, Exit, Result};
use crate::search::cookie::{Depth, Solver};
use crate::sweep::CookieJob;

/// Arguments of `solve cookie`.
#[derive(Debug, Clone, clap::Args)]
pub struct SolveArgs {
    #[command(flatten)]
    board: BoardArgs,
    /// All subsets of the board, as a table: one byte a position, 2^squares positions.
    #[arg(long)]
    dense: bool,
    /// Solve every part that play can reach, not only what the answer needs.
    #[arg(long, conflicts_with = "dense")]
    everything: bool,
    /// Keep solved parts in this file and reuse what is there, for this cutter and any board.
    #[arg(long, value_name = "FILE", conflicts_with = "dense")]
    parts: Option<PathBuf>,
    #[command(flatten)]
    pub run: RunArgs,
    /// The kernel of a dense table: for comparisons and double checks.
    #[arg(long, value_enum, default_value = "fastest")]
    kernel: KernelArg,
}

impl SolveArgs {
    /// The table of all subsets, if that was asked for.
    pub fn dense_job(&self) -> Result<Option<CookieJob>> {
        if !self.dense {
            return Ok(None);
        }
        let (Some(rows), Some(cols)) = (self.board.rows, self.board.cols) else {
            return Err(Error::Usage("a dense table is of a whole grid: give --rows and --cols".into()));
        };
        Ok(Some(CookieJob { rows, cols, cutter: self.board.cutter, kernel: self.kernel.into() }))
    }
}

/// Solves one board by parts.
pub fn run(args: &SolveArgs, context: &Context) -> anyhow::Result<Exit> {
    if args.run.out.is_some() {
        return Err(Error::Usage(
            "--out is for tables; add --dense, or keep solved parts with --parts FILE".into(),
        )
        .into());
    }
    let (board, cutter) = (args.board.board()?, args.board.cutter);
    let mut solver = Solver::new(board.rows(), board.cols(), cutter, memory(context)?)?;
    if args.everything {
        solver.depth = Depth::Everything;
    }
    if let Some(path) = args.parts.as_ref().filter(|path| path.exists()) {
        let taken = solver.load_parts(path)?;
        context.note(format!("{} taken from {}.", counted(taken, "solved part"), path.display()));
    }
    let (threads, started) = (threads(context), Instant::now());
    let control = Control::stopped_by(&context.stop).with_time(args.run.time);
    let value = solver.value(&board, threads, &control)?;
    let seconds = started.elapsed().as_secs_f64();
    if let Some(path) = &args.parts {
        solver.save_parts(path)?;
    }
    let stats = solver.stats();
    let Some(value) = value else {
        let again = match &args.parts {
            Some(_) => format!("The parts found so far are kept. Resume with:\n  {}", command_line()),
            None => {
                "With --parts FILE the parts found so far are kept, and the same command resumes with them."
                    .into()
            }
        };
        context.note(format!("{} known after {seconds:.1} s. {again}", counted(stats.parts, "part")));
        if args.parts.is_none() && !context.stopped() {
            let problem =
                "the board was not solved within --time; allow more, or keep parts with --parts FILE";
            return Err(Error::Undecided(problem.into()).into());
        }
        return Err(Error::Interrupted { done: 0, total: 1 }.into());
    };
    let bytes_per_part = stats.bytes as f64 / stats.parts.max(1) as f64;
    context.print(
        || {
            json!({
                "game": "cookie",
                "rows": board.rows(),
                "cols": board.cols(),
                "cutter": cutter.to_string(),
                "board": board.to_string(),
                "squares": board.count(),
                "value": value,
                "outcome": outcome(value),
                "parts": stats.parts,
                "solved_parts": stats.solved,
                "visited": stats.visited,
                "table_bytes": stats.bytes,
                "bytes_per_part": bytes_per_part,
                "evicted": stats.evicted,
                "seconds": seconds,
                "threads": threads,
            })
        },
        || {
            format!(
                "{}x{} board of {}, cutter {cutter}: value {value}, {}-position\n\
                 {} known ({} exactly), {} in {seconds:.2} s ({}/s, {}), {} ({bytes_per_part:.1} bytes per part)",
                board.rows(),
                board.cols(),
                counted(board.count() as u64, "square"),
                outcome(value),
                counted(stats.parts, "part"),
                numbers::grouped(stats.solved),
                counted(stats.visited, "question"),
                numbers::rate(stats.visited as f64 / seconds.max(1e-9)),
                counted(threads as u64, "thread"),
                human_bytes(stats.bytes),
            )
        },
    );
    Ok(Exit::Done)
}
