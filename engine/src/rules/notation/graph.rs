//! Graphs as people write them: a name, a graph6 or digraph6 string, or a list of edges.

use crate::base::{Error, Result};
use crate::rules::graph::{FAMILIES, Graph, MAX_VERTICES, Multigraph};

impl Graph {
    /// Reads a graph: a family and its numbers (`path 7`, `bipartite 3 4`, see [`FAMILIES`]), a graph6 or
    /// digraph6 string (`DQc`, `&C?E_`), or an edge list (`0-1,1-2`, arcs as `0>1,1>2`, isolated vertices by
    /// an `n=5:` in front).
    pub fn parse(text: &str) -> Result<Self> {
        let text = text.trim();
        if let Some(named) = parse_name(text) {
            return named;
        }
        if looks_like_edges(text) {
            let list = EdgeList::parse(text)?;
            if list.edges.iter().any(|edge| edge.weight != 1) {
                return Err(Error::Usage(format!(
                    "`{text}`: only nim-on-graph takes weights; leave them out"
                )));
            }
            let ends: Vec<_> = list.edges.iter().map(|edge| edge.ends).collect();
            return Self::new(list.order, list.directed, &ends);
        }
        if text.starts_with('&') || text.starts_with(">>digraph6<<") {
            return Self::from_digraph6(text);
        }
        if let Ok(graph) = Self::from_graph6(text) {
            return Ok(graph);
        }
        Err(Error::Usage(unknown_graph(text)))
    }

    /// Reads a graph6 string, with or without the `>>graph6<<` header.
    pub fn from_graph6(text: &str) -> Result<Self> {
        let body = text.strip_prefix(">>graph6<<").unwrap_or(text);
        let (order, data) = six_bit_header(body, text)?;
        let mut stream = SixBits::new(data, order * order.saturating_sub(1) / 2, text)?;
        let mut graph = Self::new(order, false, &[])?;
        for v in 1..order {
            for u in 0..v {
                if stream.next_bit() {
                    graph.add(u, v);
                }
            }
        }
        Ok(graph)
    }

    /// Reads a digraph6 string (it starts with `&`), with or without the `>>digraph6<<` header.
    pub fn from_digraph6(text: &str) -> Result<Self> {
        let body = text.strip_prefix(">>digraph6<<").unwrap_or(text);
        let Some(body) = body.strip_prefix('&') else {
            return Err(Error::Usage(format!("`{text}`: a digraph6 string starts with `&`")));
        };
        let (order, data) = six_bit_header(body, text)?;
        let mut stream = SixBits::new(data, order * order, text)?;
        let mut graph = Self::new(order, true, &[])?;
        for u in 0..order {
            for v in 0..order {
                if stream.next_bit() {
                    if u == v {
                        return Err(Error::Usage(format!(
                            "`{text}`: loop at vertex {u}; these games take digraphs without loops"
                        )));
                    }
                    graph.add(u, v);
                }
            }
        }
        Ok(graph)
    }

    /// The graph as a graph6 string, or as a digraph6 string if it is directed.
    pub fn to_graph6(&self) -> String {
        let order = self.order();
        let mut text = String::from(if self.is_directed() { "&" } else { "" });
        if order <= 62 {
            text.push((order as u8 + 63) as char);
        } else {
            text.push('~');
            (0..3).rev().for_each(|i| text.push(((order >> (6 * i) & 63) as u8 + 63) as char));
        }
        let bits: Vec<bool> = if self.is_directed() {
            (0..order)
                .flat_map(|u| (0..order).map(move |v| (u, v)))
                .map(|(u, v)| self.has_arc(u, v))
                .collect()
        } else {
            (1..order).flat_map(|v| (0..v).map(move |u| (u, v))).map(|(u, v)| self.has_arc(u, v)).collect()
        };
        for chunk in bits.chunks(6) {
            let value = (0..6).fold(0u8, |value, i| value << 1 | u8::from(chunk.get(i) == Some(&true)));
            text.push((value + 63) as char);
        }
        text
    }
}

impl Multigraph {
    /// Reads a graph with weights: an edge list with loops (`2-2`), repeated edges and weights (`0-1:3`, one
    /// without a number weighs 1), or anything that [`Graph::parse`] reads, all weights 1.
    pub fn parse(text: &str) -> Result<(Self, Vec<u32>)> {
        let text = text.trim();
        if !looks_like_edges(text) {
            let graph = Graph::parse(text)?;
            if graph.is_directed() {
                return Err(Error::Usage(format!("`{text}`: nim-on-graph takes undirected graphs")));
            }
            let graph = Self::from(&graph);
            let weights = vec![1; graph.edges().len()];
            return Ok((graph, weights));
        }
        let list = EdgeList::parse(text)?;
        if list.directed {
            return Err(Error::Usage(format!(
                "`{text}`: nim-on-graph takes undirected edges, as in `0-1:3`"
            )));
        }
        let weights = list.edges.iter().map(|edge| edge.weight).collect();
        Ok((Self::new(list.order, list.edges.into_iter().map(|edge| edge.ends).collect())?, weights))
    }
}

fn parse_name(text: &str) -> Option<Result<Graph>> {
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()).collect();
    let (&name, rest) = words.split_first()?;
    let name = name.to_lowercase();
    FAMILIES.iter().find(|family| family.0 == name)?;
    let parameters: std::result::Result<Vec<usize>, _> = rest.iter().map(|word| word.parse()).collect();
    match parameters {
        Ok(parameters) => Graph::named(&name, &parameters),
        Err(_) => {
            Some(Err(Error::Usage(format!("`{text}`: after `{name}` come whole numbers, as in `path 7`"))))
        }
    }
}

fn unknown_graph(text: &str) -> String {
    let names: Vec<_> = FAMILIES.iter().map(|family| family.0).collect();
    format!(
        "`{text}` is not a graph: write a name with its numbers ({}), a graph6 or digraph6 string, or edges as \
         in `0-1,1-2` (arcs as in `0>1,1>2`)",
        names.join(", ")
    )
}

/// An edge list starts with a digit or with `n=`. No graph6 string does: its first character is at least `?`,
/// and `n` as an order (47 vertices) is never followed by `=`, which lies below `?`.
fn looks_like_edges(text: &str) -> bool {
    text.starts_with("n=") || text.starts_with(|c: char| c.is_ascii_digit())
}

struct Edge {
    ends: (usize, usize),
    weight: u32,
}

struct EdgeList {
    order: usize,
    directed: bool,
    edges: Vec<Edge>,
}

impl EdgeList {
    fn parse(text: &str) -> Result<Self> {
        let wrong = |what: &str| {
            Error::Usage(format!(
                "`{text}`: {what}; write edges as in `n=4: 0-1,1-2` (arcs `0>1`, weights `0-1:3`)"
            ))
        };
        let (announced, body) = match text.strip_prefix("n=") {
            Some(rest) => {
                let (order, body) = rest.split_once([':', ';', ' ']).unwrap_or((rest, ""));
                (Some(order.trim().parse::<usize>().map_err(|_| wrong("no number after `n=`"))?), body)
            }
            None => (None, text),
        };
        let (mut undirected, mut directed) = (false, false);
        let mut edges = Vec::new();
        for word in body.split(|c: char| c.is_whitespace() || c == ',' || c == ';').filter(|w| !w.is_empty())
        {
            let (ends, weight) = match word.split_once(':') {
                Some((ends, weight)) => {
                    (ends, weight.parse().map_err(|_| wrong("a weight is not a number"))?)
                }
                None => (word, 1),
            };
            let (from, to) = if let Some(pair) = ends.split_once('>') {
                directed = true;
                pair
            } else if let Some(pair) = ends.split_once('-') {
                undirected = true;
                pair
            } else {
                return Err(wrong(&format!("`{word}` is not an edge")));
            };
            let vertex =
                |name: &str| name.parse::<usize>().map_err(|_| wrong(&format!("`{word}` is not an edge")));
            edges.push(Edge { ends: (vertex(from)?, vertex(to)?), weight });
        }
        if directed && undirected {
            return Err(wrong("edges and arcs do not mix"));
        }
        let needed =
            edges.iter().map(|edge| edge.ends.0.max(edge.ends.1).saturating_add(1)).max().unwrap_or(0);
        Ok(Self { order: announced.unwrap_or(needed), directed, edges })
    }
}

/// The order at the front of a graph6 body, and the bytes after it.
fn six_bit_header<'a>(body: &'a str, whole: &str) -> Result<(usize, &'a [u8])> {
    let bytes = body.as_bytes();
    let wrong = |what: String| Error::Usage(format!("`{whole}` is not a graph6 string: {what}"));
    if let Some(&bad) = bytes.iter().find(|&&byte| !(63..=126).contains(&byte)) {
        return Err(wrong(format!("character {:?} is not allowed", bad as char)));
    }
    let (order, used) = match bytes {
        [] => return Err(wrong("it is empty".into())),
        [126, 126, ..] => return Err(wrong(format!("more than {MAX_VERTICES} vertices"))),
        [126, a, b, c, ..] => {
            let six = |byte: &u8| usize::from(byte - 63);
            (six(a) << 12 | six(b) << 6 | six(c), 4)
        }
        [126, ..] => return Err(wrong("it is cut off".into())),
        [n, ..] => (usize::from(n - 63), 1),
    };
    if order > MAX_VERTICES {
        return Err(wrong(format!("{order} vertices; at most {MAX_VERTICES} are possible")));
    }
    Ok((order, &bytes[used..]))
}

/// The bits of graph6 data, most significant of each six first.
struct SixBits<'a> {
    data: &'a [u8],
    next: usize,
}

impl<'a> SixBits<'a> {
    fn new(data: &'a [u8], bits: usize, whole: &str) -> Result<Self> {
        let wanted = bits.div_ceil(6);
        if data.len() != wanted {
            return Err(Error::Usage(format!(
                "`{whole}` is not a graph6 string: {wanted} data characters wanted, {} found",
                data.len()
            )));
        }
        let padding = wanted * 6 - bits;
        if data.last().is_some_and(|last| (last - 63) & ((1 << padding) - 1) != 0) {
            return Err(Error::Usage(format!("`{whole}` is not a graph6 string: its padding is not zero")));
        }
        Ok(Self { data, next: 0 })
    }

    fn next_bit(&mut self) -> bool {
        let (byte, bit) = (self.next / 6, self.next % 6);
        self.next += 1;
        (self.data[byte] - 63) >> (5 - bit) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The example of nauty's format description: five vertices, edges 02, 04, 13, 34.
    #[test]
    fn graph6_of_the_format_description() {
        let graph = Graph::parse("DQc").unwrap();
        assert_eq!(graph.edges(), [(0, 2), (0, 4), (1, 3), (3, 4)]);
        assert_eq!(graph.to_graph6(), "DQc");
        assert_eq!(Graph::parse(">>graph6<<DQc").unwrap(), graph);
    }

    /// The example of nauty's format description: five vertices, arcs 02, 04, 31, 34.
    #[test]
    fn digraph6_of_the_format_description() {
        let graph = Graph::parse("&DI?AO?").unwrap();
        assert_eq!(graph.edges(), [(0, 2), (0, 4), (3, 1), (3, 4)]);
        assert_eq!(graph.to_graph6(), "&DI?AO?");
    }

    #[test]
    fn edge_lists_with_isolated_vertices_and_arcs() {
        assert_eq!(Graph::parse("0-1,1-2").unwrap(), Graph::path(3).unwrap());
        assert_eq!(Graph::parse("0-1 1-2").unwrap(), Graph::path(3).unwrap());
        assert_eq!(Graph::parse("n=4: 0-1").unwrap().order(), 4);
        assert_eq!(Graph::parse("n=4").unwrap().edges().len(), 0);
        assert!(Graph::parse("0>1,1>2").unwrap().is_directed());
    }

    #[test]
    fn weighted_multigraphs() {
        let (graph, weights) = Multigraph::parse("0-1:3, 0-1, 1-1:2").unwrap();
        assert_eq!(graph.edges(), [(0, 1), (0, 1), (1, 1)]);
        assert_eq!(weights, [3, 1, 2]);
        let (graph, weights) = Multigraph::parse("cycle 4").unwrap();
        assert_eq!((graph.order(), weights), (4, vec![1; 4]));
    }

    #[test]
    fn bad_graphs_are_errors_with_a_remedy() {
        for text in [
            "",
            "pth 7",
            "path x",
            "DQ",
            "DQcc",
            "DQd",
            "0-",
            "0-1,0>2",
            "0-0",
            "0-1,1-0",
            "&",
            "&D",
            "~~??????",
            "~",
            "0-99999999999999999999",
            "n=2: 0-5",
            "n=x",
            "0-1:7",
            "7",
            "n=99999999999",
        ] {
            let error = Graph::parse(text).expect_err(text).to_string();
            assert!(error.len() > 20, "{error}");
        }
    }

    proptest! {
        #[test]
        fn parsing_never_panics(text in "\\PC{0,20}") {
            let _ = Graph::parse(&text);
            let _ = Multigraph::parse(&text);
        }

        #[test]
        fn writing_and_reading_is_the_identity(order in 0usize..9, directed: bool, picks: u64) {
            let mut edges = Vec::new();
            for u in 0..order {
                for v in 0..order {
                    if u != v && (directed || u < v) && picks >> ((u * 7 + v) % 64) & 1 == 1 {
                        edges.push((u, v));
                    }
                }
            }
            let graph = Graph::new(order, directed, &edges).unwrap();
            prop_assert_eq!(&Graph::parse(&graph.to_graph6()).unwrap(), &graph);
            if !edges.is_empty() {
                prop_assert_eq!(&Graph::parse(&graph.to_edge_list()).unwrap(), &graph);
            }
        }
    }
}
