//! `nimwave prove`: statements for all heap sizes, and for all heap counts where a finite quotient exists.

use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::{Value, json};

use super::context::verdict;
use super::{Context, numbers};
use crate::error::Error;
use crate::proof::closed_form::ClosedForm;
use crate::proof::corollaries::{self, Corollary};
use crate::proof::fixed_heaps::{FixedBounds, FixedTheorem, GapGame, prove_fixed};
use crate::proof::local_game::LocalRules;
use crate::proof::theorem::{self, Attempt, ROUNDS, Source, Theorem, Verdict};
use crate::proof::{LocalGame, parse_game};
use crate::rules::{self, HeapRules, Play};

/// Arguments of `prove`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  nimwave prove minnie --certificate c.json && python3 scripts/check_certificate.py c.json
  nimwave prove minnie --misere
  nimwave prove octal 0.123 --misere
  nimwave prove subtraction 1,3,4
  nimwave prove mine --heaps 3")]
pub struct Args {
    /// The game: minnie, nimb, octal CODE, subtraction SET, mine, or any other game on heaps.
    #[arg(value_name = "GAME")]
    game: String,
    /// What the game needs: an octal code without splitting at 0 (0.123), or amounts (1,3,4).
    #[arg(value_name = "PARAMETER")]
    parameter: Option<String>,
    /// Misère play: who cannot move wins.
    #[arg(long)]
    misere: bool,
    /// Prove it for at most this many heaps only, by gaps between heaps (minnie, mine, wynnie).
    #[arg(long, value_name = "K", value_parser = numbers::count)]
    heaps: Option<u64>,
    /// Write a certificate, to be checked with scripts/check_certificate.py.
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
}

/// Games whose moves take at most the smallest heap, for theorems by gaps, and whether heaps must differ.
const GAP_GAMES: [(&str, bool); 3] = [("minnie", false), ("mine", true), ("wynnie", false)];

/// Games without a finite check, for which `prove` only reports how the classes grow. (Positions of nimtb need different
/// heaps, so that classes make no sense there.)
const OPEN_GAMES: [&str; 8] =
    ["nim", "wynnie", "wythoff", "susen", "jennifer", "euclid", "greedy-nim", "maximum-nim"];

/// Most P classes that are listed.
const MOST_LISTED: usize = 50;

/// Most heaps of a theorem by gaps: the box of gaps grows with every heap.
const MAX_FIXED_HEAPS: u64 = 6;

/// Runs the command.
pub fn run(args: Args, context: &Context) -> anyhow::Result<ExitCode> {
    let play = Play::from_misere(args.misere);
    let gap_game = GAP_GAMES.iter().find(|(name, _)| *name == args.game);
    let local = parse_game(&args.game, args.parameter.as_deref())?;
    if args.certificate.is_some() && (local.is_none() || args.heaps.is_some()) {
        return Err(Error::Usage(
            "certificates are written for finite quotients: leave out --heaps, or leave out --certificate"
                .into(),
        )
        .into());
    }
    let by_gaps = match (args.heaps, gap_game) {
        (Some(heaps), Some(_)) if !(1..=MAX_FIXED_HEAPS).contains(&heaps) => {
            return Err(Error::Usage(format!(
                "--heaps {heaps}: the number of heaps must be from 1 to {MAX_FIXED_HEAPS}"
            ))
            .into());
        }
        (Some(heaps), Some(&(_, distinct))) => Some((heaps, distinct)),
        (Some(_), None) => {
            return Err(Error::Usage(format!(
                "--heaps works for minnie, mine and wynnie, not for {}; leave it out",
                args.game
            ))
            .into());
        }
        // Positions of mine are not closed under adding heaps, so there is no quotient to look for.
        (None, Some(&(_, true))) => Some((3, true)),
        (None, _) => None,
    };
    let proved = match (by_gaps, local) {
        (Some((heaps, distinct)), _) => {
            let rules = known_rules(&args.game, play)?;
            let heaps = usize::try_from(heaps).unwrap_or(usize::MAX);
            let theorem = prove_fixed(&GapGame { rules: &*rules, distinct }, heaps, FixedBounds::default())?;
            report_fixed(&args, heaps, theorem.as_ref(), context);
            theorem.is_some()
        }
        (None, Some(game)) => {
            let verdict = prove_local(&game, play)?;
            report_local(&args, &game, play, &verdict, context)?
        }
        (None, None) => {
            if !OPEN_GAMES.contains(&args.game.as_str()) {
                return Err(unknown(&args.game).into());
            }
            let rules = known_rules(&args.game, play)?;
            let verdict = theorem::explore(&Source::Rules(&*rules), &ROUNDS, &mut |_| {
                Err("the classes close, but no finite check covers the moves of this game".into())
            })?;
            report_open(&args, &verdict.attempts, context);
            false
        }
    };
    Ok(verdict(proved))
}

fn known_rules(name: &str, play: Play) -> Result<std::sync::Arc<HeapRules>, Error> {
    let parameters = [("misere".to_string(), json!(play == Play::Misere))].into();
    rules::heap_rules(name, &parameters).ok_or_else(|| unknown(name))
}

fn unknown(name: &str) -> Error {
    Error::Usage(format!(
        "`{name}` is not a game of subtracting from heaps that `prove` knows; try minnie, nimb, mine, octal 0.123, subtraction 1,2, or one of {}",
        OPEN_GAMES.join(", ")
    ))
}

fn prove_local(game: &LocalGame, play: Play) -> Result<Verdict, Error> {
    match (LocalRules::new(game.clone(), play), game) {
        (Some(local), _) => theorem::prove(game, play, &Source::Rules(&local), &ROUNDS),
        (None, LocalGame::Octal(digits)) => {
            theorem::prove(game, play, &Source::Octal(digits, play), &theorem::OCTAL_ROUNDS)
        }
        (None, _) => unreachable!("only octal games split heaps"),
    }
}

fn play_name(misere: bool) -> &'static str {
    if misere { "misère " } else { "" }
}

fn game_name(args: &Args) -> String {
    match &args.parameter {
        Some(parameter) => format!("{} {parameter}", args.game),
        None => args.game.clone(),
    }
}

/// Prints what became of a game with a finite check; whether it is proved.
fn report_local(
    args: &Args,
    game: &LocalGame,
    play: Play,
    verdict: &Verdict,
    context: &Context,
) -> Result<bool, Error> {
    let Some(theorem) = &verdict.theorem else {
        report_open(args, &verdict.attempts, context);
        return Ok(false);
    };
    let corollaries = match game {
        LocalGame::Minnie => minnie_corollaries(play, theorem)?,
        _ => Vec::new(),
    };
    if let Some(path) = &args.certificate {
        theorem.certificate.write(path)?;
        context.note(format!("Wrote {}; check it with scripts/check_certificate.py.", path.display()));
    }
    let quotient = &theorem.certificate.quotient;
    let closed_form = match (game, theorem.checked.largest_min) {
        (LocalGame::Minnie, Some(m)) => ClosedForm::search(quotient, m),
        _ => None,
    };
    context.print(
        || {
            json!({
                "game": game_name(args),
                "misere": args.misere,
                "proved": true,
                "threshold": quotient.letters().threshold(),
                "period": quotient.letters().period(),
                "largest_min": theorem.checked.largest_min,
                "classes": quotient.classes(),
                "accepted": quotient.accepted_classes(),
                "states": theorem.checked.total_states(),
                "closed_form": closed_form.as_ref().map(ToString::to_string),
                "corollaries": corollaries.iter().map(corollary_json).collect::<Vec<_>>(),
                "attempts": verdict.attempts.iter().map(attempt_json).collect::<Vec<_>>(),
            })
        },
        || describe(args, theorem, closed_form.as_ref(), &corollaries),
    );
    Ok(corollaries.iter().all(|corollary| corollary.proved))
}

/// The corollaries of minnie, which need the proved quotients of both plays.
fn minnie_corollaries(play: Play, theorem: &Theorem) -> Result<Vec<Corollary>, Error> {
    let other = match play {
        Play::Normal => Play::Misere,
        Play::Misere => Play::Normal,
    };
    let Some(other) = prove_local(&LocalGame::Minnie, other)?.theorem else { return Ok(Vec::new()) };
    let (this, other) = (&theorem.certificate.quotient, &other.certificate.quotient);
    Ok(match play {
        Play::Normal => corollaries::minnie_normal(this, other),
        Play::Misere => corollaries::minnie_misere(other, this),
    })
}

fn corollary_json(corollary: &Corollary) -> Value {
    json!({
        "id": corollary.id,
        "statement": corollary.statement,
        "proved": corollary.proved,
        "counterexample": corollary.counterexample,
    })
}

fn attempt_json(attempt: &Attempt) -> Value {
    json!({
        "heaps": attempt.heaps,
        "max": attempt.round.wide_max,
        "threshold": attempt.letters.map(|letters| letters.0),
        "period": attempt.letters.map(|letters| letters.1),
        "classes": attempt.classes,
        "closed": attempt.closed,
        "problem": attempt.problem,
    })
}

fn describe(
    args: &Args,
    theorem: &Theorem,
    closed_form: Option<&ClosedForm>,
    corollaries: &[Corollary],
) -> String {
    let quotient = &theorem.certificate.quotient;
    let letters = quotient.letters();
    let (threshold, period) = (letters.threshold(), letters.period());
    let mut text = format!(
        "THEOREM. In {}{}, with any number of heaps of any sizes, who wins depends only on the class of the\n\
         position, one of {} classes; the P-positions are those of {} of them.\n\n\
         Heaps of {threshold} or more {} (threshold {threshold}, period {period}).",
        play_name(args.misere),
        game_name(args),
        quotient.classes(),
        quotient.accepted_classes(),
        if period == 1 { "count alike".into() } else { format!("count only modulo {period}") },
    );
    if let Some(m) = theorem.checked.largest_min {
        text += &format!(" A P-position has a heap of at most {m}, or no heap.");
    }
    text += &format!(
        "\nProved by a finite check of {} states; docs/PROOFS.md has the argument.\n",
        numbers::grouped(theorem.checked.total_states() as u64)
    );
    let accepted: Vec<String> = (0..)
        .zip(quotient.representatives())
        .filter(|&(class, _)| quotient.accepts(class))
        .map(|(_, heaps)| format!("{heaps:?}"))
        .collect();
    if accepted.len() <= MOST_LISTED {
        text += &format!("First position of each P class: {}\n", accepted.join(" "));
    }
    if let Some(form) = closed_form {
        text += &format!(
            "\nIn words (checked on all {} states of the quotient and these conditions):\n{form}\n",
            numbers::grouped(form.states as u64)
        );
    }
    if !corollaries.is_empty() {
        text += "\nCorollaries, each a check of its own on the quotient:\n";
    }
    for corollary in corollaries {
        let mark = if corollary.proved { "proved" } else { "FALSE " };
        text += &format!("  {mark}  {}: {}", corollary.id, corollary.statement);
        if let Some(position) = &corollary.counterexample {
            text += &format!(" (fails at {position:?})");
        }
        text += "\n";
    }
    text
}

/// Prints that no quotient was found, and how the classes grew.
fn report_open(args: &Args, attempts: &[Attempt], context: &Context) {
    context.print(
        || {
            json!({
                "game": game_name(args),
                "misere": args.misere,
                "proved": false,
                "threshold": null,
                "period": null,
                "largest_min": null,
                "classes": null,
                "states": null,
                "corollaries": [],
                "attempts": attempts.iter().map(attempt_json).collect::<Vec<_>>(),
            })
        },
        || {
            let mut text = format!(
                "NOT PROVED. No finite quotient of {}{} was found. What the tables showed:\n",
                play_name(args.misere),
                game_name(args)
            );
            for attempt in attempts {
                let letters = match attempt.letters {
                    Some((threshold, period)) => format!("threshold {threshold}, period {period}"),
                    None => "no period".into(),
                };
                text += &format!(
                    "  {} heaps up to {}: {letters}, {} classes{}; {}\n",
                    attempt.heaps,
                    attempt.round.wide_max,
                    attempt.classes,
                    if attempt.closed { ", closed" } else { "" },
                    attempt.problem
                );
            }
            text + "This says nothing about larger tables: a finite quotient may exist beyond them."
        },
    );
}

fn report_fixed(args: &Args, heaps: usize, theorem: Option<&FixedTheorem>, context: &Context) {
    let bounds = FixedBounds::default();
    context.print(
        || {
            let claim = theorem.map(|theorem| &theorem.claim);
            json!({
                "game": game_name(args),
                "misere": args.misere,
                "heaps": heaps,
                "proved": theorem.is_some(),
                "threshold": claim.map(|claim| claim.letters().threshold()),
                "period": claim.map(|claim| claim.letters().period()),
                "largest_min": claim.map(|claim| claim.largest_min()),
                "classes": null,
                "states": theorem.map(|theorem| theorem.positions),
                "corollaries": [],
            })
        },
        || match theorem {
            Some(FixedTheorem { claim, positions }) => format!(
                "THEOREM. In {}{} with at most {heaps} heaps of any sizes, a P-position has a heap of at most {}, or no\n\
                 heap, and who wins depends only on the smallest heap and the gaps between neighbouring heaps, where\n\
                 gaps of {} or more count only modulo {}.\n\nProved by a finite check of {} positions; docs/PROOFS.md has the argument.",
                play_name(args.misere),
                game_name(args),
                claim.largest_min(),
                claim.letters().threshold(),
                claim.letters().period(),
                numbers::grouped(*positions),
            ),
            None => format!(
                "NOT PROVED. For {}{} with {heaps} heaps no threshold up to {}, period up to {} and smallest heap up to {}\n\
                 make the outcome a function of the smallest heap and the gaps.",
                play_name(args.misere),
                game_name(args),
                bounds.threshold,
                bounds.period,
                bounds.largest_min
            ),
        },
    );
}
