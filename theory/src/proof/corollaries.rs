//! Statements of the literature about minnie, each a finite check on a proved quotient.
//!
//! A statement about all heap sizes becomes finite because both sides are eventually periodic in every
//! heap; docs/PROOFS.md, section "Corollaries", gives the bound used here for each of them.

use super::certificate::Certificate;
use super::known::known;
use super::local_game::LocalGame;
use super::quotient::{Class, EMPTY_CLASS, Quotient};
use crate::game::Slabs;
use crate::rules::Play;
use num_integer::lcm;
use std::collections::{BTreeSet, HashSet};

/// A statement, and whether the quotient proves it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corollary {
    /// A short name, as in the literature.
    pub id: &'static str,
    /// The statement in plain words.
    pub statement: &'static str,
    /// Whether the check on the quotient succeeded.
    pub proved: bool,
    /// A position at which the statement fails, when it does.
    pub counterexample: Option<Vec<u64>>,
}

impl Corollary {
    fn new(id: &'static str, statement: &'static str, counterexample: Option<Vec<u64>>) -> Self {
        Self { id, statement, proved: counterexample.is_none(), counterexample }
    }
}

/// The statements of the literature about the game of a proved certificate. Those about minnie compare both
/// plays; the other one is that of the program, checked here again.
pub fn of(proved: &Certificate) -> Vec<Corollary> {
    if proved.game != LocalGame::Slabs(Slabs::Minnie) {
        return Vec::new();
    }
    let other_play = Play::from_misere(proved.play == Play::Normal);
    let Some(other) = known(&proved.game, other_play).filter(|other| other.check().is_ok()) else {
        return Vec::new();
    };
    match proved.play {
        Play::Normal => minnie_normal(&proved.quotient, &other.quotient),
        Play::Misere => minnie_misere(&other.quotient, &proved.quotient),
    }
}

/// The corollaries of minnie in normal play; `misere` is the proved quotient of the misère game.
pub fn minnie_normal(normal: &Quotient, misere: &Quotient) -> Vec<Corollary> {
    vec![
        conjecture_5_6(normal),
        Corollary::new(
            "minnie-theorem-7",
            "[a, b] with a <= b is P exactly for [1, 2i+1], [2, 4i+2] (i >= 0), [3, 4i] (i >= 2) and [4, 4], for all sizes",
            disagreement(normal, 2, &|heaps| theorem_7(heaps[0], heaps[1])),
        ),
        Corollary::new(
            "minnie-theorem-8",
            "the P-positions with three heaps are the seven families of Theorem 8, for all sizes",
            disagreement(normal, 3, &|heaps| theorem_8(heaps[0], heaps[1], heaps[2])),
        ),
        nim_value_one(normal, misere),
    ]
}

/// The corollaries of minnie in misère play.
pub fn minnie_misere(normal: &Quotient, misere: &Quotient) -> Vec<Corollary> {
    vec![conjecture_5_6(misere), nim_value_one(normal, misere)]
}

/// Conjecture 5.6 of the thesis, repeated there as 6.2 and Conjecture 1 of the paper.
fn conjecture_5_6(quotient: &Quotient) -> Corollary {
    Corollary::new(
        "conjecture-5.6",
        "with smallest heap above 3 and all other heaps above 5 the next player wins, for every number of heaps (Conjectures 5.6 and 6.2)",
        accepted_with(quotient, 4, 6),
    )
}

/// An accepted multiset of one heap `>= smallest` and any number of heaps `>= others`, if there is one.
fn accepted_with(quotient: &Quotient, smallest: u64, others: u64) -> Option<Vec<u64>> {
    let large = sizes_from(quotient, others);
    let mut witness: Vec<(Class, Vec<u64>)> = vec![(EMPTY_CLASS, vec![])];
    let mut seen = HashSet::from([EMPTY_CLASS]);
    let mut next = 0;
    while next < witness.len() {
        let (class, heaps) = witness[next].clone();
        next += 1;
        for &size in &sizes_from(quotient, smallest) {
            if quotient.accepts(quotient.add_heap(class, size)) {
                return Some(sorted([heaps.as_slice(), &[size]].concat()));
            }
        }
        for &size in &large {
            let reached = quotient.add_heap(class, size);
            if seen.insert(reached) {
                witness.push((reached, [heaps.as_slice(), &[size]].concat()));
            }
        }
    }
    None
}

/// Sizes from `least` on, one for every letter that such sizes have.
fn sizes_from(quotient: &Quotient, least: u64) -> Vec<u64> {
    let letters = quotient.letters();
    let mut seen = BTreeSet::new();
    (least..least.max(letters.threshold()) + letters.period())
        .filter(|&size| seen.insert(letters.of(size)))
        .collect()
}

fn sorted(mut heaps: Vec<u64>) -> Vec<u64> {
    heaps.sort_unstable();
    heaps
}

/// Where the printed statements are periodic: from this size on, modulo this period.
const STATEMENT_THRESHOLD: u64 = 12;
const STATEMENT_PERIOD: u64 = 8;

/// Sorted positive heaps at which a printed statement and the quotient differ.
///
/// Both sides, read as symmetric functions, do not change when a heap that is at least
/// `max(T, STATEMENT_THRESHOLD)` grows by `lcm(p, STATEMENT_PERIOD)`; so agreement below
/// `max(T, STATEMENT_THRESHOLD) + lcm` is agreement everywhere.
fn disagreement(quotient: &Quotient, heaps: usize, statement: &dyn Fn(&[u64]) -> bool) -> Option<Vec<u64>> {
    let letters = quotient.letters();
    let bound = letters.threshold().max(STATEMENT_THRESHOLD) + lcm(letters.period(), STATEMENT_PERIOD);
    let mut position = vec![1u64; heaps];
    loop {
        if quotient.accepts_heaps(&position) != statement(&position) {
            return Some(position);
        }
        let i = position.iter().rposition(|&heap| heap < bound)?;
        let grown = position[i] + 1;
        position[i..].fill(grown);
    }
}

/// Theorem 7 as printed, for `a <= b`.
fn theorem_7(a: u64, b: u64) -> bool {
    match a {
        1 => b % 2 == 1,
        2 => b % 4 == 2,
        3 => b.is_multiple_of(4) && b >= 8,
        4 => b == 4,
        _ => false,
    }
}

/// Theorem 8 as printed, for `l <= m <= n`.
fn theorem_8(l: u64, m: u64, n: u64) -> bool {
    match l {
        1 if m == 3 => n == 4 || n % 4 == 2,
        1 => (m + n) % 2 == 1,
        2 => m != 3 && (m + n) % 4 == 2,
        3 if m == 3 => n % 4 == 3,
        3 => m != 5 && n > 4 && (m + n).is_multiple_of(4),
        5 => m == 5 && n % 8 == 3,
        _ => false,
    }
}

/// "The nim-value is 1 exactly for the misère P-positions": by induction this is the same as "no
/// position with a heap is P in both plays" (docs/PROOFS.md, proposition 3).
fn nim_value_one(normal: &Quotient, misere: &Quotient) -> Corollary {
    let (first, second) = (normal.letters(), misere.letters());
    let last = first.threshold().max(second.threshold()) + lcm(first.period(), second.period());
    let start = (EMPTY_CLASS, EMPTY_CLASS);
    let mut seen = HashSet::from([start]);
    let mut queue = vec![(start, Vec::new())];
    let mut next = 0;
    let mut counterexample = None;
    'search: while next < queue.len() {
        let (pair, heaps) = queue[next].clone();
        next += 1;
        for size in 1..=last {
            let reached = (normal.add_heap(pair.0, size), misere.add_heap(pair.1, size));
            let with = || sorted([heaps.as_slice(), &[size]].concat());
            if normal.accepts(reached.0) && misere.accepts(reached.1) {
                counterexample = Some(with());
                break 'search;
            }
            if seen.insert(reached) {
                queue.push((reached, with()));
            }
        }
    }
    Corollary::new(
        "nim-value-1",
        "a position has nim-value 1 exactly when it is a P-position of the misère game",
        counterexample,
    )
}
