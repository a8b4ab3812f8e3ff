//! `nimwave prove`: statements for all heap sizes, and for all heap counts where a finite quotient exists.

mod automata;
mod claim;
mod export;
mod gaps;
mod quotient;

use std::path::PathBuf;
use std::time::Duration;

use clap::Subcommand;

use super::heap_games::HeapGame;
use super::octal::period;
use super::{Context, numbers};
use crate::base::{Error, Exit, Result, Silent, files};
use crate::game::theory::guy_smith;
use crate::game::{Game, rule_file};
use crate::proof::{PERIOD_TERMS, Proof, Way, prove};
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

    fn misere(&self) -> bool {
        self.game.play() == Play::Misere
    }

    /// "misère wynnie --together all".
    fn title(&self) -> String {
        format!("{}{}", if self.misere() { "misère " } else { "" }, self.name)
    }
}

/// Runs the command.
pub fn run(args: Args, context: &Context) -> anyhow::Result<Exit> {
    let asked = Asked::new(args)?;
    if asked.automata.claim.is_some() {
        return Ok(claim::run(&asked, context)?);
    }
    export::check(&asked)?;
    if let Some(path) = &asked.certificate {
        files::check_output(path)?;
    }
    let way = match asked.automata.are_asked_for() {
        true => Way::Automata(asked.heaps.unwrap_or(automata::DEFAULT_HEAPS)),
        false => match Way::of(&asked.game, asked.heaps)? {
            // Theorems by gaps have no certificates.
            Way::Gaps(_, heaps)
                if asked.certificate.is_some() && rule_file::of_game(&asked.game).is_some() =>
            {
                Way::Automata(heaps)
            }
            way => way,
        },
    };
    if asked.certificate.is_some() && !matches!(way, Way::Quotient(_) | Way::Automata(_) | Way::Period(_)) {
        return Err(Error::Usage(
            "certificates are written for finite quotients and automata: give --heaps K, or leave out --certificate"
                .into(),
        )
        .into());
    }
    if let Way::Period(game) = way {
        let (certificate, engine) = (asked.certificate.as_deref(), EngineOptions::default());
        let terms = guy_smith::covers(&game).then_some(PERIOD_TERMS);
        return period::Asked { game, terms, time: asked.time, certificate, engine }.search(context);
    }
    let control = context.control(&Silent).with_time(asked.time);
    let proved = match way {
        Way::Automata(heaps) => automata::run(&asked, heaps, &control, context)?,
        _ => match prove(&asked.game, asked.heaps, &control)? {
            Proof::Quotient(verdict) => quotient::report(&asked, &verdict, context)?,
            // What gaps do not decide, automata may.
            Proof::Gaps(_, heaps, None) if rule_file::of_game(&asked.game).is_some() => {
                automata::run(&asked, heaps, &control, context)?
            }
            Proof::Gaps(gaps, heaps, theorem) => gaps::report(&asked, gaps, heaps, theorem, context),
            Proof::Period(..) => unreachable!("the way of a period was taken before"),
            Proof::Automata(heaps, attempts) => automata::report(&asked, heaps, &attempts, context)?,
        },
    };
    // A game without a proof is not refuted.
    Ok(if proved { Exit::Done } else { Exit::Undecided })
}
