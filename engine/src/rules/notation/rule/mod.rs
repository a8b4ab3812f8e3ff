//! Rules as people write them: `take s from one heap where s <= min`. docs/RULES.md defines the language.
//!
//! The text is read once: [`Rule::parse`] gives a checked tree. Every number in it has a range that was
//! worked out, so that nothing can overflow and nothing is divided by zero, and every name is bound. Moves
//! only take counters or split heaps, by the grammar, so that every game ends.

mod claim;
mod error;
mod formula;
mod free;
mod lexer;
mod linear;
mod never;
mod numbers;
mod parser;
mod range;
mod show;
mod tree;

pub use claim::{Claim, Outcome};
pub use error::RuleError;
pub use free::free_names;
pub use linear::Linear;
pub use range::{Range, Ranges};
pub use tree::{
    Clause, Comparison, Condition, Expr, Mentions, Moved, Operator, Quantity, Rule, Scope, Set, Slot,
};

use std::collections::BTreeMap;
use std::str::FromStr;

/// The longest text of a rule, in bytes.
pub const LONGEST: usize = 1000;
/// The largest number that can be written.
pub const LARGEST_NUMBER: i64 = 1_000_000_000;
/// The most names that a clause binds: numbers taken, parts, and heaps of `some` and `every`.
pub const SLOTS: usize = 12;
/// How many `some` and `every` may be nested: each of them goes through all heaps.
const MOST_QUANTIFIERS: usize = 3;
/// The most heaps of a position.
pub const MOST_HEAPS: usize = 1 << 16;

/// Numbers that stand for names which the text uses but does not bind, such as `a` in `s <= a*min`.
pub type Constants = BTreeMap<String, i64>;

impl Rule {
    /// The rule that `text` says, or what is wrong with it, where, and what would be right.
    pub fn parse(text: &str) -> Result<Self, RuleError> {
        Self::parse_with(text, &Constants::new())
    }

    /// The rule that `text` says when the names of `constants` are those numbers: one rule of a family.
    pub fn parse_with(text: &str, constants: &Constants) -> Result<Self, RuleError> {
        parser::parse(text, constants)
    }
}

impl FromStr for Rule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        Self::parse(text)
    }
}

#[cfg(test)]
mod tests;
