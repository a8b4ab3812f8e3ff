//! `nimwave solve cookie`: one board by parts, or all subsets of a grid as a dense table.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use serde_json::json;

use super::super::solve::{RunArgs, check_time, command_line, summary};
use super::super::{Context, numbers};
use super::{BoardArgs, memory, outcome, threads};
use crate::base::Control;
use crate::base::Error;
use crate::base::machine::{self, human_bytes};
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
    run: RunArgs,
}

/// Runs the command.
pub fn run(args: &SolveArgs, context: &Context) -> anyhow::Result<ExitCode> {
    if args.dense { dense(args, context) } else { by_parts(args, context) }
}

fn by_parts(args: &SolveArgs, context: &Context) -> anyhow::Result<ExitCode> {
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
        context.note(format!("{} solved parts taken from {}.", numbers::grouped(taken), path.display()));
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
            Some(_) => format!("The parts found so far are kept. Go on with:\n  {}", command_line()),
            None => {
                "With --parts FILE the parts found so far are kept, and the same command goes on with them."
                    .into()
            }
        };
        context.note(format!("{} parts known after {seconds:.1} s. {again}", numbers::grouped(stats.parts)));
        if !context.stopped() {
            return Err(Error::Budget("the board was not solved within --time; allow more".into()).into());
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
                "{}x{} board of {} squares, cutter {cutter}: value {value}, {}-position\n\
                 {} parts known ({} exactly), {} questions in {seconds:.2} s ({}/s, {threads} threads), {} ({bytes_per_part:.1} bytes a part)",
                board.rows(),
                board.cols(),
                board.count(),
                outcome(value),
                numbers::grouped(stats.parts),
                numbers::grouped(stats.solved),
                numbers::grouped(stats.visited),
                numbers::rate(stats.visited as f64 / seconds.max(1e-9)),
                human_bytes(stats.bytes),
            )
        },
    );
    Ok(ExitCode::SUCCESS)
}

fn dense(args: &SolveArgs, context: &Context) -> anyhow::Result<ExitCode> {
    let (Some(rows), Some(cols)) = (args.board.rows, args.board.cols) else {
        return Err(Error::Usage("a dense table is of a whole grid: give --rows and --cols".into()).into());
    };
    let job = CookieJob { rows, cols, cutter: args.board.cutter, kernel: args.run.kernel.into() };
    let grid = job.space()?;
    let bytes = job.table_bytes(&grid);
    match &args.run.out {
        None => {
            let free = context.globals.memory.or_else(machine::available_memory).unwrap_or(u64::MAX).max(1);
            let remedy = format!(
                "boards of at most {} squares fit; give --out DIR to keep the table in a file, or leave --dense out to solve this one board",
                free.ilog2()
            );
            machine::check_memory(bytes, context.globals.memory, &remedy)?;
        }
        Some(out) if !out.join("manifest.json").exists() => machine::check_disk(bytes, out)?,
        Some(_) => {}
    }
    check_time(job.estimate_seconds()?, &args.run, context)?;
    let progress = context.progress("cookie");
    let control = Control {
        stop: &context.stop,
        observer: &progress,
        checkpoint_every: args.run.checkpoint,
        ..Control::silent()
    };
    let solved = job.solve(args.run.out.as_deref(), &control);
    progress.finish();
    let table = solved.inspect_err(|error| {
        if matches!(error, Error::Interrupted { .. }) && args.run.out.is_some() {
            context.note(format!("Stopped; finished waves are kept. Go on with:\n  {}", command_line()));
        }
    })?;
    let manifest = table.manifest();
    let result = |name: &str| manifest.results.get(name).cloned().unwrap_or_default();
    let value = result("value").as_u64().unwrap_or(0) as u8;
    context.print(
        || {
            let mut object = summary(table.manifest());
            object["rows"] = rows.into();
            object["cols"] = cols.into();
            object["cutter"] = args.board.cutter.to_string().into();
            object["outcome"] = outcome(value).into();
            // Every position of the table is solved.
            object["parts"] = manifest.spec.entries.into();
            object
        },
        || {
            let mut text = format!(
                "all {} subsets of the {rows}x{cols} board, cutter {}: {:.2} s ({} positions/s, {} threads)\n\
                 full board: value {value}, {}-position\n\
                 P-positions (the empty board counted): {}; largest value {}, first at board number {}\n\
                 positions by value 0, 1, 2, ...: {}\n",
                numbers::grouped(manifest.spec.entries),
                args.board.cutter,
                manifest.seconds,
                numbers::rate(manifest.spec.entries as f64 / manifest.seconds.max(1e-9)),
                manifest.threads,
                outcome(value),
                numbers::grouped(result("p_positions").as_u64().unwrap_or(0)),
                result("max_value"),
                result("max_at"),
                result("histogram"),
            );
            if let Some(sums) = &manifest.checksums {
                text += &format!("BLAKE3 {}\n", sums.blake3);
            }
            if let Some(out) = &args.run.out {
                text +=
                    &format!("table in {0}; prove it right with: nimwave verify {0} --full", out.display());
            }
            text
        },
    );
    Ok(ExitCode::SUCCESS)
}
