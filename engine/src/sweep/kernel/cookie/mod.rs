//! Dense tables of cookie boards: every subset of a grid.
//!
//! The options of a set of squares `s` are `s & !m` for the masks `m` of the placements that meet `s`. The
//! plain loop does that one position and one mask at a time: about 5 operations and one byte loaded for each.
//! [`CookieVectors`] takes two vectors of 32 consecutive positions, which differ in their 5 lowest squares
//! only: for a placement that meets the common squares, the options of all 32 lie in one aligned run of 32
//! bytes, so that one load, at most two shuffles and two or three table look-ups do for all.

mod vectors;

pub use vectors::CookieVectors;

use super::{Kernel, TooWide};
use crate::rules::{Board, Cookie, Cutter};
use crate::space::Grid;
use crate::table::{Bits, Cells, ValueCell};
use crate::waves::{HighBlock, HighSquares, Waves};

/// The squares that each placement covers, as indices, without repetition, in increasing order.
fn placement_masks(grid: &Grid, cutter: Cutter) -> Vec<u64> {
    let mut masks = Vec::new();
    let full = Board::full(grid.rows(), grid.cols()).expect("the grid was checked when it was made");
    Cookie { cutter }.placements(&full, &mut |top, left| masks.push(grid.covered(cutter, top, left)));
    masks.sort_unstable();
    masks.dedup();
    masks
}

/// The plain loop: the oracle of the fast kernel and the yardstick of its bench.
#[derive(Debug, Clone)]
pub struct CookieScalar {
    waves: HighSquares,
    masks: Vec<u64>,
}

impl CookieScalar {
    /// The kernel for the subsets of `grid`.
    pub fn new(grid: &Grid, cutter: Cutter) -> Self {
        Self { waves: HighSquares::new(grid.squares() as u32), masks: placement_masks(grid, cutter) }
    }

    /// The value of position `index`, from those of its options.
    #[inline]
    fn value<C: ValueCell>(&self, cells: &[C], index: u64) -> u16 {
        // The value of n squares is at most n (Lemma 5.0.4), and the index has at most 62 bits. The mask is
        // for cells that hold anything else.
        let mut seen = 0u64;
        for &mask in &self.masks {
            if index & mask != 0 {
                debug_assert!(
                    self.waves.is_before(index & !mask, index),
                    "an option is read before it is finished"
                );
                seen |= 1 << (cells[(index & !mask) as usize].get() & 63);
            }
        }
        seen.trailing_ones() as u16
    }

    fn fill_cells<C: ValueCell>(&self, cells: &[C], block: &HighBlock) -> u64 {
        let mut count = 0;
        self.waves.for_each_range(block, &mut |first, length| {
            for index in first..first + length {
                cells[index as usize].put(self.value(cells, index));
            }
            count += length;
        });
        count
    }

    fn fill_outcomes(&self, bits: &Bits<'_>, block: &HighBlock) -> u64 {
        let mut count = 0;
        self.waves.for_each_range(block, &mut |first, length| {
            for index in first..first + length {
                if !self.masks.iter().any(|&mask| index & mask != 0 && bits.get(index & !mask)) {
                    bits.set(index);
                }
            }
            count += length;
        });
        count
    }
}

impl Kernel<HighBlock> for CookieScalar {
    fn fill(&self, cells: &Cells<'_>, block: &HighBlock) -> Result<u64, TooWide> {
        match cells {
            Cells::U8(cells) => Ok(self.fill_cells(cells, block)),
            Cells::U16(cells) => Ok(self.fill_cells(cells, block)),
            Cells::Bits(bits) => Ok(self.fill_outcomes(bits, block)),
        }
    }
}
