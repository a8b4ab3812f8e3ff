//! Theorems for a fixed number of heaps, by automata.

use crate::base::{Control, Error, Result, numbers};
use crate::proof::Attempts;
use crate::proof::automata::{Attempt, AutomaticTheorem, Budget, DecidedTheorem, Numeration};

/// The theorem in words, where there are such. They are welcome, and no part of the proof: what takes too long is
/// left out.
pub fn words(theorem: &DecidedTheorem, control: &Control<'_>) -> Result<Vec<String>> {
    control.observer.doing("words for the automaton");
    let stop = || control.stopped();
    match theorem.in_words(&Budget::within(control, &stop)) {
        Err(Error::Undecided(_)) => Ok(Vec::new()),
        words => words,
    }
}

/// "at most 3 heaps of any sizes, the smallest of them at most 4".
pub fn scope(smallest: Option<u32>, heaps: usize) -> String {
    let smallest = smallest.map_or(String::new(), |smallest| {
        format!(", the smallest of {heaps} (absent ones counted as 0) at most {smallest}")
    });
    format!("at most {} of any sizes{smallest}", numbers::counted(heaps as u64, "heap"))
}

/// A theorem about the game called `title`, with its `words` where there are such.
pub fn theorem(
    title: &str,
    smallest: Option<u32>,
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
        title,
        scope(smallest, heaps),
        sets.join(",\n"),
        theorem.largest_heap,
        numbers::counted(theorem.refuted as u64, "counterexample"),
    )
}

/// That no automaton was found for the game called `title`, and what was seen.
pub fn open(title: &str, smallest: Option<u32>, heaps: usize, attempts: &Attempts) -> String {
    let mut text = format!(
        "NOT PROVED. For {} with {} no automaton was found that accepts exactly the P-positions.",
        title,
        scope(smallest, heaps)
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
