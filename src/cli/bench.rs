//! `nimwave bench`: how fast the kernels are on this machine, as ratios in one run.

use std::process::ExitCode;

use serde_json::json;

use super::{Context, numbers};
use crate::bench::{Measurement, Settings, memset_bytes_per_second, run as measure};
use crate::table::this_machine;

/// Arguments of `bench`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  nimwave bench --quick")]
pub struct Args {
    /// Smaller sizes: seconds instead of a minute or two.
    #[arg(long)]
    quick: bool,
}

/// Runs the command.
pub fn run(args: Args, context: &Context) -> anyhow::Result<ExitCode> {
    let threads = context.globals.threads().unwrap_or_else(rayon::current_num_threads);
    let settings = Settings { quick: args.quick, threads };
    let machine = this_machine();
    if !context.globals.json {
        let head = format!(
            "{} ({} cores); memset writes {:.1} GB/s with 1 thread, {:.1} GB/s with {threads}\n",
            machine.cpu,
            machine.cores,
            memset_bytes_per_second(1) / 1e9,
            memset_bytes_per_second(threads) / 1e9,
        );
        context.print(|| json!(null), || head);
    }
    let measurements = measure(&settings, &mut |done| {
        if !context.globals.json {
            context.print(|| json!(null), || describe(done));
        }
    })?;
    if context.globals.json {
        let object = json!({
            "program_version": env!("CARGO_PKG_VERSION"),
            "machine": machine,
            "threads": threads,
            "quick": args.quick,
            "memset_bytes_per_second": memset_bytes_per_second(threads),
            "measurements": measurements,
        });
        context.print(|| object, String::new);
    }
    Ok(ExitCode::SUCCESS)
}

fn describe(done: &Measurement) -> String {
    let mut text = format!(
        "{:<26} {:>8} positions/s  {:>7.3} s  {:>5.1}% of memset  {}",
        done.name,
        numbers::rate(done.positions_per_second),
        done.seconds,
        100.0 * done.share_of_memset,
        done.what
    );
    for ratio in &done.ratios {
        let target = ratio.target.map_or(String::new(), |target| format!(" (wanted: {target})"));
        text += &format!("\n{:<26} {:>8.2} times {}{target}", "", ratio.ratio, ratio.over);
    }
    text
}
