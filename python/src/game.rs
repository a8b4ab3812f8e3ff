//! Games.

use std::collections::BTreeMap;

use nimwave::game;
use nimwave::rules::OctalGame;
use nimwave::{Play, Result};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::errors::raised;

/// A game with its play and its parameters.
#[pyclass(frozen, module = "nimwave")]
pub struct Game(pub nimwave::Game);

/// The value of a parameter.
#[derive(FromPyObject)]
pub enum Parameter {
    /// A flag.
    Flag(bool),
    /// A number.
    Number(u64),
    /// A word or a text.
    Text(String),
}

impl From<Parameter> for Value {
    fn from(parameter: Parameter) -> Self {
        match parameter {
            Parameter::Flag(flag) => flag.into(),
            Parameter::Number(number) => number.into(),
            Parameter::Text(text) => text.into(),
        }
    }
}

/// The game `name` of the catalogue, or the octal game of this code.
fn named(name: &str, misere: bool, parameters: game::Parameters) -> Result<nimwave::Game> {
    let found = match game::find(name) {
        Err(unknown) => match name.parse::<OctalGame>() {
            Ok(octal) if parameters.is_empty() => Ok(nimwave::Game::octal(octal)),
            _ => Err(unknown),
        },
        Ok(entry) => nimwave::Game::of(entry, &parameters),
    }?;
    Ok(found.in_play(Play::from_misere(misere)))
}

#[pymethods]
impl Game {
    /// The game of this name, or the octal game of this code.
    #[new]
    #[pyo3(signature = (name, misere, parameters))]
    fn new(name: &str, misere: bool, parameters: BTreeMap<String, Parameter>) -> PyResult<Self> {
        // `to_zero` in Python is `to-zero` in the catalogue.
        let parameters = parameters.into_iter().map(|(name, value)| (name.replace('_', "-"), value.into()));
        named(name, misere, parameters.collect()).map(Self).map_err(raised)
    }

    /// The name in the catalogue.
    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    /// Whether the player who cannot move wins.
    #[getter]
    fn misere(&self) -> bool {
        self.0.play() == Play::Misere
    }

    /// What a move is.
    #[getter]
    fn moves(&self) -> &str {
        self.0.moves()
    }

    /// All parameters, as JSON.
    fn parameters(&self) -> String {
        json!(self.0.parameters()).to_string()
    }

    fn __repr__(&self) -> String {
        let play = if self.misere() { "misère " } else { "" };
        format!("<nimwave.Game {play}{}>", self.0.words())
    }
}

/// Every game of the catalogue, as JSON.
#[pyfunction]
pub fn games() -> String {
    let entry = |entry: &game::Entry| {
        json!({
            "name": entry.name, "source": entry.source, "moves": entry.moves, "parameters": entry.usage(),
            "example": entry.example_of("query"), "on_heaps": entry.is_on_heaps(),
        })
    };
    game::all().into_iter().map(entry).collect::<Value>().to_string()
}
