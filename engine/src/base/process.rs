//! Processes, told apart from later ones with the same number and from those of other machines.

use std::fs;

use serde::{Deserialize, Serialize};

/// A process that can be told from a later one with the same number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Process {
    /// Its number.
    pub id: u32,
    /// When it began, in ticks since the machine was started.
    pub began: u64,
}

impl Process {
    /// The process with this number; `None` where there is none, it has ended and only waits to be collected,
    /// or the system does not say.
    pub fn with_id(id: u32) -> Option<Self> {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        // The name, in brackets, may hold anything; the fields after it are numbers.
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
        if fields.next()? == "Z" {
            return None;
        }
        Some(Self { id, began: fields.nth(18)?.parse().ok()? })
    }

    /// This process.
    pub fn own() -> Option<Self> {
        Self::with_id(std::process::id())
    }

    /// Whether it still runs, on this machine.
    pub fn is_alive(self) -> bool {
        Self::with_id(self.id) == Some(self)
    }
}

/// What tells this machine, since it was last started, from others: its boot's identity.
pub fn this_boot() -> Option<String> {
    let id = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(id.trim().to_string())
}

/// The name of this machine.
pub fn host_name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_alive_until_it_ends_and_its_number_alone_does_not_do() {
        let own = Process::own().unwrap();
        assert!(own.is_alive());
        assert!(!Process { began: own.began + 1, ..own }.is_alive());
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let process = Process::with_id(child.id()).unwrap();
        assert!(process.is_alive());
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!process.is_alive());
    }
}
