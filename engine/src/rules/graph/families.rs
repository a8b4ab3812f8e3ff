//! Graphs that have a name.

use super::{Graph, MAX_VERTICES};
use crate::base::{Error, Result};

/// The named graphs: name, parameters, meaning. The first word of a graph's text is looked up here.
pub const FAMILIES: &[(&str, &str, &str)] = &[
    ("path", "n", "the path on n vertices"),
    ("cycle", "n", "the cycle on n >= 3 vertices"),
    ("complete", "n", "every two of n vertices joined"),
    ("bipartite", "m n", "the complete bipartite graph"),
    ("star", "n", "one vertex joined to n - 1 others"),
    ("wheel", "n", "a hub joined to a cycle of n - 1 vertices, n >= 4"),
    ("grid", "r c", "the r by c grid"),
    ("petersen", "", "the Petersen graph"),
    ("empty", "n", "n vertices, no edge"),
    ("broom", "n k", "a path on n - k vertices, k leaves on its second vertex (Ottaway's P(n,k))"),
    ("lollipop", "n k", "the complete graph on n vertices, one of them the end of a path on k vertices"),
    ("stars", "m n d", "stars with m and n leaves, their centres joined by a path of d edges"),
    ("dipath", "n", "the path on n vertices, all arcs one way (Ottaway's P1)"),
    ("dipath-first", "n", "the same with the first arc turned round (P2)"),
    ("dipath-last", "n", "the same with the last arc turned round (P3)"),
    ("zigzag", "n", "arcs alternate, the first vertex has in-degree 0 (AP1 for odd n, AP2 for even n)"),
    ("zigzag-in", "n", "arcs alternate, the first vertex has in-degree 1 (AP3 for odd n)"),
    ("dicycle", "n", "the cycle on n >= 3 vertices, all arcs one way"),
];

impl Graph {
    /// The graph of the given family, or `None` if no family has that name.
    pub fn named(name: &str, parameters: &[usize]) -> Option<Result<Self>> {
        let (name, shape, _) = FAMILIES.iter().find(|family| family.0 == name)?;
        let wanted = shape.split_whitespace().count();
        if parameters.len() != wanted {
            let shown = if wanted == 0 { "no number".to_string() } else { format!("`{name} {shape}`") };
            return Some(Err(Error::Usage(format!(
                "graph `{name}` takes {shown}, not {} number(s)",
                parameters.len()
            ))));
        }
        Some(build(name, parameters))
    }

    /// The path on `n` vertices.
    pub fn path(n: usize) -> Result<Self> {
        build("path", &[n])
    }
}

fn build(name: &str, parameters: &[usize]) -> Result<Graph> {
    // Every family below has at least as many vertices as its largest parameter.
    if let Some(&big) = parameters.iter().find(|&&value| value > MAX_VERTICES) {
        return Err(Error::Usage(format!(
            "`{name}` with {big}: at most {MAX_VERTICES} vertices are possible"
        )));
    }
    let p = |i: usize| parameters[i];
    let at_least = |least: usize| {
        if p(0) < least {
            return Err(Error::Usage(format!("`{name} {}`: needs at least {least} vertices", p(0))));
        }
        Ok(())
    };
    let line = |n: usize| (1..n).map(|v| (v - 1, v)).collect::<Vec<_>>();
    let undirected = |n, edges: Vec<_>| Graph::new(n, false, &edges);
    match name {
        "path" => undirected(p(0), line(p(0))),
        "cycle" => {
            at_least(3)?;
            undirected(p(0), cycle(0, p(0)))
        }
        "complete" => undirected(p(0), all_pairs(p(0))),
        "bipartite" => {
            undirected(p(0) + p(1), (0..p(0)).flat_map(|u| (0..p(1)).map(move |v| (u, p(0) + v))).collect())
        }
        "star" => undirected(p(0), (1..p(0)).map(|leaf| (0, leaf)).collect()),
        "wheel" => {
            at_least(4)?;
            let mut edges = cycle(1, p(0) - 1);
            edges.extend((1..p(0)).map(|rim| (0, rim)));
            undirected(p(0), edges)
        }
        "grid" => grid(p(0), p(1)),
        "petersen" => {
            let edges =
                (0..5).flat_map(|i| [(i, (i + 1) % 5), (i, i + 5), (5 + i, 5 + (i + 2) % 5)]).collect();
            undirected(10, edges)
        }
        "empty" => undirected(p(0), Vec::new()),
        "broom" => broom(p(0), p(1)),
        "lollipop" => {
            at_least(1)?;
            if p(1) == 0 {
                return Err(Error::Usage("`lollipop n k`: the path needs at least one vertex".into()));
            }
            let mut edges = all_pairs(p(0));
            edges.extend((0..p(1) - 1).map(|i| (p(0) - 1 + i, p(0) + i)));
            undirected(p(0) + p(1) - 1, edges)
        }
        "stars" => two_stars(p(0), p(1), p(2)),
        "dipath" => Graph::new(p(0), true, &line(p(0))),
        "dipath-first" | "dipath-last" => {
            let mut arcs = line(p(0));
            let turned = if name == "dipath-first" { arcs.first_mut() } else { arcs.last_mut() };
            if let Some((from, to)) = turned {
                std::mem::swap(from, to);
            }
            Graph::new(p(0), true, &arcs)
        }
        "zigzag" | "zigzag-in" => {
            let into_first = usize::from(name == "zigzag-in");
            let arcs: Vec<_> =
                (1..p(0)).map(|v| if (v + into_first) % 2 == 1 { (v - 1, v) } else { (v, v - 1) }).collect();
            Graph::new(p(0), true, &arcs)
        }
        "dicycle" => {
            at_least(3)?;
            Graph::new(p(0), true, &cycle(0, p(0)))
        }
        _ => Err(Error::Usage(format!("no graph family is called `{name}`"))),
    }
}

fn cycle(first: usize, n: usize) -> Vec<(usize, usize)> {
    (0..n).map(|i| (first + i, first + (i + 1) % n)).collect()
}

fn all_pairs(n: usize) -> Vec<(usize, usize)> {
    (0..n).flat_map(|v| (0..v).map(move |u| (u, v))).collect()
}

fn grid(rows: usize, columns: usize) -> Result<Graph> {
    let at = |r: usize, c: usize| r * columns + c;
    let mut edges = Vec::new();
    if rows * columns <= MAX_VERTICES {
        for r in 0..rows {
            for c in 0..columns {
                if c + 1 < columns {
                    edges.push((at(r, c), at(r, c + 1)));
                }
                if r + 1 < rows {
                    edges.push((at(r, c), at(r + 1, c)));
                }
            }
        }
    }
    Graph::new(rows * columns, false, &edges)
}

/// Ottaway's P(n,k): `n - k` vertices on a path, the other `k` joined to the second of them.
///
/// With a path of one vertex there is no second one; his Table 3.1 then counts the star, so that P(n,n-1)
/// stands for the star on `n` vertices: the leaves hang on the only vertex of the path.
fn broom(n: usize, k: usize) -> Result<Graph> {
    if k >= n {
        return Err(Error::Usage(format!("`broom {n} {k}`: the second number must be below the first")));
    }
    let mut edges: Vec<_> = (1..n - k).map(|v| (v - 1, v)).collect();
    let centre = usize::from(n - k > 1);
    edges.extend((n - k..n).map(|leaf| (centre, leaf)));
    Graph::new(n, false, &edges)
}

/// Stars with `m` and `n` leaves whose centres are the ends of a path of `distance >= 1` edges.
fn two_stars(m: usize, n: usize, distance: usize) -> Result<Graph> {
    if distance == 0 {
        return Err(Error::Usage("`stars m n d`: the path between the centres needs d >= 1 edges".into()));
    }
    let mut edges: Vec<_> = (1..=distance).map(|v| (v - 1, v)).collect();
    edges.extend((0..m).map(|leaf| (0, distance + 1 + leaf)));
    edges.extend((0..n).map(|leaf| (distance, distance + 1 + m + leaf)));
    Graph::new(distance + 1 + m + n, false, &edges)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> Graph {
        Graph::parse(text).unwrap()
    }

    #[test]
    fn families_have_the_right_numbers_of_vertices_and_edges() {
        for (text, order, size) in [
            ("path 7", 7, 6),
            ("path 0", 0, 0),
            ("cycle 5", 5, 5),
            ("complete 4", 4, 6),
            ("bipartite 3 4", 7, 12),
            ("star 6", 6, 5),
            ("wheel 6", 6, 10),
            ("grid 2 5", 10, 13),
            ("petersen", 10, 15),
            ("broom 7 3", 7, 6),
            ("lollipop 4 3", 6, 8),
            ("stars 2 3 2", 8, 7),
            ("dipath 5", 5, 4),
            ("zigzag 6", 6, 5),
            ("dicycle 4", 4, 4),
        ] {
            let graph = named(text);
            assert_eq!((graph.order(), graph.edges().len()), (order, size), "{text}");
        }
    }

    #[test]
    fn the_petersen_graph_is_cubic_without_triangles() {
        let graph = named("petersen");
        for v in 0..10 {
            assert_eq!(graph.neighbours(v).count_ones(), 3);
            for u in super::super::bits(graph.neighbours(v)) {
                assert_eq!(graph.neighbours(u) & graph.neighbours(v), 0);
            }
        }
    }

    #[test]
    fn directed_paths_have_the_in_degrees_of_the_thesis() {
        let degrees = |text: &str| named(text).into.iter().map(|mask| mask.count_ones()).collect::<Vec<_>>();
        assert_eq!(degrees("dipath 5"), [0, 1, 1, 1, 1]);
        assert_eq!(degrees("dipath-first 5"), [1, 0, 1, 1, 1]);
        assert_eq!(degrees("dipath-last 5"), [0, 1, 1, 2, 0]);
        assert_eq!(degrees("zigzag 5"), [0, 2, 0, 2, 0]);
        assert_eq!(degrees("zigzag 6"), [0, 2, 0, 2, 0, 1]);
        assert_eq!(degrees("zigzag-in 5"), [1, 0, 2, 0, 1]);
    }

    #[test]
    fn senseless_parameters_are_errors() {
        for text in
            ["cycle 2", "wheel 3", "broom 3 3", "path", "path 3 4", "path 65", "grid 9 9", "stars 1 1 0"]
        {
            assert!(Graph::parse(text).is_err(), "{text}");
        }
        assert!(Graph::parse("path 18446744073709551615").is_err());
    }
}
