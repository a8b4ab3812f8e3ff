//! A folder that holds what one run keeps, and nothing else.

use std::ffi::OsString;
use std::fs;
use std::ops::Deref;
use std::path::Path;

use super::{Folder, LockedFile, is_remainder_of};
use crate::base::live::LIVE;
use crate::base::{Error, Result};

/// A folder of our own, locked as long as this lives.
#[derive(Debug)]
pub struct OwnFolder {
    folder: Folder,
    _lock: LockedFile,
}

impl OwnFolder {
    /// Opens the folder, which is made if it is not there. It may hold the files `name`, `lock` and `live.json` and what
    /// killed processes have left of writing them, which is removed. Otherwise it is not the folder of `what`.
    pub fn open(path: &Path, name: &str, lock: &str, what: &str) -> Result<Self> {
        fs::create_dir_all(path).map_err(Error::io("cannot create", path))?;
        let folder = Folder::open(path).map_err(Error::io("cannot open", path))?;
        let names = folder.names().map_err(Error::io("cannot read", path))?;
        let written = |there: &OsString, name: &str| there == name || is_remainder_of(there, name);
        let is_ours = |there: &OsString| there == lock || written(there, name) || written(there, LIVE);
        if !names.iter().all(is_ours) {
            return Err(Error::Mismatch {
                path: path.into(),
                problem: format!("the folder holds other files than those of {what}"),
                remedy: "choose another --out".into(),
            });
        }
        let lock = folder.lock(lock).map_err(Error::io("cannot lock", path))?;
        let lock = lock.ok_or_else(|| Error::Locked { path: path.into() })?;
        folder.remove_remainders(name);
        folder.remove_remainders(LIVE);
        Ok(Self { folder, _lock: lock })
    }
}

impl Deref for OwnFolder {
    type Target = Folder;

    fn deref(&self) -> &Folder {
        &self.folder
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_anything_else_is_refused_and_one_run_holds_it() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("new");
        let open = || OwnFolder::open(&path, "state", "lock", "a run");
        let held = open().unwrap();
        assert!(matches!(open(), Err(Error::Locked { .. })));
        held.replace("state", b"kept").unwrap();
        let (remainder, _) = held.temporary("state").unwrap();
        drop(held);
        assert!(open().unwrap().contains("state") && !path.join(remainder).exists());
        fs::write(path.join("letter.txt"), "hello").unwrap();
        let refused = open().unwrap_err().to_string();
        assert!(refused.contains("other files than those of a run"), "{refused}");
        assert_eq!(fs::read(path.join("letter.txt")).unwrap(), b"hello");
    }
}
