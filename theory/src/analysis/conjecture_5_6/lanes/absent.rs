//! The slab of the smallest heap 0: the outcomes of one heap less.

use crate::base::Result;
use crate::space::{MAX_HEAPS, SortedHeaps};
use crate::table::{Bits, Cells, Table};

/// The lanes a2 that may hold a P-position when a1 = 0: the others are seen to be N before the sweep begins.
pub const ABSENT_LANES: u32 = 6;

/// The bits of a byte, each as a byte.
static SPREAD: [u64; 256] = {
    let mut spread = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            spread[byte] |= (byte as u64 >> bit & 1) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    spread
};

/// The outcomes of the positions with one heap less whose smallest heap is below [`ABSENT_LANES`].
pub struct Absent<'a> {
    space: SortedHeaps,
    bits: Bits<'a>,
}

impl<'a> Absent<'a> {
    /// Of a table of `heaps` heaps of at most `max` counters that is filled for these smallest heaps.
    pub fn new(heaps: usize, max: u32, table: &'a Table) -> Result<Self> {
        let Cells::Bits(bits) = table.cells() else { unreachable!("outcomes are bits") };
        Ok(Self { space: SortedHeaps::new(heaps, max)?, bits })
    }

    /// Writes a byte for each word of a row, from x = `first_x` on, with a bit for each of the lanes; `false`
    /// if all are 0.
    pub fn read(
        &self,
        line: &[u32],
        sum: u32,
        lanes: std::ops::RangeInclusive<u32>,
        first_x: u32,
        bytes: &mut [u8],
    ) -> bool {
        bytes.fill(0);
        let mut any = false;
        for lane in *lanes.start()..=(*lanes.end()).min(ABSENT_LANES - 1) {
            let mut position = [0; MAX_HEAPS];
            let position = &mut position[..self.space.heaps()];
            (position[0], position[1]) = (lane, sum - lane);
            position[2..2 + line.len()].copy_from_slice(line);
            // With a3 above the first x the lane begins later.
            let mut skipped = 0;
            if position.len() > 2 + line.len() {
                let x = first_x.max(position[1 + line.len()]);
                position[2 + line.len()] = x;
                skipped = (x - first_x) as usize;
            }
            let Some(bytes) = bytes.get_mut(skipped..) else { continue };
            let first = self.space.rank_sorted(position);
            for (at, bytes) in bytes.chunks_mut(8).enumerate() {
                let bits = self.bits.word_at(first + 8 * at as u64) & 0xff;
                any |= bits != 0;
                let spread = SPREAD[bits as usize] << lane;
                match <&mut [u8; 8]>::try_from(&mut *bytes) {
                    Ok(whole) => *whole = (u64::from_le_bytes(*whole) | spread).to_le_bytes(),
                    Err(_) => bytes.iter_mut().zip(spread.to_le_bytes()).for_each(|(byte, bit)| *byte |= bit),
                }
            }
        }
        any
    }
}
