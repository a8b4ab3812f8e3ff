//! The parameters of a game: checked once against its entry, then read without surprises.

use std::collections::BTreeMap;

use serde_json::Value;

use super::entry::{Entry, Parameter, Values};
use crate::base::{Error, Result, numbers};
use crate::rules::Play;

/// Parameters of a game by name, as a table's manifest keeps them.
pub type Parameters = BTreeMap<String, Value>;

/// What a manifest holds beside the parameters of the game: the size of the table.
const SIZES: [&str; 3] = ["heaps", "max", "smallest"];

/// The play that `parameters` name.
pub(super) fn play(parameters: &Parameters) -> Result<Play> {
    match parameters.get("misere") {
        None => Ok(Play::Normal),
        Some(Value::Bool(misere)) => Ok(Play::from_misere(*misere)),
        Some(other) => Err(Error::Usage(format!("misere {other}: it must be true or false"))),
    }
}

/// The parameters of `entry`, each as given or by default; what the game does not have is refused, except for
/// the size of a table.
pub(super) fn checked(entry: &Entry, given: &Parameters) -> Result<Parameters> {
    let known = |key: &str| {
        key == "misere"
            || SIZES.contains(&key)
            || entry.parameters.iter().any(|parameter| parameter.name == key)
    };
    if let Some(key) = given.keys().find(|key| !known(key)) {
        let names: Vec<&str> = entry.parameters.iter().map(|parameter| parameter.name).collect();
        let there_are = match names.as_slice() {
            [] => format!("{} has no parameters", entry.name),
            names => format!("{} has {}", entry.name, names.join(" and ")),
        };
        return Err(Error::Usage(format!("'{key}' is not a parameter of {}; {there_are}", entry.name)));
    }
    let mut parameters = Parameters::from([("misere".into(), (play(given)? == Play::Misere).into())]);
    for parameter in entry.parameters {
        let name = parameter.name;
        let wrong = |value: &Value, must: String| Error::Usage(format!("{name} {value}: it must be {must}"));
        let value = match (given.get(name), parameter.values) {
            (None, values) => default(values).ok_or_else(|| {
                let example = entry.example_of("query");
                Error::Usage(format!("{0} needs {parameter}; an example: {example}", entry.name))
            })?,
            (Some(value @ Value::Bool(_)), Values::Flag) => value.clone(),
            (Some(value), Values::Flag) => return Err(wrong(value, "true or false".into())),
            (Some(Value::String(word)), Values::OneOf(words)) if words.contains(&word.as_str()) => {
                word.as_str().into()
            }
            (Some(value), Values::OneOf(words)) => return Err(wrong(value, one_of(words))),
            (Some(value @ Value::String(_)), Values::Text(..) | Values::Following(_)) => value.clone(),
            (Some(value), Values::Text(..) | Values::Following(_)) => {
                return Err(wrong(value, "a text".into()));
            }
            (Some(value), Values::Number(..)) if value.is_u64() => value.clone(),
            (Some(value), Values::Number(..)) => return Err(wrong(value, "a whole number".into())),
        };
        parameters.insert(name.into(), value);
    }
    Ok(parameters)
}

/// What a parameter is where it is not given; `None` if it must be.
fn default(values: Values) -> Option<Value> {
    match values {
        Values::Flag => Some(false.into()),
        Values::OneOf(words) => Some(words[0].into()),
        Values::Text(_, default) => default.map(Value::from),
        Values::Following(_) => None,
        Values::Number(_, default) => Some(default.into()),
    }
}

/// " --together all": the parameters that have not their default, as a command line gives them; texts as `write`
/// writes them.
pub(super) fn words(entry: &Entry, parameters: &Parameters, write: fn(&str) -> String) -> String {
    let own = entry.parameters.iter().filter_map(|Parameter { name, values, .. }| {
        let value = parameters.get(*name).filter(|&value| Some(value) != default(*values).as_ref())?;
        Some(match value {
            Value::String(text) if matches!(values, Values::Following(_)) => format!(" '{text}'"),
            Value::Bool(_) => format!(" --{name}"),
            Value::String(text) => format!(" --{name} {}", write(text)),
            other => format!(" --{name} {other}"),
        })
    });
    own.collect()
}

impl Parameter {
    /// The value that a person wrote: `true` for a flag, `1e3` for a number.
    pub fn read(&self, text: &str) -> Result<Value> {
        let Self { name, values, .. } = self;
        match values {
            Values::Flag => text
                .parse::<bool>()
                .map(Value::from)
                .map_err(|_| Error::Usage(format!("'{name}={text}': write {name}=true or {name}=false"))),
            Values::OneOf(_) | Values::Text(..) | Values::Following(_) => Ok(text.into()),
            Values::Number(..) => numbers::count(text).map(Value::from).map_err(Error::Usage),
        }
    }
}

/// "two, any or all".
fn one_of(words: &[&str]) -> String {
    match words {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => words.concat(),
    }
}

/// The parameter `name` as a text. Parameters that were checked have the values of their entry.
pub(super) fn text<'a>(parameters: &'a Parameters, name: &str) -> &'a str {
    parameters.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// Whether the flag `name` is set.
pub(super) fn flag(parameters: &Parameters, name: &str) -> bool {
    parameters.get(name).and_then(Value::as_bool).unwrap_or(false)
}

/// The parameter `name` as a number.
pub(super) fn number(parameters: &Parameters, name: &str) -> u64 {
    parameters.get(name).and_then(Value::as_u64).unwrap_or(0)
}
