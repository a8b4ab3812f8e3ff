//! The octal parts of `solve`, `query`, `period` and `plot`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::ValueEnum;
use serde_json::{Value, json};

use super::{Context, Estimate, numbers};
use crate::analysis::octal_period::{Period, observed_drift, proved_period};
use crate::analysis::{OctalAnswer, Outcome, octal_answer};
use crate::error::{Error, Result};
use crate::plot::Sequence;
use crate::rules::OctalGame;
use crate::sweep::kernel::octal::{EngineOptions, Isa, Method};
use crate::sweep::{Control, OctalJob, PeriodRun, PeriodSearch, maximum};
use crate::table::budget;
use crate::table::{Reader, Table};
use crate::verify::octal_game;

/// More terms than any machine has memory for; larger numbers are typing errors.
const MOST_TERMS: u64 = 1 << 40;

/// Arguments of `solve octal`.
#[derive(Debug, Clone, clap::Args)]
pub struct SolveArgs {
    /// The code (0.6, .6, 4.7) or a name: kayles, dawson, officers, treblecross, grundy, "subtraction 1,3,4", "cookie-row 12".
    #[arg(value_name = "CODE", required = true, num_args = 1..=2)]
    code: Vec<String>,
    /// The number of terms, G(0) included.
    #[arg(long, value_name = "N", value_parser = numbers::count)]
    terms: u64,
    /// Keep the sequence in this folder; the same command again goes on, also with more terms.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The time between two checkpoints.
    #[arg(long, value_name = "TIME", value_parser = numbers::duration, default_value = "60s")]
    checkpoint: Duration,
    #[command(flatten)]
    engine: EngineArgs,
}

impl SolveArgs {
    /// What the job will need.
    pub fn estimate(&self) -> Result<Estimate> {
        check_terms(self.terms)?;
        let bytes = OctalJob::new(only_game(&self.code)?, self.terms).file_bytes();
        let on_disk = self.out.is_some();
        Ok(Estimate {
            memory: (!on_disk).then_some(bytes),
            disk: Some(if on_disk { bytes } else { 0 }),
            seconds: None,
        })
    }
}

/// How the engine works; the values do not depend on it.
#[derive(Debug, Clone, clap::Args)]
pub struct EngineArgs {
    /// The way: for comparisons and double checks.
    #[arg(long, value_enum, default_value = "auto")]
    method: MethodArg,
    /// Plain 64-bit instructions only.
    #[arg(long)]
    portable: bool,
}

/// A way by name.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum MethodArg {
    /// The one that is expected to be fastest.
    Auto,
    /// The definition, heap by heap.
    Naive,
    /// Sparse space on bit rows.
    Rows,
    /// Sparse space by marks.
    Marks,
}

impl EngineArgs {
    fn options(&self) -> EngineOptions {
        let method = match self.method {
            MethodArg::Auto => Method::Auto,
            MethodArg::Naive => Method::Naive,
            MethodArg::Rows => Method::Rows,
            MethodArg::Marks => Method::Marks,
        };
        let isa = if self.portable { Isa::Portable } else { Isa::detect() };
        EngineOptions { threads: rayon::current_num_threads(), isa, method }
    }
}

/// The game that the first word, or the first two, name, and the words after it.
fn game_of(words: &[String]) -> Result<(OctalGame, &[String])> {
    match words {
        [name, parameter, rest @ ..] if name == "subtraction" || name == "cookie-row" => {
            Ok((format!("{name} {parameter}").parse()?, rest))
        }
        [code, rest @ ..] => Ok((code.parse()?, rest)),
        [] => Err(Error::Usage("give an octal code, as 0.6".into())),
    }
}

/// The game that all words together name.
fn only_game(words: &[String]) -> Result<OctalGame> {
    words.join(" ").parse()
}

fn check_terms(terms: u64) -> Result<()> {
    match terms {
        1..=MOST_TERMS => Ok(()),
        _ => Err(Error::Usage(format!("--terms must be between 1 and 2^40, not {terms}"))),
    }
}

/// Runs `solve octal`.
pub fn solve(args: &SolveArgs, context: &Context) -> anyhow::Result<ExitCode> {
    check_terms(args.terms)?;
    let game = only_game(&args.code)?;
    let mut job = OctalJob::new(game, args.terms);
    job.engine = args.engine.options();
    match &args.out {
        None => budget::check_memory(
            job.file_bytes(),
            context.globals.memory,
            "give --out DIR to keep the sequence in a file, or ask for fewer terms",
        )?,
        Some(out) if !out.join("manifest.json").exists() => budget::check_disk(job.file_bytes(), out)?,
        Some(_) => {}
    }
    let progress = context.progress(&format!("octal {}", job.game));
    let control = Control { stop: &context.stop, observer: &progress, checkpoint_every: args.checkpoint };
    let solved = job.solve(args.out.as_deref(), &control);
    progress.finish();
    let table = solved.inspect_err(|error| {
        if matches!(error, Error::Interrupted { .. }) {
            context.note(match args.out {
                Some(_) => "Stopped; the terms so far are kept. The same command goes on.",
                None => {
                    "Stopped. The sequence was in memory and is gone; use --out DIR to be able to resume."
                }
            });
        }
    })?;
    context.print(|| solve_json(&table), || describe_solved(&table, args.out.as_deref()));
    Ok(ExitCode::SUCCESS)
}

fn solve_json(table: &Table) -> Value {
    let manifest = table.manifest();
    let mut object = json!({
        "code": manifest.spec.parameters.get("code"),
        "terms": manifest.spec.entries,
        "seconds": manifest.seconds,
        "threads": manifest.threads,
        "blake3": manifest.checksums.as_ref().map(|sums| &sums.blake3),
    });
    for (name, value) in &manifest.results {
        object[name] = value.clone();
    }
    object
}

fn describe_solved(table: &Table, out: Option<&Path>) -> String {
    let manifest = table.manifest();
    let json = solve_json(table);
    let number = |name: &str| json[name].as_u64().map_or_else(|| "-".into(), numbers::grouped);
    let code = json["code"].as_str().unwrap_or("?");
    let rate = manifest.spec.entries as f64 / manifest.seconds.max(1e-9);
    let mut text = format!(
        "{code}: {} terms in {:.3} s ({} terms/s), largest value {} at {}, {} zeros\n",
        number("terms"),
        manifest.seconds,
        numbers::rate(rate),
        number("max_value"),
        number("max_at"),
        number("zeros"),
    );
    if let Some(mask) = json["rare_mask"].as_u64() {
        text += &format!(
            "rare mask {mask} ({mask:#b}), {} rare heaps, the last {}\n",
            number("rare_count"),
            number("last_rare")
        );
    }
    text += &format!("BLAKE3 {}", json["blake3"].as_str().unwrap_or("?"));
    out.map_or(text.clone(), |out| format!("{text}\nstored in {}", out.display()))
}

/// Arguments of `query octal`.
#[derive(Debug, Clone, clap::Args)]
pub struct QueryArgs {
    /// The code, then the heaps: 0.6 1000 20 7, or subtraction 1,3,4 5 9.
    #[arg(value_name = "CODE HEAPS", required = true)]
    words: Vec<String>,
    /// Read the values from this sequence instead of computing them.
    #[arg(long, value_name = "DIR")]
    table: Option<PathBuf>,
}

/// Runs `query octal`.
pub fn query(args: &QueryArgs, context: &Context) -> anyhow::Result<ExitCode> {
    let (game, heaps) = game_of(&args.words)?;
    let heaps = numbers::wide_position(heaps).map_err(Error::Usage)?;
    if heaps.is_empty() {
        return Err(
            Error::Usage("give the heaps after the code, as in: query octal 0.6 1000 20 7".into()).into()
        );
    }
    let largest = heaps.iter().copied().max().unwrap_or(0);
    let answer = match &args.table {
        Some(folder) => {
            let reader = Reader::open(folder)?;
            let stored = octal_game(&reader)?;
            let problem = if stored != game {
                Some(format!("holds {stored}, not {game}"))
            } else if largest >= reader.len() {
                Some(format!("holds the heaps below {}, and {largest} is outside", reader.len()))
            } else {
                None
            };
            if let Some(problem) = problem {
                let remedy = "leave out --table to compute what is needed, or solve more terms".into();
                return Err(Error::Mismatch { path: folder.clone(), problem, remedy }.into());
            }
            octal_answer(&game, &heaps, |heap| reader.get(heap))?
        }
        None => {
            check_terms(largest.saturating_add(1))?;
            let job = OctalJob::new(game.clone(), largest + 1);
            let remedy = "solve the sequence with --out DIR and ask it with --table DIR";
            budget::check_memory(job.file_bytes(), context.globals.memory, remedy)?;
            let progress = context.progress(&format!("octal {game}"));
            let every = Duration::from_secs(3600);
            let control = Control { stop: &context.stop, observer: &progress, checkpoint_every: every };
            let table = job.solve(None, &control)?;
            let cells = table.cells();
            octal_answer(&game, &heaps, |heap| Ok(cells.get(heap)))?
        }
    };
    context.print(|| json!(answer), || describe_answer(&answer));
    Ok(ExitCode::SUCCESS)
}

fn describe_answer(answer: &OctalAnswer) -> String {
    let values: Vec<String> =
        answer.heaps.iter().zip(&answer.values).map(|(heap, value)| format!("G({heap}) = {value}")).collect();
    let head = format!("{}: {}; nim-sum {}", answer.code, values.join(", "), answer.nim_sum);
    match answer.outcome {
        Outcome::P => format!("{head}: a P-position, the player who has just moved wins."),
        Outcome::N => {
            let count = answer.winning_moves.len();
            let moves: String = answer.winning_moves.iter().map(|to| format!("\n  {to:?}")).collect();
            let plural = if count == 1 { "" } else { "s" };
            format!(
                "{head}: an N-position, the player to move wins.\n{count} winning move{plural} to:{moves}"
            )
        }
    }
}

/// Arguments of `period octal`.
#[derive(Debug, Clone, clap::Args)]
pub struct PeriodArgs {
    /// The code or name, as for solve.
    #[arg(value_name = "CODE", required = true, num_args = 1..=2)]
    code: Vec<String>,
    /// Give up after this many terms.
    #[arg(long, value_name = "N", value_parser = numbers::count, default_value = "2^24")]
    terms: u64,
    /// Give up after this time, as 90s, 10m or 8h.
    #[arg(long, value_name = "TIME", value_parser = numbers::duration)]
    time: Option<Duration>,
    /// Write what others need to check the proof: scripts/check_period.py reads it.
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    #[command(flatten)]
    engine: EngineArgs,
}

/// Runs `period octal`.
pub fn period(args: &PeriodArgs, context: &Context) -> anyhow::Result<ExitCode> {
    check_terms(args.terms)?;
    let game = only_game(&args.code)?;
    // Two bytes a value, and four more while a period is looked for.
    let remedy = "ask for fewer --terms";
    budget::check_memory(args.terms.saturating_mul(6), context.globals.memory, remedy)?;
    let engine = args.engine.options();
    let search = PeriodSearch { game: game.clone(), most_terms: args.terms, most_time: args.time, engine };
    let progress = context.progress(&format!("period {game}"));
    let control =
        Control { stop: &context.stop, observer: &progress, checkpoint_every: Duration::from_secs(3600) };
    let mut proved = None;
    let run = search.run(&control, &mut |values| {
        proved = proved_period(&game, values);
        proved.is_some()
    });
    progress.finish();
    let run = run?;
    if let (Some(path), Some(period)) = (&args.certificate, proved) {
        write_certificate(path, &game, period, &run)?;
    }
    let object = period_json(&game, proved, &run);
    context.print(|| object.clone(), || describe_period(&object));
    if args.certificate.is_some() && proved.is_none() {
        context.note("No period was proved, so no certificate was written.");
    }
    Ok(ExitCode::SUCCESS)
}

fn period_json(game: &OctalGame, proved: Option<Period>, run: &PeriodRun) -> Value {
    let (max_value, max_at) = maximum(&run.values);
    let drift = if proved.is_none() { observed_drift(&run.values) } else { None };
    json!({
        "code": game.to_string(),
        "proved": proved.is_some(),
        "preperiod": proved.map(|period| period.preperiod),
        "period": proved.map(|period| period.period),
        "saltus": proved.map(|_| 0),
        "observed_drift": drift,
        "last_exception": proved.map(|period| period.preperiod - 1),
        "max_value": max_value,
        "max_at": max_at,
        "terms": run.values.len(),
        "rare_mask": run.split.map(|split| split.mask),
        "rare_count": run.split.map(|split| split.rare_count),
        "last_rare": run.split.and_then(|split| split.last_rare),
        "seconds": run.seconds,
    })
}

fn describe_period(object: &Value) -> String {
    let number = |name: &str| object[name].as_u64().map_or_else(|| "-".into(), numbers::grouped);
    let code = object["code"].as_str().unwrap_or("?");
    let seconds = object["seconds"].as_f64().unwrap_or(0.0);
    let mut text = if object["proved"] == json!(true) {
        format!(
            "{code}: period {} from heap {} on (last exception {}), proved by {} terms in {seconds:.3} s",
            number("period"),
            number("preperiod"),
            number("last_exception"),
            number("terms"),
        )
    } else {
        format!("{code}: no period proved by {} terms in {seconds:.3} s; allow more --terms", number("terms"))
    };
    text += &format!("\nlargest value {} at heap {}", number("max_value"), number("max_at"));
    if let Some(drift) = object["observed_drift"].as_object() {
        text += &format!(
            "\nseen, not proved: G(n + {}) = G(n) + {} from {} on",
            drift["period"], drift["saltus"], drift["preperiod"]
        );
    }
    if let Some(mask) = object["rare_mask"].as_u64() {
        text += &format!(
            "\nrare mask {mask} ({mask:#b}), {} rare heaps, the last {}",
            number("rare_count"),
            number("last_rare")
        );
    }
    text
}

/// Writes what is needed to check the period: the code, the numbers of the theorem, the values, and a mask that makes
/// checking the values fast (any mask is sound).
fn write_certificate(path: &Path, game: &OctalGame, period: Period, run: &PeriodRun) -> Result<()> {
    let needed = period.terms_needed(game.last_index());
    let mask = run.split.filter(|split| split.by_position.is_none()).map_or(0, |split| split.mask);
    let object = json!({
        "format": "nimwave-octal-period",
        "version": 1,
        "code": game.to_string(),
        "digits": game.digits(),
        "preperiod": period.preperiod,
        "period": period.period,
        "last_index": game.last_index(),
        "mask": mask,
        "values": &run.values[..needed],
    });
    std::fs::write(path, object.to_string() + "\n").map_err(Error::io("cannot write", path))
}

/// Arguments of `plot octal`.
#[derive(Debug, Clone, clap::Args)]
pub struct PlotArgs {
    /// The code or name, as for solve.
    #[arg(value_name = "CODE", required = true, num_args = 1..=2)]
    code: Vec<String>,
    /// The number of terms.
    #[arg(long, value_name = "N", value_parser = numbers::count, default_value = "30000")]
    terms: u64,
    /// What to draw.
    #[arg(long, value_enum, default_value = "points")]
    kind: super::plot::Kind,
    /// The picture: a .png or .svg file.
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
}

/// Runs `plot octal`.
pub fn plot(args: &PlotArgs, context: &Context) -> anyhow::Result<ExitCode> {
    check_terms(args.terms)?;
    crate::plot::Format::of(&args.out)?;
    let game = only_game(&args.code)?;
    let job = OctalJob::new(game.clone(), args.terms);
    budget::check_memory(job.file_bytes(), context.globals.memory, "ask for fewer --terms")?;
    let progress = context.progress(&format!("octal {game}"));
    let control =
        Control { stop: &context.stop, observer: &progress, checkpoint_every: Duration::from_secs(3600) };
    let table = job.solve(None, &control)?;
    progress.finish();
    let cells = table.cells();
    let name = game.to_string();
    let sequence = Sequence { name: &name, from: 0, terms: args.terms, value: &|n| cells.get(n) };
    super::plot::save_sequence(&sequence, args.kind, &args.out, context)?;
    Ok(ExitCode::SUCCESS)
}
