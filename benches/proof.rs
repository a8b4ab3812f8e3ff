//! Speed of answers from a proved quotient: heaps per second, for heaps of any size.

#![allow(missing_docs)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use nimwave::proof::strategy::{MinniePlayer, embedded_minnie};
use nimwave::rules::Play;
use std::hint::black_box;

/// Heaps of mixed magnitude from a fixed generator: a third small, the rest up to 2^60.
fn heaps(count: usize) -> Vec<u64> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    (0..count)
        .map(|_| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let random = state >> 4;
            1 + if random.is_multiple_of(3) { random % 20 } else { random }
        })
        .collect()
}

fn answers(c: &mut Criterion) {
    let mut group = c.benchmark_group("certificate");
    let heaps = heaps(1 << 20);
    group.throughput(Throughput::Elements(heaps.len() as u64));
    for play in [Play::Normal, Play::Misere] {
        let quotient = embedded_minnie(play).quotient;
        group.bench_function(format!("class of 2^20 heaps, {play:?}"), |b| {
            b.iter(|| quotient.class_of(black_box(&heaps)));
        });
    }
    group.finish();
    let player = MinniePlayer::embedded(Play::Normal);
    let thousand = &heaps[..1000];
    c.bench_function("winning moves of 1000 heaps", |b| b.iter(|| player.winning_moves(black_box(thousand))));
}

criterion_group!(benches, answers);
criterion_main!(benches);
