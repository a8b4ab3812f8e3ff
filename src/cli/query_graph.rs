//! `nimwave query` for games on graphs and for partizan games.

use std::process::ExitCode;

use serde_json::json;

use super::{Context, numbers};
use crate::answer::graph_games::{self, GraphAnswer, PartizanAnswer};
use crate::base::{Control, Error};
use crate::rules::graph::{Graph, Mig, Multigraph, NimOnGraph, Parity, Wyg, WygMoves, WygVariant};
use crate::rules::{GrandLeftRight, Play};

/// A graph with chips on its vertices.
#[derive(Debug, clap::Args)]
pub struct ChipArgs {
    /// The graph: `path 7`, `bipartite 3 4`, a graph6 string, or edges as 0-1,1-2.
    #[arg(value_name = "GRAPH", required = true)]
    graph: Vec<String>,
    /// The chips: one number for every vertex (1,2,1), one for all of them (2), or `degree`.
    #[arg(long, value_name = "CHIPS", default_value = "1")]
    chips: String,
    /// Misère play: who cannot move wins.
    #[arg(long)]
    misere: bool,
}

/// Wyg and wygthoff.
#[derive(Debug, clap::Args)]
pub struct WygArgs {
    #[command(flatten)]
    board: ChipArgs,
    /// Every move chooses its edge afresh, instead of being bound to the edge in play.
    #[arg(long)]
    free: bool,
    /// The edge in play, as 0-1.
    #[arg(long, value_name = "EDGE", conflicts_with = "free")]
    locked_on: Option<String>,
}

/// Nim on a graph.
#[derive(Debug, clap::Args)]
pub struct NimArgs {
    /// The graph with its weights: 0-1:2,1-1:1 (a loop), or a name, all weights 1.
    #[arg(value_name = "GRAPH", required = true)]
    graph: Vec<String>,
    /// The vertex that the token stands on.
    #[arg(long, value_name = "VERTEX", value_parser = numbers::whole::<usize>, default_value = "0")]
    token: usize,
    /// Misère play: who cannot move wins.
    #[arg(long)]
    misere: bool,
}

/// Vertex deletion.
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("rule").required(true).args(["oo", "ee", "eo"])))]
pub struct VertexDeletionArgs {
    /// The graph: `path 7`, a graph6 or digraph6 string, edges as 0-1,1-2, or arcs as 0>1,1>2.
    #[arg(value_name = "GRAPH", required = true)]
    graph: Vec<String>,
    /// Odd/Odd: both players delete vertices of odd degree (in-degree).
    #[arg(long)]
    oo: bool,
    /// Even/Even: both players delete vertices of even degree (in-degree).
    #[arg(long)]
    ee: bool,
    /// Even/Odd: Left deletes vertices of even degree, Right of odd degree (in-degree).
    #[arg(long)]
    eo: bool,
}

/// Grand Left/Right.
#[derive(Debug, clap::Args)]
pub struct GrandArgs {
    /// The board: rows of `.`, `L` and `R`, separated by `/`.
    #[arg(value_name = "BOARD", required = true)]
    board: String,
}

impl Context {
    /// Stops a query on Ctrl-C, or when it takes more than --memory, by default 2 GiB.
    fn query_control(&self) -> Control<'_> {
        Control::stopped_by(&self.stop).with_memory(self.globals.memory.unwrap_or(1 << 31))
    }
}

fn chips(text: &str, graph: &Graph) -> Result<Vec<u32>, Error> {
    if text == "degree" {
        return Ok((0..graph.order()).map(|v| graph.neighbours(v).count_ones()).collect());
    }
    let numbers = numbers::position(&[text.to_string()]).map_err(Error::Usage)?;
    match numbers[..] {
        [all] => Ok(vec![all; graph.order()]),
        _ => Ok(numbers),
    }
}

/// Wyg or wygthoff, as `moves` says.
pub fn wyg(args: &WygArgs, moves: WygMoves, context: &Context) -> anyhow::Result<ExitCode> {
    let graph = Graph::parse(&args.board.graph.join(" "))?;
    let chips = chips(&args.board.chips, &graph)?;
    let locked_on = args.locked_on.as_deref().map(edge).transpose()?;
    let variant = if args.free { WygVariant::Free } else { WygVariant::Locked };
    let rules = Wyg { graph, variant, moves };
    let play = Play::from_misere(args.board.misere);
    print(
        graph_games::wyg(&rules, play, &chips, locked_on, &context.query_control())?,
        args.board.misere,
        context,
    )
}

fn edge(text: &str) -> Result<(usize, usize), Error> {
    let ends = text.split_once('-').and_then(|(u, v)| Some((u.trim().parse().ok()?, v.trim().parse().ok()?)));
    ends.ok_or_else(|| Error::Usage(format!("`{text}` is not an edge; write 0-1")))
}

/// Mig.
pub fn mig(args: &ChipArgs, context: &Context) -> anyhow::Result<ExitCode> {
    let graph = Graph::parse(&args.graph.join(" "))?;
    let chips = chips(&args.chips, &graph)?;
    let rules = Mig { graph };
    print(
        graph_games::mig(&rules, Play::from_misere(args.misere), &chips, &context.query_control())?,
        args.misere,
        context,
    )
}

/// Nim on a graph.
pub fn nim(args: &NimArgs, context: &Context) -> anyhow::Result<ExitCode> {
    let (graph, weights) = Multigraph::parse(&args.graph.join(" "))?;
    let rules = NimOnGraph { graph };
    let play = Play::from_misere(args.misere);
    print(
        graph_games::nim_on_graph(&rules, play, args.token, &weights, &context.query_control())?,
        args.misere,
        context,
    )
}

/// Vertex deletion in its three versions.
pub fn vertex_deletion(args: &VertexDeletionArgs, context: &Context) -> anyhow::Result<ExitCode> {
    let graph = Graph::parse(&args.graph.join(" "))?;
    if args.eo {
        return print_partizan(graph_games::even_odd(&graph, &context.query_control())?, context);
    }
    let parity = if args.oo { Parity::Odd } else { Parity::Even };
    print(graph_games::vertex_deletion(&graph, parity, &context.query_control())?, false, context)
}

/// Grand Left/Right.
pub fn grand(args: &GrandArgs, context: &Context) -> anyhow::Result<ExitCode> {
    let (game, board) = GrandLeftRight::parse(&args.board)?;
    print_partizan(graph_games::grand_left_right(&game, &board, &context.query_control())?, context)
}

fn print(answer: GraphAnswer, misere: bool, context: &Context) -> anyhow::Result<ExitCode> {
    context.print(
        || json!(answer),
        || {
            let kind = if misere { "misère Grundy value" } else { "Grundy value" };
            let who = if answer.outcome == 'P' { "who has just moved" } else { "to move" };
            let article = if answer.outcome == 'P' { "a P" } else { "an N" };
            let mut text = format!(
                "{} is {article}-position, {kind} {}: the player {who} wins.",
                answer.position, answer.value
            );
            if !answer.winning_moves.is_empty() {
                let count = answer.winning_moves.len();
                text += &format!("\n{count} winning move{} to:", if count == 1 { "" } else { "s" });
                answer.winning_moves.iter().for_each(|to| text.push_str(&format!("\n  {to}")));
            }
            text
        },
    );
    Ok(ExitCode::SUCCESS)
}

fn print_partizan(answer: PartizanAnswer, context: &Context) -> anyhow::Result<ExitCode> {
    let moves = |list: &[(String, String)]| -> Vec<serde_json::Value> {
        list.iter().map(|(to, value)| json!({"move": to, "value": value})).collect()
    };
    context.print(
        || {
            json!({
                "position": answer.position, "outcome": answer.outcome, "value": answer.value,
                "left_moves": moves(&answer.left_moves), "right_moves": moves(&answer.right_moves),
            })
        },
        || {
            let who = match answer.outcome {
                'L' => "Left wins, whoever starts",
                'R' => "Right wins, whoever starts",
                'P' => "who starts loses",
                _ => "who starts wins",
            };
            let mut text =
                format!("{} has value {}, outcome {}: {who}.", answer.position, answer.value, answer.outcome);
            for (player, list) in [("Left", &answer.left_moves), ("Right", &answer.right_moves)] {
                text.push_str(&format!(
                    "\n{player}'s best moves:{}",
                    if list.is_empty() { " none" } else { "" }
                ));
                list.iter().for_each(|(to, value)| text.push_str(&format!("\n  {to}: {value}")));
            }
            text
        },
    );
    Ok(ExitCode::SUCCESS)
}
