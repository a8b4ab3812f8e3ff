//! Text from outside on a terminal: names of files, fields of manifests and of job files may hold control
//! characters, by which a terminal would clear its screen, change its title or hide what it shows.

use std::borrow::Cow;

/// Whether a terminal may act on this character instead of showing it: control characters, and those that
/// change the direction of what follows. Line feeds and tabs are as meant.
fn acts(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t')
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text with every character that a terminal could act on written as an escape, such as `\u{1b}`.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(acts) {
        return Cow::Borrowed(text);
    }
    let escaped = |c: char| if acts(c) { c.escape_unicode().to_string() } else { c.to_string() };
    Cow::Owned(text.chars().map(escaped).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_escapes_are_shown_and_not_obeyed() {
        assert_eq!(printable("a\u{1b}[2Jb\u{9b}1m\rc\u{202e}d"), "a\\u{1b}[2Jb\\u{9b}1m\\u{d}c\\u{202e}d");
        let plain = "misère 2^30,\tline\nline [4,6]";
        assert!(matches!(printable(plain), Cow::Borrowed(same) if same == plain));
    }
}
