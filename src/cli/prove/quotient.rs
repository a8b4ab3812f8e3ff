//! What `prove` says about quotients: the theorem and its corollaries, or how the classes grew.

use serde_json::{Value, json};

use super::{Args, fixed, game_name, play_name, prove_local};
use crate::base::{Error, files};
use crate::cli::{Context, numbers};
use crate::proof::LocalGame;
use crate::proof::closed_form::ClosedForm;
use crate::proof::corollaries::{self, Corollary};
use crate::proof::theorem::{Attempt, Theorem, Verdict};
use crate::rules::Play;

/// Most P classes that are listed.
const MOST_LISTED: usize = 50;

/// Prints what became of a game with a finite check; whether it is proved.
pub fn report_local(
    args: &Args,
    game: &LocalGame,
    play: Play,
    verdict: &Verdict,
    context: &Context,
) -> Result<bool, Error> {
    let Some(theorem) = &verdict.theorem else {
        report_open(args, &verdict.attempts, context);
        return Ok(false);
    };
    let corollaries = match game {
        LocalGame::Minnie => minnie_corollaries(play, theorem)?,
        _ => Vec::new(),
    };
    if let Some(path) = &args.certificate {
        theorem.certificate.write(path)?;
        if !files::is_standard_output(path) {
            context.note(format!("Wrote {}; check it with scripts/check_certificate.py.", path.display()));
        }
    }
    let quotient = &theorem.certificate.quotient;
    let closed_form = match (game, theorem.checked.largest_min) {
        (LocalGame::Minnie, Some(m)) => ClosedForm::search(quotient, m),
        _ => None,
    };
    context.print_beside(
        args.certificate.as_deref(),
        || {
            json!({
                "game": game_name(args),
                "misere": args.misere,
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
        || describe(args, theorem, closed_form.as_ref(), &corollaries),
    );
    Ok(corollaries.iter().all(|corollary| corollary.proved))
}

/// The corollaries of minnie, which need the proved quotients of both plays.
fn minnie_corollaries(play: Play, theorem: &Theorem) -> Result<Vec<Corollary>, Error> {
    let other = match play {
        Play::Normal => Play::Misere,
        Play::Misere => Play::Normal,
    };
    let Some(other) = prove_local(&LocalGame::Minnie, other)?.theorem else { return Ok(Vec::new()) };
    let (this, other) = (&theorem.certificate.quotient, &other.certificate.quotient);
    Ok(match play {
        Play::Normal => corollaries::minnie_normal(this, other),
        Play::Misere => corollaries::minnie_misere(other, this),
    })
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
        "max": attempt.round.wide_max,
        "threshold": attempt.letters.map(|letters| letters.0),
        "period": attempt.letters.map(|letters| letters.1),
        "classes": attempt.classes,
        "closed": attempt.closed,
        "problem": attempt.problem,
    })
}

fn describe(
    args: &Args,
    theorem: &Theorem,
    closed_form: Option<&ClosedForm>,
    corollaries: &[Corollary],
) -> String {
    let quotient = &theorem.certificate.quotient;
    let letters = quotient.letters();
    let (threshold, period) = (letters.threshold(), letters.period());
    let mut text = format!(
        "THEOREM. In {}{}, with any number of heaps of any sizes, who wins depends only on the class of the\n\
         position, one of {} classes; the P-positions are those of {} of them.\n\n\
         Heaps of {threshold} or more {} (threshold {threshold}, period {period}).",
        play_name(args.misere),
        game_name(args),
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
        .map(|(_, heaps)| format!("{heaps:?}"))
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
            text += &format!(" (fails at {position:?})");
        }
        text += "\n";
    }
    text
}

/// Prints that no quotient was found, and how the classes grew.
pub fn report_open(args: &Args, attempts: &[Attempt], context: &Context) {
    context.print(
        || {
            json!({
                "game": game_name(args),
                "misere": args.misere,
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
                "NOT PROVED. No finite quotient of {}{} was found. What the tables showed:\n",
                play_name(args.misere),
                game_name(args)
            );
            for attempt in attempts {
                let letters = match attempt.letters {
                    Some((threshold, period)) => format!("threshold {threshold}, period {period}"),
                    None => "no period".into(),
                };
                text += &format!(
                    "  {} heaps up to {}: {letters}, {} classes{}; {}\n",
                    attempt.heaps,
                    attempt.round.wide_max,
                    attempt.classes,
                    if attempt.closed { ", closed" } else { "" },
                    attempt.problem
                );
            }
            text += "This says nothing about larger tables: a finite quotient may exist beyond them.";
            if fixed::covers(&args.game) {
                text += &format!("\nFor a fixed number of heaps try: nimwave prove {} --heaps 2", args.game);
            }
            text
        },
    );
}
