//! A folder that is kept open: its files are reached through it and not through its path, so that it stays
//! the same folder where somebody renames it, and nothing is written to what takes its place.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, TryLockError};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{Error, ErrorKind, Result, Write};
use std::ops::Deref;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Dir, Mode, OFlags, openat, renameat, statat, unlinkat};

use super::whole::{is_remainder_of, sync_open_folder};

/// An open folder.
#[derive(Debug)]
pub struct Folder {
    open: File,
    path: PathBuf,
}

impl Folder {
    /// Opens the folder that `path` leads to now.
    pub fn open(path: &Path) -> Result<Self> {
        let open = File::open(path)?;
        if !open.metadata()?.is_dir() {
            return Err(ErrorKind::NotADirectory.into());
        }
        Ok(Self { open, path: path.to_path_buf() })
    }

    /// The path that the folder was opened by, which may be another one's by now.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the path still leads to this folder.
    pub fn is_at_its_path(&self) -> bool {
        let here = self.open.metadata();
        let there = fs::metadata(&self.path);
        matches!((here, there), (Ok(a), Ok(b)) if (a.dev(), a.ino()) == (b.dev(), b.ino()))
    }

    /// Opens the plain file `name` for reading.
    pub fn read(&self, name: &str) -> Result<File> {
        self.file(name, OFlags::RDONLY)
    }

    /// Opens the plain file `name` for reading and writing.
    pub fn write(&self, name: &str) -> Result<File> {
        self.file(name, OFlags::RDWR)
    }

    /// The same, where the file is made if it is not there.
    pub fn write_or_create(&self, name: &str) -> Result<File> {
        self.file(name, OFlags::RDWR | OFlags::CREATE)
    }

    fn file(&self, name: &str, flags: OFlags) -> Result<File> {
        // Without waiting: opening a pipe would last until somebody opens its other end.
        let flags = flags | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let file = File::from(openat(&self.open, name, flags, Mode::from_raw_mode(0o666))?);
        if !file.metadata()?.is_file() {
            return Err(Error::new(ErrorKind::InvalidInput, "not a plain file"));
        }
        Ok(file)
    }

    /// Whether there is something called `name`.
    pub fn contains(&self, name: &str) -> bool {
        statat(&self.open, name, AtFlags::SYMLINK_NOFOLLOW).is_ok()
    }

    /// Whether `name` is still the file that is open as `file`.
    pub fn holds(&self, name: &str, file: &File) -> bool {
        match (statat(&self.open, name, AtFlags::empty()), file.metadata()) {
            (Ok(there), Ok(here)) => (there.st_dev, there.st_ino) == (here.dev(), here.ino()),
            _ => false,
        }
    }

    /// The names of what the folder holds.
    pub fn names(&self) -> Result<Vec<OsString>> {
        let mut names = Vec::new();
        for entry in Dir::read_from(&self.open)? {
            let entry = entry?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name != "." && name != ".." {
                names.push(name.to_owned());
            }
        }
        Ok(names)
    }

    /// Takes the lock of the file `name`, made if it is not there; `None` if another process holds it. It
    /// ends with what is returned.
    pub fn lock(&self, name: &str) -> Result<Option<LockedFile>> {
        self.lock_by(name, File::try_lock)
    }

    /// The same for a reader: several of them may hold the lock, but nobody beside them who writes.
    pub fn lock_shared(&self, name: &str) -> Result<Option<LockedFile>> {
        self.lock_by(name, File::try_lock_shared)
    }

    fn lock_by(&self, name: &str, how: Lock) -> Result<Option<LockedFile>> {
        loop {
            let Some(file) = LockedFile::of(self.write_or_create(name)?, how)? else { return Ok(None) };
            // Who removed the file meanwhile has let go of it, and the next one locks another file.
            if self.holds(name, &file) {
                return Ok(Some(file));
            }
        }
    }

    /// A new file with a random name that did not exist, to become the file `name`.
    pub fn temporary(&self, name: &str) -> Result<(String, File)> {
        loop {
            let random = RandomState::new().build_hasher().finish();
            let temporary = format!(".{name}.{random:016x}.tmp");
            match self.file(&temporary, OFlags::RDWR | OFlags::CREATE | OFlags::EXCL) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                other => return other.map(|file| (temporary, file)),
            }
        }
    }

    /// Gives `bytes` to the file `name`, whole or not at all.
    pub fn replace(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let (temporary, mut file) = self.temporary(name)?;
        let replaced = file.write_all(bytes).and_then(|()| self.rename(&temporary, &file, name));
        if replaced.is_err() {
            self.remove(&temporary);
        }
        replaced
    }

    /// The same for what nobody misses after a crash: the disk is not waited for.
    pub fn replace_unsynced(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let (temporary, mut file) = self.temporary(name)?;
        let written = file.write_all(bytes);
        let replaced = written.and_then(|()| Ok(renameat(&self.open, &temporary, &self.open, name)?));
        if replaced.is_err() {
            self.remove(&temporary);
        }
        replaced
    }

    /// Gives the file `from`, which is open as `file`, the name `to`, durably.
    pub fn rename(&self, from: &str, file: &File, to: &str) -> Result<()> {
        file.sync_all()?;
        renameat(&self.open, from, &self.open, to)?;
        self.sync()
    }

    /// Removes the file `name`, if it is there.
    pub fn remove(&self, name: &str) {
        let _ = unlinkat(&self.open, name, AtFlags::empty());
    }

    /// Removes what killed processes have left of writing the file `name`; only for the holder of the lock.
    pub fn remove_remainders(&self, name: &str) {
        for remainder in self.names().into_iter().flatten().filter(|there| is_remainder_of(there, name)) {
            // It does no harm where it stays.
            let _ = unlinkat(&self.open, &*remainder, AtFlags::empty());
        }
    }

    /// Makes a rename or a new file durable, where the system can do that.
    pub fn sync(&self) -> Result<()> {
        sync_open_folder(&self.open)
    }
}

/// A way to lock a file at once.
type Lock = fn(&File) -> std::result::Result<(), TryLockError>;

/// A file that is locked as long as this lives, and no longer: a child process that another thread is just
/// starting has a copy of every open file for a moment, and with it the lock, unless that is given back.
#[derive(Debug)]
pub struct LockedFile(File);

impl LockedFile {
    fn of(file: File, how: Lock) -> Result<Option<Self>> {
        match how(&file) {
            Ok(()) => Ok(Some(Self(file))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}

impl Deref for LockedFile {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

impl Drop for LockedFile {
    fn drop(&mut self) {
        // If this fails, the lock ends with the process.
        let _ = self.0.unlock();
    }
}

/// Locks the file; `None` if another process holds the lock.
pub fn try_lock(file: File) -> Result<Option<LockedFile>> {
    LockedFile::of(file, File::try_lock)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_moved_away_is_written_to_and_not_its_successor() {
        let place = tempfile::tempdir().unwrap();
        let (first, second) = (place.path().join("first"), place.path().join("second"));
        fs::create_dir(&first).unwrap();
        let folder = Folder::open(&first).unwrap();
        folder.replace("file", b"one").unwrap();
        fs::rename(&first, &second).unwrap();
        fs::create_dir(&first).unwrap();
        assert!(!folder.is_at_its_path());
        folder.replace("file", b"two").unwrap();
        assert_eq!(fs::read(second.join("file")).unwrap(), b"two");
        assert_eq!(folder.names().unwrap(), ["file"]);
        assert!(fs::read_dir(&first).unwrap().next().is_none());
    }

    #[test]
    fn a_lock_whose_file_was_removed_is_not_one() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::open(place.path()).unwrap();
        let held = folder.lock("lock").unwrap().unwrap();
        assert!(folder.lock("lock").unwrap().is_none());
        folder.remove("lock");
        assert!(!folder.holds("lock", &held) && !folder.contains("lock"));
        assert!(folder.lock("lock").unwrap().is_some());
    }

    /// Regression: a table could be called locked by a process that had let go of it, because a child process
    /// was being started at that moment.
    #[test]
    fn a_lock_that_is_given_up_is_free_though_a_child_process_has_the_file() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::open(place.path()).unwrap();
        let held = folder.lock("lock").unwrap().unwrap();
        // What a child process has between fork and exec.
        let copy = held.try_clone().unwrap();
        assert!(folder.lock("lock").unwrap().is_none());
        drop(held);
        assert!(folder.lock("lock").unwrap().is_some());
        drop(copy);
    }

    #[test]
    fn what_is_not_a_plain_file_is_refused_without_waiting() {
        let place = tempfile::tempdir().unwrap();
        let kind = rustix::fs::FileType::Fifo;
        rustix::fs::mknodat(rustix::fs::CWD, place.path().join("pipe"), kind, 0o600.into(), 0).unwrap();
        fs::create_dir(place.path().join("folder")).unwrap();
        let folder = Folder::open(place.path()).unwrap();
        for name in ["pipe", "folder"] {
            assert!(folder.read(name).is_err() && folder.write(name).is_err(), "{name}");
        }
        assert!(Folder::open(&place.path().join("pipe").join("x")).is_err());
    }
}
