//! The journal: an append-only text file with one line a checkpoint.
//!
//! A line says how many waves are finished, in which width they are stored, what the data hashes to once all
//! later waves are cleared, and how many seconds the run had taken; it ends with a checksum of itself:
//!
//! ```text
//! waves=120 width=u8 data=8d4c9a35b2d0c5e1 seconds=61.250 check=5a0f1f0c9be2d1a7
//! ```
//!
//! A last line without its line feed is a write that a crash cut off, and is ignored where it begins as a
//! line does (or is zeros, which some file systems leave). Any other line that does not check is damage, and
//! an error.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::Width;
use crate::base::files::{self, Folder};
use crate::base::{Error, Result};

/// One checkpoint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Record {
    /// Waves (or terms, for a sequence) that are finished.
    pub waves: u64,
    /// The width of the entries.
    pub width: Width,
    /// The hash of the data with everything beyond `waves` cleared.
    pub data: u64,
    /// Seconds of work so far, over all runs.
    pub seconds: f64,
}

/// The name of the journal in the table's folder.
pub const JOURNAL: &str = "journal";

/// Longer journals than any run writes are not ours.
const MAX_JOURNAL: u64 = 64 << 20;

impl Record {
    fn to_line(self) -> String {
        let body = format!(
            "waves={} width={} data={:016x} seconds={:.3}",
            self.waves,
            self.width.name(),
            self.data,
            self.seconds
        );
        format!("{body} check={:016x}\n", xxh3_64(body.as_bytes()))
    }

    /// Parses a line without its line feed.
    pub fn parse(line: &str) -> Option<Self> {
        let (body, check) = line.rsplit_once(" check=")?;
        if u64::from_str_radix(check, 16).ok()? != xxh3_64(body.as_bytes()) || check.len() != 16 {
            return None;
        }
        let mut fields = body.split(' ');
        let mut field = |name: &str| fields.next()?.strip_prefix(name)?.strip_prefix('=');
        let record = Self {
            waves: field("waves")?.parse().ok()?,
            width: Width::from_name(field("width")?)?,
            data: u64::from_str_radix(field("data")?, 16).ok()?,
            seconds: field("seconds")?.parse().ok().filter(|s: &f64| s.is_finite() && *s >= 0.0)?,
        };
        fields.next().is_none().then_some(record)
    }
}

/// The journal of a table that is being written.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Opens or creates the journal in `folder`, cuts off a torn last line, and returns the last record.
    pub fn open(folder: &Folder) -> Result<(Self, Option<Record>)> {
        let path = folder.path().join(JOURNAL);
        let mut file = folder.write_or_create(JOURNAL).map_err(Error::io("cannot open", &path))?;
        let (last, valid) = read(&mut file, &path)?;
        file.set_len(valid).map_err(Error::io("cannot write", &path))?;
        file.seek(SeekFrom::End(0)).map_err(Error::io("cannot seek in", &path))?;
        Ok((Self { path, file }, last))
    }

    /// The last record of the journal in `path`, which need not exist; nothing is written.
    pub fn last(path: &Path) -> Result<Option<Record>> {
        match files::open(path) {
            Ok(mut file) => read(&mut file, path).map(|(last, _)| last),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::io("cannot open", path)(error)),
        }
    }

    /// Appends a record and waits until it is on the disk.
    pub fn append(&mut self, record: Record) -> Result<()> {
        self.file
            .write_all(record.to_line().as_bytes())
            .and_then(|()| self.file.sync_all())
            .map_err(Error::io("cannot write", &self.path))
    }
}

/// The last record, and the length of the valid part.
fn read(file: &mut File, path: &Path) -> Result<(Option<Record>, u64)> {
    let mut text = Vec::new();
    file.take(MAX_JOURNAL + 1).read_to_end(&mut text).map_err(Error::io("cannot read", path))?;
    let damaged = |problem: String| {
        Error::corrupt(path, problem, "restore the file, or delete the table's folder and solve again")
    };
    if text.len() as u64 > MAX_JOURNAL {
        return Err(damaged(format!("longer than any journal ({MAX_JOURNAL} bytes)")));
    }
    let valid = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |i| i + 1);
    if !is_torn_line(&text[valid..]) {
        return Err(damaged("its end is not that of a journal".into()));
    }
    let mut last = None;
    for (number, line) in text[..valid].split_inclusive(|&byte| byte == b'\n').enumerate() {
        let line = std::str::from_utf8(&line[..line.len() - 1]).ok();
        let record = line.and_then(Record::parse);
        last = Some(record.ok_or_else(|| damaged(format!("line {} is damaged", number + 1)))?);
    }
    Ok((last, valid as u64))
}

/// Whether a crash can have left `tail` behind the last line feed: the beginning of a line, or zeros.
fn is_torn_line(tail: &[u8]) -> bool {
    const BEGIN: &[u8] = b"waves=";
    let written = tail.iter().rposition(|&byte| byte != 0).map_or(0, |i| i + 1);
    let written = &tail[..written];
    tail.len() < 256 && (written.starts_with(BEGIN) || BEGIN.starts_with(written))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const RECORD: Record = Record { waves: 120, width: Width::U8, data: 0x1234, seconds: 61.25 };

    #[test]
    fn a_torn_last_line_is_cut_off_and_a_flipped_line_is_an_error() {
        let place = tempfile::tempdir().unwrap();
        let (folder, path) = (Folder::open(place.path()).unwrap(), place.path().join(JOURNAL));
        let (mut journal, last) = Journal::open(&folder).unwrap();
        assert_eq!(last, None);
        journal.append(RECORD).unwrap();
        journal.append(Record { waves: 130, ..RECORD }).unwrap();
        drop(journal);
        let text = std::fs::read(&path).unwrap();
        std::fs::write(&path, &text[..text.len() - 3]).unwrap();
        let (mut journal, last) = Journal::open(&folder).unwrap();
        assert_eq!(last, Some(RECORD));
        journal.append(Record { waves: 140, ..RECORD }).unwrap();
        drop(journal);
        assert_eq!(Journal::last(&path).unwrap().unwrap().waves, 140);
        let text = std::fs::read(&path).unwrap();
        for at in [0, 7, 30, text.len() - 2] {
            let mut flipped = text.clone();
            flipped[at] ^= 1;
            std::fs::write(&path, &flipped).unwrap();
            assert!(Journal::open(&folder).is_err());
            assert_eq!(std::fs::read(&path).unwrap(), flipped, "a damaged journal stays as it was");
        }
    }

    proptest! {
        #[test]
        fn records_read_back(waves in any::<u64>(), data in any::<u64>(), millis in 0u64..1 << 40) {
            let record = Record { waves, width: Width::Bit, data, seconds: millis as f64 / 1000.0 };
            prop_assert_eq!(Record::parse(record.to_line().trim_end()), Some(record));
        }

        #[test]
        fn any_text_is_parsed_without_a_panic(text in ".*") {
            let _ = Record::parse(&text);
        }
    }
}
