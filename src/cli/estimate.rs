//! What a command will need, as far as it can be said before.

use super::{Cli, Command};
use crate::base::Result;
use crate::sweep::Needs;

impl Cli {
    /// What the command will need, or `None` where that is not known before.
    pub fn needs(&self) -> Result<Option<Needs>> {
        match &self.command {
            Command::Solve(args) => args.needs(),
            _ => Ok(None),
        }
    }
}
