//! The end of a table in shards: one width, checksums, results, and the BLAKE3 of the logical data.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::ShardedJob;
use super::link::gather;
use crate::base::Result;
use crate::space::SortedHeaps;
use crate::sweep::count_results;
use crate::table::{Checksums, Manifest, ShardsReader, State, Table, Width};

/// What a rank says of one of its shards: number, BLAKE3, results, seconds.
type Report = (usize, String, BTreeMap<String, Value>, f64);

impl ShardedJob<'_> {
    /// Finishes the shards of this rank and, when all have, the table. Returns its manifest.
    pub(super) fn finish(
        &self,
        out: &Path,
        mut manifest: Manifest,
        (own, spaces): (&[usize], &[SortedHeaps]),
        mut tables: Vec<Table>,
        seconds: f64,
    ) -> Result<Manifest> {
        let wide = tables.iter().any(|table| table.manifest().width == Width::U16);
        if gather(self.link, &wide)?.contains(&true) {
            manifest.width = Width::U16;
        }
        let mut reports: Vec<Report> = Vec::new();
        for ((table, space), &shard) in tables.iter_mut().zip(spaces).zip(own) {
            if table.manifest().width != manifest.width {
                table.widen()?;
            }
            let results = count_results(&table.cells(), space, self.job.game.on_heaps()?);
            let finished = table.finish(results.clone(), seconds)?;
            let blake3 = finished.checksums.as_ref().map_or_else(String::new, |sums| sums.blake3.clone());
            reports.push((shard, blake3, results, finished.seconds));
        }
        // The files are read by all ranks now: nobody has them open for writing.
        drop(tables);
        let mut seconds = 0.0f64;
        for (shard, blake3, results, took) in gather(self.link, &reports)?.into_iter().flatten() {
            add_results(&mut manifest.results, results);
            seconds = seconds.max(took);
            if let Some(entry) = manifest.shards.iter_mut().flatten().nth(shard) {
                entry.blake3 = Some(blake3);
            }
        }
        let reader = ShardsReader::open(out, &manifest)?;
        let subtrees = self.link.all_gather(&reader.subtrees(self.link.rank(), self.link.ranks())).concat();
        let blake3 = reader.blake3(&subtrees);
        manifest.checksums = Some(Checksums { block_bytes: 0, xxh3: Vec::new(), blake3 });
        manifest.seconds = seconds;
        manifest.threads = rayon::current_num_threads() * self.link.ranks();
        manifest.state = State::Complete;
        if self.link.rank() == 0 {
            manifest.write(out)?;
        }
        self.link.all_gather(&[]);
        Ok(manifest)
    }
}

/// Adds the results of a shard to those of the others: sums, and the largest of the largest.
fn add_results(all: &mut BTreeMap<String, Value>, shard: BTreeMap<String, Value>) {
    for (name, value) in shard {
        let (a, b) = (all.get(&name).and_then(Value::as_u64).unwrap_or(0), value.as_u64().unwrap_or(0));
        let merged = if name.starts_with("max") { a.max(b) } else { a + b };
        all.insert(name, merged.into());
    }
}
