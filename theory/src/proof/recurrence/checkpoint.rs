//! What a run keeps, in a folder: everything that is confirmed, in one file that is written whole.
//!
//! The file is `state`: a line that names the format, then little-endian numbers in the order of
//! [`State::bytes`], and the xxh3 of all of it.

use std::io::Read;
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::machine::Machine;
use super::points::Points;
use crate::base::files::{self, OwnFolder};
use crate::base::live::{Kept, Subject};
use crate::base::{Error, Result};

const MAGIC: &[u8; 24] = b"nimwave recurring state\n";
const VERSION: u32 = 1;
const NAME: &str = "state";
const LOCK: &str = "lock";
/// A larger file is not ours.
const MOST_BYTES: u64 = 1 << 28;

/// What a run is about.
pub fn subject(code: &str) -> Subject {
    Subject::new("recurring", format!("period of octal {code} by a recurring state"), "heap")
}

/// What the folder of a run keeps; `None` for other folders.
pub fn kept(folder: &Path) -> Result<Option<Kept>> {
    let path = folder.join(NAME);
    if !path.is_file() {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    let file = files::open(&path).map_err(Error::io("cannot open", &path))?;
    file.take(MOST_BYTES).read_to_end(&mut bytes).map_err(Error::io("cannot read", &path))?;
    if !bytes.starts_with(MAGIC) {
        return Ok(None);
    }
    let state = State::read(&bytes).ok_or_else(|| {
        Error::corrupt(&path, "it is damaged", "restore the file from a copy, or delete it to start over")
    })?;
    Ok(Some(Kept {
        subject: subject(&state.code),
        done: state.next,
        total: None,
        seconds: Some(state.seconds).filter(|seconds| seconds.is_finite()),
        complete: false,
        file: NAME,
    }))
}

/// The window before a heap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The heap.
    pub at: u64,
    /// The indices of the heaps before it.
    pub window: Vec<u8>,
}

/// What is known after a block.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The code of the game.
    pub code: String,
    /// The mask of the split.
    pub mask: u32,
    /// Whether the parity of the heap takes part in it.
    pub parity: bool,
    /// The rare heaps and their values.
    pub rare: Vec<(u32, u32)>,
    /// The first heap that was not found by the definition.
    pub opening: u64,
    /// The next heap: both conditions hold at all before it.
    pub next: u64,
    /// The indices before it.
    pub window: Vec<u8>,
    /// The heaps between two snapshots.
    pub spacing: u64,
    /// The snapshots.
    pub snapshots: Vec<Snapshot>,
    /// The states that were met.
    pub points: Points,
    /// Seconds of work so far.
    pub seconds: f64,
}

impl State {
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let put32 = |bytes: &mut Vec<u8>, number: u32| bytes.extend(number.to_le_bytes());
        let put64 = |bytes: &mut Vec<u8>, number: u64| bytes.extend(number.to_le_bytes());
        put32(&mut bytes, VERSION);
        put32(&mut bytes, self.code.len() as u32);
        bytes.extend(self.code.bytes());
        put32(&mut bytes, self.mask);
        put32(&mut bytes, self.parity.into());
        put32(&mut bytes, self.rare.len() as u32);
        for &(heap, value) in &self.rare {
            put32(&mut bytes, heap);
            put32(&mut bytes, value);
        }
        put64(&mut bytes, self.opening);
        put64(&mut bytes, self.next);
        put32(&mut bytes, self.window.len() as u32);
        bytes.extend(&self.window);
        put64(&mut bytes, self.spacing);
        put32(&mut bytes, self.snapshots.first().map_or(0, |snapshot| snapshot.window.len()) as u32);
        put32(&mut bytes, self.snapshots.len() as u32);
        for snapshot in &self.snapshots {
            put64(&mut bytes, snapshot.at);
            bytes.extend(&snapshot.window);
        }
        put32(&mut bytes, self.points.event.into());
        put32(&mut bytes, self.points.filter);
        put64(&mut bytes, self.points.refresh);
        put64(&mut bytes, self.points.since);
        put32(&mut bytes, self.points.met.len() as u32);
        for (&hash, &point) in &self.points.met {
            put64(&mut bytes, hash);
            put64(&mut bytes, point);
        }
        put64(&mut bytes, self.seconds.to_bits());
        let sum = xxh3_64(&bytes);
        put64(&mut bytes, sum);
        bytes
    }

    /// `None` for bytes that are not a state, whole.
    fn read(bytes: &[u8]) -> Option<Self> {
        let (body, sum) = bytes.split_last_chunk::<8>()?;
        if xxh3_64(body) != u64::from_le_bytes(*sum) {
            return None;
        }
        let mut from = Bytes(body);
        if from.take(MAGIC.len())? != MAGIC || from.u32()? != VERSION {
            return None;
        }
        let length = from.u32()?;
        let code = String::from_utf8(from.take(length as usize)?.to_vec()).ok()?;
        let (mask, parity) = (from.u32()?, from.u32()? != 0);
        let rare = (0..from.u32()?).map(|_| Some((from.u32()?, from.u32()?))).collect::<Option<_>>()?;
        let (opening, next) = (from.u64()?, from.u64()?);
        let length = from.u32()?;
        let window = from.take(length as usize)?.to_vec();
        let spacing = from.u64()?;
        let width = from.u32()? as usize;
        let snapshot =
            |from: &mut Bytes<'_>| Some(Snapshot { at: from.u64()?, window: from.take(width)?.to_vec() });
        let snapshots = (0..from.u32()?).map(|_| snapshot(&mut from)).collect::<Option<_>>()?;
        let (event, filter) = (u8::try_from(from.u32()?).ok()?, from.u32()?);
        let (refresh, since) = (from.u64()?, from.u64()?);
        let met = (0..from.u32()?).map(|_| Some((from.u64()?, from.u64()?))).collect::<Option<_>>()?;
        let points = Points { event, filter, refresh, since, met };
        let seconds = f64::from_bits(from.u64()?);
        let state =
            Self { code, mask, parity, rare, opening, next, window, spacing, snapshots, points, seconds };
        from.0.is_empty().then_some(state)
    }

    /// Whether this is a state of a run of `machine` that began as `fresh`: nothing in it can then lead astray but
    /// numbers that are wrong as a whole, which its sum excludes.
    fn fits(&self, fresh: &Self, machine: &Machine) -> bool {
        let width = machine.width();
        let block = fresh.spacing;
        let place = |at: u64| at >= self.opening && at <= self.next && (at - self.opening) % block == 0;
        let snapshots = self.snapshots.iter().all(|s| place(s.at) && s.window.len() == width);
        snapshots
            && (&self.mask, &self.parity, &self.rare) == (&fresh.mask, &fresh.parity, &fresh.rare)
            && (self.opening, self.window.len()) == (fresh.opening, fresh.window.len())
            && place(self.next)
            && self.spacing >= block
            && self.spacing % block == 0
            && (self.next == self.opening || self.snapshots.first().is_some_and(|s| s.at == self.opening))
            && self.snapshots.is_sorted_by_key(|snapshot| snapshot.at)
            && self.points.filter < 24
            && self.points.met.values().all(|&point| point >= self.opening && point < self.next)
    }
}

/// What is left to be read.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take(4)?.try_into().ok().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.take(8)?.try_into().ok().map(u64::from_le_bytes)
    }
}

/// The folder of a run, locked.
pub struct Checkpoint {
    folder: OwnFolder,
}

impl Checkpoint {
    /// Opens the folder, which is made if it is not there.
    pub fn open(path: &Path) -> Result<Self> {
        Ok(Self { folder: OwnFolder::open(path, NAME, LOCK, "a recurring state")? })
    }

    /// The state that was kept, or `fresh` if there is none.
    pub fn resume(&self, fresh: State, machine: &Machine) -> Result<State> {
        if !self.folder.contains(NAME) {
            return Ok(fresh);
        }
        let path = self.folder.path().join(NAME);
        let mut bytes = Vec::new();
        let file = self.folder.read(NAME).map_err(Error::io("cannot open", &path))?;
        file.take(MOST_BYTES).read_to_end(&mut bytes).map_err(Error::io("cannot read", &path))?;
        let remedy = "restore the file from a copy, or remove it to start over";
        let Some(state) = State::read(&bytes) else {
            return Err(Error::corrupt(&path, "it is not a state, or it is damaged", remedy));
        };
        if state.code != fresh.code {
            return Err(Error::Mismatch {
                path: self.folder.path().into(),
                problem: format!("it holds a run of octal {}", state.code),
                remedy: "choose another folder, or ask for that game".into(),
            });
        }
        if !state.fits(&fresh, machine) {
            return Err(Error::corrupt(&path, "its numbers do not fit together", remedy));
        }
        Ok(state)
    }

    /// Keeps a state.
    pub fn write(&self, state: &State) -> Result<()> {
        let path = self.folder.path().join(NAME);
        self.folder.replace(NAME, &state.bytes()).map_err(Error::io("cannot write", &path))
    }
}
