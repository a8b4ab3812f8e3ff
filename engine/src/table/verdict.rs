//! Verdicts. A verdict belongs to data, by its BLAKE3, and to a specification: it is recorded only in the
//! manifest of what was checked, and counts only as long as that is what the table is.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::folder::{LockedFolder, take_lock};
use super::manifest::{Manifest, State, now};
use super::reader::read_manifest;
use crate::base::{Error, Result};

/// One verification of a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verification {
    /// What was checked: `full`, `sample` or `checksums`.
    pub kind: String,
    /// How: the checks in words.
    pub method: String,
    /// Entries checked.
    pub entries: u64,
    /// The share of all entries that was checked.
    pub coverage: f64,
    /// `passed` or `failed`.
    pub verdict: String,
    /// The first entry that is wrong, or the damage, where there is one.
    pub failure: Option<String>,
    /// The BLAKE3 that the manifest gave for the data. Older programs did not write it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blake3: Option<String>,
    /// The version of the program that checked.
    pub program_version: String,
    /// Seconds it took.
    pub seconds: f64,
    /// When it was checked (UTC).
    pub date: String,
}

impl Verification {
    /// The verdict on a file that is not as it was written.
    pub fn damaged(failure: String) -> Self {
        Self {
            kind: "checksums".into(),
            method: "length, header, xxh3 of every block and BLAKE3 of the file".into(),
            entries: 0,
            coverage: 0.0,
            verdict: "failed".into(),
            failure: Some(failure),
            blake3: None,
            program_version: env!("CARGO_PKG_VERSION").into(),
            seconds: 0.0,
            date: now(),
        }
    }

    /// Whether nothing wrong was found.
    pub fn passed(&self) -> bool {
        self.verdict == "passed"
    }
}

/// What the verifications of a table amount to.
#[derive(Debug, Clone, PartialEq)]
pub enum Standing<'a> {
    /// No verification speaks of this data.
    Unverified,
    /// This verification passed, and nothing speaks against it since.
    Passed(&'a Verification),
    /// This verification failed, and none has cleared the table since.
    Failed(&'a Verification),
    /// A verification passed, but the data is no longer that which it checked, or may not be: why.
    Outdated(String),
}

impl Standing<'_> {
    /// `unverified`, `passed`, `failed` or `outdated`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Unverified => "unverified",
            Self::Passed(_) => "passed",
            Self::Failed(_) => "failed",
            Self::Outdated(_) => "outdated",
        }
    }
}

impl Manifest {
    /// What the verifications of the table in `folder` amount to, by the record and the state of the files;
    /// their content is not read.
    pub fn standing(&self, folder: &Path) -> Standing<'_> {
        let Some(sums) = self.checksums.as_ref().filter(|_| self.state == State::Complete) else {
            return Standing::Unverified;
        };
        let (mut failure, mut best, mut last, mut other) = (None::<&Verification>, None, None, None);
        for check in &self.verifications {
            let same_data = check.blake3.as_ref().map(|blake3| *blake3 == sums.blake3);
            match (check.passed(), same_data) {
                (_, Some(false)) => other = Some("the verdicts are about other data"),
                (false, _) => {
                    failure = Some(check);
                    // Damage leaves the proof for the data as it was written; a wrong entry does not.
                    if check.kind != "checksums" {
                        best = None;
                    }
                }
                (true, None) => other = Some("the verdicts do not say which data they are about"),
                (true, Some(true)) => {
                    // Every verification finds damage; only a full one finds again what another found wrong.
                    failure = failure.filter(|wrong| wrong.kind != "checksums" && check.kind != "full");
                    if best.is_none_or(|best: &Verification| check.coverage >= best.coverage) {
                        best = Some(check);
                    }
                    last = Some(check);
                }
            }
        }
        if let Some(failure) = failure {
            return Standing::Failed(failure);
        }
        match (best, other) {
            (Some(best), _) => match last.and_then(|last| self.changed_since(folder, &last.date)) {
                None => Standing::Passed(best),
                Some(why) => Standing::Outdated(why),
            },
            (None, Some(why)) => Standing::Outdated(why.into()),
            (None, None) => Standing::Unverified,
        }
    }

    /// How the files of the data differ from those that were checked at `date`, as far as one can see from
    /// outside.
    fn changed_since(&self, folder: &Path, date: &str) -> Option<String> {
        let checked = humantime::parse_rfc3339(date).ok()?;
        let seconds =
            |time: SystemTime| time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |t| t.as_secs());
        for path in self.data_files(folder) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let Ok(found) = fs::metadata(&path) else {
                return Some(format!("{name} cannot be read"));
            };
            let expected = self.width.file_bytes(self.spec.entries);
            if !self.data_fits(folder) {
                return Some(format!("{name} has {} bytes instead of {expected}", found.len()));
            }
            if found.modified().is_ok_and(|modified| seconds(modified) > seconds(checked)) {
                return Some(format!("{name} was written or copied after the last verification"));
            }
        }
        None
    }

    /// Whether the files of the data are there, with the length that they must have.
    pub fn data_fits(&self, folder: &Path) -> bool {
        let expected = self.shards.is_none().then(|| self.width.file_bytes(self.spec.entries));
        let fits = |file: fs::Metadata| expected.is_none_or(|expected| file.len() == expected);
        self.data_files(folder).iter().all(|path| fs::metadata(path).is_ok_and(fits))
    }

    /// The files that hold the entries of the table in `folder`.
    fn data_files(&self, folder: &Path) -> Vec<PathBuf> {
        match &self.shards {
            None => vec![folder.join(&self.data_file)],
            Some(shards) => {
                shards.iter().map(|shard| folder.join(&shard.folder).join(&self.data_file)).collect()
            }
        }
    }
}

/// The verification of a table: keeps writers out while it lasts, and records the verdict.
#[derive(Debug)]
pub struct Verifying {
    folder: PathBuf,
    manifest: Manifest,
    files: Vec<Option<Stamp>>,
    /// The lock, or why there is none: a table that nobody may write to can be verified, but not recorded.
    lock: Result<LockedFolder>,
}

/// Length, time of the last change, and identity of a file.
type Stamp = (u64, i64, i64, u64, u64);

fn stamps(manifest: &Manifest, folder: &Path) -> Vec<Option<Stamp>> {
    let stamp = |path: PathBuf| {
        let file = fs::metadata(path).ok()?;
        Some((file.len(), file.mtime(), file.mtime_nsec(), file.dev(), file.ino()))
    };
    manifest.data_files(folder).into_iter().map(stamp).collect()
}

impl Verifying {
    /// Begins the verification of the table in `folder`, before it is opened.
    pub fn begin(folder: &Path) -> Result<Self> {
        // First, so that nothing is made in a folder that is not a table.
        read_manifest(folder)?;
        let lock = match take_lock(folder) {
            Err(Error::Io { action, path, error })
                if matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem) =>
            {
                Err(Error::Io { action, path, error })
            }
            lock => Ok(lock?),
        };
        let manifest = read_manifest(folder)?;
        let files = stamps(&manifest, folder);
        Ok(Self { folder: folder.to_path_buf(), manifest, files, lock })
    }

    /// Ends the verification: refuses a verdict on a table that was replaced, grown or written to meanwhile,
    /// and adds it to the manifest. Returns it with the data that it is about, and why it could not be
    /// written, if so.
    pub fn conclude(self, verification: Verification) -> Result<(Verification, Option<Error>)> {
        // Read anew: another program version may have added to it without the lock.
        let mut manifest = read_manifest(&self.folder)?;
        let same = manifest.spec == self.manifest.spec
            && manifest.width == self.manifest.width
            && manifest.checksums == self.manifest.checksums
            && stamps(&manifest, &self.folder) == self.files;
        if !same {
            let problem = "the table was changed or replaced while it was verified: there is no verdict";
            return Err(Error::Mismatch {
                path: self.folder,
                problem: problem.into(),
                remedy: "run the same command again".into(),
            });
        }
        let blake3 = manifest.checksums.as_ref().map(|sums| sums.blake3.clone());
        let verification = Verification { blake3, ..verification };
        manifest.verifications.push(verification.clone());
        let written = self.lock.and_then(|lock| manifest.write_in(&lock.folder));
        Ok((verification, written.err()))
    }
}
