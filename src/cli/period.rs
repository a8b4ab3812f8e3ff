//! `nimwave period`: proved periods of sequences of values.

use clap::Subcommand;

use super::{Context, minnie_row};
use crate::base::Exit;

/// Arguments of `period`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    sequence: Sequence,
}

#[derive(Debug, Subcommand)]
enum Sequence {
    /// A row of Grundy values of minnie: fixed heaps, and one heap that runs.
    MinnieRow(minnie_row::Args),
    /// The nim-sequence of an octal game, by the Guy–Smith theorem.
    #[command(after_help = "Example:\n  nimwave period octal 0.16 --certificate 0.16.json")]
    Octal(super::octal::PeriodArgs),
}

/// Runs the command.
pub fn run(args: Args, context: &Context) -> anyhow::Result<Exit> {
    match args.sequence {
        Sequence::MinnieRow(args) => minnie_row::run(args, context),
        Sequence::Octal(args) => super::octal::period(&args, context),
    }
}
