//! Nim on graphs (Fukuyama; with loops and multiple edges as in the thesis *Nim on Graphs*).

use super::Multigraph;
use crate::rules::Rules;

/// A token stands on a vertex and every edge has a weight. A move chooses an edge of positive weight at the
/// token, lowers its weight by any positive amount, and carries the token along it; a loop leads back to its
/// vertex.
#[derive(Debug, Clone)]
pub struct NimOnGraph {
    /// The board.
    pub graph: Multigraph,
}

impl NimOnGraph {
    /// The position with the token on `vertex` and the given weights, one for each edge.
    pub fn position(&self, vertex: usize, weights: &[u32]) -> Vec<u32> {
        let mut position = weights.to_vec();
        position.push(vertex as u32);
        position
    }
}

impl Rules for NimOnGraph {
    /// The weight of each edge, then the vertex of the token.
    type Position = [u32];

    fn options(&self, position: &[u32], visit: &mut dyn FnMut(&[u32])) {
        let edges = self.graph.edges().len();
        let token = position[edges];
        let mut option = position.to_vec();
        for edge in 0..edges {
            let Some(end) = self.graph.across(edge, token as usize) else {
                continue;
            };
            option[edges] = end as u32;
            for weight in 0..position[edge] {
                option[edge] = weight;
                visit(&option);
            }
            option[edge] = position[edge];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(order: usize, edges: &[(usize, usize)], position: &[u32]) -> Vec<Vec<u32>> {
        let game = NimOnGraph { graph: Multigraph::new(order, edges.to_vec()).unwrap() };
        let mut found = Vec::new();
        game.options(position, &mut |option| found.push(option.to_vec()));
        found.sort();
        found
    }

    #[test]
    fn the_token_crosses_the_edge_that_it_lowers() {
        assert_eq!(options(3, &[(0, 1), (1, 2)], &[2, 3, 0]), [[0, 3, 1], [1, 3, 1]]);
    }

    #[test]
    fn a_loop_leads_back() {
        assert_eq!(options(1, &[(0, 0)], &[2, 0]), [[0, 0], [1, 0]]);
    }

    #[test]
    fn parallel_edges_are_separate() {
        assert_eq!(options(2, &[(0, 1), (1, 0)], &[1, 1, 1]), [[0, 1, 0], [1, 0, 0]]);
    }
}
