//! The names that a text uses without saying what they are: the constants of a family of rules.

use super::RuleError;
use super::lexer::{Token, tokens};
use super::parser::RESERVED;

/// The names that `text` uses and does not bind, in the order of their first use.
pub fn free_names(text: &str) -> Result<Vec<String>, RuleError> {
    let (mut bound, mut used): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    // Whether the next names are bound: all of a list after `take` and `into`, one after `some` and `every`.
    let (mut binds, mut only_one) = (false, false);
    let mut before = String::new();
    for (token, _) in tokens(text)? {
        match token {
            // `split a heap`, `is a power of 2`.
            Token::Word(word) if word == "a" && ["split", "is"].contains(&before.as_str()) => before = word,
            Token::Word(word) => {
                match word.as_str() {
                    "take" | "into" => (binds, only_one) = (true, false),
                    "some" | "every" => (binds, only_one) = (true, true),
                    "and" | "new" | "other" => {}
                    word if RESERVED.contains(&word) => binds = false,
                    _ if binds => {
                        bound.push(word.clone());
                        binds = !only_one;
                    }
                    _ => used.push(word.clone()),
                }
                before = word;
            }
            Token::Sign(",") => {}
            _ => binds = false,
        }
    }
    let mut free: Vec<String> = Vec::new();
    for name in used {
        if !bound.contains(&name) && !free.contains(&name) {
            free.push(name);
        }
    }
    Ok(free)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_the_names_that_nothing_binds() {
        for (text, names) in [
            ("take s from one heap where s <= a*min + b", "a b"),
            ("take s and t from two heaps where |s - t| < a", "a"),
            ("split a heap into b, c where b - c != a", "a"),
            ("take s from one heap where s is a power of 2 or s = a", "a"),
            ("take s from one heap, split the rest into x, y where s <= lots", "lots"),
            ("take s from one heap where some other x: x divides s + k and every new y: y > m", "k m"),
            ("take s from one heap where s in {a, 2*a, b}", "a b"),
            ("take s from one or two heaps where s <= min", ""),
            ("take s from one heap where s <= a, positions where every x: x % m != r", "a m r"),
        ] {
            assert_eq!(free_names(text).unwrap().join(" "), names, "{text}");
        }
        assert!(free_names("take s from one heap where s ^ 2 = 4").is_err());
    }
}
