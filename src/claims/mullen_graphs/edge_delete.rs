//! The edge-delete game of Gallant, Gunther, Hartnell and Rall, which the thesis cites.

use super::ones::every_connected;
use crate::claims::{Claim, Finding};
use crate::rules::graph::Graph;

pub(super) const CLAIMS: &[Claim] = &[Claim {
    id: "mullen-4.12",
    source: "Mullen, Theorem 4.12 (Gallant, Gunther, Hartnell and Rall)",
    statement: "In the edge-delete game (delete an edge without making a vertex isolated) the second player wins on a graph with an \
                automorphism of order 2 that fixes no vertex and takes no vertex to a neighbour.",
    check: |effort| {
        let most_edges = effort.bound(12, 16);
        let most = effort.bound(6, 8);
        let finding = every_connected(most, |board| {
            (board.edges().len() <= most_edges
                && has_involution(board, &mut vec![None; board.order()])
                && first_wins(board))
            .then(|| "the first player wins".to_string())
        });
        match finding.counterexample {
            None => Finding::holds(format!(
                "connected graphs on up to {most} vertices with at most {most_edges} edges"
            )),
            Some(_) => finding,
        }
    },
}];

/// Looks for the automorphism: `image[v]` is where `v` goes, filled in pairs.
fn has_involution(board: &Graph, image: &mut Vec<Option<usize>>) -> bool {
    let Some(v) = image.iter().position(Option::is_none) else {
        let goes = |v: usize| image[v].unwrap_or(v);
        return board.edges().iter().all(|&(a, b)| board.has_arc(goes(a), goes(b)));
    };
    (v + 1..board.order()).any(|w| {
        if image[w].is_some() || board.has_arc(v, w) {
            return false;
        }
        (image[v], image[w]) = (Some(w), Some(v));
        let found = has_involution(board, image);
        (image[v], image[w]) = (None, None);
        found
    })
}

/// Whether the player to move wins, by playing out all sets of edges.
fn first_wins(board: &Graph) -> bool {
    let edges = board.edges();
    let mut wins = vec![false; 1 << edges.len()];
    for set in 0..wins.len() {
        let degree = |vertex: usize| {
            edges
                .iter()
                .enumerate()
                .filter(|(i, ends)| set >> i & 1 == 1 && (ends.0 == vertex || ends.1 == vertex))
                .count()
        };
        wins[set] = edges.iter().enumerate().any(|(i, &(u, v))| {
            set >> i & 1 == 1 && degree(u) > 1 && degree(v) > 1 && !wins[set & !(1 << i)]
        });
    }
    wins.last().copied().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_four_cycle_has_the_involution_and_the_path_has_not() {
        let has = |text: &str| {
            let board = Graph::parse(text).unwrap();
            has_involution(&board, &mut vec![None; board.order()])
        };
        assert!(has("cycle 4"));
        assert!(!has("path 4"));
        assert!(!has("complete 4"));
    }

    #[test]
    fn the_path_with_three_edges_is_won_by_taking_the_middle() {
        assert!(first_wins(&Graph::parse("path 4").unwrap()));
        assert!(!first_wins(&Graph::parse("path 3").unwrap()));
    }
}
