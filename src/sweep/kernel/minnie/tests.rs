use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU64};

use super::*;
use crate::base::Isa;
use crate::rules::{Minnie, Play};
use crate::space::{SortedHeaps, Space};
use crate::sweep::kernel::{Generic, Kernel};
use crate::table::{Bits, Cells};
use crate::waves::{KeySum, RowBlock, Waves};

/// All entries, as `kernel` fills them into `cells`.
fn entries(kernel: &dyn Kernel<RowBlock>, waves: &KeySum<'_>, cells: Cells<'_>) -> Vec<u16> {
    for wave in 0..waves.count() {
        for block in waves.blocks(wave) {
            kernel.fill(&cells, &block).unwrap();
        }
    }
    (0..cells.len()).map(|index| cells.get(index)).collect()
}

#[test]
fn every_instruction_set_fills_what_the_generic_kernel_does() {
    for (heaps, max) in [(2, 90), (3, 40), (4, 16), (5, 9)] {
        for play in [Play::Normal, Play::Misere] {
            let space = SortedHeaps::new(heaps, max).unwrap();
            let waves = KeySum::new(&space);
            let generic = Generic::new(&Minnie, play, &space, &waves);
            let len = space.len() as usize;
            let outcomes = |kernel: &dyn Kernel<RowBlock>| {
                let words: Vec<AtomicU64> = (0..len / 64 + 2).map(|_| AtomicU64::new(0)).collect();
                entries(kernel, &waves, Cells::Bits(Bits::new(&words, len as u64)))
            };
            let bytes = |kernel: &dyn Kernel<RowBlock>| {
                let cells: Vec<AtomicU8> = (0..len).map(|_| AtomicU8::new(0)).collect();
                entries(kernel, &waves, Cells::U8(&cells))
            };
            let words = |kernel: &dyn Kernel<RowBlock>| {
                let cells: Vec<AtomicU16> = (0..len).map(|_| AtomicU16::new(0)).collect();
                entries(kernel, &waves, Cells::U16(&cells))
            };
            let (expected_outcomes, expected_values) = (outcomes(&generic), words(&generic));
            for isa in Isa::available() {
                let what = format!("{heaps} heaps of {max}, {play:?}, {isa:?}");
                assert_eq!(outcomes(&MinnieOutcomes::new(&waves, play, isa)), expected_outcomes, "{what}");
                for columns in [false, true] {
                    let kernel = || MinnieValues::new(&waves, play, isa, columns);
                    assert_eq!(words(&kernel()), expected_values, "{what}");
                    assert_eq!(bytes(&kernel()), expected_values, "{what}");
                }
            }
        }
    }
}
