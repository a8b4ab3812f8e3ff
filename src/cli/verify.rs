//! `nimwave verify`: check a table by code that did not make it.

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::json;

use super::progress::ProgressReport;
use super::{Context, cluster, numbers};
use crate::base::{Counter, Error, Exit, printable};
use crate::cluster::{Link, check_checksums, join_verdicts};
use crate::table::{Manifest, Reader, State, Verification, Verifying};
use crate::verify::{Mode, Share, verify_share};

/// Arguments of `verify`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  nimwave verify minnie-h4-n200.table --full")]
pub struct Args {
    /// The table's folder.
    #[arg(value_name = "DIR")]
    table: PathBuf,
    /// Check every entry against its options: a proof that the table is right (the default).
    #[arg(long, conflicts_with_all = ["sample", "checksums"])]
    full: bool,
    /// Check this many entries taken at random.
    #[arg(long, value_name = "N", value_parser = numbers::count, conflicts_with = "checksums")]
    sample: Option<u64>,
    /// Check only that the file is as it was written.
    #[arg(long)]
    checksums: bool,
}

/// Runs the command.
pub fn run(args: Args, context: &Context) -> anyhow::Result<Exit> {
    cluster::with_link(|link| run_with(link, &args, context))
}

fn run_with(link: &dyn Link, args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let mode = match (args.sample, args.checksums) {
        (Some(0), _) => {
            return Err(
                Error::Usage("a sample of 0 entries checks nothing; give --sample 1 or more".into()).into()
            );
        }
        (Some(count), _) => Mode::Sample(count),
        (None, true) => Mode::Checksums,
        (None, false) => Mode::Full,
    };
    // What is finished of a table is checked beside a process that fills it, and nothing is recorded.
    if link.ranks() == 1
        && let Some(exit) = finished_part(mode, link, args, context)?
    {
        return Ok(exit);
    }
    // One rank locks and records for all.
    let verifying = (link.rank() == 0).then(|| Verifying::begin(&args.table)).transpose();
    let verifying = match verifying {
        Err(error @ Error::Corrupt { .. }) => {
            // Without a manifest there is no place for a verdict.
            eprintln!("nimwave: {}", printable(&error.to_string()));
            return Ok(Exit::of(false));
        }
        other => other?,
    };
    let started = Instant::now();
    let mut result = match check(link, args, mode, context) {
        // All ranks have found it: they read the same files.
        Err(Error::Corrupt { path, problem, remedy }) => {
            Verification::damaged(format!("{}: {problem}; {remedy}", path.display()))
        }
        other => other?,
    };
    result.seconds = started.elapsed().as_secs_f64();
    let Some(verifying) = verifying else { return Ok(Exit::of(result.passed())) };
    let (result, unwritten) = verifying.conclude(result)?;
    if let Some(error) = unwritten {
        context.note(format!("The verdict could not be written into the manifest: {error}"));
    }
    let json = || {
        let mut object = json!(result);
        object["table"] = json!(args.table);
        object
    };
    context.print(json, || describe(&args.table, &result));
    Ok(Exit::of(result.passed()))
}

/// Checks what is finished of a table that is not; of one that is, returns `None`.
fn finished_part(
    mode: Mode,
    link: &dyn Link,
    args: &Args,
    context: &Context,
) -> anyhow::Result<Option<Exit>> {
    let manifest = Manifest::read(&args.table.join("manifest.json"));
    if !manifest.is_ok_and(|manifest| manifest.state == State::Partial) {
        return Ok(None);
    }
    let (result, finished) = match Reader::open_finished(&args.table) {
        // Finished in this moment.
        Ok(reader) if reader.finished().is_none() => return Ok(None),
        Ok(reader) => {
            let result = watched(&reader, mode, link, context)?;
            let counts = reader.finished().map(|part| (part.entries, part.of, part.describe()));
            (result, counts)
        }
        Err(Error::Corrupt { path, problem, remedy }) => {
            (Verification::damaged(format!("{}: {problem}; {remedy}", path.display())), None)
        }
        Err(error) => return Err(error.into()),
    };
    context.print(
        || {
            let mut object = json!(result);
            object["table"] = json!(args.table);
            object["finished"] = json!(finished.as_ref().map(|part| part.0));
            object["wanted"] = json!(finished.as_ref().map(|part| part.1));
            object["recorded"] = json!(false);
            object
        },
        || {
            let checked = describe(&args.table, &result);
            let about = finished.as_ref().map_or(String::new(), |part| format!(": this is about {}", part.2));
            format!("{checked}\nThe table is not finished{about}, and the verdict is not recorded.")
        },
    );
    Ok(Some(Exit::of(result.passed())))
}

/// Checks the table with all ranks. Damage is an error, a wrong entry is a failed verdict.
fn check(link: &dyn Link, args: &Args, mode: Mode, context: &Context) -> crate::Result<Verification> {
    let reader = Reader::open(&args.table)?;
    if link.ranks() > 1 && reader.heap_table().is_err() {
        return Err(Error::Ranks(
            "only tables of heap games are verified by several ranks; start verify without mpirun".into(),
        ));
    }
    check_checksums(link, &reader)?;
    let mut result = watched(&reader, mode, link, context)?;
    join_verdicts(link, &mut result)?;
    Ok(result)
}

/// Runs the verification beside a progress report.
fn watched(reader: &Reader, mode: Mode, link: &dyn Link, context: &Context) -> crate::Result<Verification> {
    let share = Share { rank: link.rank(), ranks: link.ranks() };
    let counter = Counter::default();
    let control = context.control(&counter);
    if link.rank() > 0 {
        return verify_share(reader, mode, &control, share);
    }
    let there = reader.finished().map_or(reader.len(), |finished| finished.entries);
    let total = mode.entries(there) / link.ranks() as u64;
    let progress = context.progress("verify");
    let look = |progress: &ProgressReport| {
        let checked = counter.done().min(total);
        progress.at(checked, total, &format!("{} entries", numbers::grouped(checked)));
    };
    progress.watch(look, || verify_share(reader, mode, &control, share))
}

/// "1 entry", "2,000 entries".
pub fn entries(count: u64) -> String {
    format!("{} {}", numbers::grouped(count), if count == 1 { "entry" } else { "entries" })
}

fn describe(table: &Path, result: &Verification) -> String {
    let what = match result.kind.as_str() {
        "checksums" => "the file is as it was written; its entries were not checked against the rules".into(),
        "sample" => {
            format!("{} taken at random, {:.2e} of all, are right", entries(result.entries), result.coverage)
        }
        "finished" => format!("the {} that are finished are right, given the rules", entries(result.entries)),
        _ => format!("all {} are right: this is a proof, given the rules", entries(result.entries)),
    };
    match &result.failure {
        None => format!("{}: passed in {:.2} s: {what}", table.display(), result.seconds),
        Some(failure) => format!("{}: FAILED: {failure}", table.display()),
    }
}
