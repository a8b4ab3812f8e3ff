//! Certificates of theorems by automata: what scripts/check_automaton.py checks without this program.

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Dfa, Numeration};
use crate::base::{Error, Result, files};
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
    /// Where moves take multiples of a heap: see [`super::AutomaticTheorem::multiples`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub multiples: Vec<StoredAutomaton>,
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

impl StoredAutomaton {
    fn of(dfa: &Dfa) -> Self {
        let states = 0..dfa.states() as u32;
        Self {
            accepting: states.clone().filter(|&state| dfa.accepting[state as usize]).collect(),
            next: states.map(|state| dfa.row(state).to_vec()).collect(),
        }
    }
}

impl AutomatonCertificate {
    /// The certificate of proved sets.
    pub fn new(
        game: &Game,
        heaps: usize,
        digits: Numeration,
        smallest: Option<u32>,
        sets: &[Arc<Dfa>],
    ) -> Result<Self> {
        let rule = rule_file::of_game(game)
            .ok_or_else(|| Error::Usage(format!("{} is not written as a rule", game.name())))?;
        Ok(Self {
            format: FORMAT.into(),
            game: game.words(),
            rule: rule.to_string(),
            misere: game.play() == Play::Misere,
            heaps,
            smallest,
            digits: digits.to_string(),
            sets: sets.iter().map(|set| StoredAutomaton::of(set)).collect(),
            multiples: Vec::new(),
        })
    }

    /// The same with the automata of moves by multiples.
    pub fn with_multiples(self, multiples: &[Dfa]) -> Self {
        Self { multiples: multiples.iter().map(StoredAutomaton::of).collect(), ..self }
    }

    /// Reads a certificate; its automata are looked at when they are used.
    pub fn read(path: &Path) -> Result<Self> {
        const LARGEST: u64 = 1 << 28;
        let text = files::read_text(path, LARGEST).map_err(Error::io("cannot read", path))?;
        Self::from_json(&text).map_err(|problem| Error::Usage(format!("{}: {problem}", path.display())))
    }

    /// The certificate that a text is, or what is wrong with it.
    pub fn from_json(text: &str) -> Result<Self, String> {
        let certificate: Self = serde_json::from_str(text).map_err(|error| {
            format!("this is not a certificate of automata ({error}); `prove ... --certificate` writes them")
        })?;
        if certificate.format != FORMAT {
            return Err(format!("the format is '{}', and should be {FORMAT}", certificate.format));
        }
        Ok(certificate)
    }

    /// The digits that the automata read.
    pub fn numeration(&self) -> Result<Numeration, String> {
        self.digits.parse()
    }

    /// The automata, or what is wrong with one of them.
    pub fn automata(&self) -> Result<Vec<Dfa>, String> {
        /// As many as `prove` has.
        const MOST_HEAPS: usize = 6;
        if !(1..=MOST_HEAPS).contains(&self.heaps) {
            return Err(format!("{} heaps; theorems are about 1 to {MOST_HEAPS}", self.heaps));
        }
        let numeration = self.numeration()?;
        let letters = numeration.digits().pow(self.heaps as u32);
        let automaton = |(value, stored): (usize, &StoredAutomaton)| {
            let states = stored.next.len();
            let row_fits =
                |row: &Vec<u32>| row.len() == letters && row.iter().all(|&to| (to as usize) < states);
            let accepting_fits = stored.accepting.iter().all(|&state| (state as usize) < states);
            if states == 0 || !accepting_fits || !stored.next.iter().all(row_fits) {
                return Err(format!(
                    "the automaton of value {value} is cut off or damaged: each of its {states} states needs {letters} next states below {states}"
                ));
            }
            let mut accepting = vec![false; states];
            stored.accepting.iter().for_each(|&state| accepting[state as usize] = true);
            let next = stored.next.concat();
            Ok(Dfa { numeration, tracks: self.heaps, start: 0, next, accepting })
        };
        if self.sets.is_empty() || (self.misere && self.sets.len() > 1) {
            return Err("it needs one automaton, or in normal play one for each value from 0 on".into());
        }
        self.sets.iter().enumerate().map(automaton).collect()
    }

    /// The text of the certificate: one state per line.
    pub fn to_json(&self) -> String {
        let text = serde_json::to_string(self).unwrap_or_default();
        text.replace("]],", "]],\n").replace("],[", "],\n[") + "\n"
    }
}
