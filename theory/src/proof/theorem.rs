//! Quotients: learn in rounds of growing tables until a candidate passes the finite check.

use super::certificate::Certificate;
use super::closed_form::ClosedForm;
use super::corollaries::{self, Corollary};
use super::finite_check::{Checked, check};
use super::learn::{Learned, LearningTable, Outcomes, different_heaps, learn_classes, learn_letters};
use super::local_game::LocalGame;
use super::misere;
use super::quotient::Quotient;
use super::searched_outcomes::SearchedOutcomes;
use crate::base::{Control, Result};
use crate::game::Slabs;
use crate::rules::{HeapRules, OctalGame, Play};

/// How large the tables of one round are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Round {
    /// Heaps of the table from which threshold and period are read.
    pub wide_heaps: usize,
    /// Largest heap of that table.
    pub wide_max: u32,
    /// Heaps of the table from which the classes are read; its largest heap is the last letter.
    pub deep_heaps: usize,
    /// Heaps of the contexts that tell classes apart.
    pub context: usize,
}

/// The rounds that `prove` goes through: each costs some ten times the one before.
pub const ROUNDS: [Round; 4] = [
    Round { wide_heaps: 3, wide_max: 32, deep_heaps: 6, context: 2 },
    Round { wide_heaps: 4, wide_max: 32, deep_heaps: 8, context: 3 },
    Round { wide_heaps: 4, wide_max: 48, deep_heaps: 9, context: 3 },
    Round { wide_heaps: 4, wide_max: 64, deep_heaps: 10, context: 4 },
];

/// The rounds for games that split heaps, whose outcomes are searched instead of tabled.
pub const SPLITTING_ROUNDS: [Round; 3] = [
    Round { wide_heaps: 2, wide_max: 16, deep_heaps: 6, context: 2 },
    Round { wide_heaps: 3, wide_max: 16, deep_heaps: 7, context: 3 },
    Round { wide_heaps: 3, wide_max: 20, deep_heaps: 8, context: 3 },
];

/// Largest table of a round, in positions.
const MAX_TABLE: u64 = 12_000_000;

/// Classes beyond which a candidate is given up.
const MAX_LEARNED_CLASSES: usize = 2000;

/// What a round says that was cut short.
const OUT_OF_TIME: &str = "the time was up";

/// What one round saw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// The largest heap of the round.
    pub max: u32,
    /// Heaps of the longest positions that were looked at; `None` where it is any number of them.
    pub heaps: Option<usize>,
    /// Threshold and period, if the table showed any.
    pub letters: Option<(u64, u64)>,
    /// Classes seen; only those of single heaps where the table showed no period.
    pub classes: usize,
    /// Whether the classes closed under adding heaps.
    pub closed: bool,
    /// Why the round did not give a theorem; empty if it did.
    pub problem: String,
}

/// A theorem: a certificate whose finite check has been done.
#[derive(Debug, Clone)]
pub struct Theorem {
    /// The checked certificate.
    pub certificate: Certificate,
    /// What the check visited.
    pub checked: Checked,
}

impl Theorem {
    /// The statements of the literature that the theorem decides.
    pub fn corollaries(&self) -> Vec<Corollary> {
        corollaries::of(&self.certificate)
    }

    /// The theorem in words, where there are words for it: a description of minnie by its smallest heaps.
    pub fn closed_form(&self) -> Option<ClosedForm> {
        let Certificate { game, quotient, .. } = &self.certificate;
        match (game, self.checked.largest_min) {
            (LocalGame::Slabs(Slabs::Minnie), Some(m)) => ClosedForm::search(quotient, m),
            _ => None,
        }
    }
}

/// The result of the rounds: perhaps a theorem, and in any case what each round saw.
#[derive(Debug, Clone)]
pub struct Verdict {
    /// The theorem, if one was found.
    pub theorem: Option<Theorem>,
    /// The rounds.
    pub attempts: Vec<Attempt>,
}

/// Where a round takes its outcomes from.
pub enum Source<'a> {
    /// Rules that only subtract: a dense table is solved.
    Table(&'a HeapRules, Play),
    /// Rules that may split heaps: outcomes are searched and remembered.
    Search(&'a HeapRules, Play),
}

impl Source<'_> {
    fn outcomes(&self, heaps: usize, max: u32, control: &Control<'_>) -> Result<Box<dyn Outcomes + '_>> {
        Ok(match self {
            Self::Table(rules, play) => Box::new(LearningTable::solve(*rules, *play, heaps, max, control)?),
            Self::Search(rules, play) => Box::new(SearchedOutcomes::new(*rules, *play, heaps, max)),
        })
    }
}

/// Tries to prove a finite quotient for `game`, whose outcomes are those of its slabs.
pub fn prove_local(game: &LocalGame, play: Play, control: &Control<'_>) -> Result<Verdict> {
    match game {
        LocalGame::Octal(octal) if play == Play::Misere && !octal.unequal_parts() => {
            prove_misere(octal, game, control)
        }
        LocalGame::Octal(octal) if octal.splits() => {
            prove_quotient(game, play, &Source::Search(octal, play), &SPLITTING_ROUNDS, control)
        }
        _ => prove_quotient(game, play, &Source::Table(game, play), &ROUNDS, control),
    }
}

/// Tries to prove the misère quotient of an octal game. What [`misere::solve()`] proves is checked once
/// more, as every quotient is.
fn prove_misere(octal: &OctalGame, game: &LocalGame, control: &Control<'_>) -> Result<Verdict> {
    let solution = misere::solve(octal, misere::Extent::default(), control)?;
    let mut attempt = Attempt {
        max: solution.heap as u32,
        heaps: None,
        letters: solution.period().map(|period| (period.preperiod as u64, period.period as u64)),
        classes: solution.monoid.order(),
        closed: true,
        problem: match &solution.end {
            misere::End::Proved(_) => String::new(),
            misere::End::Asked => "the elements of the heaps do not repeat long enough".into(),
            misere::End::Limit(why) => why.clone(),
        },
    };
    let theorem = match solution.as_quotient() {
        Ok(None) => None,
        Ok(Some(candidate)) => match judge(game, Play::Misere, candidate, control) {
            Ok(theorem) => Some(theorem),
            Err(problem) => {
                control.check()?;
                attempt.problem = problem;
                None
            }
        },
        Err(malformed) => {
            attempt.problem = malformed.0;
            None
        }
    };
    Ok(Verdict { theorem, attempts: vec![attempt] })
}

/// The theorem that a candidate is, or why it is none.
fn judge(
    game: &LocalGame,
    play: Play,
    candidate: Quotient,
    control: &Control<'_>,
) -> Result<Theorem, String> {
    control.observer.doing(&format!("checks a quotient with {} classes", candidate.classes()));
    let checked = check(&candidate, game, play, None, control).map_err(|refuted| refuted.to_string())?;
    let largest_min = checked.largest_min.filter(|_| game.needs_cover());
    let certificate = Certificate { game: game.clone(), play, quotient: candidate, largest_min };
    Ok(Theorem { certificate, checked })
}

/// Tries to prove a finite quotient for `game`, whose outcomes come from `source`.
///
/// `source` only feeds the guess: a wrong source can make the proof fail, never prove something false.
pub fn prove_quotient(
    game: &LocalGame,
    play: Play,
    source: &Source<'_>,
    rounds: &[Round],
    control: &Control<'_>,
) -> Result<Verdict> {
    explore(source, rounds, control, &mut |candidate| judge(game, play, candidate, control))
}

/// Runs the rounds; `judge` turns a closed candidate into a theorem or says why it is none. A round that is
/// out of time is the last one.
pub fn explore(
    source: &Source<'_>,
    rounds: &[Round],
    control: &Control<'_>,
    judge: &mut dyn FnMut(Quotient) -> Result<Theorem, String>,
) -> Result<Verdict> {
    let mut attempts = Vec::new();
    for &round in rounds {
        let mut attempt = Attempt {
            max: round.wide_max,
            heaps: Some(round.wide_heaps),
            letters: None,
            classes: 0,
            closed: false,
            problem: String::new(),
        };
        match run_round(source, round, &mut attempt, control) {
            Err(_) if control.stopped() && !control.is_interrupted() => attempt.problem = OUT_OF_TIME.into(),
            Err(problem) => return Err(problem),
            Ok(Ok(candidate)) => match judge(candidate) {
                Ok(theorem) => {
                    attempts.push(attempt);
                    return Ok(Verdict { theorem: Some(theorem), attempts });
                }
                Err(problem) => attempt.problem = problem,
            },
            Ok(Err(problem)) => attempt.problem = problem,
        }
        attempts.push(attempt);
        match control.check() {
            Err(problem) if control.is_interrupted() => return Err(problem),
            Err(_) => break,
            Ok(()) => {}
        }
    }
    Ok(Verdict { theorem: None, attempts })
}

/// One round: a closed candidate, or why there is none.
fn run_round(
    source: &Source<'_>,
    round: Round,
    attempt: &mut Attempt,
    control: &Control<'_>,
) -> Result<std::result::Result<Quotient, String>> {
    let doing = |text: String| control.observer.doing(&text);
    doing(format!("outcomes of {} heaps up to {}", round.wide_heaps, round.wide_max));
    let wide = source.outcomes(round.wide_heaps, round.wide_max, control)?;
    let Some(letters) = learn_letters(wide.as_ref()) else {
        attempt.classes = different_heaps(wide.as_ref());
        return Ok(Err(format!(
            "{} of the sizes 0 to {} are different, and no threshold and period fit them",
            attempt.classes, round.wide_max
        )));
    };
    attempt.letters = Some((letters.threshold(), letters.period()));
    let last = (letters.count() - 1) as u32;
    let mut heaps = round.deep_heaps;
    while heaps > round.context + 1
        && crate::space::SortedHeaps::count(heaps, last.max(1)).is_none_or(|count| count > MAX_TABLE)
    {
        heaps -= 1;
    }
    attempt.heaps = Some(heaps);
    doing(format!("outcomes of {heaps} heaps up to {last}"));
    let deep = source.outcomes(heaps, last.max(1), control)?;
    doing(format!(
        "classes of {heaps} heaps with threshold {} and period {}",
        letters.threshold(),
        letters.period()
    ));
    Ok(match learn_classes(deep.as_ref(), letters, round.context, MAX_LEARNED_CLASSES, control)? {
        Learned::Closed(candidate) => {
            attempt.classes = candidate.classes();
            attempt.closed = true;
            Ok(candidate)
        }
        Learned::Open { classes, heaps } => {
            attempt.classes = classes;
            Err(format!("still new classes at {heaps} heaps"))
        }
    })
}
