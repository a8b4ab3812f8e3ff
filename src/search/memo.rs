//! Grundy values straight from the rules, remembered position by position.
//!
//! For games whose positions are few but have no dense numbering: graph games with chips, sums, odd boards.

use crate::rules::{Play, Rules};
use crate::{Error, Result};
use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicBool, Ordering};

/// Remembers the Grundy values of the positions of one game.
///
/// In misère play the "value" starts at 1 for a position without options, as [`Play::terminal_value`] says; 0
/// means P-position in both.
pub struct Memo<'a, R: Rules + ?Sized>
where
    <R::Position as ToOwned>::Owned: Eq + Hash,
{
    rules: &'a R,
    play: Play,
    known: HashMap<<R::Position as ToOwned>::Owned, u16>,
}

impl<'a, R: Rules + ?Sized> Memo<'a, R>
where
    R::Position: Eq + Hash,
    <R::Position as ToOwned>::Owned: Eq + Hash,
{
    /// Nothing known yet.
    pub fn new(rules: &'a R, play: Play) -> Self {
        Self { rules, play, known: HashMap::new() }
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
    pub fn value(&mut self, position: &R::Position) -> u16 {
        match self.value_within(position, usize::MAX, &AtomicBool::new(false)) {
            Ok(value) => value,
            Err(error) => unreachable!("without a limit nothing is refused: {error}"),
        }
    }

    /// The Grundy value of `position`, unless that takes more than `limit` positions or `stop` is set. The options are
    /// visited on a stack of our own, so that a long game cannot exhaust the machine's.
    pub fn value_within(&mut self, position: &R::Position, limit: usize, stop: &AtomicBool) -> Result<u16> {
        let mut stack = vec![position.to_owned()];
        while let Some(top) = stack.last() {
            if self.known.contains_key::<R::Position>(top.borrow()) {
                stack.pop();
                continue;
            }
            let mut seen = Vec::new();
            let mut unknown = Vec::new();
            self.rules.options(top.borrow(), &mut |option| match self.known.get(option) {
                Some(&value) => seen.push(value),
                None => unknown.push(option.to_owned()),
            });
            if !unknown.is_empty() {
                stack.extend(unknown);
                if self.known.len().saturating_add(stack.len()) > limit {
                    return Err(Error::Budget(format!(
                        "this position leads to more than {limit} others; ask about a smaller one, or allow more --memory"
                    )));
                }
                if stop.load(Ordering::Relaxed) {
                    return Err(Error::Interrupted { done: 0, total: 1 });
                }
                continue;
            }
            let value = mex(&mut seen, self.play);
            if let Some(done) = stack.pop() {
                self.known.insert(done, value);
            }
        }
        Ok(self.known[position])
    }

    /// Whether the player who is not to move wins.
    pub fn is_p(&mut self, position: &R::Position) -> bool {
        self.value(position) == 0
    }
}

fn mex(seen: &mut [u16], play: Play) -> u16 {
    if seen.is_empty() {
        return play.terminal_value();
    }
    seen.sort_unstable();
    let mut least = 0;
    for &value in seen.iter() {
        if value == least {
            least += 1;
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Minnie;

    #[test]
    fn one_heap_of_minnie_is_nim() {
        let mut memo = Memo::new(&Minnie, Play::Normal);
        for heap in 0..20u16 {
            assert_eq!(memo.value(&[u32::from(heap)]), heap);
        }
    }

    #[test]
    fn too_big_a_position_is_refused() {
        let never = AtomicBool::new(false);
        assert!(Memo::new(&Minnie, Play::Normal).value_within(&[20, 20, 20], 100, &never).is_err());
        assert_eq!(Memo::new(&Minnie, Play::Normal).value_within(&[20], 100, &never).ok(), Some(20));
    }

    #[test]
    fn misere_play_starts_at_one() {
        let mut memo = Memo::new(&Minnie, Play::Misere);
        assert_eq!(memo.value(&[0]), 1);
        assert!(memo.is_p(&[1]));
        assert!(!memo.is_p(&[2]));
    }
}
