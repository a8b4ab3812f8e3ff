//! `nimwave count`: exact numbers of P-positions from a proved quotient.

use std::process::ExitCode;

use serde_json::json;

use super::{Context, numbers};
use crate::base::Error;
use crate::proof::count::count_p_positions;
use crate::proof::strategy::embedded_minnie;
use crate::rules::Play;

/// Arguments of `count`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  nimwave count minnie --heaps 4 --max 1000
  nimwave count minnie --heaps 300 --max 1e18
  nimwave count minnie --heaps 1e15 --max 30 --misere")]
pub struct Args {
    /// The game; only minnie has a proved quotient that comes with the program.
    #[arg(value_name = "GAME")]
    game: String,
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
pub fn run(args: Args, context: &Context) -> anyhow::Result<ExitCode> {
    if args.game != "minnie" {
        return Err(Error::Usage(format!(
            "`{}`: exact counts come from a proved quotient, and only minnie's comes with the program; try `nimwave count minnie`",
            args.game
        ))
        .into());
    }
    let quotient = embedded_minnie(Play::from_misere(args.misere)).quotient;
    let count = count_p_positions(&quotient, args.heaps, args.max)?.to_string();
    context.print(
        || {
            json!({
                "game": args.game,
                "misere": args.misere,
                "heaps": args.heaps,
                "max": args.max,
                "count": count,
            })
        },
        || {
            let play = if args.misere { "misère " } else { "" };
            let heaps = if args.heaps == 1 { "heap".into() } else { format!("{} heaps", args.heaps) };
            format!(
                "{count}\nP-positions of {play}{} with exactly {heaps} of sizes 1 to {}.",
                args.game, args.max
            )
        },
    );
    Ok(ExitCode::SUCCESS)
}
