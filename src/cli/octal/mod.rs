//! The commands of octal games.

pub mod period;
mod plot;
mod query;
mod solve;

pub use period::PeriodArgs;
pub use period::run as period;
pub use plot::PlotArgs;
pub use plot::run as plot;
pub use query::QueryArgs;
pub use query::run as query;
pub use solve::SolveArgs;

use clap::ValueEnum;

use crate::base::{Error, Isa, Result};
use crate::rules::OctalGame;
use crate::sweep::kernel::octal::{EngineOptions, Method};

/// More terms than any machine has memory for; larger numbers are typing errors.
const MOST_TERMS: u64 = 1 << 40;

/// How the engine works; the values do not depend on it.
#[derive(Debug, Clone, clap::Args)]
pub struct EngineArgs {
    /// The way: for comparisons and double checks.
    #[arg(long, value_enum, default_value = "auto")]
    method: MethodArg,
    /// Plain 64-bit instructions only.
    #[arg(long)]
    portable: bool,
}

/// A way by name.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum MethodArg {
    /// The one that is expected to be fastest.
    Auto,
    /// The definition, heap by heap.
    Naive,
    /// Sparse space on bit rows.
    Rows,
    /// Sparse space by marks.
    Marks,
}

impl EngineArgs {
    fn options(&self) -> EngineOptions {
        let method = match self.method {
            MethodArg::Auto => Method::Auto,
            MethodArg::Naive => Method::Naive,
            MethodArg::Rows => Method::Rows,
            MethodArg::Marks => Method::Marks,
        };
        let isa = if self.portable { Isa::PORTABLE } else { Isa::detect() };
        EngineOptions { threads: rayon::current_num_threads(), isa, method }
    }
}

/// The game that all words together name, also one whose code goes beyond octal games.
pub fn any_game(words: &[String]) -> Result<OctalGame> {
    OctalGame::read(&words.join(" "))
}

/// The octal game that all words together name.
pub fn only_game(words: &[String]) -> Result<OctalGame> {
    words.join(" ").parse()
}

/// Refuses a number of terms that is a typing error.
pub fn check_terms(terms: u64) -> Result<()> {
    match terms {
        1..=MOST_TERMS => Ok(()),
        _ => Err(Error::Usage(format!("--terms must be between 1 and 2^40, not {terms}"))),
    }
}
