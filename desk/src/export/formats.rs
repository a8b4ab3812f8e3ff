//! The formats.

use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

use super::{Dataset, Layout, layout, oeis};
use crate::base::{Error, Result};
use crate::table::npy;

/// A file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Format {
    /// Columns for the eye.
    Text,
    /// Comma-separated values with a header line; a matrix has a line per row.
    Csv,
    /// One JSON object in all.
    Json,
    /// One JSON object per line: a position and its entry.
    Jsonl,
    /// A NumPy array: of the values where they form a sequence or a matrix, otherwise of all columns.
    Npy,
    /// Lines "n a(n)", as the OEIS wants them; for sequences.
    Bfile,
    /// A draft of the lines %S, %N, %C and %O of an entry of the OEIS; for sequences.
    Oeis,
    /// A Markdown table, as pages and issues show it.
    Markdown,
    /// A LaTeX tabular, or an array for a matrix, to be pasted into a paper.
    Latex,
}

/// How a sequence is numbered for others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options {
    /// The index of the first term in a b-file or an entry of the OEIS; its own n by default.
    pub offset: Option<u64>,
    /// The most terms of a b-file.
    pub most_terms: Option<u64>,
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
    /// The format that the name of a file asks for: its ending, or b123456.txt for a b-file.
    pub fn of_name(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let (stem, ending) = name.rsplit_once('.')?;
        let is_number =
            |digits: &str| digits.len() >= 6 && digits.bytes().all(|digit| digit.is_ascii_digit());
        Some(match ending {
            "txt" if stem.strip_prefix('b').is_some_and(is_number) => Self::Bfile,
            "csv" => Self::Csv,
            "json" => Self::Json,
            "jsonl" => Self::Jsonl,
            "npy" => Self::Npy,
            "md" => Self::Markdown,
            "tex" => Self::Latex,
            _ => return None,
        })
    }

    /// Writes `data`; `path` is named in errors.
    pub fn write(
        self,
        data: &dyn Dataset,
        options: &Options,
        out: &mut dyn Write,
        path: &Path,
    ) -> Result<()> {
        if let (Some(markup), Layout::Matrix(sizes)) = (self.markup(), data.layout()) {
            return layout::matrix(data, sizes, markup, out, path);
        }
        match self {
            Self::Text => layout::text(data, out, path),
            Self::Csv => csv(data, out, path),
            Self::Json => layout::json(data, out, path),
            Self::Jsonl => json_lines(data, out, path),
            Self::Npy => numpy(data, out, path),
            Self::Bfile => oeis::b_file(data, options, out, path),
            Self::Oeis => oeis::draft(data, options, out, path),
            Self::Markdown => markdown(data, out, path),
            Self::Latex => latex(data, out, path),
        }
    }

    /// Refuses a sequence or a matrix of so many cells, where this format has to lay all of them out.
    pub fn check_cells(self, cells: u64) -> Result<()> {
        match self {
            Self::Jsonl | Self::Npy | Self::Bfile | Self::Oeis => Ok(()),
            Self::Text | Self::Csv | Self::Json | Self::Markdown | Self::Latex => layout::check_cells(cells),
        }
    }

    /// The markup of a table with lines of cells.
    fn markup(self) -> Option<Markup> {
        match self {
            Self::Csv => Some(Markup::Csv),
            Self::Markdown => Some(Markup::Markdown),
            Self::Latex => Some(Markup::Latex),
            _ => None,
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

    #[test]
    fn a_file_name_asks_for_a_format() {
        let of = |name: &str| Format::of_name(Path::new(name));
        assert_eq!(of("a/row.csv"), Some(Format::Csv));
        assert_eq!(of("M.TEX"), Some(Format::Latex));
        assert_eq!(of("b002186.txt"), Some(Format::Bfile));
        assert_eq!((of("b1.txt"), of("bits.txt")), (None, None));
        assert_eq!((of("-"), of("csv"), of("table.dat")), (None, None, None));
    }

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

    fn written(format: Format) -> String {
        let mut out = Vec::new();
        format.write(&Small, &Options::default(), &mut out, Path::new("out")).unwrap();
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
