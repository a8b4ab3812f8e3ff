//! Chapter 3: the impartial versions of vertex deletion.

use super::support::{connected, graph, grundy, search_graphs, table};
use crate::analysis::connected_graphs::Kind;
use crate::analysis::graph_scan::{Scan, Wanted};
use crate::claims::mathematics::octal::octal_values;
use crate::claims::{Check, Counterexample, Effort, Finding};
use crate::rules::graph::{Graph, Parity};
use rayon::prelude::*;

pub(super) const CHECKS: &[Check] = &[
    ("ottaway-3.1.1", |effort| even_even(effort, |vertices, value| vertices % 2 == 0 || value > 0)),
    ("ottaway-3.1.2", |effort| even_even(effort, |vertices, value| vertices % 2 == 1 || value == 0)),
    ("ottaway-3.1.3", |effort| even_even(effort, |vertices, value| u32::from(value) == vertices % 2)),
    ("ottaway-3.1.4", |_| {
        families(Parity::Odd, (1..=18).map(|n| (format!("path {n}"), u8::from(n % 2 == 0))), "n up to 18")
    }),
    ("ottaway-3.1-oo-complete", |_| {
        let both = |n: usize| {
            [format!("complete {n}"), format!("star {n}")].map(|name| (name, u8::from(n % 2 == 0)))
        };
        families(Parity::Odd, (1..=16).flat_map(both), "n up to 16")
    }),
    ("ottaway-3.1-oo-bipartite", |_| {
        let cases = (1..=8usize).flat_map(|m| {
            (m..=8).map(move |n| (format!("bipartite {m} {n}"), u8::from(m % 2 == 1 && n % 2 == 1)))
        });
        families(Parity::Odd, cases, "m and n up to 8")
    }),
    ("ottaway-3.1-oo-value-2", |effort| count_of_value_2(effort)),
    ("ottaway-3.1-oo-value-3", |effort| {
        let most = effort.bound(8, 9);
        values_above(effort, Kind::Undirected, Parity::Odd, 2, most)
    }),
    ("ottaway-3.2.1", directed_forests),
    ("ottaway-3.2-ee-value-3", |effort| {
        let most = effort.bound(5, 6);
        values_above(effort, Kind::Directed, Parity::Even, 2, most)
    }),
    ("ottaway-3.2-ee-nontrivial", |_| {
        let (found, _) = search_graphs(&Effort::default(), Kind::Oriented, 4, &|board, _| {
            let value = grundy(board, Parity::Even);
            (value > 1).then(|| (board.vertices(), format!("its value is *{value}")))
        });
        match found {
            Some(example) => {
                Finding::proved(format!("an example is {}: {}", example.position, example.shows))
            }
            None => Finding::fails(
                "all oriented graphs on up to 4 vertices",
                "their values are 0 and *",
                "order 4",
            ),
        }
    }),
    ("ottaway-3.2.2", |effort| {
        let most = effort.bound(20, 24);
        let octal = octal_values("0.6", most + 1);
        // Every directed path is an initial piece of the longest one.
        let table = table(&graph(&format!("dipath {most}")), Parity::Odd);
        let wrong = (0..=most).find(|&n| u32::from(table.value((1 << n) - 1)) != octal[n]);
        let found =
            wrong.map(|n| Counterexample::new(format!("dipath {n}"), format!("0.6 has G = {}", octal[n])));
        Finding::from_search(found, format!("n up to {most}"))
    }),
];

fn families(parity: Parity, cases: impl IntoIterator<Item = (String, u8)>, bound: &str) -> Finding {
    let found = cases.into_iter().find_map(|(name, claimed)| {
        let value = grundy(&graph(&name), parity);
        (value != claimed)
            .then(|| Counterexample::new(name, format!("its value is *{value}, not *{claimed}")))
    });
    Finding::from_search(found, bound)
}

fn even_even(effort: &Effort, good: impl Fn(u32, u8) -> bool + Sync) -> Finding {
    let most = effort.bound(8, 9);
    let (found, reached) = search_graphs(effort, Kind::Undirected, most, &|board, _| {
        let table = table(board, Parity::Even);
        let bad = (0..=board.vertices()).find(|&set| !good(set.count_ones(), table.value(set)))?;
        Some((bad, format!("its value is *{}", table.value(bad))))
    });
    let less = reached - 1;
    Finding::from_search(
        found,
        format!("all graphs on up to {less} vertices and all connected ones on {reached}"),
    )
}

fn count_of_value_2(effort: &Effort) -> Finding {
    let most = effort.bound(7, 9);
    let mut examples: Vec<String> = Vec::new();
    let mut counts = Vec::new();
    for order in 1..=most {
        let graphs = connected(Kind::Undirected, order);
        let twos: Vec<&Graph> = graphs.par_iter().filter(|board| grundy(board, Parity::Odd) == 2).collect();
        counts.push(format!("{} on {order}", twos.len()));
        examples.extend(twos.iter().take(3).map(|board| board.to_edge_list()));
    }
    let bound = format!("connected graphs of value *2: {} vertices", counts.join(", "));
    match examples.get(2) {
        None => Finding::holds(bound),
        Some(third) => Finding::fails(
            third.clone(),
            format!("its value is *2, as those of {} and {}", examples[0], examples[1]),
            bound,
        ),
    }
}

/// Looks for a connected graph of value above `most` on up to `order` vertices.
fn values_above(effort: &Effort, kind: Kind, parity: Parity, most: u8, order: usize) -> Finding {
    let mut histogram = String::new();
    let mut first = None;
    for n in 1..=order {
        let wanted = Wanted { parity, examples: 1 };
        let scan =
            Scan::all(kind, n, wanted, &effort.control).unwrap_or_else(|error| unreachable!("{error}"));
        let counts: Vec<String> =
            scan.histogram.iter().map(|(value, count)| format!("*{value}: {count}")).collect();
        histogram =
            format!("values of the {} connected ones on {n} vertices: {}", scan.graphs(), counts.join(", "));
        if first.is_none() {
            first = scan.examples.into_iter().find(|(value, _)| *value > most);
        }
    }
    let found = first.and_then(|(value, examples)| {
        let board = graph(&examples.first()?.2);
        let table = table(&board, parity);
        let set = board.vertices();
        let options: Vec<String> =
            crate::rules::graph::bits(crate::rules::graph::removable(&board, set, parity))
                .map(|v| format!("without {v}: *{}", table.value(set & !(1 << v))))
                .collect();
        Some(Counterexample::new(
            board.to_edge_list(),
            format!("its value is *{value} ({})", options.join(", ")),
        ))
    });
    Finding::from_search(found, histogram)
}

/// Every orientation of every tree; forests are their sets of vertices.
fn directed_forests(effort: &Effort) -> Finding {
    let most = effort.bound(7, 8);
    for order in 1..=most {
        for tree in connected(Kind::Undirected, order).iter().filter(|board| board.edges().len() + 1 == order)
        {
            let edges = tree.edges();
            for turned in 0..1usize << edges.len() {
                let arcs: Vec<_> = edges
                    .iter()
                    .enumerate()
                    .map(|(i, &(u, v))| if turned >> i & 1 == 1 { (v, u) } else { (u, v) })
                    .collect();
                let board = Graph::new(order, true, &arcs).unwrap_or_else(|error| unreachable!("{error}"));
                let table = table(&board, Parity::Even);
                let bad =
                    (0..=board.vertices()).find(|set| u32::from(table.value(*set)) != set.count_ones() % 2);
                if let Some(set) = bad {
                    let what = format!("the vertices {set:b} have value *{}", table.value(set));
                    return Finding::fails(
                        board.to_edge_list(),
                        what,
                        format!("forests up to {order} vertices"),
                    );
                }
            }
        }
    }
    Finding::holds(format!("all orientations of all forests on up to {most} vertices"))
}
