//! Pictures of an automaton: for Graphviz, and as SVG where it is small.

use std::collections::BTreeMap;
use std::f64::consts::TAU;
use std::fmt::Write;

use super::Dfa;
use crate::base::{Error, Result};

/// More states than these are not legible on a circle.
const MOST_ON_A_CIRCLE: usize = 12;

/// The states that accept something, and the letters from each to each, as few patterns as possible.
struct Graph<'a> {
    dfa: &'a Dfa,
    states: Vec<u32>,
    edges: Vec<(usize, usize, Vec<String>)>,
}

impl<'a> Graph<'a> {
    fn new(dfa: &'a Dfa) -> Self {
        let live = dfa.live();
        let states: Vec<u32> =
            (0..dfa.states() as u32).filter(|&state| live[state as usize] || state == dfa.start).collect();
        let mut edges = Vec::new();
        for (from, &state) in states.iter().enumerate() {
            let mut letters: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
            for (letter, &to) in dfa.row(state).iter().enumerate() {
                if let Some(to) = states.iter().position(|&known| known == to && live[to as usize]) {
                    letters.entry(to).or_default().push(letter);
                }
            }
            edges.extend(letters.into_iter().map(|(to, letters)| (from, to, patterns(dfa, &letters))));
        }
        Self { dfa, states, edges }
    }

    fn accepts(&self, place: usize) -> bool {
        self.dfa.accepting[self.states[place] as usize]
    }
}

/// The letters as patterns such as `01` and `0*`, the digit of the smallest heap first.
fn patterns(dfa: &Dfa, letters: &[usize]) -> Vec<String> {
    let digits = dfa.numeration.digits();
    // A pattern has a digit or, as one more, a star in each place.
    let place = |pattern: usize, track: usize| pattern / (digits + 1).pow(track as u32) % (digits + 1);
    let fits = |pattern: usize, letter: usize| {
        (0..dfa.tracks).all(|track| {
            let wanted = place(pattern, track);
            wanted == digits || wanted == letter / digits.pow(track as u32) % digits
        })
    };
    let stars = |&pattern: &usize| (0..dfa.tracks).filter(|&track| place(pattern, track) == digits).count();
    let mut all: Vec<usize> = (0..(digits + 1).pow(dfa.tracks as u32)).collect();
    all.sort_by_key(|pattern| usize::MAX - stars(pattern));
    let mut missing = letters.to_vec();
    let mut found = Vec::new();
    for pattern in all {
        let size = digits.pow(stars(&pattern) as u32);
        let whole = letters.iter().filter(|&&letter| fits(pattern, letter)).count() == size;
        if whole && missing.iter().any(|&letter| fits(pattern, letter)) {
            missing.retain(|&letter| !fits(pattern, letter));
            let symbol = |track: usize| match place(pattern, track) {
                star if star == digits => "*".to_string(),
                digit => digit.to_string(),
            };
            found.push((0..dfa.tracks).map(symbol).collect::<String>());
        }
    }
    found.sort();
    found
}

/// The automaton for Graphviz. Arrows that are missing lead to rejection.
pub fn dot(dfa: &Dfa, title: &str) -> String {
    let graph = Graph::new(dfa);
    let mut text = format!(
        "digraph {{\n  label = \"{}\";\n  rankdir = LR;\n  node [shape = circle];\n  start [shape = none, label = \"\"];\n",
        title.replace('\\', "\\\\").replace('"', "\\\"")
    );
    for place in 0..graph.states.len() {
        let shape = if graph.accepts(place) { " [shape = doublecircle]" } else { "" };
        let _ = writeln!(text, "  {}{shape};", graph.states[place]);
    }
    let _ = writeln!(text, "  start -> {};", dfa.start);
    for (from, to, letters) in &graph.edges {
        let label = letters.join(" ");
        let _ = writeln!(text, "  {} -> {} [label = \"{label}\"];", graph.states[*from], graph.states[*to]);
    }
    text + "}\n"
}

/// The automaton on a circle, if it is small enough for that.
pub fn svg(dfa: &Dfa, title: &str) -> Result<String> {
    let graph = Graph::new(dfa);
    let count = graph.states.len();
    if count > MOST_ON_A_CIRCLE {
        return Err(Error::Usage(format!(
            "an automaton of {count} states cannot be drawn legibly as SVG (at most {MOST_ON_A_CIRCLE}); write a .dot file and lay it out with Graphviz"
        )));
    }
    const NODE: f64 = 20.0;
    const LINE: f64 = 14.0;
    let longest = graph.edges.iter().flat_map(|(_, _, letters)| letters).map(String::len).max().unwrap_or(1);
    let radius = 70.0 + 30.0 * count as f64 + 4.0 * longest as f64;
    let margin = 120.0;
    let (centre, size) = (radius + margin, 2.0 * (radius + margin));
    // The start is on the left, and the others follow clockwise.
    let angle = |place: usize| TAU / 2.0 + TAU * place as f64 / count as f64;
    let at = |place: usize| {
        let (y, x) = angle(place).sin_cos();
        (centre + radius * x, centre + radius * y)
    };
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size:.0} {:.0}\" width=\"{size:.0}\" height=\"{:.0}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <defs><marker id=\"tip\" viewBox=\"0 0 10 10\" refX=\"10\" refY=\"5\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto-start-reverse\"><path d=\"M0 0 10 5 0 10z\"/></marker></defs>\n\
         <text x=\"16\" y=\"26\" font-size=\"15\">{}</text>\n\
         <text x=\"16\" y=\"46\" fill=\"#555\">Each letter has a digit of every heap, the smallest first; * is any digit. Missing arrows reject.</text>\n",
        size + 60.0,
        size + 60.0,
        title.replace('&', "&amp;").replace('<', "&lt;"),
    );
    let _ = writeln!(text, "<g transform=\"translate(0 60)\">");
    let mut labels = String::new();
    for (from, to, letters) in &graph.edges {
        let ((x1, y1), (x2, y2)) = (at(*from), at(*to));
        let (path, (lx, ly)) = if from == to {
            let (uy, ux) = angle(*from).sin_cos();
            let turned = |side: f64| {
                let (y, x) = (angle(*from) + side).sin_cos();
                (x1 + NODE * x, y1 + NODE * y)
            };
            let ((ax, ay), (bx, by)) = (turned(-0.5), turned(0.5));
            let far = |side: f64| {
                let (y, x) = (angle(*from) + side).sin_cos();
                (x1 + 64.0 * x, y1 + 64.0 * y)
            };
            let ((cx, cy), (dx, dy)) = (far(-0.45), far(0.45));
            let lines = letters.len().div_ceil(3) as f64;
            let beyond = 62.0 + 4.0 * longest as f64 * ux.abs() + LINE / 2.0 * lines * uy.abs();
            (
                format!("M{ax:.1} {ay:.1}C{cx:.1} {cy:.1} {dx:.1} {dy:.1} {bx:.1} {by:.1}"),
                (x1 + beyond * ux, y1 + beyond * uy),
            )
        } else {
            // A bow to the right of the way, so that an arrow back is on the other side.
            let (dx, dy) = (x2 - x1, y2 - y1);
            let length = dx.hypot(dy);
            let bow = 18.0 + 0.06 * length;
            let (mx, my) = ((x1 + x2) / 2.0 - dy / length * bow, (y1 + y2) / 2.0 + dx / length * bow);
            let shortened = |x: f64, y: f64| {
                let (dx, dy) = (mx - x, my - y);
                let length = dx.hypot(dy);
                (x + dx / length * NODE, y + dy / length * NODE)
            };
            let ((ax, ay), (bx, by)) = (shortened(x1, y1), shortened(x2, y2));
            // Nearer to where it comes from: in the middle all chords meet.
            let t: f64 = if length > 1.2 * radius { 0.3 } else { 0.45 };
            let (p, q, r) = ((1.0 - t).powi(2), 2.0 * t * (1.0 - t), t * t);
            (
                format!("M{ax:.1} {ay:.1}Q{mx:.1} {my:.1} {bx:.1} {by:.1}"),
                (p * ax + q * mx + r * bx, p * ay + q * my + r * by),
            )
        };
        let _ = writeln!(text, "<path d=\"{path}\" fill=\"none\" stroke=\"#444\" marker-end=\"url(#tip)\"/>");
        let lines: Vec<String> = letters.chunks(3).map(|some| some.join(" ")).collect();
        let wide = lines.iter().map(String::len).max().unwrap_or(1) as f64 * 7.6 + 4.0;
        let high = LINE * lines.len() as f64;
        let _ = writeln!(
            labels,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{wide:.1}\" height=\"{high:.1}\" fill=\"white\" fill-opacity=\"0.85\"/>",
            lx - wide / 2.0,
            ly - high / 2.0
        );
        for (number, line) in lines.iter().enumerate() {
            let y = ly - high / 2.0 + LINE * (number as f64 + 0.8);
            let _ = writeln!(
                labels,
                "<text x=\"{lx:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" font-family=\"monospace\">{line}</text>"
            );
        }
    }
    text += &labels;
    for place in 0..count {
        let (x, y) = at(place);
        let _ = writeln!(
            text,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{NODE}\" fill=\"white\" stroke=\"black\"/>"
        );
        if graph.accepts(place) {
            let _ = writeln!(
                text,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{}\" fill=\"#dfd\" stroke=\"black\"/>",
                NODE - 4.0
            );
        }
        let _ = writeln!(
            text,
            "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            y + 4.5,
            graph.states[place]
        );
    }
    let (x, y) = at(0);
    let (sx, sy, tip) = (x - 60.0, y + 52.0, NODE * std::f64::consts::FRAC_1_SQRT_2);
    let _ = writeln!(
        text,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">start</text>\n\
         <path d=\"M{:.1} {:.1}L{:.1} {:.1}\" stroke=\"#444\" marker-end=\"url(#tip)\"/>\n</g>\n</svg>",
        sx,
        sy + 6.0,
        sx + 12.0,
        sy - 6.0,
        x - tip,
        y + tip
    );
    Ok(text)
}
