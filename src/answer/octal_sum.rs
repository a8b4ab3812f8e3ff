//! Sums of heaps of an octal game: values, nim-sum, outcome and winning moves.

use serde::Serialize;

use super::Outcome;
use crate::base::Result;
use crate::rules::OctalGame;

/// What is known of a sum of heaps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OctalAnswer {
    /// The game's code.
    pub code: String,
    /// The heaps as they were given.
    pub heaps: Vec<u64>,
    /// Their nim-values.
    pub values: Vec<u16>,
    /// The nim-sum of the values.
    pub nim_sum: u16,
    /// Who wins: P if the nim-sum is 0.
    pub outcome: Outcome,
    /// The positions with nim-sum 0 that can be moved to: heaps sorted, without empty ones.
    pub winning_moves: Vec<Vec<u64>>,
}

/// Answers about the sum of `heaps`; `value` gives the nim-value of a heap.
pub fn octal_answer(
    game: &OctalGame,
    heaps: &[u64],
    value: impl Fn(u64) -> Result<u16>,
) -> Result<OctalAnswer> {
    let values = heaps.iter().map(|&heap| value(heap)).collect::<Result<Vec<u16>>>()?;
    let nim_sum = values.iter().fold(0, |sum, value| sum ^ value);
    let mut winning_moves = Vec::new();
    let mut failure = Ok(());
    for (k, &heap) in heaps.iter().enumerate().filter(|_| nim_sum != 0) {
        // The heap must become a position of the value of all the others together.
        let wanted = nim_sum ^ values[k];
        game.options_of_heap(heap, &mut |a, b| match value(a).and_then(|va| Ok(va ^ value(b)?)) {
            Ok(option) if option == wanted => {
                let others = heaps.iter().enumerate().filter(|&(j, _)| j != k).map(|(_, &other)| other);
                let mut position: Vec<u64> = others.chain([a, b]).filter(|&heap| heap > 0).collect();
                position.sort_unstable();
                winning_moves.push(position);
            }
            Ok(_) => {}
            Err(error) => failure = Err(error),
        });
    }
    failure?;
    winning_moves.sort();
    winning_moves.dedup();
    let outcome = if nim_sum == 0 { Outcome::P } else { Outcome::N };
    Ok(OctalAnswer { code: game.to_string(), heaps: heaps.to_vec(), values, nim_sum, outcome, winning_moves })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kayles_sums() {
        let game: OctalGame = "kayles".parse().unwrap();
        let kayles = [0u16, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6];
        let value = |heap: u64| Ok(kayles[heap as usize]);
        let answer = octal_answer(&game, &[5, 3], value).unwrap();
        assert_eq!((answer.nim_sum, answer.outcome), (7, Outcome::N));
        // From 5 (value 4) to a position of value 3: 3 alone.
        assert_eq!(answer.winning_moves, [vec![3, 3], vec![1, 2, 3]].into_iter().rev().collect::<Vec<_>>());
        let balanced = octal_answer(&game, &[7, 7, 0], value).unwrap();
        assert_eq!((balanced.nim_sum, balanced.outcome), (0, Outcome::P));
        assert!(balanced.winning_moves.is_empty());
    }
}
