//! Chapter 4: a cycle with pendant edges. Chapter 5: the complete graph.

use super::solve::Solved;
use crate::claims::{Check, Effort, Finding};

pub(super) const CHECKS: &[Check] = &[
    ("nim-on-graphs-4-case-1", |effort| {
        search(effort, |board| (board.pendants[0] == Pendant::Bare).then_some(true))
    }),
    ("nim-on-graphs-4-case-2", |effort| {
        search(effort, |board| {
            let bare = board.bare();
            (board.pendants[0] != Pendant::Bare && bare.len() >= 2).then(|| {
                board.path_won(&board.side(1, bare[0]))
                    || board.path_won(&board.back(bare[bare.len() - 1]))
                    || board.loops[0] > 0
            })
        })
    }),
    ("nim-on-graphs-4-case-3", |effort| {
        search(effort, |board| {
            let bare = board.bare();
            (board.pendants[0] != Pendant::Bare && bare.len() == 1).then(|| {
                board.path_won(&board.side(1, bare[0]))
                    || board.path_won(&board.back(bare[0]))
                    || board.loops[0] > 0
            })
        })
    }),
    ("nim-on-graphs-4-case-4", |effort| {
        search(effort, |board| {
            let has_pendants = board.pendants.iter().any(|&p| p != Pendant::None);
            (has_pendants && board.pendants.iter().all(|&p| p != Pendant::Bare)).then_some(board.cycle_alone)
        })
    }),
    ("nim-on-graphs-5-complete", complete),
];

/// What hangs on a vertex of the cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pendant {
    None,
    /// A pendant vertex without loop.
    Bare,
    /// A pendant vertex with a loop.
    Looped,
}

/// A cycle with pendant edges and weights; the start is vertex 0.
struct Board<'a> {
    pendants: &'a [Pendant],
    loops: &'a [u32],
    /// Whether the first player wins on the cycle with its loops alone.
    cycle_alone: bool,
}

impl Board<'_> {
    /// The cycle vertices other than the start with a bare pendant vertex.
    fn bare(&self) -> Vec<usize> {
        (1..self.pendants.len()).filter(|&v| self.pendants[v] == Pendant::Bare).collect()
    }

    /// The loops met on the way from the start over `from` to `to`, in rising order; then a bare pendant
    /// vertex ends the path.
    fn side(&self, from: usize, to: usize) -> Vec<u32> {
        (from..=to).map(|v| self.loops[v]).chain([0]).collect()
    }

    /// The same the other way round the cycle.
    fn back(&self, to: usize) -> Vec<u32> {
        (to..self.pendants.len()).rev().map(|v| self.loops[v]).chain([0]).collect()
    }

    /// Whether the start, without a loop, is won on the path with these loops behind it: the neighbour is
    /// lost on its own path, that is, an odd number of loopless vertices come first (section 2.2). A vertex
    /// of the path with a bare pendant vertex is won at once, as one with a loop is; only the last has one.
    fn path_won(&self, behind: &[u32]) -> bool {
        behind.iter().take_while(|&&weight| weight == 0).count() % 2 == 1
    }
}

fn search(effort: &Effort, claim: impl Fn(&Board) -> Option<bool>) -> Finding {
    let most = effort.bound(4, 5);
    for n in 3..=most {
        for code in 0..3usize.pow(n as u32) {
            let pendants: Vec<Pendant> = (0..n)
                .map(|v| [Pendant::None, Pendant::Bare, Pendant::Looped][code / 3usize.pow(v as u32) % 3])
                .collect();
            let hanging: Vec<usize> = (0..n).filter(|&v| pendants[v] != Pendant::None).collect();
            if hanging.len() > effort.bound(2, 3) {
                continue;
            }
            let looped: Vec<usize> =
                (0..hanging.len()).filter(|&i| pendants[hanging[i]] == Pendant::Looped).collect();
            let cycle = (0..n).map(|v| (v, (v + 1) % n));
            let loops = (0..n).map(|v| (v, v));
            let links = hanging.iter().enumerate().map(|(i, &v)| (v, n + i));
            let ends = looped.iter().map(|&i| (n + i, n + i));
            let edges: Vec<(usize, usize)> =
                cycle.clone().chain(loops.clone()).chain(links).chain(ends).collect();
            // Cycle links and loops up to 2, pendant links and their loops up to 1 (2 on triangles).
            let outer = if n == 3 { 2 } else { 1 };
            let limits: Vec<u32> = (0..edges.len()).map(|i| if i < 2 * n { 2 } else { outer }).collect();
            let solved = Solved::new(n + hanging.len(), &edges, &limits);
            let alone = Solved::new(n, &edges[..2 * n], &limits[..2 * n]);
            let wrong = solved.smallest(0, &mut |weights, won| {
                let positive = weights[..n].iter().chain(&weights[2 * n..]).all(|&w| w > 0);
                if !positive {
                    return false;
                }
                let cycle_alone = alone.won(0, &weights[..2 * n]);
                let board = Board { pendants: &pendants, loops: &weights[n..2 * n], cycle_alone };
                claim(&board).is_some_and(|claimed| claimed != won)
            });
            if let Some(weights) = wrong {
                let found = solved.counterexample(0, &weights, "claimed is the contrary");
                return Finding::from_search(Some(found), format!("cycles of up to {n} vertices"));
            }
        }
    }
    Finding::holds(format!(
        "cycles of up to {most} vertices with at most {} pendant vertices, cycle weights up to 2",
        effort.bound(2, 3)
    ))
}

fn complete(effort: &Effort) -> Finding {
    let ranges: &[(usize, u32)] = effort.bound(&[(2, 4), (3, 4), (4, 3)], &[(2, 6), (3, 6), (4, 5), (5, 2)]);
    for &(n, most) in ranges {
        let edges: Vec<(usize, usize)> = (0..n).flat_map(|v| (0..v).map(move |u| (u, v))).collect();
        let solved = Solved::new(n, &edges, &vec![most; edges.len()]);
        if let Some(weights) = solved.smallest(0, &mut |weights, won| weights.iter().all(|&w| w > 0) && !won)
        {
            let found = solved.counterexample(0, &weights, "claimed is a win");
            return Finding::from_search(Some(found), format!("K_{n}, weights up to {most}"));
        }
    }
    Finding::holds(format!("by (vertices, greatest weight): {ranges:?}"))
}
