//! What is said of a finished table, whatever it holds.

use std::path::Path;

use serde_json::{Value, json};

use super::numbers;
use crate::base::numbers::counted;
use crate::base::shell::quoted_path;
use crate::table::{Manifest, Positions};

/// The JSON of a finished table.
pub fn summary(manifest: &Manifest) -> Value {
    let spec = &manifest.spec;
    let mut object = json!({
        "game": spec.game,
        "parameters": spec.parameters,
        "quantity": spec.quantity,
        "entries": spec.entries,
        "positions": spec.entries,
        "width": manifest.width,
        "seconds": manifest.seconds,
        "threads": manifest.threads,
        "blake3": manifest.checksums.as_ref().map(|sums| &sums.blake3),
    });
    // Of heaps, these say how many entries are positions.
    for (name, value) in &manifest.results {
        object[name] = value.clone();
    }
    match spec.contents() {
        Ok((_, Positions::Line)) => {
            object["code"] = json!(spec.parameters.get("code"));
            object["terms"] = json!(spec.entries);
        }
        Ok((_, Positions::Grid(grid))) => {
            object["rows"] = grid.rows().into();
            object["cols"] = grid.cols().into();
            object["cutter"] = json!(spec.parameters.get("cutter"));
            object["outcome"] = outcome(&object["value"]).into();
            // Every position of the table is solved.
            object["parts"] = spec.entries.into();
        }
        Ok((_, Positions::Heaps(_))) | Err(_) => {}
    }
    object
}

fn outcome(value: &Value) -> &'static str {
    if *value == 0 { "P" } else { "N" }
}

/// The same for people.
pub fn describe(manifest: &Manifest, out: Option<&Path>) -> String {
    let object = summary(manifest);
    let mut text = match manifest.spec.contents() {
        Ok((_, Positions::Line)) => sequence(manifest, &object),
        Ok((_, Positions::Grid(_))) => boards(manifest, &object),
        Ok((_, Positions::Heaps(_))) | Err(_) => heaps(manifest),
    };
    if let Some(sums) = &manifest.checksums {
        text += &format!("BLAKE3 {}\n", sums.blake3);
    }
    text + &match out {
        Some(out) => {
            let path = quoted_path(out);
            format!("table in {}; prove it right with: nimwave verify {path} --full\n", out.display())
        }
        None => "the table was in memory only; keep it with --out DIR\n".into(),
    }
}

/// "in 0.25 s (1.2e9 positions/s, 2 threads)".
fn pace(manifest: &Manifest, unit: &str) -> String {
    format!(
        "in {:.2} s ({} {unit}/s, {})",
        manifest.seconds,
        numbers::rate(manifest.spec.entries as f64 / manifest.seconds.max(1e-9)),
        counted(manifest.threads as u64, "thread")
    )
}

fn heaps(manifest: &Manifest) -> String {
    let spec = &manifest.spec;
    let parameter = |name: &str| spec.parameters.get(name).map_or_else(|| "?".into(), Value::to_string);
    let count = |name: &str| manifest.results.get(name).and_then(Value::as_u64).map(numbers::grouped);
    let title = spec.contents().map_or_else(|_| spec.game.clone(), |(game, _)| game.title());
    let heaps = parameter("heaps");
    let several = if heaps == "1" { "heap" } else { "heaps" };
    let positions = manifest.results.get("positions").and_then(Value::as_u64).unwrap_or(spec.entries);
    let smallest = spec.parameters.get("smallest");
    let smallest = smallest.map_or(String::new(), |m| format!(", the smallest of at most {m}"));
    let mut text = format!(
        "{title}, {heaps} {several} of at most {}{smallest}: {} {}\n",
        parameter("max"),
        counted(positions, "position"),
        pace(manifest, "entries")
    );
    if let Some(p) = count("p_positions") {
        let all =
            count("all_p_positions").map_or(String::new(), |all| format!(", with absent heaps too: {all}"));
        text += &format!("P-positions with {heaps} non-empty {several}: {p}{all}\n");
    }
    if let (Some(max), Some(sum)) = (count("max_value"), count("value_sum")) {
        text += &format!("largest value {max}, sum of all values {sum}\n");
    }
    text
}

fn sequence(manifest: &Manifest, object: &Value) -> String {
    let zeros = object["zeros"].as_u64().unwrap_or(0);
    let text = format!(
        "{}: {} {}, largest value {} at {}, {}\n",
        object["code"].as_str().unwrap_or("?"),
        counted(manifest.spec.entries, "term"),
        pace(manifest, "terms"),
        number(object, "max_value"),
        number(object, "max_at"),
        counted(zeros, "zero"),
    );
    text + &rare_line(object).map_or(String::new(), |line| line + "\n")
}

fn boards(manifest: &Manifest, object: &Value) -> String {
    format!(
        "all {} subsets of the {}x{} board, cutter {}: {}\n\
         full board: value {}, {}-position\n\
         P-positions (the empty board counted): {}; largest value {}, first at board number {}\n\
         positions by value 0, 1, 2, ...: {}\n",
        numbers::grouped(manifest.spec.entries),
        object["rows"],
        object["cols"],
        object["cutter"].as_str().unwrap_or("?"),
        pace(manifest, "positions"),
        object["value"],
        outcome(&object["value"]),
        number(object, "p_positions"),
        object["max_value"],
        object["max_at"],
        object["histogram"],
    )
}

/// The number of that name, for people.
pub fn number(object: &Value, name: &str) -> String {
    object[name].as_u64().map_or_else(|| "-".into(), numbers::grouped)
}

/// The rare values that the engine found, as a line for people.
pub fn rare_line(object: &Value) -> Option<String> {
    let mask = object["rare_mask"].as_u64()?;
    let (count, last) = (number(object, "rare_count"), number(object, "last_rare"));
    Some(format!("rare mask {mask} ({mask:#b}), {count} rare heaps, the last {last}"))
}
