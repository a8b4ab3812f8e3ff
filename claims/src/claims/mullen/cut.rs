//! Graphs that fall into two equal halves, for Theorem 4.11; and Theorem 4.12 on the edge-delete game.

use crate::claims::{Check, Effort, Finding, claim};
use crate::rules::graph::{Graph, bits};
use std::collections::HashMap;

/// Theorem 4.12.
pub(super) fn checks() -> Vec<Check> {
    vec![claim!("mullen-4.12", theorem_4_12)]
}

/// Whether removing a vertex, or both ends of an edge, leaves exactly two components, and these are
/// isomorphic.
pub(super) fn breaks_in_two(graph: &Graph) -> bool {
    let all = graph.vertices();
    let vertices = bits(all).map(|v| 1u64 << v);
    let edges = graph.edges();
    let pairs = edges.iter().map(|&(u, v)| 1u64 << u | 1 << v);
    vertices.chain(pairs).any(|removed| {
        let left = all & !removed;
        if left == 0 {
            return false;
        }
        let first = graph.component(left);
        let second = left & !first;
        second != 0 && graph.is_connected(second) && isomorphic(graph, first, second)
    })
}

/// Whether the subgraphs of two vertex sets are isomorphic, by trying all matchings vertex by vertex.
fn isomorphic(graph: &Graph, first: u64, second: u64) -> bool {
    let (first, second): (Vec<_>, Vec<_>) = (bits(first).collect(), bits(second).collect());
    first.len() == second.len() && extend(graph, &first, &second, &mut Vec::new())
}

fn extend(graph: &Graph, first: &[usize], second: &[usize], image: &mut Vec<usize>) -> bool {
    let Some(&u) = first.get(image.len()) else { return true };
    for &v in second {
        let fits = !image.contains(&v)
            && image.iter().zip(first).all(|(&w, &x)| graph.has_arc(u, x) == graph.has_arc(v, w));
        if fits {
            image.push(v);
            if extend(graph, first, second, image) {
                return true;
            }
            image.pop();
        }
    }
    false
}

/// A self-test of the hypothesis: paths on 3 to 6 vertices break in two, the triangle and the 4-cycle do not.
pub(super) fn halves_are_equal() -> bool {
    let breaks = |name: &str| Graph::parse(name).is_ok_and(|graph| breaks_in_two(&graph));
    ["path 3", "path 4", "path 5", "path 6"].into_iter().all(breaks)
        && !["complete 3", "complete 5"].into_iter().any(breaks)
}

/// All graphs on 4 and 6 vertices that have such an automorphism: sets of orbits of edges under `x <-> x +
/// n/2`.
fn theorem_4_12(effort: &Effort) -> Finding {
    let mut graphs = 0;
    for half in [2usize, 3] {
        let n = 2 * half;
        let swap = |x: usize| (x + half) % n;
        let mut orbits: Vec<[(usize, usize); 2]> = Vec::new();
        for u in 0..n {
            for v in u + 1..n {
                let image = (swap(u).min(swap(v)), swap(u).max(swap(v)));
                if swap(u) != v && (u, v) < image {
                    orbits.push([(u, v), image]);
                }
            }
        }
        for set in 1u32..1 << orbits.len() {
            if effort.is_over() {
                return Finding::unchecked("the time was up before the check was done");
            }
            let edges: Vec<(usize, usize)> = orbits
                .iter()
                .enumerate()
                .filter(|(i, _)| set >> i & 1 == 1)
                .flat_map(|(_, orbit)| *orbit)
                .collect();
            if !second_player_wins(&edges, (1 << edges.len()) - 1, &mut HashMap::new()) {
                return Finding::fails(
                    format!("{edges:?}"),
                    "the first player wins",
                    "graphs on 4 and 6 vertices",
                );
            }
            graphs += 1;
        }
    }
    Finding::holds(format!(
        "all {graphs} labelled graphs on 4 and 6 vertices with a given automorphism of this kind"
    ))
}

/// Whether the player to move in the edge-delete game loses with the edges of `set`.
fn second_player_wins(edges: &[(usize, usize)], set: u32, known: &mut HashMap<u32, bool>) -> bool {
    if let Some(&lost) = known.get(&set) {
        return lost;
    }
    let degree = |vertex: usize| {
        edges
            .iter()
            .enumerate()
            .filter(|(i, (u, v))| set >> i & 1 == 1 && (*u == vertex || *v == vertex))
            .count()
    };
    let lost = !(0..edges.len()).any(|i| {
        let (u, v) = edges[i];
        set >> i & 1 == 1
            && degree(u) > 1
            && degree(v) > 1
            && second_player_wins(edges, set & !(1 << i), known)
    });
    known.insert(set, lost);
    lost
}
