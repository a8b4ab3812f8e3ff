//! `nimwave scan`: a game on all connected graphs of an order, or on graphs from standard input.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use clap::Subcommand;
use serde_json::json;

use super::progress::ProgressReport;
use super::{Context, numbers};
use crate::analysis::connected_graphs::Kind;
use crate::analysis::graph_scan::{Scan, Wanted};
use crate::base::numbers::counted;
use crate::base::{Control, Error, Exit, Observer};
use crate::rules::graph::Parity;

/// Arguments of `scan`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    game: Game,
}

#[derive(Debug, Subcommand)]
enum Game {
    /// Vertex deletion: how often each Grundy value occurs, with the smallest examples.
    #[command(
        after_help = "Examples:\n  nimwave scan vertex-deletion --oo --vertices 8\n  nimwave scan vertex-deletion --ee --vertices 5 --digraphs\n  geng -c 9 | nimwave scan vertex-deletion --oo --stdin"
    )]
    VertexDeletion(VertexDeletionArgs),
}

/// What to scan.
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("rule").required(true).args(["oo", "ee"])))]
#[command(group(clap::ArgGroup::new("source").required(true).args(["vertices", "stdin"])))]
pub struct VertexDeletionArgs {
    /// Odd/Odd: both players delete vertices of odd degree (in-degree).
    #[arg(long)]
    oo: bool,
    /// Even/Even: both players delete vertices of even degree (in-degree).
    #[arg(long)]
    ee: bool,
    /// All connected graphs on so many vertices, each once up to isomorphism.
    #[arg(long, value_name = "N", value_parser = numbers::whole::<usize>)]
    vertices: Option<usize>,
    /// Graphs as graph6 or digraph6 lines on standard input, as `geng` writes them.
    #[arg(long)]
    stdin: bool,
    /// With --vertices: directed graphs, opposite arcs allowed.
    #[arg(long, conflicts_with_all = ["oriented", "stdin"])]
    digraphs: bool,
    /// With --vertices: directed graphs without opposite arcs.
    #[arg(long, conflicts_with = "stdin")]
    oriented: bool,
    /// How many examples of each value to print.
    #[arg(long, value_name = "N", value_parser = numbers::whole::<usize>, default_value = "3")]
    examples: usize,
}

/// Runs the command.
pub fn run(args: Args, context: &Context) -> anyhow::Result<Exit> {
    let Game::VertexDeletion(args) = args.game;
    let parity = if args.oo { Parity::Odd } else { Parity::Even };
    let kind = match (args.digraphs, args.oriented) {
        (true, _) => Kind::Directed,
        (_, true) => Kind::Oriented,
        _ => Kind::Undirected,
    };
    let graphs = Graphs(AtomicU64::new(0));
    let control = Control { observer: &graphs, ..Control::stopped_by(&context.stop) };
    let wanted = Wanted { parity, examples: args.examples };
    let total = args.vertices.and_then(|order| kind.known_count(order)).unwrap_or(0);
    let started = Instant::now();
    let look = |progress: &ProgressReport| {
        let count = graphs.0.load(Relaxed);
        progress.at(count, total.max(count), &counted(count, "graph"));
    };
    let scan = context.progress("scan").watch(look, || match args.vertices {
        Some(order) => Scan::all(kind, order, wanted, &control),
        None => Scan::lines(std::io::stdin().lock(), wanted, &control),
    })?;
    let seconds = started.elapsed().as_secs_f64();
    context.print(|| to_json(&scan, &args, seconds), || describe(&scan, seconds));
    if scan.stopped {
        return Err(Error::Interrupted { done: scan.graphs(), total: total.max(scan.graphs()) }.into());
    }
    Ok(Exit::Done)
}

/// Counts the graphs done.
struct Graphs(AtomicU64);

impl Observer for Graphs {
    fn worked(&self, more: u64) {
        self.0.fetch_add(more, Relaxed);
    }
}

fn to_json(scan: &Scan, args: &VertexDeletionArgs, seconds: f64) -> serde_json::Value {
    json!({
        "game": "vertex-deletion",
        "version": if args.oo { "odd/odd" } else { "even/even" },
        "vertices": args.vertices,
        "graphs": scan.graphs(),
        "complete": !scan.stopped,
        "values": scan.histogram.iter().map(|(value, count)| json!({
            "value": value,
            "graphs": count,
            "examples": scan.examples.get(value).into_iter().flatten().map(|(_, _, text)| text).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
        "seconds": (seconds * 1000.0).round() / 1000.0,
    })
}

fn describe(scan: &Scan, seconds: f64) -> String {
    let mut text = format!("{} in {seconds:.2} s\n", counted(scan.graphs(), "graph"));
    text.push_str("value        graphs  examples (vertices, edges)\n");
    for (value, count) in &scan.histogram {
        let examples: Vec<String> = scan
            .examples
            .get(value)
            .into_iter()
            .flatten()
            .map(|(vertices, edges, text)| format!("{text} ({vertices}, {edges})"))
            .collect();
        text.push_str(&format!("{value:>5}  {:>12}  {}\n", numbers::grouped(*count), examples.join("  ")));
    }
    if scan.stopped {
        text.push_str("stopped before the end\n");
    }
    text
}
