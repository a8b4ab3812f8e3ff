//! The folder of a survey: the games that are finished, a line each.
//!
//! The first line says which survey it is; every other line is a [`Row`]. A line is written when its game is
//! finished, so that a process that is killed loses only what it was looking at. What a killed process has
//! left of a line is dropped.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{Family, Row, columns};
use crate::base::files::{self, Folder, LockedFile};
use crate::base::live::{self, Subject};
use crate::base::{Error, Result};

/// The name of the file in the folder of a survey.
pub const STATE_FILE: &str = "survey.jsonl";
/// The survey as it was when it ended or was stopped.
pub(super) const JSON_FILE: &str = "survey.json";
const LOCK_FILE: &str = "survey.lock";
const FORMAT: &str = "nimwave-survey";
const VERSION: u64 = 1;
const REMEDY: &str = "restore the file from a copy, or choose another folder";
/// Larger files are not ours.
const MOST_BYTES: u64 = 1 << 30;

/// The games that are finished, and where they are kept.
pub struct State {
    rows: HashMap<String, Row>,
    kept: Option<Kept>,
}

struct Kept {
    path: PathBuf,
    file: File,
    /// Held as long as the survey runs.
    _lock: LockedFile,
}

impl State {
    /// The state in the folder `out`, which is made if it is not there; without a folder nothing is kept.
    pub fn open(out: Option<&Path>, family: &dyn Family) -> Result<Self> {
        let Some(out) = out else { return Ok(Self { rows: HashMap::new(), kept: None }) };
        let path = out.join(STATE_FILE);
        refuse_other_folder(out)?;
        fs::create_dir_all(out).map_err(Error::io("cannot create", out))?;
        let folder = Folder::open(out).map_err(Error::io("cannot open", out))?;
        let lock = folder.lock(LOCK_FILE).map_err(Error::io("cannot lock", out))?;
        let lock = lock.ok_or_else(|| {
            Error::Usage(format!(
                "{}: another process makes this survey; wait for it to end, or choose another folder",
                out.display()
            ))
        })?;
        folder.remove_remainders(STATE_FILE);
        let header = json!({
            "format": FORMAT,
            "version": VERSION,
            "survey": family.definition(),
            "columns": columns(family).iter().map(|column| column.name.clone()).collect::<Vec<_>>(),
        });
        let rows = match folder.contains(STATE_FILE) {
            true => read(&path, &header, family)?,
            false => HashMap::new(),
        };
        // Written anew, so that no half line stays before the next one.
        let mut text = header.to_string() + "\n";
        for row in rows.values() {
            text += &line(row);
        }
        folder.replace(STATE_FILE, text.as_bytes()).map_err(Error::io("cannot write", &path))?;
        let mut file = folder.write(STATE_FILE).map_err(Error::io("cannot open", &path))?;
        file.seek(SeekFrom::End(0)).map_err(Error::io("cannot open", &path))?;
        Ok(Self { rows, kept: Some(Kept { path, file, _lock: lock }) })
    }

    /// What is known of the game with these names.
    pub fn known(&self, names: &[Value]) -> Option<&Row> {
        self.rows.get(&super::name(names))
    }

    /// Keeps a row.
    pub fn keep(&mut self, row: &Row) -> Result<()> {
        let Some(Kept { path, file, .. }) = &mut self.kept else { return Ok(()) };
        let written = file.write_all(line(row).as_bytes()).and_then(|()| file.sync_data());
        written.map_err(Error::io("cannot write", path))
    }
}

/// What the folder of a survey keeps; `None` for other folders.
pub fn kept(folder: &Path) -> Result<Option<live::Kept>> {
    let path = folder.join(STATE_FILE);
    if !path.exists() {
        return Ok(None);
    }
    let text = files::read_text(&path, MOST_BYTES).map_err(Error::io("cannot read", &path))?;
    let (whole, _half) = text.rsplit_once('\n').unwrap_or_default();
    let mut lines = whole.lines().map(|line| serde_json::from_str::<Value>(line).unwrap_or_default());
    let header = lines.next().filter(|first| first["format"] == FORMAT);
    let header = header.ok_or_else(|| Error::corrupt(&path, "not the state of a survey", REMEDY))?;
    // Games that were looked at again stand there again.
    let names: HashSet<String> = lines.map(|row| row["names"].to_string()).collect();
    // Written at the end of each run, so that it may be about an earlier one.
    let json = folder.join(JSON_FILE);
    let last = files::read_text(&json, MOST_BYTES).ok().and_then(|text| serde_json::from_str(&text).ok());
    let last: Value = last.unwrap_or_default();
    // Before the first end of a run only the definition is there, which is not written for people.
    let family = last["title"]
        .as_str()
        .map(String::from)
        .or_else(|| header["survey"]["family"].as_str().map(|family| format!("survey of {family}")));
    let title =
        family.unwrap_or_else(|| format!("survey of {}", differences(&header["survey"], &Value::Null)));
    let time = |path: &Path| fs::metadata(path).and_then(|file| file.modified()).ok();
    Ok(Some(live::Kept {
        subject: Subject::new(live::SURVEY, title, "game"),
        done: names.len() as u64,
        total: last["games"].as_u64(),
        seconds: None,
        complete: last["complete"] == true && time(&json) >= time(&path),
        file: STATE_FILE,
    }))
}

fn line(row: &Row) -> String {
    serde_json::to_string(row).expect("a row is plain data") + "\n"
}

/// Refuses a folder that has something in it, but no survey.
fn refuse_other_folder(out: &Path) -> Result<()> {
    let Ok(mut entries) = fs::read_dir(out) else { return Ok(()) };
    let ours = [STATE_FILE, LOCK_FILE].iter().any(|name| out.join(name).exists());
    if ours || entries.next().is_none() {
        return Ok(());
    }
    Err(Error::Mismatch {
        path: out.to_path_buf(),
        problem: format!("it has files in it, but no {STATE_FILE}"),
        remedy: "choose a new folder, or that of a survey".into(),
    })
}

/// The rows of a file whose first line is `header`, by their names; of two with the same names, the later.
fn read(path: &Path, header: &Value, family: &dyn Family) -> Result<HashMap<String, Row>> {
    let text = files::read_text(path, MOST_BYTES).map_err(Error::io("cannot read", path))?;
    let (whole, _half) = text.rsplit_once('\n').unwrap_or_default();
    let mut lines = whole.lines();
    let first: Value = lines
        .next()
        .and_then(|line| serde_json::from_str(line).ok())
        .filter(|first: &Value| first["format"] == FORMAT)
        .ok_or_else(|| Error::corrupt(path, "not the state of a survey", REMEDY))?;
    let mismatch = |problem: String, remedy: &str| {
        Err(Error::Mismatch { path: path.to_path_buf(), problem, remedy: remedy.into() })
    };
    if first["survey"] != header["survey"] {
        let problem =
            format!("this is another survey, of {}", differences(&first["survey"], &header["survey"]));
        return mismatch(problem, "choose another folder");
    }
    if first != *header {
        return mismatch(
            "another version of nimwave made this survey, with other columns".into(),
            "choose another folder",
        );
    }
    let (names, cells) = (family.name_columns().len(), family.result_columns().len());
    let mut rows = HashMap::new();
    for (i, line) in lines.enumerate() {
        let row: Row = serde_json::from_str(line)
            .ok()
            .filter(|row: &Row| row.names.len() == names && row.cells.len() == cells)
            .ok_or_else(|| Error::corrupt(path, format!("line {} is damaged", i + 2), REMEDY))?;
        rows.insert(row.name(), row);
    }
    Ok(rows)
}

/// "rule = 'take s from one heap', max = 30": where a definition differs from the one that was asked for.
fn differences(there: &Value, asked: &Value) -> String {
    let Some(there) = there.as_object() else { return "something else".into() };
    let differing = there.iter().filter(|(key, value)| asked[key.as_str()] != **value);
    let texts: Vec<String> = differing.map(|(key, value)| format!("{key} = {value}")).collect();
    if texts.is_empty() { "something else".into() } else { texts.join(", ") }
}
