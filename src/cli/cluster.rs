//! Commands that the ranks of an MPI job run together.

use std::path::Path;

use super::Context;
use super::solve::{HeapArgs, command_line};
use super::summary::{describe, summary};
use crate::base::machine::human_bytes;
use crate::base::{Control, Error, Exit, Observer, Result, Silent, printable};
use crate::cluster::{Link, ShardedJob, Traffic, connect, ranks};
use crate::sweep::HeapJob;
use crate::table::is_sharded;

/// Whether a table is filled in shards: by several ranks, or because it is in shards already.
pub fn applies(out: Option<&Path>) -> bool {
    ranks() > 1 || out.is_some_and(is_sharded)
}

/// Runs `work` with the connection to the other ranks. An error that only
/// this rank knows of ends all of them.
pub fn with_link(work: impl FnOnce(&dyn Link) -> anyhow::Result<Exit>) -> anyhow::Result<Exit> {
    let link = connect(join)?;
    let result = work(&*link);
    let Err(error) = &result else { return result };
    match error.downcast_ref::<Error>() {
        _ if link.ranks() == 1 => result,
        // All ranks know of these; one of them says it.
        Some(Error::Interrupted { .. } | Error::Ranks(_)) if link.rank() > 0 => Ok(super::exit_of(error)),
        Some(Error::Interrupted { .. } | Error::Ranks(_)) => result,
        _ => {
            let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
            let error = format!("nimwave: rank {} of {} on {host}: {error:#}", link.rank(), link.ranks());
            eprintln!("{}", printable(&error));
            eprintln!(
                "nimwave: all ranks end; the last common checkpoint is kept, and the same command resumes from it"
            );
            link.abort(Exit::Error.code())
        }
    }
}

#[cfg(feature = "mpi")]
fn join(_: usize) -> Result<Box<dyn Link>> {
    Ok(Box::new(crate::mpi::World::join()?))
}

#[cfg(not(feature = "mpi"))]
fn join(ranks: usize) -> Result<Box<dyn Link>> {
    Err(Error::Usage(format!(
        "{ranks} processes were started, and this nimwave was built without MPI; build it with --features mpi, or start it \
         without mpirun"
    )))
}

/// Fills the table of `job` together with the other ranks; rank 0 prints the summary.
pub fn solve_heaps(job: &HeapJob, args: &HeapArgs, context: &Context) -> anyhow::Result<Exit> {
    with_link(|link| solve_with(link, job, args, context))
}

fn solve_with(link: &dyn Link, job: &HeapJob, args: &HeapArgs, context: &Context) -> anyhow::Result<Exit> {
    let Some(out) = &args.run.out else {
        return Err(Error::Ranks("several ranks keep their table in files; give --out DIR".into()).into());
    };
    let sharded = ShardedJob { job, shards: args.shards.map(|shards| shards as usize), link };
    let extra = sharded.check_budget(out, context.globals.memory)?;
    context.detail(|| {
        let shards = sharded.new_plan().shards();
        format!("{shards} shards, {} beside the table on this rank", human_bytes(extra))
    });
    let progress = (link.rank() == 0).then(|| context.progress(job.game.name()));
    let observer: &dyn Observer = progress.as_ref().map_or(&Silent, |progress| progress);
    let control = Control { checkpoint_every: args.run.checkpoint, ..context.control(observer) };
    let solved = sharded.solve(out, &control);
    if let Some(progress) = &progress {
        progress.finish();
    }
    let (manifest, traffic) = solved.inspect_err(|error| {
        if matches!(error, Error::Interrupted { .. }) && link.rank() == 0 {
            context.note(format!(
                "Stopped; finished waves are kept. Resume with the same command, with as many ranks or others:\n  {}",
                command_line()
            ));
        }
    })?;
    if link.rank() == 0 {
        let json = || {
            let mut object = summary(&manifest);
            object["ranks"] = link.ranks().into();
            object["shards"] = manifest.shards.as_ref().map_or(0, Vec::len).into();
            object["traffic"] = serde_json::json!(traffic);
            object
        };
        context.print(json, || describe(&manifest, Some(out)) + &traffic_text(&traffic));
    }
    Ok(Exit::Done)
}

fn traffic_text(traffic: &[Traffic]) -> String {
    let most = |get: fn(&Traffic) -> u64| human_bytes(traffic.iter().map(get).max().unwrap_or(0));
    format!(
        "{} ranks; the busiest: {} of the table, {} beside it, {} sent ({} in a wave)\n",
        traffic.len(),
        most(|t| t.tables),
        most(|t| t.most_extra),
        most(|t| t.sent),
        most(|t| t.most_in_a_wave)
    )
}
