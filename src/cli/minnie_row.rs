//! `nimwave period minnie-row`: proved periods of rows of Grundy values of minnie.

use serde_json::json;

use super::{Context, numbers};
use crate::analysis::row_period::{ProvedRow, RowProver};
use crate::base::{Error, Exit, Result};

/// Arguments of `period minnie-row`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  nimwave period minnie-row 60
  nimwave period minnie-row 3 5       # the row G(3, 5, x) of three-heap minnie
  nimwave period minnie-row 20 --all  # all rows from 1 to 20")]
pub struct Args {
    /// The fixed heaps; the last heap runs.
    #[arg(value_name = "HEAP", required = true, value_parser = numbers::heap)]
    heaps: Vec<u32>,
    /// All rows of two-heap minnie from 1 up to the given heap.
    #[arg(long)]
    all: bool,
}

/// Runs the command.
pub fn run(args: Args, context: &Context) -> anyhow::Result<Exit> {
    // Before any work: the largest key is the one that may be too large.
    RowProver::check(&args.heaps)?;
    let mut prover = RowProver::new();
    let keys: Vec<Vec<u32>> = match (args.all, args.heaps.as_slice()) {
        (true, &[last]) => (1..=last).map(|heap| vec![heap]).collect(),
        (true, _) => {
            return Err(Error::Usage(
                "--all goes with a single fixed heap, for example `period minnie-row 20 --all`".into(),
            )
            .into());
        }
        (false, heaps) => vec![heaps.to_vec()],
    };
    let (rows, problem) = until_error(keys.iter().map(|key| prover.prove(key).cloned()));
    if rows.is_empty()
        && let Some(error) = problem
    {
        return Err(error.into());
    }
    context.print(
        || {
            let object = |row: &ProvedRow| {
                let name = if let &[heap] = row.key.as_slice() { json!(heap) } else { json!(row.key) };
                json!({
                    "row": name,
                    "proved": true,
                    "preperiod": row.preperiod,
                    "period": row.period,
                    "max_value": row.max_value,
                })
            };
            if args.all {
                json!({ "rows": rows.iter().map(object).collect::<Vec<_>>() })
            } else {
                object(&rows[0])
            }
        },
        || {
            let lines = rows.iter().map(|row| {
                let key: Vec<String> = row.key.iter().map(u32::to_string).collect();
                format!(
                    "G({}, x): preperiod {}, period {}, largest value {}; proved by a recurring state",
                    key.join(", "),
                    row.preperiod,
                    row.period,
                    row.max_value
                )
            });
            lines.collect::<Vec<_>>().join("\n")
        },
    );
    problem.map_or(Ok(Exit::Done), |error| Err(error.into()))
}

/// What was found before an error, and the error: rows that took their time are printed all the same.
fn until_error<T>(results: impl Iterator<Item = Result<T>>) -> (Vec<T>, Option<Error>) {
    let mut problem = None;
    let found = results.map_while(|result| result.map_err(|error| problem = Some(error)).ok()).collect();
    (found, problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_before_an_error_are_not_lost() {
        let mut prover = RowProver::new();
        let keys = [[1], [2], [200], [3]];
        let (rows, problem) = until_error(keys.iter().map(|key| prover.prove(key).cloned()));
        assert_eq!(rows.iter().map(|row| row.key[0]).collect::<Vec<_>>(), [1, 2]);
        assert!(problem.is_some_and(|error| error.to_string().contains("256")));
    }
}
