//! Complete deterministic automata that read several numbers at once, digit by digit.

use std::collections::HashMap;

use super::Numeration;

/// A complete deterministic automaton. A letter is a tuple of digits, one per track, as
/// [`Numeration::letters`] writes it. Zeros in front of a word never change whether it is accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dfa {
    /// How numbers are written.
    pub numeration: Numeration,
    /// How many numbers are read at once.
    pub tracks: usize,
    /// The state before the first letter.
    pub start: u32,
    /// `next[state * letters + letter]`.
    pub next: Vec<u32>,
    /// Whether a word that ends here is accepted.
    pub accepting: Vec<bool>,
}

impl Dfa {
    /// The automaton that accepts all words, or none.
    pub fn constant(numeration: Numeration, tracks: usize, accepting: bool) -> Self {
        let next = vec![0; numeration.digits().pow(tracks as u32)];
        Self { numeration, tracks, start: 0, next, accepting: vec![accepting] }
    }

    /// How many letters there are.
    pub fn letters(&self) -> usize {
        self.numeration.digits().pow(self.tracks as u32)
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.accepting.len()
    }

    /// The state after a letter.
    #[inline]
    pub fn after(&self, state: u32, letter: usize) -> u32 {
        self.next[state as usize * self.letters() + letter]
    }

    /// The states after each letter.
    pub fn row(&self, state: u32) -> &[u32] {
        let letters = self.letters();
        &self.next[state as usize * letters..][..letters]
    }

    /// The state after a word.
    pub fn run(&self, word: &[usize]) -> u32 {
        word.iter().fold(self.start, |state, &letter| self.after(state, letter))
    }

    /// Whether the word is accepted.
    pub fn accepts(&self, word: &[usize]) -> bool {
        self.accepting[self.run(word) as usize]
    }

    /// Whether the numbers are accepted.
    pub fn contains(&self, numbers: &[u128]) -> bool {
        self.accepts(&self.numeration.letters(numbers))
    }

    /// The same automaton among `tracks` numbers: its number i is the one at `places[i]`.
    pub fn on_tracks(&self, places: &[usize], tracks: usize) -> Self {
        let digits = self.numeration.digits();
        let own = |letter: usize| {
            let digit = |place: usize| letter / digits.pow(place as u32) % digits;
            places.iter().rev().fold(0, |own, &place| own * digits + digit(place))
        };
        let letters: Vec<usize> = (0..digits.pow(tracks as u32)).map(own).collect();
        let states = 0..self.states() as u32;
        let next = states.flat_map(|state| letters.iter().map(move |&own| self.after(state, own))).collect();
        Self { tracks, next, accepting: self.accepting.clone(), ..*self }
    }

    /// For each state, whether an accepted word begins there.
    pub fn live(&self) -> Vec<bool> {
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); self.states()];
        for state in 0..self.states() as u32 {
            self.row(state).iter().for_each(|&after| before[after as usize].push(state));
        }
        let mut live = self.accepting.clone();
        let mut open: Vec<u32> = (0..self.states() as u32).filter(|&state| live[state as usize]).collect();
        while let Some(state) = open.pop() {
            for &earlier in &before[state as usize] {
                if !std::mem::replace(&mut live[earlier as usize], true) {
                    open.push(earlier);
                }
            }
        }
        live
    }

    /// The automaton with the fewest states that accepts the same words, its states numbered in the order in
    /// which a breadth-first walk meets them: two automata accept the same words exactly if these are equal.
    pub fn minimised(&self) -> Self {
        // Moore's refinement: states are told apart by words of growing length.
        let mut class: Vec<u32> = self.accepting.iter().map(|&accepting| accepting.into()).collect();
        let mut count = 0;
        loop {
            let mut classes: HashMap<(u32, Vec<u32>), u32> = HashMap::new();
            let refined = (0..self.states() as u32).map(|state| {
                let after: Vec<u32> = self.row(state).iter().map(|&after| class[after as usize]).collect();
                let fresh = classes.len() as u32;
                *classes.entry((class[state as usize], after)).or_insert(fresh)
            });
            class = refined.collect();
            if classes.len() == count {
                break;
            }
            count = classes.len();
        }
        let mut number = vec![u32::MAX; count];
        let mut order = vec![self.start];
        number[class[self.start as usize] as usize] = 0;
        let (mut next, mut accepting) = (Vec::new(), Vec::new());
        while let Some(&state) = order.get(accepting.len()) {
            accepting.push(self.accepting[state as usize]);
            for &after in self.row(state) {
                let name = &mut number[class[after as usize] as usize];
                if *name == u32::MAX {
                    *name = order.len() as u32;
                    order.push(after);
                }
                next.push(*name);
            }
        }
        Self { numeration: self.numeration, tracks: self.tracks, start: 0, next, accepting }
    }
}
