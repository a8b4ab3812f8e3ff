//! Which part of a game or a table is meant, in which format: the same options for `values`, `export` and `oeis`.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::{Context, numbers};
use crate::base::{Error, Result, files};
use crate::export::{Choice, Dataset, Format, MOST_TERMS, Options, Window, write};
use crate::table::Reader;

/// The table in `folder`; of one that is not finished, what is.
pub fn open_table(folder: &Path, context: &Context) -> Result<Reader> {
    let reader = Reader::open_finished(folder)?;
    if let Some(finished) = reader.finished() {
        context.note(format!(
            "{} is not finished: {} are there, and nothing else is read.",
            folder.display(),
            finished.describe()
        ));
    }
    Ok(reader)
}

/// A row or a matrix.
#[derive(Debug, Clone, clap::Args)]
pub struct SliceArgs {
    /// A row: one heap runs, the others are these, such as 4,6; "" for a single heap.
    #[arg(long, group = "what", value_name = "HEAPS")]
    pub row: Option<String>,
    /// A matrix: two heaps run, the others are these, such as 4,6; "" for two heaps in all.
    #[arg(long, group = "what", aliases = ["slice", "fixed"], value_name = "HEAPS")]
    pub matrix: Option<String>,
}

/// The fixed heaps of a row or a matrix.
pub fn fixed_heaps(text: &str) -> Result<Vec<u32>> {
    numbers::position(&[text.to_string()]).map_err(Error::Usage)
}

impl SliceArgs {
    /// What was chosen.
    pub fn choice(&self) -> Result<Option<Choice>> {
        Ok(match (&self.row, &self.matrix) {
            (Some(heaps), _) => Some(Choice::Row(fixed_heaps(heaps)?)),
            (_, Some(heaps)) => Some(Choice::Slice(fixed_heaps(heaps)?)),
            _ => None,
        })
    }
}

/// A range of a sequence, or of the heaps that run.
#[derive(Debug, Clone, clap::Args)]
pub struct RangeArgs {
    /// The first n, or the smallest size of the heaps that run.
    #[arg(long, value_name = "N", value_parser = numbers::count, default_value = "0")]
    pub from: u64,
    /// The last n, or the largest size of the heaps that run.
    #[arg(long, alias = "max", value_name = "N", value_parser = numbers::count)]
    pub to: Option<u64>,
}

impl RangeArgs {
    /// The range, with this end if none was given.
    pub fn window(&self, to: Option<u64>) -> Window {
        Window { from: self.from, to: self.to.or(to) }
    }
}

/// Where a part of a game or a table goes, and as what.
#[derive(Debug, Clone, clap::Args)]
pub struct OutputArgs {
    /// The format; by default what the name of the file says (.csv, .md, .tex, .npy, .json, .jsonl, b123456.txt), otherwise
    /// text.
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// The index of the first term in a b-file or a draft for the OEIS; its own n by default. The values keep
    /// their names: the comments say which one a(n) is.
    #[arg(long, value_name = "K", value_parser = numbers::count)]
    pub offset: Option<u64>,
    /// Write to this file instead of standard output, which is -.
    #[arg(long, short, value_name = "FILE", default_value = files::STANDARD_OUTPUT, hide_default_value = true)]
    pub out: PathBuf,
}

impl OutputArgs {
    /// Whether the data is written to standard output, so that nothing else can be.
    pub fn writes_to_standard_output(&self) -> bool {
        files::is_standard_output(&self.out)
    }

    /// The format that was chosen, by its name or by that of the file.
    pub fn format(&self) -> Option<Format> {
        self.format.or_else(|| Format::of_name(&self.out))
    }

    /// Writes `data`; a b-file has at most 10000 terms unless `all` of them were asked for.
    pub fn write(
        &self,
        data: &dyn Dataset,
        all: bool,
        table: Option<&Path>,
        context: &Context,
    ) -> Result<()> {
        let plain = if context.globals.json { Format::Json } else { Format::Text };
        let format = self.format().unwrap_or(plain);
        let most_terms = (!all).then_some(MOST_TERMS);
        write(data, format, &Options { offset: self.offset, most_terms }, &self.out)?;
        let shortened = data.shape().is_some_and(|shape| shape[0] > MOST_TERMS);
        if format == Format::Bfile && shortened && !all {
            context.note(format!(
                "The OEIS asks for at most {} terms in a b-file: the rest is left out; ask for more with --to.",
                numbers::grouped(MOST_TERMS)
            ));
        }
        if !self.writes_to_standard_output() {
            context.print(
                || json!({ "table": table, "format": format!("{format:?}").to_lowercase(), "file": self.out }),
                || format!("{} written", self.out.display()),
            );
        }
        Ok(())
    }
}
