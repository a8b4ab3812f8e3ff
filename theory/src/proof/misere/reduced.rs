//! Outcomes in misère play of multisets of *letters*: the few heaps as whose sums all other heaps are
//! written.
//!
//! This only feeds the guess: that another heap may be written as a sum of letters is an assumption here,
//! which `states` proves or refutes afterwards. Sums without the newest letter are answered by the quotient
//! of the smaller heaps, which is no assumption.

use std::collections::HashMap;
use std::sync::Arc;

use super::monoid::{Element, IDENTITY, Monoid};
use crate::base::{Control, Error, Result};

/// How often each letter occurs in a multiset.
pub type Word = Box<[u8]>;

/// More of one letter than this in one multiset is beyond what a guess may ask for.
const MOST_OF_A_LETTER: u8 = 200;

/// Bytes that a remembered multiset takes besides its counts.
const OVERHEAD: usize = 48;

/// One letter: a heap and what its options are, as words.
#[derive(Debug, Clone)]
struct Letter {
    heap: usize,
    options: Vec<Word>,
    /// A game whose only option is the empty position cancels itself: X + * + * is X in every company.
    is_star: bool,
}

/// The game on multisets of letters.
#[derive(Debug, Clone, Default)]
pub struct ReducedGame {
    letters: Vec<Letter>,
    /// The word of each heap, from heap 0 on; counts of letters at its end may be missing.
    words: Vec<Word>,
    /// The options of each heap.
    options: Vec<Vec<(usize, usize)>>,
    smaller: Option<Smaller>,
    /// Outcomes of sums with the newest letter.
    known: HashMap<Word, bool>,
    /// How many of them may be remembered.
    most: usize,
}

/// The quotient of all heaps but the newest letter.
#[derive(Debug, Clone)]
struct Smaller {
    monoid: Arc<Monoid>,
    /// The element of each heap.
    elements: Arc<[Element]>,
    /// The number of the newest letter.
    newest: usize,
}

impl ReducedGame {
    /// A game without heaps that remembers the outcomes of at most so many sums.
    pub fn new(most: usize) -> Self {
        Self { most, ..Self::default() }
    }

    /// The number of letters.
    pub fn letters(&self) -> usize {
        self.letters.len()
    }

    /// The heap that is letter number `letter`.
    pub fn heap_of(&self, letter: usize) -> usize {
        self.letters[letter].heap
    }

    /// The word of a heap that has one.
    pub fn word(&self, heap: usize) -> &Word {
        &self.words[heap]
    }

    /// Adds the next heap, with its options as pairs of smaller heaps, as a word of letters.
    pub fn push_word(&mut self, options: Vec<(usize, usize)>, word: Word) {
        self.words.push(word);
        self.options.push(options);
    }

    /// Adds the next heap as a letter of its own; `monoid` is the quotient of the smaller heaps, which have
    /// these `elements`.
    pub fn push_letter(&mut self, options: Vec<(usize, usize)>, monoid: Arc<Monoid>, elements: &[Element]) {
        let heap = self.words.len();
        self.push_word(options, Word::default());
        self.smaller = Some(Smaller { monoid, elements: elements.into(), newest: self.letters.len() });
        self.add_letter(heap);
        self.known.clear();
    }

    /// Makes a heap that has a word a letter of its own. Then whoever has it as an option has other words.
    pub fn make_letter(&mut self, heap: usize) {
        self.add_letter(heap);
        for letter in 0..self.letters.len() {
            self.letters[letter] = self.letter(self.letters[letter].heap);
        }
        self.known.clear();
    }

    fn add_letter(&mut self, heap: usize) {
        let count = self.letters.len() + 1;
        let mut word = vec![0; count];
        word[count - 1] = 1;
        self.words[heap] = word.into();
        self.letters.push(self.letter(heap));
    }

    fn letter(&self, heap: usize) -> Letter {
        let words = self.options[heap].iter().map(|&(a, b)| self.sum(&self.words[a], &self.words[b]));
        let mut options: Vec<Word> = words.map(|word| trimmed(&word)).collect();
        options.sort_unstable();
        options.dedup();
        let is_star = matches!(&options[..], [only] if only.is_empty());
        Letter { heap, options, is_star }
    }

    /// The sum of two words.
    pub fn sum(&self, a: &[u8], b: &[u8]) -> Word {
        let count = |word: &[u8], i: usize| word.get(i).copied().unwrap_or(0);
        (0..a.len().max(b.len())).map(|i| count(a, i).saturating_add(count(b, i))).collect()
    }

    /// The word with one more of a letter.
    pub fn with(&self, word: &[u8], letter: usize) -> Word {
        let mut longer = extended(word, self.letters.len());
        longer[letter] = longer[letter].saturating_add(1);
        longer
    }

    /// Whether the word is a P-position; `None` for a word that is too long.
    pub fn is_p(&mut self, word: &[u8], control: &Control<'_>) -> Result<Option<bool>> {
        if word.iter().any(|&count| count >= MOST_OF_A_LETTER) {
            return Ok(None);
        }
        self.search(extended(word, self.letters.len()), control).map(Some)
    }

    fn search(&mut self, mut word: Word, control: &Control<'_>) -> Result<bool> {
        for (letter, count) in self.letters.iter().zip(&mut word) {
            if letter.is_star {
                *count %= 2;
            }
        }
        if let Some(is_p) = self.outcome_of_smaller(&word) {
            return Ok(is_p);
        }
        if let Some(&is_p) = self.known.get(&word) {
            return Ok(is_p);
        }
        if self.known.len() % 1024 == 0 {
            control.check()?;
            let (sums, bytes) = (self.known.len(), self.bytes() as u64);
            control.check_memory(sums as u64, bytes)?;
            if sums > self.most {
                return Err(Error::Undecided(format!(
                    "the next quotient takes more than {} sums of heaps; `nimwave misere octal` goes as far as its --time",
                    self.most
                )));
            }
        }
        let (mut has_option, mut reaches_p) = (false, false);
        // The newest letter first: what it leads to is answered most quickly.
        'letters: for i in (0..self.letters.len()).rev() {
            if word[i] == 0 {
                continue;
            }
            for option in 0..self.letters[i].options.len() {
                let mut reached = self.sum(&word, &self.letters[i].options[option]);
                reached[i] -= 1;
                has_option = true;
                if self.search(reached, control)? {
                    reaches_p = true;
                    break 'letters;
                }
            }
        }
        let is_p = has_option && !reaches_p;
        self.known.insert(word, is_p);
        Ok(is_p)
    }

    /// The outcome of a word without the newest letter, by the quotient of the smaller heaps.
    fn outcome_of_smaller(&self, word: &[u8]) -> Option<bool> {
        let Smaller { monoid, elements, .. } =
            self.smaller.as_ref().filter(|known| word[known.newest] == 0)?;
        let mut product = IDENTITY;
        for (letter, &count) in self.letters.iter().zip(word) {
            for _ in 0..count {
                product = monoid.times(product, elements[letter.heap]);
            }
        }
        Some(monoid.is_p(product))
    }

    /// Bytes that what is remembered takes.
    fn bytes(&self) -> usize {
        self.known.capacity() * (OVERHEAD + self.letters.len())
    }
}

fn extended(word: &[u8], letters: usize) -> Word {
    let mut longer = word.to_vec();
    longer.resize(letters.max(word.len()), 0);
    longer.into()
}

fn trimmed(word: &[u8]) -> Word {
    let length = word.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
    word[..length].into()
}
