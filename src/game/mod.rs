//! Every game that the program knows, by name: where it comes from, what can be set, an example to paste.

mod graph_games;
pub mod theory;

pub use graph_games::GRAPH_GAMES;

use crate::base::{Error, Result};
use crate::rules::{
    Counters, Euclid, GreedyNim, HeapRules, Jennifer, MaximumNim, Mine, Minnie, Nim, Nimb, Nimtb, PokerNim,
    Queen, Rook, Susen, Together, Wynnie, Wythoff,
};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// One game of the catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct GameInfo {
    /// The name on the command line.
    pub name: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// What a move is, in a line.
    pub moves: &'static str,
    /// What can be set.
    pub parameters: &'static str,
    /// A command that works when pasted.
    pub example: &'static str,
}

/// The games that are played on heaps, with the number of heaps and the size of the heaps as the only further parameters.
pub const HEAP_GAMES: &[GameInfo] = &[
    GameInfo {
        name: "nim",
        source: "Mullen, Section 1.1; slides",
        moves: "take any number of chips from one heap",
        parameters: "--misere",
        example: "nimwave query nim 5 8 11",
    },
    GameInfo {
        name: "minnie",
        source: "Mullen, Chapter 5; Mullen and Nowakowski",
        moves: "take at most as many chips as the smallest heap has from one heap",
        parameters: "--misere",
        example: "nimwave query minnie 5 5 8 11",
    },
    GameInfo {
        name: "mine",
        source: "Mullen, Section 5.3",
        moves: "minnie, but no two heaps may ever be equal",
        parameters: "--misere",
        example: "nimwave query mine 5 6 13",
    },
    GameInfo {
        name: "wynnie",
        source: "Mullen, Chapters 4 and 6",
        moves: "take the same number, at most the smallest heap, from one heap or from several",
        parameters: "--misere, --together two|any|all (from how many heaps at once)",
        example: "nimwave query wynnie 7 11",
    },
    GameInfo {
        name: "wythoff",
        source: "Mullen, Section 1.3",
        moves: "take any number from one heap, or the same number from two",
        parameters: "--misere",
        example: "nimwave query wythoff 6 12",
    },
    GameInfo {
        name: "nimb",
        source: "Mullen, Chapter 3",
        moves: "a move of nim that changes the smallest heap",
        parameters: "--misere",
        example: "nimwave query nimb 3 4 6",
    },
    GameInfo {
        name: "nimtb",
        source: "Mullen, Chapter 3",
        moves: "a move of nim that changes the smallest and the largest of the heaps, which are all different",
        parameters: "--misere",
        example: "nimwave query nimtb 3 4 6",
    },
    GameInfo {
        name: "susen",
        source: "Mullen, Section 2.4; Mullen and Nowakowski",
        moves: "take as many chips from one heap as some heap has",
        parameters: "--misere",
        example: "nimwave query susen 7 21 39",
    },
    GameInfo {
        name: "jennifer",
        source: "Mullen, Section 2.5; Mullen and Nowakowski",
        moves: "take any number that is not the size of a heap from one heap",
        parameters: "--misere",
        example: "nimwave query jennifer 7 21 39",
    },
    GameInfo {
        name: "euclid",
        source: "Mullen, Section 2.1; Mullen and Nowakowski",
        moves: "take a multiple of a smaller heap from a larger one",
        parameters: "--misere, --to-zero (a heap may reach 0; otherwise heaps stay positive)",
        example: "nimwave query euclid 51 14",
    },
    GameInfo {
        name: "greedy-nim",
        source: "Mullen, Section 2.3; Mullen and Nowakowski",
        moves: "take any number from a largest heap",
        parameters: "--misere",
        example: "nimwave query greedy-nim 3 7 7",
    },
    GameInfo {
        name: "maximum-nim",
        source: "Mullen, Section 2.2; Mullen and Nowakowski, Section 3",
        moves: "take at most f(n) chips from a heap of n",
        parameters: "--misere, --rule half|less-than-half|LIST|FORMULA in n",
        example: "nimwave query maximum-nim --rule n/2 21",
    },
    GameInfo {
        name: "rook",
        source: "slides",
        moves: "a rook on square row, column goes up or left",
        parameters: "--misere",
        example: "nimwave query rook 5 3",
    },
    GameInfo {
        name: "queen",
        source: "slides",
        moves: "a queen on square row, column goes up, left, or diagonally up and left",
        parameters: "--misere",
        example: "nimwave query queen 6 8",
    },
    GameInfo {
        name: "counters",
        source: "slides",
        moves: "one counter goes along an arrow of an acyclic directed graph",
        parameters: "--misere, --graph ARROWS",
        example: "nimwave query counters --graph 'a>b,b>c,a>c' a b",
    },
    GameInfo {
        name: "poker-nim",
        source: "slides",
        moves: "a move of nim, or add chips to a heap while adding moves are left",
        parameters: "--misere, --add NUMBERS, --additions N",
        example: "nimwave query poker-nim --add 1,3,4 --additions 1 1 4 5",
    },
];

/// The games that are played neither on heaps of the catalogue nor on graphs, and sums.
pub const OTHER_GAMES: &[GameInfo] = &[
    GameInfo {
        name: "octal",
        source: "Ottaway, Chapter 1; slides (Kayles, 0.77)",
        moves: "take beans from a heap and split the rest as the code allows",
        parameters: "the code, as 0.77",
        example: "nimwave query octal 0.6 1000 20 7",
    },
    GameInfo {
        name: "cookie",
        source: "Ottaway, Chapter 5",
        moves: "lay the cutter so that it covers a square; covered squares go",
        parameters: "--rows, --cols or --board, --cutter K",
        example: "nimwave query cookie --rows 2 --cols 7 --cutter 2",
    },
    GameInfo {
        name: "sum",
        source: "slides",
        moves: "a move in one of several different games",
        parameters: "each part in quotes: game, key=value, position",
        example: "nimwave query sum 'minnie 3 5' 'octal 0.6 17' 'cookie 2x3 k=2'",
    },
];

/// Every game of the catalogue.
pub fn all() -> Vec<GameInfo> {
    [HEAP_GAMES, GRAPH_GAMES, OTHER_GAMES].concat()
}

/// The game called `name`, on heaps or not, or an error that names the nearest one.
pub fn find_any(name: &str) -> Result<GameInfo> {
    all().into_iter().find(|game| game.name == name).ok_or_else(|| {
        let near = suggestion(name, all().into_iter().map(|game| game.name));
        Error::Usage(format!("no game is called '{name}'; {near}`nimwave games` lists them all"))
    })
}

/// Whether tables can be filled for the heap game `name`: its moves only lower heaps, and the order of the heaps does not matter.
pub fn has_tables(name: &str) -> bool {
    HEAP_GAMES.iter().any(|game| game.name == name) && name != "poker-nim"
}

/// The heap game called `name`, or an error that names the nearest one.
pub fn find(name: &str) -> Result<&'static GameInfo> {
    HEAP_GAMES.iter().find(|game| game.name == name).ok_or_else(|| match find_any(name) {
        Ok(_) => Error::Usage(format!(
            "{name} is not played on heaps; `nimwave games {name}` shows how to ask for it"
        )),
        Err(error) => error,
    })
}

/// "did you mean 'wynnie'? ", or nothing where no name is near.
pub fn suggestion<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> String {
    names
        .map(|known| (distance(name, known), known))
        .filter(|(distance, known)| *distance <= 2 + known.len() / 5)
        .min()
        .map(|(_, known)| format!("did you mean '{known}'? "))
        .unwrap_or_default()
}

/// How many letters must be inserted, removed or changed to turn `a` into `b`.
fn distance(a: &str, b: &str) -> usize {
    // Names are short; a long text is far from all of them.
    let a: Vec<char> = a.chars().take(40).collect();
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for j in 0..b.len() {
            let change = diagonal + usize::from(a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// Parameters of a game by name, as a table's manifest keeps them.
pub type Parameters = BTreeMap<String, Value>;

/// The rules of the heap game `name`. `parameters` may hold `misere`, `together`, `to-zero`, `rule`, `graph` and `add`,
/// and must hold the largest heap, `max`, for maximum nim.
pub fn heap_rules(name: &str, parameters: &Parameters) -> Result<Arc<HeapRules>> {
    find(name)?;
    let flag = |key: &str| parameters.get(key).and_then(Value::as_bool).unwrap_or(false);
    Ok(match name {
        "minnie" => Arc::new(Minnie),
        "mine" => Arc::new(Mine),
        "wynnie" => Arc::new(Wynnie { together: together(parameters)? }),
        "wythoff" => Arc::new(Wythoff),
        "nimb" => Arc::new(Nimb),
        "nimtb" => Arc::new(Nimtb),
        "susen" => Arc::new(Susen),
        "jennifer" => Arc::new(Jennifer),
        "euclid" => Arc::new(Euclid { to_zero: flag("to-zero") }),
        "greedy-nim" => Arc::new(GreedyNim),
        "maximum-nim" => {
            let rule = text(parameters, "rule").unwrap_or("half");
            let largest = parameters.get("max").and_then(Value::as_u64).unwrap_or(0);
            let largest = u32::try_from(largest).unwrap_or(u32::MAX);
            Arc::new(MaximumNim { most: crate::rules::notation::rule_function::table(rule, largest)? })
        }
        "rook" => Arc::new(Rook),
        "queen" => Arc::new(Queen),
        "counters" => Arc::new(counters(parameters)?),
        "poker-nim" => Arc::new(PokerNim { add: additions(parameters)? }),
        _ => Arc::new(Nim),
    })
}

/// The counter game on the graph that `parameters` describe.
pub fn counters(parameters: &Parameters) -> Result<Counters> {
    match text(parameters, "graph") {
        Some(graph) => Counters::parse(graph),
        None => Err(Error::Usage("counters needs a graph; give its arrows with --graph 'a>b,b>c'".into())),
    }
}

fn text<'a>(parameters: &'a Parameters, key: &str) -> Option<&'a str> {
    parameters.get(key).and_then(Value::as_str)
}

/// From how many heaps at once wynnie takes, as `parameters` say.
pub fn together(parameters: &Parameters) -> Result<Together> {
    match text(parameters, "together") {
        None | Some("two") => Ok(Together::Two),
        Some("any") => Ok(Together::Any),
        Some("all") => Ok(Together::All),
        Some(other) => Err(Error::Usage(format!("together '{other}': it must be two, any or all"))),
    }
}

fn additions(parameters: &Parameters) -> Result<Vec<u32>> {
    text(parameters, "add")
        .unwrap_or("1")
        .split(',')
        .map(|number| {
            number.trim().parse().ok().filter(|&number: &u32| 0 < number && number <= 1000).ok_or_else(|| {
                Error::Usage(format!(
                    "'{number}' chips cannot be added; write numbers from 1 to 1000, as 1,3,5"
                ))
            })
        })
        .collect()
}

/// Refuses what is not a position of the game: equal heaps in mine, a third coordinate of a rook, a node that is not there.
pub fn check_position(name: &str, parameters: &Parameters, heaps: &[u32]) -> Result<()> {
    let present: Vec<u32> = heaps.iter().copied().filter(|&heap| heap > 0).collect();
    match name {
        "mine" | "nimtb" if !crate::rules::all_different(&present) => Err(Error::Usage(format!(
            "{present:?} is no position of {name}: no two heaps may be equal; change one of them"
        ))),
        "rook" | "queen" if heaps.len() > 2 => {
            Err(Error::Usage(format!("a {name} stands on one square; give its row and its column")))
        }
        "counters" => {
            let nodes = counters(parameters)?.nodes();
            match heaps.iter().find(|&&node| node > nodes) {
                Some(node) => {
                    Err(Error::Usage(format!("the graph has {nodes} nodes, and no node number {node}")))
                }
                None => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_of_the_list_has_rules() {
        let parameters = Parameters::from([
            ("max".into(), 9.into()),
            ("graph".into(), "a>b".into()),
            ("misere".into(), true.into()),
        ]);
        for game in HEAP_GAMES {
            assert!(heap_rules(game.name, &parameters).is_ok(), "{}", game.name);
            assert!(game.example.starts_with(&format!("nimwave query {} ", game.name)));
        }
    }

    #[test]
    fn an_unknown_game_is_refused_with_the_nearest_name() {
        let error = |name: &str| find(name).unwrap_err().to_string();
        assert!(error("winnie").contains("did you mean 'minnie'?") || error("winnie").contains("'wynnie'"));
        assert!(error("jenifer").contains("'jennifer'"));
        assert!(!error("backgammon").contains("did you mean"));
    }

    #[test]
    fn parameters_choose_the_variant() {
        let set = |key: &str, value: Value| Parameters::from([(key.to_string(), value)]);
        let options = |name: &str, parameters: &Parameters, heaps: &[u32]| {
            let mut count = 0;
            heap_rules(name, parameters).unwrap().options(heaps, &mut |_| count += 1);
            count
        };
        assert_eq!(options("wynnie", &set("together", "all".into()), &[1, 1, 1]), 4);
        assert_eq!(options("wynnie", &set("together", "any".into()), &[1, 1, 1]), 7);
        assert_eq!(options("euclid", &set("to-zero", true.into()), &[2, 4]), 2);
        assert!(heap_rules("wynnie", &set("together", "three".into())).is_err());
        assert!(heap_rules("maximum-nim", &set("rule", "n+1".into())).is_err());
        assert!(heap_rules("counters", &Parameters::new()).is_err());
        assert!(heap_rules("poker-nim", &set("add", "0".into())).is_err());
    }

    #[test]
    fn what_is_no_position_is_refused() {
        let none = Parameters::new();
        assert!(check_position("mine", &none, &[3, 3]).is_err());
        assert!(check_position("mine", &none, &[0, 0, 3]).is_ok());
        assert!(check_position("rook", &none, &[1, 2, 3]).is_err());
        let graph = Parameters::from([("graph".to_string(), Value::from("a>b"))]);
        assert!(check_position("counters", &graph, &[3]).is_err());
    }
}
