//! Certificates: a quotient and its game as JSON, for people who do not trust this program.
//!
//! A certificate holds no argument, only the finite object; reading one checks its form, and
//! [`Certificate::check`] does the whole finite check again. `scripts/check_certificate.py` does
//! the same from the mathematical statement alone.

use super::Malformed;
use super::finite_check::{Checked, Refuted, check};
use super::local_game::LocalGame;
use super::quotient::{Class, Letters, Quotient};
use crate::base::files;
use crate::base::{Control, Error, Result};
use crate::rules::notation::rule::Rule;
use crate::rules::{OctalGame, Play};
use serde::{Deserialize, Serialize};
use std::path::Path;

const FORMAT: &str = "nimwave-quotient";
const VERSION: u32 = 1;

/// Largest certificate that is read: the ones of this crate have some ten kilobytes.
const MAX_BYTES: u64 = 16 << 20;

/// A game, its play convention, a quotient and the bound of its cover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    /// The game whose P-positions are claimed.
    pub game: LocalGame,
    /// Normal or misère play.
    pub play: Play,
    /// The claimed quotient.
    pub quotient: Quotient,
    /// The bound `m` of the cover, for games that need one.
    pub largest_min: Option<u64>,
}

/// The JSON object. Unknown fields are refused: a reader must not overlook part of a claim.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    format: String,
    version: u32,
    game: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    amounts: Option<Vec<usize>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    digits: Option<Vec<u8>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rule: Option<String>,
    misere: bool,
    threshold: u64,
    period: u64,
    largest_min: Option<u64>,
    accepted: Vec<Class>,
    representatives: Vec<Vec<u64>>,
    action: Vec<Vec<Class>>,
}

impl Certificate {
    /// The whole finite check.
    pub fn check(&self) -> Result<Checked, Refuted> {
        check(&self.quotient, &self.game, self.play, self.largest_min, &Control::silent())
    }

    /// The certificate as JSON, one row of the action per line.
    pub fn to_json(&self) -> String {
        let stored = self.stored();
        // Rows one by one: pretty-printing would put every number on its own line.
        let mut fields = vec![
            format!("\"format\": {}", compact(&stored.format)),
            format!("\"version\": {}", stored.version),
            format!("\"game\": {}", compact(&stored.game)),
        ];
        fields.extend(stored.amounts.map(|amounts| format!("\"amounts\": {}", compact(&amounts))));
        fields.extend(stored.digits.map(|digits| format!("\"digits\": {}", compact(&digits))));
        fields.extend(stored.rule.map(|rule| format!("\"rule\": {}", compact(&rule))));
        fields.extend([
            format!("\"misere\": {}", stored.misere),
            format!("\"threshold\": {}", stored.threshold),
            format!("\"period\": {}", stored.period),
            format!("\"largest_min\": {}", compact(&stored.largest_min)),
            format!("\"accepted\": {}", compact(&stored.accepted)),
            format!("\"representatives\": [\n  {}\n ]", lines(&stored.representatives)),
            format!("\"action\": [\n  {}\n ]", lines(&stored.action)),
        ]);
        format!("{{\n {}\n}}\n", fields.join(",\n "))
    }

    fn stored(&self) -> Stored {
        let (game, amounts, digits, rule) = match &self.game {
            LocalGame::Slabs(_) => (self.game.to_string(), None, None, None),
            LocalGame::Octal(game) => match game.subtraction_set() {
                Some(amounts) => ("subtraction".into(), Some(amounts), None, None),
                None => ("octal".into(), None, Some(game.digits()[1..].to_vec()), None),
            },
            LocalGame::Rule(rules, _) => ("rule".into(), None, None, Some(rules.rule().to_string())),
        };
        let quotient = &self.quotient;
        Stored {
            format: FORMAT.into(),
            version: VERSION,
            game,
            amounts,
            digits,
            rule,
            misere: self.play == Play::Misere,
            threshold: quotient.letters().threshold(),
            period: quotient.letters().period(),
            largest_min: self.largest_min,
            accepted: (0..quotient.classes() as Class).filter(|&class| quotient.accepts(class)).collect(),
            representatives: quotient.representatives().to_vec(),
            action: quotient.rows().map(<[Class]>::to_vec).collect(),
        }
    }

    /// Reads a certificate and checks its form, not its truth: call [`Certificate::check`] for that.
    pub fn from_json(text: &str) -> Result<Self, Malformed> {
        let stored: Stored = serde_json::from_str(text)
            .map_err(|problem| Malformed(format!("not a certificate: {problem}")))?;
        if stored.format != FORMAT || stored.version != VERSION {
            return Err(Malformed(format!(
                "format {:?} version {}: expected {FORMAT:?} version {VERSION}",
                stored.format, stored.version
            )));
        }
        let game = game(&stored)?;
        if game.needs_cover() != stored.largest_min.is_some() {
            return Err(Malformed("largest_min must be given exactly for games that need a cover".into()));
        }
        let letters = Letters::new(stored.threshold, stored.period)?;
        if stored.largest_min.is_some_and(|m| m > letters.count() as u64) {
            return Err(Malformed("largest_min is beyond the letters".into()));
        }
        let mut accepted = vec![false; stored.action.len()];
        for &class in &stored.accepted {
            match accepted.get_mut(class as usize) {
                Some(entry) if !*entry => *entry = true,
                Some(_) => return Err(Malformed(format!("class {class} is accepted twice"))),
                None => return Err(Malformed(format!("accepted class {class} does not exist"))),
            }
        }
        let quotient = Quotient::new(letters, &stored.action, accepted, stored.representatives)?;
        Ok(Self { game, play: Play::from_misere(stored.misere), quotient, largest_min: stored.largest_min })
    }

    /// Reads a certificate from a file; the form is checked, not the truth.
    pub fn read(path: &Path) -> Result<Self> {
        let remedy = "write a new one with `nimwave prove GAME --certificate FILE`";
        let text =
            files::read_text(path, MAX_BYTES).map_err(Error::io("cannot read the certificate", path))?;
        Self::from_json(&text).map_err(|malformed| Error::corrupt(path, malformed.0, remedy))
    }

    /// Writes the certificate to the output `path`, see [`files::save`].
    pub fn write(&self, path: &Path) -> Result<()> {
        files::save(path, self.to_json().as_bytes())
    }
}

fn game(stored: &Stored) -> Result<LocalGame, Malformed> {
    let malformed = |problem: Error| Malformed(problem.to_string());
    let unwanted = |present: bool, field: &str| {
        if present { Err(Malformed(format!("{} takes no field {field:?}", stored.game))) } else { Ok(()) }
    };
    if stored.game != "subtraction" {
        unwanted(stored.amounts.is_some(), "amounts")?;
    }
    if stored.game != "octal" {
        unwanted(stored.digits.is_some(), "digits")?;
    }
    if stored.game != "rule" {
        unwanted(stored.rule.is_some(), "rule")?;
    }
    let game = match stored.game.as_str() {
        "rule" => {
            let rule = Rule::parse(stored.rule.as_deref().unwrap_or_default())
                .map_err(|problem| Malformed(problem.to_string()))?;
            let beyond =
                || Malformed("a quotient is checked for rules whose moves go by heap and min".into());
            return LocalGame::rule(rule).ok_or_else(beyond);
        }
        "subtraction" => OctalGame::subtraction(stored.amounts.as_deref().unwrap_or_default()),
        "octal" => OctalGame::from_digits(&[&[0], stored.digits.as_deref().unwrap_or_default()].concat()),
        name => {
            return LocalGame::of_slabs(name)
                .ok_or_else(|| Malformed(format!("no certificates for a game named {name:?}")));
        }
    };
    LocalGame::octal(game.map_err(malformed)?).map_err(malformed)
}

fn compact<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("plain numbers and strings always serialise")
}

fn lines<T: Serialize>(rows: &[Vec<T>]) -> String {
    rows.iter().map(compact).collect::<Vec<_>>().join(",\n  ")
}
