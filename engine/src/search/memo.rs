//! Grundy values straight from the rules, remembered position by position.
//!
//! For games whose positions are few but have no dense numbering: graph games with counters, sums, odd boards.

use std::hash::Hash;

use super::known::Known;
use crate::base::{Control, Mex, Result};
use crate::rules::{Play, Rules};

/// Remembers the Grundy values of the positions of one game.
///
/// In misère play the "value" starts at 1 for a position without options, as [`Play::terminal_value`] says; 0
/// means P-position in both.
pub struct Memo<'a, R: Rules + ?Sized> {
    rules: &'a R,
    play: Play,
    known: Known<R::Position, u32>,
}

impl<'a, R: Rules + ?Sized> Memo<'a, R>
where
    R::Position: Eq + Hash,
    <R::Position as ToOwned>::Owned: Eq + Hash,
{
    /// Nothing known yet.
    pub fn new(rules: &'a R, play: Play) -> Self {
        Self { rules, play, known: Known::new() }
    }

    /// The number of positions known.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether no position is known yet.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The Grundy value of `position`.
    pub fn value(&mut self, position: &R::Position) -> u32 {
        let value = self.value_within(position, &Control::silent());
        value.unwrap_or_else(|error| unreachable!("without a limit nothing is refused: {error}"))
    }

    /// The Grundy value of `position`, unless `control` stops the search or it takes too much memory.
    pub fn value_within(&mut self, position: &R::Position, control: &Control<'_>) -> Result<u32> {
        let (rules, play, mut seen) = (self.rules, self.play, Mex::default());
        self.known.solve(position, control, |position, look| {
            seen.clear();
            let mut complete = true;
            rules.options(position, &mut |option| match look(option) {
                Some(value) => seen.insert(value),
                None => complete = false,
            });
            let value = || if seen.is_empty() { play.terminal_value().into() } else { seen.least() };
            Ok(complete.then(value))
        })
    }

    /// Whether the player who is not to move wins.
    pub fn is_p(&mut self, position: &R::Position) -> bool {
        self.value(position) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Minnie, Nim};

    #[test]
    fn one_heap_of_minnie_is_nim() {
        let mut memo = Memo::new(&Minnie, Play::Normal);
        for heap in 0..20 {
            assert_eq!(memo.value(&[heap]), heap);
        }
    }

    #[test]
    fn too_big_a_position_is_refused() {
        let control = Control::silent().with_memory(10_000);
        assert!(Memo::new(&Minnie, Play::Normal).value_within(&[20, 20, 20], &control).is_err());
        assert_eq!(Memo::new(&Minnie, Play::Normal).value_within(&[20], &control).ok(), Some(20));
    }

    #[test]
    fn a_value_of_65536_does_not_wrap_to_zero() {
        // The smaller heaps are set as if they had been found, which would take two billion moves.
        let mut memo = Memo::new(&Nim, Play::Normal);
        for heap in 0..65536 {
            memo.known.solve(&[heap], &Control::silent(), |_, _| Ok(Some(heap))).unwrap();
        }
        assert_eq!(memo.value(&[65536]), 65536);
        assert!(!memo.is_p(&[65536]));
    }

    #[test]
    fn misere_play_starts_at_one() {
        let mut memo = Memo::new(&Minnie, Play::Misere);
        assert_eq!(memo.value(&[0]), 1);
        assert!(memo.is_p(&[1]));
        assert!(!memo.is_p(&[2]));
    }
}
