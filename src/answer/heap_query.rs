//! One position of a heap game of the catalogue: read from text, solved, and shown.

use crate::base::Control;
use crate::base::{Error, Result};
use crate::game::{self, Game};
use crate::rules::HeapRules;
use crate::search::memo::Memo;
use crate::space::{SortedHeaps, Space};
use crate::sweep::HeapJob;
use crate::table::Quantity;
use std::sync::Arc;

/// The value of a position, and its options with theirs.
pub type ValueAndOptions = (u16, Vec<(Vec<u32>, u16)>);

/// The most option visits that an answer may cost: about a minute.
const MOST_VISITS: u128 = 2_000_000_000;

/// A heap game, ready to be asked about positions.
pub struct HeapGame {
    game: Game,
    heaps: game::HeapGame,
}

impl HeapGame {
    /// A game of the catalogue.
    pub fn new(game: Game) -> Result<Self> {
        Ok(Self { heaps: game.on_heaps()?.clone(), game })
    }

    /// The game itself.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Whether tables can be filled.
    pub fn has_tables(&self) -> bool {
        self.heaps.has_tables()
    }

    /// The position of `words`.
    pub fn position(&self, words: &[&str], number: &dyn Fn(&str) -> Result<u32>) -> Result<Vec<u32>> {
        let position = self.heaps.read(words, number)?;
        self.heaps.check(self.game.name(), &position)?;
        Ok(position)
    }

    /// How a position is shown.
    pub fn show(&self, position: &[u32]) -> String {
        self.heaps.show(position)
    }

    /// The rules for heaps of at most `largest`.
    pub fn rules(&self, largest: u32) -> Result<Arc<HeapRules>> {
        self.heaps.rules(largest)
    }

    /// The job of a table of this game.
    pub fn job(&self, heaps: usize, max: u32, quantity: Quantity) -> Result<HeapJob> {
        HeapJob::new(&self.game, heaps, max, quantity)
    }

    /// Refuses a position whose answer would take hours.
    pub fn check_work(&self, position: &[u32]) -> Result<()> {
        let (heaps, largest, chips) = size(position);
        let positions = SortedHeaps::count(heaps.max(1), largest).map_or(u128::MAX, u128::from);
        if self.heaps.family != Some(game::Family::Minnie)
            && positions.saturating_mul(u128::from(chips)) > MOST_VISITS
        {
            return Err(Error::Budget(format!(
                "{} of {} needs about {positions:.1e} positions with up to {chips} moves each; ask for a smaller position",
                self.show(position),
                self.game.name(),
                positions = positions as f64,
            )));
        }
        Ok(())
    }

    /// The value of `position` and of each of its options, in the order of [`HeapGame::show`] of the options.
    pub fn values(&self, position: &[u32]) -> Result<ValueAndOptions> {
        // A game without tables is searched, and the search has a limit of its own.
        if !self.has_tables() {
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
                self.game.name(),
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
        let most = self.game.parameters().get("add").and_then(serde_json::Value::as_str).unwrap_or("1");
        let most: u64 = most.split(',').filter_map(|n| n.trim().parse().ok()).max().unwrap_or(1);
        let positions = heaps.iter().fold(f64::from(additions) + 1.0, |product, &heap| {
            product * (f64::from(heap) + 1.0 + most as f64 * f64::from(additions))
        });
        let chips = heaps.iter().map(|&heap| f64::from(heap)).sum::<f64>();
        if positions > 2e6 || positions * chips > MOST_VISITS as f64 {
            return Err(Error::Budget(format!(
                "{} of {} may lead to {positions:.1e} positions; ask for smaller heaps or fewer adding moves",
                self.show(position),
                self.game.name()
            )));
        }
        let rules = self.rules(0)?;
        let mut memo = Memo::new(&*rules, self.game.play());
        // Heaps that pass the check above have far smaller values than tables hold.
        let mut value = |position: &[u32]| u16::try_from(memo.value(position)).map_err(|_| Error::too_wide());
        let mut options = Vec::new();
        rules.options(position, &mut |option| options.push(option.to_vec()));
        options.sort();
        options.dedup();
        let whole = value(position)?;
        Ok((
            whole,
            options.into_iter().map(|option| Ok((option.clone(), value(&option)?))).collect::<Result<_>>()?,
        ))
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
    use crate::game::Parameters;

    fn number(word: &str) -> Result<u32> {
        word.parse().map_err(|_| Error::Usage(format!("{word} is no number")))
    }

    fn game(name: &str, parameters: &[(&str, serde_json::Value)]) -> HeapGame {
        let parameters: Parameters =
            parameters.iter().map(|(key, value)| (key.to_string(), value.clone())).collect();
        HeapGame::new(Game::new(name, &parameters).unwrap()).unwrap()
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
            let game = game(name, &[]);
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

    #[test]
    fn poker_nim_of_70000_is_refused_instead_of_taking_all_memory() {
        let game = game("poker-nim", &[]);
        assert!(matches!(game.values(&[1, 70000]), Err(Error::Budget(_))));
    }
}
