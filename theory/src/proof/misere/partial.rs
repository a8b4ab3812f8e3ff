//! Partial quotients: the misère quotient of the heaps up to n, for one n after the other.

use std::sync::Arc;

use super::learn::{Guess, Observations};
use super::monoid::{Element, IDENTITY, Monoid};
use super::reduced::{ReducedGame, Word};
use super::states::{Contradiction, State, States};
use crate::base::{Control, Error, Result};
use crate::rules::OctalGame;

/// The misère quotient of all positions whose heaps have at most so many counters, and what it takes to go
/// on.
#[derive(Debug)]
pub struct Partial {
    game: OctalGame,
    monoid: Arc<Monoid>,
    /// The pretending function: the element of each heap, from heap 0 on.
    elements: Vec<Element>,
    states: States,
    reduced: ReducedGame,
    /// A word of letters for each element.
    words: Vec<Word>,
    generators: Vec<usize>,
    /// Contexts that told elements apart.
    contexts: Vec<Word>,
}

/// What became of a guess.
enum Judged {
    Right(Vec<Element>, States),
    Wrong(Contradiction),
}

impl Partial {
    /// The quotient of no heaps. The guess of a quotient may look at so many sums of heaps.
    pub fn new(game: &OctalGame, most_sums: usize) -> Self {
        let monoid = Arc::new(Monoid::trivial());
        let mut reduced = ReducedGame::new(most_sums);
        reduced.push_word(Vec::new(), Word::default());
        Self {
            game: game.clone(),
            states: States::new(&monoid),
            monoid,
            elements: vec![IDENTITY],
            reduced,
            words: vec![Word::default()],
            generators: Vec::new(),
            contexts: Vec::new(),
        }
    }

    /// The largest heap so far.
    pub fn heap(&self) -> usize {
        self.elements.len() - 1
    }

    /// The quotient.
    pub fn monoid(&self) -> &Monoid {
        &self.monoid
    }

    /// The element of each heap, from heap 0 on.
    pub fn elements(&self) -> &[Element] {
        &self.elements
    }

    /// The heaps whose elements generate the quotient, in order: those that are not sums of smaller ones.
    pub fn generators(&self) -> &[usize] {
        &self.generators
    }

    /// States that prove the quotient.
    pub fn states(&self) -> usize {
        self.states.count()
    }

    /// The options of a heap as pairs of heaps.
    fn options(&self, heap: usize) -> Vec<(usize, usize)> {
        let mut options = Vec::new();
        // Heaps are counted in usize, so are their parts.
        self.game.options_of_heap(heap as u64, &mut |a, b| options.push((a as usize, b as usize)));
        options
    }

    /// Goes on to the next heap; whether the quotient changed. A failure leaves the quotient as it was, and
    /// then it can be looked at, not continued.
    pub fn next_heap(&mut self, control: &Control<'_>) -> Result<bool> {
        let heap = self.elements.len();
        let options = self.options(heap);
        let state = state_of(&self.monoid, &self.elements, IDENTITY, &options);
        if let Some(element) = self.pretended(heap, &state, control)? {
            self.reduced.push_word(options, self.words[element as usize].clone());
            self.elements.push(element);
            return Ok(false);
        }
        self.reduced.push_letter(options, Arc::clone(&self.monoid), &self.elements);
        let (guess, table, elements, states) = self.learn(control)?;
        self.contexts = table.contexts().to_vec();
        self.monoid = Arc::new(guess.monoid);
        self.words = self.monoid.elements().map(|x| table.representative(x).clone()).collect();
        (self.elements, self.states) = (elements, states);
        self.generators = generators(&self.monoid, &self.elements);
        Ok(true)
    }

    /// The element as which the next heap behaves, if the quotient stays as it is.
    fn pretended(&mut self, heap: usize, state: &State, control: &Control<'_>) -> Result<Option<Element>> {
        let known = self.monoid.elements().find(|&x| self.states.contains(&state.with_element(x)));
        if known.is_some() {
            return Ok(known);
        }
        for x in self.monoid.elements() {
            let state = state.with_element(x);
            if state.may_be_right(&self.monoid)
                && self.states.add_heap(&self.monoid, heap, &state, control)?.is_ok()
            {
                return Ok(Some(x));
            }
        }
        Ok(None)
    }

    /// Guesses the quotient of all heaps, the next one among them, until the guess is right.
    fn learn(&mut self, control: &Control<'_>) -> Result<(Guess, Observations, Vec<Element>, States)> {
        let mut table = Observations::new(&mut self.reduced, &self.contexts, control)?;
        loop {
            let guess = table.guess(&mut self.reduced, control)?;
            control.observer.doing(&format!(
                "heap {}: checks a quotient of order {}",
                self.elements.len(),
                guess.monoid.order()
            ));
            let heaps = match self.judge(&guess, control)? {
                // Rows tell the classes apart, so this is a matter of caution.
                Judged::Right(..) if !guess.monoid.is_reduced() => return Err(unsettled()),
                Judged::Right(elements, states) => return Ok((guess, table, elements, states)),
                Judged::Wrong(heaps) => heaps,
            };
            if let Some(word) = self.wrong_word(&guess, &heaps, control)? {
                table.refine(&mut self.reduced, &word, control)?;
                continue;
            }
            // The guess is right about all words of letters here.
            self.give_letter(&heaps)?;
            table = Observations::new(&mut self.reduced, table.contexts(), control)?;
        }
    }

    /// Makes one of these heaps a letter: it is not the sum of letters as which it was written.
    fn give_letter(&mut self, heaps: &[usize]) -> Result<()> {
        let is_letter = |heap| (0..self.reduced.letters()).any(|letter| self.reduced.heap_of(letter) == heap);
        match heaps.iter().copied().filter(|&heap| !is_letter(heap)).max() {
            Some(heap) => {
                self.reduced.make_letter(heap);
                Ok(())
            }
            None => Err(unsettled()),
        }
    }

    /// The exact check of a guess: all states of all heaps.
    fn judge(&self, guess: &Guess, control: &Control<'_>) -> Result<Judged> {
        let monoid = &guess.monoid;
        let heaps = self.elements.len();
        let elements: Vec<Element> = (0..=heaps).map(|heap| guess.class(self.reduced.word(heap))).collect();
        let mut states = States::new(monoid);
        for heap in 1..=heaps {
            let state = state_of(monoid, &elements, elements[heap], &self.options(heap));
            if let Err(contradiction) = states.add_heap(monoid, heap, &state, control)? {
                return Ok(Judged::Wrong(contradiction));
            }
        }
        Ok(Judged::Right(elements, states))
    }

    /// The words of the sum of these heaps and of its options, the shortest first.
    fn words_around(&self, heaps: &[usize]) -> Vec<Word> {
        let reduced = &self.reduced;
        let sum = |heaps: &[usize]| {
            heaps.iter().fold(Word::default(), |sum, &heap| reduced.sum(&sum, reduced.word(heap)))
        };
        let mut words = vec![sum(heaps)];
        for (i, &heap) in heaps.iter().enumerate() {
            let rest = sum(&[&heaps[..i], &heaps[i + 1..]].concat());
            words.extend(self.options(heap).iter().map(|&(a, b)| reduced.sum(&rest, &sum(&[a, b]))));
        }
        words.sort_by_cached_key(|word| {
            (word.iter().map(|&count| u32::from(count)).sum::<u32>(), word.clone())
        });
        words.dedup();
        words
    }

    /// A word with another outcome than its class has: the sum of these heaps or one of its options.
    fn wrong_word(&mut self, guess: &Guess, heaps: &[usize], control: &Control<'_>) -> Result<Option<Word>> {
        for word in self.words_around(heaps) {
            let is_p = self.reduced.is_p(&word, control)?;
            if is_p.is_some_and(|is_p| is_p != guess.monoid.is_p(guess.class(&word))) {
                return Ok(Some(word));
            }
        }
        Ok(None)
    }
}

/// The heaps whose elements are not products of those of smaller heaps.
fn generators(monoid: &Monoid, elements: &[Element]) -> Vec<usize> {
    let mut generators = Vec::new();
    let mut reached = vec![false; monoid.order()];
    let mut products = vec![IDENTITY];
    reached[IDENTITY as usize] = true;
    for (heap, &element) in elements.iter().enumerate() {
        if reached[element as usize] {
            continue;
        }
        generators.push(heap);
        let mut next = 0;
        while next < products.len() {
            let product = monoid.times(products[next], element);
            if !std::mem::replace(&mut reached[product as usize], true) {
                products.push(product);
            }
            next += 1;
        }
    }
    generators
}

fn unsettled() -> Error {
    Error::Undecided("the guess of a quotient does not settle".into())
}

fn state_of(monoid: &Monoid, elements: &[Element], element: Element, options: &[(usize, usize)]) -> State {
    let mut reached: Vec<Element> =
        options.iter().map(|&(a, b)| monoid.times(elements[a], elements[b])).collect();
    reached.sort_unstable();
    reached.dedup();
    State::new(monoid, element, &reached)
}
