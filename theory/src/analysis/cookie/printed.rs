//! The values that the literature prints, from `data/golden/cookie.tsv`.

use crate::base::{Error, Result};
use crate::rules::Cutter;

const TABLES: &str = include_str!("../../../../data/golden/cookie.tsv");

/// A cell of Tables 5.1 to 5.7.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Printed {
    /// The table, such as `5.2`.
    pub table: String,
    /// The cutter.
    pub cutter: Cutter,
    /// Rows of the board.
    pub rows: usize,
    /// Columns of the board.
    pub cols: usize,
    /// The value in print.
    pub value: u8,
}

/// All printed cells.
pub fn printed() -> Result<Vec<Printed>> {
    let lines = TABLES.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            parse(line).ok_or_else(|| Error::Usage(format!("golden cookie tables: bad line '{line}'")))
        })
        .collect()
}

fn parse(line: &str) -> Option<Printed> {
    let mut fields = line.split('\t');
    let mut next = || fields.next();
    let cell = Printed {
        table: next()?.into(),
        cutter: next()?.parse().ok()?,
        rows: next()?.parse().ok()?,
        cols: next()?.parse().ok()?,
        value: next()?.parse().ok()?,
    };
    next().is_none().then_some(cell)
}
