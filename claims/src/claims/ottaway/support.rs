//! What the claims about graphs share: values of named graphs, and searches over all graphs.

use crate::analysis::connected_graphs::{self, Kind};
use crate::base::Control;
use crate::claims::{Counterexample, Effort, Finding};
use crate::partizan::{Games, Value, Values};
use crate::rules::graph::{EvenOdd, Graph, Parity};
use crate::search::vertex_deletion::Table;
use rayon::prelude::*;
use std::sync::Mutex;

/// A graph written as users write it. The texts of the claims are our own, so one that cannot be read is a
/// bug.
pub(super) fn graph(text: &str) -> Graph {
    Graph::parse(text).unwrap_or_else(|error| unreachable!("{error}"))
}

/// The Even/Odd value of a graph.
pub(super) fn even_odd(games: &mut Games, graph: &Graph) -> Value {
    let set = graph.vertices();
    Values::new(EvenOdd { graph: graph.clone() }).by_components(games, set)
}

/// The Grundy value of a graph in Even/Even or Odd/Odd.
pub(super) fn grundy(graph: &Graph, parity: Parity) -> u8 {
    table(graph, parity).whole()
}

/// The Grundy values of all sets of vertices of a graph in Even/Even or Odd/Odd.
pub(super) fn table(graph: &Graph, parity: Parity) -> Table {
    Table::solve(graph, parity, &Control::silent()).unwrap_or_else(|error| unreachable!("{error}"))
}

/// Compares the Even/Odd values of named graphs with what is printed; both are texts. The first that differs
/// is the counterexample, and the others are named with it.
pub(super) fn compare_values(cases: impl IntoIterator<Item = (String, String)>) -> Option<Counterexample> {
    first_difference(&mut cases.into_iter())
}

fn first_difference(cases: &mut dyn Iterator<Item = (String, String)>) -> Option<Counterexample> {
    let mut games = Games::new();
    let mut wrong = cases.filter_map(|(name, printed)| {
        let board = graph(&name);
        let value = even_odd(&mut games, &board);
        let claimed = games.read(&printed).unwrap_or_else(|error| unreachable!("{error}"));
        (value != claimed).then(|| (name, games.show(value), printed, board))
    });
    let (name, _, printed, board) = wrong.next()?;
    let others: Vec<String> =
        wrong.take(12).map(|(name, value, printed, _)| format!("{name} is {value}, not {printed}")).collect();
    let mut values = Values::new(EvenOdd { graph: board.clone() });
    let shown = show_with_options(&mut games, &mut values, &board);
    let mut shows = format!("its value is {shown}; printed is {printed}");
    if !others.is_empty() {
        shows.push_str(&format!("; also {}", others.join(", ")));
    }
    Some(Counterexample::new(name, shows))
}

/// "{2|0}, from Left's options 2 and Right's options 0": a value with the values of all options.
pub(super) fn show_with_options(games: &mut Games, values: &mut Values<EvenOdd>, graph: &Graph) -> String {
    let set = graph.vertices();
    let value = values.by_components(games, set);
    let (left, right) = values.options(&set);
    let mut side = |options: Vec<u64>| -> String {
        let mut shown: Vec<String> = options
            .into_iter()
            .map(|option| {
                let value = values.by_components(games, option);
                games.show(value)
            })
            .collect();
        shown.sort();
        shown.dedup();
        if shown.is_empty() { "none".into() } else { shown.join(", ") }
    };
    let (left, right) = (side(left), side(right));
    format!("{} (Left's options: {left}; Right's options: {right})", games.show(value))
}

/// All connected graphs of one order, those with few edges first.
pub(super) fn connected(kind: Kind, order: usize) -> Vec<Graph> {
    let found = Mutex::new(Vec::new());
    connected_graphs::for_each(kind, order, &|| false, &|small| {
        found.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(small.to_graph(kind));
    });
    let mut graphs = found.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    graphs.sort_by_cached_key(|graph| (graph.edges().len(), graph.to_graph6()));
    graphs
}

/// What a test says of one graph: nothing, or what is wrong with the graph on these vertices.
pub(super) type Verdict = Option<(u64, String)>;

/// Tests every connected graph of orders `1..=most`, in parallel, and returns the first failure in the order
/// of vertices, then edges, then graph6, with the order that was reached.
pub(super) fn search_graphs(
    effort: &Effort,
    kind: Kind,
    most: usize,
    test: &(dyn Fn(&Graph, &mut Games) -> Verdict + Sync),
) -> (Option<Counterexample>, usize) {
    for order in 1..=most {
        let graphs = connected(kind, order);
        let found = graphs.par_chunks(64).find_map_first(|chunk| {
            let mut games = Games::new();
            chunk.iter().find_map(|graph| {
                let (set, what) = test(graph, &mut games)?;
                Some(Counterexample::new(show_part(graph, set), what))
            })
        });
        if found.is_some() || effort.is_over() {
            return (found, order);
        }
    }
    (None, most)
}

/// The part of the graph on the vertices of `set`, as text.
fn show_part(graph: &Graph, set: u64) -> String {
    if set == graph.vertices() {
        return graph.to_edge_list();
    }
    let kept: Vec<usize> = crate::rules::graph::bits(set).collect();
    let place = |v: usize| kept.iter().position(|&k| k == v);
    let edges: Vec<_> = graph.edges().into_iter().filter_map(|(u, v)| Some((place(u)?, place(v)?))).collect();
    Graph::new(kept.len(), graph.is_directed(), &edges).map_or_else(|e| e.to_string(), |g| g.to_edge_list())
}

/// What a test says of a set of vertices.
type SetTest<'a> = dyn Fn(&mut Games, &mut Values<EvenOdd>, u64) -> Option<String> + Sync + 'a;

/// Tests every set of vertices of every connected graph up to `most` vertices: that covers every graph with
/// fewer than `most` vertices, connected or not.
pub(super) fn every_graph(effort: &Effort, kind: Kind, most: usize, bad: &SetTest<'_>) -> Finding {
    let (found, reached) = search_graphs(effort, kind, most, &|graph, games| {
        let mut values = Values::new(EvenOdd { graph: graph.clone() });
        (0..=graph.vertices()).find_map(|set| bad(games, &mut values, set).map(|what| (set, what)))
    });
    Finding::from_search(
        found,
        format!("all graphs on up to {} vertices and all connected ones on {reached}", reached - 1),
    )
}
