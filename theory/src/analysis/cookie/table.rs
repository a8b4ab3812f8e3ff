//! Tables of full boards, rows by columns, as in the thesis.

use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::printed::printed;
use crate::base::{Control, Error, Result, files};
use crate::rules::{Board, Cutter};
use crate::search::cookie::Solvers;
use crate::search::cookie::Stats;

/// A table of full boards, to be filled.
#[derive(Debug, Clone)]
pub struct TableJob {
    /// The cutter.
    pub cutter: Cutter,
    /// The numbers of rows.
    pub rows: RangeInclusive<usize>,
    /// The numbers of columns.
    pub cols: RangeInclusive<usize>,
    /// Threads.
    pub threads: usize,
    /// Memory for solved parts.
    pub memory: u64,
    /// A file that keeps the cells solved so far.
    pub state: Option<PathBuf>,
    /// A folder that keeps solved parts for the next run.
    pub parts: Option<PathBuf>,
}

/// How a cell stands to the printed table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Printed, and right.
    Agrees,
    /// Printed, and wrong.
    Differs,
    /// Not printed.
    New,
    /// Not solved within the budget.
    Open,
}

/// A cell of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// Rows of the board.
    pub rows: usize,
    /// Columns of the board.
    pub cols: usize,
    /// The cutter.
    pub cutter: String,
    /// The value, if it was found.
    pub value: Option<u8>,
    /// The value in print.
    pub printed: Option<u8>,
    /// How the two compare.
    pub status: Status,
    /// Where the value comes from.
    pub method: Option<Method>,
}

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// The search by parts.
    Search,
    /// Theorem 5.3.1: a full board with a side one longer than the cutter's has value 0, because the second
    /// player can always empty the lines that the first player has touched. It is itself tested by search.
    Theorem,
    /// The state file of an earlier run.
    State,
}

/// A table as far as it was filled.
#[derive(Debug, Clone)]
pub struct TableReport {
    /// The cutter.
    pub cutter: Cutter,
    /// All cells, row by row.
    pub cells: Vec<Cell>,
    /// What the search did.
    pub stats: Stats,
    /// The time it took.
    pub seconds: f64,
    /// Whether it was stopped from outside.
    pub interrupted: bool,
}

/// The first time slice of a cell; slices grow while cells remain open.
const FIRST_SLICE: Duration = Duration::from_secs(2);

impl TableJob {
    /// Fills as many cells as the time allows, the smallest boards first. A cell that takes too long is put
    /// off and taken up again with what is known by then. `solved` is told each cell as it is found, with the
    /// cells done and all cells.
    pub fn run(
        &self,
        control: &Control<'_>,
        solved: &mut dyn FnMut(&Cell, usize, usize),
    ) -> Result<TableReport> {
        let started = Instant::now();
        for range in [&self.rows, &self.cols] {
            if range.is_empty() || *range.start() == 0 || *range.end() > 127 {
                return Err(Error::Usage(
                    "rows and columns of a table are ranges such as 1..6, from 1 or more to at most 127"
                        .into(),
                ));
            }
        }
        let mut cells = self.cells()?;
        let mut others = Vec::new();
        if let Some(path) = &self.state
            && path.exists()
        {
            others = recall(path, self.cutter, &mut cells)?;
        }
        for cell in cells.iter_mut().filter(|cell| cell.value.is_none()) {
            if cell.rows as u64 == u64::from(self.cutter.rows) + 1
                || cell.cols as u64 == u64::from(self.cutter.cols) + 1
            {
                cell.set(0, Method::Theorem);
            }
        }
        let mut solvers = Solvers::new(self.cutter, self.memory);
        if let Some(folder) = &self.parts {
            solvers = solvers.keeping_parts(folder)?;
        }
        let mut order: Vec<usize> = (0..cells.len()).filter(|&at| cells[at].value.is_none()).collect();
        // Cheapest first, roughly: a square costs more on a wider board (4x16 is done long before 5x12).
        order.sort_by_key(|&at| {
            let (rows, cols) = (cells[at].rows, cells[at].cols);
            (rows * cols * (8 + rows.min(cols)), rows)
        });
        // Boards that no layout holds stay open.
        order.retain(|&at| solvers.solver(cells[at].rows, cells[at].cols).is_ok());
        let mut slice = FIRST_SLICE;
        while !order.is_empty() && !control.stopped() {
            let mut open = Vec::new();
            for at in order {
                let board = Board::full(cells[at].rows, cells[at].cols)?;
                match solvers.value(&board, self.threads, &control.with_time(Some(slice)))? {
                    None => open.push(at),
                    Some(value) => {
                        cells[at].set(value, Method::Search);
                        if let Some(path) = &self.state {
                            keep(path, &cells, &others)?;
                        }
                        let done = cells.iter().filter(|cell| cell.value.is_some()).count();
                        solved(&cells[at], done, cells.len());
                    }
                }
            }
            order = open;
            slice *= 4;
        }
        solvers.save()?;
        Ok(TableReport {
            cutter: self.cutter,
            cells,
            stats: solvers.stats(),
            seconds: started.elapsed().as_secs_f64(),
            interrupted: control.stop.load(Ordering::Relaxed),
        })
    }

    fn cells(&self) -> Result<Vec<Cell>> {
        let printed = printed()?;
        let mut cells = Vec::new();
        for rows in self.rows.clone() {
            for cols in self.cols.clone() {
                let cell = printed
                    .iter()
                    .find(|cell| (cell.cutter, cell.rows, cell.cols) == (self.cutter, rows, cols));
                cells.push(Cell {
                    rows,
                    cols,
                    cutter: self.cutter.to_string(),
                    value: None,
                    printed: cell.map(|cell| cell.value),
                    status: Status::Open,
                    method: None,
                });
            }
        }
        Ok(cells)
    }
}

impl Cell {
    fn set(&mut self, value: u8, method: Method) {
        self.value = Some(value);
        self.method = Some(method);
        self.status = match self.printed {
            None => Status::New,
            Some(printed) if printed == value => Status::Agrees,
            Some(_) => Status::Differs,
        };
    }
}

const STATE_HEAD: &str =
    "# nimwave cookie table 1: cutter, rows, cols, value; the last line is the BLAKE3 of all before it\n";

/// Writes the solved cells, and the lines of `others` as they are, to `path`, in one step.
fn keep(path: &Path, cells: &[Cell], others: &[String]) -> Result<()> {
    let mut text = STATE_HEAD.to_string();
    for line in others {
        text += &format!("{line}\n");
    }
    for cell in cells {
        if let Some(value) = cell.value {
            text += &format!("{}\t{}\t{}\t{value}\n", cell.cutter, cell.rows, cell.cols);
        }
    }
    text += &format!("# {}\n", blake3::hash(text.as_bytes()));
    files::replace(path, text.as_bytes())
}

/// Takes the cells of `path` that are asked for, and returns the lines of the other ones.
fn recall(path: &Path, cutter: Cutter, cells: &mut [Cell]) -> Result<Vec<String>> {
    let mut others = Vec::new();
    let text = fs::read_to_string(path).map_err(Error::io("cannot read", path))?;
    let damaged = |problem: &str| Error::corrupt(path, problem, "delete it, or give another --state");
    let body = text.trim_end().rsplit_once('\n').map(|(body, last)| (format!("{body}\n"), last));
    let Some((body, last)) = body.filter(|(body, _)| body.starts_with(STATE_HEAD)) else {
        return Err(damaged("it is not the state of a cookie table"));
    };
    if last != format!("# {}", blake3::hash(body.as_bytes())) {
        return Err(damaged("its checksum does not match"));
    }
    for line in body.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let number = |at: usize| fields.get(at).and_then(|text| text.parse::<usize>().ok());
        let (Some(rows), Some(cols), Some(value)) = (number(1), number(2), number(3)) else {
            return Err(damaged("it holds a line that is not a cell"));
        };
        if fields[0] != cutter.to_string() {
            return Err(Error::Mismatch {
                path: path.to_path_buf(),
                problem: format!("it belongs to the cutter {}", fields[0]),
                remedy: "give another --state for this cutter".into(),
            });
        }
        let value = u8::try_from(value).map_err(|_| damaged("it holds a value that is too large"))?;
        match cells.iter_mut().find(|cell| (cell.rows, cell.cols) == (rows, cols)) {
            Some(cell) => cell.set(value, Method::State),
            None => others.push(line.to_string()),
        }
    }
    Ok(others)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(cutter: &str, rows: usize, cols: usize) -> TableJob {
        TableJob {
            cutter: cutter.parse().unwrap(),
            rows: 1..=rows,
            cols: 1..=cols,
            threads: 2,
            memory: 1 << 28,
            state: None,
            parts: None,
        }
    }

    #[test]
    fn a_table_resumes_from_its_state() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state");
        let never = Control::silent();
        let first = TableJob { state: Some(path.clone()), ..job("2", 3, 4) };
        let whole = first.run(&never, &mut |_, _, _| ()).unwrap();
        assert!(whole.cells.iter().all(|cell| cell.status == Status::Agrees));
        let mut told = 0;
        let late = never.with_time(Some(Duration::ZERO));
        let again = first.run(&late, &mut |_, _, _| told += 1).unwrap();
        let values = |cells: &[Cell]| cells.iter().map(|cell| cell.value).collect::<Vec<_>>();
        assert_eq!((values(&again.cells), told), (values(&whole.cells), 0));
        let other = TableJob { cutter: Cutter::INFINITE, ..first.clone() };
        assert!(other.run(&never, &mut |_, _, _| ()).is_err());
        let mut bytes = fs::read(&path).unwrap();
        let last = bytes.len() - 70;
        bytes[last] ^= 1;
        fs::write(&path, bytes).unwrap();
        assert!(first.run(&never, &mut |_, _, _| ()).is_err());
    }

    #[test]
    fn the_parts_of_one_run_serve_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let never = Control::silent();
        let job = TableJob { parts: Some(folder.path().join("parts")), ..job("3", 3, 6) };
        let first = job.run(&never, &mut |_, _, _| ()).unwrap();
        let second = job.run(&never, &mut |_, _, _| ()).unwrap();
        assert_eq!(first.cells, second.cells);
        assert!(first.stats.visited > 0 && second.stats.visited == 0);
    }

    #[test]
    fn without_time_only_the_theorem_fills_cells() {
        let late = Control::silent().with_time(Some(Duration::ZERO));
        for cell in job("3", 2, 4).run(&late, &mut |_, _, _| ()).unwrap().cells {
            let expected =
                if cell.cols == 4 { (Status::Agrees, Some(Method::Theorem)) } else { (Status::Open, None) };
            assert_eq!((cell.status, cell.method), expected, "{}x{}", cell.rows, cell.cols);
        }
    }

    #[test]
    fn empty_ranges_are_refused() {
        let never = Control::silent();
        let range = |rows| TableJob { rows, ..job("3", 2, 2) }.run(&never, &mut |_, _, _| ());
        #[allow(clippy::reversed_empty_ranges)]
        let reversed = 3..=2;
        assert!(range(reversed).is_err());
        assert!(range(0..=2).is_err());
        assert!(range(1..=1000).is_err());
    }
}
