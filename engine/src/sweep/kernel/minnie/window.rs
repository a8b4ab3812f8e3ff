//! A row of values from left to right: the first zero of the planes and the window of the values just before.

use super::super::TooWide;
use crate::table::ValueCell;

/// What one thread needs for one row.
#[derive(Default)]
pub struct Scratch {
    /// The number of planes.
    pub planes: usize,
    /// The words of a plane.
    pub stride: usize,
    /// The first cells of the option rows to be marked.
    pub sources: Vec<usize>,
    /// The same for option rows that are elsewhere.
    pub far: Vec<usize>,
    /// The planes of the options' values outside the row.
    pub seen: Vec<u64>,
    /// The m values before the row, then those of the row.
    pub values: Vec<u16>,
    /// The values in the window, for rows with many planes.
    window: Vec<u64>,
    last: LastSeen,
}

/// Where in a row each value was seen last. A time stamp that only grows saves clearing it for each row.
#[derive(Default)]
struct LastSeen {
    stamps: Vec<u32>,
    /// The stamp of place 0 of the row at hand; all stamps of earlier rows are smaller.
    base: u32,
    /// The stamp of place 0 of the next row.
    next: u32,
}

impl LastSeen {
    /// For a row of `places` places and values below `limit`; one more stamp, which
    /// is never set, stands for all others.
    fn begin(&mut self, limit: usize, places: usize) {
        if self.next == 0 || u64::from(self.next) + places as u64 > u64::from(u32::MAX) {
            self.stamps.fill(0);
            self.next = 1;
        }
        self.base = self.next;
        self.next += places as u32;
        if self.stamps.len() <= limit {
            self.stamps.resize(limit + 1, 0);
        }
        self.stamps[limit] = 0;
    }

    #[inline(always)]
    fn put(&mut self, value: usize, place: usize) {
        self.stamps[value] = self.base + place as u32;
    }

    #[inline(always)]
    fn is_at(&self, value: usize, place: usize) -> bool {
        self.stamps[value] == self.base + place as u32
    }
}

impl Scratch {
    /// Starts a row of `length` cells: `values` holds the `m` values before it.
    fn begin_row(&mut self, length: usize) {
        let places = self.values.len() + length;
        self.last.begin(64 * self.planes, places);
        self.values.resize(places, 0);
    }

    /// Computes the row from left to right with a window of `W` words in registers. `values` holds the `m`
    /// values before the row. There is no branch in the loop that depends on a value.
    pub fn row_of_few_planes<C: ValueCell, const W: usize>(
        &mut self,
        row: &[C],
        m: usize,
    ) -> Result<(), TooWide> {
        let limit = 64 * W;
        self.begin_row(row.len());
        let mut window = [0u64; W];
        for place in 0..m {
            let value = usize::from(self.values[place]).min(limit);
            if value < limit {
                window[value / 64] |= 1 << (value % 64);
                self.last.put(value, place);
            }
        }
        let planes: [&[u64]; W] = std::array::from_fn(|w| &self.seen[w * self.stride..][..row.len()]);
        let mut too_wide = false;
        for (i, cell) in row.iter().enumerate() {
            let mut value = limit;
            for w in (0..W).rev() {
                let open = !(planes[w][i] | window[w]);
                value = if open != 0 { 64 * w + open.trailing_zeros() as usize } else { value };
            }
            debug_assert!(value < limit, "a position has fewer options than the planes have bits");
            too_wide |= value > usize::from(C::MAX);
            cell.put((value as u16).min(C::MAX));
            self.values[i + m] = value as u16;
            self.last.put(value, i + m);
            // The oldest value leaves the window, unless it came again.
            let oldest = usize::from(self.values[i]).min(limit);
            let leaves = self.last.is_at(oldest, i);
            for (w, word) in window.iter_mut().enumerate() {
                *word |= u64::from(value / 64 == w) << (value % 64);
                *word &= !(u64::from(leaves & (oldest / 64 == w)) << (oldest % 64));
            }
        }
        if too_wide { Err(TooWide) } else { Ok(()) }
    }

    /// The same for any number of planes; `seen(i, w)` gives the words, and all words of cell `i` below plane
    /// `first_open(i)` are all ones.
    #[inline(always)]
    pub fn row_of_many_planes<C: ValueCell>(
        &mut self,
        row: &[C],
        m: usize,
        seen: impl Fn(usize, usize) -> u64,
        first_open: impl Fn(usize) -> usize,
    ) -> Result<(), TooWide> {
        let limit = 64 * self.planes;
        self.begin_row(row.len());
        self.window.clear();
        self.window.resize(self.planes + 1, 0);
        for place in 0..m {
            let value = usize::from(self.values[place]);
            if value < limit {
                self.window[value / 64] |= 1 << (value % 64);
                self.last.put(value, place);
            }
        }
        for (i, cell) in row.iter().enumerate() {
            let mut w = first_open(i);
            let value = loop {
                let open = !(seen(i, w) | self.window[w]);
                if open != 0 {
                    break 64 * w + open.trailing_zeros() as usize;
                }
                w += 1;
            };
            if value > usize::from(C::MAX) {
                return Err(TooWide);
            }
            cell.put(value as u16);
            self.values[i + m] = value as u16;
            self.window[w] |= 1 << (value % 64);
            self.last.put(value, i + m);
            let oldest = usize::from(self.values[i]).min(limit);
            let leaves = self.last.is_at(oldest, i);
            self.window[oldest / 64] &= !(u64::from(leaves) << (oldest % 64));
        }
        Ok(())
    }
}
