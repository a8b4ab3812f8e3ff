//! What is finished of a table that was stopped, or that another process is filling.
//!
//! An entry is finished if its wave is, and the journal says how many waves are. Its last line has a hash of the
//! data in which everything else is 0, so that all of it is cleared in a copy, and the copy compared, as on
//! resume. A table that nobody fills is mapped, under a lock that readers share and writers wait for, and only pages with
//! something to clear are copied;
//! of one that is being filled the whole file is read into memory: what is finished does not change there, and what
//! is not is cleared.

use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::Path;

use memmap2::{Mmap, MmapMut, MmapOptions};

use super::checksum::{fingerprint, fingerprint_narrowed};
use super::folder::{LockedFolder, take_readers_lock};
use super::journal::{JOURNAL, Record};
use super::manifest::Manifest;
use super::npy::HEADER;
use super::order::Order;
use super::store::{check_file, map_beginning};
use super::{Outcomes, Positions, Width};
use crate::base::{Error, Result, files, machine};
use crate::rules::notation::show_heaps;
use crate::space::Space;

/// Which entries of a table are finished.
#[derive(Debug)]
pub struct Finished {
    /// How many entries.
    pub entries: u64,
    /// How many the whole table has.
    pub of: u64,
    /// How many waves are finished.
    pub waves: u64,
    /// How many waves the whole table has.
    pub of_waves: u64,
    order: Order,
}

impl Finished {
    /// Whether an entry is finished.
    pub fn holds(&self, index: u64) -> bool {
        self.order.wave_of(index) < self.waves
    }

    /// The finished entries, in runs of at most `longest`.
    pub fn runs(&self, longest: u64) -> Vec<Range<u64>> {
        let mut runs: Vec<Range<u64>> = Vec::new();
        self.order.for_each_run(self.of, |first, length, wave| {
            if wave < self.waves {
                match runs.last_mut() {
                    Some(last) if last.end == first && first + length - last.start <= longest => {
                        last.end += length;
                    }
                    _ => runs.extend(
                        (first..first + length)
                            .step_by(longest as usize)
                            .map(|start| start..(start + longest).min(first + length)),
                    ),
                }
            }
        });
        runs
    }

    /// The entries with these places among the finished ones, which ascend.
    pub fn at(&self, places: impl Iterator<Item = u64>) -> Vec<u64> {
        let (mut places, mut found, mut before) = (places.peekable(), Vec::new(), 0);
        self.order.for_each_run(self.of, |first, length, wave| {
            if wave < self.waves {
                while let Some(place) = places.next_if(|&place| place < before + length) {
                    found.push(first + place - before);
                }
                before += length;
            }
        });
        found
    }

    /// What is missing, where an entry is.
    pub(super) fn refuse(&self, index: u64, folder: &Path) -> Error {
        let position = match &self.order {
            Order::Heaps(space, _) => {
                let mut heaps = Vec::new();
                space.unrank_into(index, &mut heaps);
                heaps.retain(|&heap| heap > 0);
                show_heaps(&heaps)
            }
            Order::Boards(_) => format!("board {index}"),
            Order::Line => format!("heap {index}"),
        };
        Error::Mismatch {
            path: folder.to_path_buf(),
            problem: format!(
                "{position} is not finished: it belongs to wave {}, and the run got through {} of {} waves",
                self.order.wave_of(index) + 1,
                self.waves,
                self.of_waves
            ),
            remedy: "run the solve command that began the table again, or leave out --table to solve what is needed"
                .into(),
        }
    }

    /// "5,000 of 20,000 positions (waves 1 to 12 of 40)", "100 of 200 terms".
    pub fn describe(&self) -> String {
        use crate::base::numbers::grouped;
        let (entries, of) = (grouped(self.entries), grouped(self.of));
        match self.order {
            Order::Line => format!("{entries} of {of} terms"),
            _ => format!("{entries} of {of} positions ({} of {} waves)", self.waves, self.of_waves),
        }
    }
}

/// The finished entries of a table, the others 0.
#[derive(Debug)]
pub(super) struct Part {
    pub finished: Finished,
    pub map: Mmap,
    /// Keeps writers out of what is mapped.
    _lock: Option<LockedFolder>,
}

const REMEDY: &str = "restore the file from a copy, or delete the folder and solve again";

/// Opens what `record`, the last line of the journal, says is finished. Afterwards the manifest counts the terms of a
/// sequence that are, and has the width that the file has.
pub(super) fn open_part(folder: &Path, manifest: &mut Manifest, record: Option<Record>) -> Result<Part> {
    let mismatch = |problem: &str, remedy: &str| Error::Mismatch {
        path: folder.to_path_buf(),
        problem: problem.into(),
        remedy: remedy.into(),
    };
    if manifest.shards.is_some() {
        return Err(mismatch(
            "the table is in shards and not finished",
            "run the solve command that began it again; `nimwave info` shows its parameters",
        ));
    }
    let Some(record) = record.filter(|record| record.waves > 0) else {
        return Err(mismatch(
            "the table is not finished, and nothing of it is yet",
            "wait for its first checkpoint, or run the solve command that began it again",
        ));
    };
    let spec = &manifest.spec;
    let contents =
        spec.contents().map_err(|problem| mismatch(&problem, "use the program version that made it"))?;
    let sequence = matches!(contents.1, Positions::Line);
    let order = Order::of(spec, &contents.0, contents.1).ok_or_else(|| {
        let problem = format!("its number of waves ({}) is not that of such a table", spec.waves);
        mismatch(&problem, "use the program version that made the table")
    })?;
    let mut finished =
        Finished { entries: 0, of: spec.entries, waves: record.waves, of_waves: spec.waves, order };
    if record.waves > spec.waves {
        return Err(Error::corrupt(&folder.join(JOURNAL), "counts more waves than there are", REMEDY));
    }
    let path = folder.join(&manifest.data_file);
    let part = if sequence {
        finished.entries = record.waves;
        let map = beginning(&path, manifest, record)?;
        (manifest.spec.entries, manifest.spec.waves) = (record.waves, record.waves);
        Part { finished, map, _lock: None }
    } else {
        cleared(folder, &path, manifest, record, finished)?
    };
    manifest.seconds = record.seconds;
    Ok(part)
}

fn check(found: Option<u64>, record: Record, path: &Path) -> Result<()> {
    if found == Some(record.data) {
        return Ok(());
    }
    let problem = "the finished part does not match the last checkpoint: it was changed or damaged";
    Err(Error::corrupt(path, problem, REMEDY))
}

/// The finished terms of a sequence, which are never written again, whoever goes on with it.
fn beginning(path: &Path, manifest: &Manifest, record: Record) -> Result<Mmap> {
    if record.width != manifest.width || record.width.is_bit() {
        let journal = path.with_file_name(JOURNAL);
        return Err(Error::corrupt(&journal, "it does not fit the manifest", REMEDY));
    }
    let map = map_beginning(path, manifest.width.file_bytes(record.waves))?;
    check(Some(fingerprint(&map[HEADER..])), record, path)?;
    Ok(map)
}

/// The whole of another table, with everything that is not finished cleared in a private copy.
fn cleared(
    folder: &Path,
    path: &Path,
    manifest: &mut Manifest,
    record: Record,
    mut finished: Finished,
) -> Result<Part> {
    // Without the lock the table may be filled right now, or may not be ours to lock.
    let lock = take_readers_lock(folder);
    let file = files::open(path).map_err(Error::io("cannot open", path))?;
    let length = file.metadata().map_err(Error::io("cannot read", path))?.len();
    // As after a crash, the file may have been widened since the manifest was written.
    if manifest.width == Width::U8 && length == Width::U16.file_bytes(finished.of) {
        manifest.width = Width::U16;
    }
    let width = manifest.width;
    check_file(&file, path, width, finished.of)?;
    let mut map = copy(&file, path, length, lock.is_some())?;
    let data = &mut map[HEADER..];
    finished.order.for_each_run(finished.of, |first, length, wave| {
        if wave < record.waves {
            finished.entries += length;
        } else {
            clear(data, width, first, length);
        }
    });
    let widened = record.width == Width::U8 && width == Width::U16;
    let found = if widened { fingerprint_narrowed(data) } else { Some(fingerprint(data)) };
    check(found.filter(|_| widened || record.width == width), record, path)?;
    let map = map.make_read_only().map_err(Error::io("cannot map", path))?;
    Ok(Part { finished, map, _lock: lock })
}

/// A private copy of a file: of one that nobody writes only as far as it is changed, otherwise in memory.
fn copy(file: &File, path: &Path, length: u64, locked: bool) -> Result<MmapMut> {
    if locked {
        // SAFETY: pages are copied on their first write; the readers' lock keeps other nimwave processes from
        // changing the file, and its length was just checked.
        return unsafe { MmapOptions::new().map_copy(file) }.map_err(Error::io("cannot map", path));
    }
    let remedy =
        "what another process is filling is read into memory: ask again when it has ended or was stopped";
    machine::check_memory(length, None, remedy)?;
    let bytes = usize::try_from(length).unwrap_or(usize::MAX);
    let mut map = MmapMut::map_anon(bytes).map_err(Error::io("cannot read", path))?;
    file.read_exact_at(&mut map, 0).map_err(Error::io("cannot read", path))?;
    Ok(map)
}

/// Sets entries to 0; writes only where needed, since a page that is written to is copied.
fn clear(data: &mut [u8], width: Width, first: u64, length: u64) {
    let range = first as usize..(first + length) as usize;
    let bytes = match width {
        Width::Bit => {
            let bits = &mut Outcomes::from_slice_mut(data)[range];
            if bits.any() {
                bits.fill(false);
            }
            return;
        }
        Width::U8 => range,
        Width::U16 => range.start * 2..range.end * 2,
    };
    let bytes = &mut data[bytes];
    if bytes.iter().any(|&byte| byte != 0) {
        bytes.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::super::order::Rows;
    use super::*;
    use crate::space::SortedHeaps;

    #[test]
    fn the_runs_are_the_finished_entries() {
        let space = SortedHeaps::new(3, 12).unwrap();
        for waves in [0, 1, 7, 24, 25] {
            let (of, order) = (space.len(), Order::Heaps(space.clone(), Rows::Sums));
            let finished = Finished { entries: 0, of, waves, of_waves: 25, order };
            let there: Vec<u64> = (0..of).filter(|&index| finished.holds(index)).collect();
            for longest in [1, 5, 40, 1 << 14] {
                let runs = finished.runs(longest);
                assert!(runs.iter().all(|run| run.end - run.start <= longest));
                assert_eq!(runs.into_iter().flatten().collect::<Vec<_>>(), there);
            }
        }
    }
}
