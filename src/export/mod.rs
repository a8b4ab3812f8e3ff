//! Tables for people and other programs: CSV, JSON lines, NPY and b-files.
//!
//! A [`Dataset`] is a list of rows of whole numbers under named columns; a [`Format`] writes any dataset.

mod cookie;
mod formats;
mod heaps;
mod octal;

pub use cookie::CookieData;
pub use formats::Format;
pub use heaps::{HeapChoice, HeapData};
pub use octal::OctalData;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use crate::base::{Error, Result};

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

/// Writes `data` to the file `path`, or to standard output. A file appears only when it is whole.
pub fn write(data: &dyn Dataset, format: Format, offset: u64, path: Option<&Path>) -> Result<()> {
    let Some(path) = path else {
        let stdout = Path::new("standard output");
        let mut out = BufWriter::new(std::io::stdout().lock());
        return match format
            .write(data, offset, &mut out, stdout)
            .and_then(|()| out.flush().map_err(Error::io("cannot write", stdout)))
        {
            // A reader that has seen enough (as `head`) is not an error.
            Err(Error::Io { error, .. }) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
            other => other,
        };
    };
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".tmp");
    let temporary = path.with_file_name(name);
    let result = File::create(&temporary).map_err(Error::io("cannot create", path)).and_then(|file| {
        let mut out = BufWriter::new(file);
        format.write(data, offset, &mut out, path)?;
        let file = out.into_inner().map_err(|e| Error::io("cannot write", path)(e.into_error()))?;
        file.sync_all().map_err(Error::io("cannot write", path))?;
        std::fs::rename(&temporary, path).map_err(Error::io("cannot write", path))
    });
    if result.is_err() {
        let _ = std::fs::remove_file(&temporary);
    }
    result
}
