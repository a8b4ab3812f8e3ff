//! Section 3.2: Even/Odd on directed graphs, and the dictionary of small digraphs.

use super::support::{compare_values, connected, even_odd, grundy};
use crate::analysis::connected_graphs::Kind;
use crate::claims::{Check, Effort, Finding};
use crate::partizan::{Games, Outcome, Value};
use crate::rules::graph::{Graph, Parity};

pub(super) const CHECKS: &[Check] = &[
    ("ottaway-3.2.3", forests),
    ("ottaway-3.2.4", |effort| {
        family(effort, "dipath", 1, |n| if n % 2 == 0 { "1*".into() } else { "1".into() })
    }),
    ("ottaway-3.2.5", |effort| {
        family(effort, "dipath-first", 3, |n| if n % 2 == 0 { "{2*|1}".into() } else { "{2|1*}".into() })
    }),
    ("ottaway-3.2.6", |effort| {
        family(effort, "dipath-last", 3, |n| match n {
            3 => "3".into(),
            4 => "{3|2*}".into(),
            n if n % 2 == 0 => "2".into(),
            _ => "2*".into(),
        })
    }),
    ("ottaway-3.2.7", |effort| family_step(effort, "zigzag", 1, 2, |n| n.to_string())),
    ("ottaway-3.2.8", |effort| {
        family_step(effort, "zigzag", 2, 2, |n| if n == 2 { "1*".into() } else { (n - 2).to_string() })
    }),
    ("ottaway-3.2.9", |effort| {
        family_step(effort, "zigzag-in", 1, 2, |n| match n {
            1 => "1".into(),
            3 => "{2|1*}".into(),
            5 => "2*".into(),
            n => (n - 4).to_string(),
        })
    }),
    ("ottaway-figure-3.7", |_| {
        exists(4, |board, games, value| {
            let all_odd = (0..board.order()).all(|v| board.in_neighbours(v).count_ones() % 2 == 1);
            all_odd && games.as_integer(value) == Some(-1)
        })
    }),
    ("ottaway-figure-3.8", |_| {
        let with = |wanted: i64| {
            exists(3, move |board, games, value| {
                board.order() == 3 && board.edges().len() == 3 && games.as_integer(value) == Some(wanted)
            })
        };
        let (zero, one) = (with(0), with(1));
        if zero.counterexample.is_some() { zero } else { one }
    }),
    ("ottaway-table-3.3", dictionary),
    ("ottaway-table-3.5", paths_of_five),
];

fn family(effort: &Effort, name: &str, from: usize, value: impl Fn(usize) -> String) -> Finding {
    family_step(effort, name, from, 1, value)
}

fn family_step(
    effort: &Effort,
    name: &str,
    from: usize,
    step: usize,
    value: impl Fn(usize) -> String,
) -> Finding {
    let most = effort.bound(24, 40);
    let cases = (from..=most).step_by(step).map(|n| (format!("{name} {n}"), value(n)));
    Finding::from_search(compare_values(cases), format!("n up to {most}"))
}

fn forests(effort: &Effort) -> Finding {
    let most = effort.bound(7, 8);
    let mut games = Games::new();
    for order in 1..=most {
        for tree in connected(Kind::Undirected, order).iter().filter(|board| board.edges().len() + 1 == order)
        {
            let edges = tree.edges();
            for turned in 0..1usize << edges.len() {
                let turn = |(i, &(u, v)): (usize, &(usize, usize))| {
                    if turned >> i & 1 == 1 { (v, u) } else { (u, v) }
                };
                let arcs: Vec<_> = edges.iter().enumerate().map(turn).collect();
                let board = Graph::new(order, true, &arcs).unwrap_or_else(|error| unreachable!("{error}"));
                // Sums of positive games are positive, so the trees are enough.
                let value = even_odd(&mut games, &board);
                if games.outcome(value) != Outcome::Left {
                    let what = format!("its value is {}", games.show(value));
                    return Finding::fails(
                        board.to_edge_list(),
                        what,
                        format!("trees up to {order} vertices"),
                    );
                }
            }
        }
    }
    Finding::holds(format!("all orientations of all forests whose trees have up to {most} vertices"))
}

/// Looks through the connected digraphs (opposite arcs allowed) on up to `most` vertices for an example.
fn exists(most: usize, good: impl Fn(&Graph, &Games, Value) -> bool) -> Finding {
    let mut games = Games::new();
    for order in 1..=most {
        for board in connected(Kind::Directed, order) {
            let value = even_odd(&mut games, &board);
            if good(&board, &games, value) {
                return Finding::proved(format!("an example is {}", board.to_edge_list()));
            }
        }
    }
    Finding::fails(
        format!("all connected digraphs on up to {most} vertices"),
        "none is an example",
        format!("order {most}"),
    )
}

/// Tables 3.3 and 3.4 as printed: Even/Odd, Even/Even, Odd/Odd.
const DICTIONARY: &[(&str, u8, u8)] = &[
    ("1", 1, 0),
    ("1*", 0, 1),
    ("1", 1, 2),
    ("{2|1*}", 1, 0),
    ("3", 1, 0),
    ("0", 0, 0),
    ("1", 1, 0),
    ("1*", 0, 0),
    ("{2*|1}", 0, 1),
    ("2", 0, 1),
    ("{3|2*}", 0, 0),
    ("-1", 0, 3),
    ("{2*|1}", 2, 1),
    ("1*", 0, 2),
    ("4", 0, 0),
    ("{2*|1}", 0, 3),
    ("{3||2|1*}", 0, 1),
    ("1*", 0, 1),
    ("3*", 0, 1),
    ("3*", 0, 1),
    ("{3|2*}", 0, 2),
    ("{2*|1}", 0, 1),
    ("1*", 0, 0),
    ("0", 0, 0),
    ("2", 0, 1),
    ("{3|1}", 0, 0),
    ("4", 0, 0),
    ("1/2±1/2", 0, 1),
    ("1*", 0, 1),
    ("{3|1}", 2, 1),
    ("1*", 0, 0),
    ("{3|1}", 0, 1),
    ("{2|1*||0}", 0, 1),
    ("2", 0, 1),
    ("3*", 0, 1),
    ("-1", 0, 0),
    ("1/2±1/2", 2, 0),
    ("1*", 0, 0),
    ("2", 2, 0),
];

fn dictionary(_: &Effort) -> Finding {
    let boards: Vec<Graph> = (1..=4).flat_map(|order| connected(Kind::Oriented, order)).collect();
    compare_dictionary(&boards, DICTIONARY.iter().map(|&(eo, ee, oo)| (eo, Some(ee), Some(oo))).collect())
}

/// Table 3.5 as printed; `None` where the text has lost a cell.
const PATHS_OF_FIVE: &[(&str, Option<u8>, Option<u8>)] = &[
    ("1", Some(1), Some(1)),
    ("2*", Some(1), Some(1)),
    ("3", Some(1), Some(1)),
    ("2*", Some(1), Some(2)),
    ("{2|1*}", Some(1), None),
    ("2*", Some(1), Some(2)),
    ("5", Some(1), Some(0)),
    ("3±1", Some(1), Some(1)),
];

fn paths_of_five(_: &Effort) -> Finding {
    let paths: Vec<Graph> = connected(Kind::Oriented, 5)
        .into_iter()
        .filter(|board| board.edges().len() == 4 && (0..5).all(|v| board.neighbours(v).count_ones() <= 2))
        .collect();
    compare_dictionary(&paths, PATHS_OF_FIVE.to_vec())
}

/// Takes each board's values out of the printed collection; complete triples go first.
fn compare_dictionary(boards: &[Graph], mut printed: Vec<(&str, Option<u8>, Option<u8>)>) -> Finding {
    let mut games = Games::new();
    printed.sort_by_key(|entry| entry.2.is_none());
    let total = printed.len();
    let mut missing = Vec::new();
    for board in boards {
        let value = even_odd(&mut games, board);
        let (ee, oo) = (grundy(board, Parity::Even), grundy(board, Parity::Odd));
        let place = printed.iter().position(|&(text, printed_ee, printed_oo)| {
            games.read(text).is_ok_and(|claimed| claimed == value)
                && printed_ee.is_none_or(|p| p == ee)
                && printed_oo.is_none_or(|p| p == oo)
        });
        match place {
            Some(place) => drop(printed.remove(place)),
            None => missing.push((board.to_edge_list(), format!("({}, *{ee}, *{oo})", games.show(value)))),
        }
    }
    let nimber = |value: Option<u8>| value.map_or("?".to_string(), |n| format!("*{n}"));
    let left_over: Vec<String> =
        printed.iter().map(|&(eo, ee, oo)| format!("({eo}, {}, {})", nimber(ee), nimber(oo))).collect();
    let bound = format!("{} digraphs against {total} printed triples", boards.len());
    let Some((first, values)) = missing.first() else {
        return match left_over.first() {
            None => Finding::proved(bound),
            Some(_) => {
                Finding::fails(left_over.join(", "), "printed, but no digraph has these values", bound)
            }
        };
    };
    let rest: Vec<String> = missing.iter().map(|(board, values)| format!("{board} has {values}")).collect();
    let shows = format!(
        "its values {values} are not in the table; all that are missing: {}; printed but true of no digraph: {}",
        rest.join("; "),
        if left_over.is_empty() { "none".into() } else { left_over.join(", ") }
    );
    Finding::fails(first.clone(), shows, bound)
}

#[cfg(test)]
mod tests {
    use super::super::support::graph;
    use super::*;
    use crate::claims::mathematics::octal::octal_values;
    use crate::partizan::Values;
    use crate::rules::graph::EvenOdd;

    /// The second route to the values of directed paths: the octal game 0.6 and a search without components.
    #[test]
    fn directed_paths_by_two_routes() {
        let octal = octal_values("0.6", 10);
        for (n, &expected) in octal.iter().enumerate().skip(1) {
            let board = graph(&format!("dipath {n}"));
            assert_eq!(u32::from(grundy(&board, Parity::Odd)), expected);
            let mut games = Games::new();
            let plain = Values::new(EvenOdd { graph: board.clone() }).value(&mut games, &board.vertices());
            assert_eq!(plain, even_odd(&mut games, &board));
        }
    }
}
