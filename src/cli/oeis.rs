//! `nimwave oeis`: look a sequence up in a local copy of the OEIS.

use std::path::PathBuf;
use std::time::Duration;

use clap::Subcommand;
use serde_json::json;

use super::heap_games::HeapGame;
use super::values::{HeapSlice, OctalTerms};
use super::{Context, numbers};
use crate::base::{Error, Exit, Result};
use crate::export::Dataset;
use crate::export::stripped::{ADDRESS, Found, look_up_in};

/// Entries that are listed for people.
const LISTED: usize = 20;

/// Arguments of `oeis`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  nimwave oeis octal kayles --stripped stripped.gz
  nimwave oeis minnie --row 4 --stripped stripped.gz
  nimwave oeis terms 0,1,2,3,1,4,3,2,1,4,2,6 --stripped stripped.gz

The file is https://oeis.org/stripped.gz, compressed or not.
Exit code 1: no entry agrees.")]
pub struct Args {
    #[command(subcommand)]
    sequence: Sequence,
    /// The file `stripped` of the OEIS, compressed or not; - is standard input.
    #[arg(long, global = true, value_name = "FILE")]
    stripped: Option<PathBuf>,
    /// Work for so long at most, such as 90s or 10m.
    #[arg(long, global = true, value_name = "TIME", value_parser = numbers::duration)]
    time: Option<Duration>,
}

#[derive(Debug, Subcommand)]
enum Sequence {
    #[command(flatten)]
    Heaps(HeapGame<HeapSlice>),
    /// The nim-sequence of an octal game, Grundy's game or a subtraction game.
    #[command(after_help = "Example:\n  nimwave oeis octal 0.137 --stripped stripped.gz")]
    Octal(OctalTerms),
    /// Terms that are given.
    #[command(after_help = "Example:\n  nimwave oeis terms 0,1,2,3,1,4,3,2,1,4,2,6 --stripped stripped.gz")]
    Terms {
        /// The terms, such as 0,1,2,3,1,4; - reads them from standard input.
        #[arg(value_name = "TERM", required = true)]
        terms: Vec<String>,
    },
}

/// Runs the command.
pub fn run(args: Args, context: &Context) -> anyhow::Result<Exit> {
    let Some(file) = &args.stripped else {
        return Err(Error::Usage(format!(
            "give a copy of the file `stripped` of the OEIS with --stripped FILE; it can be had from {ADDRESS}"
        ))
        .into());
    };
    let terms = match args.sequence {
        Sequence::Terms { terms } => given(&terms)?,
        Sequence::Octal(octal) => entries(&*octal.data(None, args.time, context)?)?,
        Sequence::Heaps(game) => {
            let (game, slice) = game.game(|slice| slice.misere)?;
            entries(&*slice.data(&game, None, args.time, context)?)?
        }
    };
    let progress = context.progress("oeis");
    let control = context.control(&progress).with_time(args.time);
    let found = look_up_in(file, &terms, &control);
    progress.finish();
    let found = found?;
    context.print(|| json!({ "terms": terms, "found": found }), || describe(&terms, &found));
    Ok(Exit::of(!found.is_empty()))
}

fn given(words: &[String]) -> Result<Vec<u64>> {
    let text = match words {
        [word] if word == "-" => std::io::read_to_string(std::io::stdin().lock())
            .map_err(Error::io("cannot read", std::path::Path::new("standard input")))?,
        words => words.join(" "),
    };
    let words = text.split(|symbol: char| symbol.is_whitespace() || symbol == ',');
    words.filter(|word| !word.is_empty()).map(|word| numbers::count(word).map_err(Error::Usage)).collect()
}

/// The entries of a row, or of a matrix row by row.
fn entries(data: &dyn Dataset) -> Result<Vec<u64>> {
    if data.shape().is_none_or(|shape| shape.len() != 1) {
        return Err(Error::Usage(
            "a sequence without gaps is looked up: choose a row with --row, of a game in which equal heaps may stand"
                .into(),
        ));
    }
    let mut terms = Vec::new();
    data.for_each_row(&mut |row| {
        terms.extend(row.last());
        Ok(())
    })?;
    Ok(terms)
}

fn describe(terms: &[u64], found: &[Found]) -> String {
    let shown: Vec<String> = terms.iter().take(12).map(u64::to_string).collect();
    let shown = format!("{}{}", shown.join(", "), if terms.len() > 12 { ", ..." } else { "" });
    if found.is_empty() {
        return format!("No entry agrees with {shown}");
    }
    let line = |found: &Found| {
        let place = match found.begins_at {
            0 => "begins with the same term".to_string(),
            later @ 1.. => format!("begins at term {later} (from 0)"),
            earlier => format!("begins with {} other", numbers::counted(earlier.unsigned_abs(), "term")),
        };
        let whole = if found.whole_entry { ", all of the entry" } else { "" };
        format!("{}  {} agree{whole}; {place}\n", found.entry, numbers::counted(found.common as u64, "term"))
    };
    let more = found.len().saturating_sub(LISTED);
    let more = if more > 0 { format!("and {more} more (--json lists all)\n") } else { String::new() };
    format!("{shown}\n{}{more}", found.iter().take(LISTED).map(line).collect::<String>())
}
