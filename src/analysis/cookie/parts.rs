//! The table of solved parts that all threads share.
//!
//! Many shards, each behind its own lock, which is held for a few nanoseconds. A shard is an open-addressing table
//! in which the entries are kept in the order of their hashes: a search ends at the first larger hash, growing is one pass
//! over two arrays, and a high load stays cheap. An entry takes 10 bytes with 64-bit words (11.4 to 16 per part
//! stored, with the free slots) and 18 bytes with 128-bit words (20.6 to 23.1 per part).

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::info::Info;
use super::mask::Mask;

/// Shards, as a power of two; far more than threads, so that two rarely meet.
const SHARD_BITS: u32 = 8;
/// Slots behind the last home slot, for entries that are pushed beyond it.
const SPARE: usize = 24;
/// A new shard's slots.
const FIRST: usize = 64;

/// A concurrent map from canonical parts to what is known of them.
pub(crate) struct Parts<M> {
    shards: Vec<Mutex<Shard<M>>>,
    /// The most slots that a shard may have.
    most_slots: usize,
    evicted: AtomicU64,
}

#[derive(Default)]
struct Shard<M> {
    words: Vec<M>,
    infos: Vec<u16>,
    /// Home slots; the arrays are longer by `SPARE`.
    homes: usize,
    len: usize,
}

/// The hash as the shards use it, without the bits that choose the shard.
#[inline]
fn order<M: Mask>(part: M) -> u64 {
    part.hashed() << SHARD_BITS
}

impl<M: Mask> Parts<M> {
    const ENTRY_BYTES: usize = size_of::<M>() + size_of::<u16>();

    /// An empty table that never takes more than about `memory` bytes. When it is full, the smallest parts, which are the
    /// cheapest to solve again, make room.
    pub(crate) fn new(memory: u64) -> Self {
        let shards = 1 << SHARD_BITS;
        let most_slots = (memory / (shards as u64 * Self::ENTRY_BYTES as u64)).max(2 * FIRST as u64);
        Self {
            shards: (0..shards).map(|_| Mutex::new(Shard::with_homes(FIRST))).collect(),
            most_slots: usize::try_from(most_slots).unwrap_or(usize::MAX),
            evicted: AtomicU64::new(0),
        }
    }

    fn shard(&self, part: M) -> MutexGuard<'_, Shard<M>> {
        let shard = (part.hashed() >> (64 - SHARD_BITS)) as usize;
        self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known of `part`.
    #[inline]
    pub(crate) fn get(&self, part: M) -> Info {
        let shard = self.shard(part);
        match shard.find(part) {
            Ok(slot) => Info::unpacked(shard.infos[slot]),
            Err(_) => Info::NOTHING,
        }
    }

    /// Adds to what is known of `part`.
    pub(crate) fn learn(&self, part: M, info: Info) {
        let packed = info.packed();
        if packed == 0 {
            return;
        }
        let mut shard = self.shard(part);
        match shard.find(part) {
            Ok(slot) => shard.infos[slot] = Info::unpacked(shard.infos[slot]).and(info).packed(),
            Err(mut slot) => {
                while shard.is_full() || !shard.insert(slot, part, packed) {
                    self.make_room(&mut shard);
                    slot = shard.find(part).unwrap_or_else(|slot| slot);
                }
            }
        }
    }

    fn make_room(&self, shard: &mut Shard<M>) {
        // Narrow words can afford a wide stride; wide words grow in small steps, to stay below 24 bytes per part.
        let homes = if size_of::<M>() == 8 { shard.homes * 7 / 5 } else { shard.homes * 9 / 8 } + 8;
        if homes + SPARE > self.most_slots {
            let dropped = shard.drop_small_parts();
            self.evicted.fetch_add(dropped as u64, Ordering::Relaxed);
        } else {
            shard.rebuild(homes, |_| true);
        }
    }

    fn sum(&self, f: impl Fn(&Shard<M>) -> usize) -> u64 {
        self.shards.iter().map(|shard| f(&shard.lock().unwrap_or_else(PoisonError::into_inner)) as u64).sum()
    }

    /// The number of parts stored.
    pub(crate) fn len(&self) -> u64 {
        self.sum(|shard| shard.len)
    }

    /// The number of parts stored with their exact value.
    pub(crate) fn solved(&self) -> u64 {
        self.sum(|shard| shard.infos.iter().filter(|&&info| Info::unpacked(info).value().is_some()).count())
    }

    /// The bytes that the table takes.
    pub(crate) fn bytes(&self) -> u64 {
        self.sum(|shard| shard.infos.len() * Self::ENTRY_BYTES)
    }

    /// How many parts had to make room for others.
    pub(crate) fn evicted(&self) -> u64 {
        self.evicted.load(Ordering::Relaxed)
    }

    /// Calls `visit` with every part stored, in an order that depends on the parts alone.
    pub(crate) fn for_each(&self, mut visit: impl FnMut(M, Info)) {
        for shard in &self.shards {
            let shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
            for (&part, &info) in shard.words.iter().zip(&shard.infos) {
                if info != 0 {
                    visit(part, Info::unpacked(info));
                }
            }
        }
    }
}

impl<M: Mask> Shard<M> {
    fn with_homes(homes: usize) -> Self {
        Self { words: vec![M::ZERO; homes + SPARE], infos: vec![0; homes + SPARE], homes, len: 0 }
    }

    #[inline]
    fn home(order: u64, homes: usize) -> usize {
        ((u128::from(order) * homes as u128) >> 64) as usize
    }

    /// At seven eighths.
    fn is_full(&self) -> bool {
        self.len >= self.homes - self.homes / 8
    }

    /// The slot of `part`, or the slot where it belongs.
    #[inline]
    fn find(&self, part: M) -> Result<usize, usize> {
        let order_of_part = order(part);
        let mut slot = Self::home(order_of_part, self.homes);
        while slot < self.infos.len() && self.infos[slot] != 0 {
            let found = self.words[slot];
            if found == part {
                return Ok(slot);
            }
            if order(found) > order_of_part {
                break;
            }
            slot += 1;
        }
        Err(slot)
    }

    /// Puts an entry into the slot that `find` named and moves those behind it on by one. `false` if there is no free slot
    /// behind.
    fn insert(&mut self, slot: usize, part: M, info: u16) -> bool {
        let Some(distance) = self.infos.get(slot..).and_then(|rest| rest.iter().position(|&info| info == 0))
        else {
            return false;
        };
        self.words.copy_within(slot..slot + distance, slot + 1);
        self.infos.copy_within(slot..slot + distance, slot + 1);
        self.words[slot] = part;
        self.infos[slot] = info;
        self.len += 1;
        true
    }

    /// Moves the entries that `keep` accepts into new arrays; one pass, because they are in order.
    fn rebuild(&mut self, homes: usize, keep: impl Fn(M) -> bool) {
        let mut homes = homes;
        'attempt: loop {
            let mut new = Self::with_homes(homes);
            let mut free = 0;
            for (&part, &info) in self.words.iter().zip(&self.infos) {
                if info == 0 || !keep(part) {
                    continue;
                }
                let slot = free.max(Self::home(order(part), homes));
                if slot >= new.infos.len() {
                    homes += SPARE;
                    continue 'attempt;
                }
                new.words[slot] = part;
                new.infos[slot] = info;
                new.len += 1;
                free = slot + 1;
            }
            *self = new;
            return;
        }
    }

    /// Drops the smaller half of the parts, and returns how many.
    fn drop_small_parts(&mut self) -> usize {
        let mut sizes = [0usize; 129];
        for (part, _) in self.words.iter().zip(&self.infos).filter(|&(_, &info)| info != 0) {
            sizes[part.count() as usize] += 1;
        }
        let mut below = 0;
        let mut limit = 0;
        while limit < sizes.len() && below < self.len.div_ceil(2) {
            below += sizes[limit];
            limit += 1;
        }
        let before = self.len;
        self.rebuild(self.homes, |part| part.count() as usize >= limit);
        before - self.len
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn behaves_like_a_map<M: Mask>(next: impl Fn(u64) -> M) {
        let table = Parts::new(1 << 30);
        let mut map = HashMap::new();
        for i in 0..100_000u64 {
            let part = next(i % 70_000);
            let info =
                if i % 3 == 0 { Info::Exact((i % 70_000 % 100) as u8) } else { Info::Not(1 << (i % 15)) };
            table.learn(part, info);
            let (_, known) = map.entry(part.widened()).or_insert((part, Info::NOTHING));
            *known = Info::unpacked(known.and(info).packed());
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
        assert!(bytes_per_part <= 24.0 + 256.0 * 24.0 * 18.0 / map.len() as f64, "{bytes_per_part} bytes");
    }

    #[test]
    fn it_behaves_like_a_map() {
        behaves_like_a_map::<u64>(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        behaves_like_a_map::<u128>(|i| u128::from(i) << 40 | 1);
    }

    #[test]
    fn a_full_table_drops_small_parts_and_says_so() {
        let table = Parts::<u64>::new(1);
        for i in 1..200_000u64 {
            table.learn(i, Info::Exact(1));
        }
        assert!(table.evicted() > 0);
        assert_eq!(table.evicted() + table.len(), 199_999);
        assert!(table.bytes() <= 256 * 10 * (2 * FIRST + 2 * SPARE) as u64);
    }
}
