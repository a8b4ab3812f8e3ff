//! `nimwave export`: a table, or a part of it, for people and other programs.

use std::path::PathBuf;

use serde_json::json;

use super::{Context, numbers};
use crate::base::{Error, Exit, files};
use crate::export::{Choice, Format, dataset, write};
use crate::table::Reader;

/// Arguments of `export`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  nimwave export m4 --format csv --p-positions --out p.csv
  nimwave export m2 --format bfile --row 7                  # the values of [7,0], [7,1], ... as n a(n)
  nimwave export m3 --format npy --slice 4 --out slice.npy  # the matrix of [4,x,y]
  nimwave export c5 --format csv --p-positions              # the lost boards: number (bit row * cols + col) and squares")]
pub struct Args {
    /// The table's folder.
    #[arg(value_name = "DIR")]
    table: PathBuf,
    /// The format.
    #[arg(long, value_enum)]
    format: Format,
    /// Only the P-positions: of heaps, those whose heaps are all non-empty.
    #[arg(long, group = "what")]
    p_positions: bool,
    /// One heap runs, the others are these, such as 4,6.
    #[arg(long, group = "what", value_name = "HEAPS")]
    row: Option<String>,
    /// Two heaps run, the others are these, such as 4,6; "" for a table of two heaps.
    #[arg(long, group = "what", value_name = "HEAPS")]
    slice: Option<String>,
    /// The first n of a b-file: terms before a(N) are left out.
    #[arg(long, value_name = "N", value_parser = numbers::count, default_value = "0")]
    offset: u64,
    /// Write to this file instead of standard output, which is -.
    #[arg(long, value_name = "FILE", default_value = files::STANDARD_OUTPUT, hide_default_value = true)]
    out: PathBuf,
}

impl Args {
    /// Whether the table is written to standard output, so that nothing else can be.
    pub fn writes_to_standard_output(&self) -> bool {
        files::is_standard_output(&self.out)
    }
}

/// Runs the command.
pub fn run(args: Args, context: &Context) -> anyhow::Result<Exit> {
    let reader = Reader::open(&args.table)?;
    let fixed = |text: &String| numbers::position(std::slice::from_ref(text)).map_err(Error::Usage);
    let choice = match (args.p_positions, &args.row, &args.slice) {
        (true, ..) => Choice::PPositions,
        (_, Some(heaps), _) => Choice::Row(fixed(heaps)?),
        (_, _, Some(heaps)) => Choice::Slice(fixed(heaps)?),
        _ => Choice::All,
    };
    write(&*dataset(&reader, choice)?, args.format, args.offset, &args.out)?;
    if !args.writes_to_standard_output() {
        context.print(
            || json!({ "table": args.table, "format": format!("{:?}", args.format).to_lowercase(), "file": args.out }),
            || format!("{} written", args.out.display()),
        );
    }
    Ok(Exit::Done)
}
