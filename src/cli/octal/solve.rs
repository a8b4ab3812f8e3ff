//! `nimwave solve octal`: a nim-sequence, in memory or in a folder.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use serde_json::{Value, json};

use super::super::solve::summary;
use super::super::{Context, Estimate, numbers};
use super::{EngineArgs, check_terms, number, only_game, rare_line};
use crate::base::Control;
use crate::base::machine;
use crate::base::{Error, Result};
use crate::sweep::OctalJob;
use crate::table::Table;

/// Arguments of `solve octal`.
#[derive(Debug, Clone, clap::Args)]
pub struct SolveArgs {
    /// The code (0.6, .6, 4.7; 0.3[12]7 for twelve threes and a seven) or a name: kayles, dawson, officers, treblecross, grundy,
    /// "subtraction 1,3,4", "cookie-row 12".
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

/// Runs `solve octal`.
pub fn run(args: &SolveArgs, context: &Context) -> anyhow::Result<ExitCode> {
    check_terms(args.terms)?;
    let game = only_game(&args.code)?;
    let mut job = OctalJob::new(game, args.terms);
    job.engine = args.engine.options();
    match &args.out {
        None => machine::check_memory(
            job.file_bytes(),
            context.globals.memory,
            "give --out DIR to keep the sequence in a file, or ask for fewer terms",
        )?,
        Some(out) if !out.join("manifest.json").exists() => machine::check_disk(job.file_bytes(), out)?,
        Some(_) => {}
    }
    let progress = context.progress(&format!("octal {}", job.game));
    let control = Control {
        stop: &context.stop,
        observer: &progress,
        checkpoint_every: args.checkpoint,
        ..Control::silent()
    };
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

/// The JSON of a finished sequence: that of any table, and its code and length.
fn solve_json(table: &Table) -> Value {
    let manifest = table.manifest();
    let mut object = summary(manifest);
    object["code"] = json!(manifest.spec.parameters.get("code"));
    object["terms"] = json!(manifest.spec.entries);
    object
}

fn describe_solved(table: &Table, out: Option<&Path>) -> String {
    let manifest = table.manifest();
    let json = solve_json(table);
    let number = |name: &str| number(&json, name);
    let code = json["code"].as_str().unwrap_or("?");
    let rate = manifest.spec.entries as f64 / manifest.seconds.max(1e-9);
    let mut text = format!(
        "{code}: {} terms in {:.3} s ({} terms/s), largest value {} at {}, {} zero{}\n",
        number("terms"),
        manifest.seconds,
        numbers::rate(rate),
        number("max_value"),
        number("max_at"),
        number("zeros"),
        if json["zeros"] == 1 { "" } else { "s" },
    );
    text += &rare_line(&json).map_or(String::new(), |line| line + "\n");
    text += &format!("BLAKE3 {}", json["blake3"].as_str().unwrap_or("?"));
    out.map_or(text.clone(), |out| format!("{text}\nstored in {}", out.display()))
}
