//! The picture of a nim-sequence: one dot a heap.

use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;

use crate::error::{Error, Result};

/// Width and height of a picture, in pixels.
const SIZE: (u32, u32) = (1600, 900);
/// What is left free on the left and below for the numbers, and on the other sides.
const LABELS: i32 = 110;
const MARGIN: i32 = 40;
/// The side of a square of a digit.
const DOT: i32 = 4;

/// Digits and the point, three squares wide and five high: pictures need no fonts of the system.
const GLYPHS: [(char, [u8; 5]); 11] = [
    ('0', [0b111, 0b101, 0b101, 0b101, 0b111]),
    ('1', [0b010, 0b110, 0b010, 0b010, 0b111]),
    ('2', [0b111, 0b001, 0b111, 0b100, 0b111]),
    ('3', [0b111, 0b001, 0b111, 0b001, 0b111]),
    ('4', [0b101, 0b101, 0b111, 0b001, 0b001]),
    ('5', [0b111, 0b100, 0b111, 0b001, 0b111]),
    ('6', [0b111, 0b100, 0b111, 0b101, 0b111]),
    ('7', [0b111, 0b001, 0b010, 0b010, 0b010]),
    ('8', [0b111, 0b101, 0b111, 0b101, 0b111]),
    ('9', [0b111, 0b101, 0b111, 0b001, 0b111]),
    ('.', [0b000, 0b000, 0b000, 0b000, 0b010]),
];

/// Draws `values` over their index into a `.png` or `.svg` file. Of `title`, digits and points are shown.
pub fn sequence(title: &str, values: &[u16], path: &Path) -> Result<()> {
    let failed = |problem: String| Error::io("cannot draw", path)(std::io::Error::other(problem));
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("png") => {
            draw(title, values, &BitMapBackend::new(path, SIZE).into_drawing_area()).map_err(failed)
        }
        Some("svg") => draw(title, values, &SVGBackend::new(path, SIZE).into_drawing_area()).map_err(failed),
        _ => Err(Error::Usage(format!("{}: pictures are .png or .svg files", path.display()))),
    }
}

fn draw<B: DrawingBackend>(title: &str, values: &[u16], area: &DrawingArea<B, Shift>) -> Result<(), String> {
    let text = |error: DrawingAreaErrorKind<B::ErrorType>| error.to_string();
    let (width, height) = (SIZE.0 as i32, SIZE.1 as i32);
    let (left, right, top, bottom) = (LABELS, width - MARGIN, 2 * MARGIN, height - MARGIN - 10 * DOT);
    let most_n = values.len().max(2) as i64 - 1;
    let most_value = i64::from(values.iter().copied().max().unwrap_or(0)).max(1);
    let x_of = |n: i64| left + (n * i64::from(right - left) / most_n) as i32;
    let y_of = |value: i64| bottom - (value * i64::from(bottom - top) / most_value) as i32;
    area.fill(&WHITE).map_err(text)?;
    let frame = Rectangle::new([(left, top), (right, bottom)], RGBColor(160, 160, 160).stroke_width(1));
    area.draw(&frame).map_err(text)?;
    for n in ticks(most_n) {
        let tick = PathElement::new([(x_of(n), bottom), (x_of(n), bottom + 2 * DOT)], BLACK);
        area.draw(&tick).map_err(text)?;
        write(area, &n.to_string(), x_of(n) - label_width(&n.to_string()) / 2, bottom + 4 * DOT)?;
    }
    for value in ticks(most_value) {
        let tick = PathElement::new([(left - 2 * DOT, y_of(value)), (left, y_of(value))], BLACK);
        area.draw(&tick).map_err(text)?;
        let label = value.to_string();
        write(area, &label, left - 3 * DOT - label_width(&label), y_of(value) - 5 * DOT / 2)?;
    }
    write(area, title, left, MARGIN)?;
    for (n, &value) in values.iter().enumerate() {
        let at = (x_of(n as i64), y_of(i64::from(value)));
        area.draw(&Rectangle::new([at, (at.0 + 1, at.1 + 1)], BLACK.filled())).map_err(text)?;
    }
    area.present().map_err(text)
}

/// About five round numbers from 0 to `most`.
fn ticks(most: i64) -> impl Iterator<Item = i64> {
    let mut step = 1;
    for factor in [2, 5].into_iter().cycle() {
        if most / step <= 6 {
            break;
        }
        // 1, 2, 10, 20, 100, …
        step *= factor;
    }
    (0..=most / step).map(move |k| k * step)
}

fn label_width(label: &str) -> i32 {
    label.chars().count() as i32 * 4 * DOT
}

/// Writes digits and points; other characters are left out.
fn write<B: DrawingBackend>(area: &DrawingArea<B, Shift>, label: &str, x: i32, y: i32) -> Result<(), String> {
    let glyph = |c: char| GLYPHS.iter().find(|(known, _)| *known == c).map(|(_, rows)| rows);
    for (place, rows) in label.chars().filter_map(glyph).enumerate() {
        for (line, row) in rows.iter().enumerate() {
            for column in (0..3).filter(|column| row >> (2 - column) & 1 == 1) {
                let corner = (x + (4 * place as i32 + column) * DOT, y + line as i32 * DOT);
                let square = [corner, (corner.0 + DOT - 1, corner.1 + DOT - 1)];
                area.draw(&Rectangle::new(square, BLACK.filled())).map_err(|error| error.to_string())?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_written_in_both_formats() {
        let folder = tempfile::tempdir().unwrap();
        for (name, start) in [("a.png", &b"\x89PNG"[..]), ("a.svg", &b"<svg"[..])] {
            let path = folder.path().join(name);
            sequence("0.77", &[0, 1, 2, 3, 1, 4], &path).unwrap();
            assert!(std::fs::read(&path).unwrap().starts_with(start), "{name}");
            sequence("0.77", &[], &path).unwrap();
        }
        assert!(sequence("title", &[0], &folder.path().join("a.jpg")).is_err());
        assert!(sequence("title", &[0], &folder.path().join("none/a.png")).is_err());
    }

    #[test]
    fn ticks_are_few_and_round() {
        assert_eq!(ticks(30000).collect::<Vec<_>>(), [0, 10000, 20000, 30000]);
        assert_eq!(ticks(4).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        assert!((1..100000).step_by(777).all(|most| ticks(most).count() <= 7));
    }
}
