//! What stands in brackets in a code: how often a digit stands there, or digits that repeat without end.

use super::digit;
use crate::base::{Error, Result};
use crate::rules::{Digit, MAX_TAKE};

/// The meanings, for error messages.
pub(super) const BRACKETS: &str =
    "0.3[12]7 stands for twelve threes and a seven, 0.7[03] and 0.7[3...] for digits that repeat without end";

/// What stands in brackets.
pub(super) enum Group {
    /// How often the digit before stands there.
    Count(usize),
    /// Digits that repeat without end.
    Block(Vec<Digit>),
}

/// The meaning of a group in brackets. Behind a digit and before others it is a count. A block stands at the end:
/// behind the point, with dots at its end, or where it cannot be a count, because it begins with 0 or has another
/// digit than 0 to 9. Behind a digit and at the end, 12 might be both.
pub(super) fn group(text: &str, inside: &str, after_digit: bool, at_end: bool) -> Result<Group> {
    let dotted = inside.strip_suffix("...").or_else(|| inside.strip_suffix('…'));
    let is_count = after_digit
        && dotted.is_none()
        && !inside.starts_with('0')
        && !inside.is_empty()
        && inside.bytes().all(|byte| byte.is_ascii_digit());
    if is_count && at_end {
        return Err(Error::Usage(format!(
            "\"{text}\" may mean {inside} times the digit before the bracket, or digits that repeat without end; write [{inside}]0 for the first and [{inside}...] for the second"
        )));
    }
    if is_count {
        return match inside.parse() {
            Ok(count @ 1..=MAX_TAKE) => Ok(Group::Count(count)),
            _ => Err(Error::Usage(format!("\"{text}\": a repeat must be between 1 and {MAX_TAKE}"))),
        };
    }
    let digits = dotted.unwrap_or(inside);
    if !at_end || digits.is_empty() {
        return Err(Error::Usage(format!(
            "\"{text}\": a repeat [k] must follow a digit, and digits that repeat without end stand last; {BRACKETS}"
        )));
    }
    let mut block: Vec<Digit> = Vec::new();
    for character in digits.chars() {
        match (character, block.last_mut()) {
            ('!', Some(last)) => last.different = true,
            (character, _) => block.push(Digit { bits: digit(text, character)?, different: false }),
        }
    }
    Ok(Group::Block(block))
}
