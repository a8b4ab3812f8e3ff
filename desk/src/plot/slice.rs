//! Slices of heap tables: two heaps run, the others are fixed.

use super::figure::{Axis, Figure, Key, Layer};
use super::raster::Raster;
use super::style::{N_COLOUR, P_COLOUR, UNKNOWN, value_colour};
use crate::base::numbers::grouped;
use crate::base::{Error, Result};
use crate::game::Game;
use crate::rules::notation::show_heaps;
use crate::space::{SortedHeaps, Space};
use crate::table::Reader;

/// A square matrix of entries: two heaps of 0 to `side - 1` counters, the others fixed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slice {
    /// The game and its convention, such as "minnie, misère play".
    pub game: String,
    /// The fixed heaps, without absent ones.
    pub fixed: Vec<u32>,
    /// Rows and columns.
    pub side: usize,
    /// Whether the entries are outcomes (1 for a P-position) or values (0 for a P-position).
    pub outcomes: bool,
    /// The entry of (x, y) is at `x * side + y`; `None` where that is not a position, or not finished.
    pub entries: Vec<Option<u16>>,
    /// Whether (x, y) is a position that is not finished, at the same place.
    pub unfinished: Vec<bool>,
}

impl Slice {
    /// The slice of a table with the heaps `fixed`; missing fixed heaps are absent. With `max`, only heaps up
    /// to that.
    pub fn of_table(
        reader: &Reader,
        space: &SortedHeaps,
        fixed: &[u32],
        max: Option<u32>,
        game: &Game,
    ) -> Result<Self> {
        if space.heaps() < 2 {
            return Err(Error::Usage(
                "a slice has two free heaps, and this table has only one heap; draw it with `plot sequence`"
                    .into(),
            ));
        }
        if fixed.len() + 2 > space.heaps() || fixed.iter().any(|&heap| heap > space.max()) {
            return Err(Error::Usage(format!(
                "the table has {} heaps of at most {}: give at most {} fixed heaps of that size",
                space.heaps(),
                space.max(),
                space.heaps() - 2
            )));
        }
        let side = max.unwrap_or(space.max()).min(space.max()) as usize + 1;
        let mut heaps = fixed.to_vec();
        heaps.resize(space.heaps(), 0);
        let (x_at, y_at) = (space.heaps() - 2, space.heaps() - 1);
        let on_heaps = game.on_heaps()?;
        let mut entries = vec![None; side * side];
        let mut unfinished = vec![false; side * side];
        for x in 0..side {
            for y in 0..=x {
                (heaps[x_at], heaps[y_at]) = (x as u32, y as u32);
                let is_position = on_heaps.is_position(&heaps) && space.is_in_slice(&heaps);
                let index = is_position.then(|| space.rank(&heaps));
                let entry =
                    index.filter(|&index| reader.holds(index)).map(|index| reader.get(index)).transpose()?;
                for at in [x * side + y, y * side + x] {
                    (entries[at], unfinished[at]) = (entry, is_position && entry.is_none());
                }
            }
        }
        let fixed = fixed.iter().copied().filter(|&heap| heap > 0).collect();
        let outcomes = reader.manifest().width.is_bit();
        Ok(Self { game: game.caption(), fixed, side, outcomes, entries, unfinished })
    }

    fn is_p(&self, x: usize, y: usize) -> bool {
        self.entries[x * self.side + y] == Some(u16::from(self.outcomes))
    }
}

/// Charts are about so many pixels wide, unless another width is asked for; more heaps share pixels.
const MOST: usize = 900;

/// The heat map of a slice. A heap is a whole number of pixels, so that all cells are of one size: as many as fit
/// into `width`, and at least one.
pub fn heat_map(slice: &Slice, width: Option<u32>) -> Figure {
    let most = width.map_or(MOST, |width| width.max(1) as usize);
    let side = slice.side.max(1);
    let largest = slice.entries.iter().copied().flatten().max().unwrap_or(0).max(1);
    let shared = side.div_ceil(most);
    let cells = side.div_ceil(shared);
    let mut image = Raster::new(cells, cells);
    for row in 0..cells {
        for column in 0..cells {
            let (mut p, mut count, mut sum, mut unfinished) = (0u32, 0u32, 0u64, false);
            for x in column * shared..((column + 1) * shared).min(side) {
                for y in row * shared..((row + 1) * shared).min(side) {
                    unfinished |= slice.unfinished[x * side + y];
                    let Some(entry) = slice.entries[x * side + y] else { continue };
                    p += u32::from(slice.is_p(x, y));
                    sum += u64::from(entry);
                    count += 1;
                }
            }
            if count == 0 {
                // What is not a position has no colour.
                image.pixels[(cells - 1 - row) * cells + column] = unfinished.then_some(UNKNOWN);
                continue;
            }
            let share = f64::from(p) / f64::from(count);
            let colour = if slice.outcomes {
                // Shared pixels are mixed, but a P-position never vanishes.
                let share = if p > 0 { share.max(0.35) } else { 0.0 };
                std::array::from_fn(|i| {
                    (f64::from(N_COLOUR[i]) * (1.0 - share) + f64::from(P_COLOUR[i]) * share).round() as u8
                })
            } else if share >= 0.5 {
                P_COLOUR
            } else {
                value_colour(sum as f64 / f64::from(count) / f64::from(largest))
            };
            image.pixels[(cells - 1 - row) * cells + column] = Some(colour);
        }
    }
    // Small slices are drawn small, unless they were asked to be large.
    let wanted = if width.is_none() && cells <= MOST / 3 { MOST * 2 / 3 } else { most };
    let scale = (wanted / cells).max(1);
    let pixels = (cells * scale) as u32;
    let place = show_heaps(slice.fixed.iter().map(u32::to_string).chain(["x", "y"].map(String::from)));
    let what = if slice.outcomes { "outcomes" } else { "values" };
    let p_count =
        (0..side).flat_map(|x| (0..side).map(move |y| (x, y))).filter(|&(x, y)| slice.is_p(x, y)).count();
    let positions = slice.entries.iter().flatten().count();
    let mut keys =
        vec![Key::Colour(P_COLOUR, if slice.outcomes { "P-position" } else { "0, P-position" }.into())];
    keys.push(match slice.outcomes {
        true => Key::Colour(N_COLOUR, "N-position".into()),
        false => Key::Ramp("value".into(), "1".into(), largest.to_string(), value_colour),
    });
    let mut missing = String::new();
    let unfinished = slice.unfinished.iter().filter(|&&unfinished| unfinished).count();
    if unfinished > 0 {
        keys.push(Key::Colour(UNKNOWN, "not finished".into()));
        missing = format!("; {} more are not finished", grouped(unfinished as u64));
    }
    let range = (-0.5, (cells * shared) as f64 - 0.5);
    Figure {
        title: format!("{}: {what} of {place}", slice.game),
        subtitle: format!(
            "x, y = 0 to {}; {} of {} are P-positions{missing}",
            side - 1,
            grouped(p_count as u64),
            grouped(positions as u64)
        ),
        x: Axis::linear("x", range.0, range.1),
        y: Axis::linear("y", range.0, range.1),
        layers: vec![Layer::Pixels { image, x: range, y: range }],
        keys,
        size: (pixels, pixels),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slice(side: usize, outcomes: bool, entry: impl Fn(usize, usize) -> u16) -> Slice {
        let entries = (0..side * side).map(|i| Some(entry(i / side, i % side))).collect();
        Slice {
            game: "nim".into(),
            fixed: vec![],
            side,
            outcomes,
            entries,
            unfinished: vec![false; side * side],
        }
    }

    #[test]
    fn p_positions_have_their_colour_at_their_place() {
        for outcomes in [true, false] {
            let entry =
                |x: usize, y: usize| if outcomes { u16::from(x == y + 1) } else { u16::from(x != y + 1) };
            let figure = heat_map(&slice(5, outcomes, entry), None);
            let Layer::Pixels { image, .. } = &figure.layers[0] else { panic!("no pixels") };
            for x in 0..5 {
                for y in 0..5 {
                    let drawn = image.pixels[(4 - y) * 5 + x] == Some(P_COLOUR);
                    assert_eq!(drawn, x == y + 1, "[{x}, {y}] outcomes {outcomes}");
                }
            }
            assert!(figure.subtitle.contains("4 of 25 are P-positions"), "{}", figure.subtitle);
        }
    }

    #[test]
    fn what_is_not_finished_is_grey_and_counted() {
        let mut slice = slice(4, true, |_, _| 0);
        (slice.entries[15], slice.unfinished[15]) = (None, true);
        slice.entries[0] = None;
        let figure = heat_map(&slice, None);
        let Layer::Pixels { image, .. } = &figure.layers[0] else { panic!("no pixels") };
        assert_eq!((image.pixels[3], image.pixels[12]), (Some(UNKNOWN), None));
        assert!(
            figure.subtitle.ends_with("0 of 14 are P-positions; 1 more are not finished"),
            "{}",
            figure.subtitle
        );
    }

    #[test]
    fn a_cell_is_a_whole_number_of_pixels_and_as_wide_as_asked() {
        for (side, width, pixels) in [
            (5, None, 600),
            (61, None, 549),
            (400, None, 800),
            (601, None, 601),
            (61, Some(1000), 976),
            (2000, Some(700), 667),
        ] {
            assert_eq!(
                heat_map(&slice(side, true, |_, _| 0), width).size,
                (pixels, pixels),
                "{side} {width:?}"
            );
        }
    }

    #[test]
    fn a_large_slice_keeps_its_p_positions_in_view() {
        let figure = heat_map(&slice(2000, true, |x, y| u16::from(x == 1234 && y == 5)), None);
        let Layer::Pixels { image, .. } = &figure.layers[0] else { panic!("no pixels") };
        assert!(image.width <= MOST);
        let plain = image.pixels.iter().filter(|&&pixel| pixel == Some(N_COLOUR)).count();
        assert_eq!(plain, image.pixels.len() - 1);
    }
}
