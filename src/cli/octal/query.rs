//! `nimwave query octal`: who wins a sum of heaps.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use serde_json::json;

use super::super::{Context, numbers};
use super::MOST_TERMS;
use crate::answer::{OctalAnswer, Outcome, octal_answer};
use crate::base::Control;
use crate::base::machine;
use crate::base::{Error, Result};
use crate::rules::OctalGame;
use crate::rules::notation::show_heaps;
use crate::sweep::{Job, OctalJob};
use crate::table::Reader;

/// Arguments of `query octal`.
#[derive(Debug, Clone, clap::Args)]
pub struct QueryArgs {
    /// The code, then the heaps: 0.6 1000 20 7, or subtraction 1,3,4 5 9.
    #[arg(value_name = "CODE HEAPS", required = true)]
    words: Vec<String>,
    /// Read the values from this sequence instead of computing them.
    #[arg(long, value_name = "DIR")]
    table: Option<PathBuf>,
}

/// Runs `query octal`.
pub fn run(args: &QueryArgs, context: &Context) -> anyhow::Result<ExitCode> {
    let (game, heaps) = game_of(&args.words)?;
    let heaps = numbers::wide_position(heaps).map_err(Error::Usage)?;
    if heaps.is_empty() {
        return Err(
            Error::Usage("give the heaps after the code, as in: query octal 0.6 1000 20 7".into()).into()
        );
    }
    let largest = heaps.iter().copied().max().unwrap_or(0);
    let answer = match &args.table {
        Some(folder) => {
            let reader = Reader::open(folder)?;
            let stored = reader.sequence()?;
            let mismatch = if stored != game {
                Some((format!("holds {stored}, not {game}"), "ask for that game, or give another table"))
            } else if largest >= reader.len() {
                let problem = format!("holds the heaps below {}, and {largest} is outside", reader.len());
                Some((problem, "leave out --table to compute what is needed, or solve more terms"))
            } else {
                None
            };
            if let Some((problem, remedy)) = mismatch {
                let remedy = remedy.into();
                return Err(Error::Mismatch { path: folder.clone(), problem, remedy }.into());
            }
            octal_answer(&game, &heaps, |heap| reader.get(heap))?
        }
        None => {
            if largest >= MOST_TERMS {
                return Err(Error::Usage(format!(
                    "a heap of {largest} is too large; ask for heaps below 2^40"
                ))
                .into());
            }
            let job = OctalJob::new(game.clone(), largest + 1);
            let remedy = "solve the sequence with --out DIR and ask it with --table DIR";
            machine::check_memory(job.file_bytes()?, context.globals.memory, remedy)?;
            let progress = context.progress(&format!("octal {game}"));
            let every = Duration::from_secs(3600);
            let control = Control {
                stop: &context.stop,
                observer: &progress,
                checkpoint_every: every,
                ..Control::silent()
            };
            let table = job.solve(None, &control)?;
            let cells = table.cells();
            octal_answer(&game, &heaps, |heap| Ok(cells.get(heap)))?
        }
    };
    context.print(|| json!(answer), || describe_answer(&answer));
    Ok(ExitCode::SUCCESS)
}

fn describe_answer(answer: &OctalAnswer) -> String {
    let values: Vec<String> =
        answer.heaps.iter().zip(&answer.values).map(|(heap, value)| format!("G({heap}) = {value}")).collect();
    let head = format!("{}: {}; nim-sum {}", answer.code, values.join(", "), answer.nim_sum);
    match answer.outcome {
        Outcome::P => format!("{head}: a P-position, the player who has just moved wins."),
        Outcome::N => {
            let count = answer.winning_moves.len();
            let moves: String =
                answer.winning_moves.iter().map(|to| format!("\n  {}", show_heaps(to))).collect();
            let plural = if count == 1 { "" } else { "s" };
            format!(
                "{head}: an N-position, the player to move wins.\n{count} winning move{plural} to:{moves}"
            )
        }
    }
}

/// The game that the first word, or the first two, name, and the words after it.
fn game_of(words: &[String]) -> Result<(OctalGame, &[String])> {
    match words {
        [name, parameter, rest @ ..] if name == "subtraction" || name == "cookie-row" => {
            Ok((format!("{name} {parameter}").parse()?, rest))
        }
        [code, rest @ ..] => Ok((code.parse()?, rest)),
        [] => Err(Error::Usage("give an octal code, as 0.6".into())),
    }
}
