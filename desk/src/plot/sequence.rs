//! Pictures of a sequence of values: its points, how often each value comes, how its maximum grows.

use rayon::prelude::*;

use super::figure::{Axis, Figure, Key, Layer};
use super::raster::Raster;
use super::style::{LINE, density_colour};
use crate::base::numbers::{counted, grouped};
use crate::game::theory::guy_smith::Drift;
use crate::game::theory::regularity::Regularity;
use crate::rules::OctalGame;

/// The terms `from`, `from + 1`, ... of a sequence.
#[derive(Clone, Copy)]
pub struct Sequence<'a> {
    /// What it is, such as "Officers (0.6)".
    pub name: &'a str,
    /// What has a term, such as `a heap of n` or `[4,6,n]`.
    pub of: &'a str,
    /// Whether the terms are outcomes (1 for a P-position) and not values.
    pub outcomes: bool,
    /// The period or the arithmetic period, where it is proved.
    pub period: Option<Regularity>,
    /// The index of the first term.
    pub from: u64,
    /// How many terms.
    pub terms: u64,
    /// The term of an index; `None` where there is none, such as equal heaps in mine.
    pub value: &'a (dyn Fn(u64) -> Option<u16> + Sync),
}

/// The size of the charts, in pixels, unless another width is asked for.
const WIDTH: usize = 1000;
const HEIGHT: usize = 520;
/// Terms that a thread looks at together.
const CHUNK: u64 = 1 << 18;

impl Sequence<'_> {
    fn end(&self) -> u64 {
        self.from + self.terms
    }

    fn maximum(&self) -> u16 {
        self.chunks()
            .map(|(from, to)| (from..to).filter_map(self.value).max().unwrap_or(0))
            .max()
            .unwrap_or(0)
    }

    fn chunks(&self) -> impl IndexedParallelIterator<Item = (u64, u64)> {
        let (from, end) = (self.from, self.end());
        let count = self.terms.div_ceil(CHUNK) as usize;
        (0..count).into_par_iter().map(move |i| {
            let first = from + i as u64 * CHUNK;
            (first, (first + CHUNK).min(end))
        })
    }

    /// What stands along the terms: G(n), or G(4,6,n) of a row.
    fn axis(&self) -> String {
        match self.of.strip_prefix('[').and_then(|row| row.strip_suffix(']')) {
            _ if self.outcomes => "outcome".into(),
            Some(heaps) => format!("G({heaps})"),
            None => "G(n)".into(),
        }
    }

    fn subtitle(&self) -> String {
        let period =
            self.period.map_or(String::new(), |period| format!("; {}, proved", period.drift.describe()));
        let last = self.end().saturating_sub(1);
        format!("{}, n = {} to {last}{period}", counted(self.terms, "term"), self.from)
    }

    /// Where the proved period begins, if that is in the picture.
    fn mark(&self) -> Option<Layer> {
        let Drift { preperiod, period, .. } = self.period?.drift;
        let inside = (self.from..self.end()).contains(&(preperiod as u64));
        inside.then(|| Layer::Mark(preperiod as f64, format!("period {}", grouped(period as u64))))
    }

    fn quantity(&self) -> &'static str {
        if self.outcomes { "outcomes" } else { "values" }
    }
}

/// The period or the arithmetic period that the first terms of a game prove, if they do.
pub fn proved_period(game: &OctalGame, terms: u64, value: &dyn Fn(u64) -> u16) -> Option<Regularity> {
    // The longest known periods need more terms, but are not looked for to draw a picture.
    const MOST: u64 = 1 << 22;
    let values: Vec<u16> = (0..terms.min(MOST)).map(value).collect();
    Regularity::proved(game, &values)
}

/// How often each value comes among the terms.
pub fn count_values(sequence: &Sequence<'_>) -> Vec<u64> {
    sequence
        .chunks()
        .fold(Vec::new, |mut counts: Vec<u64>, (from, to)| {
            for value in (from..to).filter_map(sequence.value).map(usize::from) {
                if value >= counts.len() {
                    counts.resize(value + 1, 0);
                }
                counts[value] += 1;
            }
            counts
        })
        .reduce(Vec::new, |mut a, mut b| {
            if a.len() < b.len() {
                std::mem::swap(&mut a, &mut b);
            }
            a.iter_mut().zip(&b).for_each(|(a, b)| *a += b);
            a
        })
}

/// The points (n, G(n)): dots where they are few, otherwise the density of points in each pixel.
pub fn points(sequence: &Sequence<'_>, width: Option<u32>) -> Figure {
    let width = width.map_or(WIDTH, |width| width.max(1) as usize);
    let max = sequence.maximum();
    // Whole pixels a value where there are few values.
    let levels = usize::from(max) + 1;
    let height = if levels <= HEIGHT { (HEIGHT + levels / 2) / levels * levels } else { HEIGHT };
    let columns = (sequence.terms as usize).clamp(1, width);
    let rows = levels.min(HEIGHT);
    let column_of = |column: usize| sequence.from + sequence.terms * column as u64 / columns as u64;
    let grid: Vec<Vec<u32>> = (0..columns)
        .into_par_iter()
        .map(|column| {
            let mut counts = vec![0u32; rows];
            for value in (column_of(column)..column_of(column + 1)).filter_map(sequence.value) {
                counts[usize::from(value) * rows / levels] += 1;
            }
            counts
        })
        .collect();
    let most = grid.iter().flatten().copied().max().unwrap_or(1).max(1);
    let scale = f64::from(most).ln().max(1e-9);
    // Few points are drawn large enough to be seen.
    let dot = match sequence.terms {
        0..=400 => 5,
        401..=4000 => 2,
        _ => 1,
    };
    let mut image = Raster::new(width, height);
    for (column, counts) in grid.iter().enumerate() {
        for (row, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let colour = if most < 4 { LINE } else { density_colour(f64::from(count).ln() / scale) };
            // A dot in the middle of the cell; a wide cell of many terms is filled.
            let (left, right) = (column * width / columns, (column + 1) * width / columns);
            let (top, bottom) = ((rows - 1 - row) * height / rows, (rows - row) * height / rows);
            let (wide, high) = (dot, (bottom - top).clamp(1, dot.max(3)));
            let (x, y) = ((left + right).saturating_sub(wide) / 2, (top + bottom - high) / 2);
            for y in y..y + high {
                for x in x..(x + wide).min(width) {
                    image.pixels[y * width + x] = Some(colour);
                }
            }
        }
    }
    let keys = if most < 4 {
        vec![Key::Colour(
            LINE,
            match sequence.outcomes {
                true => format!("{}: 1 for a P-position", sequence.of),
                false => format!("value of {}", sequence.of),
            },
        )]
    } else {
        let what =
            format!("terms in a dot (log scale; a column holds {})", sequence.terms.div_ceil(columns as u64));
        vec![Key::Ramp(what, "1".into(), most.to_string(), density_colour)]
    };
    let x = (sequence.from as f64, (sequence.end()).max(sequence.from + 1) as f64);
    let y = (-0.5, f64::from(max) + 0.5);
    Figure {
        title: format!("{}: {}", sequence.name, sequence.quantity()),
        subtitle: sequence.subtitle(),
        x: Axis::linear("n", x.0, x.1),
        y: Axis::linear(sequence.axis(), y.0, y.1),
        layers: [Layer::Pixels { image, x, y }].into_iter().chain(sequence.mark()).collect(),
        keys,
        size: (width as u32, height as u32),
    }
}

/// How often each value comes.
pub fn value_histogram(name: &str, counts: &[u64], what: &str, width: Option<u32>) -> Figure {
    let total: u64 = counts.iter().sum();
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let least = counts.iter().copied().filter(|&count| count > 0).min().unwrap_or(1);
    // Counts that differ by orders of magnitude need a logarithmic axis to be seen at all.
    let log = most / least > 50;
    let height = |count: u64| match (log, count) {
        (false, _) => count as f64,
        (true, 0) => -1.0,
        (true, _) => (count as f64).log10(),
    };
    let bars = counts
        .iter()
        .enumerate()
        .filter(|(_, count)| **count > 0)
        .map(|(value, &count)| (value as f64 - 0.42, value as f64 + 0.42, height(count)))
        .collect();
    let label = if log { "count (log scale)" } else { "count" };
    let top = height(most) * if log { 1.0 } else { 1.05 } + if log { 0.2 } else { 0.0 };
    let y = if log { Axis::log(label, -0.3, top) } else { Axis::linear(label, 0.0, top) };
    Figure {
        title: format!("{name}: how often each value comes"),
        subtitle: format!(
            "{} {what}, {} values",
            grouped(total),
            counts.iter().filter(|&&count| count > 0).count()
        ),
        x: Axis::linear("value", -0.6, counts.len().max(1) as f64 - 0.4),
        y,
        layers: vec![Layer::Bars(bars)],
        keys: vec![Key::Colour(LINE, format!("{what} with the value"))],
        size: (width.unwrap_or(WIDTH as u32), HEIGHT as u32 - 100),
    }
}

/// The largest value up to n, against n on a logarithmic axis.
pub fn growth_of_maximum(sequence: &Sequence<'_>, width: Option<u32>) -> Figure {
    // The records of each chunk that pass its own beginning; then those that pass all chunks before.
    let records: Vec<Vec<(u64, u16)>> = sequence
        .chunks()
        .map(|(from, to)| {
            let mut records: Vec<(u64, u16)> = Vec::new();
            for (n, value) in (from..to).filter_map(|n| Some((n, (sequence.value)(n)?))) {
                if records.last().is_none_or(|&(_, largest)| value > largest) {
                    records.push((n, value));
                }
            }
            records
        })
        .collect();
    let mut steps: Vec<(f64, f64)> = Vec::new();
    let mut largest: Option<u16> = None;
    let log = |n: u64| ((n.max(1)) as f64).log10();
    for (n, value) in records.into_iter().flatten() {
        if largest.is_none_or(|largest| value > largest) {
            if let Some(largest) = largest {
                steps.push((log(n), f64::from(largest)));
            }
            steps.push((log(n), f64::from(value)));
            largest = Some(value);
        }
    }
    let largest = f64::from(largest.unwrap_or(0));
    let end = log(sequence.end().saturating_sub(1)).max(log(sequence.from) + 0.1);
    steps.push((end, largest));
    Figure {
        title: format!("{}: growth of the largest value", sequence.name),
        subtitle: format!("{}; the largest value is {largest}", sequence.subtitle()),
        x: Axis::log("n (log scale)", log(sequence.from), end),
        y: Axis::linear("largest value up to n", 0.0, (largest * 1.05).max(1.0)),
        layers: vec![Layer::Line(steps)],
        keys: vec![Key::Colour(LINE, "largest value of the heaps up to n".into())],
        size: (width.unwrap_or(WIDTH as u32), HEIGHT as u32 - 100),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::theory::regularity::Theorem;

    const TEST: Sequence<'_> = Sequence {
        name: "test",
        of: "a heap of n",
        outcomes: false,
        period: None,
        from: 0,
        terms: 0,
        value: &|_| None,
    };

    #[test]
    fn a_proved_period_is_marked_where_it_begins() {
        let drift = Drift { preperiod: 71, period: 12, saltus: 0 };
        let kayles = Regularity { drift, theorem: Theorem::GuySmith };
        let sequence =
            Sequence { terms: 100, period: Some(kayles), value: &|n| Some((n % 12) as u16), ..TEST };
        let marks = |figure: Figure| {
            let mark = |layer: &Layer| matches!(layer, Layer::Mark(at, words) if *at == 71.0 && words == "period 12");
            figure.layers.iter().filter(|layer| mark(layer)).count()
        };
        assert_eq!(marks(points(&sequence, Some(500))), 1);
        assert_eq!(marks(points(&Sequence { terms: 71, ..sequence }, None)), 0, "it lies outside");
        assert!(points(&sequence, None).subtitle.contains("period 12 from heap 71 on, proved"));
    }

    #[test]
    fn counts_and_records_are_those_of_a_plain_loop() {
        let value = |n: u64| (n.wrapping_mul(0x9e37_79b9) >> 7) as u16 % ((n / 5000 + 2).min(300) as u16);
        for (from, terms) in [(0u64, 1u64), (7, 1000), (0, 700_000), (300_000, 600_001)] {
            let sequence = Sequence { from, terms, value: &|n| Some(value(n)), ..TEST };
            let mut counts = vec![0u64; 300];
            let (mut largest, mut records) = (None, 0);
            for n in from..from + terms {
                counts[usize::from(value(n))] += 1;
                if largest.is_none_or(|largest| value(n) > largest) {
                    largest = Some(value(n));
                    records += 1;
                }
            }
            let found = count_values(&sequence);
            assert_eq!(found[..], counts[..found.len()]);
            assert_eq!(found.iter().sum::<u64>(), terms);
            let Layer::Line(steps) = &growth_of_maximum(&sequence, None).layers[0] else { panic!("no line") };
            assert_eq!(steps.len(), 2 * records, "two ends a step");
            assert_eq!(steps.last().unwrap().1, f64::from(largest.unwrap()));
        }
    }

    #[test]
    fn every_point_is_drawn_where_it_belongs() {
        let value = |n: u64| [0, 3, 1, 2, 3, 0][n as usize];
        let figure = points(&Sequence { terms: 6, value: &|n| Some(value(n)), ..TEST }, None);
        let Layer::Pixels { image, .. } = &figure.layers[0] else { panic!("no pixels") };
        for n in 0..6usize {
            for level in 0..4usize {
                // The middle of the cell of (n, level).
                let x = (2 * n + 1) * image.width / 12;
                let y = image.height - 1 - (2 * level + 1) * image.height / 8;
                let drawn = (y - 2..=y + 2).any(|y| image.pixels[y * image.width + x].is_some());
                assert_eq!(drawn, usize::from(value(n as u64)) == level, "{n} {level}");
            }
        }
    }
}
