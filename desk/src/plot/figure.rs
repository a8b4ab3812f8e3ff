//! A chart as plain data, and how it becomes a PNG or an SVG file.

use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;

use super::raster::{Raster, data_address, png_of_rgb};
use super::style::{FONT, Rgb, register_font};
use crate::base::{Error, Result, files};

/// One axis.
#[derive(Debug, Clone)]
pub struct Axis {
    /// What it shows.
    pub label: String,
    /// The range of the numbers on it.
    pub range: (f64, f64),
    /// Whether the numbers are logarithms to base 10 of what is shown.
    pub log: bool,
    /// Whether every whole number has its label.
    pub whole: bool,
}

impl Axis {
    /// A linear axis.
    pub fn linear(label: impl Into<String>, from: f64, to: f64) -> Self {
        Self { label: label.into(), range: (from, to), log: false, whole: false }
    }

    /// A linear axis on which every whole number has its label.
    pub fn whole(label: impl Into<String>, from: f64, to: f64) -> Self {
        Self { whole: true, ..Self::linear(label, from, to) }
    }

    /// A logarithmic axis; `from` and `to` are logarithms.
    pub fn log(label: impl Into<String>, from: f64, to: f64) -> Self {
        Self { label: label.into(), range: (from, to), log: true, whole: false }
    }

    fn tick(&self, at: f64) -> String {
        match self.log {
            true if (at - at.round()).abs() > 1e-6 => String::new(),
            true => number(10f64.powi(at.round() as i32)),
            false => number(at),
        }
    }

    /// The whole numbers on the axis.
    fn whole_numbers(&self) -> impl Iterator<Item = i64> {
        let (from, to) = (self.range.0.min(self.range.1), self.range.0.max(self.range.1));
        from.ceil() as i64..=to.floor() as i64
    }

    /// How many ticks at most: no more than there are whole numbers; none where they are drawn one by one.
    fn ticks(&self, wanted: usize) -> usize {
        if self.whole {
            return 0;
        }
        wanted.min((self.range.1 - self.range.0).abs() as usize + 1).max(2)
    }
}

/// A number as the command line writes it: 1200, 250000, 2.5e6.
fn number(x: f64) -> String {
    if x.abs() < 1e6 {
        return format!("{}", (x * 1000.0).round() / 1000.0);
    }
    let power = x.abs().log10().floor() as i32;
    let digits = (x / 10f64.powi(power) * 1000.0).round() / 1000.0;
    format!("{digits}e{power}")
}

/// What is drawn, later ones over earlier ones; pixels lie over everything else.
#[derive(Debug, Clone)]
pub enum Layer {
    /// A grid of pixels over a rectangle of the chart, its first row at the larger y.
    Pixels {
        /// The pixels.
        image: Raster,
        /// From the left to the right edge.
        x: (f64, f64),
        /// From the bottom to the top edge.
        y: (f64, f64),
    },
    /// A line through points.
    Line(Vec<(f64, f64)>),
    /// A vertical line with a text at its upper end.
    Mark(f64, String),
    /// Bars on the bottom of the chart: the places of their left and right edge, and their height.
    Bars(Vec<(f64, f64, f64)>),
    /// Squares of side 1 with a text: left edge, bottom edge, fill, text.
    Cells(Vec<(f64, f64, Rgb, String)>),
}

/// What the colours mean.
#[derive(Debug, Clone)]
pub enum Key {
    /// A colour and its meaning.
    Colour(Rgb, String),
    /// A ramp of colours: what it shows, its two ends, and the colour at a share of the way.
    Ramp(String, String, String, fn(f64) -> Rgb),
}

/// A chart.
#[derive(Debug, Clone)]
pub struct Figure {
    /// What the chart shows.
    pub title: String,
    /// Details in a second line.
    pub subtitle: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis; a range from a larger to a smaller number grows downwards.
    pub y: Axis,
    /// What is drawn.
    pub layers: Vec<Layer>,
    /// The legend.
    pub keys: Vec<Key>,
    /// The size of the chart between the axes, in pixels.
    pub size: (u32, u32),
}

const LEFT: u32 = 84;
const RIGHT: u32 = 34;
const TOP: u32 = 88;
const BOTTOM: u32 = 58;
/// Between the edge of the picture and the names of the axes.
const MARGIN: u32 = 14;
const LINE_HEIGHT: i32 = 16;

/// A rectangle of pixels that is laid over the drawing: left, top, right, bottom.
type Place = (i32, i32, i32, i32);

impl Figure {
    /// Width and height of the whole picture. A narrow chart gets room for its title.
    pub fn outer_size(&self) -> (u32, u32) {
        ((self.size.0 + LEFT + RIGHT).max(560), self.size.1 + TOP + BOTTOM)
    }

    /// The picture as a PNG file.
    pub fn png(&self) -> Result<Vec<u8>> {
        self.png_at(1)
    }

    /// The same with so many pixels for one.
    ///
    /// Letters stand on whole pixels, which makes uneven gaps between them: the picture is drawn larger, and made
    /// smaller by means.
    fn png_at(&self, scale: u32) -> Result<Vec<u8>> {
        const MOST_PIXELS: u64 = 60_000_000;
        let (width, height) = self.outer_size();
        let (width, height) = (width * scale, height * scale);
        let fits = |over: &u32| u64::from(width * over) * u64::from(height * over) <= MOST_PIXELS;
        let over = [4, 2].into_iter().find(fits).unwrap_or(1);
        let mut drawn = vec![0u8; (width * over) as usize * (height * over) as usize * 3];
        let root = BitMapBackend::with_buffer(&mut drawn, (width * over, height * over)).into_drawing_area();
        let places = self.draw(&root, scale * over)?;
        drop(root);
        let (width, over) = (width as usize, over as usize);
        let mut buffer = means(&drawn, width, height as usize, over);
        let smaller = |at: i32| (at + over as i32 / 2) / over as i32;
        for (image, (left, top, right, bottom)) in places {
            let (left, top, right, bottom) = (smaller(left), smaller(top), smaller(right), smaller(bottom));
            for row in top..bottom {
                let from = (row - top) as usize * image.height / (bottom - top) as usize;
                for column in left..right {
                    let at = (column - left) as usize * image.width / (right - left) as usize;
                    if let Some(colour) = image.pixels[from * image.width + at] {
                        let place = (row as usize * width + column as usize) * 3;
                        buffer[place..place + 3].copy_from_slice(&colour);
                    }
                }
            }
        }
        Ok(png_of_rgb(width, height as usize, &buffer))
    }

    /// The picture as an SVG file.
    pub fn svg(&self) -> Result<String> {
        self.svg_at(1)
    }

    fn svg_at(&self, scale: u32) -> Result<String> {
        let mut text = String::new();
        let (width, height) = self.outer_size();
        let root = SVGBackend::with_string(&mut text, (width * scale, height * scale)).into_drawing_area();
        let places = self.draw(&root, scale)?;
        drop(root);
        let images: String = places
            .iter()
            .map(|(image, (left, top, right, bottom))| {
                format!(
                    "<image x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" \
                     style=\"image-rendering:pixelated\" href=\"{}\"/>\n",
                    right - left,
                    bottom - top,
                    data_address(&image.png())
                )
            })
            .collect();
        let end = text.rfind("</svg>").unwrap_or(text.len());
        text.insert_str(end, &images);
        Ok(text)
    }

    /// Writes the picture, `scale` times as large, to the output `path` (see [`files::save`]): SVG or PNG, as its
    /// name ends.
    pub fn save(&self, path: &Path, scale: u32) -> Result<()> {
        let bytes = match Format::of(path)? {
            Format::Svg => self.svg_at(scale)?.into_bytes(),
            Format::Png => self.png_at(scale)?,
        };
        files::save(path, &bytes)
    }

    /// Draws everything but the pixels, and says where those belong.
    fn draw<B: DrawingBackend>(
        &self,
        root: &DrawingArea<B, Shift>,
        scale: u32,
    ) -> Result<Vec<(&Raster, Place)>> {
        register_font();
        self.try_draw(root, scale)
            .map_err(|problem| Error::Usage(format!("the picture cannot be drawn: {problem}")))
    }

    fn try_draw<B: DrawingBackend>(
        &self,
        root: &DrawingArea<B, Shift>,
        scale: u32,
    ) -> Result<Vec<(&Raster, Place)>, DrawingAreaErrorKind<B::ErrorType>> {
        root.fill(&WHITE)?;
        let s = scale as i32;
        let text = |size: i32, colour: RGBColor| (FONT, size * s).into_font().color(&colour);
        let grey = RGBColor(70, 70, 70);
        root.draw(&Text::new(self.title.clone(), (LEFT as i32 * s, 12 * s), text(20, BLACK)))?;
        root.draw(&Text::new(self.subtitle.clone(), (LEFT as i32 * s, 38 * s), text(14, grey)))?;
        self.draw_keys(root, s)?;
        let spare = self.outer_size().0 - self.size.0 - LEFT;
        let mut chart = ChartBuilder::on(root)
            .margin_top(TOP * scale)
            .margin_right(spare * scale)
            .margin_left(MARGIN * scale)
            .margin_bottom(MARGIN / 2 * scale)
            .x_label_area_size((BOTTOM - MARGIN / 2) * scale)
            .y_label_area_size((LEFT - MARGIN) * scale)
            .build_cartesian_2d(self.x.range.0..self.x.range.1, self.y.range.0..self.y.range.1)?;
        chart
            .configure_mesh()
            .x_desc(self.x.label.clone())
            .y_desc(self.y.label.clone())
            .x_labels(self.x.ticks((self.size.0 / 90).max(3) as usize))
            .y_labels(self.y.ticks((self.size.1 / 50).max(3) as usize))
            .x_label_formatter(&|&at| self.x.tick(at))
            .y_label_formatter(&|&at| self.y.tick(at))
            .set_all_tick_mark_size(5 * scale)
            .label_style(text(14, BLACK))
            .axis_desc_style(text(15, BLACK))
            .bold_line_style(RGBColor(222, 222, 222).stroke_width(scale))
            .axis_style(BLACK.stroke_width(scale))
            .light_line_style(TRANSPARENT)
            .draw()?;
        // Where every whole number has its label, it stands in the middle of its row or column.
        let label = text(14, BLACK);
        for (axis, is_x) in [(&self.x, true), (&self.y, false)] {
            for n in axis.whole_numbers().take_while(|_| axis.whole) {
                let words = n.to_string();
                let (width, height) = root.estimate_text_size(&words, &label)?;
                let at = if is_x {
                    let (x, y) = chart.backend_coord(&(n as f64, self.y.range.0));
                    (x - width as i32 / 2, y + 7 * s)
                } else {
                    let (x, y) = chart.backend_coord(&(self.x.range.0, n as f64));
                    (x - width as i32 - 8 * s, y - height as i32 / 2)
                };
                root.draw(&Text::new(words, at, label.clone()))?;
            }
        }
        let mut places = Vec::new();
        for layer in &self.layers {
            match layer {
                Layer::Pixels { image, x, y } => {
                    let (left, bottom) = chart.backend_coord(&(x.0, y.0));
                    let (right, top) = chart.backend_coord(&(x.1, y.1));
                    if image.width > 0 && image.height > 0 && right > left && bottom > top {
                        places.push((image, (left, top, right, bottom)));
                    }
                }
                Layer::Line(points) => {
                    let colour = to_colour(super::style::LINE);
                    chart.draw_series(LineSeries::new(
                        points.iter().copied(),
                        colour.stroke_width(2 * scale),
                    ))?;
                }
                Layer::Mark(x, words) => {
                    let colour = to_colour(super::style::P_COLOUR);
                    let ends = [(*x, self.y.range.0), (*x, self.y.range.1)];
                    chart.draw_series(LineSeries::new(ends, colour.stroke_width(scale)))?;
                    let (at, top) = chart.backend_coord(&ends[1]);
                    let (width, _) = root.estimate_text_size(words, &text(13, colour))?;
                    // To the left of a mark at the right edge.
                    let right = chart.backend_coord(&(self.x.range.1, 0.0)).0;
                    let fits = at + 6 * s + (width as i32) < right;
                    let from = if fits { at + 6 * s } else { at - 6 * s - width as i32 };
                    root.draw(&Text::new(words.clone(), (from, top + 4 * s), text(13, colour)))?;
                }
                Layer::Bars(bars) => {
                    let bottom = self.y.range.0.min(self.y.range.1);
                    let colour = to_colour(super::style::LINE).filled();
                    chart.draw_series(
                        bars.iter().map(|&(x0, x1, y)| Rectangle::new([(x0, bottom), (x1, y)], colour)),
                    )?;
                }
                Layer::Cells(cells) => {
                    for (x, y, fill, label) in cells {
                        chart.draw_series([Rectangle::new(
                            [(*x, *y), (x + 1.0, y + 1.0)],
                            to_colour(*fill).filled(),
                        )])?;
                        let side = self.size.0 as f64 / (self.x.range.1 - self.x.range.0).abs();
                        let size = (side * 0.45).clamp(9.0, 20.0) as i32;
                        let ink = to_colour(super::style::ink_on(*fill));
                        let (width, height) = root.estimate_text_size(label, &text(size, ink))?;
                        let middle = chart.backend_coord(&(x + 0.5, y + 0.5));
                        let at = (middle.0 - width as i32 / 2, middle.1 - height as i32 / 2);
                        root.draw(&Text::new(label.clone(), at, text(size, ink)))?;
                    }
                }
            }
        }
        root.present()?;
        Ok(places)
    }

    /// The legend, in one line under the subtitle.
    fn draw_keys<B: DrawingBackend>(
        &self,
        root: &DrawingArea<B, Shift>,
        s: i32,
    ) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
        let style = (FONT, 14 * s).into_font().color(&BLACK);
        let (mut x, y) = (LEFT as i32 * s, 62 * s);
        let line = LINE_HEIGHT * s;
        for key in &self.keys {
            let write = |x: &mut i32, text: &str| {
                root.draw(&Text::new(text.to_string(), (*x, y + s), style.clone()))?;
                *x += root.estimate_text_size(text, &style)?.0 as i32 + 8 * s;
                Ok::<_, DrawingAreaErrorKind<B::ErrorType>>(())
            };
            match key {
                Key::Colour(colour, meaning) => {
                    let square = [(x, y), (x + line - 3 * s, y + line - 3 * s)];
                    root.draw(&Rectangle::new(square, to_colour(*colour).filled()))?;
                    root.draw(&Rectangle::new(square, RGBColor(90, 90, 90)))?;
                    x += line + 4 * s;
                    write(&mut x, meaning)?;
                }
                Key::Ramp(meaning, low, high, colour) => {
                    const LENGTH: i32 = 120;
                    write(&mut x, &format!("{meaning}: {low}"))?;
                    for step in 0..LENGTH / 2 {
                        let from = x + step * 2 * s;
                        let paint = to_colour(colour(f64::from(step) / f64::from(LENGTH / 2 - 1))).filled();
                        root.draw(&Rectangle::new([(from, y), (from + 2 * s, y + line - 3 * s)], paint))?;
                    }
                    x += (LENGTH + 8) * s;
                    write(&mut x, high)?;
                }
            }
            x += 14 * s;
        }
        Ok(())
    }
}

/// A picture of three bytes a pixel, `over` times as small.
fn means(drawn: &[u8], width: usize, height: usize, over: usize) -> Vec<u8> {
    let mut small = Vec::with_capacity(width * height * 3);
    for row in 0..height {
        for column in 0..width {
            for colour in 0..3 {
                let at = |i: usize| {
                    ((row * over + i / over) * width * over + column * over + i % over) * 3 + colour
                };
                let sum: usize = (0..over * over).map(|i| usize::from(drawn[at(i)])).sum();
                small.push(((sum + over * over / 2) / (over * over)) as u8);
            }
        }
    }
    small
}

fn to_colour([r, g, b]: Rgb) -> RGBColor {
    RGBColor(r, g, b)
}

/// A picture's format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Pixels.
    Png,
    /// Shapes; dense parts are pixels inside.
    Svg,
}

impl Format {
    /// The format that the name of a file asks for; standard output gets a PNG.
    pub fn of(path: &Path) -> Result<Self> {
        match path.extension().and_then(|end| end.to_str()).map(str::to_ascii_lowercase).as_deref() {
            Some("png") => Ok(Self::Png),
            Some("svg") => Ok(Self::Svg),
            None if files::is_standard_output(path) => Ok(Self::Png),
            _ => Err(Error::Usage(format!(
                "{}: pictures are PNG or SVG; end the name in .png or .svg",
                path.display()
            ))),
        }
    }
}
