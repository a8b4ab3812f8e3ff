//! The heaps of a narrow block where a set of indices is one word: what [`Current::value`] does, in registers.

use super::super::bits::NARROW;
use super::super::split::Histogram;
use super::Shared;
use super::current::Current;
use crate::error::Result;
use std::ops::Range;

impl Current {
    /// Finds the values of `heaps`, in the narrow block that was begun, and enters them. Returns how far it came: all the way unless
    /// a value needs more bits than the split has.
    pub(super) fn heaps_by_words(
        &mut self,
        shared: &Shared,
        values: &mut [u16],
        heaps: Range<usize>,
        histogram: &mut Histogram,
    ) -> Result<usize> {
        let Shared { classes, moves, .. } = shared;
        assert!(classes.set_words() == 1);
        let class = |sets: &[Vec<u64>; 2]| [sets[0][0], sets[1][0]];
        let (commons, rares) = (class(&classes.common), class(&classes.rare));
        let low_bits = classes.split.low_bits();
        for n in heaps.clone() {
            let (lane, parity) = (n % NARROW, n & 1);
            let mut excluded = self.sets.excluded[lane] | self.inside.look_back(lane);
            let mut covered = self.sets.covered[lane];
            for &i in &moves.ones {
                let (index, common) = classes.index_and_class(values[n - i], n);
                let set = if common { &mut excluded } else { &mut covered };
                *set |= 1 << index;
            }
            let free = !excluded & commons[parity];
            let least = free.trailing_zeros();
            let mut value;
            if free == 0 || least >= self.sets.horizon[lane] {
                value = self.value(shared, values, n)?;
            } else {
                value = classes.common_values[parity][least as usize];
                // The index keeps the order inside a class only: a smaller rare value may have a slightly larger index.
                let below = u64::MAX >> (63 - (least as usize | low_bits));
                let mut open = !covered & rares[parity] & below;
                while open != 0 {
                    let wanted = classes.rare_values[parity][open.trailing_zeros() as usize];
                    if wanted > value {
                        break;
                    }
                    open &= open - 1;
                    self.statistics.searches += 1;
                    if !moves.splits.iter().any(|&i| self.searcher.splits_to(values, n - i, wanted)) {
                        value = wanted;
                        break;
                    }
                }
            }
            values[n] = value;
            histogram.add(value, n);
            if usize::from(value) >> classes.split.bits != 0 {
                return Ok(n + 1);
            }
            self.enter(classes, n, value);
            self.inside.enter(classes, value, n, &mut self.sets.excluded);
        }
        Ok(heaps.end)
    }
}
