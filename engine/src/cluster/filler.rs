//! What a rank does in a wave: the common face of the two ways to fill shards.

use super::link::{Incoming, Outgoing};
use crate::base::Result;
use crate::table::Table;

/// Fills the shards of a rank. For each wave the run calls the methods in the order in which they stand here.
pub trait Filler: Sync {
    /// Fills the rows of `wave` that other ranks wait for. Returns the number of positions.
    fn fill_first(&mut self, wave: u64) -> Result<u64>;

    /// What the other ranks need before they begin wave `next`.
    fn outgoing(&self, next: u64) -> Vec<Outgoing>;

    /// Room for what this rank needs before it begins wave `next`.
    fn expected(&self, next: u64) -> Vec<Incoming>;

    /// Fills the other rows of `wave`, while messages are under way. Returns the number of positions.
    fn fill_rest(&self, wave: u64) -> u64;

    /// Ends `wave`: where a value did not fit, the table is widened and
    /// its rows of the wave are filled again.
    fn finish_wave(&mut self, wave: u64) -> Result<()>;

    /// Takes in the messages for wave `next`.
    fn receive(&mut self, next: u64, incoming: &[Incoming]) -> Result<()>;

    /// The first wave whose messages are needed to begin with wave `wave`.
    fn oldest_needed(&self, wave: u64) -> u64;

    /// The tables of the rank's shards.
    fn tables(&mut self) -> &mut [Table];

    /// The tables, when the run is over.
    fn into_tables(self: Box<Self>) -> Vec<Table>;

    /// The bytes that the rank holds now in addition to its tables.
    fn extra_bytes(&self) -> u64;
}
