//! The finite check that turns a learned quotient into a theorem (docs/PROOFS.md, theorem 1).
//!
//! Nothing here trusts the learner: a quotient from anywhere is either proved or refuted by a stated
//! condition with a witness. The conditions are numbered as in docs/PROOFS.md.

use super::automata::{Budget, Failed};
use super::local_game::{LocalGame, Moves, Slab};
use super::quotient::{Class, EMPTY_CLASS, Letters, Quotient};
use crate::base::Control;
use crate::rules::Play;
use crate::rules::notation::show_heaps;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Most states that the check visits in one slab before it gives up.
pub const MAX_STATES: usize = 20_000_000;

/// What the finite check established.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// The bound `m` on the smallest heap of a P-position; `None` where there is none. Larger smallest heaps are
    /// settled by the cover, where one is used.
    pub largest_min: Option<u64>,
    /// States visited in each slab.
    pub states: Vec<usize>,
    /// Classes of non-empty multisets of heaps larger than `m`.
    pub cover_classes: usize,
}

impl Checked {
    /// All states visited.
    pub fn total_states(&self) -> usize {
        self.states.iter().sum()
    }
}

/// Why a quotient is not proved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refuted {
    /// Condition (0a): two letters do not commute at a class.
    Commutation(Class, usize, usize),
    /// Condition (0c): a class is not reached, or has another number or representative than a search in
    /// breadth gives it.
    Numbering(Class),
    /// Condition (0b): the empty position has the wrong outcome.
    Terminal,
    /// Condition (A): this position's class disagrees with the classes of its options.
    Partition(Vec<u64>),
    /// Condition (B): these heaps, all larger than `m`, have an accepted class.
    AcceptedAboveCover(Vec<u64>),
    /// Condition (B): after these heaps, all larger than `m`, no small heap gives an accepted class.
    CoverHole(Vec<u64>),
    /// A smaller bound than this `m` would do, so the certificate is not canonical.
    NotLeast(u64),
    /// No `m` up to this bound makes the cover hold.
    NoCover(u64),
    /// More than [`MAX_STATES`] states in a slab.
    TooManyStates,
    /// The kinds of heaps were not worked out, or it was time to stop.
    Undecided(Failed),
}

impl std::fmt::Display for Refuted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Commutation(class, a, b) => {
                write!(f, "letters {a} and {b} do not commute at class {class}")
            }
            Self::Numbering(class) => {
                write!(f, "class {class} is not reached, or its number or representative is not canonical")
            }
            Self::Terminal => write!(f, "the empty position has the wrong outcome"),
            Self::Partition(heaps) => write!(
                f,
                "{} breaks the Partition Theorem: its class does not agree with those of its options",
                show_heaps(heaps)
            ),
            Self::AcceptedAboveCover(heaps) => {
                write!(f, "{} is accepted although its smallest heap is beyond the cover", show_heaps(heaps))
            }
            Self::CoverHole(heaps) => {
                write!(f, "no small heap beside {} gives an accepted class", show_heaps(heaps))
            }
            Self::NotLeast(m) => write!(f, "the bound m = {m} of the cover is not the least one"),
            Self::NoCover(bound) => write!(f, "no bound m up to {bound} makes the cover hold"),
            Self::TooManyStates => write!(f, "a slab has more than {MAX_STATES} states"),
            Self::Undecided(failed) => failed.fmt(f),
        }
    }
}

/// Proves or refutes that the accepted multisets of `quotient` are the P-positions of `game`.
///
/// `largest_min` is the bound `m` of the certificate; `None` searches the smallest one that works.
pub fn check(
    quotient: &Quotient,
    game: &LocalGame,
    play: Play,
    largest_min: Option<u64>,
    control: &Control<'_>,
) -> Result<Checked, Refuted> {
    if let Some((class, a, b)) = quotient.commutation_failure() {
        return Err(Refuted::Commutation(class, a, b));
    }
    if let Some(class) = quotient.numbering_failure() {
        return Err(Refuted::Numbering(class));
    }
    if quotient.accepts(EMPTY_CLASS) != LocalGame::accepts_terminal(play) {
        return Err(Refuted::Terminal);
    }
    let (m, cover_classes) = cover_bound(quotient, game, largest_min)?;
    let stop = || control.stopped();
    let budget = Budget::within(control, &stop);
    let mut states = Vec::new();
    for family in game.families(m.unwrap_or(0), quotient.letters(), &budget).map_err(Refuted::Undecided)? {
        states.push(check_family(quotient, &family, play, &budget)?);
    }
    let m = if game.needs_cover() { m } else { rejected_above(quotient) };
    Ok(Checked { largest_min: m, states, cover_classes })
}

/// The least `m` such that every accepted multiset of heaps has one of at most `m`, or no heap.
fn rejected_above(quotient: &Quotient) -> Option<u64> {
    (0..quotient.letters().count() as u64).find(|&m| multisets_above(quotient, m).is_ok())
}

/// The classes of the non-empty multisets of heaps larger than `m`, each with such heaps and the empty multiset
/// first; or heaps whose class is accepted.
fn multisets_above(quotient: &Quotient, m: u64) -> Result<Vec<(Class, Vec<u64>)>, Refuted> {
    let letters = quotient.letters();
    // Beyond the threshold and m every letter repeats with the period, so these sizes give all letters.
    let mut seen_letters = BTreeSet::new();
    let large: Vec<u64> = (m + 1..letters.threshold().max(m + 1) + letters.period())
        .filter(|&size| seen_letters.insert(letters.of(size)))
        .collect();
    let mut found: Vec<(Class, Vec<u64>)> = vec![(EMPTY_CLASS, Vec::new())];
    let mut reached = vec![false; quotient.classes()];
    let mut next = 0;
    while next < found.len() {
        let (rest, heaps) = found[next].clone();
        next += 1;
        for &size in &large {
            let class = quotient.add_heap(rest, size);
            let with = || [heaps.as_slice(), &[size]].concat();
            if quotient.accepts(class) {
                return Err(Refuted::AcceptedAboveCover(with()));
            }
            if !reached[class as usize] {
                reached[class as usize] = true;
                found.push((class, with()));
            }
        }
    }
    Ok(found)
}

/// The bound `m` with which condition (B) holds, and the size of the submonoid that it looked at.
fn cover_bound(
    quotient: &Quotient,
    game: &LocalGame,
    given: Option<u64>,
) -> Result<(Option<u64>, usize), Refuted> {
    if !game.needs_cover() {
        return Ok((None, 0));
    }
    if let Some(m) = given {
        let classes = check_cover(quotient, game, m)?;
        // A larger m would be true as well; only the least one is canonical.
        if m > 0 && check_cover(quotient, game, m - 1).is_ok() {
            return Err(Refuted::NotLeast(m));
        }
        return Ok((Some(m), classes));
    }
    let bound = quotient.letters().count() as u64;
    (0..=bound)
        .find_map(|m| check_cover(quotient, game, m).ok().map(|classes| (Some(m), classes)))
        .ok_or(Refuted::NoCover(bound))
}

/// Condition (B), for smallest heap above `m`: the number of classes that further heaps above `m` can have.
fn check_cover(quotient: &Quotient, game: &LocalGame, m: u64) -> Result<usize, Refuted> {
    // The further heaps beside the smallest one: first none, then every class that some can have.
    let rests = multisets_above(quotient, m)?;
    for (rest, heaps) in &rests {
        let mut targets = game.cover_targets(m, heaps.is_empty()).into_iter().flatten();
        if !targets.any(|to| quotient.accepts(quotient.add_heap(*rest, to))) {
            return Err(Refuted::CoverHole(heaps.clone()));
        }
    }
    Ok(rests.len() - 1)
}

/// A heap as the check sees it: its letter and the letters of what may replace it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct HeapKind {
    /// The letter of the heap.
    pub letter: usize,
    /// What may replace it: no letter, one or two.
    pub replacements: BTreeSet<Vec<usize>>,
}

/// The heaps of a slab as the check sees them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Family {
    /// The heaps that every position has.
    pub start: Vec<(u64, HeapKind)>,
    /// The kinds of further heaps, each with a heap of that kind.
    pub further: BTreeMap<HeapKind, u64>,
}

impl Family {
    /// The heaps of a slab, by letters.
    pub fn of_slab(slab: &Slab, letters: Letters) -> Self {
        let start =
            slab.start.iter().map(|(heap, moves)| (*heap, heap_kind(letters, moves, *heap))).collect();
        let mut further = BTreeMap::new();
        if let Some((floor, moves)) = &slab.further {
            let end = moves.stable_from(letters).max(floor + letters.period());
            for size in *floor..end {
                further.entry(heap_kind(letters, moves, size)).or_insert(size);
            }
        }
        Self { start, further }
    }
}

fn heap_kind(letters: Letters, moves: &Moves, size: u64) -> HeapKind {
    let mut replacements = BTreeSet::new();
    moves.replacements(size, &mut |heaps| {
        let mut replacement: Vec<usize> = heaps.iter().map(|&heap| letters.of(heap)).collect();
        replacement.sort_unstable();
        replacements.insert(replacement);
    });
    HeapKind { letter: letters.of(size), replacements }
}

/// The state of a multiset: its class and the set of the classes of its options, as a bit set.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct State {
    class: Class,
    options: Box<[u64]>,
}

impl State {
    fn empty(classes: usize) -> Self {
        Self { class: EMPTY_CLASS, options: vec![0; classes.div_ceil(64)].into() }
    }

    /// Adds one heap: old options get the heap, and the heap's replacements give new ones.
    fn with(&self, quotient: &Quotient, kind: &HeapKind) -> Self {
        let mut options = vec![0u64; self.options.len()].into_boxed_slice();
        let mut insert = |class: Class| options[class as usize / 64] |= 1 << (class % 64);
        for (word, &bits) in self.options.iter().enumerate() {
            let mut bits = bits;
            while bits != 0 {
                let class = (word * 64) as Class + bits.trailing_zeros() as Class;
                bits &= bits - 1;
                insert(quotient.add_letter(class, kind.letter));
            }
        }
        for replacement in &kind.replacements {
            insert(replacement.iter().fold(self.class, |class, &letter| quotient.add_letter(class, letter)));
        }
        Self { class: quotient.add_letter(self.class, kind.letter), options }
    }

    /// Condition (A): accepted exactly if no option is; without an option, as the play convention says.
    fn satisfies_partition(&self, quotient: &Quotient, accepted: &[u64], play: Play) -> bool {
        let has_option = self.options.iter().any(|&word| word != 0);
        let should_accept = if has_option {
            self.options.iter().zip(accepted).all(|(options, accepted)| options & accepted == 0)
        } else {
            LocalGame::accepts_terminal(play)
        };
        quotient.accepts(self.class) == should_accept
    }
}

/// Condition (A) on one slab: visits every reachable state and returns their number.
fn check_family(
    quotient: &Quotient,
    family: &Family,
    play: Play,
    budget: &Budget<'_>,
) -> Result<usize, Refuted> {
    let mut accepted = vec![0u64; quotient.classes().div_ceil(64)];
    for class in 0..quotient.classes() {
        accepted[class / 64] |= u64::from(quotient.accepts(class as Class)) << (class % 64);
    }
    let empty = State::empty(quotient.classes());
    let start = family.start.iter().fold(empty, |state, (_, kind)| state.with(quotient, kind));
    let mut known = HashSet::from([start.clone()]);
    // Where each state came from, so that a failure is shown as a position.
    let mut states = vec![start];
    let mut parents: Vec<(u32, u64)> = vec![(0, 0)];
    let mut next = 0;
    while next < states.len() {
        let state = states[next].clone();
        if !state.satisfies_partition(quotient, &accepted, play) {
            return Err(Refuted::Partition(witness(family, &parents, next)));
        }
        budget.allows(next, 0).map_err(Refuted::Undecided)?;
        for (kind, size) in &family.further {
            let reached = state.with(quotient, kind);
            if !known.contains(&reached) {
                if states.len() >= MAX_STATES {
                    return Err(Refuted::TooManyStates);
                }
                known.insert(reached.clone());
                states.push(reached);
                parents.push((next as u32, *size));
            }
        }
        next += 1;
    }
    Ok(states.len())
}

/// The heaps along the way to state `index`.
fn witness(family: &Family, parents: &[(u32, u64)], mut index: usize) -> Vec<u64> {
    let mut heaps: Vec<u64> = family.start.iter().map(|(heap, _)| *heap).collect();
    while index != 0 {
        let (parent, heap) = parents[index];
        heaps.push(heap);
        index = parent as usize;
    }
    heaps.sort_unstable();
    heaps
}
