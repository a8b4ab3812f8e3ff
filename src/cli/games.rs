//! `nimwave games`: every game that the program knows.

use serde_json::json;

use super::Context;
use crate::base::Exit;
use crate::game;

/// Arguments of `games`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  nimwave games\n  nimwave games wythoff")]
pub struct Args {
    /// Only the game of this name.
    name: Option<String>,
}

/// Runs the command.
pub fn run(args: Args, context: &Context) -> anyhow::Result<Exit> {
    let games = match &args.name {
        Some(name) => vec![game::find(name)?],
        None => game::all(),
    };
    let describe = |game: &&'static game::Entry| {
        format!(
            "{}: {}\n    source:     {}\n    parameters: {}\n    example:    {}\n",
            game.name,
            game.moves,
            game.source,
            game.usage(),
            game.example_of("query")
        )
    };
    context.print(
        || {
            let entry = |game: &&'static game::Entry| {
                json!({
                    "name": game.name, "source": game.source, "moves": game.moves,
                    "parameters": game.usage(), "example": game.example_of("query"),
                })
            };
            games.iter().map(entry).collect()
        },
        || games.iter().map(describe).collect(),
    );
    Ok(Exit::Done)
}
