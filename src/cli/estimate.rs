//! What a command will need, as far as it can be said before.

use super::{Cli, Command};
use crate::base::Result;
use crate::space::Space;
use crate::sweep::HeapJob;

/// What a command will need; `None` where that is not known before.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Estimate {
    /// Bytes of memory beside mapped files.
    pub memory: Option<u64>,
    /// Bytes on the disk.
    pub disk: Option<u64>,
    /// Seconds.
    pub seconds: Option<f64>,
}

impl Cli {
    /// What the command will need. Its time comes from a calibration of at most a few seconds.
    pub fn estimate(&self) -> Result<Estimate> {
        match &self.command {
            Command::Solve(args) => args.estimate(),
            _ => Ok(Estimate::default()),
        }
    }
}

impl Estimate {
    /// What a table of a heap game needs.
    pub fn of_heaps(job: &HeapJob, on_disk: bool) -> Result<Self> {
        let table = job.width().file_bytes(job.space()?.len());
        let beside = job.kernel_memory();
        // Jobs that are too small to be calibrated take seconds.
        let seconds = job.estimate_seconds()?.unwrap_or(1.0);
        Ok(Self {
            memory: Some(if on_disk { beside } else { table.saturating_add(beside) }),
            disk: Some(if on_disk { table } else { 0 }),
            seconds: Some(seconds),
        })
    }
}
