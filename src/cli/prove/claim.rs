//! `prove --claim`: a claim about a proved set of positions, decided for all sizes.

use serde_json::json;

use super::Work;
use super::automata::{self, DEFAULT_HEAPS};
use crate::answer::Size;
use crate::base::{Error, Exit, Result};
use crate::proof::automata::certificate::AutomatonCertificate;
use crate::proof::automata::{Budget, DecidedTheorem, Decision, shipped};
use crate::proof::{describe, proved};
use crate::rules::notation::show_heaps;

/// Decides the claim and reports it.
pub fn run(work: &Work<'_>, text: &str) -> Result<Exit> {
    let &Work { asked, ref control, .. } = work;
    let stop = || control.stopped();
    let budget = Budget::within(control, &stop);
    let decided = theorem(work, &budget).and_then(|theorem| {
        let Some(theorem) = theorem else { return Ok(None) };
        control.observer.doing("decides the claim");
        let decision = theorem.decide(text, &budget)?;
        Ok(Some((theorem, decision)))
    });
    let decided = decided.map_err(|error| match error {
        Error::Undecided(_) if control.is_interrupted() => Error::Interrupted { done: 0, total: 1 },
        other => other,
    })?;
    let Some((theorem, decision)) = decided else { return Ok(Exit::Undecided) };
    let (holds, counterexample) = match decision {
        Decision::True => (true, None),
        Decision::False(position) => (false, position),
    };
    let outcome = counterexample.as_ref().map(|heaps| {
        let word = theorem.word(heaps);
        word.and_then(|word| theorem.value(&word)).map_or("N", |value| if value == 0 { "P" } else { "N" })
    });
    let shown = counterexample.map(|heaps| heaps.into_iter().map(Size).collect::<Vec<_>>());
    work.print(
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
                describe::automata::scope(theorem.smallest, theorem.heaps())
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
fn theorem(work: &Work<'_>, budget: &Budget<'_>) -> Result<Option<DecidedTheorem>> {
    let asked = work.asked;
    let automata::Args { digits, value, smallest, .. } = asked.automata;
    let fits = |known: &AutomatonCertificate| {
        asked.heaps.is_none_or(|heaps| heaps == known.heaps)
            && digits.is_none_or(|digits| digits.to_string() == known.digits)
            && value.is_none_or(|value| (value as usize) < known.sets.len())
            && smallest.is_none_or(|smallest| Some(smallest) == known.smallest)
    };
    let decided = |certificate: &AutomatonCertificate| {
        work.control.observer.doing("decides the theorem of a certificate");
        DecidedTheorem::decided(&asked.game, certificate, budget).map(Some)
    };
    if let Some(path) = &asked.certificate {
        let stored = AutomatonCertificate::read(path)?;
        return match fits(&stored) {
            true => decided(&stored),
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
        return decided(known);
    }
    let attempts = automata::attempts(work, heaps)?;
    match proved(&attempts) {
        Some((_, proved)) => Ok(Some(proved.decided.clone())),
        None => automata::report(work, heaps, &attempts).map(|_| None),
    }
}
