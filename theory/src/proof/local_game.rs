//! Games on multisets of heaps whose moves are local inside finitely many slabs.
//!
//! A *slab* is a family of positions: fixed start heaps together with any number of further heaps
//! of at least some size. Inside a slab each heap has its own replacements, whatever the other heaps
//! are, and the options of a position are exactly the positions in which one heap is replaced. This is
//! what makes the finite check of [`super::finite_check`] possible. Every description here is tested
//! against the rules of the game on all small positions.

use std::fmt;

use super::automata::kinds::LocalMoves;
use super::automata::{Budget, Failed};
use super::finite_check::Family;
use super::quotient::Letters;
use crate::base::{Error, Result};
use crate::game::{Game, Kind, Slabs, rule_file};
use crate::rules::notation::rule::Rule;
use crate::rules::{OctalGame, Play, Rules, WrittenRules};

/// What may replace a single heap inside a slab.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Moves {
    /// Take from 1 up to this many counters.
    TakeAtMost(u64),
    /// Lower the heap to one of the sizes `1..bound`; a heap of exactly `vanishing` may also go away.
    LowerBelow {
        /// The heap may become any positive size smaller than this (and smaller than itself).
        bound: u64,
        /// Heaps of this size may be removed.
        vanishing: Option<u64>,
    },
    /// A move of an octal game that takes at least one counter.
    Octal(OctalGame),
}

impl Moves {
    /// Calls `visit` with what a heap of `size` may be replaced by: no heap, one heap or two heaps.
    pub fn replacements(&self, size: u64, visit: &mut dyn FnMut(&[u64])) {
        match self {
            Self::TakeAtMost(most) => (size.saturating_sub(*most)..size).rev().for_each(|rest| match rest {
                0 => visit(&[]),
                rest => visit(&[rest]),
            }),
            Self::LowerBelow { bound, vanishing } => {
                (1..size.min(*bound)).for_each(|to| visit(&[to]));
                if *vanishing == Some(size) {
                    visit(&[]);
                }
            }
            Self::Octal(game) => game.options_of_heap(size, &mut |a, b| match (a, b) {
                (0, _) => visit(&[]),
                (a, 0) => visit(&[a]),
                (a, b) => visit(&[a, b]),
            }),
        }
    }

    /// A size from which on heaps of `size` and `size - period` have the same letter and, as a set,
    /// the same replacements letter by letter (lemma 2 of docs/PROOFS.md).
    pub fn stable_from(&self, letters: Letters) -> u64 {
        let (threshold, period) = (letters.threshold(), letters.period());
        match self {
            Self::TakeAtMost(most) => threshold + period + most,
            Self::LowerBelow { bound, vanishing } => {
                (threshold + period).max(*bound + period).max(vanishing.map_or(0, |size| size + period + 1))
            }
            Self::Octal(game) => 2 * (threshold + period) + game.last_index() as u64,
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

    /// Smallest heap `j` of nimb: a move makes a smaller non-empty heap, or takes away a smallest heap that
    /// is the only one of its size.
    fn nimb(j: u64, several_smallest: bool) -> Self {
        let vanishing = (!several_smallest).then_some(j);
        let moves = Moves::LowerBelow { bound: j, vanishing };
        if several_smallest { Self::uniform(&[j, j], j, moves) } else { Self::uniform(&[j], j + 1, moves) }
    }

    /// One heap of nimtb: nim.
    fn nimtb_alone(heap: u64) -> Self {
        Self { start: vec![(heap, Moves::TakeAtMost(heap))], further: None }
    }

    /// Several heaps of nimtb: the largest one becomes the smallest, and no other heap can move. Further
    /// heaps are not bounded by `largest` here: what is checked about more multisets than there are positions
    /// is still checked.
    fn nimtb(smallest: u64, largest: u64) -> Self {
        let stuck = Moves::LowerBelow { bound: 1, vanishing: None };
        let lower = Moves::LowerBelow { bound: smallest, vanishing: None };
        Self { start: vec![(smallest, stuck.clone()), (largest, lower)], further: Some((smallest, stuck)) }
    }
}

/// A game that consists of slabs, up to positions whose smallest heap is large.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LocalGame {
    /// A game of the catalogue. Positions of nimtb have different heaps; where heaps are equal this is the
    /// game in which a largest heap is made the only smallest one, and no position of different heaps leads
    /// there.
    Slabs(Slabs),
    /// An octal game 0.d1d2…, subtraction games among them.
    Octal(OctalGame),
    /// A rule in which what may become of a heap depends on the heap and on the smallest heap.
    Rule(WrittenRules, LocalMoves),
}

/// The games that are made of slabs, as certificates name them.
const NAMES: [(Slabs, &str); 3] = [(Slabs::Minnie, "minnie"), (Slabs::Nimb, "nimb"), (Slabs::Nimtb, "nimtb")];

/// Largest number of counters that a move of an octal game may take here.
const MAX_TAKE: usize = 64;

impl LocalGame {
    /// The local game that `game` is, or `None` for games without a finite check; octal games beyond it are
    /// an error.
    pub fn of(game: &Game) -> Result<Option<Self>> {
        match game.kind() {
            Kind::Heaps(heaps) => Ok(match heaps.proofs.quotient {
                Some(slabs) => Some(Self::Slabs(slabs)),
                None => rule_file::of_game(game).and_then(Self::rule),
            }),
            Kind::Octal(octal) => Self::octal(octal.clone()).map(Some),
            Kind::Cookie(_) => Ok(None),
        }
    }

    /// The game made of slabs that certificates call `name`.
    pub(super) fn of_slabs(name: &str) -> Option<Self> {
        NAMES.iter().find(|(_, known)| *known == name).map(|&(slabs, _)| Self::Slabs(slabs))
    }

    /// An octal game in which every move takes from 1 to 64 counters.
    pub fn octal(game: OctalGame) -> Result<Self> {
        if !game.is_octal() || game.digits()[0] != 0 || game.last_index() > MAX_TAKE {
            return Err(Error::Usage(format!(
                "{game}: the finite check covers games in which every move takes from 1 to {MAX_TAKE} counters, such as 0.123"
            )));
        }
        Ok(Self::Octal(game))
    }

    /// The game of a rule, if it is local and automata can tell its moves.
    pub fn rule(rule: Rule) -> Option<Self> {
        let moves = rule.is_local().then(|| LocalMoves::new(&rule).ok())??;
        Some(Self::Rule(WrittenRules::new(rule), moves))
    }

    /// The one slab of an octal game.
    fn octal_slab(game: &OctalGame) -> Slab {
        Slab::uniform(&[], 1, Moves::Octal(game.clone()))
    }

    /// The heaps of slabs that together hold every position with a heap and with smallest heap at most
    /// `largest_min`; for games without a cover, every position.
    pub fn families(
        &self,
        largest_min: u64,
        letters: Letters,
        budget: &Budget<'_>,
    ) -> Result<Vec<Family>, Failed> {
        let of_slabs = |slabs: Vec<Slab>| slabs.iter().map(|slab| Family::of_slab(slab, letters)).collect();
        match self {
            Self::Slabs(slabs) => Ok(of_slabs(Self::slabs(*slabs, largest_min, letters))),
            Self::Octal(game) => Ok(of_slabs(vec![Self::octal_slab(game)])),
            Self::Rule(_, moves) => moves.families(letters, budget),
        }
    }

    /// The slabs of the positions with smallest heap at most `largest_min`, up to heaps with the same letter and
    /// the same moves.
    fn slabs(slabs: Slabs, largest_min: u64, letters: Letters) -> Vec<Slab> {
        let smallest = 1..=largest_min;
        match slabs {
            Slabs::Minnie => smallest.map(Slab::minnie).collect(),
            Slabs::Nimb => {
                smallest.flat_map(|j| [false, true].map(|several| Slab::nimb(j, several))).collect()
            }
            Slabs::Nimtb => smallest
                .flat_map(|j| {
                    // The moves of the largest heap do not depend on its size: one size for every letter is
                    // enough.
                    let sizes = j..letters.threshold().max(j) + letters.period();
                    std::iter::once(Slab::nimtb_alone(j))
                        .chain(sizes.map(move |largest| Slab::nimtb(j, largest)))
                })
                .collect(),
        }
    }

    /// The slab that holds a position of sorted, positive heaps; `None` for the empty position and for rules.
    fn slab_of(&self, heaps: &[u64]) -> Option<Slab> {
        let (smallest, largest) = (*heaps.first()?, *heaps.last()?);
        Some(match self {
            Self::Slabs(Slabs::Minnie) => Slab::minnie(smallest),
            Self::Slabs(Slabs::Nimb) => Slab::nimb(smallest, heaps.get(1) == Some(&smallest)),
            Self::Slabs(Slabs::Nimtb) if heaps.len() == 1 => Slab::nimtb_alone(smallest),
            Self::Slabs(Slabs::Nimtb) => Slab::nimtb(smallest, largest),
            Self::Octal(game) => Self::octal_slab(game),
            Self::Rule(..) => return None,
        })
    }

    /// Sizes to which some heap may be lowered whenever all are larger than `largest_min`, where `alone` says
    /// that there is no other heap; `None` for games whose slabs hold every position already.
    pub fn cover_targets(&self, largest_min: u64, alone: bool) -> Option<std::ops::RangeInclusive<u64>> {
        match self {
            Self::Slabs(Slabs::Minnie) => Some(0..=largest_min),
            // Nimb lowers the smallest heap, and takes it away only if no other heap has its size; nimtb
            // lowers the largest heap, and takes it away only if there is no other.
            Self::Slabs(Slabs::Nimb | Slabs::Nimtb) => Some(u64::from(!alone)..=largest_min),
            Self::Octal(_) | Self::Rule(..) => None,
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

impl fmt::Display for LocalGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Slabs(slabs) => {
                NAMES.iter().filter(|(s, _)| s == slabs).try_for_each(|(_, name)| f.write_str(name))
            }
            Self::Octal(game) => write!(f, "octal {game}"),
            Self::Rule(rules, _) => write!(f, "rule {}", rules.rule()),
        }
    }
}

/// The rules of a local game as its slabs give them.
impl Rules for LocalGame {
    type Position = [u32];

    fn options(&self, position: &[u32], visit: &mut dyn FnMut(&[u32])) {
        if let Self::Rule(rules, _) = self {
            return rules.options(position, visit);
        }
        let mut heaps: Vec<u64> =
            position.iter().filter(|&&heap| heap > 0).map(|&heap| heap.into()).collect();
        heaps.sort_unstable();
        let Some(Slab { mut start, further }) = self.slab_of(&heaps) else { return };
        let mut option = position.to_vec();
        for (i, &heap) in position.iter().enumerate().filter(|&(_, &heap)| heap > 0) {
            let size = u64::from(heap);
            // A start heap moves as the slab says for it, any other heap as further heaps do.
            let own = start.iter().position(|(start, _)| *start == size).map(|at| start.swap_remove(at).1);
            if let Some(moves) = own.as_ref().or(further.as_ref().map(|(_, moves)| moves)) {
                moves.replacements(size, &mut |parts| {
                    option[i] = parts.first().map_or(0, |&part| part as u32);
                    option.extend(parts.get(1).map(|&part| part as u32));
                    visit(&option);
                    option.truncate(position.len());
                });
                option[i] = heap;
            }
        }
    }
}
