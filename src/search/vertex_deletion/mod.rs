//! Vertex deletion solved for every set of vertices of a graph, and over all graphs.

mod scan;
pub use scan::{Scan, ScanOptions};

use crate::rules::graph::{Graph, Parity, bits};
use crate::{Error, Result};

/// The most vertices of a graph that is solved: one byte for each set of vertices.
pub const MAX_SOLVED: usize = 28;

/// The Grundy values of all sets of vertices of a graph, in normal play.
///
/// The sets are filled in numerical order, which deleting a vertex lowers. The parities of all degrees within a set are
/// one word: those of the set without its lowest vertex, with that vertex's neighbours flipped. So a set costs a
/// few operations and one byte read for each of its options.
#[derive(Debug, Clone)]
pub struct Table {
    values: Vec<u8>,
}

impl Table {
    /// Solves the game in which both players delete vertices of the given parity.
    pub fn solve(graph: &Graph, parity: Parity) -> Result<Self> {
        let order = graph.order();
        if order > MAX_SOLVED {
            return Err(Error::Budget(format!(
                "vertex deletion on {order} vertices needs 2^{order} bytes; at most {MAX_SOLVED} vertices are solved"
            )));
        }
        let out: Vec<u32> = (0..order).map(|v| graph.out_neighbours(v) as u32).collect();
        let mut table = Self { values: Vec::new() };
        let mut odd = Vec::new();
        table.fill(&out, parity, &mut odd);
        Ok(table)
    }

    /// Solves the graph with the given adjacency rows into `self`, reusing its memory and that of `odd`.
    pub(crate) fn fill(&mut self, out: &[u32], parity: Parity, odd: &mut Vec<u32>) {
        let sets = 1usize << out.len();
        let flip = if parity == Parity::Even { u32::MAX } else { 0 };
        self.values.clear();
        self.values.resize(sets, 0);
        odd.clear();
        odd.resize(sets, 0);
        for set in 1..sets {
            let lowest = set.trailing_zeros() as usize;
            let parities = odd[set & (set - 1)] ^ out[lowest];
            odd[set] = parities;
            let mut removable = (parities ^ flip) & set as u32;
            let mut seen = 0u32;
            while removable != 0 {
                let vertex = removable & removable.wrapping_neg();
                removable ^= vertex;
                // Values are at most the number of vertices, below 32.
                seen |= 1 << self.values[set ^ vertex as usize];
            }
            self.values[set] = seen.trailing_ones() as u8;
        }
    }

    /// The value of the game on the vertices of `set`.
    pub fn value(&self, set: u64) -> u8 {
        self.values[set as usize]
    }

    /// The value of the whole graph.
    pub fn whole(&self) -> u8 {
        self.values[self.values.len() - 1]
    }

    /// The vertices whose deletion from `set` leaves a P-position.
    pub fn winning_moves(&self, graph: &Graph, set: u64, parity: Parity) -> Vec<usize> {
        let removable = crate::rules::graph::removable(graph, set, parity);
        bits(removable).filter(|&v| self.value(set & !(1 << v)) == 0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::connected_graphs::{Kind, for_each};
    use crate::rules::Play;
    use crate::rules::graph::VertexDeletion;
    use crate::search::memo::Memo;

    /// Every set of every connected graph and digraph of small order, against the rules.
    #[test]
    fn the_table_agrees_with_the_rules() {
        for (kind, order) in [(Kind::Undirected, 6), (Kind::Directed, 4), (Kind::Oriented, 5)] {
            for_each(kind, order, &|| false, &|small| {
                let graph = small.to_graph(kind);
                for parity in [Parity::Even, Parity::Odd] {
                    let table = Table::solve(&graph, parity).unwrap();
                    let rules = VertexDeletion { graph: graph.clone(), parity };
                    let mut memo = Memo::new(&rules, Play::Normal);
                    for set in 0..1u64 << order {
                        assert_eq!(u16::from(table.value(set)), memo.value(&set), "{graph:?} {set:b}");
                    }
                }
            });
        }
    }

    #[test]
    fn winning_moves_lead_to_p_positions() {
        let graph = Graph::parse("path 4").unwrap();
        let table = Table::solve(&graph, Parity::Odd).unwrap();
        assert_eq!(table.whole(), 1);
        assert_eq!(table.winning_moves(&graph, 0b1111, Parity::Odd), [0, 3]);
    }

    #[test]
    fn too_big_a_graph_is_refused() {
        assert!(Table::solve(&Graph::parse("path 40").unwrap(), Parity::Odd).is_err());
        assert_eq!(Table::solve(&Graph::parse("path 0").unwrap(), Parity::Odd).unwrap().whole(), 0);
    }
}
