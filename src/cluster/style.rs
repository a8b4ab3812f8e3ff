//! What a rank does in a wave, for the two ways to fill shards.

use super::link::{Incoming, Outgoing};
use crate::base::Result;
use crate::table::Table;

/// A way to fill the shards of a rank. For each wave the sweep calls the methods in the order in which they stand here.
pub trait Style: Sync {
    /// Fills the rows of `wave` that other ranks wait for. Returns the number of positions.
    fn fill_first(&mut self, wave: u64) -> Result<u64>;

    /// What the other ranks need before they begin wave `next`.
    fn outgoing(&self, next: u64) -> Vec<Outgoing>;

    /// Room for what this rank needs before it begins wave `next`.
    fn expected(&self, next: u64) -> Vec<Incoming>;

    /// Fills the other rows of `wave`, while messages are under way. Returns the number of positions.
    fn fill_rest(&self, wave: u64) -> u64;

    /// Ends `wave`, and takes in the messages for wave `next`.
    fn finish_wave(&mut self, wave: u64) -> Result<()>;

    /// Takes in the messages for wave `next`.
    fn receive(&mut self, next: u64, incoming: &[Incoming]) -> Result<()>;

    /// The first wave whose messages are needed to begin with wave `wave`.
    fn oldest_needed(&self, wave: u64) -> u64;

    /// The tables of the rank's shards.
    fn tables(&mut self) -> &mut [Table];

    /// The bytes that the rank holds beside its tables, now.
    fn bytes_beside(&self) -> u64;
}
