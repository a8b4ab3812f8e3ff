//! `nimwave solve`: fill a table.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Subcommand, ValueEnum};
use serde_json::{Value, json};

use super::cluster;
use super::estimate::Estimate;
use super::heap_games::HeapGame;
use super::{Context, numbers};
use crate::base::Control;
use crate::base::Error;
use crate::base::machine::{self, human_bytes};
use crate::sweep::{HeapJob, KernelChoice};
use crate::table::{Manifest, Quantity};

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
    /// Grundy values instead of outcomes.
    #[arg(long)]
    pub values: bool,
    /// Misère play: who cannot move wins.
    #[arg(long)]
    pub misere: bool,
    #[command(flatten)]
    pub run: RunArgs,
}

/// How a table is filled.
#[derive(Debug, Clone, clap::Args)]
pub struct RunArgs {
    /// Keep the table in this folder; the same command again goes on where it stopped.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Refuse a job that is estimated to take longer, as 90s, 10m or 8h; what cannot be estimated is stopped then.
    #[arg(long, value_name = "TIME", value_parser = numbers::duration)]
    pub time: Option<Duration>,
    /// The kernel: for comparisons and double checks.
    #[arg(long, value_enum, default_value = "fastest")]
    pub kernel: KernelArg,
    /// The time between two checkpoints.
    #[arg(long, value_name = "TIME", value_parser = numbers::duration, default_value = "60s")]
    pub checkpoint: Duration,
    /// Under mpirun: cut a new table into so many shards, at least as many as there will be ranks; 4 a rank by default.
    #[arg(long, value_name = "N", value_parser = numbers::count)]
    pub shards: Option<u64>,
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
pub fn run(args: Args, context: &Context) -> anyhow::Result<ExitCode> {
    match args.game {
        Game::Heaps(game) => {
            let (job, run) = heap_job(game)?;
            solve_heaps(&job, &run, context)
        }
        Game::Cookie(args) => {
            crate::cluster::refuse_ranks("solve cookie")?;
            super::cookie::solve(&args, context)
        }
        Game::Octal(args) => {
            crate::cluster::refuse_ranks("solve octal")?;
            super::octal::solve(&args, context)
        }
    }
}

/// The table that was asked for, and how to fill it.
fn heap_job(game: HeapGame<HeapArgs>) -> crate::Result<(HeapJob, RunArgs)> {
    let (game, args) = game.game(|args| args.misere)?;
    let quantity = if args.values { Quantity::Values } else { Quantity::Outcomes };
    let heaps = usize::try_from(args.heaps).unwrap_or(usize::MAX);
    let mut job = HeapJob::new(&game, heaps, args.max, quantity)?;
    if job.has_fast_kernel() {
        job.kernel = args.run.kernel.into();
    }
    Ok((job, args.run))
}

impl Args {
    /// What the job will need.
    pub fn estimate(&self) -> crate::Result<Estimate> {
        match &self.game {
            Game::Heaps(game) => {
                let (job, run) = heap_job(game.clone())?;
                Estimate::of_heaps(&job, run.out.is_some())
            }
            Game::Cookie(_) => Ok(Estimate::default()),
            Game::Octal(args) => args.estimate(),
        }
    }
}

/// Fills the table of `job` and prints its summary.
pub fn solve_heaps(job: &HeapJob, run: &RunArgs, context: &Context) -> anyhow::Result<ExitCode> {
    if run.shards == Some(0) {
        return Err(Error::Usage("--shards 0: a table has at least one shard".into()).into());
    }
    if cluster::applies(run.out.as_deref()) {
        return cluster::solve_heaps(job, run, context);
    }
    if run.shards.is_some() {
        context.note("--shards has no effect without mpirun: the table is one file.");
    }
    let space = job.space()?;
    let table_bytes = job.width().file_bytes(crate::space::Space::len(&space));
    let beside = job.kernel_memory();
    match &run.out {
        None => machine::check_memory(
            table_bytes.saturating_add(beside),
            context.globals.memory,
            "give --out DIR to keep the table in a file, or choose a smaller one",
        )?,
        Some(out) => {
            machine::check_memory(beside, context.globals.memory, "choose a smaller table")?;
            if !out.join("manifest.json").exists() {
                machine::check_disk(table_bytes, out)?;
            }
        }
    }
    context.detail(|| format!("table {}, kernel {}", human_bytes(table_bytes), human_bytes(beside)));
    check_time(job.estimate_seconds()?, run, context)?;
    let progress = context.progress(job.game.name());
    let control = Control {
        stop: &context.stop,
        observer: &progress,
        checkpoint_every: run.checkpoint,
        ..Control::silent()
    };
    let solved = job.solve(run.out.as_deref(), &control);
    progress.finish();
    let table = solved.inspect_err(|error| {
        if matches!(error, Error::Interrupted { .. }) {
            context.note(match run.out {
                Some(_) => format!("Stopped; finished waves are kept. Go on with:\n  {}", command_line()),
                None => {
                    "Stopped. The table was in memory and is gone; use --out DIR to be able to resume.".into()
                }
            });
        }
    })?;
    context.print(|| summary(table.manifest()), || describe(table.manifest(), run));
    Ok(ExitCode::SUCCESS)
}

/// The command as it was typed, for resuming.
pub(super) fn command_line() -> String {
    let quote = |word: String| {
        let plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./=,:+%@^".contains(c));
        if plain && !word.is_empty() { word } else { format!("'{}'", word.replace('\'', r"'\''")) }
    };
    std::env::args().map(quote).collect::<Vec<_>>().join(" ")
}

/// Says the estimated seconds of a long job, and refuses the job where they are over the limit.
pub(super) fn check_time(estimate: Option<f64>, run: &RunArgs, context: &Context) -> anyhow::Result<()> {
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

/// The JSON of a finished table.
pub(super) fn summary(manifest: &Manifest) -> Value {
    let mut object = json!({
        "game": manifest.spec.game,
        "parameters": manifest.spec.parameters,
        "quantity": manifest.spec.quantity,
        "positions": manifest.spec.entries,
        "width": manifest.width,
        "seconds": manifest.seconds,
        "threads": manifest.threads,
        "blake3": manifest.checksums.as_ref().map(|sums| &sums.blake3),
    });
    for (name, value) in &manifest.results {
        object[name] = value.clone();
    }
    object
}

pub(super) fn describe(manifest: &Manifest, run: &RunArgs) -> String {
    let spec = &manifest.spec;
    let parameter = |name: &str| spec.parameters.get(name).map_or_else(|| "?".into(), Value::to_string);
    let count = |name: &str| manifest.results.get(name).and_then(Value::as_u64).map(numbers::grouped);
    let misere = spec.parameters.get("misere") == Some(&Value::Bool(true));
    let mut text = format!(
        "{}{}, {} heaps of at most {}: {} positions in {:.2} s ({} positions/s, {} thread{})\n",
        if misere { "misère " } else { "" },
        spec.game,
        parameter("heaps"),
        parameter("max"),
        numbers::grouped(spec.entries),
        manifest.seconds,
        numbers::rate(spec.entries as f64 / manifest.seconds.max(1e-9)),
        manifest.threads,
        if manifest.threads == 1 { "" } else { "s" },
    );
    if let Some(p) = count("p_positions") {
        text += &format!("P-positions with {} non-empty heaps: {p}\n", parameter("heaps"));
    }
    if let (Some(max), Some(sum)) = (count("max_value"), count("value_sum")) {
        text += &format!("largest value {max}, sum of all values {sum}\n");
    }
    if let Some(sums) = &manifest.checksums {
        text += &format!("BLAKE3 {}\n", sums.blake3);
    }
    match &run.out {
        Some(out) => {
            let out = out.display();
            text += &format!("table in {out}; prove it right with: nimwave verify {out} --full\n");
        }
        None => text += "the table was in memory only; keep it with --out DIR\n",
    }
    text
}
