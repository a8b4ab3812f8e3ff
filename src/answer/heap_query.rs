//! One position of a heap game of the catalogue: read from text, solved, and shown.

use crate::base::Control;
use crate::base::{Error, Result};
use crate::game::{self, Parameters};
use crate::rules::{Counters, HeapRules, Play};
use crate::search::memo::Memo;
use crate::space::{SortedHeaps, Space, show_heaps};
use crate::sweep::HeapJob;
use crate::table::Quantity;
use std::sync::Arc;

/// The value of a position, and its options with theirs.
pub type ValueAndOptions = (u16, Vec<(Vec<u32>, u16)>);

/// A heap game with its parameters, ready to be asked about positions.
pub struct HeapGame {
    name: String,
    parameters: Parameters,
    /// The graph of the counter game, for the names of its nodes.
    graph: Option<Counters>,
}

/// The most option visits that an answer may cost: about a minute.
const MOST_VISITS: u128 = 2_000_000_000;

impl HeapGame {
    /// The game `name` of the catalogue.
    pub fn new(name: &str, parameters: Parameters) -> Result<Self> {
        game::find(name)?;
        let graph = if name == "counters" { Some(game::counters(&parameters)?) } else { None };
        Ok(Self { name: name.into(), parameters, graph })
    }

    /// The position of `words`: heap sizes, or in the counter game names of nodes. In poker nim the number of adding moves left,
    /// the parameter `additions`, is put in front.
    pub fn position(&self, words: &[&str], number: &dyn Fn(&str) -> Result<u32>) -> Result<Vec<u32>> {
        let mut position: Vec<u32> = match &self.graph {
            Some(graph) => words.iter().map(|name| graph.node(name)).collect::<Result<_>>()?,
            None => words.iter().map(|word| number(word)).collect::<Result<_>>()?,
        };
        if self.name == "poker-nim" {
            let additions = self.parameters.get("additions").and_then(serde_json::Value::as_u64).unwrap_or(0);
            position.insert(0, u32::try_from(additions).unwrap_or(u32::MAX));
        }
        game::check_position(&self.name, &self.parameters, &position)?;
        Ok(position)
    }

    /// How a position is shown: without empty heaps, nodes by name.
    pub fn show(&self, position: &[u32]) -> String {
        let words: Vec<String> = match (&self.graph, self.name.as_str()) {
            (Some(graph), _) => {
                let name = |&node: &u32| graph.name(node).unwrap_or("?").to_string();
                position.iter().filter(|&&node| node > 0).map(name).collect()
            }
            (None, "poker-nim") => position[1..].iter().map(u32::to_string).collect(),
            // The board is symmetric, and a square is shown with its smaller coordinate first.
            (None, "rook" | "queen") => {
                let mut square = position.to_vec();
                square.resize(2, 0);
                square.sort_unstable();
                square.iter().map(u32::to_string).collect()
            }
            (None, _) => position.iter().filter(|&&heap| heap > 0).map(u32::to_string).collect(),
        };
        let left = match position.first() {
            Some(additions) if self.name == "poker-nim" => format!(" with {additions} adding moves left"),
            _ => String::new(),
        };
        format!("{}{left}", show_heaps(words))
    }

    fn play(&self) -> Play {
        Play::from_misere(self.parameters.get("misere") == Some(&true.into()))
    }

    /// The rules for heaps of at most `largest`.
    pub fn rules(&self, largest: u32) -> Result<Arc<HeapRules>> {
        let mut parameters = self.parameters.clone();
        parameters.insert("max".into(), largest.into());
        game::heap_rules(&self.name, &parameters)
    }

    /// The job of a table of this game.
    pub fn job(&self, heaps: usize, max: u32, quantity: Quantity) -> Result<HeapJob> {
        if !game::has_tables(&self.name) {
            return Err(Error::Usage(format!(
                "{} has no tables, because its moves also raise heaps; ask for single positions with query",
                self.name
            )));
        }
        let max = self.graph.as_ref().map_or(max, |graph| max.min(graph.nodes()));
        let mut parameters = self.parameters.clone();
        parameters.entry("misere".into()).or_insert(false.into());
        Ok(HeapJob::named(&self.name, parameters, self.rules(max)?, heaps, max, quantity))
    }

    /// Refuses a position whose answer would take hours.
    pub fn check_work(&self, position: &[u32]) -> Result<()> {
        let (heaps, largest, chips) = size(position);
        let positions = SortedHeaps::count(heaps.max(1), largest).map_or(u128::MAX, u128::from);
        if self.name != "minnie" && positions.saturating_mul(u128::from(chips)) > MOST_VISITS {
            return Err(Error::Budget(format!(
                "{} of {} needs about {positions:.1e} positions with up to {chips} moves each; ask for a smaller position",
                self.show(position),
                self.name,
                positions = positions as f64,
            )));
        }
        Ok(())
    }

    /// The value of `position` and of each of its options, in the order of [`HeapGame::show`] of the options.
    pub fn values(&self, position: &[u32]) -> Result<ValueAndOptions> {
        // A game without tables is searched, and the search has a limit of its own.
        if !game::has_tables(&self.name) {
            return self.values_by_memo(position);
        }
        let (heaps, largest, _) = size(position);
        self.check_work(position)?;
        let job = self.job(heaps.max(1), largest.max(1), Quantity::Values)?;
        let space = job.space()?;
        if space.len() > 1 << 28 {
            return Err(Error::Budget(format!(
                "{} of {} needs a table of {} positions; ask for a smaller position",
                self.show(position),
                self.name,
                space.len()
            )));
        }
        let table = job.solve(None, &Control::silent())?;
        let cells = table.cells();
        let mut start: Vec<u32> = position.iter().copied().filter(|&heap| heap > 0).collect();
        start.resize(space.heaps(), 0);
        let value = |heaps: &[u32]| cells.get(space.rank(heaps));
        let mut options = Vec::new();
        job.rules.options(&start, &mut |option| options.push((sorted(option), value(option))));
        options.sort();
        options.dedup();
        Ok((value(&start), options))
    }

    fn values_by_memo(&self, position: &[u32]) -> Result<ValueAndOptions> {
        // Every adding move may raise every heap, so the positions below are bounded by those of the raised heaps.
        let (&additions, heaps) =
            position.split_first().ok_or_else(|| Error::Usage("no heap is given".into()))?;
        let most = self.parameters.get("add").and_then(serde_json::Value::as_str).unwrap_or("1");
        let most: u64 = most.split(',').filter_map(|n| n.trim().parse().ok()).max().unwrap_or(1);
        let positions = heaps.iter().fold(f64::from(additions) + 1.0, |product, &heap| {
            product * (f64::from(heap) + 1.0 + most as f64 * f64::from(additions))
        });
        if positions > 2e6 {
            return Err(Error::Budget(format!(
                "{} of {} may lead to {positions:.1e} positions; ask for smaller heaps or fewer adding moves",
                self.show(position),
                self.name
            )));
        }
        let rules = self.rules(0)?;
        let mut memo = Memo::new(&*rules, self.play());
        let value = memo.value(position);
        let mut found = Vec::new();
        rules.options(position, &mut |option| found.push(option.to_vec()));
        found.sort();
        found.dedup();
        Ok((value, found.into_iter().map(|option| (option.clone(), memo.value(&option))).collect()))
    }
}

/// The number of non-empty heaps, the largest heap, and all chips.
fn size(position: &[u32]) -> (usize, u32, u64) {
    let heaps = position.iter().filter(|&&heap| heap > 0).count();
    (heaps, position.iter().copied().max().unwrap_or(0), position.iter().map(|&heap| u64::from(heap)).sum())
}

fn sorted(heaps: &[u32]) -> Vec<u32> {
    let mut heaps: Vec<u32> = heaps.iter().copied().filter(|&heap| heap > 0).collect();
    heaps.sort_unstable();
    heaps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(word: &str) -> Result<u32> {
        word.parse().map_err(|_| Error::Usage(format!("{word} is no number")))
    }

    fn game(name: &str, parameters: &[(&str, serde_json::Value)]) -> HeapGame {
        let parameters = parameters.iter().map(|(key, value)| (key.to_string(), value.clone())).collect();
        HeapGame::new(name, parameters).unwrap()
    }

    fn value(name: &str, parameters: &[(&str, serde_json::Value)], words: &[&str]) -> u16 {
        let game = game(name, parameters);
        game.values(&game.position(words, &number).unwrap()).unwrap().0
    }

    #[test]
    fn positions_have_the_values_of_the_documents() {
        assert_eq!(value("nim", &[], &["5", "8", "11"]), 6);
        assert_eq!(value("nimb", &[], &["3", "4", "6"]), 2);
        assert_eq!(value("euclid", &[], &["51", "14"]), 3);
        assert_eq!(value("maximum-nim", &[("rule", "n/2".into())], &["20"]), 10);
        assert_eq!(value("rook", &[], &["5", "3"]), 6);
        assert_eq!(value("queen", &[], &["0", "4"]), 4);
        assert_eq!(value("counters", &[("graph", "a>b,b>c,a>c".into())], &["a", "b"]), 3);
        assert_eq!(
            value("poker-nim", &[("add", "1,3,4".into()), ("additions", 1.into())], &["1", "4", "5"]),
            0
        );
        assert_eq!(value("nim", &[], &["0"]), 0);
    }

    #[test]
    fn positions_too_big_are_refused_with_a_remedy() {
        let big = |name: &str, words: &[&str]| {
            let game = game(name, &[("additions", 1.into())]);
            game.values(&game.position(words, &number).unwrap()).unwrap_err().to_string()
        };
        assert!(big("nim", &["3000", "3000", "3000"]).contains("smaller position"));
        assert!(big("poker-nim", &["3000", "3000"]).contains("smaller heaps"));
    }

    #[test]
    fn the_options_are_shown_with_the_names_of_the_nodes() {
        let game = game("counters", &[("graph", "a>b,b>c".into())]);
        let (_, options) = game.values(&game.position(&["a"], &number).unwrap()).unwrap();
        assert_eq!(options.iter().map(|(option, _)| game.show(option)).collect::<Vec<_>>(), ["[b]"]);
        assert!(game.position(&["z"], &number).is_err());
    }
}
