//! Outcomes and winning moves of minnie from a proved quotient, for heaps of any size and number.

use super::certificate::Certificate;
use super::known::known;
use super::local_game::LocalGame;
use super::quotient::{Class, EMPTY_CLASS, Quotient};
use crate::base::{Error, Result};
use crate::game::Slabs;
use crate::rules::Play;

/// The certificate of minnie that comes with the program.
pub fn embedded_minnie(play: Play) -> Certificate {
    known(&LocalGame::Slabs(Slabs::Minnie), play)
        .expect("the program comes with minnie in both plays")
        .clone()
}

/// A move: one heap of size `from` becomes `to`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Move {
    /// The heap before the move.
    pub from: u64,
    /// The heap after the move; 0 means that it goes away.
    pub to: u64,
}

/// A minnie player that reads a proved quotient.
#[derive(Debug, Clone)]
pub struct MinniePlayer {
    quotient: Quotient,
    largest_min: u64,
}

impl MinniePlayer {
    /// The player of the embedded certificate.
    pub fn embedded(play: Play) -> Self {
        Self::trusting(&embedded_minnie(play))
    }

    fn trusting(certificate: &Certificate) -> Self {
        let largest_min = certificate.largest_min.unwrap_or(0);
        Self { quotient: certificate.quotient.clone(), largest_min }
    }

    /// A player from a certificate, after its whole finite check.
    pub fn from_certificate(certificate: &Certificate) -> Result<Self> {
        if certificate.game != LocalGame::Slabs(Slabs::Minnie) {
            return Err(Error::Usage("this certificate is of another game; one of minnie is needed".into()));
        }
        certificate.check().map_err(|refuted| {
            Error::Usage(format!("this certificate proves nothing: {refuted}; write a new one with `nimwave prove minnie --certificate FILE`"))
        })?;
        Ok(Self::trusting(certificate))
    }

    /// Whether the heaps are a P-position. Heaps of size 0 are absent.
    pub fn is_p(&self, heaps: &[u64]) -> bool {
        self.quotient.accepts_heaps(heaps)
    }

    /// Every winning move, each pair of sizes once, sorted; empty exactly for P-positions and for the
    /// empty position.
    ///
    /// All winning moves are found although the number of legal ones may be astronomic: a P-position has
    /// a heap of at most `m` or none at all (condition (B)), so where the smallest heap is larger than `m`
    /// only moves that lower a heap to at most `m` can win.
    pub fn winning_moves(&self, heaps: &[u64]) -> Vec<Move> {
        let Some(smallest) = heaps.iter().copied().filter(|&heap| heap > 0).min() else {
            return Vec::new();
        };
        let mut sizes: Vec<u64> = heaps.iter().copied().filter(|&heap| heap > 0).collect();
        sizes.sort_unstable();
        sizes.dedup();
        let mut without: Vec<Option<Class>> = vec![None; self.quotient.letters().count()];
        let mut moves = Vec::new();
        for from in sizes {
            let lowest = from - smallest;
            let highest =
                if smallest <= self.largest_min { from - 1 } else { (from - 1).min(self.largest_min) };
            if lowest > highest {
                continue;
            }
            let letter = self.quotient.letters().of(from);
            let rest = *without[letter].get_or_insert_with(|| self.class_without(heaps, from));
            for to in lowest..=highest {
                if self.quotient.accepts(self.quotient.add_heap(rest, to)) {
                    moves.push(Move { from, to });
                }
            }
        }
        moves
    }

    /// The class of the heaps without one heap of size `left_out`.
    fn class_without(&self, heaps: &[u64], left_out: u64) -> Class {
        let index = heaps.iter().position(|&heap| heap == left_out).unwrap_or(heaps.len());
        let before = self.quotient.add_heaps(EMPTY_CLASS, &heaps[..index]);
        self.quotient.add_heaps(before, heaps.get(index + 1..).unwrap_or(&[]))
    }
}
