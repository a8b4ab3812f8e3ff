//! One table of the report.

use std::path::Path;

use serde_json::Value;

use super::embed;
use super::html::{escape, facts, grouped, script_json};
use crate::base::Result;
use crate::base::machine::human_bytes;
use crate::base::numbers::counted;
use crate::base::shell::quoted_path;
use crate::plot::{
    Figure, Sequence, Slice, count_values, data_address, growth_of_maximum, heat_map, points, value_histogram,
};
use crate::space::{SortedHeaps, Space};
use crate::table::{Manifest, Positions, Progress, Reader, Standing, State, progress};

/// Pictures of slices show heaps up to this.
const LARGEST_IN_PICTURE: u32 = 600;

/// One table of the report.
pub struct Section {
    /// The anchor.
    pub id: String,
    /// The folder's name.
    pub name: String,
    /// The game with its parameters.
    pub what: String,
    /// Entries.
    pub entries: u64,
    /// Seconds of computing.
    pub seconds: f64,
    /// The time, in words.
    pub time: String,
    /// The verdict in a word or two.
    pub verdict: String,
    /// Whether the verdict is good.
    pub good: bool,
    /// Damage and failed verifications.
    pub problems: Vec<String>,
    /// The section's HTML.
    pub html: String,
}

impl Section {
    /// The section of the table in `folder`, with at most `bytes` of embedded data. A damaged table gives a
    /// section that says so.
    pub fn new(folder: &Path, number: usize, bytes: u64) -> Result<Self> {
        let name = folder
            .file_name()
            .map_or_else(|| folder.display().to_string(), |name| name.to_string_lossy().into_owned());
        let id = format!("table-{number}");
        let (manifest, progress) = match progress(folder) {
            Ok(found) => found,
            Err(error) => return Ok(Self::damaged(id, name, error.to_string())),
        };
        let mut section = Self {
            what: describe(&manifest),
            entries: manifest.spec.entries,
            seconds: manifest.seconds,
            time: format!("{:.2} s", manifest.seconds),
            ..Self::damaged(id.clone(), name.clone(), String::new())
        };
        section.problems.clear();
        let standing = manifest.standing(folder);
        (section.verdict, section.good) = verdict(&standing);
        if let Standing::Failed(check) = &standing {
            let failure = check.failure.as_deref().unwrap_or_default();
            section.problems.push(format!("{name}: {} verification failed: {failure}", check.kind));
        }
        let mut html = format!("<section id=\"{id}\">\n<h2>{}</h2>\n", escape(&name));
        html += &facts(&lines(&manifest, &progress));
        html += &verifications(&manifest, &standing, folder);
        if manifest.state == State::Complete {
            match content(folder, &id, bytes) {
                Ok(content) => html += &content,
                Err(error) => {
                    html += &format!("<p class=\"bad\">{}</p>\n", escape(&error.to_string()));
                    section.problems.push(error.to_string());
                    (section.verdict, section.good) = ("damaged".into(), false);
                }
            }
        } else {
            (section.verdict, section.good) = ("not finished".into(), false);
        }
        section.html = html + "</section>\n";
        Ok(section)
    }

    fn damaged(id: String, name: String, problem: String) -> Self {
        Self {
            html: format!(
                "<section id=\"{id}\">\n<h2>{}</h2>\n<p class=\"bad\">{}</p>\n</section>\n",
                escape(&name),
                escape(&problem)
            ),
            id,
            name,
            what: String::new(),
            entries: 0,
            seconds: 0.0,
            time: String::new(),
            verdict: "damaged".into(),
            good: false,
            problems: vec![problem],
        }
    }
}

/// "minnie, heaps 4, max 200".
fn describe(manifest: &Manifest) -> String {
    manifest.spec.parameters.iter().fold(manifest.spec.game.clone(), |text, (name, value)| match value {
        Value::Bool(false) => text,
        Value::Bool(true) => format!("{text}, {name}"),
        Value::String(value) => format!("{text}, {name} {value}"),
        other => format!("{text}, {name} {other}"),
    })
}

/// What the verifications so far amount to, in a word or two, and whether that is good.
fn verdict(standing: &Standing<'_>) -> (String, bool) {
    match standing {
        Standing::Unverified => ("not yet".into(), false),
        Standing::Outdated(_) => ("no longer".into(), false),
        Standing::Failed(check) => (format!("{} failed", check.kind), false),
        Standing::Passed(check) => match check.kind.as_str() {
            "sample" => (format!("sample, {:.2}%", 100.0 * check.coverage), true),
            "full" => ("every entry".into(), true),
            kind => (kind.into(), true),
        },
    }
}

fn lines(manifest: &Manifest, progress: &Progress) -> Vec<(String, String)> {
    let spec = &manifest.spec;
    let quantity = if spec.quantity.is_outcomes() { "outcomes" } else { "values" };
    let size = human_bytes(manifest.width.file_bytes(spec.entries));
    let mut lines = vec![
        ("game".to_string(), describe(manifest)),
        (
            "holds".into(),
            format!("{} {quantity} of {} each, {size}", grouped(spec.entries), manifest.width.name()),
        ),
        ("index".into(), format!("{}: {}", spec.index.scheme, spec.index.formula)),
    ];
    lines.push((
        "state".into(),
        match manifest.state {
            State::Complete => format!(
                "complete, {:.2} s on {}",
                manifest.seconds,
                counted(manifest.threads as u64, "thread")
            ),
            State::Partial => format!(
                "partial: {} of {} {} after {:.1} s; the same solve command resumes",
                grouped(progress.waves_done),
                grouped(spec.waves),
                spec.steps(),
                progress.seconds
            ),
        },
    ));
    if manifest.state == State::Complete && manifest.seconds > 0.0 {
        lines.push(("speed".into(), format!("{:.3e} entries/s", spec.entries as f64 / manifest.seconds)));
    }
    for (name, value) in &manifest.results {
        let text = match value {
            Value::Null => continue,
            Value::String(text) => text.clone(),
            other => other.as_u64().map_or_else(|| other.to_string(), grouped),
        };
        lines.push((name.replace('_', " "), text));
    }
    if let Some(sums) = &manifest.checksums {
        lines.push(("data file".into(), manifest.data_file.clone()));
        lines.push(("BLAKE3".into(), sums.blake3.clone()));
    }
    lines.push(("made by".into(), format!("nimwave {}, {}", manifest.program_version, manifest.created)));
    let machine = &manifest.machine;
    lines.push((
        "machine".into(),
        format!("{} ({}), {}", machine.cpu, counted(machine.cores as u64, "core"), machine.system),
    ));
    lines
}

fn verifications(manifest: &Manifest, standing: &Standing<'_>, folder: &Path) -> String {
    let command = escape(&format!("nimwave verify {} --full", quoted_path(folder)));
    let open = match standing {
        Standing::Unverified => format!("<p class=\"bad\">Not verified yet: <code>{command}</code></p>\n"),
        Standing::Outdated(why) => {
            format!("<p class=\"bad\">No longer verified: {}: <code>{command}</code></p>\n", escape(why))
        }
        _ => String::new(),
    };
    if manifest.verifications.is_empty() {
        return open;
    }
    let mut rows = String::new();
    for check in &manifest.verifications {
        let failure = check.failure.as_ref().map_or(String::new(), |failure| format!(": {failure}"));
        rows += &format!(
            "<tr><td>{}</td><td class=\"{}\">{}</td><td>{:.2}%</td><td>{}</td><td>{:.2} s</td><td>{}</td></tr>\n",
            escape(&check.kind),
            if check.verdict == "passed" { "good" } else { "bad" },
            escape(&format!("{}{failure}", check.verdict)),
            100.0 * check.coverage,
            escape(&check.method),
            check.seconds,
            escape(&check.date),
        );
    }
    format!(
        "<h3>Verification</h3>\n{open}<div class=\"scroll\"><table>\n<thead><tr><th>kind</th><th>verdict</th><th>entries</th><th>how</th>\
         <th>time</th><th>when</th></tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n"
    )
}

/// Pictures and interactive parts of a finished table.
fn content(folder: &Path, id: &str, bytes: u64) -> Result<String> {
    let reader = Reader::open(folder)?;
    let (game, positions) = reader.contents()?;
    let mut html = String::new();
    if let Positions::Line = positions {
        return sequence_content(&reader, &game.caption(), id, bytes);
    }
    if let Positions::Heaps(space) = positions {
        if let Some(data) = embed::heap_table(&reader, &game, &space, bytes)? {
            html += &slice_browser(&data, id);
        }
        if space.heaps() >= 2 {
            for fixed in fixed_heaps(&space) {
                let slice = Slice::of_table(&reader, &space, &fixed, Some(LARGEST_IN_PICTURE), &game)?;
                html += &picture(&heat_map(&slice))?;
            }
        }
    }
    if !reader.manifest().width.is_bit() {
        let counts = value_counts(&reader)?;
        html += &picture(&value_histogram(&describe(reader.manifest()), &counts, "positions"))?;
    }
    Ok(html)
}

/// The fixed heaps of the pictures: small ones, and ones of a quarter of the largest heap.
fn fixed_heaps(space: &SortedHeaps) -> Vec<Vec<u32>> {
    let (rest, max) = (space.heaps() as u32 - 2, space.max().min(space.smallest()));
    let small: Vec<u32> = (0..rest).map(|i| (4 + 2 * i).min(max)).collect();
    let large: Vec<u32> = (0..rest).map(|i| (max.min(LARGEST_IN_PICTURE) / 4 + i).min(max)).collect();
    let mut choices = vec![small, large];
    choices.dedup();
    choices
}

fn slice_browser(data: &Value, id: &str) -> String {
    let (max, whole) = (&data["max"], &data["table_max"]);
    let extent = if max == whole {
        "The page holds the whole table.".to_string()
    } else {
        format!("The page holds the part with heaps of at most {max}; the table goes to {whole}.")
    };
    format!(
        "<h3>Slices</h3>\n<div class=\"tool\" id=\"{id}-slices\">\n<p class=\"note\">Two heaps run along the axes; the sliders set \
         the others, and move the cursor. Point at a cell, or use the arrow keys (with Shift: ten cells). {}</p>\n\
         <noscript>The browser of slices needs JavaScript.</noscript>\n</div>\n\
         <script type=\"application/json\" data-part=\"slices\" data-for=\"{id}-slices\">{}</script>\n",
        escape(&extent),
        script_json(data)
    )
}

/// How often each value comes among the positions of a table of values.
pub fn value_counts(reader: &Reader) -> Result<Vec<u64>> {
    let entries = reader.entries()?;
    let (game, positions) = reader.contents()?;
    let is_position = |n: u64| match (&positions, game.on_heaps()) {
        (Positions::Heaps(space), Ok(game)) if !game.has_all_heaps() => {
            let mut heaps = Vec::new();
            space.unrank_into(n, &mut heaps);
            game.is_position(&heaps)
        }
        _ => true,
    };
    let value = |n: u64| is_position(n).then(|| entries.value(n));
    Ok(count_values(&Sequence { name: game.name(), from: 0, terms: entries.len, value: &value }))
}

fn sequence_content(reader: &Reader, name: &str, id: &str, bytes: u64) -> Result<String> {
    let entries = reader.entries()?;
    let sequence = &Sequence { name, from: 0, terms: entries.len, value: &|n| Some(entries.value(n)) };
    let counts = count_values(sequence);
    let largest = counts.len().saturating_sub(1) as u16;
    let data = embed::sequence(name, sequence.terms, largest, bytes, &|n| entries.value(n));
    let exact = data["exact"].as_u64().unwrap_or(0);
    let extent = if exact == sequence.terms {
        "The page holds every term.".to_string()
    } else {
        format!(
            "The page holds the first {} terms exactly, and the density of all {} in columns.",
            grouped(exact),
            grouped(sequence.terms)
        )
    };
    let mut html = format!(
        "<h3>Sequence</h3>\n<div class=\"tool\" id=\"{id}-sequence\">\n<p class=\"note\">Zoom with the wheel, the buttons or the \
         keys + and -; drag or use the arrow keys to move. {}</p>\n<noscript>The plot needs JavaScript.</noscript>\n</div>\n\
         <script type=\"application/json\" data-part=\"sequence\" data-for=\"{id}-sequence\">{}</script>\n",
        escape(&extent),
        script_json(&data)
    );
    html += &picture(&points(sequence))?;
    html += &picture(&value_histogram(name, &counts, "heaps"))?;
    html += &picture(&growth_of_maximum(sequence))?;
    Ok(html)
}

fn picture(figure: &Figure) -> Result<String> {
    let (width, height) = figure.outer_size();
    Ok(format!(
        "<figure><img width=\"{width}\" height=\"{height}\" alt=\"{}\" src=\"{}\"></figure>\n",
        escape(&format!("{}. {}", figure.title, figure.subtitle)),
        data_address(&figure.png()?)
    ))
}
