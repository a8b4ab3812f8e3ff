//! The log file of `--log`: one line an event, with the time, and never a carriage return.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};

use crate::base::{Error, Result};
use crate::table::now;

/// A log file, or none.
#[derive(Debug, Clone)]
pub struct Log(Option<Arc<Mutex<File>>>);

impl Log {
    /// No log file.
    pub fn none() -> Self {
        Self(None)
    }

    /// Appends to the file `path`.
    pub fn append_to(path: &Path) -> Result<Self> {
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .map_err(Error::io("cannot open the log", path))?;
        Ok(Self(Some(Arc::new(Mutex::new(file)))))
    }

    /// Whether there is a file.
    pub fn is_some(&self) -> bool {
        self.0.is_some()
    }

    /// Writes the lines of `text`, each with the time. A log that cannot be written must not end a long run.
    pub fn line(&self, text: &str) {
        let Some(file) = &self.0 else { return };
        let time = now();
        let lines: String =
            text.lines().map(|line| format!("{time} {}\n", line.replace('\r', " "))).collect();
        let mut file = file.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let _ = file.write_all(lines.as_bytes());
    }

    /// A writer to standard error and to the log, for events that bring their own time.
    pub fn beside_standard_error(&self) -> impl Write + use<> {
        Both(self.clone())
    }
}

struct Both(Log);

impl Write for Both {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let _ = std::io::stderr().write_all(bytes);
        if let Some(file) = &self.0.0 {
            let mut file = file.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            let _ = file.write_all(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        std::io::stderr().flush()
    }
}
