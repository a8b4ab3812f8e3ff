//! The only way to read a file that may be anything, and the only way to write a file whole.

mod folder;
mod own;
mod whole;

pub use folder::{Folder, LockedFile, try_lock};
pub use own::OwnFolder;

pub use whole::{
    STANDARD_OUTPUT, check_output, is_remainder_of, is_standard_output, refuse_table_file, rename_synced,
    replace, replace_with, save, save_with,
};

use std::fs::{self, File};
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
/// with what is returned.
pub fn lock(path: &Path) -> Result<Option<LockedFile>> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name().and_then(|name| name.to_str()).ok_or(ErrorKind::InvalidInput)?;
    Folder::open(folder)?.lock(name)
}

/// Removes what killed processes have left of writing the file `name` in `folder`; only for the holder of its
/// lock.
pub fn remove_remainders(folder: &Path, name: &str) {
    if let Ok(folder) = Folder::open(folder) {
        folder.remove_remainders(name);
    }
}
