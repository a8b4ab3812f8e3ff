//! Is this set the set of P-positions? A theorem about all sizes, decided.

use super::formula::Formula;
use super::multiples::Multiples;
use super::operations::{Explored, combine, complement, path, project};
use super::{Budget, Dfa, Failed};

/// Moves of one kind: the relation between the heaps and some new numbers, and which of all these are the
/// sorted heaps after the move.
#[derive(Debug, Clone)]
pub struct Moves {
    /// Reads the heaps, then the new numbers.
    pub relation: Dfa,
    /// The tracks of the heaps after the move, in ascending order of their sizes.
    pub after: Vec<usize>,
    /// What the relation says.
    pub formula: Formula,
}

impl Moves {
    /// The letter of the relation for a letter before and one after a move, if the heaps that stay agree.
    pub fn letter(&self, before: usize, after: usize, digits: usize) -> Option<usize> {
        let place = |track: usize| digits.pow(track as u32);
        let mut letter = before;
        for (i, &track) in self.after.iter().enumerate() {
            let digit = after / place(i) % digits;
            if track >= self.after.len() {
                letter += digit * place(track);
            } else if before / place(track) % digits != digit {
                return None;
            }
        }
        Some(letter)
    }
}

/// A game on a fixed number of heaps as automata.
#[derive(Debug, Clone)]
pub struct AutomaticGame {
    /// The sorted positions.
    pub positions: Dfa,
    /// What is true of them.
    pub formula: Formula,
    /// All moves.
    pub moves: Vec<Moves>,
    /// Moves by multiples of the other one of two heaps, which no relation tells.
    pub multiples: Option<Multiples>,
    /// The positions without a move, if they are won by the player to move (misère play).
    pub won_at_once: Option<Dfa>,
}

impl AutomaticGame {
    /// The positions from which there is no move.
    pub fn terminal(
        positions: &Dfa,
        moves: &[Moves],
        multiples: Option<&Multiples>,
        budget: &Budget<'_>,
    ) -> Result<Dfa, Failed> {
        let mut stuck = positions.clone();
        if let Some(multiples) = multiples {
            let movable = multiples.reaching(positions, budget)?;
            stuck = combine(&stuck, &movable, budget, |position, moves| position && !moves)?;
        }
        for kind in moves {
            let hidden = kind.relation.tracks - positions.tracks;
            let movable = project(&kind.relation, hidden, budget)?;
            stuck = combine(&stuck, &complement(&movable, budget)?, budget, |a, b| a && b)?;
        }
        Ok(stuck)
    }

    /// Whether `set` is exactly the set of the positions that are not in `others` (and not won at once), and
    /// from which no move leads into `set`. By induction on the number of counters only one set is: without
    /// `others` the P-positions, and the positions of value v, if `others` are those of smaller values.
    ///
    /// Returns a shortest position at which it fails.
    pub fn failure(
        &self,
        others: &[Dfa],
        set: &Dfa,
        budget: &Budget<'_>,
    ) -> Result<Option<Vec<usize>>, Failed> {
        let tracks = self.positions.tracks;
        let mut candidates = self.positions.clone();
        for other in self.won_at_once.iter().chain(others) {
            candidates = combine(&candidates, other, budget, |a, b| a && !b)?;
        }
        if let Some(multiples) = &self.multiples {
            let reaching = multiples.reaching(set, budget)?;
            candidates = combine(&candidates, &reaching, budget, |a, b| a && !b)?;
        }
        let letters = set.numeration.digits().pow(tracks as u32);
        let mut options = Options::new(self, set, *budget);
        let start = options.start()?;
        let mut subsets = Explored::new();
        subsets.number(start, letters, budget)?;
        let mut states = Explored::new();
        let mut origin = vec![(0, 0)];
        states.number((candidates.start, set.start, 0u32), 1, budget)?;
        let mut successors: Vec<Option<Vec<u32>>> = Vec::new();
        let mut place = 0;
        while let Some(&(candidate, state, subset)) = states.found.get(place) {
            let reached = subsets.found[subset as usize].iter().any(|&id| options.accepting(id));
            let expected = candidates.accepting[candidate as usize] && !reached;
            if expected != set.accepting[state as usize] {
                return Ok(Some(path(&origin, place)));
            }
            successors.resize(subsets.found.len(), None);
            if successors[subset as usize].is_none() {
                let row: Result<Vec<u32>, Failed> = (0..letters)
                    .map(|letter| {
                        let after = options.after(&subsets.found[subset as usize], letter)?;
                        let entries = letters + after.len();
                        subsets.number(after, entries, budget)
                    })
                    .collect();
                successors[subset as usize] = Some(row?);
            }
            let row = successors[subset as usize].as_deref().unwrap_or_default();
            for (letter, &subset) in row.iter().enumerate() {
                let next = (candidates.after(candidate, letter), set.after(state, letter), subset);
                if states.number(next, 1, budget)? as usize == origin.len() {
                    origin.push((place as u32, letter));
                }
            }
            place += 1;
        }
        Ok(None)
    }
}

/// The nondeterministic automaton of "some move leads into the set": it guesses the new numbers.
struct Options<'a> {
    game: &'a AutomaticGame,
    /// For each kind of moves: the set on the tracks of the position after the move, as letters.
    letters_after: Vec<Vec<u32>>,
    set: &'a Dfa,
    live: Vec<Vec<bool>>,
    set_live: Vec<bool>,
    /// Kind of moves, state of its relation, state of the set.
    states: Explored<(u32, u32, u32)>,
    /// For each state the successors by letter, once they are needed.
    next: Vec<Option<Box<[Vec<u32>]>>>,
    budget: Budget<'a>,
}

impl<'a> Options<'a> {
    fn new(game: &'a AutomaticGame, set: &'a Dfa, budget: Budget<'a>) -> Self {
        let digits = set.numeration.digits();
        let letters_after = game.moves.iter().map(|kind| {
            let letter_after = |letter: usize| {
                let digit = |track: usize| letter / digits.pow(track as u32) % digits;
                kind.after.iter().rev().fold(0, |own, &track| own * digits + digit(track)) as u32
            };
            (0..kind.relation.letters()).map(letter_after).collect()
        });
        Self {
            game,
            letters_after: letters_after.collect(),
            set,
            live: game.moves.iter().map(|kind| kind.relation.live()).collect(),
            set_live: set.live(),
            states: Explored::new(),
            next: Vec::new(),
            budget,
        }
    }

    fn intern(&mut self, kind: u32, relation: u32, state: u32) -> Result<u32, Failed> {
        // Its successors: a list for each letter.
        let entries = self.game.positions.letters() * 8;
        self.states.number((kind, relation, state), entries, &self.budget)
    }

    /// New numbers are never longer than the heaps: moves only lower.
    fn start(&mut self) -> Result<Vec<u32>, Failed> {
        let kinds = 0..self.game.moves.len();
        kinds
            .map(|kind| self.intern(kind as u32, self.game.moves[kind].relation.start, self.set.start))
            .collect()
    }

    fn accepting(&self, id: u32) -> bool {
        let (kind, relation, state) = self.states.found[id as usize];
        self.game.moves[kind as usize].relation.accepting[relation as usize]
            && self.set.accepting[state as usize]
    }

    fn after(&mut self, subset: &[u32], letter: usize) -> Result<Vec<u32>, Failed> {
        let mut reached = Vec::new();
        for &id in subset {
            self.next.resize(self.states.found.len(), None);
            if self.next[id as usize].is_none() {
                let successors = self.successors(id)?;
                self.next.resize(self.states.found.len(), None);
                self.next[id as usize] = Some(successors);
            }
            if let Some(next) = &self.next[id as usize] {
                reached.extend_from_slice(&next[letter]);
            }
        }
        reached.sort_unstable();
        reached.dedup();
        Ok(reached)
    }

    fn successors(&mut self, id: u32) -> Result<Box<[Vec<u32>]>, Failed> {
        let (kind, relation, state) = self.states.found[id as usize];
        let moves = &self.game.moves[kind as usize];
        let letters = self.game.positions.letters();
        let mut successors = vec![Vec::new(); letters];
        for letter in 0..moves.relation.letters() {
            let after = moves.relation.after(relation, letter);
            let in_set = self.set.after(state, self.letters_after[kind as usize][letter] as usize);
            if self.live[kind as usize][after as usize] && self.set_live[in_set as usize] {
                let successor = self.intern(kind, after, in_set)?;
                successors[letter % letters].push(successor);
            }
        }
        for ids in &mut successors {
            ids.sort_unstable();
            ids.dedup();
        }
        Ok(successors.into())
    }
}
