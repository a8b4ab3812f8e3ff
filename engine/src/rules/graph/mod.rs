//! Games played on graphs, and the graphs they are played on.

mod families;
mod mig;
mod multigraph;
mod nim_on_graphs;
mod vertex_deletion;
mod wyg;

pub use families::FAMILIES;
pub use mig::Mig;
pub use multigraph::Multigraph;
pub use nim_on_graphs::NimOnGraph;

pub use vertex_deletion::{EvenOdd, Parity, VertexDeletion, removable};
pub use wyg::{Wyg, WygMoves, WygVariant};

use crate::base::{Error, Result};

/// The most vertices a [`Graph`] may have: a set of vertices is one machine word.
pub const MAX_VERTICES: usize = 64;

/// A finite graph without loops or multiple edges, directed or not. Vertices are `0..order`.
///
/// An undirected edge is stored as two arcs, so that "in-degree" is the degree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    directed: bool,
    /// Bit `u` of `into[v]`: there is an arc from `u` to `v`.
    into: Vec<u64>,
    /// Bit `v` of `out[u]`: there is an arc from `u` to `v`.
    out: Vec<u64>,
}

impl Graph {
    /// A graph on `order` vertices with the given edges (arcs `u -> v` if `directed`).
    ///
    /// Loops, repeated edges and vertices out of range are errors. In a directed graph the arcs `u -> v` and
    /// `v -> u` may both be present.
    pub fn new(order: usize, directed: bool, edges: &[(usize, usize)]) -> Result<Self> {
        if order > MAX_VERTICES {
            return Err(Error::Usage(format!(
                "a graph of {order} vertices is too big; these games take at most {MAX_VERTICES}"
            )));
        }
        let mut graph = Self { directed, into: vec![0; order], out: vec![0; order] };
        for &(u, v) in edges {
            if u >= order || v >= order {
                return Err(Error::Usage(format!(
                    "edge {u}-{v}: this graph has only the vertices 0 to {}",
                    order.saturating_sub(1)
                )));
            }
            if u == v {
                return Err(Error::Usage(format!(
                    "loop at vertex {u}: only nim-on-graph takes loops; leave it out"
                )));
            }
            if graph.has_arc(u, v) {
                return Err(Error::Usage(format!(
                    "edge {u}-{v} is given twice: only nim-on-graph takes multiple edges; leave one out"
                )));
            }
            graph.add(u, v);
        }
        Ok(graph)
    }

    /// Adds the edge or arc from `u` to `v`; the caller has checked that it is new and no loop.
    pub(crate) fn add(&mut self, u: usize, v: usize) {
        self.into[v] |= 1 << u;
        self.out[u] |= 1 << v;
        if !self.directed {
            self.into[u] |= 1 << v;
            self.out[v] |= 1 << u;
        }
    }

    /// The number of vertices.
    pub fn order(&self) -> usize {
        self.into.len()
    }

    /// Whether the edges are arcs.
    pub fn is_directed(&self) -> bool {
        self.directed
    }

    /// Whether there is an arc from `u` to `v` (an edge between them if the graph is undirected).
    pub fn has_arc(&self, u: usize, v: usize) -> bool {
        self.out[u] >> v & 1 == 1
    }

    /// The vertices with an arc into `v` (the neighbours of `v` if the graph is undirected).
    pub fn in_neighbours(&self, v: usize) -> u64 {
        self.into[v]
    }

    /// The vertices that an arc from `v` leads to (the neighbours of `v` if the graph is undirected).
    pub fn out_neighbours(&self, v: usize) -> u64 {
        self.out[v]
    }

    /// The vertices joined to `v` by an edge or by an arc in either direction.
    pub fn neighbours(&self, v: usize) -> u64 {
        self.into[v] | self.out[v]
    }

    /// The set of all vertices.
    pub fn vertices(&self) -> u64 {
        all_below(self.order())
    }

    /// Every edge once as `(u, v)` with `u < v`, or every arc as `(from, to)`, in increasing order.
    pub fn edges(&self) -> Vec<(usize, usize)> {
        let mut edges = Vec::new();
        for u in 0..self.order() {
            for v in bits(self.out[u]) {
                if self.directed || u < v {
                    edges.push((u, v));
                }
            }
        }
        edges
    }

    /// The vertices of `set` that a walk within `set` reaches from its lowest vertex; directions are ignored.
    pub fn component(&self, set: u64) -> u64 {
        let mut reached = set & set.wrapping_neg();
        let mut frontier = reached;
        while frontier != 0 {
            let next = bits(frontier).fold(0, |all, v| all | self.neighbours(v)) & set & !reached;
            reached |= next;
            frontier = next;
        }
        reached
    }

    /// Whether the vertices of `set` hang together, directions ignored. The empty set does.
    pub fn is_connected(&self, set: u64) -> bool {
        self.component(set) == set
    }

    /// The graph as a short text that [`Graph::parse`] reads back.
    pub fn to_edge_list(&self) -> String {
        let sign = if self.directed { '>' } else { '-' };
        let mut text = format!("n={}:", self.order());
        for (i, (u, v)) in self.edges().into_iter().enumerate() {
            text.push(if i == 0 { ' ' } else { ',' });
            text.push_str(&format!("{u}{sign}{v}"));
        }
        text
    }
}

/// The members of a vertex set, in increasing order.
pub fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let lowest = set.trailing_zeros() as usize;
            set &= set - 1;
            lowest
        })
    })
}

/// The set `{0, ..., count - 1}`.
pub(crate) fn all_below(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_ignore_directions() {
        let graph = Graph::new(4, true, &[(0, 1), (2, 1)]).unwrap();
        assert_eq!(graph.component(0b1111), 0b0111);
        assert!(graph.is_connected(0b0111));
        assert!(!graph.is_connected(0b0101));
        assert!(graph.is_connected(0));
    }

    #[test]
    fn loops_and_repeated_edges_are_refused() {
        assert!(Graph::new(3, false, &[(1, 1)]).is_err());
        assert!(Graph::new(3, false, &[(0, 1), (1, 0)]).is_err());
        assert!(Graph::new(3, true, &[(0, 1), (1, 0)]).is_ok());
        assert!(Graph::new(3, false, &[(0, 3)]).is_err());
        assert!(Graph::new(65, false, &[]).is_err());
    }
}
