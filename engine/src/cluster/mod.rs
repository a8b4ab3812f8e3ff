//! One table, many processes: each rank fills shards of it, and the ranks exchange rows at every wave. See
//! docs/CLUSTER.md.

mod begin;
mod budget;
mod copy_filler;
mod filler;
mod finish;
mod halo;
mod halo_filler;
mod launch;
mod link;
mod message;
mod plan;
mod rows;
mod run;
mod verdict;

pub use launch::{connect, ranks, refuse_ranks};
pub use link::{Incoming, Link, Outgoing};
pub use plan::{Plan, SHARDS_PER_RANK};
pub use run::Traffic;
pub use verdict::{check_checksums, join_verdicts};

use std::path::Path;
use std::time::Instant;

use self::copy_filler::CopyFiller;
use self::filler::Filler;
use self::halo_filler::{HaloFiller, Shard};
use self::link::gather;
use crate::base::{Control, Error, Result};
use crate::game::Family;
use crate::space::Space;
use crate::sweep::run::clear_unfinished;
use crate::sweep::{HeapJob, Job, KernelChoice};
use crate::table::{Manifest, State, Table, open_shard};
use crate::waves::KeySum;

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
    /// Whether every rank needs a copy of the whole table, because options go anywhere.
    pub fn needs_copy(&self) -> bool {
        self.job.family != Some(Family::Minnie) || self.job.kernel == KernelChoice::Generic
    }

    /// Fills the table in the folder `out`, or resumes where an earlier run stopped, with as many ranks as
    /// there are now. Returns the manifest and what each rank sent and held.
    pub fn solve(&self, out: &Path, control: &Control<'_>) -> Result<(Manifest, Vec<Traffic>)> {
        let whole = self.job.space()?;
        let spec = HeapJob { by_rows: true, ..self.job.clone() }.spec()?;
        self.agree(&spec, out)?;
        let (manifest, _lock) = self.open(out, &spec)?;
        let (rank, ranks) = (self.link.rank(), self.link.ranks());
        if manifest.state == State::Complete {
            return Ok((manifest, vec![Traffic::default(); ranks]));
        }
        let entries = manifest.shards.clone().unwrap_or_default();
        let plan = Plan::of_entries(self.job.heaps, self.job.max, &entries).ok_or_else(|| {
            Error::corrupt(
                &out.join("manifest.json"),
                "its shards are not the whole table",
                "delete the table's folder and solve again, or choose another --out",
            )
        })?;
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
        for (&shard, waves) in own.iter().zip(&waves) {
            let mut table = open_shard(out, &spec, &entries[shard], waves.space().len(), self.job.width())?;
            if !table.is_complete() {
                clear_unfinished(&mut table, waves)?;
            }
            tables.push(table);
        }
        let wave = self.common_wave(&tables, spec.waves)?;
        let all_waves = self.job.waves(&whole);
        let mut filler: Box<dyn Filler + '_> = if self.needs_copy() {
            let kernel = self.job.kernel_of_parts(&whole, &all_waves, &Control::silent());
            let copy = Table::in_memory(spec.clone(), self.job.width())?;
            Box::new(CopyFiller::new(
                &plan,
                (rank, ranks),
                (&all_waves, kernel),
                copy,
                (&spaces, tables),
                wave,
            )?)
        } else {
            let shard = |((&number, space), waves)| Shard {
                number,
                space,
                waves,
                kernel: self.job.row_kernel(waves).expect("minnie has a kernel of rows"),
            };
            let shards = own.iter().zip(&spaces).zip(&waves).map(shard).collect();
            Box::new(HaloFiller::new(&plan, (rank, ranks), shards, tables, wave))
        };
        let traffic = run::run(self.link, &mut *filler, &spec, wave, control)?;
        let tables = filler.into_tables();
        let seconds = started.elapsed().as_secs_f64();
        let manifest = self.finish(out, manifest, (&own, &spaces), tables, seconds)?;
        Ok((manifest, gather(self.link, &traffic)?))
    }
}

#[cfg(test)]
mod tests;
