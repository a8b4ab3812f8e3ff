//! What a table holds, from its manifest: the game and the numbering of its positions. Both must fit the
//! table.

use serde_json::Value;

use super::{IndexScheme, Reader, Spec};
use crate::base::{Error, Result};
use crate::game::{Game, Kind};
use crate::rules::{Cookie, OctalGame};
use crate::space::{Grid, SortedHeaps, Space};

/// The positions of a table.
#[derive(Debug, Clone)]
pub enum Positions {
    /// Sorted heaps.
    Heaps(SortedHeaps),
    /// The heaps 0, 1, 2, ... of a nim-sequence.
    Line,
    /// All subsets of a grid.
    Grid(Grid),
}

impl IndexScheme {
    /// The numbering of sorted heaps.
    pub fn sorted_heaps() -> Self {
        let formula = "heaps sorted a1 <= ... <= ak, zeros for absent heaps, a0 = 0: index = sum over i = 1..k of \
                       C(max - a[i-1] + m, m) - C(max - a[i] + m, m) with m = k - i + 1";
        Self { scheme: "sorted-heaps".into(), formula: formula.into() }
    }

    /// The numbering of a nim-sequence.
    pub fn line() -> Self {
        Self { scheme: "heap".into(), formula: "index = size of the heap".into() }
    }

    /// The numbering of the subsets of a grid.
    pub fn grid() -> Self {
        let formula =
            "index = sum of 2^(row * cols + col) over the squares that are left, row and col from 0";
        Self { scheme: "grid-bitmask".into(), formula: formula.into() }
    }
}

impl Spec {
    /// The game and the positions, or what does not fit.
    pub fn contents(&self) -> std::result::Result<(Game, Positions), String> {
        let game = Game::new(&self.game, &self.own_parameters()).map_err(|error| error.to_string())?;
        let number = |name: &str| self.parameters.get(name).and_then(Value::as_u64);
        let positions = match game.kind() {
            Kind::Heaps(_) => {
                let size = number("heaps").and_then(|n| usize::try_from(n).ok()).zip(number("max"));
                let smallest = number("smallest").map(|n| u32::try_from(n).unwrap_or(u32::MAX));
                size.and_then(|(heaps, max)| SortedHeaps::new(heaps, u32::try_from(max).ok()?).ok())
                    .map(|whole| smallest.map_or(whole.clone(), |smallest| whole.slice(smallest)))
                    .filter(|space| {
                        space.len() == self.entries && self.index.scheme == IndexScheme::sorted_heaps().scheme
                    })
                    .map(Positions::Heaps)
            }
            Kind::Octal(_) => (self.index.scheme == IndexScheme::line().scheme
                && !self.quantity.is_outcomes())
            .then_some(Positions::Line),
            Kind::Cookie(_) => {
                let side = |name| number(name).and_then(|n| usize::try_from(n).ok());
                side("rows")
                    .zip(side("cols"))
                    .and_then(|(rows, cols)| Grid::new(rows, cols).ok())
                    .filter(|grid| {
                        grid.len() == self.entries && self.index.scheme == IndexScheme::grid().scheme
                    })
                    .map(Positions::Grid)
            }
        };
        match positions {
            Some(positions) => Ok((game, positions)),
            None => Err(format!("its size does not fit its parameters ({} entries)", self.entries)),
        }
    }

    /// The parameters without the size of a board, which is not the game's.
    fn own_parameters(&self) -> crate::game::Parameters {
        let own = self.parameters.iter().filter(|(name, _)| *name != "rows" && *name != "cols");
        own.map(|(name, value)| (name.clone(), value.clone())).collect()
    }
}

impl Reader {
    /// The game and the positions of the table.
    pub fn contents(&self) -> Result<(Game, Positions)> {
        self.spec()
            .contents()
            .map_err(|problem| self.mismatch(problem, "use the program version that made the table"))
    }

    /// The game and the numbering of a table on sorted heaps.
    pub fn heap_table(&self) -> Result<(Game, SortedHeaps)> {
        match self.contents()? {
            (game, Positions::Heaps(space)) => Ok((game, space)),
            (game, _) => Err(self.mismatch(
                format!("holds values of {}, which are not those of heaps", game.name()),
                "give a table of a heap game, such as minnie",
            )),
        }
    }

    /// The octal game of a nim-sequence.
    pub fn sequence(&self) -> Result<OctalGame> {
        match self.contents()?.0.kind() {
            Kind::Octal(game) => Ok(game.clone()),
            _ => Err(self.mismatch(
                "is not the nim-sequence of an octal game".into(),
                "give a folder that `solve octal` made",
            )),
        }
    }

    /// The grid and the rules of a dense table of cookie boards.
    pub fn boards(&self) -> Result<(Grid, Cookie)> {
        let (game, positions) = self.contents()?;
        match (game.kind(), positions) {
            (Kind::Cookie(rules), Positions::Grid(grid)) => Ok((grid, *rules)),
            _ => Err(self.mismatch(
                format!("is a table of {}, not of cookie boards", game.name()),
                "give a folder that `solve cookie --dense --out` made",
            )),
        }
    }

    fn mismatch(&self, problem: String, remedy: &str) -> Error {
        Error::Mismatch { path: self.folder().to_path_buf(), problem, remedy: remedy.into() }
    }
}
