//! Vertex deletion (Ottaway's thesis, chapter 3).

use super::{Graph, bits};
use crate::rules::{PartizanRules, Rules};
use serde::{Deserialize, Serialize};

/// Which vertices may be deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Parity {
    /// Those of even degree (in-degree in a directed graph).
    Even,
    /// Those of odd degree (in-degree in a directed graph).
    Odd,
}

/// The members of `set` whose degree within `set` has the given parity; in-degree if the graph is directed.
pub fn removable(graph: &Graph, set: u64, parity: Parity) -> u64 {
    bits(set)
        .filter(|&v| {
            let odd = (graph.in_neighbours(v) & set).count_ones() % 2 == 1;
            odd == (parity == Parity::Odd)
        })
        .fold(0, |chosen, v| chosen | 1 << v)
}

/// The impartial versions Even/Even and Odd/Odd: a move deletes a vertex of the right parity and its edges.
#[derive(Debug, Clone)]
pub struct VertexDeletion {
    /// The board.
    pub graph: Graph,
    /// The parity of the vertices that both players delete.
    pub parity: Parity,
}

impl Rules for VertexDeletion {
    /// The set of vertices that are left.
    type Position = u64;

    fn options(&self, &set: &u64, visit: &mut dyn FnMut(&u64)) {
        bits(removable(&self.graph, set, self.parity)).for_each(|v| visit(&(set & !(1 << v))));
    }
}

/// The partizan version Even/Odd: Left deletes vertices of even degree, Right those of odd degree.
#[derive(Debug, Clone)]
pub struct EvenOdd {
    /// The board.
    pub graph: Graph,
}

impl PartizanRules for EvenOdd {
    /// The set of vertices that are left.
    type Position = u64;

    fn left_options(&self, &set: &u64, visit: &mut dyn FnMut(&u64)) {
        bits(removable(&self.graph, set, Parity::Even)).for_each(|v| visit(&(set & !(1 << v))));
    }

    fn right_options(&self, &set: &u64, visit: &mut dyn FnMut(&u64)) {
        bits(removable(&self.graph, set, Parity::Odd)).for_each(|v| visit(&(set & !(1 << v))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(text: &str, parity: Parity, set: u64) -> Vec<u64> {
        let game = VertexDeletion { graph: Graph::parse(text).unwrap(), parity };
        let mut found = Vec::new();
        game.options(&set, &mut |&option| found.push(option));
        found
    }

    #[test]
    fn degrees_count_the_vertices_that_are_left() {
        assert_eq!(options("path 3", Parity::Odd, 0b111), [0b110, 0b011]);
        assert_eq!(options("path 3", Parity::Even, 0b111), [0b101]);
        assert_eq!(options("path 3", Parity::Even, 0b101), [0b100, 0b001]);
    }

    #[test]
    fn directed_graphs_go_by_in_degree() {
        assert_eq!(options("dipath 3", Parity::Even, 0b111), [0b110]);
        assert_eq!(options("dipath 3", Parity::Odd, 0b111), [0b101, 0b011]);
    }
}
