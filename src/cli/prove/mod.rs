//! `nimwave prove`: statements for all heap sizes, and for all heap counts where a finite quotient exists.

mod automata;
mod claim;
mod export;
mod gaps;
mod quotient;

use std::path::PathBuf;
use std::time::Duration;

use clap::Subcommand;
use serde_json::Value;

use super::heap_games::HeapGame;
use super::octal::period;
use super::progress::ProgressReport;
use super::{Context, numbers};
use crate::base::{Control, Error, Exit, Result, files};
use crate::game::theory::guy_smith;
use crate::game::{Game, rule_file};
use crate::proof::theorem::prove_local;
use crate::proof::{PERIOD_TERMS, Way, look_at_classes, prove_by_gaps};
use crate::rules::{OctalGame, Play};
use crate::sweep::kernel::octal::EngineOptions;

/// Arguments of `prove`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  nimwave prove minnie --certificate c.json && python3 scripts/check_certificate.py c.json
  nimwave prove minnie --misere
  nimwave prove octal 0.123 --misere
  nimwave prove subtraction 1,3,4
  nimwave prove mine --heaps 3
  nimwave prove greedy-nim --heaps 5
  nimwave prove wynnie --together all --heaps 2
  nimwave prove rule 'take s from one heap where s < min' --misere
  nimwave prove mine --heaps 4 --digits base-2 --certificate mine-4.json
  nimwave prove mine --heaps 3 --claim 'a = 4 implies (P iff c = b + 7 and b > 6)'")]
pub struct Args {
    #[command(subcommand)]
    game: GameArgs,
}

#[derive(Debug, Subcommand)]
enum GameArgs {
    #[command(flatten)]
    Heaps(HeapGame<HeapArgs>),
    /// An octal game in which every move takes something.
    #[command(after_help = "Example:\n  nimwave prove octal 0.123 --misere")]
    Octal {
        /// The code, such as 0.123, or a name such as kayles.
        #[arg(value_name = "CODE")]
        code: OctalGame,
        #[command(flatten)]
        common: Common,
    },
    /// A subtraction game: a move takes one of the given numbers.
    #[command(after_help = "Example:\n  nimwave prove subtraction 1,3,4")]
    Subtraction {
        /// The numbers that a move may take, such as 1,3,4.
        #[arg(value_name = "SET")]
        set: String,
        #[command(flatten)]
        common: Common,
    },
}

/// What heap games of the catalogue take.
#[derive(Debug, clap::Args)]
struct HeapArgs {
    /// Prove it for at most this many heaps only: by the gaps between heaps, or by automata that read their
    /// digits.
    #[arg(long, value_name = "K", value_parser = numbers::count)]
    heaps: Option<u64>,
    #[command(flatten)]
    automata: automata::Args,
    #[command(flatten)]
    common: Common,
}

/// What all games take.
#[derive(Debug, clap::Args)]
struct Common {
    /// Misère play: who cannot move wins.
    #[arg(long)]
    misere: bool,
    /// Write a certificate, to be checked with scripts/check_certificate.py.
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Stop after this time, such as 10m.
    #[arg(long, value_name = "TIME", value_parser = numbers::duration)]
    time: Option<Duration>,
}

/// What was asked for.
struct Asked {
    game: Game,
    /// The game as it was asked for, with what makes it another game.
    name: String,
    heaps: Option<usize>,
    automata: automata::Args,
    certificate: Option<PathBuf>,
    time: Option<Duration>,
}

impl Asked {
    fn new(args: Args) -> Result<Self> {
        let octal = |octal, common: Common, name: Option<String>| {
            let game = Game::octal(octal).in_play(Play::from_misere(common.misere));
            let name = name.unwrap_or_else(|| game.words());
            let automata = automata::Args::default();
            Self { game, name, heaps: None, automata, certificate: common.certificate, time: common.time }
        };
        Ok(match args.game {
            GameArgs::Heaps(game) => {
                let (game, HeapArgs { heaps, automata, common }) = game.game(|args| args.common.misere)?;
                let heaps = heaps.map(|heaps| usize::try_from(heaps).unwrap_or(usize::MAX));
                let Common { certificate, time, .. } = common;
                Self { name: game.words(), game, heaps, automata, certificate, time }
            }
            GameArgs::Octal { code, common } => octal(code, common, None),
            GameArgs::Subtraction { set, common } => {
                let name = format!("subtraction {set}");
                octal(name.parse()?, common, Some(name))
            }
        })
    }

    /// The way to a theorem.
    fn way(&self) -> Result<Way> {
        if self.automata.are_asked_for() {
            return Ok(Way::Automata(self.heaps.unwrap_or(automata::DEFAULT_HEAPS)));
        }
        Ok(match Way::of(&self.game, self.heaps)? {
            // Theorems by gaps have no certificates.
            Way::Gaps(_, heaps) if self.certificate.is_some() && rule_file::of_game(&self.game).is_some() => {
                Way::Automata(heaps)
            }
            way => way,
        })
    }

    fn misere(&self) -> bool {
        self.game.play() == Play::Misere
    }

    /// "misère wynnie --together all".
    fn title(&self) -> String {
        format!("{}{}", if self.misere() { "misère " } else { "" }, self.name)
    }
}

/// The work of one command.
struct Work<'a> {
    asked: &'a Asked,
    /// Its limits; one clock for everything that is done.
    control: Control<'a>,
    progress: &'a ProgressReport,
    context: &'a Context,
}

impl Work<'_> {
    /// Prints the result, after the progress is gone.
    fn print(&self, json: impl FnOnce() -> Value, text: impl FnOnce() -> String) {
        self.progress.finish();
        self.context.print(json, text);
    }

    /// Prints a theorem whose certificate was written, perhaps to standard output.
    fn print_theorem(&self, json: impl FnOnce() -> Value, text: impl FnOnce() -> String) {
        self.progress.finish();
        self.context.print_beside(self.asked.certificate.as_deref(), json, text);
    }
}

/// Runs the command.
pub fn run(args: Args, context: &Context) -> anyhow::Result<Exit> {
    let asked = Asked::new(args)?;
    let progress = context.progress(&format!("prove {}", asked.title())).of_steps();
    let control = context.control(&progress).with_time(asked.time);
    let work = Work { asked: &asked, control, progress: &progress, context };
    if let Some(claim) = &asked.automata.claim {
        return Ok(claim::run(&work, claim)?);
    }
    export::check(&asked)?;
    if let Some(path) = &asked.certificate {
        files::check_output(path)?;
    }
    let way = asked.way()?;
    if asked.certificate.is_some() && !matches!(way, Way::Quotient(_) | Way::Automata(_) | Way::Period(_)) {
        return Err(Error::Usage(
            "certificates are written for finite quotients and automata: give --heaps K, or leave out --certificate"
                .into(),
        )
        .into());
    }
    let (game, control) = (&asked.game, &work.control);
    let proved = match way {
        Way::Quotient(local) => quotient::report(&work, &prove_local(&local, game.play(), control)?)?,
        Way::Classes => quotient::report(&work, &look_at_classes(game, control)?)?,
        Way::Automata(heaps) => automata::run(&work, heaps)?,
        Way::Gaps(gaps, heaps) => match prove_by_gaps(game, gaps, heaps, control)? {
            // What gaps do not decide, automata may.
            None if rule_file::of_game(game).is_some() => automata::run(&work, heaps)?,
            theorem => gaps::report(&work, gaps, heaps, theorem),
        },
        Way::Period(game) => {
            // The search for a period has a progress of its own.
            progress.finish();
            let (certificate, engine) = (asked.certificate.as_deref(), EngineOptions::default());
            let terms = guy_smith::covers(&game).then_some(PERIOD_TERMS);
            return period::Asked { game, terms, time: asked.time, certificate, engine }.search(context);
        }
    };
    // A game without a proof is not refuted.
    Ok(if proved { Exit::Done } else { Exit::Undecided })
}
