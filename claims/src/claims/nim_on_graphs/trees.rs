//! Chapter 3: trees with loops, and trees hanging on other graphs.

use super::solve::Solved;
use crate::analysis::connected_graphs::{self, Kind};
use crate::claims::{Check, Effort, Finding};
use std::sync::Mutex;

pub(super) const CHECKS: &[Check] = &[
    ("nim-on-graphs-3.1", |effort| {
        trees(effort, "with all weights 1 the winner is the other", |tree, weights, start| {
            let ones: Vec<u32> = weights.iter().map(|&w| w.min(1)).collect();
            tree.solved.won(start, &ones)
        })
    }),
    ("nim-on-graphs-3.2-star", stars),
    ("nim-on-graphs-3.2", |effort| {
        trees(effort, "the pruned tree has the other winner", |tree, weights, start| {
            tree.prune(weights, start)
        })
    }),
    ("nim-on-graphs-3.2-cut", |effort| {
        trees(
            effort,
            "after deleting what lies behind loops the winner is the other",
            |tree, weights, start| {
                let cut = tree.cut_behind_loops(weights, start);
                tree.solved.won(start, &cut)
            },
        )
    }),
    ("nim-on-graphs-3.3", graphs_on_a_tree),
    ("nim-on-graphs-3.4", trees_on_a_cycle),
];

/// A tree with a loop at every vertex, solved for all weights up to 2.
struct Tree {
    order: usize,
    /// The links, then one loop for each vertex.
    edges: Vec<(usize, usize)>,
    solved: Solved,
}

impl Tree {
    fn new(order: usize, links: &[(usize, usize)], most: u32) -> Self {
        let edges: Vec<_> = links.iter().copied().chain((0..order).map(|v| (v, v))).collect();
        let solved = Solved::new(order, &edges, &vec![most; edges.len()]);
        Self { order, edges, solved }
    }

    fn links(&self) -> usize {
        self.order - 1
    }

    /// The links at `v` with the vertices they lead to.
    fn around(&self, v: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.edges[..self.links()].iter().enumerate().filter_map(move |(i, &(a, b))| match (a == v, b == v) {
            (true, _) => Some((i, b)),
            (_, true) => Some((i, a)),
            _ => None,
        })
    }

    /// Theorem 3.2: each vertex becomes looped or loopless once everything behind it is pruned; the start is
    /// then decided by the rule of stars.
    fn prune(&self, weights: &[u32], start: usize) -> bool {
        fn looped(tree: &Tree, weights: &[u32], v: usize, parent: Option<usize>) -> bool {
            let loop_here = weights[tree.links() + v] > 0;
            let lost_leaf = tree
                .around(v)
                .filter(|&(link, u)| Some(u) != parent && weights[link] > 0)
                .any(|(_, u)| !looped(tree, weights, u, Some(v)));
            loop_here || lost_leaf
        }
        looped(self, weights, start, None)
    }

    fn cut_behind_loops(&self, weights: &[u32], start: usize) -> Vec<u32> {
        fn visit(
            tree: &Tree,
            weights: &[u32],
            cut: &mut [u32],
            v: usize,
            parent: Option<usize>,
            behind: bool,
        ) {
            for (link, u) in tree.around(v).filter(|&(_, u)| Some(u) != parent).collect::<Vec<_>>() {
                if behind {
                    cut[link] = 0;
                    cut[tree.links() + u] = 0;
                }
                visit(tree, weights, cut, u, Some(v), behind || weights[tree.links() + u] > 0);
            }
        }
        let mut cut = weights.to_vec();
        visit(self, weights, &mut cut, start, None, false);
        cut
    }
}

/// All trees on `order` vertices as lists of links.
fn all_trees(order: usize) -> Vec<Vec<(usize, usize)>> {
    let found = Mutex::new(Vec::new());
    connected_graphs::for_each(Kind::Undirected, order, &|| false, &|small| {
        let graph = small.to_graph(Kind::Undirected);
        if graph.edges().len() + 1 == order {
            found.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(graph.edges());
        }
    });
    let mut trees = found.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    trees.sort();
    trees
}

/// Tests a statement about trees: `claim` says whether the first player wins from `start`.
fn trees(effort: &Effort, what: &str, claim: impl Fn(&Tree, &[u32], usize) -> bool) -> Finding {
    let most = effort.bound(5, 6);
    for order in 1..=most {
        for links in all_trees(order) {
            let tree = Tree::new(order, &links, 2);
            for start in 0..order {
                let wrong = tree.solved.smallest(start, &mut |weights, won| {
                    weights[..order - 1].iter().all(|&w| w > 0) && claim(&tree, weights, start) != won
                });
                if let Some(weights) = wrong {
                    let found = tree.solved.counterexample(start, &weights, what);
                    return Finding::from_search(Some(found), format!("trees of up to {order} vertices"));
                }
            }
        }
    }
    Finding::holds(format!("all trees on up to {most} vertices, links 1 or 2, loops 0 to 2"))
}

fn stars(effort: &Effort) -> Finding {
    let most = effort.bound(4usize, 5);
    for leaves in 0..=most {
        let links: Vec<(usize, usize)> = (1..=leaves).map(|leaf| (0, leaf)).collect();
        let star = Tree::new(leaves + 1, &links, 2);
        let wrong = star.solved.smallest(0, &mut |weights, won| {
            let (links, loops) = weights.split_at(leaves);
            links.iter().all(|&w| w > 0) && won != (loops[0] > 0 || loops[1..].contains(&0))
        });
        if let Some(weights) = wrong {
            let found = star.solved.counterexample(0, &weights, "claimed is the contrary");
            return Finding::from_search(Some(found), format!("stars with up to {leaves} leaves"));
        }
    }
    Finding::holds(format!("stars with up to {most} leaves, weights up to 2"))
}

/// The links of a tree.
type Links = &'static [(usize, usize)];

/// Theorem 3.3 with one triangle or square hanging on one leaf of a path or of a star with two leaves.
fn graphs_on_a_tree(effort: &Effort) -> Finding {
    // The tree's links, its order, the leaf that carries the cycle, and the start.
    let trees: &[(Links, usize, usize, usize)] = &[
        (&[(0, 1)], 2, 1, 0),
        (&[(0, 1), (1, 2)], 3, 2, 0),
        (&[(0, 1), (1, 2)], 3, 2, 1),
        (&[(0, 1), (0, 2)], 3, 2, 0),
    ];
    let mut found = None;
    let mut corrected = true;
    for &(links, order, leaf, start) in trees {
        for length in effort.bound(3..=4usize, 3..=5usize) {
            let cycle: Vec<(usize, usize)> = (0..length)
                .map(|i| {
                    let name = |i: usize| if i == 0 { leaf } else { order + i - 1 };
                    (name(i), name((i + 1) % length))
                })
                .collect();
            let total = order + length - 1;
            // Loops only in the tree, so that the whole stays small; those of the cycle's other vertices are
            // left out.
            let loops: Vec<(usize, usize)> = (0..order).map(|v| (v, v)).collect();
            let edges = [links, &cycle, &loops].concat();
            let whole = Solved::new(total, &edges, &vec![2; edges.len()]);
            let tree = Tree::new(order, links, 2);
            let hanging = [&cycle[..], &[(leaf, leaf)]].concat();
            let part = Solved::new(total, &hanging, &vec![2; hanging.len()]);
            let split = |weights: &[u32]| {
                let (link_weights, rest) = weights.split_at(links.len());
                let (cycle_weights, loop_weights) = rest.split_at(length);
                let part_won = part.won(leaf, &[cycle_weights, &[loop_weights[leaf]]].concat());
                let tree_weights = [link_weights, loop_weights].concat();
                (tree_weights, part_won)
            };
            let positive = |weights: &[u32]| weights[..links.len() + length].iter().all(|&w| w > 0);
            let wrong = whole.smallest(start, &mut |weights, won| {
                let (mut plus, part_won) = split(weights);
                let at = links.len() + leaf;
                if plus[at] == 0 && part_won {
                    plus[at] = 1;
                }
                positive(weights) && tree.solved.won(start, &plus) != won
            });
            if let (Some(weights), None) = (wrong, &found) {
                let what = "on T+ the winner is the other";
                found = Some(whole.counterexample(start, &weights, what));
            }
            corrected &= whole
                .smallest(start, &mut |weights, won| {
                    let (mut plus, part_won) = split(weights);
                    plus[links.len() + leaf] = u32::from(part_won);
                    positive(weights) && tree.solved.won(start, &plus) != won
                })
                .is_none();
        }
    }
    Finding::from_search(found, "a cycle of 3 or 4 hanging on a leaf of a tree on 2 or 3 vertices, weights up to 2").corrected(
        "the loop at v_i in T+ weighs 1 if v_i is won on G_i and 0 if it is lost, whatever loop is there in G",
        corrected,
    )
}

/// Theorem 3.4 with a path or a fork hanging on a cycle.
fn trees_on_a_cycle(effort: &Effort) -> Finding {
    // The tree hangs on vertex `at` by its vertex 0; links between its own vertices.
    let hanging: &[&[(usize, usize)]] = effort.bound(&[&[], &[(0, 1)]], &[&[], &[(0, 1)], &[(0, 1), (0, 2)]]);
    for length in 3..=4usize {
        for at in 0..length {
            for own in hanging {
                let size = own.len() + 1;
                let cycle: Vec<(usize, usize)> = (0..length).map(|i| (i, (i + 1) % length)).collect();
                let link = (at, length);
                let inner: Vec<_> = own.iter().map(|&(u, v)| (length + u, length + v)).collect();
                let loops: Vec<_> =
                    [(0, 0), (at, at)].into_iter().take(if at == 0 { 1 } else { 2 }).collect();
                let tree_loops: Vec<_> = (0..size).map(|v| (length + v, length + v)).collect();
                let fixed = [&cycle[..], &[link], &loops].concat();
                let full = [&fixed[..], &inner, &tree_loops].concat();
                let whole = Solved::new(length + size, &full, &vec![2; full.len()]);
                let pruned_edges = [&fixed[..], &[(length, length)]].concat();
                let pruned = Solved::new(length + 1, &pruned_edges, &vec![2; pruned_edges.len()]);
                let tree = Tree::new(size, own, 2);
                for start in 0..length {
                    let wrong = whole.smallest(start, &mut |weights, won| {
                        let (kept, rest) = weights.split_at(fixed.len());
                        let positive = kept[..=length].iter().chain(&rest[..own.len()]).all(|&w| w > 0);
                        let looped = u32::from(tree.solved.won(0, rest));
                        positive && pruned.won(start, &[kept, &[looped]].concat()) != won
                    });
                    if let Some(weights) = wrong {
                        let found = whole.counterexample(
                            start,
                            &weights,
                            "on the pruned graph the winner is the other",
                        );
                        return Finding::from_search(
                            Some(found),
                            "trees on cycles of 3 and 4, weights up to 2",
                        );
                    }
                }
            }
        }
    }
    Finding::holds(
        "trees of up to 3 vertices hanging on cycles of 3 and 4, loops at the start of the cycle and at v, weights up to 2",
    )
}
