//! The job that this process was started in: how many ranks it has, and the connection with them.

use super::link::{Alone, Link};
use crate::base::{Error, Result};

/// The number of ranks of the job that this process was started in: 1 for a process of its own.
pub fn ranks() -> usize {
    // The names are those of Open MPI, of MPICH and its relatives, and of Slurm with either interface.
    ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS", "SLURM_STEP_NUM_TASKS"]
        .iter()
        .find_map(|name| number(name))
        .unwrap_or(1)
}

/// The number of ranks on this machine, where the launcher says it; otherwise 1.
pub fn ranks_on_this_machine() -> usize {
    number("OMPI_COMM_WORLD_LOCAL_SIZE").unwrap_or(1)
}

fn number(variable: &str) -> Option<usize> {
    std::env::var(variable).ok()?.parse().ok()
}

/// For work that ranks do not share: says so instead of doing it in every rank.
pub fn refuse_ranks(what: &str) -> Result<()> {
    match ranks() {
        1 => Ok(()),
        ranks => Err(Error::Usage(format!(
            "{what} runs in one process, and {ranks} were started; start it without mpirun"
        ))),
    }
}

/// The connection with the other ranks, which `join` makes where there are others.
pub fn connect(join: impl FnOnce(usize) -> Result<Box<dyn Link>>) -> Result<Box<dyn Link>> {
    match ranks() {
        1 => Ok(Box::new(Alone)),
        ranks => join(ranks),
    }
}
