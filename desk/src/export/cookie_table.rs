//! Tables of full cookie boards as the thesis prints them, with their blanks filled.

use serde_json::json;

use super::formats::Markup;
use crate::analysis::cookie::{Cell, Status, TableReport};
use crate::base::machine::human_bytes;
use crate::base::numbers;

/// How a table is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum TableFormat {
    /// Columns for the eye.
    Text,
    /// A Markdown table.
    Markdown,
    /// A LaTeX tabular.
    Latex,
    /// One line per cell: rows, cols, cutter, value, printed, status.
    Csv,
    /// One JSON object, as with --json.
    Json,
}

impl TableFormat {
    /// The table in this format.
    pub fn write(self, report: &TableReport) -> String {
        match self {
            Self::Text => as_text(report),
            Self::Markdown => as_markdown(report),
            Self::Latex => as_latex(report),
            Self::Csv => as_csv(report),
            Self::Json => as_json(report).to_string(),
        }
    }
}

/// The cells and what is known of them, as one JSON object.
pub fn as_json(report: &TableReport) -> serde_json::Value {
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

/// The columns' numbers, behind the head of the column of row numbers.
fn heads(report: &TableReport, first: &str) -> Vec<String> {
    let columns = lines(report).next().unwrap_or_default().iter().map(|cell| cell.cols.to_string());
    [first.to_string()].into_iter().chain(columns).collect()
}

fn as_markdown(report: &TableReport) -> String {
    let heads = heads(report, "x\\y");
    let mut text = Markup::Markdown.line(&heads) + "\n|" + &"---|".repeat(heads.len());
    for line in lines(report) {
        let cells = line.iter().map(|cell| match cell.status {
            Status::New => format!("*{}*", value(cell)),
            Status::Differs => {
                format!("**{}** (printed {})", value(cell), cell.printed.unwrap_or_default())
            }
            Status::Agrees => value(cell),
            Status::Open => open(cell).unwrap_or_default(),
        });
        let row = format!("**{}**", line[0].rows);
        text = text + "\n" + &Markup::Markdown.line([row].into_iter().chain(cells));
    }
    format!(
        "{text}\n\nCutter {}; new values in italics, misprints in bold, printed values that were not reached in brackets. {}",
        report.cutter,
        summary(report)
    )
}

fn as_latex(report: &TableReport) -> String {
    let heads = heads(report, "");
    let mut text = format!("\\begin{{tabular}}{{r|{}}}\n", "r".repeat(heads.len() - 1));
    text += &(Markup::Latex.line(&heads) + " \\hline\n");
    for line in lines(report) {
        let cells = line.iter().map(|cell| match cell.status {
            Status::New => format!("\\textit{{{}}}", value(cell)),
            Status::Differs => format!("\\textbf{{{}}}", value(cell)),
            Status::Agrees => value(cell),
            Status::Open => open(cell).unwrap_or_default(),
        });
        text += &(Markup::Latex.line([line[0].rows.to_string()].into_iter().chain(cells)) + "\n");
    }
    text + "\\end{tabular}"
}

fn as_csv(report: &TableReport) -> String {
    let mut text = Markup::Csv.line(["rows", "cols", "cutter", "value", "printed", "status"]);
    for cell in &report.cells {
        let printed = cell.printed.map_or_else(String::new, |printed| printed.to_string());
        let status = format!("{:?}", cell.status).to_lowercase();
        let (rows, cols) = (cell.rows.to_string(), cell.cols.to_string());
        text =
            text + "\n" + &Markup::Csv.line([rows, cols, cell.cutter.clone(), value(cell), printed, status]);
    }
    text
}
