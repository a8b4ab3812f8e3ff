//! One table of the report.

use std::path::Path;

use serde_json::Value;

use super::embed;
use super::html::{escape, facts, for_people, grouped, script_json};
use crate::base::Result;
use crate::base::machine::human_bytes;
use crate::base::numbers::counted;
use crate::base::shell::quoted_path;
use crate::game::Game;
use crate::game::theory::regularity::Regularity;
use crate::plot::{
    Figure, Sequence, Slice, count_values, data_address, growth_of_maximum, heat_map, proved_period,
    value_histogram,
};
use crate::rules::OctalGame;
use crate::space::{SortedHeaps, Space};
use crate::table::{Manifest, Positions, Progress, Reader, Standing, State, Width, progress};

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
            time: for_people(manifest.seconds),
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

/// "minnie, 4 heaps of at most 200": the game, its own parameters, and the size.
fn describe(manifest: &Manifest) -> String {
    let spec = &manifest.spec;
    let title = match spec.contents() {
        Ok((game, Positions::Heaps(_))) => game.caption(),
        Ok((game, _)) => game.title(),
        Err(_) => spec.game.clone(),
    };
    let parameter = |name: &str| spec.parameters.get(name).and_then(Value::as_u64);
    let own = spec.parameters.iter().filter(|(name, _)| {
        !["heaps", "max", "misere", "code", "smallest", "rule", "rows", "cols"].contains(&name.as_str())
    });
    let mut text = own.fold(title, |text, (name, value)| match value {
        Value::Bool(false) => text,
        Value::Bool(true) => format!("{text}, {name}"),
        Value::String(value) => format!("{text}, {name} {value}"),
        other => format!("{text}, {name} {other}"),
    });
    if let (Some(heaps), Some(max)) = (parameter("heaps"), parameter("max")) {
        text += &format!(", {} of at most {}", counted(heaps, "heap"), grouped(max));
    }
    if let Some(smallest) = parameter("smallest") {
        text += &format!(", the smallest of at most {smallest}");
    }
    if let (Some(rows), Some(cols)) = (parameter("rows"), parameter("cols")) {
        text += &format!(", {rows} by {cols} squares");
    }
    text
}

/// What a fact of the manifest is called.
fn fact(name: &str) -> String {
    match name {
        "p_positions" => "P-positions".into(),
        "all_p_positions" => "P-positions, with empty heaps".into(),
        "max_value" => "largest value".into(),
        "max_at" => "largest value at".into(),
        "value_sum" => "sum of all values".into(),
        "zeros" => "values 0".into(),
        "rare_mask" => "mask of rare values".into(),
        "rare_count" => "rare heaps".into(),
        "last_rare" => "last rare heap".into(),
        other => other.replace('_', " "),
    }
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
    let unit = match manifest.width {
        Width::Bit => "one bit",
        Width::U8 => "one byte",
        Width::U16 => "two bytes",
    };
    let mut lines = vec![
        ("game".to_string(), describe(manifest)),
        ("holds".into(), format!("{} {quantity} of {} each, {size}", grouped(spec.entries), unit)),
        ("index".into(), format!("{}: {}", spec.index.scheme, spec.index.formula)),
    ];
    lines.push((
        "state".into(),
        match manifest.state {
            State::Complete => format!(
                "complete, {} on {}",
                for_people(manifest.seconds),
                counted(manifest.threads as u64, "thread")
            ),
            State::Partial => format!(
                "partial: {} of {} {} after {}; the same solve command resumes",
                grouped(progress.waves_done),
                grouped(spec.waves),
                spec.steps(),
                for_people(progress.seconds)
            ),
        },
    ));
    if manifest.state == State::Complete && manifest.seconds > 0.0 {
        let rate = spec.entries as f64 / manifest.seconds;
        lines.push(("speed".into(), format!("{} entries per second", in_words(rate))));
    }
    // The picture of the histogram says it better than its numbers do.
    for (name, value) in manifest.results.iter().filter(|(name, _)| *name != "histogram") {
        let text = match value {
            Value::Null => continue,
            Value::String(text) => text.clone(),
            other => other.as_u64().map_or_else(|| other.to_string(), grouped),
        };
        lines.push((fact(name), text));
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

/// "1.6 million".
fn in_words(number: f64) -> String {
    match number {
        ..1e3 => format!("{number:.0}"),
        ..1e6 => format!("{:.0} thousand", number / 1e3),
        ..1e9 => format!("{:.1} million", number / 1e6),
        ..1e12 => format!("{:.1} billion", number / 1e9),
        _ => format!("{:.1} trillion", number / 1e12),
    }
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
            "<tr><td data-label=\"kind\">{}</td><td data-label=\"verdict\" class=\"{}\">{}</td><td data-label=\"entries\">{:.2}%</td>\
             <td data-label=\"how\">{}</td><td data-label=\"time\">{}</td><td data-label=\"when\">{}</td></tr>\n",
            escape(&check.kind),
            if check.verdict == "passed" { "good" } else { "bad" },
            escape(&format!("{}{failure}", check.verdict)),
            100.0 * check.coverage,
            escape(&check.method),
            for_people(check.seconds),
            escape(&check.date),
        );
    }
    format!(
        "<h3>Verification</h3>\n{open}<div class=\"scroll\"><table class=\"cards\">\n<thead><tr><th>kind</th><th>verdict</th><th>entries</th><th>how</th>\
         <th>time</th><th>when</th></tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n"
    )
}

/// Pictures and interactive parts of a finished table.
fn content(folder: &Path, id: &str, bytes: u64) -> Result<String> {
    let reader = Reader::open(folder)?;
    let (game, positions) = reader.contents()?;
    let mut html = String::new();
    if let Positions::Line = positions {
        return sequence_content(&reader, &reader.sequence()?, id, bytes);
    }
    if let Positions::Heaps(space) = positions {
        let slices = if space.heaps() >= 2 { worth_seeing(&reader, &space, &game)? } else { Vec::new() };
        let browsed = embed::heap_table(&reader, &game, &space, bytes)?;
        // What the browser of slices begins with needs no picture beside it.
        let mut pictured = &slices[..];
        if let (Some(mut data), Some((first, rest))) = (browsed, slices.split_first()) {
            let held = data["max"].as_u64().unwrap_or(0);
            if first.fixed.iter().all(|&heap| u64::from(heap) <= held) {
                data["fixed"] = first.fixed.clone().into();
                pictured = rest;
            }
            html += &slice_browser(&data, id);
        }
        for slice in pictured {
            html += &picture(&heat_map(slice, None))?;
        }
    }
    if !reader.manifest().width.is_bit() {
        let counts = value_counts(&reader)?;
        html += &picture(&value_histogram(&describe(reader.manifest()), &counts, "positions", None))?;
    }
    Ok(html)
}

/// The slices of the pictures, at most two: of small fixed heaps and of some of a quarter of the largest heap
/// those with the most to see. In minnie, for instance, larger fixed heaps leave no P-position.
pub fn worth_seeing(reader: &Reader, space: &SortedHeaps, game: &Game) -> Result<Vec<Slice>> {
    let (rest, max) = (space.heaps() as u32 - 2, space.max().min(space.smallest()));
    let quarter = max.min(LARGEST_IN_PICTURE) / 4;
    let spread = |first: u32, by: u32| (0..rest).map(|i| (first + by * i).min(max)).collect::<Vec<_>>();
    let mut choices: Vec<Vec<u32>> =
        [(4, 2), (quarter, 1), (3, 1), (2, 1), (1, 1)].map(|(a, b)| spread(a, b)).into();
    let mut seen = std::collections::HashSet::new();
    choices.retain(|fixed| seen.insert(fixed.clone()));
    let slice = |fixed: &Vec<u32>| Slice::of_table(reader, space, fixed, Some(LARGEST_IN_PICTURE), game);
    let mut slices = choices.iter().map(slice).collect::<Result<Vec<_>>>()?;
    // Stable: of slices with about as much to see, the first one.
    slices.sort_by_key(|slice| std::cmp::Reverse(interest(slice)));
    slices.truncate(2);
    if slices.iter().any(|slice| interest(slice) > 0) {
        slices.retain(|slice| interest(slice) > 0);
    }
    Ok(slices)
}

/// How much there is to see in a slice, from 0 (one colour) to 8, in coarse steps: of outcomes the share of the
/// rarer one, of values how many there are.
fn interest(slice: &Slice) -> u32 {
    let present: Vec<u16> = slice.entries.iter().copied().flatten().collect();
    let Some(&first) = present.first() else { return 0 };
    if slice.outcomes {
        let p = present.iter().filter(|&&entry| entry == 1).count();
        let rarer = p.min(present.len() - p);
        return (rarer * slice.side / present.len().max(1)).min(8) as u32;
    }
    let values = present.iter().collect::<std::collections::HashSet<_>>().len();
    if present.iter().all(|&entry| entry == first) { 0 } else { values.ilog2().min(8) }
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
    let value = |n: u64| (reader.holds(n) && is_position(n)).then(|| entries.value(n));
    Ok(count_values(&Sequence {
        name: game.name(),
        of: "a position",
        outcomes: false,
        period: None,
        from: 0,
        terms: entries.len,
        value: &value,
    }))
}

fn sequence_content(reader: &Reader, game: &OctalGame, id: &str, bytes: u64) -> Result<String> {
    let entries = reader.entries()?;
    let name = &game.full_name();
    let sequence = &Sequence {
        name,
        of: "a heap of n",
        outcomes: false,
        period: proved_period(game, entries.len, &|n| entries.value(n)),
        from: 0,
        terms: entries.len,
        value: &|n| Some(entries.value(n)),
    };
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
    let proved = sequence.period.map_or(String::new(), |Regularity { drift, theorem }| {
        format!("<p class=\"good\">Proved ({}): {}.</p>\n", theorem.name(), drift.describe())
    });
    let mut html = format!(
        "<h3>Sequence</h3>\n{proved}<div class=\"tool\" id=\"{id}-sequence\">\n<p class=\"note\">Zoom with the wheel, the buttons or the \
         keys + and -; drag or use the arrow keys to move. {}</p>\n<noscript>The plot needs JavaScript.</noscript>\n</div>\n\
         <script type=\"application/json\" data-part=\"sequence\" data-for=\"{id}-sequence\">{}</script>\n",
        escape(&extent),
        script_json(&data)
    );
    html += &picture(&value_histogram(name, &counts, "heaps", None))?;
    html += &picture(&growth_of_maximum(sequence, None))?;
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
