//! `nimwave count`: exact numbers of P-positions, from a theorem or a table.

use serde_json::json;

use super::heap_games::HeapGame;
use super::{Context, numbers};
use crate::base::{Exit, Silent};
use crate::proof::count::count_of;

/// Arguments of `count`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  nimwave count minnie --heaps 4 --max 1000
  nimwave count minnie --heaps 300 --max 1e18
  nimwave count minnie --heaps 1e15 --max 30 --misere
  nimwave count rule 'take s from one heap where s <= 2*min' --heaps 3 --max 100")]
pub struct Args {
    #[command(subcommand)]
    game: HeapGame<CountArgs>,
}

/// What to count.
#[derive(Debug, clap::Args)]
struct CountArgs {
    /// Number of heaps, none of them empty.
    #[arg(long, value_name = "K", value_parser = numbers::count)]
    heaps: u64,
    /// Largest heap.
    #[arg(long, value_name = "N", value_parser = numbers::count)]
    max: u64,
    /// Misère play: who cannot move wins.
    #[arg(long)]
    misere: bool,
}

/// Runs the command.
pub fn run(args: Args, context: &Context) -> anyhow::Result<Exit> {
    let (game, args) = args.game.game(|args| args.misere)?;
    let count = count_of(&game, args.heaps, args.max, &context.control(&Silent))?.to_string();
    context.print(
        || {
            json!({
                "game": game.name(),
                "misere": args.misere,
                "heaps": args.heaps,
                "max": args.max,
                "count": count,
            })
        },
        || {
            let heaps = if args.heaps == 1 { "1 heap".into() } else { format!("{} heaps", args.heaps) };
            format!(
                "{count}\nP-positions of {} with exactly {heaps} of sizes 1 to {}.",
                game.title(),
                args.max
            )
        },
    );
    Ok(Exit::Done)
}
