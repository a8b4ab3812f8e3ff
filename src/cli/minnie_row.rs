//! `nimwave period minnie-row`: proved periods of rows of Grundy values of minnie.

use std::process::ExitCode;

use serde_json::json;

use super::{Context, numbers};
use crate::analysis::row_period::RowProver;

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
pub fn run(args: Args, context: &Context) -> anyhow::Result<ExitCode> {
    let mut prover = RowProver::new();
    let keys: Vec<Vec<u32>> = match (args.all, args.heaps.as_slice()) {
        (true, &[last]) => (1..=last).map(|heap| vec![heap]).collect(),
        (true, _) => anyhow::bail!("--all goes with a single fixed heap, as `period minnie-row 20 --all`"),
        (false, heaps) => vec![heaps.to_vec()],
    };
    let mut rows = Vec::new();
    for key in &keys {
        rows.push(prover.prove(key)?.clone());
    }
    context.print(
        || {
            let object = |row: &crate::analysis::row_period::ProvedRow| {
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
    Ok(ExitCode::SUCCESS)
}
