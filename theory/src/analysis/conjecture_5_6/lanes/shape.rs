//! Where a word lies: lanes, rows, lines and planes.

use crate::base::simd::block::{LANES, WORDS};
use crate::base::{Error, Result};
use crate::space::{MAX_HEAPS, SortedHeaps, Space};

/// The slabs that are swept: the smallest heap is 1, 2 or 3.
pub const SLABS: usize = 3;

/// The lanes of a word span at most half the largest heap and one; a move reaches three lanes beyond.
const SPARE: u32 = 8;

/// How the positions of `heaps` heaps of at most `max` counters lie in words of lanes.
#[derive(Debug, Clone)]
pub struct Shape {
    heaps: usize,
    max: u32,
    blocks: usize,
    /// The rows of a plane that are kept, where not all are.
    rows: Option<usize>,
    /// Numbers the words of a plane: the line without its first heap, and x. `None` for fewer than 5 heaps,
    /// where a line has one word in each row.
    tails: Option<SortedHeaps>,
}

/// The lane of a position in its word: (block, word of the block, bit).
#[inline]
pub fn lane_place(lane: u32, blocks: usize) -> (usize, usize, u32) {
    let lane = lane as usize;
    (lane / LANES % blocks, lane % WORDS, (lane / WORDS % 64) as u32)
}

impl Shape {
    /// At least 3 heaps.
    pub fn new(heaps: usize, max: u32) -> Result<Self> {
        if !(3..=MAX_HEAPS).contains(&heaps) {
            return Err(Error::Usage(format!("{heaps} heaps: lanes need from 3 to {MAX_HEAPS}")));
        }
        let tails = (heaps > 4).then(|| SortedHeaps::new(heaps - 4, max)).transpose()?;
        // An empty line is the only one, and its rows read the three before them.
        let rows = (heaps < 5).then_some(4);
        Ok(Self { heaps, max, blocks: (max / 2 + SPARE).div_ceil(LANES as u32) as usize, rows, tails })
    }

    /// The same, but all rows are kept.
    #[cfg(test)]
    pub fn with_all_rows(self) -> Self {
        Self { rows: None, ..self }
    }

    /// The largest heap.
    pub fn max(&self) -> u32 {
        self.max
    }

    /// The number of heaps of a line: those between a3 and x.
    pub fn line_heaps(&self) -> usize {
        self.heaps.saturating_sub(4)
    }

    /// Whether there is a last heap x, so that a row has more than one word.
    pub fn has_x(&self) -> bool {
        self.heaps > 3
    }

    /// Whether x itself bounds a3, so that the lanes of a word depend on x: with four heaps.
    pub fn x_bounds_lanes(&self) -> bool {
        self.heaps == 4
    }

    /// The blocks of a word.
    pub fn blocks(&self) -> usize {
        self.blocks
    }

    /// The largest a3 on a line.
    #[inline]
    pub fn cap(&self, line: &[u32]) -> u32 {
        line.first().copied().unwrap_or(self.max)
    }

    /// The x of the first word that a column of the line has room for.
    #[inline]
    pub fn column_start(&self, line: &[u32]) -> u32 {
        line.last().copied().unwrap_or(0)
    }

    /// The x of the first word of a row.
    #[inline]
    pub fn first_x(&self, line: &[u32], sum: u32) -> u32 {
        if self.x_bounds_lanes() { sum.div_ceil(2) } else { self.column_start(line) }
    }

    /// The words of a column.
    #[inline]
    pub fn column_length(&self, line: &[u32]) -> usize {
        if self.has_x() { (self.max - self.column_start(line)) as usize + 1 } else { 1 }
    }

    /// The words of a row: the values of x.
    #[inline]
    pub fn row_length(&self, line: &[u32], sum: u32) -> usize {
        if self.has_x() { (self.max - self.first_x(line, sum)) as usize + 1 } else { 1 }
    }

    /// The sums a2 + a3 on a line.
    #[inline]
    pub fn sums(&self, line: &[u32]) -> std::ops::RangeInclusive<u32> {
        2..=2 * self.cap(line)
    }

    /// The lanes of a row: the values that a2 >= `least` can have.
    #[inline]
    pub fn lanes(&self, line: &[u32], sum: u32, least: u32) -> std::ops::RangeInclusive<u32> {
        least.max(sum.saturating_sub(self.cap(line)))..=sum / 2
    }

    /// Whether the words of a row have lanes in `block`; what they have not is not stored.
    #[inline]
    pub fn has_block(&self, line: &[u32], sum: u32, block: usize) -> bool {
        let lanes = self.lanes(line, sum, 1);
        let (first, last) = (*lanes.start() as usize / LANES, *lanes.end() as usize / LANES);
        first <= last && (block + self.blocks - first % self.blocks) % self.blocks <= last - first
    }

    /// The rows that are kept of a line that begins with `first`.
    #[inline]
    fn rows(&self, first: u32) -> usize {
        self.rows.unwrap_or(2 * first as usize - 1)
    }

    /// The words of a plane in one row and block, lines and all x.
    fn row_words(&self, first: u32) -> u64 {
        match &self.tails {
            Some(tails) => tails.sequences_from(tails.heaps(), first),
            None => self.column_length(&[]) as u64,
        }
    }

    /// The words of all rows, a block counted once: the measure of the work.
    pub fn words(&self) -> u64 {
        let of = |first| u128::from(2 * first - 1) * u128::from(self.row_words(first));
        u64::try_from(self.planes().map(of).sum::<u128>()).unwrap_or(u64::MAX)
    }

    /// The u64 that a plane needs whose lines begin with `first`.
    pub fn plane_words(&self, first: u32) -> Option<u64> {
        let rows = self.rows(first) as u64;
        rows.checked_mul(self.row_words(first))?.checked_mul((self.blocks * SLABS * WORDS) as u64)
    }

    /// The largest first heap of a line, and with it the number of planes; a single plane without any line
    /// heap counts as the last one.
    pub fn planes(&self) -> std::ops::RangeInclusive<u32> {
        if self.line_heaps() == 0 { self.max..=self.max } else { 1..=self.max }
    }

    /// The place of the columns of a row and block in their plane, in u64, slab after slab; `None` where the
    /// row does not exist or has no lanes in the block, so that all its bits are 0. A column holds the words
    /// of one slab for all x.
    #[inline]
    pub fn columns(&self, line: &[u32], sum: u32, block: usize) -> Option<usize> {
        if !self.sums(line).contains(&sum) || !self.has_block(line, sum, block) {
            return None;
        }
        let first = self.cap(line);
        let tails_before = match &self.tails {
            // The sequences that begin with less come before all of this plane.
            Some(tails) if line.len() > 1 => {
                let below = tails.len() - tails.sequences_from(tails.heaps(), first);
                (tails.row_start(&line[1..]) - below) as usize
            }
            _ => 0,
        };
        let rows = self.rows(first);
        let length = self.column_length(line);
        let columns = (sum as usize - 2) % rows * self.blocks + block;
        Some(WORDS * SLABS * (tails_before * rows * self.blocks + columns * length))
    }
}
