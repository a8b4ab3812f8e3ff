//! One of the maps that make up the table of parts.
//!
//! Reading takes no lock and writes nothing, so that threads do not take each other's cache lines. The map
//! has shards; a shard is an open-addressing table in which the entries are kept in the order of their hashes
//! (a search ends at the first larger hash, growing is one pass), and a version that is odd while somebody
//! writes. A reader that finds the version odd, or changed when it is done, reads again. Writers of a shard
//! take turns by a lock.
//!
//! The memory for all that the map may ever hold is reserved at the start and taken from the system page by
//! page as shards grow in place, so no reader ever looks at freed memory. An entry takes 11 bytes with 64-bit
//! words and 19 bytes with 128-bit words, and full shards grow in steps small enough that a part never takes
//! more than 24 bytes, free slots included.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering, fence};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crossbeam_utils::{Backoff, CachePadded};

use super::super::info::Info;
use super::super::mask::Mask;
use super::INFO_BYTES;
use super::memory::{Budget, Zeros};
use crate::base::Result;
use crate::base::simd::shared::prefetch;

/// Slots behind the last home slot, for entries that are pushed beyond it.
const SPARE: usize = 64;
/// A new shard's home slots.
const FIRST: usize = 64;
/// The pages in which memory is taken.
pub(super) const PAGE: usize = 4096;

/// A concurrent map from canonical parts to what is known of them.
pub(super) struct Map<M> {
    shards: Vec<CachePadded<Shard>>,
    /// The number of shards as a power of two.
    shard_bits: u32,
    /// The slots that each shard has reserved.
    most_slots: usize,
    /// The scrambled parts in all slots, shard after shard; `M::LIMBS` for each slot, all zero in a free one.
    words: Zeros,
    /// What is known of the part in each slot.
    infos: Zeros,
    evicted: AtomicU64,
    word: std::marker::PhantomData<M>,
}

struct Shard {
    /// Odd while somebody writes.
    version: AtomicU64,
    /// Home slots; `SPARE` more are in use.
    homes: AtomicUsize,
    /// The number of entries. Its lock is the right to write.
    len: Mutex<usize>,
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

/// Where a scrambled part belongs: the shard, and its order within the shard.
#[derive(Clone, Copy)]
struct Place {
    shard: usize,
    order: u64,
}

impl Place {
    #[inline]
    fn of<M: Mask>(key: M, shard_bits: u32) -> Self {
        let hash = (key >> (M::BITS - u64::BITS)).low();
        Self { shard: (hash >> (u64::BITS - shard_bits)) as usize, order: hash << shard_bits }
    }

    /// The slot where a search begins.
    #[inline]
    fn home(self, homes: usize) -> usize {
        ((u128::from(self.order) * homes as u128) >> 64) as usize
    }
}

impl<M: Mask> Map<M> {
    const WORD_BYTES: usize = M::LIMBS * size_of::<u64>();
    const ENTRY_BYTES: usize = Self::WORD_BYTES + INFO_BYTES;

    /// An empty map of 2^`shard_bits` shards that never takes more than about `memory` bytes.
    pub(super) fn new(shard_bits: u32, memory: u64) -> Result<Self> {
        let shards = 1usize << shard_bits;
        let most_slots = (memory / (shards * Self::ENTRY_BYTES) as u64).max(2 * (FIRST + SPARE) as u64);
        // A hash chooses among 2^32 slots well, and more than that is never needed.
        let most_slots = most_slots.min(1 << 32) as usize;
        let shard =
            || Shard { version: AtomicU64::new(0), homes: AtomicUsize::new(FIRST), len: Mutex::new(0) };
        Ok(Self {
            shards: (0..shards).map(|_| CachePadded::new(shard())).collect(),
            shard_bits,
            most_slots,
            words: Zeros::new(shards * most_slots * Self::WORD_BYTES)?,
            infos: Zeros::new(shards * most_slots * INFO_BYTES)?,
            evicted: AtomicU64::new(0),
            word: std::marker::PhantomData,
        })
    }

    /// The scrambled part in a slot, counted over all shards; zero if the slot is free.
    #[inline]
    fn key(&self, slot: usize) -> M {
        let words = &self.words.words()[slot * M::LIMBS..][..M::LIMBS];
        M::from_limbs(|limb| words[limb].load(Ordering::Relaxed))
    }

    #[inline]
    fn info(&self, slot: usize) -> u32 {
        let bytes = &self.infos.bytes()[slot * INFO_BYTES..][..INFO_BYTES];
        bytes.iter().rev().fold(0, |info, byte| info << 8 | u32::from(byte.load(Ordering::Relaxed)))
    }

    fn put(&self, slot: usize, key: M, info: u32) {
        for limb in 0..M::LIMBS {
            self.words.words()[slot * M::LIMBS + limb].store(key.limb(limb), Ordering::Relaxed);
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

    /// The slot of a scrambled part, or the slot where it belongs.
    #[inline]
    fn find(&self, key: M, place: Place) -> std::result::Result<usize, usize> {
        let slots = self.slots(place.shard);
        let mut slot = slots.start + place.home(slots.len() - SPARE);
        while slot < slots.end {
            let found = self.key(slot);
            if found == key {
                return Ok(slot);
            }
            if found == M::ZERO || found > key {
                break;
            }
            slot += 1;
        }
        Err(slot)
    }

    /// Has the processor fetch the slot where a search for `part` begins.
    #[inline]
    pub(super) fn prefetch(&self, part: M) {
        let place = Place::of(part.scrambled(), self.shard_bits);
        let slots = self.slots(place.shard);
        let slot = slots.start + place.home(slots.len() - SPARE);
        self.words.words().get(slot * M::LIMBS).into_iter().for_each(prefetch);
        self.infos.bytes().get(slot * INFO_BYTES).into_iter().for_each(prefetch);
    }

    /// What is known of `part`.
    #[inline]
    pub(super) fn get(&self, part: M) -> Info {
        let key = part.scrambled();
        let place = Place::of(key, self.shard_bits);
        let shard = &self.shards[place.shard];
        let read = || self.find(key, place).map_or(Info::NOTHING, |slot| Info::unpacked(self.info(slot)));
        let backoff = Backoff::new();
        while !backoff.is_completed() {
            let version = shard.version.load(Ordering::Acquire);
            if version % 2 == 0 {
                let info = read();
                // What was read is not newer than the version that is read now.
                fence(Ordering::Acquire);
                if shard.version.load(Ordering::Relaxed) == version {
                    return info;
                }
            }
            backoff.snooze();
        }
        // It is being written again and again: wait for a turn.
        let _turn = shard.lock();
        read()
    }

    /// Adds to what is known of `part`. If the budget is spent, the smallest parts, which are the cheapest to
    /// solve again, make room.
    pub(super) fn learn(&self, part: M, info: Info, budget: Budget<'_>) {
        if info.packed() == 0 {
            return;
        }
        let key = part.scrambled();
        let place = Place::of(key, self.shard_bits);
        let shard = &self.shards[place.shard];
        let mut len = shard.lock();
        loop {
            match self.find(key, place) {
                Ok(slot) => {
                    let _writing = Writing::new(&shard.version);
                    return self.put_info(slot, Info::unpacked(self.info(slot)).and(info).packed());
                }
                Err(slot) => {
                    let full = *len >= Self::most_entries(shard.homes.load(Ordering::Relaxed));
                    if !full && self.insert(place.shard, slot, key, info.packed()) {
                        *len += 1;
                        return;
                    }
                    self.make_room(place.shard, &mut len, budget);
                }
            }
        }
    }

    /// The entries with which a shard counts as full. Wide words are packed more tightly, to stay below 24
    /// bytes per part.
    fn most_entries(homes: usize) -> usize {
        if M::LIMBS == 1 { homes / 4 * 3 } else { homes / 16 * 15 }
    }

    /// Puts an entry into the slot that `find` named and moves those behind it on by one. `false` if there is
    /// no free slot behind.
    fn insert(&self, shard: usize, slot: usize, key: M, info: u32) -> bool {
        let Some(free) = (slot..self.slots(shard).end).find(|&slot| self.key(slot) == M::ZERO) else {
            return false;
        };
        let _writing = Writing::new(&self.shards[shard].version);
        for slot in (slot..free).rev() {
            self.put(slot + 1, self.key(slot), self.info(slot));
        }
        self.put(slot, key, info);
        true
    }

    /// Forgets `part`.
    pub(super) fn remove(&self, part: M) {
        let key = part.scrambled();
        let place = Place::of(key, self.shard_bits);
        let shard = &self.shards[place.shard];
        let mut len = shard.lock();
        let Ok(mut slot) = self.find(key, place) else { return };
        let slots = self.slots(place.shard);
        let homes = slots.len() - SPARE;
        let _writing = Writing::new(&shard.version);
        // Those behind it move back by one, as far as they are not in their home slots.
        while slot + 1 < slots.end {
            let next = self.key(slot + 1);
            if next == M::ZERO || slots.start + Place::of(next, self.shard_bits).home(homes) == slot + 1 {
                break;
            }
            self.put(slot, next, self.info(slot + 1));
            slot += 1;
        }
        self.put(slot, M::ZERO, 0);
        *len -= 1;
    }

    fn make_room(&self, shard: usize, len: &mut usize, budget: Budget<'_>) {
        let homes = self.shards[shard].homes.load(Ordering::Relaxed);
        let larger = if M::LIMBS == 1 { homes * 7 / 5 } else { homes * 21 / 20 } + FIRST / 2;
        let larger = larger.min(self.most_slots - SPARE);
        let entries = self.entries(shard);
        let more = larger.saturating_sub(homes);
        let placed = if more >= homes / 32 && budget.take(more * Self::ENTRY_BYTES) {
            self.rebuild(shard, larger, &entries)
        } else {
            self.rebuild(shard, homes, &larger_half(entries))
        };
        self.evicted.fetch_add((*len - placed) as u64, Ordering::Relaxed);
        *len = placed;
    }

    /// The entries of a shard whose lock is held, in the order of their hashes.
    fn entries(&self, shard: usize) -> Vec<(M, u32)> {
        let all = self.slots(shard).map(|slot| (self.key(slot), self.info(slot)));
        all.filter(|&(key, _)| key != M::ZERO).collect()
    }

    /// Lays out a shard anew with these entries, which are in order, and returns how many found a place: all
    /// of them, but for the last few if a great many hashes are among the very largest.
    fn rebuild(&self, shard: usize, homes: usize, entries: &[(M, u32)]) -> usize {
        let _writing = Writing::new(&self.shards[shard].version);
        for slot in self.slots(shard) {
            self.put(slot, M::ZERO, 0);
        }
        self.shards[shard].homes.store(homes, Ordering::Relaxed);
        let (first, mut free) = (shard * self.most_slots, 0);
        for (placed, &(key, info)) in entries.iter().enumerate() {
            let slot = Place::of(key, self.shard_bits).home(homes).max(free);
            if slot >= homes + SPARE {
                return placed;
            }
            self.put(first + slot, key, info);
            free = slot + 1;
        }
        entries.len()
    }

    fn sum(&self, f: impl Fn(usize, usize) -> usize) -> u64 {
        (0..self.shards.len()).map(|shard| f(shard, *self.shards[shard].lock()) as u64).sum()
    }

    /// The number of parts stored.
    pub(super) fn len(&self) -> u64 {
        self.sum(|_, len| len)
    }

    /// The bytes that it takes, in whole pages.
    pub(super) fn bytes(&self) -> u64 {
        self.sum(|shard, len| {
            if len == 0 {
                return 0;
            }
            let slots = self.slots(shard).len();
            (slots * Self::WORD_BYTES).next_multiple_of(PAGE) + (slots * INFO_BYTES).next_multiple_of(PAGE)
        })
    }

    /// How many parts had to make room for others.
    pub(super) fn evicted(&self) -> u64 {
        self.evicted.load(Ordering::Relaxed)
    }

    /// Calls `visit` with every part stored, in an order that depends on the parts alone.
    pub(super) fn for_each(&self, mut visit: impl FnMut(M, Info)) {
        for (at, shard) in self.shards.iter().enumerate() {
            let _turn = shard.lock();
            for slot in self.slots(at) {
                let key = self.key(slot);
                if key != M::ZERO {
                    visit(key.unscrambled(), Info::unpacked(self.info(slot)));
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
    let mut sizes: Vec<u32> = entries.iter().map(|(key, _)| key.unscrambled().count()).collect();
    let half = sizes.len() / 2;
    if half > 0 {
        let median = *sizes.select_nth_unstable(half).1;
        entries.retain(|(key, _)| key.unscrambled().count() > median);
    }
    entries
}
