//! `nimwave query` for games on graphs and for partizan games.

use serde_json::json;

use super::numbers;
use super::query::Asking;
use crate::answer::graph_games::{self, PartizanAnswer};
use crate::answer::{Answer, Outcome};
use crate::base::{Control, Error, Result};
use crate::rules::graph::{Graph, Mig, Multigraph, NimOnGraph, Parity, Wyg, WygMoves, WygVariant};
use crate::rules::{GrandLeftRight, Play};

/// A graph with counters on its vertices.
#[derive(Debug, clap::Args)]
pub struct ChipArgs {
    /// The graph: `path 7`, `bipartite 3 4`, a graph6 string, or edges as 0-1,1-2.
    #[arg(value_name = "GRAPH", required = true)]
    graph: Vec<String>,
    /// The counters: one number for every vertex (1,2,1), one for all of them (2), or `degree`.
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
    /// The edge in play, such as 0-1.
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

/// The limits of a search: what it stores takes 2 GiB at most unless --memory says otherwise.
fn limits<'a>(asking: &Asking<'_>, control: &Control<'a>) -> Control<'a> {
    const MOST: u64 = 1 << 31;
    let free = control.memory.unwrap_or(MOST);
    control.with_memory(asking.context.globals.memory.unwrap_or(free.min(MOST)))
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
pub fn wyg(args: &WygArgs, moves: WygMoves, asking: &Asking<'_>) -> Result<()> {
    let graph = Graph::parse(&args.board.graph.join(" "))?;
    let chips = chips(&args.board.chips, &graph)?;
    let locked_on = args.locked_on.as_deref().map(edge).transpose()?;
    let variant = if args.free { WygVariant::Free } else { WygVariant::Locked };
    let rules = Wyg { graph, variant, moves };
    search(args.board.misere, asking, |play, control| {
        graph_games::wyg(&rules, play, &chips, locked_on, control)
    })
}

fn edge(text: &str) -> Result<(usize, usize), Error> {
    let ends = text.split_once('-').and_then(|(u, v)| Some((u.trim().parse().ok()?, v.trim().parse().ok()?)));
    ends.ok_or_else(|| Error::Usage(format!("`{text}` is not an edge; write 0-1")))
}

/// Mig.
pub fn mig(args: &ChipArgs, asking: &Asking<'_>) -> Result<()> {
    let graph = Graph::parse(&args.graph.join(" "))?;
    let chips = chips(&args.chips, &graph)?;
    search(args.misere, asking, |play, control| graph_games::mig(&Mig { graph }, play, &chips, control))
}

/// Nim on a graph.
pub fn nim(args: &NimArgs, asking: &Asking<'_>) -> Result<()> {
    let (graph, weights) = Multigraph::parse(&args.graph.join(" "))?;
    let rules = NimOnGraph { graph };
    search(args.misere, asking, |play, control| {
        graph_games::nim_on_graph(&rules, play, args.token, &weights, control)
    })
}

/// Vertex deletion in its three versions.
pub fn vertex_deletion(args: &VertexDeletionArgs, asking: &Asking<'_>) -> Result<()> {
    let graph = Graph::parse(&args.graph.join(" "))?;
    if args.eo {
        return search_partizan(asking, |control| graph_games::even_odd(&graph, control));
    }
    let parity = if args.oo { Parity::Odd } else { Parity::Even };
    search(false, asking, |_, control| graph_games::vertex_deletion(&graph, parity, control))
}

/// Grand Left/Right.
pub fn grand(args: &GrandArgs, asking: &Asking<'_>) -> Result<()> {
    let (game, board) = GrandLeftRight::parse(&args.board)?;
    search_partizan(asking, |control| graph_games::grand_left_right(&game, &board, control))
}

fn search(
    misere: bool,
    asking: &Asking<'_>,
    search: impl FnOnce(Play, &Control<'_>) -> Result<Answer<String>>,
) -> Result<()> {
    let play = Play::from_misere(misere);
    let answer = asking.work(|control| search(play, &limits(asking, control)))?;
    asking.context.print(|| json!(answer), || answer.describe(play, &answer.position, String::clone));
    Ok(())
}

fn search_partizan(
    asking: &Asking<'_>,
    search: impl FnOnce(&Control<'_>) -> Result<PartizanAnswer>,
) -> Result<()> {
    let answer = asking.work(|control| search(&limits(asking, control)))?;
    asking.context.print(|| json!(answer), || describe_partizan(&answer));
    Ok(())
}

fn describe_partizan(answer: &PartizanAnswer) -> String {
    let PartizanAnswer { position, outcome, value, left_moves, right_moves } = answer;
    let who = match outcome {
        Outcome::Left => "Left wins, whoever starts",
        Outcome::Right => "Right wins, whoever starts",
        Outcome::Previous => "who starts loses",
        Outcome::Next => "who starts wins",
    };
    let mut text = format!("{position} has value {value}, outcome {}: {who}.", outcome.letter());
    for (player, list) in [("Left", left_moves), ("Right", right_moves)] {
        text += &format!("\n{player}'s best moves:{}", if list.is_empty() { " none" } else { "" });
        list.iter().for_each(|best| text += &format!("\n  {}: {}", best.to, best.value));
    }
    text
}
