//! From tables to theorems: statements about all heap sizes and all heap counts.
//!
//! The way of a proof: [`learn`] guesses a finite [`Quotient`] from a small table of outcomes,
//! [`finite_check`] proves it or refutes it, [`certificate`] writes and reads it. docs/PROOFS.md has the
//! lemmas and says where in this folder each condition is checked.

pub mod certificate;
pub mod closed_form;
pub mod corollaries;
pub mod count;
pub mod finite_check;
pub mod fixed_heaps;
pub mod learn;
pub mod local_game;
mod octal_outcomes;
pub mod order_games;
pub mod quotient;
pub mod strategy;
pub mod theorem;

pub use certificate::Certificate;
pub use finite_check::{Checked, Refuted, check};
pub use local_game::LocalGame;
pub use quotient::{Class, Letters, Quotient};

/// A quotient or a certificate whose parts do not fit together; the text says how.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Malformed(pub String);

/// The local game of a name and its parameter, or `None` for games without a finite check.
///
/// `octal` takes a code such as `0.123` (codes that split a heap without taking, as `4.7`, are not covered),
/// `subtraction` takes amounts such as `1,3,4`.
pub fn parse_game(name: &str, parameter: Option<&str>) -> crate::Result<Option<LocalGame>> {
    let usage = crate::Error::Usage;
    match (name, parameter) {
        ("minnie", None) => Ok(Some(LocalGame::Minnie)),
        ("nimb", None) => Ok(Some(LocalGame::Nimb)),
        ("nimtb", None) => Ok(Some(LocalGame::Nimtb)),
        ("octal", Some(code)) => {
            let digits = code.strip_prefix("0.").or_else(|| code.strip_prefix('.'));
            let digits: Option<Vec<u8>> = digits
                .filter(|digits| !digits.is_empty())
                .and_then(|digits| digits.chars().map(|digit| digit.to_digit(8).map(|d| d as u8)).collect());
            let digits = digits.ok_or_else(|| {
                usage(format!("octal code `{code}`: write it as 0.123, with digits from 0 to 7 after `0.`"))
            })?;
            LocalGame::octal(digits).map(Some).map_err(usage)
        }
        ("subtraction", Some(amounts)) => {
            let amounts: Option<Vec<u64>> =
                amounts.split(',').map(|amount| amount.trim().parse().ok()).collect();
            let amounts = amounts
                .ok_or_else(|| usage("the amounts of a subtraction game are written as 1,3,4".into()))?;
            LocalGame::subtraction(amounts).map(Some).map_err(usage)
        }
        ("octal", None) => Err(usage("`octal` needs a code, as `octal 0.123`".into())),
        ("subtraction", None) => Err(usage("`subtraction` needs amounts, as `subtraction 1,3,4`".into())),
        (_, Some(parameter)) => Err(usage(format!("`{name}` takes no parameter, but got `{parameter}`"))),
        (_, None) => Ok(None),
    }
}
