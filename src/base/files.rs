//! The only way to read a file that may be anything, and the only way to write a file whole.

mod whole;

pub use whole::{
    STANDARD_OUTPUT, check_output, is_remainder_of, is_standard_output, refuse_table_file, remove_remainders,
    rename_synced, replace, replace_with, save, save_with, sync_folder,
};

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// Refuses what is neither a plain file nor a folder, as a pipe: opening it could wait for ever.
pub fn check_plain(path: &Path) -> Result<()> {
    let kind = fs::metadata(path)?;
    if kind.is_file() || kind.is_dir() {
        return Ok(());
    }
    Err(Error::new(ErrorKind::InvalidInput, "not a plain file"))
}

/// Opens a plain file for reading.
pub fn open(path: &Path) -> Result<File> {
    check_plain(path)?;
    File::open(path)
}

/// The bytes of a file, which may also be a pipe, up to `most`; more are an error.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(Error::new(ErrorKind::FileTooLarge, format!("it has more than {most} bytes")));
    }
    Ok(bytes)
}

/// The text of a file, which may also be a pipe, up to `most` bytes; more are an error.
pub fn read_text(path: &Path, most: u64) -> Result<String> {
    String::from_utf8(read(path, most)?)
        .map_err(|_| Error::new(ErrorKind::InvalidData, "it is not a text in UTF-8"))
}

/// Takes the lock of the file `path`, made if it is not there; `None` if another process holds it. It ends
/// with the process.
pub fn lock(path: &Path) -> Result<Option<File>> {
    if path.exists() {
        check_plain(path)?;
    }
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}
