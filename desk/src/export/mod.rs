//! Tables for people and other programs: text, CSV, JSON, NPY, b-files, Markdown and LaTeX.
//!
//! A [`Dataset`] is a list of rows of whole numbers under named columns, most often a sequence or a matrix; a
//! [`Format`] writes any dataset. It is read from a table ([`dataset`]) or computed for the occasion
//! ([`computed`]).

mod computed;
mod cookie;
pub mod cookie_table;
mod formats;
mod heaps;
mod layout;
mod octal;
mod oeis;
pub mod stripped;

pub use computed::computed;
pub use formats::{Format, Options};
pub use oeis::MOST_TERMS;

use std::path::Path;

use serde_json::{Map, Value};

use self::cookie::CookieData;
use self::heaps::HeapData;
use self::octal::OctalData;
use crate::base::{Error, Result, files};
use crate::table::{Positions, Reader};

/// Which part of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// Every position, in the order of the index.
    All,
    /// The P-positions; of heaps, those whose heaps are all non-empty.
    PPositions,
    /// One heap runs, the others are these.
    Row(Vec<u32>),
    /// Two heaps run, the others are these: a matrix.
    Slice(Vec<u32>),
}

impl Choice {
    /// How many heaps run, and the others.
    fn slice(&self) -> Option<(usize, &[u32])> {
        match self {
            Self::Row(fixed) => Some((1, fixed)),
            Self::Slice(fixed) => Some((2, fixed)),
            Self::All | Self::PPositions => None,
        }
    }
}

/// The terms of a sequence, or the sizes of the heaps that run: from `from` to `to`, both included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Window {
    /// The first.
    pub from: u64,
    /// The last; the last that there is by default.
    pub to: Option<u64>,
}

impl Window {
    /// The numbers inside, where `last` is the last that there is.
    fn within(self, last: u64) -> Result<std::ops::Range<u64>> {
        let to = self.to.unwrap_or(last);
        if self.to.is_some_and(|to| self.from > to) {
            return Err(Error::Usage(format!(
                "--from {} is beyond --to {to}; give the smaller one first",
                self.from
            )));
        }
        if self.from > last || to > last {
            return Err(Error::Usage(format!(
                "there is 0 to {last}, and {} is outside; choose --from and --to inside",
                self.from.max(to)
            )));
        }
        Ok(self.from..to + 1)
    }

    fn is_all(self) -> bool {
        self == Self::default()
    }
}

/// That part of a table, whatever it holds; a window is for sequences, rows and matrices.
pub fn dataset(reader: &Reader, choice: Choice, window: Window) -> Result<Box<dyn Dataset + '_>> {
    let (game, positions) = reader.contents()?;
    let is_slice = choice.slice().is_some();
    Ok(match (positions, choice) {
        (Positions::Line, Choice::All) => {
            Box::new(OctalData::new(&game, window.within(reader.len().saturating_sub(1))?, false, |n| {
                reader.get(n)
            }))
        }
        (Positions::Line, _) => {
            return Err(Error::Usage(
                "a nim-sequence is one row: leave out the choice, and use --from and --to".into(),
            ));
        }
        _ if !window.is_all() && !is_slice => {
            return Err(Error::Usage(
                "--from and --to are for sequences, --row and --matrix; leave them out, or choose a row"
                    .into(),
            ));
        }
        (Positions::Heaps(space), choice) => {
            Box::new(HeapData::of_table(reader, game, space, choice, window)?)
        }
        (Positions::Grid(_), Choice::All) => Box::new(CookieData::new(reader, false)),
        (Positions::Grid(_), Choice::PPositions) => Box::new(CookieData::new(reader, true)),
        (Positions::Grid(_), Choice::Row(_) | Choice::Slice(_)) => {
            return Err(Error::Usage(
                "--row and --matrix are for heaps; a table of boards is exported whole or with --p-positions"
                    .into(),
            ));
        }
    })
}

/// How the rows of a dataset lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Layout {
    /// One below the other.
    List,
    /// Rows "n, value" for these n, in order; some may be missing.
    Sequence(std::ops::Range<u64>),
    /// Rows "x, y, value" for x and y in this range, in order; some may be missing.
    Matrix(std::ops::Range<u64>),
}

/// What a dataset is, for headings.
#[derive(Debug, Clone, Default)]
pub struct About {
    /// The game and its play, such as "minnie, misère play" or "octal 0.6".
    pub game: String,
    /// The position, with letters for what runs: "n", "4, 5, n", "4, x, y".
    pub place: String,
    /// Whether the entries are outcomes: 1 for a P-position.
    pub outcomes: bool,
    /// What programs may want to know: the game, its parameters, the fixed heaps.
    pub facts: Map<String, Value>,
}

impl About {
    /// "Grundy values G(4, 5, n)", "outcomes of [4,x,y]".
    fn quantity(&self) -> String {
        let misere = self.facts.get("play").is_some_and(|play| play == "misere");
        match (self.outcomes, misere) {
            (true, _) => format!("outcomes of [{}]", self.place.replace(", ", ",")),
            (false, true) => format!("misère Grundy values G({})", self.place),
            (false, false) => format!("Grundy values G({})", self.place),
        }
    }
}

/// Rows of numbers under named columns.
pub trait Dataset {
    /// The names of the columns; the last one is the outcome or the value where there is one.
    fn columns(&self) -> Vec<String>;

    /// Calls `visit` with each row; stops at the first error.
    fn for_each_row(&self, visit: &mut dyn FnMut(&[u64]) -> Result<()>) -> Result<()>;

    /// The shape of the last column as an array (its rows in C order), where it makes one; otherwise an NPY
    /// file holds all columns.
    fn shape(&self) -> Option<Vec<u64>>;

    /// How the rows lie.
    fn layout(&self) -> Layout {
        Layout::List
    }

    /// What they are.
    fn about(&self) -> About {
        About::default()
    }
}

/// Writes `data` to the output `path`, see [`files::save_with`].
pub fn write(data: &dyn Dataset, format: Format, options: &Options, path: &Path) -> Result<()> {
    files::save_with(path, &mut |out| format.write(data, options, out, path))
}
