use proptest::prelude::*;

use super::*;
use crate::rules::Play;
use crate::space::{SortedHeaps, Space};
use crate::sweep::{HeapJob, KernelChoice};
use crate::table::Quantity;

const COVER_FROM: u32 = 6;

fn solved(heaps: usize, max: u32, play: Play, first_limit: u32, kernel: KernelChoice) -> Table {
    let mut job = HeapJob::minnie(heaps, max, play, Quantity::Outcomes);
    (job.smallest, job.kernel) = (Some(first_limit), kernel);
    job.solve(None, &Control::silent()).unwrap()
}

/// Sweeps with all planes in the ring and compares every position with the table of another kernel.
fn compare(heaps: usize, max: u32, play: Play, isa: Isa, threads: usize, plan: Plan, oracle: KernelChoice) {
    let shape = Shape::new(heaps, max).unwrap().with_all_rows();
    let table = solved(heaps - 1, max, play, ABSENT_LANES - 1, KernelChoice::Fastest);
    let absent = Absent::new(heaps - 1, max, &table).unwrap();
    // Plane p in place p, or the only one.
    let ring = Ring::new(&shape, if shape.line_heaps() == 0 { 1 } else { max as usize + 1 });
    let run = Run { ring: &ring, absent: &absent, isa, cover_from: COVER_FROM, plan, threads };
    let first = *shape.planes().start();
    let end = run.sweep(first, &|| true, &|_, _| (), &Control::silent());
    assert_eq!(end, End::Before(max + 1));
    let expected = solved(heaps, max, play, 3, oracle);
    let space = SortedHeaps::new(heaps, max).unwrap();
    let mut position = Vec::new();
    let positions = space.rank_sorted(&vec![4; heaps]);
    // Of very many a sample.
    let step = if positions < 1 << 22 { 1 } else { 97 };
    for index in (0..positions).step_by(step) {
        space.unrank_into(index, &mut position);
        if position[0] > 0 {
            let found = outcome(&ring, &position);
            assert_eq!(found, expected.cells().is_p(index), "{position:?}, to {max}, {play:?}, {isa:?}");
        }
    }
}

/// Whether the ring has a P-position here.
fn outcome(ring: &Ring<'_>, position: &[u32]) -> bool {
    let (a1, a2, a3) = (position[0] as usize, position[1], position[2]);
    let (line, x) = match (&position[3..], ring.shape.has_x()) {
        ([line @ .., x], true) => (line, x - ring.shape.column_start(line)),
        (line, _) => (line, 0),
    };
    let (block, word, bit) = shape::lane_place(a2, ring.shape.blocks());
    let column = ring.columns(line, a2 + a3, block).unwrap().of_slab(a1);
    // SAFETY: x is one of the words of the column, and nobody writes.
    let word = unsafe { *column.add(4 * x as usize + word) };
    word >> bit & 1 == 1
}

#[test]
fn every_word_boundary_is_passed_as_by_rows() {
    for isa in Isa::available() {
        let plan = Plan { lines: 3, groups: 1 << 12 };
        // One block, the last largest heap of one, two blocks, the last of two; three below.
        for max in [257, 497, 498, 1009] {
            compare(3, max, Play::Normal, isa, 1, plan, KernelChoice::Fastest);
        }
    }
    compare(3, 1100, Play::Misere, Isa::detect(), 1, Plan { lines: 1, groups: 1 }, KernelChoice::Fastest);
    for max in [270, 520] {
        compare(4, max, Play::Misere, Isa::detect(), 2, Plan { lines: 4, groups: 99 }, KernelChoice::Fastest);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn lanes_find_what_the_rules_find(
        (heaps, max) in (3..=7usize).prop_flat_map(|k| (Just(k), 6..=[70u32, 26, 15, 11, 9][k - 3])),
        misere in any::<bool>(), threads in 1usize..=2, lines in 1u32..=5,
    ) {
        for isa in Isa::available() {
            let plan = Plan { lines, groups: 1 << 12 };
            compare(heaps, max, Play::from_misere(misere), isa, threads, plan, KernelChoice::Generic);
        }
    }
}

/// Sweeps with a ring as small as the plan allows.
fn end_of(heaps: usize, max: u32, table: &Table, cover_from: u32, plan: Plan, threads: usize) -> End {
    let shape = Shape::new(heaps, max).unwrap();
    let absent = Absent::new(heaps - 1, max, table).unwrap();
    let ring = Ring::new(&shape, plan.planes(&shape));
    let run = Run { ring: &ring, absent: &absent, isa: Isa::detect(), cover_from, plan, threads };
    run.sweep(*shape.planes().start(), &|| true, &|_, _| (), &Control::silent())
}

/// Whether each place with second heap `cover_from` or more has a P-position with a first heap below 4.
fn is_covered(heaps: usize, max: u32, table: &Table, cover_from: u32) -> bool {
    let space = SortedHeaps::new(heaps, max).unwrap();
    let places = SortedHeaps::new(heaps - 1, max).unwrap();
    let (mut place, mut covered) = (Vec::new(), true);
    for index in 0..places.len() {
        places.unrank_into(index, &mut place);
        let is_p = |first: u32| table.cells().is_p(space.rank_sorted(&[&[first], &place[..]].concat()));
        covered &= place[0] < cover_from || (0..4).any(is_p);
    }
    covered
}

#[test]
fn a_place_that_is_not_covered_is_seen() {
    for (heaps, max) in [(3, 60), (4, 30), (5, 20), (6, 13)] {
        let absent = solved(heaps - 1, max, Play::Normal, ABSENT_LANES - 1, KernelChoice::Fastest);
        let whole = solved(heaps, max, Play::Normal, 3, KernelChoice::Fastest);
        let ends = [5, 6].map(|cover_from| is_covered(heaps, max, &whole, cover_from));
        // [5, 5, 11] is a P-position, so that nothing covers (5, 11).
        assert_eq!(ends, [false, true]);
        for (lines, groups) in [(1, 1), (1, 2), (2, 1), (4, 2), (3, 3)] {
            let end =
                |cover_from| end_of(heaps, max, &absent, cover_from, Plan { lines, groups }, 1 + groups % 2);
            assert_eq!([end(5), end(6)], [End::Hole, End::Before(max + 1)], "{heaps} {lines} {groups}");
        }
    }
}

#[test]
fn a_sweep_that_is_stopped_resumes_to_the_same_end() {
    use std::sync::atomic::{AtomicBool, AtomicU32};
    /// Stops after some tasks.
    struct StopAfter<'a>(AtomicU32, &'a AtomicBool);
    impl crate::base::Observer for StopAfter<'_> {
        fn wave(&self, _: u64, _: u64) {
            if self.0.fetch_sub(1, Relaxed) == 1 {
                self.1.store(true, Relaxed);
            }
        }
    }
    for (heaps, max) in [(5, 33), (6, 16)] {
        let table = solved(heaps - 1, max, Play::Normal, ABSENT_LANES - 1, KernelChoice::Fastest);
        let folder = tempfile::tempdir().unwrap();
        let lanes = Lanes::new(heaps, max, COVER_FROM).unwrap();
        let mut stops = 0;
        loop {
            let stop = AtomicBool::new(false);
            let observer = StopAfter(AtomicU32::new(2 + stops), &stop);
            let control = Control { observer: &observer, ..Control::stopped_by(&stop) };
            // Other plans in other runs.
            let limit = if stops % 2 == 0 { u64::MAX } else { 0 };
            let checkpoint = Checkpoint::open(folder.path(), heaps, max, Play::Normal).unwrap();
            match lanes.sweep(&table, limit, Some(&checkpoint), 1, &control) {
                Ok(covered) => {
                    assert_eq!(covered, Covered::Everywhere);
                    break;
                }
                Err(error) => assert!(matches!(error, Error::Interrupted { .. }), "{error}"),
            }
            stops += 1;
        }
        assert!(stops > 1, "{heaps} heaps were stopped {stops} times");
        let checkpoint = Checkpoint::open(folder.path(), heaps, max, Play::Misere).unwrap();
        let refused = lanes.sweep(&table, u64::MAX, Some(&checkpoint), 1, &Control::silent());
        assert!(matches!(refused, Err(Error::Mismatch { .. })));
    }
}

#[test]
fn a_checkpoint_keeps_the_planes_and_a_damaged_one_is_refused() {
    let shape = Shape::new(5, 20).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let checkpoint = Checkpoint::open(folder.path(), 5, 20, Play::Normal).unwrap();
    assert!(Checkpoint::open(folder.path(), 5, 20, Play::Normal).is_err(), "it is locked");
    let mut ring = Ring::new(&shape, 5);
    assert_eq!(checkpoint.resume(&mut ring).unwrap(), None);
    for plane in 6..=8 {
        ring.plane(plane).iter_mut().zip(u64::from(plane)..).for_each(|(word, value)| *word = value);
    }
    checkpoint.write(&mut ring, 9).unwrap();
    let mut again = Ring::new(&shape, 7);
    assert_eq!(checkpoint.resume(&mut again).unwrap(), Some(9));
    for plane in 6..=8 {
        assert_eq!(ring.plane(plane), again.plane(plane));
    }
    let path = folder.path().join("probe.checkpoint");
    let whole = std::fs::read(&path).unwrap();
    for damaged in [&whole[..whole.len() - 1], &whole[..50], &[&whole[..], b"x"].concat(), b"", b"{}\n"] {
        std::fs::write(&path, damaged).unwrap();
        assert!(matches!(checkpoint.resume(&mut again), Err(Error::Corrupt { .. })));
    }
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 4;
    std::fs::write(&path, flipped).unwrap();
    assert!(matches!(checkpoint.resume(&mut again), Err(Error::Corrupt { .. })));
}
