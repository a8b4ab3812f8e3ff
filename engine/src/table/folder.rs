//! The folder of a table that is being written, and what keeps others out of it.
//!
//! Two locks are held: that of the file `lock`, which others than tables take too, and that of the data file
//! itself, since anybody can remove a file called `lock`. All files are reached through the open folder.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::Width;
use super::journal::{JOURNAL, Journal, Record};
use super::manifest::{MANIFEST, Manifest, State};
use super::store::{Store, check_file};
use crate::base::files::{self, Folder, LockedFile};
use crate::base::live::LIVE;
use crate::base::{Error, Result};

const LOCK: &str = "lock";

/// How long a writer waits for those who read what is finished of a stopped table: most have their answer in a moment.
const PATIENCE: Duration = Duration::from_secs(5);

/// The time between two looks at the lock.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// Keeps other processes out of a table's folder as long as it lives.
#[derive(Debug)]
pub(super) struct LockedFolder {
    pub folder: Folder,
    _lock: LockedFile,
}

/// Takes the lock of a table's folder, which ends with what is returned.
pub(super) fn take_lock(path: &Path) -> Result<LockedFolder> {
    let folder = Folder::open(path).map_err(Error::io("cannot open", path))?;
    let lock_path = path.join(LOCK);
    let cannot = || Error::io("cannot lock", &lock_path);
    let until = Instant::now() + PATIENCE;
    let lock = loop {
        if let Some(lock) = folder.lock(LOCK).map_err(cannot())? {
            break lock;
        }
        // A lock that can be shared is held by readers, who are soon gone; a writer is not.
        if folder.lock_shared(LOCK).map_err(cannot())?.is_none() {
            return Err(Error::Locked { path: path.to_path_buf() });
        }
        if Instant::now() >= until {
            return Err(Error::BeingRead { path: path.to_path_buf() });
        }
        std::thread::sleep(BETWEEN_LOOKS);
    };
    folder.remove_remainders(MANIFEST);
    folder.remove_remainders(LIVE);
    Ok(LockedFolder { folder, _lock: lock })
}

/// Keeps writers out of a table's folder, beside others who read it; `None` where somebody writes, or where the folder
/// is not ours to lock.
pub(super) fn take_readers_lock(path: &Path) -> Option<LockedFolder> {
    let folder = Folder::open(path).ok()?;
    let lock = folder.lock_shared(LOCK).ok()??;
    Some(LockedFolder { folder, _lock: lock })
}

/// A run that was killed before it wrote its manifest leaves a lock, and perhaps half a manifest.
pub(super) fn holds_only_a_lock(path: &Path) -> Result<bool> {
    let names =
        Folder::open(path).and_then(|folder| folder.names()).map_err(Error::io("cannot read", path))?;
    Ok(names.iter().all(|name| name == LOCK || files::is_remainder_of(name, MANIFEST)))
}

/// The files of a table on disk.
#[derive(Debug)]
pub(super) struct TableFolder {
    locked: LockedFolder,
    /// The data file, locked.
    data: LockedFile,
    data_name: String,
    pub journal: Journal,
}

impl TableFolder {
    /// Opens the files of a table, of which the data file is made where `make` says so, and the last record
    /// of its journal.
    pub fn open(locked: LockedFolder, data_name: &str, make: bool) -> Result<(Self, Option<Record>)> {
        let path = locked.folder.path().join(data_name);
        let folder = &locked.folder;
        let data = if make { folder.write_or_create(data_name) } else { folder.write(data_name) };
        let data = data.map_err(Error::io("cannot open", &path))?;
        let data = files::try_lock(data).map_err(Error::io("cannot lock", &path))?;
        let data = data.ok_or_else(|| Error::Locked { path: folder.path().to_path_buf() })?;
        folder.remove_remainders(data_name);
        let (journal, record) = Journal::open(folder)?;
        Ok((Self { locked, data, data_name: data_name.into(), journal }, record))
    }

    /// Removes the files of a table that could not be begun, in a folder whose lock is held; and the folder,
    /// where it was made for it.
    pub fn remove(locked: LockedFolder, data_name: &str, fresh: bool) {
        for name in [JOURNAL, data_name, MANIFEST, LOCK] {
            locked.folder.remove(name);
        }
        if fresh && locked.folder.is_at_its_path() {
            // Only an empty folder can be removed so.
            let _ = std::fs::remove_dir(locked.folder.path());
        }
    }

    pub fn folder(&self) -> &Folder {
        &self.locked.folder
    }

    /// Lets go of the data file and the journal.
    pub fn into_locked(self) -> LockedFolder {
        self.locked
    }

    /// The path of the data file, for messages.
    pub fn data_path(&self) -> PathBuf {
        self.folder().path().join(&self.data_name)
    }

    /// Makes the data file anew, with zeros.
    pub fn create(&self, width: Width, entries: u64) -> Result<Store> {
        Store::create(&self.data, &self.data_path(), width, entries)
    }

    /// Makes the data file longer.
    pub fn grow(&self, width: Width, entries: u64) -> Result<Store> {
        Store::grow(&self.data, &self.data_path(), width, entries)
    }

    /// Maps the data file; with `private`, writes go to a copy.
    pub fn map(&self, width: Width, entries: u64, private: bool) -> Result<Store> {
        let map = if private { Store::open_private } else { Store::open };
        map(&self.data, &self.data_path(), width, entries)
    }

    /// Replaces the data file by a new one that `fill` makes of zeros.
    pub fn replace_data(
        &mut self,
        width: Width,
        entries: u64,
        fill: impl FnOnce(&mut Store),
    ) -> Result<Store> {
        let path = self.data_path();
        let folder = &self.locked.folder;
        let (temporary, file) =
            folder.temporary(&self.data_name).map_err(Error::io("cannot create", &path))?;
        // Nobody else knows the new file, so that its lock is free.
        let locked = files::try_lock(file).and_then(|file| file.ok_or(ErrorKind::WouldBlock.into()));
        let made = locked.map_err(Error::io("cannot lock", &path)).and_then(|file| {
            let mut store = Store::create(&file, &path, width, entries)?;
            fill(&mut store);
            store.flush(&path)?;
            folder.rename(&temporary, &file, &self.data_name).map_err(Error::io("cannot replace", &path))?;
            Ok((store, file))
        });
        match made {
            Ok((store, file)) => {
                self.data = file;
                Ok(store)
            }
            Err(error) => {
                folder.remove(&temporary);
                Err(error)
            }
        }
    }

    /// Checks the length and header of the data file that `manifest` describes.
    pub fn check_data(&self, manifest: &Manifest) -> Result<()> {
        if manifest.state == State::Partial {
            return Ok(());
        }
        check_file(&self.data, &self.data_path(), manifest.width, manifest.spec.entries)
    }

    /// The width of the data file, from its length: a crash between widening the file and writing the
    /// manifest leaves the two different. `None` where the file has another length.
    pub fn width_on_disk(&self, manifest: &Manifest) -> Result<Option<Width>> {
        let length = self.data.metadata().map_err(Error::io("cannot read", &self.data_path()))?.len();
        let fits = |width: &Width| length == width.file_bytes(manifest.spec.entries);
        Ok(match manifest.width {
            Width::U8 if manifest.state == State::Partial => [Width::U8, Width::U16].into_iter().find(fits),
            width => Some(width).filter(fits),
        })
    }

    /// Refuses to go on where the data file is no longer the one that is filled: another process may have
    /// begun the table anew, and its journal and manifest are not ours to write.
    pub fn check_unchanged(&self) -> Result<()> {
        if self.folder().holds(&self.data_name, &self.data) {
            return Ok(());
        }
        Err(Error::Mismatch {
            path: self.folder().path().to_path_buf(),
            problem: format!("{} was removed or replaced while it was being filled", self.data_name),
            remedy: "see whether another process fills the table; otherwise run the same command again"
                .into(),
        })
    }

    /// Says where a finished table is that is no longer at its path.
    pub fn check_path(&self) -> Result<()> {
        if self.folder().is_at_its_path() {
            return Ok(());
        }
        Err(Error::Mismatch {
            path: self.folder().path().to_path_buf(),
            problem: "the folder was moved away while the table was being filled".into(),
            remedy: "the finished table is in the folder that was moved; use that one".into(),
        })
    }
}
