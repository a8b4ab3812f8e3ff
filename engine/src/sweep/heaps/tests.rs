use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use serde_json::Value;

use super::super::kernel::{MinnieWindows, TooWide};
use super::super::run::run;
use super::*;
use crate::base::Observer;
use crate::table::Cells;
use crate::waves::Slabs;

/// Solves with `choice` and returns the data file's BLAKE3 and the results.
fn solve(job: &HeapJob, choice: KernelChoice, threads: usize) -> (String, BTreeMap<String, Value>) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let job = HeapJob { kernel: choice, ..job.clone() };
    pool.install(|| {
        let table = job.solve(None, &Control::silent()).unwrap();
        let manifest = table.manifest();
        (manifest.checksums.clone().unwrap().blake3, manifest.results.clone())
    })
}

#[test]
fn every_minnie_kernel_fills_the_same_bytes_as_the_generic_one() {
    let sizes = [(1, 70), (2, 1), (2, 140), (3, 1), (3, 33), (4, 2), (4, 14), (5, 9), (6, 6), (8, 4)];
    for (heaps, max) in sizes {
        for play in [Play::Normal, Play::Misere] {
            for quantity in [Quantity::Outcomes, Quantity::Values] {
                let job = HeapJob::minnie(heaps, max, play, quantity);
                let oracle = solve(&job, KernelChoice::Generic, 1);
                for (choice, threads) in
                    [(KernelChoice::Fastest, 1), (KernelChoice::Fastest, 3), (KernelChoice::Portable, 2)]
                {
                    assert_eq!(
                        solve(&job, choice, threads),
                        oracle,
                        "{heaps} heaps of {max}, {play:?}, {choice:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn the_rows_of_mine_and_wynnie_are_the_same_bytes_as_those_of_the_generic_kernel() {
    use crate::game::Parameters;
    use crate::rules::Together;
    let sizes = [(1, 70), (2, 1), (2, 300), (3, 1), (3, 80), (4, 2), (4, 22), (5, 11), (6, 7), (8, 3)];
    let named = |name: &str, together: &str, misere: bool, heaps, max| {
        let mut parameters = Parameters::from([("misere".into(), misere.into())]);
        if name == "wynnie" {
            parameters.insert("together".into(), together.into());
        }
        let game = Game::new(name, &parameters).unwrap();
        HeapJob::new(&game, heaps, max, Quantity::Outcomes).unwrap()
    };
    for (heaps, max) in sizes {
        for misere in [false, true] {
            for (name, together) in [("mine", "two"), ("wynnie", "two"), ("wynnie", "any"), ("wynnie", "all")]
            {
                let job = named(name, together, misere, heaps, max);
                assert!(job.has_fast_kernel() && job.kernel == KernelChoice::Fastest);
                let oracle = solve(&job, KernelChoice::Generic, 1);
                for (choice, threads) in [(KernelChoice::Fastest, 1), (KernelChoice::Portable, 3)] {
                    let what =
                        format!("{name} {together}, {heaps} heaps of {max}, misère {misere}, {choice:?}");
                    assert_eq!(solve(&job, choice, threads), oracle, "{what}");
                }
            }
        }
    }
    // Rows beyond first heap 255, the largest that a cover is remembered for, are filled as well.
    let table = named("wynnie", "two", false, 2, 767).solve(None, &Control::silent()).unwrap();
    let space = SortedHeaps::new(2, 767).unwrap();
    assert!(table.cells().is_p(space.rank_sorted(&[511, 767])));
    assert_eq!(named("wynnie", "any", false, 3, 9).family, Some(Family::Wynnie(Together::Any)));
}

#[test]
fn a_part_with_small_first_heaps_is_the_prefix_of_the_table() {
    for (heaps, max, smallest) in [(2, 60, 3), (3, 30, 4), (4, 12, 2), (1, 9, 2)] {
        for quantity in [Quantity::Outcomes, Quantity::Values] {
            let whole = HeapJob::minnie(heaps, max, Play::Normal, quantity);
            let part = HeapJob { smallest: Some(smallest), ..whole.clone() };
            let whole = whole.solve(None, &Control::silent()).unwrap();
            let part = part.solve(None, &Control::silent()).unwrap();
            let (whole, part) = (whole.cells(), part.cells());
            assert!(part.len() <= whole.len());
            assert!((0..part.len()).all(|index| part.get(index) == whole.get(index)));
        }
    }
}

#[test]
fn values_beyond_a_byte_widen_the_table() {
    let job = HeapJob::minnie(2, 260, Play::Normal, Quantity::Values);
    let table = job.solve(None, &Control::silent()).unwrap();
    assert_eq!(table.manifest().width, Width::U16);
    assert_eq!(solve(&job, KernelChoice::Fastest, 1), solve(&job, KernelChoice::Generic, 2));
}

/// A kernel that says once, when a wave has been filled, that a value did not fit.
struct TooWideOnce<K>(K, AtomicU64);

impl<B, K: Kernel<B>> Kernel<B> for TooWideOnce<K> {
    fn fill(&self, cells: &Cells<'_>, block: &B) -> Result<u64, TooWide> {
        let filled = self.0.fill(cells, block);
        if self.1.fetch_add(1, Relaxed) == 40 { Err(TooWide) } else { filled }
    }
    fn forget(&self) {
        self.0.forget();
    }
    fn recall(&self, cells: &Cells<'_>, block: &B) {
        self.0.recall(cells, block);
    }
}

#[test]
fn a_wave_that_is_filled_again_does_not_see_its_own_values() {
    let job = HeapJob::minnie(4, 14, Play::Normal, Quantity::Values);
    let space = job.space().unwrap();
    let expected =
        HeapJob { kernel: KernelChoice::Generic, ..job.clone() }.solve(None, &Control::silent()).unwrap();
    let table = || Table::in_memory(job.spec().unwrap(), Width::U8).unwrap();
    let check = |table: Table| {
        assert_eq!(table.manifest().width, Width::U16);
        assert!((0..space.len()).all(|index| table.cells().get(index) == expected.cells().get(index)));
    };
    let waves = KeySum::new(&space).in_blocks_of(64);
    let kernel = TooWideOnce(MinnieValues::new(&waves, Play::Normal, Isa::detect(), true), 0.into());
    let mut by_rows = table();
    run(&mut by_rows, &waves, &kernel, &Control::silent()).unwrap();
    check(by_rows);
    let slabs = Slabs::new(&space);
    let kernel = TooWideOnce(MinnieWindows::<u8>::new(&slabs, Play::Normal), 0.into());
    let mut by_slabs = table();
    run(&mut by_slabs, &slabs, &kernel, &Control::silent()).unwrap();
    check(by_slabs);
}

/// Stops a run after so many waves.
struct StopAt<'a>(u64, &'a AtomicBool);

impl Observer for StopAt<'_> {
    fn wave(&self, done: u64, _: u64) {
        self.1.fetch_or(done == self.0, Relaxed);
    }
}

#[test]
fn a_table_is_resumed_in_the_order_in_which_it_was_begun() {
    for (quantity, stops) in [(Quantity::Values, [12, 19, 33]), (Quantity::Outcomes, [3, 11, 18])] {
        let job = HeapJob::minnie(4, 20, Play::Misere, quantity);
        let by_rows = HeapJob { by_rows: true, ..job.clone() };
        let generic = HeapJob { kernel: KernelChoice::Generic, ..job.clone() };
        let expected = solve(&job, KernelChoice::Generic, 1).0;
        assert_ne!(job.spec().unwrap().waves, by_rows.spec().unwrap().waves);
        let orders = [[&job, &by_rows, &generic], [&by_rows, &job, &generic], [&generic, &job, &by_rows]];
        for jobs in orders {
            let folder = tempfile::tempdir().unwrap();
            let out = folder.path().join("table");
            for (job, waves) in jobs.into_iter().zip(stops) {
                let stop = AtomicBool::new(false);
                let observer = StopAt(waves, &stop);
                let control = Control { stop: &stop, observer: &observer, ..Control::silent() };
                assert!(matches!(job.solve(Some(&out), &control), Err(Error::Interrupted { .. })));
            }
            for job in jobs {
                let table = job.solve(Some(&out), &Control::silent()).unwrap();
                assert_eq!(table.manifest().checksums.clone().unwrap().blake3, expected);
            }
        }
    }
}

#[test]
fn a_job_without_memory_for_windows_is_done_by_rows() {
    let job = HeapJob::minnie(3, 60, Play::Normal, Quantity::Values);
    assert!(job.prefers_slabs().unwrap());
    assert!(!job.kept_within(Some(100_000), false).unwrap().prefers_slabs().unwrap());
}

#[test]
fn values_are_the_same_without_columns() {
    for (heaps, max) in [(3, 40), (4, 15), (5, 8)] {
        let job = HeapJob { by_rows: true, ..HeapJob::minnie(heaps, max, Play::Normal, Quantity::Values) };
        let space = job.space().unwrap();
        let waves = KeySum::new(&space);
        let mut table = Table::in_memory(job.spec().unwrap(), Width::U8).unwrap();
        let kernel = MinnieValues::new(&waves, Play::Normal, Isa::detect(), false);
        let seconds = run(&mut table, &waves, &kernel, &Control::silent()).unwrap();
        let manifest = table.finish(BTreeMap::new(), seconds).unwrap();
        assert_eq!(manifest.checksums.as_ref().unwrap().blake3, solve(&job, KernelChoice::Generic, 1).0);
    }
}
