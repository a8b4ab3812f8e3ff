//! `nimwave audit`: test the literature's claims.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use serde_json::json;

use super::{Context, numbers};
use crate::base::{Control, Error, Exit};
use crate::claims::{self, Effort, Event, Verdict};

/// Arguments of `audit`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  nimwave audit                      # every claim, in a few minutes at most\n  nimwave audit mullen-4.10          # one claim\n  nimwave audit 'minnie-*' --deep    # all claims of a document, to larger bounds\n  nimwave audit --markdown > AUDIT.md"
)]
pub struct Args {
    /// The claims, as mullen-4.10 or 'mullen-4*'; all of them if none is given.
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    /// Larger bounds; takes much longer.
    #[arg(long)]
    deep: bool,
    /// Stop after this time, such as 90s or 10m; what was not reached is unchecked.
    #[arg(long, value_name = "TIME", value_parser = numbers::duration)]
    time: Option<Duration>,
    /// Print the page docs/AUDIT.md.
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    /// Only list the claims, without testing them.
    #[arg(long)]
    list: bool,
}

/// Runs the command. Claims that were named are false if they fail as printed; all claims together are compared
/// with the verdicts of the data files, so that a known failure is not one.
pub fn run(args: Args, context: &Context) -> anyhow::Result<Exit> {
    let claims = claims::select(&args.ids)?;
    if args.list {
        let list = || {
            claims.iter().map(|c| json!({"id": c.id, "source": c.source, "statement": c.statement})).collect()
        };
        let text =
            || claims.iter().map(|c| format!("{} ({})\n    {}\n", c.id, c.source, c.statement)).collect();
        context.print(list, text);
        return Ok(Exit::Done);
    }
    let control = Control::stopped_by(&context.stop).with_time(args.time);
    let effort = Effort { deep: args.deep, control };
    let progress = context.progress("audit");
    let total = claims.len() as u64;
    let done = AtomicU64::new(0);
    let audit = claims::run(&claims, &effort, &|event| {
        if let Event::Finished(outcome) = event {
            progress.at(done.fetch_add(1, Relaxed) + 1, total, outcome.claim.id);
        }
    });
    progress.finish();
    if args.markdown {
        context.print(|| claims::json(&audit), || claims::markdown(&audit));
    } else {
        context.print(|| claims::json(&audit), || claims::table(&audit));
    }
    for outcome in audit.surprises() {
        context.note(format!("{}: {}", outcome.claim.id, outcome.surprise.as_deref().unwrap_or_default()));
    }
    if context.stopped() {
        return Err(Error::Interrupted { done: audit.checked() as u64, total }.into());
    }
    let (fails, open) = if args.ids.is_empty() {
        (audit.broken().next().is_some(), audit.undecided().next().is_some())
    } else {
        (audit.count(Verdict::Fails) > 0, audit.count(Verdict::Unchecked) > 0)
    };
    Ok(match (fails, open) {
        (true, _) => Exit::Failed,
        (false, true) => Exit::Undecided,
        (false, false) => Exit::Done,
    })
}
