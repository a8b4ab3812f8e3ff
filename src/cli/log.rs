//! The log file of `--log`: one line an event, with the time, and never a carriage return.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};

use crate::base::{Error, Result, files, printable};
use crate::table::now;

/// Where notes go: the log file, if there is one, and whether details are wanted.
#[derive(Debug, Clone, Default)]
pub struct Log {
    file: Option<Arc<Mutex<File>>>,
    /// Whether details are noted, too.
    pub verbose: bool,
}

impl Log {
    /// Appends to the file `path`.
    pub fn append_to(path: &Path) -> Result<Self> {
        files::refuse_table_file(path)?;
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .map_err(Error::io("cannot open the log", path))?;
        Ok(Self { file: Some(Arc::new(Mutex::new(file))), verbose: false })
    }

    /// Whether there is a file.
    pub fn is_some(&self) -> bool {
        self.file.is_some()
    }

    /// Writes the lines of `text`, each with the time. A log that cannot be written must not end a long run.
    pub fn line(&self, text: &str) {
        let Some(file) = &self.file else { return };
        let time = now();
        let lines: String =
            text.lines().map(|line| format!("{time} {}\n", printable(&line.replace('\r', " ")))).collect();
        let mut file = file.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let _ = file.write_all(lines.as_bytes());
    }
}
