//! The heap games of the catalogue as subcommands of `query`, `solve` and `play`: names, help and options
//! come from their entries.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::Value;

use super::numbers;
use crate::base::Result;
use crate::game::{self, Entry, Game, Parameter, Parameters, Values};

/// A heap game with its own parameters, around the arguments `A` that a verb has for all of them.
#[derive(Debug, Clone)]
pub struct HeapGame<A> {
    entry: &'static Entry,
    parameters: Parameters,
    args: A,
}

impl<A> HeapGame<A> {
    /// The game in this play, and the arguments of the verb.
    pub fn game(self, misere: impl Fn(&A) -> bool) -> Result<(Game, A)> {
        let mut parameters = self.parameters;
        parameters.insert("misere".into(), misere(&self.args).into());
        Ok((Game::of(self.entry, &parameters)?, self.args))
    }
}

fn entries() -> impl Iterator<Item = &'static Entry> {
    game::all().into_iter().filter(|entry| entry.is_on_heaps())
}

impl<A: clap::Args> clap::Subcommand for HeapGame<A> {
    fn augment_subcommands(command: Command) -> Command {
        entries().fold(command, |command, entry| {
            // What follows the name comes before the positions that a verb takes.
            let (following, options): (Vec<_>, Vec<_>) = entry
                .parameters
                .iter()
                .partition(|parameter| matches!(parameter.values, Values::Following(_)));
            let own = A::augment_args(Command::new(entry.name).args(following.into_iter().map(argument)))
                .about(entry.sentence().trim_end_matches('.').to_string())
                .after_help(examples(entry))
                .args(options.into_iter().map(argument));
            command.subcommand(own)
        })
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        entries().any(|entry| entry.name == name)
    }
}

impl<A: clap::Args> clap::FromArgMatches for HeapGame<A> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Self::from_arg_matches_mut(&mut matches.clone())
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Self, clap::Error> {
        let missing = || clap::Error::new(clap::error::ErrorKind::MissingSubcommand);
        let (name, mut own) = matches.remove_subcommand().ok_or_else(missing)?;
        let entry = entries().find(|entry| entry.name == name).ok_or_else(missing)?;
        let given = |parameter: &Parameter| Some((parameter.name.to_string(), value(parameter, &own)?));
        let parameters = entry.parameters.iter().filter_map(given).collect();
        Ok(Self { entry, parameters, args: A::from_arg_matches_mut(&mut own)? })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn argument(parameter: &'static Parameter) -> Arg {
    let mut help = match parameter.values {
        Values::Number(_, default) => format!("{} [default: {default}]", parameter.help),
        _ => parameter.help.to_string(),
    };
    help[..1].make_ascii_uppercase();
    let argument = Arg::new(parameter.name).help(help);
    let argument = match parameter.values {
        Values::Following(_) => argument,
        _ => argument.long(parameter.name),
    };
    match parameter.values {
        Values::Flag => argument.action(ArgAction::SetTrue),
        Values::OneOf(words) => argument
            .value_name("WHICH")
            .value_parser(PossibleValuesParser::new(words))
            .default_value(words[0]),
        Values::Text(name, Some(default)) => argument.value_name(name).default_value(default),
        Values::Text(name, None) | Values::Following(name) => argument.value_name(name).required(true),
        Values::Number(name, _) => argument.value_name(name).value_parser(numbers::count),
    }
}

/// What was given, or the default that clap knows.
fn value(parameter: &Parameter, matches: &ArgMatches) -> Option<Value> {
    match parameter.values {
        Values::Flag => Some(matches.get_flag(parameter.name).into()),
        Values::OneOf(_) | Values::Text(..) | Values::Following(_) => {
            matches.get_one::<String>(parameter.name).cloned().map(Value::from)
        }
        Values::Number(..) => matches.get_one::<u64>(parameter.name).copied().map(Value::from),
    }
}

/// The examples of a game, for all commands that take it.
fn examples(entry: &'static Entry) -> String {
    let mut lines = vec![entry.example_of("query"), entry.example_of("play")];
    // A game that cannot be made without its parameters is not one of those whose moves also raise heaps.
    let game = Game::of(entry, &Parameters::new());
    if !game.is_ok_and(|game| game.on_heaps().is_ok_and(|heaps| !heaps.has_tables())) {
        lines.push(
            entry.example_with("solve", &format!("--heaps 2 --max 100 --values --out {}.table", entry.name)),
        );
    }
    format!("Examples:\n  {}", lines.join("\n  "))
}
