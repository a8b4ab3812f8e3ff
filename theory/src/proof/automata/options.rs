//! The moves from one position into a set: counted exactly, and listed as far as anybody wants to see.
//!
//! The position is a word; the positions after a move are words of the same length, since moves only lower
//! heaps. For each kind of moves the heaps after it tell the new numbers, and the heaps that stay must be
//! those of the position: so an automaton without guesses goes through the words of the options, place by
//! place, and different ways to the same option are one.

use std::collections::HashMap;

use num_bigint::BigUint;

use super::decide::AutomaticGame;
use super::{Budget, Dfa, Failed};

/// The options of a position that are in a set.
pub struct Options {
    /// For each place of the word, for each state there: letters and the states that they lead to.
    edges: Vec<Vec<Vec<(usize, u32)>>>,
    /// For each place, one past the word included, how many words lead from each state to the end.
    counts: Vec<Vec<BigUint>>,
}

/// Where a kind of moves is no longer possible.
const GONE: u32 = u32::MAX;

impl Options {
    /// The options of `word` that `set` accepts.
    pub fn new(game: &AutomaticGame, set: &Dfa, word: &[usize], budget: &Budget<'_>) -> Result<Self, Failed> {
        let digits = set.numeration.digits();
        let live: Vec<Vec<bool>> = game.moves.iter().map(|kind| kind.relation.live()).collect();
        let set_live = set.live();
        let start: Vec<u32> = game.moves.iter().map(|kind| kind.relation.start).collect();
        let mut layer = vec![(set.start, start)];
        let (mut edges, mut entries) = (Vec::new(), 0);
        for &before in word {
            let mut numbers: HashMap<(u32, Vec<u32>), u32> = HashMap::new();
            let mut next_layer = Vec::new();
            let mut rows = Vec::new();
            for (in_set, kinds) in &layer {
                let mut row = Vec::new();
                for after in 0..set.letters() {
                    let in_set = set.after(*in_set, after);
                    if !set_live[in_set as usize] {
                        continue;
                    }
                    let step = |(kind, &state): (usize, &u32)| {
                        let moves = &game.moves[kind];
                        let letter = (state != GONE).then(|| moves.letter(before, after, digits)).flatten();
                        let next = letter.map(|letter| moves.relation.after(state, letter));
                        next.filter(|&next| live[kind][next as usize]).unwrap_or(GONE)
                    };
                    let kinds: Vec<u32> = kinds.iter().enumerate().map(step).collect();
                    if kinds.iter().all(|&kind| kind == GONE) {
                        continue;
                    }
                    let fresh = next_layer.len() as u32;
                    let number = *numbers.entry((in_set, kinds)).or_insert_with_key(|state| {
                        next_layer.push(state.clone());
                        fresh
                    });
                    row.push((after, number));
                }
                entries += row.len() + kinds.len();
                budget.allows(1024, entries)?;
                rows.push(row);
            }
            edges.push(rows);
            layer = next_layer;
        }
        let accepts = |(in_set, kinds): &(u32, Vec<u32>)| {
            let mut kinds = kinds.iter().zip(&game.moves);
            let legal = kinds.any(|(&state, kind)| state != GONE && kind.relation.accepting[state as usize]);
            BigUint::from(u8::from(legal && set.accepting[*in_set as usize]))
        };
        let mut counts = vec![layer.iter().map(accepts).collect::<Vec<_>>()];
        for rows in edges.iter().rev() {
            let after = &counts[counts.len() - 1];
            let count =
                |row: &Vec<(usize, u32)>| row.iter().map(|&(_, to)| &after[to as usize]).sum::<BigUint>();
            let before = rows.iter().map(count).collect();
            counts.push(before);
        }
        counts.reverse();
        Ok(Self { edges, counts })
    }

    /// How many options there are.
    pub fn count(&self) -> &BigUint {
        &self.counts[0][0]
    }

    /// The words of at most `most` options, those with the highest digits first.
    pub fn words(&self, most: usize) -> Vec<Vec<usize>> {
        let mut found = Vec::new();
        let mut open = vec![(Vec::new(), 0u32)];
        while let Some((word, state)) = open.pop() {
            if found.len() == most || self.counts[word.len()][state as usize] == BigUint::ZERO {
                continue;
            }
            let Some(rows) = self.edges.get(word.len()) else {
                found.push(word);
                continue;
            };
            // The last one is taken first.
            for &(letter, to) in &rows[state as usize] {
                open.push(([&word[..], &[letter]].concat(), to));
            }
        }
        found
    }
}
