//! `nimwave status`: how far runs are, from another terminal or another machine that shares their folders.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::{Context, numbers};
use crate::base::{Error, Exit, Result};
use crate::batch::{BATCH_FILE, State as BatchState, Status as JobStatus};
use crate::table::{Live, Manifest, Progress, State, progress, seconds_now};

/// Arguments of `status`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  nimwave status m4            # of a table that another process is filling
  nimwave status m4 v3 quick   # of several tables, and of a batch")]
pub struct Args {
    /// The folders of tables or batches.
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,
}

/// Runs the command.
pub fn run(args: Args, context: &Context) -> anyhow::Result<Exit> {
    let mut looks = Vec::new();
    for folder in &args.folders {
        look(folder, &mut looks)?;
    }
    context.print(
        || json!({ "runs": looks.iter().map(Look::json).collect::<Vec<_>>() }),
        || looks.iter().map(Look::describe).collect::<Vec<_>>().join("\n"),
    );
    Ok(Exit::Done)
}

/// What a folder says.
enum Look {
    Table {
        folder: PathBuf,
        manifest: Box<Manifest>,
        progress: Progress,
        live: Option<Live>,
        checkpoint: Option<f64>,
    },
    Batch {
        folder: PathBuf,
        state: Box<BatchState>,
    },
}

/// Looks at a folder; of a batch, also at the tables that its running jobs fill.
fn look(folder: &Path, looks: &mut Vec<Look>) -> Result<()> {
    if let Some(state) = BatchState::read(folder, BATCH_FILE)? {
        looks.push(Look::Batch { folder: folder.to_path_buf(), state: Box::new(state) });
        // Tables of jobs stand in the batch's folder, one level down.
        let inside = folder.read_dir().map_err(Error::io("cannot read", folder))?;
        let mut tables: Vec<PathBuf> = inside.flatten().map(|entry| entry.path()).collect();
        tables.sort();
        for table in tables.iter().filter(|path| Live::read(path).is_some_and(|live| live.is_running())) {
            look(table, looks)?;
        }
        return Ok(());
    }
    let (manifest, progress) = progress(folder)?;
    let live = Live::read(folder).filter(Live::is_running);
    let modified = folder.join("journal").metadata().and_then(|journal| journal.modified());
    let checkpoint = modified.ok().filter(|_| progress.waves_done > 0).map(seconds_of);
    let manifest = Box::new(manifest);
    looks.push(Look::Table { folder: folder.to_path_buf(), manifest, progress, live, checkpoint });
    Ok(())
}

fn seconds_of(time: SystemTime) -> f64 {
    time.duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}

impl Look {
    fn json(&self) -> Value {
        match self {
            Self::Batch { folder, state } => {
                json!({ "folder": folder, "kind": "batch", "updated": state.updated, "jobs": state.jobs.iter().map(|job| {
                    json!({ "name": job.name, "status": job.status, "seconds": job.seconds })
                }).collect::<Vec<_>>() })
            }
            Self::Table { folder, manifest, progress, live, checkpoint } => {
                let done = live.as_ref().map_or(progress.waves_done, |live| live.waves_done);
                let mut object = json!({
                    "folder": folder,
                    "kind": "table",
                    "game": manifest.spec.game,
                    "parameters": manifest.spec.parameters,
                    "state": standing(manifest, live.as_ref()),
                    "waves_done": done,
                    "waves": manifest.spec.waves,
                    "seconds": progress.seconds,
                    "last_checkpoint": checkpoint,
                });
                if let Some(live) = live {
                    object["run"] = json!(live);
                    object["share"] = live.share().into();
                    object["positions_per_second"] = rate(live).into();
                    object["seconds_left"] = json!(live.seconds_left());
                }
                object
            }
        }
    }

    fn describe(&self) -> String {
        match self {
            Self::Batch { folder, state } => describe_batch(folder, state),
            Self::Table { folder, manifest, progress, live, checkpoint } => {
                let spec = &manifest.spec;
                let title = spec.contents().map_or_else(|_| spec.game.clone(), |(game, _)| game.title());
                let what = if spec.quantity.is_outcomes() { "outcomes" } else { "values" };
                let size = |name| spec.parameters.get(name).map(|value| value.to_string());
                let size = match (size("heaps"), size("max")) {
                    (Some(heaps), Some(max)) => format!(" of {heaps} heaps of at most {max}"),
                    _ => String::new(),
                };
                let entries = numbers::grouped(spec.entries);
                let mut text = format!("{}: {title}, {entries} {what}{size}\n", folder.display());
                text += &match live {
                    Some(live) => running(manifest, live),
                    None => still(manifest, progress),
                };
                if let (Some(when), State::Partial) = (checkpoint, manifest.state) {
                    let waves = numbers::grouped(progress.waves_done);
                    text += &format!("  last checkpoint: {} {waves}, {} ago\n", step(manifest), ago(*when));
                }
                text
            }
        }
    }
}

/// `running`, `stopped` or `complete`.
fn standing(manifest: &Manifest, live: Option<&Live>) -> &'static str {
    match (manifest.state, live) {
        (State::Complete, _) => "complete",
        (State::Partial, Some(_)) => "running",
        (State::Partial, None) => "stopped",
    }
}

fn step(manifest: &Manifest) -> &'static str {
    manifest.spec.steps().trim_end_matches('s')
}

/// The positions (or terms) that this run fills in a second.
fn rate(live: &Live) -> f64 {
    let filled = match live.positions_filled {
        0 => live.waves_done - live.waves_before,
        filled => filled,
    };
    filled as f64 / live.seconds()
}

fn running(manifest: &Manifest, live: &Live) -> String {
    let process = live.process.map_or_else(|| "?".into(), |process| process.id.to_string());
    let left = live.seconds_left().map_or(String::new(), |left| {
        let end = crate::table::rfc3339(SystemTime::now() + Duration::from_secs_f64(left.min(1e9)));
        format!("; about {} left, until {end}", for_people(left))
    });
    format!(
        "  running: process {process} on {}, for {}\n  {:.1}% done: {} {} of {}, {} positions/s{left}\n",
        live.host,
        ago(live.began),
        100.0 * live.share(),
        step(manifest),
        numbers::grouped(live.waves_done),
        numbers::grouped(live.waves),
        numbers::rate(rate(live)),
    )
}

fn still(manifest: &Manifest, progress: &Progress) -> String {
    match manifest.state {
        State::Complete => format!("  complete, after {}\n", for_people(manifest.seconds)),
        State::Partial => format!(
            "  stopped: {} {} of {} after {} of work; the same solve command resumes\n",
            step(manifest),
            numbers::grouped(progress.waves_done),
            numbers::grouped(manifest.spec.waves),
            for_people(progress.seconds),
        ),
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
