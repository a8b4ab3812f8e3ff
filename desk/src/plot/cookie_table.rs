//! A table of cookie boards, rows by columns, as in the thesis.

use super::figure::{Axis, Figure, Key, Layer};
use super::style::{P_COLOUR, UNKNOWN, value_colour};

/// A board of a table: rows, columns, and its value if it was found.
pub type CookieCell = (usize, usize, Option<u8>);

/// The picture of a table of full boards.
pub fn cookie_table(cutter: &str, cells: &[CookieCell]) -> Figure {
    let range = |of: fn(&CookieCell) -> usize| {
        let least = cells.iter().map(of).min().unwrap_or(1);
        (least as f64 - 0.5, cells.iter().map(of).max().unwrap_or(1) as f64 + 0.5)
    };
    let (rows, columns) = (range(|cell| cell.0), range(|cell| cell.1));
    let largest = cells.iter().filter_map(|cell| cell.2).max().unwrap_or(0).max(1);
    let open = cells.iter().filter(|cell| cell.2.is_none()).count();
    let boxes = cells
        .iter()
        .map(|&(row, column, value)| {
            let (fill, text) = match value {
                None => (UNKNOWN, "?".to_string()),
                Some(0) => (P_COLOUR, "0".to_string()),
                Some(value) => (value_colour(f64::from(value) / f64::from(largest)), value.to_string()),
            };
            (column as f64 - 0.5, row as f64 - 0.5, fill, text)
        })
        .collect();
    let mut keys = vec![
        Key::Colour(P_COLOUR, "0, P-position".into()),
        Key::Ramp("value".into(), "1".into(), largest.to_string(), value_colour),
    ];
    if open > 0 {
        keys.push(Key::Colour(UNKNOWN, "not solved".into()));
    }
    let side = (1000.0 / (columns.1 - columns.0)).clamp(22.0, 44.0);
    Figure {
        title: format!("cookie cutter {cutter}: values of full boards"),
        subtitle: format!("{} boards, {} solved", cells.len(), cells.len() - open),
        x: Axis::whole("columns", columns.0, columns.1),
        // The first row on top, as tables are printed.
        y: Axis::whole("rows", rows.1, rows.0),
        layers: vec![Layer::Cells(boxes)],
        keys,
        size: (((columns.1 - columns.0) * side) as u32, ((rows.1 - rows.0) * side) as u32),
    }
}
