//! `nimwave prove`: statements for all heap sizes, and for all heap counts where a finite quotient exists.

mod fixed;
mod quotient;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use super::context::verdict;
use super::{Context, numbers};
use crate::base::Error;
use crate::base::files;
use crate::game::{self, Game, Parameters};
use crate::proof::local_game::LocalRules;
use crate::proof::theorem::{self, ROUNDS, Source, Verdict};
use crate::proof::{LocalGame, parse_game};
use crate::rules::{HeapRules, Play};

/// Arguments of `prove`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  nimwave prove minnie --certificate c.json && python3 scripts/check_certificate.py c.json
  nimwave prove minnie --misere
  nimwave prove octal 0.123 --misere
  nimwave prove subtraction 1,3,4
  nimwave prove mine --heaps 3
  nimwave prove greedy-nim --heaps 5")]
pub struct Args {
    /// The game: minnie, nimb, nimtb, octal CODE, subtraction SET, mine, or any other game on heaps.
    #[arg(value_name = "GAME")]
    game: String,
    /// What the game needs: an octal code without splitting at 0 (0.123), or amounts (1,3,4).
    #[arg(value_name = "PARAMETER")]
    parameter: Option<String>,
    /// Misère play: who cannot move wins.
    #[arg(long)]
    misere: bool,
    /// Prove it for at most this many heaps only, by gaps between heaps (minnie, mine, wynnie, nim, greedy-nim, nimb, nimtb).
    #[arg(long, value_name = "K", value_parser = numbers::count)]
    heaps: Option<u64>,
    /// Wynnie: from how many heaps at once the same number may be taken.
    #[arg(long, value_parser = ["two", "any", "all"])]
    together: Option<String>,
    /// Maximum nim: the rule function, as half, less-than-half, or a formula in n.
    #[arg(long, value_name = "RULE")]
    rule: Option<String>,
    /// Euclid: a heap may reach 0.
    #[arg(long)]
    to_zero: bool,
    /// Write a certificate, to be checked with scripts/check_certificate.py.
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
}

/// Games without a finite check, for which `prove` only reports how the classes grow.
const OPEN_GAMES: [&str; 8] =
    ["nim", "wynnie", "wythoff", "susen", "jennifer", "euclid", "greedy-nim", "maximum-nim"];

/// Runs the command.
pub fn run(args: Args, context: &Context) -> anyhow::Result<ExitCode> {
    let play = Play::from_misere(args.misere);
    let own = [
        ("--together", "wynnie", args.together.is_some()),
        ("--rule", "maximum-nim", args.rule.is_some()),
        ("--to-zero", "euclid", args.to_zero),
    ];
    if let Some((option, game, _)) = own.into_iter().find(|&(_, game, given)| given && game != args.game) {
        return Err(Error::Usage(format!("{option} is an option of {game}; leave it out")).into());
    }
    let local = parse_game(&args.game, args.parameter.as_deref())?;
    if args.certificate.is_some() && (local.is_none() || args.heaps.is_some()) {
        return Err(Error::Usage(
            "certificates are written for finite quotients: leave out --heaps, or leave out --certificate"
                .into(),
        )
        .into());
    }
    if let Some(path) = &args.certificate {
        files::check_output(path)?;
    }
    let heaps = match (args.heaps, args.game.as_str()) {
        // Positions of mine are not closed under adding heaps, so there is no quotient to look for.
        (None, "mine") => Some(3),
        (heaps, _) => heaps,
    };
    let proved = match (heaps, local) {
        (Some(heaps), _) => fixed::run(&args, heaps, context)?,
        (None, Some(game)) => {
            let verdict = prove_local(&game, play)?;
            quotient::report_local(&args, &game, play, &verdict, context)?
        }
        (None, None) => {
            let rules = rules_of(&args)?;
            let verdict = theorem::explore(&Source::Rules(&*rules, play), &ROUNDS, &mut |_| {
                Err("the classes close, but no finite check covers the moves of this game".into())
            })?;
            quotient::report_open(&args, &verdict.attempts, context);
            false
        }
    };
    Ok(verdict(proved))
}

/// The rules of a game of the catalogue that only subtracts, with its options.
fn rules_of(args: &Args) -> Result<Arc<HeapRules>, Error> {
    let name = args.game.as_str();
    let given = [
        ("misere", Some(args.misere.into())),
        ("together", args.together.clone().map(Into::into)),
        ("rule", args.rule.clone().map(Into::into)),
        ("to-zero", args.to_zero.then(|| true.into())),
    ];
    let parameters: Parameters =
        given.into_iter().filter_map(|(key, value)| Some((key.to_string(), value?))).collect();
    if OPEN_GAMES.contains(&name) || fixed::covers(name) {
        let largest = ROUNDS.iter().map(|round| round.wide_max).max().unwrap_or(0);
        Game::new(name, &parameters)?.on_heaps()?.rules(largest)
    } else {
        Err(unknown(name))
    }
}

fn unknown(name: &str) -> Error {
    let known = ["minnie", "nimb", "nimtb", "mine", "octal", "subtraction"];
    let near = game::suggestion(name, known.into_iter().chain(OPEN_GAMES));
    Error::Usage(format!(
        "`{name}` is not a game of subtracting from heaps that `prove` knows; {near}try minnie, nimb, nimtb, mine, octal 0.123, subtraction 1,2, or one of {}",
        OPEN_GAMES.join(", ")
    ))
}

fn prove_local(game: &LocalGame, play: Play) -> Result<Verdict, Error> {
    match (LocalRules::new(game.clone()), game) {
        (Some(local), _) => theorem::prove(game, play, &Source::Rules(&local, play), &ROUNDS),
        (None, LocalGame::Octal(digits)) => {
            theorem::prove(game, play, &Source::Octal(digits, play), &theorem::OCTAL_ROUNDS)
        }
        (None, _) => unreachable!("only octal games split heaps"),
    }
}

fn play_name(misere: bool) -> &'static str {
    if misere { "misère " } else { "" }
}

/// The game as the user gave it, with what makes it another game.
fn game_name(args: &Args) -> String {
    let together = args.together.as_ref().map(|together| format!("--together {together}"));
    let rule = args.rule.as_ref().map(|rule| format!("--rule {rule}"));
    let to_zero = args.to_zero.then(|| "--to-zero".to_string());
    let own = [args.parameter.clone(), together, rule, to_zero];
    std::iter::once(args.game.clone()).chain(own.into_iter().flatten()).collect::<Vec<_>>().join(" ")
}
