//! `nimwave compare`: whether, and where, two tables differ.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::{Context, numbers};
use crate::base::numbers::counted;
use crate::base::{Exit, Silent};
use crate::table::{Comparison, Reader, compare};

/// Arguments of `compare`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  nimwave compare m4 copy-of-m4

Tables of the same game and quantity are compared position by position, as far as both hold them: they
may have different numbers of heaps and largest heaps. The exit code is 0 where they agree, 1 where
they differ.")]
pub struct Args {
    /// The folder of a table.
    #[arg(value_name = "DIR")]
    first: PathBuf,
    /// The folder of another table.
    #[arg(value_name = "DIR")]
    second: PathBuf,
    /// How many differences are listed.
    #[arg(long, value_name = "N", value_parser = numbers::whole::<usize>, default_value = "10")]
    list: usize,
}

/// Runs the command.
pub fn run(args: Args, context: &Context) -> anyhow::Result<Exit> {
    let (first, second) = (Reader::open(&args.first)?, Reader::open(&args.second)?);
    let found = compare(&first, &second, args.list, &context.control(&Silent))?;
    let blake3 = |reader: &Reader| reader.manifest().checksums.as_ref().map(|sums| sums.blake3.clone());
    let same_bytes = blake3(&first).is_some() && blake3(&first) == blake3(&second);
    let outcomes = first.spec().quantity.is_outcomes();
    context.print(
        || {
            let differences = found.listed.iter().map(|one| {
                let [first, second] = one.entries.map(|entry| shown(entry, outcomes));
                json!({ "position": one.position, "first": first, "second": second })
            });
            json!({
                "first": args.first,
                "second": args.second,
                "compared": found.compared,
                "different": found.different,
                "same_blake3": same_bytes,
                "differences": differences.collect::<Vec<Value>>(),
            })
        },
        || describe(&found, same_bytes, outcomes),
    );
    Ok(Exit::of(found.different == 0))
}

/// An entry for people.
fn shown(entry: u16, outcomes: bool) -> String {
    match (outcomes, entry) {
        (true, 0) => "N".into(),
        (true, _) => "P".into(),
        (false, value) => value.to_string(),
    }
}

fn describe(found: &Comparison, same_bytes: bool, outcomes: bool) -> String {
    let positions = counted(found.compared, "position");
    if found.different == 0 {
        let bytes = if same_bytes { ", and the files have the same BLAKE3" } else { "" };
        return format!("equal on all {positions} that both hold{bytes}");
    }
    let mut text = format!("DIFFERENT at {} of {positions}:\n", numbers::grouped(found.different));
    for one in &found.listed {
        let [first, second] = one.entries.map(|entry| shown(entry, outcomes));
        text += &format!("  {}: {first} in the first, {second} in the second\n", one.position);
    }
    let more = found.different - found.listed.len() as u64;
    if more > 0 {
        text += &format!("  and {} more\n", numbers::grouped(more));
    }
    text
}
