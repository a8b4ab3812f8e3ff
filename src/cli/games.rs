//! `nimwave games`: every game that the program knows.

use std::process::ExitCode;

use serde_json::json;

use super::Context;
use crate::game;

/// Arguments of `games`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  nimwave games\n  nimwave games wythoff")]
pub struct Args {
    /// Only the game of this name.
    name: Option<String>,
}

/// Runs the command.
pub fn run(args: Args, context: &Context) -> anyhow::Result<ExitCode> {
    let games = match &args.name {
        Some(name) => vec![game::find_any(name)?],
        None => game::all(),
    };
    let describe = |game: &game::GameInfo| {
        format!(
            "{}: {}\n    source:     {}\n    parameters: {}\n    example:    {}\n",
            game.name, game.moves, game.source, game.parameters, game.example
        )
    };
    context.print(|| json!(games), || games.iter().map(describe).collect());
    Ok(ExitCode::SUCCESS)
}
