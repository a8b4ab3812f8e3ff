//! `nimwave survey`: what can be proved about each game of a family.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Arg, ArgMatches, Command, Subcommand, ValueEnum};

use super::{Context, numbers, solve};
use crate::base::{Error, Exit, Silent, machine, printable};
use crate::rules::Play;
use crate::rules::notation::octal_codes;
use crate::survey::{
    Family, MOST_GAMES, MisereFamily, OctalFamily, Options, RuleFamily, STATE_FILE, Size, Survey, Values,
    columns, heading, run as run_survey,
};

/// More terms than Guy and Smith's bound can be checked for; larger numbers are typing errors.
const MOST_TERMS: u64 = 1 << 32;

/// Arguments of `survey`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    family: FamilyArgs,
}

#[derive(Debug, Subcommand)]
enum FamilyArgs {
    /// A rule with constants, such as 'take s from one heap where s <= a*min + b' (docs/RULES.md).
    #[command(after_help = "Examples:
  nimwave survey rule 'take s from one heap where s <= a*min + b' --a 1..3 --b 0..5
  nimwave survey rule 'take s from one heap where s in {1, a}' --a 2..9 --each 60s --out set
  nimwave survey rule 'take s from one heap where s <= most' --let most=1,2,5 --format csv

Constants are the names that the rule uses and does not bind: --a to --z for one letter, --let
for longer ones. Values are 1..3, 1,2,5 or a single number.

The folder of --out holds survey.jsonl, which the same command resumes, also with wider ranges or
with more time for the games that ran out of it; and the result as survey.csv, survey.json and
the page survey.html, and for other programs as survey.tsv and survey.tex.")]
    Rule(RuleArgs),
    /// Octal games by patterns of their codes, such as '0.???': periods and open sequences (docs/RECORDS-octal.md).
    #[command(after_help = "Examples:
  nimwave survey octal '0.??'
  nimwave survey octal '0.[0-3][0-3]' 4.? 0.137 --terms 2^16 --format latex
  nimwave survey octal 0.100..0.177 --terms 2^14 --each 5s --out tens

In a pattern ? is any digit from 0 to 7 (before the point 0 or 4), [0-3] and [257] are one of some
digits, 0.100..0.177 counts up, and a comma stands between patterns. Codes beyond octal games, such as
0.[0-9A-F]F, have arithmetic periods where these are proved. Games of one standard form have one
sequence, shifted, and are looked at once. All open games grow evenly: the terms of a game are
doubled again and again, and the game that has had the least time comes next.

The folder of --out holds survey.jsonl, which the same command resumes, also with other patterns,
more --terms or more time; and the result as survey.csv, survey.tsv, survey.tex, survey.json and
the page survey.html. Sequences are not kept there: a resumed survey makes them again.")]
    Octal(OctalArgs),
    /// The misère quotients of octal games: codes, or patterns such as '0.??'.
    #[command(after_help = "Examples:
  nimwave survey misere '0.??' --each 5s --out misere-two
  nimwave survey misere 0.75 0.123 kayles '4.?' --format csv")]
    Misere(MisereArgs),
}

#[derive(Debug, clap::Args)]
struct OctalArgs {
    /// Patterns of codes.
    #[arg(value_name = "PATTERN", required = true)]
    patterns: Vec<String>,
    /// The terms after which a game without a period stays open.
    #[arg(long, value_name = "N", value_parser = numbers::count, default_value = "2^20")]
    terms: u64,
    #[command(flatten)]
    run: RunArgs,
}

#[derive(Debug, clap::Args)]
struct MisereArgs {
    /// Codes, names, or patterns in which ? stands for every digit after the point.
    #[arg(value_name = "PATTERN", required = true)]
    patterns: Vec<String>,
    /// The largest heap that is looked at.
    #[arg(long, value_name = "N", value_parser = numbers::heap, default_value = "1000")]
    heaps_up_to: u32,
    #[command(flatten)]
    run: RunArgs,
}

#[derive(Debug, clap::Args)]
struct RuleArgs {
    /// The rule, with names for its constants.
    #[arg(value_name = "RULE")]
    text: String,
    #[command(flatten)]
    letters: Letters,
    /// The values of a constant whose name has several letters.
    #[arg(long = "let", value_name = "NAME=VALUES", value_parser = named_values)]
    named: Vec<(String, Values)>,
    /// Misère play: who cannot move wins.
    #[arg(long)]
    misere: bool,
    /// Heaps of the tables that are looked at, and of theorems that are not about any number of heaps.
    #[arg(long, value_name = "K", value_parser = heaps, default_value = "3")]
    heaps: usize,
    /// The largest heap of the tables that are looked at.
    #[arg(long, value_name = "N", value_parser = numbers::heap, default_value = "30")]
    max: u32,
    #[command(flatten)]
    run: RunArgs,
}

/// How a survey is made, whatever it is about.
#[derive(Debug, clap::Args)]
struct RunArgs {
    /// The time for each game, by the clock: on a busy machine less is found out in it. The same command with more goes
    /// on with what ran out of it.
    #[arg(long, value_name = "TIME", value_parser = numbers::duration, default_value = "10s")]
    each: Duration,
    /// The time for all games; the same command resumes.
    #[arg(long, value_name = "TIME", value_parser = numbers::duration)]
    time: Option<Duration>,
    /// Keep the survey in this folder; the same command again resumes where it stopped.
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    /// What is printed.
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A line for each game as soon as it is finished.
    Table,
    /// Comma-separated values.
    Csv,
    /// Values between tabs.
    Tsv,
    /// A longtable of LaTeX.
    Latex,
    /// One JSON object, as with --json.
    Json,
    /// A page whose columns sort.
    Html,
}

/// The options --a to --z.
#[derive(Debug, Clone, Default)]
struct Letters(BTreeMap<String, Values>);

const ALPHABET: &str = "abcdefghijklmnopqrstuvwxyz";

fn letters() -> impl Iterator<Item = &'static str> {
    (0..ALPHABET.len()).map(|i| &ALPHABET[i..=i])
}

impl clap::Args for Letters {
    fn augment_args(command: Command) -> Command {
        letters().fold(command, |command, letter| {
            command.arg(
                Arg::new(letter)
                    .long(letter)
                    .value_name("VALUES")
                    .help("The values of the constant a, such as 1..3 or 1,2,5; also --b to --z")
                    // One of them stands for all in the help.
                    .hide(letter != "a")
                    .value_parser(<Values as std::str::FromStr>::from_str)
                    .allow_hyphen_values(true),
            )
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for Letters {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let values = |letter: &str| Some((letter.to_string(), matches.get_one::<Values>(letter)?.clone()));
        Ok(Self(letters().filter_map(values).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn named_values(text: &str) -> Result<(String, Values), String> {
    let (name, values) = text.split_once('=').ok_or("write NAME=VALUES, such as most=1..3")?;
    Ok((name.trim().to_ascii_lowercase(), values.parse()?))
}

fn heaps(text: &str) -> Result<usize, String> {
    match numbers::whole(text)? {
        heaps @ 1..=6 => Ok(heaps),
        _ => Err("the number of heaps must be from 1 to 6".into()),
    }
}

/// Runs the command.
pub fn run(args: Args, context: &Context) -> anyhow::Result<Exit> {
    match args.family {
        FamilyArgs::Rule(args) => rules(args, context),
        FamilyArgs::Octal(args) => octal(&args, context),
        FamilyArgs::Misere(args) => misere(&args, context),
    }
}

fn octal(args: &OctalArgs, context: &Context) -> anyhow::Result<Exit> {
    if !(1..=MOST_TERMS).contains(&args.terms) {
        return Err(Error::Usage(format!("--terms must be between 1 and 2^32, not {}", args.terms)).into());
    }
    // Two bytes per term, and four more while a period is looked for.
    let side_by_side = args.terms.saturating_mul(6).saturating_mul(rayon::current_num_threads() as u64);
    machine::check_memory(side_by_side, context.globals.memory, "ask for fewer --terms, or fewer --threads")?;
    let memory = context.globals.memory.or_else(|| Some(machine::available_memory()? / 2));
    let kept = memory.unwrap_or(0).saturating_sub(side_by_side);
    survey(&OctalFamily::new(&args.patterns, args.terms, args.run.each, kept)?, &args.run, context)
}

fn rules(args: RuleArgs, context: &Context) -> anyhow::Result<Exit> {
    let mut values = args.letters.0;
    for (name, one) in args.named {
        if values.insert(name.clone(), one).is_some() {
            return Err(Error::Usage(format!("the values of {name} are given twice; give them once")).into());
        }
    }
    let size = Size { heaps: args.heaps, max: args.max };
    let family = RuleFamily::new(&args.text, values, Play::from_misere(args.misere), size)?;
    survey(&family, &args.run, context)
}

/// Surveys misère quotients.
fn misere(args: &MisereArgs, context: &Context) -> anyhow::Result<Exit> {
    if args.heaps_up_to == 0 {
        return Err(Error::Usage("--heaps-up-to 0: the largest heap must be at least 1".into()).into());
    }
    let codes = octal_codes(&args.patterns, MOST_GAMES)?;
    let games = codes.iter().map(|code| code.parse()).collect::<crate::Result<Vec<_>>>()?;
    let family = MisereFamily::new(&args.patterns.join(" "), games, args.heaps_up_to as usize);
    survey(&family, &args.run, context)
}

/// Makes the survey of a family, and prints it.
fn survey(family: &dyn Family, args: &RunArgs, context: &Context) -> anyhow::Result<Exit> {
    if args.each.is_zero() {
        return Err(Error::Usage(
            "--each 0 leaves no time for any game; write for example --each 10s".into(),
        )
        .into());
    }
    let format = if context.globals.json { Format::Json } else { args.format };
    let options = Options { out: args.out.clone(), each: args.each, workers: rayon::current_num_threads() };
    let control = context.control(&Silent).with_time(args.time);
    let shown = columns(family);
    let print = |line: String| context.print_bytes(format!("{}\n", printable(&line)).as_bytes());
    let progress = context.progress("survey").counting("game").without_end();
    // A bar between the rows would only be in their way.
    let rows_are_seen = format == Format::Table && std::io::stdout().is_terminal();
    let (mut finished, mut begun) = (0, false);
    let games = family.games() as u64;
    let survey = run_survey(family, &options, &control, &mut |row| {
        finished += 1;
        if !rows_are_seen {
            progress.at(finished, games, &format!("{finished} of {games} games"));
        }
        if format == Format::Table {
            if !std::mem::replace(&mut begun, true) {
                print(heading(&shown));
            }
            print(Survey::line(&shown, row));
        }
    });
    progress.finish();
    let survey = survey?;
    match format {
        Format::Table => print(survey.summary()),
        Format::Csv => context.print_bytes(survey.csv().as_bytes()),
        Format::Tsv => context.print_bytes(survey.tsv().as_bytes()),
        Format::Latex => context.print_bytes(survey.latex().as_bytes()),
        Format::Json => context.print_bytes(format!("{}\n", survey.json()).as_bytes()),
        Format::Html => context.print_bytes(survey.html().as_bytes()),
    }
    if survey.is_complete() {
        return Ok(Exit::Done);
    }
    context.note(match &args.out {
        Some(out) => format!(
            "Stopped. What is finished is in {}; resume with:\n  {}",
            out.join(STATE_FILE).display(),
            solve::command_line()
        ),
        None => "Stopped. With --out DIR a survey can be resumed.".into(),
    });
    Ok(Exit::Interrupted)
}
