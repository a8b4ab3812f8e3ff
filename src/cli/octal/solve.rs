//! `nimwave solve octal`: a nim-sequence, in memory or in a folder.

use super::super::numbers;
use super::super::solve::RunArgs;
use super::{EngineArgs, any_game, check_terms};
use crate::base::Result;
use crate::sweep::OctalJob;

/// Arguments of `solve octal`.
#[derive(Debug, Clone, clap::Args)]
pub struct SolveArgs {
    /// The code (0.6, .6, 4.7; 0.3[12]7 for twelve threes and a seven) or a name: kayles, dawson, officers,
    /// treblecross, grundy, "subtraction 1,3,4", "cookie-row 12"; also 0.3F (hexadecimal digits leave three heaps),
    /// 4!.0 (the heaps left must differ), 0.[3] (digits repeat without end), "all-but 1,2,3".
    #[arg(value_name = "CODE", required = true, num_args = 1..=2)]
    code: Vec<String>,
    /// The number of terms, G(0) included; a stored sequence can be continued with more.
    #[arg(long, value_name = "N", value_parser = numbers::count)]
    terms: u64,
    #[command(flatten)]
    pub run: RunArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

impl SolveArgs {
    /// The sequence that was asked for.
    pub fn job(&self) -> Result<OctalJob> {
        check_terms(self.terms)?;
        Ok(OctalJob { engine: self.engine.options(), ..OctalJob::new(any_game(&self.code)?, self.terms) })
    }
}
