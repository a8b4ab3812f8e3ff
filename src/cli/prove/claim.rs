//! `prove --claim`: a claim about a proved set of positions, decided for all sizes.

use serde_json::json;

use super::Asked;
use super::automata::{self, DEFAULT_HEAPS};
use crate::answer::Size;
use crate::base::{Control, Error, Exit, Result, Silent};
use crate::cli::Context;
use crate::proof::automata::certificate::AutomatonCertificate;
use crate::proof::automata::{Attempt, Budget, DecidedTheorem, Decision, shipped};
use crate::rules::notation::show_heaps;

/// Decides the claim and reports it.
pub fn run(asked: &Asked, context: &Context) -> Result<Exit> {
    let control = context.control(&Silent).with_time(asked.time);
    let stop = || control.stopped();
    let budget = Budget::within(&control, &stop);
    let Some(certificate) = certificate(asked, context, &control)? else { return Ok(Exit::Undecided) };
    let text = asked.automata.claim.as_deref().unwrap_or_default();
    let decide = || {
        let theorem = DecidedTheorem::decided(&asked.game, &certificate, &budget)?;
        let decision = theorem.decide(text, &budget)?;
        Ok((theorem, decision))
    };
    let (theorem, decision) = decide().map_err(|error| match error {
        Error::Undecided(_) if control.is_interrupted() => Error::Interrupted { done: 0, total: 1 },
        other => other,
    })?;
    let (holds, counterexample) = match decision {
        Decision::True => (true, None),
        Decision::False(position) => (false, position),
    };
    let outcome = counterexample.as_ref().map(|heaps| {
        let word = theorem.word(heaps);
        word.and_then(|word| theorem.value(&word)).map_or("N", |value| if value == 0 { "P" } else { "N" })
    });
    let shown = counterexample.map(|heaps| heaps.into_iter().map(Size).collect::<Vec<_>>());
    context.print(
        || {
            json!({
                "game": asked.name,
                "misere": asked.misere(),
                "heaps": theorem.heaps(),
                "smallest": theorem.smallest,
                "claim": text,
                "holds": holds,
                "counterexample": shown,
                "outcome": outcome,
                "theorem": theorem.name(),
            })
        },
        || {
            let about = format!(
                "In {} with {}",
                asked.title(),
                automata::scope(theorem.smallest, theorem.heaps())
            );
            let names: Vec<String> =
                (0..theorem.heaps()).map(|heap| char::from(b'a' + heap as u8).to_string()).collect();
            let names = format!("{} (absent heaps are 0)", names.join(" <= "));
            let from = theorem.name();
            match (&shown, outcome) {
                (Some(heaps), Some(outcome)) => format!(
                    "FALSE at {}, which is {} {outcome}-position:\n  {text}\n{about}, {names}. Decided from {from}.",
                    show_heaps(heaps),
                    if outcome == "P" { "a" } else { "an" },
                ),
                _ if holds => {
                    format!("TRUE for all sizes:\n  {text}\n{about}, {names}. Decided from {from}.")
                }
                _ => format!("FALSE:\n  {text}\n{about}. Decided from {from}."),
            }
        },
    );
    Ok(if holds { Exit::Done } else { Exit::Failed })
}

/// The theorem to ask: the one in a file, one that comes with the program, or one that is proved now. `None`
/// where that fails, after saying so.
fn certificate(
    asked: &Asked,
    context: &Context,
    control: &Control<'_>,
) -> Result<Option<AutomatonCertificate>> {
    let automata::Args { digits, value, smallest, .. } = asked.automata;
    let fits = |known: &AutomatonCertificate| {
        asked.heaps.is_none_or(|heaps| heaps == known.heaps)
            && digits.is_none_or(|digits| digits.to_string() == known.digits)
            && value.is_none_or(|value| (value as usize) < known.sets.len())
            && smallest.is_none_or(|smallest| Some(smallest) == known.smallest)
    };
    if let Some(path) = &asked.certificate {
        let stored = AutomatonCertificate::read(path)?;
        return match fits(&stored) {
            true => Ok(Some(stored)),
            false => Err(Error::Usage(format!(
                "{}: the theorem is about {} heaps in {} digits and does not fit --heaps, --digits, --value or --smallest; leave these out",
                path.display(),
                stored.heaps,
                stored.digits
            ))),
        };
    }
    let heaps = asked.heaps.unwrap_or(DEFAULT_HEAPS);
    let same =
        |known: &&AutomatonCertificate| fits(known) && known.heaps == heaps && known.smallest == smallest;
    if let Some(known) = shipped(&asked.game).find(same) {
        return Ok(Some(known.clone()));
    }
    let attempts = automata::attempts(asked, heaps, control)?;
    let proved = attempts.iter().find_map(|(digits, attempt)| match attempt {
        Attempt::Proved(theorem) => Some((*digits, theorem)),
        Attempt::Open { .. } => None,
    });
    match proved {
        Some((digits, theorem)) => {
            AutomatonCertificate::new(&asked.game, heaps, digits, smallest, &theorem.sets).map(Some)
        }
        None => automata::report(asked, heaps, &attempts, context).map(|_| None),
    }
}
