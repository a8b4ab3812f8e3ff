//! From a rule in one line to automata: the moves on a fixed number of heaps as formulas of addition.
//!
//! Positions are sorted, and empty heaps stand first. What a condition says is in `meaning.rs`.

use super::decide::{AutomaticGame, Moves};
use super::formula::{Formula, Sum, Variable};
use super::meaning::{Meaning, refused};
use super::multiples::Multiples;
use super::prove::Wanted;
use super::{Budget, Numeration};
use crate::base::{Error, Result};
use crate::rules::Play;
use crate::rules::notation::rule::{Clause, Rule};

/// Most heaps, and most tracks of a relation: letters are tuples of digits, one per track.
const MOST_TRACKS: usize = 10;

/// The game of a rule on at most so many heaps.
pub fn automatic_game(wanted: &Wanted<'_>, budget: &Budget<'_>) -> Result<AutomaticGame> {
    let Wanted { game, rule, heaps, numeration, smallest, .. } = *wanted;
    let sums: Vec<Sum> = (0..heaps as Variable).map(Sum::of).collect();
    let variables: Vec<Variable> = (0..heaps as Variable).collect();
    let mut positions = position_formula(rule, &sums, numeration)?;
    if let Some(limit) = smallest {
        // Closed under moves, which only lower the smallest heap.
        let limit = Formula::at_most(&sums[0], &Sum::number(limit.into()));
        positions = Formula::And(vec![positions, limit]);
    }
    let positions_dfa = positions.automaton(numeration, &variables, budget)?;
    let mut moves: Vec<Moves> = Vec::new();
    let mut multiples = None;
    for clause in &rule.clauses {
        if heaps == 2
            && multiples.is_none()
            && rule.positions.is_none()
            && let Some(found) = Multiples::of_clause(clause, numeration, budget)?
        {
            multiples = Some(found);
            continue;
        }
        if !clause.parts.is_empty() {
            return Err(refused("moves that split heaps"));
        }
        for moved in sets_of_heaps(clause, heaps) {
            if heaps + moved.len() > MOST_TRACKS {
                return Err(Error::Usage(format!(
                    "{heaps} heaps, of which a move changes {}: automata read at most {MOST_TRACKS} numbers at once; ask about fewer heaps",
                    moved.len()
                )));
            }
            for after in orders(heaps, &moved, clause.taken.len() == 1) {
                let mut formulas = Vec::new();
                for assignment in assignments(clause, moved.len()) {
                    formulas.push(move_formula(
                        rule,
                        clause,
                        &sums,
                        &moved,
                        &after,
                        &assignment,
                        numeration,
                    )?);
                }
                let all: Vec<Variable> = (0..(heaps + moved.len()) as Variable).collect();
                let formula = Formula::And(vec![positions.clone(), Formula::Or(formulas)]);
                let relation = formula.automaton(numeration, &all, budget)?;
                if relation.live()[relation.start as usize] {
                    moves.push(Moves { relation, after, formula });
                }
            }
        }
    }
    let won_at_once = match game.play() {
        Play::Normal => None,
        Play::Misere => Some(AutomaticGame::terminal(&positions_dfa, &moves, multiples.as_ref(), budget)?),
    };
    Ok(AutomaticGame { positions: positions_dfa, formula: positions, moves, multiples, won_at_once })
}

/// The sorted positions.
fn position_formula(rule: &Rule, heaps: &[Sum], numeration: Numeration) -> Result<Formula> {
    let mut parts: Vec<Formula> = heaps.windows(2).map(|pair| Formula::at_most(&pair[0], &pair[1])).collect();
    if let Some(condition) = &rule.positions {
        let meaning =
            Meaning { numeration, before: heaps, new: heaps, other: &[], heap: None, slots: Vec::new() };
        parts.push(meaning.condition(condition)?);
    }
    Ok(Formula::And(parts))
}

/// The sets of heaps in which a move of the clause may be made: by how many heaps are there for "all heaps",
/// which is why empty heaps are sorted to the front.
fn sets_of_heaps(clause: &Clause, heaps: usize) -> Vec<Vec<usize>> {
    let wanted = |set: &Vec<usize>| {
        let count = set.len();
        // All heaps that are there: those from some place on.
        let all = clause.moved.all && set.last() == Some(&(heaps - 1)) && set[0] + count == heaps;
        count > 0 && (clause.moved.any || clause.moved.numbers.contains(&count) || all)
    };
    let sets = (0u32..1 << heaps).map(|bits| (0..heaps).filter(|heap| bits >> heap & 1 == 1).collect());
    sets.filter(wanted).collect()
}

/// The orders in which the heaps after a move may stand: the heaps that stay in their order, the new ones,
/// which are numbered after all heaps, anywhere; in their order where the same is taken from all of them.
fn orders(heaps: usize, moved: &[usize], same: bool) -> Vec<Vec<usize>> {
    let staying: Vec<usize> = (0..heaps).filter(|heap| !moved.contains(heap)).collect();
    let mut orders = vec![staying];
    for (number, &heap) in moved.iter().enumerate() {
        let mut longer = Vec::new();
        for order in &orders {
            // A heap that is lowered does not pass the heaps above it that stay.
            let limit = order.iter().position(|&track| track < heaps && track > heap).unwrap_or(order.len());
            let last = order.iter().position(|&track| track >= heaps && track + 1 == heaps + number);
            let first = last.filter(|_| same).map_or(0, |last| last + 1);
            for place in first..=limit {
                let mut with = order.clone();
                with.insert(place, heaps + number);
                longer.push(with);
            }
        }
        orders = longer;
    }
    orders
}

/// Which of the heaps moved in each name of the clause is about: a single name is about all of them.
fn assignments(clause: &Clause, moved: usize) -> Vec<Vec<usize>> {
    if clause.taken.len() == 1 {
        return vec![vec![0; moved]];
    }
    let mut found = vec![Vec::new()];
    for _ in 0..moved {
        let extend = |order: &Vec<usize>| -> Vec<Vec<usize>> {
            let free = (0..moved).filter(|name| !order.contains(name));
            free.map(|name| [&order[..], &[name]].concat()).collect()
        };
        found = found.iter().flat_map(extend).collect();
    }
    found
}

/// Heap `moved[i]` becomes the number of track `heaps + i`, by taking the number with the name
/// `assignment[i]`.
fn move_formula(
    rule: &Rule,
    clause: &Clause,
    heaps: &[Sum],
    moved: &[usize],
    after: &[usize],
    assignment: &[usize],
    numeration: Numeration,
) -> Result<Formula> {
    let new: Vec<Sum> = (0..moved.len()).map(|i| Sum::of((heaps.len() + i) as Variable)).collect();
    let taken: Vec<Sum> = moved.iter().zip(&new).map(|(&heap, new)| heaps[heap].plus(-1, new)).collect();
    let sorted: Vec<Sum> = after.iter().map(|&track| Sum::of(track as Variable)).collect();
    let other: Vec<Sum> =
        (0..heaps.len()).filter(|heap| !moved.contains(heap)).map(|heap| heaps[heap].clone()).collect();
    let mut parts = vec![position_formula(rule, &sorted, numeration)?];
    // At least 1 is taken.
    parts.extend(taken.iter().map(|taken| Formula::less(&Sum::default(), taken)));
    if !(clause.moved.any || clause.moved.numbers.contains(&moved.len())) {
        parts.extend(other.iter().map(|heap| Formula::equal(heap, &Sum::default())));
    }
    let mut slots: Vec<Sum> = vec![Sum::default(); clause.taken.len()];
    for (name, taken) in assignment.iter().zip(&taken) {
        if clause.taken.len() == 1 && slots[0] != Sum::default() {
            parts.push(Formula::equal(&slots[0], taken));
        } else {
            slots[*name] = taken.clone();
        }
    }
    for (&heap, new) in moved.iter().zip(&new) {
        let heap = Some((heaps[heap].clone(), new.clone()));
        let meaning =
            Meaning { numeration, before: heaps, new: &sorted, other: &other, heap, slots: slots.clone() };
        parts.push(meaning.condition(&clause.condition)?);
    }
    Ok(Formula::And(parts))
}
