//! Shards with a copy of all that is finished: for rules whose options go anywhere.
//!
//! Every rank has the whole table in memory in addition to its shards and fills the rows of its shards
//! in it; after each wave the ranks send each other what they have filled. The work is shared, the
//! memory is not: the budget counts the copy.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rayon::prelude::*;

use super::filler::Filler;
use super::link::{Incoming, Outgoing};
use super::message;
use super::plan::Plan;
use crate::base::{Error, Result};
use crate::space::SortedHeaps;
use crate::sweep::kernel::Kernel;
use crate::table::{Cells, Table, Width};
use crate::waves::{KeySum, RowBlock, Waves};

/// The whole table, and the shards of a rank.
pub struct CopyFiller<'a> {
    plan: &'a Plan,
    rank: usize,
    ranks: usize,
    /// The kernel of the whole table.
    kernel: Box<dyn Kernel<RowBlock> + 'a>,
    waves: &'a KeySum<'a>,
    whole: Table,
    /// The spaces of this rank's shards.
    spaces: &'a [SortedHeaps],
    tables: Vec<Table>,
}

impl<'a> CopyFiller<'a> {
    /// The shards of rank `rank` of `ranks`; `tables` are finished up to wave `wave` at least.
    pub fn new(
        plan: &'a Plan,
        (rank, ranks): (usize, usize),
        (waves, kernel): (&'a KeySum<'a>, Box<dyn Kernel<RowBlock> + 'a>),
        whole: Table,
        (spaces, tables): (&'a [SortedHeaps], Vec<Table>),
        wave: u64,
    ) -> Result<Self> {
        let mut filler = Self { plan, rank, ranks, kernel, waves, whole, spaces, tables };
        if filler.tables.iter().any(|table| table.manifest().width == Width::U16) {
            filler.whole.widen()?;
        }
        for done in 0..wave {
            for place in 0..filler.tables.len() {
                filler.copy(place, done, true);
            }
        }
        Ok(filler)
    }

    fn blocks(&self, place: usize, wave: u64) -> Vec<RowBlock> {
        let shard = self.rank + place * self.ranks;
        self.waves.blocks_ending_in(wave, self.plan.range(shard))
    }

    /// Copies the rows of a wave of a shard from its table to the whole one, or back.
    fn copy(&self, place: usize, wave: u64, to_whole: bool) {
        let (whole, shard) = (self.whole.cells(), self.tables[place].cells());
        self.blocks(place, wave).par_iter().for_each(|block| {
            self.waves.for_each_key(block, |key| {
                let length = u64::from(self.waves.space().max() - self.waves.space().row_first(key)) + 1;
                let (there, here) = (self.waves.space().row_start(key), self.spaces[place].row_start(key));
                for i in 0..length {
                    if to_whole {
                        put(&whole, there + i, shard.get(here + i));
                    } else {
                        put(&shard, here + i, whole.get(there + i));
                    }
                }
            });
        });
    }

    /// Calls `visit` with the entries of the rows of `wave` that rank `rank` fills.
    fn for_each_entry(&self, rank: usize, wave: u64, mut visit: impl FnMut(u64)) {
        for shard in self.plan.own(rank, self.ranks) {
            for block in self.waves.blocks_ending_in(wave, self.plan.range(shard)) {
                self.waves.for_each_range(&block, &mut |first, length| {
                    (first..first + length).for_each(&mut visit)
                });
            }
        }
    }

    fn widen(&mut self) -> Result<()> {
        if self.whole.manifest().width == Width::U16 {
            return Err(Error::too_wide());
        }
        self.whole.widen()?;
        self.tables.iter_mut().filter(|table| table.manifest().width == Width::U8).try_for_each(Table::widen)
    }
}

/// Stores an entry; bits are only ever set.
fn put(cells: &Cells<'_>, index: u64, entry: u16) {
    use crate::table::ValueCell;
    match cells {
        Cells::Bits(bits) if entry == 1 => bits.set(index),
        Cells::Bits(_) => {}
        Cells::U8(cells) => cells[index as usize].put(entry),
        Cells::U16(cells) => cells[index as usize].put(entry),
    }
}

impl Filler for CopyFiller<'_> {
    fn fill_first(&mut self, wave: u64) -> Result<u64> {
        loop {
            let too_wide = AtomicBool::new(false);
            let blocks: Vec<RowBlock> =
                (0..self.tables.len()).flat_map(|place| self.blocks(place, wave)).collect();
            let cells = self.whole.cells();
            let fill = |block: &RowBlock| {
                self.kernel.fill(&cells, block).unwrap_or_else(|_| {
                    too_wide.store(true, Relaxed);
                    0
                })
            };
            let positions = blocks.par_iter().map(fill).sum();
            if too_wide.load(Relaxed) {
                self.widen()?;
                continue;
            }
            (0..self.tables.len()).for_each(|place| self.copy(place, wave, false));
            return Ok(positions);
        }
    }

    fn outgoing(&self, next: u64) -> Vec<Outgoing> {
        let Some(wave) = next.checked_sub(1) else { return Vec::new() };
        let cells = self.whole.cells();
        let width = self.whole.manifest().width;
        // Bits are packed, eight entries per byte.
        let mut bytes = message::begin(width);
        let mut count = 0;
        self.for_each_entry(self.rank, wave, |index| {
            let entry = cells.get(index);
            match width {
                Width::Bit if count % 8 == 0 => bytes.push(entry as u8),
                Width::Bit => *bytes.last_mut().expect("not empty") |= (entry as u8) << (count % 8),
                Width::U8 => bytes.push(entry as u8),
                Width::U16 => bytes.extend(entry.to_le_bytes()),
            }
            count += 1;
        });
        let message = |to| message::outgoing(to, width, bytes.clone());
        (0..self.ranks).filter(|&to| to != self.rank).filter_map(message).collect()
    }

    fn expected(&self, next: u64) -> Vec<Incoming> {
        let Some(wave) = next.checked_sub(1) else { return Vec::new() };
        let room = |from: usize| {
            let mut count = 0usize;
            self.for_each_entry(from, wave, |_| count += 1);
            let is_bits = self.whole.manifest().width.is_bit();
            message::incoming(from, if is_bits { count.div_ceil(8) } else { 2 * count })
        };
        (0..self.ranks).filter(|&from| from != self.rank).filter_map(room).collect()
    }

    fn fill_rest(&self, _: u64) -> u64 {
        0
    }

    fn finish_wave(&mut self, _: u64) -> Result<()> {
        Ok(())
    }

    fn receive(&mut self, next: u64, incoming: &[Incoming]) -> Result<()> {
        let Some(wave) = next.checked_sub(1) else { return Ok(()) };
        let is_bits = self.whole.manifest().width.is_bit();
        if self.whole.manifest().width == Width::U8
            && incoming.iter().any(|message| message::parse(&message.bytes).0)
        {
            self.widen()?;
        }
        let cells = self.whole.cells();
        let mut short = false;
        for message in incoming {
            let (wide, data) = message::parse(&message.bytes);
            let mut at = 0;
            self.for_each_entry(message.from, wave, |index| {
                let entry = match (is_bits, wide) {
                    (true, _) => data.get(at / 8).map(|byte| u16::from(byte >> (at % 8) & 1)),
                    (false, false) => data.get(at).map(|&byte| u16::from(byte)),
                    (false, true) => {
                        data.get(2 * at..2 * at + 2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
                    }
                };
                match entry {
                    Some(entry) => put(&cells, index, entry),
                    None => short = true,
                }
                at += 1;
            });
        }
        if short { Err(message::too_short()) } else { Ok(()) }
    }

    fn oldest_needed(&self, _: u64) -> u64 {
        0
    }

    fn tables(&mut self) -> &mut [Table] {
        &mut self.tables
    }

    fn into_tables(self: Box<Self>) -> Vec<Table> {
        self.tables
    }

    fn extra_bytes(&self) -> u64 {
        self.whole.manifest().width.file_bytes(self.whole.spec().entries)
    }
}
