//! Criterion benches of the minnie kernels: positions a second of each kernel on one thread.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use nimwave::base::Control;
use nimwave::rules::Play;
use nimwave::sweep::{HeapJob, Job, KernelChoice, run};
use nimwave::table::{Quantity, Table};
use nimwave::waves::KeySum;

/// One sweep without checksums.
fn sweep(job: &HeapJob) {
    let space = job.space().expect("a small space");
    let waves = KeySum::new(&space);
    let mut table = Table::in_memory(job.spec().expect("a small space"), job.width()).expect("a small table");
    run(&mut table, &waves, &*job.kernel(&space, &waves), &Control::silent()).expect("nothing stops it");
}

fn kernels(criterion: &mut Criterion) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread");
    let cases = [
        ("outcomes, 4 heaps to 60", 4, 60, Quantity::Outcomes),
        ("values, 2 heaps to 400", 2, 400, Quantity::Values),
        ("values, 3 heaps to 60", 3, 60, Quantity::Values),
        ("values, 4 heaps to 30", 4, 30, Quantity::Values),
    ];
    for (name, heaps, max, quantity) in cases {
        let mut group = criterion.benchmark_group(name);
        group.sample_size(10);
        for kernel in [KernelChoice::Fastest, KernelChoice::Portable, KernelChoice::Generic] {
            let job = HeapJob { kernel, ..HeapJob::minnie(heaps, max, Play::Normal, quantity) };
            let space = job.space().expect("a small space");
            group.throughput(Throughput::Elements(nimwave::space::Space::len(&space)));
            group.bench_function(format!("{kernel:?}"), |bencher| {
                bencher.iter(|| pool.install(|| sweep(&job)));
            });
        }
    }
}

criterion_group!(benches, kernels);
criterion_main!(benches);
