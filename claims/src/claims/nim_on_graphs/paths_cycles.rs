//! Chapter 2: multiple edges, paths and cycles.

use super::solve::Solved;
use crate::claims::{Check, Counterexample, Effort, Finding};
use crate::rules::Play;
use crate::rules::graph::{Multigraph, NimOnGraph};
use crate::search::memo::Memo;

pub(super) const CHECKS: &[Check] = &[
    ("nim-on-graphs-2.1-nim", classical_nim),
    ("nim-on-graphs-2.1", multiple_edges),
    ("nim-on-graphs-2.2-end", |effort| {
        paths(effort, |links, loops, at, _| (at == 0).then(|| end_of_path(links, loops)))
    }),
    ("nim-on-graphs-2.2-inner", |effort| {
        paths(effort, |links, loops, at, n| {
            (at > 0 && at + 1 < n).then(|| {
                let right = end_of_path(&links[at + 1..], &loops[at + 1..]);
                let reversed: Vec<u32> = loops[..at].iter().rev().copied().collect();
                let left = end_of_path(&links[..at - 1], &reversed);
                loops[at] > 0 || !right || !left
            })
        })
    }),
    ("nim-on-graphs-2.2-weights", path_weights),
    ("nim-on-graphs-2.3-example", |_| {
        let solved = Solved::new(4, &cycle_edges(4)[..4], &[2, 1, 1, 1]);
        let good =
            solved.won(0, &[2, 1, 1, 1]) && !solved.won(1, &[1, 1, 1, 1]) && solved.won(1, &[0, 1, 1, 1]);
        match good {
            true => Finding::proved("the whole game"),
            false => {
                Finding::fails("0-1:2,1-2:1,2-3:1,0-3:1", "the moves are not as claimed", "the whole game")
            }
        }
    }),
    ("nim-on-graphs-2.3-other-loops", |effort| {
        cycles(effort, |_, loops| {
            let n = loops.len();
            let k = (1..n).take_while(|&i| loops[i] == 0).count();
            let m = (1..n).take_while(|&i| loops[n - i] == 0).count();
            (loops[0] == 0 && k < n - 1).then_some(k % 2 == 1 || m % 2 == 1)
        })
    }),
    ("nim-on-graphs-2.3-loop-here", |effort| {
        cycles(effort, |_, loops| (loops[0] > 0 && loops[1..].iter().any(|&l| l > 0)).then_some(true))
    }),
    ("nim-on-graphs-2.3-odd", |effort| {
        cycles(effort, |_, loops| {
            (loops.len() % 2 == 1 && loops[1..].iter().all(|&l| l == 0)).then_some(loops[0] != 1)
        })
    }),
    ("nim-on-graphs-2.3-even-loop", |effort| {
        cycles(effort, |_, loops| {
            (loops.len() % 2 == 0 && loops[0] > 0 && loops[1..].iter().all(|&l| l == 0)).then_some(true)
        })
    }),
    ("nim-on-graphs-2.3-even", even_cycles),
];

fn classical_nim(_: &Effort) -> Finding {
    let mut found = None;
    for (order, edges) in [(2, vec![(0, 1); 3]), (1, vec![(0, 0); 3])] {
        let graph = Multigraph::new(order, edges).unwrap_or_else(|error| unreachable!("{error}"));
        let game = NimOnGraph { graph };
        let mut memo = Memo::new(&game, Play::Normal);
        for code in 0..5 * 5 * 5u32 {
            let weights = [code % 5, code / 5 % 5, code / 25];
            let value = memo.value(&game.position(0, &weights)[..]);
            if value != weights[0] ^ weights[1] ^ weights[2] && found.is_none() {
                found = Some(Counterexample::new(
                    format!("{order} vertices, {weights:?}"),
                    format!("value {value}"),
                ));
            }
        }
    }
    Finding::from_search(found, "three links or three loops of weight up to 4")
}

/// Multigraphs with the classes of edges to be merged: a class is a list of edge numbers.
fn multiple_edges(effort: &Effort) -> Finding {
    let most = effort.bound(2, 3);
    let boards: &[(usize, &[(usize, usize)])] = &[
        (2, &[(0, 1), (0, 1), (0, 0), (0, 0), (1, 1)]),
        (3, &[(0, 1), (0, 1), (1, 2), (1, 2), (0, 2)]),
        (3, &[(0, 1), (0, 1), (0, 1), (1, 2), (2, 2)]),
        (3, &[(0, 1), (0, 1), (1, 2), (0, 2), (1, 1), (1, 1)]),
        (4, &[(0, 1), (0, 1), (1, 2), (2, 3), (2, 3), (3, 0)]),
    ];
    for &(order, edges) in boards {
        let mut merged: Vec<(usize, usize)> = edges.to_vec();
        merged.dedup();
        merged.sort_unstable();
        merged.dedup();
        let full = Solved::new(order, edges, &vec![most; edges.len()]);
        let simple = Solved::new(order, &merged, &vec![3; merged.len()]);
        for vertex in 0..order {
            let wrong = full.smallest(vertex, &mut |weights, won| {
                let sums: Vec<u32> = merged
                    .iter()
                    .map(|pair| {
                        edges.iter().zip(weights).filter(|(e, _)| *e == pair).fold(0, |sum, (_, w)| sum ^ w)
                    })
                    .collect();
                simple.won(vertex, &sums) != won
            });
            if let Some(weights) = wrong {
                let found = full.counterexample(vertex, &weights, "the merged graph has the other winner");
                return Finding::from_search(Some(found), format!("{order} vertices, weights up to {most}"));
            }
        }
    }
    Finding::holds(format!("{} multigraphs on 2 to 4 vertices, weights up to {most}", boards.len()))
}

/// Whether the first player wins at the first vertex of a path with these loops, as section 2.2 says.
fn end_of_path(_links: &[u32], loops: &[u32]) -> bool {
    loops.iter().take_while(|&&weight| weight == 0).count() % 2 == 0
}

fn path_edges(n: usize) -> Vec<(usize, usize)> {
    (1..n).map(|v| (v - 1, v)).chain((0..n).map(|v| (v, v))).collect()
}

/// The links e_i = v_i v_{i+1}, then the loops.
fn cycle_edges(n: usize) -> Vec<(usize, usize)> {
    (0..n).map(|v| (v, (v + 1) % n)).chain((0..n).map(|v| (v, v))).collect()
}

/// Tests a statement about paths: `claim(links, loops, start, n)` is what it says, if it speaks of the
/// position.
fn paths(effort: &Effort, claim: impl Fn(&[u32], &[u32], usize, usize) -> Option<bool>) -> Finding {
    let most = effort.bound(5, 6);
    for n in 1..=most {
        let edges = path_edges(n);
        let solved = Solved::new(n, &edges, &vec![2; edges.len()]);
        for start in 0..n {
            let wrong = solved.smallest(start, &mut |weights, won| {
                let (links, loops) = weights.split_at(n - 1);
                links.iter().all(|&w| w > 0)
                    && claim(links, loops, start, n).is_some_and(|claimed| claimed != won)
            });
            if let Some(weights) = wrong {
                let found = solved.counterexample(start, &weights, "claimed is the contrary");
                return Finding::from_search(
                    Some(found),
                    format!("paths of up to {n} vertices, weights up to 2"),
                );
            }
        }
    }
    Finding::holds(format!("paths of up to {most} vertices, links 1 or 2, loops 0 to 2"))
}

fn path_weights(effort: &Effort) -> Finding {
    let most = effort.bound(5, 6);
    for n in 1..=most {
        let edges = path_edges(n);
        let solved = Solved::new(n, &edges, &vec![2; edges.len()]);
        for start in 0..n {
            let wrong = solved.smallest(start, &mut |weights, won| {
                let ones: Vec<u32> = weights.iter().map(|&w| w.min(1)).collect();
                solved.won(start, &ones) != won
            });
            if let Some(weights) = wrong {
                let found =
                    solved.counterexample(start, &weights, "with all weights 1 the winner is the other");
                return Finding::from_search(Some(found), format!("paths of up to {n} vertices"));
            }
        }
    }
    Finding::holds(format!("paths of up to {most} vertices, weights 0 to 2"))
}

/// Tests a statement about cycles with positive links, starting at vertex 0.
fn cycles(effort: &Effort, claim: impl Fn(&[u32], &[u32]) -> Option<bool>) -> Finding {
    let most = effort.bound(6, 7);
    for n in 3..=most {
        let edges = cycle_edges(n);
        let solved = Solved::new(n, &edges, &vec![2; edges.len()]);
        let wrong = solved.smallest(0, &mut |weights, won| {
            let (links, loops) = weights.split_at(n);
            links.iter().all(|&w| w > 0) && claim(links, loops).is_some_and(|claimed| claimed != won)
        });
        if let Some(weights) = wrong {
            let found = solved.counterexample(0, &weights, "claimed is the contrary");
            return Finding::from_search(
                Some(found),
                format!("cycles of up to {n} vertices, weights up to 2"),
            );
        }
    }
    Finding::holds(format!("cycles of up to {most} vertices, links 1 or 2, loops 0 to 2"))
}

/// The distances from the start to the first links of least weight, in both directions.
fn nearest_least(links: &[u32]) -> (usize, usize) {
    let least = links.iter().min().copied().unwrap_or(0);
    let m = links.iter().take_while(|&&w| w != least).count();
    let back = links.iter().rev().take_while(|&&w| w != least).count();
    (m, back)
}

fn even_cycles(effort: &Effort) -> Finding {
    let ranges: &[(usize, u32)] = effort.bound(&[(4, 4), (6, 3)], &[(4, 6), (6, 4), (8, 3)]);
    let mut found = None;
    let mut corrected = true;
    for &(n, most) in ranges {
        let edges: Vec<(usize, usize)> = cycle_edges(n)[..n].to_vec();
        let solved = Solved::new(n, &edges, &vec![most; n]);
        let wrong = solved.smallest(0, &mut |links, won| {
            let ones: Vec<usize> = (0..n).filter(|&i| links[i] == 1).collect();
            let (Some(m), Some(last)) = (ones.first(), ones.last()) else {
                return false;
            };
            links.iter().all(|&w| w > 0) && (m % 2 == 1 || (n - last) % 2 == 1) && !won
        });
        if let (Some(weights), None) = (wrong, &found) {
            found = Some(solved.counterexample(0, &weights, "m or n - M is odd"));
        }
        corrected &= solved
            .smallest(0, &mut |links, won| {
                let (m, back) = nearest_least(links);
                links.iter().all(|&w| w > 0) && won != (m % 2 == 1 || back % 2 == 1)
            })
            .is_none();
    }
    Finding::from_search(found, format!("cycles by (length, greatest weight): {ranges:?}")).corrected(
        "let w be the least weight (not only 1), m and M the least and the greatest i with weight w on e_i: the first player wins exactly if m or \
         n - 1 - M is odd",
        corrected,
    )
}
