//! A nim-sequence as rows "n, value".

use std::ops::Range;

use serde_json::{Map, Value};

use super::{About, Dataset, Layout};
use crate::base::Result;
use crate::game::Game;

/// A part of a nim-sequence, or of its outcomes.
pub struct OctalData<F> {
    game: Game,
    terms: Range<u64>,
    outcomes: bool,
    value: F,
}

impl<F: Fn(u64) -> Result<u16>> OctalData<F> {
    /// These terms of the sequence of `game`; as outcomes, 1 for a heap that is a P-position.
    pub fn new(game: &Game, terms: Range<u64>, outcomes: bool, value: F) -> Self {
        Self { game: game.clone(), terms, outcomes, value }
    }
}

impl<F: Fn(u64) -> Result<u16>> Dataset for OctalData<F> {
    fn columns(&self) -> Vec<String> {
        vec!["n".into(), if self.outcomes { "p" } else { "value" }.into()]
    }

    fn for_each_row(&self, visit: &mut dyn FnMut(&[u64]) -> Result<()>) -> Result<()> {
        self.terms.clone().try_for_each(|n| {
            let value = (self.value)(n)?;
            visit(&[n, u64::from(if self.outcomes { u16::from(value == 0) } else { value })])
        })
    }

    fn shape(&self) -> Option<Vec<u64>> {
        Some(vec![self.terms.end - self.terms.start])
    }

    fn layout(&self) -> Layout {
        Layout::Sequence(self.terms.clone())
    }

    fn about(&self) -> About {
        let facts = Map::from_iter([
            ("game".into(), Value::from(self.game.name())),
            ("code".into(), self.game.parameters()["code"].clone()),
            ("play".into(), "normal".into()),
        ]);
        let game = format!("octal game {}", self.game.caption());
        About { game, place: "n".into(), outcomes: self.outcomes, facts }
    }
}
