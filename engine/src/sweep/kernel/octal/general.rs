//! Codes beyond octal games: three heaps, parts that must differ, digits that repeat without end.
//!
//! Moves that leave at most two heaps are gone through by the definition. Of those that leave three, only the
//! values that the mex asks about are looked for: v is the value of a split of m into three exactly if for some
//! smallest part c the sum v XOR G(c) is that of a split of m − c into two, and these sums are kept as a row of
//! bits for every m. Most values are found after a few c, and the mex itself after m/3 of them. Where the
//! digits repeat with period L from index h on, the moves that take h + L or more from n leave what those from
//! n − L leave with L counters less taken: so one growing set for each class of n modulo L holds them all, and
//! a heap adds what its first L of these moves leave.

use super::naive::too_large;
use crate::base::{Error, Result, machine};
use crate::rules::{Digit, OctalGame};

/// Computes the sequence of any code.
pub(super) struct General {
    /// The digits before those that repeat.
    head: Vec<Digit>,
    /// Those that repeat.
    block: Vec<Digit>,
    /// For each class of heaps modulo the length of the block, the values of the moves by repeating digits.
    endless: Vec<Growing>,
    /// The sums of two heaps, where some move leaves three.
    pairs: Option<Pairs>,
    /// `seen[x] == n + 1`: the value x is an option of heap n.
    seen: Vec<u64>,
    known: usize,
}

/// A set of values that only grows.
#[derive(Default, Clone)]
struct Growing {
    has: Vec<bool>,
    /// All values below are in the set.
    full_below: usize,
}

impl Growing {
    fn add(&mut self, value: u16) {
        let value = usize::from(value);
        if self.has.len() <= value {
            self.has.resize(value + 1, false);
        }
        self.has[value] = true;
        while self.has.get(self.full_below) == Some(&true) {
            self.full_below += 1;
        }
    }
}

/// For each m, the set of G(a) XOR G(b) over a + b = m, a and b at least 1, as bits.
#[derive(Default)]
struct Pairs {
    rows: Vec<u64>,
    /// Words per row: a power of two, for all sums of values so far.
    words: usize,
    count: usize,
}

impl Pairs {
    fn has(&self, m: usize, value: u16) -> bool {
        let word = usize::from(value >> 6);
        word < self.words && self.rows[m * self.words + word] >> (value & 63) & 1 == 1
    }

    /// Adds the rows below `count`, for which the values below `count - 1` must be known.
    fn grow(&mut self, values: &[u16], count: usize) -> Result<()> {
        while self.count < count {
            let m = self.count;
            let largest = values[..m].iter().copied().max().unwrap_or(0);
            let words = (usize::from(largest) + 1).next_power_of_two().div_ceil(64).max(self.words);
            self.widen(words, m + 1)?;
            let row = &mut self.rows[m * words..];
            for a in 1..=m / 2 {
                let sum = values[a] ^ values[m - a];
                row[usize::from(sum >> 6)] |= 1 << (sum & 63);
            }
            self.count += 1;
        }
        Ok(())
    }

    /// Makes room for `count` rows of so many words.
    fn widen(&mut self, words: usize, count: usize) -> Result<()> {
        /// Looked at only where it may matter.
        const SMALL: usize = 64 << 20;
        let bytes = 16 * words * count;
        if bytes > SMALL && machine::available_memory().is_some_and(|have| bytes as u64 > have) {
            return Err(Error::Budget(format!(
                "the sums of two heaps below {count} do not fit into memory; ask for fewer terms"
            )));
        }
        if words > self.words {
            let mut wide = vec![0; words * count];
            if self.words > 0 {
                let rows = self.rows.chunks_exact(self.words).take(self.count);
                rows.zip(wide.chunks_exact_mut(words))
                    .for_each(|(row, to)| to[..row.len()].copy_from_slice(row));
            }
            (self.rows, self.words) = (wide, words);
        } else {
            self.rows.resize(words * count, 0);
        }
        Ok(())
    }
}

impl General {
    pub fn new(game: &OctalGame) -> Self {
        let code: Vec<Digit> = (0..=game.last_index()).map(|taken| game.digit(taken as u64)).collect();
        let (head, block) = code.split_at(code.len() - game.repeating());
        let three = code.iter().any(|digit| digit.bits & 8 != 0 && !digit.different);
        Self {
            head: head.to_vec(),
            block: block.to_vec(),
            endless: vec![Growing::default(); block.len()],
            pairs: three.then(Pairs::default),
            seen: vec![0; 1 << 16],
            known: 0,
        }
    }

    /// Fills `values[known..]`, where `values[..known]` is known.
    pub fn extend(&mut self, values: &mut [u16], known: usize) -> Result<()> {
        if known != self.known {
            self.endless.iter_mut().for_each(|set| *set = Growing::default());
            self.pairs = self.pairs.take().map(|_| Pairs::default());
            self.seen.fill(0);
            self.known = 0;
        }
        while self.known < values.len() {
            let n = self.known;
            self.prepare(values, n)?;
            if n >= known {
                values[n] = self.value(values, n)?;
            }
            self.known += 1;
        }
        Ok(())
    }

    /// Adds what all heaps from `n` on need: sums of two heaps, and the moves from `n` by repeating digits.
    fn prepare(&mut self, values: &[u16], n: usize) -> Result<()> {
        if let Some(pairs) = &mut self.pairs {
            pairs.grow(values, n)?;
        }
        let length = self.block.len();
        for (i, &digit) in self.block.iter().enumerate() {
            let Some(rest) = n.checked_sub(self.head.len() + i) else { break };
            let set = &mut self.endless[n % length];
            left(digit, rest, values, &mut |value| set.add(value));
            if let (Some(pairs), true) = (&self.pairs, digit.bits & 8 != 0 && !digit.different) {
                for c in 1..=rest / 3 {
                    let row = &pairs.rows[(rest - c) * pairs.words..][..pairs.words];
                    each_bit(row, |sum| set.add(sum ^ values[c]));
                }
            }
        }
        Ok(())
    }

    /// G(n), after [`Self::prepare`].
    fn value(&mut self, values: &[u16], n: usize) -> Result<u16> {
        let stamp = n as u64 + 1;
        let mut in_three = Vec::new();
        for (taken, &digit) in self.head.iter().enumerate() {
            let Some(rest) = n.checked_sub(taken) else { break };
            let seen = &mut self.seen;
            left(digit, rest, values, &mut |value| seen[usize::from(value)] = stamp);
            if digit.bits & 8 != 0 && !digit.different && rest >= 3 {
                in_three.push(rest);
            }
        }
        let endless = (!self.block.is_empty()).then(|| &self.endless[n % self.block.len()]);
        let first = endless.map_or(0, |set| set.full_below);
        let is_option = |value: usize| {
            let split = |&rest: &usize| {
                let Some(pairs) = &self.pairs else { return false };
                (1..=rest / 3).any(|c| pairs.has(rest - c, value as u16 ^ values[c]))
            };
            self.seen[value] == stamp
                || endless.is_some_and(|set| set.has.get(value) == Some(&true))
                || in_three.iter().any(split)
        };
        match (first..1 << 16).find(|&value| !is_option(value)) {
            Some(mex) => Ok(mex as u16),
            None => Err(too_large(n)),
        }
    }
}

/// Calls `visit` with the values of what a digit leaves of `rest` counters, except three heaps that may be equal.
fn left(digit: Digit, rest: usize, values: &[u16], visit: &mut dyn FnMut(u16)) {
    let Digit { bits, different } = digit;
    if bits & 1 != 0 && rest == 0 {
        visit(0);
    }
    if bits & 2 != 0 && rest > 0 {
        // Taking nothing and leaving one heap is not a move: d0 has no such bit.
        visit(values[rest]);
    }
    if bits & 4 != 0 && rest > 1 {
        let most = if different { (rest - 1) / 2 } else { rest / 2 };
        (1..=most).for_each(|a| visit(values[a] ^ values[rest - a]));
    }
    if bits & 8 != 0 && different {
        // c < b < a.
        for c in 1..=rest / 3 {
            let pair = rest - c;
            (c + 1..=(pair - 1) / 2).for_each(|b| visit(values[c] ^ values[b] ^ values[pair - b]));
        }
    }
}

/// Calls `visit` with the places of the bits that are set.
fn each_bit(words: &[u64], mut visit: impl FnMut(u16)) {
    for (place, &word) in words.iter().enumerate() {
        let mut word = word;
        while word != 0 {
            visit((place as u16) << 6 | word.trailing_zeros() as u16);
            word &= word - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Engine, EngineOptions};
    use super::*;

    /// The mex over the options that the rules list.
    fn by_rules(game: &OctalGame, terms: usize) -> Vec<u16> {
        let mut values: Vec<u16> = Vec::new();
        for n in 0..terms as u64 {
            let mut options = Vec::new();
            game.each_option(n, u64::MAX, &mut |parts| {
                options.push(parts.iter().fold(0, |sum, &part| sum ^ values[part as usize]));
            });
            values.push((0..).find(|value| !options.contains(value)).unwrap());
        }
        values
    }

    #[test]
    fn all_kinds_of_codes_have_the_values_of_their_rules() {
        let codes = [
            "0.8",
            "0.F",
            "0.3F",
            "8.0",
            "C.8",
            "0.08",
            "0.2048",
            "0.3F!",
            "4!.7",
            "8!.3",
            "0.[3]",
            "0.[03]",
            "0.7[03]",
            "0.[7]",
            "0.3[F]",
            "0.[8!3]",
            "4.[012]",
            "8.3[4...]",
            "all-but 1,2,3",
            "all-but 2,5",
            "0.[6]",
            "0.A[0C]",
        ];
        for code in codes {
            let game = OctalGame::read(code).unwrap();
            assert!(!game.is_octal(), "{code}");
            let expected = by_rules(&game, 90);
            for cuts in [vec![90], vec![1, 2, 17, 64, 90]] {
                let mut engine = Engine::new(&game, EngineOptions::default());
                let mut values = Vec::new();
                for cut in cuts {
                    let known = values.len();
                    values.resize(cut, 0);
                    engine.extend(&mut values, known).unwrap();
                }
                assert_eq!(values, expected, "{code}");
                // From a beginning that another engine has computed.
                let mut again = expected[..40].to_vec();
                again.resize(90, 0);
                Engine::new(&game, EngineOptions::default()).extend(&mut again, 40).unwrap();
                assert_eq!(again, expected, "{code}");
            }
        }
    }

    #[test]
    fn golden_values_of_codes_beyond_octal_games() {
        let golden = include_str!("../../../../../data/golden/take-and-break.tsv");
        let mut lines = 0;
        for line in golden.lines().filter(|line| line.starts_with("values\t")) {
            let fields: Vec<&str> = line.split('\t').collect();
            let game = OctalGame::read(fields[1]).unwrap();
            let expected: Vec<u16> = fields[2].split(',').map(|value| value.parse().unwrap()).collect();
            let mut values = vec![0; expected.len()];
            Engine::new(&game, EngineOptions::default()).extend(&mut values, 0).unwrap();
            assert_eq!(values, expected, "{}", fields[1]);
            lines += 1;
        }
        assert!(lines >= 3, "{lines}");
    }

    /// Values are as large as heaps, and rows of sums are widened.
    #[test]
    fn large_values_widen_the_rows() {
        let game = OctalGame::read("0.3[B]").unwrap();
        let mut values = vec![0; 300];
        Engine::new(&game, EngineOptions::default()).extend(&mut values, 0).unwrap();
        assert_eq!(values, by_rules(&game, 300));
        assert!(values.iter().max() > Some(&127), "{values:?}");
    }
}
