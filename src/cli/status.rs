//! `nimwave status`: how far runs are, from another terminal or another machine that shares their folders.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::{Context, numbers};
use crate::base::live::{Kept, Live, Subject, seconds_now};
use crate::base::{Error, Exit, Result};
use crate::batch::{BATCH_FILE, JobRecord, State as BatchState, Status as JobStatus};
use crate::table::{Manifest, Progress, State, progress};

/// Arguments of `status`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  nimwave status m4            # of a table that another process is filling
  nimwave status m4 v3 quick   # of several tables, and of a batch
  nimwave status p5 atlas run106   # of a probe, a survey and a search for a recurring state")]
pub struct Args {
    /// The folders that runs keep with --out: of solve, batch, probe, survey, period --recurring.
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,
}

/// Runs the command.
pub fn run(args: Args, context: &Context) -> anyhow::Result<Exit> {
    let (mut looks, mut problem) = (Vec::new(), None);
    for folder in &args.folders {
        // One folder that cannot be read does not keep the others from being shown.
        if let Err(error) = look(folder, &mut looks) {
            problem.get_or_insert(error);
        }
    }
    if !looks.is_empty() {
        context.print(
            || json!({ "runs": looks.iter().map(Look::json).collect::<Vec<_>>() }),
            || looks.iter().map(Look::describe).collect::<Vec<_>>().join("\n"),
        );
    }
    match problem {
        Some(error) => Err(error.into()),
        None => Ok(Exit::Done),
    }
}

/// What a folder says.
enum Look {
    Run(Box<Run>),
    Batch { folder: PathBuf, state: Box<BatchState> },
}

/// A run that keeps what it has done in a folder.
struct Run {
    folder: PathBuf,
    /// What is kept; a run that has just begun may have nothing yet.
    kept: Option<Kept>,
    /// The process that works in it.
    live: Option<Live>,
    /// The game and the parameters of a table.
    table: Option<(String, Value)>,
}

/// Looks at a folder; of a batch, also at the folders in which its running jobs work.
fn look(folder: &Path, looks: &mut Vec<Look>) -> Result<()> {
    if let Some(state) = BatchState::read(folder, BATCH_FILE)? {
        looks.push(Look::Batch { folder: folder.to_path_buf(), state: Box::new(state) });
        // What jobs keep stands in the batch's folder, one level down.
        let inside = folder.read_dir().map_err(Error::io("cannot read", folder))?;
        let mut inside: Vec<PathBuf> = inside.flatten().map(|entry| entry.path()).collect();
        inside.sort();
        for run in inside.iter().filter(|path| Live::read(path).is_some_and(|live| live.is_running())) {
            look(run, looks)?;
        }
        return Ok(());
    }
    let live = Live::read(folder).filter(Live::is_running);
    let folder = folder.to_path_buf();
    let (kept, table) = match kept_by_others(&folder)? {
        Some(kept) => (Some(kept), None),
        None if live.is_some() && !folder.join("manifest.json").exists() => (None, None),
        None => {
            let (manifest, progress) = progress(&folder).map_err(|error| unknown(error, &folder))?;
            let table = (manifest.spec.game.clone(), json!(manifest.spec.parameters));
            (Some(kept_table(&manifest, &progress)), Some(table))
        }
    };
    looks.push(Look::Run(Box::new(Run { folder, kept, live, table })));
    Ok(())
}

/// What a probe, a survey or a search for a recurring state keeps.
fn kept_by_others(folder: &Path) -> Result<Option<Kept>> {
    for kept in [crate::analysis::kept_probe, crate::survey::kept, crate::proof::recurrence::kept] {
        if let Some(kept) = kept(folder)? {
            return Ok(Some(kept));
        }
    }
    Ok(None)
}

/// A folder without a manifest is none of those that runs keep.
fn unknown(error: Error, folder: &Path) -> Error {
    match error {
        Error::Mismatch { path, .. } if !folder.join("manifest.json").exists() => Error::Mismatch {
            path,
            problem: "no run has kept anything here".into(),
            remedy: "give the folder of --out of solve, batch, probe, survey or period".into(),
        },
        other => other,
    }
}

fn kept_table(manifest: &Manifest, progress: &Progress) -> Kept {
    let spec = &manifest.spec;
    let title = spec.contents().map_or_else(|_| spec.game.clone(), |(game, _)| game.title());
    let what = if spec.quantity.is_outcomes() { "outcomes" } else { "values" };
    let size = |name| spec.parameters.get(name).map(|value| value.to_string());
    let size = match (size("heaps"), size("max")) {
        (Some(heaps), Some(max)) => format!(" of {heaps} heaps of at most {max}"),
        _ => String::new(),
    };
    let complete = manifest.state == State::Complete;
    Kept {
        subject: Subject::new(
            "table",
            format!("{title}, {} {what}{size}", numbers::grouped(spec.entries)),
            spec.step(),
        ),
        done: progress.waves_done,
        total: Some(spec.waves),
        seconds: Some(if complete { manifest.seconds } else { progress.seconds }),
        complete,
        file: "journal",
    }
}

impl Look {
    fn json(&self) -> Value {
        match self {
            Self::Batch { folder, state } => {
                json!({ "folder": folder, "kind": "batch", "updated": state.updated, "jobs": state.jobs.iter().map(|job| {
                    json!({ "name": job.name, "status": job.status, "seconds": job.seconds })
                }).collect::<Vec<_>>() })
            }
            Self::Run(run) => run.json(),
        }
    }

    fn describe(&self) -> String {
        match self {
            Self::Batch { folder, state } => describe_batch(folder, state),
            Self::Run(run) => run.describe(),
        }
    }
}

impl Run {
    /// `running`, `stopped` or `complete`.
    fn standing(&self) -> &'static str {
        match (&self.live, &self.kept) {
            (Some(_), _) => "running",
            (None, Some(kept)) if kept.complete => "complete",
            (None, _) => "stopped",
        }
    }

    fn subject(&self) -> Option<&Subject> {
        let (kept, live) = (self.kept.as_ref(), self.live.as_ref());
        let (kept, live) = (kept.map(|kept| &kept.subject), live.map(|live| &live.subject));
        // The manifest of a table says more; otherwise the process does.
        if self.table.is_some() { kept.or(live) } else { live.or(kept) }
    }

    /// When the last checkpoint was made, in seconds since 1970.
    fn checkpoint(&self) -> Option<f64> {
        let kept = self.kept.as_ref().filter(|kept| kept.done > 0)?;
        let written = self.folder.join(kept.file).metadata().and_then(|file| file.modified()).ok()?;
        Some(written.duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64()))
    }

    fn json(&self) -> Value {
        let kept = self.kept.as_ref();
        let (subject, live) = (self.subject(), self.live.as_ref());
        let total =
            live.map(|live| live.waves).filter(|&waves| waves > 0).or(kept.and_then(|kept| kept.total));
        let mut object = json!({
            "folder": self.folder,
            "kind": subject.map(|subject| &subject.kind),
            "title": subject.map(|subject| &subject.title),
            "state": self.standing(),
            "step": live.map(|live| &live.subject).or(subject).map(|subject| &subject.step),
            "done": live.map(|live| live.waves_done).or(kept.map(|kept| kept.done)),
            "total": total,
            "seconds": kept.and_then(|kept| kept.seconds),
            "last_checkpoint": self.checkpoint(),
        });
        if let Some((game, parameters)) = &self.table {
            (object["game"], object["parameters"]) = (json!(game), parameters.clone());
        }
        if let Some(live) = live {
            object["run"] = json!(live);
            object["share"] = json!(live.share());
            object["per_second"] = rate(live).into();
            object["seconds_left"] = json!(live.seconds_left());
        }
        object
    }

    fn describe(&self) -> String {
        let title = self.subject().map_or("a run", |subject| &subject.title);
        let mut text = format!("{}: {title}\n", self.folder.display());
        text += &match (&self.live, &self.kept) {
            (Some(live), _) => running(live),
            (None, Some(kept)) => still(kept),
            (None, None) => "  nothing is kept yet\n".into(),
        };
        if let (Some(when), Some(kept)) =
            (self.checkpoint(), self.kept.as_ref().filter(|kept| !kept.complete))
        {
            let done = numbers::grouped(kept.done);
            text += &format!("  last checkpoint: {} {done}, {} ago\n", kept.subject.step, ago(when));
        }
        text
    }
}

/// The positions (or steps, where no positions are counted) that this run does in a second.
fn rate(live: &Live) -> f64 {
    let done = match live.positions_filled {
        0 => live.waves_done - live.waves_before,
        filled => filled,
    };
    done as f64 / live.seconds()
}

fn running(live: &Live) -> String {
    let process = live.process.map_or_else(|| "?".into(), |process| process.id.to_string());
    let left = live.seconds_left().map_or(String::new(), |left| {
        let end = crate::table::rfc3339(SystemTime::now() + Duration::from_secs_f64(left.min(1e9)));
        format!("; about {} left, until {end}", for_people(left))
    });
    let step = &live.subject.step;
    let share = live.share().map_or(String::new(), |share| format!("{:.1}% done: ", 100.0 * share));
    let of = if live.waves > 0 { format!(" of {}", numbers::grouped(live.waves)) } else { String::new() };
    // The positions of a sequence are its terms.
    let unit = if live.positions > 0 && step != "term" { "position" } else { step };
    format!(
        "  running: process {process} on {}, for {}\n  {share}{step} {}{of}, {} {unit}s/s{left}\n",
        live.host,
        ago(live.began),
        numbers::grouped(live.waves_done),
        numbers::rate(rate(live)),
    )
}

fn still(kept: &Kept) -> String {
    let step = &kept.subject.step;
    match (kept.complete, kept.seconds) {
        (true, Some(seconds)) => format!("  complete, after {}\n", for_people(seconds)),
        (true, None) => "  complete\n".into(),
        (false, seconds) => {
            let of = kept.total.map_or(String::new(), |total| format!(" of {}", numbers::grouped(total)));
            let work =
                seconds.map_or(String::new(), |seconds| format!(" after {} of work", for_people(seconds)));
            format!("  stopped: {step} {}{of}{work}; the same command resumes\n", numbers::grouped(kept.done))
        }
    }
}

fn describe_batch(folder: &Path, state: &BatchState) -> String {
    let counts: Vec<String> = [
        JobStatus::Done,
        JobStatus::Running,
        JobStatus::Waiting,
        JobStatus::Stopped,
        JobStatus::OutOfTime,
        JobStatus::Refuted,
        JobStatus::Undecided,
        JobStatus::Failed,
        JobStatus::Skipped,
    ]
    .into_iter()
    .map(|status| (status, state.jobs.iter().filter(|job| job.status == status).count()))
    .filter(|&(_, count)| count > 0)
    .map(|(status, count)| format!("{count} {}", status.name()))
    .collect();
    let mut text = format!("{}: batch, {}; updated {}\n", folder.display(), counts.join(", "), state.updated);
    for job in state.jobs.iter().filter(|job| job.status == JobStatus::Running) {
        let alive = job.process.is_some_and(|process| process.is_alive());
        let how = if alive { "runs now" } else { "ran when the batch was last heard of" };
        text += &format!("  {} {how}\n", job.name);
    }
    let stopped = |job: &&JobRecord| matches!(job.status, JobStatus::Waiting | JobStatus::Stopped);
    let works = |job: &&JobRecord| job.process.is_some_and(|process| process.is_alive());
    if state.jobs.iter().any(|job| stopped(&job)) && !state.jobs.iter().any(|job| works(&job)) {
        text += "  stopped; the same command resumes\n";
    }
    text
}

/// "3m 20s", to the second.
fn for_people(seconds: f64) -> String {
    humantime::format_duration(Duration::from_secs(seconds.clamp(0.0, 1e12).round() as u64)).to_string()
}

/// How long ago it was.
fn ago(when: f64) -> String {
    for_people(seconds_now() - when)
}
