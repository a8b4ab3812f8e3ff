//! Vertex deletion on all connected graphs of an order, or on graphs from outside.

use super::connected_graphs::{self, Kind, MAX_ORDER, SmallGraph};
use crate::base::{Control, Error, Result, Silent};
use crate::rules::graph::{Graph, Parity};
use crate::search::vertex_deletion::Table;
use rayon::prelude::*;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::BufRead;
use std::sync::Mutex;

/// The most vertices of a built-in scan of oriented graphs, and of digraphs with arcs both ways.
const MAX_ORIENTED: usize = 8;
const MAX_DIRECTED: usize = 7;

/// What to scan for.
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    /// The parity of the vertices that both players delete.
    pub parity: Parity,
    /// How many examples of each value to keep.
    pub examples: usize,
}

/// How often each value occurs, with the first examples: those with the fewest vertices and edges.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scan {
    /// The number of graphs with each value.
    pub histogram: BTreeMap<u8, u64>,
    /// For each value, the smallest examples as (vertices, edges, graph6).
    pub examples: BTreeMap<u8, Vec<(usize, usize, String)>>,
    /// Whether the scan was stopped before its end.
    pub stopped: bool,
}

impl Scan {
    /// The number of graphs scanned.
    pub fn graphs(&self) -> u64 {
        self.histogram.values().sum()
    }

    /// Scans all connected graphs of this kind on `order` vertices, each once up to isomorphism.
    pub fn all(kind: Kind, order: usize, wanted: Wanted, control: &Control<'_>) -> Result<Self> {
        let most = match kind {
            Kind::Undirected => MAX_ORDER,
            Kind::Oriented => MAX_ORIENTED,
            Kind::Directed => MAX_DIRECTED,
        };
        if !(1..=most).contains(&order) {
            return Err(Error::Usage(format!(
                "the built-in generator takes 1 to {most} vertices, not {order}; pipe graph6 lines into --stdin for more"
            )));
        }
        let total = Mutex::new(Self::default());
        connected_graphs::for_each(kind, order, &|| control.stopped(), &|small| {
            let value = solve_small(small, wanted.parity);
            let arcs: u32 = small.out.iter().map(|row| row.count_ones()).sum();
            let edges = if kind == Kind::Undirected { arcs / 2 } else { arcs };
            add(&total, value, (small.order, edges as usize), wanted.examples, || small.to_graph(kind));
            control.worked(1);
        });
        Ok(finish(total, control))
    }

    /// Scans graph6 or digraph6 lines, as `geng` and `directg` write them.
    pub fn lines(input: impl BufRead, wanted: Wanted, control: &Control<'_>) -> Result<Self> {
        const BATCH: usize = 4096;
        let total = Mutex::new(Self::default());
        let mut lines = input.lines().enumerate();
        loop {
            let batch: Vec<(usize, std::io::Result<String>)> = lines.by_ref().take(BATCH).collect();
            if batch.is_empty() || control.stopped() {
                return Ok(finish(total, control));
            }
            batch.into_par_iter().try_for_each(|(number, line)| -> Result<()> {
                let at = |what: String| Error::Usage(format!("line {}: {what}", number + 1));
                let line =
                    line.map_err(|error| at(format!("cannot read: {error}; give graph6 or digraph6 lines")))?;
                if line.trim().is_empty() {
                    return Ok(());
                }
                let graph = Graph::parse(&line).map_err(|error| at(error.to_string()))?;
                let value =
                    match Table::solve(&graph, wanted.parity, &Control { observer: &Silent, ..*control }) {
                        Ok(table) => table.whole(),
                        // Graphs that are not done are not counted, and the scan says that it was stopped.
                        Err(_) if control.stopped() => return Ok(()),
                        Err(error) => return Err(at(error.to_string())),
                    };
                add(&total, value, (graph.order(), graph.edges().len()), wanted.examples, || graph);
                control.worked(1);
                Ok(())
            })?;
        }
    }
}

thread_local! {
    /// One table per thread, so that a graph costs no allocation.
    static SCRATCH: RefCell<Table> = const { RefCell::new(Table::EMPTY) };
}

fn solve_small(small: &SmallGraph, parity: Parity) -> u8 {
    let mut out = [0u32; MAX_ORDER];
    (0..small.order).for_each(|v| out[v] = u32::from(small.out[v]));
    SCRATCH.with_borrow_mut(|table| {
        let filled = table.fill(&out[..small.order], parity, &Control::silent());
        filled.unwrap_or_else(|error| unreachable!("without a limit nothing is refused: {error}"));
        table.whole()
    })
}

/// Counts a graph; `graph` is only asked for if it may be among the first examples of its value.
fn add(total: &Mutex<Scan>, value: u8, size: (usize, usize), examples: usize, graph: impl FnOnce() -> Graph) {
    let mut total = total.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    *total.histogram.entry(value).or_insert(0) += 1;
    let kept = total.examples.entry(value).or_default();
    if kept.len() == examples && kept.last().is_none_or(|last| (last.0, last.1) < size) {
        return;
    }
    let entry = (size.0, size.1, graph().to_graph6());
    let place = kept.partition_point(|example| *example < entry);
    kept.insert(place, entry);
    kept.truncate(examples);
}

fn finish(total: Mutex<Scan>, control: &Control<'_>) -> Scan {
    let mut scan = total.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    scan.stopped = control.stopped();
    scan
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Observer;
    use crate::rules::Play;
    use crate::rules::graph::VertexDeletion;
    use crate::search::memo::Memo;
    use std::sync::atomic::{AtomicU64, Ordering};

    const ODD: Wanted = Wanted { parity: Parity::Odd, examples: 0 };

    struct Count(AtomicU64);

    impl Observer for Count {
        fn worked(&self, more: u64) {
            self.0.fetch_add(more, Ordering::Relaxed);
        }
    }

    fn scan(kind: Kind, order: usize, parity: Parity) -> Scan {
        let wanted = Wanted { parity, examples: 2 };
        let count = Count(AtomicU64::new(0));
        let control = Control { observer: &count, ..Control::silent() };
        let scan = Scan::all(kind, order, wanted, &control).unwrap();
        assert_eq!(scan.graphs(), count.0.into_inner());
        scan
    }

    #[test]
    fn even_even_is_decided_by_the_number_of_vertices() {
        assert_eq!(scan(Kind::Undirected, 6, Parity::Even).histogram, BTreeMap::from([(0, 112)]));
        assert_eq!(scan(Kind::Undirected, 7, Parity::Even).histogram, BTreeMap::from([(1, 853)]));
    }

    #[test]
    fn lines_from_outside_give_the_same_as_the_generator() {
        let lines = Mutex::new(String::new());
        connected_graphs::for_each(Kind::Undirected, 6, &|| false, &|small| {
            let line = small.to_graph(Kind::Undirected).to_graph6() + "\n";
            lines.lock().unwrap().push_str(&line);
        });
        let from_lines =
            Scan::lines(lines.into_inner().unwrap().as_bytes(), ODD, &Control::silent()).unwrap();
        assert_eq!(from_lines.histogram, scan(Kind::Undirected, 6, Parity::Odd).histogram);
    }

    #[test]
    fn a_bad_line_is_named() {
        let error = Scan::lines("DQc\nnonsense!\n".as_bytes(), ODD, &Control::silent()).unwrap_err();
        assert!(error.to_string().starts_with("line 2: "), "{error}");
    }

    #[test]
    fn orders_out_of_range_are_refused() {
        assert!(Scan::all(Kind::Undirected, 12, ODD, &Control::silent()).is_err());
        assert!(Scan::all(Kind::Directed, 0, ODD, &Control::silent()).is_err());
    }

    /// Every set of every connected graph and digraph of small order, against the rules.
    #[test]
    fn the_table_agrees_with_the_rules() {
        for (kind, order) in [(Kind::Undirected, 6), (Kind::Directed, 4), (Kind::Oriented, 5)] {
            connected_graphs::for_each(kind, order, &|| false, &|small| {
                let graph = small.to_graph(kind);
                for parity in [Parity::Even, Parity::Odd] {
                    let table = Table::solve(&graph, parity, &Control::silent()).unwrap();
                    let rules = VertexDeletion { graph: graph.clone(), parity };
                    let mut memo = Memo::new(&rules, Play::Normal);
                    for set in 0..1u64 << order {
                        assert_eq!(u32::from(table.value(set)), memo.value(&set), "{graph:?} {set:b}");
                    }
                }
            });
        }
    }
}
