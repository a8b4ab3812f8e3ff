//! Section 4.3: wynnie on graphs, with the edge locked until one of its ends is gone.

use super::cut::{breaks_in_two, halves_are_equal};
use crate::analysis::connected_graphs::{Kind, for_each};
use crate::claims::Counterexample;
use crate::claims::mathematics::brute::{OutOfTime, options, show};
use crate::claims::{Check, Effort, Finding, claim};
use crate::rules::Play;
use crate::rules::graph::{Graph, Mig, Wyg, WygMoves, WygVariant};
use crate::search::memo::Memo;
use std::sync::Mutex;

type Checked = Result<Finding, OutOfTime>;

/// The claims of Section 4.3 (Theorem 4.12, on another game, is in its own file).
pub(super) fn checks() -> Vec<Check> {
    vec![
        claim!("mullen-fig4.3", |effort: &Effort| outcomes(effort, &[("path 3", 1, false)])),
        claim!("mullen-fig4.4", degree_path),
        claim!("mullen-4.3-versions", versions),
        claim!("mullen-4.11", theorem_4_11),
        claim!("mullen-4.11-mirror", mirror),
        claim!("mullen-fig4.5", |effort: &Effort| outcomes(effort, &[("complete 5", 1, false)])),
        claim!("mullen-4.13", |effort: &Effort| family(
            effort,
            1,
            effort.bound(10, 13),
            |n| (format!("complete {n}"), 1),
            |n| n % 3 == 1
        )),
        claim!("mullen-4.14", complete_values),
        claim!("mullen-4.15", |effort: &Effort| family(
            effort,
            4,
            effort.bound(14, 18),
            |n| (format!("cycle {n}"), 1),
            |_| true
        )),
        claim!("mullen-4.16", |effort: &Effort| family(
            effort,
            5,
            effort.bound(11, 14),
            |n| (format!("wheel {n}"), 1),
            |_| false
        )),
        claim!("mullen-4.17", |effort: &Effort| bipartite(
            effort,
            |m, n| n == 1 || (n == 2 && m % 2 == 0),
            |_, n| n == 2
        )),
        claim!("mullen-4.18", |effort: &Effort| bipartite(
            effort,
            |_, _| true,
            |m, n| m % 2 == 0 && n % 2 == 0
        )),
        claim!("mullen-4.19", lemma_4_19),
        claim!("mullen-4.20", |effort: &Effort| family(
            effort,
            3,
            effort.bound(7, 9),
            |n| (format!("cycle {n}"), 2),
            |_| false
        )),
        claim!("mullen-4.21", |effort: &Effort| stars(effort, 2, |m, n| (m + n) % 2 == 1)),
        claim!("mullen-4.22", |effort: &Effort| stars(effort, 3, |_, _| false)),
        claim!("mullen-4.23", |effort: &Effort| stars(effort, 4, |_, _| false)),
        claim!("mullen-4.24", |effort: &Effort| stars(effort, 5, |_, _| false)),
        claim!("mullen-6-mig", mig_parity),
    ]
}

/// The game on `graph` as the thesis plays it.
fn wyg(graph: Graph, variant: WygVariant) -> Wyg {
    Wyg { graph, variant, moves: WygMoves::Wynnie }
}

/// Why the position of `chips` is in P or N.
fn explain(game: &Wyg, name: &str, chips: &[u32]) -> Counterexample {
    let start = game.position(chips);
    let mut memo = Memo::new(game, Play::Normal);
    let position = format!("{name} with chips {}", show(chips));
    let option = options(game, &start).into_iter().find(|option| memo.value(option) == 0);
    let describe = |option: &[u32]| {
        let (chips, lock) = option.split_at(chips.len());
        match lock {
            [0] | [] => format!("chips {}", show(chips)),
            [edge, ..] => {
                let (u, v) = game.graph.edges()[*edge as usize - 1];
                format!("chips {} with edge {u}-{v} in play", show(chips))
            }
        }
    };
    let shows = match option {
        Some(option) => format!("it is an N-position: moving to {} wins", describe(&option)),
        None => {
            format!("it is a P-position: none of its {} options is a P-position", options(game, &start).len())
        }
    };
    Counterexample::new(position, shows)
}

/// Checks that each named graph with so many chips on every vertex is in P or not.
fn outcomes(effort: &Effort, cases: &[(&str, u32, bool)]) -> Checked {
    for &(name, chips, in_p) in cases {
        if let Some(found) = failure(effort, name, chips, in_p)? {
            return Ok(Finding::from_search(Some(found), "the example"));
        }
    }
    Ok(Finding::proved("the example"))
}

/// The counterexample, if `name` with `chips` on every vertex is not in P (or N) as claimed.
fn failure(effort: &Effort, name: &str, chips: u32, in_p: bool) -> Result<Option<Counterexample>, OutOfTime> {
    if effort.is_over() {
        return Err(OutOfTime);
    }
    let Ok(graph) = Graph::parse(name) else {
        return Ok(Some(Counterexample::new(name, "is not a graph that the program knows")));
    };
    let chips = vec![chips; graph.order()];
    let game = wyg(graph, WygVariant::Locked);
    let value = Memo::new(&game, Play::Normal).value(&game.position(&chips));
    Ok(((value == 0) != in_p).then(|| explain(&game, name, &chips)))
}

/// Checks a family of graphs for `n` from `first` to `last`.
fn family(
    effort: &Effort,
    first: usize,
    last: usize,
    graph: impl Fn(usize) -> (String, u32),
    in_p: impl Fn(usize) -> bool,
) -> Checked {
    let bound = format!("n from {first} to {last}");
    for n in first..=last {
        let (name, chips) = graph(n);
        if let Some(found) = failure(effort, &name, chips, in_p(n))? {
            return Ok(Finding::from_search(Some(found), bound));
        }
    }
    Ok(Finding::holds(bound))
}

fn degree_path(_: &Effort) -> Finding {
    let Ok(graph) = Graph::path(3) else { return Finding::unchecked("no path on three vertices") };
    let game = wyg(graph, WygVariant::Locked);
    if Memo::new(&game, Play::Normal).value(&game.position(&[1, 2, 1])) == 0 {
        Finding::proved("the example")
    } else {
        Finding::from_search(Some(explain(&game, "path 3", &[1, 2, 1])), "the example")
    }
}

/// The smallest graph (by vertices, then edges) among all connected graphs with at most `order` vertices for
/// which `test` finds something.
fn smallest_graph(
    order: usize,
    effort: &Effort,
    test: impl Fn(&Graph) -> Option<Counterexample> + Sync,
) -> Result<Option<Counterexample>, OutOfTime> {
    for order in 1..=order {
        let found = Mutex::new(Vec::new());
        for_each(Kind::Undirected, order, &|| effort.is_over(), &|small| {
            let graph = small.to_graph(Kind::Undirected);
            if let Some(counterexample) = test(&graph) {
                let mut found = found.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                found.push((graph.edges().len(), graph.to_edge_list(), counterexample));
            }
        });
        if effort.is_over() {
            return Err(OutOfTime);
        }
        let mut found = found.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        found.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
        if let Some((_, _, counterexample)) = found.into_iter().next() {
            return Ok(Some(counterexample));
        }
    }
    Ok(None)
}

fn versions(effort: &Effort) -> Checked {
    let order = effort.bound(6, 7);
    let found = smallest_graph(order, effort, |graph| {
        let value = |variant| {
            let game = wyg(graph.clone(), variant);
            Memo::new(&game, Play::Normal).value(&game.position(&vec![1; graph.order()]))
        };
        let (locked, free) = (value(WygVariant::Locked), value(WygVariant::Free));
        (locked != free).then(|| {
            Counterexample::new(graph.to_edge_list(), format!("is worth {locked} locked and {free} free"))
        })
    })?;
    Ok(Finding::from_search(found, format!("all connected graphs on at most {order} vertices")))
}

fn theorem_4_11(effort: &Effort) -> Checked {
    let orders: &[(u32, usize)] =
        if effort.deep { &[(1, 8), (2, 8), (3, 6)] } else { &[(1, 7), (2, 6), (3, 5)] };
    let test = |chips: u32| {
        move |graph: &Graph| {
            if !breaks_in_two(graph) {
                return None;
            }
            let game = wyg(graph.clone(), WygVariant::Locked);
            let start = vec![chips; graph.order()];
            let lost = Memo::new(&game, Play::Normal).value(&game.position(&start)) == 0;
            lost.then(|| explain(&game, &graph.to_edge_list(), &start))
        }
    };
    let mut bounds = Vec::new();
    let mut failures = Vec::new();
    for &(chips, order) in orders {
        failures.push(smallest_graph(order, effort, test(chips))?);
        bounds.push(format!("{chips} chip(s): connected graphs on at most {order} vertices"));
    }
    let one_chip_holds = failures[0].is_none();
    let found = failures.into_iter().flatten().next();
    Ok(Finding::from_search(found, bounds.join("; ")).corrected(
        "it holds for one chip on each vertex; with more chips the locked edge can keep the second player from being mirrored",
        one_chip_holds,
    ))
}

/// All positions of two equal disjoint connected graphs with equal chips, without an edge in play.
fn mirror(effort: &Effort) -> Checked {
    let (order, most) = effort.bound((3, 2), (3, 3));
    let test = |most: u32, graph: &Graph, variant: WygVariant| {
        let n = graph.order();
        let edges: Vec<_> = graph.edges().iter().flat_map(|&(u, v)| [(u, v), (u + n, v + n)]).collect();
        let double = Graph::new(2 * n, false, &edges).ok()?;
        let game = wyg(double, variant);
        let mut memo = Memo::new(&game, Play::Normal);
        // All distributions of 1 to `most` chips, smallest total first.
        let mut distributions: Vec<Vec<u32>> = (0..most.pow(n as u32))
            .map(|code| (0..n as u32).map(|i| 1 + code / most.pow(i) % most).collect())
            .collect();
        distributions.sort_by_key(|chips: &Vec<u32>| (chips.iter().sum::<u32>(), chips.clone()));
        distributions.into_iter().find_map(|half| {
            let chips = [half.clone(), half].concat();
            (memo.value(&game.position(&chips)) != 0)
                .then(|| explain(&game, &format!("the two copies {}", game.graph.to_edge_list()), &chips))
        })
    };
    let found = smallest_graph(order, effort, |graph| test(most, graph, WygVariant::Locked))?;
    let free = smallest_graph(order, effort, |graph| test(most, graph, WygVariant::Free))?;
    let single = smallest_graph(order + 1, effort, |graph| test(1, graph, WygVariant::Locked))?;
    Ok(Finding::from_search(found, format!("two copies of connected graphs on at most {order} vertices, up to {most} chips"))
        .corrected(
            "mirroring wins in the version where every move chooses its edge afresh, and in the locked one with one chip on each vertex",
            free.is_none() && single.is_none() && halves_are_equal(),
        ))
}

fn complete_values(effort: &Effort) -> Checked {
    let last = effort.bound(10, 13);
    for n in 1..=last {
        if effort.is_over() {
            return Err(OutOfTime);
        }
        let Ok(graph) = Graph::parse(&format!("complete {n}")) else { continue };
        let game = wyg(graph, WygVariant::Locked);
        let value = Memo::new(&game, Play::Normal).value(&game.position(&vec![1; n]));
        if value as usize != [2, 0, 1][n % 3] {
            return Ok(Finding::fails(
                format!("complete {n}"),
                format!("is worth {value}"),
                format!("n up to {last}"),
            ));
        }
    }
    Ok(Finding::holds(format!("n up to {last}")))
}

fn bipartite(
    effort: &Effort,
    scope: impl Fn(usize, usize) -> bool,
    in_p: impl Fn(usize, usize) -> bool,
) -> Checked {
    let last = effort.bound(6, 8);
    for total in 2..=2 * last {
        for m in 1..total {
            let n = total - m;
            if m > last || n > last || !scope(m, n) {
                continue;
            }
            if let Some(found) = failure(effort, &format!("bipartite {m} {n}"), 1, in_p(m, n))? {
                return Ok(Finding::from_search(Some(found), format!("m, n up to {last}")));
            }
        }
    }
    Ok(Finding::holds(format!("m, n up to {last}")))
}

fn lemma_4_19(effort: &Effort) -> Checked {
    let last = effort.bound(8, 10);
    for n in 2..=last {
        if effort.is_over() {
            return Err(OutOfTime);
        }
        let Ok(graph) = Graph::path(n) else { continue };
        let mut chips = vec![2; n];
        chips[n - 1] = 1;
        let game = wyg(graph, WygVariant::Locked);
        if Memo::new(&game, Play::Normal).value(&game.position(&chips)) == 0 {
            let found = explain(&game, &format!("path {n}"), &chips);
            return Ok(Finding::from_search(Some(found), format!("n from 2 to {last}")));
        }
    }
    Ok(Finding::holds(format!("n from 2 to {last}")))
}

/// Two stars with `m <= n` leaves, `m, n >= 1`, whose centres are `distance` edges apart.
fn stars(effort: &Effort, distance: usize, in_p: impl Fn(usize, usize) -> bool) -> Checked {
    let last = effort.bound(9, 13);
    for total in 2..=last {
        for m in 1..=total / 2 {
            let n = total - m;
            if let Some(found) = failure(effort, &format!("stars {m} {n} {distance}"), 1, in_p(m, n))? {
                return Ok(Finding::from_search(Some(found), format!("m + n up to {last}")));
            }
        }
    }
    Ok(Finding::holds(format!("m, n >= 1 with m + n up to {last}")))
}

fn mig_parity(effort: &Effort) -> Checked {
    let order = effort.bound(6, 7);
    let found = smallest_graph(order, effort, |graph| {
        let game = Mig { graph: graph.clone() };
        let value = Memo::new(&game, Play::Normal).value(&vec![1; graph.order()]);
        ((value == 0) != (graph.order() % 2 == 0))
            .then(|| Counterexample::new(graph.to_edge_list(), format!("is worth {value}")))
    })?;
    Ok(Finding::from_search(found, format!("all connected graphs on at most {order} vertices")))
}
