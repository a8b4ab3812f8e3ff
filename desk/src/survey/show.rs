//! A survey as lines of text, CSV, TSV, JSON and LaTeX.

use serde_json::{Map, Value, json};

use super::{Column, Shown, Status, Survey, page};
use crate::base::numbers::counted;

/// A cell as plain text; nothing for what is not known.
pub fn plain(cell: &Value) -> String {
    match cell {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The cells of a row in the order of [`super::columns`].
pub fn cells((row, alike): &Shown) -> Vec<Value> {
    let mut cells = row.names.clone();
    cells.push(row.status.name().into());
    cells.extend(row.cells.iter().cloned());
    cells.extend([json!(alike), json!(row.seconds)]);
    cells
}

fn line(columns: &[Column], texts: impl Iterator<Item = String>) -> String {
    let shown = columns.iter().zip(texts).filter(|(column, _)| column.width > 0);
    let cells: Vec<String> = shown
        .map(|(column, text)| {
            let width = column.width.max(column.name.chars().count());
            if column.numeric { format!("{text:>width$}") } else { format!("{text:<width$}") }
        })
        .collect();
    cells.join("  ").trim_end().to_string()
}

/// The names of the columns that are shown on the screen.
pub fn heading(columns: &[Column]) -> String {
    line(columns, columns.iter().map(|column| column.name.clone()))
}

impl Survey {
    /// A row on the screen.
    pub fn line(columns: &[Column], shown: &Shown) -> String {
        let mut texts: Vec<String> = cells(shown).iter().map(plain).collect();
        // The last text that is shown also says what is the same.
        if let (Some(other), Some(last)) = (&shown.1, columns.iter().rposition(|column| column.width > 0)) {
            let exact = shown.0.status == Status::Same || shown.0.is_exact();
            let alike = format!("as {other}{}", if exact { "" } else { " up to the bound" });
            let own = std::mem::take(&mut texts[last]);
            texts[last] = match shown.0.status {
                Status::Same => alike,
                _ if own.is_empty() => alike,
                _ => format!("{alike}; {own}"),
            };
        }
        line(columns, texts.into_iter())
    }

    /// "18 games: 11 proved, 7 seen".
    pub fn summary(&self) -> String {
        let counts: Vec<String> = Status::ALL
            .iter()
            .map(|&status| (self.count(status), status.name()))
            .filter(|(count, _)| *count > 0)
            .map(|(count, name)| format!("{count} {name}"))
            .collect();
        let finished = match (self.rows.len() == self.games, self.unfinished) {
            (true, 0) => counted(self.games as u64, "game"),
            (true, unfinished) => {
                format!("{}, {unfinished} of them not to the end", counted(self.games as u64, "game"))
            }
            _ => format!("{} of {} games", self.rows.len(), self.games),
        };
        format!("{finished}: {}", counts.join(", "))
    }

    /// The survey as CSV, with a line of names.
    pub fn csv(&self) -> String {
        csv(self)
    }

    /// The survey as TSV, with a line of names.
    pub fn tsv(&self) -> String {
        tsv(self)
    }

    /// The columns that the screen shows as a `longtable` of LaTeX.
    pub fn latex(&self) -> String {
        latex(self)
    }

    /// The survey as one JSON object.
    pub fn json(&self) -> Value {
        json(self)
    }

    /// The survey as a page that needs no other file.
    pub fn html(&self) -> String {
        page::html(self)
    }
}

/// Lines of comma-separated values, as RFC 4180 wants them but with line feeds alone.
pub fn csv(survey: &Survey) -> String {
    let quoted = |text: String| {
        if text.contains([',', '"', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
    };
    let mut out: String =
        survey.columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>().join(",");
    out.push('\n');
    for row in &survey.rows {
        out += &cells(row).iter().map(plain).map(quoted).collect::<Vec<_>>().join(",");
        out.push('\n');
    }
    out
}

/// Lines of values between tabs; a tab or line feed inside a value becomes a space.
pub fn tsv(survey: &Survey) -> String {
    let line = |texts: &mut dyn Iterator<Item = String>| {
        let plain = |text: String| text.replace(['\t', '\n', '\r'], " ");
        texts.map(plain).collect::<Vec<_>>().join("\t") + "\n"
    };
    let mut out = line(&mut survey.columns.iter().map(|column| column.name.clone()));
    for row in &survey.rows {
        out += &line(&mut cells(row).iter().map(plain));
    }
    out
}

/// A `longtable` of the columns that the screen shows, to be put into a document with that package.
pub fn latex(survey: &Survey) -> String {
    let shown = || survey.columns.iter().filter(|column| column.width > 0);
    let form = |column: &Column| match (column.long, column.numeric) {
        (true, _) => "p{0.3\\textwidth}",
        (_, true) => "r",
        _ => "l",
    };
    let line = |texts: Vec<String>| texts.join(" & ") + " \\\\\n";
    let heads = line(shown().map(|column| escape_latex(&column.name)).collect());
    let mut out = format!(
        "% {}\n\\begin{{longtable}}{{{}}}\n\\hline\n{heads}\\hline\n\\endhead\n",
        survey.title.replace('\n', " "),
        shown().map(form).collect::<String>()
    );
    for row in &survey.rows {
        let all = cells(row);
        let texts = all.iter().zip(&survey.columns).filter(|(_, column)| column.width > 0);
        out += &line(texts.map(|(cell, _)| escape_latex(&plain(cell))).collect());
    }
    out + "\\hline\n\\end{longtable}\n"
}

fn escape_latex(text: &str) -> String {
    let escaped = |c: char| match c {
        '&' | '%' | '$' | '#' | '_' | '{' | '}' => format!("\\{c}"),
        '\\' => "\\textbackslash{}".into(),
        '~' => "\\textasciitilde{}".into(),
        '^' => "\\textasciicircum{}".into(),
        '<' => "$<$".into(),
        '>' => "$>$".into(),
        '|' => "$|$".into(),
        '\n' => " ".into(),
        other => other.to_string(),
    };
    text.chars().map(escaped).collect()
}

/// One object: what was surveyed, how many games have each status, and the rows by the names of columns.
pub fn json(survey: &Survey) -> Value {
    let names = survey.columns.iter().map(|column| column.name.clone());
    let row = |row| Value::Object(names.clone().zip(cells(row)).collect::<Map<_, _>>());
    let count = |status: &Status| (status.name().replace(' ', "_"), json!(survey.count(*status)));
    json!({
        "title": survey.title,
        "survey": survey.definition,
        "columns": names.clone().collect::<Vec<_>>(),
        "games": survey.games,
        "complete": survey.is_complete(),
        "counts": Value::Object(Status::ALL.iter().map(count).collect()),
        "rows": survey.rows.iter().map(row).collect::<Vec<_>>(),
        "seconds": (survey.seconds * 1000.0).round() / 1000.0,
    })
}
