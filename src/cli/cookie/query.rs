//! `nimwave query cookie`: value, outcome and every winning placement of a board, drawn.

use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::json;

use super::super::Context;
use super::{BoardArgs, memory, outcome, threads};
use crate::base::Control;
use crate::base::{Error, Result};
use crate::plot::cookie::text_after;
use crate::rules::{Board, Cookie, Cutter};
use crate::search::cookie::Solver;
use crate::space::Space;
use crate::table::Reader;

/// Arguments of `query cookie`.
#[derive(Debug, Clone, clap::Args)]
pub struct QueryArgs {
    #[command(flatten)]
    board: BoardArgs,
    /// Read the values from this dense table instead of searching; the board may be smaller than the table's.
    #[arg(long, value_name = "DIR")]
    table: Option<PathBuf>,
}

/// A value, and the placements that win.
type Answer = (u8, Vec<(i64, i64)>);

/// Runs the command.
pub fn run(args: &QueryArgs, context: &Context) -> anyhow::Result<ExitCode> {
    let (board, cutter) = (args.board.board()?, args.board.cutter);
    let (value, placements) = match &args.table {
        Some(folder) => look_up(&Reader::open(folder)?, &board, cutter)?,
        None => search(&board, cutter, context)?,
    };
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

fn search(board: &Board, cutter: Cutter, context: &Context) -> Result<Answer> {
    let solver = Solver::new(board.rows(), board.cols(), cutter, memory(context)?)?;
    let threads = threads(context);
    let control = Control::stopped_by(&context.stop);
    let interrupted = || Error::Interrupted { done: 0, total: 1 };
    let value = solver.value(board, threads, &control)?.ok_or_else(interrupted)?;
    let placements = solver.winning_placements(board, threads, &control)?.ok_or_else(interrupted)?;
    Ok((value, placements))
}

/// Reads the value of the board and those of its options. A board keeps its value in a corner of a larger one.
fn look_up(reader: &Reader, board: &Board, cutter: Cutter) -> Result<Answer> {
    let (grid, Cookie { cutter: stored }) = reader.boards()?;
    let mismatch = |problem: String, remedy: &str| Error::Mismatch {
        path: reader.folder().to_path_buf(),
        problem,
        remedy: remedy.into(),
    };
    if stored != cutter {
        let problem = format!("holds cutter {stored}, not {cutter}");
        return Err(mismatch(problem, &format!("ask with --cutter {stored}, or give another table")));
    }
    if board.rows() > grid.rows() || board.cols() > grid.cols() {
        let problem = format!(
            "holds boards of at most {}x{}, not {}x{}",
            grid.rows(),
            grid.cols(),
            board.rows(),
            board.cols()
        );
        return Err(mismatch(problem, "leave out --table to search"));
    }
    let value = |board: &Board| -> Result<u16> {
        let mut large = Board::empty(grid.rows(), grid.cols())?;
        for row in 0..board.rows() {
            (0..board.cols()).for_each(|col| large.set(row, col, board.has(row, col)));
        }
        reader.get(grid.rank(&large))
    };
    let mut winning = Vec::new();
    for (placement, option) in (Cookie { cutter }).distinct_options(board) {
        if value(&option)? == 0 {
            winning.push(placement);
        }
    }
    let value = u8::try_from(value(board)?).map_err(|_| {
        mismatch("has a value that no board of so few squares has".into(), "check it with `nimwave verify`")
    })?;
    Ok((value, winning))
}
