//! A theorem in words: for each smallest heap the others by residues and differences, where that is possible.
//!
//! The words are guessed from what the automaton says of small heaps, and only those are kept that the
//! decision of claims proves for all sizes.

use super::{Budget, DecidedTheorem, Decision};
use crate::base::Result;

/// Smallest heaps that are described.
const LARGEST_SMALLEST: u32 = 7;
/// The periods that are tried, and where they begin at the latest.
const PERIODS: [usize; 8] = [1, 2, 3, 4, 6, 8, 12, 16];
const LATEST: usize = 20;
/// More cases than these are not worth reading.
const MOST_CASES: usize = 8;

/// A set of numbers that repeats from `start` on with a period: the first `start + period` are listed.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Periodic {
    start: usize,
    period: usize,
    members: Vec<bool>,
}

impl Periodic {
    fn contains(&self, number: usize) -> bool {
        let place = match number.checked_sub(self.start) {
            Some(beyond) => self.start + beyond % self.period,
            None => number,
        };
        self.members[place]
    }

    /// The set as a condition on `name`; `None` where every number is in it.
    fn describe(&self, name: &str) -> Option<String> {
        let period = (1..=self.period)
            .filter(|period| self.period % period == 0)
            .find(|period| {
                (self.start..self.start + self.period).all(|n| self.contains(n) == self.contains(n + period))
            })
            .unwrap_or(self.period);
        let repeats = |n: &usize| self.contains(*n) == self.contains(n + period * (self.start + 1));
        let start = (0..=self.start).rev().take_while(|n| *n == self.start || repeats(n)).last().unwrap_or(0);
        let excluded: Vec<usize> = (0..start).filter(|&n| !self.contains(n)).collect();
        if (start..start + period).all(|n| self.contains(n))
            && !excluded.is_empty()
            && excluded.len() * 2 < start
        {
            return Some(match excluded[..] {
                [one] => format!("{name} != {one}"),
                _ => format!("{name} not in {{{}}}", joined(&excluded)),
            });
        }
        let mut parts = Vec::new();
        let single: Vec<usize> = (0..start).filter(|&n| self.contains(n)).collect();
        match single[..] {
            [] => {}
            [one] => parts.push(format!("{name} = {one}")),
            _ => parts.push(format!("{name} in {{{}}}", joined(&single))),
        }
        let mut residues: Vec<usize> =
            (start..start + period).filter(|&n| self.contains(n)).map(|n| n % period).collect();
        residues.sort_unstable();
        let from = (start > 0).then(|| format!("{name} >= {start}"));
        let of = if name.contains(' ') { format!("({name})") } else { name.to_string() };
        let residue = match residues[..] {
            [] => None,
            _ if residues.len() == period => Some(None),
            [one] => Some(Some(format!("{of} % {period} = {one}"))),
            _ => Some(Some(format!("{of} % {period} in {{{}}}", joined(&residues)))),
        };
        match (from, residue) {
            (_, None) => {}
            (None, Some(None)) => return None,
            (Some(one), Some(None)) | (None, Some(Some(one))) => parts.push(one),
            (Some(from), Some(Some(residue))) if single.is_empty() => {
                parts.push(format!("{from} and {residue}"))
            }
            (Some(from), Some(Some(residue))) => parts.push(format!("({from} and {residue})")),
        }
        Some(if parts.is_empty() { "false".into() } else { parts.join(" or ") })
    }

    fn is_empty(&self) -> bool {
        self.members.iter().all(|member| !member)
    }
}

fn joined(numbers: &[usize]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

impl DecidedTheorem {
    /// Claims that together describe the P-positions with small smallest heaps, each decided to be true;
    /// nothing where there are no such words for two or three heaps.
    pub fn in_words(&self, budget: &Budget<'_>) -> Result<Vec<String>> {
        let (heaps, mut words) = (self.heaps(), Vec::new());
        if !(2..=3).contains(&heaps) {
            return Ok(words);
        }
        let is_true =
            |claim: &str| Ok::<_, crate::base::Error>(self.decide(claim, budget)? == Decision::True);
        let limit = self.smallest.unwrap_or(LARGEST_SMALLEST).min(LARGEST_SMALLEST);
        let mut none_beyond = None;
        for smallest in 0..=limit {
            let claim = format!("a > {smallest} implies not P");
            if is_true(&claim)? {
                none_beyond = Some((smallest, claim));
                break;
            }
        }
        let last = none_beyond.as_ref().map_or(limit, |(smallest, _)| *smallest);
        for smallest in 0..=last {
            let Some(claims) = self.slice_in_words(smallest) else { return Ok(Vec::new()) };
            for claim in claims {
                if !is_true(&claim)? {
                    return Ok(Vec::new());
                }
                words.push(claim);
            }
        }
        words.extend(none_beyond.filter(|(last, _)| self.smallest != Some(*last)).map(|(_, claim)| claim));
        Ok(words)
    }

    /// Guesses about the positions with this smallest heap.
    fn slice_in_words(&self, smallest: u32) -> Option<Vec<String>> {
        let is_p = |others: &[usize]| {
            let mut position = vec![u128::from(smallest)];
            position.extend(others.iter().map(|&heap| heap as u128));
            self.sets[0].contains(&position)
        };
        let given = format!("a = {smallest}");
        if self.heaps() == 2 {
            let set = periodic(smallest as usize, |b| is_p(&[b]))?;
            return Some(vec![sentence(&given, None, &set, "b")]);
        }
        // The rows of different b, each a set of differences; then the b that have the same row.
        const SEEN: usize = LATEST + 2 * 16;
        let first = smallest as usize;
        let row = |b: usize| (0..SEEN).map(|difference| is_p(&[b, b + difference])).collect::<Vec<_>>();
        let rows: Vec<Vec<bool>> = (first..first + SEEN).map(row).collect();
        let (start, period) = PERIODS.iter().find_map(|&period| {
            let fits = |&start: &usize| (start..SEEN - period).all(|b| rows[b] == rows[b + period]);
            Some((first + (0..=LATEST).find(fits)?, period))
        })?;
        let mut cases: Vec<Periodic> = Vec::new();
        let mut case_of = Vec::new();
        for b in 0..start + period {
            let row = periodic(0, |difference| is_p(&[b.max(first), b.max(first) + difference]))?;
            let case = cases.iter().position(|known| known.describe("d") == row.describe("d"));
            case_of.push(case.unwrap_or(cases.len()));
            if case.is_none() {
                cases.push(row);
            }
        }
        let case_at = |b: usize| case_of[if b < start { b } else { start + (b - start) % period }];
        let sentence = |(case, row): (usize, &Periodic)| {
            let of = periodic(first, |b| case_at(b) == case)?;
            Some(sentence(&given, of.describe("b").as_deref(), row, "c - b"))
        };
        (cases.len() <= MOST_CASES).then(|| cases.iter().enumerate().map(sentence).collect())?
    }
}

/// "a = 3 and b > 3 implies (P iff ...)".
fn sentence(given: &str, and: Option<&str>, set: &Periodic, name: &str) -> String {
    let given = match and {
        Some(and) if and.contains(" or ") => format!("{given} and ({and})"),
        Some(and) => format!("{given} and {and}"),
        None => given.to_string(),
    };
    match set.describe(name) {
        _ if set.is_empty() => format!("{given} implies not P"),
        None => format!("{given} implies P"),
        Some(condition) => format!("{given} implies (P iff {condition})"),
    }
}

/// The set that repeats, if the numbers from `first` on look like it; those before it do not matter, and are
/// taken to be what makes the description shorter.
fn periodic(first: usize, contains: impl Fn(usize) -> bool) -> Option<Periodic> {
    const SEEN: usize = LATEST + 4 * 16;
    let seen: Vec<bool> = (0..SEEN).map(|n| n >= first && contains(n)).collect();
    PERIODS.iter().find_map(|&period| {
        let mut filled = seen.clone();
        (0..first).rev().for_each(|n| filled[n] = filled[n + period]);
        let fitting = |members: &Vec<bool>| {
            let fits = |&start: &usize| (start..SEEN - period).all(|n| members[n] == members[n + period]);
            let start = (0..=LATEST).find(fits)?;
            Some(Periodic { start, period, members: members[..start + period].to_vec() })
        };
        let length = |set: &Periodic| set.describe("b").map_or(0, |text| text.len());
        [&seen, &filled].into_iter().filter_map(fitting).min_by_key(length)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_described_briefly() {
        let described = |contains: fn(usize) -> bool| periodic(0, contains).unwrap().describe("b");
        assert_eq!(described(|_| true), None);
        assert_eq!(described(|_| false).unwrap(), "false");
        assert_eq!(described(|n| n % 4 == 3).unwrap(), "b % 4 = 3");
        assert_eq!(described(|n| n >= 8 && n % 4 == 0).unwrap(), "b >= 5 and b % 4 = 0");
        assert_eq!(described(|n| n == 7).unwrap(), "b = 7");
        assert_eq!(
            described(|n| n == 1 || n == 3 || (n > 4 && n % 2 == 0)).unwrap(),
            "b in {1, 3} or (b >= 5 and b % 2 = 0)"
        );
        assert_eq!(described(|n| n != 5).unwrap(), "b != 5");
        assert!(periodic(0, |n| n == 70).is_none() && periodic(0, |n| n.is_power_of_two()).is_none());
    }
}
