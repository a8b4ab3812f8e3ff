//! Grundy values of minnie by columns and windows.
//!
//! Fix the key r = (a1, ..., a(k-1)) with smallest non-empty heap m, and let the last
//! heap x run. The options of (r, x) are
//! - a1 lowered to any i < a1: the values of the *column* of (a2, ..., a(k-1), x) so far. They are kept as a
//!   bitset that grows by one value with each a1, so that they cost nothing to collect;
//! - another heap of r lowered by s <= m: cell x of m other rows each, marked four cells at a time in AVX2;
//! - x lowered by s <= m: the *window* of the last m values of this row, a bitset
//!   that one value enters and one leaves.
//!
//! The value is the first zero of the OR of the three. A position has at most mk options, so that a row needs
//! bitsets of mk + 1 bits: short ones where the smallest heap is small, and all of them exact.
//!
//! The bitsets of a row lie in *planes*: plane w holds, for each x, the bits of the values 64w..64w+63.
//!
//! Cost of a position with W planes: m(k-2) marks of (1 + 3W)/4 vector instructions, a copy and an update of
//! the column, and a scan of at most W words. Bytes beside the table: 8W a column, and there are C(N+k-1,
//! k-1) columns; where that is too much the column is marked like the other options.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::super::{Here, Kernel, RowKernel, RowsElsewhere, TooWide};
use super::mark::{Marker, lanes};
use super::window::Scratch;
use crate::base::Isa;
use crate::rules::Play;
use crate::space::{MAX_HEAPS, SortedHeaps, Space};
use crate::table::{Cells, ValueCell};
use crate::waves::{KeySum, RowBlock};

/// Grundy values of minnie.
pub struct MinnieValues<'a> {
    waves: &'a KeySum<'a>,
    space: &'a SortedHeaps,
    play: Play,
    marker: Marker,
    columns: Option<Columns>,
}

/// The values seen so far in every column: for each key without its first
/// heap, planes of one word for each x.
struct Columns {
    rests: Option<SortedHeaps>,
    /// Where the planes of each rest begin.
    offsets: Vec<usize>,
    words: Vec<AtomicU64>,
    /// With two heaps the bitsets are long: the first plane of each column that is not all ones.
    first_open: Vec<AtomicU64>,
}

/// The planes that hold every value of a position with smallest heap `smallest` and `heaps` heaps.
pub(super) fn planes(heaps: usize, smallest: u32) -> usize {
    heaps * smallest as usize / 64 + 1
}

/// The row of a single heap x, from which everything smaller can be reached.
pub(super) fn fill_single_heaps<C: ValueCell>(row: &[C], play: Play) -> Result<(), TooWide> {
    let terminal = u32::from(play.terminal_value());
    let mut value = terminal;
    let mut least = u32::from(terminal == 0);
    for cell in row {
        if value > u32::from(C::MAX) {
            return Err(TooWide);
        }
        cell.put(value as u16);
        // Everything below `least` has been seen, and the terminal value.
        value = least;
        least += 1;
        if least == terminal {
            least += 1;
        }
    }
    Ok(())
}

impl Columns {
    fn new(space: &SortedHeaps, first_limit: u32) -> Self {
        let (heaps, max) = (space.heaps(), space.max());
        let width = max as usize + 1;
        if heaps == 2 {
            let words = planes(2, first_limit) * width;
            return Self {
                rests: None,
                offsets: vec![0],
                words: (0..words).map(|_| AtomicU64::new(0)).collect(),
                first_open: (0..width).map(|_| AtomicU64::new(0)).collect(),
            };
        }
        let rests = SortedHeaps::with_last(heaps - 2, max, space.key_last().clone())
            .expect("smaller than the space itself");
        let mut offsets = Vec::with_capacity(rests.len() as usize);
        let mut total = 0;
        let mut rest = Vec::new();
        for index in 0..rests.len() {
            rests.unrank_into(index, &mut rest);
            offsets.push(total);
            total += planes(heaps, rest[0].min(first_limit)) * (width - rest[rest.len() - 1] as usize);
        }
        let words = (0..total).map(|_| AtomicU64::new(0)).collect();
        Self { rests: Some(rests), offsets, words, first_open: Vec::new() }
    }

    fn offset(&self, key: &[u32]) -> usize {
        self.offsets[self.rests.as_ref().map_or(0, |rests| rests.rank_sorted(&key[1..]) as usize)]
    }
}

impl<'a> MinnieValues<'a> {
    /// The kernel for the rows of `waves`; `columns` says whether there is memory for the columns.
    pub fn new(waves: &'a KeySum<'a>, play: Play, isa: Isa, columns: bool) -> Self {
        let space = waves.space();
        // A single heap has a row only, and two heaps have nothing but columns.
        let columns = (space.heaps() == 2 || columns && space.heaps() > 2)
            .then(|| Columns::new(space, space.smallest()));
        Self { waves, space, play, marker: Marker::new(isa), columns }
    }

    /// An upper bound of the bytes that the columns take, for first heaps of at most `first_limit`.
    pub fn column_memory(heaps: usize, max: u32, first_limit: u32) -> u64 {
        let columns = SortedHeaps::count(heaps - 1, max).unwrap_or(u64::MAX);
        let rests = if heaps > 2 { SortedHeaps::count(heaps - 2, max).unwrap_or(u64::MAX) } else { 1 };
        columns.saturating_mul(8 * planes(heaps, first_limit) as u64).saturating_add(rests.saturating_mul(8))
    }

    fn fill_block<C: ValueCell>(
        &self,
        cells: &[C],
        block: &RowBlock,
        elsewhere: &impl RowsElsewhere,
    ) -> Result<u64, TooWide> {
        let mut scratch = Scratch::default();
        let mut positions = 0;
        self.waves.try_for_each_key(block, |key| {
            positions += u64::from(self.space.max() - self.space.row_first(key)) + 1;
            self.fill_row(cells, key, elsewhere, &mut scratch)
        })?;
        Ok(positions)
    }

    fn fill_row<C: ValueCell>(
        &self,
        cells: &[C],
        key: &[u32],
        elsewhere: &impl RowsElsewhere,
        scratch: &mut Scratch,
    ) -> Result<(), TooWide> {
        let Some(smallest) = key.iter().position(|&heap| heap > 0) else {
            let row = &cells[..=self.space.max() as usize];
            fill_single_heaps(row, self.play)?;
            self.add_to_columns(row, key);
            return Ok(());
        };
        let m = key[smallest];
        let first = key[key.len() - 1];
        let length = (self.space.max() - first) as usize + 1;
        let mut position = [0; MAX_HEAPS];
        let position = &mut position[..=key.len()];
        position[..key.len()].copy_from_slice(key);
        position[key.len()] = first;
        let start = self.space.rank_sorted(position) as usize;

        scratch.planes = planes(position.len() - smallest, m);
        scratch.stride = lanes(length);
        scratch.sources.clear();
        let column = self.columns.as_ref().filter(|_| smallest == 0);
        let far = elsewhere.far_rows(key, m);
        // Rows in which the key's last heap is lowered by more are elsewhere.
        let in_table = far.map_or(m, |far| far.in_table);
        for i in smallest..key.len() {
            if (i == smallest && column.is_some()) || (i > 0 && key[i] == key[i - 1]) {
                continue;
            }
            let by = if i + 1 == key.len() { in_table } else { m };
            self.space.for_each_lowered(position, i, by, |index| scratch.sources.push(index as usize));
        }
        scratch.values.clear();
        scratch.values.resize(m as usize, 0);
        let mut place = m as usize;
        self.space.for_each_lowered(position, position.len() - 1, in_table, |index| {
            place -= 1;
            scratch.values[place] = cells[index as usize].get();
        });
        scratch.far.clear();
        if let Some(far) = far {
            scratch.far.extend(far.starts(m));
            for (value, &start) in scratch.values[..place].iter_mut().rev().zip(&scratch.far) {
                *value = far.value(start);
            }
        }

        let row = &cells[start..start + length];
        match column {
            // Two heaps: no other heap to mark, and the columns are used in place.
            Some(columns) if key.len() == 1 => {
                let (width, first) = (self.space.max() as usize + 1, first as usize);
                let word = |i: usize, w: usize| columns.words[w * width + first + i].load(Relaxed);
                let first_open = |i: usize| columns.first_open[first + i].load(Relaxed) as usize;
                scratch.row_of_many_planes(row, m as usize, word, first_open)?;
            }
            _ => {
                scratch.seen.clear();
                scratch.seen.resize(scratch.planes * scratch.stride, 0);
                if let Some(columns) = column {
                    let words = &columns.words[columns.offset(key)..];
                    for plane in 0..scratch.planes {
                        let seen = &mut scratch.seen[plane * scratch.stride..][..length];
                        for (seen, word) in seen.iter_mut().zip(&words[plane * length..]) {
                            *seen = word.load(Relaxed);
                        }
                    }
                }
                self.marker.rows(&mut scratch.seen, scratch.stride, cells, &scratch.sources);
                match far.map(|far| far.cells) {
                    Some(Cells::U8(cells)) => {
                        self.marker.rows(&mut scratch.seen, scratch.stride, cells, &scratch.far)
                    }
                    Some(Cells::U16(cells)) => {
                        self.marker.rows(&mut scratch.seen, scratch.stride, cells, &scratch.far)
                    }
                    Some(Cells::Bits(_)) | None => {}
                }
                match scratch.planes {
                    1 => scratch.row_of_few_planes::<C, 1>(row, m as usize)?,
                    2 => scratch.row_of_few_planes::<C, 2>(row, m as usize)?,
                    3 => scratch.row_of_few_planes::<C, 3>(row, m as usize)?,
                    _ => {
                        let (seen, stride) = (std::mem::take(&mut scratch.seen), scratch.stride);
                        let word = |i: usize, w: usize| seen[w * stride + i];
                        let done = scratch.row_of_many_planes(row, m as usize, word, |_| 0);
                        scratch.seen = seen;
                        done?;
                    }
                }
            }
        }
        self.add_to_columns(row, key);
        Ok(())
    }

    /// The values of this row become options of the rows with a larger first heap.
    fn add_to_columns<C: ValueCell>(&self, row: &[C], key: &[u32]) {
        let Some(columns) = &self.columns else { return };
        if key.len() == 1 {
            let (width, first) = (self.space.max() as usize + 1, key[0] as usize);
            for (cell, x) in row.iter().zip(first..) {
                let value = usize::from(cell.get());
                // A single large heap has a value beyond what two heaps can
                // have: such a value excludes nothing.
                if let Some(word) = columns.words.get(value / 64 * width + x) {
                    word.store(word.load(Relaxed) | 1 << (value % 64), Relaxed);
                }
                let mut open = columns.first_open[x].load(Relaxed) as usize;
                while columns.words.get(open * width + x).is_some_and(|word| word.load(Relaxed) == u64::MAX) {
                    open += 1;
                }
                columns.first_open[x].store(open as u64, Relaxed);
            }
            return;
        }
        let limit = planes(key.len() + 1, key[1].min(self.waves.space().smallest()));
        let words = &columns.words[columns.offset(key)..];
        for (i, cell) in row.iter().enumerate() {
            let value = usize::from(cell.get());
            if value / 64 < limit {
                let word = &words[value / 64 * row.len() + i];
                word.store(word.load(Relaxed) | 1 << (value % 64), Relaxed);
            }
        }
    }
}

impl Kernel<RowBlock> for MinnieValues<'_> {
    fn fill(&self, cells: &Cells<'_>, block: &RowBlock) -> Result<u64, TooWide> {
        self.fill_with(cells, block, &Here)
    }

    fn forget(&self) {
        let Some(columns) = &self.columns else { return };
        columns.words.iter().chain(&columns.first_open).for_each(|word| word.store(0, Relaxed));
    }

    fn recall(&self, cells: &Cells<'_>, block: &RowBlock) {
        self.waves.for_each_key(block, |key| {
            let start = self.space.row_start(key) as usize;
            let length = (self.space.max() - self.space.row_first(key)) as usize + 1;
            match cells {
                Cells::U8(cells) => self.add_to_columns(&cells[start..start + length], key),
                Cells::U16(cells) => self.add_to_columns(&cells[start..start + length], key),
                Cells::Bits(_) => {}
            }
        });
    }
}

impl<E: RowsElsewhere> RowKernel<E> for MinnieValues<'_> {
    fn fill_with(&self, cells: &Cells<'_>, block: &RowBlock, elsewhere: &E) -> Result<u64, TooWide> {
        match cells {
            Cells::U8(cells) => self.fill_block(cells, block, elsewhere),
            Cells::U16(cells) => self.fill_block(cells, block, elsewhere),
            Cells::Bits(_) => panic!("the value kernel fills tables of values"),
        }
    }
}
