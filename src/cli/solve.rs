//! `nimwave solve`: fill a table.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Subcommand, ValueEnum};

use super::cluster;
use super::heap_games::HeapGame;
use super::rule_sequence::{self, SequencePeriod};
use super::summary::{describe, summary};
use super::{Context, numbers};
use crate::base::machine::human_bytes;
use crate::base::shell::quoted;
use crate::base::{Control, Error, Exit};
use crate::sweep::{HeapJob, Job, KernelChoice, Needs, check_budget, check_out, needs, solve};
use crate::table::{Quantity, State, progress as progress_of};

/// Arguments of `solve`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  nimwave solve minnie --heaps 4 --max 200 --values --out minnie-h4-n200.table"
)]
pub struct Args {
    #[command(subcommand)]
    game: Game,
}

#[derive(Debug, Subcommand)]
enum Game {
    #[command(flatten)]
    Heaps(HeapGame<HeapArgs>),
    /// Cookie cutter: one board by parts, or with --dense all subsets of a board.
    #[command(
        after_help = "Examples:\n  nimwave solve cookie --rows 5 --cols 6 --cutter 2\n  nimwave solve cookie --rows 5 --cols 5 --cutter 3 --dense --out cookie-5x5-k3.table"
    )]
    Cookie(super::cookie::SolveArgs),
    /// The nim-sequence of an octal game, Grundy's game or a subtraction game.
    #[command(
        after_help = "Examples:\n  nimwave solve octal 0.6 --terms 1e9 --out officers\n  nimwave solve octal subtraction 1,3,4 --terms 1000"
    )]
    Octal(super::octal::SolveArgs),
}

/// The arguments of a table of a heap game.
#[derive(Debug, Clone, clap::Args)]
pub struct HeapArgs {
    /// The number of heaps.
    #[arg(long, value_name = "K", value_parser = numbers::count)]
    pub heaps: u64,
    /// The largest heap.
    #[arg(long, value_name = "N", value_parser = numbers::heap)]
    pub max: u32,
    /// Only positions whose smallest heap, absent ones counted as 0, is at most this.
    #[arg(long, value_name = "M", value_parser = numbers::heap)]
    pub smallest: Option<u32>,
    /// Grundy values instead of outcomes.
    #[arg(long)]
    pub values: bool,
    /// Misère play: who cannot move wins.
    #[arg(long)]
    pub misere: bool,
    #[command(flatten)]
    pub run: RunArgs,
    /// The kernel: for comparisons and double checks.
    #[arg(long, value_enum, default_value = "fastest")]
    pub kernel: KernelArg,
    /// Under mpirun: cut a new table into this many shards, at least as many as there will be ranks; 4 per
    /// rank by default.
    #[arg(long, value_name = "N", value_parser = numbers::count)]
    pub shards: Option<u64>,
}

/// How a table is filled, whatever it holds.
#[derive(Debug, Clone, clap::Args)]
pub struct RunArgs {
    /// Keep the table in this folder; the same command again resumes where it stopped.
    #[arg(long, short, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Refuse a job that is estimated to take longer, such as 90s, 10m or 8h, and stop one that does; it can
    /// be resumed.
    #[arg(long, value_name = "TIME", value_parser = numbers::duration)]
    pub time: Option<Duration>,
    /// The time between two checkpoints.
    #[arg(long, value_name = "TIME", value_parser = numbers::duration, default_value = "60s")]
    pub checkpoint: Duration,
}

/// A kernel by name.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum KernelArg {
    /// The fastest for this game and machine.
    Fastest,
    /// The fastest without vector instructions.
    Portable,
    /// The scalar one for any rules.
    Generic,
}

impl From<KernelArg> for KernelChoice {
    fn from(arg: KernelArg) -> Self {
        match arg {
            KernelArg::Fastest => Self::Fastest,
            KernelArg::Portable => Self::Portable,
            KernelArg::Generic => Self::Generic,
        }
    }
}

/// Runs the command.
pub fn run(args: Args, context: &Context) -> anyhow::Result<Exit> {
    match args.game {
        Game::Heaps(game) => {
            let (job, args) = heap_job(game)?;
            let job = job.kept_within(context.globals.memory, args.run.out.is_some())?;
            if args.shards == Some(0) {
                return Err(Error::Usage("--shards 0: a table has at least one shard".into()).into());
            }
            if job.game.on_heaps()?.is_written_sum(job.game.play()) && !(args.heaps == 1 && args.values) {
                context.note(
                    "The heaps of this rule do not interact: the values of single heaps say everything.",
                );
            }
            if args.smallest.is_some() {
                crate::cluster::refuse_ranks("solve --smallest")?;
            }
            if cluster::applies(args.run.out.as_deref()) {
                return cluster::solve_heaps(&job, &args, context);
            }
            if args.shards.is_some() {
                context.note("--shards has no effect without mpirun: the table is one file.");
            }
            solve_job(&job, &args.run, context)
        }
        Game::Octal(args) => {
            crate::cluster::refuse_ranks("solve octal")?;
            solve_job(&args.job()?, &args.run, context)
        }
        Game::Cookie(args) => {
            crate::cluster::refuse_ranks("solve cookie")?;
            match args.dense_job()? {
                Some(job) => solve_job(&job, &args.run, context),
                None => super::cookie::solve(&args, context),
            }
        }
    }
}

/// The table that was asked for, and how to fill it.
fn heap_job(game: HeapGame<HeapArgs>) -> crate::Result<(HeapJob, HeapArgs)> {
    let (game, args) = game.game(|args| args.misere)?;
    let quantity = if args.values { Quantity::Values } else { Quantity::Outcomes };
    let heaps = usize::try_from(args.heaps).unwrap_or(usize::MAX);
    let mut job = HeapJob::asked(&game, heaps, args.max, quantity, args.smallest)?;
    if job.has_fast_kernel() {
        job.kernel = args.kernel.into();
    }
    Ok((job, args))
}

impl Args {
    /// What the job will need, as far as it can be said before.
    pub fn needs(&self) -> crate::Result<Option<Needs>> {
        match &self.game {
            Game::Heaps(game) => {
                let (job, args) = heap_job(game.clone())?;
                needs(&job, args.run.out.is_some()).map(Some)
            }
            Game::Octal(args) => needs(&args.job()?, args.run.out.is_some()).map(Some),
            Game::Cookie(args) => {
                args.dense_job()?.map(|job| needs(&job, args.run.out.is_some())).transpose()
            }
        }
    }

    /// Refuses an output folder, relative to `base`, that holds another table.
    pub fn check_out(&self, base: &Path) -> crate::Result<()> {
        let (job, out): (Box<dyn Job>, _) = match &self.game {
            Game::Heaps(game) => {
                let (job, args) = heap_job(game.clone())?;
                (Box::new(job), args.run.out)
            }
            Game::Octal(args) => (Box::new(args.job()?), args.run.out.clone()),
            Game::Cookie(args) => match args.dense_job()? {
                Some(job) => (Box::new(job), args.run.out.clone()),
                None => return Ok(()),
            },
        };
        out.map_or(Ok(()), |out| check_out(&*job, &base.join(out)))
    }
}

/// Fills the table of `job` and prints its summary.
fn solve_job(job: &dyn Job, run: &RunArgs, context: &Context) -> anyhow::Result<Exit> {
    check_budget(job, run.out.as_deref(), context.globals.memory)?;
    let (table, beside) = (human_bytes(job.file_bytes()?), human_bytes(job.memory()));
    context.detail(|| format!("table {table}, kernel {beside}"));
    check_time(job.estimate_seconds()?, run, context)?;
    let step = if job.grows() { "term" } else { "wave" };
    let progress = context.progress(&job.game().title()).counting(step);
    let control =
        Control { checkpoint_every: run.checkpoint, ..context.control(&progress) }.with_time(run.time);
    let was_complete = run.out.as_deref().is_some_and(|out| is_complete(out, job));
    let solved = solve(job, run.out.as_deref(), &control);
    progress.finish();
    let table = solved.map_err(|error| match (&error, &run.out) {
        (Error::Interrupted { .. }, Some(_)) => {
            context.note(format!("Stopped; what is finished is kept. Resume with:\n  {}", command_line()));
            error
        }
        (Error::Interrupted { .. }, None) if !context.stopped() => Error::Undecided(
            "the table was not finished within --time; it was in memory and is gone: allow more, or use --out DIR to be able to resume"
                .into(),
        ),
        (Error::Interrupted { .. }, None) => {
            context.note("Stopped. The table was in memory and is gone; use --out DIR to be able to resume.");
            error
        }
        _ => error,
    })?;
    if was_complete {
        context.note("The table was complete already: nothing was computed.");
    }
    let manifest = table.manifest();
    let period = rule_sequence::period(&job.game(), &table.cells());
    context.print(
        || period.iter().fold(summary(manifest), |object, period| period.added_to(object)),
        || {
            let period = period.as_ref().map(SequencePeriod::describe);
            period.unwrap_or_default() + &describe(manifest, run.out.as_deref())
        },
    );
    Ok(Exit::Done)
}

/// Whether the table of `job` in the folder `out` is finished before anything is done.
fn is_complete(out: &Path, job: &dyn Job) -> bool {
    let (manifest, spec) = (progress_of(out), job.spec());
    matches!((manifest, spec), (Ok((manifest, _)), Ok(spec))
        if manifest.state == State::Complete && manifest.spec.entries >= spec.entries)
}

/// The command as it was typed, for resuming.
pub(super) fn command_line() -> String {
    std::env::args().map(|word| quoted(&word)).collect::<Vec<_>>().join(" ")
}

/// Says the estimated seconds of a long job, and refuses the job where they are over the limit.
fn check_time(estimate: Option<f64>, run: &RunArgs, context: &Context) -> anyhow::Result<()> {
    let Some(estimate) = estimate else { return Ok(()) };
    let for_people = humantime::format_duration(Duration::from_secs(estimate.ceil() as u64));
    if let Some(limit) = run.time
        && estimate > limit.as_secs_f64()
    {
        return Err(Error::Budget(format!(
            "this is estimated to take {for_people} and --time allows {}; allow more time or choose a smaller table",
            humantime::format_duration(limit)
        ))
        .into());
    }
    if estimate > 20.0 {
        context.note(format!("Estimated time: {for_people}."));
    }
    Ok(())
}
