//! What the machine has left: memory and disk.

use std::fs;
use std::path::Path;

use crate::base::{Error, Result};

/// The bytes of memory that a new job can take without swapping, where the system says.
pub fn available_memory() -> Option<u64> {
    let info = fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some((kib * 1024).min(control_group_rest().unwrap_or(u64::MAX)))
}

/// All memory of the machine, where the system says.
pub fn total_memory() -> Option<u64> {
    let info = fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| kib * 1024)
}

/// The bytes of memory that this process has now, mapped files included, where the system says.
pub fn resident_memory() -> Option<u64> {
    let pages: u64 = fs::read_to_string("/proc/self/statm").ok()?.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}

/// What the limit of the control group leaves, where there is one.
fn control_group_rest() -> Option<u64> {
    let number = |path: &str| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let limit = number("/sys/fs/cgroup/memory.max")?;
    Some(limit.saturating_sub(number("/sys/fs/cgroup/memory.current")?))
}

/// The bytes that can be written to the file system of `path`, which need not exist yet.
pub fn free_disk(path: &Path) -> Option<u64> {
    let absolute = std::path::absolute(path).ok()?;
    let existing = absolute.ancestors().find(|ancestor| ancestor.exists())?;
    let stats = rustix::fs::statvfs(existing).ok()?;
    Some(stats.f_bavail.saturating_mul(stats.f_frsize))
}

/// Refuses `bytes` of memory where less is available, or where `limit` is less.
pub fn check_memory(bytes: u64, limit: Option<u64>, remedy: &str) -> Result<()> {
    let (have, whose) = match limit {
        Some(limit) => (limit, "allowed (--memory)"),
        None => (available_memory().unwrap_or(u64::MAX), "available"),
    };
    if bytes <= have {
        return Ok(());
    }
    Err(Error::Budget(format!(
        "this needs {} of memory and {} are {whose}; {remedy}",
        human_bytes(bytes),
        human_bytes(have)
    )))
}

/// Refuses to write `bytes` below `path` where less is free. A little is left for the manifest and the
/// journal.
pub fn check_disk(bytes: u64, path: &Path) -> Result<()> {
    const SPARE: u64 = 16 << 20;
    match free_disk(path) {
        Some(free) if bytes.saturating_add(SPARE) > free => Err(Error::Budget(format!(
            "this needs {} on the disk of {}, with {} to spare for journal and manifest, and {} are free; choose another --out or a smaller table",
            human_bytes(bytes),
            path.display(),
            human_bytes(SPARE),
            human_bytes(free)
        ))),
        _ => Ok(()),
    }
}

/// "5.2 GB".
pub fn human_bytes(bytes: u64) -> String {
    const UNITS: [&str; 7] = ["bytes", "kB", "MB", "GB", "TB", "PB", "EB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} bytes") } else { format!("{value:.1} {}", UNITS[unit]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_printed_for_people() {
        assert_eq!(human_bytes(17), "17 bytes");
        assert_eq!(human_bytes(5_200_000_000), "5.2 GB");
        assert_eq!(human_bytes(u64::MAX), "18.4 EB");
    }

    #[test]
    fn what_cannot_fit_is_refused_with_the_numbers() {
        let error = check_memory(10_000, Some(500), "use --out").unwrap_err().to_string();
        assert!(error.contains("10.0 kB") && error.contains("500 bytes") && error.contains("use --out"));
        assert!(check_disk(1 << 62, Path::new(".")).is_err());
        assert!(check_disk(1, Path::new("not-there/at-all")).is_ok());
    }
}
