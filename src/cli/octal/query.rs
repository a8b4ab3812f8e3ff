//! `nimwave query octal`: who wins a sum of heaps.

use std::path::PathBuf;

use serde_json::json;

use super::super::query::Asking;
use super::super::query_stream;
use super::super::slices::open_table;
use crate::answer::{self, Answer, More};
use crate::base::{Error, Result};
use crate::game::Game;
use crate::rules::notation::show_heaps;
use crate::rules::{OctalGame, Play};

/// Arguments of `query octal`.
#[derive(Debug, Clone, clap::Args)]
pub struct QueryArgs {
    /// The code, then the heaps: 0.6 1000 20 7, or subtraction 1,3,4 5 9. A - instead of the heaps reads
    /// positions from standard input, one per line, and answers each with a line of JSON.
    #[arg(value_name = "CODE HEAPS", required = true)]
    words: Vec<String>,
    /// Read the values from this sequence instead of computing them.
    #[arg(long, value_name = "DIR")]
    table: Option<PathBuf>,
}

/// Runs `query octal`.
pub fn run(args: &QueryArgs, asking: &Asking<'_>) -> Result<()> {
    let words: Vec<&str> = args.words.iter().map(String::as_str).collect();
    let (octal, heaps) = OctalGame::before(&words)?;
    let game = Game::octal(octal);
    if heaps == ["-"] {
        return query_stream::run(&game, args.table.as_deref(), asking);
    }
    let heaps = answer::read_position(&game, &heaps.join(" "))?;
    if heaps.is_empty() {
        return Err(Error::Usage("give the heaps after the code, as in: query octal 0.6 1000 20 7".into()));
    }
    let table = args.table.as_deref().map(|table| open_table(table, asking.context)).transpose()?;
    let answer = asking.work(|control| answer::ask(&game, &heaps, table.as_ref(), control))?;
    let code = &game.parameters()["code"];
    asking.context.print(
        || {
            let mut object = json!({
                "code": code,
                "heaps": answer.position,
                "values": answer.heap_values,
                "nim_sum": answer.value,
                "outcome": answer.outcome,
                "winning_moves": answer.winning_moves,
            });
            match answer.more_moves {
                Some(More::Period(period)) => object["more_winning_moves_by_period"] = period.into(),
                Some(More::Possible(possible)) => object["more_winning_moves_possible"] = possible.into(),
                Some(More::Unlisted(_)) | None => {}
            }
            object
        },
        || describe(code.as_str().unwrap_or_default(), &answer),
    );
    Ok(())
}

/// The values of the heaps, and then the answer as for every other game.
fn describe(code: &str, answer: &Answer<Vec<u64>>) -> String {
    let values = answer.position.iter().zip(&answer.heap_values);
    let values: Vec<String> = values.map(|(heap, value)| format!("G({heap}) = {value}")).collect();
    let sum = answer.value.unwrap_or_default();
    let position = show_heaps(&answer.position);
    let sentence = answer.describe(Play::Normal, &position, |to| show_heaps(to));
    format!("{code}: {}; nim-sum {sum}\n{sentence}", values.join(", "))
}
