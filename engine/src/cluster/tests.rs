//! Tables in shards, with threads for ranks.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::begin::disagreement;
use super::link::threads::Threads;
use super::*;
use crate::base::Observer;
use crate::rules::Play;
use crate::table::{Quantity, Reader};

fn blake3(manifest: &Manifest) -> String {
    manifest.checksums.clone().unwrap().blake3
}

/// Solves `job` with `ranks` threads for ranks in `out`; `stop_after` waves everything is told to stop.
fn solve(
    job: &HeapJob,
    ranks: usize,
    out: &Path,
    stop_after: Option<u64>,
) -> Vec<Result<(Manifest, Vec<Traffic>)>> {
    struct StopAt<'a>(Option<u64>, &'a AtomicBool);
    impl Observer for StopAt<'_> {
        fn begin(&self, _: u64, _: u64, _: u64) {}
        fn wave(&self, done: u64, _: u64) {
            if self.0.is_some_and(|wave| done >= wave) {
                self.1.store(true, Relaxed);
            }
        }
        fn checkpoint(&self, _: u64) {}
    }
    std::thread::scope(|scope| {
        let threads: Vec<_> = Threads::of(ranks)
            .into_iter()
            .map(|link| {
                scope.spawn(move || {
                    let stop = AtomicBool::new(false);
                    // One rank only is told: the others must hear of it.
                    let observer = StopAt(stop_after.filter(|_| link.rank() == ranks - 1), &stop);
                    let control = Control { stop: &stop, observer: &observer, ..Control::silent() };
                    ShardedJob { job, shards: None, link: &link }.solve(out, &control)
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

fn jobs() -> Vec<HeapJob> {
    let mut jobs = Vec::new();
    for (heaps, max) in [(1, 20), (2, 30), (3, 33), (4, 17), (5, 9)] {
        for play in [Play::Normal, Play::Misere] {
            for quantity in [Quantity::Outcomes, Quantity::Values] {
                let job = HeapJob::minnie(heaps, max, play, quantity);
                jobs.push(HeapJob { kernel: KernelChoice::Generic, ..job.clone() });
                jobs.push(job);
            }
        }
    }
    jobs
}

#[test]
fn any_number_of_ranks_makes_the_same_table() {
    for job in jobs() {
        let whole = job.solve(None, &Control::silent()).unwrap();
        for ranks in [1, 2, 3] {
            let folder = tempfile::tempdir().unwrap();
            let out = folder.path().join("table");
            let name = format!(
                "{} heaps of {}, {:?} {:?}, {ranks} ranks",
                job.heaps, job.max, job.quantity, job.kernel
            );
            for manifest in solve(&job, ranks, &out, None) {
                let manifest = manifest.unwrap().0;
                assert_eq!(blake3(&manifest), blake3(whole.manifest()), "{name}");
                assert_eq!(manifest.results, whole.manifest().results, "{name}");
                assert_eq!(manifest.width, whole.manifest().width, "{name}");
            }
            let reader = Reader::open(&out).unwrap();
            reader.check_all(true).unwrap();
            let cells = whole.cells();
            assert!((0..cells.len()).all(|index| reader.get(index).unwrap() == cells.get(index)), "{name}");
        }
    }
}

#[test]
fn a_stopped_run_resumes_with_another_number_of_ranks() {
    for job in jobs().into_iter().filter(|job| job.heaps > 2) {
        let whole = job.solve(None, &Control::silent()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("table");
        for (ranks, wave) in [(2, 7), (3, 9), (1, 16)] {
            for result in solve(&job, ranks, &out, Some(wave)) {
                assert!(matches!(result, Err(Error::Interrupted { .. })), "{result:?}");
            }
        }
        for result in solve(&job, 3, &out, None) {
            assert_eq!(blake3(&result.unwrap().0), blake3(whole.manifest()));
        }
    }
}

#[test]
fn values_beyond_a_byte_widen_all_shards() {
    for kernel in [KernelChoice::Fastest, KernelChoice::Generic] {
        // The first value beyond a byte is 256, at 210.
        let job = HeapJob { kernel, ..HeapJob::minnie(3, 212, Play::Normal, Quantity::Values) };
        if kernel == KernelChoice::Generic && cfg!(debug_assertions) {
            // The generic kernel checks every option in a debug build, which
            // takes long on a table of this size.
            continue;
        }
        let whole = job.solve(None, &Control::silent()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        for result in solve(&job, 2, &folder.path().join("table"), None) {
            assert_eq!(blake3(&result.unwrap().0), blake3(whole.manifest()));
        }
    }
}

#[test]
fn the_halo_is_what_the_plan_says() {
    let job = HeapJob::minnie(4, 40, Play::Normal, Quantity::Values);
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("table");
    let plan = Plan::new(4, 40, 8);
    for (rank, result) in solve(&job, 2, &out, None).into_iter().enumerate() {
        let traffic = result.unwrap().1[rank];
        let (most, _) =
            plan.own(rank, 2).map(|shard| plan.halo_cells(shard)).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        // In addition to the cells there are the look-up tables of the batches.
        assert!(traffic.most_extra <= 3 * most, "{} of {most}", traffic.most_extra);
        assert!(traffic.tables < job.space().unwrap().len() * 3 / 4);
        assert!(traffic.received > 0 && traffic.sent > 0);
    }
}

#[test]
fn ranks_that_do_not_fit_are_named() {
    let said = |version: &str, rest: &str| format!("nimwave {version}\n{rest}").into_bytes();
    assert_eq!(disagreement(&[said("1", "a"), said("1", "a")]), None);
    let version = disagreement(&[said("1", "a"), said("1", "a"), said("2", "a")]).unwrap();
    assert!(version.contains("rank 0 runs nimwave 1 and rank 2 runs nimwave 2"), "{version}");
    let arguments = disagreement(&[said("1", "a"), said("1", "b")]).unwrap();
    assert!(arguments.contains("rank 1") && arguments.contains("same command"), "{arguments}");
}
