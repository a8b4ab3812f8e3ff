//! `manifest.json`: what a table is, how it was made and how it was checked.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use xxhash_rust::xxh3::xxh3_64;

use super::{Checksums, Spec, Verification, Width};
use crate::base::files::{self, Folder};
use crate::base::{Error, Result};

/// The version of the format that this program writes, and the newest that it reads.
pub const FORMAT_VERSION: u32 = 2;
/// The version of a table in one file, which older programs read too.
const ONE_FILE_VERSION: u32 = 1;
const FORMAT: &str = "nimwave-table";
/// The name of the manifest in the table's folder.
pub(super) const MANIFEST: &str = "manifest.json";
/// Larger manifests are not ours.
const MAX_MANIFEST: u64 = 16 << 20;

/// Whether a table is finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Some waves are missing; the journal says how many are done.
    Partial,
    /// All entries are there, and the checksums are those of the data.
    Complete,
}

/// One shard of a table: a folder with a table of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardEntry {
    /// The folder's name, in the folder of the table.
    pub folder: String,
    /// The shard holds the positions whose second largest heap is at least this,
    pub first: u32,
    /// and at most this.
    pub last: u32,
    /// Its entries.
    pub entries: u64,
    /// The BLAKE3 of its data file, when complete.
    pub blake3: Option<String>,
}

/// The machine that made a table.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// The processor's name.
    pub cpu: String,
    /// Cores available.
    pub cores: usize,
    /// Operating system and architecture.
    pub system: String,
}

/// The contents of `manifest.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Always `nimwave-table`.
    pub format: String,
    /// The version of the format.
    pub format_version: u32,
    /// What the table holds.
    #[serde(flatten)]
    pub spec: Spec,
    /// The width of an entry: `bit`, `u8` or `u16`.
    pub width: Width,
    /// The data file.
    pub data_file: String,
    /// The shards of a table that is kept in several folders.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shards: Option<Vec<ShardEntry>>,
    /// Finished or not.
    pub state: State,
    /// Facts that were counted when the table was finished, such as `p_positions`.
    pub results: BTreeMap<String, Value>,
    /// Checksums of the data file, when complete.
    pub checksums: Option<Checksums>,
    /// The verifications so far, oldest first.
    pub verifications: Vec<Verification>,
    /// The version of the program that made the table.
    pub program_version: String,
    /// The machine that made it.
    pub machine: Machine,
    /// When it was begun (UTC).
    pub created: String,
    /// Seconds of work, over all runs.
    pub seconds: f64,
    /// Threads of the last run.
    pub threads: usize,
}

impl Manifest {
    /// The manifest of a table that has just been begun.
    pub fn new(spec: Spec, width: Width) -> Self {
        Self {
            format: FORMAT.into(),
            format_version: ONE_FILE_VERSION,
            data_file: spec.quantity.file_name().into(),
            spec,
            width,
            shards: None,
            state: State::Partial,
            results: BTreeMap::new(),
            checksums: None,
            verifications: Vec::new(),
            program_version: env!("CARGO_PKG_VERSION").into(),
            machine: this_machine(),
            created: now(),
            seconds: 0.0,
            threads: rayon::current_num_threads(),
        }
    }

    /// The manifest of a table that has just been begun, in these shards.
    pub fn sharded(spec: Spec, width: Width, shards: Vec<ShardEntry>) -> Self {
        Self { format_version: FORMAT_VERSION, shards: Some(shards), ..Self::new(spec, width) }
    }

    /// Reads and checks the manifest in the file `path`.
    pub fn read(path: &Path) -> Result<Self> {
        Self::read_from(files::open(path), path)
    }

    /// Reads and checks the manifest in the open `folder`.
    pub fn read_in(folder: &Folder) -> Result<Self> {
        Self::read_from(folder.read(MANIFEST), &folder.path().join(MANIFEST))
    }

    fn read_from(file: std::io::Result<File>, path: &Path) -> Result<Self> {
        let mut text = Vec::new();
        file.and_then(|file| file.take(MAX_MANIFEST + 1).read_to_end(&mut text))
            .map_err(Error::io("cannot read", path))?;
        Self::parse(&text).map_err(|problem| {
            // What a newer program wrote is not damaged.
            if newer_version(&text) {
                let path = path.to_path_buf();
                return Error::Mismatch { path, problem, remedy: "use a newer nimwave".into() };
            }
            let remedy = "restore the file from a copy, or delete the table's folder and solve again";
            Error::corrupt(path, problem, remedy)
        })
    }

    /// Parses a manifest; the error says what is wrong with it.
    pub fn parse(text: &[u8]) -> Result<Self, String> {
        if text.len() as u64 > MAX_MANIFEST {
            return Err(format!("longer than any manifest ({MAX_MANIFEST} bytes)"));
        }
        let mut value: Value = serde_json::from_slice(text).map_err(|e| format!("not a manifest: {e}"))?;
        let object = value.as_object_mut().ok_or("not a manifest: no JSON object")?;
        if object.get("format").and_then(Value::as_str) != Some(FORMAT) {
            return Err(format!("not the manifest of a nimwave table (no \"format\": \"{FORMAT}\")"));
        }
        match object.get("format_version").and_then(Value::as_u64) {
            Some(version) if version > u64::from(FORMAT_VERSION) => {
                return Err(format!(
                    "format version {version} is newer than this program's ({FORMAT_VERSION})"
                ));
            }
            Some(1 | 2) => {}
            _ => return Err("no valid \"format_version\"".into()),
        }
        let check = object.remove("check").ok_or("the \"check\" field is missing")?;
        if check.as_str() != Some(&self_check(&value)) {
            return Err("the manifest was changed or damaged (its \"check\" field does not match)".into());
        }
        let manifest: Self = serde_json::from_value(value).map_err(|e| format!("not a manifest: {e}"))?;
        if manifest.data_file != manifest.spec.quantity.file_name() {
            return Err(format!("unknown data file {:?}", manifest.data_file));
        }
        if manifest.width.is_bit() != manifest.spec.quantity.is_outcomes() {
            return Err("the entry width does not fit the quantity".into());
        }
        if manifest.shards.is_some() != (manifest.format_version >= 2) {
            return Err("shards and the format version do not fit together".into());
        }
        let foreign =
            |shard: &ShardEntry| !shard.folder.starts_with("shard-") || shard.folder.contains(['/', '\\']);
        if let Some(shard) = manifest.shards.iter().flatten().find(|shard| foreign(shard)) {
            return Err(format!("unknown shard folder {:?}", shard.folder));
        }
        if manifest.state == State::Complete && manifest.checksums.is_none() {
            return Err("a complete table without checksums".into());
        }
        Ok(manifest)
    }

    /// The text of the manifest, with a checksum of itself.
    pub fn to_json(&self) -> String {
        let mut value = serde_json::to_value(self).expect("a manifest is plain data");
        let check = self_check(&value);
        if let Some(object) = value.as_object_mut() {
            object.insert("check".into(), check.into());
        }
        let mut text = serde_json::to_string_pretty(&value).expect("a manifest is plain data");
        text.push('\n');
        text
    }

    /// Replaces the manifest in `folder`: after a crash there is the old one or the new one, whole.
    pub fn write(&self, folder: &Path) -> Result<()> {
        self.write_in(&Folder::open(folder).map_err(Error::io("cannot open", folder))?)
    }

    /// Replaces the manifest in the open `folder`.
    pub fn write_in(&self, folder: &Folder) -> Result<()> {
        let path = folder.path().join(MANIFEST);
        folder.replace(MANIFEST, self.to_json().as_bytes()).map_err(Error::io("cannot write", &path))
    }
}

/// Whether `text` is a manifest of a format that this program does not know yet.
fn newer_version(text: &[u8]) -> bool {
    let value: Value = serde_json::from_slice(text).unwrap_or_default();
    value["format"] == FORMAT
        && value["format_version"].as_u64().is_some_and(|version| version > u64::from(FORMAT_VERSION))
}

/// The hash of the manifest in its compact form (keys in order).
fn self_check(value: &Value) -> String {
    format!("{:016x}", xxh3_64(value.to_string().as_bytes()))
}

/// The time now, in UTC, to the second.
pub fn now() -> String {
    rfc3339(SystemTime::now())
}

/// A time in UTC, to the second. A clock may be wrong: times before 1970 and after 9999, which cannot be
/// written so, are written as the nearest that can.
pub fn rfc3339(time: SystemTime) -> String {
    const LAST: Duration = Duration::from_secs(253_402_300_799);
    let since = time.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).min(LAST);
    humantime::format_rfc3339_seconds(UNIX_EPOCH + since).to_string()
}

/// The machine that this program runs on.
pub fn this_machine() -> Machine {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cpu = info
        .lines()
        .find_map(|line| line.strip_prefix("model name"))
        .and_then(|rest| rest.split_once(':'))
        .map_or_else(|| "unknown".into(), |(_, name)| name.trim().to_string());
    Machine {
        cpu,
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_before_1970_or_after_9999_does_not_panic() {
        let year = Duration::from_secs(365 * 86_400);
        assert_eq!(rfc3339(UNIX_EPOCH - year), "1970-01-01T00:00:00Z");
        assert_eq!(rfc3339(UNIX_EPOCH + year * 9000), "9999-12-31T23:59:59Z");
        assert_eq!(rfc3339(UNIX_EPOCH + year), "1971-01-01T00:00:00Z");
    }
}
