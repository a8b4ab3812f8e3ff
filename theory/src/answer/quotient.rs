//! Minnie of any size, from the proved quotient.

use super::oracle::{Found, Heaps, Known, Way};
use super::{Source, Theorem};
use crate::base::Result;
use crate::proof::strategy::MinniePlayer;
use crate::rules::Play;

/// Outcomes and winning moves of minnie for heaps of any size and number.
///
/// The Grundy value is known where it follows from outcomes: 0 for P-positions, and in normal play 1 for the
/// P-positions of the misère game (proposition 3 of docs/PROOFS.md).
pub(super) struct FromQuotient {
    player: MinniePlayer,
    misere: Option<MinniePlayer>,
}

impl FromQuotient {
    pub fn minnie(play: Play) -> Self {
        let misere = (play == Play::Normal).then(|| MinniePlayer::embedded(Play::Misere));
        Self { player: MinniePlayer::embedded(play), misere }
    }
}

impl Way for FromQuotient {
    fn source(&self) -> Source {
        Source::Theorem(Theorem::Quotient)
    }

    fn known(&self, positions: &[Heaps]) -> Result<Vec<Known>> {
        let known = |position: &Heaps| {
            let is_p = self.player.is_p(position);
            let is_one = || self.misere.as_ref().is_some_and(|misere| misere.is_p(position));
            Known { is_p, value: if is_p { Some(0) } else { is_one().then_some(1) }, above: None }
        };
        Ok(positions.iter().map(known).collect())
    }

    fn options(&self, position: &[u64], most: usize) -> Result<Vec<Heaps>> {
        let smallest = position.first().copied().unwrap_or(0);
        let mut sizes = position.to_vec();
        sizes.dedup();
        let steps = sizes.iter().flat_map(|&heap| (1..=smallest).map(move |taken| (heap, heap - taken)));
        Ok(steps.take(most).map(|(from, to)| replaced(position, from, &[to])).collect())
    }

    fn options_of_value(&self, position: &[u64], value: u64) -> Result<Found> {
        let player = match (value, &self.misere) {
            (0, _) => &self.player,
            (1, Some(misere)) => misere,
            _ => return Err(super::oracle::only_outcomes()),
        };
        let moves = player.winning_moves(position);
        Ok((moves.iter().map(|step| replaced(position, step.from, &[step.to])).collect(), None))
    }

    fn is_option(&self, from: &[u64], to: &[u64]) -> Option<bool> {
        let smallest = from.first().copied().unwrap_or(0);
        Some(lowered(from, to).is_some_and(|(old, new)| old - new <= smallest))
    }

    fn longest(&self, position: &[u64]) -> Result<Option<Heaps>> {
        Ok(position.last().map(|&largest| replaced(position, largest, &[largest - 1])))
    }
}

/// The position after one heap of `from` became `to`.
pub(super) fn replaced(position: &[u64], from: u64, to: &[u64]) -> Heaps {
    let mut heaps = position.to_vec();
    if let Some(place) = heaps.iter().position(|&heap| heap == from) {
        heaps.swap_remove(place);
    }
    heaps.extend_from_slice(to);
    heaps
}

/// The heap of `from` that is smaller in `to`, before and after, if that is all the difference; 0 means that
/// it is gone.
pub(super) fn lowered(from: &[u64], to: &[u64]) -> Option<(u64, u64)> {
    let (gone, come) = change(from, to);
    match (&gone[..], &come[..]) {
        ([old], []) => Some((*old, 0)),
        ([old], [new]) if new < old => Some((*old, *new)),
        _ => None,
    }
}

/// The heaps of `from` that are not in `to`, and those of `to` that are not in `from`; both positions are
/// sorted.
pub fn change(from: &[u64], to: &[u64]) -> (Heaps, Heaps) {
    (without(from, to), without(to, from))
}

/// What is in `a` more often than in `b`, each as often as it is more often there; both are sorted.
fn without(a: &[u64], b: &[u64]) -> Heaps {
    let mut rest = b.iter().copied().peekable();
    let mut left = Vec::new();
    for &heap in a {
        while rest.next_if(|&other| other < heap).is_some() {}
        if rest.next_if_eq(&heap).is_none() {
            left.push(heap);
        }
    }
    left
}
