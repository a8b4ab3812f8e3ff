//! `nimwave table cookie`: the thesis's tables, with their blanks filled.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::ValueEnum;
use serde_json::json;

use super::super::solve::command_line;
use super::super::{Context, numbers};
use super::{memory, threads};
use crate::analysis::cookie::{Cell, Status, TableJob, TableReport};
use crate::base::machine::human_bytes;
use crate::base::{Control, Error};
use crate::rules::Cutter;

/// Arguments of `table cookie`.
#[derive(Debug, Clone, clap::Args)]
pub struct TableArgs {
    /// The cutter: a size as 2, a rectangle as 2x3, or inf.
    #[arg(long, value_name = "K")]
    cutter: Cutter,
    /// Rows, as 1..6 or 4.
    #[arg(long, value_name = "A..B", default_value = "1..6", value_parser = range)]
    rows: RangeInclusive<usize>,
    /// Columns, as 1..15 or 7.
    #[arg(long, value_name = "A..B", default_value = "1..15", value_parser = range)]
    cols: RangeInclusive<usize>,
    /// The time to spend, as 10m; cells that need more stay open.
    #[arg(long, value_name = "TIME", value_parser = numbers::duration, default_value = "60s")]
    time: Duration,
    /// Keep solved cells in this file; the same command again goes on with the rest.
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Keep solved parts in this folder and reuse what is there, so that cells which need more than one run get done.
    #[arg(long, value_name = "DIR")]
    parts: Option<PathBuf>,
    /// How to print the table.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Columns for the eye.
    Text,
    /// A Markdown table.
    Markdown,
    /// A LaTeX tabular.
    Latex,
    /// One line a cell: rows, cols, cutter, value, printed, status.
    Csv,
    /// One JSON object, as with --json.
    Json,
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
pub fn run(args: &TableArgs, context: &Context) -> anyhow::Result<ExitCode> {
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
            Some(_) => format!("Stopped; solved cells are kept. Go on with:\n  {}", command_line()),
            None => "Stopped. Use --state FILE to be able to resume.".into(),
        });
        return Err(Error::Interrupted { done: done as u64, total: report.cells.len() as u64 }.into());
    }
    let text = match args.format {
        Format::Json => None,
        Format::Text => Some(as_text(&report)),
        Format::Markdown => Some(as_markdown(&report)),
        Format::Latex => Some(as_latex(&report)),
        Format::Csv => Some(as_csv(&report)),
    };
    match text.filter(|_| !context.globals.json) {
        Some(text) => context.print(|| json!(null), || text),
        None => {
            let object = as_json(&report);
            context.print(|| object.clone(), || object.to_string());
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn as_json(report: &TableReport) -> serde_json::Value {
    let count = |status| report.cells.iter().filter(|cell| cell.status == status).count();
    json!({
        "game": "cookie",
        "cutter": report.cutter.to_string(),
        "cells": report.cells,
        "agrees": count(Status::Agrees),
        "differs": count(Status::Differs),
        "new": count(Status::New),
        "open": count(Status::Open),
        "parts": report.stats.parts,
        "visited": report.stats.visited,
        "seconds": report.seconds,
    })
}

/// The rows of cells.
fn lines(report: &TableReport) -> impl Iterator<Item = &[Cell]> {
    report.cells.chunk_by(|a, b| a.rows == b.rows)
}

fn value(cell: &Cell) -> String {
    cell.value.map_or_else(String::new, |value| value.to_string())
}

/// What stands in an open cell: the value in print, in brackets, if there is one.
fn open(cell: &Cell) -> Option<String> {
    cell.printed.map(|printed| format!("({printed})"))
}

/// A value with its mark: `+` new, `!` differs from print; `.` or the value in print in an open cell.
fn marked(cell: &Cell) -> String {
    match cell.status {
        Status::Agrees => value(cell),
        Status::New => format!("{}+", value(cell)),
        Status::Differs => format!("{}!", value(cell)),
        Status::Open => open(cell).unwrap_or_else(|| ".".into()),
    }
}

fn summary(report: &TableReport) -> String {
    let count = |status| report.cells.iter().filter(|cell| cell.status == status).count();
    let mut text = format!(
        "{} cells agree with the thesis, {} differ (!), {} are new (+), {} are open; {} parts, {}, {:.1} s",
        count(Status::Agrees),
        count(Status::Differs),
        count(Status::New),
        count(Status::Open),
        numbers::grouped(report.stats.parts),
        human_bytes(report.stats.bytes),
        report.seconds
    );
    for cell in report.cells.iter().filter(|cell| cell.status == Status::Differs) {
        let printed = cell.printed.map_or_else(String::new, |printed| printed.to_string());
        text += &format!("\n{}x{}: printed {printed}, found {}", cell.rows, cell.cols, value(cell));
    }
    text
}

fn as_text(report: &TableReport) -> String {
    let mut text = format!("Values of x by y boards, cutter {}\n\n   x\\y", report.cutter);
    if let Some(first) = lines(report).next() {
        first.iter().for_each(|cell| text += &format!("{:>5}", cell.cols));
    }
    for line in lines(report) {
        text += &format!("\n{:>6}", line[0].rows);
        for cell in line {
            // Numbers stand under each other; the mark follows.
            let mark = marked(cell);
            let pad = if mark.ends_with(['+', '!', ')']) { 5 } else { 4 };
            text += &format!("{:<5}", format!("{mark:>pad$}"));
        }
        text.truncate(text.trim_end().len());
    }
    format!("{text}\n\n{}", summary(report))
}

fn as_markdown(report: &TableReport) -> String {
    let mut text = String::new();
    if let Some(first) = lines(report).next() {
        text += "| x\\y |";
        first.iter().for_each(|cell| text += &format!(" {} |", cell.cols));
        text += "\n|---|";
        first.iter().for_each(|_| text += "---|");
    }
    for line in lines(report) {
        text += &format!("\n| **{}** |", line[0].rows);
        for cell in line {
            text += &match cell.status {
                Status::New => format!(" *{}* |", value(cell)),
                Status::Differs => {
                    format!(" **{}** (printed {}) |", value(cell), cell.printed.unwrap_or_default())
                }
                Status::Agrees => format!(" {} |", value(cell)),
                Status::Open => format!(" {} |", open(cell).unwrap_or_default()),
            };
        }
    }
    format!(
        "{text}\n\nCutter {}; new values in italics, misprints in bold, printed values that were not reached in brackets. {}",
        report.cutter,
        summary(report)
    )
}

fn as_latex(report: &TableReport) -> String {
    let columns = lines(report).next().map_or(0, <[Cell]>::len);
    let mut text = format!("\\begin{{tabular}}{{r|{}}}\n", "r".repeat(columns));
    if let Some(first) = lines(report).next() {
        first.iter().for_each(|cell| text += &format!(" & {}", cell.cols));
        text += " \\\\ \\hline\n";
    }
    for line in lines(report) {
        text += &line[0].rows.to_string();
        for cell in line {
            text += &match cell.status {
                Status::New => format!(" & \\textit{{{}}}", value(cell)),
                Status::Differs => format!(" & \\textbf{{{}}}", value(cell)),
                Status::Agrees => format!(" & {}", value(cell)),
                Status::Open => format!(" & {}", open(cell).unwrap_or_default()),
            };
        }
        text += " \\\\\n";
    }
    text + "\\end{tabular}"
}

fn as_csv(report: &TableReport) -> String {
    let mut text = String::from("rows,cols,cutter,value,printed,status");
    for cell in &report.cells {
        let printed = cell.printed.map_or_else(String::new, |printed| printed.to_string());
        let status = format!("{:?}", cell.status).to_lowercase();
        text += &format!("\n{},{},{},{},{printed},{status}", cell.rows, cell.cols, cell.cutter, value(cell));
    }
    text
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
    Ok(report.cells.iter().map(|cell| (cell.rows, cell.cols, cell.value)).collect())
}
