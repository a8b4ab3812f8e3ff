//! The waves of a run of several ranks.
//!
//! In a wave a rank fills the rows that others wait for, sends them, fills the rest while they are under way,
//! and takes in what came. No rank is ever more than a wave ahead of those that it talks to.

use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::filler::Filler;
use super::link::{Incoming, Link, Outgoing};
use crate::base::{Control, Error, Result};
use crate::sweep::pace::Checkpoints;
use crate::table::{Spec, Table};

/// What one rank sent, received and held.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traffic {
    /// Bytes sent.
    pub sent: u64,
    /// Bytes received.
    pub received: u64,
    /// The most bytes sent in one wave.
    pub most_in_a_wave: u64,
    /// The most bytes held in addition to the tables: halo or copy.
    #[serde(rename = "most_beside")]
    pub most_extra: u64,
    /// The bytes of this rank's shards.
    pub tables: u64,
}

impl Traffic {
    fn count(&mut self, outgoing: &[Outgoing], incoming: &[Incoming]) {
        let sent = outgoing.iter().map(|message| message.bytes.len() as u64).sum();
        self.sent += sent;
        self.received += incoming.iter().map(|message| message.bytes.len() as u64).sum::<u64>();
        self.most_in_a_wave = self.most_in_a_wave.max(sent);
    }
}

/// Fills the waves from `first` on.
pub fn run(
    link: &dyn Link,
    filler: &mut dyn Filler,
    spec: &Spec,
    first: u64,
    control: &Control<'_>,
) -> Result<Traffic> {
    let started = Instant::now();
    let total = spec.waves;
    let mut traffic = Traffic::default();
    // Ends `wave`, where one is being filled, and brings in what wave `next` needs. Returns whether any rank
    // is to stop, and the number of positions.
    let mut exchange = |filler: &mut dyn Filler, next: u64, wave: Option<u64>| -> Result<(bool, u64)> {
        let outgoing = filler.outgoing(next);
        let mut incoming = filler.expected(next);
        let mut positions = 0;
        let stop = link.exchange(&outgoing, &mut incoming, control.stopped(), &mut || {
            positions = wave.map_or(0, |wave| filler.fill_rest(wave));
        });
        traffic.count(&outgoing, &incoming);
        if let Some(wave) = wave {
            filler.finish_wave(wave)?;
        }
        filler.receive(next, &incoming)?;
        traffic.most_extra = traffic.most_extra.max(filler.extra_bytes());
        Ok((stop, positions))
    };
    control.observer.begin(total, spec.entries, first);
    if first < total {
        for next in filler.oldest_needed(first)..=first {
            exchange(filler, next, None)?;
        }
    }
    let mut filled = 0;
    let mut checkpoints = Checkpoints::new(control);
    for wave in first..total {
        filled += filler.fill_first(wave)?;
        let (stop, positions) = exchange(filler, wave + 1, Some(wave))?;
        filled += positions;
        let done = wave + 1;
        control.observer.wave(done, filled);
        if stop || done < total && checkpoints.is_due() {
            let seconds = started.elapsed().as_secs_f64();
            checkpoints.make(done, || checkpoint(filler.tables(), done, seconds))?;
        }
        if stop && done < total {
            return Err(Error::Interrupted { done, total });
        }
    }
    let bytes = |table: &Table| table.manifest().width.file_bytes(table.spec().entries);
    traffic.tables = filler.tables().iter().map(bytes).sum();
    Ok(traffic)
}

/// Makes the first `waves` waves durable. A shard that was ahead of the others when the run resumed keeps its
/// own count until they have caught up: it has filled those waves with the same bytes again.
fn checkpoint(tables: &mut [Table], waves: u64, seconds: f64) -> Result<()> {
    tables.iter_mut().filter(|table| !table.is_complete()).try_for_each(|table| {
        let waves = waves.max(table.waves_done());
        table.checkpoint(waves, seconds)
    })
}
