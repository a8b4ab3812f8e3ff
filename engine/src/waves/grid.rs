//! Waves of a dense table of boards: by the number of squares in the high rows.

use super::Waves;

/// The index of a board is split into `low` bits and the rest. All boards with the same high bits are a
/// block; it is filled in the order of the index. A move keeps the high bits, and then lowers the index
/// within the block, or it removes some of them: so blocks whose high bits are equally many are independent,
/// and each reads only blocks with fewer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HighSquares {
    low: u32,
    high: u32,
}

/// A block: its high bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HighBlock(pub u64);

impl HighSquares {
    /// The low bits of a big table: a block is 4 KiB, a page, and stays in the fastest cache.
    const LOW: u32 = 12;

    /// The waves of the subsets of `squares` squares.
    pub fn new(squares: u32) -> Self {
        let low = squares.min(Self::LOW);
        Self { low, high: squares - low }
    }

    /// The number of low bits.
    pub fn low_bits(&self) -> u32 {
        self.low
    }

    /// The wave of an entry.
    pub fn wave_of(&self, index: u64) -> u64 {
        u64::from((index >> self.low).count_ones())
    }
}

impl Waves for HighSquares {
    type Block = HighBlock;

    fn count(&self) -> u64 {
        u64::from(self.high) + 1
    }

    fn blocks(&self, wave: u64) -> Vec<HighBlock> {
        // Gosper's hack: the numbers with `wave` bits set, in increasing order.
        let mut blocks = Vec::new();
        let mut bits = (1u64 << wave) - 1;
        while bits >> self.high == 0 {
            blocks.push(HighBlock(bits));
            if bits == 0 {
                break;
            }
            let lowest = bits & bits.wrapping_neg();
            let ripple = bits + lowest;
            bits = ripple | (((bits ^ ripple) >> 2) / lowest);
        }
        blocks
    }

    fn is_before(&self, earlier: u64, index: u64) -> bool {
        let (a, b) = (earlier >> self.low, index >> self.low);
        a.count_ones() < b.count_ones() || (a == b && earlier < index)
    }

    fn for_each_range(&self, block: &HighBlock, visit: &mut dyn FnMut(u64, u64)) {
        visit(block.0 << self.low, 1 << self.low);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_in_one_block() {
        for squares in [1, 5, 12, 13, 17] {
            let waves = HighSquares::new(squares);
            let mut seen = vec![false; 1 << squares];
            for wave in 0..waves.count() {
                for block in waves.blocks(wave) {
                    assert_eq!(u64::from(block.0.count_ones()), wave);
                    waves.for_each_range(&block, &mut |first, length| {
                        for index in first..first + length {
                            assert!(!std::mem::replace(&mut seen[index as usize], true));
                        }
                    });
                }
            }
            assert!(seen.iter().all(|&seen| seen));
        }
    }

    #[test]
    fn removing_squares_goes_back_in_the_order() {
        let waves = HighSquares::new(14);
        for index in (1..1 << 14).step_by(7) {
            for removed in [1, 3, 1 << 12, 3 << 12, 0b11 << 11, 1 << 13] {
                if index & removed != 0 {
                    assert!(waves.is_before(index & !removed, index));
                }
            }
            assert!(!waves.is_before(index, index));
        }
    }
}
