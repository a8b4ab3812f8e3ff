//! The sequence as planes of bytes, in both directions: all pairs of heaps of a total, 32 of them in a load
//! (AVX2).
//!
//! The heaps a and total − a of a search run against each other, so one of them is read backward; here both
//! directions are in memory. The low bytes of the options of neighbouring pairs are one XOR, and so are the
//! high bytes. Up to eight values are compared with all of them at once: each value has a bit; for each half
//! of a byte a table of sixteen bytes says which of the values have it there; the AND of what the tables say
//! of the halves of an option has the bits of the values that it is; and the OR over all options says which
//! values some pair gives.

use crate::base::Isa;
use crate::base::simd::{Has, Vector, VectorLoop};

/// The values of a group: one for each bit of a byte.
pub(super) const GROUP: usize = 8;
/// The most groups that a loop compares.
const MOST_GROUPS: usize = 4;
/// The vectors between two looks at what was found.
const STEPS: usize = 8;
/// The bytes of the longest vector.
const LONGEST: usize = 64;

/// A low and a high byte of each of some heaps.
type Bytes<'a> = [&'a [u8]; 2];

/// The low and the high bytes of the values, from heap 0 on.
#[derive(Default)]
pub(super) struct Planes {
    forward: [Vec<u8>; 2],
    /// The last heap first; heap 0 is at the end.
    backward: [Vec<u8>; 2],
    /// The bits that any high byte has.
    high: u8,
}

impl Planes {
    /// Takes the values that are new; the others must be those that it has.
    pub fn extend(&mut self, values: &[u16]) {
        let known = self.forward[0].len();
        if self.backward[0].len() < values.len() {
            let room = values.len() + values.len() / 2;
            for (forward, backward) in self.forward.iter_mut().zip(&mut self.backward) {
                forward.reserve_exact(room - known);
                *backward = vec![0; room];
                backward[room - known..].iter_mut().rev().zip(&*forward).for_each(|(to, &byte)| *to = byte);
            }
        }
        let room = self.backward[0].len();
        for (n, value) in values.iter().enumerate().skip(known) {
            let bytes = value.to_le_bytes();
            self.high |= bytes[1];
            for (k, byte) in bytes.into_iter().enumerate() {
                self.forward[k].push(byte);
                self.backward[k][room - 1 - n] = byte;
            }
        }
    }

    /// Takes out of `wanted` the values that are G(a) XOR G(b) for a pair of heaps with a + b = `total` and a
    /// from `least` to `most`; the last come first. All these heaps must be known.
    pub fn search(&self, isa: Isa, total: usize, least: usize, most: usize, wanted: &mut Vec<u16>) {
        let pairs = (most + 1).saturating_sub(least);
        if pairs == 0 {
            return;
        }
        let first = self.backward[0].len() - 1 - most;
        let up: Bytes = std::array::from_fn(|k| &self.forward[k][total - most..][..pairs]);
        let down: Bytes = std::array::from_fn(|k| &self.backward[k][first..][..pairs]);
        let mut left = Vec::new();
        for some in wanted.chunks(GROUP * MOST_GROUPS) {
            let mut some = some.to_vec();
            let mut at = 0;
            while !some.is_empty() && at < pairs {
                let short = (self.high | (some.iter().fold(0, |bits, value| bits | value) >> 8) as u8) < 16;
                let wanted = &mut some;
                at = match wanted.len().div_ceil(GROUP) {
                    _ if wanted.len() == 1 => isa.run(OneSearch { up, down, at, wanted }),
                    1 if short => isa.run(GroupSearch::<1, 3> { up, down, at, wanted }),
                    1 => isa.run(GroupSearch::<1, 4> { up, down, at, wanted }),
                    2 if short => isa.run(GroupSearch::<2, 3> { up, down, at, wanted }),
                    2 => isa.run(GroupSearch::<2, 4> { up, down, at, wanted }),
                    _ if short => isa.run(GroupSearch::<MOST_GROUPS, 3> { up, down, at, wanted }),
                    _ => isa.run(GroupSearch::<MOST_GROUPS, 4> { up, down, at, wanted }),
                };
            }
            left.append(&mut some);
        }
        *wanted = left;
    }
}

/// Takes out of `wanted`, so many groups at most, what the pairs from `at` on give, and returns how far it
/// came: to the end, or to where a faster loop can go on. All values must have so many halves of bytes.
struct GroupSearch<'a, const GROUPS: usize, const HALVES: usize> {
    up: Bytes<'a>,
    down: Bytes<'a>,
    at: usize,
    wanted: &'a mut Vec<u16>,
}

impl<const GROUPS: usize, const HALVES: usize> VectorLoop for GroupSearch<'_, GROUPS, HALVES> {
    type Output = usize;

    #[inline(always)]
    fn run<V: Vector>(self, has: Has<V>) -> usize {
        let Self { up, down, mut at, wanted } = self;
        let pairs = length(up, down);
        assert!(wanted.len() <= GROUP * GROUPS && V::BYTES <= LONGEST);
        let mut bytes = [[[0u8; LONGEST]; HALVES]; GROUPS];
        for (k, value) in wanted.iter().enumerate() {
            for half in 0..HALVES {
                let place = usize::from(value >> (4 * half)) % 16;
                for place in (place..LONGEST).step_by(16) {
                    bytes[k / GROUP][half][place] |= 1 << (k % GROUP);
                }
            }
        }
        // SAFETY: the tables are as long as the longest vector.
        let tables = bytes.map(|group| group.map(|table| unsafe { V::load(has, table.as_ptr()) }));
        let low_half = V::splat_u8(has, 15);
        let mut found = [V::splat_u8(has, 0); GROUPS];
        // One value, or half of the groups, is for another loop.
        let most_left = if GROUPS == 1 { 1 } else { GROUP * GROUPS / 2 };
        let mut count = 0;
        while at + V::BYTES <= pairs && wanted.len() - count > most_left {
            for _ in 0..STEPS {
                if at + V::BYTES > pairs {
                    break;
                }
                let options = options(has, up, down, at);
                let halves: [V; HALVES] = std::array::from_fn(|half| match half {
                    0 => options[0].and(low_half),
                    1 => options[0].shift_right_u64(4).and(low_half),
                    2 if HALVES == 3 => options[1],
                    2 => options[1].and(low_half),
                    _ => options[1].shift_right_u64(4).and(low_half),
                });
                for (found, tables) in found.iter_mut().zip(&tables) {
                    let mut bits = tables[0].look_up_u8(halves[0]);
                    for half in 1..HALVES {
                        bits = bits.and(tables[half].look_up_u8(halves[half]));
                    }
                    *found = found.or(bits);
                }
                at += V::BYTES;
            }
            count = found.iter().map(|&found| any_byte(found).count_ones() as usize).sum();
        }
        let found = found.map(|found| any_byte(found));
        let mut k = 0;
        wanted.retain(|_| {
            k += 1;
            found[(k - 1) / GROUP] >> ((k - 1) % GROUP) & 1 == 0
        });
        if at + V::BYTES > pairs { last_pairs(up, down, at, wanted) } else { at }
    }
}

/// The same for one value.
struct OneSearch<'a> {
    up: Bytes<'a>,
    down: Bytes<'a>,
    at: usize,
    wanted: &'a mut Vec<u16>,
}

impl VectorLoop for OneSearch<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<V: Vector>(self, has: Has<V>) -> usize {
        let Self { up, down, mut at, wanted } = self;
        let pairs = length(up, down);
        assert!(wanted.len() == 1 && V::BYTES <= LONGEST);
        let bytes = wanted[0].to_le_bytes().map(|byte| V::splat_u8(has, byte));
        while at + V::BYTES <= pairs {
            let mut least = V::splat_u8(has, u8::MAX);
            for _ in 0..STEPS {
                if at + V::BYTES > pairs {
                    break;
                }
                let [low, high] = options(has, up, down, at);
                least = least.min_u8(low.xor(bytes[0]).or(high.xor(bytes[1])));
                at += V::BYTES;
            }
            let mut differences = [1u8; LONGEST];
            // SAFETY: the array is as long as the longest vector.
            unsafe { least.store(differences.as_mut_ptr()) };
            if differences.contains(&0) {
                wanted.clear();
                return at;
            }
        }
        last_pairs(up, down, at, wanted)
    }
}

/// The number of pairs.
#[inline(always)]
fn length(up: Bytes, down: Bytes) -> usize {
    let pairs = up[0].len();
    assert!(up.iter().chain(&down).all(|plane| plane.len() == pairs));
    pairs
}

/// The low and the high bytes of the options from `at` on, which must be there for a vector.
#[inline(always)]
fn options<V: Vector>(has: Has<V>, up: Bytes, down: Bytes, at: usize) -> [V; 2] {
    debug_assert!(at + V::BYTES <= length(up, down));
    // SAFETY: the callers have checked that a vector from `at` on ends inside of all planes.
    let load = |plane: &[u8]| unsafe { V::load(has, plane.as_ptr().add(at)) };
    [load(up[0]).xor(load(down[0])), load(up[1]).xor(load(down[1]))]
}

/// The bits that any byte has.
#[inline(always)]
fn any_byte<V: Vector>(vector: V) -> u8 {
    let mut words = [0u64; LONGEST / 8];
    // SAFETY: the words are as long as the longest vector.
    unsafe { vector.store(words.as_mut_ptr()) };
    let word = words.into_iter().fold(0, |bits, word| bits | word);
    word.to_le_bytes().into_iter().fold(0, |bits, byte| bits | byte)
}

/// The pairs from `at` on, fewer than a vector has. Returns their end.
fn last_pairs(up: Bytes, down: Bytes, at: usize, wanted: &mut Vec<u16>) -> usize {
    for k in at..up[0].len() {
        let option = u16::from_le_bytes([up[0][k] ^ down[0][k], up[1][k] ^ down[1][k]]);
        wanted.retain(|&wanted| wanted != option);
    }
    up[0].len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Values below 2^bits, taken in two steps, and what all pairs of some totals give.
    fn check(bits: u32) {
        let mut state = 7u32;
        let mut random = || {
            state = state.wrapping_mul(1664525).wrapping_add(1013904223);
            (state >> (32 - bits)) as u16
        };
        let values: Vec<u16> = (0..3000).map(|_| random()).collect();
        let mut planes = Planes::default();
        planes.extend(&values[..1000]);
        planes.extend(&values);
        let mut hits = 0;
        for isa in Isa::available() {
            for total in [2, 3, 17, 130, 131, 2999, 4000] {
                let known = (total + 1_usize).saturating_sub(values.len()).max(1);
                for (least, most) in [(known, total / 2), (known + 5, total / 3), (known, known)] {
                    let most = most.min(total - 1);
                    let options: HashSet<u16> =
                        (least..=most).map(|a| values[a] ^ values[total - a]).collect();
                    // One value, one group, some groups, more than a loop takes; hits and misses.
                    for count in [0, 1, 2, 7, 8, 9, 20, 33, 70] {
                        let given = options.iter().copied().take(count / 2);
                        let others: Vec<u16> = (0..count).map(|_| random()).collect();
                        let mut wanted: Vec<u16> =
                            given.chain(others).chain((count == 8).then_some(0xf0f0)).take(count).collect();
                        let left: Vec<u16> =
                            wanted.iter().copied().filter(|value| !options.contains(value)).collect();
                        hits += wanted.len() - left.len();
                        planes.search(isa, total, least, most, &mut wanted);
                        assert_eq!(wanted, left, "{isa:?} {total} {least}..={most} {count}");
                    }
                }
            }
        }
        assert!(hits > 100, "{hits} hits test little");
    }

    #[test]
    fn agree_with_the_definition_for_short_and_for_long_values() {
        check(9);
        check(12);
        check(13);
        check(16);
    }
}
