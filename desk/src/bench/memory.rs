//! The machine's limit: how fast memory can be written.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Instant;

use rayon::prelude::*;

/// Bytes a second that `threads` threads write into 512 MiB of memory; measured once for each number of
/// threads, the best of five passes.
pub fn memset_bytes_per_second(threads: usize) -> f64 {
    static KNOWN: Mutex<Option<HashMap<usize, f64>>> = Mutex::new(None);
    let mut known = KNOWN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let known = known.get_or_insert_default();
    *known.entry(threads).or_insert_with(|| super::with_threads(threads, measure))
}

fn measure() -> f64 {
    const BYTES: usize = 512 << 20;
    let mut buffer = vec![1u8; BYTES];
    let piece = BYTES.div_ceil(rayon::current_num_threads());
    let mut best = f64::INFINITY;
    for pass in 0..5 {
        let started = Instant::now();
        buffer.par_chunks_mut(piece).for_each(|chunk| chunk.fill(pass));
        std::hint::black_box(&mut buffer);
        best = best.min(started.elapsed().as_secs_f64());
    }
    BYTES as f64 / best
}
