//! Section 3.1.3 to 3.1.5: Even/Odd on undirected graphs.

use super::support::{
    compare_values, connected, even_odd, every_graph, graph, search_graphs, show_with_options,
};
use crate::analysis::connected_graphs::Kind;
use crate::claims::{Check, Effort, Finding};
use crate::partizan::{Games, Outcome, Value, Values};
use crate::rules::graph::{EvenOdd, bits};

pub(super) const CHECKS: &[Check] = &[
    ("ottaway-3.1.5", |effort| {
        outcomes(effort, |vertices, outcome| {
            vertices % 2 == 0 || matches!(outcome, Outcome::Left | Outcome::Next)
        })
    }),
    ("ottaway-3.1.6", |effort| {
        outcomes(effort, |vertices, outcome| {
            vertices % 2 == 1 || matches!(outcome, Outcome::Left | Outcome::Previous)
        })
    }),
    ("ottaway-3.1.7", |effort| outcomes(effort, |_, outcome| outcome != Outcome::Right)),
    ("ottaway-3.1.8", |effort| {
        // Every option has one vertex less, so by Definition 2.2.1 only a zero at an odd number of
        // vertices could go wrong.
        every_graph(effort, Kind::Undirected, effort.bound(7, 8), &|games, values, set| {
            let value = values.by_components(games, set);
            (set.count_ones() % 2 == 1 && value == Value::ZERO).then(|| "its value is 0".into())
        })
    }),
    ("ottaway-3.1.9", |_| Finding::from_search(compare_values(bipartite()), "parts of up to 7 vertices")),
    ("ottaway-3.1.10", |effort| {
        let most = effort.bound(30, 60);
        Finding::from_search(
            compare_values((1..=most).map(|k| (format!("path {k}"), path_value(k)))),
            format!("k up to {most}"),
        )
    }),
    ("ottaway-3.1.11", |effort| {
        let most = effort.bound(30, 60);
        let value = |k: usize| match k % 3 {
            0 => k / 3,
            1 => (k - 4) / 3,
            _ => k.div_ceil(3),
        };
        let cases = (3..=most).map(|k| (format!("cycle {k}"), value(k).to_string()));
        let right = |k: usize| if k % 3 == 2 { (k + 4) / 3 } else { value(k) };
        let corrected = (3..=most).map(|k| (format!("cycle {k}"), right(k).to_string()));
        Finding::from_search(compare_values(cases), format!("k up to {most}")).corrected(
            "C_k = k/3, (k-4)/3, (k+4)/3 for k = 0, 1, 2 mod 3 (k >= 3)",
            compare_values(corrected).is_none(),
        )
    }),
    ("ottaway-3.1.12", |effort| {
        let most = effort.bound(24, 40);
        let first = [(3, "{2|0}"), (4, "0"), (5, "{{3|1}|0}")]
            .map(|(n, value)| (format!("broom {n} 1"), value.to_string()));
        let rest = (6..=most).map(|n| (format!("broom {n} 1"), broom_1(n)));
        Finding::from_search(compare_values(first.into_iter().chain(rest)), format!("n up to {most}"))
    }),
    ("ottaway-table-3.1", |_| {
        let cases = table_3_1();
        let count = cases.len();
        let corrected = cases.iter().map(|(name, value)| {
            (name.clone(), if name == "broom 9 2" { "{4|2}".to_string() } else { value.clone() })
        });
        let corrected = compare_values(corrected.collect::<Vec<_>>()).is_none();
        Finding::from_search(compare_values(cases), format!("all {count} cells"))
            .corrected("P(9,2) = {4|2}; every other cell is right", corrected)
    }),
    ("ottaway-3.1.13", brooms),
    ("ottaway-table-3.2", trees),
    ("ottaway-3.1.14", twins),
    ("ottaway-3.1.15", |_| {
        let cases = (1..=14usize).map(|n| (format!("complete {n}"), (n % 2).to_string()));
        Finding::from_search(compare_values(cases), "n up to 14")
    }),
    ("ottaway-3.1.16", |_| {
        let cases = (1..=7usize).flat_map(|n| {
            (1..=8usize)
                .map(move |k| (format!("lollipop {n} {k}"), path_value(if n % 2 == 1 { k } else { k + 1 })))
        });
        Finding::from_search(compare_values(cases), "n up to 7, k up to 8")
    }),
    ("ottaway-3.1-all-odd", |effort| {
        every_graph(effort, Kind::Undirected, effort.bound(7, 8), &|games, values, set| {
            let board = &values.rules().graph;
            let all_odd = bits(set).all(|v| (board.in_neighbours(v) & set).count_ones() % 2 == 1);
            (all_odd && values.by_components(games, set) != Value::ZERO).then(|| "its value is not 0".into())
        })
    }),
    ("ottaway-3.1-stars", |_| {
        let cases = (3..=15usize).map(|n| {
            (format!("star {n}"), if n % 2 == 0 { "0".to_string() } else { format!("{{{}|0}}", n - 1) })
        });
        Finding::from_search(compare_values(cases), "stars on 3 to 15 vertices")
    }),
];

fn outcomes(effort: &Effort, good: impl Fn(u32, Outcome) -> bool + Sync) -> Finding {
    every_graph(effort, Kind::Undirected, effort.bound(7, 8), &|games, values, set| {
        let value = values.by_components(games, set);
        let outcome = games.outcome(value);
        (!good(set.count_ones(), outcome)).then(|| format!("its outcome is {}", outcome.letter()))
    })
}

fn bipartite() -> Vec<(String, String)> {
    let mut cases = Vec::new();
    for m in 0..=7usize {
        for n in m.max(1)..=7 {
            let value = match (m % 2, n % 2) {
                (1, 1) => "0".to_string(),
                (0, 0) => {
                    if m == 0 {
                        n.to_string()
                    } else {
                        "0".to_string()
                    }
                }
                _ => {
                    let (even, odd) = if m % 2 == 0 { (m, n) } else { (n, m) };
                    match (even, odd) {
                        (0, odd) => odd.to_string(),
                        (even, 1) => format!("{{{even}|0}}"),
                        _ => "*".to_string(),
                    }
                }
            };
            cases.push((format!("bipartite {m} {n}"), value));
        }
    }
    cases
}

/// Theorem 3.1.10.
pub(super) fn path_value(k: usize) -> String {
    match k % 3 {
        0 => format!("{}±1", k / 3),
        1 => k.div_ceil(3).to_string(),
        _ => ((k - 2) / 3).to_string(),
    }
}

/// Theorem 3.1.12.
fn broom_1(n: usize) -> String {
    match n % 3 {
        0 => format!("{}*", (n - 3) / 3),
        1 => format!("{{{}|{}*}}", (n - 1) / 3, (n - 4) / 3),
        _ => ((n - 2) / 3).to_string(),
    }
}

/// Table 3.1 as printed: for each n the columns k = 0 to 4.
const TABLE_3_1: [&[&str]; 15] = [
    &["1"],
    &["0", "0"],
    &["{2|0}", "{2|0}", "{2|0}"],
    &["2", "0", "0", "0"],
    &["1", "{{3|1}|0}", "{4|0}", "{4|0}", "{4|0}"],
    &["{3|1}", "1*", "{3|1}", "0", "0"],
    &["3", "{2|1*}", "{{5|3}|1*}", "{{5|1}|0}", "{6|0}"],
    &["2", "2", "{5|{2|1*}}", "1*", "{5|1}"],
    &["{4|2}", "2*", "{4,{5|3}|2}", "{2|1*}", "{{7|5}|1*}"],
    &["4", "{3|2*}", "{{6|4}|2*}", "2", "{7|{2|1*}}"],
    &["3", "3", "{6|{3|2*}}", "2*", "{6|2}"],
    &["{5|3}", "3*", "{5|3}", "{3|2*}", "{{8|6}|2*}"],
    &["5", "{4|3*}", "{{7|5}|3*}", "3", "{8|{3|2*}}"],
    &["4", "4", "{7|{4|3*}}", "3*", "{7|3}"],
    &["{6|4}", "4*", "{6|4}", "{4|3*}", "{{9|7}|3*}"],
];

fn table_3_1() -> Vec<(String, String)> {
    let row = |(i, row): (usize, &&[&str])| -> Vec<(String, String)> {
        row.iter().enumerate().map(|(k, value)| (format!("broom {} {k}", i + 1), value.to_string())).collect()
    };
    TABLE_3_1.iter().enumerate().flat_map(row).collect()
}

/// The relation between P(n,k) and P(n-2,k-2) that Theorem 3.1.13 claims.
fn related(games: &mut Games, k: usize, small: Value, large: Value) -> bool {
    if k % 2 == 1 {
        return small == large;
    }
    let two = games.integer(2);
    let (left, right) = (games.left(small).to_vec(), games.right(small).to_vec());
    let raised: Vec<Value> = left.into_iter().map(|option| games.add(option, two)).collect();
    games.game(&raised, &right) == large
}

fn brooms(effort: &Effort) -> Finding {
    let (most_k, most_n) = effort.bound((7, 20), (9, 28));
    let mut games = Games::new();
    let mut value: Vec<Vec<Value>> = Vec::new();
    for n in 0..=most_n {
        let row = (0..=most_k.min(n.max(1) - 1)).map(|k| match n {
            0 => Value::ZERO,
            _ => even_odd(&mut games, &graph(&format!("broom {n} {k}"))),
        });
        value.push(row.collect());
    }
    let mut failures = Vec::new();
    for k in 3..=most_k {
        for n in k + 1..=most_n {
            if !related(&mut games, k, value[n - 2][k - 2], value[n][k]) {
                failures.push((n, k));
            }
        }
    }
    failures.sort_unstable();
    // Arithmetic periodicity with period 3 and saltus 1, from n = k + 5 on.
    let one = games.integer(1);
    let column = |k: usize| (k + 8..=most_n - 3).map(move |n| (n, k));
    let periodic = (0..=most_k).flat_map(column).all(|(n, k)| games.add(value[n][k], one) == value[n + 3][k]);
    let bound = format!(
        "3 <= k <= {most_k}, n up to {most_n}; period 3 and saltus 1 from n = k + 8 on: {}",
        if periodic { "yes" } else { "no" }
    );
    let Some(&(n, k)) = failures.first() else {
        return if periodic {
            Finding::holds(bound)
        } else {
            Finding::fails("the period", "it is not 3", bound)
        };
    };
    let (small, large) = (games.show(value[n - 2][k - 2]), games.show(value[n][k]));
    let list: Vec<String> = failures.iter().map(|(n, k)| format!("P({n},{k})")).collect();
    let shows = format!(
        "P({n},{k}) = {large} but P({},{}) = {small}; the failures are {}",
        n - 2,
        k - 2,
        list.join(", ")
    );
    let gap = failures.iter().map(|(n, k)| n - k).max().unwrap_or(0);
    Finding::fails(format!("broom {n} {k}"), shows, bound).corrected(
        "the relations hold for n >= k + 6, and then P(n+3,k) = P(n,k) + 1 for n >= k + 8",
        periodic && gap < 6,
    )
}

/// Table 3.2 as printed, row by row.
const TABLE_3_2: &[&str] = &[
    "1",
    "0",
    "{2|0}",
    "2",
    "0",
    "1",
    "{3|1||0}",
    "{4|0}",
    "{3|1}",
    "1*",
    "{3|1}",
    "{3|1}",
    "0",
    "0",
    "3",
    "{2|1*}",
    "{2|1*}",
    "{5|3||1*}",
    "{4|2||1|||0}",
    "{2|1*}",
    "3",
    "{2|0}",
    "{5|3||0}",
    "{5|1||0}",
    "{6|0}",
];

fn trees(_: &Effort) -> Finding {
    let mut games = Games::new();
    let mut printed: Vec<Value> = TABLE_3_2
        .iter()
        .map(|text| games.read(text).unwrap_or_else(|error| unreachable!("{error}")))
        .collect();
    let mut extra = Vec::new();
    let mut count = 0;
    for order in 1..=7 {
        for tree in connected(Kind::Undirected, order).iter().filter(|board| board.edges().len() + 1 == order)
        {
            count += 1;
            let value = even_odd(&mut games, tree);
            match printed.iter().position(|&p| p == value) {
                Some(place) => drop(printed.swap_remove(place)),
                None => {
                    let mut values = Values::new(EvenOdd { graph: tree.clone() });
                    extra.push((tree.to_edge_list(), show_with_options(&mut games, &mut values, tree)));
                }
            }
        }
    }
    let left_over: Vec<String> = printed.into_iter().map(|value| games.show(value)).collect();
    let bound = format!("all {count} trees on up to 7 vertices against {} printed values", TABLE_3_2.len());
    match extra.first() {
        None if left_over.is_empty() => Finding::proved(bound),
        None => Finding::fails(left_over.join(", "), "printed, but no tree has this value", bound),
        Some((tree, value)) => Finding::fails(
            tree.clone(),
            format!("its value {value} is not in the table; left over there: {}", left_over.join(", ")),
            bound,
        ),
    }
}

fn twins(effort: &Effort) -> Finding {
    let most = effort.bound(7, 8);
    let (found, reached) = search_graphs(effort, Kind::Undirected, most, &|board, games| {
        let all = board.vertices();
        let closed = |v: usize| board.neighbours(v) | 1 << v;
        let mut values = Values::new(EvenOdd { graph: board.clone() });
        for x in 0..board.order() {
            for y in 0..x {
                if closed(x) != closed(y) {
                    continue;
                }
                let whole = values.by_components(games, all);
                let part = values.by_components(games, all & !(1 << x | 1 << y));
                if whole != part {
                    let (whole, part) = (games.show(whole), games.show(part));
                    return Some((all, format!("its value is {whole}; without {x} and {y} it is {part}")));
                }
            }
        }
        None
    });
    Finding::from_search(found, format!("all connected graphs on up to {reached} vertices"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printed_tables_have_all_their_cells() {
        assert_eq!(table_3_1().len(), 1 + 2 + 3 + 4 + 11 * 5);
        assert_eq!(TABLE_3_2.len(), 25);
    }

    #[test]
    fn a_wrong_value_is_found() {
        let wrong = compare_values([("path 3".to_string(), "1".to_string())]);
        assert!(wrong.is_some_and(|found| found.shows.contains("{2|0}")));
    }
}
