//! Outcome, value and winning moves of one position: from a table, a sweep, a search or a theorem.

pub mod graph_games;
pub mod heap_query;
mod octal_sum;
pub mod sum;

pub use octal_sum::{OctalAnswer, octal_answer};

use serde::Serialize;

use crate::base::Result;
use crate::rules::HeapRules;

/// Who wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Outcome {
    /// The previous player, who has just moved.
    P,
    /// The next player, who is to move.
    N,
}

/// What is known of a position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// The position, sorted.
    pub position: Vec<u32>,
    /// Who wins.
    pub outcome: Outcome,
    /// The Grundy value, where values were computed.
    pub value: Option<u16>,
    /// The P-positions that can be moved to, sorted, without absent heaps.
    pub winning_moves: Vec<Vec<u32>>,
}

/// Answers about `position`; `is_p` and `value` look into a solved table.
pub fn answer(
    rules: &HeapRules,
    position: &[u32],
    mut is_p: impl FnMut(&[u32]) -> Result<bool>,
    value: impl FnOnce(&[u32]) -> Result<Option<u16>>,
) -> Result<Answer> {
    let outcome = if is_p(position)? { Outcome::P } else { Outcome::N };
    let mut winning_moves = Vec::new();
    let mut failure = Ok(());
    rules.options(position, &mut |option| match is_p(option) {
        Ok(true) => winning_moves.push(without_absent_heaps(option)),
        Ok(false) => {}
        Err(error) => failure = Err(error),
    });
    failure?;
    winning_moves.sort();
    winning_moves.dedup();
    Ok(Answer { position: without_absent_heaps(position), outcome, value: value(position)?, winning_moves })
}

fn without_absent_heaps(position: &[u32]) -> Vec<u32> {
    let mut heaps: Vec<u32> = position.iter().copied().filter(|&heap| heap > 0).collect();
    heaps.sort_unstable();
    heaps
}
