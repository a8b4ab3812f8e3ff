//! Certificates of theorems by automata: what scripts/check_automaton.py checks without this program.

use serde::{Deserialize, Serialize};

use super::{Dfa, Numeration};
use crate::base::{Error, Result};
use crate::game::{Game, rule_file};
use crate::rules::Play;

/// What the format is called.
const FORMAT: &str = "nimwave-automaton-1";

/// The automata of a theorem, with everything that says what they are about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AutomatonCertificate {
    format: String,
    /// The game as the command line names it.
    pub game: String,
    /// What a move is, in the language of docs/RULES.md.
    pub rule: String,
    /// Whether the player who cannot move wins.
    pub misere: bool,
    /// The most heaps.
    pub heaps: usize,
    /// The bound of the smallest heap, absent ones counted as 0, if there is one.
    pub smallest: Option<u32>,
    /// `base-2`, ..., `base-10` or `zeckendorf`.
    pub digits: String,
    /// The positions of value 0, 1, 2, ...; in misère play only the first, the P-positions.
    pub sets: Vec<StoredAutomaton>,
}

/// A complete deterministic automaton that begins in state 0. Letter number l of a tuple of digits
/// (d1, ..., dk), d1 that of the smallest heap, in base b is d1 + d2 b + ... + dk b^(k-1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredAutomaton {
    /// The accepting states, ascending.
    pub accepting: Vec<u32>,
    /// For each state the next one for each letter.
    pub next: Vec<Vec<u32>>,
}

impl AutomatonCertificate {
    /// The certificate of proved sets.
    pub fn new(
        game: &Game,
        heaps: usize,
        digits: Numeration,
        smallest: Option<u32>,
        sets: &[Dfa],
    ) -> Result<Self> {
        let rule = rule_file::of_game(game)
            .ok_or_else(|| Error::Usage(format!("{} is not written as a rule", game.name())))?;
        let stored = |set: &Dfa| StoredAutomaton {
            accepting: (0..set.states() as u32).filter(|&state| set.accepting[state as usize]).collect(),
            next: (0..set.states() as u32).map(|state| set.row(state).to_vec()).collect(),
        };
        Ok(Self {
            format: FORMAT.into(),
            game: game.words(),
            rule: rule.to_string(),
            misere: game.play() == Play::Misere,
            heaps,
            smallest,
            digits: digits.to_string(),
            sets: sets.iter().map(stored).collect(),
        })
    }

    /// The text of the certificate: one state per line.
    pub fn to_json(&self) -> String {
        let text = serde_json::to_string(self).unwrap_or_default();
        text.replace("]],", "]],\n").replace("],[", "],\n[") + "\n"
    }
}
