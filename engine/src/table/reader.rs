//! Reading a finished table, or what is finished of one that was stopped. A block of the data is checked against its
//! checksum before its first use.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use memmap2::Mmap;
use rayon::prelude::*;

use super::finished::{Finished, Part, open_part};
use super::journal::{JOURNAL, Journal};
use super::manifest::{Manifest, State};
use super::npy::HEADER;
use super::sharded::{ShardsReader, shard_progress};
use super::store::map_checked;
use super::{Checksums, Entries, Outcomes, Spec, Width};
use crate::base::{Error, Result};

/// A finished table in a folder.
#[derive(Debug)]
pub struct Reader {
    folder: PathBuf,
    data_path: PathBuf,
    manifest: Manifest,
    body: Body,
}

/// Where the entries are.
#[derive(Debug)]
enum Body {
    OneFile {
        checksums: Checksums,
        map: Mmap,
        /// Which blocks have been found intact.
        intact: Vec<AtomicBool>,
    },
    /// What is finished of a table, as the last checkpoint says, which has vouched for it.
    Part(Box<Part>),
    Shards {
        shards: Box<ShardsReader>,
        /// The logical data, once somebody asks for it as a whole.
        assembled: OnceLock<Vec<u8>>,
    },
}

/// How far a table is, as its journal says.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// Waves finished.
    pub waves_done: u64,
    /// Seconds of work so far.
    pub seconds: f64,
}

/// Reads the manifest of the table in `folder`, complete or not, and its progress.
pub fn progress(folder: &Path) -> Result<(Manifest, Progress)> {
    let manifest = read_manifest(folder)?;
    if manifest.shards.is_some() {
        let (waves_done, seconds) = shard_progress(folder, &manifest)?;
        return Ok((manifest, Progress { waves_done, seconds }));
    }
    let record = Journal::last(&folder.join("journal"))?;
    let (waves_done, seconds) = record.map_or((0, 0.0), |record| (record.waves, record.seconds));
    Ok((manifest, Progress { waves_done, seconds }))
}

pub(super) fn read_manifest(folder: &Path) -> Result<Manifest> {
    let path = folder.join("manifest.json");
    if folder.is_dir() && !path.exists() {
        return Err(Error::Mismatch {
            path: folder.to_path_buf(),
            problem: "not a nimwave table (it has no manifest.json)".into(),
            remedy: "give the folder that `solve --out` made".into(),
        });
    }
    Manifest::read(&path)
}

impl Reader {
    /// Opens the finished table in `folder`, in one file or in shards.
    pub fn open(folder: &Path) -> Result<Self> {
        let manifest = read_manifest(folder)?;
        if manifest.shards.is_none() || manifest.state != State::Complete {
            return Self::open_file(folder);
        }
        let shards = Box::new(ShardsReader::open(folder, &manifest)?);
        let body = Body::Shards { shards, assembled: OnceLock::new() };
        Ok(Self { folder: folder.to_path_buf(), data_path: folder.to_path_buf(), manifest, body })
    }

    /// Opens the finished table in one file in `folder`: a whole table or a shard.
    pub(super) fn open_file(folder: &Path) -> Result<Self> {
        let manifest = read_manifest(folder)?;
        if manifest.shards.is_some() && manifest.state == State::Complete {
            return Err(Error::Mismatch {
                path: folder.to_path_buf(),
                problem: "a shard that is in shards itself".into(),
                remedy: "restore the folder from a copy".into(),
            });
        }
        if manifest.state != State::Complete {
            return Err(Error::Mismatch {
                path: folder.to_path_buf(),
                problem: "the table is not finished".into(),
                remedy: "run the solve command that began it again; `nimwave info` shows its parameters"
                    .into(),
            });
        }
        let data_path = folder.join(&manifest.data_file);
        let map = map_checked(&data_path, manifest.width, manifest.spec.entries)?;
        let checksums =
            manifest.checksums.clone().filter(|sums| sums.fit(map.len() as u64)).ok_or_else(|| {
                Error::corrupt(
                    &folder.join("manifest.json"),
                    "its checksums do not fit the data file",
                    "restore it, or delete the folder and solve again",
                )
            })?;
        let intact = checksums.xxh3.iter().map(|_| AtomicBool::new(false)).collect();
        let body = Body::OneFile { checksums, map, intact };
        Ok(Self { folder: folder.to_path_buf(), data_path, manifest, body })
    }

    /// Opens the finished table in `folder` as [`Self::open`] does, or what is finished of one that was stopped or is
    /// being filled, up to its last checkpoint. Of a sequence the manifest then counts the finished terms only; of
    /// other tables all entries are numbered, and those that are not finished are refused.
    pub fn open_finished(folder: &Path) -> Result<Self> {
        // The journal before the manifest: what it counts is there, whatever a writer does meanwhile.
        let record = if folder.is_dir() { Journal::last(&folder.join(JOURNAL))? } else { None };
        let mut manifest = read_manifest(folder)?;
        if manifest.state == State::Complete {
            return Self::open(folder);
        }
        let data_path = folder.join(&manifest.data_file);
        let part = Box::new(open_part(folder, &mut manifest, record)?);
        Ok(Self { folder: folder.to_path_buf(), data_path, manifest, body: Body::Part(part) })
    }

    /// Which entries are finished, of a table of which only these are read.
    pub fn finished(&self) -> Option<&Finished> {
        match &self.body {
            Body::Part(part) => Some(&part.finished),
            _ => None,
        }
    }

    /// Whether an entry is finished: all are, unless the table was stopped.
    pub fn holds(&self, index: u64) -> bool {
        self.finished().is_none_or(|finished| finished.holds(index))
    }

    /// The manifest.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// What the table holds.
    pub fn spec(&self) -> &Spec {
        &self.manifest.spec
    }

    /// The number of entries.
    pub fn len(&self) -> u64 {
        self.manifest.spec.entries
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Entry `index`: 1 or 0 for a P- or an N-position in a table of outcomes, otherwise the value.
    pub fn get(&self, index: u64) -> Result<u16> {
        assert!(index < self.len(), "entry {index} of a table of {}", self.len());
        let (checksums, map) = match &self.body {
            Body::OneFile { checksums, map, .. } => (checksums, map),
            Body::Part(part) if part.finished.holds(index) => {
                return Ok(self.entries_of(&part.map[HEADER..]).value(index));
            }
            Body::Part(part) => return Err(part.finished.refuse(index, &self.folder)),
            Body::Shards { shards, .. } => return shards.get(index),
        };
        let at = HEADER as u64
            + match self.manifest.width {
                Width::Bit => index / 8,
                Width::U8 => index,
                Width::U16 => index * 2,
            };
        self.check_block((at / checksums.block_bytes) as usize)?;
        // The header and the blocks are even in length, so that both bytes of a wide value lie in one block.
        Ok(self.entries_of(&map[HEADER..]).value(index))
    }

    /// The shards, of a table that is kept in shards.
    pub fn shards(&self) -> Option<&ShardsReader> {
        match &self.body {
            Body::OneFile { .. } | Body::Part(_) => None,
            Body::Shards { shards, .. } => Some(shards),
        }
    }

    /// Whether position `index` is a P-position.
    pub fn is_p(&self, index: u64) -> Result<bool> {
        let entry = self.get(index)?;
        Ok(if self.manifest.width.is_bit() { entry == 1 } else { entry == 0 })
    }

    fn check_block(&self, block: usize) -> Result<()> {
        let Body::OneFile { checksums, map, intact } = &self.body else { return Ok(()) };
        if intact[block].load(Relaxed) {
            return Ok(());
        }
        if !checksums.block_is_intact(map, block) {
            return Err(Error::corrupt(
                &self.data_path,
                format!(
                    "block {block} ({} bytes each) is damaged: its checksum does not match",
                    checksums.block_bytes
                ),
                "restore the file from a copy, or delete the folder and solve again",
            ));
        }
        intact[block].store(true, Relaxed);
        Ok(())
    }

    /// Checks the checksums of all blocks, and with `blake3` that of the whole file; of a table in shards,
    /// those of the files and of the logical data.
    pub fn check_all(&self, blake3: bool) -> Result<()> {
        let found = match &self.body {
            Body::OneFile { map, intact, .. } => {
                (0..intact.len()).into_par_iter().try_for_each(|block| self.check_block(block))?;
                self.check_padding(&map[HEADER..])?;
                blake3.then(|| super::checksum::blake3(map))
            }
            // Compared with the checkpoint when it was opened; there are no other checksums yet.
            Body::Part(_) => None,
            Body::Shards { shards, .. } => {
                shards.check_all(blake3)?;
                blake3.then(|| shards.blake3(&shards.subtrees(0, 1)))
            }
        };
        found.map_or(Ok(()), |found| self.compare_blake3(&found))
    }

    /// Refuses bits behind the last outcome that are not 0: two tables of the same specification would
    /// differ.
    fn check_padding(&self, data: &[u8]) -> Result<()> {
        if self.manifest.width.is_bit() && Outcomes::from_slice(data)[self.len() as usize..].any() {
            return Err(Error::corrupt(
                &self.data_path,
                "the bits behind the last entry are not 0",
                "restore the file from a copy, or delete the folder and solve again",
            ));
        }
        Ok(())
    }

    /// Refuses a BLAKE3 that is not the one of the manifest.
    pub fn compare_blake3(&self, found: &str) -> Result<()> {
        if self.manifest.checksums.as_ref().is_none_or(|sums| sums.blake3 != found) {
            return Err(Error::corrupt(
                &self.data_path,
                "its BLAKE3 does not match",
                "restore the file from a copy",
            ));
        }
        Ok(())
    }

    /// All entries, after checking every block. A table in shards is put together in memory; entries that are not
    /// finished are 0.
    pub fn entries(&self) -> Result<Entries<'_>> {
        Ok(self.entries_of(self.data()?))
    }

    fn entries_of<'a>(&self, data: &'a [u8]) -> Entries<'a> {
        Entries { data, width: self.manifest.width, len: self.len() }
    }

    /// The data without its header, after checking every block: bits or values as the manifest's width says.
    /// A table in shards is put together in memory.
    pub fn data(&self) -> Result<&[u8]> {
        self.check_all(false)?;
        Ok(self.data_unchecked())
    }

    /// The data without its header and without looking at its checksums, for a verification that must find
    /// damage by itself.
    pub fn data_unchecked(&self) -> &[u8] {
        match &self.body {
            Body::OneFile { map, .. } => &map[HEADER..],
            Body::Part(part) => &part.map[HEADER..],
            Body::Shards { shards, assembled } => assembled.get_or_init(|| shards.assemble()),
        }
    }

    /// The folder of the table.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}
