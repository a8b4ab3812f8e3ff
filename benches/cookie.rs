//! Criterion benches of cookie cutter: the dense kernels and the search by parts, one thread each.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use nimwave::base::Control;
use nimwave::rules::{Board, Cutter};
use nimwave::search::cookie::{Depth, Solver};
use nimwave::sweep::{CookieJob, Job, KernelChoice};
use nimwave::table::Table;

/// One sweep without checksums.
fn sweep(job: &CookieJob) {
    let mut table = Table::in_memory(job.spec().expect("a small grid"), job.width()).expect("a small table");
    job.fill(&mut table, &Control::silent()).expect("nothing stops it");
}

fn dense(criterion: &mut Criterion) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread");
    let mut group = criterion.benchmark_group("all subsets of 4x5, cutter 3");
    group.sample_size(10).throughput(Throughput::Elements(1 << 20));
    for kernel in [KernelChoice::Fastest, KernelChoice::Portable, KernelChoice::Generic] {
        let cutter = Cutter::square(3).expect("a cutter");
        let job = CookieJob { rows: 4, cols: 5, cutter, kernel };
        group.bench_function(format!("{kernel:?}"), |bencher| bencher.iter(|| pool.install(|| sweep(&job))));
    }
}

fn search(criterion: &mut Criterion) {
    for (rows, cols, text) in [(5, 5, "2"), (6, 6, "inf"), (2, 16, "2"), (5, 5, "3")] {
        let cutter: Cutter = text.parse().expect("a cutter");
        let board = Board::full(rows, cols).expect("a board");
        let mut group = criterion.benchmark_group(format!("{rows}x{cols}, cutter {text}"));
        group.sample_size(10);
        for depth in [Depth::Needed, Depth::Everything] {
            group.bench_function(format!("{depth:?}"), |bencher| {
                bencher.iter(|| {
                    let mut solver = Solver::new(rows, cols, cutter, 1 << 30).expect("a solver");
                    solver.depth = depth;
                    solver.value(&board, 1, &Control::silent()).expect("a value")
                });
            });
        }
    }
}

criterion_group!(benches, dense, search);
criterion_main!(benches);
