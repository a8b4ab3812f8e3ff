//! The front door of the engine: boards in, values out.

use super::geometry::{Geometry, fits};
use super::mask::Mask;
use super::parts::Memory;
use super::search::{Goal, Search};
use crate::base::{Control, Error, Result};
use crate::rules::{Board, Cookie, Cutter};

/// How deep the search goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Depth {
    /// The values that are needed.
    #[default]
    Needed,
    /// The value of every part that play can reach.
    Everything,
}

/// What a solver has done so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stats {
    /// Questions about parts that were worked on.
    pub visited: u64,
    /// Parts in the table.
    pub parts: u64,
    /// Parts in the table with their exact value.
    pub solved: u64,
    /// Bytes of the table.
    pub bytes: u64,
    /// Parts dropped for lack of memory.
    pub evicted: u64,
}

pub(super) enum Engine {
    Narrow(Search<u64>),
    Wide(Search<u128>),
}

/// Runs `$body` with `$search` bound to the engine's search, whichever width it has.
macro_rules! with_search {
    ($engine:expr, $search:ident => $body:expr) => {
        match $engine {
            Engine::Narrow($search) => $body,
            Engine::Wide($search) => $body,
        }
    };
}
pub(super) use with_search;

/// Solves boards up to a given size with one cutter, and remembers what it found from board to board.
///
/// ```
/// use nimwave_engine::base::Control;
/// use nimwave_engine::rules::{Board, Cutter};
/// use nimwave_engine::search::cookie::Solver;
///
/// let solver = Solver::new(2, 7, Cutter::square(2)?, 1 << 28)?;
/// let value = solver.value(&Board::full(2, 7)?, 1, &Control::silent())?;
/// assert_eq!(value, Some(4)); // Table 5.2
/// # Ok::<(), nimwave_engine::base::Error>(())
/// ```
pub struct Solver {
    pub(super) engine: Engine,
    rows: usize,
    cols: usize,
    cutter: Cutter,
    /// Whether boards are turned before they are laid out.
    turned: bool,
    /// Which values are computed.
    pub depth: Depth,
}

impl Solver {
    /// A solver for boards of at most `rows` x `cols`, whose table of parts takes at most about `memory`
    /// bytes.
    pub fn new(rows: usize, cols: usize, cutter: Cutter, memory: u64) -> Result<Self> {
        Self::within(rows, cols, cutter, Memory::new(memory))
    }

    /// As [`Self::new`], in this memory.
    pub(super) fn within(rows: usize, cols: usize, cutter: Cutter, memory: Memory) -> Result<Self> {
        let squares = Board::full(rows, cols)?.count();
        let layout = |bits| {
            let straight = fits(rows, cols, bits).then_some(false);
            straight.filter(|_| rows <= cols).or_else(|| fits(cols, rows, bits).then_some(true)).or(straight)
        };
        let too_big = || {
            Error::Budget(format!(
                "a {rows}x{cols} board is too big for the search by parts; 8x15, 7x18, 6x21, 5x25, 4x31, 3x42, 2x63 and 1x127 are the largest of their kinds"
            ))
        };
        // Sets of values are kept as 128 bits, and the value of n squares is at most n.
        if squares > 127 {
            return Err(too_big());
        }
        let (turned, narrow) = match (layout(u64::BITS), layout(u128::BITS)) {
            (Some(turned), _) => (turned, true),
            (None, Some(turned)) => (turned, false),
            (None, None) => return Err(too_big()),
        };
        let (height, laid) = if turned { (cols, cutter.transposed()) } else { (rows, cutter) };
        let engine = if narrow {
            Engine::Narrow(Search::new(Geometry::new(height, laid).ok_or_else(too_big)?, memory)?)
        } else {
            Engine::Wide(Search::new(Geometry::new(height, laid).ok_or_else(too_big)?, memory)?)
        };
        Ok(Self { engine, rows, cols, cutter, turned, depth: Depth::Needed })
    }

    /// The cutter.
    pub fn cutter(&self) -> Cutter {
        self.cutter
    }

    /// Whether `board` is small enough for this solver.
    fn check(&self, board: &Board) -> Result<()> {
        if board.rows() > self.rows || board.cols() > self.cols {
            return Err(Error::Usage(format!(
                "the board is {}x{}, but this solver was made for {}x{}; make one for the larger board",
                board.rows(),
                board.cols(),
                self.rows,
                self.cols
            )));
        }
        Ok(())
    }

    /// The Grundy value of `board`, or `None` if the search was stopped.
    pub fn value(&self, board: &Board, threads: usize, control: &Control<'_>) -> Result<Option<u8>> {
        self.check(board)?;
        let goal = match self.depth {
            Depth::Needed => Goal::Value,
            Depth::Everything => Goal::EveryValue,
        };
        Ok(with_search!(&self.engine, search => value(search, self.turned, board, goal, threads, control)))
    }

    /// Whether `board` has this value, which takes less than finding the value; `None` if the search was
    /// stopped.
    pub fn has_value(
        &self,
        board: &Board,
        value: u8,
        threads: usize,
        control: &Control<'_>,
    ) -> Result<Option<bool>> {
        self.check(board)?;
        Ok(
            with_search!(&self.engine, search => has_value(search, self.turned, board, value, threads, control)),
        )
    }

    /// The placements (top row, left column, counted from 0; negative when the cutter hangs over) that leave
    /// a P-position, one for each distinct board left; `None` if the search was stopped.
    pub fn winning_placements(
        &self,
        board: &Board,
        threads: usize,
        control: &Control<'_>,
    ) -> Result<Option<Vec<(i64, i64)>>> {
        let mut winning = Vec::new();
        for (placement, option) in (Cookie { cutter: self.cutter }).distinct_options(board) {
            match self.has_value(&option, 0, threads, control)? {
                Some(true) => winning.push(placement),
                Some(false) => {}
                None => return Ok(None),
            }
        }
        Ok(Some(winning))
    }

    /// What has been done so far.
    pub fn stats(&self) -> Stats {
        with_search!(&self.engine, search => Stats {
            visited: search.visited(),
            parts: search.parts.len(),
            solved: search.parts.solved(),
            bytes: search.parts.bytes(),
            evicted: search.parts.evicted(),
        })
    }

    /// Questions about parts that were worked on so far: a cheap measure of progress.
    pub fn visited(&self) -> u64 {
        with_search!(&self.engine, search => search.visited())
    }
}

/// The XOR of the values of the board's parts; `None` if the search was stopped.
fn value<M: Mask>(
    search: &Search<M>,
    turned: bool,
    board: &Board,
    goal: Goal,
    threads: usize,
    control: &Control<'_>,
) -> Option<u8> {
    let (others, largest) = all_but_the_largest(search, turned, board, goal, threads, control)?;
    match largest {
        None => Some(others),
        Some(part) => Some(others ^ search.ask(part, goal, threads, control)?.value()?),
    }
}

/// Whether the XOR of the values of the board's parts is `value`, which the largest part is asked; `None` if
/// the search was stopped.
fn has_value<M: Mask>(
    search: &Search<M>,
    turned: bool,
    board: &Board,
    value: u8,
    threads: usize,
    control: &Control<'_>,
) -> Option<bool> {
    let (others, largest) = all_but_the_largest(search, turned, board, Goal::Value, threads, control)?;
    let wanted = value ^ others;
    match largest {
        None => Some(wanted == 0),
        // Lemma 5.0.4: the value of n squares is at most n.
        Some(part) if u32::from(wanted) > part.count() => Some(false),
        Some(part) => search.ask(part, Goal::Is(wanted), threads, control)?.is(wanted),
    }
}

/// The XOR of the values of all parts but the largest, and that one.
fn all_but_the_largest<M: Mask>(
    search: &Search<M>,
    turned: bool,
    board: &Board,
    goal: Goal,
    threads: usize,
    control: &Control<'_>,
) -> Option<(u8, Option<M>)> {
    let mask =
        if turned { search.geometry.encode(&board.transposed()) } else { search.geometry.encode(board) };
    let mut parts = Vec::new();
    search.geometry.split(mask, |part| parts.push(part));
    parts.sort_unstable_by_key(|part| (part.count(), *part));
    let largest = parts.pop();
    let mut others = 0;
    for part in parts {
        others ^= search.ask(part, goal, threads, control)?.value()?;
    }
    Some((others, largest))
}
