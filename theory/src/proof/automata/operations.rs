//! And, or, not, "there is a number such that": the sets that automata accept are closed under these.

use std::collections::HashMap;
use std::hash::Hash;

use super::{Budget, Dfa, Failed, Numeration};

/// The states of an automaton in the order in which they are met.
pub(super) struct Explored<T> {
    pub found: Vec<T>,
    numbers: HashMap<T, u32>,
    entries: usize,
}

impl<T: Clone + Eq + Hash> Explored<T> {
    pub fn new() -> Self {
        Self { found: Vec::new(), numbers: HashMap::new(), entries: 0 }
    }

    /// The number of a state; a new one takes so many entries.
    pub fn number(&mut self, state: T, entries: usize, budget: &Budget<'_>) -> Result<u32, Failed> {
        if let Some(&known) = self.numbers.get(&state) {
            return Ok(known);
        }
        let fresh = self.found.len() as u32;
        self.entries += entries;
        budget.allows(self.found.len() + 1, self.entries)?;
        self.numbers.insert(state.clone(), fresh);
        self.found.push(state);
        Ok(fresh)
    }
}

/// Builds an automaton by exploring what is reached from `start`.
pub(super) fn explore<T: Clone + Eq + Hash>(
    numeration: Numeration,
    tracks: usize,
    start: T,
    budget: &Budget<'_>,
    mut after: impl FnMut(&T, usize) -> T,
    mut accepts: impl FnMut(&T) -> bool,
) -> Result<Dfa, Failed> {
    let letters = numeration.digits().pow(tracks as u32);
    let mut states = Explored::new();
    states.number(start, letters, budget)?;
    let (mut next, mut accepting) = (Vec::new(), Vec::new());
    while let Some(state) = states.found.get(accepting.len()).cloned() {
        accepting.push(accepts(&state));
        for letter in 0..letters {
            next.push(states.number(after(&state, letter), letters, budget)?);
        }
    }
    Ok(Dfa { numeration, tracks, start: 0, next, accepting })
}

/// The words for which `accepts` holds of what the two automata say.
pub fn combine(
    left: &Dfa,
    right: &Dfa,
    budget: &Budget<'_>,
    accepts: impl Fn(bool, bool) -> bool,
) -> Result<Dfa, Failed> {
    debug_assert_eq!((left.numeration, left.tracks), (right.numeration, right.tracks));
    let product = explore(
        left.numeration,
        left.tracks,
        (left.start, right.start),
        budget,
        |&(l, r), letter| (left.after(l, letter), right.after(r, letter)),
        |&(l, r)| accepts(left.accepting[l as usize], right.accepting[r as usize]),
    )?;
    Ok(product.minimised())
}

/// The words that are numbers: with Zeckendorf's digits no two neighbours are 1.
pub fn numerals(numeration: Numeration, tracks: usize) -> Dfa {
    match numeration {
        Numeration::Base(_) => Dfa::constant(numeration, tracks, true),
        Numeration::Zeckendorf => {
            // The state is the last letter; both bits of a track set is a fault.
            let letters = 1usize << tracks;
            let after = |last: usize, letter: usize| {
                (if last == letters || last & letter != 0 { letters } else { letter }) as u32
            };
            let next = (0..=letters).flat_map(|last| (0..letters).map(move |letter| after(last, letter)));
            let accepting = (0..=letters).map(|state| state < letters).collect();
            Dfa { numeration, tracks, start: 0, next: next.collect(), accepting }
        }
    }
}

/// The numbers that are not accepted.
pub fn complement(dfa: &Dfa, budget: &Budget<'_>) -> Result<Dfa, Failed> {
    combine(&numerals(dfa.numeration, dfa.tracks), dfa, budget, |is_number, accepted| is_number && !accepted)
}

/// "There are numbers for the last `hidden` tracks such that": what is left reads the tracks before them.
pub fn project(dfa: &Dfa, hidden: usize, budget: &Budget<'_>) -> Result<Dfa, Failed> {
    let tracks = dfa.tracks - hidden;
    let digits = dfa.numeration.digits();
    let (letters, choices) = (digits.pow(tracks as u32), digits.pow(hidden as u32));
    let live = dfa.live();
    let after = |states: &[u32], letter: usize| {
        let reached = states
            .iter()
            .flat_map(|&state| (0..choices).map(move |choice| dfa.after(state, letter + letters * choice)));
        let mut reached: Vec<u32> = reached.filter(|&state| live[state as usize]).collect();
        reached.sort_unstable();
        reached.dedup();
        reached
    };
    // The hidden numbers may be longer than the others, which then begin with zeros.
    let mut start = vec![dfa.start];
    loop {
        let mut more = after(&start, 0);
        more.extend_from_slice(&start);
        more.sort_unstable();
        more.dedup();
        if more == start {
            break;
        }
        start = more;
    }
    let accepts = |states: &Vec<u32>| states.iter().any(|&state| dfa.accepting[state as usize]);
    let projected =
        explore(dfa.numeration, tracks, start, budget, |states, letter| after(states, letter), accepts)?;
    Ok(projected.minimised())
}

/// A shortest word that one of the automata accepts and the other does not.
pub fn difference(left: &Dfa, right: &Dfa, budget: &Budget<'_>) -> Result<Option<Vec<usize>>, Failed> {
    let mut states = Explored::new();
    let mut origin: Vec<(u32, usize)> = vec![(0, 0)];
    states.number((left.start, right.start), 1, budget)?;
    let mut place = 0;
    while let Some(&(l, r)) = states.found.get(place) {
        if left.accepting[l as usize] != right.accepting[r as usize] {
            return Ok(Some(path(&origin, place)));
        }
        for letter in 0..left.letters() {
            let pair = (left.after(l, letter), right.after(r, letter));
            if states.number(pair, 1, budget)? as usize == origin.len() {
                origin.push((place as u32, letter));
            }
        }
        place += 1;
    }
    Ok(None)
}

/// The word that led to a place, from where each place was met first.
pub(super) fn path(origin: &[(u32, usize)], mut place: usize) -> Vec<usize> {
    let mut word = Vec::new();
    while place > 0 {
        let (before, letter) = origin[place];
        word.push(letter);
        place = before as usize;
    }
    word.reverse();
    word
}
