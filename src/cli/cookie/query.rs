//! `nimwave query cookie`: value, outcome and every winning placement of a board, drawn.

use std::process::ExitCode;

use serde_json::json;

use super::super::Context;
use super::{BoardArgs, memory, outcome, threads};
use crate::analysis::cookie::{Solver, Stop};
use crate::error::Error;
use crate::plot::cookie::text_after;

/// Arguments of `query cookie`.
#[derive(Debug, Clone, clap::Args)]
pub struct QueryArgs {
    #[command(flatten)]
    board: BoardArgs,
}

/// Runs the command.
pub fn run(args: &QueryArgs, context: &Context) -> anyhow::Result<ExitCode> {
    let (board, cutter) = (args.board.board()?, args.board.cutter);
    let solver = Solver::new(board.rows(), board.cols(), cutter, memory(context)?)?;
    let threads = threads(context);
    let stop = Stop { flag: &context.stop, deadline: None };
    let interrupted = || Error::Interrupted { done: 0, total: 1 };
    let value = solver.value(&board, threads, &stop)?.ok_or_else(interrupted)?;
    let placements = solver.winning_placements(&board, threads, &stop)?.ok_or_else(interrupted)?;
    context.print(
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
                "outcome": outcome(value),
                "winning_moves": moves,
            })
        },
        || {
            let mut text = format!("{board}\ncutter {cutter}: value {value}, {}-position\n", outcome(value));
            text += &match placements.len() {
                0 => "no winning move\n".into(),
                1 => "1 winning move (o marks what is taken):\n".into(),
                count => format!("{count} winning moves (o marks what is taken):\n"),
            };
            for &(top, left) in &placements {
                text += &format!("\nrow {}, column {}:\n{}\n", top + 1, left + 1, text_after(&board, cutter, &[(top, left)]));
            }
            text
        },
    );
    Ok(ExitCode::SUCCESS)
}
