//! The period of a rule whose heaps do not interact, as far as a sequence of its values shows it.

use serde_json::{Value, json};

use crate::game::Game;
use crate::game::theory::guy_smith::{Drift, observed};
use crate::game::theory::regularity::Regularity;
use crate::rules::OctalGame;
use crate::table::Cells;

/// What the values of single heaps say about those of larger heaps.
pub struct SequencePeriod {
    octal: Option<OctalGame>,
    proved: Option<Regularity>,
    seen: Option<Drift>,
}

/// The period of the rule of `game`, if its heaps do not interact and `cells` are the values of single heaps.
pub fn period(game: &Game, cells: &Cells<'_>) -> Option<SequencePeriod> {
    let heaps = game.on_heaps().ok().filter(|heaps| heaps.is_written_sum(game.play()))?;
    let octal = heaps.written.as_ref()?.octal();
    let values: Vec<u16> = (0..cells.len()).map(|heap| cells.get(heap)).collect();
    let proved = octal.as_ref().and_then(|octal| Regularity::proved(octal, &values));
    Some(SequencePeriod { octal, proved, seen: observed(&values) })
}

impl SequencePeriod {
    /// The JSON of the table with the period.
    pub fn added_to(&self, mut object: Value) -> Value {
        object["octal"] = json!(self.octal.as_ref().map(ToString::to_string));
        object["proved_period"] = json!(self.proved.map(|proved| proved.drift));
        object["seen_period"] = json!(self.seen);
        object
    }

    /// A line for people.
    pub fn describe(&self) -> String {
        let is_octal =
            self.octal.as_ref().map_or(String::new(), |octal| format!("this is the octal game {octal}; "));
        match (self.proved, self.seen) {
            (Some(Regularity { drift, theorem }), _) => {
                format!("{is_octal}{}, proved ({})\n", drift.describe(), theorem.name())
            }
            (None, Some(seen)) => {
                let (equation, preperiod) = (seen.equation(), seen.preperiod);
                format!("{is_octal}seen, not proved: {equation} from {preperiod} on\n")
            }
            (None, None) => format!("{is_octal}no period is seen\n"),
        }
    }
}
