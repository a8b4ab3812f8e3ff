//! What `prove` says about theorems for a fixed number of heaps, by automata.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::{Work, export};
use crate::base::{Result, files};
use crate::proof::automata::certificate::AutomatonCertificate;
use crate::proof::automata::{Attempt, AutomaticTheorem, Numeration};
use crate::proof::{Attempts, DIGITS, describe, prove_by_automata, proved};

/// Heaps where none were asked for.
pub const DEFAULT_HEAPS: usize = 2;

/// What a proof by automata takes.
#[derive(Debug, Default, clap::Args)]
pub struct Args {
    /// By automata that read these digits of all heaps at once: base-2 to base-10, or zeckendorf.
    #[arg(long, value_name = "DIGITS")]
    pub digits: Option<Numeration>,
    /// Also the positions of each Grundy value up to this one, by automata.
    #[arg(long, value_name = "V")]
    pub value: Option<u32>,
    /// Only positions whose smallest heap is at most this, by automata.
    #[arg(long, value_name = "M")]
    pub smallest: Option<u32>,
    /// Decide a claim about the theorem, such as 'a = 3 implies (P iff b % 4 = 3)'; --certificate is then the
    /// theorem that is asked.
    #[arg(long, value_name = "CLAIM")]
    pub claim: Option<String>,
    /// Draw the automaton: .dot for Graphviz, .svg where it is small; may be given several times.
    #[arg(long, value_name = "FILE", conflicts_with = "claim")]
    pub picture: Vec<PathBuf>,
    /// Write the theorem for Walnut into this folder: automata and the commands that check them.
    #[arg(long, value_name = "DIR", conflicts_with = "claim")]
    pub walnut: Option<PathBuf>,
}

impl Args {
    /// Whether only automata can answer.
    pub fn are_asked_for(&self) -> bool {
        let exports = !self.picture.is_empty() || self.walnut.is_some();
        exports
            || self.claim.is_some()
            || self.digits.is_some()
            || self.value.is_some()
            || self.smallest.is_some()
    }
}

/// Looks for a theorem and reports it; whether it is proved.
pub fn run(work: &Work<'_>, heaps: usize) -> Result<bool> {
    let attempts = attempts(work, heaps)?;
    report(work, heaps, &attempts)
}

/// Looks for a theorem.
pub fn attempts(work: &Work<'_>, heaps: usize) -> Result<Attempts> {
    let Args { digits, value, smallest, .. } = work.asked.automata;
    let digits = digits.map_or(DIGITS.to_vec(), |digits| vec![digits]);
    prove_by_automata(&work.asked.game, heaps, &digits, value.unwrap_or(0), smallest, &work.control)
}

/// Prints the theorem, or what was seen; whether it is proved.
pub fn report(work: &Work<'_>, heaps: usize, attempts: &Attempts) -> Result<bool> {
    let asked = work.asked;
    let smallest = asked.automata.smallest;
    let theorem = proved(attempts);
    let mut words = Vec::new();
    if let Some((digits, theorem)) = theorem {
        let certificate =
            AutomatonCertificate::new(&asked.game, heaps, digits, smallest, &theorem.decided.sets)?
                .with_multiples(&theorem.multiples);
        if let Some(path) = &asked.certificate {
            files::save(path, certificate.to_json().as_bytes())?;
        }
        words = export::write(work, &theorem.decided)?;
    }
    let tried: Vec<Value> = attempts.iter().map(|(digits, attempt)| attempt_json(*digits, attempt)).collect();
    let json = || {
        json!({
            "game": asked.name,
            "misere": asked.misere(),
            "heaps": heaps,
            "smallest": smallest,
            "proved": theorem.is_some(),
            "digits": theorem.map(|(digits, _)| digits.to_string()),
            "states": theorem.map(|(_, theorem)| states(theorem)),
            "words": words,
            "tried": tried,
        })
    };
    match theorem {
        Some((digits, theorem)) => {
            work.print_theorem(json, || {
                describe::automata::theorem(&asked.title(), smallest, heaps, digits, theorem, &words)
            });
        }
        None => work.print(json, || describe::automata::open(&asked.title(), smallest, heaps, attempts)),
    }
    Ok(theorem.is_some())
}

fn states(theorem: &AutomaticTheorem) -> Vec<usize> {
    theorem.decided.sets.iter().map(|set| set.states()).collect()
}

fn attempt_json(digits: Numeration, attempt: &Attempt) -> Value {
    let digits = digits.to_string();
    match attempt {
        Attempt::Proved(theorem) => json!({
            "digits": digits,
            "proved": true,
            "states": states(theorem),
            "refuted_guesses": theorem.refuted,
            "largest_heap_of_tables": theorem.largest_heap,
        }),
        Attempt::Open { growth, reason } => json!({
            "digits": digits,
            "proved": false,
            "reason": reason,
            "growth": growth.iter().map(|(heap, states)| json!([heap, states])).collect::<Vec<_>>(),
        }),
    }
}
