//! `nimwave plot octal`: a picture of a nim-sequence.

use super::super::{Context, numbers};
use super::{any_game, check_terms};
use crate::base::{Exit, machine};
use crate::plot::{Sequence, proved_period};
use crate::sweep::{Job, OctalJob};

/// Arguments of `plot octal`.
#[derive(Debug, Clone, clap::Args)]
pub struct PlotArgs {
    /// The code or name, as for solve.
    #[arg(value_name = "CODE", required = true, num_args = 1..=2)]
    code: Vec<String>,
    /// The number of terms.
    #[arg(long, value_name = "N", value_parser = numbers::count, default_value = "30000")]
    terms: u64,
    /// What to draw.
    #[arg(long, value_enum, default_value = "points")]
    kind: super::super::plot::Kind,
    #[command(flatten)]
    picture: super::super::plot::PictureArgs,
}

/// Runs `plot octal`.
pub fn run(args: &PlotArgs, context: &Context) -> anyhow::Result<Exit> {
    check_terms(args.terms)?;
    args.picture.check()?;
    let game = any_game(&args.code)?;
    let job = OctalJob::new(game.clone(), args.terms);
    machine::check_memory(job.file_bytes()?, context.globals.memory, "ask for fewer --terms")?;
    let progress = context.progress(&format!("octal {game}")).counting("term");
    let table = job.solve(None, &context.control(&progress))?;
    progress.finish();
    let cells = table.cells();
    let name = game.full_name();
    let sequence = Sequence {
        name: &name,
        of: "a heap of n",
        outcomes: false,
        period: proved_period(&game, args.terms, &|n| cells.get(n)),
        from: 0,
        terms: args.terms,
        value: &|n| Some(cells.get(n)),
    };
    super::super::plot::save_sequence(&sequence, args.kind, &args.picture, context)?;
    Ok(Exit::Done)
}
