//! Guessing a quotient: classes of multisets of letters that no known context tells apart.
//!
//! This is Angluin's way to learn an automaton, for multisets instead of words: rows are representatives of
//! classes, columns are contexts. A counterexample gives a context that tells two multisets of one class
//! apart, so the guess grows until it is right or a limit is reached. Nothing here is trusted.

use std::collections::HashMap;

use super::monoid::{Element, MAX_ORDER, Monoid};
use super::reduced::{ReducedGame, Word};
use crate::base::{Control, Error, Result};

/// Outcomes beside every context, as bits.
type Row = Vec<u64>;

/// Classes, contexts and the outcomes of one beside the other.
#[derive(Debug, Default)]
pub struct Observations {
    /// One multiset of each class.
    representatives: Vec<Word>,
    rows: Vec<Row>,
    /// `extended[class][letter]`: the row of the representative with one more letter.
    extended: Vec<Vec<Row>>,
    class_of: HashMap<Row, Element>,
    contexts: Vec<Word>,
    /// `action[class][letter]`, once the classes are closed.
    action: Vec<Vec<Element>>,
}

/// A guess: a monoid on which the letters act.
#[derive(Debug)]
pub struct Guess {
    /// The classes.
    pub monoid: Monoid,
    /// The class of each letter.
    pub letters: Vec<Element>,
}

impl Guess {
    /// The class of a word.
    pub fn class(&self, word: &[u8]) -> Element {
        let times = |class, (letter, &count): (usize, &u8)| {
            (0..count).fold(class, |class, _| self.monoid.times(class, self.letters[letter]))
        };
        word.iter().enumerate().fold(0, times)
    }
}

impl Observations {
    /// Begins with these contexts beside the empty one.
    pub fn new(game: &mut ReducedGame, contexts: &[Word], control: &Control<'_>) -> Result<Self> {
        let mut table = Self { contexts: vec![Word::default()], ..Self::default() };
        table
            .contexts
            .extend(contexts.iter().filter(|context| context.iter().any(|&count| count > 0)).cloned());
        let empty = game.sum(&vec![0; game.letters()], &[]);
        let row = table.row(game, &empty, control)?;
        table.add_class(empty, row)?;
        Ok(table)
    }

    /// The contexts, for the next heap.
    pub fn contexts(&self) -> &[Word] {
        &self.contexts
    }

    /// A multiset of a class.
    pub fn representative(&self, class: Element) -> &Word {
        &self.representatives[class as usize]
    }

    fn add_class(&mut self, word: Word, row: Row) -> Result<()> {
        if self.representatives.len() >= MAX_ORDER {
            return Err(Error::Undecided(format!("the quotient has more than {MAX_ORDER} elements")));
        }
        self.class_of.insert(row.clone(), self.representatives.len() as Element);
        self.representatives.push(word);
        self.rows.push(row);
        self.extended.push(Vec::new());
        Ok(())
    }

    fn bit(game: &mut ReducedGame, word: &[u8], context: &[u8], control: &Control<'_>) -> Result<bool> {
        let word = game.sum(word, context);
        game.is_p(&word, control)?
            .ok_or_else(|| Error::Undecided("telling the elements apart takes too many heaps".into()))
    }

    fn row(&self, game: &mut ReducedGame, word: &[u8], control: &Control<'_>) -> Result<Row> {
        let mut row = vec![0; self.contexts.len().div_ceil(64)];
        for (i, context) in self.contexts.iter().enumerate() {
            row[i / 64] |= u64::from(Self::bit(game, word, context, control)?) << (i % 64);
        }
        Ok(row)
    }

    /// A monoid that agrees with all that is known.
    pub fn guess(&mut self, game: &mut ReducedGame, control: &Control<'_>) -> Result<Guess> {
        loop {
            self.close(game, control)?;
            match self.commutation_failure(game, control)? {
                None => return Ok(self.as_guess(game.letters())),
                Some(context) => self.add_context(game, context, control)?,
            }
        }
    }

    /// Adds classes until a class with one more letter is a class.
    fn close(&mut self, game: &mut ReducedGame, control: &Control<'_>) -> Result<()> {
        self.action.clear();
        let mut class = 0;
        while class < self.representatives.len() {
            control.check()?;
            let mut reached = Vec::with_capacity(game.letters());
            for letter in 0..game.letters() {
                if self.extended[class].len() <= letter {
                    let word = game.with(&self.representatives[class], letter);
                    let row = self.row(game, &word, control)?;
                    self.extended[class].push(row);
                }
                let row = &self.extended[class][letter];
                reached.push(match self.class_of.get(row) {
                    Some(&to) => to,
                    None => {
                        let (to, row) = (self.representatives.len() as Element, row.clone());
                        self.add_class(game.with(&self.representatives[class], letter), row)?;
                        to
                    }
                });
            }
            self.action.push(reached);
            class += 1;
        }
        Ok(())
    }

    /// A context that tells apart two multisets of one class, where two letters do not commute.
    fn commutation_failure(&self, game: &mut ReducedGame, control: &Control<'_>) -> Result<Option<Word>> {
        for (class, reached) in self.action.iter().enumerate() {
            for g in 0..reached.len() {
                for h in 0..g {
                    let (by_g, by_h) = (reached[g] as usize, reached[h] as usize);
                    if self.action[by_g][h] == self.action[by_h][g] {
                        continue;
                    }
                    // The row of the representative with both letters differs from one of the two rows.
                    let both = game.with(&game.with(&self.representatives[class], g), h);
                    let both = self.row(game, &both, control)?;
                    let (row, last) = match self.extended[by_g][h] == both {
                        false => (&self.extended[by_g][h], h),
                        true => (&self.extended[by_h][g], g),
                    };
                    let differs =
                        (0..self.contexts.len()).find(|&i| (row[i / 64] ^ both[i / 64]) >> (i % 64) & 1 == 1);
                    return Ok(differs.map(|i| game.with(&self.contexts[i], last)));
                }
            }
        }
        Ok(None)
    }

    fn add_context(&mut self, game: &mut ReducedGame, context: Word, control: &Control<'_>) -> Result<()> {
        let i = self.contexts.len();
        let mut widen = |word: &[u8], row: &mut Row| -> Result<()> {
            row.resize(i / 64 + 1, 0);
            row[i / 64] |= u64::from(Self::bit(game, word, &context, control)?) << (i % 64);
            Ok(())
        };
        self.class_of.clear();
        for class in 0..self.representatives.len() {
            let word = &self.representatives[class];
            widen(word, &mut self.rows[class])?;
            self.class_of.insert(self.rows[class].clone(), class as Element);
            for (letter, row) in self.extended[class].iter_mut().enumerate() {
                let mut longer = word.clone();
                longer[letter] = longer[letter].saturating_add(1);
                widen(&longer, row)?;
            }
        }
        self.contexts.push(context);
        Ok(())
    }

    fn as_guess(&self, letters: usize) -> Guess {
        let order = self.representatives.len();
        let mut product = vec![0 as Element; order * order];
        for (y, word) in self.representatives.iter().enumerate() {
            for x in 0..order {
                let times = |class: Element, (letter, &count): (usize, &u8)| {
                    (0..count).fold(class, |class, _| self.action[class as usize][letter])
                };
                product[x * order + y] = word.iter().enumerate().fold(x as Element, times);
            }
        }
        let p_portion = self.rows.iter().map(|row| row[0] & 1 == 1).collect();
        let letters = (0..letters).map(|letter| self.action[0][letter]).collect();
        Guess { monoid: Monoid::new(product, p_portion), letters }
    }

    /// Learns from a word whose class has the wrong outcome: a context that tells two multisets of one class
    /// apart (the way of Rivest and Schapire).
    pub fn refine(&mut self, game: &mut ReducedGame, word: &[u8], control: &Control<'_>) -> Result<()> {
        let mut rest: Vec<usize> = Vec::new();
        for (letter, &count) in word.iter().enumerate() {
            rest.extend(std::iter::repeat_n(letter, count.into()));
        }
        let tail = |from: usize| {
            rest[from..].iter().fold(vec![0u8; game.letters()], |mut tail, &letter| {
                tail[letter] += 1;
                tail
            })
        };
        // The outcome of the representative of the first i letters beside the others changes between 0 and
        // the end; the first change names the context.
        let tails: Vec<Vec<u8>> = (0..=rest.len()).map(tail).collect();
        let truth = Self::bit(game, &[], &tails[0], control)?;
        let mut class = 0;
        for (i, &letter) in rest.iter().enumerate() {
            class = self.action[class as usize][letter];
            if Self::bit(game, &self.representatives[class as usize], &tails[i + 1], control)? != truth {
                return self.add_context(game, tails[i + 1].clone().into(), control);
            }
        }
        Err(Error::Undecided("the guess of a quotient does not settle".into()))
    }
}
