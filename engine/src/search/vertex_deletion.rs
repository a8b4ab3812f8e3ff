//! Vertex deletion solved for every set of vertices of a graph.

use crate::base::{Control, Error, Result};
use crate::rules::graph::{Graph, Parity, bits, removable};

/// The most vertices of a graph that is solved: one byte for each set of vertices.
pub const MAX_SOLVED: usize = 28;

/// The clock and the flag are looked at after so many sets.
const CHECK_EVERY: usize = 1 << 16;

/// The Grundy values of all sets of vertices of a graph, in normal play.
///
/// The sets are filled in numerical order, which deleting a vertex lowers. The parities of all degrees within
/// a set are one word: those of the set without its lowest vertex, with that vertex's neighbours flipped. So
/// a set costs a few operations and one byte read for each of its options.
#[derive(Debug, Clone)]
pub struct Table {
    values: Vec<u8>,
    /// For each set, which of all vertices have an odd number of neighbours in it; kept to reuse its memory.
    odd: Vec<u32>,
}

impl Table {
    /// The table of the graph without vertices.
    pub const EMPTY: Self = Self { values: Vec::new(), odd: Vec::new() };

    /// Solves the game in which both players delete vertices of the given parity, unless `control` stops it.
    pub fn solve(graph: &Graph, parity: Parity, control: &Control<'_>) -> Result<Self> {
        let order = graph.order();
        if order > MAX_SOLVED {
            return Err(Error::Budget(format!(
                "vertex deletion on {order} vertices needs 2^{order} bytes; at most {MAX_SOLVED} vertices are solved"
            )));
        }
        let out: Vec<u32> = (0..order).map(|v| graph.out_neighbours(v) as u32).collect();
        let mut table = Self::EMPTY;
        table.fill(&out, parity, control)?;
        table.odd = Vec::new();
        Ok(table)
    }

    /// Solves the graph with the given adjacency rows into `self`, reusing its memory.
    pub fn fill(&mut self, out: &[u32], parity: Parity, control: &Control<'_>) -> Result<()> {
        let sets = 1usize << out.len();
        control.check_memory(sets as u64, (sets * (size_of::<u8>() + size_of::<u32>())) as u64)?;
        let flip = if parity == Parity::Even { u32::MAX } else { 0 };
        let Self { values, odd } = self;
        values.clear();
        values.resize(sets, 0);
        odd.clear();
        odd.resize(sets, 0);
        for set in 1..sets {
            if set % CHECK_EVERY == 0 {
                control.check()?;
                control.worked(CHECK_EVERY as u64);
            }
            let lowest = set.trailing_zeros() as usize;
            let parities = odd[set & (set - 1)] ^ out[lowest];
            odd[set] = parities;
            let mut removable = (parities ^ flip) & set as u32;
            let mut seen = 0u32;
            while removable != 0 {
                let vertex = removable & removable.wrapping_neg();
                removable ^= vertex;
                // Values are at most the number of vertices, below 32.
                seen |= 1 << values[set ^ vertex as usize];
            }
            values[set] = seen.trailing_ones() as u8;
        }
        Ok(())
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
        bits(removable(graph, set, parity)).filter(|&v| self.value(set & !(1 << v)) == 0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    fn solve(text: &str) -> Result<Table> {
        Table::solve(&Graph::parse(text)?, Parity::Odd, &Control::silent())
    }

    #[test]
    fn winning_moves_lead_to_p_positions() {
        let graph = Graph::parse("path 4").unwrap();
        let table = solve("path 4").unwrap();
        assert_eq!(table.whole(), 1);
        assert_eq!(table.winning_moves(&graph, 0b1111, Parity::Odd), [0, 3]);
    }

    #[test]
    fn too_big_a_graph_is_refused() {
        assert!(solve("path 40").is_err());
        assert_eq!(solve("path 0").unwrap().whole(), 0);
    }
    #[test]
    fn the_flag_the_deadline_and_the_memory_hold_inside_a_table() {
        let (graph, stopped) = (Graph::parse("path 20").unwrap(), AtomicBool::new(true));
        let solve =
            |control: Control<'_>| Table::solve(&graph, Parity::Odd, &control).map(|table| table.whole());
        assert!(matches!(solve(Control::stopped_by(&stopped)), Err(Error::Interrupted { .. })));
        assert!(matches!(solve(Control::silent().with_time(Some(Duration::ZERO))), Err(Error::Undecided(_))));
        assert!(matches!(solve(Control::silent().with_memory(5 << 19)), Err(Error::Budget(_))));
        assert!(solve(Control::silent().with_memory(5 << 20)).is_ok());
    }
}
