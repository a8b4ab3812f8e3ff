//! Commands that the ranks of an MPI job run together.

use std::path::Path;
use std::process::ExitCode;

use serde_json::{Value, json};

use super::Context;
use super::solve::{RunArgs, command_line, describe, summary};
use crate::base::machine::{self, human_bytes};
use crate::base::{Control, Observer, Silent};
use crate::base::{Error, Result};
use crate::cluster::{Alone, Link, ShardedJob, Traffic};
use crate::sweep::HeapJob;
use crate::table::{Reader, Verification, is_sharded};

/// The number of ranks of the job that this process was started in: 1 for a process of its own.
pub fn ranks() -> usize {
    // As Open MPI, MPICH and its relatives, and Slurm with either interface say it.
    ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS", "SLURM_STEP_NUM_TASKS"]
        .iter()
        .filter_map(|name| std::env::var(name).ok()?.parse().ok())
        .next()
        .unwrap_or(1)
}

/// Whether a table is filled in shards: by several ranks, or because it is in shards already.
pub fn applies(out: Option<&Path>) -> bool {
    ranks() > 1 || out.is_some_and(is_sharded)
}

/// For commands that ranks do not share: says so instead of doing the same work in every rank.
pub fn refuse(what: &str) -> Result<()> {
    match ranks() {
        1 => Ok(()),
        ranks => Err(Error::Usage(format!(
            "{what} runs in one process, and {ranks} were started; start it without mpirun"
        ))),
    }
}

/// Runs `work` with the connection to the other ranks. An error that only this rank knows of ends all of them.
#[cfg(feature = "mpi")]
pub fn with_link(work: impl FnOnce(&dyn Link) -> anyhow::Result<ExitCode>) -> anyhow::Result<ExitCode> {
    if ranks() == 1 {
        return work(&Alone);
    }
    let world = crate::cluster::World::join()?;
    let result = work(&world);
    let Err(error) = &result else { return result };
    match error.downcast_ref::<Error>() {
        // All ranks know of these; one of them says it.
        Some(Error::Interrupted { .. } | Error::Ranks(_)) if world.rank() > 0 => Ok(super::exit_code(error)),
        Some(Error::Interrupted { .. } | Error::Ranks(_)) => result,
        _ => {
            eprintln!("nimwave: rank {} of {} on {}: {error:#}", world.rank(), world.ranks(), host());
            eprintln!(
                "nimwave: all ranks end; the last common checkpoint is kept, and the same command goes on from it"
            );
            world.abort(2)
        }
    }
}

/// Runs `work` in this process; a program without MPI cannot take part in a job of several.
#[cfg(not(feature = "mpi"))]
pub fn with_link(work: impl FnOnce(&dyn Link) -> anyhow::Result<ExitCode>) -> anyhow::Result<ExitCode> {
    match ranks() {
        1 => work(&Alone),
        ranks => Err(Error::Usage(format!(
            "{ranks} processes were started, and this nimwave was built without MPI; build it with --features mpi, or start it \
             without mpirun"
        ))
        .into()),
    }
}

/// The name of this machine.
#[cfg(feature = "mpi")]
fn host() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

/// Fills the table of `job` together with the other ranks; rank 0 prints the summary.
pub fn solve_heaps(job: &HeapJob, run: &RunArgs, context: &Context) -> anyhow::Result<ExitCode> {
    with_link(|link| solve_with(link, job, run, context))
}

fn solve_with(link: &dyn Link, job: &HeapJob, run: &RunArgs, context: &Context) -> anyhow::Result<ExitCode> {
    let Some(out) = &run.out else {
        return Err(Error::Ranks("several ranks keep their table in files; give --out DIR".into()).into());
    };
    let sharded = ShardedJob { job, shards: run.shards.map(|shards| shards as usize), link };
    check_budget(&sharded, run, context)?;
    let progress = (link.rank() == 0).then(|| context.progress(job.game.name()));
    let observer: &dyn Observer = progress.as_ref().map_or(&Silent, |progress| progress);
    let control =
        Control { stop: &context.stop, observer, checkpoint_every: run.checkpoint, ..Control::silent() };
    let solved = sharded.solve(out, &control);
    if let Some(progress) = &progress {
        progress.finish();
    }
    let (manifest, traffic) = solved.inspect_err(|error| {
        if matches!(error, Error::Interrupted { .. }) && link.rank() == 0 {
            context.note(format!(
                "Stopped; finished waves are kept. Go on with the same command, with as many ranks or others:\n  {}",
                command_line()
            ));
        }
    })?;
    let traffic = all_traffic(link, traffic);
    if link.rank() == 0 {
        let json = || {
            let mut object = summary(&manifest);
            object["ranks"] = link.ranks().into();
            object["shards"] = manifest.shards.as_ref().map_or(0, Vec::len).into();
            object["traffic"] = traffic.iter().map(traffic_json).collect();
            object
        };
        context.print(json, || describe(&manifest, run) + &traffic_text(&traffic));
    }
    Ok(ExitCode::SUCCESS)
}

/// Refuses what does not fit: the memory of all ranks on this machine together, and the disk.
fn check_budget(sharded: &ShardedJob<'_>, run: &RunArgs, context: &Context) -> Result<()> {
    let plan = sharded.new_plan();
    let here =
        std::env::var("OMPI_COMM_WORLD_LOCAL_SIZE").ok().and_then(|size| size.parse().ok()).unwrap_or(1u64);
    let memory = sharded.memory_of(&plan, sharded.link.rank());
    let remedy = if ShardedJob::is_replicated(sharded.job) {
        "this game needs a copy of the whole table on every rank: start fewer ranks on a machine, each with more threads"
    } else {
        "start fewer ranks on a machine, or use more machines"
    };
    machine::check_memory(memory.saturating_mul(here), context.globals.memory, remedy)?;
    if let Some(out) =
        run.out.as_deref().filter(|out| sharded.link.rank() == 0 && !out.join("manifest.json").exists())
    {
        let entries =
            crate::space::SortedHeaps::count(sharded.job.heaps, sharded.job.max).unwrap_or(u64::MAX);
        machine::check_disk(sharded.job.width().file_bytes(entries), out)?;
    }
    context.detail(|| {
        format!("{} shards, {} beside the table on this rank", plan.shards(), human_bytes(memory))
    });
    Ok(())
}

fn all_traffic(link: &dyn Link, mine: Traffic) -> Vec<Traffic> {
    let numbers = [mine.sent, mine.received, mine.most_in_a_wave, mine.most_beside, mine.tables];
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let number =
        |bytes: &[u8], i: usize| u64::from_le_bytes(bytes[8 * i..8 * i + 8].try_into().expect("eight bytes"));
    let traffic = |bytes: &Vec<u8>| Traffic {
        sent: number(bytes, 0),
        received: number(bytes, 1),
        most_in_a_wave: number(bytes, 2),
        most_beside: number(bytes, 3),
        tables: number(bytes, 4),
    };
    link.all_gather(&bytes).iter().map(traffic).collect()
}

fn traffic_json(traffic: &Traffic) -> Value {
    json!({
        "sent": traffic.sent,
        "received": traffic.received,
        "most_in_a_wave": traffic.most_in_a_wave,
        "most_beside": traffic.most_beside,
        "tables": traffic.tables,
    })
}

fn traffic_text(traffic: &[Traffic]) -> String {
    let most = |get: fn(&Traffic) -> u64| human_bytes(traffic.iter().map(get).max().unwrap_or(0));
    format!(
        "{} ranks; the busiest: {} of the table, {} beside it, {} sent ({} in a wave)\n",
        traffic.len(),
        most(|t| t.tables),
        most(|t| t.most_beside),
        most(|t| t.sent),
        most(|t| t.most_in_a_wave)
    )
}

/// Checks the checksums of a table, each rank those of some shards and a part of the logical data.
pub fn check_checksums(link: &dyn Link, reader: &Reader) -> Result<()> {
    let Some(shards) = reader.shards().filter(|_| link.ranks() > 1) else {
        return reader.check_all(true);
    };
    shards.check_share(link.rank(), link.ranks())?;
    let subtrees = link.all_gather(&shards.subtrees(link.rank(), link.ranks())).concat();
    reader.compare_blake3(&shards.blake3(&subtrees))
}

/// Makes the verdict of this rank that of all: the first failure is the table's.
pub fn join_verdicts(link: &dyn Link, mine: &mut Verification) {
    let told = link.all_gather(mine.failure.as_deref().unwrap_or("").as_bytes());
    if let Some(failure) = told.iter().find(|failure| !failure.is_empty()) {
        mine.failure = Some(String::from_utf8_lossy(failure).into_owned());
        mine.verdict = "failed".into();
    }
}
