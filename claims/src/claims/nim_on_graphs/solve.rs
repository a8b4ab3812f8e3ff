//! All positions of nim on one graph with bounded weights.

use crate::claims::Counterexample;
use crate::rules::graph::Multigraph;

/// Who wins from every vertex with every choice of weights up to a bound for each edge.
///
/// The thesis calls a position that the first player wins a p-position, and the others 0-positions; here they
/// are "won" and "lost".
pub(super) struct Solved {
    graph: Multigraph,
    most: Vec<u32>,
    /// Bit `v` of the entry of a choice of weights: the player to move with the token on `v` wins.
    won: Vec<u32>,
}

impl Solved {
    /// Solves `graph`; edge `i` weighs at most `most[i]`. At most 32 vertices.
    pub(super) fn new(order: usize, edges: &[(usize, usize)], most: &[u32]) -> Self {
        let graph = Multigraph::new(order, edges.to_vec()).unwrap_or_else(|error| unreachable!("{error}"));
        let size = most.iter().map(|&m| m as usize + 1).product();
        let mut solved = Self { graph, most: most.to_vec(), won: vec![0; size] };
        let mut weights = vec![0; most.len()];
        for index in 0..size {
            solved.unrank(index, &mut weights);
            let mut won = 0;
            let mut step = 1;
            for (edge, &weight) in weights.iter().enumerate() {
                let (u, v) = solved.graph.edges()[edge];
                for lower in 1..=weight as usize {
                    let after = solved.won[index - lower * step];
                    won |= u32::from(after >> v & 1 == 0) << u | u32::from(after >> u & 1 == 0) << v;
                }
                step *= most[edge] as usize + 1;
            }
            solved.won[index] = won;
        }
        solved
    }

    fn unrank(&self, mut index: usize, weights: &mut [u32]) {
        for (weight, &most) in weights.iter_mut().zip(&self.most) {
            *weight = (index % (most as usize + 1)) as u32;
            index /= most as usize + 1;
        }
    }

    fn rank(&self, weights: &[u32]) -> usize {
        let mut step = 1;
        let mut index = 0;
        for (&weight, &most) in weights.iter().zip(&self.most) {
            index += weight as usize * step;
            step *= most as usize + 1;
        }
        index
    }

    /// Whether the player to move wins with the token on `vertex`.
    pub(super) fn won(&self, vertex: usize, weights: &[u32]) -> bool {
        self.won[self.rank(weights)] >> vertex & 1 == 1
    }

    /// The position of least total weight (the first of them) for which `bad` holds, with the token on
    /// `vertex`.
    pub(super) fn smallest(
        &self,
        vertex: usize,
        bad: &mut dyn FnMut(&[u32], bool) -> bool,
    ) -> Option<Vec<u32>> {
        let mut best: Option<(u32, Vec<u32>)> = None;
        let mut weights = vec![0; self.most.len()];
        for index in 0..self.won.len() {
            self.unrank(index, &mut weights);
            let total = weights.iter().sum();
            if best.as_ref().is_none_or(|known| total < known.0)
                && bad(&weights, self.won[index] >> vertex & 1 == 1)
            {
                best = Some((total, weights.clone()));
            }
        }
        best.map(|(_, weights)| weights)
    }

    /// The position as text that the program reads, and why it is won or lost.
    pub(super) fn counterexample(&self, vertex: usize, weights: &[u32], what: &str) -> Counterexample {
        let mut options = Vec::new();
        for (edge, &weight) in weights.iter().enumerate() {
            let Some(end) = self.graph.across(edge, vertex) else {
                continue;
            };
            for lower in 0..weight {
                let mut after = weights.to_vec();
                after[edge] = lower;
                let (u, v) = self.graph.edges()[edge];
                let verdict = if self.won(end, &after) { "won" } else { "lost" };
                options.push(format!("{u}-{v} to {lower}: {verdict}"));
            }
        }
        let result = if self.won(vertex, weights) { "wins" } else { "loses" };
        let listed = if options.is_empty() { "no option".into() } else { options.join(", ") };
        let position = format!("{}, token on {vertex}", show(self.graph.edges(), weights));
        Counterexample::new(
            position,
            format!("{what}, but the first player {result} (for the next player, {listed})"),
        )
    }
}

/// The edges of positive weight as text.
pub(super) fn show(edges: &[(usize, usize)], weights: &[u32]) -> String {
    let parts = edges
        .iter()
        .zip(weights)
        .filter(|(_, w)| **w > 0)
        .map(|(&(u, v), weight)| format!("{u}-{v}:{weight}"));
    parts.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Play;
    use crate::rules::graph::NimOnGraph;
    use crate::search::memo::Memo;

    #[test]
    fn the_table_agrees_with_the_rules() {
        let edges = vec![(0, 1), (1, 2), (2, 0), (0, 0), (1, 2), (2, 3)];
        let solved = Solved::new(4, &edges, &[2, 2, 1, 2, 2, 1]);
        let game = NimOnGraph { graph: Multigraph::new(4, edges).unwrap() };
        let mut memo = Memo::new(&game, Play::Normal);
        for vertex in 0..4 {
            let wrong = solved
                .smallest(vertex, &mut |weights, won| won == memo.is_p(&game.position(vertex, weights)[..]));
            assert_eq!(wrong, None);
        }
    }
}
