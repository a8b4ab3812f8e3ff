//! The values that are used up on every line of a space of sorted heaps.
//!
//! A set of j of the k heaps that is lowered together runs along a *line*: the other k-j heaps stay, and so do
//! the differences of the j heaps. The line is known by these two multisets, and the *place* of a position on
//! it is the smallest heap of the set.

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU64, Ordering::Relaxed};

use crate::game::{Lines, Most, Sets};
use crate::rules::Together;
use crate::space::{MAX_HEAPS, SortedHeaps, Space};

/// The used values of all lines.
pub(super) struct Used {
    /// The lines of the sets of 1, 2, ... heaps, as far as there are such moves.
    classes: Vec<Class>,
    /// A bit for each value that a line may need, line after line.
    pub bits: Vec<AtomicU64>,
    /// For each bit the place where its value was seen last.
    pub places: Places,
}

/// Where on its line each value was seen last, if windows need it.
pub(super) enum Places {
    /// Nothing leaves a line.
    None,
    /// Windows of at most 255 places: the place modulo 256.
    U8(Vec<AtomicU8>),
    /// Longer windows.
    U16(Vec<AtomicU16>),
}

/// The lines of the sets of so many heaps.
struct Class {
    /// The heaps that stay; `None` where there are none.
    others: Option<SortedHeaps>,
    /// The differences to the smallest heap of the set; `None` for a single heap.
    differences: Option<SortedHeaps>,
    /// For each multiset of others the first word of its lines, and the words of each of them.
    starts: Vec<(usize, usize)>,
}

impl Lines {
    /// The number of sets that a position of `heaps` heaps can have at most.
    fn sets_of(self, heaps: usize) -> u64 {
        let heaps = heaps as u64;
        match self.sets {
            Sets::Largest => 1,
            Sets::One => heaps,
            Sets::Together(Together::Two) => heaps * (heaps + 1) / 2,
            Sets::Together(Together::Any) => (1 << heaps) - 1,
            Sets::Together(Together::All) => heaps + 1,
        }
    }

    /// The largest set of heaps that is lowered together.
    pub(super) fn largest_set(self, heaps: usize) -> usize {
        match self.sets {
            Sets::Largest | Sets::One => 1,
            Sets::Together(Together::Two) => heaps.min(2),
            Sets::Together(_) => heaps,
        }
    }

    /// Whether sets of `size` heaps are lowered only where no other heap is left.
    pub(super) fn needs_empty_others(self, size: usize) -> bool {
        size > 1 && self.sets == Sets::Together(Together::All)
    }

    /// The longest window of a line with these others, if anything ever leaves it: a move takes at most the
    /// smallest of them.
    pub(super) fn window(self, others: &[u32]) -> Option<u32> {
        if self.most == Most::Heap { None } else { others.iter().copied().find(|&heap| heap > 0) }
    }
}

/// The words of a line. A value is at most the number of options, and at most the number of counters, since
/// every move takes one; larger values cannot be the least that is missing and are left out.
fn words(lines: Lines, heaps: usize, max: u32, smallest: u32, counters: u64) -> usize {
    let longest = if lines.most == Most::Smallest { smallest } else { max };
    ((lines.sets_of(heaps) * u64::from(longest)).min(counters) / 64 + 1) as usize
}

/// An upper bound of the bytes of all lines: `u64::MAX` where a place is beyond 16 bits.
pub(super) fn memory(lines: Lines, heaps: usize, max: u32) -> u64 {
    if lines.most == Most::Smallest && max > u16::MAX.into() {
        return u64::MAX;
    }
    let count = |heaps: usize, max: u32| SortedHeaps::count(heaps, max).unwrap_or(u64::MAX) as f64;
    let words = |smallest: u32| words(lines, heaps, max, smallest, heaps as u64 * u64::from(max)) as f64;
    let words_of_sets = |size: usize| {
        let others = heaps - size;
        let all_empty = words(max);
        let along = count(size - 1, max);
        if lines.needs_empty_others(size) {
            return all_empty * along;
        }
        if lines.most == Most::Heap {
            // The others have max/2 counters on average, the set at most max.
            let average = (others as f64 / 2.0 + size as f64) * f64::from(max) / 64.0 + 1.0;
            return count(others, max) * average.min(all_empty) * along;
        }
        // By the smallest of the others and the number of larger ones.
        let of_smallest = |smallest: u32| {
            (0..others).map(|larger| count(larger, max - smallest)).sum::<f64>() * words(smallest)
        };
        ((1..=max).map(of_smallest).sum::<f64>() + all_empty) * along
    };
    let total: f64 = (1..=lines.largest_set(heaps)).map(words_of_sets).sum();
    let places = match (lines.most, max) {
        (Most::Heap, _) => 0.0,
        (Most::Smallest, ..256) => 64.0,
        (Most::Smallest, _) => 128.0,
    };
    (total * (8.0 + places)) as u64
}

impl Used {
    /// Nothing is used yet.
    pub fn new(lines: Lines, space: &SortedHeaps) -> Self {
        let (heaps, max) = (space.heaps(), space.max());
        let mut total = 0;
        let classes = (1..=lines.largest_set(heaps))
            .map(|size| {
                let of = |heaps: usize| {
                    (heaps > 0).then(|| SortedHeaps::new(heaps, max).expect("smaller than the space itself"))
                };
                let (others, differences) = (of(heaps - size), of(size - 1));
                let along = differences.as_ref().map_or(1, |space| space.len() as usize);
                let many = others.as_ref().filter(|_| !lines.needs_empty_others(size));
                let mut heaps_left = Vec::new();
                let starts = (0..many.map_or(1, |space| space.len()))
                    .map(|rank| {
                        if let Some(space) = many {
                            space.unrank_into(rank, &mut heaps_left);
                        }
                        let smallest = lines.window(&heaps_left).unwrap_or(max);
                        let sum = heaps_left.iter().map(|&heap| u64::from(heap)).sum::<u64>();
                        let words = words(lines, heaps, max, smallest, sum + size as u64 * u64::from(max));
                        let start = total;
                        total += words * along;
                        (start, words)
                    })
                    .collect();
                Class { others, differences, starts }
            })
            .collect();
        let places = match (lines.most, heaps) {
            (Most::Heap, _) | (_, 1) => Places::None,
            _ if max < 256 => Places::U8((0..64 * total).map(|_| AtomicU8::new(0)).collect()),
            _ => Places::U16((0..64 * total).map(|_| AtomicU16::new(0)).collect()),
        };
        let bits = (0..total).map(|_| AtomicU64::new(0)).collect();
        Self { classes, bits, places }
    }

    /// Forgets all values. What `places` says of a value whose bit is not set does not matter.
    pub fn clear(&self) {
        self.bits.iter().for_each(|word| word.store(0, Relaxed));
    }

    /// Where the lines with these others (sorted) begin, and how many words each has.
    pub fn with_others(&self, size: usize, others: &[u32]) -> usize {
        let class = &self.classes[size - 1];
        if class.starts.len() == 1 {
            0
        } else {
            class.others.as_ref().map_or(0, |space| space.rank_sorted(others) as usize)
        }
    }

    /// The start and the words of the lines with the others of this number.
    #[inline]
    pub fn start(&self, size: usize, others: usize) -> (usize, usize) {
        self.classes[size - 1].starts[others]
    }

    /// The number of the differences between a set (sorted) and its smallest heap.
    pub fn along(&self, set: &[u32]) -> usize {
        let mut differences = [0; MAX_HEAPS];
        let differences = &mut differences[..set.len() - 1];
        differences.iter_mut().zip(&set[1..]).for_each(|(difference, heap)| *difference = heap - set[0]);
        self.classes[set.len() - 1]
            .differences
            .as_ref()
            .map_or(0, |space| space.rank_sorted(differences) as usize)
    }
}
