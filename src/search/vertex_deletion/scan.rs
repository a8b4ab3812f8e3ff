//! Vertex deletion on all connected graphs of an order, or on graphs from outside.

use super::Table;
use crate::analysis::connected_graphs::{self, Kind, MAX_ORDER, SmallGraph};
use crate::rules::graph::{Graph, Parity};
use crate::{Error, Result};
use rayon::prelude::*;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::BufRead;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The most vertices of a built-in scan of oriented graphs, and of digraphs with arcs both ways.
const MAX_ORIENTED: usize = 8;
const MAX_DIRECTED: usize = 7;

/// What to scan for.
#[derive(Debug)]
pub struct ScanOptions<'a> {
    /// The parity of the vertices that both players delete.
    pub parity: Parity,
    /// How many examples of each value to keep.
    pub examples: usize,
    /// Counts the graphs done, for a progress display.
    pub done: &'a AtomicU64,
    /// Set from outside to stop.
    pub stop: &'a AtomicBool,
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
    pub fn all(kind: Kind, order: usize, options: &ScanOptions) -> Result<Self> {
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
        let stop = || options.stop.load(Ordering::Relaxed);
        connected_graphs::for_each(kind, order, &stop, &|small| {
            let value = solve_small(small, options.parity);
            let arcs: u32 = small.out.iter().map(|row| row.count_ones()).sum();
            let edges = if kind == Kind::Undirected { arcs / 2 } else { arcs };
            add(&total, value, (small.order, edges as usize), options, || small.to_graph(kind));
        });
        Ok(finish(total, options))
    }

    /// Scans graph6 or digraph6 lines, as `geng` and `directg` write them.
    pub fn lines(input: impl BufRead, options: &ScanOptions) -> Result<Self> {
        const BATCH: usize = 4096;
        let total = Mutex::new(Self::default());
        let mut lines = input.lines().enumerate();
        loop {
            let batch: Vec<(usize, std::io::Result<String>)> = lines.by_ref().take(BATCH).collect();
            if batch.is_empty() || options.stop.load(Ordering::Relaxed) {
                return Ok(finish(total, options));
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
                    Table::solve(&graph, options.parity).map_err(|error| at(error.to_string()))?.whole();
                add(&total, value, (graph.order(), graph.edges().len()), options, || graph);
                Ok(())
            })?;
        }
    }
}

thread_local! {
    /// One table a thread, so that a graph costs no allocation.
    static SCRATCH: RefCell<(Table, Vec<u32>)> = const { RefCell::new((Table { values: Vec::new() }, Vec::new())) };
}

fn solve_small(small: &SmallGraph, parity: Parity) -> u8 {
    let mut out = [0u32; MAX_ORDER];
    (0..small.order).for_each(|v| out[v] = u32::from(small.out[v]));
    SCRATCH.with_borrow_mut(|(table, odd)| {
        table.fill(&out[..small.order], parity, odd);
        table.whole()
    })
}

/// Counts a graph; `graph` is only asked for if it may be among the first examples of its value.
fn add(
    total: &Mutex<Scan>,
    value: u8,
    size: (usize, usize),
    options: &ScanOptions,
    graph: impl FnOnce() -> Graph,
) {
    options.done.fetch_add(1, Ordering::Relaxed);
    let mut total = total.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    *total.histogram.entry(value).or_insert(0) += 1;
    let kept = total.examples.entry(value).or_default();
    if kept.len() == options.examples && kept.last().is_none_or(|last| (last.0, last.1) < size) {
        return;
    }
    let entry = (size.0, size.1, graph().to_graph6());
    let place = kept.partition_point(|example| *example < entry);
    kept.insert(place, entry);
    kept.truncate(options.examples);
}

fn finish(total: Mutex<Scan>, options: &ScanOptions) -> Scan {
    let mut scan = total.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    scan.stopped = options.stop.load(Ordering::Relaxed);
    scan
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(kind: Kind, order: usize, parity: Parity) -> Scan {
        let (done, stop) = (AtomicU64::new(0), AtomicBool::new(false));
        let options = ScanOptions { parity, examples: 2, done: &done, stop: &stop };
        let scan = Scan::all(kind, order, &options).unwrap();
        assert_eq!(scan.graphs(), done.into_inner());
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
        let (done, stop) = (AtomicU64::new(0), AtomicBool::new(false));
        let options = ScanOptions { parity: Parity::Odd, examples: 0, done: &done, stop: &stop };
        let from_lines = Scan::lines(lines.into_inner().unwrap().as_bytes(), &options).unwrap();
        assert_eq!(from_lines.histogram, scan(Kind::Undirected, 6, Parity::Odd).histogram);
    }

    #[test]
    fn a_bad_line_is_named() {
        let (done, stop) = (AtomicU64::new(0), AtomicBool::new(false));
        let options = ScanOptions { parity: Parity::Odd, examples: 0, done: &done, stop: &stop };
        let error = Scan::lines("DQc\nnonsense!\n".as_bytes(), &options).unwrap_err();
        assert!(error.to_string().starts_with("line 2: "), "{error}");
    }

    #[test]
    fn orders_out_of_range_are_refused() {
        let (done, stop) = (AtomicU64::new(0), AtomicBool::new(false));
        let options = ScanOptions { parity: Parity::Odd, examples: 0, done: &done, stop: &stop };
        assert!(Scan::all(Kind::Undirected, 12, &options).is_err());
        assert!(Scan::all(Kind::Directed, 0, &options).is_err());
    }
}
