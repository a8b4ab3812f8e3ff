//! Every example of every `--help` is a command line that the program understands.

use crate::support;

use clap::{CommandFactory, Parser};
use nimwave::cli::Cli;
use support::words;

fn visit(command: &clap::Command, path: &str, count: &mut usize) {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    for line in help.lines().map(str::trim).filter(|line| line.starts_with("nimwave ")) {
        *count += 1;
        if let Err(problem) = Cli::try_parse_from(words(line)) {
            panic!("the help of {path} has the example\n  {line}\n{problem}");
        }
    }
    for inner in command.get_subcommands() {
        visit(inner, &format!("{path} {}", inner.get_name()), count);
    }
}

#[test]
fn every_example_of_every_help_is_understood() {
    let mut count = 0;
    visit(&Cli::command(), "nimwave", &mut count);
    assert!(count >= 100, "only {count} examples were found");
}
