//! Graphs with loops, multiple edges and weights, for nim on graphs.

use super::Graph;
use crate::base::{Error, Result};

/// The most vertices and the most edges of a [`Multigraph`].
const MAX_SIZE: usize = 4096;

/// An undirected graph that may have loops and multiple edges; edge `i` joins the vertices `edges()[i]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Multigraph {
    order: usize,
    edges: Vec<(usize, usize)>,
}

impl Multigraph {
    /// A multigraph on the vertices `0..order`.
    pub fn new(order: usize, edges: Vec<(usize, usize)>) -> Result<Self> {
        if order > MAX_SIZE || edges.len() > MAX_SIZE {
            return Err(Error::Usage(format!("the graph is too big: at most {MAX_SIZE} vertices and edges")));
        }
        match edges.iter().find(|&&(u, v)| u >= order || v >= order) {
            Some((u, v)) => Err(Error::Usage(format!(
                "edge {u}-{v}: this graph has only the vertices 0 to {}",
                order.saturating_sub(1)
            ))),
            None => Ok(Self { order, edges }),
        }
    }

    /// The number of vertices.
    pub fn order(&self) -> usize {
        self.order
    }

    /// The edges as pairs of end vertices; a loop has two equal ends.
    pub fn edges(&self) -> &[(usize, usize)] {
        &self.edges
    }

    /// The vertex at the other end of edge `edge` seen from `vertex`, if the edge meets `vertex`.
    pub fn across(&self, edge: usize, vertex: usize) -> Option<usize> {
        match self.edges[edge] {
            (u, v) if u == vertex => Some(v),
            (u, v) if v == vertex => Some(u),
            _ => None,
        }
    }
}

impl From<&Graph> for Multigraph {
    fn from(graph: &Graph) -> Self {
        Self { order: graph.order(), edges: graph.edges() }
    }
}
