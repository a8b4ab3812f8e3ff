//! What a rank needs, and whether there is so much.

use std::path::Path;

use super::launch::ranks_on_this_machine;
use super::{Plan, SHARDS_PER_RANK, ShardedJob};
use crate::base::Result;
use crate::base::machine;
use crate::space::SortedHeaps;
use crate::sweep::{HeapJob, Job};

impl ShardedJob<'_> {
    /// The plan of a new table.
    pub fn new_plan(&self) -> Plan {
        let shards = self.shards.unwrap_or(SHARDS_PER_RANK * self.link.ranks());
        Plan::new(self.job.heaps, self.job.max, shards)
    }

    /// The bytes that this rank needs in addition to the files of its shards: halo and kernel, or the copy.
    pub fn extra_memory(&self, plan: &Plan) -> u64 {
        if self.needs_copy() {
            return self.table_bytes();
        }
        let (rank, ranks) = (self.link.rank(), self.link.ranks());
        let halo: u64 = plan.own(rank, ranks).map(|shard| plan.halo_cells(shard).0).sum();
        let by_rows = HeapJob { by_rows: true, ..self.job.clone() };
        halo.saturating_add(by_rows.memory() / ranks as u64)
    }

    /// Refuses what does not fit: the memory of all ranks on this machine together, of which `limit` is
    /// allowed, and the disk of `out`. Returns the bytes of this rank.
    pub fn check_budget(&self, out: &Path, limit: Option<u64>) -> Result<u64> {
        let memory = self.extra_memory(&self.new_plan());
        let remedy = if self.needs_copy() {
            "this game needs a copy of the whole table on every rank: start fewer ranks on a machine, each with more threads"
        } else {
            "start fewer ranks on a machine, or use more machines"
        };
        machine::check_memory(memory.saturating_mul(ranks_on_this_machine() as u64), limit, remedy)?;
        if self.link.rank() == 0 && !out.join("manifest.json").exists() {
            machine::check_disk(self.table_bytes(), out)?;
        }
        Ok(memory)
    }

    fn table_bytes(&self) -> u64 {
        let entries = SortedHeaps::count(self.job.heaps, self.job.max).unwrap_or(u64::MAX);
        self.job.width().file_bytes(entries)
    }
}
