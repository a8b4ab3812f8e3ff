//! What a command will need, as far as it can be said before.

use std::path::Path;

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

    /// Refuses an output folder, relative to `base`, that holds another table.
    pub fn check_out(&self, base: &Path) -> Result<()> {
        match &self.command {
            Command::Solve(args) => args.check_out(base),
            _ => Ok(()),
        }
    }
}
