//! The beginning of a run of several ranks: they agree on the program, the table and the wave to begin with.

use std::path::Path;

use super::ShardedJob;
use super::link::gather;
use crate::base::{Error, Result};
use crate::space::Space;
use crate::sweep::Job;
use crate::table::{Manifest, ShardEntry, ShardLock, Spec, Table, begin_shards};

impl ShardedJob<'_> {
    /// All ranks must run the same program on the same table; that of rank 0 is the measure.
    pub(super) fn agree(&self, spec: &Spec, out: &Path) -> Result<()> {
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
    pub(super) fn open(&self, out: &Path, spec: &Spec) -> Result<(Manifest, Option<ShardLock>)> {
        let opened = (self.link.rank() == 0).then(|| self.open_folder(out, spec)).transpose();
        let text = match &opened {
            Ok(Some((manifest, _))) => manifest.to_json().into_bytes(),
            _ => Vec::new(),
        };
        let told = self.link.all_gather(&text);
        let lock = opened?.map(|(_, lock)| lock);
        let manifest = Manifest::parse(&told[0])
            .map_err(|_| Error::Ranks("rank 0 could not open the table's folder; see its message".into()))?;
        Ok((manifest, lock))
    }

    fn open_folder(&self, out: &Path, spec: &Spec) -> Result<(Manifest, ShardLock)> {
        let plan = self.new_plan();
        let entry = |shard: usize| Ok(ShardEntry::new(shard, plan.range(shard), plan.space(shard)?.len()));
        let entries = (0..plan.shards()).map(entry).collect::<Result<Vec<_>>>()?;
        begin_shards(out, spec, self.job.width(), entries)
    }

    /// The last common checkpoint: the fewest waves that a shard has.
    pub(super) fn common_wave(&self, tables: &[Table], waves: u64) -> Result<u64> {
        let done = |table: &Table| if table.is_complete() { waves } else { table.waves_done() };
        let least = tables.iter().map(done).min().unwrap_or(waves);
        Ok(gather(self.link, &least)?.into_iter().min().unwrap_or(0))
    }
}

/// What is wrong with the ranks that say something else than rank 0; the first line is the program's version.
pub(super) fn disagreement(said: &[Vec<u8>]) -> Option<String> {
    let version = |said: &[u8]| String::from_utf8_lossy(said).lines().next().unwrap_or_default().to_string();
    let (rank, other) = said.iter().enumerate().find(|(_, other)| **other != said[0])?;
    let (ours, theirs) = (version(&said[0]), version(other));
    if ours != theirs {
        return Some(format!(
            "rank 0 runs {ours} and rank {rank} runs {theirs}; start the same program on all nodes"
        ));
    }
    Some(format!("rank {rank} was started with other arguments than rank 0; give all ranks the same command"))
}
