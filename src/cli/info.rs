//! `nimwave info`: what a table holds, how it was made and how it was verified.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::verify::entries;
use super::{Context, numbers};
use crate::base::Exit;
use crate::base::machine::human_bytes;
use crate::base::numbers::counted;
use crate::base::shell::quoted_path;
use crate::table::{Manifest, Progress, Standing, State, Width, progress};

/// Arguments of `info`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  nimwave info minnie-h4-n200.table")]
pub struct Args {
    /// The table's folder.
    #[arg(value_name = "DIR")]
    table: PathBuf,
}

/// Runs the command.
pub fn run(args: Args, context: &Context) -> anyhow::Result<Exit> {
    let (manifest, progress) = progress(&args.table)?;
    let json = || {
        let mut object = json!(manifest);
        object["waves_done"] = json!(progress.waves_done);
        object["standing"] = json!(manifest.standing(&args.table).name());
        object
    };
    context.print(json, || describe(&args.table, &manifest, &progress));
    Ok(Exit::Done)
}

fn describe(folder: &Path, manifest: &Manifest, progress: &Progress) -> String {
    let spec = &manifest.spec;
    let mut lines = vec![(
        "game",
        spec.parameters
            .iter()
            .fold(spec.game.clone(), |text, (name, value)| format!("{text}, {name} {value}")),
    )];
    let mut line = |name, text| lines.push((name, text));
    line(
        "holds",
        format!(
            "{} {}, {} each, {}",
            numbers::grouped(spec.entries),
            if spec.quantity.is_outcomes() { "outcomes" } else { "values" },
            match manifest.width {
                Width::Bit => "one bit",
                Width::U8 => "one byte",
                Width::U16 => "two bytes",
            },
            human_bytes(manifest.width.file_bytes(spec.entries))
        ),
    );
    line(
        "state",
        match manifest.state {
            State::Complete => format!("complete, {:.2} s", manifest.seconds),
            State::Partial => format!(
                "partial: {} of {} {} after {:.1} s; the same solve command resumes",
                numbers::grouped(progress.waves_done),
                numbers::grouped(spec.waves),
                spec.steps(),
                progress.seconds
            ),
        },
    );
    for (name, value) in &manifest.results {
        line(name, value.as_u64().map_or_else(|| value.to_string(), numbers::grouped));
    }
    let shards = manifest
        .shards
        .as_ref()
        .map_or(String::new(), |shards| format!(", in {}", counted(shards.len() as u64, "shard")));
    line("data", format!("{} ({}){shards}", manifest.data_file, spec.index.scheme));
    if let Some(sums) = &manifest.checksums {
        line("BLAKE3", sums.blake3.clone());
    }
    line(
        "made by",
        format!(
            "nimwave {}, {}, {}",
            manifest.program_version,
            counted(manifest.threads as u64, "thread"),
            manifest.created
        ),
    );
    line(
        "machine",
        format!(
            "{} ({}), {}",
            manifest.machine.cpu,
            counted(manifest.machine.cores as u64, "core"),
            manifest.machine.system
        ),
    );
    line("verified", verified(folder, manifest));
    for check in &manifest.verifications {
        let failure = check.failure.as_ref().map_or(String::new(), |failure| format!(": {failure}"));
        line(
            "checked",
            format!(
                "{} {} ({} of the entries), {:.2} s, nimwave {}, {}{failure}",
                check.kind,
                check.verdict,
                share(check.coverage),
                check.seconds,
                check.program_version,
                check.date
            ),
        );
    }
    lines.iter().map(|(name, text)| format!("{name:<15} {text}\n")).collect()
}

/// What the verifications amount to now.
fn verified(folder: &Path, manifest: &Manifest) -> String {
    let again = format!("nimwave verify {} --full", quoted_path(folder));
    match manifest.standing(folder) {
        Standing::Unverified if manifest.state == State::Partial => {
            "not yet: the table is not finished".into()
        }
        Standing::Unverified => format!("not yet; run: {again}"),
        Standing::Outdated(why) => format!("no longer: {why}; run: {again}"),
        Standing::Failed(check) => {
            format!("FAILED: {}", check.failure.as_deref().unwrap_or("see the record below"))
        }
        Standing::Passed(check) if check.kind == "full" => {
            "yes: every entry is right, given the rules".into()
        }
        Standing::Passed(check) if check.kind == "sample" => {
            format!("in part: {} taken at random are right", entries(check.entries))
        }
        Standing::Passed(_) => format!("only that the file is as it was written; run: {again}"),
    }
}

/// "100%", or a small share as "3.33e-3".
fn share(coverage: f64) -> String {
    if coverage < 0.01 { format!("{coverage:.2e}") } else { format!("{:.0}%", 100.0 * coverage) }
}
