//! Theorems for a fixed number of heaps, where no quotient of all multisets exists.
//!
//! For games in which a move takes at most the smallest heap from some heaps (minnie, mine, wynnie), the
//! outcome is claimed to depend on the smallest heap `a1 <= m` and on the letters of the *gaps* between
//! neighbouring heaps; positions with a larger smallest heap are claimed to be N. Gaps, not sizes,
//! because mine forbids equal heaps: equality is a gap of 0. The claim is solved from the rules on the
//! finitely many folded positions, and proved by checking it on a box of gaps that is `m` wider than
//! one period beyond the threshold (docs/PROOFS.md, theorem 2).

use super::quotient::Letters;
use crate::base::{Control, Error, Result};
use crate::rules::{HeapRules, Play};

/// Most folded positions that are solved.
const MAX_POSITIONS: u64 = 30_000_000;

/// A game that the lemma covers: its rules, and whether equal heaps are forbidden.
#[derive(Clone, Copy)]
pub struct GapGame<'a> {
    /// The rules. Every move takes between 1 and the smallest heap from one or several heaps, and whether
    /// it is legal depends on nothing but the smallest heap and which heaps of the result are equal; the
    /// smallest heap alone may be lowered to any positive size.
    pub rules: &'a HeapRules,
    /// Normal or misère play.
    pub play: Play,
    /// Whether positions with two equal heaps are not positions of the game.
    pub distinct: bool,
}

/// The claim: outcomes of at most `heaps` heaps by smallest heap and letters of gaps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FixedHeaps {
    play: Play,
    heaps: usize,
    letters: Letters,
    largest_min: u64,
    /// For each number of heaps `n >= 1`: bits indexed by smallest heap and gap letters.
    tables: Vec<Vec<bool>>,
}

/// A proved claim and what its check looked at.
#[derive(Debug, Clone)]
pub struct FixedTheorem {
    /// The proved claim.
    pub claim: FixedHeaps,
    /// Positions at which the Partition Theorem was checked.
    pub positions: u64,
}

impl FixedHeaps {
    /// Number of heaps up to which the claim speaks.
    pub fn heaps(&self) -> usize {
        self.heaps
    }

    /// Threshold and period of the gaps.
    pub fn letters(&self) -> Letters {
        self.letters
    }

    /// The bound `m`: with a larger smallest heap a position is N.
    pub fn largest_min(&self) -> u64 {
        self.largest_min
    }

    /// The claimed outcome of at most [`heaps`](Self::heaps) heaps of any sizes; heaps of 0 are absent.
    ///
    /// `None` if there are too many heaps.
    pub fn is_p(&self, heaps: &[u64]) -> Option<bool> {
        let mut sorted: Vec<u64> = heaps.iter().copied().filter(|&heap| heap > 0).collect();
        sorted.sort_unstable();
        (sorted.len() <= self.heaps).then(|| self.is_p_sorted(&sorted))
    }

    fn is_p_sorted(&self, heaps: &[u64]) -> bool {
        match heaps.first() {
            None => self.play == Play::Normal,
            Some(&smallest) if smallest > self.largest_min => false,
            Some(_) => self.tables[heaps.len() - 1][self.index(heaps)],
        }
    }

    fn index(&self, heaps: &[u64]) -> usize {
        let first = heaps[0] as usize - 1;
        heaps
            .windows(2)
            .fold(first, |index, pair| index * self.letters.count() + self.letters.of(pair[1] - pair[0]))
    }

    /// Solves the folded positions from the rules: an option is looked up at its folded position, which
    /// has no more counters, so the order by counters is an order of solution.
    pub fn solve(game: &GapGame<'_>, heaps: usize, letters: Letters, largest_min: u64) -> Result<Self> {
        let size = |n: usize| {
            (letters.count() as u64)
                .checked_pow(n as u32 - 1)
                .and_then(|boxes| boxes.checked_mul(largest_min))
        };
        let total = (1..=heaps).try_fold(0u64, |sum, n| sum.checked_add(size(n)?));
        if heaps == 0 || total.is_none_or(|total| total > MAX_POSITIONS) {
            return Err(Error::Budget(format!(
                "{heaps} heaps with {} letters and smallest heap up to {largest_min} make too many positions; lower the number of heaps",
                letters.count()
            )));
        }
        let play = game.play;
        let tables = (1..=heaps).map(|n| vec![false; size(n).unwrap_or(0) as usize]).collect();
        let mut claim = Self { play, heaps, letters, largest_min, tables };
        let mut order: Vec<(u64, u8, u32)> = Vec::new();
        let mut position = Vec::new();
        for n in 1..=heaps {
            for index in 0..claim.tables[n - 1].len() {
                claim.unfold(n, index, &mut position);
                order.push((position.iter().sum(), n as u8, index as u32));
            }
        }
        order.sort_unstable();
        for (_, n, index) in order {
            claim.unfold(n as usize, index as usize, &mut position);
            if is_legal(game, &position) {
                let is_p = claim.follows(game, &position);
                claim.tables[n as usize - 1][index as usize] = is_p;
            }
        }
        Ok(claim)
    }

    /// The folded position of an index, sorted.
    fn unfold(&self, n: usize, mut index: usize, position: &mut Vec<u64>) {
        let count = self.letters.count();
        position.clear();
        for _ in 1..n {
            position.push((index % count) as u64);
            index /= count;
        }
        position.push(index as u64 + 1);
        position.reverse();
        for i in 1..n {
            position[i] += position[i - 1];
        }
    }

    fn follows(&self, game: &GapGame<'_>, position: &[u64]) -> bool {
        follows_from(game.rules, game.play, position, &|option| self.is_p_sorted(option))
    }

    /// The finite check of theorem 2; the number of positions looked at, or a position at which it fails.
    pub fn check(&self, game: &GapGame<'_>) -> Result<u64, Vec<u64>> {
        // The empty position: minnie has no other terminal one, so nothing below would notice the wrong play.
        if self.play != game.play {
            return Err(Vec::new());
        }
        let side = (self.letters.count() as u64) + self.largest_min;
        let least_gap = u64::from(game.distinct);
        let mut looked_at = 0;
        for n in 1..=self.heaps {
            // (A) Smallest heap up to m: the Partition Theorem on the box of gaps below `side`.
            for smallest in 1..=self.largest_min {
                for_each_gaps(n - 1, least_gap, side, &mut |gaps| {
                    let position = from_gaps(smallest, gaps);
                    looked_at += 1;
                    let agrees = self.is_p_sorted(&position) == self.follows(game, &position);
                    if agrees { Ok(()) } else { Err(position) }
                })?;
            }
            // (B) Smallest heap above m: lowering it to some size up to m wins.
            self.check_cover(n, least_gap)?;
        }
        Ok(looked_at)
    }

    fn check_cover(&self, n: usize, least_gap: u64) -> Result<(), Vec<u64>> {
        let least_second = self.largest_min + 1 + least_gap;
        if n == 1 {
            let targets = (1..=self.largest_min).map(|to| vec![to]).chain([vec![]]);
            let wins = targets.into_iter().any(|option| self.is_p_sorted(&option));
            return if wins { Ok(()) } else { Err(vec![self.largest_min + 1]) };
        }
        let end = least_second.max(self.letters.threshold() + self.largest_min) + self.letters.period();
        for second in least_second..end {
            for_each_gaps(n - 2, least_gap, self.letters.count() as u64, &mut |gaps| {
                let mut option = from_gaps(second, gaps);
                option.insert(0, 0);
                let wins = (1..=self.largest_min).any(|to| {
                    option[0] = to;
                    self.is_p_sorted(&option)
                });
                option[0] = second - least_gap;
                if wins { Ok(()) } else { Err(option) }
            })?;
        }
        Ok(())
    }
}

/// The outcome of a position that follows from the claimed outcomes of its options, which `is_p` gets sorted.
pub(super) fn follows_from(
    rules: &HeapRules,
    play: Play,
    position: &[u64],
    is_p: &dyn Fn(&[u64]) -> bool,
) -> bool {
    let heaps: Vec<u32> = position.iter().map(|&heap| heap as u32).collect();
    let (mut terminal, mut reaches_p) = (true, false);
    let mut option = Vec::with_capacity(position.len());
    rules.options(&heaps, &mut |heaps| {
        terminal = false;
        if !reaches_p {
            option.clear();
            option.extend(heaps.iter().filter(|&&heap| heap > 0).map(|&heap| u64::from(heap)));
            option.sort_unstable();
            reaches_p = is_p(&option);
        }
    });
    if terminal { play == Play::Normal } else { !reaches_p }
}

fn is_legal(game: &GapGame<'_>, sorted: &[u64]) -> bool {
    !game.distinct || sorted.windows(2).all(|pair| pair[0] < pair[1])
}

/// The sorted heaps with this smallest heap and these gaps.
pub(super) fn from_gaps(smallest: u64, gaps: &[u64]) -> Vec<u64> {
    let mut position = vec![smallest];
    for &gap in gaps {
        position.push(position[position.len() - 1] + gap);
    }
    position
}

/// Calls `visit` with every sequence of `length` gaps in `least..end`, until it fails.
pub(super) fn for_each_gaps<E>(
    length: usize,
    least: u64,
    end: u64,
    visit: &mut dyn FnMut(&[u64]) -> Result<(), E>,
) -> Result<(), E> {
    let mut gaps = vec![least; length];
    loop {
        visit(&gaps)?;
        let Some(i) = gaps.iter().rposition(|&gap| gap + 1 < end) else { return Ok(()) };
        gaps[i] += 1;
        gaps[i + 1..].fill(least);
    }
}

/// Bounds of a search for a theorem about a fixed number of heaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FixedBounds {
    /// Largest threshold tried.
    pub threshold: u64,
    /// Largest period tried.
    pub period: u64,
    /// Largest `m` tried.
    pub largest_min: u64,
}

impl Default for FixedBounds {
    fn default() -> Self {
        Self { threshold: 16, period: 8, largest_min: 6 }
    }
}

/// Searches threshold, period and `m` for which the claim is proved, fewest letters first.
///
/// `None` means that nothing within the bounds is a theorem.
pub fn prove_fixed(
    game: &GapGame<'_>,
    heaps: usize,
    bounds: FixedBounds,
    control: &Control<'_>,
) -> Result<Option<FixedTheorem>> {
    // What fails for fewer heaps fails for more, so small claims weed out the candidates cheaply.
    for count in 2..=bounds.threshold + bounds.period {
        for period in 1..count.min(bounds.period + 1) {
            let threshold = count - period;
            if threshold > bounds.threshold {
                continue;
            }
            let letters = Letters::new(threshold, period).map_err(|malformed| Error::Usage(malformed.0))?;
            for largest_min in 1..=bounds.largest_min {
                control.check()?;
                control.observer.doing(&format!(
                    "gaps with threshold {threshold} and period {period}, smallest heaps up to {largest_min}"
                ));
                if let Some(theorem) = prove_with(game, heaps, letters, largest_min)? {
                    return Ok(Some(theorem));
                }
            }
        }
    }
    Ok(None)
}

fn prove_with(
    game: &GapGame<'_>,
    heaps: usize,
    letters: Letters,
    largest_min: u64,
) -> Result<Option<FixedTheorem>> {
    for n in 1..=heaps {
        let claim = FixedHeaps::solve(game, n, letters, largest_min)?;
        match claim.check(game) {
            Ok(positions) if n == heaps => return Ok(Some(FixedTheorem { claim, positions })),
            Ok(_) => {}
            Err(_) => return Ok(None),
        }
    }
    Ok(None)
}
