//! The `nimwave` command: parse, run, turn an error into an exit code.

use std::process::ExitCode;

use clap::Parser;
use nimwave::base::printable;
use nimwave::cli::{Cli, exit_of, register_rules, tip_for};

fn main() -> ExitCode {
    if let Err(error) = register_rules(std::env::args_os().skip(1)) {
        eprintln!("nimwave: {}", printable(&error.to_string()));
        return ExitCode::from(2);
    }
    let cli = Cli::try_parse().unwrap_or_else(|error| {
        // Nothing can be done if this cannot be printed.
        let _ = error.print();
        if let Some(tip) = tip_for(&error) {
            eprintln!("\n{tip}");
        }
        std::process::exit(error.exit_code())
    });
    match cli.run() {
        Ok(exit) => exit.into(),
        Err(error) => {
            eprintln!("nimwave: {}", printable(&format!("{error:#}")));
            exit_of(&error).into()
        }
    }
}
