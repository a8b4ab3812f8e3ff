//! Minnie against its paper: Tables 1 to 4 and 6 as printed, Lemma 6, and Theorems 7 and 8.
//!
//! The printed tables are compared with every kernel and with a recursion that is written out here and uses nothing of
//! the crate. Cells that are printed wrong are named in the data files with the correct entry and a reason; a further
//! disagreement, or one that is no longer there, fails.

use std::collections::HashMap;
use std::path::Path;

use nimwave::base::Control;
use nimwave::rules::Play;
use nimwave::space::{SortedHeaps, Space};
use nimwave::sweep::{HeapJob, KernelChoice};
use nimwave::table::{Quantity, Table};

const KERNELS: [KernelChoice; 3] = [KernelChoice::Generic, KernelChoice::Portable, KernelChoice::Fastest];

/// A solved table in memory, asked by position.
struct Solved {
    space: SortedHeaps,
    table: Table,
}

impl Solved {
    fn new(heaps: usize, max: u32, quantity: Quantity, kernel: KernelChoice) -> Self {
        let mut job = HeapJob::minnie(heaps, max, Play::Normal, quantity);
        job.kernel = kernel;
        Self { space: job.space().unwrap(), table: job.solve(None, &Control::silent()).unwrap() }
    }

    fn entry(&self, heaps: &[u32]) -> u16 {
        self.table.cells().get(self.space.rank(heaps))
    }

    fn is_p(&self, heaps: &[u32]) -> bool {
        self.table.cells().is_p(self.space.rank(heaps))
    }
}

/// Grundy values by the definition alone: sorted non-empty heaps, a move takes 1 to the smallest heap from any heap.
#[derive(Default)]
struct Recursion(HashMap<Vec<u32>, u32>);

impl Recursion {
    fn value(&mut self, heaps: &[u32]) -> u32 {
        let mut heaps: Vec<u32> = heaps.iter().copied().filter(|&heap| heap != 0).collect();
        heaps.sort_unstable();
        if let Some(&known) = self.0.get(&heaps) {
            return known;
        }
        let mut seen = Vec::new();
        for i in 0..heaps.len() {
            for taken in 1..=heaps[0] {
                let mut option = heaps.clone();
                option[i] -= taken;
                seen.push(self.value(&option));
            }
        }
        let mex = (0..).find(|value| !seen.contains(value)).unwrap();
        self.0.insert(heaps, mex);
        mex
    }
}

/// One printed cell: the heaps of its row and column, and what stands there.
struct Cell {
    row: u32,
    column: u32,
    printed: String,
}

/// A printed table, and its cells that are known to be wrong: (row, column) to the correct entry.
fn printed(number: u32) -> (Vec<Cell>, HashMap<(u32, u32), String>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("data/golden/minnie-table-{number}.tsv"));
    let text = std::fs::read_to_string(&path).unwrap();
    let mut wrong = HashMap::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("#! ")) {
        let words: Vec<&str> = line.split(' ').collect();
        let ["row", row, "column", column, "printed", _, "correct", correct] = words[..] else {
            panic!("{}: {line}", path.display())
        };
        wrong.insert((row.parse().unwrap(), column.parse().unwrap()), correct.to_string());
    }
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let (columns, rows) = lines.split_last().unwrap();
    let columns: Vec<u32> = columns.split('\t').skip(1).map(|heap| heap.parse().unwrap()).collect();
    let mut cells = Vec::new();
    for line in rows {
        let mut words = line.split('\t');
        let row = words.next().unwrap().parse().unwrap();
        for (&column, word) in columns.iter().zip(words).filter(|(_, word)| !word.is_empty()) {
            cells.push(Cell { row, column, printed: word.to_string() });
        }
    }
    (cells, wrong)
}

/// Compares a printed table of outcomes or values; the positions are row, column and, where there is one, `third`.
fn compare(number: u32, cells_expected: usize, third: Option<u32>, quantity: Quantity) {
    let (cells, wrong) = printed(number);
    assert_eq!(cells.len(), cells_expected, "Table {number}");
    let mut recursion = Recursion::default();
    let heaps = 2 + usize::from(third.is_some());
    for kernel in KERNELS {
        let solved = Solved::new(heaps, 16, quantity, kernel);
        let mut disagree = HashMap::new();
        for Cell { row, column, printed } in &cells {
            let position: Vec<u32> = [*row, *column].into_iter().chain(third).collect();
            let by_recursion = recursion.value(&position);
            let entry = if quantity.is_outcomes() {
                assert_eq!(solved.is_p(&position), by_recursion == 0, "{position:?}, {kernel:?}");
                (if solved.is_p(&position) { "P" } else { "." }).to_string()
            } else {
                assert_eq!(u32::from(solved.entry(&position)), by_recursion, "{position:?}, {kernel:?}");
                solved.entry(&position).to_string()
            };
            if entry != *printed {
                disagree.insert((*row, *column), entry);
            }
        }
        assert_eq!(disagree, wrong, "Table {number}, {kernel:?}");
    }
}

#[test]
fn table_1_outcomes_of_two_heaps() {
    compare(1, 13 * 16, None, Quantity::Outcomes);
}

#[test]
fn table_2_outcomes_of_three_heaps_with_a_heap_of_one() {
    compare(2, 100, Some(1), Quantity::Outcomes);
}

#[test]
fn table_3_outcomes_of_three_heaps_with_a_heap_of_two() {
    compare(3, 100, Some(2), Quantity::Outcomes);
}

#[test]
fn table_4_outcomes_of_three_heaps_with_a_heap_of_three() {
    compare(4, 100, Some(3), Quantity::Outcomes);
}

#[test]
fn table_6_values_of_two_heaps() {
    compare(6, 13 * 17, None, Quantity::Values);
}

/// Theorem 7, `1 <= a <= b`.
fn theorem_7(a: u32, b: u32) -> bool {
    match a {
        1 => b % 2 == 1,
        2 => b % 4 == 2,
        3 => b % 4 == 0 && b >= 8,
        4 => b == 4,
        _ => false,
    }
}

/// Theorem 8, `1 <= l <= m <= n`: its seven cases, as they are printed.
#[allow(clippy::nonminimal_bool)]
fn theorem_8(l: u32, m: u32, n: u32) -> bool {
    let sum = m + n;
    (l == 1 && m != 3 && sum % 2 == 1)
        || (l == 1 && m == 3 && n == 4)
        || (l == 1 && m == 3 && n % 4 == 2)
        || (l == 2 && m != 3 && sum % 4 == 2)
        || (l == 3 && m == 3 && n % 4 == 3)
        || (l == 3 && m > 3 && m != 5 && n > 4 && sum % 4 == 0)
        || (l == 5 && m == 5 && n % 8 == 3)
}

#[test]
fn lemma_6_and_theorem_7_hold_for_heaps_up_to_200() {
    for kernel in KERNELS {
        for quantity in [Quantity::Outcomes, Quantity::Values] {
            let solved = Solved::new(2, 200, quantity, kernel);
            assert!(solved.is_p(&[0, 0]));
            for b in 1..=200 {
                assert!(!solved.is_p(&[0, b]), "Lemma 6, [{b}], {kernel:?}");
                if quantity == Quantity::Values {
                    assert_eq!(u32::from(solved.entry(&[0, b])), b, "one heap is nim, {kernel:?}");
                }
                for a in 1..=b {
                    assert_eq!(
                        solved.is_p(&[a, b]),
                        theorem_7(a, b),
                        "Theorem 7, [{a}, {b}], {kernel:?}, {quantity:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn theorem_8_holds_for_heaps_up_to_60() {
    for kernel in KERNELS {
        for quantity in [Quantity::Outcomes, Quantity::Values] {
            let solved = Solved::new(3, 60, quantity, kernel);
            for n in 1..=60 {
                for m in 1..=n {
                    for l in 1..=m {
                        assert_eq!(
                            solved.is_p(&[l, m, n]),
                            theorem_8(l, m, n),
                            "Theorem 8, [{l}, {m}, {n}], {kernel:?}, {quantity:?}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn theorem_8_holds_for_outcomes_up_to_250_in_the_row_kernel() {
    let solved = Solved::new(3, 250, Quantity::Outcomes, KernelChoice::Fastest);
    for n in 1..=250 {
        for m in 1..=n {
            for l in 1..=m {
                assert_eq!(solved.is_p(&[l, m, n]), theorem_8(l, m, n), "[{l}, {m}, {n}]");
            }
        }
    }
}
