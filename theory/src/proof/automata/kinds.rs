//! Rules in which what may become of a heap depends on the heap and on the smallest heap alone: the kinds of
//! their heaps, worked out for all sizes at once (section 3.1 of docs/PROOFS.md).
//!
//! The kind of a heap h beside a smallest heap j is the letter of h together with the letters that it may
//! become. Each of these is a formula about h and j, so that one automaton reads the digits of h and j and ends
//! in a state that knows the kind; with every h that j allows at once it ends in a set of states that knows the
//! kinds that occur beside j. These sets are finitely many.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::formula::{Formula, Sum, Variable};
use super::meaning::Meaning;
use super::operations::Explored;
use super::{Budget, Dfa, Failed, Numeration};
use crate::base::Result;
use crate::proof::finite_check::{Family, HeapKind};
use crate::proof::quotient::Letters;
use crate::rules::notation::rule::{Condition, Rule};

const HEAP: Variable = 0;
const SMALLEST: Variable = 1;
const NEW: Variable = 2;

/// The moves of a rule as a formula about a heap, the smallest heap and what the heap becomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalMoves {
    numeration: Numeration,
    moves: Formula,
}

impl LocalMoves {
    /// The moves of `rule`, or why automata cannot tell them. [`Rule::is_local`] must hold.
    pub fn new(rule: &Rule) -> Result<Self> {
        let numeration = Numeration::Base(base_of_powers(rule).unwrap_or(2));
        let [heap, smallest, new] = [HEAP, SMALLEST, NEW].map(Sum::of);
        let mut clauses = Vec::new();
        for clause in &rule.clauses {
            let meaning = Meaning {
                numeration,
                before: std::slice::from_ref(&smallest),
                new: &[],
                other: &[],
                heap: Some((heap.clone(), new.clone())),
                slots: vec![heap.plus(-1, &new)],
            };
            clauses.push(meaning.condition(&clause.condition)?);
        }
        let moves = Formula::And(vec![is_heap(), Formula::less(&new, &heap), Formula::Or(clauses)]);
        Ok(Self { numeration, moves })
    }

    /// The kinds of heaps beside every smallest heap: each position is one smallest heap with further heaps of
    /// the kinds of one of the families.
    pub fn families(&self, letters: Letters, budget: &Budget<'_>) -> Result<Vec<Family>, Failed> {
        let kinds = KindAutomaton::new(self, letters, budget)?;
        let digits = self.numeration.digits();
        // Reads the digits of the smallest heap: the state for a heap as large, and for all heaps at once.
        let mut states = Explored::new();
        let all = kinds.leading();
        let entries = all.len() + digits;
        states.number((0, all), entries, budget)?;
        let mut numbers = vec![0u128];
        let mut families = Vec::new();
        let mut known = BTreeSet::new();
        let mut place = 0;
        while let Some((own, all)) = states.found.get(place).cloned() {
            if let Some(start) = &kinds.kinds[own as usize] {
                let further: BTreeSet<&HeapKind> =
                    all.iter().filter_map(|&state| kinds.kinds[state as usize].as_ref()).collect();
                if known.insert((start.clone(), further.into_iter().cloned().collect::<Vec<_>>())) {
                    families.push(kinds.family(numbers[place], start.clone())?);
                }
            }
            for digit in 0..digits {
                let mut reached: Vec<u32> =
                    all.iter().flat_map(|&state| kinds.with_smallest(state, digit)).collect();
                reached.sort_unstable();
                reached.dedup();
                let entries = reached.len() + digits;
                let own = kinds.after(own, digit, digit);
                if states.number((own, reached), entries, budget)? as usize == numbers.len() {
                    let number = numbers[place].checked_mul(digits as u128);
                    numbers.push(number.ok_or(Failed::TooLarge(place))? + digit as u128);
                }
            }
            place += 1;
        }
        Ok(families)
    }
}

/// The base whose powers the rule speaks of, if it speaks of any.
fn base_of_powers(rule: &Rule) -> Option<u8> {
    fn in_condition(condition: &Condition) -> Option<i64> {
        match condition {
            Condition::PowerOf(_, base) => Some(*base),
            Condition::Not(inner) => in_condition(inner),
            Condition::All(all) | Condition::Any(all) => all.iter().find_map(in_condition),
            _ => None,
        }
    }
    let base = rule.clauses.iter().find_map(|clause| in_condition(&clause.condition))?;
    u8::try_from(base).ok().filter(|base| *base <= 10)
}

/// `1 <= smallest <= heap`.
fn is_heap() -> Formula {
    let [heap, smallest] = [HEAP, SMALLEST].map(Sum::of);
    Formula::And(vec![Formula::less(&Sum::default(), &smallest), Formula::at_most(&smallest, &heap)])
}

/// The numbers with a letter.
fn has_letter(number: Variable, letter: u64, letters: Letters) -> Formula {
    let (number, letter) = (Sum::of(number), Sum::number(letter as i64));
    if letter.constant < letters.threshold() as i64 {
        return Formula::equal(&number, &letter);
    }
    let residue = Formula::Divisible(number.plus(-1, &letter), letters.period() as u32);
    Formula::And(vec![Formula::at_most(&letter, &number), residue])
}

/// Reads the digits of a heap and of the smallest heap and knows the kind of the heap.
struct KindAutomaton {
    numeration: Numeration,
    next: Vec<u32>,
    /// For each state the kind; `None` where the numbers are not those of a position.
    kinds: Vec<Option<HeapKind>>,
    /// For each state whether a kind can be reached from it.
    live: Vec<bool>,
}

impl KindAutomaton {
    fn new(moves: &LocalMoves, letters: Letters, budget: &Budget<'_>) -> Result<Self, Failed> {
        let numeration = moves.numeration;
        let pair = [HEAP, SMALLEST];
        // One automaton for what is a position, and for each letter one for "may become a heap of that letter".
        let mut parts: Vec<Dfa> = vec![is_heap().automaton(numeration, &pair, budget)?];
        for letter in 0..letters.count() as u64 {
            let target = Formula::And(vec![moves.moves.clone(), has_letter(NEW, letter, letters)]);
            let reaches = Formula::Exists(NEW, Box::new(target));
            parts.push(reaches.automaton(numeration, &pair, budget)?);
        }
        let digits = numeration.digits();
        let mut states = Explored::new();
        let starts: Vec<u32> = parts.iter().map(|part| part.start).collect();
        let entries = parts.len() + digits * digits;
        states.number((0usize, starts), entries, budget)?;
        let (mut next, mut kinds) = (Vec::new(), Vec::new());
        while let Some((letter, own)) = states.found.get(kinds.len()).cloned() {
            let accepts = |part: usize| parts[part].accepting[own[part] as usize];
            let replacement = |letter: usize| if letter == 0 { Vec::new() } else { vec![letter] };
            kinds.push(accepts(0).then(|| HeapKind {
                letter,
                replacements: (0..letters.count()).filter(|&to| accepts(to + 1)).map(replacement).collect(),
            }));
            for symbol in 0..digits * digits {
                let after = own.iter().zip(&parts).map(|(&state, part)| part.after(state, symbol)).collect();
                // The letter of digits * h + d depends on that of h alone.
                let letter = letters.of((letter * digits + symbol % digits) as u64);
                next.push(states.number((letter, after), entries, budget)?);
            }
        }
        let accepting = kinds.iter().map(Option::is_some).collect();
        let reading = Dfa { numeration, tracks: 2, start: 0, next, accepting };
        let live = reading.live();
        Ok(Self { numeration, next: reading.next, kinds, live })
    }

    fn after(&self, state: u32, heap: usize, smallest: usize) -> u32 {
        let digits = self.numeration.digits();
        self.next[state as usize * digits * digits + heap + digits * smallest]
    }

    /// The states after a digit of the smallest heap and any digit of the heap.
    fn with_smallest(&self, state: u32, smallest: usize) -> impl Iterator<Item = u32> + '_ {
        let after = (0..self.numeration.digits()).map(move |heap| self.after(state, heap, smallest));
        after.filter(|&state| self.live[state as usize])
    }

    /// The states before the first digit of the smallest heap: the heap may have more digits.
    fn leading(&self) -> Vec<u32> {
        let mut states: Vec<u32> = self.leading_numbers().into_keys().collect();
        states.sort_unstable();
        states
    }

    /// The same, each with the least number that leads there.
    fn leading_numbers(&self) -> HashMap<u32, u128> {
        let mut numbers = HashMap::from([(0, 0u128)]);
        let mut order = vec![0];
        let mut place = 0;
        while let Some(&state) = order.get(place) {
            for digit in 0..self.numeration.digits() {
                let after = self.after(state, digit, 0);
                if self.live[after as usize] && !numbers.contains_key(&after) {
                    let number = numbers[&state].saturating_mul(self.numeration.digits() as u128);
                    numbers.insert(after, number.saturating_add(digit as u128));
                    order.push(after);
                }
            }
            place += 1;
        }
        numbers
    }

    /// The family of a smallest heap, with the least heap of each kind.
    fn family(&self, smallest: u128, start: HeapKind) -> Result<Family, Failed> {
        let digits = self.numeration.digits();
        let mut numbers = self.leading_numbers();
        for digit in self.numeration.word(smallest) {
            let mut reached: HashMap<u32, u128> = HashMap::new();
            for (&state, &number) in &numbers {
                for heap in 0..digits {
                    let after = self.after(state, heap, digit.into());
                    if self.live[after as usize] {
                        let number = number.saturating_mul(digits as u128).saturating_add(heap as u128);
                        let least = reached.entry(after).or_insert(number);
                        *least = (*least).min(number);
                    }
                }
            }
            numbers = reached;
        }
        let mut further = BTreeMap::new();
        for (&state, &number) in &numbers {
            if let Some(kind) = &self.kinds[state as usize] {
                let size = u64::try_from(number).map_err(|_| Failed::TooLarge(self.kinds.len()))?;
                let least = further.entry(kind.clone()).or_insert(size);
                *least = (*least).min(size);
            }
        }
        let smallest = u64::try_from(smallest).map_err(|_| Failed::TooLarge(self.kinds.len()))?;
        Ok(Family { start: vec![(smallest, start)], further })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Rules, WrittenRules};

    const NEVER: Budget<'static> = Budget { most_entries: 1 << 24, stop: &|| false };

    /// The kind of a heap beside a smallest heap, from the rules.
    fn kind(rules: &WrittenRules, letters: Letters, heap: u32, smallest: u32) -> HeapKind {
        let mut replacements = BTreeSet::new();
        // The moves of the first heap are told from those of the smallest one by what stays.
        rules.options(&[heap, smallest], &mut |option| {
            if option[1] == smallest && option[0] != heap {
                let letter = letters.of(option[0].into());
                replacements.insert(if letter == 0 { vec![] } else { vec![letter] });
            }
        });
        HeapKind { letter: letters.of(heap.into()), replacements }
    }

    #[test]
    fn the_kinds_of_heaps_are_those_of_the_moves() {
        let texts = [
            "take s from one heap where s <= min",
            "take s from one heap where s <= 2*min + 1 and s % 3 != 0",
            "take s from one heap where s in {1, 3, min}",
            "take s from one heap where heap > min and 2*s >= heap or take s from one heap where s = 1",
            "take s from one heap where s is a power of 2 and s <= min",
            "take s from one heap where s divides 12 or new heap = 2",
            "take s from one heap where |heap - 2*s| <= min/2",
        ];
        for text in texts {
            let rule = Rule::parse(text).unwrap();
            assert!(rule.is_local(), "{text}");
            let (moves, rules) = (LocalMoves::new(&rule).unwrap(), WrittenRules::new(rule));
            for letters in [(1, 1), (2, 3), (5, 4)].map(|(t, p)| Letters::new(t, p).unwrap()) {
                let families = moves.families(letters, &NEVER).unwrap();
                for Family { start, further } in &families {
                    let [(smallest, own)] = &start[..] else { panic!("one smallest heap") };
                    assert_eq!(kind(&rules, letters, *smallest as u32, *smallest as u32), *own, "{text}");
                    for (known, heap) in further {
                        assert_eq!(kind(&rules, letters, *heap as u32, *smallest as u32), *known, "{text}");
                    }
                }
                // Every smallest heap has the kinds of one of the families.
                for smallest in 1..40 {
                    let own = kind(&rules, letters, smallest, smallest);
                    let seen: BTreeSet<HeapKind> =
                        (smallest..150).map(|heap| kind(&rules, letters, heap, smallest)).collect();
                    let fits =
                        |family: &&Family| family.start[0].1 == own && seen.iter().eq(family.further.keys());
                    assert!(families.iter().any(|family| fits(&family)), "{text}, smallest heap {smallest}");
                }
            }
        }
    }

    #[test]
    fn rules_that_look_at_other_heaps_are_not_local() {
        for text in [
            "take s from one heap where s <= max",
            "take s from one heap where s <= other min",
            "take s from one heap where min changes",
            "take s from one heap where s in heaps",
            "take s from one or two heaps where s <= min",
            "take s from one heap where s <= min, positions where heaps are different",
            "split a heap into a, b",
        ] {
            assert!(!Rule::parse(text).unwrap().is_local(), "{text}");
        }
        let product = Rule::parse("take s from one heap where s*s <= heap").unwrap();
        assert!(product.is_local() && LocalMoves::new(&product).is_err());
    }
}
