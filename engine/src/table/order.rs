//! The order in which a table is filled: the wave of an entry, from the manifest alone.
//!
//! All heap tables can be filled by rows of equal key sum; values of minnie also by slabs, and its outcomes on
//! four heaps or more by strips. The number of waves tells the orders apart. In each of them a row is part of
//! one wave, so that the finished entries are whole rows.

use super::{Positions, Quantity, Spec};
use crate::game::{Family, Game};
use crate::space::{SortedHeaps, Space};
use crate::waves::{HighSquares, KeySum, Slabs, Strips, Waves};

/// The waves of slabs of a table, if it can be filled by them.
pub fn slabs_of(family: Option<Family>, quantity: Quantity, space: &SortedHeaps) -> Option<Slabs> {
    let fits = family == Some(Family::Minnie)
        && !quantity.is_outcomes()
        && space.heaps() > 2
        && space.max() <= u16::MAX.into();
    let slabs = fits.then(|| Slabs::new(space))?;
    (slabs.count() != KeySum::new(space).count()).then_some(slabs)
}

/// The waves of strips of a table, if it can be filled by them.
pub fn strips_of(family: Option<Family>, quantity: Quantity, space: &SortedHeaps) -> Option<Strips> {
    let fits = family == Some(Family::Minnie) && quantity.is_outcomes();
    let strips = fits.then(|| Strips::new(space)).flatten()?;
    (strips.count() != KeySum::new(space).count()).then_some(strips)
}

/// The order of the entries of a table.
#[derive(Debug)]
pub(super) enum Order {
    /// The terms of a sequence, one by one.
    Line,
    /// Sorted heaps.
    Heaps(SortedHeaps, Rows),
    /// Boards, by their high squares.
    Boards(HighSquares),
}

/// The order of the rows of sorted heaps.
#[derive(Debug)]
pub(super) enum Rows {
    Sums,
    Slabs(Slabs),
    Strips(Strips),
}

impl Order {
    /// The order of a table of `game`, which has so many waves as the manifest says; `None` where no order has.
    pub fn of(spec: &Spec, game: &Game, positions: Positions) -> Option<Self> {
        match positions {
            Positions::Line => (spec.waves == spec.entries).then_some(Self::Line),
            Positions::Grid(grid) => {
                let waves = HighSquares::new(grid.squares() as u32);
                (waves.count() == spec.waves).then_some(Self::Boards(waves))
            }
            Positions::Heaps(space) => {
                let family = game.on_heaps().ok()?.family;
                let slabs = slabs_of(family, spec.quantity, &space);
                let strips = strips_of(family, spec.quantity, &space);
                let rows = match (slabs, strips) {
                    (Some(slabs), _) if slabs.count() == spec.waves => Rows::Slabs(slabs),
                    (_, Some(strips)) if strips.count() == spec.waves => Rows::Strips(strips),
                    _ if KeySum::new(&space).count() == spec.waves => Rows::Sums,
                    _ => return None,
                };
                Some(Self::Heaps(space, rows))
            }
        }
    }

    /// The wave of an entry.
    pub fn wave_of(&self, index: u64) -> u64 {
        match self {
            Self::Line => index,
            Self::Boards(waves) => waves.wave_of(index),
            Self::Heaps(space, rows) => {
                let mut heaps = Vec::new();
                space.unrank_into(index, &mut heaps);
                rows.wave_of(&heaps)
            }
        }
    }

    /// Calls `visit` with the first entry, the length and the wave of all runs of entries of one wave, in the
    /// order of the index, where `entries` is the length of the whole.
    pub fn for_each_run(&self, entries: u64, mut visit: impl FnMut(u64, u64, u64)) {
        match self {
            Self::Line => (0..entries).for_each(|index| visit(index, 1, index)),
            Self::Boards(waves) => {
                let length = 1 << waves.low_bits();
                (0..entries)
                    .step_by(length)
                    .for_each(|first| visit(first, length as u64, waves.wave_of(first)));
            }
            Self::Heaps(space, rows) => {
                let mut heaps = vec![0; space.heaps()];
                space.for_each_key(|key| {
                    let least = space.row_first(key);
                    heaps[..key.len()].copy_from_slice(key);
                    heaps[key.len()] = least;
                    let length = u64::from(space.max() - least) + 1;
                    visit(space.row_start(key), length, rows.wave_of(&heaps));
                });
            }
        }
    }
}

impl Rows {
    /// The wave of a position, given with its empty heaps and sorted.
    pub fn wave_of(&self, heaps: &[u32]) -> u64 {
        let present = &heaps[heaps.partition_point(|&heap| heap == 0)..];
        match self {
            Self::Sums => KeySum::wave_of(heaps),
            Self::Slabs(slabs) => slabs.wave_of(present),
            Self::Strips(strips) => strips.wave_of(present),
        }
    }
}
