//! Shards with a halo: for kernels that read few rows of other shards (see [`super::halo`]).

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rayon::prelude::*;

use super::filler::Filler;
use super::halo::{Halo, for_each_prefix};
use super::link::{Incoming, Outgoing};
use super::message;
use super::plan::Plan;
use super::rows::{Row, RowSource, batch_cells, copy_row, row_bytes};
use crate::base::{Control, Error, Result};
use crate::space::SortedHeaps;
use crate::sweep::kernel::RowKernel;
use crate::sweep::run::recall;
use crate::table::{Table, Width};
use crate::waves::{KeySum, RowBlock, Waves};

/// A shard of this rank, and what fills it.
pub struct Shard<'a> {
    /// Its number in the plan.
    pub number: usize,
    /// Its positions.
    pub space: &'a SortedHeaps,
    /// Its waves.
    pub waves: &'a KeySum<'a>,
    /// Its kernel.
    pub kernel: Box<dyn RowKernel<Halo> + 'a>,
}

/// The shards of a rank, each with its halo.
pub struct HaloFiller<'a> {
    plan: &'a Plan,
    rank: usize,
    ranks: usize,
    shards: Vec<Shard<'a>>,
    tables: Vec<Table>,
    halos: Vec<Halo>,
    /// For each shard, whether a value of the wave at hand did not fit.
    too_wide: Vec<AtomicBool>,
}

impl<'a> HaloFiller<'a> {
    /// The shards of rank `rank` of `ranks`; `tables` are finished up to wave `wave` at least.
    pub fn new(
        plan: &'a Plan,
        (rank, ranks): (usize, usize),
        shards: Vec<Shard<'a>>,
        tables: Vec<Table>,
        wave: u64,
    ) -> Self {
        let halos = shards.iter().map(|shard| Halo::new(shard.space)).collect();
        let too_wide = shards.iter().map(|_| AtomicBool::new(false)).collect();
        let filler = Self { plan, rank, ranks, shards, tables, halos, too_wide };
        (0..filler.shards.len()).for_each(|place| filler.recall(place, wave));
        filler
    }

    /// Rebuilds what the kernel of a shard remembers of the waves before `wave`.
    fn recall(&self, place: usize, wave: u64) {
        let shard = &self.shards[place];
        recall(&self.tables[place], shard.waves, &*shard.kernel, wave, &Control::silent());
    }

    /// The last key heaps of a shard whose rows other shards wait for: its greatest, since the
    /// next shard reads it in the next wave.
    fn edge(&self, place: usize) -> RangeInclusive<u32> {
        let range = self.shards[place].space.key_last();
        *range.end()..=*range.end()
    }

    fn inside(&self, place: usize) -> RangeInclusive<u32> {
        let range = self.shards[place].space.key_last();
        *range.start()..=range.end().wrapping_sub(1)
    }

    fn has_edge(&self, place: usize) -> bool {
        self.shards[place].number + 1 < self.plan.shards()
    }

    fn blocks(&self, place: usize, wave: u64, edge: bool) -> Vec<RowBlock> {
        let waves = self.shards[place].waves;
        match (self.has_edge(place), edge) {
            (false, true) => Vec::new(),
            (false, false) => waves.blocks(wave),
            (true, true) => waves.blocks_ending_in(wave, self.edge(place)),
            // A shard of one heap is all edge.
            (true, false) if self.inside(place).is_empty() || *self.edge(place).end() == 0 => Vec::new(),
            (true, false) => waves.blocks_ending_in(wave, self.inside(place)),
        }
    }

    /// Fills the edges or the insides of these shards.
    fn fill(&self, places: &[usize], wave: u64, edge: bool) -> u64 {
        let blocks: Vec<(usize, RowBlock)> = places
            .iter()
            .flat_map(|&place| self.blocks(place, wave, edge).into_iter().map(move |block| (place, block)))
            .collect();
        let fill = |(place, block): &(usize, RowBlock)| {
            let cells = self.tables[*place].cells();
            self.shards[*place].kernel.fill_with(&cells, block, &self.halos[*place]).unwrap_or_else(|_| {
                self.too_wide[*place].store(true, Relaxed);
                0
            })
        };
        match blocks.as_slice() {
            [] => 0,
            [only] => fill(only),
            all => all.par_iter().map(fill).sum(),
        }
    }

    fn all_places(&self) -> Vec<usize> {
        (0..self.shards.len()).collect()
    }

    /// Widens the shards in which a value did not fit, and fills their rows of the wave again.
    fn widen(&mut self, wave: u64, edges_only: bool) -> Result<()> {
        for place in 0..self.shards.len() {
            while self.too_wide[place].swap(false, Relaxed) {
                if self.tables[place].manifest().width == Width::U16 {
                    return Err(Error::too_wide());
                }
                self.tables[place].widen()?;
                self.shards[place].kernel.forget();
                self.recall(place, wave);
                self.fill(&[place], wave, true);
                if !edges_only {
                    self.fill(&[place], wave, false);
                }
            }
        }
        Ok(())
    }

    /// The sum of the prefixes whose rows come into use in wave `next` in a shard that begins with `least`.
    fn sum_of(&self, next: u64, least: u32) -> Option<u64> {
        let sum = next.checked_sub(u64::from(least)).filter(|_| least > 0)?;
        (sum <= (self.plan.heaps() as u64 - 2) * u64::from(least - 1)).then_some(sum)
    }

    /// The rows that this rank has of the batch of `shard` for wave `next`, in the order of the batch.
    fn rows_for(&self, shard: usize, next: u64, rows: &mut Vec<Row>) {
        let least = *self.plan.range(shard).start();
        let Some(sum) = self.sum_of(next, least) else { return };
        let heaps = self.plan.heaps();
        let mut key = vec![0; heaps];
        for_each_prefix(heaps, sum, least, |prefix, lasts| {
            key[..heaps - 2].copy_from_slice(prefix);
            let top = prefix.last().copied().unwrap_or(0);
            // Below the prefix's own largest heap the rows are in its shard, above it they are in their own.
            let home = self.plan.shard_of(top);
            if let Some(place) = self.place_of(home) {
                for last in lasts.start..lasts.end.min(top) {
                    rows.push((place, self.row_start(place, prefix, last, least)));
                }
            }
            for (place, mine) in self.shards.iter().enumerate() {
                let range = mine.space.key_last();
                for last in lasts.start.max(top).max(*range.start())..lasts.end.min(range.end() + 1) {
                    rows.push((place, self.row_start(place, prefix, last, least)));
                }
            }
        });
    }

    /// The entry of the position with this prefix, `last` and x.
    fn row_start(&self, place: usize, prefix: &[u32], last: u32, x: u32) -> u64 {
        let mut position = [0; crate::space::MAX_HEAPS];
        let position = &mut position[..prefix.len() + 2];
        let at = prefix.partition_point(|&heap| heap <= last);
        position[..at].copy_from_slice(&prefix[..at]);
        position[at] = last;
        position[at + 1..=prefix.len()].copy_from_slice(&prefix[at..]);
        position[prefix.len() + 1] = x;
        self.shards[place].space.rank_sorted(position)
    }

    fn place_of(&self, shard: usize) -> Option<usize> {
        (self.plan.owner(shard, self.ranks) == self.rank).then(|| shard / self.ranks)
    }

    fn is_bits(&self) -> bool {
        self.tables.first().is_some_and(|table| table.manifest().width.is_bit())
    }

    /// The width of the widest of this rank's tables.
    fn width(&self) -> Width {
        let width = |table: &Table| table.manifest().width;
        if self.is_bits() {
            Width::Bit
        } else if self.tables.iter().any(|table| width(table) == Width::U16) {
            Width::U16
        } else {
            Width::U8
        }
    }

    fn row_length(&self, shard: usize) -> usize {
        (self.plan.max() - *self.plan.range(shard).start()) as usize + 1
    }

    /// The rows that come from each rank for a batch, in its order.
    fn sources(&self, shard: usize, next: u64) -> Option<(u64, Vec<usize>)> {
        let least = *self.plan.range(shard).start();
        let sum = self.sum_of(next, least)?;
        let mut sources = Vec::new();
        for_each_prefix(self.plan.heaps(), sum, least, |prefix, lasts| {
            let top = prefix.last().copied().unwrap_or(0);
            sources.extend(lasts.map(|last| self.plan.owner(self.plan.shard_of(last.max(top)), self.ranks)));
        });
        Some((sum, sources))
    }
}

impl Filler for HaloFiller<'_> {
    fn fill_first(&mut self, wave: u64) -> Result<u64> {
        let positions = self.fill(&self.all_places(), wave, true);
        self.widen(wave, true)?;
        Ok(positions)
    }

    fn outgoing(&self, next: u64) -> Vec<Outgoing> {
        let width = self.width();
        let mut messages = Vec::new();
        for to in (0..self.ranks).filter(|&to| to != self.rank) {
            // The rows of all shards of that rank.
            let mut bytes = message::begin(width);
            let mut rows = Vec::new();
            for shard in self.plan.own(to, self.ranks) {
                rows.clear();
                self.rows_for(shard, next, &mut rows);
                let length = self.row_length(shard);
                let size = row_bytes(length, width);
                let from = bytes.len();
                bytes.resize(from + rows.len() * size, 0);
                bytes[from..].par_chunks_mut(size).with_min_len(64).zip(&rows).for_each(
                    |(target, &(place, start))| {
                        copy_row(&self.tables[place].cells(), start, length, width, target);
                    },
                );
            }
            messages.extend(message::outgoing(to, width, bytes));
        }
        messages
    }

    fn expected(&self, next: u64) -> Vec<Incoming> {
        let mut bytes = vec![0; self.ranks];
        for shard in self.shards.iter().map(|shard| shard.number) {
            let Some((_, sources)) = self.sources(shard, next) else { continue };
            let size = row_bytes(self.row_length(shard), message::widest(self.width()));
            sources.iter().for_each(|&from| bytes[from] += size);
        }
        let others = bytes.into_iter().enumerate().filter(|&(from, _)| from != self.rank);
        others.filter_map(|(from, bytes)| message::incoming(from, bytes)).collect()
    }

    fn fill_rest(&self, wave: u64) -> u64 {
        self.fill(&self.all_places(), wave, false)
    }

    fn finish_wave(&mut self, wave: u64) -> Result<()> {
        self.widen(wave, false)
    }

    fn receive(&mut self, next: u64, incoming: &[Incoming]) -> Result<()> {
        // What is left of the message of each rank.
        let mut from: Vec<(bool, &[u8])> = vec![(false, &[]); self.ranks];
        incoming.iter().for_each(|message| from[message.from] = message::parse(&message.bytes));
        let halo_width = if from.iter().any(|&(wide, _)| wide) { Width::U16 } else { self.width() };
        for place in 0..self.shards.len() {
            let number = self.shards[place].number;
            let Some((sum, sources)) = self.sources(number, next) else { continue };
            let length = self.row_length(number);
            let mut mine = Vec::new();
            self.rows_for(number, next, &mut mine);
            let mut mine = mine.into_iter();
            let mut rows = Vec::with_capacity(sources.len());
            for &rank in &sources {
                rows.push(if rank == self.rank {
                    RowSource::Mine(mine.next().ok_or_else(message::too_short)?)
                } else {
                    let (wide, left) = from[rank];
                    let width = match (self.is_bits(), wide) {
                        (true, _) => Width::Bit,
                        (false, true) => Width::U16,
                        (false, false) => Width::U8,
                    };
                    let (row, left) =
                        left.split_at_checked(row_bytes(length, width)).ok_or_else(message::too_short)?;
                    from[rank].1 = left;
                    RowSource::Message(row, wide)
                });
            }
            let (stride, cells) = batch_cells(&self.tables, &rows, length, halo_width);
            self.halos[place].add(self.plan.heaps(), sum, stride, cells);
        }
        Ok(())
    }

    fn oldest_needed(&self, wave: u64) -> u64 {
        // The widest shard of all ranks, since all take part in the same exchanges.
        let width =
            (0..self.plan.shards()).map(|shard| self.plan.range(shard).count() as u64).max().unwrap_or(1);
        wave.saturating_sub(width - 1)
    }

    fn tables(&mut self) -> &mut [Table] {
        &mut self.tables
    }

    fn into_tables(self: Box<Self>) -> Vec<Table> {
        self.tables
    }

    fn extra_bytes(&self) -> u64 {
        self.halos.iter().map(Halo::bytes).sum()
    }
}
