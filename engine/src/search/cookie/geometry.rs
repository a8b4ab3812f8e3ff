//! Parts of a board as words: splitting, erasing empty lines, symmetries.
//!
//! A board is kept column after column; a column takes `stride` bits, from 1 to 8, so that reflections are a
//! few shifts of the whole word.
//!
//! Every reduction here replaces a position by one with an isomorphic game, so Grundy values do not change:
//!
//! * **Splitting.** A placement touches two squares together only if they are less than a cutter apart in
//!   both directions. Let two squares be joined if they are. No placement touches two components of this
//!   graph, so the game is the sum of the games on the components, and values XOR.
//! * **Borders.** The cutter may hang over the grid anywhere, so a move is a cut with a window of the
//!   infinite grid, and a shift of all squares changes nothing.
//! * **Symmetries.** Reflections of the grid map placements to placements; so does the transposition if the
//!   cutter is square.
//! * **Empty lines.** Let `a` be the cutter's height and let `r_1 < r_2 < ...` be the occupied rows. A window
//!   of `a` rows covers exactly `r_i, ..., r_j` iff `r_j - r_i < a` and (where those rows exist) `r_{j+1} -
//!   r_{i-1} > a`. So the row intervals that windows cut out depend only on whether each difference is less
//!   than, equal to or greater than `a`; they decide the options, and those of every later position too,
//!   because its occupied rows are among these. Deleting an empty row lowers by one the differences that span
//!   it, and changes no comparison iff none of them is `a` or `a + 1`. The same holds for columns.

use std::ops::Range;

use super::mask::Mask;
use crate::rules::{Board, Cutter};

/// How parts of a board are laid out in words, and what the cutter does to them.
#[derive(Debug, Clone)]
pub(crate) struct Geometry<M> {
    stride: u32,
    /// The column of each bit, and of the bits up to a column behind the word: a look-up instead of a division.
    column_of: [u8; 136],
    cutter: Cutter,
    /// The lowest bit of every column.
    columns: M,
    /// The bits of a column, one for each row, laid out as a row: bit `row` becomes bit `row * stride`.
    as_row: Vec<u64>,
    /// For each height, what the cutter covers of a part of that height, by rows.
    row_windows: Vec<Vec<M>>,
    /// For each width, what it covers by columns.
    column_windows: Vec<Vec<M>>,
}

/// The bits that a column of `rows` rows takes, if there is such a layout.
fn stride(rows: usize) -> Option<u32> {
    (1..=8).contains(&rows).then_some(rows as u32)
}

/// Whether a board of `rows` x `cols` fits into `bits` bits as it lies.
pub(crate) fn fits(rows: usize, cols: usize, bits: u32) -> bool {
    stride(rows).is_some_and(|stride| cols as u64 * u64::from(stride) <= u64::from(bits))
}

impl<M: Mask> Geometry<M> {
    /// The layout for boards of at most `rows` rows. `None` if no column of that height fits.
    pub(crate) fn new(rows: usize, cutter: Cutter) -> Option<Self> {
        let stride = stride(rows)?;
        let columns = (0..M::BITS / stride).fold(M::ZERO, |mask, i| mask | M::from_low(1) << (i * stride));
        let as_row = |column: u64| {
            (0..stride).filter(|row| column >> row & 1 == 1).fold(0, |bits, row| bits | 1 << (row * stride))
        };
        let bits = |range: Range<u32>| M::below(range.end) & !M::below(range.start);
        let row_windows =
            |height| windows(cutter.rows, height).map(|rows| bits(rows).repeated(columns)).collect();
        let column_windows = |width| {
            windows(cutter.cols, width).map(|cols| bits(cols.start * stride..cols.end * stride)).collect()
        };
        Some(Self {
            stride,
            column_of: std::array::from_fn(|bit| (bit as u32 / stride) as u8),
            cutter,
            columns,
            as_row: (0..1 << stride).map(as_row).collect(),
            row_windows: (0..=stride).map(row_windows).collect(),
            column_windows: (0..=M::BITS / stride).map(column_windows).collect(),
        })
    }

    /// The bits of a column.
    pub(crate) fn stride(&self) -> u32 {
        self.stride
    }

    /// The cutter.
    pub(crate) fn cutter(&self) -> Cutter {
        self.cutter
    }

    /// The most columns that a word holds.
    fn capacity(&self) -> u32 {
        M::BITS / self.stride
    }

    /// The board as a word. It must fit.
    pub(crate) fn encode(&self, board: &Board) -> M {
        let mut mask = M::ZERO;
        for row in 0..board.rows() {
            for col in 0..board.cols() {
                if board.has(row, col) {
                    mask |= M::from_low(1) << (col as u32 * self.stride + row as u32);
                }
            }
        }
        mask
    }

    /// The same set of squares, laid out in columns of `stride` bits, in this layout; `None` if it does not
    /// fit.
    pub(crate) fn restride(&self, mask: u128, stride: u32) -> Option<M> {
        let mut rest = mask;
        let mut result = M::ZERO;
        while rest != 0 {
            let bit = rest.trailing_zeros();
            rest &= rest - 1;
            let (col, row) = (bit / stride, bit % stride);
            if row >= self.stride || col >= self.capacity() {
                return None;
            }
            result |= M::from_low(1) << (col * self.stride + row);
        }
        Some(result)
    }

    /// The field `rows` in every column.
    #[inline]
    fn every_column(&self, rows: M) -> M {
        rows.repeated(self.columns)
    }

    /// Which rows are occupied.
    #[inline]
    fn occupied_rows(&self, mut mask: M) -> u64 {
        let mut columns = self.capacity().next_power_of_two() / 2;
        while columns >= 1 {
            mask |= mask >> (columns * self.stride);
            columns /= 2;
        }
        mask.low() & ((1 << self.stride) - 1)
    }

    /// The lowest bit of every occupied column.
    #[inline]
    fn occupied_columns(&self, mut mask: M) -> M {
        let mut rows = 1;
        while rows < self.stride {
            let more = rows.min(self.stride - rows);
            mask |= mask >> more;
            rows += more;
        }
        // A bit may have come down from the next column, but never to a column's lowest bit from outside the
        // column: the shifts add up to stride - 1.
        mask & self.columns
    }

    /// The column of a bit.
    #[inline]
    fn column(&self, bit: u32) -> u32 {
        self.column_of[bit as usize].into()
    }

    /// The number of columns up to the last occupied one.
    #[inline]
    fn width(&self, mask: M) -> u32 {
        self.column(M::BITS - mask.leading_zeros() + self.stride - 1)
    }

    /// A non-empty set moved to the first row and column, and its occupied rows.
    #[inline]
    fn to_corner(&self, mask: M) -> (M, u64) {
        let mask = mask >> (self.column(mask.trailing_zeros()) * self.stride);
        let rows = self.occupied_rows(mask);
        let first = rows.trailing_zeros();
        (mask >> first, rows >> first)
    }

    /// Calls `visit` with the canonical form of every part of `mask`.
    #[inline]
    pub(crate) fn split(&self, mask: M, mut visit: impl FnMut(M)) {
        if mask == M::ZERO {
            return;
        }
        let (corner, rows) = self.to_corner(mask);
        if height(rows) <= self.cutter.rows && self.width(corner) <= self.cutter.cols {
            return visit(self.canonical_at_corner(corner, rows));
        }
        let mut rest = corner;
        while rest != M::ZERO {
            let mut part = rest.lowest();
            loop {
                let grown = self.reach(part) & rest;
                if grown == part {
                    break;
                }
                part = grown;
            }
            rest &= !part;
            visit(self.canonical(part));
        }
    }

    /// Every square that some placement touches together with a square of `part`.
    #[inline]
    fn reach(&self, part: M) -> M {
        let mut tall = part;
        if self.cutter.rows >= self.stride {
            let mut fill = self.occupied_columns(part);
            let mut rows = 1;
            while rows < self.stride {
                let more = rows.min(self.stride - rows);
                fill |= fill << more;
                rows += more;
            }
            tall = fill;
        } else {
            for distance in 1..self.cutter.rows {
                let up = self.every_column(M::below(self.stride - distance));
                tall |= (part >> distance) & up;
                tall |= (part & up) << distance;
            }
        }
        let mut wide = tall;
        for distance in 1..self.cutter.cols.min(self.capacity()) {
            wide |= (tall << (distance * self.stride)) | (tall >> (distance * self.stride));
        }
        wide
    }

    /// The canonical form of a part: the smallest word among its images under the reductions at the head of
    /// this file.
    #[inline]
    pub(crate) fn canonical(&self, part: M) -> M {
        let (corner, rows) = self.to_corner(part);
        self.canonical_at_corner(corner, rows)
    }

    #[inline]
    fn canonical_at_corner(&self, mut part: M, mut rows: u64) -> M {
        if rows.count_ones() < height(rows) {
            while let Some(row) = superfluous_line(rows.into(), self.cutter.rows) {
                let before = self.every_column(M::below(row));
                let after = self.every_column(M::below(self.stride - 1) & !M::below(row));
                part = (part & before) | ((part >> 1) & after);
                rows = without_line(rows.into(), row) as u64;
            }
        }
        let columns = self.occupied_columns(part);
        if columns.count() < self.width(part) {
            let mut lines = 0u128;
            let mut rest = columns;
            while rest != M::ZERO {
                lines |= 1 << self.column(rest.trailing_zeros());
                rest &= !rest.lowest();
            }
            while let Some(column) = superfluous_line(lines, self.cutter.cols) {
                let before = M::below(column * self.stride);
                part = (part & before) | ((part >> self.stride) & !before);
                lines = without_line(lines, column);
            }
        }
        let (height, width) = (height(rows), self.width(part));
        let smallest = self.smallest_reflection(part, height, width);
        if self.cutter.is_square() && width <= self.stride {
            smallest.min(self.smallest_reflection(self.transposed(part), width, height))
        } else {
            smallest
        }
    }

    /// The smallest of the four reflections of a part of these measures.
    #[inline]
    fn smallest_reflection(&self, part: M, height: u32, width: u32) -> M {
        let missing_columns = M::BITS - width * self.stride;
        let missing_rows = self.stride - height;
        let flipped = self.columns_reversed(part);
        let upside_down = flipped >> missing_rows;
        let turned = part.reversed() >> (missing_columns + missing_rows);
        let mirrored = flipped.reversed() >> missing_columns;
        part.min(upside_down).min(turned).min(mirrored)
    }

    /// The rows of every column in reverse order.
    #[inline]
    fn columns_reversed(&self, mut mask: M) -> M {
        // Each pair of rows, from the outside in, changes places.
        for row in 0..self.stride / 2 {
            let distance = self.stride - 1 - 2 * row;
            let difference = (mask ^ (mask >> distance)) & (self.columns << row);
            mask = mask ^ difference ^ (difference << distance);
        }
        mask
    }

    /// Rows and columns exchanged; the part must have at most `stride` columns.
    #[inline]
    fn transposed(&self, part: M) -> M {
        let mut columns = part.low();
        let (mut rows, mut at) = (0, 0);
        while columns != 0 {
            rows |= self.as_row[columns as usize % self.as_row.len()] << at;
            columns >>= self.stride;
            at += 1;
        }
        M::from_low(rows)
    }

    /// Appends the sets of squares that the moves from a part in the corner remove, each non-empty. Windows
    /// that cut out the same squares follow each other in either direction, so comparing with the neighbours
    /// drops nearly all repetitions.
    pub(crate) fn removals(&self, part: M, removals: &mut Vec<M>) {
        let rows = self.occupied_rows(part);
        let mut slab_above = M::ZERO;
        for &rows in &self.row_windows[height(rows) as usize] {
            let slab = part & rows;
            let mut left = M::ZERO;
            for &columns in &self.column_windows[self.width(part) as usize] {
                let removed = slab & columns;
                if removed != M::ZERO && removed != left && removed != slab_above & columns {
                    removals.push(removed);
                }
                left = removed;
            }
            slab_above = slab;
        }
    }
}

/// What a cutter of `side` lines covers of `lines` lines, in all its places from one end to the other.
fn windows(side: u32, lines: u32) -> impl Iterator<Item = Range<u32>> {
    let side = side.min(lines);
    (1..lines + side).map(move |end| end.saturating_sub(side)..end.min(lines))
}

/// One more than the last occupied line.
#[inline]
fn height(rows: u64) -> u32 {
    u64::BITS - rows.leading_zeros()
}

/// The first empty line between occupied lines whose deletion changes no window: see the head of this file.
#[inline]
fn superfluous_line(lines: u128, side: u32) -> Option<u32> {
    let between = (1u128 << (127 - lines.leading_zeros())) - 1;
    let mut needed = lines;
    if side < 126 {
        for distance in [side, side + 1] {
            // The lower ends of the pairs at this distance; every line between the ends is needed.
            let pairs = lines & (lines >> distance);
            if pairs != 0 {
                for step in 1..distance {
                    needed |= pairs << step;
                }
            }
        }
    }
    let superfluous = between & !needed;
    (superfluous != 0).then(|| superfluous.trailing_zeros())
}

/// The lines that are left, renumbered, when an empty line is deleted.
#[inline]
fn without_line(lines: u128, line: u32) -> u128 {
    let before = (1u128 << line) - 1;
    (lines & before) | ((lines >> 1) & !before)
}
