//! A batch on several machines: each takes its share of the jobs, and the states are put together afterwards.
//!
//! Shares need nothing of each other: jobs that come after each other are in the same share, and every share
//! has a state, a lock and a log of its own in the output folder, which all machines see. So no lock has to
//! work across machines.

use std::fs;
use std::str::FromStr;

use super::file::JobFile;
use super::state::State;
use crate::base::{Error, Result};

/// Share `number` of `of`, written `number/of`, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// The number, from 1.
    pub number: usize,
    /// How many there are.
    pub of: usize,
}

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = text.split_once('/').and_then(|(number, of)| {
            let share = Self { number: number.trim().parse().ok()?, of: of.trim().parse().ok()? };
            (1..=share.of).contains(&share.number).then_some(share)
        });
        parsed.ok_or_else(|| "a share is written I/N with I from 1 to N, such as 3/8".into())
    }
}

impl JobFile {
    /// Keeps the jobs of one share. Jobs that are joined by `after` stay together; the groups are dealt in
    /// the order of the file.
    pub fn take(&mut self, share: Share) {
        let groups = self.groups();
        let mut place = 0;
        self.jobs.retain(|_| {
            place += 1;
            groups[place - 1] % share.of == share.number - 1
        });
        self.share = Some(share);
    }

    /// For each job the number of its group.
    fn groups(&self) -> Vec<usize> {
        let place = |name: &String| self.jobs.iter().position(|job| job.name == *name);
        // The smallest place of a group names it; few rounds are enough, since jobs mostly stand behind what
        // they wait for.
        let mut name: Vec<usize> = (0..self.jobs.len()).collect();
        loop {
            let mut changed = false;
            for (here, job) in self.jobs.iter().enumerate() {
                for there in job.after.iter().filter_map(place) {
                    let least = name[here].min(name[there]);
                    changed |= name[here] != least || name[there] != least;
                    (name[here], name[there]) = (least, least);
                }
            }
            if !changed {
                break;
            }
        }
        let mut seen: Vec<usize> = Vec::new();
        name.iter()
            .map(|name| {
                seen.iter().position(|other| other == name).unwrap_or_else(|| {
                    seen.push(*name);
                    seen.len() - 1
                })
            })
            .collect()
    }

    /// The name of the state, the lock and the log of this share, without an ending.
    pub fn state_stem(&self) -> String {
        self.share.map_or_else(|| "batch".into(), |share| format!("batch-{}-of-{}", share.number, share.of))
    }
}

/// Puts the states of all shares in the output folder together, as the state of the whole batch, and writes
/// it.
pub fn collect(file: &JobFile) -> Result<State> {
    let folder = &file.output;
    let nothing = || {
        Error::Usage(format!(
            "{}: no share of a batch was run there; run `batch FILE --shard I/N` first",
            folder.display()
        ))
    };
    if !folder.is_dir() {
        return Err(nothing());
    }
    let mut whole = State::new(file);
    let mut of = None;
    let mut shares = 0;
    let _lock = super::state::take_lock(folder, &file.state_stem())?;
    for entry in fs::read_dir(folder).map_err(Error::io("cannot read", folder))? {
        let name =
            entry.map_err(Error::io("cannot read", folder))?.file_name().to_string_lossy().into_owned();
        let share = name.strip_prefix("batch-").and_then(|name| name.strip_suffix(".json"));
        let Some(share) = share.and_then(|name| name.replace("-of-", "/").parse::<Share>().ok()) else {
            continue;
        };
        let problem = |problem: String, remedy: &str| Error::Mismatch {
            path: folder.join(&name),
            problem,
            remedy: remedy.into(),
        };
        if *of.get_or_insert(share.of) != share.of {
            return Err(problem(
                "the folder holds shares of different divisions".into(),
                "remove the states of the division that is not meant",
            ));
        }
        let Some(state) = State::read(folder, &name)? else { continue };
        if state.job_file_blake3 != file.hash {
            return Err(problem(
                format!("belongs to another version of the job file ({})", state.job_file),
                "run that share again with --adopt, or collect with the job file that it was run with",
            ));
        }
        for record in state.jobs {
            if let Some(job) = whole.jobs.iter_mut().find(|job| job.name == record.name) {
                *job = record;
            }
        }
        shares += 1;
    }
    if shares == 0 {
        return Err(nothing());
    }
    let of = of.unwrap_or(0);
    whole.stopped = (shares < of).then(|| format!("{} of {of} shares have not begun", of - shares));
    whole.write(folder, &file.state_stem())?;
    Ok(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_written_with_a_slash() {
        assert_eq!("3/8".parse(), Ok(Share { number: 3, of: 8 }));
        for wrong in ["0/3", "4/3", "3", "a/b", "1/0", "-1/2"] {
            assert!(wrong.parse::<Share>().is_err(), "{wrong}");
        }
    }
}
