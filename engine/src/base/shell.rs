//! Commands that people copy from a message into their shell.

use std::path::Path;

/// `word` as a POSIX shell reads it back: in quotes where it has to be.
pub fn quoted(word: &str) -> String {
    let plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./=,:+%@^".contains(c));
    if plain && !word.is_empty() { word.into() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

/// A path as an argument: in quotes where it has to be, and never taken for an option.
pub fn quoted_path(path: &Path) -> String {
    let text = path.to_string_lossy();
    quoted(&if text.starts_with('-') { format!("./{text}") } else { text.into_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_back_as_they_were() {
        for (word, expected) in [
            ("m4", "m4"),
            ("my table", "'my table'"),
            ("it's", r"'it'\''s'"),
            ("", "''"),
            ("[5,8]", "'[5,8]'"),
        ] {
            assert_eq!(quoted(word), expected);
        }
        assert_eq!(quoted_path(Path::new("-t")), "./-t");
    }
}
