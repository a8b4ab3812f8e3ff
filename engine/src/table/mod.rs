//! Tables: the only place that knows files.
//!
//! A table is a folder with `outcomes.npy` or `values.npy`, `manifest.json`, a `journal` of checkpoints and a
//! `lock`. docs/FORMAT.md describes them. [`Table`] is for writing (in memory or in a mapped file),
//! [`Reader`] for reading a finished table. Files from outside are checked before they are believed.

mod cells;
mod checksum;
mod compare;
mod contents;
mod entries;
mod finished;
mod folder;
mod journal;
mod manifest;
pub mod npy;
mod order;
mod reader;
mod sharded;
mod store;
mod verdict;
mod writer;

pub use cells::{Bits, Cells, ValueCell, ones};
pub use checksum::Checksums;
pub use compare::{Comparison, Difference, compare};
pub use contents::Positions;
pub use entries::{Entries, Outcomes};
pub use finished::Finished;
pub use journal::Record;
pub use manifest::{FORMAT_VERSION, Machine, Manifest, ShardEntry, State, now, rfc3339, this_machine};
pub use order::{slabs_of, strips_of};
pub use reader::{Progress, Reader, progress};
pub use sharded::{ShardLock, ShardsReader, begin_shards, is_sharded, open_shard};
pub use verdict::{Standing, Verification, Verifying};
pub use writer::{Table, check_folder};

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What the entries of a table are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Quantity {
    /// One bit: 1 for a P-position.
    Outcomes,
    /// A Grundy value (in misère play: the misère Grundy value).
    Values,
}

impl Quantity {
    /// The name of the data file.
    pub fn file_name(self) -> &'static str {
        match self {
            Self::Outcomes => "outcomes.npy",
            Self::Values => "values.npy",
        }
    }

    /// Whether the entries are bits.
    pub fn is_outcomes(self) -> bool {
        self == Self::Outcomes
    }
}

/// The width of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Width {
    /// One bit.
    Bit,
    /// One byte.
    U8,
    /// Two bytes, little-endian.
    U16,
}

impl Width {
    /// `bit`, `u8` or `u16`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bit => "bit",
            Self::U8 => "u8",
            Self::U16 => "u16",
        }
    }

    /// The width of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Bit, Self::U8, Self::U16].into_iter().find(|width| width.name() == name)
    }

    /// Whether the entries are bits.
    pub fn is_bit(self) -> bool {
        self == Self::Bit
    }

    /// NumPy's name for the type of the array.
    fn descr(self) -> &'static str {
        match self {
            Self::Bit | Self::U8 => "|u1",
            Self::U16 => "<u2",
        }
    }

    /// The length of the array that stores `entries` entries. Bits are padded with zeros to whole cache
    /// lines, and at least one spare word, so that kernels may load a word behind the last bit.
    fn array_length(self, entries: u64) -> u64 {
        match self {
            Self::Bit => (entries / 64 + 2).next_multiple_of(8) * 8,
            Self::U8 | Self::U16 => entries,
        }
    }

    /// The bytes of the data file that stores `entries` entries.
    pub fn file_bytes(self, entries: u64) -> u64 {
        let size = if self == Self::U16 { 2 } else { 1 };
        // Saturating, since the number of entries may come from a hostile manifest; no file has that length.
        self.array_length(entries).saturating_mul(size).saturating_add(npy::HEADER as u64)
    }

    /// The header of the data file.
    fn header(self, entries: u64) -> [u8; npy::HEADER] {
        npy::header(self.descr(), self.array_length(entries))
    }
}

/// How positions are numbered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexScheme {
    /// The scheme's name, such as `sorted-heaps`.
    pub scheme: String,
    /// The index of a position as a formula.
    pub formula: String,
}

impl Spec {
    /// What the table is filled by: terms of a sequence, or waves.
    pub fn steps(&self) -> &'static str {
        if self.index == IndexScheme::line() { "terms" } else { "waves" }
    }

    /// One of them.
    pub fn step(&self) -> &'static str {
        self.steps().trim_end_matches('s')
    }
}

/// What a table holds: two tables with equal specs have equal data, byte for byte.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Spec {
    /// The game, such as `minnie`.
    pub game: String,
    /// Its parameters, such as `heaps` and `max`.
    pub parameters: BTreeMap<String, Value>,
    /// Outcomes or values.
    pub quantity: Quantity,
    /// How positions are numbered.
    pub index: IndexScheme,
    /// The number of entries.
    pub entries: u64,
    /// The number of waves (for a sequence, of entries).
    pub waves: u64,
}
