//! What the test of a claim found.

use serde::{Serialize, Serializer};

/// What is known of a claim after its test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The check settles the statement for all cases that it speaks of.
    Proved,
    /// No counterexample up to the bound.
    Holds,
    /// A counterexample was found.
    Fails,
    /// Nothing was tested: the time was up, or no computation can decide it.
    Unchecked,
}

impl Verdict {
    /// The word used in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Proved => "proved",
            Self::Holds => "holds",
            Self::Fails => "fails",
            Self::Unchecked => "unchecked",
        }
    }
}

/// The smallest case in which a claim fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counterexample {
    /// The position (or the table cell), as short as possible: this is what `data/claims` records.
    pub position: String,
    /// What is true of it and why, with the options that show it.
    pub shows: String,
}

impl Serialize for Counterexample {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.position)
    }
}

/// The result of testing one claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What is known now.
    pub verdict: Verdict,
    /// How far it was tested, for example "2 heaps up to 200"; for `Unchecked`, why it was not.
    pub bound: String,
    /// The smallest counterexample, present exactly when the verdict is `Fails`.
    pub counterexample: Option<Counterexample>,
    /// The statement that holds instead, tested to the same bound.
    pub corrected: Option<String>,
}

impl Finding {
    /// The check settles the statement; `how` says why it covers all cases.
    pub fn proved(how: impl Into<String>) -> Self {
        Self { verdict: Verdict::Proved, bound: how.into(), counterexample: None, corrected: None }
    }

    /// No counterexample up to `bound`.
    pub fn holds(bound: impl Into<String>) -> Self {
        Self { verdict: Verdict::Holds, bound: bound.into(), counterexample: None, corrected: None }
    }

    /// The statement fails at `position`; `shows` tells what is true there, with the options that show it.
    pub fn fails(position: impl Into<String>, shows: impl Into<String>, bound: impl Into<String>) -> Self {
        Self {
            verdict: Verdict::Fails,
            bound: bound.into(),
            counterexample: Some(Counterexample { position: position.into(), shows: shows.into() }),
            corrected: None,
        }
    }

    /// Nothing was tested, for this reason.
    pub fn unchecked(reason: impl Into<String>) -> Self {
        Self { verdict: Verdict::Unchecked, bound: reason.into(), counterexample: None, corrected: None }
    }

    /// `Holds` if no counterexample was found, otherwise `Fails` with it.
    pub fn from_search(found: Option<Counterexample>, bound: impl Into<String>) -> Self {
        match found {
            None => Self::holds(bound),
            Some(found) => Self::fails(found.position, found.shows, bound),
        }
    }

    /// Adds the corrected statement to a failure if its own test, `holds`, went well. `data/claims` records
    /// that a correction is there, so that one that stops holding is noticed.
    pub fn corrected(mut self, statement: impl Into<String>, holds: bool) -> Self {
        if self.verdict == Verdict::Fails && holds {
            self.corrected = Some(statement.into());
        }
        self
    }
}

impl Counterexample {
    /// A counterexample from its two parts.
    pub fn new(position: impl Into<String>, shows: impl Into<String>) -> Self {
        Self { position: position.into(), shows: shows.into() }
    }
}
