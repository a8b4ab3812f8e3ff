//! WYG, wynnie on graphs, and WYGTHOFF (Mullen's thesis, section 4.3 and chapter 6).

use super::Graph;
use crate::rules::Rules;

/// What may be taken from the two ends of the chosen edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WygMoves {
    /// WYG: up to the smaller of the two stacks, from one end or the same number from both.
    #[default]
    Wynnie,
    /// WYGTHOFF: any number from one end, or the same number from both.
    Wythoff,
}

/// Whether the players are bound to an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WygVariant {
    /// The rule of the thesis: once chosen, the edge is played on until one of its ends is gone.
    #[default]
    Locked,
    /// The alternate version: every move chooses its edge afresh.
    Free,
}

/// A move chooses an edge whose ends both hold counters (the edge in play, if one is locked) and takes counters
/// from one or both ends. A vertex without counters is deleted with its edges.
#[derive(Debug, Clone)]
pub struct Wyg {
    /// The board; directions are ignored.
    pub graph: Graph,
    /// Locked or free.
    pub variant: WygVariant,
    /// Wynnie's or Wythoff's moves on the chosen edge.
    pub moves: WygMoves,
}

impl Wyg {
    /// The start: these counters, no edge in play.
    pub fn position(&self, chips: &[u32]) -> Vec<u32> {
        let mut position = chips.to_vec();
        position.push(0);
        position
    }

    fn options_on_edge(
        &self,
        position: &[u32],
        edge: usize,
        (u, v): (usize, usize),
        visit: &mut dyn FnMut(&[u32]),
    ) {
        let (a, b) = (position[u], position[v]);
        let smaller = a.min(b);
        if smaller == 0 {
            return;
        }
        let lock = position.len() - 1;
        let mut option = position.to_vec();
        let mut take = |from_u: u32, from_v: u32| {
            option[u] = a - from_u;
            option[v] = b - from_v;
            let in_play = self.variant == WygVariant::Locked && option[u] > 0 && option[v] > 0;
            option[lock] = if in_play { edge as u32 + 1 } else { 0 };
            visit(&option);
        };
        let (most_u, most_v) = match self.moves {
            WygMoves::Wynnie => (smaller, smaller),
            WygMoves::Wythoff => (a, b),
        };
        (1..=most_u).for_each(|taken| take(taken, 0));
        (1..=most_v).for_each(|taken| take(0, taken));
        (1..=smaller).for_each(|taken| take(taken, taken));
    }
}

impl Rules for Wyg {
    /// The counters on each vertex, then the edge in play: 0 for none, `i + 1` for edge `i` of [`Graph::edges`].
    type Position = [u32];

    fn options(&self, position: &[u32], visit: &mut dyn FnMut(&[u32])) {
        let edges = self.graph.edges();
        match position[position.len() - 1] as usize {
            0 => edges
                .iter()
                .enumerate()
                .for_each(|(edge, &ends)| self.options_on_edge(position, edge, ends, visit)),
            lock => self.options_on_edge(position, lock - 1, edges[lock - 1], visit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(variant: WygVariant, moves: WygMoves, position: &[u32]) -> Vec<Vec<u32>> {
        let graph = Graph::path(position.len() - 1).unwrap();
        let mut found = Vec::new();
        Wyg { graph, variant, moves }.options(position, &mut |option| found.push(option.to_vec()));
        found.sort();
        found
    }

    /// Figure 4.4: the degree game on the path with three vertices has three options up to symmetry.
    #[test]
    fn degree_wyg_on_three_vertices_moves_as_in_the_figure() {
        let found = options(WygVariant::Locked, WygMoves::Wynnie, &[1, 2, 1, 0]);
        let expected = [[0, 1, 1, 0], [0, 2, 1, 0], [1, 1, 0, 0], [1, 1, 1, 1], [1, 1, 1, 2], [1, 2, 0, 0]];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_locked_edge_is_the_only_one_to_play_on() {
        let found = options(WygVariant::Locked, WygMoves::Wynnie, &[1, 1, 1, 2]);
        assert_eq!(found, [[1, 0, 0, 0], [1, 0, 1, 0], [1, 1, 0, 0]]);
        let free = options(WygVariant::Free, WygMoves::Wynnie, &[1, 1, 1, 0]);
        assert_eq!(free.len(), 6);
    }

    /// The example of chapter 6: stacks of 2 and 3 allow 2 + 3 + 2 moves in wygthoff, 2 + 2 + 2 in wyg.
    #[test]
    fn wygthoff_may_take_all_of_the_larger_stack() {
        assert_eq!(options(WygVariant::Locked, WygMoves::Wythoff, &[2, 3, 0]).len(), 7);
        assert_eq!(options(WygVariant::Locked, WygMoves::Wynnie, &[2, 3, 0]).len(), 6);
    }

    #[test]
    fn a_vertex_without_chips_is_gone() {
        assert!(options(WygVariant::Locked, WygMoves::Wynnie, &[3, 0, 3, 0]).is_empty());
    }
}
