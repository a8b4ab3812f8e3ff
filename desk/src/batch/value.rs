//! Values of a job file, with the lines that they stand on.

use std::borrow::Cow;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A TOML document with its text, so that messages can name lines.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// The file's name, for messages.
    pub name: &'a str,
    /// The file's text.
    pub text: &'a str,
}

impl Source<'_> {
    /// The line, from 1, of a byte.
    pub fn line(&self, byte: usize) -> usize {
        self.text.as_bytes()[..byte.min(self.text.len())].iter().filter(|&&byte| byte == b'\n').count() + 1
    }

    /// `file.toml:12: problem`.
    pub fn at(&self, line: usize, problem: impl std::fmt::Display) -> String {
        format!("{}:{line}: {problem}", self.name)
    }
}

/// One `key = value`.
pub struct Entry<'a> {
    /// The key.
    pub key: &'a str,
    /// Its line.
    pub line: usize,
    /// The value.
    pub value: &'a DeValue<'a>,
    /// The value as it is written.
    raw: Cow<'a, str>,
}

/// The entries of a table in the order of the file.
pub fn entries<'a>(table: &'a DeTable<'a>, source: &Source<'a>) -> Vec<Entry<'a>> {
    let mut all: Vec<(usize, Entry<'a>)> = table
        .iter()
        .map(|(key, value)| {
            let start = key.span().start;
            let entry = Entry {
                key: key.get_ref().as_ref(),
                line: source.line(start),
                value: value.get_ref(),
                raw: raw(value, source),
            };
            (start, entry)
        })
        .collect();
    all.sort_by_key(|(start, _)| *start);
    all.into_iter().map(|(_, entry)| entry).collect()
}

fn raw<'a>(value: &Spanned<DeValue<'_>>, source: &Source<'a>) -> Cow<'a, str> {
    source.text.get(value.span()).unwrap_or_default().trim().into()
}

impl Entry<'_> {
    /// A word: a string, or a number as it is written.
    pub fn word(&self) -> Option<String> {
        match self.value {
            DeValue::String(text) => Some(text.to_string()),
            DeValue::Integer(_) | DeValue::Float(_) => Some(self.raw.to_string()),
            _ => None,
        }
    }

    /// A list of words; a single word is a list of one.
    pub fn words(&self, source: &Source<'_>) -> Option<Vec<String>> {
        match self.value {
            DeValue::Array(items) => items
                .iter()
                .map(|item| match item.get_ref() {
                    DeValue::String(text) => Some(text.to_string()),
                    DeValue::Integer(_) | DeValue::Float(_) => Some(raw(item, source).into_owned()),
                    _ => None,
                })
                .collect(),
            _ => self.word().map(|word| vec![word]),
        }
    }
}
