//! The report: one HTML file that shows batches and tables, how they were made and verified, pictures, and
//! two interactive parts.
//!
//! The page needs no network and no other file. Everything that comes from a manifest is escaped. Data for
//! the interactive parts are embedded up to a stated size: of a larger heap table the part with smaller
//! heaps, of a longer sequence its beginning and the density of the rest.

mod embed;
mod html;
mod night;
mod section;
mod words;

use std::path::{Path, PathBuf};

use crate::base::numbers::counted;
use crate::base::{Error, Result};
use crate::table::now;
pub use html::escape;
use html::{for_people, grouped};
use night::Night;
use section::Section;
pub use section::{value_counts, worth_seeing};

/// The style of all pages.
pub const STYLE: &str = include_str!("assets/style.css");

/// What a report shows.
#[derive(Debug, Clone)]
pub struct ReportOptions {
    /// The heading of the page.
    pub title: String,
    /// Bytes of data in the page, for all interactive parts together (before they are written as text, which
    /// takes a third more).
    pub embed: u64,
}

impl Default for ReportOptions {
    fn default() -> Self {
        Self { title: "nimwave report".into(), embed: 3 << 20 }
    }
}

/// A report.
#[derive(Debug, Clone)]
pub struct Report {
    /// The page.
    pub html: String,
    /// How many tables it shows.
    pub tables: usize,
    /// How many jobs of batches it shows.
    pub jobs: usize,
    /// What is wrong with them: damage, failed verifications and jobs that did not end well.
    pub problems: Vec<String>,
}

/// Makes the report of `folders`: each is a table, a folder that holds tables, or the output folder of a
/// batch.
pub fn report(folders: &[PathBuf], options: &ReportOptions) -> Result<Report> {
    let mut nights = Vec::new();
    for (number, folder) in folders.iter().enumerate() {
        nights.extend(Night::of_folder(folder, number)?);
    }
    let tables = find_tables(folders)?;
    let share = options.embed / tables.len().max(1) as u64;
    let sections: Vec<Section> =
        tables.iter().enumerate().map(|(i, folder)| Section::new(folder, i, share)).collect::<Result<_>>()?;
    let problems = nights.iter().flat_map(|night| &night.problems);
    let problems = problems.chain(sections.iter().flat_map(|section| &section.problems)).cloned().collect();
    Ok(Report {
        html: page(&nights, &sections, options),
        tables: tables.len(),
        jobs: nights.iter().map(|night| night.jobs).sum(),
        problems,
    })
}

/// The tables of each folder: itself, or its subfolders in the order of their names.
fn find_tables(folders: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let is_table = |folder: &Path| folder.join("manifest.json").is_file();
    let mut tables: Vec<PathBuf> = Vec::new();
    for folder in folders {
        if is_table(folder) {
            tables.push(folder.clone());
            continue;
        }
        let entries = std::fs::read_dir(folder).map_err(Error::io("cannot read", folder))?;
        let mut inside: Vec<PathBuf> =
            entries.flatten().map(|entry| entry.path()).filter(|path| is_table(path)).collect();
        if inside.is_empty() && !folder.join(crate::batch::BATCH_FILE).is_file() {
            return Err(Error::Mismatch {
                path: folder.clone(),
                problem: "neither a nimwave table, nor a folder that holds some, nor one of a batch".into(),
                remedy: "give the folder that `solve --out` or `batch` made, or the one above".into(),
            });
        }
        inside.sort();
        tables.append(&mut inside);
    }
    let mut seen = std::collections::HashSet::new();
    tables.retain(|table| seen.insert(table.canonicalize().unwrap_or_else(|_| table.clone())));
    Ok(tables)
}

fn page(nights: &[Night], sections: &[Section], options: &ReportOptions) -> String {
    let entries: u64 = sections.iter().map(|section| section.entries).sum();
    let seconds: f64 = sections.iter().map(|section| section.seconds).sum();
    let mut rows = String::new();
    for section in sections {
        rows += &format!(
            "<tr><td data-label=\"table\"><a href=\"#{}\">{}</a></td><td data-label=\"game\">{}</td>\
             <td data-label=\"entries\">{}</td><td data-label=\"time\">{}</td>\
             <td data-label=\"verified\" class=\"{}\">{}</td></tr>\n",
            section.id,
            escape(&section.name),
            escape(&section.what),
            grouped(section.entries),
            escape(&section.time),
            if section.good { "good" } else { "bad" },
            escape(&section.verdict)
        );
    }
    let overview = if sections.is_empty() {
        String::new()
    } else {
        format!(
            "<div class=\"scroll\"><table class=\"cards\">\n<thead><tr><th>table</th><th>game</th><th>entries</th><th>time</th>\
             <th>verified</th></tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n"
        )
    };
    let contents = contents(nights, sections);
    let nights: String = nights.iter().map(|night| night.html.as_str()).collect();
    let bodies: String = sections.iter().map(|section| section.html.as_str()).collect();
    let title = escape(&options.title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n\
         <p class=\"note\">Made by nimwave {} on {}. {}, {} entries, {} of computing.</p>\n{contents}</header>\n<main>\n\
         {nights}{overview}{bodies}</main>\n\
         <script>\n{}{}{}{}{}</script>\n</body>\n</html>\n",
        env!("CARGO_PKG_VERSION"),
        escape(&now()),
        counted(sections.len() as u64, "table"),
        grouped(entries),
        for_people(seconds),
        include_str!("assets/common.js"),
        include_str!("assets/rules.js"),
        include_str!("assets/slices.js"),
        include_str!("assets/sequence.js"),
        include_str!("assets/start.js"),
    )
}

/// Links to the parts of a page that has several.
fn contents(nights: &[Night], sections: &[Section]) -> String {
    if nights.len() + sections.len() < 2 {
        return String::new();
    }
    let link = |id: &str, name: &str| format!("<li><a href=\"#{id}\">{}</a></li>\n", escape(name));
    let nights = nights.iter().map(|night| link(&night.id, &night.heading));
    let sections =
        sections.iter().map(|section| link(&section.id, &format!("{}: {}", section.name, section.what)));
    format!("<nav aria-label=\"Contents\"><ul>\n{}</ul></nav>\n", nights.chain(sections).collect::<String>())
}
