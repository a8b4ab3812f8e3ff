//! Families of rules: a text with constants, such as `take s from one heap where s <= a*min + b`.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Column, Family, Finding, Look, MOST_GAMES, Size, Status, Values, find};
use crate::base::{Control, Error, Result};
use crate::game::{Game, Parameters};
use crate::rules::Play;
use crate::rules::notation::rule::{Constants, Rule, free_names};

/// The rules that a text says when its constants have the given values.
#[derive(Debug, Clone)]
pub struct RuleFamily {
    text: String,
    play: Play,
    size: Size,
    /// The constants in the order in which the text names them, each with its values.
    constants: Vec<(String, Vec<i64>)>,
}

impl RuleFamily {
    /// The family of `text`. Every name that it uses and does not bind has values, and no other name.
    pub fn new(text: &str, mut values: BTreeMap<String, Values>, play: Play, size: Size) -> Result<Self> {
        let free = free_names(text)?;
        let first = |(name, values): (&String, &Values)| Some((name.clone(), values.iter().next()?));
        let given: Constants = values.iter().filter_map(first).collect();
        let mut constants = Vec::new();
        let mut games: u64 = 1;
        for name in free {
            let Some(values) = values.remove(&name) else {
                let option =
                    if name.len() == 1 { format!("--{name} 1..3") } else { format!("--let {name}=1..3") };
                let why = Rule::parse_with(text, &given)
                    .err()
                    .filter(|_| name.len() > 1)
                    .map_or(String::new(), |error| format!("; {error}"));
                return Err(Error::Usage(format!(
                    "the rule names '{name}' without saying what it is: give its values, such as {option}{why}"
                )));
            };
            games = games.saturating_mul(values.count());
            if games > MOST_GAMES as u64 {
                return Err(Error::Usage(format!(
                    "the values of {name} make more than {MOST_GAMES} games, which is the limit of one survey; narrow a range"
                )));
            }
            constants.push((name, values.iter().collect()));
        }
        if let Some(name) = values.keys().next() {
            return Err(Error::Usage(format!(
                "there are values of '{name}', but the rule does not use such a constant; leave them out, or write {name} in the rule"
            )));
        }
        Ok(Self { text: text.into(), play, size, constants })
    }

    /// The values of the constants, the last one changing fastest.
    fn constants(&self, game: usize) -> Vec<(&str, i64)> {
        let mut rest = game;
        let mut chosen: Vec<(&str, i64)> = Vec::new();
        for (name, values) in self.constants.iter().rev() {
            chosen.push((name, values[rest % values.len()]));
            rest /= values.len();
        }
        chosen.reverse();
        chosen
    }

    fn rule(&self, game: usize) -> Result<Rule, String> {
        let constants = self.constants(game).into_iter().map(|(name, value)| (name.to_string(), value));
        Rule::parse_with(&self.text, &constants.collect()).map_err(|error| error.to_string())
    }
}

impl Family for RuleFamily {
    fn title(&self) -> String {
        format!("{}{}", if self.play == Play::Misere { "misère " } else { "" }, self.text)
    }

    fn definition(&self) -> Value {
        json!({
            "rule": self.text,
            "misere": self.play == Play::Misere,
            "heaps": self.size.heaps,
            "max": self.size.max,
        })
    }

    fn name_columns(&self) -> Vec<Column> {
        self.constants.iter().map(|(name, _)| Column::number(name, 3)).collect()
    }

    fn result_columns(&self) -> Vec<Column> {
        vec![
            Column::text("by", 19),
            Column::text("heaps", 5),
            Column::number("threshold", 9),
            Column::number("period", 6),
            Column::number("classes", 7),
            Column::number("states", 6),
            Column::number("p_positions", 11),
            Column::number("positions", 0),
            Column::number("density", 7),
            Column::long("words", 1),
            Column::long("first", 0),
            Column::long("rule", 0),
        ]
    }

    fn games(&self) -> usize {
        self.constants.iter().map(|(_, values)| values.len()).product()
    }

    fn names(&self, game: usize) -> Vec<Value> {
        self.constants(game).into_iter().map(|(_, value)| value.into()).collect()
    }

    fn sameness(&self, game: usize) -> Result<String, String> {
        self.rule(game).map(|rule| rule.to_string())
    }

    fn look(&self, game: usize, _goal: u64, control: &Control<'_>) -> Result<Look> {
        let text = self.rule(game).map_err(Error::Usage)?.to_string();
        let game = Game::written(&text, &Parameters::new())?.in_play(self.play);
        let Finding { theorem, notes, seen, out_of_time } = find(&game, self.size, control)?;
        let status = match &theorem {
            Some(_) => Status::Proved,
            None if out_of_time => Status::OutOfTime,
            None => Status::Seen,
        };
        let words = match (&theorem, &seen) {
            (Some(theorem), _) => theorem.words.clone(),
            (None, Some(seen)) => {
                let first = if seen.first.is_empty() { "none but []".into() } else { seen.first.join(" ") };
                [format!("P with {}: {first}", seen.bound)]
                    .into_iter()
                    .chain(notes)
                    .collect::<Vec<_>>()
                    .join("; ")
            }
            (None, None) => notes.join("; "),
        };
        let heaps =
            theorem.as_ref().map(|theorem| theorem.heaps.map_or("any".into(), |heaps| heaps.to_string()));
        let of_theorem = theorem.unwrap_or_default();
        let density = seen.as_ref().map(|seen| (seen.density() * 1e4).round() / 1e4);
        Ok(Look {
            status,
            reached: 0,
            cells: vec![
                if of_theorem.by.is_empty() { Value::Null } else { of_theorem.by.into() },
                json!(heaps),
                json!(of_theorem.threshold),
                json!(of_theorem.period),
                json!(of_theorem.classes),
                json!(of_theorem.states),
                json!(seen.as_ref().map(|seen| seen.p_positions)),
                json!(seen.as_ref().map(|seen| seen.positions)),
                json!(density),
                words.lines().map(str::trim).collect::<Vec<_>>().join(" ").into(),
                json!(seen.as_ref().map(|seen| seen.first.join(" "))),
                text.into(),
            ],
            alike: seen.map(|seen| seen.fingerprint),
        })
    }
}
