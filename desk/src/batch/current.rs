//! Whether a result is current: its command (the definition in the state), its inputs and its outputs are as
//! they were when it was made.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use super::file::Job;
use super::state::{JobRecord, State, Status};
use crate::base::files;
use crate::table::{State as TableState, progress};

/// Files and folders by their paths, as the job names them, with what was in them; `None` where they were not
/// there.
pub type Fingerprints = BTreeMap<String, Option<String>>;

/// What is in the files and folders `paths`, relative to `output`, now.
pub fn fingerprints(output: &Path, paths: &[String]) -> Fingerprints {
    paths.iter().map(|path| (path.clone(), fingerprint(&output.join(path)))).collect()
}

/// What is at `path`: of a finished table the BLAKE3 of its data, which must be there; of a file its BLAKE3.
/// Of another folder it only counts that it is there: others write into it.
fn fingerprint(path: &Path) -> Option<String> {
    if path.is_dir() {
        let Ok((manifest, _)) = progress(path) else { return Some("folder".into()) };
        let sums = manifest.checksums.as_ref().filter(|_| manifest.state == TableState::Complete)?;
        return manifest.data_fits(path).then(|| sums.blake3.clone());
    }
    let mut file = files::open(path).ok()?;
    let (mut hasher, mut piece) = (blake3::Hasher::new(), vec![0; 1 << 20]);
    loop {
        match file.read(&mut piece).ok()? {
            0 => return Some(hasher.finalize().to_hex().to_string()),
            length => hasher.update(&piece[..length]),
        };
    }
}

/// Why the outputs of a job that has ended are not those that it made.
fn changed_output(record: &JobRecord, job: &Job, output: &Path) -> Option<String> {
    if record.result.as_ref().is_some_and(|result| !output.join(result).exists()) {
        return Some("its result is gone".into());
    }
    // What several jobs may write to must only be there; so must all of it where the state is older than
    // this look.
    let present =
        job.keeps.iter().chain(job.writes.iter().filter(|path| !record.outputs.contains_key(*path)));
    if let Some(path) = present.into_iter().find(|path| !output.join(path).exists()) {
        return Some(format!("its output {path} is gone"));
    }
    changed(&record.outputs, output).map(|path| format!("its output {path} is gone or was changed"))
}

fn changed_input(record: &JobRecord, output: &Path) -> Option<String> {
    changed(&record.inputs, output).map(|path| format!("its input {path} was changed"))
}

fn changed<'a>(known: &'a Fingerprints, output: &Path) -> Option<&'a String> {
    known.iter().find(|(path, then)| fingerprint(&output.join(path)) != **then).map(|(path, _)| path)
}

/// Whether a job has a result that a run without `--retry` leaves alone.
fn has_result(status: Status) -> bool {
    matches!(status, Status::Done | Status::Refuted | Status::Undecided)
}

/// Lets the jobs whose results are not current wait for their turn again; says which, and why.
///
/// An input that a job before is about to make again is looked at when that job has ended: mostly it comes
/// back as it was.
pub fn put_back(state: &mut State, jobs: &[Job], output: &Path) -> Vec<String> {
    let mut said = Vec::new();
    for (record, job) in state.jobs.iter_mut().zip(jobs) {
        if has_result(record.status)
            && let Some(why) = changed_output(record, job, output)
        {
            said.push(wait_again(record, &why));
        }
    }
    let mut settled = vec![false; jobs.len()];
    loop {
        let waits = |name: &String| {
            state.jobs.iter().any(|other| other.name == *name && other.status == Status::Waiting)
        };
        let next = (0..jobs.len()).find(|&place| {
            !settled[place] && has_result(state.jobs[place].status) && !jobs[place].after.iter().any(waits)
        });
        let Some(place) = next else { return said };
        settled[place] = true;
        said.extend(put_back_one(&mut state.jobs[place], output));
    }
}

/// The same for the jobs that come directly after the job `name`, which has just ended.
pub fn put_back_after(state: &mut State, jobs: &[Job], name: &str, output: &Path) -> Vec<String> {
    let after =
        state.jobs.iter_mut().zip(jobs).filter(|(_, job)| job.after.iter().any(|before| before == name));
    after.filter_map(|(record, _)| put_back_one(record, output)).collect()
}

fn put_back_one(record: &mut JobRecord, output: &Path) -> Option<String> {
    let why = has_result(record.status).then(|| changed_input(record, output))??;
    Some(wait_again(record, &why))
}

fn wait_again(record: &mut JobRecord, why: &str) -> String {
    record.status = Status::Waiting;
    record.seconds = 0.0;
    record.message = None;
    format!("{}: runs again, because {why}", record.name)
}
