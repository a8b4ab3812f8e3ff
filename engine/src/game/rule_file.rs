//! Files of rules with names: games that are used like those of the catalogue.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde::Deserialize;

use super::{Entry, EntryKind, Game, register};
use crate::base::{Error, Result, files};
use crate::rules::notation::rule::{LONGEST, Rule};

/// A rule with a name.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedRule {
    /// What the game is called: small letters, digits and hyphens.
    pub name: String,
    /// Where it comes from.
    #[serde(default)]
    pub source: String,
    /// What a move is, in the language of docs/RULES.md.
    pub rule: String,
    /// What else there is to say.
    #[serde(default)]
    pub note: String,
    /// The game of the catalogue that has the same moves, as the command line names it.
    #[serde(default)]
    pub game: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleFile {
    rule: Vec<NamedRule>,
}

/// The file whose rules were registered in this process.
static REGISTERED: OnceLock<PathBuf> = OnceLock::new();

/// The file whose rules were registered in this process, if one was: programs that it starts need it as well.
pub fn registered() -> Option<&'static Path> {
    REGISTERED.get().map(PathBuf::as_path)
}

/// The rules of the file at `path`, each of them checked.
pub fn read(path: &Path) -> Result<Vec<NamedRule>> {
    /// Ten thousand rules of the greatest length.
    const LARGEST: u64 = 10_000 * (LONGEST as u64 + 200);
    let text = files::read_text(path, LARGEST).map_err(Error::io("cannot read", path))?;
    parse(&text).map_err(|problem| Error::Usage(format!("{}: {problem}", path.display())))
}

/// The rules of a file's text, each of them checked; or what is wrong.
pub fn parse(text: &str) -> Result<Vec<NamedRule>, String> {
    let file: RuleFile = toml::from_str(text).map_err(|error| {
        format!(
            "{}\nwrite [[rule]] tables with name, source, rule and note, as in data/rules",
            error.to_string().trim_end()
        )
    })?;
    for (i, NamedRule { name, rule, .. }) in file.rule.iter().enumerate() {
        let letter = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
        if name.is_empty()
            || name.len() > 60
            || !name.starts_with(|c: char| c.is_ascii_lowercase())
            || !name.chars().all(letter)
        {
            return Err(format!(
                "the name {name:?}: write small letters, digits and hyphens, such as my-game"
            ));
        }
        if file.rule[..i].iter().any(|earlier| earlier.name == *name) {
            return Err(format!("two rules are called '{name}'; choose another name for one of them"));
        }
        Rule::parse(rule).map_err(|error| format!("rule '{name}': {error}"))?;
    }
    Ok(file.rule)
}

/// The rule of a game: the one that somebody has written, or the one that data/rules has for a game of the
/// catalogue.
pub fn of_game(game: &Game) -> Option<Rule> {
    static CATALOGUE: OnceLock<Vec<NamedRule>> = OnceLock::new();
    if let Some(written) = game.on_heaps().ok().and_then(|heaps| heaps.written.as_ref()) {
        return Some(written.rule().clone());
    }
    let rules = CATALOGUE
        .get_or_init(|| parse(include_str!("../../../data/rules/catalogue.toml")).unwrap_or_default());
    let words = game.words();
    let same = rules.iter().find(|rule| rule.game.as_deref() == Some(&words))?;
    Rule::parse(&same.rule).ok()
}

/// Makes the rules of the file at `path` games of this process.
pub fn register_all(path: &Path) -> Result<()> {
    let absolute = std::path::absolute(path).map_err(Error::io("cannot open", path))?;
    for NamedRule { name, source, rule, note, .. } in read(path)? {
        // A game is there as long as the process is.
        let leaked = |text: String| -> &'static str { Box::leak(text.into_boxed_str()) };
        let moves = if note.is_empty() { rule.clone() } else { format!("{rule} ({note})") };
        let entry = Entry {
            name: leaked(name),
            source: leaked(source),
            moves: leaked(moves),
            parameters: &[],
            example: ("", "3 5"),
            kind: EntryKind::Written(leaked(rule)),
        };
        register(Box::leak(Box::new(entry)))
            .map_err(|error| Error::Usage(format!("{}: {error}", path.display())))?;
    }
    let _ = REGISTERED.set(absolute);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_of_a_file_are_said_with_the_place() {
        for (text, words) in [
            ("[[rule]]\nname = 'a'", "missing field `rule`"),
            ("[[rule]]\nname = 'a'\nrule = 'take s from one heap'\nnot = ''", "unknown field"),
            ("[[rule]]\nname = 'A b'\nrule = 'take s from one heap'", "small letters"),
            ("[[rule]]\nname = 'a'\nrule = 'take s from one heap where s <= mim'", "did you mean 'min'?"),
            (
                "[[rule]]\nname = 'a'\nrule = 'take s from one heap'\n[[rule]]\nname = 'a'\nrule = 'take s from one heap'",
                "two rules",
            ),
            ("rule = 3", "[[rule]]"),
        ] {
            let problem = parse(text).unwrap_err();
            assert!(problem.contains(words), "{text}: {problem}");
        }
    }
}
