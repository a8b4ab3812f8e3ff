//! The candidates of a run of heaps, and comparing options with them: two instructions for each vector and
//! candidate.

use super::marks::RUN;
use super::partners::Partner;
use crate::base::Isa;
use crate::base::simd::{Has, Vector, VectorLoop};

/// The most candidates of a heap.
pub(super) const MOST: usize = 32;
/// The candidates that one loop compares.
const TOGETHER: usize = 8;

/// The candidates of the heaps of a run: values that may be the heap's own, in order.
pub(super) struct Candidates {
    values: [[u16; RUN]; MOST],
    counts: [usize; RUN],
}

impl Candidates {
    pub fn new() -> Self {
        Self { values: [[0; RUN]; MOST], counts: [0; RUN] }
    }

    /// Adds a candidate of a heap, which is larger than those that it has. The heap must have less than
    /// [`MOST`].
    pub fn add(&mut self, lane: usize, value: u16) {
        self.values[self.counts[lane]][lane] = value;
        self.counts[lane] += 1;
    }

    /// How many candidates a heap has.
    pub fn count(&self, lane: usize) -> usize {
        self.counts[lane]
    }

    /// Keeps the least `most` candidates of each heap, and calls `drop` with the lane and the first that is
    /// dropped.
    pub fn keep(&mut self, most: usize, mut drop: impl FnMut(usize, u16)) {
        for (lane, count) in self.counts.iter_mut().enumerate().filter(|(_, count)| **count > most) {
            drop(lane, self.values[most][lane]);
            *count = most;
        }
    }

    /// Drops the candidates of the heaps from `first` on that an option by one of the partners is, and calls
    /// `hit` with the lane and the value of each. For every partner the values from `first - offset` on must
    /// be there for the whole run.
    pub fn compare(
        &mut self,
        isa: Isa,
        values: &[u16],
        first: usize,
        partners: &[Partner],
        mut hit: impl FnMut(usize, u16),
    ) {
        let most = self.counts.iter().max().copied().unwrap_or(0);
        let mut least = [[0; RUN]; MOST];
        for from in (0..most).step_by(TOGETHER) {
            let wanted = &self.values[from..];
            let least = &mut least[from..];
            match most - from {
                1 | 2 => isa.run(Differences::<2> { values, first, partners, wanted, least }),
                3 | 4 => isa.run(Differences::<4> { values, first, partners, wanted, least }),
                _ => isa.run(Differences::<TOGETHER> { values, first, partners, wanted, least }),
            }
        }
        for lane in 0..RUN {
            let mut count = 0;
            for k in 0..self.counts[lane] {
                let value = self.values[k][lane];
                if least[k][lane] == 0 {
                    hit(lane, value);
                } else {
                    self.values[count][lane] = value;
                    count += 1;
                }
            }
            self.counts[lane] = count;
        }
    }
}

/// For each heap of the run at `first` and each of its first C candidates, the least of option XOR candidate
/// over the options by `partners`: 0 if one of them is the candidate.
struct Differences<'a, const C: usize> {
    values: &'a [u16],
    first: usize,
    partners: &'a [Partner],
    wanted: &'a [[u16; RUN]],
    least: &'a mut [[u16; RUN]],
}

impl<const C: usize> Differences<'_, C> {
    /// For the lanes of so many vectors from `lane` on.
    #[inline(always)]
    fn vectors<V: Vector, const VECTORS: usize>(&mut self, has: Has<V>, lane: usize) {
        let lanes = |v: usize| lane + v * V::U16S..lane + (v + 1) * V::U16S;
        let wanted: [[V; C]; VECTORS] = std::array::from_fn(|v| {
            // SAFETY: the slice has the length of a vector.
            std::array::from_fn(|c| unsafe { V::load(has, self.wanted[c][lanes(v)].as_ptr()) })
        });
        let mut least = [[V::splat_u16(has, u16::MAX); C]; VECTORS];
        for partner in self.partners {
            let from = self.first + lane - partner.offset as usize;
            let others = &self.values[from..from + VECTORS * V::U16S];
            let value = V::splat_u16(has, partner.value as u16);
            for v in 0..VECTORS {
                // SAFETY: the slice has the length of so many vectors.
                let options = unsafe { V::load(has, others.as_ptr().add(v * V::U16S)) }.xor(value);
                for c in 0..C {
                    least[v][c] = least[v][c].min_u16(options.xor(wanted[v][c]));
                }
            }
        }
        for v in 0..VECTORS {
            for c in 0..C {
                // SAFETY: the slice has the length of a vector.
                unsafe { least[v][c].store(self.least[c][lanes(v)].as_mut_ptr()) };
            }
        }
    }
}

impl<const C: usize> VectorLoop for Differences<'_, C> {
    type Output = ();

    /// Two vectors at once where they fit into the registers with their candidates.
    #[inline(always)]
    fn run<V: Vector>(mut self, has: Has<V>) {
        if C <= 2 && 2 * V::U16S <= RUN {
            (0..RUN).step_by(2 * V::U16S).for_each(|lane| self.vectors::<V, 2>(has, lane));
        } else {
            (0..RUN).step_by(V::U16S).for_each(|lane| self.vectors::<V, 1>(has, lane));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_that_an_option_is_are_hit_on_every_instruction_set() {
        let mut state = 3u32;
        let mut random = || {
            state = state.wrapping_mul(1664525).wrapping_add(1013904223);
            (state >> 24) as u16
        };
        let values: Vec<u16> = (0..400).map(|_| random()).collect();
        let partners: Vec<Partner> =
            (1..60).map(|k| Partner { offset: 32 + 5 * k, value: random().into() }).collect();
        let first = 360;
        // Up to 1, 2, ..., MOST candidates, so that every loop has its turn.
        for most in 1..=MOST {
            let wanted: Vec<Vec<u16>> =
                (0..RUN).map(|lane| (0..most - lane % most.min(3)).map(|_| random()).collect()).collect();
            for isa in Isa::available() {
                let mut candidates = Candidates::new();
                for (lane, wanted) in wanted.iter().enumerate() {
                    wanted.iter().for_each(|&value| candidates.add(lane, value));
                }
                let mut hits = vec![Vec::new(); RUN];
                // The offsets are between 37 and 327, so the values from 33 to 354 are read.
                candidates.compare(isa, &values, first, &partners, |lane, value| hits[lane].push(value));
                for (lane, wanted) in wanted.iter().enumerate() {
                    let options: Vec<u16> = partners
                        .iter()
                        .map(|p| values[first + lane - p.offset as usize] ^ p.value as u16)
                        .collect();
                    let (hit, left): (Vec<u16>, Vec<u16>) =
                        wanted.iter().partition(|value| options.contains(value));
                    assert_eq!(hits[lane], hit, "{isa:?} {lane}");
                    assert_eq!(candidates.count(lane), left.len(), "{isa:?} {lane}");
                    assert!((0..left.len()).all(|k| candidates.values[k][lane] == left[k]));
                }
                let hits: usize = hits.iter().map(Vec::len).sum();
                assert!(most < 4 || hits > RUN / 4 && hits < RUN * most / 2, "{hits} hits test little");
                let mut dropped = Vec::new();
                let counts = candidates.counts;
                candidates.keep(1, |lane, value| dropped.push((lane, value)));
                let expected: Vec<(usize, u16)> = (0..RUN)
                    .filter(|&lane| counts[lane] > 1)
                    .map(|lane| (lane, candidates.values[1][lane]))
                    .collect();
                assert_eq!(dropped, expected);
                assert!((0..RUN).all(|lane| candidates.count(lane) == counts[lane].min(1)));
            }
        }
    }
}
