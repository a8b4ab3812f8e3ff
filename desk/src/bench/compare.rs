//! What changed since an earlier run, beyond noise.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::Measurement;
use crate::base::{Error, Result};
use crate::table::Machine;

/// What `bench --json` wrote.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Results {
    /// The version of the program.
    pub program_version: String,
    /// The machine.
    pub machine: Machine,
    /// Whether the sizes were the small ones.
    pub quick: bool,
    /// What was measured.
    pub measurements: Vec<Measurement>,
}

/// A case of both runs.
#[derive(Debug, Clone, Serialize)]
pub struct Change {
    /// The case.
    pub name: String,
    /// Its threads.
    pub threads: usize,
    /// Positions a second before.
    pub before: f64,
    /// Positions a second now.
    pub now: f64,
    /// now / before.
    pub ratio: f64,
    /// The share that may be noise.
    pub noise: f64,
    /// Whether the change is larger than that.
    pub significant: bool,
}

/// Runs that were measured once say nothing of their noise; this is what is then believed of it.
const NOISE_OF_ONE_ROUND: f64 = 0.10;
/// Changes below this are never told.
const LEAST_NOISE: f64 = 0.03;
/// Larger files are not results.
const MAX_FILE: u64 = 16 << 20;

/// Reads the results of an earlier run.
pub fn read(path: &Path) -> Result<Results> {
    let length = std::fs::metadata(path).map_err(Error::io("cannot read", path))?.len();
    let text = if length > MAX_FILE {
        Vec::new()
    } else {
        std::fs::read(path).map_err(Error::io("cannot read", path))?
    };
    serde_json::from_slice(&text).map_err(|error| {
        let problem = format!("not the output of `nimwave bench --json`: {error}");
        Error::corrupt(path, problem, "write it with: nimwave bench --json > FILE")
    })
}

/// The cases that both runs have.
pub fn compare(before: &[Measurement], now: &[Measurement]) -> Vec<Change> {
    let noise = |measurement: &Measurement| measurement.spread.unwrap_or(NOISE_OF_ONE_ROUND);
    now.iter()
        .filter_map(|new| {
            let old = before.iter().find(|old| {
                // Other sizes have other names in words.
                (&old.name, old.threads, old.positions) == (&new.name, new.threads, new.positions)
            })?;
            let ratio = new.positions_per_second / old.positions_per_second;
            let noise = (noise(old) + noise(new)).max(LEAST_NOISE);
            let significant = (ratio - 1.0).abs() > noise;
            let (before, now) = (old.positions_per_second, new.positions_per_second);
            Some(Change {
                name: new.name.clone(),
                threads: new.threads,
                before,
                now,
                ratio,
                noise,
                significant,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(name: &str, rate: f64, spread: Option<f64>) -> Measurement {
        Measurement {
            name: name.into(),
            what: String::new(),
            threads: 1,
            positions: 100,
            seconds: 1.0,
            positions_per_second: rate,
            bytes_per_second: rate,
            share_of_memset: 0.1,
            bytes_per_position: 1.0,
            cycles_per_position: None,
            spread,
            scaling: None,
            ratios: Vec::new(),
        }
    }

    #[test]
    fn only_changes_beyond_the_noise_of_both_runs_are_significant() {
        let before = [measured("a", 100.0, Some(0.02)), measured("b", 100.0, None), measured("c", 1.0, None)];
        let now = [measured("a", 94.0, Some(0.02)), measured("b", 115.0, None), measured("d", 1.0, None)];
        let changes = compare(&before, &now);
        let told: Vec<_> = changes.iter().map(|change| (change.name.as_str(), change.significant)).collect();
        assert_eq!(told, [("a", true), ("b", false)]);
    }
}
