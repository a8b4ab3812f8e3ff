//! Every game that the program knows: where it comes from, what a move is, what can be set, an example to
//! paste.
//!
//! This is the only place where a game is registered. A new heap game is its rules file and one entry here.

use std::sync::Arc;

use super::entry::{Entry, EntryKind, Parameter, Values};
use super::heaps::{Family, Gaps, HeapGame, HeapSum, Notation, Proofs, Slabs};
use super::lines::Lines;
use super::parameters::{Parameters, flag, number, text};
use crate::base::{Error, Result};
use crate::rules::notation::rule::Rule;
use crate::rules::notation::rule_function;
use crate::rules::{
    Counters, Euclid, GreedyNim, Jennifer, MaximumNim, Mine, Minnie, Nim, Nimb, Nimtb, PokerNim, Queen, Rook,
    Susen, Together, WrittenRules, Wynnie, Wythoff,
};

/// Every game, in the order of the list of games.
pub(super) static CATALOGUE: &[Entry] = &[
    Entry {
        name: "nim",
        source: "Mullen, Section 1.1; slides",
        moves: "take any number of counters from one heap",
        parameters: &[],
        example: ("", "5 8 11"),
        kind: EntryKind::Heaps(|_| {
            Ok(HeapGame {
                lines: Some(Lines::NIM),
                sum: Some(HeapSum::Nim),
                proofs: gaps(Gaps::Order),
                ..HeapGame::new(Nim)
            })
        }),
    },
    Entry {
        name: "minnie",
        source: "Mullen, Chapter 5; Mullen and Nowakowski",
        moves: "take at most as many counters as the smallest heap has from one heap",
        parameters: &[],
        example: ("", "5 5 8 11"),
        kind: EntryKind::Heaps(|_| {
            Ok(HeapGame {
                family: Some(Family::Minnie),
                proofs: Proofs { quotient: Some(Slabs::Minnie), gaps: Some(Gaps::Bounded) },
                ..HeapGame::new(Minnie)
            })
        }),
    },
    Entry {
        name: "mine",
        source: "Mullen, Section 5.3",
        moves: "minnie, but no two heaps may ever be equal",
        parameters: &[],
        example: ("", "5 6 13"),
        kind: EntryKind::Heaps(|_| {
            Ok(HeapGame {
                family: Some(Family::Mine),
                distinct: true,
                proofs: gaps(Gaps::Bounded),
                ..HeapGame::new(Mine)
            })
        }),
    },
    Entry {
        name: "wynnie",
        source: "Mullen, Chapters 4 and 6",
        moves: "take the same number, at most the smallest heap, from one heap or from several",
        parameters: &[Parameter {
            name: "together",
            values: Values::OneOf(&["two", "any", "all"]),
            help: "from how many heaps at once the same number may be taken",
        }],
        example: ("", "7 11"),
        kind: EntryKind::Heaps(wynnie),
    },
    Entry {
        name: "wythoff",
        source: "Mullen, Section 1.3",
        moves: "take any number from one heap, or the same number from two",
        parameters: &[],
        example: ("", "6 12"),
        kind: EntryKind::Heaps(|_| Ok(HeapGame { lines: Some(Lines::WYTHOFF), ..HeapGame::new(Wythoff) })),
    },
    Entry {
        name: "nimb",
        source: "Mullen, Chapter 3",
        moves: "a move of nim that changes the smallest heap",
        parameters: &[],
        example: ("", "3 4 6"),
        kind: EntryKind::Heaps(|_| {
            Ok(HeapGame {
                proofs: Proofs { quotient: Some(Slabs::Nimb), gaps: Some(Gaps::Order) },
                ..HeapGame::new(Nimb)
            })
        }),
    },
    Entry {
        name: "nimtb",
        source: "Mullen, Chapter 3",
        moves: "a move of nim that changes the smallest and the largest of the heaps, which are all different",
        parameters: &[],
        example: ("", "3 4 6"),
        kind: EntryKind::Heaps(|_| {
            Ok(HeapGame {
                distinct: true,
                proofs: Proofs { quotient: Some(Slabs::Nimtb), gaps: Some(Gaps::Order) },
                ..HeapGame::new(Nimtb)
            })
        }),
    },
    Entry {
        name: "susen",
        source: "Mullen, Section 2.4; Mullen and Nowakowski",
        moves: "take as many counters from one heap as some heap has",
        parameters: &[],
        example: ("", "7 21 39"),
        kind: EntryKind::Heaps(|_| Ok(HeapGame::new(Susen))),
    },
    Entry {
        name: "jennifer",
        source: "Mullen, Section 2.5; Mullen and Nowakowski",
        moves: "take any number that is not the size of a heap from one heap",
        parameters: &[],
        example: ("", "7 21 39"),
        kind: EntryKind::Heaps(|_| Ok(HeapGame::new(Jennifer))),
    },
    Entry {
        name: "euclid",
        source: "Mullen, Section 2.1; Mullen and Nowakowski",
        moves: "take a multiple of a smaller heap from a larger one",
        parameters: &[Parameter {
            name: "to-zero",
            values: Values::Flag,
            help: "a heap may reach 0; without this, heaps stay positive",
        }],
        example: ("", "51 14"),
        kind: EntryKind::Heaps(euclid),
    },
    Entry {
        name: "greedy-nim",
        source: "Mullen, Section 2.3; Mullen and Nowakowski",
        moves: "take any number from a largest heap",
        parameters: &[],
        example: ("", "3 7 7"),
        kind: EntryKind::Heaps(|_| {
            Ok(HeapGame {
                lines: Some(Lines::GREEDY_NIM),
                proofs: gaps(Gaps::Order),
                ..HeapGame::new(GreedyNim)
            })
        }),
    },
    Entry {
        name: "maximum-nim",
        source: "Mullen, Section 2.2; Mullen and Nowakowski, Section 3",
        moves: "take at most f(n) counters from a heap of n",
        parameters: &[Parameter {
            name: "rule",
            values: Values::Text("RULE", Some("half")),
            help: "the rule function f: half, less-than-half, a list of values such as 0,0,1,1, or a formula in n such as 'min(n, 3)', rounded down",
        }],
        example: ("--rule n/2", "21"),
        kind: EntryKind::Heaps(maximum_nim),
    },
    Entry {
        name: "rook",
        source: "slides",
        moves: "a rook on square row, column goes up or left",
        parameters: &[],
        example: ("", "5 3"),
        kind: EntryKind::Heaps(|_| {
            Ok(HeapGame {
                lines: Some(Lines::NIM),
                notation: Notation::Square,
                most_heaps: Some(2),
                sum: Some(HeapSum::Nim),
                ..HeapGame::new(Rook)
            })
        }),
    },
    Entry {
        name: "queen",
        source: "slides",
        moves: "a queen on square row, column goes up, left, or diagonally up and left",
        parameters: &[],
        example: ("", "6 8"),
        kind: EntryKind::Heaps(|_| {
            Ok(HeapGame {
                lines: Some(Lines::WYTHOFF),
                notation: Notation::Square,
                most_heaps: Some(2),
                ..HeapGame::new(Queen)
            })
        }),
    },
    Entry {
        name: "counters",
        source: "slides",
        moves: "one counter goes along an arrow of an acyclic directed graph",
        parameters: &[Parameter {
            name: "graph",
            values: Values::Text("ARROWS", None),
            help: "the arrows of the graph, such as 'a>b,b>c'",
        }],
        example: ("--graph 'a>b,b>c,a>c'", "a b"),
        kind: EntryKind::Heaps(counters),
    },
    Entry {
        name: "poker-nim",
        source: "slides",
        moves: "a move of nim, or add counters to a heap while adding moves are left",
        parameters: &[
            Parameter {
                name: "add",
                values: Values::Text("NUMBERS", Some("1")),
                help: "how many counters a move may add, such as 1,3,5",
            },
            Parameter {
                name: "additions",
                values: Values::Number("N", 1),
                help: "how many adding moves are left",
            },
        ],
        example: ("--add 1,3,4 --additions 1", "1 4 5"),
        kind: EntryKind::Heaps(poker_nim),
    },
    Entry {
        name: "rule",
        source: "docs/RULES.md",
        moves: "whatever the text says",
        parameters: &[Parameter {
            name: "rule",
            values: Values::Following("RULE"),
            help: "what a move is, such as 'take s from one heap where s <= min'; docs/RULES.md has the language",
        }],
        example: ("'take s from one heap where s <= min'", "5 5 8"),
        kind: EntryKind::Heaps(|parameters| {
            Ok(HeapGame::written(WrittenRules::new(Rule::parse(text(parameters, "rule"))?)))
        }),
    },
    Entry {
        name: "wyg",
        source: "Mullen, Section 4.3",
        moves: "choose an edge and make a move of wynnie on its ends; it is played on until an end is gone",
        parameters: &[],
        example: ("", "path 3 --chips 1,2,1"),
        kind: EntryKind::Searched(
            "GRAPH, --chips LIST|N|degree, --free (every move chooses its edge), --locked-on EDGE, --misere",
        ),
    },
    Entry {
        name: "wygthoff",
        source: "Mullen, Chapter 6",
        moves: "wyg with the moves of wythoff on the chosen edge",
        parameters: &[],
        example: ("", "complete 3 --chips 2,3,4"),
        kind: EntryKind::Searched("GRAPH, --chips LIST|N|degree, --free, --locked-on EDGE, --misere"),
    },
    Entry {
        name: "mig",
        source: "Mullen, Chapter 6",
        moves: "take at most as many counters from a vertex as the smallest stack of its closed neighbourhood has",
        parameters: &[],
        example: ("", "cycle 4 --chips 2,1,2,3"),
        kind: EntryKind::Searched("GRAPH, --chips LIST|N|degree, --misere"),
    },
    Entry {
        name: "nim-on-graph",
        source: "thesis on nim on graphs",
        moves: "lower the weight of an edge at the token and carry the token along it",
        parameters: &[],
        example: ("", "0-1:2,1-2,2-3,3-0 --token 0"),
        kind: EntryKind::Searched(
            "GRAPH with weights, loops and multiple edges as 0-1:2,1-1:3; --token VERTEX, --misere",
        ),
    },
    Entry {
        name: "vertex-deletion",
        source: "Ottaway, Chapter 3",
        moves: "delete a vertex of even or of odd degree (in-degree)",
        parameters: &[],
        example: ("", "broom 8 2 --eo"),
        kind: EntryKind::Searched("GRAPH, --oo or --ee (impartial), --eo (partizan: Left even, Right odd)"),
    },
    Entry {
        name: "grand-left-right",
        source: "Ottaway, Chapter 4",
        moves: "shoot from a token along empty squares, turning where blocked, and place a token at the end (partizan)",
        parameters: &[],
        example: ("", "LLRL/L..L"),
        kind: EntryKind::Searched("BOARD of '.', 'L' and 'R', rows separated by '/'"),
    },
    Entry {
        name: "octal",
        source: "Ottaway, Chapter 1; slides (Kayles, 0.77)",
        moves: "take counters from a heap and split the rest as the code allows",
        parameters: &[],
        example: ("", "0.6 1000 20 7"),
        kind: EntryKind::Octal,
    },
    Entry {
        name: "cookie",
        source: "Ottaway, Chapter 5",
        moves: "lay the cutter so that it covers a square; covered squares go",
        parameters: &[],
        example: ("", "--rows 2 --cols 7 --cutter 2"),
        kind: EntryKind::Cookie,
    },
    Entry {
        name: "sum",
        source: "slides",
        moves: "a move in one of several different games",
        parameters: &[],
        example: ("", "'minnie 3 5' 'octal 0.6 17' 'cookie 2x3 k=2'"),
        kind: EntryKind::Sum,
    },
];

/// A theorem for a fixed number of heaps, and none for all.
fn gaps(gaps: Gaps) -> Proofs {
    Proofs { quotient: None, gaps: Some(gaps) }
}

fn wynnie(parameters: &Parameters) -> Result<HeapGame> {
    let together = match text(parameters, "together") {
        "any" => Together::Any,
        "all" => Together::All,
        _ => Together::Two,
    };
    Ok(HeapGame {
        family: Some(Family::Wynnie(together)),
        proofs: gaps(Gaps::Bounded),
        ..HeapGame::new(Wynnie { together })
    })
}

fn euclid(parameters: &Parameters) -> Result<HeapGame> {
    Ok(HeapGame::new(Euclid { to_zero: flag(parameters, "to-zero") }))
}

/// The rule function is worked out for all heaps that will be asked about, so that a rule that makes no sense
/// for one of them is refused before.
fn maximum_nim(parameters: &Parameters) -> Result<HeapGame> {
    let rule = text(parameters, "rule").to_string();
    rule_function::table(&rule, 0)?;
    let rules = HeapGame::up_to(move |largest| {
        Ok(Arc::new(MaximumNim { most: rule_function::table(&rule, largest)? }))
    });
    Ok(HeapGame { sum: Some(HeapSum::Values), ..rules })
}

fn counters(parameters: &Parameters) -> Result<HeapGame> {
    let graph = Counters::parse(text(parameters, "graph"))?;
    Ok(HeapGame {
        notation: Notation::Nodes(Arc::new(graph.clone())),
        sum: Some(HeapSum::Values),
        ..HeapGame::new(graph)
    })
}

fn poker_nim(parameters: &Parameters) -> Result<HeapGame> {
    let add = text(parameters, "add").split(',').map(|word| {
        word.trim().parse().ok().filter(|&number: &u32| 0 < number && number <= 1000).ok_or_else(|| {
            Error::Usage(format!(
                "'{word}' counters cannot be added; write numbers from 1 to 1000, such as 1,3,5"
            ))
        })
    });
    let additions = u32::from(
        u16::try_from(number(parameters, "additions"))
            .map_err(|_| Error::Usage("additions: at most 65535 adding moves can be left".into()))?,
    );
    Ok(HeapGame {
        notation: Notation::AfterAdditions(additions),
        ..HeapGame::new(PokerNim { add: add.collect::<Result<_>>()? })
    })
}
