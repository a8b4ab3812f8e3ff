//! Theorems by a finite quotient, or how the classes grew where there is none.

use crate::base::numbers;
use crate::game::{Game, rule_file};
use crate::proof::closed_form::ClosedForm;
use crate::proof::corollaries::Corollary;
use crate::proof::theorem::{Attempt, Theorem};
use crate::rules::Play;
use crate::rules::notation::show_heaps;

/// Most P classes that are listed.
const MOST_LISTED: usize = 50;

/// A theorem about any number of heaps of the game called `title`.
pub fn theorem(
    title: &str,
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
        title,
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

/// That no quotient of `game`, called `title`, was found, and how the classes grew.
pub fn open(title: &str, game: &Game, attempts: &[Attempt]) -> String {
    let mut text =
        format!("NOT PROVED. No finite quotient of {} was found. What the tables showed:\n", title);
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
    let by_gaps = game.on_heaps().is_ok_and(|heaps| heaps.proofs.gaps.is_some());
    if by_gaps || rule_file::of_game(game).is_some() {
        let misere = if game.play() == Play::Misere { " --misere" } else { "" };
        let words = game.shell_words();
        text += &format!("\nFor a fixed number of heaps try: nimwave prove {words}{misere} --heaps 2");
    }
    text
}
