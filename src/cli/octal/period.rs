//! `nimwave period octal`: the period of a nim-sequence, proved.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use super::super::summary::{number, rare_line};
use super::super::{Context, numbers};
use super::{EngineArgs, any_game, check_terms, only_game};
use crate::analysis::{PeriodRun, PeriodSearch};
use crate::base::{Control, Error, Exit, files, machine};
use crate::game::theory::endless;
use crate::game::theory::guy_smith::{self, observed, observed_drift};
use crate::game::theory::regularity::Regularity;
use crate::proof::octal_period::{PeriodCertificate, last_exception, prove_regularity};
use crate::proof::recurrence::Recurrence;
use crate::rules::OctalGame;
use crate::sweep::kernel::octal::EngineOptions;
use crate::sweep::maximum;

/// The number of terms after which a search without `--terms` gives up; for codes beyond octal games, whose terms
/// take longer and longer, it is smaller.
const DEFAULT_TERMS: u64 = 1 << 24;
const DEFAULT_TERMS_BEYOND: u64 = 1 << 13;

/// Arguments of `period octal`.
#[derive(Debug, Clone, clap::Args)]
pub struct PeriodArgs {
    /// The code or name, as for solve.
    #[arg(value_name = "CODE", required = true, num_args = 1..=2)]
    code: Vec<String>,
    /// Give up after this many terms; 2^24 by default, 2^13 for codes beyond octal games.
    #[arg(long, value_name = "N", value_parser = numbers::count)]
    terms: Option<u64>,
    /// Give up after this time, such as 90s, 10m or 8h.
    #[arg(long, value_name = "TIME", value_parser = numbers::duration)]
    time: Option<Duration>,
    /// Write what others need to check the proof: scripts/check_period.py reads it, scripts/check_drift.py for
    /// arithmetic periods.
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Prove the period by a state that recurs, for games with few rare heaps: no sequence is kept, and periods
    /// far beyond memory are reached.
    #[arg(long)]
    recurring: bool,
    /// Keep what is done in this folder; the same command resumes there.
    #[arg(long, short, value_name = "DIR", requires = "recurring")]
    out: Option<PathBuf>,
    /// The time between two checkpoints.
    #[arg(long, value_name = "TIME", value_parser = numbers::duration, default_value = "60s", requires = "out")]
    checkpoint: Duration,
    #[command(flatten)]
    engine: EngineArgs,
}

/// Runs `period octal`.
pub fn run(args: &PeriodArgs, context: &Context) -> anyhow::Result<Exit> {
    if args.recurring {
        return recurring(args, context);
    }
    let asked = Asked {
        game: any_game(&args.code)?,
        terms: args.terms,
        time: args.time,
        certificate: args.certificate.as_deref(),
        engine: args.engine.options(),
    };
    asked.search(context)
}

/// A period that is looked for.
pub struct Asked<'a> {
    /// The octal game.
    pub game: OctalGame,
    /// The most terms.
    pub terms: Option<u64>,
    /// The most time.
    pub time: Option<Duration>,
    /// Where to write a certificate.
    pub certificate: Option<&'a Path>,
    /// How the terms are computed.
    pub engine: EngineOptions,
}

impl Asked<'_> {
    /// Looks for the period and says what was found.
    pub fn search(self, context: &Context) -> anyhow::Result<Exit> {
        let Self { game, certificate: path, time, engine, .. } = self;
        let default = if game.is_octal() { DEFAULT_TERMS } else { DEFAULT_TERMS_BEYOND };
        let terms = self.terms.unwrap_or(default);
        check_terms(terms)?;
        // Two bytes per value, and four more while a period is looked for.
        let remedy = "ask for fewer --terms";
        machine::check_memory(terms.saturating_mul(6), context.globals.memory, remedy)?;
        if let Some(path) = path {
            files::check_output(path)?;
        }
        let why_not = guy_smith::why_not(&game).filter(|_| !endless::covers(&game));
        if let Some(why) = why_not {
            let why = format!("{why}: no number of terms proves a period of {game}");
            if self.terms.is_none() && time.is_none() {
                return Err(Error::Undecided(format!(
                    "{why}; `nimwave period octal {game} --terms N` computes its values and shows them"
                ))
                .into());
            }
            context.note(format!("Note that {why}. Its values are computed and shown all the same."));
        }
        let search = PeriodSearch { game: game.clone(), most_terms: terms, most_time: time, engine };
        let progress = context.progress(&format!("period {game}")).counting("term");
        let control = Control { stop: &context.stop, observer: &progress, ..Control::silent() };
        let found = prove_regularity(&search, &control);
        progress.finish();
        let (run, proved) = found?;
        let mut object = period_json(&game, proved, &run);
        let remedy = if why_not.is_some() {
            "the theorem does not cover this game, so more terms would not help"
        } else if !game.is_octal() {
            "allow more --terms or --time"
        } else if (run.values.len() as u64) < terms {
            "allow more --time"
        } else {
            "allow more --terms, or try --recurring"
        };
        let certificate = path.filter(|_| proved.is_some());
        let write = |(path, proved)| PeriodCertificate::new(&game, proved, &run).write(path);
        let written = certificate.zip(proved).map(write).transpose();
        if let Ok(Some(hash)) = &written {
            object["certificate_blake3"] = json!(hash);
        }
        context.print_beside(certificate, || object.clone(), || describe_period(&object, remedy));
        written?;
        if path.is_some() && proved.is_none() {
            context.note("No period was proved, so no certificate was written.");
        }
        Ok(if proved.is_some() { Exit::Done } else { Exit::Undecided })
    }
}

/// The period by a recurring state.
fn recurring(args: &PeriodArgs, context: &Context) -> anyhow::Result<Exit> {
    let game = only_game(&args.code)?;
    if args.terms.is_some() {
        return Err(Error::Usage("--recurring has no number of terms: limit it by --time".into()).into());
    }
    if let Some(path) = &args.certificate {
        files::check_output(path)?;
    }
    let search = Recurrence::new(game.clone());
    let progress = context.progress(&format!("period {game}")).counting("heap");
    let control =
        Control { checkpoint_every: args.checkpoint, ..context.control(&progress) }.with_time(args.time);
    let found = search.run(args.out.as_deref(), &control);
    progress.finish();
    if matches!(found, Err(Error::Interrupted { .. })) && args.out.is_some() {
        context.note("The same command resumes.");
    }
    let found = found?;
    let mut object = json!({
        "code": game.to_string(),
        "proved": true,
        "method": "recurring state",
        "preperiod": found.preperiod,
        "period": found.period,
        "recurs_from": found.recurs_from,
        "checked": found.checked,
        "rare_count": found.rare().len(),
        "last_rare": found.rare().last().map(|rare| rare.0),
        "seconds": found.seconds,
    });
    let written = args.certificate.as_ref().map(|path| found.write(&search, path)).transpose();
    if let Ok(Some(hash)) = &written {
        object["certificate_blake3"] = json!(hash);
    }
    context.print_beside(args.certificate.as_deref(), || object.clone(), || {
        let number = |name: &str| number(&object, name);
        let hash = object["certificate_blake3"].as_str();
        let certificate = hash.map_or(String::new(), |hash| format!("\nthe certificate has BLAKE3 {hash}"));
        format!(
            "{game}: period {} from heap {} on, proved by a state that recurs: both conditions were checked at {} heaps in {:.1} s\n{} rare heaps, the last {}{certificate}",
            number("period"), number("preperiod"), number("checked"), found.seconds, number("rare_count"), number("last_rare"),
        )
    });
    written?;
    Ok(Exit::Done)
}

fn period_json(game: &OctalGame, proved: Option<Regularity>, run: &PeriodRun) -> Value {
    let (max_value, max_at) = maximum(&run.values);
    let drift = proved.map(|proved| proved.drift);
    // A period that is seen is all but a proof where the theorem speaks of periods.
    let seen = match endless::covers(game) {
        true => observed(&run.values),
        false => observed_drift(&run.values),
    };
    json!({
        "code": game.to_string(),
        "proved": proved.is_some(),
        "theorem": proved.map(|proved| proved.theorem.name()),
        "preperiod": drift.map(|drift| drift.preperiod),
        "period": drift.map(|drift| drift.period),
        "saltus": drift.map(|drift| drift.saltus),
        "observed_drift": seen.filter(|_| proved.is_none()),
        "last_exception": drift.and_then(|drift| last_exception(drift, &run.values)),
        "max_value": max_value,
        "max_at": max_at,
        "terms": run.values.len(),
        "rare_mask": run.split.map(|split| split.mask),
        "rare_count": run.split.map(|split| split.rare_count),
        "last_rare": run.split.and_then(|split| split.last_rare),
        "seconds": run.seconds,
    })
}

/// The result for people; without a proof, with a `remedy`.
fn describe_period(object: &Value, remedy: &str) -> String {
    let number = |name: &str| number(object, name);
    let code = object["code"].as_str().unwrap_or("?");
    let seconds = object["seconds"].as_f64().unwrap_or(0.0);
    let theorem = object["theorem"].as_str().unwrap_or_default();
    let mut text = if object["saltus"].as_i64().is_some_and(|saltus| saltus != 0) {
        format!(
            "{code}: G(n + {}) = G(n) + {} for all n from {} on, proved by {} terms in {seconds:.3} s ({theorem})",
            number("period"),
            number("saltus"),
            number("preperiod"),
            number("terms"),
        )
    } else if object["proved"] == json!(true) {
        format!(
            "{code}: period {} from heap {} on ({}), proved by {} terms in {seconds:.3} s",
            number("period"),
            number("preperiod"),
            match object["last_exception"].as_u64() {
                Some(n) => format!("last exception {}", numbers::grouped(n)),
                None => "no exception".into(),
            },
            number("terms"),
        )
    } else {
        format!("{code}: no period proved by {} terms in {seconds:.3} s; {remedy}", number("terms"))
    };
    text += &format!("\nlargest value {} at heap {}", number("max_value"), number("max_at"));
    if let Some(drift) = object["observed_drift"].as_object() {
        text += &format!(
            "\nseen, not proved: G(n + {}) = G(n) + {} from {} on",
            drift["period"], drift["saltus"], drift["preperiod"]
        );
    }
    text += &rare_line(object).map_or(String::new(), |line| format!("\n{line}"));
    let hash = object["certificate_blake3"].as_str();
    text + &hash.map_or(String::new(), |hash| format!("\nthe certificate has BLAKE3 {hash}"))
}
