//! Sums of different games: the value is the nim-sum, a winning move makes it 0.

use super::Outcome;
use super::heap_query::HeapGame;
use crate::base::Control;
use crate::base::{Error, Result};
use crate::game::{self, Game, Parameters};
use crate::rules::notation::show_heaps;
use crate::rules::{Board, Cookie, Cutter, OctalGame, Rules};
use crate::search::cookie::Solvers;
use serde::Serialize;

/// A game that is one part of a sum, solved: its value and its options with theirs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Component {
    /// The game and the position, as given.
    pub text: String,
    /// The Grundy value.
    pub value: u64,
    /// Each option, as it is shown, with its Grundy value.
    pub options: Vec<(String, u64)>,
}

/// A winning move in a sum.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SumMove {
    /// In which component, counted from 0.
    pub component: usize,
    /// The component as given.
    pub from: String,
    /// What it becomes.
    pub to: String,
    /// The value it then has.
    pub value: u64,
}

/// What is known of a sum.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SumAnswer {
    /// The value of each component.
    pub values: Vec<(String, u64)>,
    /// The nim-sum.
    pub value: u64,
    /// Who wins.
    pub outcome: Outcome,
    /// All winning moves.
    pub winning_moves: Vec<SumMove>,
}

/// The answer about the sum of `components`, in normal play.
pub fn sum(components: &[Component]) -> SumAnswer {
    let value = components.iter().fold(0, |sum, component| sum ^ component.value);
    let mut winning_moves = Vec::new();
    if value != 0 {
        for (i, component) in components.iter().enumerate() {
            let wanted = value ^ component.value;
            for (to, value) in component.options.iter().filter(|(_, value)| *value == wanted) {
                let from = component.text.clone();
                winning_moves.push(SumMove { component: i, from, to: to.clone(), value: *value });
            }
        }
    }
    SumAnswer {
        values: components.iter().map(|component| (component.text.clone(), component.value)).collect(),
        value,
        outcome: if value == 0 { Outcome::P } else { Outcome::N },
        winning_moves,
    }
}

/// The component that `text` describes: a game, its parameters as `key=value`, and the position, as `minnie 3 5`,
/// `wynnie together=all 2 3 4` or `maximum-nim rule=n/2 21`.
pub fn component(text: &str, number: &dyn Fn(&str) -> Result<u32>) -> Result<Component> {
    let text = text.trim();
    let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    if name.is_empty() {
        return Err(Error::Usage(
            "a part of the sum is empty; write a game and a position, as \"minnie 3 5\"".into(),
        ));
    }
    match name {
        "octal" => octal_component(text, rest, number),
        "cookie" => cookie_component(text, rest, number),
        _ => heap_component(text, name, rest, number),
    }
}

/// `octal 0.6 17`: one heap of an octal game, by the definition.
fn octal_component(text: &str, rest: &str, number: &dyn Fn(&str) -> Result<u32>) -> Result<Component> {
    const LARGEST: u32 = 5_000;
    let words: Vec<&str> = rest.split_whitespace().collect();
    let [code, heap] = words.as_slice() else {
        return Err(Error::Usage(format!("'{text}': write the code and one heap, as \"octal 0.6 17\"")));
    };
    let game: OctalGame = code.parse()?;
    let heap = number(heap)?;
    if heap > LARGEST {
        return Err(Error::Budget(format!(
            "'{text}' is too big inside a sum; ask for a heap of at most {LARGEST}, or for the game alone with `nimwave query octal`"
        )));
    }
    let mut values: Vec<u64> = Vec::new();
    let mut seen: Vec<u64> = Vec::new();
    for n in 0..=u64::from(heap) {
        seen.clear();
        game.options_of_heap(n, &mut |a, b| {
            // No move takes nothing and leaves the heap whole, so both parts are smaller than n.
            seen.push(values[a as usize] ^ values[b as usize]);
        });
        seen.sort_unstable();
        seen.dedup();
        let mex = seen
            .iter()
            .zip(0..)
            .find(|(value, least)| *value != least)
            .map_or(seen.len() as u64, |(_, least)| least);
        values.push(mex);
    }
    let mut options = Vec::new();
    game.options_of_heap(heap.into(), &mut |a, b| {
        let parts = [b, a].into_iter().filter(|&part| part > 0);
        options.push((show_heaps(parts), values[a as usize] ^ values[b as usize]));
    });
    options.sort();
    options.dedup();
    Ok(Component { text: text.into(), value: values[heap as usize], options })
}

/// `cookie 2x3 k=2`: the full board of 2 rows and 3 columns with the 2 x 2 cutter.
fn cookie_component(text: &str, rest: &str, number: &dyn Fn(&str) -> Result<u32>) -> Result<Component> {
    let usage = || Error::Usage(format!("'{text}': write the board and the cutter, as \"cookie 2x3 k=2\""));
    let mut board = None;
    let mut cutter = None;
    for word in rest.split_whitespace() {
        if let Some(size) = word.strip_prefix("k=") {
            cutter = Some(Cutter::square(number(size)?)?);
        } else if let Some((rows, cols)) = word.split_once('x') {
            board = Some(Board::full(number(rows)? as usize, number(cols)? as usize)?);
        } else {
            return Err(usage());
        }
    }
    let (Some(board), Some(cutter)) = (board, cutter) else { return Err(usage()) };
    if board.count() > 40 {
        return Err(Error::Budget(format!(
            "'{text}' has {} squares, too many inside a sum; ask for a board of at most 40, or for the board alone with `nimwave query cookie`",
            board.count()
        )));
    }
    let mut solvers = Solvers::new(cutter, 1 << 28);
    let mut value = |board: &Board| -> Result<u64> {
        let found = solvers.value(board, rayon::current_num_threads(), &Control::silent())?;
        found.map(u64::from).ok_or_else(|| Error::Budget(format!("the search of '{text}' was stopped")))
    };
    let mut left = Vec::new();
    Cookie { cutter }.options(&board, &mut |option| left.push(option.clone()));
    let mut options = Vec::new();
    for option in &left {
        options.push((option.to_string().replace('\n', "/"), value(option)?));
    }
    options.sort();
    options.dedup();
    Ok(Component { text: text.into(), value: value(&board)?, options })
}

fn heap_component(
    text: &str,
    name: &str,
    rest: &str,
    number: &dyn Fn(&str) -> Result<u32>,
) -> Result<Component> {
    game::find(name)?;
    let mut parameters = Parameters::new();
    let mut words = Vec::new();
    for word in rest.split(|c: char| c.is_whitespace() || "[]".contains(c)).filter(|word| !word.is_empty()) {
        match word.split_once('=') {
            Some(("misere", _)) => return Err(misere()),
            Some((key @ ("together" | "rule" | "graph" | "add"), value)) => {
                parameters.insert(key.into(), value.into());
            }
            Some((key @ ("to-zero" | "additions"), value)) => {
                let value = serde_json::from_str(value)
                    .map_err(|_| Error::Usage(format!("'{word}': write {key}=true or {key}=2")))?;
                parameters.insert(key.into(), value);
            }
            Some((key, _)) => {
                return Err(Error::Usage(format!(
                    "'{key}' is no parameter of a game in a sum; there are together, to-zero, rule, graph, add and additions"
                )));
            }
            None if word == "misere" || word == "--misere" => return Err(misere()),
            None => words.extend(word.split(',').filter(|word| !word.is_empty())),
        }
    }
    if words.is_empty() {
        return Err(Error::Usage(format!(
            "'{text}' has no position; write each part in quotes, the position after the game, as \"minnie 3 5\""
        )));
    }
    let game = HeapGame::new(Game::new(name, &parameters)?)?;
    let position = game.position(&words, number)?;
    let (value, options) = game.values(&position).map_err(|error| match error {
        Error::Budget(text) => Error::Budget(format!(
            "{text}; in a sum a part of value v can also be written as \"nim v\" (solve --values --out DIR and query --table DIR find v)"
        )),
        other => other,
    })?;
    let options = options.iter().map(|(option, value)| (game.show(option), u64::from(*value))).collect();
    Ok(Component { text: text.into(), value: value.into(), options })
}

fn misere() -> Error {
    Error::Usage("in misère play the values of a sum do not add up; ask for the sum in normal play".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(word: &str) -> Result<u32> {
        word.parse().map_err(|_| Error::Usage(format!("{word} is no number")))
    }

    fn answer(texts: &[&str]) -> SumAnswer {
        let components: Vec<_> = texts.iter().map(|text| component(text, &number).unwrap()).collect();
        sum(&components)
    }

    #[test]
    fn a_sum_of_equal_values_is_lost() {
        // Nim [2,3] is worth 1, nimb [2,5] is worth 1.
        let answer = answer(&["nim 2 3", "nimb 2 5"]);
        assert_eq!((answer.value, answer.outcome), (0, Outcome::P));
        assert!(answer.winning_moves.is_empty());
    }

    #[test]
    fn every_winning_move_leaves_a_lost_sum() {
        let texts = ["minnie 3 5", "wythoff [3,4]", "maximum-nim rule=n/2 12"];
        let answer = answer(&texts);
        assert_eq!(answer.outcome, Outcome::N);
        assert!(!answer.winning_moves.is_empty());
        for winning in &answer.winning_moves {
            let others = answer.values.iter().enumerate().filter(|(i, _)| *i != winning.component);
            assert_eq!(others.fold(winning.value, |sum, (_, (_, value))| sum ^ value), 0);
        }
    }

    #[test]
    fn a_cookie_row_is_an_octal_game() {
        // 1 x n with the 2 x 2 cutter is 0.37: values 0 1 2 0 1 2 3 1 2 3 4.
        let value = |n: u32| component(&format!("cookie 1x{n} k=2"), &number).unwrap().value;
        assert_eq!(
            (1..=6).map(value).collect::<Vec<_>>(),
            crate::analysis::cookie::row_values(2, 6)[1..].iter().map(|&v| u64::from(v)).collect::<Vec<_>>()
        );
    }

    #[test]
    fn malformed_components_are_refused_with_a_remedy() {
        for (text, word) in [
            ("", "empty"),
            ("minnie", "no position"),
            ("mini 3", "did you mean"),
            ("minnie 3 misere", "normal play"),
            ("minnie size=3 4", "no parameter"),
            ("minnie 3 x", "no number"),
            ("nim 70000 70000 70000", "can also be written as"),
            ("cookie 2x3", "k=2"),
            ("cookie 9x9 k=2", "at most 40"),
            ("wyg 3 4", "not played on heaps"),
        ] {
            let error = component(text, &number).unwrap_err().to_string();
            assert!(error.contains(word), "{text}: {error}");
        }
    }
}
