//! A heap of a narrow block where a set of indices is one word: what [`CurrentBlock::value`] does, in
//! registers.

use super::super::bits::NARROW;
use super::Shared;
use super::current::CurrentBlock;
use crate::base::Result;

impl CurrentBlock {
    /// G(n), for a heap of the narrow block that was begun, where a set is one word.
    #[inline(always)]
    pub(super) fn value_by_words(&mut self, shared: &Shared, values: &[u16], n: usize) -> Result<u16> {
        let Shared { classes, moves, .. } = shared;
        let (lane, parity) = (n % NARROW, n & 1);
        let mut excluded = self.sets.excluded[lane] | self.inside.look_back(lane);
        let mut covered = self.sets.covered[lane];
        for &i in &moves.ones {
            let (index, common) = classes.index_and_class(values[n - i], n);
            let set = if common { &mut excluded } else { &mut covered };
            *set |= 1 << index;
        }
        let free = !excluded & classes.common[parity][0];
        let least = free.trailing_zeros();
        if free == 0 || least >= self.sets.horizon[lane] {
            return self.value(shared, values, n);
        }
        let value = classes.common_values[parity][least as usize];
        // The index keeps the order inside a class only: a smaller rare value may have a slightly larger
        // index.
        let below = u64::MAX >> (63 - (least as usize | classes.split.low_bits()));
        let mut open = !covered & classes.rare[parity][0] & below;
        while open != 0 {
            let wanted = classes.rare_values[parity][open.trailing_zeros() as usize];
            if wanted > value {
                break;
            }
            open &= open - 1;
            if !moves.splits.iter().any(|&i| self.searcher.splits_to(values, n - i, wanted)) {
                return Ok(wanted);
            }
        }
        Ok(value)
    }
}
