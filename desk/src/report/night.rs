//! The batch of a folder in the report: what became of each job, and what it said.

use std::io::Read;
use std::path::{Component, Path, PathBuf};

use super::html::{escape, grouped};
use crate::base::Result;
use crate::base::files;
use crate::base::machine::human_bytes;
use crate::base::numbers::counted;
use crate::batch::{BATCH_FILE, JobRecord, State, Status};
use crate::plot::data_address;

/// What a job printed is shown up to this length.
const MOST_TEXT: u64 = 20_000;
/// A picture that a job made is shown up to this size, and so many of them.
const MOST_PICTURE: u64 = 1 << 20;
const MOST_PICTURES: usize = 12;

/// The part of the page about a batch.
pub struct Night {
    /// Jobs that did not end well, and why the batch stopped.
    pub problems: Vec<String>,
    /// How many jobs there are.
    pub jobs: usize,
    /// The HTML.
    pub html: String,
}

impl Night {
    /// The batch whose output folder is `folder`, if it is one.
    pub fn of_folder(folder: &Path) -> Result<Option<Self>> {
        let Some(state) = State::read(folder, BATCH_FILE)? else { return Ok(None) };
        let mut problems = Vec::new();
        let mut html = format!(
            "<section>\n<h2>Batch {}</h2>\n<p class=\"note\">{} of {} done; begun {}, last written {} by nimwave {}.</p>\n",
            escape(&state.job_file),
            state.count(Status::Done),
            counted(state.jobs.len() as u64, "job"),
            escape(&state.created),
            escape(&state.updated),
            escape(&state.program_version)
        );
        if let Some(reason) = &state.stopped {
            html += &format!("<p class=\"bad\">Stopped: {}</p>\n", escape(reason));
            problems.push(format!("{}: stopped: {reason}", folder.display()));
        }
        html += "<div class=\"scroll\"><table>\n<thead><tr><th>job</th><th>status</th><th>time</th><th>memory</th><th>command</th></tr>\
                 </thead>\n<tbody>\n";
        html += &state.jobs.iter().map(row).collect::<String>();
        html += "</tbody></table></div>\n";
        for job in &state.jobs {
            if matches!(job.status, Status::Failed | Status::Refuted | Status::Undecided | Status::OutOfTime)
            {
                let why = job.message.as_deref().unwrap_or("");
                problems.push(format!("job {}: {} {why}", job.name, job.status.name()).trim_end().into());
            }
            html += &said(folder, job);
        }
        html += &pictures(folder);
        Ok(Some(Self { problems, jobs: state.jobs.len(), html: html + "</section>\n" }))
    }
}

fn row(job: &JobRecord) -> String {
    let class = match job.status {
        Status::Done => "good",
        Status::Waiting | Status::Running => "",
        _ => "bad",
    };
    let why = job.message.as_ref().map_or(String::new(), |message| format!(": {message}"));
    format!(
        "<tr><td>{}</td><td class=\"{class}\">{}</td><td>{} s</td><td>{}</td><td><code>{}</code></td></tr>\n",
        escape(&job.name),
        escape(&format!("{}{why}", job.status.name())),
        // Seconds below a thousand with their fraction.
        if job.seconds < 1000.0 { format!("{:.2}", job.seconds) } else { grouped(job.seconds as u64) },
        job.peak_memory.filter(|&bytes| bytes > 0).map_or(String::new(), human_bytes),
        escape(&job.command.join(" "))
    )
}

/// What a job printed, folded; of one that did not end well its log.
fn said(folder: &Path, job: &JobRecord) -> String {
    let (name, what) = match (&job.result, job.status) {
        (Some(result), Status::Done | Status::Refuted | Status::Undecided | Status::OutOfTime) => {
            (result, "result")
        }
        (_, Status::Failed | Status::OutOfTime | Status::Stopped) => (&job.log, "log"),
        _ => return String::new(),
    };
    let Some(text) = inside(folder, name).and_then(|path| beginning(&path)) else { return String::new() };
    if text.trim().is_empty() {
        return String::new();
    }
    format!(
        "<details><summary>{}: {what}</summary><pre class=\"scroll\">{}</pre></details>\n",
        escape(&job.name),
        escape(&text)
    )
}

/// A file below `folder`: the state is somebody's file, and must not make the page show others.
fn inside(folder: &Path, name: &str) -> Option<PathBuf> {
    let name = Path::new(name);
    name.components().all(|part| matches!(part, Component::Normal(_))).then(|| folder.join(name))
}

fn beginning(path: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    files::open(path).ok()?.take(MOST_TEXT + 1).read_to_end(&mut bytes).ok()?;
    let cut = bytes.len() as u64 > MOST_TEXT;
    bytes.truncate(MOST_TEXT as usize);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Some(if cut { text + "\n…" } else { text })
}

/// The PNG pictures in the folder, in the order of their names.
fn pictures(folder: &Path) -> String {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    paths.retain(|path| path.extension().is_some_and(|end| end == "png"));
    paths.sort();
    let picture = |path: &PathBuf| {
        let small = path.metadata().is_ok_and(|data| data.is_file() && data.len() <= MOST_PICTURE);
        let bytes = small.then(|| std::fs::read(path).ok()).flatten()?;
        let name = escape(&path.file_name()?.to_string_lossy());
        let address = bytes.starts_with(b"\x89PNG").then(|| data_address(&bytes))?;
        Some(format!(
            "<figure><img alt=\"{name}\" src=\"{address}\"><figcaption>{name}</figcaption></figure>\n"
        ))
    };
    paths.iter().filter_map(picture).take(MOST_PICTURES).collect()
}
