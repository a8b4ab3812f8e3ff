//! The table of solved parts that all threads share.
//!
//! Reading takes no lock and writes nothing, so that threads do not take each other's cache lines: a search looks up about a
//! hundred parts for each one it stores. The table has shards; a shard is an open-addressing table in which the entries are kept
//! in the order of their hashes (a search ends at the first larger hash, growing is one pass), and a version that is odd while
//! somebody writes. A reader that finds the version odd, or changed when it is done, reads again. Writers of a shard take turns
//! by a lock.
//!
//! The memory for all that the table may ever hold is reserved at the start and taken from the system page by page as shards
//! grow in place, so no reader ever looks at freed memory. An entry takes 11 bytes with 64-bit words and 19 bytes with 128-bit
//! words, and full shards grow in steps small enough that a part never takes more than 24 bytes, free slots included.

use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering, fence};
use std::sync::{Mutex, MutexGuard, PoisonError};

use memmap2::{MmapOptions, MmapRaw};

use super::info::Info;
use super::mask::Mask;
use crate::error::{Error, Result};

/// Shards, as a power of two; far more than threads, so that two rarely meet.
const SHARD_BITS: u32 = 6;
/// Slots behind the last home slot, for entries that are pushed beyond it.
const SPARE: usize = 64;
/// A new shard's home slots.
const FIRST: usize = 64;
/// Bytes of a packed [`Info`].
pub(crate) const INFO_BYTES: usize = 3;
/// Attempts to read while others write, before a reader waits for its turn.
const ATTEMPTS: u32 = 100;
/// The pages in which memory is taken.
const PAGE: usize = 4096;

/// A concurrent map from canonical parts to what is known of them.
pub(crate) struct Parts<M> {
    shards: Vec<Shard>,
    /// The slots that each shard has reserved.
    most_slots: usize,
    /// The words of all slots, shard after shard; `M::LIMBS` for each slot, all zero in a free one.
    words: Zeros,
    /// What is known of the part in each slot.
    infos: Zeros,
    evicted: AtomicU64,
    word: std::marker::PhantomData<M>,
}

/// On cache lines of its own.
#[repr(align(128))]
struct Shard {
    /// Odd while somebody writes.
    version: AtomicU64,
    /// Home slots; `SPARE` more are in use.
    homes: AtomicUsize,
    /// The number of entries. Its lock is the right to write.
    len: Mutex<usize>,
}

/// Memory that is zero until it is written, and not taken from the system before.
struct Zeros(MmapRaw);

impl Zeros {
    fn new(bytes: usize) -> Result<Self> {
        let map = MmapOptions::new().len(bytes.max(8)).no_reserve_swap().map_anon();
        let map = map.map_err(|e| {
            Error::Budget(format!(
                "cannot reserve {bytes} bytes for the table of parts: {e}; give less --memory"
            ))
        })?;
        Ok(Self(map.into()))
    }

    #[inline]
    fn words(&self) -> &[AtomicU64] {
        // SAFETY: the map lives as long as `self`, its start is aligned to a page, every bit pattern is an `AtomicU64`, and
        // it is never used but through shared references to atomics.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr().cast(), self.0.len() / size_of::<u64>()) }
    }

    #[inline]
    fn bytes(&self) -> &[AtomicU8] {
        // SAFETY: as above, and any address is aligned for bytes.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr().cast(), self.0.len()) }
    }
}

/// Says that the shard is being written, until it is dropped.
struct Writing<'a>(&'a AtomicU64);

impl<'a> Writing<'a> {
    fn new(version: &'a AtomicU64) -> Self {
        // Only the holder of the lock writes the version.
        version.store(version.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        // What is written next is not seen before the odd version.
        fence(Ordering::Release);
        Self(version)
    }
}

impl Drop for Writing<'_> {
    fn drop(&mut self) {
        self.0.store(self.0.load(Ordering::Relaxed) + 1, Ordering::Release);
    }
}

/// A part's hash, its shard, and its order within the shard.
#[derive(Clone, Copy)]
struct Place {
    shard: usize,
    order: u64,
}

impl Place {
    #[inline]
    fn of<M: Mask>(part: M) -> Self {
        let hash = part.hashed();
        Self { shard: (hash >> (u64::BITS - SHARD_BITS)) as usize, order: hash << SHARD_BITS }
    }

    /// The slot where a search begins.
    #[inline]
    fn home(self, homes: usize) -> usize {
        ((u128::from(self.order) * homes as u128) >> 64) as usize
    }
}

impl<M: Mask> Parts<M> {
    const WORD_BYTES: usize = M::LIMBS * size_of::<u64>();

    /// An empty table that never takes more than about `memory` bytes. When it is full, the smallest parts, which are the
    /// cheapest to solve again, make room.
    pub(crate) fn new(memory: u64) -> Result<Self> {
        let shards = 1usize << SHARD_BITS;
        let entry = (Self::WORD_BYTES + INFO_BYTES) as u64;
        let most_slots = (memory / (shards as u64 * entry)).max(2 * (FIRST + SPARE) as u64);
        // A hash chooses among 2^32 slots well, and more than that is never needed.
        let most_slots = most_slots.min(1 << 32) as usize;
        let shard =
            || Shard { version: AtomicU64::new(0), homes: AtomicUsize::new(FIRST), len: Mutex::new(0) };
        Ok(Self {
            shards: (0..shards).map(|_| shard()).collect(),
            most_slots,
            words: Zeros::new(shards * most_slots * Self::WORD_BYTES)?,
            infos: Zeros::new(shards * most_slots * INFO_BYTES)?,
            evicted: AtomicU64::new(0),
            word: std::marker::PhantomData,
        })
    }

    /// The part in a slot, counted over all shards; zero if the slot is free.
    #[inline]
    fn part(&self, slot: usize) -> M {
        let words = &self.words.words()[slot * M::LIMBS..][..M::LIMBS];
        M::from_limbs(|limb| words[limb].load(Ordering::Relaxed))
    }

    #[inline]
    fn info(&self, slot: usize) -> u32 {
        let bytes = &self.infos.bytes()[slot * INFO_BYTES..][..INFO_BYTES];
        bytes.iter().rev().fold(0, |info, byte| info << 8 | u32::from(byte.load(Ordering::Relaxed)))
    }

    fn put(&self, slot: usize, part: M, info: u32) {
        for limb in 0..M::LIMBS {
            self.words.words()[slot * M::LIMBS + limb].store(part.limb(limb), Ordering::Relaxed);
        }
        self.put_info(slot, info);
    }

    fn put_info(&self, slot: usize, info: u32) {
        for (byte, value) in
            self.infos.bytes()[slot * INFO_BYTES..][..INFO_BYTES].iter().zip(info.to_le_bytes())
        {
            byte.store(value, Ordering::Relaxed);
        }
    }

    /// The slots that a shard uses.
    fn slots(&self, shard: usize) -> std::ops::Range<usize> {
        let first = shard * self.most_slots;
        first..first + self.shards[shard].homes.load(Ordering::Relaxed) + SPARE
    }

    /// The slot of `part`, or the slot where it belongs.
    #[inline]
    fn find(&self, part: M, place: Place) -> std::result::Result<usize, usize> {
        let slots = self.slots(place.shard);
        let mut slot = slots.start + place.home(slots.len() - SPARE);
        while slot < slots.end {
            let found = self.part(slot);
            if found == part {
                return Ok(slot);
            }
            if found == M::ZERO || found.hashed() << SHARD_BITS > place.order {
                break;
            }
            slot += 1;
        }
        Err(slot)
    }

    /// What is known of `part`.
    #[inline]
    pub(crate) fn get(&self, part: M) -> Info {
        let place = Place::of(part);
        let shard = &self.shards[place.shard];
        let read = || self.find(part, place).map_or(Info::NOTHING, |slot| Info::unpacked(self.info(slot)));
        for _ in 0..ATTEMPTS {
            let version = shard.version.load(Ordering::Acquire);
            if version % 2 == 0 {
                let info = read();
                // What was read is not newer than the version that is read now.
                fence(Ordering::Acquire);
                if shard.version.load(Ordering::Relaxed) == version {
                    return info;
                }
            }
            std::hint::spin_loop();
        }
        let _turn = shard.lock();
        read()
    }

    /// Adds to what is known of `part`.
    pub(crate) fn learn(&self, part: M, info: Info) {
        if info.packed() == 0 {
            return;
        }
        let place = Place::of(part);
        let shard = &self.shards[place.shard];
        let mut len = shard.lock();
        loop {
            match self.find(part, place) {
                Ok(slot) => {
                    let _writing = Writing::new(&shard.version);
                    return self.put_info(slot, Info::unpacked(self.info(slot)).and(info).packed());
                }
                Err(slot) => {
                    let full = *len >= Self::most_entries(shard.homes.load(Ordering::Relaxed));
                    if !full && self.insert(place.shard, slot, part, info.packed()) {
                        *len += 1;
                        return;
                    }
                    self.make_room(place.shard, &mut len);
                }
            }
        }
    }

    /// The entries with which a shard counts as full. Wide words are packed more tightly, to stay below 24 bytes a part.
    fn most_entries(homes: usize) -> usize {
        if M::LIMBS == 1 { homes / 4 * 3 } else { homes / 16 * 15 }
    }

    /// Puts an entry into the slot that `find` named and moves those behind it on by one. `false` if there is no free slot
    /// behind.
    fn insert(&self, shard: usize, slot: usize, part: M, info: u32) -> bool {
        let Some(free) = (slot..self.slots(shard).end).find(|&slot| self.part(slot) == M::ZERO) else {
            return false;
        };
        let _writing = Writing::new(&self.shards[shard].version);
        for slot in (slot..free).rev() {
            self.put(slot + 1, self.part(slot), self.info(slot));
        }
        self.put(slot, part, info);
        true
    }

    fn make_room(&self, shard: usize, len: &mut usize) {
        let homes = self.shards[shard].homes.load(Ordering::Relaxed);
        let larger = if M::LIMBS == 1 { homes * 7 / 5 } else { homes * 15 / 14 } + FIRST / 2;
        let larger = larger.min(self.most_slots - SPARE);
        let entries = self.entries(shard);
        let placed = if larger >= homes + homes / 32 {
            self.rebuild(shard, larger, &entries)
        } else {
            self.rebuild(shard, homes, &larger_half(entries))
        };
        self.evicted.fetch_add((*len - placed) as u64, Ordering::Relaxed);
        *len = placed;
    }

    /// The entries of a shard whose lock is held, in the order of their hashes.
    fn entries(&self, shard: usize) -> Vec<(M, u32)> {
        let all = self.slots(shard).map(|slot| (self.part(slot), self.info(slot)));
        all.filter(|&(part, _)| part != M::ZERO).collect()
    }

    /// Lays out a shard anew with these entries, which are in order, and returns how many found a place: all of them, but for the
    /// last few if a great many hashes are among the very largest.
    fn rebuild(&self, shard: usize, homes: usize, entries: &[(M, u32)]) -> usize {
        let _writing = Writing::new(&self.shards[shard].version);
        for slot in self.slots(shard) {
            self.put(slot, M::ZERO, 0);
        }
        self.shards[shard].homes.store(homes, Ordering::Relaxed);
        let (first, mut free) = (shard * self.most_slots, 0);
        for (placed, &(part, info)) in entries.iter().enumerate() {
            let slot = Place::of(part).home(homes).max(free);
            if slot >= homes + SPARE {
                return placed;
            }
            self.put(first + slot, part, info);
            free = slot + 1;
        }
        entries.len()
    }

    fn sum(&self, f: impl Fn(usize, usize) -> usize) -> u64 {
        (0..self.shards.len()).map(|shard| f(shard, *self.shards[shard].lock()) as u64).sum()
    }

    /// The number of parts stored.
    pub(crate) fn len(&self) -> u64 {
        self.sum(|_, len| len)
    }

    /// The number of parts stored with their exact value.
    pub(crate) fn solved(&self) -> u64 {
        let mut solved = 0;
        self.for_each(|_, info| solved += u64::from(info.value().is_some()));
        solved
    }

    /// The bytes that the table takes, in whole pages.
    pub(crate) fn bytes(&self) -> u64 {
        self.sum(|shard, _| {
            let slots = self.slots(shard).len();
            (slots * Self::WORD_BYTES).next_multiple_of(PAGE) + (slots * INFO_BYTES).next_multiple_of(PAGE)
        })
    }

    /// How many parts had to make room for others.
    pub(crate) fn evicted(&self) -> u64 {
        self.evicted.load(Ordering::Relaxed)
    }

    /// Calls `visit` with every part stored, in an order that depends on the parts alone.
    pub(crate) fn for_each(&self, mut visit: impl FnMut(M, Info)) {
        for (at, shard) in self.shards.iter().enumerate() {
            let _turn = shard.lock();
            for slot in self.slots(at) {
                let part = self.part(slot);
                if part != M::ZERO {
                    visit(part, Info::unpacked(self.info(slot)));
                }
            }
        }
    }
}

impl Shard {
    /// Waits for the turn to write.
    fn lock(&self) -> MutexGuard<'_, usize> {
        self.len.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The entries without the smaller half of the parts, and all of the size where the halves meet.
fn larger_half<M: Mask>(mut entries: Vec<(M, u32)>) -> Vec<(M, u32)> {
    let mut sizes: Vec<u32> = entries.iter().map(|(part, _)| part.count()).collect();
    let half = sizes.len() / 2;
    if half > 0 {
        let median = *sizes.select_nth_unstable(half).1;
        entries.retain(|(part, _)| part.count() > median);
    }
    entries
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn behaves_like_a_map<M: Mask>(next: impl Fn(u64) -> M) {
        let table = Parts::new(1 << 30).unwrap();
        let mut map = HashMap::new();
        for i in 0..200_000u64 {
            let part = next(i % 140_000);
            let info =
                if i % 3 == 0 { Info::Exact((i % 140_000 % 100) as u8) } else { Info::Not(1 << (i % 15)) };
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
        let bytes_per_part = table.bytes() as f64 / table.len() as f64;
        assert!(bytes_per_part <= 24.0, "{bytes_per_part} bytes");
    }

    #[test]
    fn it_behaves_like_a_map() {
        behaves_like_a_map::<u64>(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        behaves_like_a_map::<u128>(|i| u128::from(i) << 40 | 1);
    }

    #[test]
    fn a_part_never_takes_more_than_24_bytes_once_there_are_many() {
        fn grows<M: Mask>(next: impl Fn(u64) -> M) {
            let table = Parts::new(1 << 30).unwrap();
            for i in 0..600_000 {
                table.learn(next(i), Info::Exact(3));
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
        let table = Parts::<u64>::new(1).unwrap();
        for i in 1..200_000u64 {
            table.learn(i, Info::Exact(1));
        }
        assert!(table.evicted() > 0);
        assert_eq!(table.evicted() + table.len(), 199_999);
        assert!(table.bytes() <= (2 * PAGE) as u64 * 64);
    }

    #[test]
    fn readers_never_see_half_an_entry() {
        // Every part has one value only, so whatever a reader sees is right or nothing, while the table grows and drops parts.
        fn run<M: Mask>(memory: u64, next: impl Fn(u64) -> M + Sync) {
            let table = Parts::new(memory).unwrap();
            let value = |i: u64| (i.wrapping_mul(0x9e37_79b9) >> 7 & 0x7f) as u8;
            let done = std::sync::atomic::AtomicBool::new(false);
            std::thread::scope(|scope| {
                for first in 0..2 {
                    let (table, next, done) = (&table, &next, &done);
                    scope.spawn(move || {
                        for i in (first..200_000).step_by(2) {
                            table.learn(next(i), Info::Exact(value(i)));
                        }
                        done.store(true, Ordering::Relaxed);
                    });
                }
                scope.spawn(|| {
                    let mut i = 0;
                    while !done.load(Ordering::Relaxed) {
                        i = (i + 7919) % 200_000;
                        if let Some(found) = table.get(next(i)).value() {
                            assert_eq!(found, value(i));
                        }
                    }
                });
            });
        }
        for memory in [1 << 28, 1 << 20] {
            run::<u64>(memory, |i| i << 3 | 1);
            run::<u128>(memory, |i| u128::from(i) << 60 | u128::from(i) << 3 | 1);
        }
    }
}
