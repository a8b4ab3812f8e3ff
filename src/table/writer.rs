//! A table that is being filled: in memory, or in a folder with checkpoints.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::checksum::{Checksums, fingerprint, fingerprint_narrowed};
use super::journal::{Journal, Record};
use super::manifest::{Manifest, State};
use super::store::{Store, check_file};
use super::{Cells, Spec, Width};
use crate::base::files;
use crate::base::{Error, Result};

/// A table that is being filled.
#[derive(Debug)]
pub struct Table {
    manifest: Manifest,
    store: Store,
    folder: Option<Folder>,
    /// The last checkpoint that was read, until the data has been checked against it.
    resumed: Option<Record>,
    /// Waves finished at the last checkpoint.
    waves_done: u64,
    /// Seconds of work of earlier runs.
    earlier_seconds: f64,
    /// Whether a wave is an entry, so that the table can grow.
    sequence: bool,
}

/// The files of a table on disk.
#[derive(Debug)]
struct Folder {
    path: PathBuf,
    data: PathBuf,
    journal: Journal,
    /// Holds the lock while the table lives.
    _lock: File,
}

const START_AGAIN: &str = "delete the table's folder and solve again, or choose another --out";

impl Table {
    /// A table of zeros in memory.
    pub fn in_memory(spec: Spec, width: Width) -> Result<Self> {
        let store = Store::in_memory(width, spec.entries)?;
        let manifest = Manifest::new(spec, width);
        Ok(Self {
            manifest,
            store,
            folder: None,
            resumed: None,
            waves_done: 0,
            earlier_seconds: 0.0,
            sequence: false,
        })
    }

    /// The table in the folder `path`: a new one, or the one that is there if it has the same spec.
    ///
    /// After a resume, clear every entry beyond [`Self::waves_done`], call [`Self::check_resumed`], and where
    /// that says `true` clear them again: until then writes go to a private copy.
    pub fn in_folder(path: &Path, spec: Spec, width: Width) -> Result<Self> {
        Self::open_folder(path, spec, width, false)
    }

    /// As [`Self::in_folder`] for a sequence, in which a wave is an entry: a shorter one that is there is
    /// continued.
    pub fn sequence_in_folder(path: &Path, spec: Spec, width: Width) -> Result<Self> {
        Self::open_folder(path, spec, width, true)
    }

    fn open_folder(path: &Path, spec: Spec, width: Width, sequence: bool) -> Result<Self> {
        let fresh = !path.exists();
        fs::create_dir_all(path).map_err(Error::io("cannot create", path))?;
        if !fresh && !path.join("manifest.json").exists() && !holds_only_a_lock(path)? {
            return Err(Error::Mismatch {
                path: path.to_path_buf(),
                problem: "the folder exists and is not a nimwave table".into(),
                remedy: "choose another --out".into(),
            });
        }
        let lock = take_lock(path)?;
        let opened = if path.join("manifest.json").exists() {
            Self::resume(path, spec, sequence, lock)
        } else {
            Self::begin(path, spec, width, sequence, lock)
        };
        if opened.is_err() && fresh {
            // Leave nothing behind that was not there before.
            let _ = fs::remove_dir_all(path);
        }
        opened
    }

    /// The manifest goes first: whatever is killed after it can be resumed.
    fn begin(path: &Path, spec: Spec, width: Width, sequence: bool, lock: File) -> Result<Self> {
        let manifest = Manifest::new(spec, width);
        manifest.write(path)?;
        let data = path.join(&manifest.data_file);
        let store = Store::create(&data, width, manifest.spec.entries)?;
        let (journal, _) = Journal::open(&path.join("journal"))?;
        files::sync_folder(path).map_err(Error::io("cannot write", path))?;
        let folder = Folder { path: path.to_path_buf(), data, journal, _lock: lock };
        Ok(Self {
            manifest,
            store,
            folder: Some(folder),
            resumed: None,
            waves_done: 0,
            earlier_seconds: 0.0,
            sequence,
        })
    }

    fn resume(path: &Path, spec: Spec, sequence: bool, lock: File) -> Result<Self> {
        let mut manifest = Manifest::read(&path.join("manifest.json"))?;
        let grows = sequence && spec.entries > manifest.spec.entries;
        let mut asked = spec.clone();
        if sequence {
            asked.entries = manifest.spec.entries;
            asked.waves = manifest.spec.waves;
        }
        if manifest.shards.is_some() {
            return Err(Error::Mismatch {
                path: path.to_path_buf(),
                problem: "the table is in shards".into(),
                remedy: "choose another --out".into(),
            });
        }
        if asked != manifest.spec {
            return Err(Error::Mismatch {
                path: path.to_path_buf(),
                problem: format!("holds {}, not {}", describe(&manifest.spec), describe(&asked)),
                remedy: "choose another --out, or give the parameters of this table".into(),
            });
        }
        let data = path.join(&manifest.data_file);
        if grows {
            // The manifest first: what is killed after it is grown by the next run.
            check_file_of(&data, &manifest)?;
            manifest.spec = spec;
            manifest.state = State::Partial;
            manifest.checksums = None;
            manifest.results.clear();
            manifest.verifications.clear();
            manifest.write(path)?;
        }
        let (journal, record) = Journal::open(&path.join("journal"))?;
        let entries = manifest.spec.entries;
        let on_disk = width_on_disk(&data, &manifest)?;
        let partial = manifest.state == State::Partial;
        let width = on_disk.unwrap_or(manifest.width);
        let mut store = match record {
            // Killed before the first checkpoint, perhaps while the file was being made: nothing of it is
            // finished.
            None if partial => Store::create(&data, width, entries)?,
            // A sequence is only appended to. It may have been killed while it grew: grow it now.
            Some(_) if partial && sequence => Store::grow(&data, width, entries)?,
            _ => Store::open_private(&data, width, entries)?,
        };
        manifest.width = store.width();
        let (waves_done, seconds) = record.map_or((0, 0.0), |record| (record.waves, record.seconds));
        if waves_done > manifest.spec.waves {
            return Err(Error::corrupt(
                &path.join("journal"),
                "counts more waves than there are",
                START_AGAIN,
            ));
        }
        if !partial {
            check_complete(path, &data, &manifest, store.file())?;
        }
        let folder = Folder { path: path.to_path_buf(), data, journal, _lock: lock };
        Ok(Self {
            manifest,
            store,
            folder: Some(folder),
            resumed: record,
            waves_done,
            earlier_seconds: seconds,
            sequence,
        })
    }

    /// What the table holds.
    pub fn spec(&self) -> &Spec {
        &self.manifest.spec
    }

    /// The manifest as it stands.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The entries, for the kernels.
    pub fn cells(&self) -> Cells<'_> {
        self.store.cells()
    }

    /// The values of a table of 16-bit values, for an engine that fills them in order; `None` for other
    /// widths.
    pub fn values_mut(&mut self) -> Option<&mut [u16]> {
        if self.store.width() != Width::U16 {
            return None;
        }
        // SAFETY: every bit pattern is a u16, and machines that are not little-endian are refused.
        let (before, values, after) = unsafe { self.store.data().align_to_mut::<u16>() };
        (before.is_empty() && after.is_empty()).then_some(values)
    }

    /// The same for a table of 8-bit values.
    pub fn bytes_mut(&mut self) -> Option<&mut [u8]> {
        (self.store.width() == Width::U8).then(|| self.store.data())
    }

    /// Waves that were finished at the last checkpoint.
    pub fn waves_done(&self) -> u64 {
        self.waves_done
    }

    /// Whether nothing is left to do.
    pub fn is_complete(&self) -> bool {
        self.manifest.state == State::Complete
    }

    /// Whether the table lives in a folder.
    pub fn is_on_disk(&self) -> bool {
        self.folder.is_some()
    }

    /// Seconds of work of earlier runs.
    pub fn earlier_seconds(&self) -> f64 {
        self.earlier_seconds
    }

    /// Compares the data with the last checkpoint, once everything beyond it has been cleared. Where the data
    /// was cleared in a private copy only, returns `true`: the file is open for writing now, and the same
    /// must be cleared in it.
    pub fn check_resumed(&mut self) -> Result<bool> {
        let Some(record) = self.resumed.take() else { return Ok(false) };
        let widened = record.width == Width::U8 && self.store.width() == Width::U16;
        let data = self.finished_data(record.waves);
        let found = if widened { fingerprint_narrowed(data) } else { Some(fingerprint(data)) };
        let path = self.folder.as_ref().map_or_else(PathBuf::new, |folder| folder.data.clone());
        if found == Some(record.data) {
            if !self.sequence {
                self.store = Store::open(&path, self.store.width(), self.manifest.spec.entries)?;
            }
            return Ok(!self.sequence);
        }
        Err(Error::corrupt(
            &path,
            "the finished part does not match the last checkpoint: it was changed or damaged",
            START_AGAIN,
        ))
    }

    /// Makes the first `waves` waves durable. Entries beyond them must be 0, or be cleared on resume.
    pub fn checkpoint(&mut self, waves: u64, seconds: f64) -> Result<()> {
        if let Some(folder) = &self.folder {
            self.store.flush(&folder.data)?;
            let data = fingerprint(self.finished_data(waves));
            let seconds = self.earlier_seconds + seconds;
            let record = Record { waves, width: self.store.width(), data, seconds };
            if let Some(folder) = &mut self.folder {
                folder.journal.append(record)?;
            }
        }
        self.waves_done = waves;
        Ok(())
    }

    /// The data that a checkpoint after `waves` waves speaks of: of a sequence, the entries so far; otherwise
    /// all, since what is not finished is 0.
    fn finished_data(&mut self, waves: u64) -> &[u8] {
        let bytes = match self.store.width() {
            _ if !self.sequence => usize::MAX,
            Width::U16 => waves as usize * 2,
            Width::U8 => waves as usize,
            Width::Bit => usize::MAX,
        };
        let data = self.store.data();
        let length = data.len().min(bytes);
        &data[..length]
    }

    /// Doubles the width of 8-bit values; the file is replaced in one step.
    pub fn widen(&mut self) -> Result<()> {
        assert_eq!(self.store.width(), Width::U8, "only 8-bit values can be widened");
        let entries = self.manifest.spec.entries;
        let mut wide = match &self.folder {
            None => Store::in_memory(Width::U16, entries)?,
            Some(folder) => Store::create(&temporary(&folder.data), Width::U16, entries)?,
        };
        for (pair, &value) in wide.data().chunks_exact_mut(2).zip(self.store.data().iter()) {
            pair[0] = value;
        }
        if let Some(folder) = &self.folder {
            let new = temporary(&folder.data);
            wide.flush(&new)?;
            files::rename_synced(&new, &folder.data).map_err(Error::io("cannot replace", &folder.data))?;
        }
        self.store = wide;
        self.manifest.width = Width::U16;
        match &self.folder {
            Some(folder) => self.manifest.write(&folder.path),
            None => Ok(()),
        }
    }

    /// Marks the table complete: checksums, `results`, total time. Returns the manifest.
    pub fn finish(&mut self, results: BTreeMap<String, Value>, seconds: f64) -> Result<&Manifest> {
        self.checkpoint(self.manifest.spec.waves, seconds)?;
        self.manifest.checksums = Some(Checksums::of(self.store.file()));
        self.manifest.results = results;
        self.manifest.seconds = self.earlier_seconds + seconds;
        self.manifest.threads = rayon::current_num_threads();
        self.manifest.state = State::Complete;
        if let Some(folder) = &self.folder {
            self.manifest.write(&folder.path)?;
        }
        Ok(&self.manifest)
    }
}

fn temporary(path: &Path) -> PathBuf {
    path.with_extension("npy.tmp")
}

/// "minnie values with heaps=4, max=200".
pub(super) fn describe(spec: &Spec) -> String {
    let parameters: Vec<String> =
        spec.parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let quantity = if spec.quantity.is_outcomes() { "outcomes" } else { "values" };
    format!("{} {quantity} with {}", spec.game, parameters.join(", "))
}

/// Takes the lock of a table's folder, which ends with the process.
pub(super) fn take_lock(path: &Path) -> Result<File> {
    let file_path = path.join("lock");
    let lock = files::lock(&file_path).map_err(Error::io("cannot lock", &file_path))?;
    let lock = lock.ok_or_else(|| Error::Locked { path: path.to_path_buf() })?;
    files::remove_remainders(path, "manifest.json");
    Ok(lock)
}

/// A run that was killed before it wrote its manifest leaves a lock, and perhaps half a manifest.
pub(super) fn holds_only_a_lock(path: &Path) -> Result<bool> {
    let entries = fs::read_dir(path).map_err(Error::io("cannot read", path))?;
    for entry in entries {
        let name = entry.map_err(Error::io("cannot read", path))?.file_name();
        if name != "lock" && !files::is_remainder_of(&name, "manifest.json") {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Checks the length and header of the data file that `manifest` describes.
fn check_file_of(data: &Path, manifest: &Manifest) -> Result<()> {
    if manifest.state == State::Partial {
        return Ok(());
    }
    let file = files::open(data).map_err(Error::io("cannot open", data))?;
    check_file(&file, data, manifest.width, manifest.spec.entries)
}

/// Checks the data of a complete table, `file`, against its block checksums.
fn check_complete(path: &Path, data: &Path, manifest: &Manifest, file: &[u8]) -> Result<()> {
    use rayon::prelude::*;
    let fitting = manifest.checksums.as_ref().filter(|sums| sums.fit(file.len() as u64));
    let Some(sums) = fitting else {
        let manifest = path.join("manifest.json");
        return Err(Error::corrupt(&manifest, "its checksums do not fit the data file", START_AGAIN));
    };
    let damaged = (0..sums.xxh3.len()).into_par_iter().find_first(|&i| !sums.block_is_intact(file, i));
    match damaged {
        None => Ok(()),
        Some(block) => {
            let problem = format!(
                "block {block} ({} bytes each) is damaged: its checksum does not match",
                sums.block_bytes
            );
            Err(Error::corrupt(data, problem, START_AGAIN))
        }
    }
}

/// The width of the data file, from its length: a crash between widening the file and writing the manifest
/// leaves the two different. `None` where the file is missing or has another length.
fn width_on_disk(data: &Path, manifest: &Manifest) -> Result<Option<Width>> {
    let length = match fs::metadata(data) {
        Ok(metadata) => metadata.len(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Error::io("cannot read", data)(error)),
    };
    let fits = |width: &Width| length == width.file_bytes(manifest.spec.entries);
    Ok(match manifest.width {
        Width::U8 if manifest.state == State::Partial => [Width::U8, Width::U16].into_iter().find(fits),
        width => Some(width).filter(fits),
    })
}
