//! Theorems for a fixed number of heaps of games whose moves depend on the order of the heaps alone.
//!
//! In nim, greedy nim, nimb and nimtb a move lowers one heap to any size, and whether it is legal depends
//! only on which heaps are empty, equal or larger than others before and after it. The outcome is claimed to
//! depend on the letters of the *gaps* between neighbouring heaps, the gap between no counter and the smallest
//! heap included. The claim is solved from the rules on the finitely many folded positions, and proved by
//! checking it on all positions with gaps below `2 (threshold + period)` (docs/PROOFS.md, theorem 3).

use super::fixed_heaps::{follows_from, for_each_gaps, from_gaps};
use super::quotient::Letters;
use crate::base::{Control, Error, Result};
use crate::rules::{HeapRules, Play};

/// Most positions that are solved or checked.
const MAX_POSITIONS: u64 = 30_000_000;

/// A game that the lemma covers: its rules, and whether equal heaps are forbidden.
#[derive(Clone, Copy)]
pub struct OrderGame<'a> {
    /// The rules. Every move lowers exactly one heap; whether it may be lowered to some size depends only on
    /// the order and the equalities among the heaps and the number 0, before and after the move.
    pub rules: &'a HeapRules,
    /// Normal or misère play.
    pub play: Play,
    /// Whether positions with two equal heaps are not positions of the game.
    pub distinct: bool,
}

/// The claim: outcomes of at most `heaps` heaps by the letters of their gaps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GapOutcomes {
    letters: Letters,
    /// For each number of heaps from 0 on: bits indexed by the letters of the gaps.
    tables: Vec<Vec<bool>>,
}

/// A proved claim and what its check looked at.
#[derive(Debug, Clone)]
pub struct OrderTheorem {
    /// The proved claim.
    pub claim: GapOutcomes,
    /// Positions at which the Partition Theorem was checked.
    pub positions: u64,
}

impl GapOutcomes {
    /// Number of heaps up to which the claim speaks.
    pub fn heaps(&self) -> usize {
        self.tables.len() - 1
    }

    /// Threshold and period of the gaps.
    pub fn letters(&self) -> Letters {
        self.letters
    }

    /// The claimed outcome of at most [`heaps`](Self::heaps) heaps of any sizes; heaps of 0 are absent.
    ///
    /// `None` if there are too many heaps.
    pub fn is_p(&self, heaps: &[u64]) -> Option<bool> {
        let mut sorted: Vec<u64> = heaps.iter().copied().filter(|&heap| heap > 0).collect();
        sorted.sort_unstable();
        (sorted.len() <= self.heaps()).then(|| self.is_p_sorted(&sorted))
    }

    fn is_p_sorted(&self, heaps: &[u64]) -> bool {
        self.tables[heaps.len()][self.index(heaps)]
    }

    fn index(&self, heaps: &[u64]) -> usize {
        let below = [0].into_iter().chain(heaps.iter().copied());
        heaps
            .iter()
            .zip(below)
            .fold(0, |index, (&heap, below)| index * self.letters.count() + self.letters.of(heap - below))
    }

    /// Solves the folded positions from the rules: an option is looked up at its folded position, which has
    /// no more counters than itself, so the order by counters is an order of solution.
    pub fn solve(game: &OrderGame<'_>, heaps: usize, letters: Letters) -> Result<Self> {
        let size = |heaps: usize, side: usize| (side as u64).checked_pow(heaps as u32);
        if size(heaps, box_side(letters) as usize).is_none_or(|size| size > MAX_POSITIONS) {
            return Err(Error::Budget(format!(
                "{heaps} heaps with {} letters make too many positions; lower the number of heaps",
                letters.count()
            )));
        }
        let tables = (0..=heaps).map(|n| vec![false; letters.count().pow(n as u32)]).collect();
        let mut claim = Self { letters, tables };
        let mut positions: Vec<Vec<u64>> = Vec::new();
        for n in 0..=heaps {
            claim
                .for_each_position(game, n, letters.count() as u64, &mut |position| {
                    positions.push(position.to_vec());
                    Ok::<(), ()>(())
                })
                .ok();
        }
        positions.sort_by_key(|position| position.iter().sum::<u64>());
        for position in positions {
            let index = claim.index(&position);
            claim.tables[position.len()][index] =
                follows_from(game.rules, game.play, &position, &|option| claim.is_p_sorted(option));
        }
        Ok(claim)
    }

    /// Calls `visit` with every position of `n` heaps with gaps below `end`, until it fails.
    fn for_each_position<E>(
        &self,
        game: &OrderGame<'_>,
        n: usize,
        end: u64,
        visit: &mut dyn FnMut(&[u64]) -> Result<(), E>,
    ) -> Result<(), E> {
        if n == 0 {
            return visit(&[]);
        }
        for smallest in 1..end {
            for_each_gaps(n - 1, u64::from(game.distinct), end, &mut |gaps| {
                visit(&from_gaps(smallest, gaps))
            })?;
        }
        Ok(())
    }

    /// The finite check of theorem 3; the number of positions looked at, or a position at which it fails.
    pub fn check(&self, game: &OrderGame<'_>) -> Result<u64, Vec<u64>> {
        let mut looked_at = 0;
        for n in 0..=self.heaps() {
            self.for_each_position(game, n, box_side(self.letters), &mut |position| {
                looked_at += 1;
                let follows =
                    follows_from(game.rules, game.play, position, &|option| self.is_p_sorted(option));
                if self.is_p_sorted(position) == follows { Ok(()) } else { Err(position.to_vec()) }
            })?;
        }
        Ok(looked_at)
    }
}

/// Gaps from here on may be lowered by the period without a change (lemma 4).
fn box_side(letters: Letters) -> u64 {
    2 * (letters.threshold() + letters.period())
}

/// Largest threshold plus period that is tried.
pub const MAX_LETTERS: u64 = 12;

/// Searches the threshold and the period for which the claim is proved, fewest letters first.
///
/// `None` means that nothing with at most `most_letters` letters is a theorem.
pub fn prove_order(
    game: &OrderGame<'_>,
    heaps: usize,
    most_letters: u64,
    control: &Control<'_>,
) -> Result<Option<OrderTheorem>> {
    for count in 2..=most_letters {
        for period in 1..count {
            control.check()?;
            control.observer.doing(&format!("gaps with threshold {} and period {period}", count - period));
            let letters =
                Letters::new(count - period, period).map_err(|malformed| Error::Usage(malformed.0))?;
            if let Some(theorem) = prove_with(game, heaps, letters)? {
                return Ok(Some(theorem));
            }
        }
    }
    Ok(None)
}

/// What fails for fewer heaps fails for more, so small claims weed out the candidates cheaply.
fn prove_with(game: &OrderGame<'_>, heaps: usize, letters: Letters) -> Result<Option<OrderTheorem>> {
    for n in 1..=heaps {
        let claim = GapOutcomes::solve(game, n, letters)?;
        match claim.check(game) {
            Ok(positions) if n == heaps => return Ok(Some(OrderTheorem { claim, positions })),
            Ok(_) => {}
            Err(_) => return Ok(None),
        }
    }
    Ok(None)
}
