//! Outcome, value and best moves of one position of a game on a graph or of a partizan game.

use crate::partizan::{Games, Value, Values};
use crate::rules::graph::{EvenOdd, Graph, Mig, NimOnGraph, Parity, Wyg};
use crate::rules::{GrandLeftRight, Play, Rules, Square};
use crate::search::memo::Memo;
use crate::search::vertex_deletion::Table;
use crate::{Error, Result};
use serde::Serialize;
use std::sync::atomic::AtomicBool;

/// What a query may use.
#[derive(Debug)]
pub struct Budget<'a> {
    /// The most positions to visit.
    pub positions: usize,
    /// Set from outside to stop.
    pub stop: &'a AtomicBool,
}

/// What is known of a position of an impartial game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GraphAnswer {
    /// The position, as text.
    pub position: String,
    /// `P` or `N`.
    pub outcome: char,
    /// The Grundy value (in misère play the misère one; 0 means P in both).
    pub value: u16,
    /// The moves to P-positions, as text.
    pub winning_moves: Vec<String>,
}

/// What is known of a position of a partizan game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PartizanAnswer {
    /// The position, as text.
    pub position: String,
    /// `L`, `R`, `P` or `N`.
    pub outcome: char,
    /// The canonical form.
    pub value: String,
    /// Left's moves that no other beats, with their values.
    pub left_moves: Vec<(String, String)>,
    /// Right's moves that no other beats, with their values.
    pub right_moves: Vec<(String, String)>,
}

/// Solves a position of any rules on `[u32]`; `show` writes a position.
fn solve(
    rules: &dyn Rules<Position = [u32]>,
    play: Play,
    position: &[u32],
    budget: &Budget,
    show: &dyn Fn(&[u32]) -> String,
) -> Result<GraphAnswer> {
    let mut memo = Memo::new(rules, play);
    let value = memo.value_within(position, budget.positions, budget.stop)?;
    let mut options: Vec<Vec<u32>> = Vec::new();
    rules.options(position, &mut |option| options.push(option.to_vec()));
    options.sort();
    options.dedup();
    let winning_moves =
        options.iter().filter(|option| memo.is_p(option)).map(|option| show(option)).collect();
    Ok(GraphAnswer {
        position: show(position),
        outcome: if value == 0 { 'P' } else { 'N' },
        value,
        winning_moves,
    })
}

fn check_chips(graph: &Graph, chips: &[u32]) -> Result<()> {
    if chips.len() == graph.order() {
        return Ok(());
    }
    Err(Error::Usage(format!(
        "{} stacks for {} vertices; give one number for each",
        chips.len(),
        graph.order()
    )))
}

/// Wyg or wygthoff with these chips; `locked_on` is the edge in play, if any.
pub fn wyg(
    rules: &Wyg,
    play: Play,
    chips: &[u32],
    locked_on: Option<(usize, usize)>,
    budget: &Budget,
) -> Result<GraphAnswer> {
    check_chips(&rules.graph, chips)?;
    let edges = rules.graph.edges();
    let mut position = rules.position(chips);
    if let Some((u, v)) = locked_on {
        let edge = edges.iter().position(|&ends| ends == (u, v) || ends == (v, u)).ok_or_else(|| {
            Error::Usage(format!("{u}-{v} is no edge of this graph, so the game cannot be locked on it"))
        })?;
        position[chips.len()] = edge as u32 + 1;
    }
    solve(rules, play, &position, budget, &|position| {
        let (chips, lock) = position.split_at(position.len() - 1);
        match lock[0] {
            0 => format!("{chips:?}"),
            edge => {
                let (u, v) = edges[edge as usize - 1];
                format!("{chips:?} locked on {u}-{v}")
            }
        }
    })
}

/// Mig with these chips.
pub fn mig(rules: &Mig, play: Play, chips: &[u32], budget: &Budget) -> Result<GraphAnswer> {
    check_chips(&rules.graph, chips)?;
    solve(rules, play, chips, budget, &|position| format!("{position:?}"))
}

/// Nim on a graph with the token on `token` and these weights.
pub fn nim_on_graph(
    rules: &NimOnGraph,
    play: Play,
    token: usize,
    weights: &[u32],
    budget: &Budget,
) -> Result<GraphAnswer> {
    let order = rules.graph.order();
    if token >= order {
        return Err(Error::Usage(format!(
            "there is no vertex {token}; the graph has the vertices 0 to {}",
            order.saturating_sub(1)
        )));
    }
    let edges = rules.graph.edges();
    solve(rules, play, &rules.position(token, weights), budget, &|position| {
        let shown: Vec<String> =
            edges.iter().zip(position).map(|(&(u, v), weight)| format!("{u}-{v}:{weight}")).collect();
        format!("{}, token on {}", shown.join(","), position[edges.len()])
    })
}

/// Even/Even or Odd/Odd vertex deletion on the whole graph.
pub fn vertex_deletion(graph: &Graph, parity: Parity) -> Result<GraphAnswer> {
    let table = Table::solve(graph, parity)?;
    let value = u16::from(table.whole());
    let winning_moves = table.winning_moves(graph, graph.vertices(), parity);
    Ok(GraphAnswer {
        position: graph.to_edge_list(),
        outcome: if value == 0 { 'P' } else { 'N' },
        value,
        winning_moves: winning_moves.into_iter().map(|v| format!("delete {v}")).collect(),
    })
}

fn too_big(positions: usize) -> Error {
    Error::Budget(format!(
        "this position leads to more than {positions} others; ask about a smaller one, or allow more --memory"
    ))
}

/// Even/Odd vertex deletion on the whole graph.
pub fn even_odd(graph: &Graph, budget: &Budget) -> Result<PartizanAnswer> {
    let mut games = Games::new();
    let mut values = Values::with_limit(EvenOdd { graph: graph.clone() }, budget.positions);
    let all = graph.vertices();
    let value = values.by_components(&mut games, all);
    if values.refused() {
        return Err(too_big(budget.positions));
    }
    let (left, right) = values.options(&all);
    let mut side = |options: Vec<u64>, left: bool| -> Vec<(String, String)> {
        let valued: Vec<(u64, Value)> =
            options.into_iter().map(|option| (option, values.by_components(&mut games, option))).collect();
        let best = undominated(&mut games, &valued, left);
        let deleted = |set: u64| format!("delete {}", (all & !set).trailing_zeros());
        best.into_iter().map(|(set, value)| (deleted(set), games.show(value))).collect()
    };
    let (left_moves, right_moves) = (side(left, true), side(right, false));
    Ok(PartizanAnswer {
        position: graph.to_edge_list(),
        outcome: games.outcome(value).letter(),
        value: games.show(value),
        left_moves,
        right_moves,
    })
}

/// The options that no other one strictly beats.
fn undominated<P: Clone>(games: &mut Games, options: &[(P, Value)], left: bool) -> Vec<(P, Value)> {
    let mut beaten = |a: Value, b: Value| a != b && if left { games.le(a, b) } else { games.le(b, a) };
    options.iter().filter(|option| !options.iter().any(|other| beaten(option.1, other.1))).cloned().collect()
}

/// Grand Left/Right.
pub fn grand_left_right(game: &GrandLeftRight, board: &[Square], budget: &Budget) -> Result<PartizanAnswer> {
    let mut games = Games::new();
    let mut values = Values::with_limit(*game, budget.positions);
    let board = board.to_vec();
    let value = values.value(&mut games, &board);
    if values.refused() {
        return Err(too_big(budget.positions));
    }
    let (left, right) = values.best_moves(&mut games, &board);
    let mut side = |moves: Vec<(Vec<Square>, Value)>| -> Vec<(String, String)> {
        moves.into_iter().map(|(board, value)| (game.show(&board), games.show(value))).collect()
    };
    let (left_moves, right_moves) = (side(left), side(right));
    Ok(PartizanAnswer {
        position: game.show(&board),
        outcome: games.outcome(value).letter(),
        value: games.show(value),
        left_moves,
        right_moves,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::graph::{Multigraph, WygMoves, WygVariant};

    static NEVER: AtomicBool = AtomicBool::new(false);

    fn locked(text: &str) -> Wyg {
        let graph = Graph::parse(text).unwrap();
        Wyg { graph, variant: WygVariant::Locked, moves: WygMoves::Wynnie }
    }

    #[test]
    fn degree_wyg_on_the_path_of_three_is_a_p_position() {
        let budget = Budget { positions: 1000, stop: &NEVER };
        let answer = wyg(&locked("path 3"), Play::Normal, &[1, 2, 1], None, &budget).unwrap();
        assert_eq!((answer.outcome, answer.value), ('P', 0));
        let answer = wyg(&locked("path 3"), Play::Normal, &[1, 1, 1], None, &budget).unwrap();
        assert_eq!(answer.winning_moves, ["[0, 0, 1]", "[1, 0, 0]", "[1, 0, 1]"]);
        let answer = wyg(&locked("path 3"), Play::Normal, &[1, 1, 1], Some((1, 2)), &budget).unwrap();
        assert_eq!(answer.winning_moves, ["[1, 0, 0]", "[1, 0, 1]"]);
        assert!(wyg(&locked("path 3"), Play::Normal, &[1, 1, 1], Some((0, 2)), &budget).is_err());
        assert!(wyg(&locked("path 3"), Play::Normal, &[1, 1], None, &budget).is_err());
        assert!(wyg(&locked("path 9"), Play::Normal, &[9; 9], None, &budget).is_err());
    }

    #[test]
    fn the_four_cycle_of_the_thesis_on_nim() {
        let (graph, weights) = Multigraph::parse("0-1:2,1-2:1,2-3:1,3-0:1").unwrap();
        let game = NimOnGraph { graph };
        let budget = Budget { positions: 1000, stop: &NEVER };
        let answer = nim_on_graph(&game, Play::Normal, 0, &weights, &budget).unwrap();
        assert_eq!(answer.winning_moves, ["0-1:1,1-2:1,2-3:1,3-0:1, token on 1"]);
        assert!(nim_on_graph(&game, Play::Normal, 4, &weights, &budget).is_err());
    }

    #[test]
    fn even_odd_gives_the_canonical_form_and_the_best_moves() {
        let budget = Budget { positions: 100_000, stop: &NEVER };
        let answer = even_odd(&Graph::parse("broom 8 2").unwrap(), &budget).unwrap();
        assert_eq!((answer.value.as_str(), answer.outcome), ("{5|{2|1*}}", 'L'));
        assert!(answer.right_moves.iter().all(|(_, value)| value == "{2|1*}"));
        assert!(!answer.right_moves.is_empty() && !answer.left_moves.is_empty());
        assert!(answer.left_moves.iter().all(|(_, value)| value == "5"));
        assert!(
            even_odd(&Graph::parse("complete 12").unwrap(), &Budget { positions: 50, stop: &NEVER }).is_err()
        );
    }

    #[test]
    fn grand_left_right_of_table_4_1() {
        let (game, board) = GrandLeftRight::parse("LLRL/L..L").unwrap();
        let answer = grand_left_right(&game, &board, &Budget { positions: 1000, stop: &NEVER }).unwrap();
        assert_eq!((answer.value.as_str(), answer.outcome), ("{1|*}", 'L'));
    }

    #[test]
    fn vertex_deletion_names_the_winning_vertices() {
        let answer = vertex_deletion(&Graph::parse("path 4").unwrap(), Parity::Odd).unwrap();
        assert_eq!(answer.winning_moves, ["delete 0", "delete 3"]);
    }
}
