//! `nimwave report`: one page about tables and batches.

use std::path::PathBuf;

use serde_json::json;

use super::{Context, numbers};
use crate::base::machine::human_bytes;
use crate::base::numbers::counted;
use crate::base::{Exit, files};
use crate::report::{ReportOptions, report};

/// Arguments of `report`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  nimwave report minnie-h4-n200.table officers.table -o report.html
  nimwave report quick -o quick.html      # the folder of a batch: its jobs, tables and pictures

Exit code 1: a table is damaged, a verification of it failed, or a job did not end well; the page says which.")]
pub struct Args {
    /// Tables, folders that hold tables, or output folders of batches.
    #[arg(value_name = "DIR", required = true)]
    tables: Vec<PathBuf>,
    /// The page.
    #[arg(long, short, value_name = "FILE.html", default_value = "report.html")]
    out: PathBuf,
    /// The heading.
    #[arg(long, value_name = "TEXT", default_value = "nimwave report")]
    title: String,
    /// Bytes of data in the page for its interactive parts, such as 500k or 3Mi.
    #[arg(long, value_name = "BYTES", value_parser = numbers::bytes, default_value = "3Mi")]
    embed: u64,
}

/// Runs the command.
pub fn run(args: Args, context: &Context) -> anyhow::Result<Exit> {
    files::check_output(&args.out)?;
    let report = report(&args.tables, &ReportOptions { title: args.title, embed: args.embed })?;
    files::save(&args.out, report.html.as_bytes())?;
    for problem in &report.problems {
        context.note(problem);
    }
    context.print_beside(
        Some(&args.out),
        || json!({ "file": args.out, "tables": report.tables, "jobs": report.jobs, "bytes": report.html.len(), "problems": report.problems }),
        || {
            let size = human_bytes(report.html.len() as u64);
            let jobs = if report.jobs > 0 { format!(", {}", counted(report.jobs as u64, "job")) } else { String::new() };
            let tables = counted(report.tables as u64, "table");
            format!("{tables}{jobs}, {size}; open {} in a browser", args.out.display())
        },
    );
    Ok(Exit::of(report.problems.is_empty()))
}
