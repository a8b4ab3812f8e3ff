//! Sequences and matrices as people lay them out, and as one JSON object.

use std::io::Write;
use std::ops::Range;
use std::path::Path;

use serde_json::{Value, json};

use super::formats::Markup;
use super::{About, Dataset, Layout};
use crate::base::numbers::grouped;
use crate::base::{Error, Result};

/// More cells than a person or a spreadsheet looks at: they are gathered before they are laid out.
const MOST_CELLS: u64 = 10_000_000;

/// Rows whose columns are aligned are gathered likewise.
const MOST_ROWS: u64 = 1_000_000;

/// A sequence or a matrix, with `None` where there is no position.
struct Sheet {
    about: About,
    sizes: Range<u64>,
    cells: Vec<Option<u64>>,
}

impl Sheet {
    fn of(data: &dyn Dataset, sizes: Range<u64>, axes: usize) -> Result<Self> {
        let side = sizes.end - sizes.start;
        let count = (0..axes).try_fold(1u64, |count, _| count.checked_mul(side)).unwrap_or(u64::MAX);
        check_cells(count)?;
        let mut cells = vec![None; count as usize];
        data.for_each_row(&mut |row| {
            let index = row[..axes].iter().fold(0, |index, size| index * side + (size - sizes.start));
            cells[index as usize] = row.last().copied();
            Ok(())
        })?;
        Ok(Self { about: data.about(), sizes, cells })
    }

    fn side(&self) -> usize {
        (self.sizes.end - self.sizes.start) as usize
    }

    /// A cell for people: outcomes are letters.
    fn word(&self, cell: Option<u64>, n: &str, gap: &str) -> String {
        match (cell, self.about.outcomes) {
            (None, _) => gap.into(),
            (Some(value), false) => value.to_string(),
            (Some(1), true) => "P".into(),
            (Some(_), true) => n.into(),
        }
    }

    /// The heading of a text.
    fn title(&self) -> String {
        let About { game, outcomes, .. } = &self.about;
        let (first, last) = (self.sizes.start, self.sizes.end.saturating_sub(1));
        let letters = if self.about.place.ends_with('n') { "n" } else { "x, y" };
        let mut title = format!("{game}: {} for {letters} = {first} to {last}", self.about.quantity());
        if *outcomes {
            title += "\nP: the player who has just moved wins; . : the player to move wins";
        }
        if self.cells.contains(&None) {
            title += "\n- : not a position";
        }
        title
    }

    /// All cells in order, of equal width.
    fn aligned(&self) -> (usize, Vec<String>) {
        let words: Vec<String> = self.cells.iter().map(|&cell| self.word(cell, ".", "-")).collect();
        (words.iter().map(String::len).max().unwrap_or(1), words)
    }
}

/// Refuses so many cells of a sequence or a matrix.
pub(super) fn check_cells(count: u64) -> Result<()> {
    check_count(count, MOST_CELLS, "cells")
}

fn check_count(count: u64, most: u64, what: &str) -> Result<()> {
    if count <= most {
        return Ok(());
    }
    Err(Error::Budget(format!(
        "{} {what} are too many for this format, which takes {}; choose a smaller range with --from and --to, or --format jsonl or npy",
        grouped(count),
        grouped(most)
    )))
}

/// The text for the screen.
pub(super) fn text(data: &dyn Dataset, out: &mut dyn Write, path: &Path) -> Result<()> {
    let text = match data.layout() {
        Layout::Sequence(sizes) => sequence_text(&Sheet::of(data, sizes, 1)?),
        Layout::Matrix(sizes) => matrix_text(&Sheet::of(data, sizes, 2)?),
        Layout::List => list_text(data)?,
    };
    out.write_all(text.as_bytes()).map_err(Error::io("cannot write", path))
}

/// Twenty or ten terms per line behind the n of the first of them, below a line of what is to be added to it.
fn sequence_text(sheet: &Sheet) -> String {
    let (width, words) = sheet.aligned();
    let per_line = if width <= 3 { 20 } else { 10 };
    let width = width.max(if per_line > 10 { 3 } else { 2 });
    let margin = sheet.sizes.end.saturating_sub(1).to_string().len().max(1);
    let heads: String =
        (0..per_line.min(words.len())).map(|i| format!(" {:>width$}", format!("+{i}"))).collect();
    let mut text = format!("{}\n\n{:>margin$} {heads}\n", sheet.title(), "n");
    for (line, words) in words.chunks(per_line).enumerate() {
        let n = sheet.sizes.start + (line * per_line) as u64;
        let words: String = words.iter().map(|word| format!(" {word:>width$}")).collect();
        text += &format!("{n:>margin$} {words}\n");
    }
    text
}

fn matrix_text(sheet: &Sheet) -> String {
    let (width, words) = sheet.aligned();
    let margin = sheet.sizes.end.saturating_sub(1).to_string().len();
    let (width, margin) = (width.max(margin), margin.max(3));
    let heads: String = sheet.sizes.clone().map(|y| format!(" {y:>width$}")).collect();
    let rule = "-".repeat(heads.len() + 1);
    let mut text =
        format!("{}\n\n{:>margin$} |{heads}\n{}-+{rule}\n", sheet.title(), "x\\y", "-".repeat(margin));
    for (x, words) in sheet.sizes.clone().zip(words.chunks(sheet.side().max(1))) {
        let words: String = words.iter().map(|word| format!(" {word:>width$}")).collect();
        text += &format!("{x:>margin$} |{words}\n");
    }
    text
}

/// The columns, aligned.
fn list_text(data: &dyn Dataset) -> Result<String> {
    let mut rows = vec![data.columns()];
    data.for_each_row(&mut |row| {
        rows.push(row.iter().map(u64::to_string).collect());
        check_count(rows.len() as u64 - 1, MOST_ROWS, "rows")
    })?;
    let widths: Vec<usize> =
        (0..rows[0].len()).map(|i| rows.iter().map(|row| row[i].len()).max().unwrap_or(0)).collect();
    let line = |row: &Vec<String>| {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(cell, width)| format!("{cell:>width$}")).collect();
        cells.join("  ") + "\n"
    };
    Ok(rows.iter().map(line).collect())
}

/// One JSON object: a list of values, a list of such lists, or columns and rows.
pub(super) fn json(data: &dyn Dataset, out: &mut dyn Write, path: &Path) -> Result<()> {
    let mut object = data.about().facts;
    let outcomes = data.about().outcomes;
    let name = if outcomes { "outcomes" } else { "values" };
    let value = |cell: &Option<u64>| match (cell, outcomes) {
        (None, _) => Value::Null,
        (Some(value), false) => json!(value),
        (Some(value), true) => json!(if *value == 1 { "P" } else { "N" }),
    };
    let mut range = |sizes: &Range<u64>| {
        object.insert("from".into(), json!(sizes.start));
        object.insert("to".into(), json!(sizes.end.saturating_sub(1)));
    };
    match data.layout() {
        Layout::Sequence(sizes) => {
            range(&sizes);
            let sheet = Sheet::of(data, sizes, 1)?;
            object.insert(name.into(), sheet.cells.iter().map(value).collect());
        }
        Layout::Matrix(sizes) => {
            range(&sizes);
            let sheet = Sheet::of(data, sizes, 2)?;
            let rows = sheet.cells.chunks(sheet.side().max(1));
            object.insert(name.into(), rows.map(|row| row.iter().map(value).collect::<Value>()).collect());
        }
        Layout::List => {
            let mut rows: Vec<Value> = Vec::new();
            data.for_each_row(&mut |row| {
                rows.push(json!(row));
                check_count(rows.len() as u64, MOST_ROWS, "rows")
            })?;
            object.insert("columns".into(), json!(data.columns()));
            object.insert("rows".into(), rows.into());
        }
    }
    writeln!(out, "{}", Value::Object(object)).map_err(Error::io("cannot write", path))
}

/// A matrix with the sizes of the two heaps in its margins. CSV has outcomes as numbers, as everywhere.
pub(super) fn matrix(
    data: &dyn Dataset,
    sizes: Range<u64>,
    markup: Markup,
    out: &mut dyn Write,
    path: &Path,
) -> Result<()> {
    let sheet = Sheet::of(data, sizes, 2)?;
    let mut lines = Vec::new();
    let corner = match markup {
        Markup::Latex => "x\\backslash y",
        Markup::Csv | Markup::Markdown => "x\\y",
    };
    let heads = [corner.to_string()].into_iter().chain(sheet.sizes.clone().map(|y| y.to_string()));
    let heads: Vec<String> = heads.collect();
    match markup {
        Markup::Csv => lines.push(markup.line(&heads)),
        Markup::Markdown => {
            lines.extend([markup.line(&heads), markup.line(vec!["--:"; heads.len()])]);
        }
        Markup::Latex => lines.extend([
            format!("% {}", sheet.title().lines().next().unwrap_or_default()),
            format!("\\begin{{array}}{{r|{}}}", "r".repeat(heads.len() - 1)),
            markup.line(&heads) + " \\hline",
        ]),
    }
    for (x, cells) in sheet.sizes.clone().zip(sheet.cells.chunks(sheet.side().max(1))) {
        let word = |&cell: &Option<u64>| match markup {
            Markup::Csv => cell.map_or_else(String::new, |cell| cell.to_string()),
            Markup::Markdown | Markup::Latex => sheet.word(cell, "N", ""),
        };
        let head = if markup == Markup::Markdown { format!("**{x}**") } else { x.to_string() };
        lines.push(markup.line([head].into_iter().chain(cells.iter().map(word))));
    }
    if markup == Markup::Latex {
        lines.push("\\end{array}".into());
    }
    writeln!(out, "{}", lines.join("\n")).map_err(Error::io("cannot write", path))
}
