//! Tests of the table of parts.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::map::PAGE;
use super::*;

fn behaves_like_a_map<M: Mask>(next: impl Fn(u64) -> M) {
    let table = Parts::new(Memory::new(1 << 30)).unwrap();
    let mut map = HashMap::new();
    for i in 0..300_000u64 {
        let part = next(i % 200_000);
        let info = if i % 3 == 0 { Info::Exact((i % 200_000 % 100) as u8) } else { Info::Not(1 << (i % 15)) };
        table.learn(part, info);
        let (_, known) = map.entry(part.widened()).or_insert((part, Info::NOTHING));
        *known = known.and(info);
    }
    assert_eq!(table.len(), map.len() as u64);
    assert_eq!(table.solved(), map.values().filter(|(_, info)| info.value().is_some()).count() as u64);
    for &(part, info) in map.values() {
        assert_eq!(table.get(part), info);
    }
    assert_eq!(table.get(next(1 << 40)), Info::NOTHING);
    let mut seen = 0;
    table.for_each(|part, info| {
        seen += 1;
        assert_eq!(map[&part.widened()], (part, info));
    });
    assert_eq!(seen, map.len());
}

#[test]
fn it_behaves_like_a_map() {
    behaves_like_a_map::<u64>(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    behaves_like_a_map::<u128>(|i| u128::from(i) << 40 | 1);
}

#[test]
fn a_part_never_takes_more_than_24_bytes_once_there_are_many() {
    fn grows<M: Mask>(next: impl Fn(u64) -> M) {
        let table = Parts::new(Memory::new(1 << 30)).unwrap();
        for i in 0..600_000 {
            // As in searches, some parts are solved, most of them when bounds are known already.
            table.learn(next(i), if i % 40 == 0 { Info::Exact(3) } else { Info::Not(1) });
            if i % 8 == 0 {
                table.learn(next(i / 2), Info::Exact(3));
            }
            if i >= 200_000 && i % 5000 == 0 {
                let bytes_per_part = table.bytes() as f64 / table.len() as f64;
                assert!(bytes_per_part <= 24.0, "{bytes_per_part} bytes after {i} parts");
            }
        }
    }
    grows::<u64>(|i| i << 7 | 1);
    grows::<u128>(|i| u128::from(i) << 70 | 1);
}

#[test]
fn a_full_table_drops_small_parts_and_says_so() {
    let table = Parts::<u64>::new(Memory::new(1)).unwrap();
    for i in 1..200_000u64 {
        table.learn(i, Info::Exact(1));
    }
    assert!(table.evicted() > 0);
    assert_eq!(table.evicted() + table.len(), 199_999);
    assert!(table.bytes() <= (2 * PAGE) as u64 * 8);
}

#[test]
fn readers_never_see_half_an_entry() {
    // Every part has one value only, so whatever a reader sees is right or nothing, while the table grows and
    // drops parts.
    fn run<M: Mask>(memory: u64, next: impl Fn(u64) -> M + Sync) {
        let table = Parts::new(Memory::new(memory)).unwrap();
        let value = |i: u64| (i.wrapping_mul(0x9e37_79b9) >> 7 & 0x7f) as u8;
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for first in 0..2 {
                let (table, next, done) = (&table, &next, &done);
                scope.spawn(move || {
                    for i in (first..200_000).step_by(2) {
                        // Into the map of bounds, and from there to that of values.
                        table.learn(next(i), Info::Not(!(1 << value(i))));
                        if i % 3 > 0 {
                            table.learn(next(i), Info::Exact(value(i)));
                        }
                    }
                    done.store(true, Ordering::Relaxed);
                });
            }
            scope.spawn(|| {
                let mut i = 0;
                while !done.load(Ordering::Relaxed) {
                    i = (i + 7919) % 200_000;
                    assert_ne!(table.get(next(i)).is(value(i)), Some(false));
                    assert!(table.value(next(i)).is_none_or(|found| found == value(i)));
                }
            });
        });
    }
    for memory in [1 << 28, 1 << 20] {
        run::<u64>(memory, |i| i << 3 | 1);
        run::<u128>(memory, |i| u128::from(i) << 60 | u128::from(i) << 3 | 1);
    }
}

#[test]
fn neither_map_starves_when_the_memory_is_spent() {
    let table = Parts::<u64>::new(Memory::new(1 << 22)).unwrap();
    for i in 1..300_000u64 {
        table.learn(i << 5 | 1, Info::Not(1));
    }
    assert!(table.evicted() > 0 && table.solved() == 0);
    let full = table.bytes();
    for i in 1..300_000u64 {
        table.learn(i << 5 | 2, Info::Exact(1));
    }
    // A megabyte is kept for solved parts, of at most 24 bytes each; but at times half of them have just been
    // dropped.
    assert!(table.solved() > (1 << 20) / 24 / 3, "{} solved", table.solved());
    // The first slots of each shard and its last pages come on top.
    let spare = ((1 << SOLVED_SHARD_BITS) + (1 << BOUNDS_SHARD_BITS)) * 3 * PAGE as u64;
    assert!(full <= (3 << 20) + spare && table.bytes() <= (4 << 20) + spare, "{full}, {}", table.bytes());
}

#[test]
fn tables_that_share_memory_take_no_more_than_there_is() {
    let common = Arc::new(Memory::new(100));
    let [first, second] = [80, 80].map(|most| Memory::out_of(&common, most));
    assert!(first.all().take(60));
    assert!(!second.all().take(60), "60 + 60 are over 100");
    assert!(second.all().take(40), "what was refused is not missing");
    assert!(!first.all().take(1));
    assert!(!Memory::out_of(&Arc::new(Memory::new(100)), 80).all().take(90));
}
