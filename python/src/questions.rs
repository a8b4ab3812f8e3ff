//! Single positions, and theorems.

use nimwave::answer::{FromAutomata, Source, read_position, read_wide};
use nimwave::game::rule_file;
use nimwave::proof::automata::certificate::AutomatonCertificate;
use nimwave::proof::octal_period::PeriodCertificate;
use nimwave::proof::{self, Attempts, DIGITS, Proof, describe, proved};
use nimwave::{Control, Play, Result, ask};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::game::Game;
use crate::watch::Limits;

/// An answer as JSON, with where it comes from.
pub fn answer_json(mut answer: Value, source: Source) -> String {
    answer["source"] = source.to_string().into();
    answer.to_string()
}

/// The answer about a position, as JSON.
#[pyfunction]
pub fn query(py: Python<'_>, game: &Game, position: &str, limits: Limits) -> PyResult<String> {
    let (game, position) = (game.0.clone(), position.to_string());
    limits.watch(py, false, move |control| match FromAutomata::beyond_64_bits(&game, &position, control)? {
        Some(theorem) => {
            let answer = theorem.answer(&read_wide(&position)?)?;
            Ok(answer_json(json!(answer), answer.source))
        }
        None => {
            let answer = ask(&game, &read_position(&game, &position)?, None, control)?;
            Ok(answer_json(json!(answer), answer.source))
        }
    })
}

/// Whether something is proved about all heap sizes, what it is in words, and the certificate as JSON, if there is one.
#[pyfunction]
pub fn prove(
    py: Python<'_>,
    game: &Game,
    heaps: Option<usize>,
    limits: Limits,
) -> PyResult<(bool, String, Option<String>)> {
    let game = game.0.clone();
    limits.watch(py, false, move |control| prove_within(&game, heaps, control))
}

/// Whether it is proved, in words, and the certificate.
type Said = (bool, String, Option<String>);

fn prove_within(game: &nimwave::Game, heaps: Option<usize>, control: &Control<'_>) -> Result<Said> {
    let play = if game.play() == Play::Misere { "misère " } else { "" };
    let title = format!("{play}{}", game.words());
    Ok(match proof::prove(game, heaps, control)? {
        Proof::Quotient(verdict) => match &verdict.theorem {
            Some(theorem) => {
                let (corollaries, closed_form) = (theorem.corollaries(), theorem.closed_form());
                let text = describe::quotient::theorem(&title, theorem, closed_form.as_ref(), &corollaries);
                (true, text, Some(theorem.certificate.to_json()))
            }
            None => (false, describe::quotient::open(&title, game, &verdict.attempts), None),
        },
        // What gaps do not decide, automata may.
        Proof::Gaps(_, heaps, None) if rule_file::of_game(game).is_some() => {
            let attempts = proof::prove_by_automata(game, heaps, &DIGITS, 0, None, control)?;
            by_automata(game, &title, heaps, &attempts, control)?
        }
        Proof::Gaps(gaps, heaps, theorem) => {
            (theorem.is_some(), describe::gaps::describe(&title, gaps, heaps, theorem), None)
        }
        Proof::Automata(heaps, attempts) => by_automata(game, &title, heaps, &attempts, control)?,
        Proof::Period(run, proved) => {
            let octal = game.on_heaps()?.written.as_ref().and_then(|written| written.octal());
            match (proved, octal) {
                (Some(found), Some(octal)) => {
                    let nimwave::game::theory::guy_smith::Drift { preperiod, period, .. } = found.drift;
                    let text = format!(
                        "THEOREM. {title} is the octal game {octal}: period {period} from heap {preperiod} on."
                    );
                    (true, text, Some(PeriodCertificate::new(&octal, found, &run).to_json()))
                }
                _ => (
                    false,
                    format!("NOT PROVED. {} terms of {title} prove no period.", run.values.len()),
                    None,
                ),
            }
        }
    })
}

fn by_automata(
    game: &nimwave::Game,
    title: &str,
    heaps: usize,
    attempts: &Attempts,
    control: &Control<'_>,
) -> Result<Said> {
    let Some((digits, theorem)) = proved(attempts) else {
        return Ok((false, describe::automata::open(title, None, heaps, attempts), None));
    };
    let words = describe::automata::words(&theorem.decided, control)?;
    let text = describe::automata::theorem(title, None, heaps, digits, theorem, &words);
    let certificate = AutomatonCertificate::new(game, heaps, digits, None, &theorem.decided.sets)?
        .with_multiples(&theorem.multiples);
    Ok((true, text, Some(certificate.to_json())))
}
