//! Tables for people and other programs: CSV, JSON lines, NPY and b-files.
//!
//! A [`Dataset`] is a list of rows of whole numbers under named columns; a [`Format`] writes any dataset.

mod cookie;
pub mod cookie_table;
mod formats;
mod heaps;
mod octal;

pub use formats::Format;

use std::path::Path;

use self::cookie::CookieData;
use self::heaps::HeapData;
use self::octal::OctalData;
use crate::base::{Error, Result, files};
use crate::table::{Positions, Reader};

/// Which part of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// Every position, in the order of the index.
    All,
    /// The P-positions; of heaps, those whose heaps are all non-empty.
    PPositions,
    /// One heap runs from 0 to the largest, the others are these.
    Row(Vec<u32>),
    /// Two heaps run from 0 to the largest, the others are these.
    Slice(Vec<u32>),
}

/// That part of a table, whatever it holds.
pub fn dataset(reader: &Reader, choice: Choice) -> Result<Box<dyn Dataset + '_>> {
    let (game, positions) = reader.contents()?;
    Ok(match (positions, choice) {
        (Positions::Heaps(space), choice) => Box::new(HeapData::new(reader, game, space, choice)?),
        (Positions::Line, Choice::All) => Box::new(OctalData::new(reader)),
        (Positions::Line, _) => {
            return Err(Error::Usage("a nim-sequence is exported whole; leave out the choice".into()));
        }
        (Positions::Grid(_), Choice::All) => Box::new(CookieData::new(reader, false)),
        (Positions::Grid(_), Choice::PPositions) => Box::new(CookieData::new(reader, true)),
        (Positions::Grid(_), Choice::Row(_) | Choice::Slice(_)) => {
            return Err(Error::Usage(
                "--row and --slice are for heaps; a table of boards is exported whole or with --p-positions"
                    .into(),
            ));
        }
    })
}

/// Rows of numbers under named columns.
pub trait Dataset {
    /// The names of the columns; the last one is the outcome or the value where there is one.
    fn columns(&self) -> Vec<String>;

    /// Calls `visit` with each row; stops at the first error.
    fn for_each_row(&self, visit: &mut dyn FnMut(&[u64]) -> Result<()>) -> Result<()>;

    /// The shape of the last column as an array (its rows in C order), where it makes one; otherwise an NPY
    /// file holds all columns.
    fn shape(&self) -> Option<Vec<u64>>;
}

/// Writes `data` to the output `path`, see [`files::save_with`].
pub fn write(data: &dyn Dataset, format: Format, offset: u64, path: &Path) -> Result<()> {
    files::save_with(path, &mut |out| format.write(data, offset, out, path))
}
