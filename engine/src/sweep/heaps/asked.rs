//! The table that a person asks for.

use super::HeapJob;
use crate::base::{Error, Result};
use crate::game::Game;
use crate::table::Quantity;

impl HeapJob {
    /// The table of `game` with these bounds. Where the heaps of a rule do not interact it is a sequence instead of
    /// a box: what the rule says about one heap says everything.
    pub fn asked(
        game: &Game,
        heaps: usize,
        max: u32,
        quantity: Quantity,
        smallest: Option<u32>,
    ) -> Result<Self> {
        let is_sum = game.on_heaps()?.is_written_sum(game.play());
        let (heaps, quantity) = if is_sum { (1, Quantity::Values) } else { (heaps, quantity) };
        let mut job = Self::new(game, heaps, max, quantity)?;
        if smallest.is_some() && heaps < 2 {
            return Err(Error::Usage("--smallest: of one heap there is no smallest one; use --max".into()));
        }
        job.smallest = smallest;
        Ok(job)
    }
}
