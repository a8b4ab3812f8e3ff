//! Rows on their way between ranks: into the bytes of a message, and from messages
//! and tables into the cells of a halo.

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::halo::BatchCells;
use crate::table::{Cells, Table, ValueCell, Width};

/// A row to be copied: which of this rank's shards has it, and the entry where it begins.
pub type Row = (usize, u64);

/// The bytes of a row of `length` cells in a message.
pub fn row_bytes(length: usize, width: Width) -> usize {
    match width {
        Width::Bit => length.div_ceil(64) * 8,
        Width::U8 => length,
        Width::U16 => 2 * length,
    }
}

/// Copies `length` cells from `start` on into a message of entries of this width.
pub fn copy_row(cells: &Cells<'_>, start: u64, length: usize, width: Width, row: &mut [u8]) {
    fn values<C: ValueCell>(cells: &[C], wide: bool, row: &mut [u8]) {
        if wide {
            for (pair, cell) in row.chunks_exact_mut(2).zip(cells) {
                pair.copy_from_slice(&cell.get().to_le_bytes());
            }
        } else {
            for (byte, cell) in row.iter_mut().zip(cells) {
                *byte = cell.get() as u8;
            }
        }
    }
    let range = start as usize..start as usize + length;
    match cells {
        Cells::Bits(bits) => {
            for (i, word) in row.chunks_exact_mut(8).enumerate() {
                let left = (length - 64 * i).min(64) as u64;
                let bits = bits.word_at(start + 64 * i as u64) & crate::table::ones(left);
                word.copy_from_slice(&bits.to_le_bytes());
            }
        }
        Cells::U8(cells) => values(&cells[range], width == Width::U16, row),
        Cells::U16(cells) => values(&cells[range], width == Width::U16, row),
    }
}

/// A row of a batch.
pub enum RowSource<'a> {
    /// In a table of this rank.
    Mine(Row),
    /// In a message: its bytes, and whether they are two per value.
    Message(&'a [u8], bool),
}

/// Cells behind the last row, so that vector loads of a row's last cells stay inside.
const SPARE: usize = 8;

/// The cells of a batch of rows of `length` cells, from messages and from the `tables` of this
/// rank, and the distance of two rows.
pub fn batch_cells(
    tables: &[Table],
    rows: &[RowSource<'_>],
    length: usize,
    width: Width,
) -> (usize, BatchCells) {
    if width.is_bit() {
        let words = length.div_ceil(64);
        let cells: Vec<AtomicU64> =
            std::iter::repeat_with(AtomicU64::default).take(rows.len() * words + 1).collect();
        cells.par_chunks(words).with_min_len(64).zip(rows).for_each(|(target, row)| {
            let mut copy = vec![0; words * 8];
            let bytes = match row {
                RowSource::Message(bytes, _) => *bytes,
                RowSource::Mine((place, start)) => {
                    copy_row(&tables[*place].cells(), *start, length, width, &mut copy);
                    &copy
                }
            };
            for (word, bytes) in target.iter().zip(bytes.chunks_exact(8)) {
                word.store(u64::from_le_bytes(bytes.try_into().expect("eight bytes")), Relaxed);
            }
        });
        return (words * 64, BatchCells::Bits(cells));
    }
    let count = rows.len() * length + SPARE;
    if width == Width::U16 {
        let cells: Vec<AtomicU16> = std::iter::repeat_with(AtomicU16::default).take(count).collect();
        scatter(tables, rows, &cells, length);
        (length, BatchCells::U16(cells))
    } else {
        let cells: Vec<AtomicU8> = std::iter::repeat_with(AtomicU8::default).take(count).collect();
        scatter(tables, rows, &cells, length);
        (length, BatchCells::U8(cells))
    }
}

fn scatter<C: ValueCell>(tables: &[Table], rows: &[RowSource<'_>], cells: &[C], length: usize) {
    fn copy<C: ValueCell, D: ValueCell>(target: &[C], source: &[D]) {
        target.iter().zip(source).for_each(|(target, source)| target.put(source.get()));
    }
    cells.par_chunks(length).with_min_len(64).zip(rows).for_each(|(target, row)| match row {
        RowSource::Message(bytes, false) => {
            target.iter().zip(*bytes).for_each(|(cell, &value)| cell.put(u16::from(value)));
        }
        RowSource::Message(bytes, true) => {
            for (cell, pair) in target.iter().zip(bytes.chunks_exact(2)) {
                cell.put(u16::from_le_bytes([pair[0], pair[1]]));
            }
        }
        RowSource::Mine((place, start)) => {
            let range = *start as usize..*start as usize + length;
            match tables[*place].cells() {
                Cells::U8(cells) => copy(target, &cells[range]),
                Cells::U16(cells) => copy(target, &cells[range]),
                Cells::Bits(_) => {}
            }
        }
    });
}
