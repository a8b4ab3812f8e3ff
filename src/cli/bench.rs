//! `nimwave bench`: how fast the kernels are on this machine, as ratios in one run.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use serde_json::json;

use super::batch::columns;
use super::{Context, numbers};
use crate::base::machine::{human_bytes, total_memory};
use crate::base::{Exit, Isa};
use crate::bench::compare::{self, Change, Results};
use crate::bench::{Measurement, Settings, cases, memset_bytes_per_second, run as measure};
use crate::table::{Machine, this_machine};

/// Arguments of `bench`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  nimwave bench --quick
  nimwave bench --threads 1,2,4 --rounds 3 --json > before.json
  nimwave bench --threads 1,2,4 --rounds 3 --compare before.json")]
pub struct Args {
    /// Smaller sizes: seconds instead of a minute or two.
    #[arg(long)]
    quick: bool,
    /// Measure each case so often: the best counts, and the spread says what is noise.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=100))]
    rounds: u8,
    /// Say what changed, beyond noise, since the run whose --json output is in this file.
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: Args, context: &Context) -> anyhow::Result<Exit> {
    // A file that cannot be read must not cost a run.
    let before = args.compare.as_deref().map(compare::read).transpose()?;
    let mut threads = match context.globals.thread_list() {
        Some(list) => list.to_vec(),
        None => vec![rayon::current_num_threads()],
    };
    threads.sort_unstable();
    threads.dedup();
    let most = threads.last().copied().unwrap_or(1);
    let settings = Settings { quick: args.quick, rounds: usize::from(args.rounds), threads: most };
    let machine = this_machine();
    let progress = context.progress("bench");
    let (done, total) = (AtomicU64::new(0), cases(threads.len()) as u64);
    let measurements = measure(&settings, &threads, &|| context.stopped(), &mut |one| {
        progress.at(done.fetch_add(1, Relaxed) + 1, total, &one.name);
    })?;
    progress.finish();
    let changes = before.as_ref().map(|before| compare::compare(&before.measurements, &measurements));
    context.print(
        || {
            json!({
                "program_version": env!("CARGO_PKG_VERSION"),
                "machine": machine,
                "instructions": format!("{:?}", Isa::detect()),
                "memory_bytes": total_memory(),
                "threads": threads,
                "quick": args.quick,
                "rounds": args.rounds,
                "memset_bytes_per_second": memset_bytes_per_second(most),
                "measurements": measurements,
                "changes": changes,
            })
        },
        || {
            let mut text = describe_machine(&machine, &threads)
                + "\n"
                + &table(&measurements)
                + "\n"
                + &ratios(&measurements);
            if let (Some(before), Some(changes)) = (&before, &changes) {
                text += &format!("\n{}", describe_changes(before, changes, args.quick));
            }
            text
        },
    );
    Ok(Exit::Done)
}

fn describe_machine(machine: &Machine, threads: &[usize]) -> String {
    let memory = total_memory().map_or_else(|| "unknown".into(), human_bytes);
    let mut text = format!(
        "nimwave {} on {} ({} cores, {:?} instructions, {memory} of memory, {})\n",
        env!("CARGO_PKG_VERSION"),
        machine.cpu,
        machine.cores,
        Isa::detect(),
        machine.system
    );
    for &count in threads {
        let rate = human_bytes(memset_bytes_per_second(count) as u64);
        text += &format!("memset writes {rate}/s with {count} thread{}\n", if count == 1 { "" } else { "s" });
    }
    text
}

/// One table for all kernels.
fn table(measurements: &[Measurement]) -> String {
    let head = [
        "case",
        "threads",
        "positions/s",
        "cycles each",
        "bytes each",
        "bytes/s",
        "of memset",
        "scaling",
        "seconds",
        "what",
    ];
    let mut rows = vec![head.map(String::from).to_vec()];
    for one in measurements {
        rows.push(vec![
            one.name.clone(),
            one.threads.to_string(),
            numbers::rate(one.positions_per_second),
            one.cycles_per_position.map_or_else(|| "-".into(), short),
            short(one.bytes_per_position),
            human_bytes(one.bytes_per_second as u64),
            format!("{:.1}%", 100.0 * one.share_of_memset),
            one.scaling.map_or_else(|| "-".into(), |scaling| format!("{scaling:.2}")),
            format!("{:.3}", one.seconds),
            one.what.clone(),
        ]);
    }
    columns(&rows)
}

/// A number of any size in three digits or so.
fn short(number: f64) -> String {
    match number {
        100.0.. => format!("{number:.0}"),
        1.0.. => format!("{number:.1}"),
        _ => format!("{number:.3}"),
    }
}

/// What each kernel was compared with.
fn ratios(measurements: &[Measurement]) -> String {
    let mut text = String::new();
    for one in measurements {
        for ratio in &one.ratios {
            let target = ratio.target.map_or(String::new(), |target| format!(" (wanted: {target})"));
            text += &format!("{} is {:.2} times {}{target}\n", one.name, ratio.ratio, ratio.over);
        }
    }
    text
}

fn describe_changes(before: &Results, changes: &[Change], quick: bool) -> String {
    let mut text = format!("Since nimwave {} on {}", before.program_version, before.machine.cpu);
    if before.quick != quick {
        return text + ": the sizes differ; run both with --quick or both without.\n";
    }
    let told: Vec<&Change> = changes.iter().filter(|change| change.significant).collect();
    text += &format!(": {} of {} cases changed beyond noise\n", told.len(), changes.len());
    for change in told {
        let word = if change.ratio > 1.0 { "faster" } else { "slower" };
        text += &format!(
            "{} with {} threads is {:.2} times as fast ({word}; {} before, {} now, noise {:.0}%)\n",
            change.name,
            change.threads,
            change.ratio,
            numbers::rate(change.before),
            numbers::rate(change.now),
            100.0 * change.noise
        );
    }
    text
}
