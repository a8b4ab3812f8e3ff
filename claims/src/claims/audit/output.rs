//! The audit as JSON, as a Markdown page and as a table for the terminal.

use super::{Audit, Outcome, Verdict};
use std::fmt::Write;

/// A list of objects: id, source, statement, verdict, bound, counterexample, shows, corrected, seconds,
/// surprise.
pub fn json(audit: &Audit) -> serde_json::Value {
    let entry = |outcome: &Outcome| {
        let finding = &outcome.finding;
        serde_json::json!({
            "id": outcome.claim.id,
            "source": outcome.claim.source,
            "statement": outcome.claim.statement,
            "verdict": finding.verdict,
            "bound": finding.bound,
            "counterexample": finding.counterexample,
            "shows": finding.counterexample.as_ref().map(|c| &c.shows),
            "corrected": finding.corrected,
            "seconds": (outcome.seconds * 1000.0).round() / 1000.0,
            "surprise": outcome.surprise,
        })
    };
    audit.outcomes.iter().map(entry).collect()
}

/// One line of numbers, such as "12 proved, 70 hold, 9 fail, 2 unchecked".
fn summary(audit: &Audit) -> String {
    format!(
        "{} claims: {} proved, {} hold to their bound, {} fail, {} unchecked",
        audit.outcomes.len(),
        audit.count(Verdict::Proved),
        audit.count(Verdict::Holds),
        audit.count(Verdict::Fails),
        audit.count(Verdict::Unchecked)
    )
}

/// One line per claim, and below it the counterexample and the correction of those that fail.
pub fn table(audit: &Audit) -> String {
    let width = audit.outcomes.iter().map(|outcome| outcome.claim.id.len()).max().unwrap_or(0);
    let mut text = String::new();
    for outcome in &audit.outcomes {
        let finding = &outcome.finding;
        let indent = width + 2;
        // Writing into a String cannot fail.
        let _ =
            writeln!(text, "{:width$}  {:9}  {}", outcome.claim.id, finding.verdict.word(), finding.bound);
        if let Some(counterexample) = &finding.counterexample {
            let _ = writeln!(text, "{:indent$}claimed: {}", "", outcome.claim.statement);
            let _ = writeln!(
                text,
                "{:indent$}fails at {}: {}",
                "", counterexample.position, counterexample.shows
            );
        }
        if let Some(corrected) = &finding.corrected {
            let _ = writeln!(text, "{:indent$}corrected: {corrected}", "");
        }
        if let Some(surprise) = &outcome.surprise {
            let _ = writeln!(text, "{:indent$}SURPRISE: {surprise}", "");
        }
    }
    let _ = writeln!(text, "{}", summary(audit));
    text
}

/// The page `docs/AUDIT.md`. It holds no times, so that it changes only when a result does.
pub fn markdown(audit: &Audit) -> String {
    let mut text = String::from(
        "# What the literature claims, and what is true\n\n\
         This page is the output of `nimwave audit --markdown`; do not edit it. A claim is *proved* where the check\n\
         covers every case that the claim speaks of, *holds* where no counterexample exists up to the bound, and *fails* where one\n\
         does. The statements are in our own words, as strong as printed.\n\n",
    );
    let _ = writeln!(text, "{}.", summary(audit));
    let failing: Vec<_> = audit.outcomes.iter().filter(|o| o.finding.verdict == Verdict::Fails).collect();
    if !failing.is_empty() {
        text.push_str("\n## Claims that fail as printed\n");
    }
    for outcome in failing {
        let finding = &outcome.finding;
        let _ = writeln!(text, "\n### `{}` ({})\n", outcome.claim.id, outcome.claim.source);
        let _ = writeln!(text, "- Claimed: {}", outcome.claim.statement);
        if let Some(counterexample) = &finding.counterexample {
            let _ = writeln!(text, "- Fails at **{}**: {}", counterexample.position, counterexample.shows);
        }
        if let Some(corrected) = &finding.corrected {
            let _ = writeln!(text, "- Corrected: {corrected}");
        }
        let _ = writeln!(text, "- Tested: {}", finding.bound);
    }
    text.push_str(
        "\n## All claims\n\n| claim | source | verdict | tested | statement |\n|---|---|---|---|---|\n",
    );
    for outcome in &audit.outcomes {
        let _ = writeln!(text, "{}", markdown_row(outcome));
    }
    text
}

/// The row of a claim in the table of `docs/AUDIT.md`.
pub fn markdown_row(outcome: &Outcome) -> String {
    format!(
        "| `{}` | {} | {} | {} | {} |",
        outcome.claim.id,
        cell(outcome.claim.source),
        outcome.finding.verdict.word(),
        cell(&outcome.finding.bound),
        cell(outcome.claim.statement)
    )
}

/// A text that fits into a table cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::{Claim, Finding};

    fn audit() -> Audit {
        let claim = Claim {
            id: "a-1",
            source: "A, Theorem 1",
            statement: "x | y",
            check: |_| Finding::unchecked("never called"),
        };
        let outcome = |finding| Outcome { claim, finding, seconds: 0.25, surprise: None };
        Audit {
            outcomes: vec![
                outcome(Finding::proved("all cases")),
                outcome(
                    Finding::fails("[1,2]", "its option [1] is a P-position", "5").corrected("not so", true),
                ),
            ],
            deep: false,
        }
    }

    #[test]
    fn json_has_the_promised_fields() {
        let json = json(&audit());
        assert_eq!(json[0]["verdict"], "proved");
        assert!(json[0]["counterexample"].is_null() && json[0]["corrected"].is_null());
        assert_eq!(json[1]["counterexample"], "[1,2]");
        assert_eq!(json[1]["corrected"], "not so");
        assert_eq!(json[1]["seconds"], 0.25);
    }

    #[test]
    fn pages_show_the_counterexample_and_the_correction() {
        let page = markdown(&audit());
        assert!(page.contains("**[1,2]**: its option [1]") && page.contains("Corrected: not so"));
        assert!(page.contains("x \\| y"));
        let table = table(&audit());
        assert!(table.contains("fails at [1,2]") && table.ends_with("0 unchecked\n"));
    }
}
