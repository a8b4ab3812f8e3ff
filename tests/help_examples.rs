//! Every example of every `--help` is a command line that the program understands.

use clap::{CommandFactory, Parser};
use nimwave::cli::Cli;

/// Splits a line as a shell does, up to a comment or an operator.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote, mut open) = (Vec::new(), String::new(), None, false);
    for letter in line.chars() {
        match letter {
            '\'' | '"' if quote.is_none() => (quote, open) = (Some(letter), true),
            letter if quote == Some(letter) => quote = None,
            ' ' if quote.is_none() => {
                if open {
                    words.push(std::mem::take(&mut word));
                }
                open = false;
            }
            '#' | '>' | '|' | '&' if quote.is_none() && !open => break,
            _ => {
                word.push(letter);
                open = true;
            }
        }
    }
    if open {
        words.push(word);
    }
    words
}

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
