//! All connected graphs on a given number of vertices, each once up to isomorphism.
//!
//! McKay's canonical augmentation: a graph is grown from a smaller one by a new vertex, and is kept only if
//! the new vertex is the one that would be removed to shrink it (the greatest vertex, in an order that
//! depends on the graph alone, whose removal leaves it connected). Duplicates can then only come from the
//! same parent, so branches of the tree are independent: no table of graphs, and any number of threads.

use crate::rules::graph::Graph;
use rayon::prelude::*;
use std::collections::HashSet;

/// The most vertices this generator handles: an adjacency matrix is one `u128`.
pub const MAX_ORDER: usize = 11;

/// What joins two vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An edge or nothing.
    Undirected,
    /// An arc one way, an arc the other way, or nothing.
    Oriented,
    /// Arcs one way, the other way, both, or nothing.
    Directed,
}

impl Kind {
    /// How many connected graphs of this kind and order there are, as far as this generator goes: OEIS
    /// A001349, A086345 and A003085.
    pub fn known_count(self, order: usize) -> Option<u64> {
        let counts: &[u64] = match self {
            Self::Undirected => &[1, 1, 2, 6, 21, 112, 853, 11117, 261_080, 11_716_571, 1_006_700_565],
            Self::Oriented => &[1, 1, 5, 34, 535, 20_848, 2_120_098, 572_849_763],
            Self::Directed => &[1, 2, 13, 199, 9364, 1_530_843, 880_471_142],
        };
        counts.get(order.checked_sub(1)?).copied()
    }

    /// The ways to join a vertex to a new one: (arc to the new one, arc from it).
    fn joints(self) -> &'static [(u16, u16)] {
        match self {
            Self::Undirected => &[(0, 0), (1, 1)],
            Self::Oriented => &[(0, 0), (1, 0), (0, 1)],
            Self::Directed => &[(0, 0), (1, 0), (0, 1), (1, 1)],
        }
    }
}

/// A graph on at most [`MAX_ORDER`] vertices as adjacency rows.
#[derive(Debug, Clone, Copy)]
pub struct SmallGraph {
    /// The number of vertices.
    pub order: usize,
    /// Bit `v` of `out[u]`: an arc from `u` to `v`.
    pub out: [u16; MAX_ORDER],
    into: [u16; MAX_ORDER],
}

type Colours = [u8; MAX_ORDER];

/// Calls `visit` once for each connected graph of the given kind and order, from several threads, in no fixed
/// order. `order` must be from 1 to [`MAX_ORDER`]. Stops early when `stop` says so.
pub fn for_each(
    kind: Kind,
    order: usize,
    stop: &(dyn Fn() -> bool + Sync),
    visit: &(dyn Fn(&SmallGraph) + Sync),
) {
    assert!((1..=MAX_ORDER).contains(&order), "connected graphs on {order} vertices are out of range");
    let single = SmallGraph { order: 1, out: [0; MAX_ORDER], into: [0; MAX_ORDER] };
    let mut level = vec![single];
    // Enough branches to keep every thread busy: the graphs with two vertices fewer.
    for _ in 1..order.saturating_sub(2) {
        level = level.par_iter().flat_map_iter(|graph| graph.children(kind)).collect();
    }
    level.par_iter().for_each(|graph| descend(graph, kind, order, stop, visit));
}

fn descend(
    graph: &SmallGraph,
    kind: Kind,
    order: usize,
    stop: &(dyn Fn() -> bool + Sync),
    visit: &(dyn Fn(&SmallGraph) + Sync),
) {
    if graph.order == order {
        visit(graph);
    } else if !stop() {
        graph.children(kind).iter().for_each(|child| descend(child, kind, order, stop, visit));
    }
}

impl SmallGraph {
    /// The graph in the form that the rules take.
    pub fn to_graph(self, kind: Kind) -> Graph {
        let directed = kind != Kind::Undirected;
        let pairs = (0..self.order).flat_map(|u| (0..self.order).map(move |v| (u, v)));
        let arcs: Vec<_> = pairs.filter(|&(u, v)| self.out[u] >> v & 1 == 1 && (directed || u < v)).collect();
        Graph::new(self.order, directed, &arcs).expect("a small graph has no loops and few vertices")
    }

    /// The graphs with one vertex more whose canonical parent this is, each once.
    fn children(&self, kind: Kind) -> Vec<Self> {
        let joints = kind.joints();
        let new = self.order;
        let mut found = HashSet::new();
        let mut children = Vec::new();
        let mut digits = [0usize; MAX_ORDER];
        while next_digits(&mut digits[..new], joints.len()) {
            let mut child = *self;
            child.order += 1;
            for (u, &digit) in digits[..new].iter().enumerate() {
                let (to_new, from_new) = joints[digit];
                child.out[u] |= to_new << new;
                child.into[new] |= to_new << u;
                child.out[new] |= from_new << u;
                child.into[u] |= from_new << new;
            }
            if let Some(key) = child.accept(new)
                && found.insert(key)
            {
                children.push(child);
            }
        }
        children
    }

    /// If `new` is a vertex that canonical shrinking would remove, the canonical form with `new` marked.
    fn accept(&self, new: usize) -> Option<u128> {
        let degree = |v: usize| self.out[v].count_ones() + self.into[v].count_ones();
        let wanted = degree(new);
        // The degree comes first in the order of vertices, so most candidates go here.
        if (0..new).any(|v| degree(v) > wanted && self.removable(v)) {
            return None;
        }
        let mut colours: Colours = [0; MAX_ORDER];
        (0..self.order).for_each(|v| colours[v] = degree(v) as u8);
        self.refine(&mut colours);
        let rivals: Vec<usize> =
            (0..new).filter(|&v| colours[v] >= colours[new] && self.removable(v)).collect();
        if rivals.iter().any(|&v| colours[v] > colours[new]) {
            return None;
        }
        let key = self.canonical(new, &colours);
        rivals.iter().all(|&v| self.canonical(v, &colours) <= key).then_some(key)
    }

    /// Whether the graph without `v` is connected.
    fn removable(&self, v: usize) -> bool {
        let set = ((1u16 << self.order) - 1) & !(1 << v);
        let mut reached = set & set.wrapping_neg();
        let mut frontier = reached;
        while frontier != 0 {
            let u = frontier.trailing_zeros() as usize;
            frontier &= frontier - 1;
            let next = (self.out[u] | self.into[u]) & set & !reached;
            reached |= next;
            frontier |= next;
        }
        reached == set
    }

    /// Colours vertices by what they see until nothing changes. Only invariants enter, so isomorphic coloured
    /// graphs get corresponding colours; a clash of the mixing function costs refinement, not correctness.
    fn refine(&self, colours: &mut Colours) {
        let n = self.order;
        let mut classes = 0;
        loop {
            let mut keys = [(0u8, 0u64); MAX_ORDER];
            for (v, key) in keys.iter_mut().enumerate().take(n) {
                *key = (colours[v], self.sees(v, colours));
            }
            let mut sorted = keys;
            sorted[..n].sort_unstable();
            let mut count = 0u8;
            let mut names = [0u8; MAX_ORDER];
            for i in 0..n {
                if i > 0 && sorted[i] != sorted[i - 1] {
                    count += 1;
                }
                names[i] = count;
            }
            for v in 0..n {
                let place = sorted[..n].partition_point(|key| *key < keys[v]);
                colours[v] = names[place];
            }
            if count == classes && count > 0 || usize::from(count) + 1 == n || n <= 1 {
                return;
            }
            if count == 0 {
                return;
            }
            classes = count;
        }
    }

    fn sees(&self, v: usize, colours: &Colours) -> u64 {
        let mut sum = 0u64;
        let mut rest = self.out[v] | self.into[v];
        while rest != 0 {
            let u = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let how = u64::from(self.out[v] >> u & 1) | u64::from(self.into[v] >> u & 1) << 1;
            let mixed = (u64::from(colours[u]) * 4 + how + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            sum = sum.wrapping_add(mixed ^ mixed >> 29);
        }
        sum
    }

    /// The greatest adjacency matrix over all numberings of the vertices that respect the search: equal for
    /// two graphs exactly if an isomorphism takes the marked vertex to the marked vertex.
    fn canonical(&self, marked: usize, colours: &Colours) -> u128 {
        let mut start = *colours;
        individualise(&mut start, marked, self.order);
        self.refine(&mut start);
        let mut best = 0;
        self.search(&start, &mut best);
        best
    }

    fn search(&self, colours: &Colours, best: &mut u128) {
        let n = self.order;
        let mut sizes = [0u8; 2 * MAX_ORDER + 2];
        colours[..n].iter().for_each(|&c| sizes[c as usize] += 1);
        let Some(cell) = (0..sizes.len()).find(|&c| sizes[c] > 1) else {
            *best = (*best).max(self.matrix(colours));
            return;
        };
        let mut tried = 0u16;
        for v in (0..n).filter(|&v| usize::from(colours[v]) == cell) {
            if (0..n).any(|u| tried >> u & 1 == 1 && self.twins(u, v)) {
                continue;
            }
            tried |= 1 << v;
            let mut next = *colours;
            individualise(&mut next, v, n);
            self.refine(&mut next);
            self.search(&next, best);
        }
    }

    /// Whether swapping `u` and `v` is an automorphism; one of them is then enough at a branching.
    fn twins(&self, u: usize, v: usize) -> bool {
        let others = !(1u16 << u | 1 << v);
        self.out[u] & others == self.out[v] & others
            && self.into[u] & others == self.into[v] & others
            && self.out[u] >> v & 1 == self.out[v] >> u & 1
    }

    fn matrix(&self, colours: &Colours) -> u128 {
        let n = self.order;
        let mut place = [0usize; MAX_ORDER];
        (0..n).for_each(|v| place[v] = usize::from(colours[v]));
        let mut matrix = 0u128;
        for u in 0..n {
            let mut rest = self.out[u];
            while rest != 0 {
                let v = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                matrix |= 1 << (place[u] * n + place[v]);
            }
        }
        matrix
    }
}

/// Gives `v` a colour of its own just below the rest of its class.
fn individualise(colours: &mut Colours, v: usize, n: usize) {
    colours[..n].iter_mut().for_each(|colour| *colour = *colour * 2 + 1);
    colours[v] -= 1;
}

/// Counts up; false after the last. Starts from all zeros, which is not itself returned.
fn next_digits(digits: &mut [usize], base: usize) -> bool {
    for digit in digits {
        *digit += 1;
        if *digit < base {
            return true;
        }
        *digit = 0;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    fn count(kind: Kind, order: usize) -> u64 {
        let total = AtomicU64::new(0);
        for_each(kind, order, &|| false, &|graph| {
            assert!(graph.to_graph(kind).is_connected((1 << order) - 1));
            total.fetch_add(1, Ordering::Relaxed);
        });
        total.into_inner()
    }

    #[test]
    fn the_numbers_of_connected_graphs_are_known() {
        for (kind, most) in [(Kind::Undirected, 8), (Kind::Oriented, 5), (Kind::Directed, 5)] {
            for order in 1..=most {
                assert_eq!(Some(count(kind, order)), kind.known_count(order), "{kind:?} {order}");
            }
        }
        assert_eq!(Kind::Undirected.known_count(0), None);
    }

    #[test]
    fn a_stop_is_obeyed() {
        let total = AtomicU64::new(0);
        for_each(Kind::Undirected, 7, &|| true, &|_| {
            total.fetch_add(1, Ordering::Relaxed);
        });
        assert_eq!(total.into_inner(), 0);
    }
}
