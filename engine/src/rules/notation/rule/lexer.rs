//! The words, numbers and signs of a rule, with their places.

use std::ops::Range;

use super::error::RuleError;
use super::{LARGEST_NUMBER, LONGEST};

/// A word, a number or a sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token {
    /// A word, in small letters.
    Word(String),
    /// A whole number.
    Number(i64),
    /// A sign, such as `<=`.
    Sign(&'static str),
    /// The end of the text.
    End,
}

impl Token {
    /// How a message names it.
    pub fn name(&self) -> String {
        match self {
            Self::Word(word) => format!("'{word}'"),
            Self::Number(number) => format!("'{number}'"),
            Self::Sign(sign) => format!("'{sign}'"),
            Self::End => "the end of the rule".into(),
        }
    }
}

/// Signs, the longer ones first, each with the one that it means.
const SIGNS: [(&str, &str); 26] = [
    ("<=", "<="),
    (">=", ">="),
    ("!=", "!="),
    ("<>", "!="),
    ("==", "="),
    ("≤", "<="),
    ("≥", ">="),
    ("≠", "!="),
    ("−", "-"),
    ("·", "*"),
    ("<", "<"),
    (">", ">"),
    ("=", "="),
    ("+", "+"),
    ("-", "-"),
    ("*", "*"),
    ("/", "/"),
    ("%", "%"),
    ("(", "("),
    (")", ")"),
    ("{", "{"),
    ("}", "}"),
    ("|", "|"),
    (",", ","),
    (":", ":"),
    (";", ","),
];

/// The tokens of `text` with their places, the end of the text as the last one.
pub fn tokens(text: &str) -> Result<Vec<(Token, Range<usize>)>, RuleError> {
    let error = |span: Range<usize>, message: String, remedy: &str| RuleError {
        what: "rule",
        text: text.to_string(),
        span,
        message,
        remedy: remedy.into(),
    };
    if text.len() > LONGEST {
        let message = format!("the text has {} bytes, and the limit is {LONGEST}", text.len());
        let end = (0..=LONGEST).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
        return Err(RuleError {
            what: "rule",
            text: text[..end].to_string(),
            span: end..end,
            message,
            remedy: "shorten it".into(),
        });
    }
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(letter) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = |belongs: fn(char) -> bool| rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        let (token, length) = if letter.is_whitespace() {
            at += letter.len_utf8();
            continue;
        } else if letter.is_ascii_digit() {
            let digits = length(|c| c.is_ascii_digit());
            let number = rest[..digits].parse().ok().filter(|&number| number <= LARGEST_NUMBER);
            let number = number.ok_or_else(|| {
                error(at..at + digits, "this number is too large".into(), "numbers go up to 1000000000")
            })?;
            (Token::Number(number), digits)
        } else if letter.is_ascii_alphabetic() {
            let letters = length(|c| c.is_ascii_alphanumeric() || c == '_');
            (Token::Word(rest[..letters].to_ascii_lowercase()), letters)
        } else if let Some((sign, meant)) = SIGNS.into_iter().find(|(sign, _)| rest.starts_with(sign)) {
            (Token::Sign(meant), sign.len())
        } else {
            let remedy = match letter {
                '^' => "write x*x for a square, and `xor` for the nim-sum of the heaps",
                '&' => "write `and`",
                '!' => "write `not`",
                '[' | ']' => "write a set of numbers in braces, such as {1, 3, 4}",
                _ => "conditions have the signs + - * / % = != < <= > >= ( ) { } | | and words",
            };
            let span = at..at + letter.len_utf8();
            return Err(error(span, format!("'{}' means nothing here", letter.escape_debug()), remedy));
        };
        tokens.push((token, at..at + length));
        at += length;
    }
    tokens.push((Token::End, text.len()..text.len()));
    Ok(tokens)
}
