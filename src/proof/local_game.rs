//! Games on multisets of heaps whose moves are local inside finitely many slabs.
//!
//! A *slab* is a family of positions: fixed start heaps together with any number of further heaps
//! of at least `floor`. Inside a slab each heap has its own replacements, whatever the other heaps
//! are, and the options of a position are exactly the positions in which one heap is replaced. This is
//! what makes the finite check of [`super::finite_check`] possible. Every description here is tested
//! against the rules of the game on all small positions.

use super::quotient::Letters;
use crate::rules::{Play, Rules};

/// What may replace a single heap inside a slab.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Moves {
    /// Take from 1 up to this many counters.
    TakeAtMost(u64),
    /// Take one of these numbers of counters (sorted, positive).
    TakeOneOf(Vec<u64>),
    /// Lower the heap to one of the sizes `1..bound`; a heap of exactly `vanishing` may also go away.
    LowerBelow {
        /// The heap may become any positive size smaller than this (and smaller than itself).
        bound: u64,
        /// Heaps of this size may be removed.
        vanishing: Option<u64>,
    },
    /// Take `i >= 1` counters as the octal digit `digits[i - 1]` says: bit 0 the whole heap, bit 1
    /// leaving one heap, bit 2 leaving two heaps.
    Octal(Vec<u8>),
}

impl Moves {
    /// Calls `visit` with what a heap of `size` may be replaced by: no heap, one heap or two heaps.
    pub fn replacements(&self, size: u64, visit: &mut dyn FnMut(&[u64])) {
        let leave = |rest: u64, visit: &mut dyn FnMut(&[u64])| {
            if rest == 0 { visit(&[]) } else { visit(&[rest]) }
        };
        match self {
            Self::TakeAtMost(most) => (1..=size.min(*most)).for_each(|taken| leave(size - taken, visit)),
            Self::TakeOneOf(amounts) => {
                amounts.iter().filter(|&&taken| taken <= size).for_each(|&taken| leave(size - taken, visit))
            }
            Self::LowerBelow { bound, vanishing } => {
                (1..size.min(*bound)).for_each(|to| visit(&[to]));
                if *vanishing == Some(size) {
                    visit(&[]);
                }
            }
            Self::Octal(digits) => {
                for (taken, digit) in (1u64..).zip(digits).take_while(|&(taken, _)| taken <= size) {
                    let rest = size - taken;
                    if digit & 1 != 0 && rest == 0 {
                        visit(&[]);
                    }
                    if digit & 2 != 0 && rest > 0 {
                        visit(&[rest]);
                    }
                    if digit & 4 != 0 {
                        (1..=rest / 2).for_each(|part| visit(&[part, rest - part]));
                    }
                }
            }
        }
    }

    /// A size from which on heaps of `size` and `size - period` have the same letter and, as a set,
    /// the same replacements letter by letter (lemma 2 of docs/PROOFS.md).
    pub fn stable_from(&self, letters: Letters) -> u64 {
        let (threshold, period) = (letters.threshold(), letters.period());
        match self {
            Self::TakeAtMost(most) => threshold + period + most,
            Self::TakeOneOf(amounts) => threshold + period + amounts.last().copied().unwrap_or(0),
            Self::LowerBelow { bound, vanishing } => {
                (threshold + period).max(*bound + period).max(vanishing.map_or(0, |size| size + period + 1))
            }
            Self::Octal(digits) => 2 * (threshold + period) + digits.len() as u64,
        }
    }
}

/// Start heaps, any further heaps of at least `floor`, and how each of them may move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slab {
    /// Heaps that every position of the slab has.
    pub start: Vec<u64>,
    /// Least size of the further heaps, at least 1.
    pub floor: u64,
    /// The moves of each heap.
    pub moves: Moves,
}

/// A game that consists of slabs, up to positions whose smallest heap is large.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LocalGame {
    /// Take at most the smallest heap from one heap.
    Minnie,
    /// Nim in which every move must change the size of the smallest heap.
    Nimb,
    /// Take one of these numbers from one heap.
    Subtraction(Vec<u64>),
    /// An octal game `0.d1d2...`.
    Octal(Vec<u8>),
}

/// Largest number of counters that a subtraction or octal move may take here.
const MAX_TAKE: u64 = 64;

impl LocalGame {
    /// A subtraction game; the amounts must be between 1 and 64 and are sorted here.
    pub fn subtraction(mut amounts: Vec<u64>) -> Result<Self, String> {
        amounts.sort_unstable();
        amounts.dedup();
        match (amounts.first(), amounts.last()) {
            (Some(&least), Some(&most)) if least >= 1 && most <= MAX_TAKE => Ok(Self::Subtraction(amounts)),
            _ => Err(format!("subtraction set {amounts:?}: give amounts from 1 to {MAX_TAKE}")),
        }
    }

    /// An octal game `0.d1d2...`; trailing zero digits are dropped.
    pub fn octal(mut digits: Vec<u8>) -> Result<Self, String> {
        while digits.last() == Some(&0) {
            digits.pop();
        }
        if digits.is_empty() || digits.len() as u64 > MAX_TAKE || digits.iter().any(|&digit| digit > 7) {
            return Err(format!(
                "octal digits {digits:?}: give 1 to {MAX_TAKE} digits from 0 to 7, not all 0"
            ));
        }
        Ok(Self::Octal(digits))
    }

    /// The slabs that together hold every position with a heap and with smallest heap at most
    /// `largest_min`; for games without a cover, every position.
    pub fn slabs(&self, largest_min: u64) -> Vec<Slab> {
        match self {
            // Smallest heap j: no heap is below j, and each may lose 1..=j.
            Self::Minnie => (1..=largest_min)
                .map(|j| Slab { start: vec![j], floor: j, moves: Moves::TakeAtMost(j) })
                .collect(),
            // Smallest heap j: a move makes a smaller non-empty heap, or takes away a smallest heap that
            // is the only one of its size.
            Self::Nimb => (1..=largest_min)
                .flat_map(|j| {
                    [
                        Slab {
                            start: vec![j],
                            floor: j + 1,
                            moves: Moves::LowerBelow { bound: j, vanishing: Some(j) },
                        },
                        Slab {
                            start: vec![j, j],
                            floor: j,
                            moves: Moves::LowerBelow { bound: j, vanishing: None },
                        },
                    ]
                })
                .collect(),
            Self::Subtraction(amounts) => {
                vec![Slab { start: vec![], floor: 1, moves: Moves::TakeOneOf(amounts.clone()) }]
            }
            Self::Octal(digits) => {
                vec![Slab { start: vec![], floor: 1, moves: Moves::Octal(digits.clone()) }]
            }
        }
    }

    /// The slab that holds a position of sorted, positive heaps.
    fn slab_of(&self, heaps: &[u64]) -> Option<Slab> {
        let smallest = heaps.first().copied().unwrap_or(1);
        let mut slabs = self.slabs(smallest);
        if *self == Self::Nimb && heaps.get(1) != Some(&smallest) {
            // The last but one slab is that of a single smallest heap.
            slabs.pop();
        }
        slabs.pop()
    }

    /// Sizes to which the smallest heap may be lowered whenever it is larger than `largest_min`, where `alone`
    /// says that there is no other heap; `None` for games whose slabs hold every position already.
    pub fn cover_targets(&self, largest_min: u64, alone: bool) -> Option<std::ops::RangeInclusive<u64>> {
        match self {
            Self::Minnie => Some(0..=largest_min),
            // Taking away the smallest heap is legal only if no other heap has its size.
            Self::Nimb => Some(u64::from(!alone)..=largest_min),
            Self::Subtraction(_) | Self::Octal(_) => None,
        }
    }

    /// Whether positions with a large smallest heap are settled by a cover instead of slabs.
    pub fn needs_cover(&self) -> bool {
        self.cover_targets(0, true).is_some()
    }

    /// Whether the empty position is accepted: who cannot move loses in normal play.
    pub fn accepts_terminal(play: Play) -> bool {
        play == Play::Normal
    }
}

/// The rules of a local game that never splits a heap, as its slabs give them.
#[derive(Debug, Clone)]
pub struct LocalRules {
    game: LocalGame,
    play: Play,
}

impl LocalRules {
    /// Rules of `game`, or `None` if it splits heaps.
    pub fn new(game: LocalGame, play: Play) -> Option<Self> {
        let splits = matches!(&game, LocalGame::Octal(digits) if digits.iter().any(|digit| digit & 4 != 0));
        (!splits).then_some(Self { game, play })
    }
}

impl Rules for LocalRules {
    type Position = [u32];

    fn play(&self) -> Play {
        self.play
    }

    fn options(&self, position: &[u32], visit: &mut dyn FnMut(&[u32])) {
        let mut heaps: Vec<u64> =
            position.iter().filter(|&&heap| heap > 0).map(|&heap| heap.into()).collect();
        heaps.sort_unstable();
        let Some(slab) = self.game.slab_of(&heaps) else { return };
        let mut option = position.to_vec();
        for i in 0..position.len() {
            if position[i] > 0 {
                slab.moves.replacements(position[i].into(), &mut |parts| {
                    option[i] = parts.first().map_or(0, |&part| part as u32);
                    visit(&option);
                });
                option[i] = position[i];
            }
        }
    }
}
