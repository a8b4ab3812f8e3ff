//! What `prove` says about quotients: the theorem and its corollaries, or how the classes grew.

use serde_json::{Value, json};

use super::Work;
use crate::base::{Result, files};
use crate::proof::corollaries::Corollary;
use crate::proof::describe;
use crate::proof::theorem::{Attempt, Verdict};

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
        || describe::quotient::theorem(&asked.title(), theorem, closed_form.as_ref(), &corollaries),
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
        || describe::quotient::open(&asked.title(), &asked.game, attempts),
    );
}
