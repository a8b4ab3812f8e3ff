//! The `nimwave` command: parse, run, turn an error into an exit code.

use std::process::ExitCode;

use clap::Parser;
use nimwave::cli::{Cli, exit_code};

fn main() -> ExitCode {
    let cli = Cli::parse();
    match cli.run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("nimwave: {error:#}");
            exit_code(&error)
        }
    }
}
