//! What can be proved about a game, and which way.

use super::automata::{Attempt, AutomaticTheorem, Numeration, Wanted, prove_automatic};
use super::fixed_heaps::{FixedBounds, GapGame, prove_fixed};
use super::local_game::LocalGame;
use super::octal_period::prove_regularity;
use super::order_games::{MAX_LETTERS, OrderGame, prove_order};
use super::quotient::Letters;
use super::theorem::{ROUNDS, Source, Verdict, explore, prove_local};
use crate::analysis::{PeriodRun, PeriodSearch};
use crate::base::{Control, Error, Result};
use crate::game::theory::regularity::Regularity;
use crate::game::{self, Game, Gaps, HeapGame, Kind, Notation, Parameters, rule_file};
use crate::rules::{OctalGame, Play};
use crate::sweep::kernel::octal::EngineOptions;

/// Most heaps of a theorem by gaps: the box of gaps grows with every heap.
const MAX_HEAPS: usize = 6;

/// Heaps of a theorem by gaps where none were asked for.
const DEFAULT_HEAPS: usize = 3;

/// The digits that are tried where none were asked for.
pub const DIGITS: [Numeration; 3] = [Numeration::Base(2), Numeration::Zeckendorf, Numeration::Base(3)];

/// Terms after which the search for the period of a rule gives up.
pub const PERIOD_TERMS: u64 = 1 << 20;

/// Larger than every heap that a proof by gaps looks at.
const LARGEST_HEAP: u32 = 1 << 12;

/// A way to a statement about all heap sizes of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Way {
    /// A finite quotient, for any number of heaps (theorem 1); it can be written as a certificate.
    Quotient(LocalGame),
    /// The gaps between this many heaps (theorems 2 and 3).
    Gaps(Gaps, usize),
    /// Automata that read so many heaps digit by digit: see [`prove_by_automata`].
    Automata(usize),
    /// The period of its nim-sequence, for a rule that is an octal game whose heaps split.
    Period(OctalGame),
    /// No finite check covers the moves: only how the classes of small positions grow is looked at.
    Classes,
}

/// A proved statement about a fixed number of heaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GapTheorem {
    /// Threshold and period of the gaps.
    pub letters: Letters,
    /// The bound on the smallest heap of a P-position, where the theorem has one.
    pub largest_min: Option<u64>,
    /// Positions of the finite check.
    pub positions: u64,
}

/// What became of an attempt to prove something about all heap sizes.
#[derive(Debug, Clone)]
pub enum Proof {
    /// About any number of heaps.
    Quotient(Verdict),
    /// About at most so many heaps; `None` where nothing within the bounds of the search is a theorem.
    Gaps(Gaps, usize, Option<GapTheorem>),
    /// About at most so many heaps, by automata; the last attempt may be a theorem.
    Automata(usize, Attempts),
    /// About the values of single heaps, and so of any number of heaps, which are their sum.
    Period(PeriodRun, Option<Regularity>),
}

impl Way {
    /// The way for `game`: for at most `heaps` heaps, or for any number of them where that is possible.
    pub fn of(game: &Game, heaps: Option<usize>) -> Result<Self> {
        if let Kind::Heaps(on_heaps) = game.kind() {
            if let (Some(octal), None) = (split_octal(on_heaps), heaps) {
                return Ok(match game.play() {
                    Play::Normal => Self::Period(octal),
                    Play::Misere => Self::Quotient(LocalGame::octal(octal)?),
                });
            }
            check_any_heaps(game, on_heaps)?;
            return match (heaps, on_heaps.proofs.gaps) {
                (Some(heaps), Some(gaps)) if (1..=MAX_HEAPS).contains(&heaps) => Ok(Self::Gaps(gaps, heaps)),
                (Some(heaps), Some(_)) => Err(heaps_out_of_range(heaps)),
                (Some(heaps), None) if rule_file::of_game(game).is_some() => Ok(Self::Automata(heaps)),
                (Some(_), None) => Err(no_gaps(game)),
                (None, gaps) => Ok(match (LocalGame::of(game)?, gaps) {
                    (Some(local), _) => Self::Quotient(local),
                    // Positions are not closed under adding heaps, so there is no quotient of all multisets
                    // to look for.
                    (None, Some(gaps)) if on_heaps.distinct => Self::Gaps(gaps, DEFAULT_HEAPS),
                    (None, _) => Self::Classes,
                }),
            };
        }
        match (LocalGame::of(game)?, heaps) {
            (Some(local), None) => Ok(Self::Quotient(local)),
            (Some(_), Some(_)) => Err(no_gaps(game)),
            (None, _) => Err(game.entry().not_on_heaps()),
        }
    }
}

/// Proves what can be proved about `game`, see [`Way::of`].
pub fn prove(game: &Game, heaps: Option<usize>, control: &Control<'_>) -> Result<Proof> {
    match Way::of(game, heaps)? {
        Way::Quotient(local) => Ok(Proof::Quotient(prove_local(&local, game.play(), control)?)),
        Way::Gaps(gaps, heaps) => Ok(Proof::Gaps(gaps, heaps, prove_by_gaps(game, gaps, heaps, control)?)),
        Way::Automata(heaps) => {
            let attempts = prove_by_automata(game, heaps, &DIGITS, 0, None, control)?;
            Ok(Proof::Automata(heaps, attempts))
        }
        Way::Period(octal) => {
            let search = PeriodSearch {
                game: octal,
                most_terms: PERIOD_TERMS,
                most_time: control.remaining(),
                engine: EngineOptions::default(),
            };
            let (run, proved) = prove_regularity(&search, control)?;
            Ok(Proof::Period(run, proved))
        }
        Way::Classes => Ok(Proof::Quotient(look_at_classes(game, control)?)),
    }
}

/// How the classes of small positions grow, where no finite check covers the moves; never a theorem.
pub fn look_at_classes(game: &Game, control: &Control<'_>) -> Result<Verdict> {
    let largest = ROUNDS.iter().map(|round| round.wide_max).max().unwrap_or(0);
    let rules = game.on_heaps()?.rules(largest)?;
    explore(&Source::Table(&*rules, game.play()), &ROUNDS, control, &mut |_| {
        Err("the classes close, but no finite check covers the moves of this game".into())
    })
}

/// What became of the digits that were tried, in turn.
pub type Attempts = Vec<(Numeration, Attempt)>;

/// Looks for automata that accept the positions of each value up to `largest_value`, with one kind of digits
/// after the other until one of them gives a theorem.
pub fn prove_by_automata(
    game: &Game,
    heaps: usize,
    digits: &[Numeration],
    largest_value: u32,
    smallest: Option<u32>,
    control: &Control<'_>,
) -> Result<Attempts> {
    let Some(rule) = rule_file::of_game(game) else {
        return Err(Error::Usage(format!(
            "{}: automata are made from rules in one line (docs/RULES.md), and this game has none",
            game.name()
        )));
    };
    if largest_value > 0 && game.play() == Play::Misere {
        return Err(Error::Usage("--value: in misère play positions have no values".into()));
    }
    if !(1..=MAX_HEAPS).contains(&heaps) {
        return Err(heaps_out_of_range(heaps));
    }
    let mut attempts = Vec::new();
    for &numeration in digits {
        let wanted = Wanted { game, rule: &rule, heaps, numeration, largest_value, smallest };
        let attempt = prove_automatic(&wanted, control)?;
        let proved = matches!(attempt, Attempt::Proved(_));
        attempts.push((numeration, attempt));
        if proved {
            break;
        }
    }
    Ok(attempts)
}

/// The theorem among the attempts, if there is one.
pub fn proved(attempts: &Attempts) -> Option<(Numeration, &AutomaticTheorem)> {
    attempts.iter().find_map(|(digits, attempt)| match attempt {
        Attempt::Proved(theorem) => Some((*digits, &**theorem)),
        Attempt::Open { .. } => None,
    })
}

fn heaps_out_of_range(heaps: usize) -> Error {
    Error::Usage(format!("--heaps {heaps}: the number of heaps must be from 1 to {MAX_HEAPS}"))
}

/// Proves, if it can, that who wins depends on the gaps between at most `heaps` heaps.
pub fn prove_by_gaps(
    game: &Game,
    gaps: Gaps,
    heaps: usize,
    control: &Control<'_>,
) -> Result<Option<GapTheorem>> {
    let on_heaps = game.on_heaps()?;
    let (rules, play, distinct) = (&*on_heaps.rules(LARGEST_HEAP)?, game.play(), on_heaps.distinct);
    Ok(match gaps {
        Gaps::Bounded => {
            prove_fixed(&GapGame { rules, play, distinct }, heaps, FixedBounds::default(), control)?.map(
                |theorem| GapTheorem {
                    letters: theorem.claim.letters(),
                    largest_min: Some(theorem.claim.largest_min()),
                    positions: theorem.positions,
                },
            )
        }
        Gaps::Order => {
            prove_order(&OrderGame { rules, play, distinct }, heaps, MAX_LETTERS, control)?.map(|theorem| {
                GapTheorem {
                    letters: theorem.claim.letters(),
                    largest_min: None,
                    positions: theorem.positions,
                }
            })
        }
    })
}

/// The octal game that a rule is whose moves split heaps.
fn split_octal(on_heaps: &HeapGame) -> Option<OctalGame> {
    on_heaps.written.as_ref().filter(|rules| rules.rule().splits()).and_then(|rules| rules.octal())
}

/// Refuses games whose positions are not any number of heaps of any sizes.
fn check_any_heaps(game: &Game, on_heaps: &HeapGame) -> Result<()> {
    if on_heaps.splits() {
        return Err(Error::Usage(
            "a move of this rule may split a heap, and the theorems are about games that only take; `nimwave prove octal CODE` and `nimwave period octal CODE` know games that split by an octal code".into(),
        ));
    }
    match on_heaps.notation {
        Notation::Sizes if on_heaps.most_heaps.is_none() => Ok(()),
        _ => Err(Error::Usage(format!(
            "{}: theorems are about games that only take from heaps, any number of them of any sizes",
            game.name()
        ))),
    }
}

fn no_gaps(game: &Game) -> Error {
    let mut names = Vec::new();
    for entry in game::all() {
        let game = Game::of(entry, &Parameters::new());
        if game.is_ok_and(|game| game.on_heaps().is_ok_and(|heaps| heaps.proofs.gaps.is_some())) {
            names.push(entry.name);
        }
    }
    Error::Usage(format!("--heaps works for {}, not for {}; leave it out", names.join(", "), game.name()))
}
