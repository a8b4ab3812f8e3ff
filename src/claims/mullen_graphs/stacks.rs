//! Wyg with more than one chip on a vertex.

use super::ones::{every_connected, graph};
use crate::analysis::memo::Memo;
use crate::claims::{Claim, Counterexample, Effort, Finding};
use crate::rules::graph::{Graph, Wyg, WygMoves, WygVariant, bits};
use crate::rules::{Play, Rules};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "mullen-figure-4.3",
        source: "Mullen, Figures 4.3 and 4.4",
        statement: "W1(P_3) is an N-position and Wdg(P_3) (stacks 1, 2, 1) a P-position.",
        check: |_| {
            let board = graph("path 3");
            let (ones, degrees) =
                (is_p(&board, &[1, 1, 1], WygVariant::Locked), is_p(&board, &[1, 2, 1], WygVariant::Locked));
            if !ones && degrees {
                Finding::proved("both games, played out")
            } else {
                Finding::fails("path 3", format!("P-positions: {ones}, {degrees}"), "both games, played out")
            }
        },
    },
    Claim {
        id: "mullen-4.11",
        source: "Mullen, Theorem 4.11",
        statement: "If deleting a vertex, or the two ends of an edge, leaves exactly two components and they are isomorphic, Wn(G) is an \
                    N-position (locked rule).",
        check: split_in_two,
    },
    Claim {
        id: "mullen-4.19",
        source: "Mullen, Lemma 4.19",
        statement: "On a path of n >= 2 vertices with 2 chips each, but 1 on one end, the first player wins (locked rule).",
        check: |effort| {
            let most = effort.bound(9, 11);
            first_wins((2..=most).map(|n| {
                let mut chips = vec![2; n];
                chips[n - 1] = 1;
                (format!("path {n}"), chips)
            }))
            .map_or_else(
                || Finding::holds(format!("n up to {most}")),
                |found| Finding::from_search(Some(found), format!("n up to {most}")),
            )
        },
    },
    Claim {
        id: "mullen-4.20",
        source: "Mullen, Theorem 4.20",
        statement: "On a cycle of n >= 3 vertices with 2 chips each (W2 = Wdg) the first player wins (locked rule).",
        check: |effort| {
            let most = effort.bound(9, 11);
            let found = first_wins((3..=most).map(|n| (format!("cycle {n}"), vec![2; n])));
            Finding::from_search(found, format!("n up to {most}"))
        },
    },
];

fn is_p(board: &Graph, chips: &[u32], variant: WygVariant) -> bool {
    let rules = Wyg { graph: board.clone(), variant, moves: WygMoves::Wynnie, play: Play::Normal };
    let start = rules.position(chips);
    Memo::new(&rules).is_p(&start[..])
}

/// The first case that is a P-position, with what its options lead to.
fn first_wins(cases: impl IntoIterator<Item = (String, Vec<u32>)>) -> Option<Counterexample> {
    cases.into_iter().find_map(|(name, chips)| {
        let board = graph(&name);
        is_p(&board, &chips, WygVariant::Locked)
            .then(|| Counterexample::new(format!("{name} with {chips:?}"), explain(&board, &chips)))
    })
}

/// Why a position is a P-position: a winning answer to each option.
fn explain(board: &Graph, chips: &[u32]) -> String {
    let rules = Wyg {
        graph: board.clone(),
        variant: WygVariant::Locked,
        moves: WygMoves::Wynnie,
        play: Play::Normal,
    };
    let start = rules.position(chips);
    let mut memo = Memo::new(&rules);
    memo.value(&start[..]);
    let mut options = Vec::new();
    rules.options(&start, &mut |option| options.push(option.to_vec()));
    options.sort();
    options.dedup();
    let edges = board.edges();
    let show = |position: &[u32]| {
        let (chips, lock) = position.split_at(position.len() - 1);
        match lock[0] {
            0 => format!("{chips:?}"),
            edge => format!("{chips:?} locked on {:?}", edges[edge as usize - 1]),
        }
    };
    let mut answers = Vec::new();
    for option in &options {
        let mut reply = None;
        rules.options(option, &mut |answer| {
            if reply.is_none() && memo.value(answer) == 0 {
                reply = Some(answer.to_vec());
            }
        });
        if let Some(reply) = reply {
            answers.push(format!("{} is answered by {}", show(option), show(&reply)));
        }
    }
    let shown = answers.len().min(6);
    let more =
        if answers.len() > shown { format!("; and {} more", answers.len() - shown) } else { String::new() };
    format!("it is a P-position: {}{more}", answers[..shown].join("; "))
}

/// Whether deleting a vertex or the ends of an edge leaves exactly two components, and isomorphic ones.
fn splits(board: &Graph) -> bool {
    let all = board.vertices();
    let vertices = (0..board.order()).map(|v| 1u64 << v);
    let edges = board.edges().into_iter().map(|(u, v)| 1 << u | 1 << v);
    vertices.chain(edges).any(|deleted| {
        let rest = all & !deleted;
        let one = board.component(rest);
        let other = rest & !one;
        one != 0 && other != 0 && board.is_connected(other) && isomorphic(board, one, other)
    })
}

/// Whether two sets of vertices induce isomorphic graphs, by trying every bijection.
fn isomorphic(board: &Graph, one: u64, other: u64) -> bool {
    fn extend(board: &Graph, from: &[usize], to: &mut Vec<usize>, unused: u64) -> bool {
        let place = to.len();
        if place == from.len() {
            return true;
        }
        bits(unused).any(|v| {
            let fits = (0..place).all(|i| board.has_arc(from[i], from[place]) == board.has_arc(to[i], v));
            if !fits {
                return false;
            }
            to.push(v);
            let found = extend(board, from, to, unused & !(1 << v));
            to.pop();
            found
        })
    }
    let from: Vec<usize> = bits(one).collect();
    one.count_ones() == other.count_ones() && extend(board, &from, &mut Vec::new(), other)
}

fn split_in_two(effort: &Effort) -> Finding {
    // Chips and orders: (1, 7), (2, 6), (3, 5): the positions grow as (chips + 1)^order.
    let ranges: &[(u32, usize)] = effort.bound(&[(1, 7), (2, 6), (3, 5)], &[(1, 8), (2, 7), (3, 6), (4, 5)]);
    let mut first: Option<(usize, u32, Finding)> = None;
    let mut free_holds = true;
    let mut one_chip_holds = true;
    for &(chips, most) in ranges {
        let test = |variant: WygVariant| {
            every_connected(most, move |board| {
                let stacks = vec![chips; board.order()];
                (splits(board) && is_p(board, &stacks, variant)).then(|| explain(board, &stacks))
            })
        };
        let locked = test(WygVariant::Locked);
        free_holds &= test(WygVariant::Free).counterexample.is_none();
        if let Some(found) = &locked.counterexample {
            one_chip_holds &= chips > 1;
            let order = found
                .position
                .split(':')
                .next()
                .and_then(|n| n.strip_prefix("n="))
                .and_then(|n| n.parse().ok());
            let order: usize = order.unwrap_or(usize::MAX);
            if first.as_ref().is_none_or(|known| (order, chips) < (known.0, known.1)) {
                first = Some((order, chips, locked.clone()));
            }
        }
    }
    let bound = format!("connected graphs by (chips, vertices): {ranges:?}");
    match first {
        None => Finding::holds(bound),
        Some((_, chips, finding)) => {
            let (position, shows) =
                finding.counterexample.map(|found| (found.position, found.shows)).unwrap_or_default();
            Finding::fails(format!("{position} with {chips} chips each"), shows, bound).corrected(
                "it holds for one chip each, and for any number of chips in the free version; mirroring fails when the edge is locked",
                free_holds && one_chip_holds,
            )
        }
    }
}
