//! W1: wyg with one chip on every vertex. A position is a set of vertices; a move deletes a vertex that has a neighbour, or two
//! adjacent vertices.

use crate::analysis::connected_graphs::{self, Kind};
use crate::analysis::memo::Memo;
use crate::claims::{Claim, Counterexample, Finding};
use crate::rules::Play;
use crate::rules::graph::{Graph, Mig, Wyg, WygMoves, WygVariant, bits};
use std::sync::Mutex;

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "mullen-4.13",
        source: "Mullen, Theorem 4.13",
        statement: "W1(K_n) is a P-position exactly if n = 1 mod 3.",
        check: |_| outcomes((1..=14).map(|n| (format!("complete {n}"), n % 3 == 1)), "n up to 14"),
    },
    Claim {
        id: "mullen-4.14",
        source: "Mullen, Corollary 4.14",
        statement: "W1(K_n) has value 0, 1, 2 for n = 1, 2, 0 mod 3.",
        check: |_| {
            let found = (1..=14usize).find_map(|n| {
                let value = usize::from(whole(&graph(&format!("complete {n}"))));
                (value != (n + 2) % 3)
                    .then(|| Counterexample::new(format!("complete {n}"), format!("value {value}")))
            });
            Finding::from_search(found, "n up to 14")
        },
    },
    Claim {
        id: "mullen-4.15",
        source: "Mullen, Theorem 4.15",
        statement: "W1(C_n) is a P-position for n > 3.",
        check: |effort| {
            let most = effort.bound(18, 22);
            outcomes((4..=most).map(|n| (format!("cycle {n}"), true)), &format!("n up to {most}"))
        },
    },
    Claim {
        id: "mullen-4.16",
        source: "Mullen, Theorem 4.16",
        statement: "W1(W_n), the wheel with n vertices, is an N-position for n > 4.",
        check: |effort| {
            let most = effort.bound(16, 20);
            outcomes((5..=most).map(|n| (format!("wheel {n}"), false)), &format!("n up to {most}"))
        },
    },
    Claim {
        id: "mullen-4.17",
        source: "Mullen, Lemma 4.17",
        statement: "W1(K(m,1)) is an N-position for every m >= 1, and W1(K(m,2)) a P-position for every even m >= 2.",
        check: |_| {
            let ones = (1..=12).map(|m| (format!("bipartite {m} 1"), false));
            let twos = (1..=6).map(|m| (format!("bipartite {} 2", 2 * m), true));
            outcomes(ones.chain(twos), "m up to 12")
        },
    },
    Claim {
        id: "mullen-4.18",
        source: "Mullen, Theorem 4.18",
        statement: "W1(K(m,n)) is a P-position exactly if m and n are both even (m, n >= 1).",
        check: |_| {
            let cases = (1..=7usize)
                .flat_map(|m| (m..=8).map(move |n| (format!("bipartite {m} {n}"), m % 2 == 0 && n % 2 == 0)));
            outcomes(cases, "m up to 7, n up to 8")
        },
    },
    Claim {
        id: "mullen-4.21",
        source: "Mullen, Theorem 4.21",
        statement: "Two stars with m and n leaves (m, n >= 1) whose centres have one common neighbour: W1 is an N-position exactly if m + n is even.",
        check: |_| two_stars(2, |m, n| (m + n) % 2 == 0),
    },
    Claim {
        id: "mullen-4.22",
        source: "Mullen, Theorem 4.22",
        statement: "Two stars (m, n >= 1) whose centres are joined by a path of length 3: W1 is an N-position.",
        check: |_| two_stars(3, |_, _| true),
    },
    Claim {
        id: "mullen-4.23",
        source: "Mullen, Theorem 4.23",
        statement: "Two stars (m, n >= 1) whose centres are joined by a path of length 4: W1 is an N-position.",
        check: |_| two_stars(4, |_, _| true),
    },
    Claim {
        id: "mullen-4.24",
        source: "Mullen, Theorem 4.24",
        statement: "Two stars (m, n >= 1) whose centres are joined by a path of length 5: W1 is an N-position.",
        check: |_| two_stars(5, |_, _| true),
    },
    Claim {
        id: "mullen-4.3-one-chip",
        source: "Mullen, section 4.3",
        statement: "With one chip on every vertex the locked and the free version of wyg are the same game.",
        check: |_| {
            every_connected(6, |board| {
                let locked = value_by_rules(board, WygVariant::Locked);
                let free = value_by_rules(board, WygVariant::Free);
                (locked != free).then(|| format!("value {locked} locked, {free} free"))
            })
        },
    },
    Claim {
        id: "mullen-6-mig-parity",
        source: "Mullen, chapter 6",
        statement: "Mig with one chip on every vertex is decided by the parity of the number of vertices.",
        check: |_| {
            every_connected(6, |board| {
                let rules = Mig { graph: board.clone(), play: Play::Normal };
                let value = usize::from(Memo::new(&rules).value(&vec![1; board.order()][..]));
                (value != board.order() % 2).then(|| format!("value {value}"))
            })
        },
    },
    Claim {
        id: "mullen-figure-4.5",
        source: "Mullen, Figure 4.5",
        statement: "W1(K_5) is an N-position although K_5 has no cut vertex and no cut edge neighbourhood; one of its winning moves deletes one \
                    vertex.",
        check: |_| {
            let five = grundy(&graph("complete 5"));
            if five[31] != 0 && five[30] == 0 {
                Finding::proved("the whole game")
            } else {
                Finding::fails("complete 5", "deleting one vertex does not win", "the whole game")
            }
        },
    },
];

/// A graph written as users write it; the texts are our own.
pub(super) fn graph(text: &str) -> Graph {
    Graph::parse(text).unwrap_or_else(|error| unreachable!("{error}"))
}

/// The Grundy values of W1 on every set of vertices.
pub(super) fn grundy(board: &Graph) -> Vec<u8> {
    let mut values = vec![0u8; 1 << board.order()];
    for set in 1..values.len() as u64 {
        let mut seen = 0u64;
        for u in bits(set) {
            let partners = board.neighbours(u) & set;
            if partners == 0 {
                continue;
            }
            let without = set & !(1 << u);
            seen |= 1 << values[without as usize];
            for v in bits(partners).filter(|&v| v > u) {
                seen |= 1 << values[(without & !(1 << v)) as usize];
            }
        }
        values[set as usize] = seen.trailing_ones() as u8;
    }
    values
}

fn whole(board: &Graph) -> u8 {
    *grundy(board).last().unwrap_or(&0)
}

fn value_by_rules(board: &Graph, variant: WygVariant) -> u16 {
    let rules = Wyg { graph: board.clone(), variant, moves: WygMoves::Wynnie, play: Play::Normal };
    let start = rules.position(&vec![1; board.order()]);
    Memo::new(&rules).value(&start[..])
}

/// Each case is a graph and whether W1 is claimed to be a P-position on it.
fn outcomes(cases: impl IntoIterator<Item = (String, bool)>, bound: &str) -> Finding {
    let found = cases.into_iter().find_map(|(name, claimed)| {
        let p = whole(&graph(&name)) == 0;
        (p != claimed)
            .then(|| Counterexample::new(name, format!("it is {}-position", if p { "a P" } else { "an N" })))
    });
    Finding::from_search(found, bound)
}

fn two_stars(distance: usize, is_n: impl Fn(usize, usize) -> bool) -> Finding {
    let mut cases = Vec::new();
    for total in 2..=10usize {
        for m in 1..=total / 2 {
            cases.push((format!("stars {m} {} {distance}", total - m), !is_n(m, total - m)));
        }
    }
    outcomes(cases, "m + n up to 10")
}

/// Tests every connected graph on up to `most` vertices.
pub(super) fn every_connected(most: usize, bad: impl Fn(&Graph) -> Option<String> + Sync) -> Finding {
    for order in 1..=most {
        let found: Mutex<Option<(usize, String, String)>> = Mutex::new(None);
        connected_graphs::for_each(Kind::Undirected, order, &|| false, &|small| {
            let board = small.to_graph(Kind::Undirected);
            if let Some(what) = bad(&board) {
                let candidate = (board.edges().len(), board.to_edge_list(), what);
                let mut best = found.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                if best.as_ref().is_none_or(|known| candidate < *known) {
                    *best = Some(candidate);
                }
            }
        });
        if let Some((_, board, what)) = found.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()) {
            return Finding::fails(board, what, format!("connected graphs on up to {order} vertices"));
        }
    }
    Finding::holds(format!("all connected graphs on up to {most} vertices"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_one_chip_agrees_with_the_rules() {
        let finding = every_connected(5, |board| {
            let (fast, slow) = (u16::from(whole(board)), value_by_rules(board, WygVariant::Locked));
            (fast != slow).then(|| format!("{fast} and {slow}"))
        });
        assert_eq!(finding.counterexample, None);
    }

    #[test]
    fn a_wrong_claim_is_caught() {
        let finding = outcomes([("path 3".to_string(), true)], "one case");
        assert!(finding.counterexample.is_some());
    }
}
