//! `nimwave completions` and `nimwave man`, from the definitions of the command line itself.

use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory, ValueEnum};
use serde_json::json;

use super::{Cli, Context};
use crate::base::{Error, Exit, files};

/// Arguments of `completions`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  nimwave completions bash > ~/.local/share/bash-completion/completions/nimwave
  nimwave completions zsh > ~/.zfunc/_nimwave
  nimwave completions fish > ~/.config/fish/completions/nimwave.fish")]
pub struct Args {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Shell {
    Bash,
    Zsh,
    Fish,
}

/// Arguments of `man`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  nimwave man | man -l -                          # read it
  nimwave man --dir ~/.local/share/man/man1       # a page for every command")]
pub struct ManArgs {
    /// Write a page for every command into this folder.
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

/// Prints the completions.
pub fn run(args: Args, context: &Context) -> anyhow::Result<Exit> {
    use clap_complete::Shell as Known;
    let shell = match args.shell {
        Shell::Bash => Known::Bash,
        Shell::Zsh => Known::Zsh,
        Shell::Fish => Known::Fish,
    };
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "nimwave", &mut text);
    context.print_bytes(&text);
    Ok(Exit::Done)
}

/// Prints the manual page, or writes all pages.
pub fn man(args: ManArgs, context: &Context) -> anyhow::Result<Exit> {
    let mut command = Cli::command();
    command.build();
    let Some(folder) = &args.dir else {
        context.print_bytes(&page(command, "nimwave")?);
        return Ok(Exit::Done);
    };
    std::fs::create_dir_all(folder).map_err(Error::io("cannot make the folder", folder))?;
    let count = write_pages(&command, "nimwave", folder)?;
    let text = || format!("{count} pages in {}", folder.display());
    context.print(|| json!({ "pages": count, "folder": folder }), text);
    Ok(Exit::Done)
}

/// Writes the page of a command and those of its subcommands; returns how many.
fn write_pages(command: &Command, name: &str, folder: &Path) -> anyhow::Result<usize> {
    let path = folder.join(format!("{name}.1"));
    files::save(&path, &page(command.clone(), name)?)?;
    let mut count = 1;
    for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
        count += write_pages(below, &format!("{name}-{}", below.get_name()), folder)?;
    }
    Ok(count)
}

fn page(command: Command, name: &str) -> anyhow::Result<Vec<u8>> {
    let mut text = Vec::new();
    // A page is about the program, not about the build that wrote it.
    let command = command.version(env!("CARGO_PKG_VERSION")).long_version(clap::builder::Resettable::Reset);
    clap_mangen::Man::new(command).title(name.to_uppercase()).render(&mut text)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every command that does something.
    fn leaves<'a>(command: &'a Command, name: String, all: &mut Vec<(String, &'a Command)>) {
        let below = || command.get_subcommands().filter(|below| below.get_name() != "help");
        if below().next().is_none() {
            all.push((name.clone(), command));
        }
        for below in below() {
            leaves(below, format!("{name} {}", below.get_name()), all);
        }
    }

    #[test]
    fn the_definitions_of_the_command_line_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_help_has_an_example_that_names_its_command() {
        let mut command = Cli::command();
        command.build();
        let mut all = Vec::new();
        leaves(&command, "nimwave".into(), &mut all);
        let missing: Vec<&String> = all
            .iter()
            .filter(|(_, leaf)| {
                let help = leaf.get_after_help().or(leaf.get_after_long_help());
                !help.is_some_and(|help| help.to_string().contains("nimwave "))
            })
            .map(|(name, _)| name)
            .collect();
        assert!(all.len() > 20 && missing.is_empty(), "no example: {missing:?}");
    }

    #[test]
    fn a_page_tells_every_option_and_the_examples() {
        let mut command = Cli::command();
        command.build();
        let solve = command.find_subcommand("batch").unwrap().clone();
        let text = String::from_utf8(page(solve, "nimwave-batch").unwrap()).unwrap();
        assert!(text.contains("dry") && text.contains("retry") && text.contains("quick.toml"), "{text}");
    }
}
