//! What `prove` says about quotients: the theorem and its corollaries, or how the classes grew.

use serde_json::{Value, json};

use super::{Asked, Work};
use crate::base::{Result, files};
use crate::cli::numbers;
use crate::game::rule_file;
use crate::proof::closed_form::ClosedForm;
use crate::proof::corollaries::Corollary;
use crate::proof::theorem::{Attempt, Theorem, Verdict};
use crate::rules::notation::show_heaps;

/// Most P classes that are listed.
const MOST_LISTED: usize = 50;

/// Prints the theorem and its corollaries, or how the classes grew; whether it is proved.
pub fn report(work: &Work<'_>, verdict: &Verdict) -> Result<bool> {
    let &Work { asked, context, .. } = work;
    let Some(theorem) = &verdict.theorem else {
        report_open(work, &verdict.attempts);
        return Ok(false);
    };
    if let Some(path) = &asked.certificate {
        theorem.certificate.write(path)?;
        if !files::is_standard_output(path) {
            context.note(format!("Wrote {}; check it with scripts/check_certificate.py.", path.display()));
        }
    }
    let (corollaries, closed_form) = (theorem.corollaries(), theorem.closed_form());
    let quotient = &theorem.certificate.quotient;
    work.print_theorem(
        || {
            json!({
                "game": asked.name,
                "misere": asked.misere(),
                "proved": true,
                "threshold": quotient.letters().threshold(),
                "period": quotient.letters().period(),
                "largest_min": theorem.checked.largest_min,
                "classes": quotient.classes(),
                "accepted": quotient.accepted_classes(),
                "states": theorem.checked.total_states(),
                "closed_form": closed_form.as_ref().map(ToString::to_string),
                "corollaries": corollaries.iter().map(corollary_json).collect::<Vec<_>>(),
                "attempts": verdict.attempts.iter().map(attempt_json).collect::<Vec<_>>(),
            })
        },
        || describe(asked, theorem, closed_form.as_ref(), &corollaries),
    );
    Ok(corollaries.iter().all(|corollary| corollary.proved))
}

fn corollary_json(corollary: &Corollary) -> Value {
    json!({
        "id": corollary.id,
        "statement": corollary.statement,
        "proved": corollary.proved,
        "counterexample": corollary.counterexample,
    })
}

fn attempt_json(attempt: &Attempt) -> Value {
    json!({
        "heaps": attempt.heaps,
        "max": attempt.max,
        "threshold": attempt.letters.map(|letters| letters.0),
        "period": attempt.letters.map(|letters| letters.1),
        "classes": attempt.classes,
        "closed": attempt.closed,
        "problem": attempt.problem,
    })
}

fn describe(
    asked: &Asked,
    theorem: &Theorem,
    closed_form: Option<&ClosedForm>,
    corollaries: &[Corollary],
) -> String {
    let quotient = &theorem.certificate.quotient;
    let letters = quotient.letters();
    let (threshold, period) = (letters.threshold(), letters.period());
    let mut text = format!(
        "THEOREM. In {}, with any number of heaps of any sizes, who wins depends only on the class of the\n\
         position, one of {} classes; the P-positions are those of {} of them.\n\n\
         Heaps of {threshold} or more {} (threshold {threshold}, period {period}).",
        asked.title(),
        quotient.classes(),
        quotient.accepted_classes(),
        if period == 1 { "count alike".into() } else { format!("count only modulo {period}") },
    );
    if let Some(m) = theorem.checked.largest_min {
        text += &format!(" A P-position has a heap of at most {m}, or no heap.");
    }
    text += &format!(
        "\nProved by a finite check of {} states; docs/PROOFS.md has the argument.\n",
        numbers::grouped(theorem.checked.total_states() as u64)
    );
    let accepted: Vec<String> = (0..)
        .zip(quotient.representatives())
        .filter(|&(class, _)| quotient.accepts(class))
        .map(|(_, heaps)| show_heaps(heaps))
        .collect();
    if accepted.len() <= MOST_LISTED {
        text += &format!("First position of each P class: {}\n", accepted.join(" "));
    }
    if let Some(form) = closed_form {
        text += &format!(
            "\nIn words (checked on all {} states of the quotient and these conditions):\n{form}\n",
            numbers::grouped(form.states as u64)
        );
    }
    if !corollaries.is_empty() {
        text += "\nCorollaries, each a check of its own on the quotient:\n";
    }
    for corollary in corollaries {
        let mark = if corollary.proved { "proved" } else { "FALSE " };
        text += &format!("  {mark}  {}: {}", corollary.id, corollary.statement);
        if let Some(position) = &corollary.counterexample {
            text += &format!(" (fails at {})", show_heaps(position));
        }
        text += "\n";
    }
    text
}

/// Prints that no quotient was found, and how the classes grew.
fn report_open(work: &Work<'_>, attempts: &[Attempt]) {
    let asked = work.asked;
    work.print(
        || {
            json!({
                "game": asked.name,
                "misere": asked.misere(),
                "proved": false,
                "threshold": null,
                "period": null,
                "largest_min": null,
                "classes": null,
                "states": null,
                "corollaries": [],
                "attempts": attempts.iter().map(attempt_json).collect::<Vec<_>>(),
            })
        },
        || {
            let mut text = format!(
                "NOT PROVED. No finite quotient of {} was found. What the tables showed:\n",
                asked.title()
            );
            for attempt in attempts {
                let letters = match attempt.letters {
                    Some((threshold, period)) => format!("threshold {threshold}, period {period}"),
                    None => "no period".into(),
                };
                let heaps = attempt.heaps.map_or("any number of".into(), |heaps| heaps.to_string());
                text += &format!(
                    "  {heaps} heaps up to {}: {letters}, {} classes{}; {}\n",
                    attempt.max,
                    attempt.classes,
                    if attempt.closed { ", closed" } else { "" },
                    attempt.problem
                );
            }
            text += "This says nothing about larger tables: a finite quotient may exist beyond them.";
            // By gaps, or by automata that are made from the rule.
            let by_gaps = asked.game.on_heaps().is_ok_and(|heaps| heaps.proofs.gaps.is_some());
            if by_gaps || rule_file::of_game(&asked.game).is_some() {
                let misere = if asked.misere() { " --misere" } else { "" };
                let game = asked.game.shell_words();
                text += &format!("\nFor a fixed number of heaps try: nimwave prove {game}{misere} --heaps 2");
            }
            text
        },
    );
}
