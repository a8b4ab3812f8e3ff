//! Arithmetic periods of hexadecimal games, proved.
//!
//! The theorem is that on arithmetic periods of finite codes in docs/PROOFS.md, "Codes beyond octal games", whose letters
//! are used here. It asks
//! for finitely many conditions on a sequence that continues G by its drift: (A) no option of a heap n has
//! the value G(n), since the parts of every family of options have too small a sum, or one of the wrong parity, or
//! other low digits; (B) each smaller value is the value of an option that is moved along with n. A drift that fails
//! them may well be real: it is seen then, and not proved.

use super::guy_smith::{self, Drift, observed_drift};
use crate::rules::OctalGame;

/// A multiple of a period is a period, too, and knows more low digits.
const MULTIPLES: [usize; 3] = [1, 2, 4];

/// V is looked for among so many multiples of the saltus.
const MOST_V: usize = 8;

/// Condition (B) is looked at for heaps below this, and no condition in more steps than this: a drift that asks for
/// more is not proved.
const MOST_HEAPS: usize = 1 << 13;
const MOST_WORK: usize = 1 << 31;

/// Whether the theorem speaks about `game`: a finite code, which may leave three heaps that are not asked to differ.
/// (It holds for octal games as well, but they have no arithmetic periods.)
pub fn covers(game: &OctalGame) -> bool {
    guy_smith::covers(game) && game.most_parts() == 3
}

/// An arithmetic period that is proved, and the letters of the theorem with which it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Proof {
    /// The arithmetic period.
    pub drift: Drift,
    /// The theorem is used with so many times the period.
    pub times: usize,
    /// V, in multiples of the saltus that it is used with.
    pub multiple: usize,
    /// n1.
    pub from: usize,
    /// How many of the first values the theorem asks for.
    pub terms: usize,
}

/// The arithmetic period of `game` that its values so far prove, if they do.
pub fn proved_drift(game: &OctalGame, values: &[u16]) -> Option<Drift> {
    prove(game, values).map(|proof| proof.drift)
}

/// The proof of the arithmetic period of `game` by its values so far, if they prove one.
pub fn prove(game: &OctalGame, values: &[u16]) -> Option<Proof> {
    if !covers(game) {
        return None;
    }
    let drift = observed_drift(values)?;
    MULTIPLES.into_iter().find_map(|times| {
        let pattern = Pattern::new(game, values, drift, times)?;
        let (from, multiple) = pattern.conditions()?;
        Some(Proof { drift, times, multiple, from, terms: pattern.terms(from) })
    })
}

/// A sequence with a drift, as far as it is known.
struct Pattern<'a> {
    game: &'a OctalGame,
    values: &'a [u16],
    /// The first heap from which on the drift is seen, at least 1.
    first: usize,
    /// p.
    period: usize,
    /// s.
    saltus: usize,
    /// g: 2^g is the largest power of two that divides s.
    low_bits: u32,
    /// For each class modulo p the least regular heap, a_r.
    starts: Vec<usize>,
    /// The heaps from 1 on that are not regular.
    exceptional: Vec<usize>,
}

/// An exceptional heap, or the first regular one of its class.
#[derive(Clone, Copy)]
struct Base {
    size: usize,
    value: usize,
    regular: bool,
}

/// How a value below G(n) is reached from n.
#[derive(Clone, Copy, Default)]
struct Reached {
    /// It is moved along: v + s is reached from n + p.
    moved: bool,
    /// It stays: v is reached from n + 2p.
    stays: bool,
    /// It stays in a way in which it may also be moved along.
    both: bool,
}

impl<'a> Pattern<'a> {
    /// The drift `times` over, if the values show it.
    fn new(game: &'a OctalGame, values: &'a [u16], seen: Drift, times: usize) -> Option<Self> {
        let period = seen.period.checked_mul(times)?;
        let saltus = usize::try_from(seen.saltus).ok()?.checked_mul(times)?;
        let first = seen.preperiod.max(1);
        // Then a multiple of the period proves the period itself, which holds among the known values.
        if saltus == 0 || period == 0 || first.saturating_add(period.saturating_mul(2)) > values.len() {
            return None;
        }
        let drifts = |n: usize| usize::from(values[n + period]) == usize::from(values[n]) + saltus;
        let start = |class: usize| {
            let mut start = first + (class + period - first % period) % period;
            while start > period && drifts(start - period) {
                start -= period;
            }
            start
        };
        let starts: Vec<usize> = (0..period).map(start).collect();
        let exceptional = (1..first).filter(|&n| n < starts[n % period]).collect();
        let holds = (1..values.len() - period).all(|n| n < starts[n % period] || drifts(n));
        let low_bits = saltus.trailing_zeros();
        holds.then_some(Self { game, values, first, period, saltus, low_bits, starts, exceptional })
    }

    /// n1 and V, in multiples of s, with which all conditions of the theorem hold.
    fn conditions(&self) -> Option<(usize, usize)> {
        // e* and N1 of the theorem; N is the number of known values.
        let last_exception = self.last_exception();
        let enough = self.game.last_index() + 3 * last_exception < self.values.len();
        // The theorem is true of any N1. What holds at one holds at all larger ones, but takes longer to see.
        let wide = 4 * (last_exception + 1 + self.period) + self.game.last_index();
        let most = self.values.len().min(MOST_HEAPS).checked_sub(2 * self.period);
        let from = most.map(|most| wide.min(most)).filter(|&from| enough && from > last_exception)?;
        Some((from, self.never_reaches_itself().then(|| self.reaches_all_below(from)).flatten()?))
    }

    /// e.
    fn last_exception(&self) -> usize {
        self.exceptional.last().copied().unwrap_or(0)
    }

    /// The least N that the theorem allows with this n1, and that shows the period itself beyond a multiple of it.
    fn terms(&self, from: usize) -> usize {
        let beyond_small_heaps = self.game.last_index() + 3 * self.last_exception() + 1;
        let last_start = self.starts.iter().copied().max().unwrap_or(0);
        let shown = self.first + 2 * self.period;
        (from + 2 * self.period).max(beyond_small_heaps).max(last_start + 1).max(shown)
    }

    fn value(&self, heap: usize) -> usize {
        usize::from(self.values[heap])
    }

    fn is_regular(&self, heap: usize) -> bool {
        heap >= self.starts[heap % self.period]
    }

    /// l: the digits that the saltus does not change.
    fn low(&self, value: usize) -> usize {
        value & ((1 << self.low_bits) - 1)
    }

    /// h: all other digits.
    fn high(&self, value: usize) -> usize {
        value >> self.low_bits
    }

    /// Whether a digit allows to leave so many heaps.
    fn leaves(&self, taken: usize, parts: usize) -> bool {
        self.game.digit(taken as u64).bits >> parts & 1 == 1
    }

    /// Condition (A).
    fn never_reaches_itself(&self) -> bool {
        let base = |regular: bool| move |&size: &usize| Base { size, value: self.value(size), regular };
        let bases: Vec<Base> =
            self.exceptional.iter().map(base(false)).chain(self.starts.iter().map(base(true))).collect();
        let count = bases.len();
        if count.saturating_pow(3).saturating_mul(self.game.last_index() + 1) / 6 > MOST_WORK {
            return false;
        }
        (0..count).all(|a| {
            self.differs(&[bases[a]])
                && (a..count).all(|b| {
                    self.differs(&[bases[a], bases[b]])
                        && (b..count).all(|c| self.differs(&[bases[a], bases[b], bases[c]]))
                })
        })
    }

    /// Whether no move that leaves these heaps, the regular ones as large as one likes, leaves the value of
    /// the heap itself.
    fn differs(&self, parts: &[Base]) -> bool {
        let regular = parts.iter().filter(|part| part.regular).count();
        let fixed = parts.iter().filter(|part| !part.regular).fold(0, |sum, part| sum ^ part.value);
        let moving = || parts.iter().filter(|part| part.regular);
        let low = moving().fold(self.low(fixed), |sum, part| sum ^ self.low(part.value));
        let high: usize = self.high(fixed) + moving().map(|part| self.high(part.value)).sum::<usize>();
        let left: usize = parts.iter().map(|part| part.size).sum();
        let step = (self.saltus >> self.low_bits) as i64;
        let differs = |taken: usize| {
            let from = taken + left;
            let start = self.starts[from % self.period];
            let own = self.value(start);
            let periods = (start as i64 - from as i64) / self.period as i64;
            // δ: by how much the sum of the high digits of the parts exceeds those of the heap.
            let excess = high as i64 + step * periods - self.high(own) as i64;
            let alone = regular == 1 && (excess / 2) & !(self.high(fixed) as i64) != 0;
            low != self.low(own) || excess < 0 || excess % 2 == 1 || alone
        };
        let mut taken = 0..=self.game.last_index();
        // Exceptional heaps alone are left of small heaps only, whose values are known.
        regular == 0 || taken.all(|taken| !self.leaves(taken, parts.len()) || differs(taken))
    }

    /// Condition (B) for the heaps from `from` on: V in multiples of s.
    fn reaches_all_below(&self, from: usize) -> Option<usize> {
        let end = from + 2 * self.period;
        let moves = self.game.last_index() + 1;
        let work = [end, 2 * self.period, moves].into_iter().fold(1 << self.low_bits, usize::saturating_mul);
        if work > MOST_WORK {
            return None;
        }
        let pairs = self.pairs(end);
        // V / s, as long as all heaps allow it.
        let mut multiples: Vec<usize> = (1..=MOST_V).collect();
        for n in from..end {
            let reached = self.reached(n, &pairs);
            let enough = |value: usize, most: usize| match reached[value] {
                way if value >= most => way.moved,
                way if value >= most - self.saltus => way.both,
                way => way.stays,
            };
            multiples.retain(|multiple| {
                let most = multiple * self.saltus;
                most <= reached.len() && (0..reached.len()).all(|value| enough(value, most))
            });
            if multiples.is_empty() {
                return None;
            }
        }
        multiples.first().copied()
    }

    /// For each sum below `end` the values below 2^g of two heaps with that sum, and whether two regular heaps
    /// have it.
    fn pairs(&self, end: usize) -> Vec<Vec<(u16, bool)>> {
        let mut pairs = vec![Vec::new(); end];
        let mut found: Vec<Option<bool>> = vec![None; 1 << self.low_bits];
        for (sum, list) in pairs.iter_mut().enumerate() {
            found.fill(None);
            for b in 1..=sum / 2 {
                let c = sum - b;
                if let Some(found) = found.get_mut(self.value(b) ^ self.value(c)) {
                    *found = Some(*found == Some(true) || (self.is_regular(b) && self.is_regular(c)));
                }
            }
            list.extend((0..).zip(&found).filter_map(|(value, &found)| Some((value, found?))));
        }
        pairs
    }

    /// How the values below G(n) are reached from n.
    fn reached(&self, n: usize, pairs: &[Vec<(u16, bool)>]) -> Vec<Reached> {
        let mut reached = vec![Reached::default(); self.value(n)];
        let mut mark = |value: usize, moved: bool, stays: bool| {
            if let Some(reached) = reached.get_mut(value) {
                reached.moved |= moved;
                reached.stays |= stays;
                reached.both |= moved && stays;
            }
        };
        for taken in 0..=self.game.last_index().min(n) {
            let rest = n - taken;
            if self.leaves(taken, 1) && rest > 0 {
                mark(self.value(rest), self.is_regular(rest), false);
            }
            if self.leaves(taken, 2) {
                for a in 1..rest {
                    let other = self.value(rest - a);
                    mark(self.value(a) ^ other, self.is_regular(a) && self.high(other) == 0, false);
                }
                pairs[rest].iter().for_each(|&(value, regular)| mark(value.into(), false, regular));
            }
            if self.leaves(taken, 3) {
                for a in 1..rest {
                    let (value, moved) = (self.value(a), self.is_regular(a));
                    let both = &pairs[rest - a];
                    both.iter()
                        .for_each(|&(other, regular)| mark(value ^ usize::from(other), moved, regular));
                }
            }
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Continues a sequence by the mex over the options that the rules list.
    fn continued(game: &OctalGame, mut values: Vec<u16>, terms: usize) -> Vec<u16> {
        let mut seen = vec![usize::MAX; 1 << 16];
        for n in values.len()..terms {
            game.each_option(n as u64, u64::MAX, &mut |parts| {
                let value = parts.iter().fold(0, |sum, &part| sum ^ values[part as usize]);
                seen[usize::from(value)] = n;
            });
            values.push(seen.iter().position(|&at| at != n).unwrap() as u16);
        }
        values
    }

    fn values(game: &OctalGame, terms: usize) -> Vec<u16> {
        continued(game, Vec::new(), terms)
    }

    fn game(digits: &[u8]) -> Option<OctalGame> {
        let digit = |&bits: &u8| crate::rules::Digit { bits, different: false };
        OctalGame::from_code(&digits.iter().map(digit).collect::<Vec<_>>(), 0).ok()
    }

    fn goes_on(drift: Drift, values: &[u16]) -> bool {
        let moved = |n: usize| i64::from(values[n + drift.period]) == i64::from(values[n]) + drift.saltus;
        (drift.preperiod..values.len() - drift.period).all(moved)
    }

    #[test]
    fn drifts_are_proved_and_go_on() {
        for (code, terms, preperiod, period, saltus) in [
            ("0.8", 30, 1, 3, 1),
            ("8.0", 30, 1, 2, 1),
            ("C.8", 30, 1, 1, 1),
            ("0.FF", 30, 0, 1, 1),
            ("0.BB", 40, 4, 1, 1),
            // Its period is proved by twice the period.
            ("0.FB", 50, 5, 1, 1),
            ("0.89", 40, 3, 4, 2),
            ("0.FC", 60, 7, 5, 4),
            ("4.0A", 50, 1, 8, 4),
            ("0.28", 180, 1, 53, 16),
            ("0.9C", 210, 28, 36, 16),
            // Saltuses that are no powers of two.
            ("0.3F", 40, 0, 6, 3),
            ("8.2", 40, 1, 6, 3),
            ("0.3F3", 60, 0, 10, 5),
        ] {
            let game = OctalGame::read(code).unwrap();
            let values = values(&game, 4 * terms);
            let drift = Drift { preperiod, period, saltus };
            assert_eq!(proved_drift(&game, &values[..terms]), Some(drift), "{code}");
            assert!(goes_on(drift, &values), "{code}");
        }
    }

    #[test]
    fn a_drift_that_is_seen_and_ends_is_not_proved() {
        let game = OctalGame::read("C.1").unwrap();
        let values = values(&game, 200);
        let seen = observed_drift(&values[..160]).unwrap();
        assert_eq!((seen.preperiod, seen.period, seen.saltus), (62, 8, 4));
        assert!(!goes_on(seen, &values));
        assert_eq!(proved_drift(&game, &values[..160]), None);
    }

    #[test]
    fn a_drift_that_the_theorem_does_not_cover_is_not_proved() {
        // Parts that must differ, no end, no three heaps, periodic without a drift.
        for code in ["8!.0", "0.[F]", "0.[7]", "0.77", "0.F"] {
            let game = OctalGame::read(code).unwrap();
            assert_eq!(proved_drift(&game, &values(&game, 150)), None, "{code}");
        }
        // Its options below its value are not moved along.
        let game = OctalGame::read("0.209").unwrap();
        let values = values(&game, 300);
        assert_eq!(observed_drift(&values).map(|drift| drift.saltus), Some(3));
        assert_eq!(proved_drift(&game, &values), None);
    }

    #[test]
    fn altered_sequences_are_not_proved() {
        let mut refused = 0;
        for code in ["0.8", "8.0", "0.3F", "0.FC", "4.0A"] {
            let game = OctalGame::read(code).unwrap();
            let right = values(&game, 150);
            let drift = proved_drift(&game, &right).unwrap();
            // The same drift with larger values: not all that is below a value is reached.
            let above: Vec<u16> = right.iter().map(|&value| value + 1).collect();
            assert_eq!(observed_drift(&above), Some(drift));
            assert_eq!(proved_drift(&game, &above), None, "{code}");
            // Smaller values in one class, or an exception: no longer true, or what follows this beginning.
            let mut altered: Vec<Vec<u16>> = (0..drift.period)
                .map(|class| {
                    let below = |n: usize| u16::from(n > 0 && n % drift.period == class);
                    (0..).zip(&right).map(|(n, value)| value.saturating_sub(below(n))).collect()
                })
                .collect();
            for exception in 1..10 {
                altered.push(right.clone());
                altered.last_mut().unwrap()[exception] += 1;
            }
            for values in altered {
                match proved_drift(&game, &values) {
                    Some(drift) => assert!(goes_on(drift, &continued(&game, values, 300)), "{code}"),
                    None => refused += 1,
                }
            }
            // A late exception needs more terms.
            for wrong in [60, 100, 149] {
                let mut values = right.clone();
                values[wrong] += 1;
                assert_eq!(proved_drift(&game, &values), None, "{code} {wrong}");
            }
        }
        assert!(refused >= 10, "{refused}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn what_is_proved_goes_on(digits in proptest::collection::vec(0u8..16, 2..5), terms in 20usize..120) {
            if let Some(game) = game(&digits) {
                let beginning = values(&game, terms);
                if let Some(drift) = proved_drift(&game, &beginning) {
                    prop_assert!(goes_on(drift, &continued(&game, beginning, 3 * terms)), "{game} {drift:?}");
                }
            }
        }

        /// The proof uses the rule for large heaps only, so it is right after any beginning: small heaps with
        /// values that no game gives them have many exceptions.
        #[test]
        fn what_is_proved_goes_on_after_any_beginning(
            digits in proptest::collection::vec(prop_oneof![Just(8u8), Just(12), Just(15), 0u8..16], 2..5),
            beginning in proptest::collection::vec(0u16..9, 1..9),
        ) {
            if let Some(game) = game(&digits) {
                let known = continued(&game, beginning, 130);
                if let Some(drift) = proved_drift(&game, &known) {
                    prop_assert!(goes_on(drift, &continued(&game, known.clone(), 260)), "{game} {drift:?} {known:?}");
                }
            }
        }
    }
}
