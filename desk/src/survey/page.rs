//! A survey as one page: a table whose columns sort, without any other file.

use super::show::{cells, plain};
use super::{Status, Survey};
use crate::base::numbers::grouped;
use crate::report::{STYLE, escape};
use crate::table::now;

/// The page.
pub fn html(survey: &Survey) -> String {
    let mut facts = String::new();
    for (name, value) in survey.definition.as_object().into_iter().flatten() {
        facts += &format!("<dt>{}</dt><dd>{}</dd>\n", escape(name), escape(&plain(value)));
    }
    let mut heads = String::new();
    for column in &survey.columns {
        let class = if column.numeric { " class=\"number\"" } else { "" };
        heads += &format!(
            "<th scope=\"col\"{class}><button type=\"button\">{}</button></th>",
            escape(&column.name)
        );
    }
    let mut rows = String::new();
    for row in &survey.rows {
        rows += "<tr>";
        for (cell, column) in cells(row).iter().zip(&survey.columns) {
            let class = match (column.name.as_str(), row.0.status) {
                ("status", Status::Proved) => " class=\"good\"",
                ("status", Status::Invalid | Status::OutOfTime) => " class=\"bad\"",
                _ if column.long => " class=\"long\"",
                _ if column.numeric => " class=\"number\"",
                _ => "",
            };
            rows += &format!("<td{class}>{}</td>", escape(&plain(cell)));
        }
        rows += "</tr>\n";
    }
    let chosen: String = Status::ALL
        .iter()
        .filter(|&&status| survey.count(status) > 0)
        .map(|&status| {
            let count = grouped(survey.count(status) as u64);
            format!("<option value=\"{}\">{} ({count})</option>", status.name(), status.name())
        })
        .collect();
    let title = escape(&survey.title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Survey: {title}</title>\n\
         <style>\n{STYLE}{}</style>\n</head>\n<body class=\"wide\">\n<header>\n<h1>Survey: {title}</h1>\n\
         <p class=\"note\">Made by nimwave {} on {}. {}.</p>\n<dl>\n{facts}</dl>\n</header>\n<main>\n\
         <div class=\"controls\" hidden><label>Show <select id=\"status\"><option value=\"\">all</option>{chosen}</select></label>\n\
         <label>with <input id=\"words\" type=\"search\" placeholder=\"words\"></label> <output id=\"count\"></output></div>\n\
         <div class=\"scroll\"><table id=\"survey\">\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n</main>\n\
         <script>\n{}</script>\n</body>\n</html>\n",
        include_str!("page.css"),
        env!("CARGO_PKG_VERSION"),
        escape(&now()),
        escape(&survey.summary()),
        include_str!("page.js"),
    )
}
