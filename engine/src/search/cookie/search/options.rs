//! The options of a part: in which order moves are tried, and what is known of the sums of parts that they
//! leave.

use std::cmp::Reverse;

use super::super::info::Info;
use super::super::mask::Mask;
use super::{Goal, Search};

/// An option: a sum of parts.
pub(super) struct Choice {
    /// Its unsolved parts among the parts of all options, the largest first.
    pub(super) first: usize,
    pub(super) end: usize,
    /// The XOR of the values of its solved parts.
    pub(super) sum: u8,
    /// A value that it is known not to have.
    pub(super) refused: Option<u8>,
}

impl Choice {
    /// The option with these parts, of which the unsolved ones are appended to `pieces`.
    pub(super) fn new<M: Mask>(search: &Search<M>, parts: &[M], pieces: &mut Vec<M>) -> Self {
        let first = pieces.len();
        let mut sum = 0;
        for &piece in parts {
            match search.value(piece) {
                Some(value) => sum ^= value,
                // Two equal parts cancel.
                None => match pieces[first..].iter().position(|&other| other == piece) {
                    Some(twin) => {
                        pieces.remove(first + twin);
                    }
                    None => pieces.push(piece),
                },
            }
        }
        if pieces.len() > first + 1 {
            pieces[first..].sort_unstable_by_key(|piece| Reverse((piece.count(), *piece)));
        }
        Self { first, end: pieces.len(), sum, refused: None }
    }

    /// Its value, if all its parts are solved.
    #[inline]
    pub(super) fn value(&self) -> Option<u8> {
        (self.first == self.end).then_some(self.sum)
    }

    /// Sorts options so that the cheapest searches come first.
    pub(super) fn sort_by_cost<M: Mask>(choices: &mut [Self], pieces: &[M]) {
        choices.sort_unstable_by_key(|choice| match choice.end - choice.first {
            0 => (0, 0, M::ZERO),
            parts => (pieces[choice.first].count(), parts, pieces[choice.first]),
        });
    }

    /// Whether it has the wanted value, or the question that must be answered first.
    pub(super) fn ask<M: Mask>(
        &mut self,
        search: &Search<M>,
        pieces: &[M],
        wanted: u8,
    ) -> Result<bool, (M, Goal)> {
        if self.refused == Some(wanted) {
            return Ok(false);
        }
        while self.first < self.end {
            let piece = pieces[self.end - 1];
            let info = search.known(piece);
            if let Info::Exact(value) = info {
                self.sum ^= value;
                self.end -= 1;
                continue;
            }
            if self.end - self.first > 1 {
                return Err((piece, Goal::Value));
            }
            let value = wanted ^ self.sum;
            // The value of n squares is at most n (Lemma 5.0.4).
            let impossible = u32::from(value) > piece.count() || info.is(value) == Some(false);
            return if impossible { Ok(false) } else { Err((piece, Goal::Is(value))) };
        }
        Ok(self.sum == wanted)
    }
}

/// Appends what is left of `part` after each of `moves`: first, by their numbers of squares, what has at
/// least `least` squares, and then the rest. Returns where the rest begins. Equally many squares stay in the
/// order of the moves.
pub(super) fn by_rising_size<M: Mask>(part: M, moves: &[M], least: u32, left: &mut Vec<M>) -> usize {
    // By counting: `ends[n]` is first the number of moves that leave n squares, then where the next of them
    // goes.
    let mut ends = [0u32; 129];
    let squares = part.count();
    let size = |removed: &M| (squares - removed.count()) as usize;
    for removed in moves {
        ends[size(removed)] += 1;
    }
    let (few, many) = ends[..=squares as usize].split_at_mut(least.min(squares + 1) as usize);
    let mut at = left.len() as u32;
    let mut give_places = |ends: &mut [u32]| {
        for end in ends {
            (*end, at) = (at, at + *end);
        }
        at as usize
    };
    let rest = give_places(many);
    left.resize(give_places(few), M::ZERO);
    for removed in moves {
        let end = &mut ends[size(removed)];
        left[*end as usize] = part & !*removed;
        *end += 1;
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_come_by_what_they_leave_and_the_impossible_ones_last() {
        let part = 0b1_1111_1111u64;
        let moves = [0b1u64, 0b1_1111_1111, 0b11, 0b10, 0b1111_1111, 0b111, 0b1_1111_1110];
        for least in 0..11 {
            let mut left = vec![7];
            let rest = by_rising_size(part, &moves, least, &mut left);
            let mut expected: Vec<u64> = moves.iter().map(|removed| part & !removed).collect();
            expected.sort_by_key(|left| (left.count_ones() < least, left.count_ones()));
            assert_eq!(left[1..], expected);
            let possible = expected.iter().filter(|left| left.count_ones() >= least).count();
            assert_eq!(rest, 1 + possible);
        }
    }
}
