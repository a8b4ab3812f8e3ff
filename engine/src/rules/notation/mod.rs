//! How people write things: heaps, graphs, octal codes, rule functions, whole rules.

mod graph;
mod octal;
mod octal_names;
mod octal_pattern;
pub mod rule;
pub mod rule_function;

pub use octal_pattern::octal_codes;

/// Heaps as the literature writes them: `[3,5]`.
pub fn show_heaps<T: std::fmt::Display>(heaps: impl IntoIterator<Item = T>) -> String {
    let words: Vec<String> = heaps.into_iter().map(|heap| heap.to_string()).collect();
    format!("[{}]", words.join(","))
}
