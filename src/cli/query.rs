//! `nimwave query`: outcome, value and winning moves of a position.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Subcommand;
use serde_json::json;

use super::heap_games::HeapGame;
use super::progress::ProgressReport;
use super::slices::open_table;
use super::{Context, numbers, query_graph, query_stream, signals};
use crate::answer::sum::{self, Part, SumAnswer};
use crate::answer::{self, Answer, FromAutomata, Oracle, Outcome, Size};
use crate::base::{Control, Error, Exit, Result};
use crate::proof::automata::certificate::AutomatonCertificate;
use crate::rules::graph::WygMoves;
use crate::rules::notation::show_heaps;

/// Arguments of `query`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    game: Game,
    /// Work for so long at most, such as 90s, 10m or 2h; without it, what is estimated to take more than a
    /// minute is refused.
    #[arg(long, global = true, value_name = "TIME", value_parser = numbers::duration)]
    time: Option<Duration>,
}

#[derive(Debug, Subcommand)]
enum Game {
    #[command(flatten)]
    Heaps(HeapGame<HeapArgs>),
    /// A sum of different games, in normal play.
    #[command(
        after_help = "Example:\n  nimwave query sum \"minnie 3 5\" \"wythoff 3 4\" \"maximum-nim rule=n/2 12\""
    )]
    Sum(SumArgs),
    /// A sum of heaps of an octal game.
    #[command(after_help = "Example:\n  nimwave query octal 0.6 1000 20 7")]
    Octal(super::octal::QueryArgs),
    /// Wyg, wynnie on a graph: the edge in play is locked until one of its ends is gone.
    #[command(after_help = "Example:\n  nimwave query wyg path 3 --chips 1,2,1")]
    Wyg(query_graph::WygArgs),
    /// Wygthoff: wyg with Wythoff's moves.
    #[command(after_help = "Example:\n  nimwave query wygthoff complete 3 --chips 2,3,4")]
    Wygthoff(query_graph::WygArgs),
    /// Mig, minnie on a graph.
    #[command(after_help = "Example:\n  nimwave query mig cycle 4 --chips 2,1,2,3")]
    Mig(query_graph::ChipArgs),
    /// Nim on a graph with weights, loops and multiple edges.
    #[command(after_help = "Example:\n  nimwave query nim-on-graph 0-1:2,1-2,2-3,3-0 --token 0")]
    NimOnGraph(query_graph::NimArgs),
    /// Vertex deletion, impartial (--oo, --ee) or partizan (--eo).
    #[command(
        after_help = "Examples:\n  nimwave query vertex-deletion path 7 --oo\n  nimwave query vertex-deletion broom 8 2 --eo"
    )]
    VertexDeletion(query_graph::VertexDeletionArgs),
    /// Grand Left/Right, a partizan game on a grid.
    #[command(after_help = "Example:\n  nimwave query grand-left-right LLRL/L..L")]
    GrandLeftRight(query_graph::GrandArgs),
    /// Cookie cutter: a board, full or as a picture.
    #[command(
        after_help = "Examples:\n  nimwave query cookie --rows 2 --cols 7 --cutter 2\n  nimwave query cookie --board '##.\\n.##' --cutter 3"
    )]
    Cookie(super::cookie::QueryArgs),
}

/// The parts of a sum.
#[derive(Debug, clap::Args)]
pub struct SumArgs {
    /// Each part: a game, its parameters as name=value, and the position, in quotes.
    #[arg(value_name = "PART", required = true)]
    parts: Vec<String>,
}

/// A position of a heap game.
#[derive(Debug, clap::Args)]
pub struct HeapArgs {
    /// The heaps: 4 6 13 or [4,6,13]. A single - reads positions from standard input, one per line, and answers
    /// each with a line of JSON.
    #[arg(value_name = "HEAP", required = true)]
    pub heaps: Vec<String>,
    /// Misère play: who cannot move wins.
    #[arg(long)]
    pub misere: bool,
    /// Read the answer from this table instead of solving.
    #[arg(long, value_name = "DIR")]
    pub table: Option<PathBuf>,
    /// Answer from this theorem for a fixed number of heaps (see prove --certificate), which is decided first.
    #[arg(long, value_name = "FILE", conflicts_with = "table")]
    pub certificate: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: Args, context: &Context) -> anyhow::Result<Exit> {
    let progress = context.progress("query");
    let asking = Asking { context, progress: &progress, time: args.time };
    signals::end_soon_after(asking.control().deadline);
    match args.game {
        Game::Octal(args) => super::octal::query(&args, &asking),
        Game::Wyg(args) => query_graph::wyg(&args, WygMoves::Wynnie, &asking),
        Game::Wygthoff(args) => query_graph::wyg(&args, WygMoves::Wythoff, &asking),
        Game::Mig(args) => query_graph::mig(&args, &asking),
        Game::NimOnGraph(args) => query_graph::nim(&args, &asking),
        Game::VertexDeletion(args) => query_graph::vertex_deletion(&args, &asking),
        Game::GrandLeftRight(args) => query_graph::grand(&args, &asking),
        Game::Heaps(game) => heap_game_position(game, &asking),
        Game::Sum(args) => sum_of_games(&args, &asking),
        Game::Cookie(args) => super::cookie::query(&args, &asking),
    }?;
    Ok(Exit::Done)
}

/// What all queries share.
pub struct Asking<'a> {
    /// The context of the command.
    pub context: &'a Context,
    progress: &'a ProgressReport,
    time: Option<Duration>,
}

impl<'a> Asking<'a> {
    /// The limits of the work: Ctrl-C, --time and --memory.
    pub fn control(&self) -> Control<'a> {
        self.context.control(self.progress).with_time(self.time)
    }

    /// Does the work, and then removes the progress bar.
    pub fn work<T>(&self, work: impl FnOnce(&Control<'a>) -> Result<T>) -> Result<T> {
        let result = work(&self.control());
        self.progress.finish();
        result
    }
}

/// Answers about a position of a heap game.
fn heap_game_position(game: HeapGame<HeapArgs>, asking: &Asking<'_>) -> Result<()> {
    let (game, args) = game.game(|args| args.misere)?;
    if args.heaps == ["-"] {
        if args.certificate.is_some() {
            let problem = "positions from standard input are answered from --table, or one by one without it";
            return Err(Error::Usage(format!("{problem}; leave out --certificate")));
        }
        return query_stream::run(&game, args.table.as_deref(), asking);
    }
    let text = args.heaps.join(" ");
    if let Some(answer) =
        asking.work(|control| from_theorem(&game, &text, args.certificate.as_deref(), control))?
    {
        let show = |heaps: &Vec<Size>| show_heaps(heaps);
        let name = show(&answer.position);
        asking.context.print(|| json!(answer), || answer.describe(game.play(), &name, show));
        return Ok(());
    }
    let position = answer::read_position(&game, &text)?;
    let table = args.table.as_deref().map(|table| open_table(table, asking.context)).transpose()?;
    asking.work(|control| {
        let oracle = Oracle::new(&game, &position, table.as_ref(), control)?;
        let answer = oracle.answer(&position)?;
        asking.context.print(|| json!(answer), || describe(&answer, &oracle));
        Ok(())
    })
}

/// The answer of the theorem in a file, or to heaps of more than 64 bits.
fn from_theorem(
    game: &crate::game::Game,
    text: &str,
    certificate: Option<&Path>,
    control: &Control<'_>,
) -> Result<Option<Answer<Vec<Size>>>> {
    let theorem = match certificate {
        Some(path) => Some(FromAutomata::checked(game, &AutomatonCertificate::read(path)?, control)?),
        None => FromAutomata::beyond_64_bits(game, text, control)?,
    };
    theorem.map(|theorem| theorem.answer(&answer::read_wide(text)?)).transpose()
}

/// The answer for people. Positions of very many heaps are told by what a move changes.
fn describe(answer: &Answer<Vec<u64>>, oracle: &Oracle<'_>) -> String {
    const MANY: usize = 20;
    let Answer { position, .. } = answer;
    let play = oracle.game().play();
    if position.len() <= MANY {
        return answer.describe(play, &oracle.show(position), |to| oracle.show(to));
    }
    let name = format!("The position of {} heaps", position.len());
    answer.describe(play, &name, |to| match answer::change(position, to) {
        (from, to) if to.is_empty() => format!("the same without {}", oracle.show(&from)),
        (from, to) => format!("the same with {} in place of {}", oracle.show(&to), oracle.show(&from)),
    })
}

fn sum_of_games(args: &SumArgs, asking: &Asking<'_>) -> Result<()> {
    let answer = asking.work(|control| {
        let parts = args.parts.iter().map(|part| Part::new(part, control)).collect::<Result<Vec<_>>>()?;
        sum::sum(&parts)
    })?;
    asking.context.print(|| json!(answer), || describe_sum(&answer));
    Ok(())
}

/// The answer about a sum for people.
fn describe_sum(answer: &SumAnswer) -> String {
    let mut text: String =
        answer.values.iter().map(|(part, value)| format!("{part}: value {value}\n")).collect();
    text += &match answer.outcome {
        Outcome::Previous => "The sum is worth 0, a P-position: the player who has just moved wins.".into(),
        _ => format!("The sum is worth {}, an N-position: the player to move wins.", answer.value),
    };
    if let (Outcome::Next, count) = (answer.outcome, answer.winning_moves.len()) {
        text += &format!("\n{count} winning move{}:", if count == 1 { "" } else { "s" });
        for winning in &answer.winning_moves {
            text += &format!("\n  {} to {} (value {})", winning.from, winning.to, winning.value);
        }
    }
    text
}
