//! What a sweep keeps on disk: the planes that the next ones read.
//!
//! The file is a line of JSON, the planes as little-endian words, and the BLAKE3 hash of both. It is written
//! beside the old one and then takes its name, so that a killed run leaves one of the two.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::shape::Shape;
use super::store::{PLANES_READ, Ring};
use crate::base::files::{self, OwnFolder};
use crate::base::live::{Kept, Subject};
use crate::base::{Error, Result};
use crate::rules::Play;

const FORMAT: &str = "nimwave-probe-5.6";
const NAME: &str = "probe.checkpoint";
const LOCK: &str = "probe.lock";
const START_OVER: &str = "remove the file to start over";
/// The first line is shorter than this.
const MOST_HEAD: u64 = 1 << 12;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Head {
    format: String,
    version: u32,
    heaps: usize,
    max: u32,
    misere: bool,
    /// All planes before this one are filled and covered.
    next: u32,
}

impl Head {
    fn new(heaps: usize, max: u32, play: Play) -> Self {
        Self { format: FORMAT.into(), version: 1, heaps, max, misere: play == Play::Misere, next: 0 }
    }

    /// What the probe is about.
    fn subject(&self) -> Subject {
        let play = if self.misere { ", misère play" } else { "" };
        Subject::new(
            "probe",
            format!("probe 5.6, {} heaps of at most {}{play}", self.heaps, self.max),
            "plane",
        )
    }
}

/// What the folder of a probe keeps; `None` for other folders.
pub fn kept(folder: &Path) -> Result<Option<Kept>> {
    let path = folder.join(NAME);
    if !path.exists() {
        return Ok(None);
    }
    let mut line = Vec::new();
    let file = files::open(&path).map_err(Error::io("cannot open", &path))?;
    BufReader::new(file.take(MOST_HEAD))
        .read_until(b'\n', &mut line)
        .map_err(Error::io("cannot read", &path))?;
    let head: Option<Head> = serde_json::from_slice(&line).ok();
    let found = head.filter(|head| head.format == FORMAT).and_then(|head| {
        let shape = Shape::new(head.heaps, head.max).ok()?;
        let (first, last) = shape.planes().into_inner();
        let total = (last - first) + 1;
        let done = head.next.checked_sub(first).filter(|&done| done <= total)?;
        Some(Kept {
            subject: head.subject(),
            done: done.into(),
            total: Some(total.into()),
            seconds: None,
            complete: done == total,
            file: NAME,
        })
    });
    found.map(Some).ok_or_else(|| Error::corrupt(&path, "it is not a checkpoint of a probe", START_OVER))
}

/// The folder of a probe, locked.
pub struct Checkpoint {
    folder: OwnFolder,
    head: Head,
}

/// Hashes what passes through.
struct Hashed<T> {
    inner: T,
    hash: blake3::Hasher,
}

impl<T: Write> Write for Hashed<T> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.inner.flush()
    }
}

/// The planes that are read by plane `next` and those after it.
fn planes_before(shape: &Shape, next: u32) -> std::ops::Range<u32> {
    let end = *shape.planes().end();
    let first = next.saturating_sub(PLANES_READ as u32).max(*shape.planes().start());
    if next > end { next..next } else { first..next }
}

impl Checkpoint {
    /// Opens the folder, which is made if it is not there.
    pub fn open(path: &Path, heaps: usize, max: u32, play: Play) -> Result<Self> {
        let folder = OwnFolder::open(path, NAME, LOCK, "a probe")?;
        Ok(Self { folder, head: Head::new(heaps, max, play) })
    }

    /// What the probe is about.
    pub fn subject(&self) -> Subject {
        self.head.subject()
    }

    /// The first plane that is not done; those that it reads are put into the ring. `None` if there is no
    /// checkpoint.
    pub fn resume(&self, ring: &mut Ring<'_>) -> Result<Option<u32>> {
        if !self.folder.contains(NAME) {
            return Ok(None);
        }
        let path = self.folder.path().join(NAME);
        let corrupt = |problem: &str| Error::Corrupt {
            path: path.clone(),
            problem: problem.into(),
            remedy: START_OVER.into(),
        };
        let failed = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::UnexpectedEof => corrupt("it is too short"),
            _ => Error::io("cannot read", &path)(error),
        };
        let mut file = BufReader::with_capacity(1 << 20, self.folder.read(NAME).map_err(failed)?);
        let mut line = Vec::new();
        std::io::BufRead::read_until(&mut Read::by_ref(&mut file).take(MOST_HEAD), b'\n', &mut line)
            .map_err(failed)?;
        let head: Head =
            serde_json::from_slice(&line).map_err(|_| corrupt("it is not a checkpoint of this probe"))?;
        if (Head { next: 0, ..head.clone() }) != self.head {
            return Err(Error::Mismatch {
                path: self.folder.path().into(),
                problem: format!(
                    "it holds a probe of {} heaps up to {}{}",
                    head.heaps,
                    head.max,
                    if head.misere { " in misère play" } else { "" }
                ),
                remedy: "choose another folder, or ask for that probe".into(),
            });
        }
        let shape = ring.shape;
        if head.next < *shape.planes().start() || head.next > shape.planes().end() + 1 {
            return Err(corrupt("it names a plane that does not exist"));
        }
        let mut hash = blake3::Hasher::new();
        hash.update(&line);
        let mut bytes = vec![0; 1 << 20];
        for plane in planes_before(shape, head.next) {
            for words in ring.plane(plane).chunks_mut(bytes.len() / 8) {
                let bytes = &mut bytes[..8 * words.len()];
                file.read_exact(bytes).map_err(failed)?;
                hash.update(bytes);
                for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<8>().0) {
                    *word = u64::from_le_bytes(*bytes);
                }
            }
        }
        let mut sum = Vec::new();
        file.read_to_end(&mut sum).map_err(failed)?;
        if sum != hash.finalize().as_bytes() {
            return Err(corrupt("its checksum is wrong"));
        }
        Ok(Some(head.next))
    }

    /// Keeps the planes that plane `next` reads.
    pub fn write(&self, ring: &mut Ring<'_>, next: u32) -> Result<()> {
        let path = self.folder.path().join(NAME);
        let failed = |error| Error::io("cannot write", &path)(error);
        let (temporary, file) = self.folder.temporary(NAME).map_err(failed)?;
        let written =
            self.write_to(&file, ring, next).and_then(|()| self.folder.rename(&temporary, &file, NAME));
        written.map_err(|error| {
            self.folder.remove(&temporary);
            failed(error)
        })
    }

    fn write_to(&self, file: &File, ring: &mut Ring<'_>, next: u32) -> std::io::Result<()> {
        let mut out = Hashed { inner: BufWriter::with_capacity(1 << 20, file), hash: blake3::Hasher::new() };
        serde_json::to_writer(&mut out, &Head { next, ..self.head.clone() })?;
        out.write_all(b"\n")?;
        for plane in planes_before(ring.shape, next) {
            for words in ring.plane(plane).chunks(1 << 14) {
                let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                out.write_all(&bytes)?;
            }
        }
        let sum = out.hash.finalize();
        out.inner.write_all(sum.as_bytes())?;
        out.inner.flush()
    }
}
