//! `nimwave export`: a table, or a part of it, for people and other programs.

use std::path::PathBuf;

use super::Context;
use super::slices::{OutputArgs, RangeArgs, SliceArgs, open_table};
use crate::base::Exit;
use crate::export::{Choice, dataset};

/// Arguments of `export`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  nimwave export m4 --p-positions --out p.csv                # the name says the format
  nimwave export m2 --format bfile --row 7                   # the values of [7,0], [7,1], ... as n a(n)
  nimwave export m3 --format latex --matrix 4 --to 12        # the matrix of [4,x,y], to be pasted into a paper
  nimwave export m3 --format npy --matrix 4 --out matrix.npy
  nimwave export officers --format text --from 900 --to 999  # some terms of a sequence
  nimwave export c5 --format csv --p-positions               # the lost boards: number (bit row * cols + col) and squares")]
pub struct Args {
    /// The table's folder.
    #[arg(value_name = "DIR")]
    table: PathBuf,
    /// Only the P-positions: of heaps, those whose heaps are all non-empty.
    #[arg(long, group = "what")]
    p_positions: bool,
    #[command(flatten)]
    slice: SliceArgs,
    #[command(flatten)]
    range: RangeArgs,
    #[command(flatten)]
    output: OutputArgs,
}

impl Args {
    /// Whether the table is written to standard output, so that nothing else can be.
    pub fn writes_to_standard_output(&self) -> bool {
        self.output.writes_to_standard_output()
    }
}

/// Runs the command.
pub fn run(args: Args, context: &Context) -> anyhow::Result<Exit> {
    let reader = open_table(&args.table, context)?;
    let whole = if args.p_positions { Choice::PPositions } else { Choice::All };
    let choice = args.slice.choice()?.unwrap_or(whole);
    let data = dataset(&reader, choice, args.range.window(None))?;
    args.output.write(&*data, args.range.to.is_some(), Some(&args.table), context)?;
    Ok(Exit::Done)
}
