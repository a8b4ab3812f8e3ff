//! Outcome, value and best moves of one position of a game on a graph or of a partizan game.

use super::{Answer, Outcome, Source, check_time};
use crate::base::Control;
use crate::base::{Error, Result};
use crate::partizan::{Games, Value, Values};
use crate::rules::graph::{EvenOdd, Graph, Mig, NimOnGraph, Parity, Wyg};
use crate::rules::notation::show_heaps;
use crate::rules::{GrandLeftRight, Play, Rules, Square};
use crate::search::memo::Memo;
use crate::search::vertex_deletion::Table;
use serde::Serialize;

/// What is known of a position of a partizan game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PartizanAnswer {
    /// The position, as text.
    pub position: String,
    /// Who wins.
    pub outcome: Outcome,
    /// The canonical form.
    pub value: String,
    /// Left's moves that no other beats, with their values.
    pub left_moves: Vec<ValuedMove>,
    /// Right's moves that no other beats, with their values.
    pub right_moves: Vec<ValuedMove>,
}

/// A move of a partizan game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ValuedMove {
    /// The move, as text.
    #[serde(rename = "move")]
    pub to: String,
    /// The canonical form of what it leads to.
    pub value: String,
}

/// Solves a position of any rules on `[u32]`; `show` writes a position.
fn solve(
    rules: &dyn Rules<Position = [u32]>,
    play: Play,
    position: &[u32],
    control: &Control<'_>,
    show: &dyn Fn(&[u32]) -> String,
) -> Result<Answer<String>> {
    let mut memo = Memo::new(rules, play);
    let value = memo.value_within(position, control)?;
    let mut winning: Vec<Vec<u32>> = Vec::new();
    rules.options(position, &mut |option| {
        if memo.is_p(option) {
            winning.push(option.to_vec());
        }
    });
    winning.sort();
    winning.dedup();
    let winning_moves = winning.iter().map(|option| show(option)).collect();
    Ok(Answer::new(show(position), value.into(), winning_moves, Source::Search))
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

/// Wyg or wygthoff with these counters; `locked_on` is the edge in play, if any.
pub fn wyg(
    rules: &Wyg,
    play: Play,
    chips: &[u32],
    locked_on: Option<(usize, usize)>,
    control: &Control<'_>,
) -> Result<Answer<String>> {
    check_chips(&rules.graph, chips)?;
    let edges = rules.graph.edges();
    let mut position = rules.position(chips);
    if let Some((u, v)) = locked_on {
        let edge = edges.iter().position(|&ends| ends == (u, v) || ends == (v, u)).ok_or_else(|| {
            Error::Usage(format!("{u}-{v} is not an edge of this graph, so the game cannot be locked on it"))
        })?;
        if let Some(gone) = [u, v].into_iter().find(|&vertex| chips[vertex] == 0) {
            return Err(Error::Usage(format!(
                "vertex {gone} holds no counters, so that the edge {u}-{v} is gone and no longer in play; leave out --locked-on"
            )));
        }
        position[chips.len()] = edge as u32 + 1;
    }
    solve(rules, play, &position, control, &|position| {
        let (chips, lock) = position.split_at(position.len() - 1);
        match lock[0] {
            0 => show_heaps(chips),
            edge => {
                let (u, v) = edges[edge as usize - 1];
                format!("{} locked on {u}-{v}", show_heaps(chips))
            }
        }
    })
}

/// Mig with these chips.
pub fn mig(rules: &Mig, play: Play, chips: &[u32], control: &Control<'_>) -> Result<Answer<String>> {
    check_chips(&rules.graph, chips)?;
    solve(rules, play, chips, control, &|position| show_heaps(position))
}

/// Nim on a graph with the token on `token` and these weights.
pub fn nim_on_graph(
    rules: &NimOnGraph,
    play: Play,
    token: usize,
    weights: &[u32],
    control: &Control<'_>,
) -> Result<Answer<String>> {
    let order = rules.graph.order();
    if token >= order {
        return Err(Error::Usage(format!(
            "there is no vertex {token}; the graph has the vertices 0 to {}",
            order.saturating_sub(1)
        )));
    }
    let edges = rules.graph.edges();
    solve(rules, play, &rules.position(token, weights), control, &|position| {
        let shown: Vec<String> =
            edges.iter().zip(position).map(|(&(u, v), weight)| format!("{u}-{v}:{weight}")).collect();
        format!("{}, token on {}", shown.join(","), position[edges.len()])
    })
}

/// Even/Even or Odd/Odd vertex deletion on the whole graph.
pub fn vertex_deletion(graph: &Graph, parity: Parity, control: &Control<'_>) -> Result<Answer<String>> {
    let table = Table::solve(graph, parity, control)?;
    let winning = table.winning_moves(graph, graph.vertices(), parity);
    let winning_moves = winning.into_iter().map(|v| format!("delete {v}")).collect();
    Ok(Answer::new(graph.to_edge_list(), table.whole().into(), winning_moves, Source::Sweep))
}

/// What a connected set takes at least in a search, and how many are searched.
const SET_BYTES: u64 = 16;
const SETS_PER_SECOND: f64 = 1e6;

/// Even/Odd vertex deletion on the whole graph.
pub fn even_odd(graph: &Graph, control: &Control<'_>) -> Result<PartizanAnswer> {
    let (mut games, mut values) = (Games::new(), Values::new(EvenOdd { graph: graph.clone() }));
    let all = graph.vertices();
    // A vertex with any of its neighbours is a connected set, and most of them can be reached.
    let most = (0..graph.order()).map(|v| graph.neighbours(v).count_ones()).max().unwrap_or(0);
    let sets = 1u64 << most.min(63);
    control.check_memory(sets, sets.saturating_mul(SET_BYTES))?;
    check_time(sets as f64 / SETS_PER_SECOND, &format!("a graph with a vertex of degree {most}"), control)?;
    let value = values.by_components_within(&mut games, all, control)?;
    let moves = values.best_moves_by_components(&mut games, all);
    let deleted = |&set: &u64| format!("delete {}", (all & !set).trailing_zeros());
    Ok(partizan_answer(&mut games, graph.to_edge_list(), value, moves, deleted))
}

/// Grand Left/Right.
pub fn grand_left_right(
    game: &GrandLeftRight,
    board: &[Square],
    control: &Control<'_>,
) -> Result<PartizanAnswer> {
    let (mut games, mut values) = (Games::new(), Values::new(*game));
    let value = values.value_within(&mut games, board, control)?;
    let moves = values.best_moves(&mut games, board);
    Ok(partizan_answer(&mut games, game.show(board), value, moves, |board| game.show(board)))
}

/// Options with their values.
type Valued<P> = Vec<(P, Value)>;

fn partizan_answer<P>(
    games: &mut Games,
    position: String,
    value: Value,
    (left, right): (Valued<P>, Valued<P>),
    show: impl Fn(&P) -> String,
) -> PartizanAnswer {
    let side = |games: &mut Games, moves: Valued<P>| {
        moves
            .iter()
            .map(|(option, value)| ValuedMove { to: show(option), value: games.show(*value) })
            .collect()
    };
    PartizanAnswer {
        position,
        outcome: games.outcome(value),
        value: games.show(value),
        left_moves: side(games, left),
        right_moves: side(games, right),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::graph::{Multigraph, WygMoves, WygVariant};

    fn locked(text: &str) -> Wyg {
        let graph = Graph::parse(text).unwrap();
        Wyg { graph, variant: WygVariant::Locked, moves: WygMoves::Wynnie }
    }

    #[test]
    fn degree_wyg_on_the_path_of_three_is_a_p_position() {
        let control = Control::silent().with_memory(100000);
        let answer = wyg(&locked("path 3"), Play::Normal, &[1, 2, 1], None, &control).unwrap();
        assert_eq!((answer.outcome, answer.value), (Outcome::Previous, Some(0)));
        let answer = wyg(&locked("path 3"), Play::Normal, &[1, 1, 1], None, &control).unwrap();
        assert_eq!(answer.winning_moves, ["[0,0,1]", "[1,0,0]", "[1,0,1]"]);
        let answer = wyg(&locked("path 3"), Play::Normal, &[1, 1, 1], Some((1, 2)), &control).unwrap();
        assert_eq!(answer.winning_moves, ["[1,0,0]", "[1,0,1]"]);
        assert!(wyg(&locked("path 3"), Play::Normal, &[1, 1, 1], Some((0, 2)), &control).is_err());
        // The edge is gone with its vertex.
        assert!(wyg(&locked("path 3"), Play::Normal, &[1, 0, 1], Some((0, 1)), &control).is_err());
        assert!(wyg(&locked("path 3"), Play::Normal, &[0, 1, 1], Some((1, 0)), &control).is_err());
        assert!(wyg(&locked("path 3"), Play::Normal, &[1, 1], None, &control).is_err());
        assert!(wyg(&locked("path 9"), Play::Normal, &[9; 9], None, &control).is_err());
    }

    #[test]
    fn the_four_cycle_of_the_thesis_on_nim() {
        let (graph, weights) = Multigraph::parse("0-1:2,1-2:1,2-3:1,3-0:1").unwrap();
        let game = NimOnGraph { graph };
        let control = Control::silent().with_memory(100000);
        let answer = nim_on_graph(&game, Play::Normal, 0, &weights, &control).unwrap();
        assert_eq!(answer.winning_moves, ["0-1:1,1-2:1,2-3:1,3-0:1, token on 1"]);
        assert!(nim_on_graph(&game, Play::Normal, 4, &weights, &control).is_err());
    }

    #[test]
    fn even_odd_gives_the_canonical_form_and_the_best_moves() {
        let control = Control::silent().with_memory(20000000);
        let answer = even_odd(&Graph::parse("broom 8 2").unwrap(), &control).unwrap();
        assert_eq!((answer.value.as_str(), answer.outcome), ("{5|{2|1*}}", Outcome::Left));
        assert!(answer.right_moves.iter().all(|best| best.value == "{2|1*}"));
        assert!(!answer.right_moves.is_empty() && !answer.left_moves.is_empty());
        assert!(answer.left_moves.iter().all(|best| best.value == "5"));
        assert!(
            even_odd(&Graph::parse("complete 12").unwrap(), &Control::silent().with_memory(5000)).is_err()
        );
    }

    #[test]
    fn grand_left_right_of_table_4_1() {
        let (game, board) = GrandLeftRight::parse("LLRL/L..L").unwrap();
        let answer = grand_left_right(&game, &board, &Control::silent().with_memory(100000)).unwrap();
        assert_eq!((answer.value.as_str(), answer.outcome), ("{1|*}", Outcome::Left));
    }

    #[test]
    fn mig_nim_on_a_complete_graph_and_a_large_board_end_with_the_memory() {
        let control = Control::silent().with_memory(10_000_000);
        let budget = |result: Result<()>| assert!(matches!(result, Err(Error::Budget(_))));
        let rules = Mig { graph: Graph::parse("grid 4 4").unwrap() };
        budget(mig(&rules, Play::Normal, &[9; 16], &control).map(|_| ()));
        let (graph, weights) = Multigraph::parse("complete 64").unwrap();
        budget(nim_on_graph(&NimOnGraph { graph }, Play::Normal, 0, &weights, &control).map(|_| ()));
        let board =
            format!("L{}/{}R", ".".repeat(9), vec![".".repeat(10); 8].join("/") + "/" + &".".repeat(9));
        let (game, board) = GrandLeftRight::parse(&board).unwrap();
        budget(grand_left_right(&game, &board, &control).map(|_| ()));
    }

    #[test]
    fn the_flag_and_the_deadline_hold_inside_partizan_searches() {
        let stopped = std::sync::atomic::AtomicBool::new(true);
        let stopped = Control::stopped_by(&stopped);
        let late = Control::silent().with_time(Some(std::time::Duration::ZERO));
        let (game, board) = GrandLeftRight::parse("L....R/....../....../....../....../R....L").unwrap();
        assert!(matches!(grand_left_right(&game, &board, &stopped), Err(Error::Interrupted { .. })));
        assert!(matches!(grand_left_right(&game, &board, &late), Err(Error::Undecided(_))));
        let graph = Graph::parse("complete 20").unwrap();
        assert!(matches!(even_odd(&graph, &stopped), Err(Error::Interrupted { .. })));
    }

    #[test]
    fn vertex_deletion_names_the_winning_vertices() {
        let answer =
            vertex_deletion(&Graph::parse("path 4").unwrap(), Parity::Odd, &Control::silent()).unwrap();
        assert_eq!(answer.winning_moves, ["delete 0", "delete 3"]);
    }
}
