//! The check of a nim-sequence, value by value.
//!
//! A value g of heap n is right if no option has it and every smaller value is an option's. Going through all
//! n/2 splits of every heap is out of reach for a long sequence, and not needed: under any linear split of
//! the values into rare and common (popcount of value AND mask even or odd) an option with a common value has
//! exactly one rare part. So the pairs with a rare part are gone through completely, which decides all common
//! values; the few remaining rare values are looked for among all splits. The mask is chosen here, by
//! counting; a poor one costs time, never truth. Options are formed here anew from the digits, on purpose; a
//! sample goes by the rules themselves.
//!
//! Neighbouring heaps are checked together: beside one part stand neighbours of the sequence, and each option is
//! one load, one XOR and one mark in a table of its heap.

use std::ops::{BitOr, BitXor, Range};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rayon::prelude::*;

use super::sample::entries_at_random;
use super::{Checker, Entries, Failure, Share};
use crate::base::simd::{Has, Vector, VectorLoop};
use crate::base::{Control, Isa};
use crate::rules::OctalGame;

/// Heaps that a thread takes at once.
const CHUNK: usize = 256;
/// Heaps whose options are marked together, each in its own table: the tables should stay in the first-level cache,
/// so that a quarter of them is taken where the values are large.
const RUN: usize = 16;
/// The pairs with a part below this are marked, too: they show most rare values.
const SMALL: usize = 640;

/// A nim-sequence.
pub(super) struct Sequence<'a> {
    pub entries: Entries<'a>,
    pub game: OctalGame,
}

impl Checker for Sequence<'_> {
    fn full(&self, control: &Control<'_>, _: Share) -> (&'static str, Option<Failure>) {
        let failure = match self.game.is_octal() {
            true => all(&self.entries, &self.game, control),
            false => super::general::all(&self.entries, &self.game, control),
        };
        ("checksums; every value: no option has it, every smaller value is an option's", failure)
    }

    fn sample(&self, count: u64, control: &Control<'_>, _: Share) -> (&'static str, Option<Failure>) {
        let failure = sample(&self.entries, &self.game, count, control);
        ("checksums; heaps over the whole range by the definition", failure)
    }
}

/// Checks every heap.
pub(super) fn all(entries: &Entries<'_>, game: &OctalGame, control: &Control<'_>) -> Option<Failure> {
    let values: Vec<u16> = (0..entries.len).map(|n| entries.value(n)).collect();
    match values.iter().map(|&value| u8::try_from(value).ok()).collect::<Option<Vec<u8>>>() {
        Some(bytes) => check_values(&bytes, game, control),
        None => check_values(&values, game, control),
    }
}

/// Checks `count` heaps taken at random, by the definition: all options of each.
pub(super) fn sample(
    entries: &Entries<'_>,
    game: &OctalGame,
    count: u64,
    control: &Control<'_>,
) -> Option<Failure> {
    let heaps: Vec<u64> = entries_at_random(entries.len, count).collect();
    first_failure(&heaps, control, |&n| by_definition(entries, game, n))
}

/// Compares G(n) with the mex over the options that the rules give.
fn by_definition(entries: &Entries<'_>, game: &OctalGame, n: u64) -> Option<Failure> {
    let mut seen = Vec::new();
    game.each_option(n, u64::MAX, &mut |parts| {
        let option = usize::from(parts.iter().fold(0, |sum, &part| sum ^ entries.value(part)));
        if seen.len() <= option {
            seen.resize(option + 1, false);
        }
        seen[option] = true;
    });
    let mex = seen.iter().position(|&seen| !seen).unwrap_or(seen.len());
    let value = entries.value(n);
    (mex != usize::from(value))
        .then(|| format!("heap {n} has the value {value}, but the mex of its options is {mex}"))
}

fn first_failure<T: Sync>(
    items: &[T],
    control: &Control<'_>,
    check: impl Fn(&T) -> Option<Failure> + Sync,
) -> Option<Failure> {
    let failed = AtomicBool::new(false);
    items.par_iter().find_map_first(|item| {
        if control.stopped() || failed.load(Relaxed) {
            return None;
        }
        control.worked(1);
        let failure = check(item);
        failed.fetch_or(failure.is_some(), Relaxed);
        failure
    })
}

fn check_values<T: Cell>(values: &[T], game: &OctalGame, control: &Control<'_>) -> Option<Failure> {
    let mask = best_mask(values);
    let is_rare = |value: T| is_rare(value.into(), mask);
    let max: u16 = values.iter().map(|&value| value.into()).max().unwrap_or(0);
    let marked = |&n: &usize| n < SMALL || is_rare(values[n]);
    let checker = Values {
        values,
        reversed: values.iter().rev().copied().collect(),
        isa: Isa::detect(),
        marked: (1..values.len()).filter(marked).collect(),
        mask,
        width: (usize::from(max) + 1).next_power_of_two(),
        splits: game.splitting(),
        ones: game.leaving_one(),
        whole: game.leaving_none(),
        unequal: game.unequal_parts(),
    };
    let stop = AtomicBool::new(false);
    let chunks = (0..values.len().div_ceil(CHUNK)).into_par_iter();
    chunks
        .map_init(
            || vec![0; RUN * checker.width],
            |tables, chunk| {
                if control.stopped() || stop.load(Relaxed) {
                    return None;
                }
                let heaps = chunk * CHUNK..values.len().min((chunk + 1) * CHUNK);
                let failure = match checker.width {
                    ..=2048 => checker.failure_in::<RUN>(heaps.clone(), tables),
                    _ => checker.failure_in::<{ RUN / 4 }>(heaps.clone(), tables),
                };
                stop.fetch_or(failure.is_some(), Relaxed);
                control.worked(heaps.len() as u64);
                failure
            },
        )
        .find_map_first(|failure| failure)
}

/// A value of 8 or 16 bits.
trait Cell:
    Copy + Eq + BitXor<Output = Self> + BitOr<Output = Self> + Into<u16> + TryFrom<u16> + Send + Sync
{
    const ZEROS: Self;
    const ONES: Self;
}

impl Cell for u8 {
    const ZEROS: Self = 0;
    const ONES: Self = Self::MAX;
}

impl Cell for u16 {
    const ZEROS: Self = 0;
    const ONES: Self = Self::MAX;
}

fn is_rare(value: u16, mask: u16) -> bool {
    (value & mask).count_ones() % 2 == 0
}

/// The mask with the fewest rare values, by counting for each mask below the values' power of two.
fn best_mask<T: Cell>(values: &[T]) -> u16 {
    let max: u16 = values.iter().map(|&value| value.into()).max().unwrap_or(0);
    let mut counts = vec![0u64; usize::from(max) + 1];
    values.iter().for_each(|&value| counts[usize::from(value.into())] += 1);
    // Above 2^12 values the search itself would take longer than it saves.
    let top = (u32::from(max) + 1).next_power_of_two().min(1 << 12) as u16;
    let there: Vec<(u16, u64)> = (0..=u16::MAX).zip(counts).filter(|&(_, count)| count > 0).collect();
    let rare = |mask: u16| -> u64 {
        let rare = there.iter().filter(|&&(value, _)| is_rare(value, mask));
        rare.map(|(_, count)| count).sum()
    };
    (1..top).into_par_iter().min_by_key(|&mask| (rare(mask), mask)).unwrap_or(0)
}

struct Values<'a, T> {
    values: &'a [T],
    /// The same from the last one on, so that the parts of a split are two slices that run alike.
    reversed: Vec<T>,
    isa: Isa,
    /// The heaps of which all pairs are marked: the rare ones and the small ones.
    marked: Vec<usize>,
    mask: u16,
    /// A power of two above all values.
    width: usize,
    splits: Vec<usize>,
    ones: Vec<usize>,
    whole: Vec<usize>,
    unequal: bool,
}

impl<T: Cell> Values<'_, T> {
    fn value(&self, n: usize) -> u16 {
        self.values[n].into()
    }

    /// What is wrong with the first wrong one of `heaps`, if any is.
    fn failure_in<const RUN: usize>(&self, heaps: Range<usize>, tables: &mut [u8]) -> Option<Failure> {
        let tables = &mut tables[..RUN * self.width];
        for first in heaps.clone().step_by(RUN) {
            tables.fill(0);
            self.mark::<RUN>(first, tables);
            let mut run = (first..heaps.end).zip(tables.chunks_exact_mut(self.width));
            let failure = run.find_map(|(n, seen)| self.failure_at(n, seen));
            if failure.is_some() {
                return failure;
            }
        }
        None
    }

    /// Marks, for each heap n from `first` on, the values of its splits with a part that is rare or small:
    /// `tables[(n - first) * width + value]`.
    fn mark<const RUN: usize>(&self, first: usize, tables: &mut [u8]) {
        // The same for the compiler, which then needs no other check of a place.
        let mask = self.width - 1;
        assert!(tables.len() == RUN * self.width);
        for &i in &self.splits {
            for &a in self.marked.iter().take_while(|&&a| a + i < first + RUN) {
                let value = self.value(a);
                let mut see = |lane: usize, other: T| {
                    tables[lane * self.width + (usize::from(value ^ other.into()) & mask)] = 1;
                };
                // The other parts, if all heaps have one and it is not `a` itself where that is not allowed.
                let others = first.checked_sub(i + a).filter(|&other| other > 0).and_then(|other| {
                    let itself = self.unequal && (other..other + RUN).contains(&a);
                    self.values.get(other..other + RUN).filter(|_| !itself)
                });
                match others {
                    // In fours, so that the compiler writes the lanes out.
                    Some(others) => others.as_chunks::<4>().0.iter().enumerate().for_each(|(k, four)| {
                        (0..4).for_each(|lane| see(4 * k + lane, four[lane]));
                    }),
                    None => {
                        let later =
                            |lane: usize| (first + lane).checked_sub(i + a).filter(|&other| other > 0);
                        let pairs = (0..RUN).filter_map(|lane| Some((lane, later(lane)?)));
                        for (lane, other) in pairs.filter(|&(_, other)| !(self.unequal && other == a)) {
                            if let Some(&other) = self.values.get(other) {
                                see(lane, other);
                            }
                        }
                    }
                }
            }
        }
    }

    /// What is wrong with heap `n`, if anything. `seen` has marks of the values of its splits with a part that is
    /// rare or small.
    fn failure_at(&self, n: usize, seen: &mut [u8]) -> Option<Failure> {
        if n > 0 && self.whole.contains(&n) {
            seen[0] = 1;
        }
        for &i in self.ones.iter().filter(|&&i| i < n) {
            seen[usize::from(self.value(n - i))] = 1;
        }
        let value = self.value(n);
        let wrong = |what: String| Some(format!("heap {n} has the value {value}, but {what}"));
        let is_rare = |value| is_rare(value, self.mask);
        if seen[usize::from(value)] != 0 || (is_rare(value) && self.is_option(n, value)) {
            return wrong("an option has that value too".into());
        }
        let unseen = (0..value).zip(seen).filter(|(_, seen)| **seen == 0);
        for (smaller, _) in unseen {
            // A common value that no pair with a rare part gives is not an option's value.
            if !(is_rare(smaller) && self.is_option(n, smaller)) {
                return wrong(format!("no option has the value {smaller}"));
            }
        }
        None
    }

    /// Does a split of heap `n` into two parts that are not small have the value `wanted`?
    fn is_option(&self, n: usize, wanted: u16) -> bool {
        let Ok(wanted) = T::try_from(wanted) else { return false };
        self.splits.iter().filter(|&&i| i + 2 <= n).any(|&i| {
            let total = n - i;
            let half = if self.unequal { (total - 1) / 2 } else { total / 2 };
            if half < SMALL {
                return false;
            }
            let small = &self.values[SMALL..=half];
            // Heaps total - SMALL, total - SMALL - 1, ...
            let large = &self.reversed[self.values.len() - 1 - (total - SMALL)..][..small.len()];
            self.isa.run(AnyPair { small, large, wanted })
        })
    }
}

/// Whether two values at the same place give the wanted one. The compiler vectorizes a block: it does not end early.
struct AnyPair<'a, T> {
    small: &'a [T],
    large: &'a [T],
    wanted: T,
}

impl<T: Cell> VectorLoop for AnyPair<'_, T> {
    type Output = bool;

    #[inline(always)]
    fn run<V: Vector>(self, _: Has<V>) -> bool {
        const BLOCK: usize = 256;
        let blocks = self.small.chunks(BLOCK).zip(self.large.chunks(BLOCK));
        for (small, large) in blocks {
            let hits = small.iter().zip(large).fold(T::ZEROS, |hits, (&a, &b)| {
                hits | if a ^ b == self.wanted { T::ONES } else { T::ZEROS }
            });
            if hits != T::ZEROS {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Width;

    /// The sequence by the rules alone.
    fn sequence(game: &OctalGame, terms: usize) -> Vec<u16> {
        let mut values: Vec<u16> = Vec::new();
        for n in 0..terms as u64 {
            let mut options = Vec::new();
            game.options_of_heap(n, &mut |a, b| options.push(values[a as usize] ^ values[b as usize]));
            values.push((0..).find(|x| !options.contains(x)).unwrap());
        }
        values
    }

    fn verdicts(game: &OctalGame, values: &[u16]) -> (bool, bool) {
        let data: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let entries = Entries { data: &data, width: Width::U16, len: values.len() as u64 };
        let control = Control::silent();
        let count = values.len() as u64;
        (all(&entries, game, &control).is_none(), sample(&entries, game, count, &control).is_none())
    }

    #[test]
    fn a_wrong_value_is_found_far_from_the_ends_of_a_long_split() {
        // More pairs than a block holds, of values in bytes and in 16 bits.
        for (code, terms) in [("0.6", 2100), ("0.007", 2000), ("grundy", 2050)] {
            let game: OctalGame = code.parse().unwrap();
            let mut values = sequence(&game, terms);
            let entries = |values: &[u16]| values.iter().flat_map(|value| value.to_le_bytes()).collect();
            let fails = |values: &[u16]| {
                let data: Vec<u8> = entries(values);
                let entries = Entries { data: &data, width: Width::U16, len: values.len() as u64 };
                all(&entries, &game, &Control::silent())
            };
            assert_eq!(fails(&values), None, "{code}");
            for n in [terms - 1, terms - 7, terms / 2] {
                for wrong in [0, values[n] + 1, values[n] ^ 1, 300] {
                    let right = std::mem::replace(&mut values[n], wrong);
                    assert_eq!(fails(&values).is_some(), right != wrong, "{code} {n} {wrong}");
                    values[n] = right;
                }
            }
        }
    }

    #[test]
    fn right_sequences_pass_and_every_changed_value_is_found() {
        for code in ["0.6", "0.07", "4.7", "grundy", "0.3337", "subtraction 2,5", "4.0", "0.15"] {
            let game: OctalGame = code.parse().unwrap();
            let values = sequence(&game, 120);
            assert_eq!(verdicts(&game, &values), (true, true), "{code}");
            for n in (0..30).chain((30..values.len()).step_by(13)) {
                for wrong in [values[n].wrapping_sub(1), values[n] + 1, values[n] ^ 2] {
                    let mut changed = values.clone();
                    changed[n] = wrong;
                    assert_eq!(verdicts(&game, &changed), (false, false), "{code} {n} {wrong}");
                }
            }
        }
    }
}
