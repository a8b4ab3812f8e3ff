//! In which order heaps are marked, learned from the last heaps.
//!
//! Games with many rare heaps are far from random: their values follow hidden phases, so that a partner is
//! worth much to some heaps and nothing to others, and the values that few partners give need just those. So
//! the partners are tried on a sample, the last heaps, whose values are known. Each value of which one would
//! like to know that it is an option has a weight, which each partner that gives it halves; those partners
//! come first that give the most weight.
//!
//! Only the speed depends on the order.

use super::super::naive::Moves;
use super::classes::Classes;

/// The heaps of a run of the sample: neighbours, so that all phases occur.
pub(super) const SAMPLE: usize = 16;
/// Values so far above the value of a heap are of interest, too: they are the next candidates.
pub(super) const ABOVE: usize = 16;
/// The weight of a value that no partner has given yet.
const FRESH: u8 = 128;

/// Some heaps and the weights of their options.
pub(super) struct Sample<'a> {
    moves: &'a Moves,
    values: &'a [u16],
    bits: u32,
    /// The first heaps of the runs.
    starts: Vec<usize>,
    /// By heap and value.
    weights: Vec<u8>,
}

impl<'a> Sample<'a> {
    /// The sample for partners that should give common (rare) values, up to `above` beyond the value of a heap: runs
    /// of heaps from `starts` on.
    pub fn new(
        classes: &Classes,
        moves: &'a Moves,
        values: &'a [u16],
        (common, above): (bool, usize),
        starts: Vec<usize>,
    ) -> Self {
        let bits = classes.split.bits;
        let weight = |n: usize, value: usize| {
            let wanted =
                value < usize::from(values[n]) + above && classes.is_common(value as u16, n) == common;
            if wanted { FRESH } else { 0 }
        };
        let heaps = starts.iter().flat_map(|&start| start..start + SAMPLE);
        let weights = heaps.flat_map(|n| (0..1 << bits).map(move |value| (n, value)));
        let weights = weights.map(|(n, value)| weight(n, value)).collect();
        Self { moves, values, bits, starts, weights }
    }

    /// Visits the weights of the options that a partner gives.
    #[inline]
    fn visit(&mut self, partner: usize, mut visit: impl FnMut(&mut u8)) {
        let runs = self.starts.iter().zip(self.weights.chunks_exact_mut(SAMPLE << self.bits));
        for (start, weights) in runs {
            for i in &self.moves.splits {
                let Some(first) = start.checked_sub(partner + i) else { continue };
                let others = &self.values[first..first + SAMPLE];
                for (&other, weights) in others.iter().zip(weights.chunks_exact_mut(1 << self.bits)) {
                    // The mask is for values that the caller has changed.
                    let option = usize::from(other ^ self.values[partner]) & (weights.len() - 1);
                    visit(&mut weights[option]);
                }
            }
        }
    }

    /// The weight of the options that a partner gives.
    fn gain(&mut self, partner: usize) -> u32 {
        let mut gain = 0;
        self.visit(partner, |weight| gain += u32::from(*weight));
        gain
    }

    /// Brings partners into the order in which they should be marked; of the first `most` of them at least, the others follow as
    /// they are.
    pub fn order(&mut self, partners: impl Iterator<Item = usize>, most: usize) -> Vec<u32> {
        let mut left: Vec<(usize, u32)> = partners.map(|partner| (partner, self.gain(partner))).collect();
        let mut order = Vec::with_capacity(left.len());
        let mut level = left.iter().map(|partner| partner.1).max().unwrap_or(0);
        // Gains only fall: a partner whose gain was below the level when last looked at is below it now.
        while level > u32::from(FRESH) / 4 && order.len() < most {
            level -= level / 6;
            left.retain_mut(|(partner, gain)| {
                if *gain >= level {
                    *gain = self.gain(*partner);
                }
                let take = *gain >= level;
                if take {
                    order.push(*partner as u32);
                    self.visit(*partner, |weight| *weight /= 2);
                }
                !take
            });
        }
        order.extend(left.iter().map(|partner| partner.0 as u32));
        order
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::naive::naive_sequence;
    use super::super::super::split::Histogram;
    use super::*;
    use crate::rules::OctalGame;

    #[test]
    fn all_partners_come_and_one_with_the_most_weight_is_first() {
        let game: OctalGame = "0.3337".parse().unwrap();
        let values = naive_sequence(&game, 3000).unwrap();
        let moves = Moves::new(&game);
        let mut histogram = Histogram::default();
        values.iter().enumerate().for_each(|(n, &value)| histogram.add(value, n));
        let bits = u16::BITS - histogram.max().leading_zeros();
        let (split, _) = histogram.best_split(bits, &moves.splits);
        let classes = Classes::new(split);
        for common in [false, true] {
            let mut sample = Sample::new(&classes, &moves, &values, (common, 0), vec![3000 - SAMPLE]);
            let gains: Vec<u32> = (1..2999).map(|partner| sample.gain(partner)).collect();
            let order = sample.order(1..2999, 2998);
            // Within a level, a third below the best, the first in the list comes first.
            let most = gains.iter().max().unwrap();
            assert!(*most > 0 && gains[order[0] as usize - 1] >= most - most / 3);
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert!(sorted.into_iter().eq(1..2999));
            assert!(!order.is_sorted());
            // What was taken has less weight now.
            assert!(sample.gain(order[0] as usize) < gains[order[0] as usize - 1]);
        }
    }
}
