//! Values of positions, each found from those of its options and remembered.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;

use crate::base::{Control, Result};

/// Looks at the clock and the flag whenever so many options were looked up.
const CHECK_EVERY: u64 = 1 << 13;
/// What the allocator adds to a piece of memory.
const ALLOCATION: u64 = 16;

/// The values found so far of the positions of one game.
pub struct Known<P: ?Sized + ToOwned, V> {
    values: HashMap<P::Owned, V>,
    /// The bytes of positions that lie outside the map.
    outside: u64,
}

impl<P, V: Copy> Known<P, V>
where
    P: ?Sized + ToOwned + Eq + Hash,
    P::Owned: Eq + Hash,
{
    /// Nothing.
    pub fn new() -> Self {
        Self { values: HashMap::new(), outside: 0 }
    }

    /// The number of positions known.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether no position is known.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The value of `position`, from the values of all positions that it can lead to. `control` stops the
    /// search and limits its memory.
    ///
    /// `value` gets a position and what looks up the value of an option. Where it is told `None`, it must
    /// return `None`: that option comes first, and the position again after it. So each position is asked for
    /// at most twice in the mean, because every question in vain adds a new position; and only one line of
    /// play is kept, on a stack of our own, which a long game cannot exhaust.
    pub fn solve(
        &mut self,
        position: &P,
        control: &Control<'_>,
        mut value: impl FnMut(&P, &mut dyn FnMut(&P) -> Option<V>) -> Result<Option<V>>,
    ) -> Result<V> {
        if let Some(&known) = self.values.get(position) {
            return Ok(known);
        }
        let mut line = vec![position.to_owned()];
        let (mut bytes, mut work, mut solved) = (Self::bytes_of(position), 0, 0);
        loop {
            let top: &P = line.last().expect("the line ends with the first position's value").borrow();
            let mut missing: Option<P::Owned> = None;
            let found = value(top, &mut |option| {
                work += 1;
                if missing.is_some() {
                    return None;
                }
                let known = self.values.get(option).copied();
                if known.is_none() {
                    missing = Some(option.to_owned());
                }
                known
            })?;
            work += 1;
            if work >= CHECK_EVERY {
                control.check()?;
                control.worked(std::mem::take(&mut solved));
                work = 0;
            }
            if let Some(option) = missing {
                bytes += Self::bytes_of(option.borrow());
                line.push(option);
            } else if let (Some(found), Some(done)) = (found, line.pop()) {
                let own = Self::bytes_of(done.borrow());
                bytes -= own;
                self.outside += own;
                self.values.insert(done, found);
                solved += 1;
                if line.is_empty() {
                    control.worked(solved);
                    return Ok(found);
                }
            }
            let stored = self.bytes_with_one_more() + self.outside + bytes;
            control
                .check_memory(self.len() as u64, stored + (line.capacity() * size_of::<P::Owned>()) as u64)?;
        }
    }

    /// The bytes that a position takes outside the map and the line.
    fn bytes_of(position: &P) -> u64 {
        if std::mem::needs_drop::<P::Owned>() { size_of_val(position) as u64 + ALLOCATION } else { 0 }
    }

    /// The bytes of the map after one more insertion; if it must grow, the old one and the new one count.
    fn bytes_with_one_more(&self) -> u64 {
        let now = map_bytes::<P::Owned, V>(self.values.capacity());
        if self.values.len() < self.values.capacity() { now } else { 3 * now }
    }
}

impl<P, V: Copy> Default for Known<P, V>
where
    P: ?Sized + ToOwned + Eq + Hash,
    P::Owned: Eq + Hash,
{
    fn default() -> Self {
        Self::new()
    }
}

/// The bytes of a hash map of this capacity: seven of eight buckets are used, and a bucket has one byte of
/// its own.
pub fn map_bytes<K, V>(capacity: usize) -> u64 {
    (capacity / 7 * 8 * (size_of::<(K, V)>() + 1)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Error, Observer};
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
    use std::time::Duration;

    /// A heap of which one counter is taken at a time: the value is whether it is odd.
    fn one_by_one(known: &mut Known<[u32], bool>, heap: u32, control: &Control<'_>) -> Result<bool> {
        known.solve(&[heap], control, |heaps, look| {
            Ok(if heaps[0] == 0 { Some(false) } else { look(&[heaps[0] - 1]).map(|won| !won) })
        })
    }

    #[test]
    fn a_game_of_a_million_moves_needs_no_deep_stack() {
        let mut known = Known::new();
        assert!(!one_by_one(&mut known, 1_000_000, &Control::silent()).unwrap());
        assert_eq!(known.len(), 1_000_001);
    }

    #[test]
    fn the_flag_and_the_deadline_hold_inside_a_search() {
        let flag = AtomicBool::new(true);
        let stopped = one_by_one(&mut Known::new(), 1_000_000, &Control::stopped_by(&flag));
        assert!(matches!(stopped, Err(Error::Interrupted { .. })));
        let late = Control::silent().with_time(Some(Duration::ZERO));
        assert!(matches!(one_by_one(&mut Known::new(), 1_000_000, &late), Err(Error::Undecided(_))));
    }

    #[test]
    fn the_length_of_positions_counts_against_the_memory() {
        let long = |length: usize, control: &Control<'_>| {
            let mut position = vec![0u32; length];
            position[0] = 1000;
            Known::<[u32], u32>::new().solve(&position, control, |position, look| {
                let mut option = position.to_vec();
                Ok(match position[0].checked_sub(1) {
                    None => Some(0),
                    Some(left) => {
                        option[0] = left;
                        look(&option)
                    }
                })
            })
        };
        let megabyte = Control::silent().with_memory(1 << 20);
        assert!(long(10, &megabyte).is_ok());
        assert!(matches!(long(1000, &megabyte), Err(Error::Budget(_))));
        assert!(long(1000, &megabyte.with_memory(1 << 23)).is_ok());
    }

    #[test]
    fn the_observer_is_told_of_every_position() {
        struct Count(AtomicU64);
        impl Observer for Count {
            fn worked(&self, more: u64) {
                self.0.fetch_add(more, Ordering::Relaxed);
            }
        }
        let count = Count(AtomicU64::new(0));
        let control = Control { observer: &count, ..Control::silent() };
        one_by_one(&mut Known::new(), 100_000, &control).unwrap();
        assert_eq!(count.0.into_inner(), 100_001);
    }
}
