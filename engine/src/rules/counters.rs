//! The counter game on an acyclic directed graph (Alpern and von Stengel's slides).

use super::Rules;
use crate::base::{Error, Result};
use std::collections::{BTreeMap, BTreeSet};

/// A move takes one counter along an arrow to the next node.
///
/// A position lists the node of each counter. Nodes are numbered from 1 so that every arrow leads to a
/// smaller number; 0 is a counter that is not there. So a move lowers one entry, as in a heap game.
#[derive(Debug, Clone, Default)]
pub struct Counters {
    /// `names[v - 1]` is the name of node `v`.
    names: Vec<String>,
    /// `targets[v - 1]` are the nodes to which an arrow leads from node `v`.
    targets: Vec<Vec<u32>>,
}

impl Counters {
    /// The game on the graph of `arrows`, each as `a>b`, separated by commas, semicolons, blanks or line
    /// ends.
    pub fn parse(arrows: &str) -> Result<Self> {
        let mut edges: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for arrow in arrows.split(|c: char| c.is_whitespace() || ",;".contains(c)).filter(|a| !a.is_empty()) {
            let ends = arrow.split_once("->").or_else(|| arrow.split_once('>'));
            let Some((from, to)) = ends.filter(|(a, b)| is_name(a) && is_name(b)) else {
                return Err(Error::Usage(format!(
                    "'{arrow}' is not an arrow; write the graph as a list like 'a>b, b>c, a>c'"
                )));
            };
            edges.entry(from).or_default().insert(to);
            edges.entry(to).or_default();
        }
        if edges.is_empty() {
            return Err(Error::Usage(
                "the graph has no arrow; write it as a list like 'a>b, b>c, a>c'".into(),
            ));
        }
        // Take away nodes all of whose arrows lead to nodes already numbered; what remains holds a cycle.
        let mut numbers: BTreeMap<&str, u32> = BTreeMap::new();
        while numbers.len() < edges.len() {
            let ready: Vec<&str> = edges
                .iter()
                .filter(|(node, to)| {
                    !numbers.contains_key(*node) && to.iter().all(|t| numbers.contains_key(t))
                })
                .map(|(node, _)| *node)
                .collect();
            if ready.is_empty() {
                return Err(Error::Usage(format!(
                    "the graph has a cycle ({}), so the game need not end; remove one of its arrows",
                    cycle(&edges, &numbers)
                )));
            }
            for node in ready {
                numbers.insert(node, numbers.len() as u32 + 1);
            }
        }
        let mut names = vec![String::new(); numbers.len()];
        let mut targets = vec![Vec::new(); numbers.len()];
        for (node, number) in &numbers {
            names[*number as usize - 1] = (*node).to_string();
            targets[*number as usize - 1] = edges[node].iter().map(|to| numbers[to]).collect();
        }
        Ok(Self { names, targets })
    }

    /// The number of the node called `name`.
    pub fn node(&self, name: &str) -> Result<u32> {
        self.names.iter().position(|known| known == name).map(|i| i as u32 + 1).ok_or_else(|| {
            Error::Usage(format!("the graph has no node '{name}'; its nodes are {}", self.names.join(", ")))
        })
    }

    /// The name of node `number`, if it has one.
    pub fn name(&self, number: u32) -> Option<&str> {
        self.names.get((number as usize).checked_sub(1)?).map(String::as_str)
    }

    /// The number of nodes.
    pub fn nodes(&self) -> u32 {
        self.names.len() as u32
    }
}

/// Whether `text` may be the name of a node.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// A cycle among the nodes without a number, such as "a>b>a". Each of them has an arrow to another such node.
fn cycle(edges: &BTreeMap<&str, BTreeSet<&str>>, numbers: &BTreeMap<&str, u32>) -> String {
    let open = |node: &&&str| !numbers.contains_key(**node);
    let mut walk: Vec<&str> = edges.keys().find(open).into_iter().copied().collect();
    while let Some(next) = walk.last().and_then(|node| edges[node].iter().find(open)).copied() {
        if let Some(start) = walk.iter().position(|node| *node == next) {
            walk.drain(..start);
            walk.push(next);
            break;
        }
        walk.push(next);
    }
    walk.join(">")
}

impl Rules for Counters {
    type Position = [u32];

    fn options(&self, counters: &[u32], visit: &mut dyn FnMut(&[u32])) {
        let mut option = counters.to_vec();
        for i in 0..counters.len() {
            let targets = (counters[i] as usize).checked_sub(1).and_then(|node| self.targets.get(node));
            for &target in targets.into_iter().flatten() {
                option[i] = target;
                visit(&option);
            }
            option[i] = counters[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{grundy, options};
    use super::*;

    #[test]
    fn a_counter_moves_along_an_arrow() {
        let game = Counters::parse("a>b, b>c, a>c").unwrap();
        let [a, b, c] = ["a", "b", "c"].map(|name| game.node(name).unwrap());
        assert_eq!((a, b, c), (3, 2, 1));
        assert_eq!(
            options(&game, &[b, a]),
            [[c, b], [c, a], [b, b]].map(|mut o| {
                o.sort_unstable();
                o
            })
        );
        assert_eq!([a, b, c].map(|node| grundy(&game, &[node])), [2, 1, 0]);
        assert_eq!(grundy(&game, &[a, b]), 3);
        assert_eq!(game.name(a), Some("a"));
    }

    #[test]
    fn a_cycle_is_named() {
        let error = Counters::parse("s>a a>b b>c c>a").unwrap_err().to_string();
        assert!(error.contains("a>b>c>a"), "{error}");
        assert!(Counters::parse("a>a").unwrap_err().to_string().contains("a>a"));
    }

    #[test]
    fn malformed_graphs_are_refused() {
        for text in ["", "a", "a>", ">b", "a>b>c", "a-b"] {
            assert!(Counters::parse(text).is_err(), "{text}");
        }
    }
}
