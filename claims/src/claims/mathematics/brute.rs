//! The plain solvers behind the claims: the definition of the Grundy value, and nothing else.
//!
//! The audit must not trust what it might have to correct, so it uses neither the kernels nor any theorem. A
//! counterexample is explained from a second computation, a search, that shares only the rules with the
//! first.

use crate::base::Mex;
use crate::claims::{Counterexample, Effort, Finding};
use crate::rules::notation::show_heaps;
use crate::rules::{HeapRules, Play};
use crate::search::memo::Memo;
use crate::space::{SortedHeaps, Space};

/// The time was up before a check was done.
#[derive(Debug)]
pub(crate) struct OutOfTime;

impl From<Result<Finding, OutOfTime>> for Finding {
    fn from(result: Result<Finding, OutOfTime>) -> Self {
        result.unwrap_or_else(|OutOfTime| Finding::unchecked("the time was up before the check was done"))
    }
}

/// The values of all positions of at most `heaps` heaps of at most `max` chips, of a game whose moves only
/// lower heaps.
pub(crate) struct Solved<'a> {
    rules: &'a HeapRules,
    play: Play,
    space: SortedHeaps,
    values: Vec<u32>,
}

impl<'a> Solved<'a> {
    /// The table in normal play.
    pub fn new(rules: &'a HeapRules, heaps: usize, max: u32, effort: &Effort) -> Result<Self, OutOfTime> {
        Self::in_play(rules, Play::Normal, heaps, max, effort)
    }

    /// Fills the table in the order of the index. Lowering entries of a sorted sequence lowers its sorted
    /// form in every place, hence its rank: all options are ready when they are needed.
    pub fn in_play(
        rules: &'a HeapRules,
        play: Play,
        heaps: usize,
        max: u32,
        effort: &Effort,
    ) -> Result<Self, OutOfTime> {
        let space = SortedHeaps::new(heaps, max).map_err(|_| OutOfTime)?;
        let mut values: Vec<u32> = Vec::with_capacity(space.len() as usize);
        let mut position = Vec::new();
        let mut seen = Mex::default();
        for index in 0..space.len() {
            if index % 4096 == 0 && effort.is_over() {
                return Err(OutOfTime);
            }
            space.unrank_into(index, &mut position);
            seen.clear();
            rules.options(&position, &mut |option| seen.insert(values[space.rank(option) as usize]));
            values.push(if seen.is_empty() { play.terminal_value().into() } else { seen.least() });
        }
        Ok(Self { rules, play, space, values })
    }

    /// The Grundy value; `heaps` may have fewer entries than the table has heaps.
    pub fn value(&self, heaps: &[u32]) -> u32 {
        let mut padded = vec![0; self.space.heaps() - heaps.len()];
        padded.extend_from_slice(heaps);
        self.values[self.space.rank(&padded) as usize]
    }

    /// Whether the player to move loses.
    pub fn is_p(&self, heaps: &[u32]) -> bool {
        self.value(heaps) == 0
    }

    /// The smallest sorted position (fewest chips, then first in order) with `wrong(position, value)`.
    pub fn smallest(&self, wrong: &mut dyn FnMut(&[u32], u32) -> bool) -> Option<Vec<u32>> {
        let mut best: Option<(u32, Vec<u32>)> = None;
        let mut position = Vec::new();
        for (index, &value) in self.values.iter().enumerate() {
            self.space.unrank_into(index as u64, &mut position);
            let chips = position.iter().sum();
            if best.as_ref().is_none_or(|(least, _)| chips < *least) && wrong(&position, value) {
                best = Some((chips, position.clone()));
            }
        }
        best.map(|(_, position)| position)
    }

    /// All sorted positions with `wrong(position, value)`, in the order of the index.
    pub fn all(&self, mut wrong: impl FnMut(&[u32], u32) -> bool) -> Vec<Vec<u32>> {
        let mut found = Vec::new();
        let mut position = Vec::new();
        for (index, &value) in self.values.iter().enumerate() {
            self.space.unrank_into(index as u64, &mut position);
            if wrong(&position, value) {
                found.push(position.clone());
            }
        }
        found
    }

    /// The smallest position in `scope` where being a P-position is not what is claimed.
    pub fn outcome_failure(
        &self,
        scope: impl Fn(&[u32]) -> bool,
        claimed_p: impl Fn(&[u32]) -> bool,
    ) -> Option<Counterexample> {
        self.smallest(&mut |heaps, value| scope(heaps) && claimed_p(heaps) != (value == 0))
            .map(|heaps| self.explain_outcome(&heaps))
    }

    /// The smallest position in `scope` whose value is not the claimed one.
    pub fn value_failure(
        &self,
        scope: impl Fn(&[u32]) -> bool,
        claimed: impl Fn(&[u32]) -> u32,
    ) -> Option<Counterexample> {
        self.smallest(&mut |heaps, value| scope(heaps) && claimed(heaps) != value).map(|heaps| {
            let mut found = explain_value(self.rules, self.play, &heaps);
            found.shows = format!("claimed {}, but it {}", claimed(&heaps), found.shows);
            found
        })
    }

    /// Why `heaps` is a P- or an N-position.
    pub fn explain_outcome(&self, heaps: &[u32]) -> Counterexample {
        let explained = explain_outcome(self.rules, self.play, heaps);
        debug_assert_eq!(self.is_p(heaps), Memo::new(self.rules, self.play).value(heaps) == 0);
        explained
    }
}

/// The options as the rules give them, without repetition.
pub(crate) fn options(rules: &HeapRules, position: &[u32]) -> Vec<Vec<u32>> {
    let mut found = Vec::new();
    rules.options(position, &mut |option| found.push(option.to_vec()));
    found.sort();
    found.dedup();
    found
}

/// The options of a heap game, each sorted, without repetition.
pub(crate) fn sorted_options(rules: &HeapRules, heaps: &[u32]) -> Vec<Vec<u32>> {
    let mut found = options(rules, heaps);
    for option in &mut found {
        option.sort_unstable();
    }
    found.sort();
    found.dedup();
    found
}

/// The value of one position of a heap game by a search.
pub(crate) fn by_recursion(rules: &HeapRules, heaps: &[u32]) -> u32 {
    Memo::new(rules, Play::Normal).value(heaps)
}

/// `[1,2,3]`.
pub(crate) fn show(heaps: &[u32]) -> String {
    show_heaps(heaps)
}

/// Several positions, such as `[1] [2,3]`.
pub(crate) fn show_all(positions: &[Vec<u32>]) -> String {
    positions.iter().map(|position| show(position)).collect::<Vec<_>>().join(" ")
}

/// The outcome of `heaps` with the options that show it, from a fresh search.
pub(crate) fn explain_outcome(rules: &HeapRules, play: Play, heaps: &[u32]) -> Counterexample {
    let mut memo = Memo::new(rules, play);
    let options = sorted_options(rules, heaps);
    let winning: Vec<_> = options.iter().filter(|option| memo.value(option) == 0).cloned().collect();
    let shows = if let Some(move_to) = winning.first() {
        format!("it is an N-position, because its option {} is a P-position", show(move_to))
    } else if options.is_empty() {
        let outcome = if memo.value(heaps) == 0 { "a P-position" } else { "an N-position" };
        format!("it is {outcome}, because it has no option")
    } else {
        format!("it is a P-position: its options {} are all N-positions", show_all(&options))
    };
    Counterexample::new(show(heaps), shows)
}

/// The value of `heaps` with the values of its options, from a fresh search.
pub(crate) fn explain_value(rules: &HeapRules, play: Play, heaps: &[u32]) -> Counterexample {
    let mut memo = Memo::new(rules, play);
    let value = memo.value(heaps);
    let options: Vec<String> = sorted_options(rules, heaps)
        .iter()
        .map(|option| format!("{}={}", show(option), memo.value(option)))
        .collect();
    let shows = match options.as_slice() {
        [] => format!("is worth {value}, because it has no option"),
        _ => format!("is worth {value}; the values of its options: {}", options.join(" ")),
    };
    Counterexample::new(show(heaps), shows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Minnie, Nim, Wynnie};

    #[test]
    fn both_solvers_agree() {
        for play in [Play::Normal, Play::Misere] {
            let wynnie = Wynnie::default();
            let games: [&HeapRules; 3] = [&Minnie, &Nim, &wynnie];
            for rules in games {
                let solved = Solved::in_play(rules, play, 3, 6, &Effort::default()).unwrap();
                let mut memo = Memo::new(rules, play);
                assert!(solved.all(|heaps, value| memo.value(heaps) != value).is_empty());
            }
        }
    }

    #[test]
    fn a_false_claim_is_refuted_with_the_smallest_position() {
        let nim = Nim;
        let solved = Solved::new(&nim, 2, 5, &Effort::default()).unwrap();
        let found = solved.outcome_failure(|_| true, |heaps| heaps[0] == heaps[1] && heaps[0] != 2).unwrap();
        assert_eq!(found.position, "[2,2]");
        assert!(found.shows.contains("[0,2] [1,2]"), "{}", found.shows);
        let found = solved.value_failure(|_| true, |heaps| heaps[0] | heaps[1]).unwrap();
        assert_eq!(found.position, "[1,1]");
    }
}
