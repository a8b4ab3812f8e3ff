//! Angluin's L*: an automaton from questions about single positions, improved by counterexamples.

use std::collections::HashMap;

use super::{Dfa, Failed, Numeration};
use crate::base::{Error, Result};

/// What is known about single positions.
pub trait Membership {
    /// Whether the word's position is in the set; `None` if nobody can tell.
    fn contains(&mut self, word: &[usize]) -> Result<Option<bool>>;
}

/// Why learning ended without an automaton.
#[derive(Debug)]
pub enum Lost {
    /// Nothing is known about this word.
    Unknown(Vec<usize>),
    /// An automaton could not be built.
    Failed(Failed),
    /// Something else went wrong.
    Error(Error),
}

impl From<Failed> for Lost {
    fn from(failed: Failed) -> Self {
        Self::Failed(failed)
    }
}

impl From<Error> for Lost {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

/// The table of observations. Rows are the words that reach the states, columns the words that tell them
/// apart; Rivest and Schapire's way to read a counterexample adds a single column each time.
pub struct Learner<'a, M> {
    numeration: Numeration,
    tracks: usize,
    /// What is known.
    pub membership: &'a mut M,
    access: Vec<Vec<usize>>,
    suffixes: Vec<Vec<usize>>,
    /// What the words say, in the order of the columns: of the access words and of each with a letter behind.
    rows: HashMap<Vec<usize>, Vec<bool>>,
}

impl<'a, M: Membership> Learner<'a, M> {
    /// A learner that knows nothing yet.
    pub fn new(numeration: Numeration, tracks: usize, membership: &'a mut M) -> Self {
        let (access, suffixes) = (vec![Vec::new()], vec![Vec::new()]);
        Self { numeration, tracks, membership, access, suffixes, rows: HashMap::new() }
    }

    /// Whether the word's position is in the set.
    pub fn ask(&mut self, word: &[usize]) -> Result<bool, Lost> {
        self.membership.contains(word)?.ok_or_else(|| Lost::Unknown(word.to_vec()))
    }

    fn row(&mut self, word: &[usize]) -> Result<Vec<bool>, Lost> {
        let mut row = self.rows.remove(word).unwrap_or_default();
        for column in row.len()..self.suffixes.len() {
            let whole = [word, &self.suffixes[column]].concat();
            row.push(self.ask(&whole)?);
        }
        self.rows.insert(word.to_vec(), row.clone());
        Ok(row)
    }

    /// The automaton that agrees with all observations.
    pub fn hypothesis(&mut self) -> Result<Dfa, Lost> {
        let letters = self.numeration.digits().pow(self.tracks as u32);
        let mut states: HashMap<Vec<bool>, u32> = HashMap::new();
        for state in 0..self.access.len() {
            let row = self.row(&self.access[state].clone())?;
            states.insert(row, state as u32);
        }
        let (mut next, mut accepting) = (Vec::new(), Vec::new());
        while accepting.len() < self.access.len() {
            let word = self.access[accepting.len()].clone();
            accepting.push(self.row(&word)?[0]);
            for letter in 0..letters {
                let longer = [&word[..], &[letter]].concat();
                let row = self.row(&longer)?;
                let fresh = states.len() as u32;
                let state = *states.entry(row).or_insert(fresh);
                if state == fresh {
                    self.access.push(longer);
                }
                next.push(state);
            }
        }
        Ok(Dfa { numeration: self.numeration, tracks: self.tracks, start: 0, next, accepting })
    }

    /// Learns from a word that the hypothesis judges wrongly: somewhere along the word the access word of the
    /// state that is reached behaves differently from the word itself; what follows there tells them apart.
    pub fn refine(&mut self, hypothesis: &Dfa, word: &[usize]) -> Result<(), Lost> {
        let truth = self.ask(word)?;
        // At 0 the answer is the truth, at the end it is the hypothesis's.
        let (mut right, mut wrong) = (0, word.len());
        while wrong - right > 1 {
            let middle = (right + wrong) / 2;
            let state = hypothesis.run(&word[..middle]);
            let whole = [&self.access[state as usize], &word[middle..]].concat();
            if self.ask(&whole)? == truth { right = middle } else { wrong = middle }
        }
        self.suffixes.push(word[wrong..].to_vec());
        Ok(())
    }
}
