//! The commands of cookie cutter.

mod plot;
mod probe;
mod query;
mod solve;
mod table;

pub use plot::PlotArgs;
pub use plot::run as plot;
pub use probe::ZeroRowsArgs;
pub use probe::run as probe;
pub use query::QueryArgs;
pub use query::run as query;
pub use solve::SolveArgs;
pub use solve::run as solve;
pub use table::run as table;
pub use table::{TableArgs, cells, range};

use super::{Context, numbers};
use crate::base::files;
use crate::base::machine::available_memory;
use crate::base::{Error, Result};
use crate::rules::{Board, Cutter};

/// Larger files are not pictures of boards.
const MOST_PICTURE: u64 = 1 << 20;

/// A board: a full grid, or a picture.
#[derive(Debug, Clone, clap::Args)]
pub struct BoardArgs {
    /// Rows of a full board.
    #[arg(long, value_name = "N", value_parser = numbers::whole::<usize>, requires = "cols", conflicts_with = "board")]
    rows: Option<usize>,
    /// Columns of a full board.
    #[arg(long, value_name = "N", value_parser = numbers::whole::<usize>, requires = "rows", conflicts_with = "board")]
    cols: Option<usize>,
    /// A picture, such as "##.\n.##" with # for a square, or the name of a file that holds one. Short lines
    /// are filled up with dots.
    #[arg(long, value_name = "PICTURE")]
    board: Option<String>,
    /// The cutter: a size as 2, a rectangle as 2x3 (rows x columns), or inf for one that covers any board.
    #[arg(long, value_name = "K", default_value = "2")]
    cutter: Cutter,
}

impl BoardArgs {
    /// The board that was asked for.
    fn board(&self) -> Result<Board> {
        let board = self.grid()?;
        if board.count() == 0 {
            return Err(Error::Usage(
                "the board has no squares, so there is no move; draw a # at least".into(),
            ));
        }
        Ok(board)
    }

    /// The full grid, or what the picture shows.
    fn grid(&self) -> Result<Board> {
        match (&self.board, self.rows, self.cols) {
            (Some(picture), _, _) => {
                let path = std::path::Path::new(picture);
                // A picture is made of # and . and line ends; anything else can only be a file.
                let is_picture = picture.chars().all(|symbol| "#.Xx_\\n\n\r ".contains(symbol));
                if is_picture {
                    return picture.parse();
                }
                // A slip in a drawn board is told by its row and column; what has no # is meant as a name.
                if !path.exists() && picture.contains('#') {
                    return picture.parse();
                }
                files::read_text(path, MOST_PICTURE).map_err(Error::io("cannot read", path))?.parse()
            }
            (None, Some(rows), Some(cols)) => Board::full(rows, cols),
            _ => Err(Error::Usage("say which board: --rows N --cols N, or --board \"##.\\n.##\"".into())),
        }
    }
}

/// Threads to use.
fn threads(context: &Context) -> usize {
    let all = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    context.globals.threads().unwrap_or_else(all)
}

/// Memory for the table of parts: what --memory allows, or half of what is free.
fn memory(context: &Context) -> Result<u64> {
    // Two empty maps take 0.6 MB, in whole pages for each shard.
    const LEAST: u64 = 1_000_000;
    match context.globals.memory {
        Some(memory) if memory < LEAST => {
            Err(Error::Budget("the search by parts needs 1 MB at least; give --memory 1e6 or more".into()))
        }
        Some(memory) => Ok(memory),
        None => Ok(available_memory().map_or(1 << 30, |free| free / 2)),
    }
}

/// `P` or `N`.
fn outcome(value: u8) -> &'static str {
    if value == 0 { "P" } else { "N" }
}
