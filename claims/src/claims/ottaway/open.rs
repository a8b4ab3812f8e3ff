//! Conjecture 6.1.1, and the facts about graphs of appendix A.

use super::support::{connected, search_graphs};
use crate::analysis::connected_graphs::Kind;
use crate::claims::{Check, Counterexample, Effort, Finding};
use crate::partizan::{Games, Value, Values};
use crate::rules::graph::{EvenOdd, Graph};
use std::collections::BTreeMap;

pub(super) const CHECKS: &[Check] = &[
    ("ottaway-6.1.1", paths_attached),
    ("ottaway-A.2.1", |effort| degrees(effort, |degrees, edges| degrees.iter().sum::<usize>() == 2 * edges)),
    ("ottaway-A.2.2", |effort| degrees(effort, |degrees, _| degrees.iter().sum::<usize>() % 2 == 0)),
    ("ottaway-A.2.3", |effort| {
        degrees(effort, |degrees, _| degrees.len() % 2 == 0 || degrees.iter().any(|d| d % 2 == 0))
    }),
    ("ottaway-A.2.4", |effort| {
        // A connected graph is a tree exactly if deleting any edge disconnects it.
        let most = effort.bound(7, 8);
        let (found, reached) = search_graphs(effort, Kind::Undirected, most, &|board, _| {
            let edges = board.edges();
            let tree = (0..edges.len()).all(|i| {
                let mut fewer = edges.clone();
                fewer.remove(i);
                Graph::new(board.order(), false, &fewer).is_ok_and(|part| !part.is_connected(part.vertices()))
            });
            (tree && edges.len() + 1 != board.order()).then(|| (board.vertices(), "it is a tree".to_string()))
        });
        Finding::from_search(found, format!("all connected graphs on up to {reached} vertices"))
    }),
];

fn degrees(effort: &Effort, good: impl Fn(&[usize], usize) -> bool + Sync) -> Finding {
    let most = effort.bound(7, 8);
    let (found, reached) = search_graphs(effort, Kind::Undirected, most, &|board, _| {
        let degrees: Vec<usize> =
            (0..board.order()).map(|v| board.neighbours(v).count_ones() as usize).collect();
        (!good(&degrees, board.edges().len()))
            .then(|| (board.vertices(), format!("its degrees are {degrees:?}")))
    });
    Finding::from_search(found, format!("all connected graphs on up to {reached} vertices"))
}

/// A sequence with t(n + period) = t(n) + saltus from `start` on.
struct ArithmeticPeriod {
    start: usize,
    period: usize,
    saltus: Value,
}

/// The shortest period that the last two thirds of the sequence have.
fn arithmetic_period(games: &mut Games, values: &[Value]) -> Option<ArithmeticPeriod> {
    let last = values.len() - 1;
    (1..=values.len() / 6).find_map(|period| {
        let saltus = games.subtract(values[last], values[last - period]);
        games.as_integer(saltus)?;
        let mut start = values.len() - period;
        while start > 0 && games.add(values[start - 1], saltus) == values[start - 1 + period] {
            start -= 1;
        }
        (start <= values.len() / 3).then_some(ArithmeticPeriod { start, period, saltus })
    })
}

fn paths_attached(effort: &Effort) -> Finding {
    let (most, length) = effort.bound((5, 30), (6, 42));
    let mut games = Games::new();
    let mut kinds: BTreeMap<(usize, String), usize> = BTreeMap::new();
    let mut latest = 0;
    for order in 1..=most {
        for board in connected(Kind::Undirected, order) {
            for v in 0..order {
                // v is the first vertex of the path; the others follow behind the vertices of G.
                let mut edges = board.edges();
                edges.extend((1..length).map(|i| (if i == 1 { v } else { order + i - 2 }, order + i - 1)));
                let long = Graph::new(order + length - 1, false, &edges)
                    .unwrap_or_else(|error| unreachable!("{error}"));
                let mut values = Values::new(EvenOdd { graph: long });
                let sequence: Vec<Value> = (0..length)
                    .map(|extra| values.by_components(&mut games, (1u64 << (order + extra)) - 1))
                    .collect();
                let Some(found) = arithmetic_period(&mut games, &sequence) else {
                    let shown: Vec<String> = sequence.iter().map(|&value| games.show(value)).collect();
                    let what = format!("no arithmetic period is seen in {}", shown.join(", "));
                    let position = format!("{} at vertex {v}", board.to_edge_list());
                    return Finding::from_search(
                        Some(Counterexample::new(position, what)),
                        format!("n up to {length}"),
                    );
                };
                latest = latest.max(found.start + 1);
                *kinds.entry((found.period, games.show(found.saltus))).or_default() += 1;
            }
        }
        if effort.is_over() {
            break;
        }
    }
    let seen: Vec<String> = kinds
        .iter()
        .map(|((period, saltus), count)| format!("period {period} saltus {saltus}: {count} times"))
        .collect();
    Finding::holds(format!(
        "all connected graphs on up to {most} vertices, every vertex, n up to {length}; {}; regular from n = {latest} at the latest",
        seen.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_are_told_from_chaos() {
        let mut games = Games::new();
        let values: Vec<Value> = (0..30).map(|n| games.integer(n / 3)).collect();
        let found = arithmetic_period(&mut games, &values).unwrap();
        assert_eq!((found.start, found.period), (0, 3));
        let squares: Vec<Value> = (0..30).map(|n| games.integer(n * n)).collect();
        assert!(arithmetic_period(&mut games, &squares).is_none());
    }
}
