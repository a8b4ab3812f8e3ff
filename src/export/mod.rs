//! Tables for people and other programs: CSV, JSON lines, NPY and b-files.
//!
//! A [`Dataset`] is a list of rows of whole numbers under named columns; a [`Format`] writes any dataset.

mod cookie;
pub mod cookie_table;
mod formats;
mod heaps;
mod octal;

pub use cookie::CookieData;
pub use formats::Format;
pub use heaps::{HeapChoice, HeapData};
pub use octal::OctalData;

use std::path::Path;

use crate::base::{Result, files};

/// Rows of numbers under named columns.
pub trait Dataset {
    /// The names of the columns; the last one is the outcome or the value where there is one.
    fn columns(&self) -> Vec<String>;

    /// Calls `visit` with each row; stops at the first error.
    fn for_each_row(&self, visit: &mut dyn FnMut(&[u64]) -> Result<()>) -> Result<()>;

    /// The shape of the last column as an array (its rows in C order), where it makes one; otherwise an NPY file holds
    /// all columns.
    fn shape(&self) -> Option<Vec<u64>>;
}

/// Writes `data` to the output `path`, see [`files::save_with`].
pub fn write(data: &dyn Dataset, format: Format, offset: u64, path: &Path) -> Result<()> {
    files::save_with(path, &mut |out| format.write(data, offset, out, path))
}
