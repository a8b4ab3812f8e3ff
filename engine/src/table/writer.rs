//! A table that is being filled: in memory, or in a folder with checkpoints.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::checksum::{Checksums, fingerprint, fingerprint_narrowed};
use super::folder::{LockedFolder, TableFolder, holds_only_a_lock, take_lock};
use super::journal::Record;
use super::manifest::{MANIFEST, Manifest, State};
use super::store::Store;
use super::{Cells, Spec, Width};
use crate::base::{Error, Result};

/// A table that is being filled.
#[derive(Debug)]
pub struct Table {
    manifest: Manifest,
    store: Store,
    folder: Option<TableFolder>,
    /// The last checkpoint that was read, until the data has been checked against it.
    resumed: Option<Record>,
    /// Waves finished at the last checkpoint.
    waves_done: u64,
    /// Seconds of work of earlier runs.
    earlier_seconds: f64,
    /// Whether a wave is an entry, so that the table can grow.
    sequence: bool,
}

/// The bytes of a page of most machines, or a part of one.
const PAGE: usize = 1 << 12;

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
    /// continued, and one that was stopped on the way to more entries gets only as many as are wanted now, or
    /// as are finished.
    pub fn sequence_in_folder(path: &Path, spec: Spec, width: Width) -> Result<Self> {
        Self::open_folder(path, spec, width, true)
    }

    fn open_folder(path: &Path, spec: Spec, width: Width, sequence: bool) -> Result<Self> {
        let fresh = !path.exists();
        fs::create_dir_all(path).map_err(Error::io("cannot create", path))?;
        if !fresh && !path.join(MANIFEST).exists() && !holds_only_a_lock(path)? {
            return Err(Error::Mismatch {
                path: path.to_path_buf(),
                problem: "the folder exists and is not a nimwave table".into(),
                remedy: "choose another --out".into(),
            });
        }
        let locked = take_lock(path)?;
        if locked.folder.contains(MANIFEST) {
            Self::resume(locked, spec, sequence)
        } else {
            Self::begin(locked, spec, width, sequence, fresh)
        }
    }

    /// The manifest goes first: whatever is killed after it can be resumed. What fails leaves nothing behind.
    fn begin(locked: LockedFolder, spec: Spec, width: Width, sequence: bool, fresh: bool) -> Result<Self> {
        let manifest = Manifest::new(spec, width);
        if let Err(error) = manifest.write_in(&locked.folder) {
            TableFolder::remove(locked, &manifest.data_file, fresh);
            return Err(error);
        }
        let (folder, _) = TableFolder::open(locked, &manifest.data_file, true)?;
        let sync = |store| {
            let path = folder.folder().path();
            folder.folder().sync().map_err(Error::io("cannot write", path)).map(|()| store)
        };
        match folder.create(width, manifest.spec.entries).and_then(sync) {
            Ok(store) => Ok(Self {
                manifest,
                store,
                folder: Some(folder),
                resumed: None,
                waves_done: 0,
                earlier_seconds: 0.0,
                sequence,
            }),
            Err(error) => {
                TableFolder::remove(folder.into_locked(), &manifest.data_file, fresh);
                Err(error)
            }
        }
    }

    fn resume(locked: LockedFolder, spec: Spec, sequence: bool) -> Result<Self> {
        let path = locked.folder.path().to_path_buf();
        let mismatch = |problem: String, remedy: &str| Error::Mismatch {
            path: path.clone(),
            problem,
            remedy: remedy.into(),
        };
        let mut manifest = Manifest::read_in(&locked.folder)?;
        let grows = sequence && spec.entries > manifest.spec.entries;
        let stored = manifest.width;
        if manifest.shards.is_some() {
            return Err(mismatch("the table is in shards".into(), "choose another --out"));
        }
        check_spec(&path, &manifest, &spec, sequence)?;
        let may_be_missing = manifest.state == State::Partial;
        let (folder, record) = TableFolder::open(locked, &manifest.data_file, may_be_missing)?;
        if grows {
            // The manifest first: what is killed after it is grown by the next run.
            folder.check_data(&manifest)?;
            manifest.spec = spec;
            manifest.state = State::Partial;
            manifest.checksums = None;
            manifest.results.clear();
            manifest.verifications.clear();
            manifest.write_in(folder.folder())?;
        } else if sequence && manifest.state == State::Partial {
            // A run that wanted more was stopped: what is finished stays, and no more than now is wanted is added.
            let finished = record.map_or(0, |record| record.waves);
            let wanted = spec.entries.max(finished);
            if wanted < manifest.spec.entries {
                (manifest.spec.entries, manifest.spec.waves) = (wanted, wanted);
                manifest.write_in(folder.folder())?;
            }
        }
        let entries = manifest.spec.entries;
        let partial = manifest.state == State::Partial;
        // Sequences are not widened: their length says nothing about the width while it changes.
        let on_disk = if sequence { Some(stored) } else { folder.width_on_disk(&manifest)? };
        let width = on_disk.unwrap_or(manifest.width);
        let mut store = match record {
            // Killed before the first checkpoint, perhaps while the file was being made: nothing of it is
            // finished.
            None if partial => folder.create(width, entries)?,
            // A sequence is only appended to. It may have been killed while its length changed: change it now.
            Some(_) if partial && sequence => folder.grow(width, entries)?,
            _ => folder.map(width, entries, true)?,
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
            check_complete(&path, &folder.data_path(), &manifest, store.file())?;
        }
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

    /// Whether the data is that of an earlier run, so that there may be something beyond its last checkpoint.
    /// Otherwise all entries are zeros.
    pub fn is_resumed(&self) -> bool {
        self.resumed.is_some()
    }

    /// The bytes of the table's file.
    pub fn bytes(&self) -> u64 {
        self.store.width().file_bytes(self.manifest.spec.entries)
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
        let Some(folder) = &self.folder else { return Ok(false) };
        if found == Some(record.data) {
            if !self.sequence {
                self.store = folder.map(self.store.width(), self.manifest.spec.entries, false)?;
            }
            return Ok(!self.sequence);
        }
        Err(Error::corrupt(
            &folder.data_path(),
            "the finished part does not match the last checkpoint: it was changed or damaged",
            START_AGAIN,
        ))
    }

    /// Makes the first `waves` waves durable. Entries beyond them must be 0, or be cleared on resume.
    pub fn checkpoint(&mut self, waves: u64, seconds: f64) -> Result<()> {
        if let Some(folder) = &self.folder {
            folder.check_unchanged()?;
            self.store.flush(&folder.data_path())?;
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
        let narrow = &mut self.store;
        let mut fill = |wide: &mut Store| {
            // What is 0 is left alone: a page that is written to must go to the disk, and of a table that has just begun
            // nearly all are 0.
            for (wide, narrow) in wide.data().chunks_mut(2 * PAGE).zip(narrow.data().chunks(PAGE)) {
                if narrow.iter().any(|&value| value != 0) {
                    wide.chunks_exact_mut(2).zip(narrow).for_each(|(pair, &value)| pair[0] = value);
                }
            }
        };
        self.manifest.width = Width::U16;
        match &mut self.folder {
            Some(folder) => {
                folder.check_unchanged()?;
                self.store = folder.replace_data(Width::U16, entries, fill)?;
                self.manifest.write_in(folder.folder())
            }
            None => {
                let mut wide = Store::in_memory(Width::U16, entries)?;
                fill(&mut wide);
                self.store = wide;
                Ok(())
            }
        }
    }

    /// Marks the table complete: checksums, `results`, total time. Returns the manifest.
    ///
    /// A folder that was moved away meanwhile gets its finished table, and an error says so.
    pub fn finish(&mut self, results: BTreeMap<String, Value>, seconds: f64) -> Result<&Manifest> {
        self.checkpoint(self.manifest.spec.waves, seconds)?;
        self.manifest.checksums = Some(Checksums::of(self.store.file()));
        self.manifest.results = results;
        self.manifest.seconds = self.earlier_seconds + seconds;
        self.manifest.threads = rayon::current_num_threads();
        self.manifest.state = State::Complete;
        if let Some(folder) = &self.folder {
            folder.check_unchanged()?;
            self.manifest.write_in(folder.folder())?;
            folder.check_path()?;
        }
        Ok(&self.manifest)
    }
}

/// "minnie values with heaps=4, max=200".
pub(super) fn describe(spec: &Spec) -> String {
    let parameters: Vec<String> =
        spec.parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let quantity = if spec.quantity.is_outcomes() { "outcomes" } else { "values" };
    format!("{} {quantity} with {}", spec.game, parameters.join(", "))
}

/// Refuses a table in `path` that is not the one that was asked for; a sequence may be of any length.
fn check_spec(path: &Path, manifest: &Manifest, spec: &Spec, sequence: bool) -> Result<()> {
    let mut asked = spec.clone();
    if sequence {
        asked.entries = manifest.spec.entries;
        asked.waves = manifest.spec.waves;
    }
    if asked == manifest.spec {
        return Ok(());
    }
    Err(Error::Mismatch {
        path: path.to_path_buf(),
        problem: format!("holds {}, not {}", describe(&manifest.spec), describe(&asked)),
        remedy: "choose another --out, or give the parameters of this table".into(),
    })
}

/// Refuses a folder in which a table of `spec` can be neither begun nor resumed, without changing anything.
pub fn check_folder(path: &Path, spec: &Spec, sequence: bool) -> Result<()> {
    match Manifest::read(&path.join("manifest.json")) {
        Ok(manifest) => check_spec(path, &manifest, spec, sequence),
        Err(Error::Io { error, .. }) if error.kind() == std::io::ErrorKind::NotFound => match path.exists() {
            true if !holds_only_a_lock(path)? => Err(Error::Mismatch {
                path: path.to_path_buf(),
                problem: "the folder exists and is not a nimwave table".into(),
                remedy: "choose another --out".into(),
            }),
            _ => Ok(()),
        },
        Err(error) => Err(error),
    }
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
