//! Impartial games in misère play, in their simplest forms, and their genus (Winning Ways, chapter 13).
//!
//! A game G simplifies to K if all options of K are options of G, and every other option of G has K as an
//! option; where K has no options, G must also have an option that is a P-position. What cannot be
//! simplified is equal only to itself, so games are numbers here, equal if the games are.

use std::collections::{BTreeSet, HashMap};

use crate::base::{Control, Result};
use crate::rules::OctalGame;

/// The number of a game; 0 is the game without options.
pub type GameNumber = u32;

/// Bytes that a game or a sum takes in memory, roughly.
const BYTES: u64 = 160;

/// Games in their simplest forms, with what is known of each.
#[derive(Debug, Default)]
pub struct Arena {
    options: Vec<BTreeSet<GameNumber>>,
    numbers: HashMap<BTreeSet<GameNumber>, GameNumber>,
    sums: HashMap<(GameNumber, GameNumber), GameNumber>,
    genera: Vec<Genus>,
    /// Whether each game is a nim-heap, and of which size.
    nim_heaps: Vec<Option<u32>>,
    tame: Vec<bool>,
}

/// A Grundy value, and the misère Grundy values of the game with 0, 1, 2, … nim-heaps of two added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Genus {
    /// The value in normal play.
    pub normal: u32,
    /// The misère values; the last two repeat for ever.
    pub misere: Vec<u32>,
}

impl Genus {
    fn at(&self, i: usize) -> u32 {
        match self.misere.len() {
            length if i < length => self.misere[i],
            length => self.misere[length - 2 + (i - length) % 2],
        }
    }

    /// From the genera of the options: g⁻(G + (i + 1)·2) is the mex of g⁻(G + i·2), the same plus 1 (as
    /// nim-sum), and g⁻(G' + (i + 1)·2) for the options G'.
    fn of_options(options: &[&Genus]) -> Self {
        let normal = mex(options.iter().map(|option| option.normal));
        let first = if options.is_empty() { 1 } else { mex(options.iter().map(|option| option.at(0))) };
        let steady = options.iter().map(|option| option.misere.len()).max().unwrap_or(0);
        let mut misere = vec![first];
        // From `steady` on the options repeat every two steps, so the next value is a function of the last
        // one and the parity: when a value comes again after two steps, all do.
        while misere.len() < steady + 3 || misere[misere.len() - 1] != misere[misere.len() - 3] {
            let i = misere.len();
            let last = misere[i - 1];
            misere.push(mex(options.iter().map(|option| option.at(i)).chain([last, last ^ 1])));
        }
        while misere.len() > 2 && misere[misere.len() - 1] == misere[misere.len() - 3] {
            misere.pop();
        }
        Self { normal, misere }
    }

    /// Whether a nim-position has this genus.
    fn is_that_of_nim(&self) -> bool {
        let g = self.normal;
        self.misere == [g, g ^ 2] || g < 2 && self.misere == [g ^ 1, g ^ 2, g]
    }
}

impl std::fmt::Display for Genus {
    /// As Winning Ways writes it, with ^ for the superscript: 4^146.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let digits: Vec<String> = self.misere.iter().map(ToString::to_string).collect();
        match digits.iter().all(|digit| digit.len() == 1) {
            true => write!(f, "{}^{}", self.normal, digits.concat()),
            false => write!(f, "{}^({})", self.normal, digits.join(",")),
        }
    }
}

fn mex(values: impl Iterator<Item = u32>) -> u32 {
    let seen: BTreeSet<u32> = values.collect();
    (0..).find(|value| !seen.contains(value)).unwrap_or(u32::MAX)
}

impl Arena {
    /// An arena with the game without options.
    pub fn new() -> Self {
        let mut arena = Self::default();
        arena.intern(BTreeSet::new());
        arena
    }

    /// The game with these options, simplified.
    fn game(&mut self, options: BTreeSet<GameNumber>) -> GameNumber {
        if let Some(&known) = self.numbers.get(&options) {
            return known;
        }
        // What G can simplify to is an option of one of its options.
        let mut candidates: BTreeSet<GameNumber> = BTreeSet::new();
        for &option in &options {
            candidates.extend(&self.options[option as usize]);
        }
        let has_p_option = options.iter().any(|&option| self.genera[option as usize].misere[0] == 0);
        for simpler in candidates {
            let kept = &self.options[simpler as usize];
            let reverts = |option: &GameNumber| {
                kept.contains(option) || self.options[*option as usize].contains(&simpler)
            };
            if kept.is_subset(&options) && options.iter().all(reverts) && (!kept.is_empty() || has_p_option) {
                return simpler;
            }
        }
        self.intern(options)
    }

    fn intern(&mut self, options: BTreeSet<GameNumber>) -> GameNumber {
        let number = self.options.len() as GameNumber;
        let genera: Vec<&Genus> = options.iter().map(|&option| &self.genera[option as usize]).collect();
        let genus = Genus::of_options(&genera);
        let sizes: BTreeSet<Option<u32>> =
            options.iter().map(|&option| self.nim_heaps[option as usize]).collect();
        let is_nim_heap = sizes.iter().copied().eq((0..sizes.len() as u32).map(Some));
        self.nim_heaps.push(is_nim_heap.then_some(sizes.len() as u32));
        // A wild option does no harm if the opponent can go on to a tame game of the same genus.
        let reverts = |option: GameNumber| {
            let mut replies = self.options[option as usize].iter();
            replies.any(|&reply| self.tame[reply as usize] && self.genera[reply as usize] == genus)
        };
        let harmless = |option: GameNumber| self.tame[option as usize] || reverts(option);
        let tame = genus.is_that_of_nim() && options.iter().all(|&option| harmless(option));
        self.tame.push(tame);
        self.genera.push(genus);
        self.numbers.insert(options.clone(), number);
        self.options.push(options);
        number
    }

    /// The sum of two games.
    fn sum(&mut self, x: GameNumber, y: GameNumber, control: &Control<'_>) -> Result<GameNumber> {
        let pair = (x.min(y), x.max(y));
        if pair.0 == 0 {
            return Ok(pair.1);
        }
        if let Some(&known) = self.sums.get(&pair) {
            return Ok(known);
        }
        if self.sums.len() % 1024 == 0 {
            control.check()?;
            let stored = (self.sums.len() + self.options.len()) as u64;
            control.check_memory(stored, stored * BYTES)?;
        }
        let mut options = BTreeSet::new();
        for (moved, other) in [pair, (pair.1, pair.0)] {
            for option in self.options[moved as usize].clone() {
                options.insert(self.sum(option, other, control)?);
            }
        }
        let number = self.game(options);
        self.sums.insert(pair, number);
        Ok(number)
    }

    /// The symbol of a game: n for a nim-heap, n^n for another tame game that is firm, otherwise the whole
    /// genus.
    fn symbol(&self, game: GameNumber) -> String {
        let genus = &self.genera[game as usize];
        match (self.nim_heaps[game as usize], self.tame[game as usize]) {
            (Some(size), _) => size.to_string(),
            (None, true) if genus.misere[0] == genus.normal => format!("{0}^{0}", genus.normal),
            _ => genus.to_string(),
        }
    }
}

/// The genus of a heap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeapGenus {
    /// The values.
    pub genus: Genus,
    /// As Winning Ways abbreviates it: 2 for a nim-heap, 2^2 for another tame game.
    pub symbol: String,
    /// Whether the heap is tame: its simplest form has the genus of a nim-position, and each of its options
    /// is tame or can be answered by a move to a tame game of that genus.
    pub tame: bool,
}

/// The genera of the heaps from 0 to `most`, or as far as the limits of `control` allow.
pub fn genus_sequence(game: &OctalGame, most: usize, control: &Control<'_>) -> Result<Vec<HeapGenus>> {
    let mut arena = Arena::new();
    let mut heaps: Vec<GameNumber> = Vec::new();
    for heap in 0..=most {
        let mut parts = Vec::new();
        game.options_of_heap(heap as u64, &mut |a, b| parts.push((a as usize, b as usize)));
        let sums = parts.into_iter().map(|(a, b)| arena.sum(heaps[a], heaps[b], control));
        let options = match sums.collect::<Result<BTreeSet<_>>>() {
            Err(problem) if control.is_interrupted() => return Err(problem),
            Err(_) => break,
            Ok(options) => options,
        };
        heaps.push(arena.game(options));
    }
    let genus = |&heap: &GameNumber| HeapGenus {
        genus: arena.genera[heap as usize].clone(),
        symbol: arena.symbol(heap),
        tame: arena.tame[heap as usize],
    };
    Ok(heaps.iter().map(genus).collect())
}
