//! `nimwave plot`: pictures as PNG and SVG files.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Subcommand, ValueEnum};
use serde_json::json;

use super::slices::{fixed_heaps, open_table};
use super::{Context, cookie, numbers, octal};
use crate::base::shell::quoted_path;
use crate::base::{Error, Exit, Result, files};
use crate::game::Game;
use crate::plot::{
    Figure, Format, Sequence, Slice, cookie_table, count_values, growth_of_maximum, heat_map, points,
    proved_period, value_histogram,
};
use crate::rules::notation::show_heaps;
use crate::rules::{Cutter, OctalGame};
use crate::space::{SortedHeaps, Space};
use crate::table::{Positions, Reader};

/// Arguments of `plot`.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:
  nimwave plot m4 --out m4.png                              # of any table what there is to see
  nimwave plot octal 0.6 --terms 1e6 --out fig.png          # the values of an octal game
  nimwave plot sequence officers --kind maximum --out m.svg # how the maximum of a stored sequence grows
  nimwave plot slice m4 --matrix 4,6 --out slice.png        # outcomes of [4,6,x,y]
  nimwave plot cookie-table --cutter 2 --out cookie.png     # values of full boards"
)]
pub struct Args {
    #[command(flatten)]
    table: AnyArgs,
    #[command(subcommand)]
    what: Option<What>,
}

/// A table of any kind. What must be there may be missing here, because it is where a subcommand is given.
#[derive(Debug, clap::Args)]
struct AnyArgs {
    /// The folder of a table, of which the picture fits what it holds: a sequence, a slice with something to see, or
    /// how often each value comes.
    #[arg(value_name = "DIR", required = true)]
    table: Option<PathBuf>,
    /// Of a heap table: two heaps run, the others are these, such as 4,6; missing ones are absent.
    #[arg(long, aliases = ["fixed", "slice"], value_name = "HEAPS", conflicts_with = "row")]
    matrix: Option<String>,
    /// Of a heap table: one heap runs, the others are these, such as 4,6.
    #[arg(long, value_name = "HEAPS")]
    row: Option<String>,
    /// What to draw of a sequence or a row; a histogram also of a table.
    #[arg(long, value_enum)]
    kind: Option<Kind>,
    /// The first n of a sequence or a row.
    #[arg(long, value_name = "N", value_parser = numbers::count)]
    from: Option<u64>,
    /// The last n, or the largest heap of a slice.
    #[arg(long, alias = "max", value_name = "N", value_parser = numbers::count)]
    to: Option<u64>,
    /// The picture: a .png or .svg file; - for a PNG on standard output.
    #[arg(long, short, value_name = "FILE", required = true)]
    out: Option<PathBuf>,
    /// The title, instead of the game's name.
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// The width of the chart between its axes, in pixels.
    #[arg(long, value_name = "PIXELS", value_parser = width)]
    width: Option<u32>,
    /// Everything so many times as large: for posters and fine screens; 1 by default.
    #[arg(long, value_name = "N", value_parser = scale)]
    scale: Option<u32>,
}

#[derive(Debug, Subcommand)]
enum What {
    /// A stored sequence, or a row of a heap table.
    #[command(after_help = "Examples:
  nimwave plot sequence officers --to 1e6 --out points.png
  nimwave plot sequence m2v --row 7 --kind histogram --out row.svg")]
    Sequence(SequenceArgs),
    /// A heap table with two free heaps: outcomes, or values as a heat map.
    #[command(after_help = "Example:\n  nimwave plot slice m4 --matrix 4,6 --to 100 --out slice.png")]
    Slice(SliceArgs),
    /// How often each value comes in a table of values.
    #[command(after_help = "Example:\n  nimwave plot histogram m2v --out histogram.png")]
    Histogram(TableArgs),
    /// The values of an octal game.
    #[command(after_help = "Example:\n  nimwave plot octal 0.6 --terms 30000 --out fig.png")]
    Octal(octal::PlotArgs),
    /// A cookie cutter board, or a game in progress.
    #[command(
        after_help = "Example:\n  nimwave plot cookie --rows 3 --cols 5 --moves \"1,1 0,4\" --out game.svg"
    )]
    Cookie(cookie::PlotArgs),
    /// Cookie cutter: the values of full boards, rows by columns.
    #[command(
        after_help = "Example:\n  nimwave plot cookie-table --cutter 2 --rows 1..4 --cols 1..12 --time 10s --out cookie.png"
    )]
    CookieTable(CookieTableArgs),
}

/// What to draw of a sequence.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// The points (n, G(n)), as a density where they are many.
    #[default]
    Points,
    /// How often each value comes.
    Histogram,
    /// The largest value up to n.
    Maximum,
}

/// Where a picture goes, and what it looks like.
#[derive(Debug, Clone, clap::Args)]
pub struct PictureArgs {
    /// The picture: a .png or .svg file; - for a PNG on standard output.
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// The title, instead of the game's name.
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// The width of the chart between its axes, in pixels.
    #[arg(long, value_name = "PIXELS", value_parser = width)]
    width: Option<u32>,
    /// Everything so many times as large: for posters and fine screens.
    #[arg(long, value_name = "N", value_parser = scale, default_value = "1")]
    scale: u32,
}

fn width(text: &str) -> std::result::Result<u32, String> {
    match numbers::whole(text)? {
        width @ 50..=10_000 => Ok(width),
        _ => Err("the width must be from 50 to 10000 pixels".into()),
    }
}

fn scale(text: &str) -> std::result::Result<u32, String> {
    match numbers::whole(text)? {
        scale @ 1..=8 => Ok(scale),
        _ => Err("the scale must be from 1 to 8".into()),
    }
}

impl PictureArgs {
    /// Says that a picture cannot be written under this name before a long table is read.
    pub fn check(&self) -> Result<()> {
        Format::of(&self.out)?;
        files::check_output(&self.out)
    }

    /// Saves a figure and says so.
    fn save(&self, mut figure: Figure, context: &Context) -> Result<()> {
        if let Some(title) = &self.title {
            figure.title = title.clone();
        }
        figure.save(&self.out, self.scale)?;
        let (width, height) = figure.outer_size();
        let (width, height) = (width * self.scale, height * self.scale);
        context.print_beside(
            Some(&self.out),
            || json!({ "file": self.out, "title": figure.title, "width": width, "height": height }),
            || format!("{}, {}\npicture in {}", figure.title, figure.subtitle, self.out.display()),
        );
        Ok(())
    }
}

#[derive(Debug, clap::Args)]
struct SequenceArgs {
    /// The folder of a stored sequence, or of a heap table.
    #[arg(value_name = "DIR")]
    table: PathBuf,
    /// Of a heap table: one heap runs, the others are these, such as 4,6.
    #[arg(long, value_name = "HEAPS")]
    row: Option<String>,
    /// What to draw.
    #[arg(long, value_enum, default_value = "points")]
    kind: Kind,
    /// The first n.
    #[arg(long, value_name = "N", value_parser = numbers::count, default_value = "0")]
    from: u64,
    /// The last n; the whole sequence by default.
    #[arg(long, value_name = "N", value_parser = numbers::count)]
    to: Option<u64>,
    #[command(flatten)]
    picture: PictureArgs,
}

#[derive(Debug, clap::Args)]
struct SliceArgs {
    /// The table's folder.
    #[arg(value_name = "DIR")]
    table: PathBuf,
    /// Two heaps run, the others are these, such as 4,6; missing ones are absent.
    #[arg(long, aliases = ["fixed", "slice"], value_name = "HEAPS", default_value = "")]
    matrix: String,
    /// Heaps up to this; the table's largest by default.
    #[arg(long, alias = "max", value_name = "N", value_parser = numbers::heap)]
    to: Option<u32>,
    #[command(flatten)]
    picture: PictureArgs,
}

#[derive(Debug, clap::Args)]
struct TableArgs {
    /// The table's folder.
    #[arg(value_name = "DIR")]
    table: PathBuf,
    #[command(flatten)]
    picture: PictureArgs,
}

#[derive(Debug, clap::Args)]
struct CookieTableArgs {
    /// The cutter: a size as 2, a rectangle as 2x3, or inf.
    #[arg(long, value_name = "K")]
    cutter: Cutter,
    /// Rows, such as 1..6 or 4.
    #[arg(long, value_name = "A..B", default_value = "1..4", value_parser = cookie::range)]
    rows: RangeInclusive<usize>,
    /// Columns, such as 1..15 or 7.
    #[arg(long, value_name = "A..B", default_value = "1..12", value_parser = cookie::range)]
    cols: RangeInclusive<usize>,
    /// The time to spend, such as 10m; cells that need more stay open.
    #[arg(long, value_name = "TIME", value_parser = numbers::duration, default_value = "10s")]
    time: Duration,
    /// The file in which `table cookie` keeps solved cells.
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    #[command(flatten)]
    picture: PictureArgs,
}

impl Args {
    /// Whether the cells found so far are kept when it is stopped.
    pub fn keeps_what_it_found(&self) -> bool {
        matches!(self.what, Some(What::CookieTable(_)))
    }
}

/// Runs the command.
pub fn run(args: Args, context: &Context) -> anyhow::Result<Exit> {
    match args.what {
        Some(What::Sequence(args)) => sequence(&args, context)?,
        Some(What::Slice(args)) => slice(&args, context)?,
        Some(What::Histogram(args)) => histogram(&args, context)?,
        Some(What::Octal(args)) => return octal::plot(&args, context),
        Some(What::Cookie(args)) => return cookie::plot(&args, context),
        Some(What::CookieTable(args)) => cookie_cells(&args, context)?,
        None => any(args.table, context)?,
    }
    Ok(Exit::Done)
}

/// Draws what there is to see of a table.
fn any(args: AnyArgs, context: &Context) -> Result<()> {
    let AnyArgs { table, matrix, row, kind, from, to, out, title, width, scale } = args;
    // The command line is not understood without them.
    let (table, out) = (table.unwrap_or_default(), out.unwrap_or_default());
    let picture = PictureArgs { out, title, width, scale: scale.unwrap_or(1) };
    if !table.exists()
        && let Some(name) = table.to_str().filter(|name| OctalGame::read(name).is_ok())
    {
        return Err(Error::Usage(format!(
            "there is no folder {name}; of the octal game: nimwave plot octal {name} --out {}",
            quoted_path(&picture.out)
        )));
    }
    picture.check()?;
    let reader = open_table(&table, context)?;
    let (_, positions) = reader.contents()?;
    let is_line = matches!(&positions, Positions::Line);
    let single = matches!(&positions, Positions::Heaps(space) if space.heaps() == 1);
    if is_line || single || row.is_some() {
        let (kind, from) = (kind.unwrap_or_default(), from.unwrap_or(0));
        return draw_sequence(&reader, &SequenceArgs { table, row, kind, from, to, picture }, context);
    }
    match (positions, kind) {
        (Positions::Heaps(space), None) if from.is_none() => {
            let (game, _) = reader.heap_table()?;
            let to = to.map(|to| u32::try_from(to).unwrap_or(u32::MAX));
            let slice = match &matrix {
                Some(heaps) => Slice::of_table(&reader, &space, &fixed_heaps(heaps)?, to, &game)?,
                None => slice_worth_seeing(&reader, &space, to, &game)?,
            };
            picture.save(heat_map(&slice, picture.width), context)
        }
        (_, None | Some(Kind::Histogram)) if from.is_none() && to.is_none() && matrix.is_none() => {
            draw_histogram(&reader, &picture, context)
        }
        _ => Err(Error::Usage(
            "--kind maximum or points and --from are for sequences and rows: choose a row of this table with --row HEAPS"
                .into(),
        )),
    }
}

/// The slice that a report begins with, as far as it is wanted.
fn slice_worth_seeing(reader: &Reader, space: &SortedHeaps, to: Option<u32>, game: &Game) -> Result<Slice> {
    let fixed = crate::report::worth_seeing(reader, space, game)?.into_iter().next().map(|slice| slice.fixed);
    Slice::of_table(reader, space, &fixed.unwrap_or_default(), to, game)
}

/// Draws a sequence and saves the picture.
pub fn save_sequence(
    sequence: &Sequence<'_>,
    kind: Kind,
    picture: &PictureArgs,
    context: &Context,
) -> Result<()> {
    let width = picture.width;
    let figure = match kind {
        Kind::Points => points(sequence, width),
        Kind::Histogram => value_histogram(sequence.name, &count_values(sequence), "terms", width),
        Kind::Maximum => growth_of_maximum(sequence, width),
    };
    picture.save(figure, context)
}

fn sequence(args: &SequenceArgs, context: &Context) -> Result<()> {
    args.picture.check()?;
    draw_sequence(&open_table(&args.table, context)?, args, context)
}

fn draw_sequence(reader: &Reader, args: &SequenceArgs, context: &Context) -> Result<()> {
    if let (Ok(game), None) = (reader.sequence(), &args.row) {
        let entries = reader.entries()?;
        let value = |n| Some(entries.value(n));
        let name = game.full_name();
        let period = proved_period(&game, entries.len, &|n| entries.value(n));
        return window(
            Sequence {
                name: &name,
                of: "a heap of n",
                outcomes: false,
                period,
                from: 0,
                terms: entries.len,
                value: &value,
            },
            args,
            context,
        );
    }
    let (game, space) = reader.heap_table()?;
    let fixed = match &args.row {
        Some(heaps) => fixed_heaps(heaps)?,
        None if space.heaps() == 1 => Vec::new(),
        None => {
            return Err(Error::Usage(format!(
                "the table has {} heaps; fix all but one with --row, or draw it with `plot slice`",
                space.heaps()
            )));
        }
    };
    if fixed.len() + 1 > space.heaps() || fixed.iter().any(|&heap| heap > space.max()) {
        return Err(Error::Usage(format!(
            "the table has {} heaps of at most {}: give at most {} fixed heaps of that size",
            space.heaps(),
            space.max(),
            space.heaps() - 1
        )));
    }
    let mut heaps = fixed.clone();
    heaps.resize(space.heaps(), 0);
    let (last, on_heaps) = (space.heaps() - 1, game.on_heaps()?);
    let mut row = Vec::new();
    for heap in 0..=space.max() {
        heaps[last] = heap;
        let is_position = on_heaps.is_position(&heaps) && space.is_in_slice(&heaps);
        let index = is_position.then(|| space.rank(&heaps)).filter(|&index| reader.holds(index));
        row.push(index.map(|index| reader.get(index)).transpose()?);
    }
    let place = fixed.iter().filter(|&&heap| heap > 0).map(u32::to_string).chain(["n".into()]);
    let of = show_heaps(place);
    let name = format!("{} {of}", game.caption());
    let outcomes = reader.manifest().width.is_bit();
    let (terms, value) = (row.len() as u64, |n: u64| row[n as usize]);
    let whole = Sequence { name: &name, of: &of, outcomes, period: None, from: 0, terms, value: &value };
    window(whole, args, context)
}

/// The part of a sequence that was asked for.
fn window(whole: Sequence<'_>, args: &SequenceArgs, context: &Context) -> Result<()> {
    let len = whole.terms;
    let end = args.to.map_or(len, |to| to.saturating_add(1)).min(len);
    if args.from >= end {
        return Err(Error::Usage(format!(
            "no term from n = {} on: the sequence has n = 0 to {}; choose --from and --to inside",
            args.from,
            len.saturating_sub(1)
        )));
    }
    let sequence = Sequence { from: args.from, terms: end - args.from, ..whole };
    save_sequence(&sequence, args.kind, &args.picture, context)
}

fn slice(args: &SliceArgs, context: &Context) -> Result<()> {
    args.picture.check()?;
    let reader = open_table(&args.table, context)?;
    let (game, space) = reader.heap_table()?;
    let fixed = fixed_heaps(&args.matrix)?;
    let slice = Slice::of_table(&reader, &space, &fixed, args.to, &game)?;
    args.picture.save(heat_map(&slice, args.picture.width), context)
}

fn histogram(args: &TableArgs, context: &Context) -> Result<()> {
    args.picture.check()?;
    draw_histogram(&open_table(&args.table, context)?, &args.picture, context)
}

fn draw_histogram(reader: &Reader, picture: &PictureArgs, context: &Context) -> Result<()> {
    if reader.manifest().width.is_bit() {
        return Err(Error::Usage(
            "this table holds outcomes; a histogram needs values: solve it with --values".into(),
        ));
    }
    let counts = crate::report::value_counts(reader)?;
    let what = if reader.finished().is_some() { "finished positions" } else { "positions" };
    let figure = value_histogram(&reader.contents()?.0.caption(), &counts, what, picture.width);
    picture.save(figure, context)
}

fn cookie_cells(args: &CookieTableArgs, context: &Context) -> Result<()> {
    args.picture.check()?;
    let cells = cookie::cells(
        args.cutter,
        args.rows.clone(),
        args.cols.clone(),
        args.time,
        args.state.clone(),
        context,
    )?;
    args.picture.save(cookie_table(&args.cutter.to_string(), &cells), context)
}
