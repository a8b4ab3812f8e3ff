//! The batch of a folder in the report: what became of each job, and what it said.

use std::io::Read;
use std::path::{Component, Path, PathBuf};

use super::html::{escape, for_people};
use super::words;
use crate::base::Result;
use crate::base::files;
use crate::base::machine::human_bytes;
use crate::base::numbers::counted;
use crate::batch::{BATCH_FILE, JobRecord, State, Status};
use crate::plot::data_address;

/// What a job printed is shown up to this length.
const MOST_TEXT: u64 = 20_000;
/// Larger results are not put into words.
const MOST_RESULT: u64 = 64 << 20;
/// A picture that a job made is shown up to this size, and so many of them.
const MOST_PICTURE: u64 = 1 << 20;
const MOST_PICTURES: usize = 12;

/// The part of the page about a batch.
pub struct Night {
    /// Jobs that did not end well, and why the batch stopped.
    pub problems: Vec<String>,
    /// How many jobs there are.
    pub jobs: usize,
    /// The heading, for the table of contents.
    pub heading: String,
    /// The anchor.
    pub id: String,
    /// The HTML.
    pub html: String,
}

impl Night {
    /// The batch whose output folder is `folder`, if it is one.
    pub fn of_folder(folder: &Path, number: usize) -> Result<Option<Self>> {
        let Some(state) = State::read(folder, BATCH_FILE)? else { return Ok(None) };
        let mut problems = Vec::new();
        let id = format!("batch-{number}");
        // The path is long, and says little that the name does not.
        let name = Path::new(&state.job_file).file_name().map(|name| name.to_string_lossy());
        let heading = format!("Batch {}", name.as_deref().unwrap_or(&state.job_file));
        let mut html = format!(
            "<section id=\"{id}\">\n<h2>{}</h2>\n<p class=\"note\">{}: {} of {} done; begun {}, last written {} by nimwave {}.</p>\n",
            escape(&heading),
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
        html += "<div class=\"scroll\"><table class=\"cards\">\n<thead><tr><th>job</th><th>result</th><th>status</th><th>time</th><th>memory</th><th>command</th></tr>\
                 </thead>\n<tbody>\n";
        html += &state.jobs.iter().map(|job| row(folder, job)).collect::<String>();
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
        Ok(Some(Self { problems, jobs: state.jobs.len(), heading, id, html: html + "</section>\n" }))
    }
}

fn row(folder: &Path, job: &JobRecord) -> String {
    let class = match job.status {
        Status::Done => "good",
        Status::Waiting | Status::Running => "",
        _ => "bad",
    };
    let why = job.message.as_ref().map_or(String::new(), |message| format!(": {message}"));
    let memory = job.peak_memory.filter(|&bytes| bytes > 0).map_or(String::new(), human_bytes);
    let cells = [
        ("job", "", escape(&job.name)),
        ("result", "", escape(&in_words(folder, job).unwrap_or_default())),
        ("status", class, escape(&format!("{}{why}", job.status.name()))),
        ("time", "", for_people(job.seconds)),
        ("memory", "", memory),
        ("command", "", format!("<code>{}</code>", escape(&job.command.join(" ")))),
    ];
    let cell = |(label, class, text): &(&str, &str, String)| {
        format!("<td data-label=\"{label}\" class=\"{class}\">{text}</td>")
    };
    format!("<tr>{}</tr>\n", cells.iter().map(cell).collect::<String>())
}

/// The result of a job that has one, in a sentence.
fn in_words(folder: &Path, job: &JobRecord) -> Option<String> {
    let path = inside(folder, job.result.as_ref()?)?;
    let mut bytes = Vec::new();
    files::open(&path).ok()?.take(MOST_RESULT).read_to_end(&mut bytes).ok()?;
    words::result(&job.command, &serde_json::from_slice(&bytes).ok()?)
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
