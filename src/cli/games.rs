//! `nimwave games`: every game that the program knows.

use std::process::ExitCode;

use serde_json::json;

use super::Context;
use crate::rules::catalog;

/// Arguments of `games`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only the game of this name.
    name: Option<String>,
}

/// Runs the command.
pub fn run(args: Args, context: &Context) -> anyhow::Result<ExitCode> {
    let games = match &args.name {
        Some(name) => vec![catalog::find_any(name)?],
        None => catalog::all(),
    };
    let describe = |game: &catalog::GameInfo| {
        format!(
            "{}: {}\n    source:     {}\n    parameters: {}\n    example:    {}\n",
            game.name, game.moves, game.source, game.parameters, game.example
        )
    };
    context.print(|| json!(games), || games.iter().map(describe).collect());
    Ok(ExitCode::SUCCESS)
}
