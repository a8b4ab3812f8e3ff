//! One table, many processes: each rank fills shards of it, and the ranks exchange rows at every wave. See docs/CLUSTER.md.
//!
//! A wave of a rank: fill the rows that others wait for, send them, fill the rest while they are under way, take in
//! what came. No rank is ever more than a wave ahead of those that it talks to.

mod finish;
pub mod halo;
mod link;
#[cfg(feature = "mpi")]
mod mpi;
mod plan;
mod replicated;
mod rows;
mod style;
mod windows;

pub use link::{Alone, Incoming, Link, Outgoing};
#[cfg(feature = "mpi")]
pub use mpi::World;
pub use plan::{Plan, SHARDS_PER_RANK};

use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use self::replicated::Replicated;
use self::style::Style;
use self::windows::{Shard, Windows};
use crate::base::Control;
use crate::base::{Error, Result};
use crate::game::Family;
use crate::space::{SortedHeaps, Space};
use crate::sweep::run::clear_unfinished;
use crate::sweep::{HeapJob, KernelChoice};
use crate::table::{Manifest, ShardEntry, Spec, State, Table, begin_shards, shard_name};
use crate::waves::KeySum;

/// What one rank sent, received and held.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Bytes sent.
    pub sent: u64,
    /// Bytes received.
    pub received: u64,
    /// The most bytes sent in one wave.
    pub most_in_a_wave: u64,
    /// The most bytes held beside the tables: halo or copy.
    pub most_beside: u64,
    /// The bytes of this rank's shards.
    pub tables: u64,
}

/// A table that is filled by several ranks.
pub struct ShardedJob<'a> {
    /// The table.
    pub job: &'a HeapJob,
    /// The number of shards of a new table; a table that is there keeps its own.
    pub shards: Option<usize>,
    /// The connection with the other ranks.
    pub link: &'a dyn Link,
}

impl ShardedJob<'_> {
    /// Whether shards need a copy of the whole table on every rank.
    pub fn is_replicated(job: &HeapJob) -> bool {
        job.family != Some(Family::Minnie) || job.kernel == KernelChoice::Generic
    }

    /// The plan of a new table.
    pub fn new_plan(&self) -> Plan {
        let shards = self.shards.unwrap_or(SHARDS_PER_RANK * self.link.ranks());
        Plan::new(self.job.heaps, self.job.max, shards)
    }

    /// The bytes that rank `rank` needs beside the files of its shards: halo and kernel, or the copy.
    pub fn memory_of(&self, plan: &Plan, rank: usize) -> u64 {
        let job = self.job;
        if Self::is_replicated(job) {
            return job.width().file_bytes(SortedHeaps::count(job.heaps, job.max).unwrap_or(u64::MAX));
        }
        let ranks = self.link.ranks() as u64;
        let halo: u64 = plan.own(rank, self.link.ranks()).map(|shard| plan.halo_cells(shard).0).sum();
        halo.saturating_add(job.kernel_memory() / ranks)
    }

    /// Fills the table in the folder `out`, or goes on where an earlier run stopped, with as many ranks as there are now.
    pub fn solve(&self, out: &Path, control: &Control<'_>) -> Result<(Manifest, Traffic)> {
        let whole = self.job.space()?;
        let spec = self.job.spec(&KeySum::new(&whole));
        self.agree(&spec, out)?;
        let (manifest, _lock) = self.open(out, &spec)?;
        if manifest.state == State::Complete {
            return Ok((manifest, Traffic::default()));
        }
        let shards = manifest.shards.clone().unwrap_or_default();
        let ranges: Vec<(u32, u32)> = shards.iter().map(|shard| (shard.first, shard.last)).collect();
        let plan = Plan::of_ranges(self.job.heaps, self.job.max, &ranges).ok_or_else(|| {
            Error::corrupt(
                &out.join("manifest.json"),
                "its shards are not the whole table",
                "delete the table's folder and solve again, or choose another --out",
            )
        })?;
        let (rank, ranks) = (self.link.rank(), self.link.ranks());
        if plan.shards() < ranks && self.job.heaps > 2 {
            return Err(Error::Ranks(format!(
                "the table has {} shards and there are {ranks} ranks; use at most {} ranks, or begin anew with --shards {ranks} \
                 or more",
                plan.shards(),
                plan.shards()
            )));
        }
        let own: Vec<usize> = plan.own(rank, ranks).collect();
        let spaces = own.iter().map(|&shard| plan.space(shard)).collect::<Result<Vec<_>>>()?;
        let waves: Vec<KeySum<'_>> = spaces.iter().map(|space| self.job.waves(space)).collect();
        let started = Instant::now();
        let mut tables = Vec::new();
        for (place, &shard) in own.iter().enumerate() {
            let spec = self.shard_spec(&spec, &plan, shard, &spaces[place]);
            let mut table = Table::in_folder(&out.join(shard_name(shard)), spec, self.job.width())?;
            if !table.is_complete() {
                clear_unfinished(&mut table, &waves[place])?;
            }
            tables.push(table);
        }
        let wave = self.common_wave(&tables, spec.waves);
        let traffic;
        let tables = if Self::is_replicated(self.job) {
            let all = self.job.waves(&whole);
            let kernel = self.job.kernel(&whole, &all);
            let copy = Table::in_memory(spec.clone(), self.job.width())?;
            let mut style =
                Replicated::new(&plan, (rank, ranks), (&all, kernel), copy, (&spaces, tables), wave)?;
            traffic = self.sweep(&mut style, &spec, wave, control)?;
            style.into_tables()
        } else {
            let kernel = |place: usize| Shard {
                number: own[place],
                space: &spaces[place],
                waves: &waves[place],
                kernel: self.job.kernel(&spaces[place], &waves[place]),
            };
            let shards = (0..own.len()).map(kernel).collect();
            let mut style = Windows::new(&plan, (rank, ranks), shards, tables, wave);
            traffic = self.sweep(&mut style, &spec, wave, control)?;
            style.into_tables()
        };
        let manifest =
            self.finish(out, manifest, (&own, &spaces), tables, started.elapsed().as_secs_f64())?;
        Ok((manifest, traffic))
    }

    /// All ranks must run the same program on the same table; that of rank 0 is the measure.
    fn agree(&self, spec: &Spec, out: &Path) -> Result<()> {
        let text = format!(
            "nimwave {}\n{}\n{:?}\n{}",
            env!("CARGO_PKG_VERSION"),
            serde_json::to_string(spec).unwrap_or_default(),
            self.shards,
            out.display()
        );
        disagreement(&self.link.all_gather(text.as_bytes()))
            .map_or(Ok(()), |problem| Err(Error::Ranks(problem)))
    }

    /// Rank 0 opens the folder and tells the others what it holds.
    fn open(&self, out: &Path, spec: &Spec) -> Result<(Manifest, Option<crate::table::ShardLock>)> {
        let mut text = Vec::new();
        let mut lock = None;
        let mut problem = None;
        if self.link.rank() == 0 {
            let plan = self.new_plan();
            let entry = |shard: usize| -> Result<ShardEntry> {
                Ok(ShardEntry {
                    folder: shard_name(shard),
                    first: *plan.range(shard).start(),
                    last: *plan.range(shard).end(),
                    entries: plan.space(shard)?.len(),
                    blake3: None,
                })
            };
            let entries = (0..plan.shards()).map(entry).collect::<Result<Vec<_>>>();
            match entries.and_then(|entries| begin_shards(out, spec, self.job.width(), entries)) {
                Ok((manifest, held)) => {
                    text = manifest.to_json().into_bytes();
                    lock = Some(held);
                }
                Err(error) => problem = Some(error),
            }
        }
        let told = self.link.all_gather(&text);
        if let Some(problem) = problem {
            return Err(problem);
        }
        let manifest = Manifest::parse(&told[0])
            .map_err(|_| Error::Ranks("rank 0 could not open the table's folder; see its message".into()))?;
        Ok((manifest, lock))
    }

    fn shard_spec(&self, whole: &Spec, plan: &Plan, shard: usize, space: &SortedHeaps) -> Spec {
        let mut spec = whole.clone();
        let range = plan.range(shard);
        spec.parameters.insert("shard".into(), vec![*range.start(), *range.end()].into());
        spec.index.scheme = "sorted-heaps-shard".into();
        spec.index.formula =
            "the positions of the table with a[k-1] in shard[0]..shard[1], in the order of the table".into();
        spec.entries = space.len();
        spec
    }

    /// The last common checkpoint: the fewest waves that a shard has.
    fn common_wave(&self, tables: &[Table], waves: u64) -> u64 {
        let done = |table: &Table| if table.is_complete() { waves } else { table.waves_done() };
        let least = tables.iter().map(done).min().unwrap_or(waves);
        let all = self.link.all_gather(&least.to_le_bytes());
        all.iter()
            .map(|bytes| u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes")))
            .min()
            .unwrap_or(0)
    }

    fn sweep(
        &self,
        style: &mut dyn Style,
        spec: &Spec,
        first: u64,
        control: &Control<'_>,
    ) -> Result<Traffic> {
        let started = Instant::now();
        let total = spec.waves;
        let mut traffic = Traffic::default();
        let mut exchange = |style: &mut dyn Style, next: u64, wave: Option<u64>| -> Result<(bool, u64)> {
            let outgoing = style.outgoing(next);
            let mut incoming = style.expected(next);
            let mut positions = 0;
            let stop = control.stop.load(Relaxed);
            let stop = self.link.exchange(&outgoing, &mut incoming, stop, &mut || {
                positions = wave.map_or(0, |wave| style.fill_rest(wave));
            });
            let sent = outgoing.iter().map(|message| message.bytes.len() as u64).sum();
            traffic.sent += sent;
            traffic.received += incoming.iter().map(|message| message.bytes.len() as u64).sum::<u64>();
            traffic.most_in_a_wave = traffic.most_in_a_wave.max(sent);
            if let Some(wave) = wave {
                style.finish_wave(wave)?;
            }
            style.receive(next, &incoming)?;
            traffic.most_beside = traffic.most_beside.max(style.bytes_beside());
            Ok((stop, positions))
        };
        control.observer.begin(total, spec.entries, first);
        if first < total {
            for next in style.oldest_needed(first)..=first {
                exchange(style, next, None)?;
            }
        }
        let mut filled = 0;
        let mut next_checkpoint = Instant::now() + control.checkpoint_every;
        for wave in first..total {
            filled += style.fill_first(wave)?;
            let (stop, positions) = exchange(style, wave + 1, Some(wave))?;
            filled += positions;
            control.observer.wave(wave + 1, filled);
            let done = wave + 1;
            let due = Instant::now() >= next_checkpoint && done < total;
            if due || stop {
                let begun = Instant::now();
                checkpoint(style.tables(), done, started.elapsed().as_secs_f64())?;
                control.observer.checkpoint(done);
                next_checkpoint = Instant::now() + control.checkpoint_every.max(begun.elapsed() * 19);
            }
            if stop && done < total {
                return Err(Error::Interrupted { done, total });
            }
        }
        traffic.tables =
            style.tables().iter().map(|table| table.manifest().width.file_bytes(table.spec().entries)).sum();
        Ok(traffic)
    }
}

/// Makes the first `waves` waves durable. A shard that was ahead of the others when they went on keeps its own
/// count until they have caught up: it has filled those waves with the same bytes again.
fn checkpoint(tables: &mut [Table], waves: u64, seconds: f64) -> Result<()> {
    tables.iter_mut().filter(|table| !table.is_complete()).try_for_each(|table| {
        let waves = waves.max(table.waves_done());
        table.checkpoint(waves, seconds)
    })
}

/// What is wrong with the ranks that say something else than rank 0; the first line is the program's version.
fn disagreement(said: &[Vec<u8>]) -> Option<String> {
    let lines = |bytes: &[u8]| String::from_utf8_lossy(bytes).lines().map(str::to_string).collect::<Vec<_>>();
    let measure = lines(&said[0]);
    said.iter().enumerate().find(|(_, said_here)| **said_here != said[0]).map(|(rank, said)| {
        let other = lines(said);
        if other.first() != measure.first() {
            let name = |lines: &[String]| lines.first().cloned().unwrap_or_default();
            return format!(
                "rank 0 runs {} and rank {rank} runs {}; start the same program on all nodes",
                name(&measure),
                name(&other)
            );
        }
        format!("rank {rank} was started with other arguments than rank 0; give all ranks the same command")
    })
}

#[cfg(test)]
mod tests;
