//! Games on multisets of heaps whose moves are local inside finitely many slabs.
//!
//! A *slab* is a family of positions: fixed start heaps together with any number of further heaps
//! of at least some size. Inside a slab each heap has its own replacements, whatever the other heaps
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

/// Start heaps, any further heaps of at least some size, and how each of them may move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slab {
    /// Heaps that every position of the slab has, each with its own moves.
    pub start: Vec<(u64, Moves)>,
    /// The least size of further heaps, at least 1, and their moves; `None` where there are no further heaps.
    pub further: Option<(u64, Moves)>,
}

impl Slab {
    /// The start heaps and any further heaps of at least `floor`, all with the same moves.
    fn uniform(start: &[u64], floor: u64, moves: Moves) -> Self {
        let start = start.iter().map(|&heap| (heap, moves.clone())).collect();
        Self { start, further: Some((floor, moves)) }
    }

    /// Smallest heap `j` of minnie: no heap is below `j`, and each may lose `1..=j`.
    fn minnie(j: u64) -> Self {
        Self::uniform(&[j], j, Moves::TakeAtMost(j))
    }

    /// Smallest heap `j` of nimb: a move makes a smaller non-empty heap, or takes away a smallest heap that is the only one of
    /// its size.
    fn nimb(j: u64, several_smallest: bool) -> Self {
        let vanishing = (!several_smallest).then_some(j);
        let moves = Moves::LowerBelow { bound: j, vanishing };
        if several_smallest { Self::uniform(&[j, j], j, moves) } else { Self::uniform(&[j], j + 1, moves) }
    }

    /// One heap of nimtb: nim.
    fn nimtb_alone(heap: u64) -> Self {
        Self { start: vec![(heap, Moves::TakeAtMost(heap))], further: None }
    }

    /// Several heaps of nimtb: the largest one becomes the smallest, and no other heap can move. Further heaps are not
    /// bounded by `largest` here: what is checked about more multisets than there are positions is still checked.
    fn nimtb(smallest: u64, largest: u64) -> Self {
        let stuck = Moves::TakeOneOf(Vec::new());
        let lower = Moves::LowerBelow { bound: smallest, vanishing: None };
        Self { start: vec![(smallest, stuck.clone()), (largest, lower)], further: Some((smallest, stuck)) }
    }
}

/// A game that consists of slabs, up to positions whose smallest heap is large.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LocalGame {
    /// Take at most the smallest heap from one heap.
    Minnie,
    /// Nim in which every move must change the size of the smallest heap.
    Nimb,
    /// Nim on different heaps in which every move must change the smallest and the largest heap. Where heaps are equal,
    /// which the game forbids, this is the game in which a largest heap is made the only smallest one; no position
    /// of different heaps leads there.
    Nimtb,
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
    /// `largest_min`, up to heaps with the same letter and the same moves; for games without a cover, every position.
    pub fn slabs(&self, largest_min: u64, letters: Letters) -> Vec<Slab> {
        let smallest = 1..=largest_min;
        match self {
            Self::Minnie => smallest.map(Slab::minnie).collect(),
            Self::Nimb => {
                smallest.flat_map(|j| [false, true].map(|several| Slab::nimb(j, several))).collect()
            }
            Self::Nimtb => smallest
                .flat_map(|j| {
                    // The moves of the largest heap do not depend on its size: one size for every letter is enough.
                    let sizes = j..letters.threshold().max(j) + letters.period();
                    std::iter::once(Slab::nimtb_alone(j))
                        .chain(sizes.map(move |largest| Slab::nimtb(j, largest)))
                })
                .collect(),
            Self::Subtraction(amounts) => vec![Slab::uniform(&[], 1, Moves::TakeOneOf(amounts.clone()))],
            Self::Octal(digits) => vec![Slab::uniform(&[], 1, Moves::Octal(digits.clone()))],
        }
    }

    /// The slab that holds a position of sorted, positive heaps; `None` for the empty position.
    fn slab_of(&self, heaps: &[u64]) -> Option<Slab> {
        let (smallest, largest) = (*heaps.first()?, *heaps.last()?);
        Some(match self {
            Self::Minnie => Slab::minnie(smallest),
            Self::Nimb => Slab::nimb(smallest, heaps.get(1) == Some(&smallest)),
            Self::Nimtb if heaps.len() == 1 => Slab::nimtb_alone(smallest),
            Self::Nimtb => Slab::nimtb(smallest, largest),
            Self::Subtraction(amounts) => Slab::uniform(&[], 1, Moves::TakeOneOf(amounts.clone())),
            Self::Octal(digits) => Slab::uniform(&[], 1, Moves::Octal(digits.clone())),
        })
    }

    /// Sizes to which some heap may be lowered whenever all are larger than `largest_min`, where `alone` says that
    /// there is no other heap; `None` for games whose slabs hold every position already.
    pub fn cover_targets(&self, largest_min: u64, alone: bool) -> Option<std::ops::RangeInclusive<u64>> {
        match self {
            Self::Minnie => Some(0..=largest_min),
            // Nimb lowers the smallest heap, and takes it away only if no other heap has its size; nimtb lowers the
            // largest heap, and takes it away only if there is no other.
            Self::Nimb | Self::Nimtb => Some(u64::from(!alone)..=largest_min),
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
}

impl LocalRules {
    /// Rules of `game`, or `None` if it splits heaps.
    pub fn new(game: LocalGame) -> Option<Self> {
        let splits = matches!(&game, LocalGame::Octal(digits) if digits.iter().any(|digit| digit & 4 != 0));
        (!splits).then_some(Self { game })
    }
}

impl Rules for LocalRules {
    type Position = [u32];

    fn options(&self, position: &[u32], visit: &mut dyn FnMut(&[u32])) {
        let mut heaps: Vec<u64> =
            position.iter().filter(|&&heap| heap > 0).map(|&heap| heap.into()).collect();
        heaps.sort_unstable();
        let Some(slab) = self.game.slab_of(&heaps) else { return };
        let mut option = position.to_vec();
        let mut start = slab.start;
        for i in 0..position.len() {
            let size = u64::from(position[i]);
            // A start heap moves as the slab says for it, any other heap as further heaps do.
            let own = start.iter().position(|(heap, _)| *heap == size).map(|at| start.swap_remove(at).1);
            let moves = own.or_else(|| slab.further.as_ref().map(|(_, moves)| moves.clone()));
            if let Some(moves) = moves.filter(|_| size > 0) {
                moves.replacements(size, &mut |parts| {
                    option[i] = parts.first().map_or(0, |&part| part as u32);
                    visit(&option);
                });
                option[i] = position[i];
            }
        }
    }
}
