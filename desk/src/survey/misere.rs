//! Misère quotients of octal games, one game after the other.

use serde_json::{Value, json};

use super::{Column, Family, Look, Status};
use crate::base::{Control, Result};
use crate::proof::misere::{End, Extent, Period, generator_name, solve};
use crate::rules::OctalGame;

/// Octal games whose misère quotients are looked for.
#[derive(Debug, Clone)]
pub struct MisereFamily {
    title: String,
    games: Vec<OctalGame>,
    heaps: usize,
}

impl MisereFamily {
    /// These games, with heaps up to `heaps`; `title` says which games they are.
    pub fn new(title: &str, games: Vec<OctalGame>, heaps: usize) -> Self {
        Self { title: title.into(), games, heaps }
    }
}

impl Family for MisereFamily {
    fn title(&self) -> String {
        format!("misère {}", self.title)
    }

    fn definition(&self) -> Value {
        json!({ "misere-quotients": true, "heaps": self.heaps })
    }

    fn name_columns(&self) -> Vec<Column> {
        vec![Column::text("code", 7)]
    }

    fn result_columns(&self) -> Vec<Column> {
        vec![
            Column::number("order", 6),
            Column::number("p", 5),
            Column::number("preperiod", 9),
            Column::number("period", 6),
            Column::number("heaps", 6),
            Column::number("wild", 5),
            Column::number("states", 7),
            Column::long("generators", 1),
            Column::long("relations", 0),
            Column::long("p_portion", 0),
            Column::long("orders", 0),
            Column::long("problem", 0),
        ]
    }

    fn games(&self) -> usize {
        self.games.len()
    }

    fn names(&self, game: usize) -> Vec<Value> {
        vec![self.games[game].to_string().into()]
    }

    fn sameness(&self, game: usize) -> Result<String, String> {
        Ok(self.games[game].to_string())
    }

    fn look(&self, game: usize, _goal: u64, control: &Control<'_>) -> Result<Look> {
        let extent = Extent { heaps: self.heaps, sums: usize::MAX };
        let solution = solve(&self.games[game], extent, control)?;
        let (status, problem) = match &solution.end {
            End::Proved(_) => (Status::Proved, None),
            End::Asked => (Status::Seen, Some("the elements of the heaps do not repeat long enough")),
            End::Limit(why) => (Status::OutOfTime, Some(why.as_str())),
        };
        let (monoid, presentation) = (&solution.monoid, &solution.presentation);
        let generators = presentation.generators.iter().enumerate();
        let generators: Vec<String> =
            generators.map(|(i, heap)| format!("{}={heap}", generator_name(i))).collect();
        let p_portion = monoid.p_portion();
        let names: Vec<String> = p_portion.iter().map(|&x| presentation.name(x)).collect();
        let orders: Vec<String> =
            solution.steps.iter().map(|step| format!("{}:{}", step.heap, step.order)).collect();
        let period = solution.period();
        Ok(Look {
            status,
            cells: vec![
                json!(monoid.order()),
                json!(p_portion.len()),
                json!(period.map(|Period { preperiod, .. }| preperiod)),
                json!(period.map(|Period { period, .. }| period)),
                json!(solution.heap),
                json!(solution.first_wild()),
                json!(solution.states),
                generators.join(" ").into(),
                presentation.relation_names().join(" ").into(),
                names.join(" ").into(),
                orders.join(" ").into(),
                json!(problem),
            ],
            alike: None,
            reached: 0,
        })
    }
}
