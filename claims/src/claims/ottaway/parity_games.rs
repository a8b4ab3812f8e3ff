//! Chapter 2: even games and odd games.

use crate::claims::{Check, Counterexample, Effort, Finding};
use crate::partizan::{Games, Outcome, Value};
use std::collections::BTreeSet;

pub(super) const CHECKS: &[Check] = &[
    ("ottaway-2.2.1", inclusions),
    ("ottaway-2.2.2", |effort| {
        let mut sets = Sets::generate(effort);
        let both: Vec<Value> = sets.even.intersection(&sets.odd).copied().collect();
        let found = both.first().map(|&g| Counterexample::new(sets.games.show(g), "it is even and odd"));
        Finding::from_search(found, sets.bound())
    }),
    ("ottaway-2.2.3", infinitesimals),
    ("ottaway-2.2.4", |effort| {
        forbidden(effort, |games, star, g| {
            g != star && games.is_infinitesimal(g) && games.outcome(g) == Outcome::Next
        })
    }),
    ("ottaway-2.2.5", |effort| {
        forbidden(effort, |games, star, g| {
            contains_fraction(games, g) || (g != star && g != Value::ZERO && games.is_infinitesimal(g))
        })
    }),
];

/// Even and odd games found from small integers.
struct Sets {
    games: Games,
    even: BTreeSet<Value>,
    odd: BTreeSet<Value>,
    reach: i64,
}

impl Sets {
    /// Definition 2.2.1 with the integers from `-reach` to `reach`: two rounds with up to two options per
    /// side, one more with single options.
    fn generate(effort: &Effort) -> Self {
        let reach = effort.bound(3, 4);
        let mut games = Games::new();
        let mut even = BTreeSet::new();
        let mut odd = BTreeSet::new();
        for n in -reach..=reach {
            let value = games.integer(n);
            if n % 2 == 0 {
                even.insert(value)
            } else {
                odd.insert(value)
            };
        }
        for pairs in [true, true, false] {
            let more_even = next(&mut games, &odd, pairs);
            let mut more_odd = next(&mut games, &even, pairs);
            // "with the restriction that the game 0 is not defined in O_k".
            more_odd.remove(&Value::ZERO);
            even.extend(more_even);
            odd.extend(more_odd);
            if effort.is_over() {
                break;
            }
        }
        Self { games, even, odd, reach }
    }

    fn bound(&self) -> String {
        format!(
            "{} even and {} odd values from the integers up to {} in three rounds",
            self.even.len(),
            self.odd.len(),
            self.reach
        )
    }
}

/// The values of all games with options in `options`: none, one or (with `pairs`) two a side.
fn next(games: &mut Games, options: &BTreeSet<Value>, pairs: bool) -> BTreeSet<Value> {
    // Beyond a few hundred options the number of forms explodes; the first ones are the simplest.
    let most = if pairs { 24 } else { 300 };
    let options: Vec<Value> = options.iter().copied().take(most).collect();
    let mut sides: Vec<Vec<Value>> = vec![Vec::new()];
    for (i, &a) in options.iter().enumerate() {
        sides.push(vec![a]);
        if pairs {
            sides.extend(options[i + 1..].iter().map(|&b| vec![a, b]));
        }
    }
    let mut values = BTreeSet::new();
    for left in &sides {
        for right in &sides {
            values.insert(games.game(left, right));
        }
    }
    values
}

fn inclusions(_: &Effort) -> Finding {
    let mut games = Games::new();
    let mut found = None;
    for n in -50..=50i64 {
        // Even and odd integers as games with options of the other parity.
        let (below, above, itself) = (games.integer(n - 1), games.integer(n + 1), games.integer(n));
        let form = games.game(&[below], &[above]);
        if form != itself && found.is_none() {
            found = Some(Counterexample::new(n.to_string(), format!("{{{}|{}}} is not {n}", n - 1, n + 1)));
        }
    }
    let bound = "integers from -50 to 50; the step from k to k + 1 follows from the definition";
    match found {
        Some(_) => Finding::from_search(found, bound),
        None => Finding::holds(bound),
    }
}

fn forbidden(effort: &Effort, bad: impl Fn(&mut Games, Value, Value) -> bool) -> Finding {
    let mut sets = Sets::generate(effort);
    let star = sets.games.nimber(1);
    let all: Vec<Value> = sets.even.union(&sets.odd).copied().collect();
    let first = all.into_iter().find(|&g| bad(&mut sets.games, star, g));
    let found = first.map(|g| Counterexample::new(sets.games.show(g), "it is an even or odd game"));
    Finding::from_search(found, sets.bound())
}

fn contains_fraction(games: &Games, g: Value) -> bool {
    if let Some((_, exponent)) = games.number(g) {
        return exponent > 0;
    }
    games.left(g).iter().chain(games.right(g)).any(|&option| contains_fraction(games, option))
}

/// Whether Left, to move in `g`, can force a move of his to a position for which `goal` holds.
fn left_forces(games: &Games, g: Value, goal: &dyn Fn(&Games, Value) -> bool) -> bool {
    games.left(g).iter().any(|&option| goal(games, option) || left_forces_second(games, option, goal))
}

/// The same with Right to move. If Right cannot move, Left moves on.
fn left_forces_second(games: &Games, g: Value, goal: &dyn Fn(&Games, Value) -> bool) -> bool {
    !games.right(g).is_empty() && games.right(g).iter().all(|&option| left_forces(games, option, goal))
}

fn infinitesimals(effort: &Effort) -> Finding {
    let mut games = Games::new();
    let mut day = BTreeSet::from([Value::ZERO]);
    for _ in 0..2 {
        let more = next(&mut games, &day, true);
        day.extend(more);
    }
    let third = next(&mut games, &day, effort.deep);
    day.extend(third);
    let mut tested = 0;
    let mut found = None;
    for g in day {
        if !games.is_infinitesimal(g) || games.outcome(g) != Outcome::Left {
            continue;
        }
        tested += 1;
        let to_zero = |_: &Games, g: Value| g == Value::ZERO;
        let to_positive = |games: &Games, g: Value| games.number(g).is_some_and(|(n, _)| n > 0);
        let good = left_forces(&games, g, &to_zero)
            && left_forces_second(&games, g, &to_zero)
            && !left_forces(&games, g, &to_positive)
            && !left_forces_second(&games, g, &to_positive);
        if !good && found.is_none() {
            found = Some(Counterexample::new(games.show(g), "the forced moves are not as claimed"));
        }
    }
    Finding::from_search(found, format!("{tested} positive infinitesimals born by day 3, in canonical form"))
}
