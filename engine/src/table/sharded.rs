//! A table in shards: a folder whose manifest names the folders of the shards,
//! each of which is a table of its own.
//!
//! Shard b holds the positions whose second largest heap lies in a range, whole rows in the order
//! of the index. The *logical* data is what a table in one file would hold: the rows of all
//! shards, merged in the order of the index.

use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use blake3::hazmat::{ChainingValue, HasherExt, Mode, merge_subtrees_non_root, merge_subtrees_root};
use rayon::prelude::*;

use super::folder::{LockedFolder, holds_only_a_lock, take_lock};
use super::manifest::{Manifest, ShardEntry};
use super::npy::HEADER;
use super::reader::Reader;
use super::writer::{Table, describe};
use super::{Spec, Width};
use crate::base::{Error, Result};
use crate::space::{SortedHeaps, Space};

/// Keeps other jobs out of the folder as long as it lives.
#[derive(Debug)]
pub struct ShardLock(LockedFolder);

impl ShardEntry {
    /// Shard number `number` of a new table: the rows whose key ends with a heap in `range`.
    pub fn new(number: usize, range: RangeInclusive<u32>, entries: u64) -> Self {
        let folder = format!("shard-{number:04}");
        Self { folder, first: *range.start(), last: *range.end(), entries, blake3: None }
    }
}

/// Whether the folder holds a table in shards, finished or not.
pub fn is_sharded(folder: &Path) -> bool {
    Manifest::read(&folder.join("manifest.json")).is_ok_and(|manifest| manifest.shards.is_some())
}

/// The table in shards in the folder `path`: a new one with these shards, or the one
/// that is there if it has the same spec.
pub fn begin_shards(
    path: &Path,
    spec: &Spec,
    width: Width,
    shards: Vec<ShardEntry>,
) -> Result<(Manifest, ShardLock)> {
    let mismatch = |problem: String, remedy: &str| Error::Mismatch {
        path: path.to_path_buf(),
        problem,
        remedy: remedy.into(),
    };
    if path.exists() && !path.join("manifest.json").exists() && !holds_only_a_lock(path)? {
        return Err(mismatch("the folder exists and is not a nimwave table".into(), "choose another --out"));
    }
    fs::create_dir_all(path).map_err(Error::io("cannot create", path))?;
    let lock = ShardLock(take_lock(path)?);
    // Only now: another process may have begun a table before the lock was ours.
    if !lock.0.folder.contains("manifest.json") {
        let manifest = Manifest::sharded(spec.clone(), width, shards);
        manifest.write_in(&lock.0.folder)?;
        return Ok((manifest, lock));
    }
    let manifest = Manifest::read_in(&lock.0.folder)?;
    if manifest.spec != *spec {
        return Err(mismatch(
            format!("holds {}, not {}", describe(&manifest.spec), describe(spec)),
            "choose another --out, or give the parameters of this table",
        ));
    }
    if manifest.shards.is_none() {
        return Err(mismatch(
            "the table is in one file".into(),
            "resume it with a single process, or choose another --out",
        ));
    }
    Ok((manifest, lock))
}

/// Opens a shard of the table `whole` in the folder `path` to fill it, or makes it where it is not
/// there yet; it has `entries` entries.
pub fn open_shard(
    path: &Path,
    whole: &Spec,
    shard: &ShardEntry,
    entries: u64,
    width: Width,
) -> Result<Table> {
    let mut spec = whole.clone();
    spec.parameters.insert("shard".into(), vec![shard.first, shard.last].into());
    spec.index.scheme = "sorted-heaps-shard".into();
    spec.index.formula =
        "the positions of the table with a[k-1] in shard[0]..shard[1], in the order of the table".into();
    spec.entries = entries;
    Table::in_folder(&path.join(&shard.folder), spec, width)
}

/// The finished shards of a table.
#[derive(Debug)]
pub struct ShardsReader {
    space: SortedHeaps,
    width: Width,
    shards: Vec<OpenShard>,
}

#[derive(Debug)]
struct OpenShard {
    last: u32,
    space: SortedHeaps,
    reader: Reader,
}

impl ShardsReader {
    /// Opens the shards that `manifest`, of the folder `path`, names; a shard that
    /// is not the one it names is an error.
    pub fn open(path: &Path, manifest: &Manifest) -> Result<Self> {
        let foreign = |problem: &str| {
            Error::corrupt(
                &path.join("manifest.json"),
                problem,
                "restore the file from a copy, or delete the table's folder and solve again",
            )
        };
        let number = |name: &str| manifest.spec.parameters.get(name).and_then(serde_json::Value::as_u64);
        let heaps = number("heaps").and_then(|heaps| usize::try_from(heaps).ok());
        let max = number("max").and_then(|max| u32::try_from(max).ok());
        let (Some(heaps), Some(max)) = (heaps, max) else {
            return Err(foreign("a table in shards without heaps and max"));
        };
        let space = SortedHeaps::new(heaps, max).map_err(|_| foreign("heaps and max that no table has"))?;
        let mut shards: Vec<OpenShard> = Vec::new();
        let mut next = 0;
        for entry in manifest.shards.iter().flatten() {
            if entry.first != next || entry.last < entry.first || entry.last > max {
                return Err(foreign("its shards do not follow each other"));
            }
            next = entry.last + 1;
            let folder = path.join(&entry.folder);
            let reader = Reader::open_file(&folder)?;
            let space = if heaps == 1 {
                SortedHeaps::new(heaps, max)?
            } else {
                SortedHeaps::shard(heaps, max, entry.first..=entry.last)?
            };
            let found = reader.manifest();
            let same_data = entry.blake3.is_none()
                || found.checksums.as_ref().map(|sums| &sums.blake3) == entry.blake3.as_ref();
            if space.len() != reader.len() || found.width != manifest.width || !same_data {
                return Err(Error::corrupt(
                    &folder,
                    "is not the shard that the table's manifest names",
                    "restore it from a copy, or delete the table's folder and solve again",
                ));
            }
            shards.push(OpenShard { last: entry.last, space, reader });
        }
        if next != max + 1 || space.len() != manifest.spec.entries {
            return Err(foreign("its shards are not the whole table"));
        }
        Ok(Self { space, width: manifest.width, shards })
    }

    /// The space of the whole table.
    pub fn space(&self) -> &SortedHeaps {
        &self.space
    }

    fn shard(&self, key: &[u32]) -> &OpenShard {
        let last = key.last().copied().unwrap_or(0);
        &self.shards[self.shards.partition_point(|shard| shard.last < last)]
    }

    /// Entry `index` of the logical data.
    pub fn get(&self, index: u64) -> Result<u16> {
        let mut position = Vec::new();
        self.space.unrank_into(index, &mut position);
        let shard = self.shard(&position[..position.len() - 1]);
        shard.reader.get(shard.space.rank_sorted(&position))
    }

    /// Checks the checksums of all shards.
    pub fn check_all(&self, blake3: bool) -> Result<()> {
        self.shards.iter().try_for_each(|shard| shard.reader.check_all(blake3))
    }

    /// Checks the checksums of the shards that fall to `rank` of `ranks`.
    pub fn check_share(&self, rank: usize, ranks: usize) -> Result<()> {
        self.shards.iter().skip(rank).step_by(ranks).try_for_each(|shard| shard.reader.check_all(true))
    }

    /// For each shard, in order: its space, the last key heap that it has, and its data without the header.
    pub fn shards(&self) -> impl Iterator<Item = (&SortedHeaps, u32, &[u8])> {
        self.shards.iter().map(|shard| (&shard.space, shard.last, shard.reader.data_unchecked()))
    }

    /// The bytes `from..from + out.len()` of the logical data (without the header); `out` must be zeros. For
    /// outcomes both ends must be multiples of 8 bytes.
    pub fn copy_logical(&self, from: u64, out: &mut [u8]) {
        let per_byte = |entries: u64| match self.width {
            Width::Bit => entries / 8,
            Width::U8 => entries,
            Width::U16 => entries * 2,
        };
        let entries_of = |bytes: u64| match self.width {
            Width::Bit => bytes * 8,
            Width::U8 => bytes,
            Width::U16 => bytes / 2,
        };
        let first = entries_of(from);
        let end = entries_of(from + out.len() as u64).min(self.space.len());
        if first >= end {
            return;
        }
        let mut position = Vec::new();
        self.space.unrank_into(first, &mut position);
        let mut x = position.pop().expect("a heap");
        let mut key = position;
        let mut at = first;
        loop {
            let shard = self.shard(&key);
            let begin = self.space.row_first(&key);
            let count = u64::from(self.space.max() - x + 1).min(end - at);
            let source = shard.space.row_start(&key) + u64::from(x - begin);
            let data = shard.reader.data_unchecked();
            match self.width {
                Width::Bit => copy_bits(data, source, count, out, at - first),
                _ => {
                    let target = per_byte(at - first) as usize;
                    let (source, bytes) = (per_byte(source) as usize, per_byte(count) as usize);
                    out[target..target + bytes].copy_from_slice(&data[source..source + bytes]);
                }
            }
            at += count;
            if at == end {
                return;
            }
            let i = key.iter().rposition(|&heap| heap < self.space.max()).expect("not the last row");
            let grown = key[i] + 1;
            key[i..].fill(grown);
            x = self.space.row_first(&key);
        }
    }

    /// The whole logical data, in memory.
    pub fn assemble(&self) -> Vec<u8> {
        const PIECE: usize = 1 << 20;
        let length = self.width.file_bytes(self.space.len()) as usize - HEADER;
        let mut data = vec![0; length];
        data.par_chunks_mut(PIECE)
            .enumerate()
            .for_each(|(i, piece)| self.copy_logical((i * PIECE) as u64, piece));
        data
    }

    /// The subtrees of the BLAKE3 of the logical file (header included) that fall to `rank`
    /// of `ranks`: of `SUBTREE` bytes each, in the order of the file, one after the other.
    /// A file of one subtree gives nothing.
    pub fn subtrees(&self, rank: usize, ranks: usize) -> Vec<u8> {
        let length = self.width.file_bytes(self.space.len());
        let count = length.div_ceil(SUBTREE);
        let share = |rank: usize| count * rank as u64 / ranks as u64;
        if count < 2 {
            return Vec::new();
        }
        let values: Vec<ChainingValue> = (share(rank)..share(rank + 1))
            .into_par_iter()
            .map(|subtree| {
                let piece = self.file_piece(subtree * SUBTREE, SUBTREE.min(length - subtree * SUBTREE));
                blake3::Hasher::new().set_input_offset(subtree * SUBTREE).update(&piece).finalize_non_root()
            })
            .collect();
        values.concat()
    }

    /// The bytes `from..from + length` of the logical file; `from` is a multiple of [`SUBTREE`].
    fn file_piece(&self, from: u64, length: u64) -> Vec<u8> {
        let header = HEADER as u64;
        let mut piece = vec![0; length as usize];
        if from == 0 {
            piece[..HEADER].copy_from_slice(&self.width.header(self.space.len()));
            self.copy_logical(0, &mut piece[HEADER..]);
        } else {
            self.copy_logical(from - header, &mut piece);
        }
        piece
    }

    /// The BLAKE3 of the logical file from the subtrees of all ranks.
    pub fn blake3(&self, subtrees: &[u8]) -> String {
        let length = self.width.file_bytes(self.space.len());
        if length <= SUBTREE {
            return blake3::hash(&self.file_piece(0, length)).to_hex().to_string();
        }
        merge_subtrees(subtrees)
    }
}

/// The bytes of a subtree: a power of two, so that it is one of BLAKE3's own.
const SUBTREE: u64 = 1 << 20;

/// The BLAKE3 of two or more subtrees of equal size (the last may be
/// shorter), given as their chaining values.
fn merge_subtrees(values: &[u8]) -> String {
    fn split(count: usize) -> usize {
        // The left side is the largest power of two that leaves something on the right.
        count.next_power_of_two() / 2
    }
    fn merge(values: &[[u8; 32]]) -> ChainingValue {
        if let [only] = values {
            return *only;
        }
        let (left, right) = values.split_at(split(values.len()));
        merge_subtrees_non_root(&merge(left), &merge(right), Mode::Hash)
    }
    let values: Vec<[u8; 32]> = values.chunks_exact(32).map(|v| v.try_into().expect("32 bytes")).collect();
    let (left, right) = values.split_at(split(values.len()));
    merge_subtrees_root(&merge(left), &merge(right), Mode::Hash).to_hex().to_string()
}

/// Sets the bits `to..to + count` of `out`, which are 0, to the bits `from..from + count` of
/// `data`, which has eight bytes to spare.
fn copy_bits(data: &[u8], from: u64, count: u64, out: &mut [u8], to: u64) {
    let mut done = 0;
    while done < count {
        // Up to 56 bits per step: seven bytes of one side and eight of the
        // other hold them wherever they begin.
        let step = (count - done).min(56);
        let (source, shift) = (((from + done) / 8) as usize, (from + done) % 8);
        let word = |bytes: &[u8]| {
            let mut word = [0; 8];
            let length = bytes.len().min(8);
            word[..length].copy_from_slice(&bytes[..length]);
            u64::from_le_bytes(word)
        };
        let bits = word(&data[source..]) >> shift & ((1 << step) - 1);
        let (target, shift) = (((to + done) / 8) as usize, (to + done) % 8);
        let length = (out.len() - target).min(8);
        let merged = word(&out[target..]) | bits << shift;
        out[target..target + length].copy_from_slice(&merged.to_le_bytes()[..length]);
        done += step;
    }
}

/// How far the table in shards in `folder` is: the fewest waves of a shard, and the most seconds.
pub(super) fn shard_progress(folder: &Path, manifest: &Manifest) -> Result<(u64, f64)> {
    let mut least = manifest.spec.waves;
    let mut seconds = 0.0f64;
    for shard in manifest.shards.iter().flatten() {
        let journal: PathBuf = folder.join(&shard.folder).join("journal");
        let record = super::journal::Journal::last(&journal)?;
        least = least.min(record.map_or(0, |record| record.waves));
        seconds = seconds.max(record.map_or(0.0, |record| record.seconds));
    }
    Ok((least, seconds))
}
