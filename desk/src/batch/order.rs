//! The names of the jobs of a file, and the order that `after` asks for.

use std::collections::{BTreeMap, BTreeSet};

use super::file::Job;
use crate::game::suggestion;

/// Where names are not unique, `after` names no job, or, if all is well otherwise, jobs wait for each other:
/// lines and messages.
pub fn mistakes(jobs: &[Job], well_so_far: bool) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let names: BTreeSet<&str> = jobs.iter().map(|job| job.name.as_str()).collect();
    let mut seen = BTreeMap::new();
    for job in jobs {
        if let Some(first) = seen.insert(job.name.as_str(), job.line) {
            let problem =
                format!("the name `{}` is taken by the job of line {first}; choose another", job.name);
            found.push((job.line, problem));
        }
        for other in job.after.iter().filter(|other| !names.contains(other.as_str())) {
            let near = suggestion(other, names.iter().copied());
            let problem =
                format!("job `{}` comes after `{other}`, which is not there; {near}check the name", job.name);
            found.push((job.line, problem));
        }
    }
    if well_so_far
        && found.is_empty()
        && let Some(cycle) = cycle(jobs)
    {
        let line = jobs.iter().find(|job| job.name == cycle[0]).map_or(1, |job| job.line);
        let text = cycle.join(" after ");
        found.push((
            line,
            format!("these jobs wait for each other: {text} after {}; remove one `after`", cycle[0]),
        ));
    }
    found
}

/// Jobs that wait for each other in a circle.
fn cycle(jobs: &[Job]) -> Option<Vec<&str>> {
    // Take away jobs that wait for none of the rest; whoever remains waits for one that remains.
    let mut rest: BTreeMap<&str, &Job> = jobs.iter().map(|job| (job.name.as_str(), job)).collect();
    loop {
        let ready: Vec<&str> = rest
            .iter()
            .filter(|(_, job)| !job.after.iter().any(|other| rest.contains_key(other.as_str())))
            .map(|(name, _)| *name)
            .collect();
        if ready.is_empty() {
            break;
        }
        for name in ready {
            rest.remove(name);
        }
    }
    let mut walk = vec![*rest.keys().next()?];
    loop {
        let next = rest[walk[walk.len() - 1]].after.iter().find(|other| rest.contains_key(other.as_str()))?;
        if let Some(start) = walk.iter().position(|name| name == next) {
            walk.drain(..start);
            return Some(walk);
        }
        walk.push(next);
    }
}
