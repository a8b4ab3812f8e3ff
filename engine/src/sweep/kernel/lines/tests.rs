use std::sync::atomic::{AtomicU8, AtomicU16};

use proptest::prelude::*;

use super::*;
use crate::base::Control;
use crate::game::{Game, Parameters};
use crate::space::Space;
use crate::sweep::{HeapJob, Job, KernelChoice, kernel::Generic};
use crate::table::{Quantity, Table, Width};
use crate::waves::Waves;

/// The games of lines in the catalogue, and two written ones.
fn games() -> Vec<Game> {
    let named = |name: &str| Game::named(name).unwrap();
    let wynnie = |together: &str| {
        Game::new("wynnie", &Parameters::from([("together".into(), together.into())])).unwrap()
    };
    let written = |text: &str| Game::written(text, &Parameters::new()).unwrap();
    vec![
        named("nim"),
        named("wythoff"),
        named("greedy-nim"),
        named("minnie"),
        named("mine"),
        wynnie("two"),
        wynnie("any"),
        wynnie("all"),
        written("take s from any heaps where s <= min"),
        written("take s from one heap"),
    ]
}

/// The values of `game` by the generic kernel.
fn expected(game: &Game, space: &SortedHeaps) -> Vec<u16> {
    let waves = KeySum::new(space);
    let rules = game.on_heaps().unwrap().rules(space.max()).unwrap();
    let cells: Vec<AtomicU16> = (0..space.len()).map(|_| AtomicU16::new(0)).collect();
    let kernel = Generic::new(&*rules, game.play(), space, &waves);
    for wave in 0..waves.count() {
        for block in waves.blocks(wave) {
            kernel.fill(&Cells::U16(&cells), &block).unwrap();
        }
    }
    cells.iter().map(ValueCell::get).collect()
}

/// The values by lines, where before wave `forgotten` the lines are built anew from the cells.
fn by_lines(game: &Game, space: &SortedHeaps, cells: Cells<'_>, forgotten: u64) -> Vec<u16> {
    let waves = KeySum::new(space).in_blocks_of(8);
    let heaps = game.on_heaps().unwrap();
    let rules = heaps.rules(space.max()).unwrap();
    let kernel = LineValues::new(&waves, &*rules, game.play(), heaps.lines().unwrap(), heaps.distinct);
    for wave in 0..waves.count() {
        if wave == forgotten {
            kernel.forget();
            for done in 0..wave {
                waves.blocks(done).iter().for_each(|block| kernel.recall(&cells, block));
            }
        }
        for block in waves.blocks(wave) {
            kernel.fill(&cells, &block).unwrap();
        }
    }
    (0..cells.len()).map(|index| cells.get(index)).collect()
}

fn compare(game: &Game, heaps: usize, max: u32, forgotten: u64) {
    let space = SortedHeaps::new(heaps, max).unwrap();
    let expected = expected(game, &space);
    let what =
        format!("{heaps} heaps of {} to {max}, {:?}, forgotten at {forgotten}", game.name(), game.play());
    let wide: Vec<AtomicU16> = expected.iter().map(|_| AtomicU16::new(0)).collect();
    assert!(by_lines(game, &space, Cells::U16(&wide), forgotten) == expected, "{what}");
    if expected.iter().all(|&value| value < 256) {
        let narrow: Vec<AtomicU8> = expected.iter().map(|_| AtomicU8::new(0)).collect();
        assert!(by_lines(game, &space, Cells::U8(&narrow), forgotten) == expected, "{what}");
    }
}

#[test]
fn windows_longer_than_a_byte_are_exact() {
    // Places are kept in 16 bits from heaps of 256 on.
    if cfg!(debug_assertions) {
        // The generic kernel takes a minute in a debug build.
        return compare(&Game::named("mine").unwrap(), 2, 256, 130);
    }
    for game in games().iter().filter(|game| ["wynnie", "mine"].contains(&game.name())) {
        [255, 256, 600].iter().for_each(|&max| compare(game, 2, max, 130));
    }
}

#[test]
fn the_table_is_that_of_the_generic_kernel_in_every_way_to_solve_it() {
    for (game, heaps, max) in
        [("wythoff", 2, 190), ("wynnie", 3, 24), ("greedy-nim", 3, 24), ("queen", 2, 60)]
    {
        let job = HeapJob::new(&Game::named(game).unwrap(), heaps, max, Quantity::Values).unwrap();
        assert!(job.has_fast_kernel() && job.memory() > 0, "{game}");
        let tables: Vec<Table> = [KernelChoice::Fastest, KernelChoice::Portable, KernelChoice::Generic]
            .into_iter()
            .map(|kernel| HeapJob { kernel, ..job.clone() }.solve(None, &Control::silent()).unwrap())
            .collect();
        let sum = |table: &Table| table.manifest().checksums.clone().unwrap().blake3;
        assert!(tables.iter().all(|table| sum(table) == sum(&tables[0])), "{game}");
        // The values of wythoff widen the table in the middle of the sweep.
        assert_eq!(tables[0].manifest().width == Width::U16, game == "wythoff");
    }
}

#[test]
fn a_job_without_memory_for_lines_is_done_by_the_generic_kernel() {
    let job = HeapJob::new(&Game::named("wynnie").unwrap(), 3, 200, Quantity::Values).unwrap();
    assert_eq!(job.kernel, KernelChoice::Fastest);
    assert_eq!(job.clone().kept_within(Some(10_000_000), false).unwrap().kernel, KernelChoice::Generic);
    assert_eq!(job.kept_within(Some(1 << 30), false).unwrap().kernel, KernelChoice::Fastest);
}

#[test]
fn the_memory_that_is_named_is_enough_and_not_much_more() {
    for game in games() {
        let lines = game.on_heaps().unwrap().lines().unwrap();
        for (heaps, max) in [(1, 50), (2, 300), (3, 90), (4, 30), (5, 12)] {
            let used = Used::new(lines, &SortedHeaps::new(heaps, max).unwrap());
            let places = match &used.places {
                Places::None => 0,
                Places::U8(places) => places.len(),
                Places::U16(places) => 2 * places.len(),
            };
            let (bytes, named) =
                (8 * used.bits.len() + places, LineValues::memory(lines, heaps, max) as usize);
            let what = format!("{heaps} heaps of {} to {max}: {bytes} and {named}", game.name());
            assert!(bytes <= named + named / 100 && (heaps == 1 || named <= 2 * bytes), "{what}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 60 } else { 400 }))]

    #[test]
    fn lines_give_the_values_of_the_generic_kernel(game in 0usize..10, heaps in 1usize..=6, size in 1u32..=100, misere: bool, forgotten in 0u64..60) {
        let max = [100, 60, 24, 12, 7, 5][heaps - 1].min(size);
        let game = games()[game].clone().in_play(Play::from_misere(misere));
        if !game.on_heaps().unwrap().is_written_sum(game.play()) || heaps == 1 {
            compare(&game, heaps, max, forgotten);
        }
    }
}
