//! Comparing options with candidates: 32 options with eight candidates each in some 18 instructions.

use super::classes::free_indices;
use super::marks::{HeapRun, NarrowBlock, RUN};
use super::partners::Partner;
use crate::base::simd::{Has, Vector, VectorLoop};

/// The candidates of a heap.
const CANDIDATES: usize = 8;
/// So few heaps are sooner done one by one than by a scan of the whole run.
const FEW: usize = 2;

impl NarrowBlock<'_> {
    /// Compares the options by scanned partners with the candidates, and excludes those that are hit; with
    /// the next candidates where too few are left. Returns the number of rounds.
    pub(super) fn scan(&self, run: &mut HeapRun) -> u64 {
        let classes = &self.shared.classes;
        let words = classes.set_words();
        // Pairs inside the block, and moves that leave one heap, may exclude more: some candidates should be
        // left for them.
        let spare = 2 + self.shared.moves.ones.len() / 8;
        let mut left = [0; RUN];
        let mut rounds = 0;
        run.horizon.fill(0);
        loop {
            let mut indices = [[0; RUN]; CANDIDATES];
            let mut candidates = [[0; RUN]; CANDIDATES];
            let mut counts = [0; RUN];
            for lane in (0..RUN).filter(|&lane| left[lane] < spare) {
                let excluded = &run.excluded[lane * words..][..words];
                let class = &classes.common[(run.first + lane) & 1];
                let mut free = free_indices(excluded, class, run.horizon[lane] as usize);
                for index in free.by_ref().take(CANDIDATES) {
                    indices[counts[lane]][lane] = index;
                    candidates[counts[lane]][lane] = classes.common_values[(run.first + lane) & 1][index];
                    counts[lane] += 1;
                }
                run.horizon[lane] = free.next().unwrap_or(classes.indices()) as u32;
            }
            let lacking = counts.iter().filter(|&&count| count > 0).count();
            if lacking == 0 {
                return rounds;
            }
            rounds += 1;
            if lacking <= FEW {
                for lane in (0..RUN).filter(|&lane| counts[lane] > 0) {
                    let excluded = &mut run.excluded[lane * words..][..words];
                    self.partners.complete(self.values, run.first + lane, excluded);
                    run.horizon[lane] = classes.indices() as u32;
                }
                return rounds;
            }
            let differences = self.shared.isa.run(Differences {
                values: self.values,
                first: run.first,
                partners: &self.partners.scanned,
                candidates: &candidates,
            });
            for lane in 0..RUN {
                for k in 0..counts[lane] {
                    if differences[k][lane] == 0 {
                        run.excluded[lane * words + indices[k][lane] / 64] |= 1 << (indices[k][lane] % 64);
                    } else {
                        left[lane] += 1;
                    }
                }
            }
        }
    }
}

/// Candidates, or differences from them, by candidate and lane.
type Matrix = [[u16; RUN]; CANDIDATES];

/// For each heap n of the run at `first` and each of its candidates, the least of option XOR candidate over
/// the options by `partners`: 0 if one of them is the candidate. For every partner the values from
/// `first - offset` on must be there for the whole run.
struct Differences<'a> {
    values: &'a [u16],
    first: usize,
    partners: &'a [Partner],
    candidates: &'a Matrix,
}

impl VectorLoop for Differences<'_> {
    type Output = Matrix;

    #[inline(always)]
    fn run<V: Vector>(self, has: Has<V>) -> Matrix {
        let Self { values, first, partners, candidates } = self;
        let mut result = [[0; RUN]; CANDIDATES];
        for lane in (0..RUN).step_by(V::U16S) {
            // SAFETY: U16S divides RUN.
            let wanted: [V; CANDIDATES] =
                std::array::from_fn(|k| unsafe { V::load(has, candidates[k][lane..].as_ptr()) });
            let mut least = [V::splat_u16(has, u16::MAX); CANDIDATES];
            for partner in partners {
                let others = &values[first + lane - partner.offset as usize..][..V::U16S];
                // SAFETY: the slice has the length of a vector.
                let others = unsafe { V::load(has, others.as_ptr()) };
                let options = others.xor(V::splat_u16(has, partner.value as u16));
                for k in 0..CANDIDATES {
                    least[k] = least[k].min_u16(options.xor(wanted[k]));
                }
            }
            for k in 0..CANDIDATES {
                // SAFETY: U16S divides RUN.
                unsafe { least[k].store(result[k][lane..].as_mut_ptr()) };
            }
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Isa;

    #[test]
    fn least_differences_agree_on_every_instruction_set() {
        let mut state = 3u32;
        let mut random = || {
            state = state.wrapping_mul(1664525).wrapping_add(1013904223);
            (state >> 24) as u16
        };
        let values: Vec<u16> = (0..400).map(|_| random()).collect();
        let partners: Vec<Partner> =
            (1..60).map(|k| Partner { offset: 32 + 5 * k, value: random().into() }).collect();
        let candidates: Matrix = std::array::from_fn(|_| std::array::from_fn(|_| random()));
        let first = 360;
        for isa in Isa::available() {
            // The offsets are between 37 and 327, so the values from 33 to 354 are read.
            let differences =
                Differences { values: &values, first, partners: &partners, candidates: &candidates };
            let least = isa.run(differences);
            let mut hits = 0;
            for (k, lane) in (0..CANDIDATES).flat_map(|k| (0..RUN).map(move |lane| (k, lane))) {
                let options =
                    partners.iter().map(|p| values[first + lane - p.offset as usize] ^ p.value as u16);
                let expected = options.map(|option| option ^ candidates[k][lane]).min();
                assert_eq!(Some(least[k][lane]), expected, "{isa:?}");
                hits += usize::from(least[k][lane] == 0);
            }
            assert!(hits > 10 && hits < 200, "{hits} hits test little");
        }
    }
}
