//! `nimwave plot cookie`: a board, or a game in progress, as text or SVG.

use std::path::PathBuf;

use serde_json::json;

use super::super::Context;
use super::BoardArgs;
use crate::base::{Error, Exit, files};
use crate::plot::cookie::{svg, text_after};

/// Arguments of `plot cookie`.
#[derive(Debug, Clone, clap::Args)]
pub struct PlotArgs {
    #[command(flatten)]
    board: BoardArgs,
    /// Moves played, such as "1,1 0,3": row and column of the cutter's first corner, from 1; 0 and less hang
    /// over.
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true, default_value = "")]
    moves: String,
    /// Write an SVG file; without it the picture is printed as text.
    #[arg(long, short, value_name = "FILE.svg")]
    out: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &PlotArgs, context: &Context) -> anyhow::Result<Exit> {
    let (board, cutter) = (args.board.board()?, args.board.cutter);
    let mut moves = Vec::new();
    let mut now = board.clone();
    for word in args.moves.split_whitespace() {
        let corner = word
            .split_once(',')
            .and_then(|(row, col)| Some((row.parse::<i64>().ok()?, col.parse::<i64>().ok()?)));
        let Some((top, left)) = corner.map(|(row, col)| (row.saturating_sub(1), col.saturating_sub(1)))
        else {
            return Err(Error::Usage(format!("'{word}' is not a move; write row,column as 1,3")).into());
        };
        let next = now.cut(cutter, top, left);
        if next == now {
            return Err(Error::Usage(format!("the move {word} covers no square that is left")).into());
        }
        moves.push((top, left));
        now = next;
    }
    match &args.out {
        Some(path)
            if !files::is_standard_output(path)
                && path.extension().is_none_or(|extension| extension != "svg") =>
        {
            let problem =
                format!("{} would hold an SVG picture; give a name that ends with .svg", path.display());
            return Err(Error::Usage(problem).into());
        }
        Some(path) => {
            files::save(path, svg(&board, cutter, &moves).as_bytes())?;
            context.print_beside(
                Some(path),
                || json!({ "file": path, "board": now.to_string(), "moves": moves.len() }),
                || format!("picture in {}", path.display()),
            );
        }
        None => context.print(
            || json!({ "board": now.to_string(), "moves": moves.len() }),
            || if moves.is_empty() { board.to_string() } else { text_after(&board, cutter, &moves) },
        ),
    }
    Ok(Exit::Done)
}
