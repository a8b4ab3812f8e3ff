//! What `prove` says about theorems for a fixed number of heaps, by automata.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::{Asked, Work, export};
use crate::base::{Result, files};
use crate::cli::numbers;
use crate::proof::automata::certificate::AutomatonCertificate;
use crate::proof::automata::{Attempt, AutomaticTheorem, Numeration};
use crate::proof::{Attempts, DIGITS, prove_by_automata};

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

/// The theorem among the attempts, if there is one.
pub fn proved(attempts: &Attempts) -> Option<(Numeration, &AutomaticTheorem)> {
    attempts.iter().find_map(|(digits, attempt)| match attempt {
        Attempt::Proved(theorem) => Some((*digits, &**theorem)),
        Attempt::Open { .. } => None,
    })
}

/// Prints the theorem, or what was seen; whether it is proved.
pub fn report(work: &Work<'_>, heaps: usize, attempts: &Attempts) -> Result<bool> {
    let asked = work.asked;
    let theorem = proved(attempts);
    let mut words = Vec::new();
    if let Some((digits, theorem)) = theorem {
        let certificate = AutomatonCertificate::new(
            &asked.game,
            heaps,
            digits,
            asked.automata.smallest,
            &theorem.decided.sets,
        )?
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
            "smallest": asked.automata.smallest,
            "proved": theorem.is_some(),
            "digits": theorem.map(|(digits, _)| digits.to_string()),
            "states": theorem.map(|(_, theorem)| states(theorem)),
            "words": words,
            "tried": tried,
        })
    };
    match theorem {
        Some((digits, theorem)) => {
            work.print_theorem(json, || describe(asked, heaps, digits, theorem, &words));
        }
        None => work.print(json, || describe_open(asked, heaps, attempts)),
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

/// "at most 3 heaps of any sizes, the smallest of them at most 4".
pub fn scope(smallest: Option<u32>, heaps: usize) -> String {
    let smallest = smallest.map_or(String::new(), |smallest| {
        format!(", the smallest of {heaps} (absent ones counted as 0) at most {smallest}")
    });
    format!("at most {} of any sizes{smallest}", numbers::counted(heaps as u64, "heap"))
}

fn describe(
    asked: &Asked,
    heaps: usize,
    digits: Numeration,
    theorem: &AutomaticTheorem,
    words: &[String],
) -> String {
    let words = match words {
        [] => String::new(),
        words => {
            let names = ["a <= b", "a <= b <= c"][heaps.clamp(2, 3) - 2];
            format!(
                "In words, for heaps {names} (absent heaps are 0), each decided:\n  {}\n\n",
                words.join("\n  ")
            )
        }
    };
    let digits = match digits {
        Numeration::Base(base) => format!("digits in base {base}"),
        Numeration::Zeckendorf => "Zeckendorf digits".into(),
    };
    let sets: Vec<String> = match theorem.decided.sets.as_slice() {
        [set] => vec![format!(
            "the P-positions are exactly those that an automaton with {} accepts",
            numbers::counted(set.states() as u64, "state")
        )],
        sets => sets
            .iter()
            .enumerate()
            .map(|(value, set)| {
                format!(
                    "the positions of value {value} are exactly those that an automaton with {} accepts",
                    numbers::counted(set.states() as u64, "state")
                )
            })
            .collect(),
    };
    format!(
        "THEOREM. In {} with {}, {},\nwhich reads the {digits} of the sorted heaps together, from the highest on.\n\n{words}\
         Learned from tables with heaps up to {} ({} on the way) and decided for all sizes; docs/PROOFS.md has the argument.",
        asked.title(),
        scope(asked.automata.smallest, heaps),
        sets.join(",\n"),
        theorem.largest_heap,
        numbers::counted(theorem.refuted as u64, "counterexample"),
    )
}

fn describe_open(asked: &Asked, heaps: usize, attempts: &Attempts) -> String {
    let mut text = format!(
        "NOT PROVED. For {} with {} no automaton was found that accepts exactly the P-positions.",
        asked.title(),
        scope(asked.automata.smallest, heaps)
    );
    for (digits, attempt) in attempts {
        if let Attempt::Open { growth, reason } = attempt {
            let shown =
                growth.iter().rev().step_by(growth.len().div_ceil(8).max(1)).take(8).collect::<Vec<_>>();
            let shown: Vec<String> =
                shown.iter().rev().map(|(heap, states)| format!("{states} (heaps to {heap})")).collect();
            text.push_str(&format!("\n{digits}: {reason}; states of the guesses: {}", shown.join(", ")));
        }
    }
    text
}
