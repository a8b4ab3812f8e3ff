//! `nimwave query cookie`: value, outcome and every winning placement of a board, drawn.

use std::path::PathBuf;

use serde_json::json;

use super::super::query::Asking;
use super::super::slices::open_table;
use super::{BoardArgs, memory};
use crate::answer::ask_board;
use crate::base::Result;
use crate::plot::cookie::text_after;
use crate::rules::Cookie;

/// Arguments of `query cookie`.
#[derive(Debug, Clone, clap::Args)]
pub struct QueryArgs {
    #[command(flatten)]
    board: BoardArgs,
    /// Read the values from this dense table instead of searching; the board may be smaller than the table's.
    #[arg(long, value_name = "DIR")]
    table: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &QueryArgs, asking: &Asking<'_>) -> Result<()> {
    let (board, cutter) = (args.board.board()?, args.board.cutter);
    let table = args.table.as_deref().map(|table| open_table(table, asking.context)).transpose()?;
    let memory = memory(asking.context)?;
    let answer = asking
        .work(|control| ask_board(Cookie { cutter }, &board, table.as_ref(), &control.with_memory(memory)))?;
    let (value, outcome, placements) = (answer.value, answer.outcome, &answer.winning_moves);
    asking.context.print(
        || {
            let moves: Vec<_> = placements
                .iter()
                .map(|&(top, left)| json!({ "top": top, "left": left, "leaves": board.cut(cutter, top, left).to_string() }))
                .collect();
            json!({
                "game": "cookie",
                "board": board.to_string(),
                "position": board.to_string(),
                "rows": board.rows(),
                "cols": board.cols(),
                "cutter": cutter.to_string(),
                "value": value,
                "outcome": outcome,
                "winning_moves": moves,
            })
        },
        || {
            let mut text = format!("{board}\ncutter {cutter}: value {}, {}-position\n", value.unwrap_or_default(), outcome.letter());
            text += &match placements.len() {
                0 => "no winning move\n".into(),
                1 => "1 winning move (o marks what is taken):\n".into(),
                count => format!("{count} winning moves (o marks what is taken):\n"),
            };
            for &(top, left) in placements {
                text += &format!("\nrow {}, column {}:\n{}\n", top + 1, left + 1, text_after(&board, cutter, &[(top, left)]));
            }
            text
        },
    );
    Ok(())
}
