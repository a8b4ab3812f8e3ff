//! `nimwave query`: outcome, value and winning moves of a position.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Subcommand;
use serde_json::{Value, json};

use super::heap_games::HeapGame;
use super::{Context, numbers, query_graph};
use crate::answer::{Answer, Outcome, answer, heap_query, sum};
use crate::base::Control;
use crate::base::machine::{self, human_bytes};
use crate::base::{Error, Result};
use crate::game::{Game as NamedGame, Slabs};
use crate::rules::Play;
use crate::rules::graph::WygMoves;
use crate::space::Space;
use crate::sweep::{HeapJob, Job};
use crate::table::{Quantity, Reader};
use crate::waves::KeySum;

/// Arguments of `query`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    game: Game,
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
    /// Each part: a game, its parameters as key=value, and the position, in quotes.
    #[arg(value_name = "PART", required = true)]
    parts: Vec<String>,
}

/// A position of a heap game.
#[derive(Debug, clap::Args)]
pub struct HeapArgs {
    /// The heaps: 4 6 13 or [4,6,13].
    #[arg(value_name = "HEAP", required = true)]
    pub heaps: Vec<String>,
    /// Misère play: who cannot move wins.
    #[arg(long)]
    pub misere: bool,
    /// Read the answer from this table instead of solving.
    #[arg(long, value_name = "DIR")]
    pub table: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: Args, context: &Context) -> anyhow::Result<ExitCode> {
    match args.game {
        Game::Octal(args) => super::octal::query(&args, context),
        Game::Wyg(args) => query_graph::wyg(&args, WygMoves::Wynnie, context),
        Game::Wygthoff(args) => query_graph::wyg(&args, WygMoves::Wythoff, context),
        Game::Mig(args) => query_graph::mig(&args, context),
        Game::NimOnGraph(args) => query_graph::nim(&args, context),
        Game::VertexDeletion(args) => query_graph::vertex_deletion(&args, context),
        Game::GrandLeftRight(args) => query_graph::grand(&args, context),
        Game::Heaps(game) => heap_game_position(game, context),
        Game::Sum(args) => {
            let number = |word: &str| numbers::heap(word).map_err(Error::Usage);
            let parts: Vec<_> =
                args.parts.iter().map(|part| sum::component(part, &number)).collect::<Result<_>>()?;
            let answer = sum::sum(&parts);
            context.print(|| json!(answer), || describe_sum(&answer));
            Ok(ExitCode::SUCCESS)
        }
        Game::Cookie(args) => super::cookie::query(&args, context),
    }
}

/// Answers about a position of a heap game.
fn heap_game_position(game: HeapGame<HeapArgs>, context: &Context) -> anyhow::Result<ExitCode> {
    let (game, args) = game.game(|args| args.misere)?;
    if game.on_heaps()?.proofs.quotient == Some(Slabs::Minnie) && args.table.is_none() {
        let heaps = numbers::wide_position(&args.heaps).map_err(Error::Usage)?;
        if super::minnie_answer::beyond_tables(&heaps) {
            return Ok(super::minnie_answer::run(&heaps, args.misere, context));
        }
    }
    let game = heap_query::HeapGame::new(game)?;
    let words: Vec<&str> = args
        .heaps
        .iter()
        .flat_map(|word| word.split(|c: char| c.is_whitespace() || "[],".contains(c)))
        .filter(|word| !word.is_empty())
        .collect();
    let position = game.position(&words, &|word| numbers::heap(word).map_err(Error::Usage))?;
    let answer = match &args.table {
        Some(folder) => from_table(folder, game.game(), &position)?,
        None if !game.has_tables() => by_memo(&game, &position)?,
        None => {
            game.check_work(&position).map_err(|error| match error {
                Error::Budget(text) => Error::Budget(format!(
                    "{text}, or fill a table with solve --out DIR and ask it with --table DIR"
                )),
                other => other,
            })?;
            let largest = position.iter().copied().max().unwrap_or(0);
            by_solving(&|quantity| game.job(1, largest, quantity), &position, context)?
        }
    };
    let show = |position: &[u32]| game.show(position);
    context.print(|| json!(answer), || describe(&answer, args.misere, &show));
    Ok(ExitCode::SUCCESS)
}

/// Answers about a position of a game that has no tables.
fn by_memo(game: &heap_query::HeapGame, position: &[u32]) -> Result<Answer> {
    let (value, options) = game.values(position)?;
    Ok(Answer {
        position: position.to_vec(),
        outcome: if value == 0 { Outcome::P } else { Outcome::N },
        value: Some(value),
        winning_moves: options
            .into_iter()
            .filter(|(_, value)| *value == 0)
            .map(|(option, _)| option)
            .collect(),
    })
}

/// The answer about a sum for people.
fn describe_sum(answer: &sum::SumAnswer) -> String {
    let mut text: String =
        answer.values.iter().map(|(part, value)| format!("{part}: value {value}\n")).collect();
    text += &match answer.outcome {
        Outcome::P => "The sum is worth 0, a P-position: the player who has just moved wins.".into(),
        Outcome::N => format!("The sum is worth {}, an N-position: the player to move wins.", answer.value),
    };
    if let (Outcome::N, count) = (answer.outcome, answer.winning_moves.len()) {
        text += &format!("\n{count} winning move{}:", if count == 1 { "" } else { "s" });
        for winning in &answer.winning_moves {
            text += &format!("\n  {} to {} (value {})", winning.from, winning.to, winning.value);
        }
    }
    text
}

/// Reads the answer from a finished table.
pub fn from_table(folder: &Path, game: &NamedGame, position: &[u32]) -> Result<Answer> {
    let reader = Reader::open(folder)?;
    let (stored, space) = reader.heap_table()?;
    let rules = stored.on_heaps()?.rules(space.max())?;
    let mismatch = |problem: String, remedy: &str| Error::Mismatch {
        path: folder.to_path_buf(),
        problem,
        remedy: remedy.into(),
    };
    if stored.name() != game.name() || stored.play() != game.play() {
        let play = if stored.play() == Play::Misere { "misère" } else { "normal" };
        return Err(mismatch(
            format!("holds {} in {play} play", reader.spec().game),
            "ask for that game, or give another table",
        ));
    }
    if let Some((key, value)) =
        game.parameters().iter().find(|(key, value)| stored.parameters().get(*key) != Some(value))
    {
        let held = stored.parameters().get(key).map_or_else(|| "none".into(), Value::to_string);
        return Err(mismatch(
            format!("holds {} with {key} {held}, not {value}", game.name()),
            "ask with the table's parameters, or give another table",
        ));
    }
    let mut heaps: Vec<u32> = position.iter().copied().filter(|&heap| heap > 0).collect();
    heaps.sort_unstable();
    if heaps.len() > space.heaps() || heaps.last().is_some_and(|&heap| heap > space.max()) {
        return Err(mismatch(
            format!(
                "holds at most {} heaps of at most {}, and {heaps:?} is outside",
                space.heaps(),
                space.max()
            ),
            "leave out --table to solve what is needed, or make a larger table",
        ));
    }
    let mut padded = vec![0; space.heaps() - heaps.len()];
    padded.extend(heaps);
    let has_values = !reader.manifest().width.is_bit();
    answer(
        &*rules,
        &padded,
        |option| reader.is_p(space.rank(option)),
        |position| if has_values { reader.get(space.rank(position)).map(Some) } else { Ok(None) },
    )
}

/// Solves what the position can lead to: no larger heaps, no more heaps, no larger smallest heap.
pub fn by_solving(
    job: &dyn Fn(Quantity) -> Result<HeapJob>,
    position: &[u32],
    context: &Context,
) -> Result<Answer> {
    let mut heaps: Vec<u32> = position.iter().copied().filter(|&heap| heap > 0).collect();
    heaps.sort_unstable();
    if heaps.is_empty() {
        // The space needs a heap; an absent one will do.
        heaps.push(0);
    }
    let size = |quantity| -> Result<HeapJob> {
        let mut job = job(quantity)?;
        job.heaps = heaps.len();
        job.max = heaps[heaps.len() - 1].max(1);
        job.first_limit = heaps[0];
        Ok(job)
    };
    let memory = |job: &HeapJob| -> Result<u64> {
        let space = job.space()?;
        let entries = KeySum::with_first_limit(&space, job.first_limit).entries();
        Ok(job.width().file_bytes(entries).saturating_mul(2).saturating_add(job.memory()))
    };
    // Values cost more than outcomes; a query that would take minutes for them answers the outcome only.
    const MOST_VALUES: u64 = 400_000_000;
    let values = size(Quantity::Values)?;
    let values_fit = memory(&values)? <= MOST_VALUES.min(context.globals.memory.unwrap_or(u64::MAX));
    let job = if values_fit { values } else { size(Quantity::Outcomes)? };
    let needed = memory(&job)?;
    machine::check_memory(
        needed,
        context.globals.memory,
        "solve a table with --out DIR and ask it with --table DIR",
    )?;
    if !values_fit {
        context.note(format!(
            "Outcome only: values would need a table of {}; make it with solve --values --out DIR.",
            human_bytes(memory(&size(Quantity::Values)?)?)
        ));
    }
    let progress = context.progress(job.game.name());
    let control = Control {
        stop: &context.stop,
        observer: &progress,
        checkpoint_every: Duration::from_secs(3600),
        ..Control::silent()
    };
    let table = job.solve(None, &control)?;
    let space = job.space()?;
    let cells = table.cells();
    answer(
        &*job.rules,
        &heaps,
        |option| Ok(cells.is_p(space.rank(option))),
        |position| Ok(values_fit.then(|| cells.get(space.rank(position)))),
    )
}

/// The answer for people.
pub fn describe(answer: &Answer, misere: bool, show: &dyn Fn(&[u32]) -> String) -> String {
    let Answer { position, outcome, value, winning_moves } = answer;
    let position = show(position);
    let value = match (value, misere) {
        (Some(value), false) => format!(", Grundy value {value}"),
        (Some(value), true) => format!(", misère Grundy value {value}"),
        (None, _) => String::new(),
    };
    let head = match outcome {
        Outcome::P => format!("{position} is a P-position{value}: the player who has just moved wins."),
        Outcome::N => format!("{position} is an N-position{value}: the player to move wins."),
    };
    match (outcome, winning_moves.len()) {
        (Outcome::P, _) => head,
        (Outcome::N, 0) => format!("{head}\nThere is no move left."),
        (Outcome::N, count) => {
            let moves: String = winning_moves.iter().map(|to| format!("\n  {}", show(to))).collect();
            format!("{head}\n{count} winning move{} to:{moves}", if count == 1 { "" } else { "s" })
        }
    }
}
