//! Open questions of the thesis that a search can answer to a bound.

use crate::claims::{Check, Counterexample, Effort, Finding};
use crate::rules::Play;
use crate::rules::graph::{Graph, Wyg, WygMoves, WygVariant};
use crate::search::memo::Memo;
use std::collections::HashMap;

pub(super) const CHECKS: &[Check] = &[
    ("mullen-6-long-paths", long_paths),
    ("mullen-6.4", degree_game_on_complete_graphs),
    ("mullen-6.7", wygthoff_on_the_triangle),
];

/// W1 on a path of `length` vertices with `a` more leaves on its first and `b` on its last vertex.
struct Brooms {
    known: HashMap<(usize, usize, usize), u32>,
}

impl Brooms {
    fn value(&mut self, a: usize, length: usize, b: usize) -> u32 {
        let (a, b) = if length == 1 { (a + b, 0) } else { (a.max(b), a.min(b)) };
        if length == 0 || length + a + b == 1 {
            return 0;
        }
        if let Some(&known) = self.known.get(&(a, length, b)) {
            return known;
        }
        let mut seen = 0u64;
        let mut add = |value: u32| seen |= 1 << value;
        if a > 0 {
            add(self.value(a - 1, length, b));
        }
        if b > 0 {
            add(self.value(a, length, b - 1));
        }
        // Deleting one or two neighbours of the path leaves the pieces before and after them; leaves on a
        // deleted vertex stand alone and count nothing. Deleting a leaf together with its vertex is the same
        // as deleting the vertex.
        for first in 0..length {
            for last in first..length.min(first + 2) {
                let (before, after) = (first, length - last - 1);
                let left = if before > 0 { self.value(a, before, 0) } else { 0 };
                let right = if after > 0 { self.value(0, after, b) } else { 0 };
                add(left ^ right);
            }
        }
        let value = seen.trailing_ones();
        self.known.insert((a, length, b), value);
        value
    }
}

fn long_paths(effort: &Effort) -> Finding {
    let (most_distance, most_leaves) = effort.bound((40, 12), (120, 24));
    let mut brooms = Brooms { known: HashMap::new() };
    let mut first = None;
    let mut distances = Vec::new();
    for distance in 2..=most_distance {
        for total in 2..=2 * most_leaves {
            for m in 1..=total / 2 {
                let n = total - m;
                if n <= most_leaves && brooms.value(m, distance + 1, n) == 0 {
                    if distance > 5 && first.is_none() {
                        first = Some((m, n, distance));
                    }
                    if distance > 5 && distances.last() != Some(&distance) {
                        distances.push(distance);
                    }
                }
            }
        }
    }
    let bound = format!("paths of length up to {most_distance}, up to {most_leaves} leaves on each star");
    match first {
        None => Finding::fails("none", "every one is an N-position", bound),
        Some((m, n, distance)) => Finding::proved(format!(
            "the first P-position is `stars {m} {n} {distance}`; lengths above 5 with a P-position, up to {most_distance}: {distances:?}"
        )),
    }
}

/// The stacks on the vertices of a complete graph, sorted, and the two stacks that the game is locked on.
type Stacks = (Vec<u8>, Option<(u8, u8)>);

/// Whether the player to move wins wyg on a complete graph.
fn wins(known: &mut HashMap<Stacks, bool>, locked_rule: bool, state: &Stacks) -> bool {
    if let Some(&known) = known.get(state) {
        return known;
    }
    let (free, locked) = state;
    let mut pairs = Vec::new();
    match locked {
        Some(pair) => pairs.push((free.clone(), *pair)),
        None => {
            for i in 0..free.len() {
                for j in i + 1..free.len() {
                    // Equal pairs of stacks give equal games.
                    let mut rest = free.clone();
                    rest.remove(j);
                    rest.remove(i);
                    let candidate = (rest, (free[i], free[j]));
                    if !pairs.contains(&candidate) {
                        pairs.push(candidate);
                    }
                }
            }
        }
    }
    let mut answer = false;
    'search: for (rest, (a, b)) in pairs {
        for taken in 1..=a.min(b) {
            for (x, y) in [(a - taken, b), (a, b - taken), (a - taken, b - taken)] {
                let next = if locked_rule && x > 0 && y > 0 {
                    (rest.clone(), Some((x.min(y), x.max(y))))
                } else {
                    let mut stacks = rest.clone();
                    stacks.extend([x, y].into_iter().filter(|&stack| stack > 0));
                    stacks.sort_unstable();
                    (stacks, None)
                };
                if !wins(known, locked_rule, &next) {
                    answer = true;
                    break 'search;
                }
            }
        }
    }
    known.insert(state.clone(), answer);
    answer
}

/// The n up to `most` for which Wdg(K_n) is a P-position.
pub(super) fn p_of_degree_game(most: u8, locked_rule: bool) -> Vec<u8> {
    (1..=most)
        .filter(|&n| {
            let start = (if n == 1 { Vec::new() } else { vec![n - 1; usize::from(n)] }, None);
            !wins(&mut HashMap::new(), locked_rule, &start)
        })
        .collect()
}

fn degree_game_on_complete_graphs(effort: &Effort) -> Finding {
    let most = effort.bound(6, 8);
    let answers = [
        ("locked", p_of_degree_game(most, true), vec![1]),
        ("free", p_of_degree_game(most, false), vec![1, 5]),
    ];
    let wrong = answers.iter().find(|(_, found, expected)| found != expected);
    let found = wrong.map(|(rule, found, _)| {
        Counterexample::new(format!("{rule}, n in {found:?}"), "these are the P-positions")
    });
    Finding::from_search(found, format!("n up to {most}, locked and free"))
}

fn wygthoff_on_the_triangle(effort: &Effort) -> Finding {
    let most = effort.bound(10, 20);
    let graph = Graph::parse("complete 3").unwrap_or_else(|error| unreachable!("{error}"));
    let rules = Wyg { graph, variant: WygVariant::Locked, moves: WygMoves::Wythoff };
    let mut memo = Memo::new(&rules, Play::Normal);
    for c in 1..=most {
        for b in 1..=c {
            for a in 1..=b {
                if memo.is_p(&rules.position(&[a, b, c])[..]) {
                    let bound = format!("stacks up to {c}");
                    return Finding::fails(format!("[{a},{b},{c}]"), "it is a P-position", bound);
                }
            }
        }
        if effort.is_over() {
            return Finding::holds(format!("stacks up to {c}"));
        }
    }
    Finding::holds(format!("stacks up to {most}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brooms_agree_with_the_rules() {
        let mut brooms = Brooms { known: HashMap::new() };
        for (m, n, distance) in [(1, 1, 1), (1, 2, 2), (2, 3, 3), (0, 3, 4), (1, 1, 6), (3, 2, 5), (0, 0, 7)]
        {
            let graph = Graph::parse(&format!("stars {m} {n} {distance}")).unwrap();
            let chips = vec![1; graph.order()];
            let rules = Wyg { graph, variant: WygVariant::Locked, moves: WygMoves::Wynnie };
            let value = Memo::new(&rules, Play::Normal).value(&rules.position(&chips)[..]);
            assert_eq!(brooms.value(m, distance + 1, n), value, "{m} {n} {distance}");
        }
    }

    #[test]
    fn the_degree_game_agrees_with_the_rules() {
        for variant in [WygVariant::Locked, WygVariant::Free] {
            let answer = p_of_degree_game(4, variant == WygVariant::Locked);
            for n in 2..=4u8 {
                let graph = Graph::parse(&format!("complete {n}")).unwrap();
                let chips = vec![u32::from(n) - 1; usize::from(n)];
                let rules = Wyg { graph, variant, moves: WygMoves::Wynnie };
                assert_eq!(
                    Memo::new(&rules, Play::Normal).is_p(&rules.position(&chips)[..]),
                    answer.contains(&n)
                );
            }
        }
    }
}
