use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU64};

use proptest::prelude::*;

use super::*;
use crate::base::Isa;
use crate::rules::{Minnie, Play};
use crate::space::{SortedHeaps, Space};
use crate::sweep::kernel::{Generic, Kernel};
use crate::table::{Bits, Cells, ValueCell};
use crate::waves::{KeySum, RowBlock, Slabs, Strips, Waves};

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

/// Compares the outcomes by strips with those of the generic kernel, or for larger tables by rows.
fn compare_strips(heaps: usize, max: u32, limit: u32, play: Play, by_rows: bool) {
    let space = SortedHeaps::new(heaps, max).unwrap().slice(limit);
    let waves = KeySum::new(&space);
    let words = || (0..space.len() / 64 + 2).map(|_| AtomicU64::new(0)).collect::<Vec<_>>();
    let expected = words();
    let kernel: &dyn Kernel<RowBlock> = if by_rows {
        &MinnieOutcomes::new(&waves, play, Isa::detect())
    } else {
        &Generic::new(&Minnie, play, &space, &waves)
    };
    entries(kernel, &waves, Cells::Bits(Bits::new(&expected, space.len())));
    let strips = Strips::new(&space).unwrap();
    for isa in Isa::available() {
        let found = words();
        let cells = Cells::Bits(Bits::new(&found, space.len()));
        let kernel = MinnieStrips::new(&strips, play, isa);
        let blocks = (0..strips.count()).flat_map(|wave| strips.blocks(wave));
        let filled: u64 = blocks.map(|strip| kernel.fill(&cells, &strip).unwrap()).sum();
        let what = format!("{heaps} heaps of {max} with {limit} in front, {play:?}, {isa:?}");
        assert_eq!(filled, space.len(), "{what}");
        let same = |(a, b): (&AtomicU64, &AtomicU64)| a.load(Relaxed) == b.load(Relaxed);
        assert!(found.iter().zip(&expected).all(same), "{what}");
    }
}

#[test]
fn strips_of_several_words_and_ranges_are_those_of_rows() {
    for play in [Play::Normal, Play::Misere] {
        compare_strips(4, 70, 70, play, true);
        compare_strips(4, 200, 6, play, true);
        compare_strips(5, 68, 68, play, true);
        compare_strips(6, 24, 24, play, true);
    }
    if !cfg!(debug_assertions) {
        compare_strips(4, 330, 330, Play::Normal, true);
    }
}

/// The values by windows with places of type `P`, where before wave `forgotten` (of 100) all is built anew.
fn by_windows<P: super::windows::Place>(
    slabs: &Slabs,
    play: Play,
    cells: Cells<'_>,
    forgotten: u64,
) -> Vec<u16> {
    let kernel = MinnieWindows::<P>::new(slabs, play);
    for wave in 0..slabs.count() {
        if wave == forgotten * slabs.count() / 100 {
            kernel.forget();
            for done in 0..wave {
                slabs.blocks(done).iter().for_each(|tile| kernel.recall(&cells, tile));
            }
        }
        for tile in slabs.blocks(wave) {
            kernel.fill(&cells, &tile).unwrap();
        }
    }
    (0..cells.len()).map(|index| cells.get(index)).collect()
}

fn compare_windows(heaps: usize, max: u32, limit: u32, play: Play, forgotten: u64) {
    let space = SortedHeaps::new(heaps, max).unwrap().slice(limit);
    let waves = KeySum::new(&space);
    let values = |_: u64| AtomicU16::new(0);
    let wide: Vec<AtomicU16> = (0..space.len()).map(values).collect();
    let expected = entries(&Generic::new(&Minnie, play, &space, &waves), &waves, Cells::U16(&wide));
    let slabs = Slabs::new(&space);
    let what = format!("{heaps} heaps of {max} with {limit} in front, {play:?}, forgotten at {forgotten}");
    let wide: Vec<AtomicU16> = (0..space.len()).map(values).collect();
    assert!(by_windows::<u16>(&slabs, play, Cells::U16(&wide), forgotten) == expected, "{what}");
    if max < 256 && expected.iter().all(|&value| value <= AtomicU8::MAX) {
        let narrow: Vec<AtomicU8> = (0..space.len()).map(|_| AtomicU8::new(0)).collect();
        assert!(by_windows::<u8>(&slabs, play, Cells::U8(&narrow), forgotten) == expected, "{what}");
    }
}

#[test]
fn windows_are_exact_where_a_line_has_several_planes() {
    compare_windows(2, 150, 150, Play::Normal, 70);
    compare_windows(3, 64, 64, Play::Misere, 80);
    if !cfg!(debug_assertions) {
        compare_windows(3, 150, 150, Play::Normal, 60);
        compare_windows(4, 50, 50, Play::Normal, 60);
        compare_windows(5, 24, 24, Play::Misere, 60);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 40 } else { 300 }))]

    #[test]
    fn strips_give_the_outcomes_of_the_generic_kernel(heaps in 4usize..=8, size in 1u32..=24, limit in 0u32..20, misere: bool) {
        let max = [24, 12, 8, 6, 5][heaps - 4].min(size);
        let limit = if limit > 10 { max } else { limit.min(max) };
        compare_strips(heaps, max, limit, Play::from_misere(misere), false);
    }

    #[test]
    fn windows_give_the_values_of_the_generic_kernel(heaps in 2usize..=7, size in 1u32..=60, limit in 0u32..60, misere: bool, forgotten in 0u64..120) {
        let max = [60, 40, 18, 10, 7, 5][heaps - 2].min(size);
        // Half of the tables are whole.
        let limit = if limit > 30 { max } else { limit.min(max) };
        compare_windows(heaps, max, limit, Play::from_misere(misere), forgotten);
    }
}
