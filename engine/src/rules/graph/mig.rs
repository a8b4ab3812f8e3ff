//! MIG, minnie on graphs (Mullen's thesis, chapter 6).

use super::{Graph, bits};
use crate::rules::Rules;

/// A move chooses a vertex and takes at least one counter from it, at most as many as the smallest non-empty
/// stack of its closed neighbourhood holds. A vertex without counters is deleted.
#[derive(Debug, Clone)]
pub struct Mig {
    /// The board; directions are ignored.
    pub graph: Graph,
}

impl Rules for Mig {
    /// The number of counters on each vertex.
    type Position = [u32];

    fn options(&self, chips: &[u32], visit: &mut dyn FnMut(&[u32])) {
        let mut option = chips.to_vec();
        for v in 0..self.graph.order() {
            let neighbours = bits(self.graph.neighbours(v)).map(|u| chips[u]).filter(|&stack| stack > 0);
            let most = neighbours.fold(chips[v], u32::min);
            for taken in 1..=most {
                option[v] = chips[v] - taken;
                visit(&option);
            }
            option[v] = chips[v];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closed_neighbourhood_bounds_a_move() {
        let mig = Mig { graph: Graph::path(3).unwrap() };
        let mut options = Vec::new();
        mig.options(&[3, 2, 0], &mut |option| options.push(option.to_vec()));
        options.sort();
        assert_eq!(options, [[1, 2, 0], [2, 2, 0], [3, 0, 0], [3, 1, 0]]);
    }

    #[test]
    fn a_single_vertex_is_a_nim_heap() {
        let mig = Mig { graph: Graph::path(1).unwrap() };
        let mut count = 0;
        mig.options(&[5], &mut |_| count += 1);
        assert_eq!(count, 5);
    }
}
