//! Guessing a finite quotient from a table of outcomes.
//!
//! Two multisets count as equal when they have the same outcome beside every small context. The guess
//! needs no trust: [`super::finite_check`] decides. That is why this file may be simple, and why
//! nothing about the answer (threshold, period, classes) stands in the code.

use super::quotient::{Class, Letters, Quotient};
use crate::base::{Control, Error, Result};
use crate::rules::notation::show_heaps;
use crate::rules::{HeapRules, Play};
use crate::space::{SortedHeaps, Space};
use std::collections::HashMap;

/// Outcomes of all positions up to a number of heaps and a heap size.
pub trait Outcomes {
    /// Most heaps of a position that can be asked for.
    fn max_heaps(&self) -> usize;
    /// Largest heap of a position that can be asked for.
    fn max_size(&self) -> u32;
    /// Whether the position is a P-position. At most `max_heaps` heaps of at most `max_size`.
    fn is_p(&self, heaps: &[u32]) -> bool;
}

/// A table of outcomes that the learner solves for itself from the rules alone.
#[derive(Debug, Clone)]
pub struct LearningTable {
    space: SortedHeaps,
    p_positions: Vec<u64>,
}

impl LearningTable {
    /// Solves all positions of at most `heaps` heaps of at most `max` counters.
    ///
    /// The rules must never make a heap larger nor add heaps: then every option is earlier in the
    /// lexicographic order of sorted heaps, which is checked at every option.
    pub fn solve(
        rules: &HeapRules,
        play: Play,
        heaps: usize,
        max: u32,
        control: &Control<'_>,
    ) -> Result<Self> {
        let space = SortedHeaps::new(heaps, max)?;
        let mut table = Self { p_positions: vec![0; space.len().div_ceil(64) as usize], space };
        let mut position = Vec::new();
        for index in 0..table.space.len() {
            if index % 4096 == 0 {
                control.check()?;
            }
            table.space.unrank_into(index, &mut position);
            let (mut terminal, mut reaches_p, mut backwards) = (true, false, true);
            rules.options(&position, &mut |option| {
                terminal = false;
                if !reaches_p {
                    let rank = table.space.rank(option);
                    backwards &= rank < index;
                    reaches_p = table.bit(rank);
                }
            });
            if !backwards {
                return Err(Error::Usage(format!(
                    "an option of {} is not smaller in every heap; this game is not a game of subtracting from heaps",
                    show_heaps(position)
                )));
            }
            let is_p = if terminal { play == Play::Normal } else { !reaches_p };
            table.p_positions[(index / 64) as usize] |= u64::from(is_p) << (index % 64);
        }
        Ok(table)
    }

    fn bit(&self, rank: u64) -> bool {
        self.p_positions[(rank / 64) as usize] >> (rank % 64) & 1 == 1
    }
}

impl Outcomes for LearningTable {
    fn max_heaps(&self) -> usize {
        self.space.heaps()
    }

    fn max_size(&self) -> u32 {
        self.space.max()
    }

    fn is_p(&self, heaps: &[u32]) -> bool {
        let mut position = [0u32; crate::space::MAX_HEAPS];
        let position = &mut position[..self.space.heaps()];
        position[..heaps.len()].copy_from_slice(heaps);
        position.sort_unstable();
        self.bit(self.space.rank_sorted(position))
    }
}

/// All multisets of at most `length` heaps of sizes `1..=max`, shortest first.
fn contexts(length: usize, max: u32) -> Vec<Vec<u32>> {
    let mut all: Vec<Vec<u32>> = vec![vec![]];
    let mut first_of_longest = 0;
    for _ in 0..length {
        let end = all.len();
        for index in first_of_longest..end {
            for size in all[index].last().copied().unwrap_or(1)..=max {
                let longer = [all[index].as_slice(), &[size]].concat();
                all.push(longer);
            }
        }
        first_of_longest = end;
    }
    all
}

/// The outcomes of a multiset beside every context, as bits.
fn signature(outcomes: &dyn Outcomes, heaps: &[u32], contexts: &[Vec<u32>]) -> Vec<u64> {
    let mut bits = vec![0u64; contexts.len().div_ceil(64)];
    let mut position = heaps.to_vec();
    for (i, context) in contexts.iter().enumerate() {
        position.truncate(heaps.len());
        position.extend_from_slice(context);
        bits[i / 64] |= u64::from(outcomes.is_p(&position)) << (i % 64);
    }
    bits
}

/// The letters with the fewest sizes that the table allows: `size` and `size + period` have the same
/// outcomes beside every context of the table, for all sizes from the threshold on.
///
/// At least one whole period beyond the first must be in the table, otherwise any period would do.
pub fn learn_letters(outcomes: &dyn Outcomes) -> Option<Letters> {
    let max = outcomes.max_size();
    let all = contexts(outcomes.max_heaps() - 1, max);
    let signatures: Vec<Vec<u64>> = (0..=max).map(|size| signature(outcomes, &[size], &all)).collect();
    for count in 2..=max as usize {
        for period in 1..count {
            let threshold = count - period;
            if threshold + 2 * period > max as usize {
                continue;
            }
            let repeats = |size: usize| signatures[size] == signatures[size + period];
            if (threshold..=max as usize - period).all(repeats) {
                return Letters::new(threshold as u64, period as u64).ok();
            }
        }
    }
    None
}

/// The number of sizes that the table tells apart: for a game with a finite quotient it stops growing.
pub fn different_heaps(outcomes: &dyn Outcomes) -> usize {
    let all = contexts(outcomes.max_heaps() - 1, outcomes.max_size());
    let sizes = 0..=outcomes.max_size();
    sizes.map(|size| signature(outcomes, &[size], &all)).collect::<std::collections::HashSet<_>>().len()
}

/// What came out of an attempt to learn classes.
#[derive(Debug, Clone)]
pub enum Learned {
    /// Every class times every letter was seen again: a finite candidate.
    Closed(Quotient),
    /// The table has too few heaps, or there are too many classes: this many were seen until then.
    Open {
        /// Classes seen.
        classes: usize,
        /// Heaps of the longest representative.
        heaps: usize,
    },
}

/// Classes of multisets over the letters, told apart by contexts of at most `context` heaps.
pub fn learn_classes(
    outcomes: &dyn Outcomes,
    letters: Letters,
    context: usize,
    most_classes: usize,
    control: &Control<'_>,
) -> Result<Learned> {
    let last = (letters.count() - 1) as u32;
    if last > outcomes.max_size() || context + 1 > outcomes.max_heaps() {
        return Err(Error::Usage(format!(
            "a table of {} heaps up to {} is too small to learn {} letters with contexts of {context} heaps; solve a larger one",
            outcomes.max_heaps(),
            outcomes.max_size(),
            letters.count()
        )));
    }
    let contexts = contexts(context, last);
    let mut representatives: Vec<Vec<u32>> = vec![vec![]];
    let mut known: HashMap<Vec<u64>, Class> = HashMap::from([(signature(outcomes, &[], &contexts), 0)]);
    let mut accepted = vec![outcomes.is_p(&[])];
    let mut rows: Vec<Vec<Class>> = Vec::new();
    while rows.len() < representatives.len() {
        control.check()?;
        let class = rows.len();
        let representative = representatives[class].clone();
        let too_long = representative.len() + 1 + context > outcomes.max_heaps();
        if too_long || representatives.len() > most_classes {
            let heaps = representatives.last().map_or(0, Vec::len);
            return Ok(Learned::Open { classes: representatives.len(), heaps });
        }
        let mut row = vec![class as Class];
        for letter in 1..=last {
            let heaps = [representative.as_slice(), &[letter]].concat();
            let next = representatives.len() as Class;
            let reached = *known.entry(signature(outcomes, &heaps, &contexts)).or_insert(next);
            if reached == next {
                accepted.push(outcomes.is_p(&heaps));
                representatives.push(heaps);
            }
            row.push(reached);
        }
        rows.push(row);
    }
    let representatives = representatives
        .into_iter()
        .map(|heaps| {
            let mut heaps: Vec<u64> = heaps.into_iter().map(u64::from).collect();
            heaps.sort_unstable();
            heaps
        })
        .collect();
    let quotient = Quotient::new(letters, &rows, accepted, representatives)
        .map_err(|malformed| Error::Usage(malformed.0))?;
    Ok(Learned::Closed(quotient))
}
