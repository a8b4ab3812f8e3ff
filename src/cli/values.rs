//! `nimwave values`: terms, a row or a matrix of a game, without a folder.

use std::time::Duration;

use clap::Subcommand;

use super::heap_games::HeapGame;
use super::slices::{OutputArgs, RangeArgs, SliceArgs};
use super::{Context, numbers, signals};
use crate::base::{Error, Exit, Result};
use crate::export::{Choice, Dataset, Format, Window, computed};
use crate::game::Game;
use crate::table::Quantity;

/// How many terms of a nim-sequence are shown if nothing is said.
const TERMS: u64 = 100;
/// The last heap of a row, and of a matrix.
const ROW_TO: u64 = 40;
const MATRIX_TO: u64 = 12;

/// Arguments of `values`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  nimwave values octal 0.6 --terms 100
  nimwave values octal kayles --format bfile --to 1000 --out b002186.txt
  nimwave values minnie --row 4,5 --to 60                    # G(4, 5, n) for n up to 60
  nimwave values minnie --matrix 4 --format latex            # G(4, x, y) as a LaTeX array
  nimwave values wythoff --matrix \"\" --outcomes --misere
  nimwave values rule 'take s from one heap where s <= 2*min' --matrix \"\" --to 20")]
pub struct Args {
    #[command(subcommand)]
    game: Which,
    /// Work for so long at most, such as 90s, 10m or 2h; without it, what is estimated to take more than a
    /// minute is refused.
    #[arg(long, global = true, value_name = "TIME", value_parser = numbers::duration)]
    time: Option<Duration>,
}

#[derive(Debug, Subcommand)]
enum Which {
    #[command(flatten)]
    Heaps(HeapGame<HeapArgs>),
    /// The nim-sequence of an octal game, Grundy's game or a subtraction game.
    #[command(after_help = "Examples:
  nimwave values octal 0.6 --terms 100
  nimwave values octal kayles --from 60 --to 90 --json
  nimwave values octal 0.137 --format oeis")]
    Octal(OctalArgs),
}

/// A row or a matrix of a heap game.
#[derive(Debug, Clone, clap::Args)]
pub struct HeapArgs {
    #[command(flatten)]
    pub slice: HeapSlice,
    #[command(flatten)]
    output: OutputArgs,
}

/// Which entries of a heap game.
#[derive(Debug, Clone, clap::Args)]
pub struct HeapSlice {
    #[command(flatten)]
    slice: SliceArgs,
    #[command(flatten)]
    range: RangeArgs,
    /// Outcomes instead of values.
    #[arg(long)]
    outcomes: bool,
    /// Misère play: who cannot move wins.
    #[arg(long)]
    pub misere: bool,
}

/// Terms of a nim-sequence.
#[derive(Debug, Clone, clap::Args)]
pub struct OctalArgs {
    #[command(flatten)]
    pub terms: OctalTerms,
    #[command(flatten)]
    output: OutputArgs,
}

/// Which terms of which nim-sequence.
#[derive(Debug, Clone, clap::Args)]
pub struct OctalTerms {
    /// The code or name, as for solve.
    #[arg(value_name = "CODE", required = true, num_args = 1..=2)]
    code: Vec<String>,
    /// The number of terms, from G(0) on; 100 by default.
    #[arg(long, value_name = "N", value_parser = numbers::count, conflicts_with = "to")]
    terms: Option<u64>,
    #[command(flatten)]
    range: RangeArgs,
    /// Outcomes of single heaps instead of values.
    #[arg(long)]
    outcomes: bool,
}

impl Args {
    /// Whether the values are written to standard output, so that nothing else can be.
    pub fn writes_to_standard_output(&self) -> bool {
        match &self.game {
            // The arguments of a heap game are behind its parameters; with --json they are the result as well.
            Which::Heaps(_) => false,
            Which::Octal(args) => args.output.writes_to_standard_output() && args.output.format().is_some(),
        }
    }
}

/// Runs the command.
pub fn run(args: Args, context: &Context) -> anyhow::Result<Exit> {
    let (data, output, all) = match args.game {
        Which::Octal(octal) => {
            let all = octal.terms.terms.or(octal.terms.range.to).is_some();
            (octal.terms.data(octal.output.format(), args.time, context)?, octal.output, all)
        }
        Which::Heaps(game) => {
            let (game, args_of) = game.game(|args| args.slice.misere)?;
            let all = args_of.slice.range.to.is_some();
            (args_of.slice.data(&game, args_of.output.format(), args.time, context)?, args_of.output, all)
        }
    };
    output.write(&*data, all, None, context)?;
    Ok(Exit::Done)
}

impl OctalTerms {
    /// The terms, computed.
    pub fn data(
        &self,
        format: Option<Format>,
        time: Option<Duration>,
        context: &Context,
    ) -> Result<Box<dyn Dataset>> {
        let game = Game::octal(super::octal::any_game(&self.code)?);
        let terms = match self.terms {
            Some(0) => return Err(Error::Usage("--terms 0: a sequence needs at least one term".into())),
            Some(terms) => terms,
            None if format == Some(Format::Bfile) => crate::export::MOST_TERMS,
            None => TERMS.max(self.range.from.saturating_add(TERMS)),
        };
        let window = self.range.window(Some(terms - 1));
        super::octal::check_terms(window.to.unwrap_or(0).saturating_add(1))?;
        check_cells(format, window, 1)?;
        work(&game, Choice::Row(Vec::new()), window, self.outcomes, time, context)
    }
}

impl HeapSlice {
    /// The row or the matrix, computed: a matrix of two heaps by default, or a row where heaps do not interact.
    pub fn data(
        &self,
        game: &Game,
        format: Option<Format>,
        time: Option<Duration>,
        context: &Context,
    ) -> Result<Box<dyn Dataset>> {
        let choice = match self.slice.choice()? {
            Some(choice) => choice,
            None if game.on_heaps()?.is_written_sum(game.play()) => Choice::Row(Vec::new()),
            None => Choice::Slice(Vec::new()),
        };
        let sequence = matches!(format, Some(Format::Bfile | Format::Oeis));
        let to = if sequence || matches!(choice, Choice::Row(_)) { ROW_TO } else { MATRIX_TO };
        let window = self.range.window(Some(self.range.from.saturating_add(to)));
        check_cells(format, window, if matches!(choice, Choice::Row(_)) { 1 } else { 2 })?;
        work(game, choice, window, self.outcomes, time, context)
    }
}

/// Refuses what the format cannot lay out before it is computed.
fn check_cells(format: Option<Format>, window: Window, axes: u32) -> Result<()> {
    let side = window.to.unwrap_or(0).saturating_sub(window.from).saturating_add(1);
    format.unwrap_or(Format::Text).check_cells(side.checked_pow(axes).unwrap_or(u64::MAX))
}

fn work(
    game: &Game,
    choice: Choice,
    window: Window,
    outcomes: bool,
    time: Option<Duration>,
    context: &Context,
) -> Result<Box<dyn Dataset>> {
    let quantity = if outcomes { Quantity::Outcomes } else { Quantity::Values };
    let progress = context.progress("values");
    let control = context.control(&progress).with_time(time);
    signals::end_soon_after(control.deadline);
    let data = computed(game, choice, window, quantity, context.globals.memory, &control);
    progress.finish();
    data
}
