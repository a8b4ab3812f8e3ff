//! Sums of different games: the value is the nim-sum, a winning move makes it 0.

use serde::Serialize;

use super::boards::Boards;
use super::oracle::{Heaps, Oracle};
use super::{Outcome, read_position};
use crate::base::{Control, Error, Result, numbers};
use crate::game::{self, Entry, EntryKind, Game, Parameter, Parameters, Values};
use crate::rules::{Board, Cookie, OctalGame};

/// A position that is one part of a sum, solved.
pub struct Part<'a> {
    /// The game and the position, as given.
    pub text: String,
    /// The Grundy value.
    pub value: u64,
    position: Position<'a>,
}

enum Position<'a> {
    Heaps(Oracle<'a>, Heaps),
    Board(Boards<'a>, Board),
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
    /// All winning moves; of a heap beyond a proved period only those to the parts of the first period.
    pub winning_moves: Vec<SumMove>,
}

/// The answer about the sum of `parts`, in normal play.
pub fn sum(parts: &[Part<'_>]) -> Result<SumAnswer> {
    let value = parts.iter().fold(0, |sum, part| sum ^ part.value);
    let mut winning_moves = Vec::new();
    for (component, part) in parts.iter().enumerate().filter(|_| value != 0) {
        let wanted = value ^ part.value;
        for to in part.options_of_value(wanted)? {
            winning_moves.push(SumMove { component, from: part.text.clone(), to, value: wanted });
        }
    }
    let values = parts.iter().map(|part| (part.text.clone(), part.value)).collect();
    Ok(SumAnswer { values, value, outcome: Outcome::of_p(value == 0), winning_moves })
}

impl<'a> Part<'a> {
    /// The part that `text` describes: a game, its parameters as `name=value`, and the position, such as
    /// `minnie 3 5`, `wynnie together=all 2 3 4`, `octal 0.6 17` or `cookie 2x3 k=2`.
    pub fn new(text: &str, control: &Control<'a>) -> Result<Self> {
        let text = text.trim();
        let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        if name.is_empty() {
            return Err(Error::Usage(
                "a part of the sum is empty; write a game and a position, such as \"minnie 3 5\"".into(),
            ));
        }
        let entry = game::find(name)?;
        let (value, position) = match entry.kind {
            EntryKind::Cookie => board(text, rest, control)?,
            EntryKind::Octal => {
                let words: Vec<&str> = rest.split_whitespace().collect();
                let (octal, words) = OctalGame::before(&words)?;
                heaps(text, &Game::octal(octal), &words.join(" "), control)?
            }
            EntryKind::Heaps(_) | EntryKind::Written(_) => {
                let (game, position) = heap_game(entry, rest)?;
                heaps(text, &game, &position, control)?
            }
            EntryKind::Searched(_) | EntryKind::Sum => return Err(entry.not_on_heaps()),
        };
        Ok(Self { text: text.into(), value, position })
    }

    /// The options of this value, for people.
    fn options_of_value(&self, value: u64) -> Result<Vec<String>> {
        match &self.position {
            Position::Heaps(oracle, heaps) => {
                let (options, _) = oracle.options_of_value(heaps, value)?;
                Ok(options.iter().map(|option| oracle.show(option)).collect())
            }
            Position::Board(boards, board) => {
                let options = boards.options_of_value(board, value)?;
                let mut shown: Vec<String> =
                    options.iter().map(|(_, option)| option.to_string().replace('\n', "/")).collect();
                shown.sort();
                Ok(shown)
            }
        }
    }
}

fn heaps<'a>(text: &str, game: &Game, position: &str, control: &Control<'a>) -> Result<(u64, Position<'a>)> {
    let heaps = read_position(game, position)?;
    if position.trim().is_empty() {
        return Err(Error::Usage(format!(
            "'{text}' has no position; write each part in quotes, the position after the game, such as \"minnie 3 5\""
        )));
    }
    let solved = Oracle::new(game, &heaps, None, control)
        .and_then(|oracle| Ok((oracle.value(&heaps)?, Position::Heaps(oracle, heaps))));
    let hint = |text: String| {
        format!(
            "{text}; in a sum a part of value v can also be written as \"nim v\" (solve --values --out DIR and query --table DIR find v)"
        )
    };
    solved.map_err(|error| match error {
        Error::Budget(text) => Error::Budget(hint(text)),
        Error::Undecided(text) => Error::Undecided(hint(text)),
        other => other,
    })
}

/// The heap game with the parameters among these words, and the other words, which are the position.
fn heap_game(entry: &'static Entry, rest: &str) -> Result<(Game, String)> {
    let mut parameters = Parameters::new();
    let mut position = Vec::new();
    let mut rest = rest;
    let follows = |parameter: &&Parameter| matches!(parameter.values, Values::Following(_));
    if let Some(parameter) = entry.parameters.iter().find(follows) {
        let quoted = rest.trim_start().strip_prefix('\'').and_then(|text| text.split_once('\''));
        let (text, after) = quoted.ok_or_else(|| {
            let example = format!("\"{} {} {}\"", entry.name, entry.example.0, entry.example.1);
            Error::Usage(format!(
                "in a sum the text of a {} stands in single quotes, such as {example}",
                entry.name
            ))
        })?;
        parameters.insert(parameter.name.into(), text.into());
        rest = after;
    }
    for word in rest.split_whitespace() {
        match word.split_once('=') {
            Some(("misere", _)) => return Err(misere()),
            None if word.trim_start_matches('-') == "misere" => return Err(misere()),
            Some((key, text)) => {
                // What the game does not have is refused with the others, by what it has.
                let known = entry.parameters.iter().find(|parameter| parameter.name == key);
                let value = known.map_or_else(|| Ok(text.into()), |parameter| parameter.read(text))?;
                parameters.insert(key.into(), value);
            }
            None => position.push(word),
        }
    }
    Ok((Game::of(entry, &parameters)?, position.join(" ")))
}

/// `2x3 k=2`: the full board of 2 rows and 3 columns with the 2 x 2 cutter.
fn board<'a>(text: &str, rest: &str, control: &Control<'a>) -> Result<(u64, Position<'a>)> {
    const MOST: usize = 40;
    let usage =
        || Error::Usage(format!("'{text}': write the board and the cutter, such as \"cookie 2x3 k=2\""));
    let side = |word: &str| numbers::whole::<usize>(word).map_err(Error::Usage);
    let (mut board, mut cutter) = (None, None);
    for word in rest.split_whitespace() {
        if let Some(size) = word.strip_prefix("k=") {
            cutter = Some(size.parse()?);
        } else if let Some((rows, cols)) = word.split_once('x') {
            board = Some(Board::full(side(rows)?, side(cols)?)?);
        } else {
            return Err(usage());
        }
    }
    let (Some(board), Some(cutter)) = (board, cutter) else { return Err(usage()) };
    if board.count() > MOST {
        return Err(Error::Budget(format!(
            "'{text}' has {} squares, too many inside a sum; ask for a board of at most {MOST}, or for the board alone with `nimwave query cookie`",
            board.count()
        )));
    }
    let boards = Boards::new(Cookie { cutter }, &board, None, control)?;
    Ok((boards.value(&board)?, Position::Board(boards, board)))
}

fn misere() -> Error {
    Error::Usage("in misère play the values of a sum do not add up; ask for the sum in normal play".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(text: &str) -> Result<Part<'static>> {
        Part::new(text, &Control::silent())
    }

    fn answer(texts: &[&str]) -> SumAnswer {
        let parts: Vec<_> = texts.iter().map(|text| part(text).unwrap()).collect();
        sum(&parts).unwrap()
    }

    #[test]
    fn a_sum_of_equal_values_is_lost() {
        // Nim [2,3] is worth 1, nimb [2,5] is worth 1.
        let answer = answer(&["nim 2 3", "nimb 2 5"]);
        assert_eq!((answer.value, answer.outcome), (0, Outcome::Previous));
        assert!(answer.winning_moves.is_empty());
    }

    #[test]
    fn every_winning_move_leaves_a_lost_sum() {
        let texts = ["minnie 3 5", "wythoff [3,4]", "maximum-nim rule=n/2 12"];
        let answer = answer(&texts);
        assert_eq!(answer.outcome, Outcome::Next);
        assert!(!answer.winning_moves.is_empty());
        for winning in &answer.winning_moves {
            let others = answer.values.iter().enumerate().filter(|(i, _)| *i != winning.component);
            assert_eq!(others.fold(winning.value, |sum, (_, (_, value))| sum ^ value), 0);
        }
    }

    #[test]
    fn a_cookie_row_is_an_octal_game() {
        // 1 x n with the 2 x 2 cutter is 0.37: values 0 1 2 0 1 2 3 1 2 3 4.
        let value = |n: u32| part(&format!("cookie 1x{n} k=2")).unwrap().value;
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
            ("minnie 3 x", "not a whole number"),
            ("wythoff 70000 70000 70000", "can also be written as"),
            ("cookie 2x3", "k=2"),
            ("cookie 9x9 k=2", "at most 40"),
            ("wyg 3 4", "not played on heaps"),
        ] {
            let error = part(text).map(|_| ()).unwrap_err().to_string();
            assert!(error.contains(word), "{text}: {error}");
        }
    }
}
