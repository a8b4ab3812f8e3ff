//! `nimwave table cookie`: the thesis's tables, with their blanks filled.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use super::super::solve::command_line;
use super::super::{Context, numbers};
use super::{memory, threads};
use crate::analysis::cookie::TableJob;
use crate::base::{Control, Error, Exit};
use crate::export::cookie_table::{TableFormat, as_json};
use crate::rules::Cutter;

/// Arguments of `table cookie`.
#[derive(Debug, Clone, clap::Args)]
pub struct TableArgs {
    /// The cutter: a size as 2, a rectangle as 2x3, or inf.
    #[arg(long, value_name = "K")]
    cutter: Cutter,
    /// Rows, such as 1..6 or 4.
    #[arg(long, value_name = "A..B", default_value = "1..6", value_parser = range)]
    rows: RangeInclusive<usize>,
    /// Columns, such as 1..15 or 7.
    #[arg(long, value_name = "A..B", default_value = "1..15", value_parser = range)]
    cols: RangeInclusive<usize>,
    /// The time to spend, such as 10m; cells that need more stay open.
    #[arg(long, value_name = "TIME", value_parser = numbers::duration, default_value = "60s")]
    time: Duration,
    /// Keep solved cells in this file; the same command again resumes with the rest.
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Keep solved parts in this folder and reuse what is there, so that cells which need more than one run
    /// get done.
    #[arg(long, value_name = "DIR")]
    parts: Option<PathBuf>,
    /// How to print the table.
    #[arg(long, value_enum, default_value = "text")]
    format: TableFormat,
}

/// `1..6`, `1..=6` or `4`; both ends count.
pub fn range(text: &str) -> Result<RangeInclusive<usize>, String> {
    let number = |text: &str| {
        text.trim().parse::<usize>().map_err(|_| "write a range as 1..6, or one number".to_string())
    };
    match text.split_once("..") {
        None => number(text).map(|n| n..=n),
        Some((first, last)) => Ok(number(first)?..=number(last.trim_start_matches('='))?),
    }
}

/// Runs the command.
pub fn run(args: &TableArgs, context: &Context) -> anyhow::Result<Exit> {
    let job = TableJob {
        cutter: args.cutter,
        rows: args.rows.clone(),
        cols: args.cols.clone(),
        threads: threads(context),
        memory: memory(context)?,
        state: args.state.clone(),
        parts: args.parts.clone(),
    };
    let mut last_note = std::time::Instant::now();
    let report =
        job.run(&Control::stopped_by(&context.stop).with_time(Some(args.time)), &mut |cell, done, all| {
            if last_note.elapsed() >= Duration::from_secs(5) {
                last_note = std::time::Instant::now();
                let value = cell.value.map_or_else(String::new, |value| value.to_string());
                context.note(format!("{}x{}: {value}; {done} of {all} cells", cell.rows, cell.cols));
            }
        })?;
    if report.interrupted {
        let done = report.cells.iter().filter(|cell| cell.value.is_some()).count();
        context.note(match args.state {
            Some(_) => format!("Stopped; solved cells are kept. Resume with:\n  {}", command_line()),
            None => "Stopped. Use --state FILE to be able to resume.".into(),
        });
        return Err(Error::Interrupted { done: done as u64, total: report.cells.len() as u64 }.into());
    }
    let format = if context.globals.json { TableFormat::Json } else { args.format };
    let object = || as_json(&report);
    context.print(object, || format.write(&report));
    let open = report.cells.iter().any(|cell| cell.value.is_none());
    let resumable = args.state.is_some() || args.parts.is_some();
    Ok(match (open, resumable) {
        (false, _) => Exit::Done,
        (true, true) => {
            context.note(format!("Out of time; what was found is kept. Resume with:\n  {}", command_line()));
            Exit::Interrupted
        }
        (true, false) => {
            context.note("Out of time: some cells are open. Allow more --time, or keep what is found with --state FILE.");
            Exit::Undecided
        }
    })
}

/// Solves the cells of a table for a picture.
pub fn cells(
    cutter: Cutter,
    rows: RangeInclusive<usize>,
    cols: RangeInclusive<usize>,
    time: Duration,
    state: Option<PathBuf>,
    context: &Context,
) -> crate::base::Result<Vec<crate::plot::CookieCell>> {
    let (threads, memory) = (threads(context), memory(context)?);
    let job = TableJob { cutter, rows, cols, threads, memory, state, parts: None };
    let report = job.run(&Control::stopped_by(&context.stop).with_time(Some(time)), &mut |_, _, _| {})?;
    if report.interrupted {
        return Err(Error::Interrupted { done: 0, total: 1 });
    }
    Ok(report.cells.iter().map(|cell| (cell.rows, cell.cols, cell.value)).collect())
}
