//! Colours that people with any kind of colour vision can tell apart, and the one font of all pictures.

use std::sync::Once;

/// Red, green, blue.
pub type Rgb = [u8; 3];

/// P-positions and values of 0: vermilion of Okabe and Ito's palette.
pub const P_COLOUR: Rgb = [0xd5, 0x5e, 0x00];
/// N-positions: a pale blue that differs from [`P_COLOUR`] in lightness too.
pub const N_COLOUR: Rgb = [0xd6, 0xe6, 0xf4];
/// Lines and bars: blue of Okabe and Ito's palette.
pub const LINE: Rgb = [0x00, 0x72, 0xb2];
/// What was not computed.
pub const UNKNOWN: Rgb = [0xec, 0xec, 0xec];

/// Where a colour of 0 to 1 stops, evenly spaced.
type Stops = [Rgb];

/// cividis: dark blue to yellow, made for all kinds of colour vision.
const CIVIDIS: &Stops = &[
    [0, 34, 78],
    [18, 53, 112],
    [59, 73, 108],
    [87, 93, 109],
    [112, 113, 115],
    [138, 134, 120],
    [165, 156, 116],
    [195, 179, 105],
    [225, 204, 85],
    [254, 232, 56],
];

/// Few points in a light blue that still shows on white, many in a dark one.
const DENSITY: &Stops = &[[128, 176, 226], [66, 133, 196], [26, 84, 148], [6, 28, 72]];

/// The colour of a value at `share` (0 to 1) of the range.
pub fn value_colour(share: f64) -> Rgb {
    blend(CIVIDIS, share)
}

/// The colour of a density at `share` (0 to 1) of the largest.
pub fn density_colour(share: f64) -> Rgb {
    blend(DENSITY, share)
}

fn blend(stops: &Stops, share: f64) -> Rgb {
    let at = share.clamp(0.0, 1.0) * (stops.len() - 1) as f64;
    let low = (at as usize).min(stops.len() - 2);
    let part = at - low as f64;
    std::array::from_fn(|i| {
        (f64::from(stops[low][i]) * (1.0 - part) + f64::from(stops[low + 1][i]) * part).round() as u8
    })
}

/// Black or white, whichever reads better on `colour`.
pub fn ink_on(colour: Rgb) -> Rgb {
    let light = 0.299 * f64::from(colour[0]) + 0.587 * f64::from(colour[1]) + 0.114 * f64::from(colour[2]);
    if light > 140.0 { [0, 0, 0] } else { [255, 255, 255] }
}

/// The name under which the font is known to the drawing code; in an SVG file the viewer's own font of that
/// kind is used.
pub const FONT: &str = "sans-serif";

/// Makes the embedded font known, so that no font of the system is needed.
pub fn register_font() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let font: &[u8] = include_bytes!("font/DejaVuSans-subset.ttf");
        let known = plotters::style::register_font(FONT, plotters::style::FontStyle::Normal, font);
        assert!(known.is_ok(), "the embedded font is a font");
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ramps_begin_and_end_at_their_stops_and_rise_in_lightness() {
        assert_eq!(value_colour(0.0), CIVIDIS[0]);
        assert_eq!(value_colour(1.0), CIVIDIS[9]);
        assert_eq!(density_colour(7.0), DENSITY[3]);
        let light = |c: Rgb| 299 * u32::from(c[0]) + 587 * u32::from(c[1]) + 114 * u32::from(c[2]);
        for step in 0..100 {
            let (a, b) = (f64::from(step) / 100.0, f64::from(step + 1) / 100.0);
            assert!(light(value_colour(a)) <= light(value_colour(b)) + 1000);
            assert!(light(density_colour(a)) + 1000 >= light(density_colour(b)));
        }
    }
}
