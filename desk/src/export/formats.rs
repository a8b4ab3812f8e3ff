//! The formats.

use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

use super::Dataset;
use crate::base::{Error, Result};
use crate::table::npy;

/// A file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Format {
    /// Comma-separated values with a header line.
    Csv,
    /// One JSON object per line.
    Jsonl,
    /// A NumPy array: of the values where they form a sequence or a matrix, otherwise of all columns.
    Npy,
    /// Lines "n a(n)", as the OEIS wants them; for sequences.
    Bfile,
    /// A Markdown table, as pages and issues show it.
    Markdown,
    /// A LaTeX tabular, to be pasted into a paper.
    Latex,
}

/// A way to write the cells of one line of a table as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Markup {
    Csv,
    Markdown,
    Latex,
}

impl Markup {
    /// One line, without its end.
    pub(super) fn line<T: std::fmt::Display>(self, cells: impl IntoIterator<Item = T>) -> String {
        let (first, between, last) = match self {
            Self::Csv => ("", ",", ""),
            Self::Markdown => ("| ", " | ", " |"),
            Self::Latex => ("", " & ", " \\\\"),
        };
        let mut line = first.to_string();
        for (i, cell) in cells.into_iter().enumerate() {
            // Writing into a String cannot fail.
            let _ = write!(line, "{}{cell}", if i > 0 { between } else { "" });
        }
        line + last
    }

    /// All rows of `data`, one per line.
    fn rows(self, data: &dyn Dataset, out: &mut dyn Write, path: &Path) -> Result<()> {
        data.for_each_row(&mut |row| {
            writeln!(out, "{}", self.line(row)).map_err(Error::io("cannot write", path))
        })
    }
}

impl Format {
    /// Writes `data`; `path` is named in errors, a b-file begins with the term of index `offset`.
    pub fn write(self, data: &dyn Dataset, offset: u64, out: &mut dyn Write, path: &Path) -> Result<()> {
        match self {
            Self::Csv => csv(data, out, path),
            Self::Jsonl => json_lines(data, out, path),
            Self::Npy => numpy(data, out, path),
            Self::Bfile => b_file(data, offset, out, path),
            Self::Markdown => markdown(data, out, path),
            Self::Latex => latex(data, out, path),
        }
    }
}

fn csv(data: &dyn Dataset, out: &mut dyn Write, path: &Path) -> Result<()> {
    writeln!(out, "{}", Markup::Csv.line(data.columns())).map_err(Error::io("cannot write", path))?;
    Markup::Csv.rows(data, out, path)
}

fn json_lines(data: &dyn Dataset, out: &mut dyn Write, path: &Path) -> Result<()> {
    let columns = data.columns();
    data.for_each_row(&mut |row| {
        let object: serde_json::Map<_, _> =
            columns.iter().cloned().zip(row.iter().map(|&number| number.into())).collect();
        writeln!(out, "{}", serde_json::Value::Object(object)).map_err(Error::io("cannot write", path))
    })
}

fn b_file(data: &dyn Dataset, offset: u64, out: &mut dyn Write, path: &Path) -> Result<()> {
    if data.shape().is_none_or(|shape| shape.len() != 1) {
        return Err(Error::Usage(
            "a b-file holds a sequence without gaps: choose a row (--row) of a game in which equal heaps may stand, or another format".into(),
        ));
    }
    let length = data.shape().map_or(0, |shape| shape[0]);
    if offset >= length {
        return Err(Error::Usage(format!(
            "the sequence ends at n = {}, so that it has no term at offset {offset}; give a smaller --offset",
            length.saturating_sub(1)
        )));
    }
    let mut index = 0;
    data.for_each_row(&mut |row| {
        let value = row[row.len() - 1];
        if index >= offset {
            writeln!(out, "{index} {value}").map_err(Error::io("cannot write", path))?;
        }
        index += 1;
        Ok(())
    })
}

/// The columns of the CSV, one line per row.
fn markdown(data: &dyn Dataset, out: &mut dyn Write, path: &Path) -> Result<()> {
    let columns = data.columns();
    let rule = Markup::Markdown.line(vec!["--:"; columns.len()]);
    writeln!(out, "{}\n{rule}", Markup::Markdown.line(columns)).map_err(Error::io("cannot write", path))?;
    Markup::Markdown.rows(data, out, path)
}

/// The columns of the CSV as a tabular. A column `a1` becomes $a_{1}$, since heaps are written so in papers.
fn latex(data: &dyn Dataset, out: &mut dyn Write, path: &Path) -> Result<()> {
    let columns = data.columns();
    let heads = Markup::Latex.line(columns.iter().map(|name| latex_name(name)));
    let right = "r".repeat(columns.len());
    writeln!(out, "\\begin{{tabular}}{{{right}}}\n\\hline\n{heads}\n\\hline")
        .map_err(Error::io("cannot write", path))?;
    Markup::Latex.rows(data, out, path)?;
    writeln!(out, "\\hline\n\\end{{tabular}}").map_err(Error::io("cannot write", path))
}

fn latex_name(name: &str) -> String {
    let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
    match &name[letters.len()..] {
        "" if letters.chars().count() == 1 => format!("${letters}$"),
        "" => letters.replace('_', "\\_"),
        digits => format!("${letters}_{{{digits}}}$"),
    }
}

/// Numbers of 32 bits where they fit, otherwise of 64.
fn numpy(data: &dyn Dataset, out: &mut dyn Write, path: &Path) -> Result<()> {
    let mut numbers = Vec::new();
    let mut rows = 0u64;
    let shape = data.shape();
    data.for_each_row(&mut |row| {
        rows += 1;
        match shape {
            Some(_) => numbers.push(row[row.len() - 1]),
            None => numbers.extend_from_slice(row),
        }
        Ok(())
    })?;
    let shape = shape.unwrap_or_else(|| vec![rows, data.columns().len() as u64]);
    let wide = numbers.iter().any(|&number| number > u64::from(u32::MAX));
    let bytes: Vec<u8> = if wide {
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    } else {
        numbers.iter().flat_map(|&number| (number as u32).to_le_bytes()).collect()
    };
    out.write_all(&npy::header_of_shape(if wide { "<u8" } else { "<u4" }, &shape))
        .and_then(|()| out.write_all(&bytes))
        .map_err(Error::io("cannot write", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Small;

    impl Dataset for Small {
        fn columns(&self) -> Vec<String> {
            ["a1", "x", "p_count"].map(String::from).to_vec()
        }
        fn for_each_row(&self, visit: &mut dyn FnMut(&[u64]) -> Result<()>) -> Result<()> {
            visit(&[4, 6, 0])?;
            visit(&[4, 13, 1])
        }
        fn shape(&self) -> Option<Vec<u64>> {
            None
        }
    }

    /// The squares 0, 1, 4, 9.
    struct Squares;

    impl Dataset for Squares {
        fn columns(&self) -> Vec<String> {
            ["n", "value"].map(String::from).to_vec()
        }
        fn for_each_row(&self, visit: &mut dyn FnMut(&[u64]) -> Result<()>) -> Result<()> {
            (0..4).try_for_each(|n| visit(&[n, n * n]))
        }
        fn shape(&self) -> Option<Vec<u64>> {
            Some(vec![4])
        }
    }

    /// Regression: `--offset 1` gave the term of 0 the index 1.
    #[test]
    fn the_offset_of_a_b_file_leaves_terms_out_and_does_not_rename_them() {
        let written = |offset| {
            let mut out = Vec::new();
            Format::Bfile
                .write(&Squares, offset, &mut out, Path::new("b.txt"))
                .map(|()| String::from_utf8(out).unwrap())
        };
        assert_eq!(written(0).unwrap(), "0 0\n1 1\n2 4\n3 9\n");
        assert_eq!(written(1).unwrap(), "1 1\n2 4\n3 9\n");
        assert!(written(4).unwrap_err().to_string().contains("ends at n = 3"));
    }

    fn written(format: Format) -> String {
        let mut out = Vec::new();
        format.write(&Small, 0, &mut out, Path::new("out")).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn tables_for_pages_and_papers_have_the_columns_of_the_csv() {
        assert_eq!(written(Format::Csv), "a1,x,p_count\n4,6,0\n4,13,1\n");
        assert_eq!(
            written(Format::Markdown),
            "| a1 | x | p_count |\n| --: | --: | --: |\n| 4 | 6 | 0 |\n| 4 | 13 | 1 |\n"
        );
        assert_eq!(
            written(Format::Latex),
            "\\begin{tabular}{rrr}\n\\hline\n$a_{1}$ & $x$ & p\\_count \\\\\n\\hline\n4 & 6 & 0 \\\\\n4 & 13 & 1 \\\\\n\\hline\n\\end{tabular}\n"
        );
    }
}
