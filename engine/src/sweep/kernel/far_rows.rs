//! Option rows that are not in the table that a kernel fills, because the table is a piece of a larger one.

use crate::table::{Bits, Cells, ValueCell};

/// Where a kernel finds the option rows that its table does not hold.
pub trait RowsElsewhere: Sync {
    /// The rows of `key` with its last heap lowered by at most `most` that the table does not
    /// hold; `None` where it holds all of them.
    fn far_rows(&self, key: &[u32], most: u32) -> Option<FarRows<'_>>;
}

/// The table holds every row. This costs nothing: kernels are compiled for it without the other case.
#[derive(Debug, Clone, Copy)]
pub struct Here;

impl RowsElsewhere for Here {
    #[inline(always)]
    fn far_rows(&self, _: &[u32], _: u32) -> Option<FarRows<'_>> {
        None
    }
}

/// The far rows of one key: its last heap w lowered by more than `in_table`, one row
/// after the other with the lowest first.
#[derive(Debug, Clone, Copy)]
pub struct FarRows<'a> {
    /// The rows in which w is lowered by at most this are in the kernel's table.
    pub in_table: u32,
    /// The cells of the rows, and of others.
    pub cells: Cells<'a>,
    /// Where the row of w lowered by `in_table + 1` has its cell of x = w.
    pub nearest: usize,
    /// The distance of two rows.
    pub stride: usize,
}

impl<'a> FarRows<'a> {
    /// Where the row of w lowered by `by` has its cell of x = w.
    #[inline]
    pub fn start(&self, by: u32) -> usize {
        self.nearest - (by - self.in_table - 1) as usize * self.stride
    }

    /// The starts of all rows up to w lowered by `most`, the nearest first.
    #[inline]
    pub fn starts(self, most: u32) -> impl Iterator<Item = usize> {
        (self.in_table + 1..=most).map(move |by| self.start(by))
    }

    /// The cells of outcomes.
    #[inline]
    pub fn bits(&self) -> &Bits<'a> {
        match &self.cells {
            Cells::Bits(bits) => bits,
            _ => panic!("rows of outcomes"),
        }
    }

    /// The value of a cell.
    #[inline]
    pub fn value(&self, at: usize) -> u16 {
        match self.cells {
            Cells::U8(cells) => cells[at].get(),
            Cells::U16(cells) => cells[at].get(),
            Cells::Bits(bits) => u16::from(bits.get(at as u64)),
        }
    }
}
